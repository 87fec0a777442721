"""A run's result together with the head of the chain that its record made."""

from __future__ import annotations

from dataclasses import dataclass

from corpusguard.model import RunResult


@dataclass(frozen=True, slots=True)
class SealedRun(RunResult):
    """What a run returns once it is recorded."""

    head: str = ""
    """``sha256:…`` of the run's record: to be kept outside the database."""
    offline: bool = False
    """Whether the source was not asked."""
