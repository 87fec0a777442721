"""The promise of a nightly schedule, over three years and any pattern of asking."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpusguard.schedule import CatchUp, Schedule, due

START = datetime(2026, 1, 1, 12, tzinfo=UTC)
YEARS = 3 * 365
ZONES = [
    "America/Toronto",
    "America/St_Johns",
    "Europe/London",
    "Australia/Lord_Howe",
    "Asia/Kolkata",
]
MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)


def days(zone):
    """Every local day on which a run may be expected: the first and the last are cut."""
    first = START.astimezone(zone).date() + DAY
    return {first + DAY * number for number in range(YEARS - 2)}


def served(one, moments):
    """Local day -> runs, when someone asks at these moments and runs what is due."""
    last, runs = START, Counter()
    for now in moments:
        found = due(one, last, now)
        if found:
            runs[found.slot.astimezone(one.zone).date()] += 1
            last = now
    return runs


@pytest.mark.parametrize("zone", ["America/Toronto", "Australia/Lord_Howe"])
def test_polled_every_minute_each_day_has_exactly_one_run(zone):
    """02:30 by the clock on the wall, three years, each minute near a run or a clock change."""
    one = Schedule("nightly", "30 2 * * *", ZoneInfo(zone), jitter=10 * MINUTE)

    def minutes():
        # The hour of the run each minute, and more around the days on which clocks change.
        now = START
        while now < START + YEARS * DAY:
            yield now
            near = 2 <= now.astimezone(one.zone).hour < 3 or abs(now.day - 4) < 5
            now += MINUTE if near and 1 <= now.astimezone(one.zone).hour < 4 else 20 * MINUTE

    runs = served(one, minutes())

    assert {day: runs[day] for day in days(one.zone)} == dict.fromkeys(days(one.zone), 1)


@settings(max_examples=5)
@given(
    zone=st.sampled_from(ZONES),
    hour=st.integers(0, 23),
    minute=st.integers(0, 59),
    jitter=st.integers(0, 120),
    catch_up=st.sampled_from(CatchUp),
    steps=st.lists(st.integers(1, 59 * 60), min_size=1, max_size=40),
)
def test_polled_irregularly_each_day_has_exactly_one_run(
    zone, hour, minute, jitter, catch_up, steps
):
    """Any time of day, any jitter, any rhythm of asking of less than an hour."""
    one = Schedule(
        "nightly",
        f"{minute} {hour} * * *",
        ZoneInfo(zone),
        jitter=jitter * MINUTE,
        catch_up=catch_up,
    )

    def moments():
        now, number = START, 0
        while now < START + YEARS * DAY:
            yield now
            # Seconds now and then, but not three years of them.
            now += timedelta(seconds=steps[number % len(steps)]) + (
                30 * MINUTE if number % 3 else 0 * MINUTE
            )
            number += 1

    runs = served(one, moments())
    if catch_up is CatchUp.ONCE:
        assert {day: runs[day] for day in days(one.zone)} == dict.fromkeys(days(one.zone), 1)
    else:
        assert set(runs.values()) == {1}, "never twice"


@settings(max_examples=25)
@given(st.lists(st.integers(1, 40 * 60), min_size=5, max_size=60))
def test_outages_make_fewer_runs_but_never_two_for_one_night(gaps):
    """Asked once in up to forty hours: each night has one run at most, none twice."""
    one = Schedule("nightly", "30 2 * * *", ZoneInfo("America/Toronto"))
    now, moments = START, []
    for gap in gaps:
        now += gap * MINUTE
        moments.append(now)
    runs = served(one, moments)

    assert set(runs.values()) <= {1}
    for moment in moments:
        # Whoever asks within twelve hours of a night's time finds it done or does it.
        slot = datetime(*moment.astimezone(one.zone).date().timetuple()[:3], 2, 30, tzinfo=one.zone)
        if timedelta(0) <= moment - slot <= 12 * timedelta(hours=1) and slot > START:
            assert runs[date(slot.year, slot.month, slot.day)] == 1
