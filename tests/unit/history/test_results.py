"""Stored results: they come back equal, are shared, reused, and never silently altered."""

import dataclasses
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlite_utils import Database

from corpusguard.errors import HistoryBroken
from corpusguard.history import History
from corpusguard.history.payload import MAX_BYTES, finding_from_json, pack, unpack
from corpusguard.model import (
    Cause,
    Coverage,
    Difference,
    DocumentResult,
    Finding,
    Layer,
    PassageState,
    Severity,
    Verdict,
)

from .conftest import CORPUS, DOCUMENT, drop_triggers, finding, result, sha, state

FULL = result(
    Verdict.VIOLATED,
    [finding("f1", section="4.1", differences=(Difference.MONEY,), cause=Cause.SOURCE_AMENDED)],
    [state(0, "a", "one"), state(1, "a", "two", verified=False, section="Sched. 2, 3")],
    layers={"L1": Verdict.VIOLATED, "L2": Verdict.VERIFIED},
    snapshot="sha256:aa",
    snapshots=("sha256:aa", "sha256:bb"),
    consolidated_from="2026-01-01",
    currency_date="2026-02-28",
    provisions=2,
    provision_digests={"sec_1": sha("one"), "sched_2__sec_3": sha("two")},
    corpus_digest="sha256:cc",
    captured="2026-03-01T01:00:00Z",
)

_TEXT = st.text(st.characters(), max_size=20)
_NUMBER = st.integers(-1, 2**40)
_FINDINGS = st.builds(
    Finding,
    rule=st.sampled_from(["CG101", "CG501"]),
    severity=st.sampled_from(Severity),
    layer=st.none() | st.sampled_from(Layer),
    document=st.just(DOCUMENT),
    message=_TEXT,
    provision=_TEXT,
    section=_TEXT,
    passage=_TEXT,
    row=_NUMBER,
    where=_TEXT,
    cause=st.none() | st.sampled_from(Cause),
    differences=st.lists(st.sampled_from(Difference), max_size=3).map(tuple),
    official=_TEXT,
    stored=_TEXT,
    diff=_TEXT,
    fingerprint=st.text(st.characters(), min_size=1, max_size=20),
    evidence=st.lists(_TEXT, max_size=2).map(tuple),
)
_STATES = st.builds(
    PassageState,
    row=_NUMBER,
    id=_TEXT,
    digest=_TEXT,
    verified=st.booleans(),
    section=_TEXT,
    spans=st.lists(st.tuples(_NUMBER, _NUMBER), max_size=2).map(tuple),
    skipped=st.lists(_TEXT, max_size=2).map(tuple),
)
_RESULTS = st.builds(
    DocumentResult,
    id=st.just(DOCUMENT),
    verdict=st.sampled_from(Verdict),
    layers=st.dictionaries(st.sampled_from(["L1", "L2", "L3"]), st.sampled_from(Verdict)),
    findings=st.lists(_FINDINGS, max_size=4).map(tuple),
    states=st.lists(_STATES, max_size=4).map(tuple),
    verified_passages=st.integers(0, 4),
    provision_digests=st.dictionaries(_TEXT, _TEXT, max_size=4),
    coverage=st.none() | st.builds(Coverage, _NUMBER, _NUMBER, _NUMBER),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(outcome=_RESULTS)
def test_any_result_comes_back_equal(history, outcome):
    """Control characters, lone surrogates, quotes: what a hostile corpus holds is kept as it is."""
    run = history.begin_run(("L1",), "t", "c", "2026-03-01T02:00:00Z")

    states = history.record_document(run, CORPUS, outcome, input_key="k")

    (stored,) = history.document_results(run)
    assert stored.result == outcome
    assert set(states) == {each.fingerprint for each in outcome.findings}


def test_a_result_comes_back_with_its_run_corpus_and_key(history, nights):
    """`report --run N` has all that the run printed."""
    nights.run(FULL, input_key="key")

    (stored,) = history.document_results(1)

    assert (stored.run, stored.corpus, stored.input_key) == (1, CORPUS, "key")
    assert stored.result == FULL


def test_only_equal_input_is_reused(history, nights):
    """The decided result before an outage; never for another key, document or corpus."""
    nights.run(FULL, input_key="key")
    nights.run(result(Verdict.UNVERIFIABLE), input_key="outage")

    found = history.reusable(DOCUMENT, CORPUS, "key")

    assert (found.run, found.result) == (1, FULL)
    for key in ("", "ke_", "KEY", "outage"):
        assert history.reusable(DOCUMENT, CORPUS, key) is None
    assert history.reusable(DOCUMENT, "another", "key") is None
    assert history.reusable("ca-on/statute/00z01@en", CORPUS, "key") is None


def test_a_fault_that_comes_back_is_looked_at_anew(history, nights):
    """Wrong from the first is of unknown cause; wrong after it was right was altered."""
    nights.run(FULL, input_key="wrong")
    nights.run(result(), input_key="right")

    assert history.reusable(DOCUMENT, CORPUS, "wrong") is None


def test_a_result_without_a_key_is_never_reused(history, nights):
    """An empty key means: the input was not fully known."""
    nights.run(FULL)

    assert history.reusable(DOCUMENT, CORPUS, "") is None


def test_a_run_that_died_can_be_resumed_from_what_it_stored(history, nights):
    """Each document is stored whole, so its result holds although the run did not end."""
    history.record_document(nights.begin(), CORPUS, FULL, input_key="key")
    nights.begin()

    assert history.reusable(DOCUMENT, CORPUS, "key").result == FULL


def test_nights_on_which_nothing_changed_share_one_body(history, nights, path):
    """A year of quiet nights does not store a year of copies."""
    for night in range(4):
        quiet = dataclasses.replace(FULL, captured=f"2026-03-0{night + 1}T01:00:00Z")
        nights.run(dataclasses.replace(quiet, reused_from=min(night, 1)))

    with Database(str(path)) as db:
        assert db.table("payloads").count == 1
        assert db.table("results").count == 4
    assert history.document_results(4)[0].result.reused_from == 1


def test_the_reading_of_a_snapshot_is_remembered(history):
    """CG108 compares how an old snapshot was read with how it reads today."""
    seen = {"document": DOCUMENT, "captured": "2026-03-01T01:00:00Z"}
    assert history.reading("sha256:aa") is None

    history.set_reading("sha256:aa", **seen, reading_digest="sha256:r1", reader="1")
    first = history.reading("sha256:aa")
    history.set_reading("sha256:aa", **seen, reading_digest="sha256:r2", reader="2")

    assert (first.reading_digest, first.reader, first.captured) == (
        "sha256:r1",
        "1",
        "2026-03-01T01:00:00Z",
    )
    assert (history.reading("sha256:aa").reading_digest, history.reading("sha256:aa").reader) == (
        "sha256:r2",
        "2",
    )


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE payloads SET body = zeroblob(10)",
        "UPDATE payloads SET body = substr(body, 1, length(body) - 4)",
        "UPDATE payloads SET size = size - 1",
        "UPDATE payloads SET size = 1 << 50",
        "UPDATE payloads SET size = -1",
    ],
)
def test_an_altered_result_is_refused_not_reused(history, nights, path, damage):
    """A verified verdict must not come out of bytes that are not those stored."""
    nights.run(FULL, input_key="key")
    with Database(str(path)) as db:
        drop_triggers(db)
        db.execute(damage)

    with pytest.raises(HistoryBroken, match="cannot be read"):
        history.reusable(DOCUMENT, CORPUS, "key")
    assert history.problems()


