"""What a check cost, and what one model alone would have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from corpusguard.gate.claims.model import Cost, Role

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corpusguard.config.gate import JudgeSpec
    from corpusguard.gate.judges.model import Completion

AIM: Final = 2.0
"""A check should cost at most this many times a single-model answer."""
_MILLION: Final = 1_000_000


def cost_of(
    spent: Sequence[tuple[str, Role, Completion]], tiers: tuple[JudgeSpec, JudgeSpec]
) -> Cost:
    """Return the cost of the calls.

    Args:
        spent: (tier, role, completion) of each call that came back.
        tiers: cheap, expensive.
    """
    specs = dict(zip(("cheap", "expensive"), tiers, strict=True))
    parts = [_price(specs[tier], found) for tier, _, found in spent]
    prices = [part for part in parts if part is not None]
    # A single model would read what a verifier reads, and answer at about its length.
    single = next((found for _, role, found in spent if role is Role.VERIFY), None)
    return Cost(
        calls=len(spent),
        input_tokens=sum(found.input_tokens for _, _, found in spent),
        output_tokens=sum(found.output_tokens for _, _, found in spent),
        price=sum(prices) if len(prices) == len(parts) else None,
        single_tokens=single.input_tokens + single.output_tokens if single else 0,
        single_price=_price(specs["expensive"], single) if single else None,
        counted=all(found.counted for _, _, found in spent),
    )


def _price(spec: JudgeSpec, found: Completion) -> float | None:
    if not spec.price_input or not spec.price_output:
        return None
    return (
        found.input_tokens * spec.price_input + found.output_tokens * spec.price_output
    ) / _MILLION
