"""The canonical form in which a span is looked for: print is folded, wording never.

Folded: runs of white space to one space, the shapes of quotation marks, soft hyphens and
zero-width characters, case, and the two ways in which Unicode writes a letter with a mark
(canonical decomposition, as of NFD). Not folded: dashes, numbers, compatibility forms such as
superscripts, bidirectional controls, and every word.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_QUOTES: Final = {
    **dict.fromkeys("“”„‟«»〝〞＂", '"'),
    **dict.fromkeys("‘’‚‛＇", "'"),
}
_INVISIBLE: Final = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff")
_DELETED: Final = dict.fromkeys(map(ord, _INVISIBLE))
_JOINS: Final = frozenset("'-‐‑–.,:/·")
"""Between two letters or digits these make one word of them: can't, re-sign, 5,000, 3.5, 12:30."""
_WORD: Final = re.compile(r"\S+")
_TRIES: Final = 1_000
"""Occurrences looked at; a text made so that more of them fail is answered with not found."""


class Canonical:
    """A text in canonical form, with the way back to where each character came from."""

    def __init__(self, text: str) -> None:
        self._origin: list[int] = []
        if text.isascii():
            self._fold_ascii(text)
        else:
            self._fold(text)

    def find(self, span: Canonical) -> tuple[int, int] | None:
        """Return where ``span`` stands, as code points of the text as given; None: nowhere.

        It must begin and end where words do: "tenant can" is not in "tenant cannot", "5" not in
        "5,000", "5%" or "$5". A span without a letter or digit is nowhere.
        """
        wanted = span.text.strip(" ")
        if not any(letter.isalnum() for letter in wanted):
            return None
        at = -1
        for _ in range(_TRIES):
            at = self.text.find(wanted, at + 1)
            if at < 0:
                return None
            end = at + len(wanted)
            if self._is_edge(at) and self._is_edge(end):
                return self._origin[at], self._after(end)
            at = max(at, self._word_end(at) - 1)
        return None

    def _fold_ascii(self, text: str) -> None:
        words = list(_WORD.finditer(text))
        self.text = " ".join(word.group() for word in words).casefold()
        for word in words:
            if self._origin:
                self._origin.append(word.start() - 1)
            self._origin.extend(range(*word.span()))

    def _fold(self, text: str) -> None:
        letters: list[str] = []
        blank = False
        for index, letter in enumerate(text):
            if letter in _INVISIBLE:
                continue
            if letter.isspace():
                blank = True
                continue
            if blank and letters:
                letters.append(" ")
                self._origin.append(index - 1)
            blank = False
            folded = _QUOTES.get(letter) or unicodedata.normalize("NFD", letter).casefold()
            letters.append(folded)
            self._origin.extend([index] * len(folded))
        self.text = "".join(letters)

    def _after(self, end: int) -> int:
        """Return the code point after the last one that folds into ``text[:end]``."""
        return self._origin[end - 1] + 1

    def _word_end(self, at: int) -> int:
        """Return where the run of letters and digits at ``at`` ends."""
        while at < len(self.text) and _is_of_word(self.text[at]):
            at += 1
        return at

    def _is_edge(self, at: int) -> bool:
        """Whether a word may begin or end before ``text[at]``."""
        if at in {0, len(self.text)}:
            return True
        text = self.text
        before, after = text[at - 1], text[at]
        if _is_mark(after) or (_is_of_word(before) and after.isalnum()):
            return False
        if self._origin[at - 1] == self._origin[at]:
            return False  # amid what one character folds into
        if before.isdigit() and after in "%‰°²³¢":
            return False
        if after.isdigit() and before in "$€£¥-−":
            return False
        if after in _JOINS and _is_of_word(before):
            return not text[at + 1 : at + 2].isalnum()
        if before in _JOINS and after.isalnum():
            return at < 2 or not _is_of_word(text[at - 2])
        return True


def _is_mark(letter: str) -> bool:
    """Whether it is written upon the letter before it."""
    return unicodedata.category(letter)[0] == "M"


def _is_of_word(letter: str) -> bool:
    return letter.isalnum() or _is_mark(letter)


def visible(text: str) -> str:
    """Return ``text`` without soft hyphens and zero-width characters: as it is read."""
    return text.translate(_DELETED)


def is_deceptive(text: str) -> bool:
    """Whether ``text`` may be read as other than it is: bidi and other controls in it."""
    return any(
        unicodedata.category(letter) in {"Cf", "Cc", "Co", "Cn", "Cs"}
        and letter not in _INVISIBLE
        and letter not in "\t\n\r"
        for letter in text
    )


def canonical(text: str) -> str:
    """Return ``text`` in canonical form."""
    return Canonical(text).text
