"""Ignores and the baseline, from the command line, on a real corpus with real faults."""

from __future__ import annotations

import json
import resource
import shutil
import sqlite3
import subprocess
from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from corpusguard.config import load_config
from corpusguard.history import History
from corpusguard.locking import RunLock
from corpusguard.report import FORMATS
from tests.unit.cli.conftest import call, start
from tests.unit.history.conftest import drop_triggers
from tests.unit.report.inert import is_inert

ACT = "ca-on/statute/19h31@en"
TODAY = datetime.now(UTC)
NIGHT = datetime(2026, 2, 9, 12, tzinfo=UTC)
"""Some hours after the sample's snapshots were captured."""


@pytest.fixture
def project(verified, tmp_path):
    """A copy of the sample that was verified once; calls commands on it."""
    shutil.copytree(verified.parent, tmp_path / "p")
    return Project(tmp_path / "p")


@pytest.fixture
def young(sample, tmp_path):
    """The sample, verified in the night in which its text was captured, with the clock there."""
    shutil.copytree(sample, tmp_path / "p")
    made = Project(tmp_path / "p")
    with time_machine.travel(NIGHT, tick=True):
        made.verify(code=1)
        yield made


class Project:
    def __init__(self, folder):
        self.folder = folder
        self.config = folder / "corpusguard.toml"
        self.ignores = folder / "corpusguard-ignore.toml"
        self.baseline = folder / "corpusguard-baseline.json"

    def call(self, *arguments, **environment):
        return call(*arguments, "-c", self.config, **environment)

    def verify(self, *more, code):
        result = self.call("verify", "--offline", "-q", "--format", "json", *more)
        assert result.exit_code == code, result.output
        return json.loads(result.stdout)

    def findings(self, **wanted):
        listed = json.loads(self.call("findings", "list", "-f", "json").stdout)["findings"]
        return [one for one in listed if all(one[key] == wanted[key] for key in wanted)]

    def ignore(self, finding, *more, code=0):
        words = ("--reason", "the new ingestion is coming", "--owner", "Ada")
        result = self.call("findings", "ignore", finding["fingerprint"][:10], *words, *more)
        assert result.exit_code == code, result.output
        return result

    def change_row(self, passage, old, new):
        path = self.folder / "faulty.jsonl"
        rows = path.read_text("utf-8").splitlines()
        found = [n for n, row in enumerate(rows) if json.loads(row)["id"] == passage]
        assert old in rows[found[0]]
        rows[found[0]] = rows[found[0]].replace(old, new)
        path.write_text("\n".join(rows) + "\n", "utf-8")


def counting(record):
    return [one for one in record["findings"] if not one["suppression"]]


def test_an_ignored_finding_is_reported_and_does_not_count(project):
    """Reason, owner and last day in the report; the same passages verified, the same coverage."""
    before = project.verify(code=1)
    (warning,) = project.findings(rule="CG104")
    (twin,) = (one for one in before["findings"] if one["rule"] == "CG104")
    assert project.ignore(warning).stdout == f"{twin['fingerprint']}\n"
    after = project.verify(code=1)
    (found,) = (one for one in after["findings"] if one["suppression"])
    last = (TODAY + timedelta(days=90)).date().isoformat()
    assert found["fingerprint"] == warning["fingerprint"]
    assert found["suppression"]["owner"] == "Ada"
    assert found["suppression"]["expires"] == last
    for key in ("verified_passages", "coverage", "layers", "verdict"):
        assert [one[key] for one in after["documents"]] == [one[key] for one in before["documents"]]
    assert after["counts"] == before["counts"]
    assert after["suppressed"] == {"ignore": 1, "baseline": 0, "baseline_gone": 0}
    shown = project.call("findings", "show", warning["fingerprint"], "-f", "json").stdout
    assert json.loads(shown)["suppression"]["reason"] == "the new ingestion is coming"


