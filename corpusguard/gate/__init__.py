"""What stands between a language model's answer and its reader, on passages that verified.

See ``api.Gate`` for its use, ``core`` for the order of checks, and docs/gate.md for what each is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpusguard.gate.judging import Judge, JudgeError, Question, parse_reply
from corpusguard.gate.model import (
    SHIPS,
    Citation,
    Decision,
    Door,
    Evidence,
    Outcome,
    Reason,
    Rules,
    SentenceDecision,
    Span,
)

if TYPE_CHECKING:
    from corpusguard.gate.api import Gate

__all__ = [
    "SHIPS",
    "Citation",
    "Decision",
    "Door",
    "Evidence",
    "Gate",
    "Judge",
    "JudgeError",
    "Outcome",
    "Question",
    "Reason",
    "Rules",
    "SentenceDecision",
    "Span",
    "parse_reply",
]


def __getattr__(name: str) -> object:
    """Load ``Gate`` when it is asked for: the pure parts need neither history nor readers."""
    if name == "Gate":
        from corpusguard.gate.api import Gate  # noqa: PLC0415

        return Gate
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
