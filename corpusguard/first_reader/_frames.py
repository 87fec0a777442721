"""Where in the document we are: the body, a schedule, a form or a titled table."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from corpusguard.model import Context, Kind, Status

from ._text import SMALLCAP, Block, canonical_offset

if TYPE_CHECKING:
    from ._tree import Node

_WORDS: Final = {
    "schedule": Kind.SCHEDULE,
    "annexe": Kind.SCHEDULE,
    "form": Kind.FORM,
    "formule": Kind.FORM,
    "formulaire": Kind.FORM,
    "table": Kind.TABLE,
    "tableau": Kind.TABLE,
}
_TITLE: Final = re.compile(
    r"(?i:(?P<word>schedule|annexe|formulaire|formule|form|tableau|table))\b"
    r"(?:\s(?P<number>\d{1,4}(?:\.\d{1,3}){0,3}[A-Z]?|[IVXLC]{1,7}|[A-Z](?:\.?\d{1,3})?)(?!\w))?"
)
_PART: Final = re.compile(
    r"(?i:part|partie)\s(?P<number>(?i:[ivxlcdm]{1,9}|\d{1,4}|[a-z])(?:\.\d{1,3}){0,3}[A-Z]?)(?!\w)"
)
_SHORT: Final = {Kind.SCHEDULE: "Sched.", Kind.FORM: "Form", Kind.TABLE: "Table"}
_CONTEXT: Final = {
    Kind.SCHEDULE: Context.SCHEDULE,
    Kind.FORM: Context.FORM,
    Kind.TABLE: Context.TABLE,
}
_STUB: Final = re.compile(
    r"\(?(?P<word>repealed|abrogée?s?|revoked|omitted|omise?s?|spent|périmée?s?)(?!\w)"
    r"(?P<alone>\s?[:.(),;]|\s?\Z)?",
    re.IGNORECASE,
)
_ONLY_STUB: Final = re.compile(
    rf"{_STUB.pattern}(?:\s?\([^()]{{0,300}}\))?[\s:.)]*\Z", re.IGNORECASE
)
_STATUS: Final = {
    "re": Status.REPEALED,
    "ab": Status.REPEALED,
    "rv": Status.REVOKED,
    "om": Status.OMITTED,
    "sp": Status.SPENT,
    "pé": Status.SPENT,
}


class Title(NamedTuple):
    """The head of a title block: ``Schedule 2``, ``PART VI``."""

    kind: Kind
    number: str
    end: int


@dataclass(slots=True)
class Frame:
    """One numbering context and what is open in it."""

    node: Node | None
    """Its schedule, form or table; None for the body."""
    prefix: str
    """Locator of the frame: ``Sched. 2``; empty for the body."""
    context: Context
    path: list[Node] = field(default_factory=list)
    """Open provisions in force, outermost first, of rising depth."""
    future: list[Node] = field(default_factory=list)
    """Open provisions not in force; the first hangs below one of ``path``, or is a section."""
    section: Node | None = None
    """The newest section, in force or not."""
    part: Node | None = None
    preamble: Node | None = None
    seen: dict[tuple[str, bool], int] = field(default_factory=dict)
    covered: set[str] = field(default_factory=set)
    title_open: bool = False
    """Whether nothing but the title was read yet: the next title line continues it."""

    @property
    def in_future(self) -> bool:
        """Whether the newest section is not in force."""
        return self.section is not None and self.section.future

    @property
    def holder(self) -> Node | None:
        """What sections and headings hang below: the Part, else the frame's own node."""
        return self.part or self.node


def title_of(text: str, name: str) -> Title | None:
    """The schedule, form or table that a title block opens; None for any other heading.

    Args:
        text: Canonical text of the block.
        name: Its class; ``schedule`` and ``form`` open one even where the word is not printed.
    """
    match = _TITLE.match(text)
    if match:
        return Title(_WORDS[match["word"].lower()], match["number"] or "", match.end())
    if name.startswith("schedule"):
        return Title(Kind.SCHEDULE, "", 0)
    return Title(Kind.FORM, "", 0) if name.startswith("form") else None


def heading_status(words: str) -> Status | None:
    """Status of a group heading that is only a stub's word: "Repealed", "(Revoked)"."""
    match = _ONLY_STUB.match(words)
    return _status_of(match["word"]) if match else None


def part_of(text: str) -> Title | None:
    """Number of a Part, where the heading begins with one."""
    match = _PART.match(text)
    return Title(Kind.PART, match["number"], match.end()) if match else None


def locator(outer: Frame, title: Title) -> str:
    """``Sched. 2``, ``Sched.``, ``Form 1``; ``Sched. 2, Table 1`` for a table in a schedule."""
    own = f"{_SHORT[title.kind]} {title.number}".rstrip()
    return f"{outer.prefix}, {own}" if outer.prefix and title.kind is Kind.TABLE else own


def context_of(kind: Kind) -> Context:
    """The context that a schedule, form or table makes."""
    return _CONTEXT[kind]


def stub_status(block: Block, text: str, at: int) -> Status | None:
    """Status of a stub whose word stands at ``at``, directly after the marker.

    "Repealed" in small capitals is a stub whatever follows; in plain letters only with a capital
    and a closing sign: "Repealed provisions continue to apply" is law.
    """
    match = _STUB.match(text, at)
    if match is None:
        return None
    word = match["word"]
    begin = match.start("word")
    small = any(
        bits & SMALLCAP and start < end and canonical_offset(block.raw, start) in {at, begin}
        for start, end, bits in block.styles
    )
    bracketed = begin > at and match["alone"] == ")"
    plain = word[0].isupper() and match["alone"] is not None and begin == at
    if not (small or plain or bracketed):
        return None
    return _status_of(word)


def _status_of(word: str) -> Status:
    head = "rv" if word.lower() == "revoked" else word[:2].lower()
    return _STATUS[head]
