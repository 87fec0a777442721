"""Shares with their uncertainty: Wilson intervals, a cluster bootstrap, the rule of three."""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Z95: Final = 1.959963984540054
"""The 97.5% point of the standard normal distribution."""
REPLICATES: Final = 2000
SEED: Final = 20_260_101


def wilson(hits: int, total: int) -> tuple[float, float]:
    """Return the 95% Wilson score interval of a share; (0, 1) of nothing.

    Wilson, Probable inference, J. Am. Stat. Assoc. 22 (1927); without continuity correction.
    """
    if total == 0:
        return 0.0, 1.0
    share, square = hits / total, Z95**2
    middle = share + square / (2 * total)
    spread = Z95 * math.sqrt(share * (1 - share) / total + square / (4 * total**2))
    scale = 1 + square / total
    low = 0.0 if hits == 0 else max(0.0, (middle - spread) / scale)
    high = 1.0 if hits == total else min(1.0, (middle + spread) / scale)
    return low, high


def cluster_bootstrap(clusters: Sequence[tuple[int, int]]) -> tuple[float, float] | None:
    """Return the 95% percentile interval of a share, drawing whole clusters with replacement.

    Args:
        clusters: (hits, total) of each cluster: sentences of one provision fail together.

    Returns:
        None where it is degenerate: fewer than two clusters, or no hit, or nothing but hits.
    """
    hits, total = sum(k for k, _ in clusters), sum(n for _, n in clusters)
    if len(clusters) < 2 or hits in (0, total):
        return None
    random = Random(SEED)  # noqa: S311 - reproducible draws, no secret
    size = len(clusters)
    shares = []
    for _ in range(REPLICATES):
        k = n = 0
        for _ in range(size):
            one = clusters[int(random.random() * size)]
            k += one[0]
            n += one[1]
        shares.append(k / n)
    shares.sort()
    return shares[round(0.025 * (REPLICATES - 1))], shares[round(0.975 * (REPLICATES - 1))]


def rule_of_three(families: int) -> float:
    """Return the 95% upper bound of a share of which no case was seen in so many independent ones.

    Hanley and Lippman-Hand, If nothing goes wrong, is everything all right?, JAMA 249 (1983).
    """
    return min(1.0, 3 / families) if families else 1.0


@dataclass(frozen=True, slots=True)
class Share:
    """A share of items with everything that is known of its uncertainty."""

    hits: int
    total: int
    families: int
    sections: int
    wilson: tuple[float, float]
    bootstrap: tuple[float, float] | None
    rule_of_three: float | None
    """By family; only where there is no hit."""

    @property
    def rate(self) -> float | None:
        """The share itself; None of nothing."""
        return self.hits / self.total if self.total else None

    @property
    def upper(self) -> float:
        """The bound that a bar is held against: the largest of those that apply."""
        bounds = [self.wilson[1]]
        if self.bootstrap is not None:
            bounds.append(self.bootstrap[1])
        if self.rule_of_three is not None:
            bounds.append(self.rule_of_three)
        return max(bounds)

    def record(self) -> dict[str, object]:
        """Return it for JSON, rounded to six places."""
        return {
            "hits": self.hits,
            "total": self.total,
            "families": self.families,
            "sections": self.sections,
            "rate": _six(self.rate),
            "wilson": [_six(bound) for bound in self.wilson],
            "bootstrap": [_six(bound) for bound in self.bootstrap] if self.bootstrap else None,
            "rule_of_three": _six(self.rule_of_three),
            "upper": _six(self.upper),
        }


def _six(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


def share(places: Sequence[tuple[str, str, bool]]) -> Share:
    """Return the share of hits.

    Args:
        places: (section, family, whether it is a hit) of each item.
    """
    clusters: dict[str, list[int]] = {}
    for section, _, hit in places:
        cluster = clusters.setdefault(section, [0, 0])
        cluster[0] += hit
        cluster[1] += 1
    hits, total = sum(hit for *_, hit in places), len(places)
    families = len({family for _, family, _ in places})
    ordered: Mapping[str, list[int]] = dict(sorted(clusters.items()))
    return Share(
        hits=hits,
        total=total,
        families=families,
        sections=len(clusters),
        wilson=wilson(hits, total),
        bootstrap=cluster_bootstrap([(k, n) for k, n in ordered.values()]),
        rule_of_three=rule_of_three(families) if hits == 0 else None,
    )
