"""A model: a prompt in, a text out, with what it cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from corpusguard.gate.judging import JudgeError

if TYPE_CHECKING:
    from corpusguard.gate.judges.prompt import Prompt

MAX_ANSWER: Final = 1_000_000
"""Bytes that are read of one answer; a verdict has some hundred."""
MAX_TEXT: Final = 20_000
"""Code points of the reply itself."""


class ModelError(JudgeError):
    """A model could not be asked, or what came back is not a whole reply."""


@dataclass(frozen=True, slots=True)
class Completion:
    """One reply."""

    text: str
    input_tokens: int
    output_tokens: int
    counted: bool
    """Whether the model counted the tokens; else they are estimated from the length."""
    attempts: int = 1
    pid: int = 0
    """The process of its own that gave the reply; 0: this one."""


class Model(Protocol):
    """Anything that completes a prompt."""

    label: str
    """Name and model, for records."""

    async def complete(self, prompt: Prompt) -> Completion:
        """Return the reply, whole and uninterpreted.

        Raises:
            ModelError: No reply, or not a whole one.
        """
        ...


def estimated(text: str) -> int:
    """Return about how many tokens ``text`` has: one for four characters, and at least one."""
    return max(1, -(-len(text) // 4))
