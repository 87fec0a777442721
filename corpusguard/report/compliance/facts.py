"""What a report is made from: the evidence of one run, gathered by the service, nothing read here.

Every field is what history sealed or what a snapshot says by its digest, but ``Publisher``, and the
title and code of a document: these stand in the configuration, and a report says so.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corpusguard.model import DocumentResult, Finding, Reading, Verdict


@dataclass(frozen=True, slots=True)
class PastRun:
    """One run of the trend, as its sealed record says; sums over its documents."""

    run: int
    finished: str
    """UTC, ISO 8601, or empty for a run that died."""
    verdict: Verdict | None
    """None for a run that was stopped."""
    errors: int
    warnings: int
    words: int
    """Words of law in force; 0 where none were measured."""
    covered: int
    passages: int
    verified_passages: int


@dataclass(frozen=True, slots=True)
class Publisher:
    """What a publisher asks to be shown beside its texts, from the configuration of today."""

    name: str
    source: str
    """The source file that says so, as the configuration names it."""
    licence: str
    acknowledgement: str


@dataclass(frozen=True, slots=True)
class IgnoreRecord:
    """A finding that someone has answered for; it changes exit codes, never a verdict."""

    fingerprint: str
    rule: str
    section: str
    reason: str
    owner: str
    expires: str
    """ISO date."""


@dataclass(frozen=True, slots=True)
class DocumentFacts:
    """One document of one corpus."""

    result: DocumentResult
    corpus: str = ""
    title: str = ""
    """As the configuration of today names it; where no source lists it, as its publisher does."""
    code: str = ""
    """Likewise."""
    url: str = ""
    """Address that the snapshot was asked from, or ``file:NAME``."""
    rendition: str = ""
    publisher: str = ""
    corpus_root: str = ""
    """Merkle root over its passages, 64 hex digits."""
    reading: Reading | None = None
    """The snapshot as the run read it; None where that cannot be had, and ``unread`` says why."""
    unread: str = ""
    asked: bool | None = None
    """Whether the run asked the source of this document; None where the facts do not say."""
    imported: bool = False
    """Whether the text was brought by a person, as its capture record says."""


@dataclass(frozen=True, slots=True)
class Facts:
    """All that a report may use."""

    run: int
    state: str
    """``finished`` or ``aborted``."""
    verdict: Verdict | None
    started: str
    finished: str
    tool: str
    layers: tuple[str, ...]
    documents: tuple[DocumentFacts, ...]
    findings: tuple[Finding, ...] = ()
    """Of the run itself."""
    states: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """(document, fingerprint) -> new, open or regressed."""
    first_runs: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """(document, fingerprint) -> the run that saw the finding first."""
    versions: tuple[str, ...] = ()
    schedule: str = ""
    config_digest: str = ""
    exit_code: int | None = None
    head: str = ""
    """``sha256:…`` of the run's sealed record; empty where it has none yet."""
    missing: tuple[tuple[str, str], ...] = ()
    """(corpus, document) pairs in scope that the run did not reach."""
    past: tuple[PastRun, ...] = ()
    """Oldest first, this run last."""
    earlier: int = 0
    """How many runs before ``past`` history holds."""
    publishers: tuple[Publisher, ...] = ()
    ignores: tuple[IgnoreRecord, ...] = ()
    alone: bool = False
    """Made of a result at hand, without history: nothing here can be checked later."""
