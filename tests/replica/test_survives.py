"""What a night survives: dead workers, a full disk, a read-only one, a damaged or older history."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from corpusguard.history import History
from corpusguard.model import Verdict
from tests.replica.twenty import DOCUMENTS, Project

CLI = [sys.executable, "-m", "corpusguard", "--log-format", "json"]
DEADLY = """
import os, signal
from corpusguard.corpora import rebuild
from corpusguard.model import CorpusSpec

def passages(reading, document):
    if "26a13" in document.id:
        os.kill(os.getpid(), signal.SIGKILL)
    for one in rebuild(reading, CorpusSpec("x", "jsonl", recipe="section"), document):
        yield {"id": one.id, "document": one.document, "section": one.section,
               "text": one.text, "heading": one.heading}
"""


@pytest.fixture
def project(tmp_path, replica):
    return Project(tmp_path, replica, None, random.Random(1))


def call(folder, *arguments, **options):
    return subprocess.run(
        [*CLI, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        **options,
    )


def night(folder, *arguments):
    with (folder / "night.log").open("w") as log:
        return subprocess.Popen(
            [*CLI, "verify", "--refetch", *arguments],
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=log,
            start_new_session=True,
        )


def until(condition, what, seconds=60):
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end, f"waited in vain for {what}"
        time.sleep(0.02)
    return found


def workers(process):
    """Living worker processes of a session: those of a pool, not the one that counts semaphores."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            command = (entry / "cmdline").read_bytes()
            session = int((entry / "stat").read_text().rpartition(")")[2].split()[3])
        except (OSError, IndexError):
            continue
        if session == process.pid and b"spawn_main" in command:
            found.append(int(entry.name))
    return found


def stored(folder, run=None):
    with History.open(folder / "history.db") as history:
        number = run or history.last_run().run
        return {each.result.id: each.result for each in history.document_results(number)}


linux = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="workers are found in /proc"
)


@linux
def test_workers_leave_with_a_run_that_was_killed(project, tmp_path):
    """SIGKILL of the run: its workers do not stay behind with their memory, night after night."""
    process = night(tmp_path, "--jobs", "2")
    until(lambda: len(workers(process)) == 2, "two workers")

    process.kill()
    process.wait()

    until(lambda: not workers(process), "the workers' end")
    assert project.service().evidence.verify().breaks == ()


@linux
def test_a_killed_worker_costs_nothing_but_time(project, tmp_path):
    """What was under way is done again in a new process; the night ends as any other."""
    process = night(tmp_path, "--jobs", "2")
    victim = until(lambda: workers(process), "a worker")[0]
    os.kill(victim, signal.SIGKILL)

    assert process.wait(120) == 0
    assert "worker died" in (tmp_path / "night.log").read_text()
    results = stored(tmp_path)
    assert len(results) == DOCUMENTS
    assert {one.verdict for one in results.values()} == {Verdict.VERIFIED}
    assert project.service().evidence.verify().breaks == ()


def test_a_document_that_kills_its_worker_each_time_is_unverifiable_alone(project, tmp_path):
    """One law that no process survives does not take the night along: CG507, exit 3."""
    (tmp_path / "deadly.py").write_text(DEADLY)
    settings = tmp_path / "corpusguard.toml"
    settings.write_text(settings.read_text().replace('"section"', '"deadly:passages"'))
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}

    done = call(tmp_path, "verify", "--jobs", "2", env=environment)

    assert done.returncode == 3, done.stderr
    results = stored(tmp_path)
    assert len(results) == DOCUMENTS
    bad = [one for one in results.values() if one.verdict is not Verdict.VERIFIED]
    assert [(one.id, one.verdict) for one in bad] == [
        ("ca-on/statute/26a13@en", Verdict.UNVERIFIABLE)
    ]
    assert [finding.rule for finding in bad[0].findings] == ["CG507"]
    assert "memory" in bad[0].findings[0].message


