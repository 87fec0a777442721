"""How far labellers agree beyond chance: Cohen's kappa of two, Fleiss' kappa of several."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

_Z95: Final = 1.96


@dataclass(frozen=True, slots=True)
class Cohen:
    """Two labellers on the same items."""

    items: int
    agreed: int
    expected: float
    """Agreement by chance, from how often each used each label; 0 of nothing."""
    kappa: float | None
    """None where there is no item, or where each used one and the same label throughout."""
    low: float | None
    high: float | None
    """95% interval of kappa, by Cohen's large-sample error; wide for few items."""


def cohen(pairs: Sequence[tuple[Hashable, Hashable]]) -> Cohen:
    """Return Cohen's kappa of two labellers.

    J. Cohen, A coefficient of agreement for nominal scales, Educational and Psychological
    Measurement 20 (1960).

    Args:
        pairs: first labeller's label and second labeller's, of each item.
    """
    count = len(pairs)
    agreed = sum(one == other for one, other in pairs)
    left, right = Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
    chance = sum(left[label] * right[label] for label in left)
    expected = chance / count**2 if count else 0.0
    kappa = low = high = None
    # In whole numbers: as floats, chance agreement of 1 may come out a little below it.
    if count and chance != count**2:
        observed = agreed / count
        kappa = (observed - expected) / (1 - expected)
        error = math.sqrt(observed * (1 - observed) / count) / (1 - expected)
        low, high = max(-1.0, kappa - _Z95 * error), min(1.0, kappa + _Z95 * error)
    return Cohen(count, agreed, expected, kappa, low, high)


def fleiss_kappa(rows: Sequence[Sequence[Hashable]]) -> float | None:
    """Return Fleiss' kappa of equally many labels per item; None where it is not defined.

    J. L. Fleiss, Measuring nominal scale agreement among many raters, Psychological Bulletin 76
    (1971).
    """
    raters = len(rows[0]) if rows else 0
    if raters < 2:
        return None
    counts = [Counter(row) for row in rows]
    observed = sum(
        (sum(n * n for n in count.values()) - raters) / (raters * (raters - 1)) for count in counts
    ) / len(rows)
    totals: Counter[Hashable] = sum(counts, Counter())
    square = sum(n * n for n in totals.values())
    whole = (raters * len(rows)) ** 2
    expected = square / whole
    return None if square == whole else (observed - expected) / (1 - expected)
