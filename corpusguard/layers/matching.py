"""Exact matching of stored words against linear text.

``Index.matches`` finds every place where a passage's words stand in the official text in order,
leaving out only whole optional segments. The walk is a small automaton: at the start of an optional
segment it may be taken or left out; states already seen are not tried again, so the cost is bounded
by (segments x words of the passage).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corpusguard.layers.linear import Linear

_SUCCESSORS = 40
"""How many optional segments in a row a passage's first two words may straddle."""
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
    """Finds where words stand in linear text, by pairs of successive words."""

    def __init__(self, linear: Linear) -> None:
        """Index every pair, also across segments that may be left out."""
        self.linear = linear
        pairs: dict[tuple[str, str], list[int]] = {}
        words, optional = linear.words, linear.optional
        seg_first, seg_last = linear.seg_first, linear.seg_last
        for position, pair in enumerate(pairwise(words)):
            known = pairs.get(pair)
            if known is None:
                pairs[pair] = [position]
            else:
                known.append(position)
        segments = len(seg_first)
        for segment in range(segments):
            # The next segment may be left out, and the one after it: each word that can follow.
            following = segment + 1
            if following >= segments or not optional[following]:
                continue
            position = seg_last[segment] - 1
            word = words[position]
            for after in range(following + 1, min(following + _SUCCESSORS, segments)):
                pairs.setdefault((word, words[seg_first[after]]), []).append(position)
                if not optional[after]:
                    break
        self._pairs = pairs
        self._singles: dict[str, list[int]] | None = None

    def places(self, passage: list[str], first: int = 0) -> list[int]:
        """Word positions at which ``passage[first:]`` may begin, in document order."""
        if first + 1 < len(passage):
            found = self._pairs.get((passage[first], passage[first + 1]), [])
            return sorted(set(found))
        if self._singles is None:
            self._singles = {}
            for position, word in enumerate(self.linear.words):
                self._singles.setdefault(word, []).append(position)
        return self._singles.get(passage[first], [])

    def matches(self, passage: list[str], first: int = 0) -> list[Match]:
        """Every place where all of ``passage[first:]`` stands, in document order."""
        found = []
        length = len(passage)
        for position in self.places(passage, first):
            result = walk(self.linear, passage, position, first)
            if result.reached == length - first:
                found.append(Match(result.runs, first, length))
                if len(found) == _MOST_MATCHES:
                    break
        return found

    def partial(self, passage: list[str], first: int) -> Iterator[Match]:
        """The longest piece of ``passage`` from word ``first`` on, at each place it may begin."""
        for position in self.places(passage, first):
            result = walk(self.linear, passage, position, first)
            if result.runs:
                yield Match(result.runs, first, first + result.reached)
