"""What only a real process can show: signals, closed pipes, a full device."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path

import pytest

from corpusguard.locking import RunLock
from tests.unit.cli.conftest import call, start


def test_a_closed_pipe_is_quiet_and_keeps_the_exit_code(verified):
    """``corpusguard verify --all | head -1``: no traceback, and the verdict's own code."""
    process = start(
        "verify",
        "--offline",
        "--all",
        "-q",
        "-f",
        "json",
        "-c",
        verified,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdout.close()
    assert process.wait(60) == 1
    assert process.stderr.read() == ""
    process.stderr.close()


def test_a_stream_stops_when_nobody_reads(verified):
    """``corpusguard passages … | head -1`` ends early, without a word, with 0."""
    process = start(
        "passages",
        "ca-on/statute/19h31@en",
        "--recipe",
        "subsection",
        "--accept-anomalies",
        "-c",
        verified,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdout.close()
    assert process.wait(60) == 0
    assert process.stderr.read() == ""
    process.stderr.close()


def test_a_full_device_is_exit_4(verified):
    """``corpusguard verify -f json > /dev/full`` did not store its result."""
    with Path("/dev/full").open("w") as full:
        process = start(
            "verify",
            "--offline",
            "-q",
            "-f",
            "json",
            "-c",
            verified,
            stdout=full,
            stderr=subprocess.PIPE,
        )
        _, stderr = process.communicate(timeout=60)
    assert process.returncode == 4
    assert "could not write to standard output" in stderr
    assert "Traceback" not in stderr


def test_closed_streams_do_not_crash(verified):
    """Under a scheduler that closes both streams the exit code still tells."""
    process = start(
        "status",
        "-c",
        verified,
        stdout=None,
        stderr=None,
        close_fds=True,
        preexec_fn=_close_streams,
    )
    assert process.wait(60) == 1


CODE_TELLS = (
    ("status",),
    ("verify", "--offline"),
    ("check-corpus",),
    ("history", "verify"),
    ("snapshots", "verify"),
    ("doctor",),
)


@pytest.mark.parametrize("command", CODE_TELLS, ids=" ".join)
def test_a_closed_output_does_not_change_an_answer_that_is_a_code(verified, command):
    """As with an open one: for a scheduler the code is all that it asks for."""
    asked = call(*command, "-c", verified).exit_code
    options = {"stdout": None, "stderr": subprocess.PIPE, "preexec_fn": lambda: os.close(1)}
    with start(*command, "-c", verified, **options) as process:
        _, said = process.communicate(timeout=60)
    assert process.returncode == asked
    assert "Traceback" not in said


@pytest.mark.parametrize(
    "command",
    [
        ("report", "-f", "json"),
        ("report", "-f", "html"),
        ("findings", "list"),
        ("findings", "list", "-f", "json"),
        ("ignores", "list"),
        ("decisions", "list"),
        ("snapshots", "list"),
        ("history", "head"),
        ("passages", "ca-on/statute/19h31@en", "-r", "subsection", "--accept-anomalies"),
    ],
    ids=" ".join,
)
def test_a_closed_output_loses_what_was_asked_for(verified, command):
    """``corpusguard findings list >&-``: exit 4, as where the device is full."""
    options = {"stdout": None, "stderr": subprocess.PIPE, "preexec_fn": lambda: os.close(1)}
    with start(*command, "-c", verified, **options) as process:
        _, said = process.communicate(timeout=60)
    assert process.returncode == 4, said
    assert "standard output is closed" in said
    assert "next: " in said


def _close_streams():
    os.close(1)
    os.close(2)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_marks_the_run_aborted(sample, tmp_path, number, code):
    """Interrupted or terminated in the middle: the code says so, and no run looks finished."""
    folder = tmp_path / "sample"
    shutil.copytree(sample, folder)
    config = folder / "corpusguard.toml"
    # A store that never ends holds the run where the signal meets it.
    slow = "import sys, time\nsys.stdout.flush()\ntime.sleep(600)"
    config.write_text(
        config.read_text()
        + f'\n[[corpus]]\nname = "slow"\nreader = "exec"\ncommand = ["python3", "-c", {json.dumps(slow)}]\n'
        + 'document = "ca-on/statute/19h31@en"\nrecipe = "anchored"\n'
    )
    process = start(
        "verify", "--offline", "-c", config, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    _wait_for_run(folder / "history.db")
    process.send_signal(number)
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == code, stderr
    assert stdout == ""
    assert "Traceback" not in stderr
    assert _runs(folder / "history.db") == [("aborted", code)]


def _wait_for_run(history):
    end = time.monotonic() + 120
    while time.monotonic() < end:
        try:
            if _runs(history):
                return
        except sqlite3.Error:
            pass
        time.sleep(0.05)
    pytest.fail("the run never began")


def _runs(history):
    with closing(sqlite3.connect(f"file:{history}?mode=ro", uri=True)) as database:
        return database.execute("SELECT state, exit_code FROM runs").fetchall()


def test_a_second_run_exits_75(sample, tmp_path):
    """While one run holds the lock, another says who holds it and leaves."""
    folder = tmp_path / "sample"
    shutil.copytree(sample, folder)
    with RunLock(folder / "history.db.lock"):
        result = call("verify", "--offline", "-c", folder / "corpusguard.toml")
    assert result.exit_code == 75
    assert result.stdout == ""


def test_progress_and_remarks_are_on_standard_error_only(verified):
    """Data alone reaches standard output; --quiet silences the rest."""
    arguments = ["verify", "--offline", "-f", "json", "-c", verified]
    loud, quiet = call(*arguments), call(*arguments, "--quiet")
    assert json.loads(loud.stdout)["schema"] == "corpusguard/run/1"
    assert "verifying" in loud.stderr
    assert json.loads(quiet.stdout)["schema"] == "corpusguard/run/1"
    assert quiet.stderr == ""


def test_a_terminal_gets_colour_and_progress(verified):
    """On a real terminal the verdict is coloured and a bar runs; both end with the command."""
    master, slave = os.openpty()
    process = start(
        "verify",
        "--offline",
        "-c",
        verified,
        stdout=slave,
        stderr=slave,
        stdin=slave,
        term="xterm-256color",
    )
    os.close(slave)
    text = _read_all(master)
    assert process.wait(60) == 1
    assert "verifying" in text
    assert "\x1b[31m✗ violated\x1b[0m" in text
    # The cursor, hidden while the bar runs, is shown again.
    assert text.rindex("\x1b[?25h") > text.rindex("\x1b[?25l")


def test_no_color_on_a_terminal(verified):
    """NO_COLOR turns colour off where a terminal could show it; brackets mark differences."""
    master, slave = os.openpty()
    process = start(
        "verify",
        "--offline",
        "-q",
        "-c",
        verified,
        stdout=slave,
        stderr=slave,
        stdin=slave,
        term="xterm-256color",
        no_color="1",
    )
    os.close(slave)
    text = _read_all(master)
    assert process.wait(60) == 1
    assert "\x1b" not in text
    assert "{+" in text


def _read_all(master):
    """Read a terminal's output until its other end is closed, which is an error on Linux."""
    parts = []
    try:
        while part := os.read(master, 65_536):
            parts.append(part)
    except OSError:
        pass
    finally:
        os.close(master)
    return b"".join(parts).decode()
