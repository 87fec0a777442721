"""``hook memory-check`` as a process: standard input never matters, two at once wait, 0 or 2."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from filelock import FileLock

from tests.unit.gate.hook.test_memory_check import ACCEPTED, here, project, put
from tests.unit.gate.hook.test_memory_write import LAW, LIE
from tests.unit.gate.hook.test_process import THEN, wait_until_it_reads

__all__ = ["project"]


def command(folder, *more):
    return [sys.executable, "-c", THEN, "hook", "memory-check", "-c",
            str(folder / "corpusguard.toml"), *more]  # fmt: skip


def start(folder, *more, **streams):
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    return subprocess.Popen(command(folder, *more), **{**pipes, **streams})


def done_within(running, seconds):
    """What it printed; one that does not end is killed, and fails its test."""
    try:
        return running.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        running.kill()
        raise


@pytest.mark.parametrize(("says", "code"), [(LAW, 0), (LIE, 2)])
@pytest.mark.parametrize(
    "redirection",
    ["</dev/null", "<&-", "</dev/zero", "<huge", "<malformed", ">&-", "2>&-", "2>/dev/full",
     "<&- >&- 2>&-"],
)  # fmt: skip
def test_the_streams_decide_nothing(project, redirection, says, code):
    """Closed, empty, endless, huge or malformed: the files are looked at all the same."""
    put(project / "AGENTS.md", says)
    (project / "huge").write_bytes(b'{"tool_response": "' + b"x" * 10_000_000)
    (project / "malformed").write_bytes(b"\xff{]")
    done = subprocess.run(
        ["bash", "-c", f"{shlex.join(command(project))} {redirection}"], cwd=project,
        timeout=60, check=False, capture_output=True,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (code, b""), done.stderr


def test_a_large_event_is_taken(project):
    """An agent that writes ten megabytes must not find its pipe broken."""
    event = json.dumps({"hook_event_name": "PostToolUse", "tool_response": "x" * 10_000_000})
    with start(project) as running:
        running.stdin.write(event.encode())
        running.stdin.close()
        assert running.wait(timeout=60) == 0


def test_nobody_waits_for_input(project):
    """A pipe that stays open and silent."""
    put(project / "AGENTS.md", LIE)
    with start(project) as running:
        try:
            assert running.wait(timeout=60) == 2
        finally:
            running.kill()
        assert LIE.encode() in running.stderr.read()  # so it was not its time limit


def test_a_terminal_as_input(project):
    """A person runs it by hand, and types nothing."""
    parent, child = os.openpty()
    try:
        with start(project, stdin=child) as running:
            assert running.wait(timeout=60) == 0
    finally:
        os.close(parent)
        os.close(child)


def test_a_second_one_waits_and_the_time_limit_holds(project):
    """While another holds the lock; once it is free the check goes on."""
    put(project / "AGENTS.md", LAW)
    lock = FileLock(f"{project / ACCEPTED}.lock")
    with lock:
        with start(project, "--within", "1.5", stdin=subprocess.DEVNULL) as running:
            _, err = done_within(running, 60)
        assert (running.returncode, b"not decided within 1.5 s" in err) == (2, True)
        waiting = start(project, stdin=subprocess.DEVNULL)
        with pytest.raises(subprocess.TimeoutExpired):
            waiting.wait(timeout=3)
        assert LAW not in (project / ACCEPTED).read_text().partition("CLAUDE.md")[0]
    with waiting:
        assert waiting.wait(timeout=60) == 0
    assert "AGENTS.md" in (project / ACCEPTED).read_text()


def test_the_time_limit_holds_while_input_is_read(project):
    """It must not be taken for an error of the stream, or of a file."""
    lock, endless = FileLock(f"{project / ACCEPTED}.lock"), Path("/dev/zero")
    with lock, endless.open() as zeros, start(project, "--within", "1", stdin=zeros) as running:
        _, err = done_within(running, 60)
    assert (running.returncode, b"not decided within 1 s" in err) == (2, True)


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP", "SIGUSR1"])
def test_a_signal_ends_it_with_2(project, name):
    """And accepts nothing."""
    put(project / "AGENTS.md", LAW)
    before = (project / ACCEPTED).read_bytes()
    with FileLock(f"{project / ACCEPTED}.lock"), start(project) as running:
        wait_until_it_reads(running)
        running.send_signal(getattr(signal, name))
        out, err = done_within(running, 60)
    assert (running.returncode, out) == (2, b""), err
    assert f"signal {int(getattr(signal, name))} ".encode() in err
    assert (project / ACCEPTED).read_bytes() == before


def test_several_at_once(project):
    """Agents call tools side by side: all pass, and what is kept is whole."""
    put(project / "AGENTS.md", LAW)
    running = [start(project, stdin=subprocess.DEVNULL) for _ in range(4)]
    assert [one.wait(timeout=120) for one in running] == [0] * 4, running[0].stderr.read()
    for one in running:
        one.stdout.close()
        one.stderr.close()
    kept = json.loads((project / ACCEPTED).read_text())
    assert [one["path"] for one in kept["files"]] == ["AGENTS.md", "CLAUDE.md", "memory/style.md"]
    assert here(project).exit_code == 0
    assert not list(project.glob(".*.tmp"))


def test_a_limit_of_file_sizes(project):
    """As a full disk: 2 with the cause, the accepted texts as they were, and nothing left over."""
    put(project / "AGENTS.md", LAW)
    before = (project / ACCEPTED).read_bytes()
    done = subprocess.run(
        ["bash", "-c", f"ulimit -f 0; {shlex.join(command(project))}"],
        capture_output=True, stdin=subprocess.DEVNULL, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"could not write" in done.stderr
    assert (project / ACCEPTED).read_bytes() == before
    assert not list(project.glob(".*.tmp"))


@pytest.mark.parametrize("more", [(), ("--all",), ("--accept",)])
def test_a_message_that_nobody_reads(project, more):
    """Standard error is a full pipe; the time limit holds for what is said of it, too."""
    put(project / "AGENTS.md", LIE)
    reading, writing = os.pipe()
    try:
        os.set_blocking(writing, False)
        with suppress(BlockingIOError):
            while True:
                os.write(writing, b"x" * 4096)
        os.set_blocking(writing, True)
        with start(project, "--within", "2", *more, stderr=writing, stdin=subprocess.DEVNULL) as it:
            done_within(it, 60)
        assert it.returncode == 2
    finally:
        os.close(reading)
        os.close(writing)


def test_a_time_limit_that_is_swallowed(project):
    """An exception in a call into C, or at an object's end, is not raised: it ends all the same."""
    busy = (
        "import signal, time;"
        "from corpusguard.gate.hook import afterwards;"
        "signal.setitimer = lambda *_: None;"
        "afterwards.check_memory = lambda _: time.sleep(600);"
    )
    with subprocess.Popen(
        [sys.executable, "-c", busy + THEN, *command(project, "--within", "1")[3:]],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as running:  # fmt: skip
        out, err = done_within(running, 60)
    assert (running.returncode, out) == (2, b"")
    assert b"did not end when its time was over" in err


@pytest.mark.parametrize(
    "arguments", [["--nonsense"], ["more"], ["--within", "x"], ["-c", "/nowhere.toml"]]
)
def test_a_wrong_call_is_2(project, arguments):
    """An agent would take any other code for a broken hook."""
    done = subprocess.run(
        command(project, *arguments), capture_output=True, stdin=subprocess.DEVNULL, check=False
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr
