"""A sealed run with a judge: promised, stopped, gone on with as the same attempt, without a word."""

from __future__ import annotations

import json
import threading

import pytest

from corpusguard.evidence.canonical import sha256_hex
from corpusguard.measure.gate.draft import make_draft
from corpusguard.measure.gate.items import items_from
from tests.unit.gate.model_server import ModelServer, data_of
from tests.unit.measure.gate import harbour
from tests.unit.measure.gate.test_judge import CONFIG

JUDGE = ("--judge", "reader", "--config", "judges.toml")


@pytest.fixture
def labelled(draft):
    """A sealed half of which 24 sentences reach a judge; all labellers say what was meant."""
    sealed = items_from(harbour.items(4), "sealed")
    made = make_draft("harbour", 1, draft.dev, sealed)
    for who in ("a", "b", "c"):
        made = made.voted(who, {item.id: item.intended for item in made.items})
    return made


@pytest.fixture
def configured(tmp_path):
    """Write a configuration whose judge is at an address."""

    def write(url, timeout=20):
        (tmp_path / "judges.toml").write_text(CONFIG.format(url=url, timeout=timeout))

    return write


def test_a_stopped_sealed_run_goes_on_as_the_same_attempt(
    configured, promise, sealed_run, cli, sealed_fixture, tmp_path
):
    """One begin and one end in the ledger; another folder would be another attempt."""
    silent = threading.Event()
    silent.set()

    def judge(_body):
        # Refused, which comes at once: whether a reply comes in time, a busy machine would decide.
        return 401 if silent.is_set() else "NOT_SUPPORTED"

    with ModelServer(judge) as server:
        configured(server.url, timeout=60)
        file = promise("judged", *JUDGE)
        code, _, said = sealed_run(file, "out", *JUDGE)
        assert (code, "times in a row" in said) == (3, True), said
        silent.clear()
        softer = tmp_path / "softer.toml"
        softer.write_text((tmp_path / file).read_text().replace("0.03", "0.99"))
        code, _, said = sealed_run("softer.toml", "out", *JUDGE)
        assert (code, "another preregistration" in said) == (2, True), said
        code, _, said = sealed_run(file, "out", *JUDGE)
        assert code in (0, 1), said
        other = sealed_run(file, "out", *JUDGE)
        assert (other[0], "is there already" in other[2]) == (2, True)
    entries = [json.loads(line) for line in (tmp_path / "ledger.jsonl").read_text().splitlines()]
    assert [entry["entry"] for entry in entries] == ["register", "begin", "end"]
    verdicts = (tmp_path / "out/verdicts.jsonl").read_bytes()
    assert entries[-1]["verdicts"] == sha256_hex(verdicts)
    words = ("--fixture", "fixture.json", "--ledger", "ledger.jsonl")
    assert cli("recompute", "out/verdicts.jsonl", *words)[0] == 0
    results = json.loads((tmp_path / "out/results.json").read_text())
    assert results["run"]["attempt"] == 1
    assert results["judge"]["again"] >= 10


def test_a_judge_that_repeats_what_it_was_asked_publishes_nothing(
    configured, promise, sealed_run, labelled, sealed_fixture, tmp_path
):
    """Replies are digests; the reasons of errors are for whoever runs it alone."""
    with ModelServer(lambda body: data_of(body)["sentence"]) as server:
        configured(server.url)
        code, _, said = sealed_run(promise("echo", *JUDGE), "out", *JUDGE)
        asked = [data_of(body)["sentence"] for body in server.seen]
    assert (code, "neither SUPPORTED" in said) == (3, True)
    assert len(asked) == 24
    files = [tmp_path / "ledger.jsonl", *(tmp_path / "out").iterdir()]
    assert len(files) == 5
    for path in files:
        text = path.read_text()
        assert not [item.id for item in labelled.sealed if item.sentence in text], path
        assert not [item.id for item in labelled.sealed if item.sentence[:40] in text], path