def test_the_entry_dies_when_the_stored_text_moves(project):
    """It counts again, and says why; then it can be pruned, and the comments of others stay."""
    (finding,) = project.findings(rule="CG305")
    (other,) = project.findings(rule="CG304")
    project.ignore(other)
    project.ignores.write_text("# by hand\n" + project.ignores.read_text("utf-8"), "utf-8")
    project.ignore(finding)
    assert {"CG304", "CG305"}.isdisjoint(one["rule"] for one in counting(project.verify(code=1)))
    project.change_row(finding["passage"], "whole length", "entire length")
    record = project.verify(code=1)
    counts = {one["rule"]: one for one in counting(record)}
    assert {"CG305", "CG603"} <= set(counts) or {"CG101", "CG603"} <= set(counts)
    assert "stored text has moved" in counts["CG603"]["message"] or (
        "its finding is gone" in counts["CG603"]["message"]
    )
    listed = json.loads(project.call("ignores", "list", "-f", "json").stdout)["ignores"]
    assert [one["applies"] for one in listed] == [True, False]
    first = project.call("ignores", "prune")
    assert finding["fingerprint"] in first.stdout
    assert len(json.loads(project.call("ignores", "list", "-f", "json").stdout)["ignores"]) == 2
    assert project.call("ignores", "prune", "--yes").exit_code == 0
    text = project.ignores.read_text("utf-8")
    assert text.startswith("# by hand\n")
    assert finding["fingerprint"] not in text
    assert other["fingerprint"] in text
    assert "CG603" not in {one["rule"] for one in project.verify(code=1)["findings"]}


def test_an_ignore_ends_on_its_last_day(project):
    """The day after, the finding counts, CG602 says so, and `prune` takes it out."""
    (finding,) = project.findings(rule="CG104")
    last = (TODAY + timedelta(days=10)).date()
    project.ignore(finding, "--expires", last.isoformat())
    with time_machine.travel(datetime(last.year, last.month, last.day, 23, tzinfo=UTC)):
        assert project.verify(code=1)["suppressed"]["ignore"] == 1
    with time_machine.travel(TODAY + timedelta(days=11)):
        record = project.verify(code=1)
        assert record["suppressed"]["ignore"] == 0
        assert [one["rule"] for one in record["findings"]].count("CG602") == 1
        assert "it expired on" in project.call("ignores", "prune", "--yes").stdout
        assert "CG602" not in {one["rule"] for one in project.verify(code=1)["findings"]}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["ffff", "--reason", "r", "--owner", "o"], "no finding of the newest results"),
        (["a", "--reason", "r", "--owner", "o"], "at least 4 digits"),
        (["FP", "--reason", " ", "--owner", "o"], "not empty"),
        (["FP", "--reason", "a\x1b[2Jb", "--owner", "o"], "no control characters"),
        (["FP", "--reason", "x" * 1_001, "--owner", "o"], "at most 1000 characters"),
        (["FP", "--reason", "r", "--owner", "o", "--expires", "tomorrow"], "is no day"),
        (["FP", "--reason", "r", "--owner", "o", "--expires", "2999-01-01"], "at most 90 days"),
        (["FP", "--reason", "r", "--owner", "o", "--expires", "2001-01-01"], "not before"),
    ],
)
def test_a_wrong_call_changes_nothing(project, arguments, said):
    """Exit 2, with the cause and the next step; no file is made."""
    (finding,) = project.findings(rule="CG104")
    words = [finding["fingerprint"] if word == "FP" else word for word in arguments]
    result = project.call("findings", "ignore", *words)
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())
    assert "  next: " in result.stderr
    assert not project.ignores.exists()


def test_a_second_ignore_of_a_finding_renews_the_first(project):
    """One entry, with the new words."""
    (finding,) = project.findings(rule="CG104")
    project.ignore(finding)
    assert "renewed" in project.ignore(finding, "--reason", "still coming").stderr
    text = project.ignores.read_text("utf-8")
    assert text.count("[[ignore]]") == 1
    assert "still coming" in text


