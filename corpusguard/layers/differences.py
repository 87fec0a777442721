"""Word differences inside one stretch of official text, and their classes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

from corpusguard.layers.words import only_typographic, wording_classes
from corpusguard.model import Channel, Difference

if TYPE_CHECKING:
    from corpusguard.layers.linear import Linear

_MOST_WORDS: Final = 2_500
"""Past this many words on a side (after equal heads and tails are cut) no word diff is made."""
_CONTEXT: Final = 6

_MARKER: Final = re.compile(
    r"^(?:\(?(?:\d{1,4}(?:\.\d{1,4}){0,5}|[A-Za-z]{1,2}|[ivxlc]{1,7})\)|"
    r"(?:\d{1,4}(?:\.\d{1,4}){0,5}|[A-Za-z]|[ivxlc]{1,7})\.)[,;]?$"
)
"""``(2)``, ``(a)``, ``1.``, ``ii.``: a number that was added, dropped or moved."""
_HISTORY_WORD: Final = re.compile(
    r"^(?:\(?\d[\d.,;:()/A-Za-z-]{0,20}|"
    r"\(?(?:cc?|ss?|Scheds?|O|Regs?|par|cl|subs?|R\.S\.O|R\.R\.O|S\.O|[A-Z])[.,;:)]{1,3}|"
    r"[A-Z]\.\d{1,4}[,;.]?|-|–)$"
)
"""A word of an amendment citation: ``2006,`` ``c.`` ``17,`` ``s.`` ``35`` ``(1).``"""
_YEAR: Final = re.compile(r"(?:^|[^\d])(?:1[89]|20)?\d\d\b")

_BY_CHANNEL: Final = {
    Channel.HISTORY: Difference.HISTORY_NOTE,
    Channel.HEADING: Difference.HEADING,
    Channel.HEADNOTE: Difference.HEADING,
    Channel.MARKER: Difference.NUMBERING,
    Channel.NOTE: Difference.HEADING,
    Channel.CONTENTS: Difference.HEADING,
    Channel.FRONT: Difference.HEADING,
}


@dataclass(frozen=True, slots=True)
class Comparison:
    """How a stored stretch differs from an official one."""

    classes: frozenset[Difference]
    diff: str
    omitted: tuple[tuple[int, int], ...]
    """Word ranges of law in force that the stored text leaves out or replaces."""
    gone: tuple[str, ...]
    """Official words that the stored text leaves out or replaces."""
    new: tuple[str, ...]
    """Stored words that the official stretch does not have in that place."""

    @property
    def only_order(self) -> bool:
        """Whether the same words of law stand on both sides, in another order."""
        return bool(self.new) and _bag(self.gone) == _bag(self.new)


def compare(linear: Linear, first: int, last: int, stored: list[str]) -> Comparison:
    """Compare official words ``[first, last)`` with stored words.

    Whole optional segments that the stored text leaves out are not differences.
    """
    official = linear.words[first:last]
    head = 0
    most = min(len(official), len(stored))
    while head < most and official[head] == stored[head]:
        head += 1
    tail = 0
    while tail < most - head and official[-1 - tail] == stored[-1 - tail]:
        tail += 1
    middle = official[head : len(official) - tail]
    other = stored[head : len(stored) - tail]
    if max(len(middle), len(other)) > _MOST_WORDS:
        note = f"[-{len(middle)} words-]{{+{len(other)} words+}}"
        omitted = ((first + head, first + head + len(middle)),)
        return Comparison(
            frozenset({Difference.WORDING}), note, omitted, tuple(middle), tuple(other)
        )
    classes: set[Difference] = set()
    omitted_ranges: list[tuple[int, int]] = []
    pieces: list[str] = []
    all_gone: list[str] = []
    all_new: list[str] = []
    matcher = SequenceMatcher(None, middle, other, autojunk=False)
    before = official[max(0, head - _CONTEXT) : head]
    pieces.append(("… " if head > _CONTEXT else "") + " ".join(before))
    for tag, a1, a2, b1, b2 in matcher.get_opcodes():
        if tag == "equal":
            pieces.append(_context(middle[a1:a2]))
            continue
        a, b = first + head + a1, first + head + a2
        gone, new = middle[a1:a2], other[b1:b2]
        if tag == "delete" and _only_whole_options(linear, a, b):
            continue
        classes |= _classify(linear, a, b, gone, new)
        all_gone += gone
        all_new += new
        if tag != "insert":
            omitted_ranges.append((a, b))
        pieces.append(
            (f"[-{' '.join(gone)}-]" if gone else "") + (f"{{+{' '.join(new)}+}}" if new else "")
        )
    after = official[len(official) - tail : len(official) - tail + _CONTEXT] if tail else []
    pieces.append(" ".join(after) + (" …" if tail > _CONTEXT else ""))
    diff = " ".join(piece for piece in pieces if piece.strip())
    return Comparison(
        frozenset(classes), diff, tuple(omitted_ranges), tuple(all_gone), tuple(all_new)
    )


def _bag(words: tuple[str, ...]) -> list[str]:
    return sorted(word for word in words if not _MARKER.match(word))


def _context(words: list[str]) -> str:
    if len(words) <= 2 * _CONTEXT:
        return " ".join(words)
    return f"{' '.join(words[:_CONTEXT])} … {' '.join(words[-_CONTEXT:])}"


def _only_whole_options(linear: Linear, first: int, last: int) -> bool:
    position = first
    while position < last:
        segment = linear.seg_of[position]
        begin, end = linear.seg_first[segment], linear.seg_last[segment]
        if not linear.optional[segment] or begin < first or end > last:
            return False
        position = end
    return True


def _classify(
    linear: Linear, first: int, last: int, gone: list[str], new: list[str]
) -> set[Difference]:
    if gone and new and only_typographic(gone, new):
        return {Difference.TYPOGRAPHIC}
    if new and all(_HISTORY_WORD.match(word) for word in new) and _is_year_list(new):
        channels = _channels(linear, first, last) | {Channel.HISTORY}
    elif gone:
        channels = _channels(linear, first, last)
        # A heading may be replaced by another heading, not by a paragraph of other words; and
        # what replaces a citation must itself be one.
        if Channel.HISTORY in channels and new:
            channels.add(Channel.BODY)
        if len(new) > 3 * len(gone) + 5:
            channels.add(Channel.BODY)
        if channels == {Channel.MARKER} and not all(_MARKER.match(word) for word in new):
            channels.add(Channel.BODY)
    elif all(_MARKER.match(word) for word in new):
        channels = {Channel.MARKER}
    else:
        channels = _inside_one_segment(linear, first)
    classes = {_BY_CHANNEL.get(channel, Difference.WORDING) for channel in channels}
    if Difference.WORDING in classes:
        return {Difference.WORDING} | wording_classes(gone, new)
    return classes


def _channels(linear: Linear, first: int, last: int) -> set[Channel]:
    return {linear.channel[linear.seg_of[position]] for position in range(first, last)}


def _inside_one_segment(linear: Linear, position: int) -> set[Channel]:
    """An insertion is of a heading's class only when it stands inside that heading."""
    if 0 < position < len(linear.words):
        before, after = linear.seg_of[position - 1], linear.seg_of[position]
        if before == after:
            return {linear.channel[before]}
    return {Channel.BODY}


def _is_year_list(words: list[str]) -> bool:
    return any(_YEAR.search(word) for word in words)
