"""Where words of the gate and its relatives are explained that are no reasons of the gate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from corpusguard.attest import Reason as CorpusReason
from corpusguard.gate import evidence, labels, trace
from corpusguard.gate.model import Door, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable

_PAGES: Final[tuple[tuple[Iterable[str], str, str], ...]] = (
    (Outcome, "an outcome of `check-answer`", "docs/gate.md"),
    (Door, "a door of the sentence gate", "docs/gate.md"),
    (labels.Reason, "a word of `labels check`", "docs/labels.md"),
    (trace.DropReason, "a word of `trace check`", "docs/trace.md"),
    (trace.Relevance, "a word of `trace check`", "docs/trace.md"),
    (evidence.EvidenceKind, "a word of grounded claims", "docs/grounding.md"),
    (evidence.Treatment, "a word of grounded claims", "docs/grounding.md"),
    (evidence.SpanStatus, "a word of grounded claims", "docs/grounding.md"),
    (CorpusReason, "a reason of `check-corpus`", "docs/check-corpus.md"),
)


def documented(word: str) -> list[str]:
    """Return a sentence for each page of the documentation that explains the word."""
    found = {page: what for words, what, page in reversed(_PAGES) if word in set(words)}
    return [f"`{word}` is {what}: {page} explains it." for page, what in reversed(found.items())]


def words() -> list[str]:
    """Return every word that some page explains."""
    return sorted({str(word) for group, _, _ in _PAGES for word in group})
