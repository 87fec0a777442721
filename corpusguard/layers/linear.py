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

    def add(  # noqa: PLR0913 - one value per parallel list
        self,
        words: list[str],
        channel: Channel,
        status: Status,
        section: str,
        subsection: str,
        pid: str,
        block: int,
        offset: int,
    ) -> None:
        """Append one segment; a segment without words is nothing."""
        if not words:
            return
        index = len(self.seg_first)
        self.seg_first.append(len(self.words))
        self.words += words
        self.seg_last.append(len(self.words))
        self.seg_of += [index] * len(words)
        self.optional.append(channel is not Channel.BODY or status is not Status.IN_FORCE)
        self.channel.append(channel)
        self.status.append(status)
        self.section.append(section)
        self.subsection.append(subsection)
        self.pid.append(pid)
        self.block.append(block)
        self.offset.append(offset)

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


def from_reading(reading: Reading) -> Linear:
    """Linear text of the first reading, placeholders left out."""
    linear = Linear()
    text = reading.text
    provisions = reading.provisions
    for segment in reading.segments:
        if segment.channel is Channel.PLACEHOLDER:
            continue
        if segment.provision >= 0:
            node = provisions[segment.provision]
            section, subsection, pid = node.section, node.subsection, node.pid
        else:
            section = subsection = pid = ""
        linear.add(
            text[segment.start : segment.end].split(" "),
            segment.channel,
            segment.status,
            section,
            subsection,
            pid,
            segment.block,
            segment.start,
        )
    return linear


def from_second(second: Mapping[str, Any]) -> Linear:
    """Linear text of a second reading, placeholders left out. Offsets count its own words."""
    linear = Linear()
    offset = 0
    for number, (section, status, runs) in enumerate(second["blocks"]):
        state = _SECOND_STATUS[status]
        for role, text in runs:
            channel = _CHANNELS[role]
            if channel is not Channel.PLACEHOLDER:
                linear.add(text.split(" "), channel, state, section or "", "", "", number, offset)
            offset += len(text) + 1
    return linear
