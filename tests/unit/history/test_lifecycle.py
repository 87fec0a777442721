"""Findings: new, open, resolved, regressed, and the runs that may not move them."""

import pytest

from corpusguard.errors import ConfigError, StorageError
from corpusguard.history import FindingState
from corpusguard.history.lifecycle import may_resolve
from corpusguard.model import Cause, Difference, Layer, Verdict

from .conftest import CORPUS, DOCUMENT, finding, result

NEW, OPEN, RESOLVED, REGRESSED = (
    FindingState.NEW,
    FindingState.OPEN,
    FindingState.RESOLVED,
    FindingState.REGRESSED,
)


def violated(*findings, **more):
    return result(Verdict.VIOLATED, findings, **more)


def now(history, fingerprint):
    return history.finding(fingerprint).state


def test_a_finding_lives_through_all_states(history, nights):
    """new, open, resolved, regressed, open again, each with the runs it belongs to."""
    told = [
        nights.run(outcome).get("f1")
        for outcome in (
            violated(finding("f1")),
            violated(finding("f1")),
            result(),
            violated(finding("f1")),
            violated(finding("f1")),
        )
    ]

    assert told == [NEW, OPEN, None, REGRESSED, OPEN]
    record = history.finding("f1")
    assert (record.first_run, record.last_run, record.resolved_run) == (1, 5, None)
    states = [
        [(found.finding.fingerprint, found.state) for found in history.findings(run=run)]
        for run in (1, 2, 4, 5)
    ]
    assert states == [[("f1", NEW)], [("f1", OPEN)], [("f1", REGRESSED)], [("f1", OPEN)]]


def test_what_a_run_resolved_is_told_with_the_run(history, nights):
    """A resolved finding does not occur in the run, yet belongs in its report."""
    nights.run(violated(finding("f1"), finding("f2")))
    nights.run(violated(finding("f2")))

    record = history.finding("f1")
    resolved = history.findings(run=2, state=RESOLVED)

    assert (record.state, record.last_run, record.resolved_run) == (RESOLVED, 1, 2)
    assert [found.finding.fingerprint for found in resolved] == ["f1"]


def test_a_layer_that_did_not_run_resolves_nothing(history, nights):
    """After L1 alone, what L3 found is still open."""
    nights.run(violated(finding("f1"), finding("f3", "CG301", Layer.L3)))

    nights.run(result(layers={"L1": Verdict.VERIFIED}))

    assert now(history, "f1") is RESOLVED
    assert now(history, "f3") is NEW


def test_a_layer_without_a_verdict_resolves_nothing(history, nights):
    """L2 ran and could not tell: what it found before stays."""
    nights.run(violated(finding("f1"), finding("f2", "CG201", Layer.L2)))

    layers = {"L1": Verdict.VIOLATED, "L2": Verdict.UNVERIFIABLE, "L3": Verdict.VERIFIED}
    nights.run(violated(layers=layers))

    assert now(history, "f1") is RESOLVED
    assert now(history, "f2") is NEW


def test_an_unverifiable_document_resolves_nothing(history, nights):
    """T22: an outage is not a repair, whatever the layers claim."""
    nights.run(violated(finding("f1"), finding("s1", "CG503", None)))

    layers = {"L1": Verdict.VERIFIED, "L2": Verdict.UNVERIFIABLE}
    nights.run(result(Verdict.UNVERIFIABLE, [finding("s2", "CG501", None)], layers=layers))

    assert [now(history, name) for name in ("f1", "s1", "s2")] == [NEW, NEW, NEW]


def test_another_document_or_corpus_resolves_nothing(history, nights):
    """Findings belong to one document of one corpus."""
    nights.run(violated(finding("f1")))

    nights.run(result(document="ca-on/statute/00z01@en"))
    nights.run(result(), corpus="another corpus")

    assert now(history, "f1") is NEW


def test_one_fingerprint_lives_apart_in_two_corpora(history, nights):
    """Repairing one corpus does not close the finding of the other."""
    nights.run(violated(finding("f1")))
    nights.run(violated(finding("f1")), corpus="second")

    nights.run(result())

    found = {record.corpus: record.state for record in history.findings()}
    assert found == {CORPUS: RESOLVED, "second": NEW}
    assert history.finding("f1").corpus == "second"


def test_an_offline_run_does_not_end_an_outage(history, nights):
    """CG501 is over when the source answers, not when no one asks."""
    nights.run(result(Verdict.UNVERIFIABLE, [finding("s1", "CG501", None)], layers={}))

    nights.run(result(), asked_source=False)
    assert now(history, "s1") is NEW
    nights.run(result())
    assert now(history, "s1") is RESOLVED


