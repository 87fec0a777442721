"""Foreign text is shown, not obeyed; figures never claim more than they measured."""

from __future__ import annotations

import pytest

from corpusguard.model import Severity
from corpusguard.report.marks import Piece, sides
from corpusguard.report.summary import by_rule, fraction, percent, seconds_between, span, state_of
from corpusguard.report.text import clip, safe
from corpusguard.report.where import file_and_line
from tests.unit.report.results import HOSTILE, finding, run


def test_no_terminal_control_survives():
    """ESC, C1, bidi controls, surrogates and line breaks all become visible characters."""
    shown = safe(HOSTILE)
    assert shown.isprintable()
    assert "␛[2J" in shown
    assert "<U+202E>" in shown
    assert "<U+009B>" in shown
    assert "<U+D800>" in shown
    assert "␊::error::" in shown


@pytest.mark.parametrize(
    "invisible", ["\u00ad", "\u200b", "\u200d", "\ufeff", "\u2028", "\U000e0041", "\u061c"]
)
def test_what_nobody_sees_is_shown(invisible):
    """A soft hyphen, zero-width or tag character can be the whole difference: it is not dropped."""
    assert safe(f"a{invisible}b") == f"a<U+{ord(invisible):04X}>b"


def test_law_is_left_as_printed():
    """Typographic quotes, accents, no-break spaces and astral letters are unchanged."""
    text = "« loi » “law” c.\u00a0A.2 – m² 𝒳"
    assert safe(text) == text


def test_lines_are_kept_only_on_request():
    """A multi-line text keeps its breaks; a carriage return is never obeyed."""
    assert safe("a\r\n\tb", multiline=True) == "a␍\n b"
    assert safe("a\nb") == "a␊b"


def test_clip_counts_its_ellipsis():
    """A clipped text is never longer than asked for."""
    assert clip("abcdef", 4) == "abc…"
    assert clip("abcd", 4) == "abcd"


@pytest.mark.parametrize(
    ("part", "whole", "share", "words"),
    [
        (0, 0, None, "unmeasured"),
        (0, 10, 0.0, "0 %"),
        (10, 10, 1.0, "100 %"),
        (99_999, 100_000, 0.9999, "99.9 %"),
        (1, 100_000, 0.0001, "0.1 %"),
        (2_400, 10_000, 0.24, "24.0 %"),
        (1, 3, 0.3333, "33.3 %"),
    ],
)
def test_rounding_never_claims_all_or_nothing(part, whole, share, words):
    """One uncovered word in a hundred thousand is not full coverage."""
    assert fraction(part, whole) == share
    assert percent(part, whole) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.04, "under 1 s"),
        (2.5, "2.5 s"),
        (7, "7 s"),
        (240, "4 min"),
        (10_800, "3 h"),
        (1_036_800, "12 d"),
    ],
)
def test_durations_read_naturally(seconds, words):
    """A duration is given in the unit a person would use."""
    assert span(seconds) == words


def test_times_that_cannot_be_compared_give_none():
    """An empty time, or one without a zone beside one with, is not an age."""
    assert seconds_between("", "2026-01-01T00:00:00Z") is None
    assert seconds_between("2026-01-01T00:00:00", "2026-01-01T00:00:00Z") is None
    assert seconds_between("2026-01-01T00:00:00Z", "2026-01-01T00:00:02.500Z") == 2.5


def test_worst_rule_first_then_most_frequent():
    """Errors come before warnings, however many warnings there are."""
    warnings = [finding("CG104", severity=Severity.WARNING)] * 9
    found = [*warnings, finding("CG301"), finding("CG203"), finding("CG203")]
    assert [rule for rule, _ in by_rule(found)] == ["CG203", "CG301", "CG104"]


def test_unknown_state_is_new():
    """A finding that history has not seen is new."""
    assert state_of(run(), finding(fingerprint="other")) == "new"
    assert state_of(run(), finding()) == "open"


def test_sides_come_from_the_marked_diff():
    """Each side shows its own words, the differing ones marked."""
    official, stored = sides("", "", "lasts [-30-]{+90+} days", 100)
    assert official == (Piece("lasts "), Piece("30", differs=True), Piece(" days"))
    assert stored == (Piece("lasts "), Piece("90", differs=True), Piece(" days"))


def test_a_side_without_the_words_has_no_double_blank():
    """Where words are missing on one side, the blanks around them become one."""
    _, stored = sides("", "", "may, [-(a) direct;-] (b) close", 100)
    assert "".join(piece.text for piece in stored) == "may, (b) close"


def test_a_late_difference_stays_in_view():
    """A long shared beginning is cut, not the difference behind it."""
    official, _ = sides("", "", "word " * 500 + "[-not-] here", 300)
    assert official[0].text.startswith("…")
    assert Piece("not", differs=True) in official


def test_without_marks_both_texts_are_whole():
    """A misfiled passage has equal texts and no marks."""
    assert sides("same", "same", "", 100) == ((Piece("same"),), (Piece("same"),))
    assert sides("", "stored only", "stored only", 100) == ((), (Piece("stored only"),))


def test_a_hostile_diff_is_parsed_in_linear_time():
    """Thousands of openings without a close end at once, and the rest of a huge diff is cut."""
    official, stored = sides("o", "s", "[-{+" * 200_000, 100)
    assert (official, stored) == ((Piece("o"),), (Piece("s"),))


@pytest.mark.parametrize(
    ("where", "place"),
    [
        ("a/b.jsonl:12", ("a/b.jsonl", 12)),
        ("b.json#/chunks/12", ("b.json", None)),
        ("law.db query row 7", ("", None)),
        ("notes.md", ("notes.md", None)),
        ("c:0", ("c:0", None)),
        ("c:²", ("c:²", None)),
        ("", ("", None)),
    ],
)
def test_where_a_row_can_be_opened(where, place):
    """Only a real file and a real line are passed on to programs."""
    assert file_and_line(where) == place
