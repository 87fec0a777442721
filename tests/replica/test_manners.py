"""What the source sees of us, and what we see of its clock."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from corpusguard.fetch import Fetcher, Validators
from corpusguard.model import SourceSpec
from tests.replica.law import lighthouse_act
from tests.replica.replica import Replica

LAW = lighthouse_act(2)
PATH = f"/laws/api/v2/legislation/en/doc-search/{LAW.kind}/{LAW.code}"


@pytest.fixture(scope="module")
def replica():
    with Replica(LAW) as server:
        yield server


def fetcher(replica, **changes) -> Fetcher:
    facts = {"min_delay_seconds": 0.0, "user_agent_contact": "mailto:law@example.org"}
    clock = {name: changes.pop(name) for name in ("now", "sleep") if name in changes}
    spec = SourceSpec("s.toml", "ontario-elaws", replica.base_url, (), **{**facts, **changes})
    return Fetcher(spec, **clock)


def test_the_source_learns_who_asks_and_how_to_reach_them(replica):
    with fetcher(replica) as client:
        client.get(replica.base_url + PATH)

    sent = replica.requests[-1].headers
    assert sent["user-agent"].startswith("corpusguard/")
    assert "mailto:law@example.org" in sent["user-agent"]
    assert "Mozilla" not in sent["user-agent"]
    assert sent["accept-encoding"] == "gzip, identity"
    assert sent["cache-control"] == "no-cache"
    assert "cookie" not in sent


def test_validators_are_sent_as_they_were_given(replica):
    with fetcher(replica) as client:
        client.get(
            replica.base_url + PATH,
            validators=Validators('"other"', "Mon, 09 Mar 2026 03:00:00 GMT"),
        )

    sent = replica.requests[-1].headers
    assert sent["if-none-match"] == '"other"'
    assert sent["if-modified-since"] == "Mon, 09 Mar 2026 03:00:00 GMT"


@pytest.mark.parametrize("value", ["\u00e9", "\udce9", "a\r\nX: y", "\x00", "\u7acb", ""])
def test_a_validator_that_cannot_be_sent_is_left_out(replica, value):
    """A server may send what no header can hold; the text is then fetched whole."""
    with fetcher(replica) as client:
        answer = client.get(replica.base_url + PATH, validators=Validators(value, value))

    assert answer.body
    sent = replica.requests[-1].headers
    assert not {"if-none-match", "if-modified-since", "x"} & set(sent)


@pytest.mark.parametrize("minutes", [-10, 0, 10])
def test_the_difference_of_the_clocks_is_measured(replica, minutes):
    """CG510 is the caller's to raise; the number must be there and have the right sign."""
    ahead = timedelta(minutes=minutes)

    with fetcher(replica, now=lambda: datetime.now(UTC) + ahead) as client:
        answer = client.get(replica.base_url + PATH)

    assert answer.clock_skew_seconds == pytest.approx(minutes * 60, abs=5)


def test_two_requests_keep_the_configured_distance(replica):
    sleeps = []
    with fetcher(replica, min_delay_seconds=2.0, sleep=sleeps.append) as client:
        client.get(replica.base_url + PATH)
        client.get(replica.base_url + PATH)

    assert len(sleeps) == 1
    assert 1.0 < sleeps[0] <= 2.0


def test_cookies_are_neither_kept_nor_recorded(replica):
    with fetcher(replica) as client:
        client._client.cookies.set("waf", "1")
        answer = client.get(replica.base_url + PATH)

    assert "cookie" not in replica.requests[-1].headers
    assert "set-cookie" not in answer.headers
