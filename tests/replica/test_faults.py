"""Each way in which the source can fail is refused by name, and nothing is stored."""

from __future__ import annotations

import dataclasses
import json
import logging
import time

import pytest

from corpusguard import errors, logs
from corpusguard.errors import SourceError
from corpusguard.fetch import Answer, Validators
from corpusguard.model import DocumentSpec, Rendition
from corpusguard.official import WentBackwards
from corpusguard.snapshots import SnapshotStore
from tests.ports import refusing_port
from tests.replica.capture import ELAWS, LAW, SPEC, Sleeps, capture, fetcher, refused, source
from tests.replica.law import lighthouse_act
from tests.replica.replica import Fault


def test_a_good_answer_is_captured_with_its_evidence(replica, store):
    snapshot = capture(replica, store)

    assert Rendition.PAYLOAD is snapshot.rendition
    assert snapshot.identity.consolidated_from == "2026-03-02"
    assert replica.resource(
        f"/laws/api/v2/legislation/en/doc-search/{LAW.kind}/{LAW.code}"
    ).body == (store.read(snapshot.digest))
    evidence = store.evidence(snapshot)
    assert evidence["status"] == 200
    assert evidence["attempts"] == 1
    assert evidence["server_date"]
    assert evidence["headers"]["content-encoding"] == "gzip"
    assert store.verify() == ()


WIRE = [
    (Fault.RESET, errors.SourceUnreachable, "CG501"),
    (Fault.RESET_MID_BODY, errors.BodyTruncated, "CG506"),
    (Fault.CUT_LENGTH, errors.BodyTruncated, "CG506"),
    (Fault.CUT_CHUNKED, errors.BodyTruncated, "CG506"),
    (Fault.CUT_CLOSE, errors.BodyTruncated, "CG506"),
    (Fault.NOT_HTTP, errors.SourceUnreachable, "CG501"),
    (Fault.FORBIDDEN, errors.SourceUnreachable, "CG501"),
    (Fault.NOT_FOUND, errors.SourceUnreachable, "CG501"),
    (Fault.TOO_MANY_DAY, errors.SourceUnreachable, "CG501"),
    (Fault.UNAVAILABLE, errors.SourceUnreachable, "CG501"),
    (Fault.CHALLENGE, errors.SourceUnreachable, "CG501"),
    (Fault.NOT_ASKED_304, errors.SourceUnreachable, "CG501"),
    (Fault.REDIRECT_OFF_HOST, errors.SourceUnreachable, "CG501"),
    (Fault.REDIRECT_LOOP, errors.SourceUnreachable, "CG501"),
    (Fault.REDIRECT_NOWHERE, errors.SourceUnreachable, "CG501"),
    (Fault.REDIRECT_FILE, errors.SourceUnreachable, "CG501"),
    (Fault.GZIP_CUT, errors.BodyTruncated, "CG506"),
    (Fault.GZIP_BOMB, errors.Unreadable, "CG507"),
    (Fault.GZIP_TRAILING, errors.Unreadable, "CG507"),
    (Fault.GZIP_NONSENSE, errors.Unreadable, "CG507"),
    (Fault.BROTLI, errors.Unreadable, "CG507"),
    (Fault.HUGE_ANNOUNCED, errors.Unreadable, "CG507"),
]
TEXT = [
    (Fault.SHELL, errors.NotTheDocument, "CG503"),
    (Fault.FIREWALL, errors.NotTheDocument, "CG503"),
    (Fault.EMPTY, errors.NotTheDocument, "CG503"),
    (Fault.HTML_FOR_JSON, errors.NotTheDocument, "CG503"),
    (Fault.NO_PROVISIONS, errors.NotTheDocument, "CG503"),
    (Fault.PLACEHOLDERS, errors.NotTheDocument, "CG503"),
    (Fault.OTHER_SHAPE, errors.ShapeChanged, "CG504"),
    (Fault.SEARCH_SHAPE, errors.ShapeChanged, "CG504"),
    (Fault.TEXT_FOR_JSON, errors.ShapeChanged, "CG504"),
    (Fault.LATIN_1, errors.Mojibake, "CG511"),
    (Fault.MOJIBAKE, errors.Mojibake, "CG511"),
    (Fault.OTHER_LAW, errors.WrongDocument, "CG502"),
    (Fault.HISTORICAL, errors.WrongDocument, "CG502"),
    (Fault.OTHER_LANGUAGE, errors.WrongDocument, "CG502"),
]


@pytest.mark.parametrize(("fault", "expected", "rule"), WIRE + TEXT)
def test_a_fault_is_refused_by_its_name_and_nothing_is_stored(
    replica, store, fault, expected, rule
):
    replica.misbehave(fault)

    refused(replica, store, expected, rule)


def test_a_streamed_200_mb_body_stops_at_the_cap(replica, store):
    replica.compress = False
    replica.misbehave(Fault.HUGE)
    replica.sent = 0

    error = refused(replica, store, errors.Unreadable, "CG507", max_wire_bytes=3_000_000)

    assert "3000000" in error.message
    # What is beyond the cap is what the buffers between the two hold.
    assert 3_000_000 < replica.sent < 50_000_000


