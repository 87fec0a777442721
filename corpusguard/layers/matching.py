"""Exact matching of stored words against linear text.

``Index.matches`` finds every place where a passage's words stand in the official text in order,
leaving out only whole optional segments. The walk is a small automaton: at the start of an optional
segment it may be taken or left out; states already seen are not tried again, so the cost is bounded
by (segments x words of the passage).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corpusguard.layers.linear import Linear

_SUCCESSORS = 40
"""How many optional segments in a row two successive words of a passage may straddle."""
_MOST_MATCHES = 64


class Walk(NamedTuple):
    """How far a walk came."""

    reached: int
    """Words of the passage that were matched, counted from the first word asked for."""
    runs: tuple[tuple[int, int], ...]
    """Word ranges of the linear text that were taken, each inside one segment."""


class _Trail(NamedTuple):
    """The way a walk came, last run first, so that branches share their beginnings."""

    start: int
    end: int
    before: _Trail | None


@dataclass(frozen=True, slots=True)
class Match:
    """A passage, or a piece of it, in the linear text."""

    runs: tuple[tuple[int, int], ...]
    first: int
    """First word of the passage that it explains."""
    last: int
    """One past the last."""

    @property
    def begin(self) -> int:
        """First word taken."""
        return self.runs[0][0]

    @property
    def end(self) -> int:
        """One past the last word taken."""
        return self.runs[-1][1]


def walk(linear: Linear, passage: list[str], at: int, first: int = 0) -> Walk:
    """Match ``passage[first:]`` from word ``at`` on; return the longest way found."""
    words, seg_of = linear.words, linear.seg_of
    seg_first, seg_last, optional = linear.seg_first, linear.seg_last, linear.optional
    length, total = len(passage), len(words)
    best: tuple[int, _Trail | None] = (first, None)
    stack: list[tuple[int, int, _Trail | None]] = [(at, first, None)]
    seen: set[tuple[int, int]] = set()
    while stack:
        t, j, trail = stack.pop()
        while t < total:
            segment = seg_of[t]
            end = seg_last[segment]
            count = min(end - t, length - j)
            may_skip = optional[segment] and t == seg_first[segment]
            if words[t : t + count] == passage[j : j + count]:
                if may_skip and (end, j) not in seen:
                    seen.add((end, j))
                    stack.append((end, j, trail))
                trail = _Trail(t, t + count, trail)
                t += count
                j += count
                if j == length:
                    return Walk(length - first, _unroll(trail))
                if (t, j) in seen:
                    break
                seen.add((t, j))
                continue
            common = 0
            while words[t + common] == passage[j + common]:
                common += 1
            if j + common > best[0]:
                best = (j + common, _Trail(t, t + common, trail) if common else trail)
            if not may_skip or (end, j) in seen:
                break
            seen.add((end, j))
            t = end
        if j > best[0]:
            best = (j, trail)
    return Walk(best[0] - first, _unroll(best[1]))


def _unroll(trail: _Trail | None) -> tuple[tuple[int, int], ...]:
    runs: list[tuple[int, int]] = []
    while trail is not None:
        runs.append((trail.start, trail.end))
        trail = trail.before
    runs.reverse()
    return tuple(runs)


class Index:
    """Finds where words stand in linear text, by their first words."""

    def __init__(self, linear: Linear) -> None:
        """Note where each word stands, and the words after which segments may be left out."""
        self.linear = linear
        words, optional = linear.words, linear.optional
        places: dict[str, list[int]] = {}
        for position, word in enumerate(words):
            if word in places:
                places[word].append(position)
            else:
                places[word] = [position]
        # The next segment may be left out: what follows such a word is not the next word alone.
        before_option: dict[str, list[int]] = {}
        followers: dict[int, dict[str, int]] = {}
        run: dict[str, int] = {}
        for segment, first in enumerate(linear.seg_first):
            if segment and optional[segment]:
                last = first - 1
                before_option.setdefault(words[last], []).append(last)
                run = run if optional[segment - 1] else {}
                followers[last] = run
            if segment and (optional[segment] or optional[segment - 1]):
                run[words[first]] = first
        self._places = places
        self._before_option = before_option
        self._followers = followers

    def places(self, passage: list[str], first: int = 0) -> list[int]:
        """Word positions at which ``passage[first:]`` may begin, in document order."""
        start = self._places.get(passage[first], [])
        if first + 1 >= len(passage) or not start:
            return start
        after = self._places.get(passage[first + 1])
        if not after:
            return []
        words = self.linear.words
        if len(after) < len(start):
            word = passage[first]
            found = {position - 1 for position in after if words[position - 1] == word}
            found.discard(-1)
        else:
            word, last = passage[first + 1], len(words) - 1
            found = {place for place in start if place < last and words[place + 1] == word}
        found.update(self._straddling(passage[first], passage[first + 1]))
        if first + 2 < len(passage):
            found = {place for place in found if self._goes_on(place, passage[first + 2])}
        return sorted(found)

    def _straddling(self, word: str, following: str) -> Iterator[int]:
        """Where a word stands before segments that may be left out, up to a word further on."""
        for place in self._before_option.get(word, ()):
            if self._followers[place].get(following, -1) > place + 1:
                yield place

    def _goes_on(self, place: int, third: str) -> bool:
        """Whether a third word may follow the two that stand, or begin, at a place."""
        followers, words = self._followers, self.linear.words
        if place in followers or place + 1 in followers:
            return True
        return place + 2 < len(words) and words[place + 2] == third

    def matches(self, passage: list[str], first: int = 0) -> list[Match]:
        """Every place where all of ``passage[first:]`` stands, in document order.

        Of several ways to one end the closest together is the place: a number alone may also stand
        far before it, in the contents, with nothing but options between.
        """
        found: dict[int, Match] = {}
        length = len(passage)
        for position in self.places(passage, first):
            result = walk(self.linear, passage, position, first)
            if result.reached == length - first:
                match = Match(result.runs, first, length)
                found.pop(match.end, None)
                found[match.end] = match
                if len(found) == _MOST_MATCHES:
                    break
        return list(found.values())

    def partial(
        self, passage: list[str], first: int, scope: set[int] | None = None
    ) -> Iterator[Match]:
        """The longest piece of ``passage`` from word ``first`` on, at each place it may begin.

        Pieces of fewer than three words are left out. ``scope``: segments that it may begin in.
        """
        seg_of = self.linear.seg_of
        for position in self.places(passage, first):
            if scope is not None and seg_of[position] not in scope:
                continue
            result = walk(self.linear, passage, position, first)
            if result.runs:
                yield Match(result.runs, first, first + result.reached)
