"""The default gate as a subject of measurement: the same rules, and nothing of a fixture but text."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from corpusguard.gate import measured
from corpusguard.gate.measured import DefaultGate
from corpusguard.measure.gate.command import CommandSubject
from corpusguard.measure.gate.subjects import subject_digest
from corpusguard.service.measuring import recompute

ROOT = Path(__file__).parents[3]

TEXT = "Tolls\n4 (1) The toll is 3 crowns, unless the bridge is closed.\n(2) A dog crosses free."


@pytest.mark.parametrize(
    ("sentence", "decision"),
    [
        ("The toll is 3 crowns, unless the bridge is closed.", "ships"),
        ("Section 4 (2) provides that a dog crosses free.", "ships"),
        ("The toll is 3 crowns.", "stripped"),
        ("The toll is 4 crowns, unless the bridge is closed.", "stripped"),
        ("A dog crosses free. The toll is 3 crowns.", "stripped"),
        ("Section 5 provides that a dog crosses free.", "stripped"),
        ("", "stripped"),
        ("   ", "stripped"),
    ],
)
def test_a_sentence_ships_whole_or_not(sentence, decision):
    """Quoted clauses ship; the heading above the number is no part of them."""
    assert DefaultGate().decide(sentence, [("s-4", TEXT)]) == decision


def test_without_a_passage_nothing_ships():
    """An answer that cites nothing is withheld."""
    assert DefaultGate().decide("The toll is 3 crowns.", []) == "stripped"


def test_a_changed_rule_is_another_subject(tmp_path, monkeypatch):
    """What is preregistered names every file that a decision is made with."""
    before = DefaultGate().facts
    assert before == DefaultGate().facts
    numbers = tmp_path / "numbers.py"
    numbers.write_text("pass")
    sources = measured._sources("corpusguard.gate.core")
    changed = {**sources, "corpusguard.gate.vetoes.numbers": numbers}
    monkeypatch.setattr(measured, "_sources", lambda _: changed)

    assert subject_digest(DefaultGate().facts) != subject_digest(before)


def test_the_files_that_decide_are_named_and_no_others():
    """Rules, splitter, vetoes and quotations count; judges, storage and the command line do not."""
    names = set(measured._sources("corpusguard.gate.core"))

    for part in ("core", "splitter", "quote", "clauses", "citations", "vetoes", "vetoes.facts"):
        assert f"corpusguard.gate.{part}" in names
    assert not {
        name for name in names if name.startswith(("corpusguard.cli", "corpusguard.service"))
    }
    assert not names & {"corpusguard.gate.api", "corpusguard.gate.measured", "corpusguard.gate"}


def test_the_vetoes_alone_let_more_through_but_nothing_that_they_object_to():
    """The second design: what is no quotation ships where no veto objects."""
    vetoes = measured.SUBJECTS[measured.VETOES_ALONE]

    assert vetoes.decide("The toll amounts to 4 crowns.", [("s-4", TEXT)]) == "stripped"
    assert vetoes.decide("A dog crosses free.", [("s-4", TEXT)]) == "ships"
    assert subject_digest(vetoes.facts) != subject_digest(DefaultGate().facts)


@pytest.mark.parametrize("argument", ["", "yes"])
def test_the_program_of_the_benchmarks_is_the_same_gate(argument):
    """Behind the protocol of `--command`, it decides what the built-in subject decides."""
    subject = measured.SUBJECTS[measured.VETOES_ALONE if argument else measured.DEFAULT_GATE]
    program = ROOT / "benchmarks/gate/quote_gate.py"
    sentences = [
        "A dog crosses free.",
        "The toll is 3 crowns.",
        "The toll amounts to 4 crowns.",
        "",
    ]
    with CommandSubject([sys.executable, str(program), *argument.split()], 60.0) as own:
        decisions = [own.decide(one, [("s-4", TEXT)]) for one in sentences]
    assert decisions == [subject.decide(one, [("s-4", TEXT)]) for one in sentences]


@pytest.mark.parametrize(
    "run",
    [
        "benchmarks/gate/sealed/quote",
        "benchmarks/gate/sealed/quote-2",
        "benchmarks/gate/sealed/substring",
        "experiments/quote-or-no-veto/results",
        "experiments/quote-or-equivalent/results",
    ],
)
def test_the_published_runs_still_follow_from_their_verdicts(run):
    """Kinds, labels and pairs are the fixture's, and the ledger knows the verdicts."""
    folder = ROOT / "benchmarks/gate"
    verdicts = ROOT / run / "verdicts.jsonl"
    ledger = folder / "sealed/ledger.jsonl"
    found, differing = recompute(verdicts, None, folder / "fixture.json", ledger)
    assert differing == []
    assert subject_digest(found["run"]["subject"]) == found["run"]["subject_digest"]


def test_the_rules_are_those_that_were_measured_or_the_page_says_that_they_are_not():
    """Whoever changes a rule changes what the published figures are of."""
    published = ROOT / "benchmarks/gate/sealed/quote-2/results.json"
    measured_as = json.loads(published.read_text(encoding="utf-8"))["run"]["subject_digest"]
    now = subject_digest(measured.SUBJECTS[measured.DEFAULT_GATE].facts)
    page = (ROOT / "docs/measuring-the-gate.md").read_text(encoding="utf-8")
    says_changed = "The rules have changed since" in " ".join(page.split())
    assert (now != measured_as) == says_changed