def test_a_body_exchanged_for_another_sound_one_is_refused(history, nights, path):
    """Its digest is that of the JSON inside, so a forged pass is found."""
    nights.run(FULL, input_key="key")
    forged = pack(dataclasses.replace(FULL, findings=()))
    with Database(str(path)) as db:
        drop_triggers(db)
        db.execute("UPDATE payloads SET body = ?, size = ?", [forged.body, forged.size])

    with pytest.raises(HistoryBroken, match="not the one stored"):
        history.reusable(DOCUMENT, CORPUS, "key")


def test_a_body_that_would_fill_the_memory_is_refused():
    """The size is checked before anything is unpacked."""
    packed = pack(FULL)

    with pytest.raises(HistoryBroken, match="claims"):
        unpack(packed.digest, MAX_BYTES + 1, packed.body)


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"rule": "CG101"}', '{"severity": "fatal"}', "nul"]
)
def test_a_finding_that_is_not_one_is_refused(text):
    """Whatever stands in its place."""
    with pytest.raises(HistoryBroken):
        finding_from_json(text)


def test_fields_of_other_versions_do_not_hide_an_old_finding():
    """A field that this version does not know is left aside; one that is missing has its default."""
    old = {
        "rule": "CG101",
        "severity": "error",
        "layer": None,
        "document": DOCUMENT,
        "message": "m",
        "retired": 1,
    }

    assert finding_from_json(json.dumps(old)) == Finding(
        "CG101", Severity.ERROR, None, DOCUMENT, "m"
    )


def test_problems_of_a_sound_history_are_none(history, nights):
    """The slow check passes what was written in order."""
    nights.run(FULL)

    assert history.problems() == []


def test_problems_name_a_damaged_finding_and_a_lost_reference(history, nights, path):
    """Each kind of damage is told in words."""
    nights.run(FULL)
    with Database(str(path)) as db:
        drop_triggers(db)
        db.execute("UPDATE findings SET content = '{}'")
        db.execute("DELETE FROM payloads")

    found = "; ".join(history.problems())

    assert "finding f1" in found
    assert "results refers to a row of payloads" in found


def test_history_survives_being_reopened(path):
    """What one process stored, the next one reads."""
    with History.open(path) as history:
        run = history.begin_run(("L1",), "t", "c", "2026-03-01T02:00:00Z")
        history.record_document(run, CORPUS, FULL)
    with History.open(path) as history:
        assert history.document_results(run)[0].result == FULL
