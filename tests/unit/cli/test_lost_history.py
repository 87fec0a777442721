"""A history that was emptied, or is gone although runs were made: exit 4, and nothing is begun."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

import pytest

from tests.unit.cli.conftest import call

HEAD = 'history = "history.db"\nhead_file = "kept/head.txt"\nschedules = ["nightly.toml"]'
OPENERS = (
    ("verify", "--offline", "-q"),
    ("status",),
    ("findings", "list"),
    ("decisions", "list"),
    ("decisions", "show", "1"),
    ("check-corpus",),
    ("check-answer", "answer.txt"),
    ("history", "verify"),
    ("history", "list"),
    ("history", "head"),
    ("report", "--format", "json"),
    ("schedule", "list"),
    ("schedule", "run", "--now"),
    ("snapshots", "prune", "--keep", "1"),
    ("ignores", "list"),
)


@pytest.fixture(scope="module")
def one_run(sample, tmp_path_factory):
    """A sample that was verified once, with the head of that run in a file beside it."""
    folder = tmp_path_factory.mktemp("lost") / "sample"
    shutil.copytree(sample, folder)
    (folder / "history.db").unlink(missing_ok=True)
    (folder / "kept").mkdir()
    config = folder / "corpusguard.toml"
    text = config.read_text(encoding="utf-8")
    assert 'history = "history.db"' in text
    config.write_text(text.replace('history = "history.db"', HEAD), encoding="utf-8")
    (folder / "nightly.toml").write_text(
        '[schedule]\nname = "nightly"\ncron = "30 3 * * *"\ntimezone = "UTC"\n'
    )
    (folder / "answer.txt").write_text("Quay dues shall be paid. [p-1]")
    assert call("verify", "--offline", "-q", "-c", config).exit_code == 1
    assert (folder / "kept" / "head.txt").read_text().startswith("sha256:")
    return folder


@pytest.fixture(params=["emptied", "gone"])
def lost(request, one_run, tmp_path):
    """The configuration of a copy of it that has lost its history."""
    folder = tmp_path / "sample"
    shutil.copytree(one_run, folder)
    if request.param == "emptied":
        (folder / "history.db").write_bytes(b"")
    else:
        (folder / "history.db").unlink()
    return folder / "corpusguard.toml"


@pytest.mark.parametrize("command", OPENERS, ids=" ".join)
def test_no_command_takes_a_lost_history_for_a_new_one(lost, command):
    """Exit 4, the cause and the next step; file and head stay as they were."""
    folder = lost.parent
    before = {one.name: one.read_bytes() for one in folder.glob("**/*") if one.is_file()}

    done = call(*(folder / one if one == "answer.txt" else one for one in command), "-c", lost)

    assert done.exit_code == 4, (done.stdout, done.stderr)
    told = done.stdout + done.stderr
    assert "is empty" in told or "is gone" in told
    assert "to begin anew" in told or "last good copy" in told
    after = {one.name: one.read_bytes() for one in folder.glob("**/*") if one.is_file()}
    for name in ("history.db", "head.txt"):
        assert after.get(name) == before.get(name)


def test_a_hook_blocks_where_history_is_lost(lost):
    """Nothing is known to have verified, so nothing passes: exit 2, the code that blocks."""
    write = {
        "hook_event_name": "PreToolUse",
        "cwd": str(lost.parent),
        "tool_name": "Write",
        "tool_input": {"file_path": "MEMORY.md", "content": "Quay dues are 3 crowns by s. 9."},
    }
    done = subprocess.run(
        [sys.executable, "-m", "corpusguard", "hook", "memory-write", "-c", str(lost)],
        input=json.dumps(write),
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 2, done.stderr
    assert "is empty" in done.stderr or "is gone" in done.stderr
    assert done.stdout == ""


def test_doctor_says_that_history_is_lost(lost):
    """As what is wrong, with what to do; it is not `not yet written`."""
    done = call("doctor", "-c", lost)

    assert done.exit_code != 0
    assert "not yet written" not in done.stdout
    assert "is empty" in done.stdout or "is gone" in done.stdout


def test_it_begins_anew_where_that_is_what_is_wanted(lost):
    """As the next step says: with the empty file, or the head of before, out of the way."""
    folder = lost.parent
    (folder / "history.db").unlink(missing_ok=True)
    (folder / "kept" / "head.txt").rename(folder / "kept" / "head-of-before.txt")

    assert call("verify", "--offline", "-q", "-c", lost).exit_code == 1

    done = call("history", "verify", "-c", lost)
    assert done.exit_code == 0
    assert "1 record" in done.stdout
