"""Exact matching: whole options may be left out, a word of law never."""

from __future__ import annotations

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from corpusguard.layers.linear import from_reading
from corpusguard.layers.matching import Index, walk
from corpusguard.model import Channel
from tests.unit.layers.small_law import BRIDGES, LATER, B, H, M, N, reading

WORDS = st.sampled_from(
    "the toll keeper shall open bridge within 30 minutes of a (1) 2. lamp".split()
)
ROWS = st.lists(
    st.tuples(
        st.sampled_from(["1", "2", "3"]),
        st.just(""),
        st.sampled_from([B, B, B, M, H, N]),
        st.just(BRIDGES[0][3]) | st.just(LATER),
        st.lists(WORDS, min_size=1, max_size=6).map(" ".join),
    ),
    min_size=1,
    max_size=12,
)


def cut(linear, keep):
    """The words of all segments but the optional ones that ``keep`` says no to."""
    kept = []
    for segment, first in enumerate(linear.seg_first):
        if linear.optional[segment] and not keep[segment % len(keep)]:
            continue
        kept += linear.words[first : linear.seg_last[segment]]
    return kept


@settings(max_examples=300)
@given(rows=ROWS, keep=st.lists(st.booleans(), min_size=1, max_size=12), data=st.data())
def test_whole_options_may_be_left_out(rows, keep, data):
    """Any cut that leaves out whole optional segments, from any word to any word, stands."""
    linear = from_reading(reading(rows))
    words = cut(linear, keep)
    assume(words)
    start = data.draw(st.integers(0, len(words) - 1))
    stop = data.draw(st.integers(start + 1, len(words)))
    found = Index(linear).matches(words[start:stop])

    assert found
    for match in found:
        assert [w for a, b in match.runs for w in linear.words[a:b]] == words[start:stop]


@settings(max_examples=300)
@given(rows=ROWS, data=st.data())
def test_match_leaves_out_nothing_but_whole_options(rows, data):
    """Between the runs of a match lie whole optional segments only: never a word of law."""
    linear = from_reading(reading(rows))
    start = data.draw(st.integers(0, len(linear.words) - 1))
    words = data.draw(st.permutations(linear.words[start : start + 5]))
    for match in Index(linear).matches(words):
        for (_, end), (begin, _) in zip(match.runs, match.runs[1:], strict=False):
            left_out = {linear.seg_of[position] for position in range(end, begin)}
            assert all(linear.optional[segment] for segment in left_out)
            assert begin - end == sum(
                linear.seg_last[segment] - linear.seg_first[segment] for segment in left_out
            )


@settings(max_examples=300)
@given(keep=st.lists(st.booleans(), min_size=1, max_size=12), data=st.data())
def test_law_with_a_word_lost_or_changed_stands_nowhere(keep, data):
    """The small law repeats no phrase: without one of its inner words of law nothing matches."""
    linear = from_reading(reading())
    words = cut(linear, keep)
    law = {
        position
        for position in range(1, len(words) - 1)
        # Words of law in force, told by a place of their own.
        if Index(linear).places(words, position)
        and not any(
            linear.optional[linear.seg_of[place]]
            for place, word in enumerate(linear.words)
            if word == words[position]
        )
    }
    spot = data.draw(st.sampled_from(sorted(law)))
    lost = words[:spot] + words[spot + 1 :]
    changed = [*words[:spot], words[spot] + "x", *words[spot + 1 :]]

    assert Index(linear).matches(words)
    assert not Index(linear).matches(lost)
    assert not Index(linear).matches(changed)


@settings(max_examples=200)
@given(rows=ROWS, data=st.data())
def test_index_finds_what_walking_from_every_word_finds(rows, data):
    """The index only saves work: it hides no place at which a passage stands."""
    linear = from_reading(reading(rows))
    start = data.draw(st.integers(0, len(linear.words) - 1))
    words = linear.words[start : start + data.draw(st.integers(1, 8))]
    ends = {
        result.runs[-1][1]
        for at in range(len(linear.words))
        if (result := walk(linear, words, at)).reached == len(words)
    }

    assert {match.end for match in Index(linear).matches(words)} == ends


def test_nearest_way_to_one_end_is_the_place():
    """A number that also stands far before, with nothing but options between, is not the place."""
    rows = (
        ("", "", Channel.CONTENTS, BRIDGES[0][3], "1 Bridges"),
        ("", "", Channel.CONTENTS, BRIDGES[0][3], "1"),
        *BRIDGES,
    )
    linear = from_reading(reading(rows))
    (match,) = Index(linear).matches("1 (1) The toll keeper shall".split())

    assert linear.section[linear.seg_of[match.begin]] == "1"


def test_many_options_in_a_row_may_be_left_out():
    """A window may run over a long Part that is not in force."""
    future = [("1", "", B, LATER, f"Future words number {n} are here.") for n in range(400)]
    rows = (*BRIDGES[:4], *future, BRIDGES[7])
    words = "request. At night the “lamp”".split()

    assert Index(from_reading(reading(rows))).matches(words)


def test_piece_begins_in_scope_only():
    """A scope keeps a common phrase of other sections out."""
    linear = from_reading(reading())
    index = Index(linear)
    scope = {s for s, section in enumerate(linear.section) if section == "4"}
    words = "on a market day. On the north pier".split()

    assert [m.last for m in index.partial(words, 0, scope)] == [4]
    assert not list(index.partial(words, 0, {0}))
