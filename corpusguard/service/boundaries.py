"""Where provisions begin and end in an official text.

A stored passage that was cut without regard to the law's own units (a window of so many words) may
begin or end in the middle of a provision. What stands at such an edge is no whole provision, and
the gate must not take it for one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from corpusguard.model import Channel, Kind

if TYPE_CHECKING:
    from corpusguard.model import Reading

_LAW: Final = frozenset({Channel.BODY, Channel.MARKER})
_UNITS: Final = frozenset(
    {
        Kind.SECTION,
        Kind.SUBSECTION,
        Kind.PREAMBLE,
        Kind.SCHEDULE,
        Kind.FORM,
        Kind.TABLE,
    }
)


@dataclass(frozen=True, slots=True)
class Boundaries:
    """Offsets into a reading's text."""

    starts: frozenset[int]
    """Where a section or subsection begins: with its headnote, its number or its first word."""
    ends: frozenset[int]
    """Where one ends: after its last word of law, or after the notes that follow it."""


def boundaries(reading: Reading) -> Boundaries:
    """Return where sections and subsections of ``reading`` begin and end."""
    first: dict[int, set[int]] = {}
    last: dict[int, int] = {}
    for segment in reading.segments:
        index = segment.provision
        if index < 0 or segment.channel not in _LAW:
            continue
        own = first.setdefault(index, set())
        if segment.channel is Channel.MARKER or not last.get(index):
            own.add(segment.start)
        if segment.channel is Channel.BODY and index not in last:
            own.add(segment.start)
        while index >= 0:
            last[index] = max(last.get(index, 0), segment.end)
            index = reading.provisions[index].parent
    units = [(number, one) for number, one in enumerate(reading.provisions) if one.kind in _UNITS]
    starts = {start for number, one in units for start in {one.start, *first.get(number, ())}}
    ends = {end for number, one in units for end in (one.end, last.get(number, one.end))}
    return Boundaries(frozenset(starts), frozenset(ends))
