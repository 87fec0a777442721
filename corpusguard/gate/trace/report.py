"""Many runs: why claims were dropped, and, with labels, whether the right ones were cited."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from corpusguard.errors import ConfigError
from corpusguard.gate.trace.labelling import item
from corpusguard.gate.trace.model import DropReason, Relevance

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from corpusguard.gate.trace.model import Checked, Claim

CITED: Final = "cited"
UNACCOUNTED: Final = "unaccounted"
MIN_EFFECT: Final = 0.001
"""The smallest difference of two shares to plan for; a smaller one takes millions of runs."""
_ROUNDING: Final = 1e-9
"""Two means of the same shares, added up in another order, differ by less."""
FATES: Final = (CITED, *(reason.value for reason in DropReason), UNACCOUNTED)
"""What can become of a claim: the columns of the matrix."""


@dataclass(frozen=True, slots=True)
class Distribution:
    """Drop reasons over runs."""

    runs: int
    whole: int
    """Runs in which every claim is accounted for; only they are counted below."""
    entered: int
    cited: int
    dropped: Mapping[DropReason, int]
    sentences: int
    """Of all runs."""
    unattributed: int
    """Of all runs: sentences without a marker."""

    def share(self, reason: DropReason) -> float | None:
        """Return the share of the drops that ``reason`` has; None where nothing was dropped."""
        total = sum(self.dropped.values())
        return self.dropped[reason] / total if total else None


@dataclass(frozen=True, slots=True)
class Measure:
    """Selection against labels."""

    matrix: Mapping[Relevance, Mapping[str, int]]
    """Relevance -> fate -> claims."""
    unlabelled: int
    """Claims that no label says anything of; they count nowhere."""
    recalls: tuple[float, ...]
    """Of each run with a must_include claim."""
    precisions: tuple[float, ...]
    """Of each run with a cited, labelled claim."""

    @property
    def recall(self) -> float | None:
        """Cited share of the must_include claims; None where there is none."""
        row = self.matrix[Relevance.MUST_INCLUDE]
        return _share(row[CITED], sum(row.values()))

    @property
    def precision(self) -> float | None:
        """Share of the cited claims that is not irrelevant; None where none is cited."""
        cited = {relevance: row[CITED] for relevance, row in self.matrix.items()}
        total = sum(cited.values())
        return _share(total - cited[Relevance.IRRELEVANT], total)

    @property
    def missed(self) -> Mapping[str, int]:
        """What became of the must_include claims that are not cited: fate -> claims."""
        row = self.matrix[Relevance.MUST_INCLUDE]
        return {fate: count for fate, count in row.items() if fate != CITED}


@dataclass(frozen=True, slots=True)
class Comparison:
    """One figure, per run, in two arms; the first is the baseline."""

    name: str
    runs: tuple[int, int]
    means: tuple[float, float]
    sd: float | None
    """Pooled over both arms; None where an arm has fewer than two runs."""
    effect: float
    """The difference to be told from chance: as planned for, or as observed."""
    planned: bool
    needed: int | None
    """Runs per arm for it; None where the difference or the deviation is unknown or zero."""

    @property
    def difference(self) -> float:
        """Second less first."""
        return self.means[1] - self.means[0]

    @property
    def enough(self) -> bool:
        """Whether each arm has the runs that are needed."""
        return self.needed is not None and min(self.runs) >= self.needed


def distribution(runs: Sequence[Checked]) -> Distribution:
    """Count drop reasons over the runs that are whole, and sentences over all."""
    whole = [run for run in runs if run.whole]
    counted = Counter(reason for run in whole for reason in run.dropped.values())
    return Distribution(
        runs=len(runs),
        whole=len(whole),
        entered=sum(len(run.selection.claims) for run in whole),
        cited=sum(len(run.cited) for run in whole),
        dropped={reason: counted[reason] for reason in DropReason},
        sentences=sum(len(run.sentences) for run in runs),
        unattributed=sum(len(run.unattributed) for run in runs),
    )


def measure(runs: Iterable[Checked], labels: Mapping[str, Relevance]) -> Measure:
    """Set what became of each claim against its label.

    Runs with faults count too: a must_include claim that is unaccounted for was missed.

    Args:
        runs: Checked runs.
        labels: Item of the labelling sheet -> relevance.
    """
    matrix = {relevance: dict.fromkeys(FATES, 0) for relevance in Relevance}
    recalls, precisions = [], []
    unlabelled = 0
    for run in runs:
        cited = frozenset(run.cited)
        own = {relevance: dict.fromkeys(FATES, 0) for relevance in Relevance}
        for claim in run.selection.claims:
            label = labels.get(item(run.selection.goal, claim.text))
            if label is None:
                unlabelled += 1
                continue
            fate = CITED if claim.id in cited else _fate(run, claim)
            own[label][fate] += 1
            matrix[label][fate] += 1
        one = Measure(own, 0, (), ())
        recalls += [] if one.recall is None else [one.recall]
        precisions += [] if one.precision is None else [one.precision]
    return Measure(matrix, unlabelled, tuple(recalls), tuple(precisions))


def compare(
    name: str, first: Sequence[float], second: Sequence[float], effect: float | None = None
) -> Comparison:
    """Compare one figure of two arms, with the sample size that the difference needs.

    Args:
        name: What is compared, such as ``recall``.
        first: The figure of each run of the baseline.
        second: The figure of each run of the other arm.
        effect: Difference to plan for; default: the observed one.

    Raises:
        ConfigError: An arm has no run, or ``effect`` is no difference of two shares: not from
            ``MIN_EFFECT`` to 1.
    """
    if not first or not second:
        raise ConfigError(
            f"{name}: an arm has no run with labels", hint="Label claims of both with `trace label`"
        )
    if effect is not None and not MIN_EFFECT <= effect <= 1:
        raise ConfigError(
            f"the effect is {effect:g}",
            hint=f"Name a difference of two shares, from {MIN_EFFECT:g} to 1, such as 0.1.",
        )
    means = (statistics.fmean(first), statistics.fmean(second))
    sd = None
    if min(len(first), len(second)) >= 2:
        squares = sum(statistics.variance(arm) * (len(arm) - 1) for arm in (first, second))
        sd = math.sqrt(squares / (len(first) + len(second) - 2))
    wanted = abs(means[1] - means[0]) if effect is None else effect
    return Comparison(
        name,
        (len(first), len(second)),
        means,
        sd,
        wanted,
        effect is not None,
        sample_size(sd, wanted) if sd and wanted > _ROUNDING else None,
    )


def sample_size(sd: float, effect: float) -> int:
    """Return the runs per arm that tell a difference of ``effect`` from chance.

    Lehr's rule of thumb, 16·(sd/effect)²: 80% power at a two-sided 5% (R. Lehr, Sixteen s-squared
    over d-squared, Statistics in Medicine 11, 1992).

    Raises:
        ConfigError: ``sd`` is below 0 or ``effect`` not above 0.
    """
    if not (math.isfinite(sd) and math.isfinite(effect)) or sd < 0 or effect <= 0:
        raise ConfigError(
            f"no sample size for a deviation of {sd} and a difference of {effect}",
            hint="Both are positive numbers.",
        )
    # Two runs per arm at the least: one has no deviation.
    return max(2, math.ceil(16 * (sd / effect) ** 2 - 1e-9))


def _fate(run: Checked, claim: Claim) -> str:
    reason = run.dropped.get(claim.id)
    return reason.value if reason else UNACCOUNTED


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
