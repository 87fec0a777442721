"""Cron expressions, held against another library's reading of them."""

from __future__ import annotations

import datetime as dt

import pytest
from croniter import croniter
from hypothesis import given, settings
from hypothesis import strategies as st

from corpusguard.errors import ConfigError
from corpusguard.schedule import parse_cron


@pytest.mark.parametrize(
    ("text", "weekdays"),
    [
        ("0 0 * * 0", [0]),
        ("0 0 * * 7", [0]),
        ("0 0 * * sun", [0]),
        ("0 0 * * mon", [1]),
        ("0 0 * * 1-5", [1, 2, 3, 4, 5]),
        ("0 0 * * FRI-SUN", [0, 5, 6]),
        ("0 0 * * 5-7", [0, 5, 6]),
        ("0 0 * * 0,6", [0, 6]),
    ],
)
def test_sunday_is_0_and_7_as_in_cron(text, weekdays):
    """APScheduler reads 0 as Monday: a weekly run would come a day late."""
    cron = parse_cron(text)

    assert list(cron.weekday.values) == weekdays
    for day in range(1, 8):  # 1 June 2026 is a Monday
        assert cron.on(dt.date(2026, 6, day)) is (day % 7 in weekdays)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("0 0 13 * 5", {5, 12, 13, 19, 26}),  # both restricted: either will do
        ("0 0 13 * *", {13}),
        ("0 0 * * 5", {5, 12, 19, 26}),
        ("0 0 */2 * 5", {5, 19}),  # begins with a star: both must hold
    ],
)
def test_two_day_fields_are_joined_as_cron_joins_them(text, days):
    """Days of June 2026 on which it runs."""
    cron = parse_cron(text)

    assert {day for day in range(1, 31) if cron.on(dt.date(2026, 6, day))} == days


@pytest.mark.parametrize(
    "text",
    [
        "",
        "* * * *",
        "* * * * * *",
        "60 * * * *",
        "* 24 * * *",
        "* * 0 * *",
        "* * 32 * *",
        "* * * 13 *",
        "* * * * 8",
        "-1 * * * *",
        "5-1 * * * *",
        "*/0 * * * *",
        "5/15 * * * *",
        "1,,2 * * * *",
        "*,5 * * * *",
        "*-5 * * * *",
        "* * * foo *",
        "* * * * sunday",
        "a * * * *",
        "٣ * * * *",
        "0 0 30 2 *",
        "0 0 31 4,6,9,11 *",
        "@reboot",
        "1" * 300,
        "1," * 120 + "1 * * * *",
    ],
)
def test_what_is_no_expression_is_refused_with_a_next_step(text):
    """A field out of range, an unknown name, a day that never comes: no schedule, a clear error."""
    with pytest.raises(ConfigError) as caught:
        parse_cron(text)

    assert caught.value.hint


def test_a_nickname_is_refused_with_what_to_write():
    """``@daily`` is spelt out in the hint."""
    with pytest.raises(ConfigError) as caught:
        parse_cron("@daily")

    assert caught.value.hint == "write '0 0 * * *'"


@pytest.mark.parametrize("text", ["0 0 30 2 1", "0 0 29 2 *"])
def test_a_day_that_comes_seldom_is_no_error(text):
    """29 February comes; 30 February does not, but Mondays do."""
    assert parse_cron(text)


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("30 2 * * *", 1440),
        ("0 2,4 * * *", 120),
        ("0 0,23 * * *", 60),
        ("*/15 * * * *", 15),
        ("0,59 * * * *", 1),
    ],
)
def test_the_shortest_gap_reaches_over_midnight(text, minutes):
    """It bounds the jitter: two runs must not change places."""
    assert parse_cron(text).shortest_gap_minutes() == minutes


def _field(low, high):
    number = st.integers(low, high)
    ranges = st.tuples(number, number).filter(
        lambda pair: pair[0] < pair[1]
    )  # croniter takes 1-1 for *
    part = st.one_of(
        number.map(str),
        ranges.map(lambda pair: f"{pair[0]}-{pair[1]}"),
        st.tuples(ranges, st.integers(1, 9)).map(lambda got: f"{got[0][0]}-{got[0][1]}/{got[1]}"),
    )
    return st.one_of(
        st.just("*"),
        st.integers(1, high).map(lambda step: f"*/{step}"),
        st.lists(part, min_size=1, max_size=3).map(",".join),
    )


EXPRESSION = st.tuples(
    _field(0, 59), _field(0, 23), _field(1, 28), _field(1, 12), _field(0, 6)
).map(" ".join)


@settings(max_examples=60)
@given(EXPRESSION, st.dates(dt.date(2020, 1, 1), dt.date(2035, 1, 1)), st.times())
def test_another_library_names_the_same_times(text, day, time):
    """croniter's answer to "does it run in this minute?", for the text given and for ours."""
    minute = dt.datetime.combine(day, time.replace(second=0, microsecond=0))
    cron = parse_cron(text)
    ours = cron.on(minute.date()) and (minute.hour, minute.minute) in cron.times()

    # croniter joins the day fields by "or" unless one is "*"; cron asks for a leading star.
    how = {"day_or": cron.either_day}
    assert ours == croniter.match(text, minute, **how), text
    assert ours == croniter.match(cron.text, minute, **how), cron.text
