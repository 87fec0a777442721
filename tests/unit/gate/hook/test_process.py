"""The hook as a process: 2 for whatever stops, starves or confuses it."""

from __future__ import annotations

import fcntl
import json
import os
import shlex
import signal
import subprocess
import sys
import termios
import time
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest

from tests.unit.gate.hook.test_memory_write import LAW, LIE, event
from tests.unit.gate.tiers import NIGHT

THEN = (
    "import time_machine;"
    f"time_machine.travel({(NIGHT + timedelta(hours=1)).isoformat()!r}).start();"
    "from corpusguard.cli import main; main()"
)
"""The command line as at that time: another process does not share this one's clock."""

CAUGHT = [
    "SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGXCPU", "SIGALRM",
    "SIGVTALRM", "SIGPROF", "SIGABRT", "SIGTRAP", "SIGSYS", "SIGRTMIN", "SIGRTMAX",
]  # fmt: skip


def command(corpus, *more):
    return [sys.executable, "-c", THEN, "hook", "memory-write", "-c",
            str(corpus / "corpusguard.toml"), *more]  # fmt: skip


def process(corpus, **more):
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    return subprocess.Popen(command(corpus), **{**pipes, **more})


def write(corpus, content):
    path = str(corpus / "memory" / "new.md")
    return json.dumps(event("Write", corpus, file_path=path, content=content)).encode()


def wait_until_it_reads(running):
    """It has taken what it was given, so it is past its start."""
    running.stdin.write(b"{")
    running.stdin.flush()
    while int.from_bytes(
        fcntl.ioctl(running.stdin.fileno(), termios.FIONREAD, b"\0" * 4), sys.byteorder
    ):
        assert running.poll() is None
        time.sleep(0.05)


@pytest.mark.parametrize("name", CAUGHT)
def test_a_signal_blocks(corpus, name):
    """While it waits for input: code 2, the signal named, nothing on standard output."""
    number = getattr(signal, name)
    with process(corpus) as running:
        wait_until_it_reads(running)
        running.send_signal(number)
        out, err = running.communicate(timeout=60)
    assert (running.returncode, out) == (2, b""), err
    assert b"blocked" in err
    assert f"signal {int(number)} " in err.decode() or name == "SIGALRM"


def test_two_signals_block(corpus):
    """A second one while the first is told."""
    with process(corpus) as running:
        wait_until_it_reads(running)
        running.send_signal(signal.SIGTERM)
        running.send_signal(signal.SIGHUP)
        running.communicate(timeout=60)
    assert running.returncode == 2


