"""Words of stored text, and the classes of difference between words.

Stored text is cut here by the rule of docs/reading-elaws.md ("Canonical text"); each reader has
its own implementation of the same rule, on purpose.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from corpusguard.model import Difference

_INVISIBLE: Final = re.compile("[\u200b-\u200d\u2060\ufeff\u00ad]")

_TYPOGRAPHY: Final = str.maketrans(
    {
        **dict.fromkeys("“”„«»‟", '"'),
        **dict.fromkeys("‘’‚‛′", "'"),
        **dict.fromkeys("–—−‑‐‒―", "-"),
        "…": "...",
    }
)

_NUMBER_WORDS: Final = frozenset(
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy "
    "eighty ninety hundred thousand million half third quarter double twice first second".split()
)
_MONTHS: Final = frozenset(
    "january february march april may june july august september october november december".split()
)
_DATE_WORDS: Final = frozenset(
    "day days week weeks month months year years anniversary before after until".split()
)
_NEGATIONS: Final = frozenset("not no never nor neither none cannot without".split())
_MODALS: Final = frozenset("shall may must will should might can could would".split())
_EXCEPTIONS: Final = frozenset(
    "if unless except despite notwithstanding subject provided other than excluding only".split()
)
_EDGE: Final = "\"'()[]{},;:.!?“”‘’"
_DIGIT: Final = re.compile(r"\d")
_MONEY: Final = re.compile(r"[$€£] ?\d|\d ?[$€£]|^(?:dollars?|cents?|euros?)$", re.IGNORECASE)
_YEAR: Final = re.compile(r"^(?:1[6-9]|20)\d\d$")
_MANY_MARKS: Final = re.compile(
    "[\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0900-\u0903"
    "\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u302a-\u302f\ufe20-\ufe2f]{30}"
)
_MOJIBAKE: Final = re.compile("[\u0080-\u009f\ufffd]|Ã[\u0080-\u00bf]|â€|Â[\u00a0-\u00bf]")


def words_of(text: str) -> list[str]:
    """Cut text into words: NFC, invisible characters removed, cut at Unicode white space."""
    if text.isascii():
        return text.split()
    # Composing a long run of marks takes quadratic time; no language has so many on one letter.
    if not unicodedata.is_normalized("NFC", text) and not _MANY_MARKS.search(text):
        text = unicodedata.normalize("NFC", text)
    return _INVISIBLE.sub("", text).split()


def typographic_fold(word: str) -> str:
    """Fold quotes, dashes and case: what is equal after this differs in typography alone."""
    return word.translate(_TYPOGRAPHY).casefold()


def looks_like_mojibake(text: str) -> bool:
    """Whether the text holds a pattern of UTF-8 that was decoded as something else."""
    return _MOJIBAKE.search(text) is not None


def only_typographic(official: list[str], stored: list[str]) -> bool:
    """Whether two stretches of words differ in quotes, dashes, case or harmless spacing alone.

    Lost or added space counts as typography only beside punctuation (``1.(1)`` for ``1. (1)``):
    ``ofthe`` for ``of the`` makes another word. A lost hyphen is never typography: it turns
    ``re-sign`` into ``resign`` and ``1-2`` into ``12``.
    """
    a = [typographic_fold(word) for word in official]
    b = [typographic_fold(word) for word in stored]
    if a == b:
        return True
    if "".join(a) != "".join(b):
        return False
    return all(_breaks_beside_punctuation(words, other) for words, other in ((a, b), (b, a)))


def _breaks_beside_punctuation(words: list[str], other: list[str]) -> bool:
    breaks = set()
    position = 0
    for word in other:
        position += len(word)
        breaks.add(position)
    joined = "".join(words)
    position = 0
    for word in words[:-1]:
        position += len(word)
        if position in breaks:
            continue
        left, right = joined[position - 1], joined[position]
        if left.isalnum() and right.isalnum():
            return False
        # "5, 000" is not "5,000", and "3. 5" not "3.5".
        if right.isdigit() and left in ".,-" and joined[position - 2 : position - 1].isdigit():
            return False
        if left.isdigit() and right in ".,-" and joined[position + 1 : position + 2].isdigit():
            return False
    return True


def wording_classes(official: list[str], stored: list[str]) -> set[Difference]:
    """The kinds of wording that a changed stretch touches, from the words on either side."""
    found: set[Difference] = set()
    removed, added = set(official), set(stored)
    for word in removed ^ added:
        bare = word.strip(_EDGE).casefold()
        if _MONEY.search(word):
            found.add(Difference.MONEY)
        if (bare in _MONTHS and word[:1].isupper()) or _YEAR.match(bare) or bare in _DATE_WORDS:
            found.add(Difference.DATE)
        elif _DIGIT.search(word) or bare in _NUMBER_WORDS:
            found.add(Difference.NUMBER)
        if bare in _NEGATIONS or bare.endswith(("n't", "n’t")):
            found.add(Difference.NEGATION)
        if bare in _MODALS and not (bare == "may" and word[:1].isupper()):
            found.add(Difference.MODAL)
        if bare in _EXCEPTIONS:
            found.add(Difference.EXCEPTION)
    return found
