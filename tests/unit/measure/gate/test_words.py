"""Every failure of `measure gate` names its cause and the next step, with the right exit code."""

from __future__ import annotations

import json
import sys

import pytest

from tests.unit.measure.gate import harbour

LAW = "! TB | Toll Bridges Act\n@ 1 | Tolls\nThe toll is 3 crowns for a horse.\n"
BUILD = ("build", "--dev", "law.txt", "--sealed", "law.txt", "--name", "n", "--seed", "1")
RUN = ("run", "--fixture", "own.json", "--subject", "substring")
PROPOSE = ("ledger", "propose", "--fixture", "own.json", "--subject", "substring", "--design")
REGISTER = ("ledger", "register", "--fixture", "own.json", "--subject", "substring")

WORDS = {
    # words, exit code, cause
    "build: a law is missing": (
        ("build", "--dev", "no", "--sealed", "no", "--name", "n", "--seed", "1", "-o", "d"),
        2, "cannot read no",
    ),
    "build: a law is empty": (
        ("build", "--dev", "empty", "--sealed", "law.txt", "--name", "n", "--seed", "1", "-o", "d"),
        2, "holds no sentence of law",
    ),
    "build: both halves are one law": ((*BUILD, "-o", "d"), 2, "both halves have"),
    "build: no name": ((*BUILD[:-3], "", *BUILD[-2:], "-o", "d"), 2, "--name is empty"),
    "build: no folder": ((*BUILD, "-o", "no/d"), 2, "does not exist"),
    "export: no draft": (("label", "export", "own.json", "--labeller", "a", "-o", "s"), 2, "draft"),
    "export: a path for a name": (
        ("label", "export", "draft.json", "--labeller", "../a", "-o", "s"), 2, "--labeller '../a'",
    ),
    "import: a path for a name": (
        ("label", "import", "draft.json", "--labeller", "a/b", "empty"), 2, "--labeller 'a/b'",
    ),
    "import: not answered": (
        ("label", "import", "draft.json", "--labeller", "a", "sheet"), 2, "it has no 'label'",
    ),
    "import: empty": (
        ("label", "import", "draft.json", "--labeller", "a", "empty"), 2, "have no answer",
    ),
    "agreement: no labels": (("label", "agreement", "draft.json"), 2, "has no labels yet"),
    "audit: no labels": (("label", "audit", "draft.json", "empty"), 2, "nothing to audit"),
    "seal: no labels": (
        ("seal", "draft.json", "-o", "f.json", "--key-file", "k"), 2, "three are needed",
    ),
    "seal: no folder": (
        ("seal", "draft.json", "-o", "f.json", "--key-file", "no/k"), 2, "of --key-file",
    ),
    "run: no subject": ((*RUN[:3], "-o", "out"), 2, "name one subject"),
    "run: a file in the way": ((*RUN, "-o", "empty"), 2, "is there already"),
    "recompute: missing": (("recompute", "no"), 2, "cannot read no"),
    "recompute: empty": (("recompute", "empty"), 4, "no verdicts file"),
    "recompute: no results": (("recompute", "alone.jsonl"), 2, "results.json"),
    "recompute: results of another kind": (
        ("recompute", "alone.jsonl", "--results", "own.json"), 4, "none of a gate's measurement",
    ),
    "recompute: results that are no JSON": (
        ("recompute", "alone.jsonl", "--results", "law.txt"), 4, "not JSON",
    ),
    "ledger show: missing": (("ledger", "show", "no"), 2, "cannot read no"),
    "ledger show: empty": (("ledger", "show", "empty"), 3, "is empty"),
    "ledger show: not a ledger": (("ledger", "show", "law.txt"), 4, "line 1"),
    "propose: no design": ((*PROPOSE, " "), 2, "--design is empty"),
    "register: not one": ((*REGISTER, "law.txt", "--ledger", "l"), 2, "is not TOML"),
    "register: no reason": ((*REGISTER, "bars.toml", "--ledger", "l"), 2, "says no why"),
}  # fmt: skip


@pytest.fixture
def folder(cli, draft, tmp_path):
    """Everything that the words above name."""
    harbour.write(tmp_path)
    (tmp_path / "law.txt").write_text(LAW)
    (tmp_path / "empty").write_text("")
    (tmp_path / "draft.json").write_bytes(draft.dump())
    (tmp_path / "sheet").write_text('{"id": "i0", "source": "s", "sentence": "t"}\n')
    (tmp_path / "bars.toml").write_text(cli(*PROPOSE, "x")[1])
    assert cli(*RUN, "-o", "before")[0] == 0
    (tmp_path / "before/verdicts.jsonl").rename(tmp_path / "alone.jsonl")
    return tmp_path