@pytest.mark.parametrize(
    ("rule", "layer", "decided", "asked", "expected"),
    [
        ("CG101", "L1", {"L1"}, False, True),
        ("CG101", "L1", {"L3"}, True, False),
        ("CG101", "L1", set(), True, False),
        ("CG508", "", {"L1"}, False, True),
        ("CG509", "", {"L1"}, False, False),
        ("CG509", "", {"L1"}, True, True),
        ("CG509", "", set(), True, False),
        ("CG602", "", {"L1"}, False, True),
        ("CG701", "", set(), True, False),
    ],
)
def test_only_a_run_that_looked_resolves(rule, layer, decided, asked, expected):
    """The whole table of who may resolve what."""
    assert may_resolve(rule, layer, decided, asked_source=asked) is expected


def test_what_an_aborted_run_saw_first_is_still_new(history, nights):
    """No one was told by a run that died: the next one says new, or back, once more."""
    nights.run(violated(finding("back")))
    nights.run(result())
    history.record_document(nights.begin(), CORPUS, violated(finding("f1"), finding("back")))

    states = nights.run(violated(finding("f1"), finding("back")))
    after = nights.run(violated(finding("f1"), finding("back")))

    assert states == {"f1": NEW, "back": REGRESSED}
    assert after == {"f1": OPEN, "back": OPEN}


def test_a_finding_keeps_every_field_and_shows_its_latest_text(history, nights):
    """The stored finding is the finding; a change of its text is taken over."""
    nights.run(violated(finding("f1", stored="ten days")))
    full = finding(
        "f1",
        provision="sec_4.1__subsec_2",
        section="4.1",
        passage="h-4.1-2",
        row=7,
        where="harbour.jsonl:8",
        cause=Cause.CORPUS_ALTERED,
        differences=(Difference.NUMBER, Difference.WORDING),
        official="“thirty” days\x00",
        stored="ten\ud800 days",
        diff="[-thirty-]{+ten+} days",
        evidence=("sha256:aa", "sha256:bb"),
    )
    nights.run(violated(full))

    assert history.finding("f1").finding == full


def test_two_findings_of_one_fingerprint_are_one(history, nights):
    """They cannot be told apart, so they live one life and the first one's text stands."""
    states = nights.run(violated(finding("f1", stored="a"), finding("f1", stored="b")))

    assert states == {"f1": NEW}
    assert [record.finding.stored for record in history.findings(run=1)] == ["a"]


def test_a_finding_without_fingerprint_is_refused_and_nothing_is_stored(history, nights):
    """All such findings would share one life; the transaction is undone."""
    run = nights.begin()

    with pytest.raises(StorageError, match="no fingerprint"):
        history.record_document(run, CORPUS, violated(finding("f1"), finding("")))

    assert history.document_results(run) == []
    assert history.findings() == []


def test_findings_of_the_run_itself_have_a_life_too(history, nights):
    """Nothing in scope, clock skew: seen, then gone when the run no longer says so."""
    skew = finding("r1", "CG510", None)
    first, second, third = nights.begin(), None, None
    told = [history.record_run_findings(first, [skew])]
    second = nights.begin()
    history.record_document(second, CORPUS, result())
    assert now(history, "r1") is NEW
    history.finish_run(second, Verdict.VERIFIED, "2026-03-02T02:05:00Z", 0)
    third = nights.begin()
    told.append(history.record_run_findings(third, []))

    assert told == [{"r1": NEW}, {}]
    assert history.finding("r1").resolved_run == third


def test_findings_are_filtered_by_each_field(history, nights):
    """run, state, rule, document, corpus and limit, one by one and together."""
    nights.run(violated(finding("f1"), finding("f2", "CG301", Layer.L3)))
    nights.run(violated(finding("f3"), document="ca-on/statute/00z01@en"), corpus="second")

    def names(**filters):
        return [record.finding.fingerprint for record in history.findings(**filters)]

    assert names() == ["f3", "f1", "f2"]
    assert names(rule="CG301") == ["f2"]
    assert names(document=DOCUMENT) == ["f1", "f2"]
    assert names(corpus="second") == ["f3"]
    assert names(run=1, rule="CG101") == ["f1"]
    assert names(run=2) == ["f3"]
    assert names(state=OPEN) == []
    assert names(limit=1) == ["f3"]
    assert names(rule="' OR 1=1 --") == []


def test_a_fingerprint_is_found_by_a_prefix_that_is_its_own(history, nights):
    """Too short a prefix names the candidates; wildcards and nothing match nothing."""
    nights.run(violated(finding("abc1"), finding("abd2")))

    assert history.finding("abd").finding.fingerprint == "abd2"
    with pytest.raises(ConfigError, match="abc1, abd2"):
        history.finding("ab")
    for nothing in ("", "%", "_bc1", "x' OR '1'='1"):
        with pytest.raises(ConfigError, match="no finding"):
            history.finding(nothing)
