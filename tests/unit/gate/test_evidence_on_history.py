"""Evidence minted from a real history: what verified may be cited, what was altered may not."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest
import time_machine

from corpusguard.cli.bundled import sample_folder, snapshots_folder, sources_folder
from corpusguard.config import load_config
from corpusguard.gate.evidence import (
    Claim,
    DocumentCache,
    Evidence,
    EvidenceKind,
    Outcome,
    Question,
    Refused,
    Report,
    ReportOutcome,
    Treatment,
    Verification,
    ground,
)
from corpusguard.service import Service

desk = pytest.importorskip("corpusguard.service.gate", reason="the gate's service is not there yet")

FEE = "ca-on/statute/19h31@en#sec_16__subsec_1"
FINE = "ca-on/statute/19h31@en#sec_44__subsec_1"
DUES = "ca-on/regulation/190902@en#sec_8.1__subsec_1"


@pytest.fixture(scope="module", autouse=True)
def soon_after_the_captures():
    """The sample's captures are of a certain day; a year later they would be too old."""
    with time_machine.travel(datetime(2026, 3, 1, tzinfo=UTC)):
        yield


@pytest.fixture(scope="module")
def config(tmp_path_factory, soon_after_the_captures):
    """The clean sample, verified; its captures are as old as they are."""
    folder = tmp_path_factory.mktemp("law")
    for name in ("clean.jsonl", "corpusguard-clean.toml"):
        shutil.copyfile(str(sample_folder() / name), folder / name)
    shutil.copytree(str(snapshots_folder()), folder / "snapshots")
    shutil.copytree(str(sources_folder()), folder / "sources")
    path = folder / "corpusguard-clean.toml"
    path.write_text(path.read_text("utf-8") + '\nmax_age = "3650d"\n', "utf-8")
    loaded = load_config(path)
    Service(loaded).verify(offline=True)
    return loaded


def fetched(cache, passage, span):
    document, at = cache.fetch(passage, "worker-1")
    return Evidence(EvidenceKind.PRIMARY_QUOTE, document.doc_id, span, at)


def test_an_answer_on_verified_law_is_grounded_and_names_its_one_source(config):
    """From the official text to the sentence; a number that is not the law's is dropped."""
    with desk.GateDesk(config) as passages:
        cache = DocumentCache(passages, "run-1", lambda: "2026-01-02T03:04:05Z")
        claims = (
            Claim(
                "c_1",
                "The fee is at most $400 for a year.",
                (fetched(cache, FEE, "shall not be more than $400 for a year"),),
            ),
            Claim(
                "c_2",
                "A corporation is fined at most $60,000.",
                (fetched(cache, FINE, "to a fine of not more than $50,000"),),
            ),
        )
        reports = [Report("worker-1", "q1", ReportOutcome.FOUND, claims)]
        answer = "The fee is at most $400 for a year [c_1]. Corporations pay up to $60,000 [c_2]."
        found = ground(reports, answer, cache, [Question("q1")])
        assert found.outcome is Outcome.ALTERED
        assert found.text == (
            "The fee is at most $400 for a year. [c_1] "
            "(single source: Harbour Markets Act, 2019, s. 16)"
        )
        plain = ground(
            reports,
            answer,
            cache,
            [Question("q1")],
            verify=lambda *_: Verification(Treatment.PLAIN),
        )
        assert plain.text == "The fee is at most $400 for a year. [c_1]"
        document = cache.documents[claims[0].evidence[0].doc_id]
        assert document.run == 1
        assert document.digest.startswith("sha256:")


def test_what_no_longer_verifies_cannot_be_cited(config):
    """A row is altered, the next run says so, and the passage is not minted any more."""
    store = Path(config.root) / "clean.jsonl"
    before = store.read_text("utf-8")
    rows = [json.loads(line) for line in before.splitlines()]
    for row in rows:
        if row["id"] == FEE:
            row["text"] = row["text"].replace("$400", "$4,000")
    try:
        store.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        Service(config).verify(offline=True)
        with desk.GateDesk(config) as passages:
            cache = DocumentCache(passages, "run-2", lambda: "t")
            refused = cache.fetch(FEE, "worker-1")
            assert isinstance(refused, Refused)
            assert refused.reason in {"altered", "violated"}
            assert not isinstance(cache.fetch(DUES, "worker-1"), Refused)
            assert isinstance(cache.fetch("no such passage", "worker-1"), Refused)
            assert len(cache.documents) == 1
    finally:
        store.write_text(before, "utf-8")