@pytest.fixture
def disk(tmp_path):
    """A disk of its own, remounted at will."""
    mount, umount = shutil.which("mount"), shutil.which("umount")
    if os.geteuid() != 0 or not mount or not umount:
        pytest.skip("mounting a small disk needs root and mount(8)")
    place = tmp_path / "disk"
    place.mkdir()
    tried = subprocess.run(
        [mount, "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(place)],
        capture_output=True,
        text=True,
        check=False,
    )
    if tried.returncode:
        pytest.skip(f"a small disk cannot be mounted here: {tried.stderr.strip()}")
    yield (
        place,
        lambda option: subprocess.run([mount, "-o", f"remount,{option}", str(place)], check=True),
    )
    subprocess.run([umount, "--lazy", str(place)], check=True)


def fill(place, leave):
    """Fill a disk to the last ``leave`` bytes."""
    free = shutil.disk_usage(place).free
    (place / "ballast").write_bytes(b"\0" * (free - leave))


@pytest.mark.parametrize("leave", [0, 4_096, 16_384, 65_536, 131_072, 262_144])
def test_a_full_disk_is_exit_4_and_loses_nothing(disk, replica, leave):
    """However late in the run the disk fills: exit 4, earlier evidence whole, the next night goes on."""
    place, _ = disk
    project = Project(place, replica, None, random.Random(2))
    assert call(place, "verify").returncode == 0
    before = stored(place, 1)
    for _ in range(30):
        project.amend()
    project.write()
    fill(place, leave)

    done = call(place, "verify", "--refetch")

    assert done.returncode == 4, done.stderr
    assert "space" in done.stderr.lower()
    assert "Traceback" not in done.stderr
    assert stored(place, 1) == before
    (place / "ballast").unlink()
    check = project.service().evidence.verify()
    assert check.breaks == ()
    assert call(place, "verify", "--refetch").returncode == 1
    assert len(stored(place)) == DOCUMENTS
    assert project.service().evidence.verify().breaks == ()


def test_a_read_only_disk_is_exit_4(disk, replica):
    """Nothing can be stored, so nothing is claimed; what was known stays readable."""
    place, remount = disk
    project = Project(place, replica, None, random.Random(3))
    assert call(place, "verify").returncode == 0
    before = stored(place, 1)
    remount("ro")

    done = call(place, "verify", "--refetch")

    assert done.returncode == 4, done.stderr
    assert "Traceback" not in done.stderr
    assert call(place, "status").returncode == 0
    assert call(place, "findings", "list").returncode == 0
    remount("rw")
    assert stored(place, 1) == before
    assert call(place, "verify", "--refetch").returncode == 0
    assert project.service().evidence.verify().breaks == ()


@pytest.mark.parametrize("damage", ["header", "middle", "cut", "empty", "text", "folder"])
def test_a_damaged_history_stops_the_run_and_is_kept(project, tmp_path, damage):
    """Exit 4 with a next step; the damaged file is not written over: it is evidence."""
    assert call(tmp_path, "verify").returncode == 0
    path = tmp_path / "history.db"
    data = path.read_bytes()
    middle = len(data) // 2 // 4096 * 4096
    if damage == "folder":
        path.unlink()
        path.mkdir()
    else:
        path.write_bytes(
            {
                "header": b"\xff" * 100 + data[100:],
                "middle": data[:middle] + b"\xff" * 8192 + data[middle + 8192 :],
                "cut": data[: len(data) // 3],
                "empty": b"\0" * len(data),
                "text": b"not a database",
            }[damage]
        )
    kept = path.read_bytes() if path.is_file() else None

    for command in (["verify", "--refetch"], ["history", "verify"]):
        done = call(tmp_path, *command)

        assert done.returncode == 4, (command, done.stdout, done.stderr)
        assert "Traceback" not in done.stderr
    assert (path.read_bytes() if path.is_file() else None) == kept


def test_an_older_copy_put_back_is_seen_by_its_head(project, tmp_path):
    """A chain cannot see its own end cut off; a head that was kept elsewhere can."""
    assert call(tmp_path, "verify").returncode == 0
    shutil.copy(tmp_path / "history.db", tmp_path / "older.db")
    assert call(tmp_path, "verify", "--refetch").returncode == 0
    head = call(tmp_path, "history", "head").stdout.split()[0]
    shutil.copy(tmp_path / "older.db", tmp_path / "history.db")

    assert call(tmp_path, "history", "verify").returncode == 0
    done = call(tmp_path, "history", "verify", "--head", head)
    assert done.returncode == 4
    assert "cut off" in done.stdout + done.stderr


def test_a_copy_goes_on_where_it_was_copied(project, tmp_path):
    """History, snapshots and settings copied to another folder: it verifies and runs there."""
    assert call(tmp_path, "verify").returncode == 0
    other = tmp_path / "elsewhere"
    other.mkdir()
    for name in ("history.db", "snapshots", "corpusguard.toml", "lights.toml", "lights.jsonl"):
        copy = shutil.copytree if (tmp_path / name).is_dir() else shutil.copy
        copy(tmp_path / name, other / name)

    assert call(other, "history", "verify").returncode == 0
    assert call(other, "verify", "--refetch").returncode == 0
    assert len(stored(other)) == DOCUMENTS


def test_a_locked_database_is_waited_for_or_exit_4(project, tmp_path):
    """Another program that holds the file: the run says so, and nothing is half stored."""
    assert call(tmp_path, "verify").returncode == 0
    with closing(sqlite3.connect(tmp_path / "history.db", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        done = call(tmp_path, "verify", "--refetch")
        other.execute("ROLLBACK")

    assert done.returncode in {4, 75}, done.stderr
    assert "Traceback" not in done.stderr
    assert project.service().evidence.verify().breaks == ()
    assert call(tmp_path, "verify", "--refetch").returncode == 0
