"""One claim, and one sentence, against the documents of the run: the same check for both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from corpusguard.gate.evidence.anchors import is_anchored
from corpusguard.gate.evidence.canonical import is_deceptive
from corpusguard.gate.evidence.model import EvidenceKind, SpanCheck, SpanStatus, Why

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from corpusguard.gate.evidence.cache import DocumentCache
    from corpusguard.gate.evidence.model import Evidence

    Judge = Callable[[str, str], object]
    """(claim, whole text of a document) -> exactly ``SUPPORTED`` or ``NOT_SUPPORTED``."""

SUPPORTED: Final = "supported"
NOT_SUPPORTED: Final = "not_supported"
MAX_WORDS: Final = 20_000
"""Code points of a claim or a sentence."""
MAX_EVIDENCE: Final = 100
"""Of a claim, or of all claims that a sentence cites. One that cites more says nothing of any."""


def check_text(
    text: str, evidence: Sequence[Evidence], cache: DocumentCache, judge: Judge | None
) -> tuple[tuple[SpanCheck, ...], Why | None]:
    """Check words against the evidence that they name.

    First the spans, every one of them: a claim that cites one thing that nothing fetched, or one
    quotation that is not there, is not believed for the others. Then numbers and quotations of the
    text itself. Only what passes both and rests on a whole document goes to the judge, who can
    refuse and never rescue.

    Returns:
        The check of each evidence, and why the text is not grounded; None: it is.
    """
    if len(text) > MAX_WORDS or len(evidence) > MAX_EVIDENCE:
        return (), Why.TOO_MUCH
    spans = tuple(cache.check(one) for one in evidence)
    return spans, _why(text, evidence, spans, cache, judge)


def _why(
    text: str,
    evidence: Sequence[Evidence],
    spans: Sequence[SpanCheck],
    cache: DocumentCache,
    judge: Judge | None,
) -> Why | None:
    if is_deceptive(text):
        return Why.CHARACTERS
    if not evidence:
        return Why.NO_EVIDENCE
    statuses = {span.status for span in spans}
    if SpanStatus.UNKNOWN_DOC in statuses:
        return Why.UNKNOWN_DOC
    if SpanStatus.NOT_FOUND in statuses:
        return Why.NOT_FOUND
    documents = [cache.documents[one.doc_id] for one in evidence]
    words = [
        document.text[span.start : span.end]
        for document, span in zip(documents, spans, strict=True)
    ]
    if not is_anchored(text, words, [document.section for document in documents]):
        return Why.UNANCHORED
    whole = [
        document.text for document, one in zip(documents, evidence, strict=True) if is_whole(one)
    ]
    return _judged(text, whole, judge)


def is_whole(evidence: Evidence) -> bool:
    """Whether it rests on the whole of its document."""
    return evidence.kind is EvidenceKind.INFERENCE and not evidence.span.strip()


def _judged(text: str, documents: Iterable[str], judge: Judge | None) -> Why | None:
    """Ask the judge about each document; a reply is one of two exact strings, or an error."""
    for document in documents:
        if judge is None:
            return Why.NO_JUDGE
        try:
            reply = judge(text, document)
        except Exception:  # noqa: BLE001 - the caller's code and a model behind it
            return Why.JUDGE_ERROR
        if not isinstance(reply, str) or reply not in {SUPPORTED, NOT_SUPPORTED}:
            return Why.JUDGE_ERROR
        if reply != SUPPORTED:
            return Why.JUDGE_REFUSED
    return None
