"""The whole provisions that a stored passage holds, in the law's own lines.

A corpus may store windows of so many words, on one line, with headings and history notes between.
Where such a passage verified, history knows which words of the official text it is. So the gate is
given the sections and subsections that lie in it whole, as the law prints them; what is cut off at
an edge of the window is no provision, and cannot be quoted as one.

And the gate is told what the sections that a passage lies in say beside it, and all of the law:
subsection (2) may say that (1) does not apply, and so may section 6.1, and a corpus may store each
as a passage of its own.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from corpusguard.model import Channel, Kind, Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corpusguard.model import Reading, Segment

_LAW: Final = frozenset({Channel.BODY, Channel.MARKER})
_UNITS: Final = frozenset({Kind.SECTION, Kind.SUBSECTION, Kind.SCHEDULE, Kind.FORM, Kind.PREAMBLE})


@dataclass(frozen=True, slots=True)
class Whole:
    """One section without subsections, or one subsection."""

    section: str
    """Official locator of the section that it is or belongs to."""
    subsection: str
    """Its number, or nothing."""
    words: tuple[tuple[int, int], ...]
    """Where its words of law are, in the reading's text; numbers are not among them."""
    text: str
    """As printed: one line a block, numbers first."""
    law: str
    """Without numbers."""
    in_force: bool
    """Whether it is law, and no word in the place of some: "Repealed"."""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Law:
    """The official text of a document that a run rested on. Each is itself, and may be a key."""

    title: str
    provisions: tuple[Whole, ...]

    def around(self, sections: Sequence[str]) -> tuple[tuple[str, str, str], ...]:
        """Return (section, subsection, words) of the subsections in force of these sections."""
        return tuple(
            (one.section, one.subsection, one.law)
            for one in self.provisions
            if one.subsection and one.in_force and one.section in sections
        )


def whole_provisions(reading: Reading) -> tuple[Whole, ...]:
    """Return the units of ``reading`` that are law in force, in printed order."""
    units: dict[int, list[Segment]] = {}
    waiting: dict[int, list[Segment]] = {}
    parents = {one.parent for one in reading.provisions if one.kind is Kind.SUBSECTION}
    for segment in reading.segments:
        if (
            segment.provision < 0
            or segment.channel not in _LAW
            or segment.status is Status.NOT_IN_FORCE
        ):
            continue
        unit = _unit(reading, segment.provision)
        if unit in parents:
            # The number and opening words of a section are printed before its first subsection.
            waiting.setdefault(unit, []).append(segment)
            continue
        if unit not in units:
            units[unit] = waiting.pop(reading.provisions[unit].parent, [])
        units[unit].append(segment)
    return tuple(_whole(reading, unit, segments) for unit, segments in units.items())


def held_whole(provisions: Sequence[Whole], spans: Sequence[tuple[int, int]]) -> str:
    """Return the text of the provisions whose every word lies in ``spans``, one after the other.

    Args:
        provisions: Of the whole document.
        spans: Where the passage lies in it, ascending.
    """
    return "\n".join(
        one.text
        for one in provisions
        if one.words and all(_inside(word, spans) for word in one.words)
    )


def touched(provisions: Sequence[Whole], spans: Sequence[tuple[int, int]]) -> tuple[str, ...]:
    """Return the locators of the sections of which a word lies in ``spans``, in printed order.

    Args:
        provisions: Of the whole document.
        spans: Where the passage lies in it, ascending.
    """
    if not spans:
        return ()
    first, last = spans[0][0], spans[-1][1]
    return tuple(
        dict.fromkeys(
            one.section
            for one in provisions
            # Most lie before or after all of it: their words need not be looked at.
            if one.words
            and one.words[0][0] < last
            and one.words[-1][1] > first
            and any(_inside(word, spans) for word in one.words)
        )
    )


def _inside(word: tuple[int, int], spans: Sequence[tuple[int, int]]) -> bool:
    index = bisect_right(spans, word[0], key=itemgetter(0)) - 1
    return index >= 0 and word[1] <= spans[index][1]


def _unit(reading: Reading, index: int) -> int:
    """Return the section or subsection that a provision belongs to, or its outermost part."""
    while True:
        here = reading.provisions[index]
        if here.kind in _UNITS or here.parent < 0:
            return index
        index = here.parent


def _whole(reading: Reading, unit: int, segments: list[Segment]) -> Whole:
    here = reading.provisions[unit]
    body = [segment for segment in segments if segment.channel is Channel.BODY]
    lines: dict[int, list[str]] = {}
    for segment in segments:
        lines.setdefault(segment.block, []).append(reading.text[segment.start : segment.end])
    return Whole(
        section=here.section,
        subsection=here.subsection,
        words=tuple((segment.start, segment.end) for segment in body),
        text="\n".join(" ".join(words) for words in lines.values()),
        law=" ".join(reading.text[segment.start : segment.end] for segment in body),
        in_force=here.status is Status.IN_FORCE,
    )
