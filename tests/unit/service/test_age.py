"""How old text is: one answer for the gate, status, health and doctor, whatever ran last night."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from corpusguard.config import load_config
from corpusguard.gate import Gate, Reason
from corpusguard.history import VerifiedRows, asked_at
from corpusguard.serve.desk import Desk
from corpusguard.service import Service
from corpusguard.service.age import age, is_too_old, text_age
from tests.unit.cli.conftest import call
from tests.unit.gate.tiers import NIGHT, corpus, verified_sample

__all__ = ["corpus", "verified_sample"]

DUES = "ca-on/regulation/190902@en#sec_9__subsec_1"
QUOTED = f"Quay dues shall be paid before the closing bell. [{DUES}]"
CAPTURED = "2026-02-09T07:04:52Z"
MOMENT = datetime(2026, 2, 9, 7, 4, 52, tzinfo=UTC)
DAY = 86_400


@pytest.mark.parametrize(
    ("facts", "asked"),
    [
        (("2026-03-02", "2026-03-01", True), "2026-03-02"),
        (("2026-03-02", "2026-03-01", False), "2026-03-01"),
        (("2026-03-02", "2026-03-03", False), "2026-03-02"),
        (("2026-03-02", "", True), "2026-03-02"),
        (("2026-03-02", "", False), ""),
    ],
)
def test_text_is_as_old_as_the_last_time_that_it_was_asked_for(facts, asked):
    """By the run where that asked; else by its capture, which no run makes younger."""
    began, captured, asked_source = facts
    assert asked_at(began=began, captured=captured, asked_source=asked_source) == asked


@pytest.mark.parametrize(
    ("moment", "seconds", "old"),
    [
        (CAPTURED, 0, False),
        (CAPTURED, 100, False),
        (CAPTURED, 101, True),
        (CAPTURED, -59, False),
        (CAPTURED, -61, True),
        ("", 0, True),
    ],
)
def test_what_has_no_age_is_too_old(moment, seconds, old):
    """Exactly at the limit counts; the future, but for a minute of skew, and nothing do not."""
    now = MOMENT + timedelta(seconds=seconds)
    assert is_too_old(moment, 100, now) is old
    assert (age(moment, now) is None) is (not moment or seconds < -60)


def test_the_oldest_text_is_told_and_each_passage_counted_by_its_own():
    """Of two runs one is too old: some passages are, not all."""
    rows = [
        VerifiedRows("d", "c", 2, "2026-02-09T07:04:52Z"),
        VerifiedRows("d", "c", 3, "2026-02-08T07:04:52Z"),
    ]
    found = text_age(rows, DAY, MOMENT + timedelta(hours=1))
    assert (found.asked, found.age_seconds) == ("2026-02-08T07:04:52Z", 25 * 3600)
    assert (found.passages, found.too_old) == (5, 3)
    assert text_age([], DAY, MOMENT).passages == 0


def gate_says(folder):
    with Gate.open(folder / "corpusguard.toml") as gate:
        return gate.check(QUOTED, []).sentences[0].reason


def health(folder, *corpora):
    desk = Desk(load_config(folder / "corpusguard.toml"), corpora)
    try:
        return desk.health()
    finally:
        desk.close()


def test_an_offline_run_makes_old_text_young_for_nobody(corpus):
    """Three days on, verified again offline: gate, status, health and doctor all say too old."""
    config = corpus / "corpusguard.toml"
    with time_machine.travel(NIGHT, tick=True):
        assert gate_says(corpus) is Reason.CLAUSE_COMPLETE
        assert call("status", "-c", config).exit_code == 0
        found = health(corpus)
        assert (found.status, found.too_old_passages, found.text_asked) == ("ok", 0, CAPTURED)
    with time_machine.travel(NIGHT + timedelta(days=3), tick=True):
        assert call("verify", "--offline", "-q", "-c", config).exit_code == 0
        assert gate_says(corpus) is Reason.TOO_OLD
        told = call("status", "-c", config)
        record = json.loads(call("status", "-f", "json", "-c", config).stdout)
        found = health(corpus)
        checks = json.loads(call("doctor", "-f", "json", "-c", config).stdout)["checks"]

    assert told.exit_code == 3
    words = " ".join(told.stdout.split())
    assert "text of 2026-02-09" in words
    assert "the gate refuses all 132 verified passages as too old" in words
    assert f"the source was last asked for their text at {CAPTURED}, 3.8 days ago" in words
    assert "next: run `corpusguard verify` without --offline" in words
    # The run itself is young, and its own keys still say so.
    assert all(one["last_good"].startswith("2026-02-13") for one in record["documents"])
    assert all(one["too_old"] for one in record["documents"])
    (one,) = record["corpora"]
    assert (one["text_asked"], one["verified_passages"], one["too_old_passages"]) == (
        CAPTURED, 132, 132,
    )  # fmt: skip
    assert one["text_age_seconds"] // DAY == 3
    assert (found.status, found.reason, found.serves) == ("unavailable", "too_old", False)
    (warned,) = [one for one in checks if one["name"].startswith("age ")]
    assert warned["ok"] is None
    assert "refuses all 132" in warned["detail"]
    assert "without --offline" in warned["hint"]


def test_max_age_decides_for_all_alike(corpus):
    """Raised so that the old text counts: it ships, and nothing says too old."""
    config = corpus / "corpusguard.toml"
    config.write_text(config.read_text() + 'max_age = "30d"\n')
    with time_machine.travel(NIGHT + timedelta(days=20), tick=True):
        assert gate_says(corpus) is Reason.CLAUSE_COMPLETE
        told = call("status", "-c", config)
        assert (told.exit_code, "too old" in told.stdout) == (0, False)
        assert health(corpus).status == "ok"
        assert call("doctor", "-c", config).stdout.count("! warning") == 0
    with time_machine.travel(NIGHT + timedelta(days=30), tick=True):
        assert gate_says(corpus) is Reason.TOO_OLD
        assert call("status", "-c", config).exit_code == 3
        assert health(corpus).reason == "too_old"


def test_a_law_that_does_not_verify_leaves_the_age_of_the_others_alone(corpus):
    """Nothing was ever verified whole; the passages that are right are young, and are served."""
    rows = (corpus / "clean.jsonl").read_text("utf-8")
    text = rows.replace("within 30 days", "within 90 days").replace("may", "must")
    assert text != rows
    (corpus / "history-clean.db").unlink()
    (corpus / "clean.jsonl").write_text(text, "utf-8")
    with time_machine.travel(NIGHT, tick=True):
        config = corpus / "corpusguard.toml"
        assert call("verify", "--offline", "-q", "-c", config).exit_code == 1
        found = health(corpus)
        assert found.verified_passages
        assert (found.status, found.reason) == ("degraded", "not_verified")
        assert call("status", "-c", config).exit_code == 1


def test_one_corpus_too_old_degrades_and_both_are_told_apart(corpus):
    """Two corpora on the same text, with limits of their own; asked for one alone, it decides."""
    rows = (corpus / "clean.jsonl").read_text(encoding="utf-8")
    # Ids of their own: one that two rows have supports nothing, of whatever age.
    (corpus / "twin.jsonl").write_text(rows.replace('"id": "', '"id": "twin-'), encoding="utf-8")
    config = corpus / "corpusguard.toml"
    config.write_text(
        config.read_text()
        + '[[corpus]]\nname = "twin"\nreader = "jsonl"\npath = "twin.jsonl"\n'
        + 'document = { field = "document" }\nrecipe = "subsection"\nmax_age = "60d"\n'
    )
    with time_machine.travel(NIGHT + timedelta(days=10), tick=True):
        assert call("verify", "--offline", "-q", "-c", config).exit_code == 0
        both, old, young = health(corpus), health(corpus, "harbour-markets-clean"), health(
            corpus, "twin"
        )  # fmt: skip
        told = call("status", "-c", config)
    assert (both.status, both.reason, both.serves) == ("degraded", "too_old", True)
    assert (both.too_old_passages, both.verified_passages) == (132, 264)
    assert (old.status, young.status) == ("unavailable", "ok")
    assert told.exit_code == 3
    assert "corpus harbour-markets-clean: the gate refuses all 132" in told.stdout
    assert "corpus twin:" not in told.stdout


def test_doctor_warns_of_old_captures_before_the_first_run(corpus):
    """An offline run on them would verify, and the gate refuse it all."""
    (corpus / "history-clean.db").unlink()
    config = corpus / "corpusguard.toml"
    for days, warned in ((0, False), (3, True)):
        with time_machine.travel(NIGHT + timedelta(days=days), tick=True):
            result = call("doctor", "-f", "json", "-c", config)
        found = [one for one in json.loads(result.stdout)["checks"] if one["name"][:4] == "age "]
        assert result.exit_code == 0
        assert [one["ok"] for one in found] == [None] * warned
        if warned:
            assert (
                "captures of 2 documents are older than max_age (36.0 hours)"
                in (found[0]["detail"])
            )
            assert "without --offline" in found[0]["hint"]
    assert not (corpus / "history-clean.db").exists()


def test_status_without_a_history_knows_no_age(corpus):
    """No run, no text that anything verified against."""
    (corpus / "history-clean.db").unlink()
    assert Service(load_config(corpus / "corpusguard.toml")).status().corpora == ()
    assert health(corpus).reason == "nothing_verified"
