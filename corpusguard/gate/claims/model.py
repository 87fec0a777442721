"""The words of ``check-claim``."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_CLAIM: Final = 4_000
"""Code points; more is an answer, not a claim."""


class Outcome(StrEnum):
    """How a check ends; only the first is a pass."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    NOT_FOUND = "not_found"
    NO_SOURCE_OF_RECORD = "no_source_of_record"
    """Nothing verified to check against: halted before any verifier was asked."""
    NOT_CONSEQUENTIAL = "not_consequential"
    """Triage saw nothing to verify, so nothing was verified."""
    ESCALATED = "escalated"
    """A person must decide: no agreement within the bounds, or a reply that is not one."""


class Verdict(StrEnum):
    """What a verifier says."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    NOT_FOUND = "not_found"


class Role(StrEnum):
    """What a call is for; each has its own instructions, inputs and schema."""

    TRIAGE = "triage"
    RESOLVE = "resolve"
    VERIFY = "verify"
    ADJUDICATE = "adjudicate"


@dataclass(frozen=True, slots=True)
class Source:
    """One passage of the verified corpus."""

    id: str
    label: str
    """Document, section and heading, for whoever chooses."""
    text: str
    digest: str
    """``sha256:…`` of the text."""
    document: str
    title: str
    """Of the document."""
    section: str
    run: int
    """The run that last verified it."""
    verified: str
    """When, ISO 8601."""


class SourcesOfRecord(Protocol):
    """Where sources come from: nothing but what is verified now."""

    def candidates(self, claim: str) -> Sequence[Source]:
        """Return the sources that may bear on ``claim``, the likeliest first; empty: none is."""
        ...

    def fetch(self, ident: str) -> Source | None:
        """Return the source as it is stored now, or None where it does not count (any more)."""
        ...


@dataclass(frozen=True, slots=True)
class Verification:
    """A verifier's reply."""

    verdict: Verdict
    accuracy_estimate: int
    """1 to 100: how likely, by its own estimate, the verdict is right."""
    reasoning: str


@dataclass(frozen=True, slots=True)
class Adjudication:
    """The adjudicator's reply."""

    agree: bool
    verdict: Verdict
    confidence: int
    """1 to 100."""
    escalate: bool


@dataclass(frozen=True, slots=True)
class Cost:
    """What a check cost, against one model that answers from the same source."""

    calls: int
    input_tokens: int
    output_tokens: int
    price: float | None
    """In the currency of ``[[judge]]`` prices; None: a tier has none."""
    single_tokens: int
    """Of one call of the expensive tier that reads claim and source (the first verifier's count);
    0: no verifier was asked."""
    single_price: float | None
    counted: bool
    """Whether all models counted their tokens; else some are estimated from lengths."""

    @property
    def ratio(self) -> float | None:
        """Cost over that of the single call: by price where both are known, else by tokens."""
        if self.price is not None and self.single_price:
            return self.price / self.single_price
        if self.single_tokens:
            return (self.input_tokens + self.output_tokens) / self.single_tokens
        return None


@dataclass(frozen=True, slots=True)
class ClaimResult:
    """What came of a check."""

    claim: str
    outcome: Outcome
    reason: str
    source: Source | None
    verifications: tuple[Verification, ...]
    adjudications: tuple[Adjudication, ...]
    residual_risk: tuple[str, ...]
    """What a pass does not rule out; never empty with a pass."""
    cost: Cost
    trace: str
    """Where every call is written down with its inputs."""