def test_a_broken_list_stops_a_run_before_it_begins(project):
    """Exit 2, and no run in history: nothing is verified with half a list."""
    runs = json.loads(project.call("status", "-f", "json").stdout)["documents"][0]["last_run"]
    for path, text in ((project.ignores, "[[ignore]]\nreson = 1\n"), (project.baseline, "{}")):
        path.write_text(text, "utf-8")
        result = project.call("verify", "--offline", "-q")
        assert result.exit_code == 2
        assert path.name in result.stderr
        path.unlink()
    project.verify(code=1)
    after = json.loads(project.call("status", "-f", "json").stdout)["documents"][0]["last_run"]
    assert after == runs + 1


def test_no_run_reads_a_list_that_is_being_changed(project):
    """A run that is under way holds the lock; exit 75, and the file is as it was."""
    (finding,) = project.findings(rule="CG104")
    with RunLock(project.folder / "history.db.lock"):
        project.ignore(finding, code=75)
    assert not project.ignores.exists()


def test_the_file_can_be_elsewhere_and_the_limit_another(project):
    """By `ignore_file` and `ignore_days`."""
    text = project.config.read_text("utf-8")
    project.config.write_text(
        text.replace("[corpusguard]", '[corpusguard]\nignore_file = "i.toml"\nignore_days = 5', 1)
    )
    (finding,) = project.findings(rule="CG104")
    late = (TODAY + timedelta(days=6)).date().isoformat()
    assert "at most 5 days" in project.ignore(finding, "--expires", late, code=2).stderr
    project.ignore(finding)
    assert (project.folder / "i.toml").exists()
    assert project.verify(code=1)["suppressed"]["ignore"] == 1


def test_a_baseline_makes_only_what_is_new_fail(young):
    """Exit 0 with all known; one more fault, exit 1 with exactly that; repaired, 0 again."""
    before = young.verify(code=1)
    made = young.call("baseline", "create")
    assert made.exit_code == 0
    assert made.stdout == f"{young.baseline}\n"
    record = young.verify(code=0)
    assert record["verdict"] == "violated"
    assert record["suppressed"]["baseline"] == len(record["findings"]) == len(before["findings"])
    assert record["documents"] == before["documents"]
    assert young.call("status").exit_code == 0
    good = f"{ACT}#sec_16__subsec_2"
    young.change_row(good, " one half ", " one third ")
    record = young.verify(code=1)
    assert {one["passage"] for one in counting(record)} == {good}
    assert young.call("status").exit_code == 1
    young.change_row(good, " one third ", " one half ")
    assert counting(young.verify(code=0)) == []
    assert young.call("status").exit_code == 0
    assert young.call("history", "verify").exit_code == 0


def test_status_of_what_is_known_ages_too(young):
    """Exit 3 where the text is too old, or fewer layers looked; never called verified."""
    assert young.call("baseline", "create").exit_code == 0
    young.verify(code=0)
    documents = json.loads(young.call("status", "-f", "json").stdout)["documents"]
    assert all(one["accepted"] and not one["accepted_too_old"] for one in documents)
    assert all(one["too_old"] and not one["last_good"] for one in documents)
    with time_machine.travel(NIGHT + timedelta(days=3)):
        assert young.call("status").exit_code == 3
        # A run now asks nobody, so it makes the text no younger.
        young.verify(code=0)
        assert young.call("status").exit_code == 3
    young.verify("--layer", "L1", code=0)
    assert young.call("status").exit_code == 3


