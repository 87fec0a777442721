"""Which documents are fetched tonight: the rule alone, as a table."""

from __future__ import annotations

import dataclasses
from datetime import UTC, date, datetime, timedelta

import pytest

from corpusguard.model import Identity, Rendition, Snapshot, SourceSpec
from corpusguard.official import Version
from corpusguard.service import refetch
from corpusguard.snapshots import Confirmation

NOW = datetime(2026, 3, 10, 3, tzinfo=UTC)
SOURCE = SourceSpec("s.toml", "ontario-elaws", "https://www.ontario.ca", ())
DOCUMENT = "ca-on/statute/26a91@en"


def snapshot(**changes) -> Snapshot:
    facts = {
        "digest": "sha256:" + "a" * 64,
        "document": DOCUMENT,
        "rendition": Rendition.PAYLOAD,
        "size": 3,
        "captured": "2026-03-09T03:00:00Z",
        "url": "https://www.ontario.ca/x",
        "identity": Identity(consolidated_from="2026-03-02"),
        "currency_date": "2026-03-08",
        "record": f"records/{DOCUMENT}/000001-aaaaaaaaaaaa.json",
        "sequence": 1,
    }
    return Snapshot(**{**facts, **changes})


def versions(start="2026-03-02", number=0, state="current"):
    old = Version("statute/26a91/v1", "historical", "T", "2025-12-01", "2026-03-01", 1)
    return (Version("statute/26a91", state, "T", start, "", number), old)


def confirmation(**changes) -> Confirmation:
    facts = {
        "document": DOCUMENT,
        "record": snapshot().record,
        "digest": snapshot().digest,
        "checked": "2026-03-09T03:00:00Z",
        "currency_date": "2026-03-09",
        "versions": refetch.versions_digest(versions()),
    }
    return Confirmation(**{**facts, **changes})


@pytest.mark.parametrize(
    ("share", "nights"), [(1.0, 1), (0.5, 2), (0.34, 3), (0.15, 7), (0.1, 10), (0.01, 100)]
)
def test_everything_has_its_turn_once_in_as_many_nights_as_the_share_needs(share, nights):
    first = date(2026, 2, 25)
    turns = {
        f"ca-on/statute/{number:05d}@en": [
            night
            for night in range(nights)
            if refetch.has_its_turn(
                f"ca-on/statute/{number:05d}@en", first + timedelta(night), share
            )
        ]
        for number in range(200)
    }

    assert refetch.nights_for_all(share) == nights
    assert all(len(found) == 1 for found in turns.values())


def test_the_turns_are_spread_over_the_nights():
    documents = [f"ca-on/statute/{number:05d}@en" for number in range(700)]
    tonight = [name for name in documents if refetch.has_its_turn(name, NOW.date(), 0.15)]

    assert 70 <= len(tonight) <= 130


SOMEBODY_ELSES = next(
    day
    for day in (NOW + timedelta(days) for days in range(7))
    if not refetch.has_its_turn(DOCUMENT, day.date(), 0.15)
)
ITS_TURN = next(
    day
    for day in (NOW + timedelta(days) for days in range(7))
    if refetch.has_its_turn(DOCUMENT, day.date(), 0.15)
)


def before(now, **ago) -> str:
    return (now - timedelta(**ago)).strftime("%Y-%m-%dT%H:%M:%SZ")


@pytest.mark.parametrize(
    ("name", "changes", "fetched"),
    [
        ("a day old", {}, False),
        ("just under a week", {"captured": before(SOMEBODY_ELSES, days=6, hours=23)}, False),
        ("a week old", {"captured": before(SOMEBODY_ELSES, days=7)}, True),
        ("from the future", {"captured": before(SOMEBODY_ELSES, hours=-1)}, True),
        ("two clocks a minute apart", {"captured": before(SOMEBODY_ELSES, minutes=-1)}, False),
        ("no time at all", {"captured": "lately"}, True),
        ("brought by hand", {"url": "file:act.json"}, True),
        ("without a currency date", {"currency_date": ""}, True),
        ("without a consolidation date", {"identity": Identity()}, True),
    ],
)
def test_what_cannot_stand_is_fetched(name, changes, fetched):
    facts = {"captured": before(SOMEBODY_ELSES, days=1), **changes}

    assert refetch.must_fetch(snapshot(**facts), SOURCE, SOMEBODY_ELSES) is fetched


def test_what_was_never_captured_is_fetched():
    assert refetch.must_fetch(None, SOURCE, NOW)


def test_a_document_is_fetched_at_its_turn_but_once_that_day():
    yesterday = snapshot(captured=before(ITS_TURN, days=1))
    today = snapshot(captured=before(ITS_TURN, hours=1))

    assert refetch.must_fetch(yesterday, SOURCE, ITS_TURN)
    assert not refetch.must_fetch(today, SOURCE, ITS_TURN)
    assert refetch.must_fetch(
        yesterday, dataclasses.replace(SOURCE, refetch_share=1.0), SOMEBODY_ELSES
    )


@pytest.mark.parametrize(
    ("name", "listed", "confirmed", "stands"),
    [
        ("the same day, no list known", versions(), None, True),
        ("the same list as before", versions(), confirmation(), True),
        ("a later day", versions("2026-06-01"), None, False),
        ("an earlier day", versions("2026-01-01"), None, False),
        ("another list, the same day", versions()[:1], confirmation(), False),
        ("no current version", versions(state="historical"), None, False),
        ("a current version of another number", versions(number=4), None, False),
        ("two current versions", versions()[:1] * 2, None, False),
    ],
)
def test_the_list_of_versions_must_name_the_captured_text(name, listed, confirmed, stands):
    assert refetch.still_current(snapshot(), confirmed, listed) is stands


def test_a_capture_is_known_to_stand_up_to_its_newest_confirmation():
    assert refetch.known_date(snapshot(), None) == "2026-03-08"
    assert refetch.known_date(snapshot(), confirmation()) == "2026-03-09"
