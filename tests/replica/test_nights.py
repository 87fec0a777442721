"""Nights of the whole service against the loopback e-Laws: real HTTP, real SQLite, real files."""

from __future__ import annotations

import dataclasses
import json
import os
import signal
import subprocess
import sys
import time

import pytest

from corpusguard.config import load_config
from corpusguard.errors import LockHeld, WrongDocument
from corpusguard.fetch import Fetcher
from corpusguard.history import History
from corpusguard.locking import RunLock
from corpusguard.model import Severity, Verdict
from corpusguard.service import Service
from tests.replica.capture import LAW
from tests.replica.law import lighthouse_act
from tests.replica.replica import Fault

SOURCE = """
[source]
publisher = "ontario-elaws"
base_url = "{base_url}"
min_delay_seconds = 0.0
attempts = 2
read_timeout_seconds = 60.0
frozen_after_days = 3650
[[document]]
id = "{id}"
title = "{title}"
code = "{code}"
"""
CONFIG = """
[corpusguard]
history = "history.db"
snapshots = "snapshots"
sources = ["lights.toml"]
[[corpus]]
name = "lights"
reader = "jsonl"
path = "lights.jsonl"
document = "{id}"
recipe = "{recipe}"
"""


class Nights:
    """A project folder, and one service a night."""

    def __init__(self, folder, replica, recipe="section"):
        self.folder = folder
        self.replica = replica
        facts = {"id": LAW.id, "title": LAW.title, "code": LAW.number}
        source = SOURCE.format(base_url=replica.base_url, **facts)
        (folder / "lights.toml").write_text(source)
        (folder / "corpusguard.toml").write_text(CONFIG.format(id=LAW.id, recipe=recipe))

    def service(self):
        config = load_config(self.folder / "corpusguard.toml")
        return Service(config, make_fetcher=lambda spec: Fetcher(spec, backoff_seconds=0.001))

    def ingest(self):
        service = self.service()
        assert service.fetch()[0].snapshot is not None
        lines = list(service.passages(LAW.id, "section"))
        assert lines
        self.write(lines)

    def rows(self):
        lines = (self.folder / "lights.jsonl").read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines]

    def write(self, lines):
        text = "".join(f"{line}\n" for line in lines)
        (self.folder / "lights.jsonl").write_text(text, encoding="utf-8")

    def edit(self, section, change):
        rows = self.rows()
        for row in rows:
            if row["section"] == section:
                row["text"] = change(row["text"])
        self.write(json.dumps(row, ensure_ascii=False) for row in rows)

    def night(self, **options):
        service = self.service()
        result = service.verify(**options)
        return result, service.exit_code(result, Severity.ERROR)


@pytest.fixture
def nights(tmp_path, replica):
    made = Nights(tmp_path, replica)
    made.ingest()
    return made


def amended(section="5", date="2026-06-01"):
    """The Act with one word of one section changed, and a later consolidation date."""
    paragraphs = tuple(
        (name, text.replace("dusk to dawn", "noon to noon"))
        if name == "section" and text.startswith(f"<b>{section} ")
        else (name, text)
        for name, text in LAW.paragraphs
    )
    return dataclasses.replace(LAW, paragraphs=paragraphs, consolidated_from=date)


def rules(result):
    return sorted((f.rule, f.section) for d in result.documents for f in d.findings)


def test_a_sound_corpus_verifies_and_an_unchanged_night_takes_the_result_over(nights):
    first, code = nights.night()

    assert (first.verdict, code) == (Verdict.VERIFIED, 0)
    assert first.documents[0].verified_passages == first.documents[0].passages == 20
    assert rules(first) == []

    second, code = nights.night()

    assert (second.verdict, code) == (Verdict.VERIFIED, 0)
    assert second.documents[0].reused_from == first.run
    assert second.documents[0].verified_passages == 20


def test_an_amendment_is_found_with_its_cause_and_date_and_ends_when_ingested(nights):
    nights.night()
    nights.replica.publish(amended())

    result, code = nights.night()

    assert (result.verdict, code) == (Verdict.VIOLATED, 1)
    assert rules(result) == [("CG106", "5")]
    finding = result.documents[0].findings[0]
    assert str(finding.cause) == "source_amended"
    assert "2026-06-01" in finding.message
    assert "[-noon-]{+dusk+} to [-noon,-]{+dawn,+}" in finding.diff
    assert result.states[finding.fingerprint] == "new"

    again, _ = nights.night()

    assert again.states[finding.fingerprint] == "open"

    nights.ingest()
    healed, code = nights.night()

    assert (healed.verdict, code) == (Verdict.VERIFIED, 0)
    with History.open(nights.folder / "history.db") as history:
        assert str(history.finding(finding.fingerprint).state) == "resolved"


def test_a_stored_text_that_changes_after_it_verified_is_the_corpus_s_fault(nights):
    nights.night()
    nights.edit("7", lambda text: text.replace("shall keep", "may keep"))

    result, code = nights.night()

    assert code == 1
    assert rules(result) == [("CG107", "7")]
    assert str(result.documents[0].findings[0].cause) == "corpus_altered"


def moment(nights, run):
    """When a run began, as history has it."""
    with History.open(nights.folder / "history.db") as history:
        return history.run(run).started


def test_the_message_names_the_newest_night_that_verified_not_the_first(nights):
    """Where to look in the store's log is after that night; it stays the same while it is wrong."""
    first = nights.night()[0]
    nights.night()
    time.sleep(1.1)  # history keeps whole seconds
    last = nights.night()[0]
    begun = moment(nights, last.run)
    assert moment(nights, first.run) < begun
    nights.edit("7", lambda text: text.replace("shall keep", "may keep"))

    said = [nights.night()[0].documents[0].findings[0].message for _ in range(2)]

    assert [one.endswith(f"it last verified on {begun}") for one in said] == [True, True], said