def test_a_baseline_only_shrinks(project):
    """What is repaired is listed, and goes; it fails when it comes back. Nothing is added."""
    assert project.call("baseline", "create").exit_code == 0
    first = project.baseline.read_text("utf-8")
    (finding,) = project.findings(rule="CG104")
    project.change_row(finding["passage"], "'", "’")
    record = project.verify(code=0)
    assert record["suppressed"]["baseline_gone"] == 1
    listed = json.loads(project.call("baseline", "list", "-f", "json").stdout)["findings"]
    assert [one["why"] for one in listed if not one["known"]] == ["resolved"]
    told = project.call("baseline", "update")
    assert finding["fingerprint"] in told.stdout
    assert project.baseline.read_text("utf-8") == first
    assert project.call("baseline", "update", "--yes").exit_code == 0
    now = project.baseline.read_text("utf-8")
    assert set(first.splitlines()) - set(now.splitlines())
    assert finding["fingerprint"] not in now
    assert project.verify(code=0)["suppressed"]["baseline_gone"] == 0
    project.change_row(finding["passage"], "’", "'")
    back = project.verify("--fail-on", "warning", code=1)
    assert [one["rule"] for one in counting(back)] == ["CG104"]
    assert project.call("baseline", "update", "--yes").exit_code == 0
    assert project.baseline.read_text("utf-8") == now
    again = project.call("baseline", "create")
    assert again.exit_code == 2
    assert "is there already" in again.stderr
    assert project.baseline.read_text("utf-8") == now


def test_a_list_with_nothing_left_is_removed(project):
    """And said so; a baseline can then be made again, and comments of people are kept."""
    assert project.call("baseline", "create").exit_code == 0
    (finding,) = project.findings(rule="CG104")
    project.ignore(finding)
    (project.folder / "corpusguard-clean.toml").replace(project.config)
    rows = project.folder / "faulty.jsonl"
    text = project.config.read_text("utf-8").replace("clean.jsonl", "faulty.jsonl")
    project.config.write_text(text, "utf-8")
    rows.write_bytes((project.folder / "clean.jsonl").read_bytes())
    project.verify(code=0)
    asked = project.call("baseline", "update")
    assert "0 left" in asked.stderr
    assert project.baseline.exists()
    done = project.call("baseline", "update", "--yes")
    assert done.exit_code == 0, done.stderr
    assert not project.baseline.exists()
    assert "was removed" in done.stderr
    held = project.ignores.read_text("utf-8")
    pruned = project.call("ignores", "prune", "--yes")
    assert pruned.exit_code == 0, pruned.stderr
    assert not project.ignores.exists()
    assert "was removed" in pruned.stderr
    project.ignores.write_text("# Ask the editors first.\n\n" + held, "utf-8")
    pruned = project.call("ignores", "prune", "--yes")
    assert "comments alone" in pruned.stderr
    assert "# Ask the editors first." in project.ignores.read_text("utf-8")
    assert project.verify(code=0)["suppressed"] == {"ignore": 0, "baseline": 0, "baseline_gone": 0}


def test_a_baseline_needs_a_run_with_findings(project):
    """None of a clean corpus, of no run, or of a run that is not there."""
    assert "no run 99 that has finished" in project.call("baseline", "create", "--run", 99).stderr
    (project.folder / "corpusguard-clean.toml").replace(project.config)
    (project.folder / "history.db").unlink()
    assert project.call("baseline", "create").exit_code == 2
    project.verify(code=0)
    result = project.call("baseline", "create")
    assert result.exit_code == 2
    assert "nothing that a baseline could hold" in result.stderr
    assert project.call("baseline", "update").exit_code == 2
    assert not project.baseline.exists()


def test_passages_of_the_baseline_stay_unverified(project):
    """What the gate may cite is the same with both lists as without."""

    def trusted():
        with History.open(project.folder / "history.db") as history:
            return {
                key
                for key, one in history.verified_passages(ACT, "harbour-markets").items()
                if one.current
            }

    project.verify(code=1)
    before = trusted()
    project.ignore(project.findings(rule="CG304")[0])
    assert project.call("baseline", "create").exit_code == 0
    project.verify(code=0)
    assert trusted() == before
    with History.open(project.folder / "history.db") as history:
        assert history.last_good(ACT, "harbour-markets") is None
    # The gate before indexing stays shut, for the faults themselves.
    gate = project.call("check-corpus")
    assert gate.exit_code == 1
    assert "violated" in gate.stdout


