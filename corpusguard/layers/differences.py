"""Word differences inside one stretch of official text, and their classes."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby
from typing import TYPE_CHECKING, Final

from corpusguard.layers.draft import counted
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
_MOST_IN_A_TITLE: Final = 3
"""More words than this, put inside a heading or a note, are not a slip in its wording."""
_MOST_OF_A_TITLE: Final = 12
"""More words than this, in the place of a heading that was left out, are no heading."""
_PHRASE: Final = 3
"""From so many words on a phrase of the law is no coincidence."""
_TITLES: Final = frozenset({Channel.HEADING, Channel.HEADNOTE, Channel.NOTE})

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
_CITES: Final = re.compile(r"^\(?(?:cc?|ss?|Scheds?|Regs?)[.,]")
"""Without such a word a list of numbers is no citation: it may be a date of the law."""
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

    Whole optional segments that the stored text leaves out are not differences. Where the stored
    text has words of its own, such segments are taken out before: a diff would pair their words
    with these, and take law that was put there for another heading.
    """
    whole = _compare(linear, range(first, last), (first, last), stored)
    if not whole.new or whole.classes == {Difference.TYPOGRAPHIC}:
        return whole
    return _compare(linear, _held(linear, first, last, stored), (first, last), stored)


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


def _compare(
    linear: Linear, positions: Sequence[int], bounds: tuple[int, int], stored: list[str]
) -> Comparison:
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
        note = marked(counted(len(middle)), counted(len(other)))
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
        here = head + a1
        around = (
            positions[here - 1] if here else bounds[0] - 1,
            positions[here] if here < len(positions) else bounds[1],
        )
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
        # A number that became another one may stand elsewhere in the section: that is no order.
        only_order=bool(all_new)
        and classes != {Difference.NUMBERING}
        and _only_order(linear, inner, other),
    )


def is_reordered(linear: Linear, first: int, last: int, stored: list[str]) -> bool:
    """Whether stored words are those of a stretch, all its law among them, in whatever order."""
    return first < last and _only_order(linear, range(first, last), stored)


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
    around: tuple[int, int],
    gone: list[str],
    new: list[str],
) -> set[Difference]:
    if gone and new and only_typographic(gone, new):
        return {Difference.TYPOGRAPHIC}
    if gone:
        channels = _channels(linear, positions)
        # A heading may be replaced by another heading, not by a paragraph of other words; and
        # what replaces a citation must itself be one.
        if Channel.HISTORY in channels and new and not _is_citation(new):
            channels.add(Channel.BODY)
        if new and channels <= _TITLES and not _may_be_title(linear, positions, new):
            channels.add(Channel.BODY)
        if channels == {Channel.MARKER} and not all(_MARKER.match(word) for word in new):
            channels.add(Channel.BODY)
    elif all(_MARKER.match(word) for word in new):
        channels = {Channel.MARKER}
    else:
        channels = _insertion(linear, around, new)
    classes = {_BY_CHANNEL.get(channel, Difference.WORDING) for channel in channels}
    if Difference.WORDING in classes:
        return {Difference.WORDING} | wording_classes(gone, new)
    return classes


def _may_be_title(linear: Linear, positions: Sequence[int], new: list[str]) -> bool:
    """Whether words in the place of a title may be a title: law that slipped in there is not."""
    if len(new) > 2 * len(positions) + 3 or any(_MARKER.match(word) for word in new):
        return False
    return _looks_like_title(linear, new) if _only_whole_options(linear, positions) else True


def _looks_like_title(linear: Linear, words: list[str]) -> bool:
    """In doubt words are law: a heading has no verb of duty, number or end of a sentence.

    Nor is it a phrase that stands in the law, unless a very short one.
    """
    if not words[0][:1].isupper() or words[-1].endswith((".", ";", ",", ":")):
        return False
    commands = wording_classes([], words) & {Difference.MODAL, Difference.NEGATION}
    if commands or any(_MARKER.match(word) for word in words):
        return False
    return len(words) < _PHRASE or not _stands_in_law(linear, words)


def _stands_in_law(linear: Linear, words: list[str]) -> bool:
    phrase = f" {' '.join(words)} "
    return any(
        phrase in f" {linear.text(first, last)} "
        for segment, (first, last) in enumerate(zip(linear.seg_first, linear.seg_last, strict=True))
        if linear.is_law(segment) and last - first >= len(words)
    )


def _channels(linear: Linear, positions: Sequence[int]) -> set[Channel]:
    return {linear.channel[linear.seg_of[position]] for position in positions}


def _insertion(linear: Linear, around: tuple[int, int], new: list[str]) -> set[Channel]:
    """What inserted words are, from the official words on both sides of them.

    A few words inside a heading or a note belong to it. Between two segments words are a citation
    when they look like one, and a heading when a heading was left out there and they look like
    one. All else is law.
    """
    before, after = around
    inside = before >= 0 and after < len(linear.words)
    if inside and linear.seg_of[before] == linear.seg_of[after]:
        channel = linear.channel[linear.seg_of[before]]
        fits = _is_citation(new) if channel is Channel.HISTORY else len(new) <= _MOST_IN_A_TITLE
        return {channel} if fits else {Channel.BODY}
    if _is_citation(new) and any(_CITES.match(word) for word in new):
        return {Channel.HISTORY}
    between = _channels(linear, range(before + 1, after))
    if between & _TITLES and len(new) <= _MOST_OF_A_TITLE and _looks_like_title(linear, new):
        return {Channel.HEADING}
    return {Channel.BODY}


def _is_citation(words: list[str]) -> bool:
    """Whether words are those of amendment citations, a year or a regulation's number among them.

    What else may be made of such words is a number; it must stand where a citation may stand.
    """
    return all(_HISTORY_WORD.match(word) for word in words) and any(
        _YEAR.search(word) for word in words
    )


def word_diff(before: list[str], after: list[str]) -> str:
    """Both texts in one line, marked: ``kept [-gone-]{+new+} kept``; too long: only counts."""
    if max(len(before), len(after)) > _MOST_WORDS:
        return marked(counted(len(before)), counted(len(after)))
    pieces = []
    for tag, a1, a2, b1, b2 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        gone, new = " ".join(before[a1:a2]), " ".join(after[b1:b2])
        pieces.append(gone if tag == "equal" else marked(gone, new))
    return " ".join(pieces)


def marked(gone: str, new: str) -> str:
    """The marks of what is gone and what is new."""
    return (f"[-{gone}-]" if gone else "") + (f"{{+{new}+}}" if new else "")