@pytest.mark.parametrize(("words", "code", "cause"), WORDS.values(), ids=WORDS)
def test_a_failure_names_cause_and_next_step(words, code, cause, cli, folder):
    """And leaves nothing behind, inside the folder or beside it."""
    before = {path for path in folder.parent.rglob("*") if ".lock" not in path.name}
    came, _, said = cli(*words)
    assert (came, cause in said, "next: " in said) == (code, True, True), said
    assert "Traceback" not in said
    after = {path for path in folder.parent.rglob("*") if ".lock" not in path.name}
    assert after == before


PROGRAMS = {
    # program, seconds that it gets, cause
    "ends": ("raise SystemExit(7)", 60, "ended with exit code 7 before it had answered"),
    "babbles": ("print('ships', flush=True); input()", 60, "is no decision: 'ships'"),
    "says too much": (
        'print(\'{"decision": "ships"}\\n\' * 2, flush=True); input()', 60, "more than",
    ),
    "is silent": ("import time; time.sleep(600)", 1, "no answer within 1 seconds"),
    "never stops": ("print('x' * 10**6, flush=True); input()", 60, "longer than 65536 bytes"),
}  # fmt: skip


@pytest.mark.parametrize(("program", "seconds", "cause"), PROGRAMS.values(), ids=PROGRAMS)
def test_why_a_program_gave_no_decision_is_said(program, seconds, cause, cli, tmp_path):
    """How often, why, and what to do; a run of errors is no result."""
    (tmp_path / "own.json").write_text(json.dumps(harbour.items()[:1]))
    (tmp_path / "judge.py").write_text(program)
    words = ("--command", f"{sys.executable} judge.py", "--timeout", f"{seconds}")
    code, _, said = cli("run", "--fixture", "own.json", *words, "-o", "out", "--quiet")
    assert code == 3
    assert "1 error: the program" in said
    assert cause in said
    assert said.count("next: ") == 2
    assert "1 of 1 decisions ended in an error" in said


@pytest.mark.parametrize(
    ("keep", "said"),
    [
        (("v1-0",), "no unsupported item was decided on: this says nothing of false pass"),
        (("w1-0",), "no supported item was decided on: this says nothing of lost"),
        (("v1-0", "s1-0", "w2-0"), "all unsupported items are of one family"),
    ],
)
def test_what_a_fixture_cannot_show_is_said(keep, said, cli, tmp_path):
    """No unsupported items are not a false pass rate of zero."""
    rows = [row | {"pair": ""} for row in harbour.items() if row["id"] in keep]
    (tmp_path / "own.json").write_text(json.dumps(rows))
    code, _, words = cli(*RUN, "-o", "out")
    assert (code, said in words) == (0, True), words
    page = (tmp_path / "out/results.md").read_text()
    assert "1 families" not in page
    assert "1 items" not in page


def test_where_every_item_is_set_aside_nothing_is_measured(cli, tmp_path):
    """Exit 3, and it is the labels that are to be looked at."""
    votes = dict.fromkeys("abc", "unsupported")
    (tmp_path / "own.json").write_text(json.dumps([harbour.items()[0] | {"votes": votes}]))
    code, _, said = cli(*RUN, "-o", "out")
    assert (code, "no item was decided on" in said, "look at the labels" in said) == (3, True, True)
    assert "of which 1 is contested" in (tmp_path / "out/results.md").read_text()


def test_a_cut_cipher_does_not_open(cli, promise, sealed_run, sealed_fixture):
    """Cut anywhere: 4, with the cause, and no attempt is used."""
    file = promise("cut", "--subject", "substring")
    found = json.loads(sealed_fixture.read_text())
    whole = found["sealed"]["token"]
    for length in (1, 50, len(whole) // 2, len(whole) - 1):
        found["sealed"]["token"] = whole[:length]
        sealed_fixture.write_text(json.dumps(found))
        words = ("--fixture", "fixture.json", "--half", "sealed", "--key-file", "key.txt")
        code, _, said = cli("run", *words, "--subject", "substring", "-o", "out")
        assert (code, "does not open" in said, "next: " in said) == (4, True, True), said
        assert sealed_run(file, "out", "--subject", "substring")[0] == 4
    ledger = sealed_fixture.with_name("ledger.jsonl").read_text()
    assert '"entry":"begin"' not in ledger
