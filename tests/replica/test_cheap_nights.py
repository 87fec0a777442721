"""Nights on which little is asked: what the source says stands in for a fetch, never for less."""

from __future__ import annotations

import dataclasses
import json

import pytest

from corpusguard.errors import EvidenceMissing, StorageError
from corpusguard.history import History
from corpusguard.model import Verdict
from tests.replica.capture import LAW
from tests.replica.replica import Fault
from tests.replica.test_nights import Nights, amended, rules


@pytest.fixture
def nights(tmp_path, replica):
    replica.etags = False  # the dear case: nothing can be asked conditionally
    made = Nights(tmp_path, replica)
    made.ingest()
    made.night()
    replica.requests.clear()
    return made


def asked(nights):
    """The endpoints asked since the last look, in order."""
    found = [seen.path.split("/")[6] for seen in nights.replica.requests]
    nights.replica.requests.clear()
    return found


def setting(nights, **values):
    file = nights.folder / "lights.toml"
    lines = "".join(f"{name} = {value}\n" for name, value in values.items())
    file.write_text(file.read_text().replace("[[document]]", f"{lines}[[document]]", 1))


def test_nothing_moved_so_one_small_question_is_all(nights):
    captures = nights.service().store.list()

    result, code = nights.night()

    assert (result.verdict, code) == (Verdict.VERIFIED, 0)
    assert asked(nights) == ["currency-date"]
    document = result.documents[0]
    assert document.captured == captures[-1].captured
    assert document.not_refetched == "the source's currency date is still 2026-03-09"
    assert nights.service().store.list() == captures
    with History.open(nights.folder / "history.db") as history:
        stored = history.document_results(result.run)[0].result
        assert stored.not_refetched == document.not_refetched
        assert stored.states, "a result that stands has its body still"
        assert history.verify_all(nights.service().store).breaks == ()


def test_the_date_moved_and_the_list_of_versions_says_that_this_text_did_not(nights):
    nights.replica.days_on()

    result, code = nights.night()

    assert (result.verdict, code) == (Verdict.VERIFIED, 0)
    assert asked(nights) == ["currency-date", "act-versions"]
    assert "still names the consolidation from 2026-03-02" in result.documents[0].not_refetched
    store = nights.service().store
    found = store.confirmation(store.list()[-1])
    assert (found.currency_date, found.document) == ("2026-03-10", LAW.id)
    assert store.verify() == ()

    nights.night()

    assert asked(nights) == ["currency-date"], "a confirmation counts on the nights after"


def test_an_amendment_is_fetched_the_night_it_comes_and_confirmed_by_the_list(nights):
    nights.replica.publish(amended())

    result, code = nights.night()

    assert code == 1
    assert asked(nights) == ["currency-date", "act-versions", "doc-search"]
    assert rules(result) == [("CG106", "5")]
    assert not result.documents[0].not_refetched
    store = nights.service().store
    assert store.confirmation(store.list()[-1]).currency_date == "2026-03-10"


def test_an_amendment_on_the_day_of_the_last_one_shows_in_the_list(nights):
    """The current version begins on the same day, but the list is another."""
    nights.replica.days_on()
    nights.night()
    asked(nights)
    nights.replica.publish(dataclasses.replace(LAW, title_fr="", number="S.O. 2026, chapter 91"))

    nights.night()

    assert asked(nights) == ["currency-date", "act-versions", "doc-search"]


def test_the_list_and_the_text_disagree_about_the_consolidation(nights):
    """A list that is ahead of the text: the text is checked, the doubt is told and kept open."""
    real = nights.replica.laws["statute/26a91"]
    nights.replica.days_on()
    nights.replica.listed = {
        "statute/26a91": dataclasses.replace(real, consolidated_from="2026-03-10")
    }
    try:
        result, code = nights.night()

        assert (result.verdict, code) == (Verdict.VERIFIED, 0)
        assert rules(result) == [("CG509", "")]
        finding = result.documents[0].findings[0]
        assert str(finding.severity) == "warning"
        assert "begin on 2026-03-10" in finding.message
        assert "consolidation from 2026-03-02" in finding.message
        asked(nights)

        again, _ = nights.night()

        assert "doc-search" in asked(nights)
        assert again.states[finding.fingerprint] == "open"
    finally:
        nights.replica.listed = {}

    healed, _ = nights.night()

    assert rules(healed) == []


