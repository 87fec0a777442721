"""``(g)`` that is no label: a letter of a list, of a section reference, or of a unit.

The convention's known limit is that legal text letters its lists. A mark is taken for a letter
only on evidence: its neighbours in the alphabet stand where they should, a section reference leads
to it, or the unit it abbreviates is written beside it. A mark written tight against its words
(``(g)The fee``) is a letter only at the start of a line between its neighbours, and
only if it is not closed there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_LETTER: Final = re.compile(r"\(([a-z])\)")
_REACH: Final = 400
"""Code points within which a list that runs on in a line must show its next letter."""
_BEFORE: Final = re.compile(
    r"(?:\b(?:clauses?|paragraphs?|subclauses?|subparagraphs?|subsections?|sections?|items?"
    r"|articles?|schedules?|forms?|rules?|paras?\.?|cls?\.?|ss?\.|subs\.|c\.|al\.)"
    r"|\d|\((?:\d{1,3}(?:\.\d{1,2})?|[ivx]{1,6}|[a-fh-ln-tv-z])\)"
    r"|\([a-z]\)[ \t]?(?:[–—-]|,|to|or|and|,[ \t]?(?:or|and)))[ \t]?\Z",
    re.IGNORECASE,
)
_ITEM_BEFORE: Final = re.compile(r";\s?(?:and|or)?\s?\Z")
_UNITS: Final = {
    "m": re.compile(r"m[eè]t(?:re|er)s?\b", re.IGNORECASE),
    "g": re.compile(r"gram(?:me)?s?\b", re.IGNORECASE),
    "u": re.compile(r"unit(?:é)?s?\b", re.IGNORECASE),
}
_LAST_WORD: Final = re.compile(r"(\w{1,12})[ \t]?\Z")


@dataclass(frozen=True, slots=True)
class _Mark:
    letter: str
    start: int
    end: int
    leads: bool
    """At the start of its line, but for white space, bullets and quote marks."""


def letters(text: str, openers: set[int]) -> set[int]:
    """Return those of ``openers`` (where a ``(u)``, ``(m)`` or ``(g)`` starts) that are letters."""
    marks = [
        _Mark(found.group(1), found.start(), found.end(), _leads(text, found.start()))
        for found in _LETTER.finditer(text)
    ]
    leading = [mark for mark in marks if mark.leads]
    items = [mark for mark in marks if mark.leads or _goes_on(text, mark)]
    sure = _neighbours(leading, len(text)) | _neighbours(items, len(text))
    either = sure | _neighbours(marks, _REACH)
    return {
        mark.start
        for mark in marks
        if mark.start in openers
        and (
            mark.leads and mark.start in sure and not _closes_on_its_line(text, mark)
            if _tight(text, mark.end)
            else mark.start in either or _referred(text, mark) or _unit(text, mark)
        )
    }


def _neighbours(marks: list[_Mark], reach: int) -> set[int]:
    """Return where those of ``marks`` start that the alphabet's neighbour stands next to."""
    return {mark.start for index, mark in enumerate(marks) if _in_sequence(marks, index, reach)}


def _closes_on_its_line(text: str, mark: _Mark) -> bool:
    end = text.find("\n", mark.end)
    return text.find(f"(/{mark.letter}", mark.end, len(text) if end < 0 else end) >= 0


def _tight(text: str, end: int) -> bool:
    """Whether words follow without a space."""
    return end < len(text) and (text[end].isalnum() or text[end] in "\"“'‘*_`$")


def _leads(text: str, at: int) -> bool:
    line = text.rfind("\n", max(0, at - 40), at) + 1
    if line == 0 and at > 40:
        return False
    return not text[line:at].strip(" \t>*+•-–")


def _in_sequence(marks: list[_Mark], index: int, reach: int) -> bool:
    here = marks[index]
    before = marks[index - 1] if index else None
    after = marks[index + 1] if index + 1 < len(marks) else None
    return bool(
        (before and ord(here.letter) - ord(before.letter) == 1 and here.start - before.end <= reach)
        or (after and ord(after.letter) - ord(here.letter) == 1 and after.start - here.end <= reach)
    )


def _goes_on(text: str, mark: _Mark) -> bool:
    """Whether a semicolon leads to it, as to the next item of a list of long ones."""
    return _ITEM_BEFORE.search(text[max(0, mark.start - 8) : mark.start]) is not None


def _referred(text: str, mark: _Mark) -> bool:
    return _BEFORE.search(text[max(0, mark.start - 24) : mark.start]) is not None


def _unit(text: str, mark: _Mark) -> bool:
    name = _UNITS[mark.letter]
    if name.match(text, mark.end + 1):
        return True
    before = _LAST_WORD.search(text[max(0, mark.start - 14) : mark.start])
    return before is not None and name.fullmatch(before.group(1)) is not None
