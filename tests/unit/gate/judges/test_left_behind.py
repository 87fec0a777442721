"""A command that does not end as it should: an error in time, and nothing left that can be found."""

from __future__ import annotations

import asyncio
import gc
import sys
import time
from pathlib import Path

import pytest

from corpusguard.config.gate import JudgeSpec
from corpusguard.gate.judges import ModelError, make_judge
from corpusguard.gate.judges.model import Fault
from corpusguard.gate.judges.process import GRACE_SECONDS
from corpusguard.gate.judging import Question, parse_reply
from tests.unit.gate.judges.test_command import QUESTION, deserted

LARGE = Question("A lamp is lit.", (("p_1", "A lamp is lit. " * 20_000),))
"""More than a pipe holds."""
START = 60.0
"""Seconds that a busy machine may take to start what a test starts; what is stuck stays for 120."""

PREAMBLE = """
import os, signal, subprocess, sys, time
def note(pid):
    with open('left.tmp', 'w') as stream:
        stream.write(str(pid))
    os.replace('left.tmp', 'left')
def left(*, session, **files):
    child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(120)'],
                             start_new_session=session, **files)
    note(child.pid)
"""
ESCAPES = "left(session=True)"
DOUBLE_FORK = """
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        note(os.getpid())
        time.sleep(120)
    os._exit(0)
while not os.path.exists('left'):
    time.sleep(0.01)
"""
LEFT = {
    "a session keeps the output open, the judge ends": f"{ESCAPES}; print('SUPPORTED')",
    "a session keeps the output open, the judge stays": f"{ESCAPES}; time.sleep(120)",
    "a session keeps the errors alone": (
        "left(session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL); print('SUPPORTED')"
    ),
    "a double fork": f"{DOUBLE_FORK}\nprint('SUPPORTED')",
    "a child in the same session": "left(session=False); print('SUPPORTED')",
}


def ask(folder, code, *, timeout=2.0, question=QUESTION):
    """Return the reply, the seconds it took, and how many descriptors more are open."""
    script = folder / "judge.py"
    script.write_text(PREAMBLE + code, encoding="utf-8")
    spec = JudgeSpec(
        "local", "command", command=(sys.executable, str(script)), timeout_seconds=timeout
    )
    judge = make_judge(spec, folder)
    asyncio.run(_nothing())  # what asyncio itself opens once is not a leak
    before, begun = open_descriptors(), time.monotonic()
    try:
        return asyncio.run(judge.judge(question))
    finally:
        gc.collect()  # a transport that was left open complains when it is collected
        assert time.monotonic() - begun < timeout + 2 * GRACE_SECONDS + START
        assert open_descriptors() == before


def open_descriptors():
    folder = Path("/dev/fd")
    return len(list(folder.iterdir()))


async def _nothing():
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", "")
    await process.wait()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who holds a pipe")
@pytest.mark.parametrize("code", LEFT.values(), ids=LEFT)
def test_what_holds_the_output_open_is_an_error_and_is_killed(tmp_path, capfd, code):
    """Also where the judge itself has said SUPPORTED and ended well."""
    with pytest.raises(ModelError, match=r"holds its output open|more than 6 s") as caught:
        ask(tmp_path, code, timeout=6.0)

    assert caught.value.hint
    assert deserted(tmp_path)
    assert capfd.readouterr().err == ""


def test_a_child_that_let_go_of_the_output_does_not_spoil_the_reply(tmp_path):
    """It is in the session, and ends with it."""
    files = "stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL"
    reply = ask(tmp_path, f"left(session=False, {files}); print('SUPPORTED')", timeout=20.0)

    assert parse_reply(reply) == "SUPPORTED"
    assert deserted(tmp_path)


STUCK = {
    "closes its output and sleeps": "os.close(1); time.sleep(120)",
    "says it and sleeps": "print('SUPPORTED', flush=True); time.sleep(120)",
    "ignores SIGTERM": "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: time.sleep(1)",
    "stops itself": "os.kill(os.getpid(), signal.SIGSTOP)",
    "complains without end": "while True: os.write(2, b'no ' * 10_000)",
    "replies too late": "time.sleep(4); print('SUPPORTED')",
}


@pytest.mark.parametrize("code", STUCK.values(), ids=STUCK)
@pytest.mark.parametrize("question", [QUESTION, LARGE], ids=["small", "large"])
def test_what_does_not_end_in_time_is_ended(tmp_path, capfd, code, question):
    """Whether it has read its question or not."""
    note = "note(os.getpid())\n"
    with pytest.raises(ModelError, match="more than 2 s") as caught:
        ask(tmp_path, note + code, question=question)

    assert caught.value.fault is Fault.TIMEOUT
    assert deserted(tmp_path)
    assert capfd.readouterr().err == ""


def test_output_without_end_is_cut(tmp_path):
    """Long before the time is over."""
    with pytest.raises(ModelError, match="printed more than"):
        ask(tmp_path, "while True: os.write(1, b'SUPPORTED' * 10_000)", timeout=60.0)


@pytest.mark.parametrize("question", [QUESTION, LARGE], ids=["small", "large"])
def test_a_judge_that_ends_before_it_reads(tmp_path, capfd, question):
    """A closed pipe is no error of ours: its reply and its exit code count."""
    assert parse_reply(ask(tmp_path, "print('NOT_SUPPORTED')", timeout=20.0, question=question))
    code = "os.close(0); print('SUPPORTED', flush=True); os._exit(7)"
    with pytest.raises(ModelError, match="exit code 7"):
        ask(tmp_path, code, timeout=20.0, question=question)
    assert capfd.readouterr().err == ""


def test_whoever_asks_may_go_away(tmp_path, capfd):
    """A cancelled question ends its command as a timeout does."""
    script = tmp_path / "judge.py"
    script.write_text(PREAMBLE + f"{ESCAPES}; time.sleep(120)", encoding="utf-8")
    spec = JudgeSpec("local", "command", command=(sys.executable, str(script)))

    async def cancelled():
        task = asyncio.create_task(make_judge(spec, tmp_path).judge(QUESTION))
        while not (tmp_path / "left").exists():  # noqa: ASYNC110 - another process makes it
            await asyncio.sleep(0.02)
        task.cancel()
        await asyncio.wait([task])
        return task.cancelled()

    assert asyncio.run(cancelled())
    gc.collect()
    if sys.platform == "linux":
        assert deserted(tmp_path)
    assert capfd.readouterr().err == ""
