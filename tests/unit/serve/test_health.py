"""Health is whether answers can be checked: ids that two rows have, and stores that are gone."""

from __future__ import annotations

import json

import pytest

from corpusguard.config import load_config
from corpusguard.serve.desk import Desk
from tests.unit.cli.conftest import call
from tests.unit.serve.conftest import LAW, QUOTED, serving

SECOND = """
[[corpus]]
name = "second"
reader = "jsonl"
path = "second.jsonl"
document = { field = "document" }
recipe = "subsection"
max_age = "3650d"
"""


def asked(project, corpora=()):
    """What a fresh desk says of health, and of an answer."""
    desk = Desk(load_config(project / "corpusguard.toml"), corpora)
    try:
        body = desk.check(QUOTED, [])
        return desk.health(), body["outcome"], body["sentences"][0]["reason"]
    finally:
        desk.close()


def with_a_second_corpus(project, keep):
    """Verify the project with another corpus that holds some of the same rows."""
    config = project / "corpusguard.toml"
    config.write_text(config.read_text() + SECOND)
    lines = (project / "clean.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if keep(json.loads(line))]
    (project / "second.jsonl").write_text("".join(kept), encoding="utf-8")
    assert call("verify", "--offline", "-q", "-c", config).exit_code in (0, 1)


def test_two_corpora_with_the_same_ids_are_not_healthy_together(project):
    """Every answer is withheld, so a probe must not say ok; each alone serves, and it may."""
    before, *_ = asked(project)
    assert (before.status, before.reason) == ("ok", "")
    with_a_second_corpus(project, lambda _: True)
    together, outcome, reason = asked(project)
    assert (outcome, reason) == ("withheld", "ambiguous_id")
    assert (together.status, together.reason) == ("unavailable", "ambiguous_ids")
    assert (together.verified_passages, together.too_old_passages) == (0, 0)
    alone, outcome, _ = asked(project, ["second"])
    assert (alone.status, outcome) == ("ok", "shipped")
    assert alone.verified_passages == before.verified_passages
    with serving(project) as server, server.client() as client:
        found = client.get("/healthz")
        assert (found.status_code, found.json()["reason"]) == (503, "ambiguous_ids")


def test_some_shared_ids_are_told_and_the_others_counted(project):
    before, *_ = asked(project)
    with_a_second_corpus(project, lambda row: LAW in row["text"])
    found, outcome, reason = asked(project)
    assert (outcome, reason) == ("withheld", "ambiguous_id")
    assert found.status == "degraded"
    assert found.verified_passages == before.verified_passages - 1


@pytest.mark.parametrize("where", ["removed", "renamed"])
def test_a_store_that_is_gone_is_told_and_presented_text_is_served(project, where):
    """Ids alone are answered 503 then, so it is not well; the next probe after it is back is."""
    store = project / "clean.jsonl"
    rows = [json.loads(line) for line in store.read_text(encoding="utf-8").splitlines()]
    (law,) = [row for row in rows if LAW in row["text"]]
    kept = store.read_bytes()
    if where == "removed":
        store.unlink()
    else:
        store.rename(project / "elsewhere.jsonl")
    with serving(project) as server, server.client() as client:
        assert client.post("/v1/check", json={"answer": QUOTED}).status_code == 503
        shown = {"answer": QUOTED, "citations": [{"id": law["id"], "text": law["text"]}]}
        assert client.post("/v1/check", json=shown).json()["outcome"] == "shipped"
        found = client.get("/healthz")
        assert (found.status_code, found.json()["status"]) == (200, "degraded")
        assert found.json()["reason"] == "corpus_unreadable"
    store.write_bytes(kept)
    assert asked(project)[0].status == "ok"


@pytest.mark.parametrize("opened", [False, True])
def test_a_history_that_is_emptied_is_broken_until_it_is_put_back(project, opened):
    """No check and no probe begins a new one in its place; the copy is used without a restart."""
    path = project / "history-clean.db"
    kept = path.read_bytes()
    with serving(project) as server, server.client() as client:
        if opened:
            assert client.post("/v1/check", json={"answer": QUOTED}).status_code == 200
            kept = path.read_bytes()
        path.write_bytes(b"")
        answer = client.post("/v1/check", json={"answer": QUOTED})
        assert (answer.status_code, answer.json()["code"]) == (503, "history_broken")
        found = client.get("/healthz")
        assert (found.status_code, found.json()["reason"]) == (503, "history_broken")
        assert path.read_bytes() == b""
        path.write_bytes(kept)
        answer = client.post("/v1/check", json={"answer": QUOTED})
        assert answer.json()["outcome"] == "shipped"
