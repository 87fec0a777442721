"""``due``: clock changes, leap days, jumping clocks, jitter, and what is made up for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from corpusguard.schedule import CatchUp, Schedule, due, next_runs
from corpusguard.schedule.due import CLOCK_STEP, ON_TIME, jitter, slots

TORONTO = ZoneInfo("America/Toronto")
HOUR, MINUTE, DAY = timedelta(hours=1), timedelta(minutes=1), timedelta(days=1)


def schedule(cron="30 2 * * *", zone=TORONTO, **facts):
    return Schedule("nightly", cron, zone, **facts)


def utc(text):
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def local(moment, zone=TORONTO):
    return moment.astimezone(zone).strftime("%m-%d %H:%M %Z")


def polled(one, start, end, step=MINUTE, last=None):
    """When runs begin if someone asks at each step, and runs what is due."""
    runs, now = [], start
    while now < end:
        if due(one, last, now):
            runs.append(now)
            last = now
        now += step
    return runs


# Clock changes


def test_a_time_that_spring_skips_runs_once_as_much_later():
    """8 March 2026 in Toronto has no 02:30: the run is at 03:30, and there is one each night."""
    runs = polled(
        schedule(), utc("2026-03-06T12:00"), utc("2026-03-10T12:00"), last=utc("2026-03-06T08:00")
    )

    assert [local(run) for run in runs] == [
        "03-07 02:30 EST",
        "03-08 03:30 EDT",
        "03-09 02:30 EDT",
        "03-10 02:30 EDT",
    ]


def test_a_time_that_autumn_repeats_runs_the_first_time_only():
    """1 November 2026 in Toronto has two 01:30."""
    one = schedule("30 1 * * *")
    runs = polled(
        one, utc("2026-10-31T00:00"), utc("2026-11-03T00:00"), last=utc("2026-10-30T12:00")
    )

    assert [local(run) for run in runs] == ["10-31 01:30 EDT", "11-01 01:30 EDT", "11-02 01:30 EST"]


def test_an_hourly_schedule_goes_by_real_time():
    """No hour is named: 23 runs on the short day, 25 on the long one."""
    one = schedule("5 * * * *")

    def count(first, last):
        start = datetime.fromisoformat(first).replace(tzinfo=TORONTO).astimezone(UTC)
        end = datetime.fromisoformat(last).replace(tzinfo=TORONTO).astimezone(UTC)
        return len(list(slots(one, start, end)))

    assert count("2026-03-08T00:00", "2026-03-09T00:00") == 23
    assert count("2026-11-01T00:00", "2026-11-02T00:00") == 25
    assert count("2026-06-01T00:00", "2026-06-02T00:00") == 24


def test_two_names_for_one_moment_are_one_run():
    """02:30 is moved to 03:30 on the night in which 03:30 is named too."""
    found = list(slots(schedule("30 2,3 * * *"), utc("2026-03-08T05:00"), utc("2026-03-08T12:00")))

    assert [local(moment) for moment in found] == ["03-08 03:30 EDT"]


def test_a_gap_at_midnight_keeps_the_order_of_two_days():
    """Beirut skips 00:00 to 01:00: 23:30 of the day before comes first, each once."""
    beirut = ZoneInfo("Asia/Beirut")
    one = schedule("30 0,23 * * *", zone=beirut)
    found = list(slots(one, utc("2026-03-28T20:00"), utc("2026-03-29T21:00")))

    assert [local(moment, beirut) for moment in found] == [
        "03-28 23:30 EET",
        "03-29 01:30 EEST",
        "03-29 23:30 EEST",
    ]


def test_a_day_that_a_country_left_out_makes_no_second_run():
    """Samoa had no 30 December 2011."""
    apia = ZoneInfo("Pacific/Apia")
    found = list(slots(schedule(zone=apia), utc("2011-12-29T00:00"), utc("2012-01-02T00:00")))

    assert len(found) == len(set(found)) == 4
    assert found == sorted(found)


# The calendar


def test_a_leap_day_comes_every_four_years_and_not_in_2100():
    """29 February at midnight UTC."""
    one = schedule("0 0 29 2 *", zone=ZoneInfo("UTC"))

    assert [run.year for run in next_runs(one, utc("2026-01-01T00:00"), 3)] == [2028, 2032, 2036]
    assert [run.year for run in next_runs(one, utc("2095-01-01T00:00"), 2)] == [2096, 2104]


def test_the_last_day_of_a_leap_february_is_a_day_like_others():
    """A nightly run on 29 February 2028."""
    runs = next_runs(schedule(), utc("2028-02-28T12:00"), 2)

    assert [local(run) for run in runs] == ["02-29 02:30 EST", "03-01 02:30 EST"]


# Making up for what was missed


def test_many_missed_nights_make_one_run():
    """Off for ten days, on again at nine in the morning."""
    one, now = schedule(), utc("2026-06-11T13:00")
    last = utc("2026-06-01T06:30")

    found = due(one, last, now)

    assert found is not None
    assert local(found.slot) == "06-11 02:30 EDT"
    assert found.late == 6 * HOUR + 30 * MINUTE
    assert due(one, now, now + MINUTE) is None


def test_a_run_too_late_to_be_worth_it_is_left_out():
    """``catch_up_within = "12h"``: at 14:30 it is still made up for, a second later not."""
    one, slot = schedule(), utc("2026-06-11T06:30")

    assert due(one, None, slot + 12 * HOUR)
    assert due(one, None, slot + 12 * HOUR + timedelta(seconds=1)) is None
    assert due(one, None, slot + DAY), "the next night comes all the same"


def test_skip_runs_on_time_or_not_at_all():
    """Within the hour it is late, after that missed."""
    one, slot = schedule(catch_up=CatchUp.SKIP), utc("2026-06-11T06:30")

    assert due(one, None, slot - timedelta(seconds=1)) is None
    assert due(one, None, slot)
    assert due(one, None, slot + ON_TIME)
    assert due(one, None, slot + ON_TIME + timedelta(seconds=1)) is None


def test_a_run_begun_by_hand_the_evening_before_does_not_count_for_the_night():
    """It began before the night's time."""
    assert due(schedule(), utc("2026-06-11T06:29"), utc("2026-06-11T06:30"))