def test_refetch_asks_for_every_text(nights):
    result, _ = nights.night(refetch=True)

    assert asked(nights) == ["currency-date", "doc-search"]
    assert not result.documents[0].not_refetched


def test_a_text_older_than_refetch_within_never_stands(nights):
    """An editorial change leaves the currency date alone, and is found at the latest by then."""
    store = nights.service().store
    record = store.root / store.list()[-1].record
    said = json.loads(record.read_text()) | {"captured": "2026-01-01T00:00:00Z"}
    record.write_text(json.dumps(said))
    setting(nights, refetch_within='"3d"')

    nights.night()

    assert asked(nights) == ["currency-date", "doc-search"]


def test_a_currency_date_that_cannot_be_had_means_that_the_text_is_fetched(nights):
    nights.replica.misbehave(Fault.UNAVAILABLE, part="currency-date")

    result, _ = nights.night()

    assert "doc-search" in asked(nights)
    assert not result.documents[0].not_refetched


def test_a_currency_date_that_goes_back_is_told_and_the_text_fetched(nights):
    nights.replica.days_on(-3)

    result, _ = nights.night()

    assert asked(nights) == ["currency-date", "doc-search"]
    assert rules(result) == [("CG509", "")]
    assert "went back from 2026-03-09 to 2026-03-06" in result.documents[0].findings[0].message


def test_evidence_that_is_gone_is_never_stood_on(nights):
    store = nights.service().store
    (store.root / store.object_name(store.list()[-1].digest)).unlink()

    with pytest.raises(EvidenceMissing, match="is gone"):
        nights.night()


def test_the_budget_of_a_day_holds_over_all_runs(nights):
    setting(nights, daily_request_budget=5)
    spent = 0
    while spent < 10:
        result, code = nights.night(refetch=True)
        found = len(asked(nights))
        spent += found
        if found == 0:
            break

    assert (result.verdict, code) == (Verdict.UNVERIFIABLE, 3)
    assert "budget of 5 requests a day is spent" in result.documents[0].findings[0].message
    assert sum(f.stat().st_size for f in (nights.folder / "snapshots/requests").iterdir()) == 5


def test_a_part_of_the_documents_or_layers_does_not_say_what_the_store_holds(nights):
    """Only a whole run's results may stand in for reading the rows."""
    nights.edit("7", lambda text: text.replace("shall keep", "may keep"))

    result, _ = nights.night()

    assert rules(result) == [("CG107", "7")]

    nights.edit("7", lambda text: text.replace("may keep", "shall keep"))
    healed, code = nights.night()

    assert (healed.verdict, code) == (Verdict.VERIFIED, 0)


def test_a_violated_result_stands_with_its_findings_and_the_chain_holds(nights):
    nights.edit("7", lambda text: text.replace("shall keep", "may keep"))
    first, _ = nights.night()

    second, code = nights.night()
    third, _ = nights.night(offline=True)

    assert code == 1
    assert second.documents[0].reused_from == first.run
    assert (
        second.documents[0].findings == first.documents[0].findings == third.documents[0].findings
    )
    assert set(second.states.values()) == {"open"}
    with History.open(nights.folder / "history.db") as history:
        one, two = (history.document_results(run.run)[0].result for run in (first, second))
        assert (two.states, two.provision_digests) == (one.states, one.provision_digests)
        assert history.verify_all(nights.service().store).breaks == ()


def test_a_result_that_is_not_the_newest_cannot_stand(nights):
    with History.open(nights.folder / "history.db") as history:
        stored = history.document_results(1)[0]
        run = history.begin_run(("L1", "L2", "L3"), "test", "sha256:x", "2026-03-10T03:00:00Z")

        with pytest.raises(StorageError, match="newest result"):
            history.record_standing(run, "lights", stored.result, of_run=9, input_key="x")
