from __future__ import annotations

import pytest

from corpusguard.first_reader._citations import tail_start
from corpusguard.first_reader._identity import local_day, printed_date
from corpusguard.first_reader._numbers import (
    bare,
    covers,
    item_marker,
    plain_label,
    section_label,
)


@pytest.mark.parametrize(
    ("label", "certain", "unknown"),
    [
        ("12., 13.", ("12", "13"), None),
        ("22.1-25.", ("22.1", "23", "24", "25"), ("22.1", "25")),
        ("(11), (12)", ("11", "12"), None),
        ("(2)-(5)", ("2", "3", "4", "5"), None),
        ("5.1-5.3", ("5.1", "5.3"), ("5.1", "5.3")),
        ("45.3-47", ("45.3", "46", "47"), ("45.3", "47")),
        ("3-4.2", ("3", "4", "4.2"), ("3", "4.2")),
        ("(a)-(d)", ("a", "b", "c", "d"), None),
        ("36.1", (), None),
    ],
)
def test_trap_1_and_2_ranges_say_what_they_cover(label, certain, unknown):
    """Whole numbers are enumerated; what lies between decimals is said to be unknown."""
    assert covers(label) == (certain, unknown, "")


def test_a_long_range_covers_every_number():
    """101-142 stands for 42 sections."""
    certain, unknown, _ = covers("101-142")

    assert certain == tuple(str(n) for n in range(101, 143))
    assert unknown is None


@pytest.mark.parametrize("label", ["648.57-648.5", "9-3", "1-900000", "(d)-(a)"])
def test_a_range_that_cannot_be_is_a_complaint(label):
    """A descending or absurd range keeps its ends only, loudly."""
    certain, unknown, complaint = covers(label)

    assert len(certain) == 2
    assert unknown is not None
    assert "range" in complaint


@pytest.mark.parametrize(
    ("text", "bold", "label"),
    [
        ("5 (1) A lamp", [(0, 1)], "5"),
        ("247-260 Omitted", [(0, 3), (3, 7)], "247-260"),
        ("4. In this", [(0, 2)], "4."),
        ("5, 6 and 7 are lit", [(0, 1)], "5"),
        ("30 days later", [], None),
        ("10If", [(0, 2)], None),
        ("3.1.5.5A Oil", [(0, 8)], "3.1.5.5A"),
    ],
)
def test_trap_9_only_bold_numbers_open_a_section(text, bold, label):
    """The number is read as printed, and a sentence that begins with a number opens nothing."""
    assert section_label(text, bold) == label


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("6. A lamp", "6."),
        ("6.1. A lamp", "6.1."),
        ("6 (1) A lamp", "6"),
        ("12., 13. Revoked", "12., 13."),
        ("101-142 Omitted", "101-142"),
        ("6.A lamp", "6"),
        ("2.5 litres", "2.5"),
        ("5, 6 and 7. A lamp", "5, 6"),
        ("A lamp", None),
    ],
)
def test_a_plain_number_is_read_as_far_as_signs_join_it(text, label):
    """Only a period that closes the number is its own; "and" joins words of a sentence."""
    assert plain_label(text) == label


@pytest.mark.parametrize(
    ("text", "depth", "previous", "kind"),
    [
        ("(i) a lamp", 4, "h", "clause"),
        ("(i) a lamp", 4, "h.1", "clause"),
        ("(i) a lamp", 4, "a", "subclause"),
        ("(i) a lamp", 5, "h", "subclause"),
        ("(v) a lamp", 4, "u", "clause"),
        ("(c) a lamp", 5, "", "clause"),
        ("(ii) a lamp", 4, "hh", "clause"),
        ("(A) a lamp", 6, "", "subsubclause"),
        ("i. a lamp", 5, "", "subparagraph"),
        ("A. a lamp", 6, "", "subsubparagraph"),
        ("45.1 a lamp", 4, "", "paragraph"),
        ("(ll) a lamp", 4, "kk", "clause"),
        ("(ll) a lamp", 4, "", "clause"),
        ("a) a lamp", 4, "", "clause"),
    ],
)
def test_the_kind_follows_the_marker_then_the_class_then_the_sequence(text, depth, previous, kind):
    """``(i)`` is the letter i after ``(h)`` only."""
    marker = item_marker(text, 0, depth=depth, previous=lambda: previous)

    assert marker is not None
    assert marker.kind == kind


