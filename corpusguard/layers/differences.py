"""Word differences inside one stretch of official text, and their classes."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby
from typing import TYPE_CHECKING, Final

from corpusguard.layers.linear import is_current
from corpusguard.layers.words import only_typographic, wording_classes
from corpusguard.model import Channel, Difference

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corpusguard.layers.linear import Linear
    from corpusguard.layers.matching import Match

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
    gone: tuple[str, ...]
    """Official words that the stored text leaves out or replaces."""
    new: tuple[str, ...]
    """Stored words that the official stretch does not have in that place."""
    only_order: bool
    """Whether all words of law are there, and no other words, but in another order."""


def compare(linear: Linear, first: int, last: int, stored: list[str]) -> Comparison:
    """Compare official words ``[first, last)`` with stored words.

    Whole optional segments that the stored text leaves out are not differences. Where words of law
    differ, such segments are taken out before, lest the diff pair their words with those of law.
    """
    whole = _compare(linear, range(first, last), stored)
    if Difference.WORDING not in whole.classes:
        return whole
    return _compare(linear, _held(linear, first, last, stored), stored)


def _held(linear: Linear, first: int, last: int, stored: list[str]) -> list[int]:
    """Positions of what the stored text is to be compared with.

    That is law, numbering and stubs, and of what else is optional the segments of which the stored
    text holds at least half the words beside those of law.
    """
    words = linear.words
    parts: list[tuple[int, int, bool]] = []
    position = first
    while position < last:
        segment = linear.seg_of[position]
        end = min(linear.seg_last[segment], last)
        parts.append((position, end, is_current(linear, segment)))
        position = end
    beside = Counter(stored)
    for start, end, kept in parts:
        if kept:
            beside.subtract(words[start:end])
    beside = +beside
    held: list[int] = []
    for start, end, kept in parts:
        if kept or 2 * (Counter(words[start:end]) & beside).total() >= end - start:
            held += range(start, end)
    return held


def _compare(linear: Linear, positions: Sequence[int], stored: list[str]) -> Comparison:
    official = [linear.words[position] for position in positions]
    head = 0
    most = min(len(official), len(stored))
    while head < most and official[head] == stored[head]:
        head += 1
    tail = 0
    while tail < most - head and official[-1 - tail] == stored[-1 - tail]:
        tail += 1
    inner = positions[head : len(official) - tail]
    middle = official[head : len(official) - tail]
    other = stored[head : len(stored) - tail]
    if max(len(middle), len(other)) > _MOST_WORDS:
        note = f"[-{len(middle)} words-]{{+{len(other)} words+}}"
        order = _only_order(linear, inner, other)
        wording = frozenset({Difference.WORDING})
        return Comparison(wording, note, tuple(middle), tuple(other), only_order=order)
    classes: set[Difference] = set()
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
        gone, new = middle[a1:a2], other[b1:b2]
        if tag == "delete" and _only_whole_options(linear, inner[a1:a2]):
            continue
        around = positions[max(0, head + a1 - 1) : head + a1 + 1]
        classes |= _classify(linear, inner[a1:a2], around, gone, new)
        all_gone += gone
        all_new += new
        pieces.append(
            (f"[-{' '.join(gone)}-]" if gone else "") + (f"{{+{' '.join(new)}+}}" if new else "")
        )
    after = official[len(official) - tail : len(official) - tail + _CONTEXT] if tail else []
    pieces.append(" ".join(after) + (" …" if tail > _CONTEXT else ""))
    return Comparison(
        frozenset(classes),
        " ".join(piece for piece in pieces if piece.strip()),
        tuple(all_gone),
        tuple(all_new),
        only_order=bool(all_new) and _only_order(linear, inner, other),
    )


def _only_order(linear: Linear, positions: Sequence[int], stored: list[str]) -> bool:
    """Whether the stored words are all official, and hold every word of law among these."""
    words, optional, seg_of = linear.words, linear.optional, linear.seg_of
    held = Counter(stored)
    law = Counter(words[n] for n in positions if not optional[seg_of[n]])
    return not held - Counter(words[n] for n in positions) and not law - held


def compare_folded(linear: Linear, match: Match, stored: list[str]) -> Comparison:
    """Compare a passage with the place where it stands but for quotes, dashes and case."""
    official = [word for start, end in match.runs for word in linear.words[start:end]]
    pieces: list[str] = []
    gone: list[str] = []
    new: list[str] = []
    pairs = zip(official, stored[match.first : match.last], strict=True)
    for equal, group in groupby(pairs, key=lambda pair: pair[0] == pair[1]):
        ours, theirs = zip(*group, strict=True)
        if equal:
            pieces.append(_context(list(ours)))
            continue
        gone += ours
        new += theirs
        pieces.append(f"[-{' '.join(ours)}-]{{+{' '.join(theirs)}+}}")
    return Comparison(
        frozenset({Difference.TYPOGRAPHIC}),
        " ".join(pieces),
        tuple(gone),
        tuple(new),
        only_order=False,
    )


def _context(words: list[str]) -> str:
    if len(words) <= 2 * _CONTEXT:
        return " ".join(words)
    return f"{' '.join(words[:_CONTEXT])} … {' '.join(words[-_CONTEXT:])}"


def _only_whole_options(linear: Linear, positions: Sequence[int]) -> bool:
    done = 0
    while done < len(positions):
        position = positions[done]
        segment = linear.seg_of[position]
        done += linear.seg_last[segment] - linear.seg_first[segment]
        if not linear.optional[segment] or position != linear.seg_first[segment]:
            return False
    return done == len(positions)


def _classify(
    linear: Linear,
    positions: Sequence[int],
    around: Sequence[int],
    gone: list[str],
    new: list[str],
) -> set[Difference]:
    if gone and new and only_typographic(gone, new):
        return {Difference.TYPOGRAPHIC}
    if new and all(_HISTORY_WORD.match(word) for word in new) and _is_year_list(new):
        channels = _channels(linear, positions) | {Channel.HISTORY}
    elif gone:
        channels = _channels(linear, positions)
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
        channels = _inside_one_segment(linear, around)
    classes = {_BY_CHANNEL.get(channel, Difference.WORDING) for channel in channels}
    if Difference.WORDING in classes:
        return {Difference.WORDING} | wording_classes(gone, new)
    return classes


def _channels(linear: Linear, positions: Sequence[int]) -> set[Channel]:
    return {linear.channel[linear.seg_of[position]] for position in positions}


def _inside_one_segment(linear: Linear, around: Sequence[int]) -> set[Channel]:
    """An insertion is of a heading's class only when it stands inside that heading.

    ``around``: the official words on both sides of it.
    """
    segments = {linear.seg_of[position] for position in around}
    if len(around) == 2 and len(segments) == 1:
        return {linear.channel[segments.pop()]}
    return {Channel.BODY}


def _is_year_list(words: list[str]) -> bool:
    return any(_YEAR.search(word) for word in words)