@pytest.mark.parametrize("fault", [Fault.DRIP_HEADERS, Fault.DRIP_BODY])
def test_an_endless_drip_meets_the_total_deadline(replica, store, fault):
    """No single read is slow: only the deadline of the whole exchange ends it."""
    replica.misbehave(fault)
    before = time.monotonic()

    error = refused(replica, store, errors.SourceUnreachable, "CG501", total_timeout_seconds=0.4)

    assert "0.4 s" in error.message
    assert time.monotonic() - before < 60
    # Not tried again; a busy machine may be over before the first was heard.
    assert len(replica.requests) <= 1


def test_a_silent_source_meets_the_read_timeout(replica, store):
    replica.misbehave(Fault.SILENT)

    error = refused(replica, store, errors.SourceUnreachable, "CG501", read_timeout_seconds=0.2)

    assert "ReadTimeout" in error.message
    # Both were sent; the second may be heard only after it was given up.
    end = time.monotonic() + 60
    while len(replica.requests) < 2 and time.monotonic() < end:
        time.sleep(0.01)
    assert len(replica.requests) == 2


def test_a_refused_connection_is_unreachable(replica, store):
    with refusing_port() as port:
        url = f"http://127.0.0.1:{port}"

        refused(replica, store, errors.SourceUnreachable, "CG501", base_url=url)


def test_a_name_that_does_not_resolve_is_unreachable(replica):
    asked = source(replica, base_url="https://elaws.invalid", attempts=1)

    with fetcher(asked) as client, pytest.raises(errors.SourceUnreachable) as caught:
        client.get("https://elaws.invalid/laws/")

    assert caught.value.rule == "CG501"


def test_500_then_good_is_a_success_on_the_second_attempt(replica, store):
    replica.misbehave(Fault.SERVER_ERROR, times=1)

    snapshot = capture(replica, store)

    assert store.evidence(snapshot)["attempts"] == 2


def test_503_for_ever_is_tried_as_often_as_configured_and_no_more(replica, store):
    replica.misbehave(Fault.UNAVAILABLE)

    refused(replica, store, errors.SourceUnreachable, "CG501", attempts=3)

    assert len(replica.requests) == 3


@pytest.mark.parametrize("fault", [Fault.NOT_FOUND, Fault.FORBIDDEN, Fault.SHELL, Fault.OTHER_LAW])
def test_what_another_attempt_cannot_mend_is_not_tried_again(replica, store, fault):
    replica.misbehave(fault)

    with pytest.raises(SourceError):
        capture(replica, store, attempts=3)

    assert len(replica.requests) == 1


@pytest.mark.parametrize(
    ("fault", "low", "high"), [(Fault.TOO_MANY_SECONDS, 6, 7), (Fault.TOO_MANY_DATE, 27, 31)]
)
def test_retry_after_is_waited_for_in_both_forms(replica, fault, low, high):
    replica.misbehave(fault, times=1)
    sleeps = Sleeps()
    asked = source(replica)

    with fetcher(asked, sleep=sleeps) as client:
        answer = client.get(ELAWS.document_addresses(asked, SPEC)[0])

    assert answer.attempts == 2
    assert low <= sum(sleeps) <= high


def test_a_retry_after_of_a_day_ends_the_attempt_and_closes_the_host(replica):
    replica.misbehave(Fault.TOO_MANY_DAY)
    asked = source(replica)
    url = ELAWS.document_addresses(asked, SPEC)[0]
    sleeps = Sleeps()

    with fetcher(asked, sleep=sleeps) as client:
        for _ in range(2):
            with pytest.raises(errors.SourceUnreachable) as caught:
                client.get(url)

    assert "left alone" in caught.value.message
    assert len(replica.requests) == 1
    assert sleeps == []


def test_the_breaker_opens_after_repeated_failures_and_closes_with_time(replica):
    replica.misbehave(Fault.UNAVAILABLE)
    clock = [1000.0]
    asked = source(replica, attempts=1)
    url = ELAWS.document_addresses(asked, SPEC)[0]

    with fetcher(asked, monotonic=lambda: clock[0], sleep=Sleeps()) as client:
        for _ in range(6):
            with pytest.raises(errors.SourceUnreachable):
                client.get(url)
        assert len(replica.requests) == 4

        replica.behave()
        clock[0] += 301
        assert client.get(url).status == 200


def test_a_redirect_within_the_host_is_followed_and_recorded(replica, store):
    replica.misbehave(Fault.REDIRECT_ONCE, times=1)

    snapshot = capture(replica, store)

    evidence = store.evidence(snapshot)
    assert [snapshot.url] == evidence["redirects"]
    assert evidence["url"] == snapshot.url + "?again"