@pytest.mark.parametrize(
    "text",
    [
        *("a lamp", "A lamp", "i.e. a lamp", "e.g. oil", "10 lamps", "(the lamp)"),
        *("(the) lamp", "(ill) oil", "(all) oil", "(iiii) oil", "(THE) lamp"),
    ],
)
def test_words_are_not_markers(text):
    """A sentence is not cut after its first letter."""
    assert item_marker(text, 0, depth=4, previous=lambda: "") is None


def test_without_a_class_only_brackets_make_a_marker():
    """ "a)" closes a bracket, "1." may begin a sentence; "(a)" is a number anywhere."""

    def marker(text):
        return item_marker(text, 0, depth=0, previous=lambda: "", dotted=False)

    assert marker("a) a lamp") is marker("1. a lamp") is marker("A. Lamp") is None
    assert marker("(a) a lamp") is not None


def test_a_bare_number_keeps_inner_periods():
    """Only brackets and closing periods go."""
    assert [bare(x) for x in ("4.0.1", "12., 13.", "(5.1)", "(11), (12)")] == [
        "4.0.1",
        "12, 13",
        "5.1",
        "11, 12",
    ]


@pytest.mark.parametrize(
    "history",
    [
        "2031, c. 7, s. 35 (1).",
        "2031, c. 7, Sched, 11, s 6.",
        "R.S.O. 1990, c. L.8, s. 224 (7); 1993, c. 10, s. 1.",
        "O. Reg. 180/31, s. 3 (2).",
        "R.R.O. 1990, Reg. 668, s. 6 (1).",
        "2031, c. 7, s. 6 (1); 2033, c. 11, Sched. 6, s. 1 (1), 2; 2034, c. 4, s. 1, 2 (1-3).",
        "2031, chap. 7, par. 35 (1).",
        "Règl. de l’Ont. 180/31, art. 5.",
    ],
)
def test_trap_12_and_20_the_trailing_citation_begins_after_the_law(history):
    """All of it is history, odd case and stray commas included."""
    law = "A lamp is lit under the Wick Act, 1997, c. 24."

    assert tail_start(f"{law} {history}") == len(law) + 1


@pytest.mark.parametrize(
    "law",
    [
        "A lamp is lit under section 3 of the Wick Act, 1997, c. 24, s. 3.",
        "A lamp is lit. See R.S.O. 1990, c. L.8, s. 4 for wicks.",
        "The Lamp Act. R.S.O. 1990, c. L.8.",
        "2031, c. 7, s. 5.",
        "Oil under O. Reg. 3/31, s. 4 is clear.",
    ],
)
def test_trap_12_in_doubt_it_is_law(law):
    """A cross-reference, a citation alone, or one that names no place in its Act, stays body."""
    assert tail_start(law) == len(law)


def test_dates_are_the_publishers_local_day():
    """Toronto midnight in UTC, summer and winter; printed dates in both languages."""
    assert local_day("2031-07-01T04:00:00.000Z") == "2031-07-01"
    assert local_day("2031-12-04T05:00:00.000Z") == "2031-12-04"
    assert local_day("soon") == local_day(None) == ""
    assert printed_date("Consolidation Period: From December 4, 2031 to the") == "2031-12-04"
    assert printed_date("Période : du 4 décembre 2031 à la date") == "2031-12-04"
    assert printed_date("From Smarch 41, 2031") == ""
