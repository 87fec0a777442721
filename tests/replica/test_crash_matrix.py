"""SIGKILL at random points of runs over twenty documents: nothing acknowledged is ever lost.

Ten seeds of twenty kills and more. Two of three kills fall anywhere between the start of the
process and its end: while fetching, reading, comparing, storing, sealing. Where those fall is for
the machine to say, and a busy one lets all of them fall before the first document; so each third
one falls right behind a given number of documents. Laws are amended and rows are spoiled in
between, so that there is something to do each time. Law that history acknowledged ("document done"
in the log, written after the commit) must be there after the kill, whole; history must verify; and
a spoiled row must never once count as verified.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from corpusguard.history import History, RunState
from corpusguard.model import Verdict
from tests.replica.twenty import DOCUMENTS, Project

ROOT = Path(__file__).resolve().parents[2]
KILLS = 21
AIMED = 7
SEEDS = range(10)


class Launcher:
    """A process that starts the command line on demand."""

    def __init__(self):
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.replica.launcher"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def start(self, folder, log, arguments, dies_after):
        return self._ask(json.dumps([str(folder), str(log), arguments, dies_after]))

    def code(self):
        return self._ask("")

    def _ask(self, line):
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())

    def close(self):
        self._process.stdin.close()
        assert self._process.wait(30) == 0
        self._process.stdout.close()


@pytest.fixture(scope="module")
def launcher():
    made = Launcher()
    yield made
    made.close()


def lines_of(log):
    found = []
    for line in log.read_text().splitlines():
        if line.startswith("{"):
            # The last line may be half: a kill does not wait for it.
            try:
                found.append(json.loads(line))
            except ValueError:
                continue
    return found


def acknowledged(log):
    """Run number, and the documents that the log says are stored."""
    events = lines_of(log)
    run = next((event["run"] for event in events if event["event"] == "run begun"), None)
    return run, [event["document"] for event in events if event["event"] == "document done"]


@pytest.mark.parametrize("seed", SEEDS)
def test_kills_at_random_points_lose_nothing_acknowledged(seed, tmp_path, replica, launcher):
    """After each kill history verifies, what was acknowledged is whole, the next night goes on."""
    rng = random.Random(seed)
    project = Project(tmp_path, replica, launcher, rng)
    started = time.monotonic()
    _, log = project.start()
    assert launcher.code() == 0
    takes = time.monotonic() - started
    kept, points = {}, []
    aims = [*rng.sample(range(DOCUMENTS + 1), AIMED), *[None] * (KILLS - AIMED)]
    rng.shuffle(aims)
    while aims:
        for _ in range(rng.randrange(1, 4)):
            project.amend()
        started = time.monotonic()
        pid, log = project.start(aims[-1])
        if aims[-1] is None:
            time.sleep(rng.random() * takes)
            over = time.monotonic() - started
            os.kill(pid, signal.SIGKILL)
        code = launcher.code()
        if aims[-1] is None and code != -signal.SIGKILL:
            takes = over  # it was done before the kill came: aim earlier
            continue
        assert code == -signal.SIGKILL
        run, done = acknowledged(log)
        if (aim := aims.pop()) is not None:
            assert len(done) == aim
        points.append(len(done) if run else -1)
        if done:
            kept[run] = set(done)

        check = project.service().evidence.verify()
        assert check.breaks == ()
        assert check.records > 0
        with History.open(tmp_path / "history.db") as history:
            for number, names in kept.items():
                stored = {each.result.id: each.result for each in history.document_results(number)}
                assert names <= set(stored)
                assert all(len(each.states) == each.passages > 0 for each in stored.values())
            if run is not None and history.run(run).state is RunState.RUNNING:
                assert history.last_run().run < run
            elif run is not None:  # the kill came after the end of the run was stored
                assert history.last_run().run == run
                assert set(done) == set(project.laws)
            for name in set(done) & project.spoiled:
                stored = {each.result.id: each.result for each in history.document_results(run)}
                assert stored[name].verdict is Verdict.VIOLATED
                assert not all(
                    one.current for one in history.verified_passages(name, "lights").values()
                )
    project.start()

    assert launcher.code() == 1  # laws were amended, and the corpus did not follow
    with History.open(tmp_path / "history.db") as history:
        last = history.last_run()
        assert {each.result.id for each in history.document_results(last.run)} == set(project.laws)
        assert RunState.RUNNING not in {history.run(number).state for number in kept}
    assert project.service().evidence.verify().breaks == ()
    assert len(points) == KILLS
    assert len(set(points)) >= AIMED
    print("documents acknowledged at each kill (-1: no run yet):", sorted(points))