def test_a_304_confirms_the_stored_bytes_without_a_new_object(replica, store):
    first = capture(replica, store)
    asked = source(replica)

    with fetcher(asked) as client:
        answer = client.get(first.url, validators=Validators(first.etag, first.last_modified))
    assert answer.not_modified
    assert answer.body == b""
    second = store.confirm(first, captured=answer.finished, extra=answer.evidence())

    assert (first, second) == store.list(SPEC.id)
    assert first.digest == second.digest
    assert first.record == store.evidence(second)["confirms"]


def test_an_amendment_between_two_requests_is_seen_in_spite_of_validators(replica, store):
    first = capture(replica, store)
    replica.publish(lighthouse_act(21, consolidated_from="2026-04-01"))
    asked = source(replica)

    with fetcher(asked) as client:
        answer = client.get(first.url, validators=Validators(first.etag))

    accepted = ELAWS.accept(answer, SPEC, first)
    assert accepted.identity.consolidated_from == "2026-04-01"
    assert accepted.data != store.read(first.digest)


def test_an_older_consolidation_is_a_step_backwards(replica, store, tmp_path):
    first = capture(replica, store)
    replica.misbehave(Fault.OLDER)

    refused(replica, SnapshotStore(tmp_path / "other"), WentBackwards, "CG509", previous=first)


def test_a_later_consolidation_than_the_currency_date_is_no_fault(replica, store):
    """T37: the consolidation may begin after the date to which e-Laws is current."""
    replica.publish(lighthouse_act(consolidated_from="2026-12-01"))

    assert capture(replica, store).identity.consolidated_from == "2026-12-01"


def test_half_the_sections_gone_is_not_believed_even_twice(replica, store, tmp_path):
    """A cut that repeats itself is still a cut: no law loses half without a new consolidation."""
    first = capture(replica, store)
    replica.misbehave(Fault.HALF)
    other = SnapshotStore(tmp_path / "other")
    refused(replica, other, errors.BodyTruncated, "CG506", previous=first)
    asked = source(replica)
    with fetcher(asked) as client:
        again = client.get(first.url).body

    refused(replica, other, errors.BodyTruncated, "CG506", previous=first, earlier=again)


def test_a_great_repeal_is_believed_at_the_second_fetch(replica, store):
    first = capture(replica, store)
    replica.publish(lighthouse_act(5, consolidated_from="2026-05-01"))
    asked = source(replica)
    with fetcher(asked) as client:
        answer: Answer = client.get(first.url)
    with pytest.raises(errors.BodyTruncated):
        ELAWS.accept(answer, SPEC, first)

    second = capture(replica, store, previous=first, earlier=answer.body)

    assert second.size < first.size * 0.6


def test_a_lettered_id_falls_back_to_the_one_that_the_api_knows(replica, store):
    """T38: 97w16a answers 404, 97w16 is the law."""
    replica.publish(lighthouse_act(code="97w16"))
    spec = DocumentSpec("ca-on/statute/97w16a@en", LAW.title)

    snapshot = capture(replica, store, spec=spec)

    assert snapshot.identity.alias == "statute/97w16"
    assert snapshot.url.endswith("/97w16")


def test_a_sibling_under_the_shortened_id_is_refused(replica, store):
    """T38: the shortened id may be the sibling schedule; only its title tells."""
    replica.publish(lighthouse_act(code="97w16", title="Foghorn Keepers Act, 2026"))
    spec = DocumentSpec("ca-on/statute/97w16a@en", LAW.title)

    refused(replica, store, errors.WrongDocument, "CG502", spec=spec)


def test_french_is_fetched_and_checked_like_english(replica, store):
    spec = DocumentSpec(LAW.id.replace("@en", "@fr"), LAW.title_fr)

    snapshot = capture(replica, store, spec=spec)

    assert "/fr/" in snapshot.url
    assert spec.id == snapshot.document


def test_a_configured_french_path_is_used(replica):
    asked = source(replica, paths={"document.fr": "/fr/lois/loi/{id}"})
    spec = dataclasses.replace(SPEC, id=LAW.id.replace("@en", "@fr"))

    assert (f"{replica.base_url}/fr/lois/loi/26a91",) == ELAWS.document_addresses(asked, spec)
    assert "/en/doc-search/" in ELAWS.document_addresses(asked, SPEC)[0]


def test_each_attempt_that_is_made_again_is_one_line_that_says_why(replica, store, capsys):
    """Which host, which attempt failed, how long it waits, and the cause; no callable, no args."""
    replica.misbehave(Fault.UNAVAILABLE)
    logs.configure("json")
    try:
        refused(replica, store, errors.SourceUnreachable, "CG501", attempts=3)
    finally:
        logs.configure(level=logging.WARNING)

    found = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [one["failed_attempt"] for one in found] == list(range(1, len(found) + 1))
    assert len(found) == 2
    for one in found:
        assert (one["event"], one["level"]) == ("fetch is tried again", "warning")
        assert one["host"].startswith("127.0.0.1:")
        assert one["wait_seconds"] >= 0
        assert "answered 503" in one["cause"]
        assert not {"callable", "args", "kwargs"} & set(one)
