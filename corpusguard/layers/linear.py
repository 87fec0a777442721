"""Linear text: a document as one sequence of typed words, from either reading.

A match may leave out whole *optional* segments (numbering markers, headings, headnotes, notes,
history, contents, and text that is not in force), never a word of law in force.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import accumulate, chain, repeat
from typing import TYPE_CHECKING, Any

from corpusguard.model import Channel, Status

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corpusguard.model import Reading

_CHANNELS = {channel.value: channel for channel in Channel}
_PLACEHOLDER = Channel.PLACEHOLDER.value
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


def _linear(texts: list[str], channel: list[Channel], **columns: list[Any]) -> Linear:
    """Lay the texts of segments end to end, their words one space apart.

    A document has thousands of segments: whole columns are made at once, without a small object
    for each, over which the collector would go again and again.
    """
    sizes = [text.count(" ") + 1 for text in texts]
    last = list(accumulate(sizes))
    law = zip(channel, columns["status"], strict=True)
    return Linear(
        words=" ".join(texts).split(" ") if texts else [],
        seg_of=list(chain.from_iterable(map(repeat, range(len(texts)), sizes))),
        seg_first=[0, *last[:-1]] if last else [],
        seg_last=last,
        optional=[role is not Channel.BODY or state is not Status.IN_FORCE for role, state in law],
        channel=channel,
        **columns,
    )


def from_reading(reading: Reading) -> Linear:
    """Linear text of the first reading, placeholders left out."""
    text = reading.text
    kept = [
        segment
        for segment in reading.segments
        if segment.channel is not Channel.PLACEHOLDER and segment.start < segment.end
    ]
    names = [(node.section, node.subsection, node.pid) for node in reading.provisions]
    names.append(("", "", ""))  # provision -1: contents and front matter
    placed = [names[segment.provision] for segment in kept]
    return _linear(
        [text[segment.start : segment.end] for segment in kept],
        [segment.channel for segment in kept],
        status=[segment.status for segment in kept],
        section=[name[0] for name in placed],
        subsection=[name[1] for name in placed],
        pid=[name[2] for name in placed],
        block=[segment.block for segment in kept],
        offset=[segment.start for segment in kept],
    )


def from_second(second: Mapping[str, Any]) -> Linear:
    """Linear text of a second reading, placeholders left out. Offsets count its own words."""
    texts: list[str] = []
    channels: list[Channel] = []
    blocks: list[int] = []
    offsets: list[int] = []
    offset = 0
    for number, (_, _, runs) in enumerate(second["blocks"]):
        for role, text in runs:
            if text and role != _PLACEHOLDER:
                texts.append(text)
                channels.append(_CHANNELS[role])
                blocks.append(number)
                offsets.append(offset)
            offset += len(text) + 1
    sections = [section or "" for section, _, _ in second["blocks"]]
    states = [_SECOND_STATUS[status] for _, status, _ in second["blocks"]]
    return _linear(
        texts,
        channels,
        status=[states[number] for number in blocks],
        section=[sections[number] for number in blocks],
        subsection=[""] * len(texts),
        pid=[""] * len(texts),
        block=blocks,
        offset=offsets,
    )


def is_current(linear: Linear, segment: int) -> bool:
    """Whether a segment holds words of law, numbering or a stub, but nothing not yet in force."""
    channel = linear.channel[segment]
    future = linear.status[segment] is Status.NOT_IN_FORCE
    return not future and (channel is Channel.BODY or channel is Channel.MARKER)
