"""What a pass does not rule out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpusguard.gate.claims.model import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corpusguard.config.gate import JudgeSpec
    from corpusguard.gate.claims.model import Source, Verification


def residual_risk(
    source: Source, verifications: Sequence[Verification], tiers: tuple[JudgeSpec, JudgeSpec]
) -> tuple[str, ...]:
    """Return, one sentence each, what could still be wrong with a claim that passed."""
    cheap, expensive = tiers
    dissent = [one for one in verifications if one.verdict is not Verdict.SUPPORTED]
    lowest = min(one.accuracy_estimate for one in verifications if one not in dissent)
    found = [
        (
            f"Models decided: {cheap.label} verified, {expensive.label} adjudicated; by their own "
            f"estimate the least sure verdict is right in {lowest} per cent of such cases."
        ),
        "Verifiers of one model err alike; that they agree is less than two witnesses.",
        (
            f"Only {source.id} was read, as verified in run {source.run} on {source.verified}; "
            "other provisions, regulations and decisions may limit it, and it may have been "
            "amended since."
        ),
    ]
    if cheap.label == expensive.label:
        found.append("Both tiers are the same model, so the adjudicator shares its blind spots.")
    if dissent:
        found.append(
            f"{len(dissent)} of {len(verifications)} verifiers dissented "
            f"({', '.join(one.verdict for one in dissent)}): {dissent[0].reasoning}"
        )
    return tuple(found)
