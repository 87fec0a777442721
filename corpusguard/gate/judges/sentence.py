"""A model as the judge of one sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from corpusguard.gate.judges.command import Command
from corpusguard.gate.judges.model import Fault, ModelError
from corpusguard.gate.judges.prompt import Prompt, addresses_the_judge
from corpusguard.gate.model import Rules

if TYPE_CHECKING:
    from pathlib import Path

    from corpusguard.config.gate import JudgeSpec
    from corpusguard.gate.judges.model import Completion, Model
    from corpusguard.gate.judging import Question

INSTRUCTIONS: Final = """
You compare one sentence about law with the passages of law that it cites.

SUPPORTED: everything that the sentence says follows from the passages alone, with every \
condition, exception, limit, number, actor and time that the passages attach to it.
NOT_SUPPORTED: anything else, also where the sentence is true but the passages do not say it, \
where it leaves out a condition or an exception, and where you are not sure.

Reply with exactly one word, SUPPORTED or NOT_SUPPORTED, and nothing else."""


AT_ONCE: Final = 4
"""Questions that are asked side by side."""
_GRACE: Final = 5.0
"""Seconds beyond a judge's own ``timeout``, so that it can say itself that it is over."""


class ModelJudge:
    """Asks a model about one sentence; the gate reads the reply."""

    def __init__(self, model: Model) -> None:
        self.name = model.label
        self._model = model

    async def judge(self, question: Question) -> str:
        """Return the raw reply.

        Raises:
            ModelError: No whole reply came, or the text speaks to the judge and was not sent.
        """
        return (await self.ask(question)).text

    async def ask(self, question: Question) -> Completion:
        """Return the reply with what it cost; raises as ``judge``."""
        for where, text in (("the sentence", question.sentence), *question.passages):
            if found := addresses_the_judge(text):
                raise ModelError(
                    f"{where} addresses the judge ({found!r}); it was not asked",
                    hint="quote the law and nothing else",
                    fault=Fault.NOT_ASKED,
                )
        return await self._model.complete(prompt_of(question))


def prompt_of(question: Question) -> Prompt:
    """Return what a model is asked about one sentence."""
    # Ids stay here: no model needs them, and the corpus chose them.
    passages = [text for _, text in question.passages]
    return Prompt("judge", INSTRUCTIONS, {"sentence": question.sentence, "passages": passages})


def judge_seconds(spec: JudgeSpec) -> float:
    """Return how long the gate waits for a judge: by its rules, or for the judge's own timeout."""
    return max(Rules().judge_seconds, spec.timeout_seconds + _GRACE)


def make_model(spec: JudgeSpec, root: Path) -> Model:
    """Return the model that a ``[[judge]]`` describes; nothing is opened yet."""
    if spec.kind == "command":
        return Command(spec, root)
    # Here, not above: a command, and whoever only reads prompts, needs no network client.
    from corpusguard.gate.judges.endpoint import Endpoint  # noqa: PLC0415

    return Endpoint(spec)


def make_judge(spec: JudgeSpec, root: Path) -> ModelJudge:
    """Return a judge of sentences."""
    return ModelJudge(make_model(spec, root))
