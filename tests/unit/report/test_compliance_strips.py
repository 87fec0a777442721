"""Coverage by section, and where its marks stand."""

from __future__ import annotations

import pytest

from corpusguard import first_reader
from corpusguard.model import PassageState, Rendition, Severity, Verdict
from corpusguard.report.compliance.drawing import STRIP_WIDTH, strip_of, trend_of
from corpusguard.report.compliance.facts import PastRun
from corpusguard.report.compliance.strips import Cover, SectionCover, law_words, strays, strip
from tests.replica.law import Law, section
from tests.unit.report.results import finding


@pytest.fixture(scope="module")
def reading():
    """Three sections of five words each, and one of which a stub is left."""
    texts = [*(section(str(n), f"Keepers shall light lamp {n}.") for n in (1, 2, 3))]
    repealed = (("section", "<b>4 </b>Repealed: 2026, c. 1, s. 1."),)
    law = Law(
        "statute", "26a01", "Lamps Act, 2026", "S.O. 2026, c. 1", (*sum(texts, ()), *repealed)
    )
    return first_reader.read(law.content().encode(), Rendition.CONTENT)


def state(reading, text, *, verified=True):
    """What a run says of a passage that holds ``text``."""
    start = reading.text.index(text)
    spans = ((start, start + len(text)),)
    return PassageState(0, "p", "sha256:0", verified=verified, section="", spans=spans)


def covers(*arguments):
    return {one.section: (one.cover, one.verified, one.words) for one in strip(*arguments)}


def test_words_of_verified_passages_are_counted(reading):
    """Whole, in part, not at all, and a stub that has no words of law."""
    states = [state(reading, "Keepers shall light lamp 1."), state(reading, "lamp 2.")]
    assert covers(reading, states, ()) == {
        "1": (Cover.WHOLE, 5, 5),
        "2": (Cover.PART, 2, 5),
        "3": (Cover.NONE, 0, 5),
        "4": (Cover.REPEALED, 0, 0),
    }
    assert law_words(reading) == 15


def test_a_passage_that_did_not_verify_covers_nothing(reading):
    """Wherever its words lie."""
    found = covers(reading, [state(reading, "Keepers shall light lamp 1.", verified=False)], ())
    assert found["1"] == (Cover.NONE, 0, 5)


def test_half_a_word_is_not_a_word(reading):
    """A span that ends inside a word does not cover it."""
    assert covers(reading, [state(reading, "Keepers shall lig")], ())["1"] == (Cover.PART, 2, 5)


def test_an_error_keeps_a_section_from_being_whole(reading):
    """Also one that all its words survive; a warning does not."""
    whole = [state(reading, "Keepers shall light lamp 1.")]
    assert covers(reading, whole, (finding(section="1"),))["1"][0] is Cover.PART
    mild = (finding(section="1", severity=Severity.WARNING),)
    assert covers(reading, whole, mild)["1"][0] is Cover.WHOLE


def test_labels_that_the_law_does_not_have(reading):
    """Each once, in the order in which they are found; no label is no label."""
    findings = [finding(section=name) for name in ("9", "1", "7.1", "9", "")]
    assert strays(strip(reading, (), ()), findings) == ("9", "7.1")


def test_shapes_say_what_colours_say():
    """Full, filled from below, with a gap, low: no two kinds look alike in grey."""
    sections = [
        SectionCover("1", Cover.WHOLE, 100, 100, 0, 0),
        SectionCover("2", Cover.PART, 100, 1, 0, 0),
        SectionCover("3", Cover.NONE, 100, 0, 1, 0),
        SectionCover("4", Cover.NOT_IN_FORCE, 0, 0, 0, 0),
    ]
    drawn = strip_of(sections)
    shapes = [
        [(bar.y, bar.height) for bar in drawn.bars if bar.kind in kinds]
        for kinds in (("whole",), ("part", "rest"), ("none",), ("off",))
    ]
    assert [len(one) for one in shapes] == [1, 2, 2, 1]
    assert shapes[0] == [(0, drawn.height)]
    assert shapes[1][1][1] >= drawn.height // 6  # one word of a hundred can be seen
    assert shapes[2][0][1] + shapes[2][1][1] < drawn.height
    assert all(bar.width > 0 and 0 <= bar.x < STRIP_WIDTH for bar in drawn.bars)
    assert strip_of(()).bars == ()


def test_a_trend_has_gaps_where_nothing_was_measured():
    """A run that was stopped breaks the line, and its column is missing."""
    runs = [
        PastRun(1, "", Verdict.VIOLATED, 10, 0, 100, 50, 4, 2),
        PastRun(2, "", Verdict.VIOLATED, 5, 0, 100, 75, 4, 3),
        PastRun(3, "", None, 0, 0, 0, 0, 0, 0),
        PastRun(4, "", Verdict.VERIFIED, 0, 0, 100, 100, 4, 4),
    ]
    drawn = trend_of(runs)
    assert [len(line) for line in drawn.lines] == [2]
    assert drawn.points[2].y == -1
    assert drawn.points[0].y > drawn.points[1].y > drawn.points[3].y == drawn.top
    assert [point.bar_height for point in drawn.points] == [150, 75, 0, 0]
    assert trend_of(()).points == ()


def test_what_has_no_words_of_law_says_why():
    """A stub is omitted or repealed, a schedule of sections a container: none is "not in force"."""
    law = Law(
        "statute",
        "26a01",
        "Lamps Act, 2026",
        "S.O. 2026, c. 1",
        (
            *section("1", "Keepers shall light lamp 1."),
            ("section", "<b>2 </b>Omitted (amends other legislation)."),
            ("section", "<b>3 </b>Repealed: 2026, c. 1, s. 1."),
            ("schedule", "<b>Schedule 1</b>"),
            *section("1", "Keepers shall count lamps."),
        ),
    )
    reading = first_reader.read(law.content().encode(), Rendition.CONTENT)
    found = {one.section: one.cover for one in strip(reading, (), ())}
    assert found == {
        "1": Cover.NONE,
        "2": Cover.OMITTED,
        "3": Cover.REPEALED,
        "Sched. 1": Cover.CONTAINER,
        "Sched. 1, 1": Cover.NONE,
    }
