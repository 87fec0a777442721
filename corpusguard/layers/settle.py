"""What can be said of a passage's place only when all others have one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpusguard.layers.cuts import find_cuts
from corpusguard.layers.locate import Locator, Place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corpusguard.layers.linear import Linear
    from corpusguard.layers.locate import Locate, Located
    from corpusguard.layers.matching import Match


def prove_cut_numbers(locate: Locate, located: Sequence[Located]) -> None:
    """Place passages whose edge cuts a number that another passage holds whole."""
    waiting = []
    held = bytearray(len(locate.linear.words))
    for one in located:
        matches = [one.match] if one.law_is_equal and one.match else []
        if _may_cut_a_number(one):
            inside = locate.inside_of(one)
            cuts = [cut for cut in find_cuts(locate.index, one.words) if inside(cut.match)]
            waiting.append((one, cuts))
            matches += [cut.match for cut in cuts]
        for match in matches:
            for start, end in match.runs:
                held[start:end] = b"\x01" * (end - start)
    for one, cuts in waiting:
        proven = [cut for cut in cuts if all(held[word] for word in cut.numbers)]
        if proven:
            one.match = locate.choose(one, [cut.match for cut in proven])
            one.place, one.pieces, one.prefix = Place.EXACT, (), 0
            one.cut_words = proven[0].fragments


def _may_cut_a_number(located: Located) -> bool:
    """Whether it has no place of its own and begins or ends with a digit."""
    # "6)" of "(16)" looks like a label made of numbers.
    lost = located.place in (Place.PIECES, Place.NOWHERE) or located.prefix == 1
    if not lost or located.locator not in (Locator.FOUND, Locator.UNMAPPED):
        return False
    edges = (*located.words[:1], *located.words[-1:])
    return any(char.isdigit() for word in edges for char in word)


def settle_repeats(locate: Locate, located: Sequence[Located]) -> None:
    """Move rows off places that other rows hold to repeats of their words that nobody holds.

    Rows come in any order and size: a longer row may hold, later, what a short one took first.
    """
    linear = locate.linear
    held = [0] * len(linear.words)
    placed = [(one, one.match) for one in located if one.law_is_equal and one.match is not None]
    if not any(one.places for one, _ in placed):
        return
    for _, match in placed:
        for word in _law(linear, match):
            held[word] += 1
    for one, here in placed:
        if not one.places or any(held[word] < 2 for word in _law(linear, here)):
            continue
        claimed = locate.in_subsection(here, one)
        for place in one.places:
            fits = locate.in_subsection(place, one) >= claimed
            if fits and not all(held[word] for word in _law(linear, place)):
                for word in _law(linear, here):
                    held[word] -= 1
                for word in _law(linear, place):
                    held[word] += 1
                one.match = place
                break


def _law(linear: Linear, match: Match) -> list[int]:
    return [
        word
        for start, end in match.runs
        if not linear.optional[linear.seg_of[start]]
        for word in range(start, end)
    ]