def test_reasons_and_last_days_are_in_the_sealed_evidence(project):
    """After the files are gone, history still has them; whoever alters them is found out."""
    (finding,) = project.findings(rule="CG104")
    project.ignore(finding)
    project.call("baseline", "create")
    record = project.verify(code=0)
    project.ignores.unlink()
    project.baseline.unlink()
    with History.open(project.folder / "history.db") as history:
        kept = history.suppressions(record["run"])
        sealed = json.loads(history.record(record["run"]))
        assert history.suppressions(record["run"] - 1) is None
        assert "suppressions" not in json.loads(history.record(record["run"] - 1))
    assert {one["reason"] for one in kept["applied"] if one["kind"] == "ignore"} == {
        "the new ingestion is coming"
    }
    assert sealed["suppressions"]["ignored"] == 1
    # The compliance report of that run tells of them from the evidence alone.
    page = project.call("report", "--run", record["run"], "--format", "markdown").stdout
    assert "the new ingestion is coming" in page
    assert f"{len(kept['applied']) - 1} findings" in page
    assert sealed["suppressions"]["known"] == len(kept["applied"]) - 1
    assert project.call("history", "verify").exit_code == 0
    for change in (
        "UPDATE suppressions SET body = replace(body, 'Ada', 'Bob')",
        "UPDATE runs SET suppressions = NULL",
        "DELETE FROM suppressions",
    ):
        copy = project.folder / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        copy.mkdir()
        for name in ("history.db", "corpusguard.toml", "faulty.jsonl"):
            shutil.copyfile(project.folder / name, copy / name)
        for name in ("snapshots", "sources"):
            shutil.copytree(project.folder / name, copy / name)
        with sqlite3.connect(copy / "history.db") as db:
            triggers = drop_triggers(db)
            db.execute(change)
            for trigger in triggers:
                db.execute(trigger)
        db.close()
        result = call("history", "verify", "-c", copy / "corpusguard.toml")
        assert result.exit_code == 4, change
        assert "suppressions" in result.stdout + result.stderr
        if "replace" in change:
            assert call("findings", "list", "-c", copy / "corpusguard.toml").exit_code == 4


def test_a_schedule_heeds_the_lists_too(project):
    """`schedule run --once` ends with 0 where all is known, and with 1 where one is new."""
    (project.folder / "s.toml").write_text(
        '[schedule]\nname = "s"\ncron = "* * * * *"\ntimezone = "UTC"\noffline = true\n', "utf-8"
    )
    text = project.config.read_text("utf-8")
    project.config.write_text(text.replace("sources =", 'schedules = ["s.toml"]\nsources =', 1))
    project.call("baseline", "create")
    with time_machine.travel(TODAY + timedelta(minutes=5)):
        assert project.call("schedule", "run", "--once").exit_code == 0
    project.change_row(f"{ACT}#sec_16__subsec_2", " one half ", " one third ")
    with time_machine.travel(TODAY + timedelta(minutes=10)):
        assert project.call("schedule", "run", "--once").exit_code == 1


def test_an_interrupted_write_leaves_the_old_list(project):
    """A full disk: exit 4, and the entries that were there still are."""
    first, second = project.findings(rule="CG104")[0], project.findings(rule="CG304")[0]
    project.ignore(first)
    before = project.ignores.read_bytes()
    command = ["findings", "ignore", second["fingerprint"], "--owner", "o", "-c", project.config]

    def small():
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 10, len(before) + 10))

    process = start(
        *command,
        "--reason",
        "r",
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=small,
    )
    _, error = process.communicate(timeout=60)
    assert process.returncode == 4, error
    assert "the list is as it was" in error
    assert project.ignores.read_bytes() == before
    assert [path.name for path in project.folder.glob(".*")] == []


def test_a_dead_ignore_keeps_nothing_out_of_the_baseline(project):
    """Else its finding would count for ever, on neither list."""
    (finding,) = project.findings(rule="CG305")
    project.ignore(finding)
    project.change_row(finding["passage"], "whole length", "entire length")
    project.verify(code=1)
    assert project.call("baseline", "create").exit_code == 0
    record = project.verify(code=0)
    assert {one["rule"] for one in counting(record)} == {"CG603"}
    assert project.call("verify", "--offline", "-q", "--fail-on", "warning").exit_code == 1


