"""Linear text: a document as one sequence of typed words, from either reading.

A match may leave out whole *optional* segments (numbering markers, headings, headnotes, notes,
history, contents, and text that is not in force), never a word of law in force.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from corpusguard.model import Channel, Status

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corpusguard.model import Reading

_CHANNELS = {channel.value: channel for channel in Channel}
_SECOND_STATUS = {
    "in_force": Status.IN_FORCE,
    "not_in_force": Status.NOT_IN_FORCE,
    "gone": Status.REPEALED,
}


@dataclass(slots=True)
class Linear:
    """Parallel lists; ``seg_*`` are indexed by segment, the others by word."""

    words: list[str] = field(default_factory=list)
    seg_of: list[int] = field(default_factory=list)
    seg_first: list[int] = field(default_factory=list)
    seg_last: list[int] = field(default_factory=list)
    optional: list[bool] = field(default_factory=list)
    channel: list[Channel] = field(default_factory=list)
    status: list[Status] = field(default_factory=list)
    section: list[str] = field(default_factory=list)
    subsection: list[str] = field(default_factory=list)
    pid: list[str] = field(default_factory=list)
    block: list[int] = field(default_factory=list)
    offset: list[int] = field(default_factory=list)
    """Where each segment begins in ``Reading.text``; words inside are one space apart."""

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Offsets in the official text of the words ``[first, last)`` of one segment."""
        segment = self.seg_of[first]
        begin = self.seg_first[segment]
        words = self.words
        start = self.offset[segment] + sum(map(len, words[begin:first])) + (first - begin)
        end = start + sum(map(len, words[first:last])) + (last - first - 1)
        return start, end

    def text(self, first: int, last: int) -> str:
        """The words ``[first, last)`` joined by spaces."""
        return " ".join(self.words[first:last])

    def is_law(self, segment: int) -> bool:
        """Whether a segment holds words of law in force."""
        return not self.optional[segment]


class _Builder:
    """Appends segments; its bound methods are looked up once, for there are thousands."""

    def __init__(self) -> None:
        self.linear = Linear()
        one = self.linear
        self._words, self._seg_of = one.words, one.seg_of
        self._appends = (
            one.seg_first.append,
            one.seg_last.append,
            one.optional.append,
            one.channel.append,
            one.status.append,
            one.section.append,
            one.subsection.append,
            one.pid.append,
            one.block.append,
            one.offset.append,
        )

    def add(  # noqa: PLR0913 - one value per parallel list
        self,
        text: str,
        channel: Channel,
        status: Status,
        section: str,
        subsection: str,
        pid: str,
        block: int,
        offset: int,
    ) -> None:
        """Append one segment; a segment without words is nothing."""
        if not text:
            return
        words = self._words
        first = len(words)
        parts = text.split(" ")
        words += parts
        first_, last_, optional_, channel_, status_, section_, sub_, pid_, block_, offset_ = (
            self._appends
        )
        self._seg_of.extend([len(self.linear.seg_first)] * len(parts))
        first_(first)
        last_(first + len(parts))
        optional_(channel is not Channel.BODY or status is not Status.IN_FORCE)
        channel_(channel)
        status_(status)
        section_(section)
        sub_(subsection)
        pid_(pid)
        block_(block)
        offset_(offset)


def from_reading(reading: Reading) -> Linear:
    """Linear text of the first reading, placeholders left out."""
    builder = _Builder()
    text = reading.text
    names = [(node.section, node.subsection, node.pid) for node in reading.provisions]
    names.append(("", "", ""))  # provision -1: contents and front matter
    for segment in reading.segments:
        if segment.channel is Channel.PLACEHOLDER:
            continue
        section, subsection, pid = names[segment.provision]
        builder.add(
            text[segment.start : segment.end],
            segment.channel,
            segment.status,
            section,
            subsection,
            pid,
            segment.block,
            segment.start,
        )
    return builder.linear


def from_second(second: Mapping[str, Any]) -> Linear:
    """Linear text of a second reading, placeholders left out. Offsets count its own words."""
    builder = _Builder()
    offset = 0
    for number, (section, status, runs) in enumerate(second["blocks"]):
        state = _SECOND_STATUS[status]
        for role, text in runs:
            channel = _CHANNELS[role]
            if channel is not Channel.PLACEHOLDER:
                builder.add(text, channel, state, section or "", "", "", number, offset)
            offset += len(text) + 1
    return builder.linear


def is_current(linear: Linear, segment: int) -> bool:
    """Whether a segment holds words of law, numbering or a stub, but nothing not yet in force."""
    channel = linear.channel[segment]
    future = linear.status[segment] is Status.NOT_IN_FORCE
    return not future and (channel is Channel.BODY or channel is Channel.MARKER)
