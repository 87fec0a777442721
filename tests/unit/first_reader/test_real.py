"""Real documents: counts that were established by hand, and two renditions of one Act."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path

import pytest

from corpusguard.first_reader import read
from corpusguard.model import Channel, Kind, Rendition, Status
from tests.unit.first_reader.invariants import check

DATA = Path(__file__).parents[3].parent / "shared" / "data" / "elaws"
OUTSIDE = {Channel.CONTENTS, Channel.FRONT}
pytestmark = pytest.mark.real_data


def load(name):
    path = DATA / name
    if not path.exists():
        pytest.skip(f"the official document {name} is not in ../shared/data/elaws")
    return path.read_bytes()


@pytest.fixture(scope="module")
def act():
    return read(load("statute-06r17.json"), Rendition.PAYLOAD)


@pytest.fixture(scope="module")
def word():
    return read(load("06r17_e.docx"), Rendition.DOCX)


def test_the_act_has_the_openers_that_were_counted_by_hand(act):
    """307 sections in force or stubs, 2 future ones, and the range 247-260 as one."""
    sections = [p for p in act.provisions if p.kind == Kind.SECTION]
    future = [p.number for p in sections if p.status == Status.NOT_IN_FORCE]
    (span,) = [p for p in sections if p.number == "247-260"]

    assert len(sections) - len(future) == 307
    assert future == ["36.1", "165.1"]
    assert (len(span.covers), span.status) == (14, Status.OMITTED)
    assert len({p.section for p in sections}) == 309
    check(act)


def test_every_future_paragraph_is_not_in_force(act):
    """32 notes and 65 provisions of the Act, and 2 contents rows of two cells."""
    future = [s for s in act.segments if s.status == Status.NOT_IN_FORCE]
    by_channel = Counter()
    for channel, _ in {(s.channel, s.block) for s in future}:
        by_channel[channel] += 1

    assert len({s.block for s in future}) == 101
    assert by_channel[Channel.HEADNOTE] == 32
    assert by_channel[Channel.CONTENTS] == 4
    assert [e.number for e in act.contents if not e.in_force] == ["36.1", "165.1"]
    assert len(act.contents) == 305


def test_every_headnote_is_bound_or_reported(act):
    """989 in force and 32 future; only the one above the quoted section 90 binds to nothing."""
    bound = sum(
        len(p.heading.split(" / "))
        for p in act.provisions
        if p.kind in {Kind.SECTION, Kind.SUBSECTION} and p.heading
    )
    printed = sum(s.channel == Channel.HEADNOTE for s in act.segments)

    assert printed == 989 + 32
    assert act.anomalies == ()
    assert bound == printed - 1


def test_a_quoted_section_opens_nothing(act):
    """Section 90 as replaced inside section 94.16 is flush text there."""
    quoted = [p for p in act.provisions if p.kind == Kind.FLUSH and p.text.startswith("90. ")]

    assert [p.section for p in quoted] == ["94.16"]


def test_the_word_file_and_the_payload_read_alike(act, word):
    """Same text, channel, status and provision for every word but front matter and contents."""

    def law(reading):
        return [
            (
                reading.text[s.start : s.end],
                s.channel,
                s.status,
                reading.provisions[s.provision].pid,
            )
            for s in reading.segments
            if s.channel not in OUTSIDE
        ]

    assert law(word) == law(act)
    assert word.contents == act.contents
    assert word.identity.title == act.identity.title
    assert word.identity.code == act.identity.code
    assert word.identity.consolidated_from == act.identity.consolidated_from == "2024-12-04"
    check(word)


@pytest.mark.parametrize(
    ("name", "rendition"),
    [
        ("06r17_rta.api-content.excerpt.html", Rendition.CONTENT),
        ("100034_sabs.page.excerpt.html", Rendition.CONTENT),
        ("900664_auto_insurance.page.excerpt.html", Rendition.CONTENT),
        ("900668_fault_rules.page.excerpt.html", Rendition.PAGE),
        ("90i08_insurance_act.page.excerpt.html", Rendition.CONTENT),
        ("960461_court_proceedings.page.excerpt.html", Rendition.CONTENT),
        ("reg-516-06-schedule-table.source.html", Rendition.CONTENT),
        ("regulation-210242.content.html", Rendition.CONTENT),
        ("06l21_legislation_act.api.excerpt.json", Rendition.PAYLOAD),
        ("r24163.api.fixture.json", Rendition.PAYLOAD),
    ],
)
def test_every_excerpt_reads_without_anomaly(name, rendition):
    """The traps are known markup: nothing in them is a surprise, and all invariants hold."""
    reading = read(load(name), rendition)

    assert reading.anomalies == ()
    check(reading)


def test_an_act_is_read_in_the_time_that_a_night_allows():
    """0.1 s of CPU on a quiet core; the best of ten, with room for a slower or a shared one."""
    data = load("statute-06r17.json")
    times = []
    for _ in range(10):
        start = time.process_time()
        read(data, Rendition.PAYLOAD)
        times.append(time.process_time() - start)

    assert min(times) < 0.6
