"""What the daemon does at each tick, by a clock that a test moves: real runs, real history."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime

import pytest
import time_machine

from corpusguard.cli.bundled import sample_folder, snapshots_folder, sources_folder
from corpusguard.config import load_config
from corpusguard.history import History, RunRecord, RunState
from corpusguard.locking import RunLock
from corpusguard.service.daemon import RETRY_SECONDS, Daemon
from corpusguard.service.schedules import Schedules, last_counted, worst

SCHEDULE = """
[schedule]
name = "{name}"
cron = "{cron}"
timezone = "UTC"
layers = ["L1"]
offline = true
"""


@pytest.fixture
def clock():
    with time_machine.travel(datetime(2026, 6, 1, 2, 0, tzinfo=UTC), tick=False) as traveller:
        yield traveller


class Project:
    """The clean sample, its schedules and its daemon."""

    def __init__(self, folder, **crons):
        shutil.copyfile(sample_folder() / "clean.jsonl", folder / "clean.jsonl")
        shutil.copytree(snapshots_folder(), folder / "snapshots")
        shutil.copytree(sources_folder(), folder / "sources")
        for name, cron in crons.items():
            (folder / f"{name}.toml").write_text(SCHEDULE.format(name=name, cron=cron))
        names = ", ".join(f'"{name}.toml"' for name in crons)
        text = (sample_folder() / "corpusguard-clean.toml").read_text()
        text = text.replace("sources =", f"schedules = [{names}]\nsources =", 1)
        (folder / "corpusguard.toml").write_text(text)
        self.config = load_config(folder / "corpusguard.toml")
        self.daemon = self.restarted()

    def restarted(self):
        schedules = Schedules(self.config)
        self.daemon = Daemon(schedules, schedules.required())
        return self.daemon

    def ran(self):
        if not self.config.history.exists():
            return []
        with History.open(self.config.history) as history:
            return [(run.schedule, run.started[5:16]) for run in reversed(history.runs())]


def test_each_night_runs_once_however_often_it_ticks(tmp_path, clock):
    """Before the time nothing, at it one run, after it none; the same after a restart."""
    project = Project(tmp_path, nightly="30 2 * * *")
    project.restarted()
    clock.move_to(datetime(2026, 6, 1, 20, 0, tzinfo=UTC))  # too late to make up for
    project.daemon.tick()
    assert project.ran() == []
    for day in (2, 3):
        for minute in (28, 29, 30, 31, 45):
            clock.move_to(datetime(2026, 6, day, 2, minute, tzinfo=UTC))
            project.daemon.tick()
        project.restarted().tick()

    assert project.ran() == [("nightly", "06-02T02:30"), ("nightly", "06-03T02:30")]


def test_a_tick_waits_for_another_run_and_then_runs(tmp_path, clock, capsys):
    """The lock is held for half an hour; it is said once."""
    project = Project(tmp_path, nightly="30 2 * * *")
    with RunLock(project.config.history.with_name(project.config.history.name + ".lock")):
        for minute in (30, 31, 59):
            clock.move_to(datetime(2026, 6, 1, 2, minute, tzinfo=UTC))
            project.daemon.tick()
        assert project.ran() == []
    clock.move_to(datetime(2026, 6, 1, 3, 0, tzinfo=UTC))
    project.daemon.tick()

    assert project.ran() == [("nightly", "06-01T03:00")]
    assert capsys.readouterr().err.count("schedule waits") == 1


def test_what_goes_wrong_with_history_is_logged_and_tried_again(
    tmp_path, clock, capsys, monkeypatch
):
    """A history that is none: no exception leaves the tick, and ten minutes later it looks again."""
    project = Project(tmp_path, nightly="30 2 * * *")
    elapsed = [1_000.0]
    monkeypatch.setattr("corpusguard.service.daemon.time.monotonic", lambda: elapsed[0])
    project.config.history.write_bytes(b"not a database, but long enough to be taken for one" * 9)
    clock.move_to(datetime(2026, 6, 1, 2, 30, tzinfo=UTC))
    for _ in range(5):
        project.daemon.tick()
    assert capsys.readouterr().err.count("history cannot be read") == 1
    project.config.history.unlink()
    project.daemon.tick()
    assert project.ran() == []
    elapsed[0] += RETRY_SECONDS
    project.daemon.tick()

    assert project.ran() == [("nightly", "06-01T02:30")]


def test_two_schedules_at_one_time_both_run(tmp_path, clock):
    """One after the other, never at once."""
    project = Project(tmp_path, first="30 2 * * *", second="30 2 * * *")
    clock.move_to(datetime(2026, 6, 1, 2, 30, tzinfo=UTC))
    project.daemon.tick()
    project.daemon.tick()

    assert [name for name, _ in project.ran()] == ["first", "second"]


def test_a_schedule_of_every_minute_is_not_held_back(tmp_path, clock):
    """The pause after a run without a trace is not one after a run that left one."""
    project = Project(tmp_path, often="* * * * *")
    for minute in range(5):
        clock.move_to(datetime(2026, 6, 1, 2, minute, tzinfo=UTC))
        project.daemon.tick()

    assert len(project.ran()) == 5


def record(run, state=RunState.FINISHED, code=0):
    return RunRecord(
        run=run,
        started=f"2026-06-{run:02}T02:30:00Z",
        finished="",
        state=state,
        verdict=None,
        layers=(),
        tool="",
        config_digest="",
        exit_code=code,
    )


@pytest.mark.parametrize(
    ("newest_first", "day"),
    [
        ([], None),
        ([record(3)], 3),
        ([record(3, code=1)], 3),
        ([record(3, RunState.ABORTED, 70)], 3),
        ([record(3, RunState.ABORTED, None), record(2)], 2),
        ([record(3, RunState.ABORTED, 143), record(2, RunState.ABORTED, 130), record(1)], 1),
        ([record(3, RunState.RUNNING, None)], None),
        ([record(day, RunState.ABORTED, None) for day in (4, 3, 2)] + [record(1)], 4),
    ],
    ids=["none", "good", "findings", "crashed", "killed", "stopped", "running", "killed thrice"],
)
def test_a_run_that_was_interrupted_does_not_count_but_a_third_one_does(newest_first, day):
    """Killed runs are made up for; what is killed each time is not tried for ever."""
    found = last_counted(newest_first)

    assert (found.day if found else None) == day


@pytest.mark.parametrize(
    ("codes", "code"), [([], 0), ([0, 3, 1], 1), ([3, 0], 3), ([1, 4], 4), ([4, 70], 70)]
)
def test_the_worst_code_is_that_of_the_contract(codes, code):
    """70, 4, 1, 3, 0."""
    assert worst(codes) == code
