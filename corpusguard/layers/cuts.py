"""Windows of characters or tokens may cut their first and last word in two.

What is left of such a word is in no span and proves nothing. Whether it may be there at all:

* without a digit: when it begins, or ends, the official word that may stand there;
* with a digit: "3" for "30" would pass as cut, so a fragment of a number counts as one only where
  another row, such as the overlapping neighbour, holds the number whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from corpusguard.layers.matching import Match
from corpusguard.model import Channel

if TYPE_CHECKING:
    from collections.abc import Callable

    from corpusguard.layers.linear import Linear
    from corpusguard.layers.matching import Index

_MIN_WORDS: Final = 8
"""Shorter passages are no windows: what is left of them would stand almost anywhere."""
_STRADDLED: Final = 40
"""How many optional segments in a row may lie between a fragment and the rest."""
_NO_WORD: Final = -1


class Cut(NamedTuple):
    """A place of a passage whose edges are cut."""

    match: Match
    """Without the fragments."""
    fragments: int
    numbers: tuple[int, ...]
    """Positions of the official words that a fragment with a digit is left of."""


def find_cuts(index: Index, stored: list[str]) -> list[Cut]:
    """All places with the fewest fragments."""
    if len(stored) < _MIN_WORDS:
        return []
    linear = index.linear
    for head, tail in ((1, 0), (0, 1), (1, 1)):
        found = []
        for match in index.matches(stored[head : len(stored) - tail]):
            wholes = []
            if head:
                wholes.append((stored[0], _ends_before(linear, match.begin, stored[0])))
            if tail:
                wholes.append((stored[-1], _begins_after(linear, match.end, stored[-1])))
            if any(whole == _NO_WORD for _, whole in wholes):
                continue
            numbers = tuple(
                whole for fragment, whole in wholes if _is_part_of_number(linear, whole, fragment)
            )
            inner = Match(match.runs, head, len(stored) - tail)
            found.append(Cut(inner, head + tail, numbers))
        if found:
            return found
    return []


def _ends_before(linear: Linear, position: int, fragment: str) -> int:
    """The word before a position, optional segments left out, that a fragment is the end of."""
    segment = linear.seg_of[position]
    if position > linear.seg_first[segment]:
        return _whole(linear, [position - 1], fragment, str.endswith)
    words = []
    for before in range(segment - 1, max(segment - _STRADDLED, -1), -1):
        words.append(linear.seg_last[before] - 1)
        if not linear.optional[before]:
            break
    return _whole(linear, words, fragment, str.endswith)


def _begins_after(linear: Linear, position: int, fragment: str) -> int:
    """The word at a position, optional segments left out, that a fragment begins."""
    segment = linear.seg_of[position - 1]
    if position < linear.seg_last[segment]:
        return _whole(linear, [position], fragment, str.startswith)
    words = []
    for after in range(segment + 1, min(segment + _STRADDLED, len(linear.seg_first))):
        words.append(linear.seg_first[after])
        if not linear.optional[after]:
            break
    return _whole(linear, words, fragment, str.startswith)


def _whole(
    linear: Linear, words: list[int], fragment: str, part_of: Callable[[str, str], bool]
) -> int:
    return next((word for word in words if part_of(linear.words[word], fragment)), _NO_WORD)


def _is_part_of_number(linear: Linear, word: int, fragment: str) -> bool:
    # Digits of what is not law (a year in a history note) change nothing in the law.
    law = linear.channel[linear.seg_of[word]] in (Channel.BODY, Channel.MARKER)
    return law and any(char.isdigit() for char in fragment)
