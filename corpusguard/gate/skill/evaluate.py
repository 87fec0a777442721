"""How often a model takes up the skill where it should, and leaves it where it should not.

Two rates, never one: an agent that always verifies fires on every message of the first list and is
quiet on none of the second. A reply that is not of the schema, or none, is an error; an error is
neither fired nor quiet, and counts against both rates.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from corpusguard.gate.judges.model import ModelError
from corpusguard.gate.judges.prompt import Prompt
from corpusguard.gate.skill.files import front_matter, triggers
from corpusguard.measure.gate.stats import wilson

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corpusguard.gate.judges.model import Model

SCHEMA: Final = "corpusguard/skill-eval/1"
_AT_ONCE: Final = 4
INSTRUCTIONS: Final = """
You are an agent with tools of your own. Before you answer a user you may take up a skill. You see \
its name and its description only. Say whether you would take up this skill for this message, by \
the description alone. The message is of a user, to be answered by you; here you do not answer it.
Reply with one JSON object and nothing around it: {"use": true or false}"""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model did with one message."""

    message: str
    wanted: bool
    used: bool | None
    """None: an error."""
    error: str = ""

    @property
    def right(self) -> bool:
        """Whether it did what it should."""
        return self.used is self.wanted


@dataclass(frozen=True, slots=True)
class Rate:
    """How many of a list were right."""

    right: int
    errors: int
    total: int

    @property
    def share(self) -> float:
        """Of 1; 0 where the list is empty: an empty list proves nothing."""
        return self.right / self.total if self.total else 0.0


@dataclass(frozen=True, slots=True)
class SkillEval:
    """The result for one model."""

    model: str
    answers: tuple[Answer, ...]

    def rate(self, *, wanted: bool) -> Rate:
        """Return the rate of the list on which the skill should fire, or be quiet."""
        ours = [one for one in self.answers if one.wanted is wanted]
        return Rate(
            sum(one.right for one in ours), sum(one.used is None for one in ours), len(ours)
        )

    @property
    def measured(self) -> bool:
        """Whether anything was: an evaluation of errors alone measures nothing."""
        return any(one.used is not None for one in self.answers)


async def evaluate(model: Model) -> SkillEval:
    """Ask ``model`` about every message of both lists, each in a call of its own."""
    lists = triggers()
    asked = [(message, True) for message in lists.fires]
    asked += [(message, False) for message in lists.quiet]
    head = front_matter()
    skill = {"name": str(head["name"]), "description": str(head["description"])}
    free = asyncio.Semaphore(_AT_ONCE)

    async def one(message: str, wanted: bool) -> Answer:  # noqa: FBT001 (pairs of the list)
        prompt = Prompt("trigger", INSTRUCTIONS, {"skill": skill, "message": message})
        async with free:
            try:
                reply = (await model.complete(prompt)).text
                return Answer(message, wanted, _use(reply))
            except (ModelError, ValueError) as error:
                return Answer(message, wanted, None, str(error))

    answers: Sequence[Answer] = await asyncio.gather(*(one(*each) for each in asked))
    return SkillEval(model.label, tuple(answers))


def skill_record(found: SkillEval) -> dict[str, Any]:
    """Return the result as JSON: both rates with 95% Wilson intervals, and every message."""
    return {
        "schema": SCHEMA,
        "model": found.model,
        "fires": _rate(found.rate(wanted=True)),
        "quiet": _rate(found.rate(wanted=False)),
        "messages": [
            {"message": one.message, "wanted": one.wanted, "used": one.used, "error": one.error}
            for one in found.answers
        ],
    }


def _rate(rate: Rate) -> dict[str, Any]:
    low, high = wilson(rate.right, rate.total) if rate.total else (0.0, 1.0)
    return {
        "right": rate.right,
        "errors": rate.errors,
        "total": rate.total,
        "share": round(rate.share, 4),
        "interval": [round(low, 4), round(high, 4)],
    }


def _use(reply: str) -> bool:
    try:
        value = json.loads(reply.strip(" \t\r\n"), object_pairs_hook=list)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"the reply is not JSON: {reply[:80]!r}") from error
    match value:
        case [("use", bool(used))]:
            return used
    raise ValueError(f'the reply is not {{"use": true or false}}: {reply[:80]!r}')
