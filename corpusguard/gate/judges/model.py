"""A model: a prompt in, a text out, with what it cost."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final, Protocol

from corpusguard.gate.judging import JudgeError

if TYPE_CHECKING:
    from corpusguard.gate.judges.prompt import Prompt

MAX_ANSWER: Final = 1_000_000
"""Bytes that are read of one answer; a verdict has some hundred."""
MAX_TEXT: Final = 20_000
"""Code points of the reply itself."""


class Fault(StrEnum):
    """Why there is no reply, in a word that holds nothing of what was asked or answered."""

    UNREACHABLE = "unreachable"
    """No connection, no key, a refusal or fault of the server, a command that does not start."""
    TIMEOUT = "timeout"
    NOT_ASKED = "not_asked"
    """The question was not sent: it speaks to the judge, or is too long."""
    BAD_ANSWER = "bad_answer"
    """Something came, and it is no whole reply."""


class ModelError(JudgeError):
    """A model could not be asked, or what came back is not a whole reply."""

    def __init__(self, message: str, *, hint: str = "", fault: Fault = Fault.BAD_ANSWER) -> None:
        super().__init__(message, hint=hint)
        self.fault = fault


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
    model: str = ""
    """The model that replied, by its server's word; empty: it named none."""


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
