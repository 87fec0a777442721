"""The run lock: one holder, named to whom it refuses, released when it dies."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from corpusguard.errors import LockHeld, StorageError
from corpusguard.locking import RunLock

ROOT = Path(__file__).parents[3]

_HOLDER = """
import sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from corpusguard.locking import RunLock
with RunLock(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(600)
"""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "state" / "run.lock"


@pytest.fixture
def holder(path):
    """Another process that holds the lock."""
    process = subprocess.Popen(
        [sys.executable, "-c", _HOLDER, str(path), str(ROOT)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "held\n"
    yield process
    process.kill()
    process.communicate()


def test_a_second_run_is_refused_at_once_and_told_who_holds_it(path, holder):
    """Exit 75, with the process and the time in the hint."""
    with pytest.raises(LockHeld) as caught, RunLock(path):
        pass

    assert caught.value.exit_code == 75
    assert f"process {holder.pid} " in caught.value.hint
    assert "UTC" in caught.value.hint


def test_a_killed_holder_lets_go(path, holder):
    """T13: a run killed with -9 must not stop the next night's; its note stops no one."""
    os.kill(holder.pid, signal.SIGKILL)
    holder.wait(timeout=30)
    assert path.with_name("run.lock.holder").exists()

    with RunLock(path), pytest.raises(LockHeld) as caught, RunLock(path):
        pass

    assert f"process {os.getpid()} " in caught.value.hint


def test_the_lock_is_given_back_and_taken_again(path):
    """Also after an exception, and also by another object."""
    with pytest.raises(RuntimeError), RunLock(path):
        raise RuntimeError

    with RunLock(path):
        assert path.with_name("run.lock.holder").exists()
    assert not path.with_name("run.lock.holder").exists()


@pytest.mark.parametrize(
    "note",
    [b"", b"\xff", b"[]", b'{"pid": "x"}', b'{"pid": 1, "started": "then"}', b"[" * 5000],
)
def test_a_note_that_cannot_be_read_only_costs_its_detail(path, holder, note):
    """It is a courtesy: any content, however hostile, leaves the refusal as it is."""
    path.with_name("run.lock.holder").write_bytes(note)

    with pytest.raises(LockHeld) as caught, RunLock(path):
        pass

    assert caught.value.hint == "wait until it has ended"


def test_a_lock_that_cannot_be_made_is_a_storage_error(tmp_path):
    """Exit 4 and a next step."""
    (tmp_path / "file").touch()

    with (
        pytest.raises(StorageError, match="cannot lock") as caught,
        RunLock(tmp_path / "file" / "run.lock"),
    ):
        pass
    assert caught.value.exit_code == 4
    assert caught.value.hint


def test_a_folder_in_place_of_the_lock_is_a_storage_error(tmp_path):
    """It cannot be opened for writing."""
    with pytest.raises(StorageError), RunLock(tmp_path):
        pass
