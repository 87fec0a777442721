"""A decision as JSON: what `check-answer` prints, and what history keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from corpusguard.gate.model import SHIPS

if TYPE_CHECKING:
    from corpusguard.gate.model import Decision, Evidence, SentenceDecision

SCHEMA: Final = "corpusguard/decision/1"


def decision_record(decision: Decision) -> dict[str, Any]:
    """Return ``decision`` as JSON values.

    The text of passages is left out: its digest says which it was, and a quotation is the text.
    """
    return {
        "schema": SCHEMA,
        "decision": decision.number,
        "outcome": decision.outcome.value,
        "reason": decision.reason.value if decision.reason else "",
        "detail": decision.detail,
        "shadow": decision.shadow,
        "checked": decision.checked,
        "judge": decision.judge,
        "answer_digest": decision.answer_digest,
        "keep_ratio": round(decision.keep_ratio, 4),
        "text": decision.text,
        "sentences": [sentence_record(one) for one in decision.sentences],
        "passages": [passage_record(one) for one in decision.evidence],
    }


def sentence_record(one: SentenceDecision) -> dict[str, Any]:
    """Return what is said of one sentence, as JSON values."""
    return {
        "text": one.text,
        "start": one.start,
        "end": one.end,
        "ships": one.door in SHIPS,
        "door": one.door.value,
        "reason": one.reason.value,
        "detail": one.detail,
        "citations": list(one.citations),
        "spans": [
            {"passage": span.passage, "start": span.start, "end": span.end} for span in one.spans
        ],
        "reply": one.reply,
    }


def passage_record(one: Evidence) -> dict[str, Any]:
    """Return what is known of a passage, as JSON values; its text is left out."""
    return {
        "id": one.id,
        "verified": one.refusal is None,
        "reason": one.refusal.value if one.refusal else "",
        "detail": one.detail,
        "document": one.document,
        "title": one.title,
        "corpus": one.corpus,
        "section": one.section,
        "digest": one.digest,
        "run": one.run,
        "verified_at": one.verified,
        "age_seconds": one.age_seconds,
        "corpus_root": one.corpus_root,
        "corpus_digest": one.corpus_digest,
        "snapshot": one.snapshot,
        "consolidated_from": one.consolidated_from,
        "currency_date": one.currency_date,
    }