def test_a_signal_that_the_parent_ignores_or_holds_back_blocks(corpus):
    """What is inherited does not switch off the time limit."""

    def inherited():
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM, signal.SIGTERM})

    done = subprocess.Popen(
        command(corpus, "--within", "0.5"), preexec_fn=inherited,  # noqa: PLW1509
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    with done:
        assert done.wait(timeout=60) == 2  # its standard input stays open
        assert b"not decided within 0.5 s" in done.stderr.read()


def test_a_pipe_signal_changes_nothing(corpus):
    """Nobody listens on standard error: the code still tells."""
    with process(corpus) as running:
        wait_until_it_reads(running)
        running.stderr.close()
        running.send_signal(signal.SIGPIPE)
        running.stdin.close()
        assert running.wait(timeout=60) == 2


@pytest.mark.parametrize(
    ("redirection", "code"),
    [
        ("<&-", 2), ("2>&-", 2), (">&-", 2), ("<&- >&- 2>&-", 2), ("2>/dev/full", 2),
        (">/dev/full", 2), (">/dev/full 2>/dev/full", 2), ("</dev/zero", 2),
        ("</dev/null", 2),
    ],
)  # fmt: skip
def test_streams_that_are_closed_full_or_endless_block(corpus, redirection, code):
    """A lie, whatever the standard streams are."""
    shell = f"cat lie.json | {shlex.join(command(corpus))} {redirection}"
    (corpus / "lie.json").write_bytes(write(corpus, LIE))
    done = subprocess.run(
        ["bash", "-c", f"{shell}; exit ${{PIPESTATUS[1]}}"], cwd=corpus, timeout=60, check=False,
        capture_output=True,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (code, b""), done.stderr


@pytest.mark.parametrize("redirection", ["2>&-", ">&-", "2>/dev/full"])
def test_what_is_verified_passes_with_any_output(corpus, redirection):
    """There is nothing to print."""
    (corpus / "law.json").write_bytes(write(corpus, LAW))
    done = subprocess.run(
        ["bash", "-c", f"{shlex.join(command(corpus))} <law.json {redirection}"],
        cwd=corpus, timeout=60, check=False, capture_output=True,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, b""), done.stderr


def test_input_without_end_blocks(corpus):
    """Eight megabytes are read, and no more."""
    with process(corpus, bufsize=0) as running:
        with suppress(BrokenPipeError):
            while True:
                running.stdin.write(b'{"a": ' * 10_000)
        assert running.wait(timeout=60) == 2
        assert b"8,000,000 bytes" in running.stderr.read()


HOSTILE = {
    "nothing at all": {},
    "the locale C": {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "ASCII streams": {"PYTHONIOENCODING": "ascii:strict"},
    "a home that is none": {"HOME": "/nonexistent"},
    "a request for completions": {"_CORPUSGUARD_COMPLETE": "complete_bash", "COMP_WORDS": "corpusguard",
                                  "COMP_CWORD": "1"},
    "a request for a completion script": {"_CORPUSGUARD_COMPLETE": "source_bash"},
    "a terminal that is none": {"TERM": "nonsense", "COLUMNS": "x", "FORCE_COLOR": "1"},
    "warnings are errors": {"PYTHONWARNINGS": "error"},
}  # fmt: skip


@pytest.mark.parametrize("variables", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_environment_blocks(corpus, variables):
    """No variable makes a pass or a third code of it, whatever letters are to be shown."""
    content = f"{LIE} §é漢 \ud83d"
    done = subprocess.run(
        command(corpus), input=write(corpus, content), env=variables, timeout=60, check=False,
        capture_output=True,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, b""), done.stderr
    assert b"blocked" in done.stderr


def test_a_folder_that_is_gone_blocks_or_decides(corpus, tmp_path):
    """The agent's folder was removed: with a whole path to the configuration it still decides."""
    gone = tmp_path / "gone"
    gone.mkdir()
    for content, code in ((LIE, 2), (LAW, 0)):
        done = subprocess.run(
            ["bash", "-c", 'cd "$0" && rmdir "$0"; "$@"', str(gone), *command(corpus)],
            input=write(corpus, content), timeout=60, check=False, capture_output=True,
        )  # fmt: skip
        assert (done.returncode, done.stdout) == (code, b""), done.stderr
        gone.mkdir()
    relative = [*command(corpus)[:-1], "corpusguard.toml"]
    done = subprocess.run(
        ["bash", "-c", 'cd "$0" && rmdir "$0"; "$@"', str(gone), *relative],
        input=write(corpus, LAW), timeout=60, check=False, capture_output=True,
    )  # fmt: skip
    assert done.returncode == 2, done.stderr


@pytest.mark.parametrize(
    "arguments",
    [["hook", "memory-write", "--nonsense"], ["--nonsense", "hook", "memory-write"],
     ["hook", "memory-write", "--within", "x"], ["hook", "memory-write", "extra"]],
    ids=" ".join,
)  # fmt: skip
def test_a_wrong_command_line_blocks(arguments):
    """A usage error, also where it cannot be told."""
    for target in ("/dev/null", "/dev/full"):
        with Path(target).open("w") as stream:
            done = subprocess.run(
                [sys.executable, "-m", "corpusguard", *arguments], stderr=stream, timeout=60,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False,
            )  # fmt: skip
        assert (done.returncode, done.stdout) == (2, b"")


def test_help_still_ends_with_0():
    """And is printed."""
    done = subprocess.run(
        [sys.executable, "-m", "corpusguard", "hook", "memory-write", "--help"],
        capture_output=True, timeout=60, check=False, env={**os.environ, "COLUMNS": "100"},
    )  # fmt: skip
    assert done.returncode == 0
    assert b"Exit codes:" in done.stdout


def test_memory_that_runs_out_blocks(corpus):
    """A limit on the address space: the process fails in whatever way, and blocks."""
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (600_000_000, 600_000_000));"
        "from corpusguard.cli import main; main()"
    )
    huge = write(corpus, "Use tabs. " * 700_000)
    done = subprocess.run(
        [sys.executable, "-c", code, "hook", "memory-write", "-c", str(corpus / "corpusguard.toml")],
        input=huge, capture_output=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode in {0, 2}, done.stderr
    assert done.stdout == b""


def test_the_real_command(corpus):
    """As the agent calls it: a lie blocks, a quotation does not."""
    for content, code in ((LIE, 2), (LAW, 0)):
        with process(corpus) as running:
            out, err = running.communicate(write(corpus, content), timeout=60)
        assert (running.returncode, out) == (code, b""), err
