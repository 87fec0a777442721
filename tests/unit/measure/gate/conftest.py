from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from corpusguard.cli.app import app
from corpusguard.measure.gate.build import Plan, build
from corpusguard.measure.gate.draft import Draft, make_draft
from corpusguard.measure.gate.law import read_law

DEV_LAW = Path(__file__).parents[4] / "benchmarks" / "gate" / "dev.law.txt"

SEALED_LAW = """
! TB | Toll Bridges Act
@ 1 | Tolls
The toll is 3 crowns for a horse and 8 crowns for a coach, unless the bridge is under repair.
< 8 crowns => 6 crowns
+P A horse costs 3 crowns and a coach 8, except while the bridge is being repaired.
-dc The toll for a coach is 8 crowns.
-up The toll for a dog is 1 crown.
@ 2 | Keepers
(1) A keeper shall light the lantern at dusk and may ask the Council for oil.
(2) The Council shall give the keeper oil within 5 days, unless the keeper has sold some.
-dc The Council has to give the keeper oil within 5 days.
@ 3 | Closing
No person shall close the bridge for more than 2 hours, except:¶(a) the Council; or¶(b) a keeper in a storm.
-wa A coachman may close the bridge for a day.
@ 4 | Offences
A person who contravenes section 3 commits an offence and is liable to a fine of 40 crowns.
-ws A person who contravenes section 2 commits an offence.
"""


@pytest.fixture
def draft() -> Draft:
    dev = build(read_law(DEV_LAW.read_bytes(), "dev"), Plan(7, 3, 4))
    sealed = build(read_law(SEALED_LAW.encode(), "sealed"), Plan(7, 3, 4))
    return make_draft("bridge", 1, dev, sealed)


@pytest.fixture
def labelled(draft: Draft) -> Draft:
    """Three labellers: two say what was meant, the third errs on the first item of each half."""
    for who in ("a", "b", "c"):
        votes = {item.id: item.intended for item in draft.items}
        if who == "c":
            for half in (draft.dev, draft.sealed):
                first = half[0]
                votes[first.id] = next(v for v in type(first.intended) if v != first.intended)
        draft = draft.voted(who, votes)
    return draft


@pytest.fixture
def cli(tmp_path, monkeypatch):
    """The command line, run in a folder of its own; returns (exit code, stdout, stderr)."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CORPUSGUARD_SEAL_KEY", raising=False)

    def call(*words: object) -> tuple[int, str, str]:
        result = CliRunner().invoke(app, ["measure", "gate", *map(str, words)])
        return result.exit_code, result.stdout, result.stderr

    return call


@pytest.fixture
def sealed_fixture(labelled: Draft, cli, tmp_path) -> Path:
    """A published fixture; its key is in key.txt."""
    (tmp_path / "draft.json").write_bytes(labelled.dump())
    code, _, said = cli("seal", "draft.json", "-o", "fixture.json", "--key-file", "key.txt")
    assert code == 0, said
    return tmp_path / "fixture.json"


@pytest.fixture
def promise(cli, sealed_fixture, tmp_path):
    """Write and register a preregistration for a subject; returns its file's name."""

    def make(design: str, *subject: str, why: str = "to see what happens") -> str:
        code, text, said = cli(
            "ledger", "propose", "--fixture", "fixture.json", "--design", design, *subject
        )
        assert code == 0, said
        name = f"{design}-{len(list(tmp_path.glob('*.toml')))}.toml"
        (tmp_path / name).write_text(text.replace('why = ""', f"why = {json.dumps(why)}"))
        code, _, said = cli(
            "ledger",
            "register",
            name,
            "--fixture",
            "fixture.json",
            "--ledger",
            "ledger.jsonl",
            *subject,
        )
        assert code == 0, said
        return name

    return make


@pytest.fixture
def sealed_run(cli):
    """Run the sealed half; returns what the command line returns."""

    def run(preregistration: str, folder: str, *subject: str) -> tuple[int, str, str]:
        return cli(
            "run",
            "--fixture",
            "fixture.json",
            "--half",
            "sealed",
            *subject,
            "--preregistration",
            preregistration,
            "--ledger",
            "ledger.jsonl",
            "--key-file",
            "key.txt",
            "-o",
            folder,
        )

    return run
