"""Judges: models behind an HTTP endpoint, or a command of the user's.

``make_model`` gives something that completes a prompt; ``make_judge`` wraps it as a ``Judge`` of
the sentence gate. Only ``endpoint`` opens a socket, only ``command`` starts a process.
"""

from __future__ import annotations

from corpusguard.gate.judges.command import Command
from corpusguard.gate.judges.model import Completion, Model, ModelError
from corpusguard.gate.judges.sentence import (
    AT_ONCE,
    ModelJudge,
    judge_seconds,
    make_judge,
    make_model,
)

__all__ = [
    "AT_ONCE",
    "Command",
    "Completion",
    "Model",
    "ModelError",
    "ModelJudge",
    "judge_seconds",
    "make_judge",
    "make_model",
]
