"""The facts of telling: what a night found, what people were last told, what to tell them now."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corpusguard.model import Coverage, Finding

FAILED = "failed"
"""A run that ended without a verdict; a word beside those of ``model.Verdict``."""


class Kind(StrEnum):
    """Why a message is sent."""

    CHANGED = "changed"
    """The verdict is another one than people were last told."""
    RECOVERED = "recovered"
    """Verified again."""
    NEWS = "news"
    """The verdict stands; findings came, came back or went."""
    REMINDER = "reminder"
    """Nothing has changed for as long as ``repeat_after``, and something is still wrong."""
    ASKED = "asked"
    """Nothing has changed, and the message was asked for."""


@dataclass(frozen=True, slots=True)
class Night:
    """What is known after one run; only errors and warnings, for nobody is woken by a note."""

    run: int
    """0 for a run that failed before it had a number."""
    verdict: str
    """Of ``model.Verdict``, or ``FAILED``."""
    at: str
    """When it ended: UTC, ISO 8601, ``Z``."""
    exit_code: int
    present: tuple[Finding, ...] = ()
    """Known to be there after the run, found by it or not looked at by it; the worst first."""
    states: Mapping[str, str] = field(default_factory=dict)
    """Fingerprint -> new, open, regressed, as this run has it."""
    resolved: tuple[Finding, ...] = ()
    """Shown by this run to be gone."""
    whole: bool = True
    """Whether it looked at every document by every layer; less can't say "verified again"."""
    looked_at: frozenset[str] = frozenset()
    """Documents that it looked at."""
    doubtful: frozenset[str] = frozenset()
    """Documents without a verdict in this run."""
    cleared: frozenset[str] = frozenset()
    """Documents that were doubtful when people were last told, and have verified since."""
    documents: int = 0
    passages: int = 0
    verified_passages: int = 0
    coverage: Coverage | None = None
    corpora: tuple[str, ...] = ()
    reason: str = ""
    """Why it failed."""


@dataclass(frozen=True, slots=True)
class Told:
    """What the people behind one channel were last told, and so believe."""

    run: int
    at: str
    verdict: str
    open: frozenset[str] = frozenset()
    """Fingerprints that they believe to be there."""
    resolved: Mapping[str, str] = field(default_factory=dict)
    """Fingerprint -> when they were last told that it is gone."""
    doubtful: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Message:
    """One message; every piece of foreign text in it is harmless."""

    kind: Kind
    severity: str
    """``success``, ``warning`` or ``failure``: how a channel may colour it."""
    subject: str
    text: str
    markdown: str
