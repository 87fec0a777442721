"""Results as plain built-ins: the shapes that ``corpusguard/run/1`` promises, written once."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from corpusguard.evidence import SealedRun
from corpusguard.model import Cause, Finding, Layer, Severity
from corpusguard.report.summary import all_findings, counts, fraction, state_of, suppressed_counts
from corpusguard.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corpusguard.model import DocumentResult, RunResult, Suppression

SCHEMA: Final = "corpusguard/run/1"
_RAW: Final = re.compile(
    "[\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]|(?<=##)\\["
)
"""What ``json.dumps`` leaves raw, but a terminal, a line reader or a CI runner would act on: the
last one begins a workflow command wherever it stands in a line (see ``text.inert``)."""


def dump(value: object, *, indent: int | None = None) -> str:
    """Return ``value`` as JSON in readable Unicode, invisible characters escaped.

    Lone surrogates, which JSON corpora can smuggle in and UTF-8 cannot hold, come out as the
    escapes they came from. NaN and infinities are refused: they are not JSON.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
    return _RAW.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i] << 8 | units[i + 1]:04x}" for i in range(0, len(units), 2))


def document_record(document: DocumentResult) -> dict[str, Any]:
    """Return one entry of ``documents``; coverage is null where it was not measured."""
    measured = document.coverage
    return {
        "id": document.id,
        "verdict": str(document.verdict),
        "snapshot": document.snapshot,
        "captured": document.captured,
        "not_refetched": document.not_refetched,
        "currency": {
            "consolidated_from": document.consolidated_from,
            "currency_date": document.currency_date,
        },
        "provisions": document.provisions,
        "passages": document.passages,
        "verified_passages": document.verified_passages,
        "coverage": fraction(measured.covered, measured.words) if measured else None,
        "coverage_any_label": (
            fraction(measured.covered_any_label, measured.words) if measured else None
        ),
        "layers": {name: str(verdict) for name, verdict in document.layers.items()},
    }


def finding_record(
    finding: Finding, state: str, suppression: Suppression | None = None
) -> dict[str, Any]:
    """Return one entry of ``findings``; ``suppression`` is null where the finding counts."""
    return {
        "rule": finding.rule,
        "name": RULES[finding.rule].name,
        "severity": str(finding.severity),
        "layer": str(finding.layer) if finding.layer else None,
        "document": finding.document,
        "provision": finding.provision,
        "section": finding.section,
        "passage": finding.passage,
        "cause": str(finding.cause) if finding.cause else None,
        "message": finding.message,
        "official": finding.official,
        "stored": finding.stored,
        "diff": finding.diff,
        "fingerprint": finding.fingerprint,
        "state": state,
        "evidence": list(finding.evidence),
        "digests": {"official": finding.official_digest, "stored": finding.stored_digest},
        "suppression": suppression_record(suppression) if suppression else None,
    }


def suppression_record(suppression: Suppression) -> dict[str, str]:
    """Return why a finding does not count; ``kind`` is ``ignore`` or ``baseline``."""
    return {
        "kind": str(suppression.kind),
        "reason": suppression.reason,
        "owner": suppression.owner,
        "written": suppression.written,
        "expires": suppression.expires,
    }


def finding_from_record(record: Mapping[str, Any]) -> Finding:
    """Return the finding that a record of history describes (its state stays in the record)."""
    layer, cause = record.get("layer"), record.get("cause")
    return Finding(
        rule=record["rule"],
        severity=Severity(record["severity"]),
        layer=Layer(layer) if layer else None,
        document=record["document"],
        message=record["message"],
        provision=record.get("provision") or "",
        section=record.get("section") or "",
        passage=record.get("passage") or "",
        where=record.get("where") or "",
        cause=Cause(cause) if cause else None,
        official=record.get("official") or "",
        stored=record.get("stored") or "",
        diff=record.get("diff") or "",
        fingerprint=record.get("fingerprint") or "",
        evidence=tuple(record.get("evidence") or ()),
        official_digest=(record.get("digests") or {}).get("official", ""),
        stored_digest=(record.get("digests") or {}).get("stored", ""),
    )


def run_record(result: RunResult) -> dict[str, Any]:
    """Return the whole run in the shape of ``verify --format json``; a recorded one has a head."""
    findings = all_findings(result)
    head = {"head": result.head} if isinstance(result, SealedRun) else {}
    return {
        "schema": SCHEMA,
        "run": result.run,
        "verdict": str(result.verdict),
        "started": result.started,
        "finished": result.finished,
        "tool": result.tool,
        "documents": [document_record(document) for document in result.documents],
        "findings": [
            finding_record(
                finding, state_of(result, finding), result.suppressions.get(finding.fingerprint)
            )
            for finding in findings
        ],
        "counts": counts(findings),
        "suppressed": suppressed_counts(result),
        **head,
    }
