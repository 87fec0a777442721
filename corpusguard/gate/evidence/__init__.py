"""Retrieval-minted evidence: a claim may cite what this run fetched, in the words it has.

>>> from types import SimpleNamespace
>>> passage = SimpleNamespace(id="p_4", refusal="", detail="", text="A barge pays 5 dollars.",
...     document="xx/harbour", title="Harbour Act", section="4", digest="sha256:…", run=7)
>>> corpus = SimpleNamespace(look_up=lambda wanted: {"p_4": passage})
>>> cache = DocumentCache(corpus, "run-1", lambda: "2026-01-02T03:04:05Z")
>>> document, at = cache.fetch("p_4", "worker-a")
>>> cache.check_span(document.doc_id, "a BARGE  pays 5 dollars").status
<SpanStatus.VERBATIM: 'verbatim'>
>>> cache.check_span("d_0123456789abcdef", "A barge pays").status
<SpanStatus.UNKNOWN_DOC: 'unknown_doc'>
"""

from corpusguard.gate.evidence import records
from corpusguard.gate.evidence.cache import DocumentCache
from corpusguard.gate.evidence.canonical import canonical
from corpusguard.gate.evidence.check import NOT_SUPPORTED, SUPPORTED
from corpusguard.gate.evidence.ground import THIN, corroboration, ground
from corpusguard.gate.evidence.model import (
    Claim,
    ClaimCheck,
    Document,
    Evidence,
    EvidenceKind,
    Grounding,
    Outcome,
    Prior,
    Question,
    Refused,
    Report,
    ReportOutcome,
    Retrieved,
    SentenceCheck,
    SpanCheck,
    SpanStatus,
    Treatment,
    Verification,
    VerifiedPassages,
    Why,
)

__all__ = [
    "NOT_SUPPORTED",
    "SUPPORTED",
    "THIN",
    "Claim",
    "ClaimCheck",
    "Document",
    "DocumentCache",
    "Evidence",
    "EvidenceKind",
    "Grounding",
    "Outcome",
    "Prior",
    "Question",
    "Refused",
    "Report",
    "ReportOutcome",
    "Retrieved",
    "SentenceCheck",
    "SpanCheck",
    "SpanStatus",
    "Treatment",
    "Verification",
    "VerifiedPassages",
    "Why",
    "canonical",
    "corroboration",
    "ground",
    "records",
]
