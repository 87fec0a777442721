"""References to provisions: ``section 5``, ``clauses 43 (1) (b) and (c)``, ``Part III``."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_KINDS: Final = {
    "section": "section", "s.": "section", "ss.": "section", "sections": "section",
    "subsection": "section", "subsections": "section", "clause": "section", "clauses": "section",
    "cl.": "section", "paragraph": "section", "paragraphs": "section", "para.": "section",
    "subclause": "section", "subclauses": "section", "subparagraph": "section",
    "part": "part", "parts": "part", "division": "division", "divisions": "division",
    "schedule": "schedule", "schedules": "schedule", "table": "table", "tables": "table",
    "form": "form", "forms": "form", "column": "column", "columns": "column",
}  # fmt: skip
_ONE: Final = r"(?:\d{1,5}[A-Za-z]{0,2}(?:\.\d{1,4}[A-Za-z]{0,2})*|[IVXL]{1,6}|[A-Z])?"
_INSIDE: Final = r"(?:\s*\([0-9A-Za-z.]{1,6}\))*"
_PLACE: Final = rf"{_ONE}{_INSIDE}"
_REFERENCE: Final = re.compile(
    r"\b(?P<kind>sub-?sections?|sections?|subclauses?|clauses?|subparagraphs?|paragraphs?|parts?|"
    r"divisions?|schedules?|tables?|forms?|columns?|ss?\.|cl\.|para\.)\s+"
    rf"(?P<places>{_PLACE}(?:\s*(?:,|and|or|to|,\s*(?:and|or))\s*(?:\([0-9A-Za-z.]{{1,6}}\)|\d){_INSIDE}[\d.]*)*)",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(r"\([0-9A-Za-z.]{1,6}\)|\d[\dA-Za-z.]*|\b[IVXL]{1,6}\b|\b[A-Z]\b")


class Reference(NamedTuple):
    """One number of a reference."""

    kind: str
    number: str
    """``5``, ``(2)``, ``III``."""


def references(text: str) -> tuple[frozenset[Reference], list[tuple[int, int]]]:
    """Return the numbers of all references in ``text``, and the slices where they stand."""
    found: set[Reference] = set()
    places: list[tuple[int, int]] = []
    for one in _REFERENCE.finditer(text):
        kind = _KINDS.get(one["kind"].casefold().replace("-", ""), "section")
        numbers = _NUMBER.findall(one["places"])
        if numbers:
            found |= {Reference(kind, number.rstrip(".").casefold()) for number in numbers}
            places.append(one.span())
    return frozenset(found), places
