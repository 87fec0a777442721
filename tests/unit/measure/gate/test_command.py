"""A user's own judge, as a program: measured in one command, and trusted with nothing."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from corpusguard.measure.gate.command import CommandSubject
from corpusguard.measure.gate.subjects import Function, outcome_of

HONEST = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    text = " ".join(asked["passages"][0]["text"].split())
    ships = asked["sentence"] in text
    print(json.dumps({"decision": "ships" if ships else "stripped"}), flush=True)
"""


def _program(tmp_path, text):
    path = tmp_path / "judge.py"
    path.write_text(text)
    return [sys.executable, str(path)]


def test_a_users_own_fixture_and_judge_in_one_command(cli, labelled, tmp_path):
    """A plain JSON list of items and a program: figures, verdicts and a page."""
    (tmp_path / "own.json").write_text(json.dumps([item.record() for item in labelled.dev]))
    words = _program(tmp_path, HONEST)
    code, out, said = cli("run", "--fixture", "own.json", "--command", " ".join(words), "-o", "out")
    assert code == 0, said
    assert "false pass" in out
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {"results.html", "results.json", "results.md", "verdicts.jsonl"}
    results = json.loads((tmp_path / "out/results.json").read_text())
    shares = results["figures"]["shares"]
    assert shares["errors"]["hits"] == 0
    assert shares["tier.verbatim"]["hits"] == 0
    assert shares["kind.wrong_number"]["hits"] == 0
    assert len(results["run"]["subject"]["sha256 of judge.py"]) == 64


@pytest.mark.parametrize(
    "reply",
    [
        "print('ships')",
        'print(\'{"decision": "SHIPS"}\')',
        'print(\'{"decision": "ships? No."}\')',
        'print(\'{"decision": "ships", "why": "because"}\')',
        "print('[\"ships\"]')",
        'print(\'{"decision": "ships"}\' * 2)',
        'print(\'{"decision": "ships"}\\n{"decision": "ships"}\')',
        "print('{\"decision\": null}')",
        "print('x' * 1_000_000)",
        "print('[' * 60_000)",
        "raise SystemExit(3)",
        'sys.stdout.write(\'{"decision": "ships"}\')',
        "time.sleep(60)",
    ],
)
def test_whatever_is_no_answer_is_an_error(reply, tmp_path):
    """Never a pass; and the next question gets a fresh program."""
    text = (
        "import sys, time, json\nfor line in sys.stdin:\n"
        " if json.loads(line)['sentence'] == 'good':\n"
        '  print(\'{"decision": "ships"}\', flush=True)\n'
        f" else:\n  {reply}\n  sys.stdout.flush()\n"
        "  time.sleep(60)\n"
    )
    silent = "\\n" not in reply and reply.startswith(("time.", "sys.stdout"))
    with CommandSubject(_program(tmp_path, text), timeout=1.0 if silent else 60.0) as subject:
        assert outcome_of(subject, "bad", [("s", "text")]).decision == "error"
        subject._timeout = 60.0  # the good answer has to come, not to be quick
        assert outcome_of(subject, "good", [("s", "text")]).decision == "ships"


def test_a_judge_does_not_see_the_key(tmp_path, monkeypatch):
    """It is taken out of the environment of the program."""
    monkeypatch.setenv("CORPUSGUARD_SEAL_KEY", "secret")
    monkeypatch.setenv("OTHER", "kept")
    text = (
        "import os, sys\nfor line in sys.stdin:\n"
        " sees = 'CORPUSGUARD_SEAL_KEY' in os.environ or 'OTHER' not in os.environ\n"
        " print('{\"decision\": \"%s\"}' % ('ships' if sees else 'stripped'), flush=True)\n"
    )
    with CommandSubject(_program(tmp_path, text), timeout=10.0) as subject:
        assert outcome_of(subject, "sentence", [("s", "text")]).decision == "stripped"


def test_a_question_larger_than_a_pipe_gets_through(tmp_path):
    """Also to a program that writes before it reads to the end."""
    with CommandSubject(_program(tmp_path, HONEST), timeout=20.0) as subject:
        assert outcome_of(subject, "§" * 4000, [("s", "§" * 40_000)] * 5).decision == "ships"


