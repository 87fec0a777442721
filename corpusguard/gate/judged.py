"""The gate with a configured judge as a subject of ``measure gate``: what `check-answer` runs.

As in :mod:`corpusguard.gate.measured`, what an item cites is taken as verified. The judge is asked
only where the gate would ask it: about what is no quotation, and to which no veto objects.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from corpusguard.gate import core
from corpusguard.gate.judges import AT_ONCE, judge_seconds, make_judge
from corpusguard.gate.judges.model import Fault
from corpusguard.gate.judges.prompt import Prompt, prompt_digest
from corpusguard.gate.judges.sentence import INSTRUCTIONS, prompt_of
from corpusguard.gate.judging import JudgeError, parse_reply
from corpusguard.gate.measured import (
    DefaultGate,
    examined_alone,
    measured_decision,
    measured_reason,
)
from corpusguard.gate.model import Rules
from corpusguard.measure.gate.command import file_digests
from corpusguard.measure.gate.outcomes import OFF_SCHEMA, OTHER_MODEL, Call, Decision, Outcome
from corpusguard.report.text import clip, safe

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corpusguard.config.gate import JudgeSpec
    from corpusguard.gate.judges import Completion
    from corpusguard.gate.judging import Question


_DATED: Final = re.compile(r"[-@:.](?:[0-9]{1,8}|[0-9]{4}-[0-9]{2}-[0-9]{2}|latest)", re.ASCII)


class JudgedGate:
    """The gate as `check-answer` runs it with ``[gate] judge``."""

    def __init__(self, spec: JudgeSpec, root: Path, *, equivalents: bool = False) -> None:
        """Wrap a judge.

        Args:
            spec: the ``[[judge]]``.
            root: the folder in which a command runs: that of the configuration.
            equivalents: whether ``[gate] words`` lets equivalent words ship without a judge.
        """
        self.at_once = AT_ONCE
        self._spec = spec
        self._root = root
        self._judge = make_judge(spec, root)
        self._rules = Rules(judge_seconds=judge_seconds(spec), equivalents=equivalents)

    @property
    def facts(self) -> Mapping[str, str]:
        """Those of the gate, and of the judge: model, prompt, parameters, address or command.

        An address and the words of a command are digests: they tell two judges apart, and show
        nothing that may be a secret.
        """
        spec = self._spec
        found = {
            **DefaultGate(f"corpusguard, judge {spec.name}", rules=self._rules).facts,
            "judge": spec.label,
            "judge kind": spec.kind,
            "judge model": spec.model or "the server's own",
            "judge prompt": f"sha256:{prompt_digest(Prompt('judge', INSTRUCTIONS, {}))}",
            "judge parameters": json.dumps(dict(spec.parameters), sort_keys=True),
            "judge timeout": f"{spec.timeout_seconds:g} s",
        }
        if spec.kind == "command":
            words = _digest(json.dumps(spec.command))
            found["judge command"] = f"{Path(spec.command[0]).name}, sha256:{words}"
            return found | file_digests(spec.command, self._root)
        return found | {"judge address": f"sha256:{_digest(spec.url)}"}

    @property
    def judge(self) -> Mapping[str, str]:
        """Name and prices, which are no part of what is measured."""
        spec = self._spec
        prices = {"price_input": spec.price_input, "price_output": spec.price_output}
        return {"name": spec.label, **{key: repr(value) for key, value in prices.items()}}

    async def outcome(self, sentence: str, passages: Sequence[tuple[str, str]]) -> Outcome:
        """Decide on a sentence alone, as the gate does."""
        plan, examined = examined_alone(sentence, passages, self._rules)
        replies: dict[int, object] = {}
        calls: list[Call] = []
        failed: list[JudgeError] = []
        for number, question in examined.questions.items():
            call, replies[number] = await self._ask(question)
            calls.append(call)
            if isinstance(error := replies[number], JudgeError):
                failed.append(error)
        decision = core.conclude(plan, examined, replies, self._judge.name)
        found = measured_decision(decision)
        reason, hint = (failed[0].message, failed[0].hint) if failed else ("", "")
        if found is Decision.ERROR and not failed:
            reason = next((one.detail for one in decision.sentences if one.detail), "")
        code = measured_reason(decision)
        return Outcome(found, tuple(calls), clip(safe(reason), 400), hint, code)

    async def _ask(self, question: Question) -> tuple[Call, object]:
        """Return the call as it is published, and the reply or the error in its place."""
        begun = time.monotonic()
        completion: Completion | None = None
        reply: object
        verdict, fault = "", ""
        try:
            async with asyncio.timeout(self._rules.judge_seconds):
                completion = await self._judge.ask(question)
            reply, verdict = completion.text, parse_reply(completion.text)
        except TimeoutError:
            reply = JudgeError(f"no reply in {self._rules.judge_seconds:g} seconds")
            fault = Fault.TIMEOUT
        except JudgeError as error:
            reply = error
            fault = getattr(error, "fault", OFF_SCHEMA)
        except ValueError as error:  # the question is too long to be asked
            reply, fault = JudgeError(str(error)), Fault.NOT_ASKED
        except Exception as error:  # noqa: BLE001 - whatever it is, nothing ships
            reply, fault = JudgeError(f"{type(error).__name__}: {error}"), Fault.BAD_ANSWER
        spent = int(1000 * (time.monotonic() - begun))
        asked = prompt_digest(prompt_of(question))
        return Call(
            asked, verdict, str(fault), **_of(completion, self._spec.model), milliseconds=spent
        ), reply


def published_model(said: str, configured: str) -> str:
    """Return what may be published of a server's word for its model.

    Its name is text of the server's choosing in every verdict, and could carry the sentence that
    was asked about. So none is published but the configured one, with the date or number that
    servers add to it: ``m-1`` may be ``m-1-2026-03-01``, ``m-1:002`` or ``m-1-latest``.

    Args:
        said: The server's word; empty: it gave none.
        configured: ``[[judge]] model``; empty: none.

    Returns:
        The name, empty where the server gave none, or ``OTHER_MODEL``.
    """
    if not said or (configured and said == configured):
        return said
    rest = said.removeprefix(configured) if configured else said
    return said if rest != said and _DATED.fullmatch(rest) else OTHER_MODEL


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()


def _of(completion: Completion | None, configured: str) -> dict[str, Any]:
    if completion is None:
        blank = {"reply": "", "model": "", "input_tokens": 0, "output_tokens": 0}
        return {**blank, "counted": False, "attempts": 0}
    return {
        "reply": _digest(completion.text),
        "model": published_model(completion.model, configured),
        "input_tokens": completion.input_tokens,
        "output_tokens": completion.output_tokens,
        "counted": completion.counted,
        "attempts": completion.attempts,
    }
