"""The gate in an event loop: a long answer takes its time in threads, and the loop goes on."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

import corpusguard
from corpusguard.errors import ConfigError
from corpusguard.gate import Gate

FEES = "ca-on/regulation/190902@en#sec_9__subsec_1"
QUOTED = f"Quay dues shall be paid before the closing bell. [{FEES}]"
FALSE = f"Quay dues shall be paid within 3 days. [{FEES}]"
LONG = " ".join([QUOTED, FALSE] * 200)
GATE = Path(corpusguard.__file__).parent / "gate"
LOOPS_OWN = {"api.py"}
"""What of the gate may run in the loop's thread: what hands over to the others."""


class Ran:
    """Which modules of the gate ran in this thread."""

    def __init__(self):
        self.modules = set()

    def __call__(self, frame, event, _):
        path = Path(frame.f_code.co_filename)
        if event == "call" and path.parent == GATE:
            self.modules.add(path.name)

    def __enter__(self):
        sys.setprofile(self)
        return self

    def __exit__(self, *_):
        sys.setprofile(None)


def checked(project, answers):
    """Check answers at once in a loop; return decisions, what ran in it, and the turns it took."""

    async def work(gate):
        turns, done = 0, asyncio.Event()

        async def other():
            nonlocal turns
            while not done.is_set():
                turns += 1
                await asyncio.sleep(0)

        task = asyncio.create_task(other())
        with Ran() as ran:
            found = await asyncio.gather(*(gate.acheck(one, [FEES]) for one in answers))
        done.set()
        await task
        return found, ran.modules, turns

    with Gate.open(project / "corpusguard.toml") as gate:
        return asyncio.run(work(gate))


def test_a_long_answer_leaves_the_loop_to_others(project):
    """Nothing that splits, compares or decides runs in its thread, and other tasks get turns."""
    (decision,), modules, turns = checked(project, [LONG])
    assert len(decision.sentences) == 400
    assert modules == LOOPS_OWN
    assert turns > 50


def test_the_probe_of_this_test_sees_the_gate(project):
    """In the thread that calls `check`, all of it runs."""
    with Gate.open(project / "corpusguard.toml") as gate, Ran() as ran:
        gate.check(QUOTED, [FEES])
    assert {"api.py", "core.py", "splitter.py", "quote.py"} <= ran.modules


def test_checks_at_once_decide_as_each_alone(project):
    """Long and short together, each with its own sentences; all are stored."""
    answers = [LONG, QUOTED, FALSE, *[QUOTED, FALSE] * 10]
    found, _, _ = checked(project, answers)
    with Gate.open(project / "corpusguard.toml") as gate:
        alone = {answer: gate.check(answer, [FEES]) for answer in {*answers}}
    for answer, decision in zip(answers, found, strict=True):
        assert decision.outcome is alone[answer].outcome
        assert decision.text == alone[answer].text
        assert [one.reason for one in decision.sentences] == [
            one.reason for one in alone[answer].sentences
        ]
    assert len({one.number for one in found}) == len(answers)


@pytest.mark.parametrize(
    ("answer", "cited", "told"),
    [(None, [FEES], "not text"), (QUOTED, FEES, "not a list"), (QUOTED, [5], "neither")],
)
def test_what_is_wrong_is_told_as_by_check(project, answer, cited, told):
    """The same error, through the thread."""
    with Gate.open(project / "corpusguard.toml") as gate:
        with pytest.raises(ConfigError, match=told):
            asyncio.run(gate.acheck(answer, cited))
        with pytest.raises(ConfigError, match=told):
            gate.check(answer, cited)


def test_a_closed_gate_says_so(project):
    """To a loop, too; its threads are gone."""
    gate = Gate.open(project / "corpusguard.toml")
    asyncio.run(gate.acheck(QUOTED, [FEES]))
    gate.close()
    with pytest.raises(ConfigError, match="closed"):
        asyncio.run(gate.acheck(QUOTED, [FEES]))


@pytest.mark.parametrize("after", [0.0, 0.01, 0.05, 0.2])
def test_a_gate_closed_amid_checks_says_so(project, after):
    """Each check under way ends with its stored decision, or with the error that says why not."""
    gate = Gate.open(project / "corpusguard.toml")

    async def work():
        checks = [asyncio.create_task(gate.acheck(one, [FEES])) for one in [LONG, QUOTED] * 15]
        await asyncio.sleep(after)
        closing = [asyncio.to_thread(gate.close) for _ in range(3)]
        return await asyncio.gather(*checks, *closing, return_exceptions=True)

    *found, _, _, _ = results = asyncio.run(work())
    assert results[-3:] == [None] * 3
    errors = [one for one in found if isinstance(one, BaseException)]
    assert {(type(one), str(one)) for one in errors} <= {(ConfigError, "this gate was closed")}
    numbers = {one.number for one in found if not isinstance(one, BaseException)}
    assert len(numbers) == len(found) - len(errors)


def test_cancelled_checks_leave_the_gate_to_others(project):
    """Wherever each was, the next one is decided and stored."""

    async def work(gate):
        checks = [asyncio.create_task(gate.acheck(one, [FEES])) for one in [LONG, QUOTED] * 15]
        for number, one in enumerate(checks):
            await asyncio.sleep(0.005 * (number % 3))
            one.cancel()
        await asyncio.gather(*checks, return_exceptions=True)
        return await asyncio.wait_for(gate.acheck(QUOTED, [FEES]), 60)

    with Gate.open(project / "corpusguard.toml") as gate:
        assert asyncio.run(work(gate)).number > 0
