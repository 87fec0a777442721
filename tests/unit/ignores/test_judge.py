"""Which findings count: by expiry, by both texts, by where a run looked; and the exit code."""

from __future__ import annotations

import dataclasses
from datetime import date

import pytest

from corpusguard.ignores import (
    NO_LISTS,
    Baseline,
    Ignore,
    IgnoreFile,
    Lists,
    Looked,
    accepted,
    applied_in,
    apply,
    counting,
    entry_of,
    exit_code,
    why_not,
)
from corpusguard.model import Layer, Severity, SuppressionKind, Verdict
from corpusguard.rules import RULES
from tests.unit.report.results import DOC, clean, document, finding, run

TODAY = date(2026, 11, 20)
SIDES = {"official_digest": "sha256:" + "1" * 64, "stored_digest": "sha256:" + "2" * 64}
ONE = finding(fingerprint=f"{1:016x}", **SIDES)
TWO = finding(fingerprint=f"{2:016x}", **SIDES)
LAYERS = {"L1": Verdict.VIOLATED, "L2": Verdict.VERIFIED, "L3": Verdict.VERIFIED}


def looked(*findings, corpus="c", **changed):
    found = document(*findings, **({"layers": LAYERS} | changed))
    return Looked({(corpus, DOC): found}, frozenset({corpus, "other"}), frozenset({DOC, "x"}))


def ignore(of=ONE, corpus="c", written="2026-11-01", expires="2026-12-01", **changed):
    entry = dataclasses.replace(entry_of(of, corpus), **changed)
    return Ignore(entry, "a reason", "Ada", written, expires)


def lists(*ignores, known=()):
    entries = tuple(entry_of(one, "c") for one in known)
    base = Baseline(3, "sha256:" + "h", "2026-10-01T03:00:00Z", entries, "sha256:b" * bool(known))
    return Lists(IgnoreFile(ignores, "sha256:i"), base)


def test_an_ignore_applies_while_both_texts_are_as_they_were():
    """Its words come along; nothing else is suppressed."""
    applied = apply(lists(ignore()), looked(ONE, TWO), TODAY)
    assert list(applied.suppressions) == [ONE.fingerprint]
    why = applied.suppressions[ONE.fingerprint]
    assert (why.kind, why.reason, why.owner) == (SuppressionKind.IGNORE, "a reason", "Ada")
    assert applied.findings == []


@pytest.mark.parametrize("side", SIDES)
def test_an_ignore_dies_when_either_text_moves(side):
    """The finding counts again, and the entry is a finding of its own."""
    moved = dataclasses.replace(ONE, **{side: "sha256:" + "9" * 64})
    applied = apply(lists(ignore()), looked(moved), TODAY)
    assert applied.suppressions == {}
    (said,) = applied.findings
    assert said.rule == "CG603"
    assert f"the {side.removesuffix('_digest')} text has moved" in said.message


def test_the_last_day_counts_and_the_next_does_not():
    """By the day of the run, UTC."""
    last = apply(lists(ignore()), looked(ONE), date(2026, 12, 1))
    assert last.suppressions
    over = apply(lists(ignore()), looked(ONE), date(2026, 12, 2))
    assert over.suppressions == {}
    assert [one.rule for one in over.findings] == ["CG602"]
    assert over.findings[0].severity is Severity.WARNING


def test_an_ignore_from_the_future_does_not_apply():
    """Else whoever wrote one could move its end as far as they like."""
    future = ignore(written="2026-11-22", expires="2026-12-20")
    applied = apply(lists(future), looked(ONE), TODAY)
    assert applied.suppressions == {}
    assert applied.findings[0].rule == "CG603"
    assert apply(lists(ignore(written="2026-11-21")), looked(ONE), TODAY).suppressions


@pytest.mark.parametrize(
    "changed",
    [
        {"rule": "CG104"},
        {"section": "8"},
        {"passage": "another"},
        {"document": "x"},
        {"corpus": "other"},
    ],
)
def test_an_entry_that_names_another_finding_than_its_fingerprint_does_not_apply(changed):
    """A reviewer believes the names, not the digits."""
    applied = apply(lists(ignore(**changed)), looked(ONE), TODAY)
    assert applied.suppressions == {}
    assert [one.rule for one in applied.findings] == ["CG603"]


def test_unused_is_said_only_by_a_run_that_looked():
    """Another document, another layer, or an unverifiable result says nothing of it."""
    gone = lists(ignore(TWO))
    assert [one.rule for one in apply(gone, looked(ONE), TODAY).findings] == ["CG603"]
    elsewhere = Looked({}, frozenset({"c"}), frozenset({DOC}))
    assert apply(gone, elsewhere, TODAY).findings == []
    other_layer = looked(ONE, layers={"L3": Verdict.VIOLATED})
    assert apply(gone, other_layer, TODAY).findings == []
    down = looked(ONE, verdict=Verdict.UNVERIFIABLE)
    assert apply(gone, down, TODAY).findings == []
    unlisted = Looked({}, frozenset({"c"}), frozenset({"x"}))
    assert [one.rule for one in apply(gone, unlisted, TODAY).findings] == ["CG603"]


