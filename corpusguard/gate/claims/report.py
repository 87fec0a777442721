"""A result of ``check-claim`` as JSON and as text."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from corpusguard.gate.claims.costs import AIM
from corpusguard.gate.claims.outcomes import EXPLAINED
from corpusguard.report.summary import plural

if TYPE_CHECKING:
    from corpusguard.gate.claims.model import ClaimResult, Cost

SCHEMA = "corpusguard/claim/1"


def claim_record(result: ClaimResult) -> dict[str, Any]:
    """Return the result as JSON."""
    source = asdict(result.source) if result.source else None
    ratio = result.cost.ratio
    cost = asdict(result.cost) | {
        "ratio": None if ratio is None else round(ratio, 2),
        "within_aim": None if ratio is None else ratio <= AIM,
    }
    return {
        "schema": SCHEMA,
        "claim": result.claim,
        "outcome": str(result.outcome),
        "reason": result.reason,
        "next": EXPLAINED[result.outcome].next,
        "source": source,
        "verifications": [asdict(one) for one in result.verifications],
        "adjudications": [asdict(one) for one in result.adjudications],
        "residual_risk": list(result.residual_risk),
        "cost": cost,
        "trace": result.trace,
    }


def claim_text(result: ClaimResult) -> str:
    """Return the result for a person, one fact a line."""
    lines = [f"{result.outcome.upper().replace('_', ' ')}: {result.reason}"]
    if result.source:
        source = result.source
        lines.append(f"source: {source.id} ({source.label}), verified {source.verified}")
    lines += [
        f"verifier: {one.verdict}, {one.accuracy_estimate}%: {one.reasoning}"
        for one in result.verifications
    ]
    lines += [
        f"adjudicator: {one.verdict}, {one.confidence}%"
        + ("" if one.agree else ", no agreement")
        + (", escalates" if one.escalate else "")
        for one in result.adjudications
    ]
    lines += [f"residual risk: {risk}" for risk in result.residual_risk]
    lines += [_cost_line(result.cost), f"trace: {result.trace}"]
    lines.append(f"next: {EXPLAINED[result.outcome].next}")
    return "\n".join(lines) + "\n"


def _cost_line(cost: Cost) -> str:
    tokens = f"{cost.input_tokens + cost.output_tokens} tokens in {plural(cost.calls, 'call')}"
    about = "" if cost.counted else " (partly estimated)"
    if cost.ratio is None:
        return f"cost: {tokens}{about}"
    by = "price" if cost.price is not None and cost.single_price else "tokens"
    over = "" if cost.ratio <= AIM else f", over the aim of {AIM:g}"
    return f"cost: {tokens}{about}, {cost.ratio:.2f} times a single answer by {by}{over}"
