"""Reports of workers as JSON values, read strictly: a model wrote them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from corpusguard.errors import ConfigError
from corpusguard.gate.evidence.model import Claim, Evidence, EvidenceKind, Report, ReportOutcome
from corpusguard.gate.shapes import checked_object

if TYPE_CHECKING:
    from enum import StrEnum

    from corpusguard.gate.shapes import Shape

_REPORT: Final[Shape] = {"question": str, "outcome": str}
_CLAIMS: Final[Shape] = {"claims": list}
_CLAIM: Final[Shape] = {"id": str, "text": str, "evidence": list}
_EVIDENCE: Final[Shape] = {"kind": str, "doc_id": str, "span": str, "retrieved_at": str}


def report(value: Any, worker: str, where: str) -> Report:  # noqa: ANN401 - any JSON value
    """Read what one worker sends for one question.

    ``{question, outcome: found|empty, claims: [{id, text, evidence: [{kind, doc_id, span,
    retrieved_at}]}]}``; an empty one may leave ``claims`` out.

    Args:
        value: Parsed JSON.
        worker: Who sent it. It is the caller who knows: a worker does not name itself.
        where: For messages.

    Raises:
        ConfigError: It is something else.
    """
    record = checked_object(value, where, _REPORT, _CLAIMS)
    claims = []
    for index, one in enumerate(record.get("claims", [])):
        place = f"{where}: claims[{index}]"
        claim = checked_object(one, place, _CLAIM, {})
        evidence = tuple(
            _evidence(each, f"{place}: evidence[{number}]")
            for number, each in enumerate(claim["evidence"])
        )
        claims.append(Claim(claim["id"], claim["text"], evidence))
    outcome = ReportOutcome(_one_of(record["outcome"], ReportOutcome, f"{where}: outcome"))
    return Report(worker, record["question"], outcome, tuple(claims))


def _evidence(value: object, where: str) -> Evidence:
    record = checked_object(value, where, _EVIDENCE, {})
    kind = EvidenceKind(_one_of(record["kind"], EvidenceKind, f"{where}: kind"))
    return Evidence(kind, record["doc_id"], record["span"], record["retrieved_at"])


def _one_of(value: str, known: type[StrEnum], where: str) -> str:
    names = [one.value for one in known]
    if value not in names:
        raise ConfigError(
            f"{where} is {value[:40]!r}", hint=f"It is exactly one of: {', '.join(names)}."
        )
    return value