def test_every_format_of_a_real_run_is_inert(project):
    """With an ignore whose words are hostile, and a baseline; all formats at once."""
    (finding,) = project.findings(rule="CG104")
    hostile = '<script>alert(1)</script> | ::error::x ##[group]y `z` [a](b) "q" @all %0A'
    project.ignore(finding, "--reason", hostile, "--owner", hostile)
    assert project.call("baseline", "create").exit_code == 0
    out = project.folder / "out"
    formats = [word for name in FORMATS for word in ("-f", name)]
    result = project.call("verify", "--offline", "-q", "--all", *formats, "--output", out)
    assert result.exit_code == 0
    for name, one in FORMATS.items():
        is_inert(name, (out / one.filename).read_text("utf-8"))
    listed = project.call("ignores", "list").stdout
    assert "##[" not in listed
    assert not any(line.lstrip().startswith("::") for line in listed.splitlines())


def test_the_step_summary_is_appended(project, tmp_path):
    """The Markdown report goes to the runner's file, after what is there; without one, exit 2."""
    summary = tmp_path / "summary.md"
    summary.write_text("before\n", "utf-8")
    arguments = ("verify", "--offline", "-q", "--format", "github", "--step-summary")
    result = project.call(*arguments, GITHUB_STEP_SUMMARY=str(summary))
    assert result.exit_code == 1
    assert result.stdout.startswith("::error ")
    assert summary.read_text("utf-8").startswith("before\n\n# ✗ corpusguard: violated\n")
    assert project.call(*arguments, GITHUB_STEP_SUMMARY="").exit_code == 2
    assert project.call(*arguments, GITHUB_STEP_SUMMARY=str(tmp_path)).exit_code == 2
    summary.write_bytes(b"x" * 1_048_000)
    assert project.call(*arguments, GITHUB_STEP_SUMMARY=str(summary)).exit_code == 1
    assert summary.stat().st_size <= 1_048_576
    assert "did not fit here" in summary.read_text("utf-8")


def test_every_command_is_quiet_about_an_empty_list(project):
    """No list, no entries: exit 0 and a sentence."""
    assert "Nothing is ignored." in project.call("ignores", "list").stdout
    assert project.call("ignores", "prune", "--yes").stdout == ""
    assert not project.ignores.exists()
    assert load_config(project.config).ignore_days == 90


def reasons(record):
    return {one["suppression"]["reason"] for one in record["findings"] if one["suppression"]}


def test_a_baseline_of_another_history_is_said_to_be_of_another(project):
    """By head, not by number; in a history of its own, no run is named that it does not have."""
    assert project.call("baseline", "create").exit_code == 0
    text = project.baseline.read_text("utf-8")
    run, head, finished = (json.loads(text)[key] for key in ("run", "head", "finished"))
    assert reasons(project.verify(code=0)) == {
        f"known since run {run}, of which the baseline was made"
    }
    other = {f"in the baseline, made on {finished[:10]} of run {run} of another history"}
    project.baseline.write_text(text.replace(head, f"sha256:{'0' * 64}"), "utf-8")
    assert reasons(project.verify(code=0)) == other
    project.baseline.write_text(text, "utf-8")
    for file in project.folder.glob("history.db*"):
        file.unlink()
    assert reasons(project.verify(code=0)) == other, "the run that is under way is not that run"
    assert reasons(project.verify(code=0)) == other, "nor is the one that took its number"


def test_a_baseline_from_the_future_is_refused(project):
    """Exit code 2, before a run begins."""
    assert project.call("baseline", "create").exit_code == 0
    text = project.baseline.read_text("utf-8")
    finished = json.loads(text)["finished"]
    project.baseline.write_text(text.replace(finished, "9999-12-31T00:00:00Z"), "utf-8")
    result = project.call("verify", "--offline", "-q")
    assert result.exit_code == 2
    assert "has not come yet" in result.stderr
    assert "baseline create" in result.stderr