# Clocks that jump


def test_a_last_run_in_the_far_future_is_not_believed():
    """The clock stood at 2031 for a night; it must not silence five years."""
    one, now = schedule(), utc("2026-06-11T07:00")

    assert due(one, utc("2031-01-01T07:00"), now)
    assert due(one, now, now + MINUTE) is None


def test_a_clock_set_back_a_little_makes_no_second_run():
    """It ran at 02:30:01; then the clock was set back by two seconds, or by most of an hour."""
    one, slot = schedule(), utc("2026-06-11T06:30")
    ran = slot + timedelta(seconds=1)

    assert due(one, ran, slot - timedelta(seconds=1)) is None
    assert due(one, ran, slot) is None
    assert due(one, ran, ran - CLOCK_STEP + timedelta(seconds=1)) is None
    assert due(one, ran, slot + DAY)


def test_a_clock_that_jumps_forward_makes_up_once():
    """Three days at once."""
    one = schedule()
    last = utc("2026-06-11T06:30")
    now = last + 3 * DAY + HOUR

    assert due(one, last, now)
    assert due(one, now, now + HOUR) is None


# Jitter


def test_jitter_is_the_same_each_time_it_is_asked_and_differs_by_night_and_name():
    """It follows from the name and the time, so that a restart does not run twice."""
    one, other = (
        schedule(jitter=10 * MINUTE),
        Schedule("other", "30 2 * * *", TORONTO, jitter=10 * MINUTE),
    )
    nights = [utc("2026-06-01T06:30") + DAY * night for night in range(200)]
    delays = [jitter(one, night) for night in nights]

    assert delays == [jitter(one, night) for night in nights]
    assert all(timedelta(0) <= delay <= 10 * MINUTE for delay in delays)
    assert len(set(delays)) > 100
    assert delays != [jitter(other, night) for night in nights]
    assert 3 * MINUTE < sum(delays, timedelta(0)) / 200 < 7 * MINUTE


def test_a_run_begins_with_its_jitter_and_not_before():
    """And once only, also when asked between the time and the jittered one."""
    one, slot = schedule(jitter=10 * MINUTE), utc("2026-06-11T06:30")
    begins = slot + jitter(one, slot)
    assert begins > slot

    before = due(one, slot - DAY + HOUR, begins - timedelta(seconds=1))
    found = due(one, slot - DAY + HOUR, begins)

    assert before is None
    assert found is not None
    assert (found.slot, found.begins, found.late) == (slot, begins, timedelta(0))
    assert due(one, begins, begins + MINUTE) is None
    assert next_runs(one, slot, 1) == [begins]


@pytest.mark.parametrize("cron", ["30 2 * * *", "*/30 * * * *", "0 0 1 1 *"])
def test_next_runs_are_what_due_will_say(cron):
    """Each announced run is due at that second, and not one before."""
    one = schedule(cron, jitter=7 * MINUTE)
    runs = next_runs(one, utc("2026-03-07T00:00"), 5)

    assert runs == sorted(set(runs))
    assert len(runs) == 5
    for run in runs:
        found = due(one, run - timedelta(seconds=1), run)
        assert found is not None
        assert found.begins == run