def test_a_run_of_one_layer_or_an_outage_does_not_move_the_date(nights):
    """Only a night that verified by all layers can be the last that did."""
    last, _ = nights.night()
    nights.service().verify([], ["L1"])
    nights.replica.misbehave(Fault.UNAVAILABLE)
    nights.night()
    nights.replica.behave()
    nights.edit("7", lambda text: text.replace("shall keep", "may keep"))

    result, _ = nights.night()

    (message,) = [one.message for one in result.documents[0].findings if one.rule == "CG107"]
    assert message.endswith(f"it last verified on {moment(nights, last.run)}")


def test_an_outage_is_not_verified_and_destroys_nothing(nights):
    good, _ = nights.night()
    before = nights.service().store.list()
    nights.replica.misbehave(Fault.UNAVAILABLE)

    result, code = nights.night()

    assert (result.verdict, code) == (Verdict.UNVERIFIABLE, 3)
    assert [rule for rule, _ in rules(result) if rule == "CG501"]
    assert result.documents[0].verified_passages == 0
    assert nights.service().store.list() == before
    with History.open(nights.folder / "history.db") as history:
        assert history.last_good(LAW.id, "lights").run == good.run

    nights.replica.behave()
    healed, code = nights.night()

    assert (healed.verdict, code) == (Verdict.VERIFIED, 0)


def test_half_the_law_gone_from_the_source_is_never_a_diff(nights):
    nights.night()
    nights.replica.publish(lighthouse_act(sections=8))

    result, code = nights.night(refetch=True)

    assert (result.verdict, code) == (Verdict.UNVERIFIABLE, 3)
    assert [rule for rule, _ in rules(result)] == ["CG506"]


def test_an_older_consolidation_is_reported_and_not_stored(nights):
    nights.night()
    nights.replica.publish(amended(date="2020-01-01"))

    result, code = nights.night()

    assert (result.verdict, code) == (Verdict.UNVERIFIABLE, 3)
    assert [rule for rule, _ in rules(result)] == ["CG509"]


def test_a_lost_passage_and_a_lost_corpus_are_violations(nights):
    nights.night()
    rows = [json.dumps(row) for row in nights.rows() if row["section"] != "3"]
    nights.write(rows)

    result, code = nights.night()

    assert code == 1
    assert rules(result) == [("CG301", "3")]

    nights.write([])
    result, code = nights.night()

    assert (result.verdict, code) == (Verdict.VIOLATED, 1)
    assert [rule for rule, _ in rules(result)] == ["CG301"]


def test_offline_uses_the_snapshot_and_asks_nothing(nights):
    nights.replica.requests.clear()

    result, code = nights.night(offline=True)

    assert (result.verdict, code) == (Verdict.VERIFIED, 0)
    assert nights.replica.requests == []
    assert result.documents[0].captured


def test_an_unreadable_corpus_is_not_verified(nights):
    (nights.folder / "lights.jsonl").write_text('{"id": "1", "text": \n', encoding="utf-8")

    result, code = nights.night()

    assert (result.verdict, code) == (Verdict.UNVERIFIABLE, 3)
    assert [f.rule for f in result.findings] == ["CG507"]
    assert "lights.jsonl:1" in result.findings[0].message


def test_status_does_not_hide_a_run_that_could_not_read_the_corpus(nights):
    good, _ = nights.night()
    (nights.folder / "lights.jsonl").unlink()
    bad, code = nights.night()

    (told,) = nights.service().status().documents

    assert code == 3
    assert (told.verdict, told.last_run, told.last_good_run) == ("unverifiable", bad.run, good.run)


def test_a_fragment_that_names_no_law_goes_in_only_on_the_caller_s_word(nights):
    fragment = nights.folder / "other.html"
    fragment.write_text(lighthouse_act(sections=3).content(), encoding="utf-8")

    with pytest.raises(WrongDocument, match="does not say which law"):
        nights.service().add_snapshot(LAW.id, fragment)

    assert nights.service().add_snapshot(LAW.id, fragment, unnamed=True).url == "file:other.html"


def test_one_layer_alone_verifies_no_passage(nights):
    result, code = nights.night(layers=("L1",))

    assert code == 0
    assert dict(result.documents[0].layers) == {"L1": Verdict.VERIFIED}
    assert result.documents[0].verified_passages == 0


def test_two_processes_give_the_same_result_as_one(nights):
    nights.edit("7", lambda text: text.replace("shall keep", "may keep"))

    result, code = nights.night(jobs=2)

    assert code == 1
    assert rules(result) == [("CG101", "7")]


def test_a_second_run_at_once_is_turned_away(nights):
    with RunLock(nights.folder / "history.db.lock"), pytest.raises(LockHeld):
        nights.night()


def test_a_terminated_run_is_marked_as_aborted_and_the_next_one_goes_on(nights):
    nights.replica.misbehave(Fault.DRIP_BODY)
    nights.replica.requests.clear()
    command = [sys.executable, "-m", "corpusguard", "verify", "--config"]
    process = subprocess.Popen(
        [*command, str(nights.folder / "corpusguard.toml")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "NO_COLOR": "1"},
    )
    try:
        while not nights.replica.requests and process.poll() is None:
            time.sleep(0.02)
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()
    nights.replica.behave()

    assert process.returncode == 143, err
    with History.open(nights.folder / "history.db") as history:
        assert str(history.runs(1)[0].state) == "aborted"

    result, code = nights.night()

    assert (result.verdict, code) == (Verdict.VERIFIED, 0)