def test_the_program_is_gone_afterwards(tmp_path):
    """Neither left running nor waited for."""
    with CommandSubject(_program(tmp_path, "import time; time.sleep(600)"), 60.0) as subject:
        process = subject._process
        began = time.monotonic()
    assert process.poll() is not None
    assert time.monotonic() - began < 60


def test_what_the_program_started_is_gone_too(tmp_path):
    """A shell around a judge is no way to outlive the run."""
    program = _program(tmp_path, "import time; time.sleep(600)")
    text = f"import os, subprocess, sys\nsys.exit(subprocess.run({program!r}).returncode)\n"
    outer = tmp_path / "outer.py"
    outer.write_text(text)
    with CommandSubject([sys.executable, str(outer)], 60.0) as subject:
        group = subject._process.pid
        _until(lambda: len(_alive(group)) == 2)
    _until(lambda: not _alive(group))


def _until(condition):
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def _alive(group: int) -> list[str]:
    """Return the processes of a group, as ps names them; zombies are none."""
    shown = subprocess.run(
        ["ps", "-eo", "pgid=,stat=,pid="], capture_output=True, text=True, check=True
    ).stdout
    rows = [line.split() for line in shown.splitlines()]
    return [pid for pgid, state, pid in rows if pgid == str(group) and state[0] != "Z"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "name one subject"),
        (("--subject", "substring", "--command", "cat"), "name one subject"),
        (("--subject", "substrin"), "Did you mean substring?"),
        (("--command", "no-such-program-anywhere"), "cannot start"),
        (("--command", "'open"), "quotes"),
        (("--command", ""), "names no program"),
    ],
)
def test_a_subject_that_cannot_be_is_refused_before_anything_is_written(words, said, cli, tmp_path):
    """Exit code 2 and the next step; no folder is made."""
    code, _, error = cli("run", "--fixture", "none.json", *words, "-o", "out")
    assert (code, said in error) == (2, True), error
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("text", ["", "[]", "{}", "null", '{"schema": "x"}', "[" * 100_000, "[1]"])
def test_a_fixture_that_is_none_is_refused(text, cli, tmp_path):
    """An empty run is never a pass."""
    (tmp_path / "f.json").write_text(text)
    code, _, said = cli("run", "--fixture", "f.json", "--subject", "substring", "-o", "out")
    assert code == 2
    assert "next: " in said
    assert not (tmp_path / "out").exists()


def test_a_plain_list_has_no_sealed_half(cli, labelled, tmp_path, monkeypatch):
    """And says so, before it asks for anything else."""
    monkeypatch.setenv("CORPUSGUARD_SEAL_KEY", "x")
    (tmp_path / "own.json").write_text(json.dumps([item.record() for item in labelled.dev]))
    code, _, said = cli(
        "run", "--fixture", "own.json", "--half", "sealed", "--subject", "substring", "-o", "out"
    )
    assert (code, "has no sealed half" in said) == (2, True)


def test_the_example_of_the_docs_runs(cli, tmp_path):
    """The items that docs/measuring-the-gate.md shows are a fixture."""
    docs = Path(__file__).parents[4] / "docs" / "measuring-the-gate.md"
    example = docs.read_text(encoding="utf-8").split("```json\n")[1].split("```")[0]
    (tmp_path / "own.json").write_text(example)
    words = " ".join(_program(tmp_path, HONEST))
    code, _, said = cli("run", "--fixture", "own.json", "--command", words, "-o", "out")
    assert code == 0, said
    shares = json.loads((tmp_path / "out/results.json").read_text())["figures"]["shares"]
    assert (shares["false_pass"]["hits"], shares["lost"]["hits"]) == (0, 1)


@pytest.mark.parametrize("answer", ["SHIPS", "ships ", "", None, True, 1, ["ships"], {"ships"}])
def test_a_function_that_answers_anything_else_has_made_an_error(answer):
    """In this process too, only the exact word is a pass."""
    subject = Function("odd", lambda _sentence, _passages: answer)
    assert outcome_of(subject, "sentence", [("s", "text")]).decision == "error"