def test_the_baseline_knows_and_never_complains():
    """What is gone is counted for `baseline update`; what moved counts again."""
    applied = apply(lists(known=[ONE, TWO]), looked(ONE), TODAY)
    assert list(applied.suppressions) == [ONE.fingerprint]
    assert applied.suppressions[ONE.fingerprint].kind is SuppressionKind.BASELINE
    assert [entry.fingerprint for entry in applied.gone] == [TWO.fingerprint]
    assert applied.findings == []
    moved = dataclasses.replace(ONE, stored_digest="sha256:" + "9" * 64)
    assert apply(lists(known=[ONE]), looked(moved), TODAY).suppressions == {}
    elsewhere = Looked({}, frozenset({"c"}), frozenset({DOC}))
    assert apply(lists(known=[ONE]), elsewhere, TODAY).gone == []


def test_the_record_holds_reasons_and_ends_and_gives_them_back():
    """What a report needs is in the evidence; and nothing is where there is no list."""
    applied = apply(lists(ignore(), known=[ONE, TWO]), looked(ONE, TWO), TODAY)
    assert applied_in(applied.record) == applied.suppressions
    assert applied.suppressions[ONE.fingerprint].kind is SuppressionKind.IGNORE
    assert applied.record["ignore_file"] == "sha256:i"
    assert {one["expires"] for one in applied.record["applied"]} == {"2026-12-01", ""}
    assert apply(NO_LISTS, looked(ONE), TODAY).record is None


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule[2] in "567"])
def test_what_could_not_be_verified_can_never_be_ignored(rule):
    """Errors of the source, of age and of the evidence; only an anomaly of reading may stand."""
    known = RULES[rule]
    found = finding(rule, layer=known.layer, severity=known.severity, **SIDES)
    assert bool(why_not(found)) == (rule != "CG508")
    assert ("evidence" in why_not(found)) == rule.startswith("CG7")
    applied = apply(lists(ignore(found)), looked(found), TODAY)
    assert bool(applied.suppressions) == (rule == "CG508")


@pytest.mark.parametrize(("rule", "layer"), [("CG302", Layer.L3), ("CG205", Layer.L2)])
def test_what_cannot_be_told_can_never_be_ignored(rule, layer):
    """Unverifiable is never a pass, whoever signs for it; the same rule as an error may be."""
    open_one = finding(rule, layer=layer, severity=Severity.WARNING, **SIDES)
    assert "cannot be told" in why_not(open_one)
    assert not why_not(dataclasses.replace(open_one, severity=Severity.ERROR))
    assert "no official and stored text" in why_not(finding())


def result(*findings, suppress=(), **changed):
    values = {"layers": LAYERS} | changed
    own = values.pop("own", ())
    known = apply(lists(*(ignore(one) for one in suppress)), looked(*findings), TODAY)
    return run(document(*findings, **values), findings=own, suppressions=known.suppressions)


def test_all_ignored_is_exit_0_and_still_violated():
    """The exit code changes, the verdict and the passages don't."""
    found = result(ONE, suppress=[ONE])
    assert exit_code(found, Severity.ERROR) == 0
    assert found.verdict is Verdict.VIOLATED
    assert found.documents[0].verified_passages == 540
    assert exit_code(result(ONE, TWO, suppress=[ONE]), Severity.ERROR) == 1
    assert exit_code(result(ONE), Severity.ERROR) == 1


@pytest.mark.parametrize(
    "changed",
    [
        {"passages": 0},
        {"provisions": 0},
        {"layers": LAYERS | {"L3": Verdict.UNVERIFIABLE}},
        {"layers": LAYERS | {"L3": Verdict.VIOLATED}},
        {"verdict": Verdict.UNVERIFIABLE},
        {"own": (finding("CG507", layer=None),)},
    ],
    ids=str,
)
def test_what_is_not_explained_by_ignores_is_exit_3(changed):
    """Nothing stored, nothing read, a layer without a verdict or without a reason, a lost corpus."""
    assert exit_code(result(ONE, suppress=[ONE], **changed), Severity.ERROR) == 3


def test_a_source_error_beside_an_ignored_finding_is_exit_3():
    """Nothing is known of what the source says now."""
    down = finding("CG501", layer=None, fingerprint=f"{7:016x}")
    assert exit_code(result(ONE, down, suppress=[ONE]), Severity.ERROR) == 3


def test_an_open_question_beside_an_ignored_finding_is_exit_3():
    """Without the ignored error, its layer would be unverifiable."""
    question = finding("CG302", layer=Layer.L1, severity=Severity.WARNING, fingerprint="7" * 16)
    question = dataclasses.replace(question, layer=Layer.L3)
    error = dataclasses.replace(ONE, layer=Layer.L3)
    layers = {"L1": Verdict.VERIFIED, "L2": Verdict.VERIFIED, "L3": Verdict.VIOLATED}
    found = run(
        document(error, question, layers=layers),
        suppressions=apply(lists(ignore(error)), looked(error, layers=layers), TODAY).suppressions,
    )
    assert found.suppressions
    assert exit_code(found, Severity.ERROR) == 3


def test_warnings_count_where_they_are_asked_for():
    """Also one about an expired ignore."""
    warning = dataclasses.replace(ONE, severity=Severity.WARNING)
    own = finding("CG602", layer=None, severity=Severity.WARNING, fingerprint="8" * 16)
    assert counting([warning, own], {ONE.fingerprint}, Severity.WARNING) == [own]
    assert counting([warning, own], (), Severity.ERROR) == []
    good = run(clean(), verdict=Verdict.VERIFIED, findings=(own,))
    assert exit_code(good, Severity.ERROR) == 0
    assert exit_code(good, Severity.WARNING) == 1


def test_nothing_is_accepted_in_an_empty_run():
    """An empty run is never a pass."""
    assert exit_code(run(verdict=Verdict.UNVERIFIABLE), Severity.ERROR) == 3
    assert not accepted(document(layers={}), ())
