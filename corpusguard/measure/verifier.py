"""How much of what can go wrong with a stored corpus a verifier notices, and how often it errs.

Faults of every kind are planted, one at a time, in a corpus whose rows are known to verify;
harmless changes are made to all of its rows. The verifier is any function from passages to
findings, so that another tool can be measured on the same mutants. What it said of the corpus
before is not counted.

Every outcome is kept, so that the rates can be computed again from the record alone (``rates``),
and a seed gives the same mutants again.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from random import Random
from typing import TYPE_CHECKING, Final

from corpusguard.layers.words import words_of
from corpusguard.measure.harmless import CHANGES
from corpusguard.measure.mutants import kinds, plant
from corpusguard.model import Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from corpusguard.measure.planting import Mutant, Sound
    from corpusguard.model import Finding, Passage

    Check = Callable[[Sequence[Passage]], Iterable[Finding]]

PATIENCE: Final = 20
"""Seeds tried in vain before a kind counts as having no (further) place in a corpus."""
_WEIGHTY: Final = (Severity.ERROR, Severity.WARNING)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one planted fault, or of one harmless change of all rows."""

    kind: str
    seed: int
    """The fault's own seed; 0 for a harmless change."""
    harmless: bool
    noticed: bool
    """Whether any error or warning is new."""
    named: bool
    """Whether one of a right rule stands at the right place."""
    layers: tuple[str, ...]
    """Layers with a new finding."""
    rules: tuple[str, ...]
    places: tuple[str, ...]
    """Sections, else ids, of the fault; for a harmless change those that were reported."""
    rows: int
    """Rows that were changed, added or removed."""


@dataclass(frozen=True, slots=True)
class Rate:
    """One row of the table; shares come with their 95% intervals where they are shown."""

    kind: str
    planted: int
    noticed: int
    named: int
    layers: dict[str, int] = field(default_factory=dict)
    """Layer -> faults that it noticed."""
    alone: dict[str, int] = field(default_factory=dict)
    """Layer -> faults that no other layer noticed."""


def differs(sound: Sound, mutant: Mutant) -> bool:
    """Whether words, labels or rows changed: a fault that changes nothing is none."""
    if len(sound.passages) != len(mutant.passages):
        return True
    return any(
        old is not new
        and (
            replace(old, text="") != replace(new, text="")
            or words_of(old.text) != words_of(new.text)
        )
        for old, new in zip(sound.passages, mutant.passages, strict=True)
    )


def measure(  # noqa: PLR0913 - the options of a measurement
    sound: Sound,
    check: Check,
    *,
    faults: int,
    seed: str,
    verified: frozenset[int] | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> Iterator[Outcome]:
    """Plant, check, and say what came of it.

    Args:
        sound: the corpus; ``row`` of each passage is its index.
        check: the verifier.
        faults: how many of each kind, at most.
        seed: gives the same faults again.
        verified: rows that verify as they are; faults are planted in these alone, because another
            fault in a row that is reported already cannot be told from the first. None: all.
        progress: called with (kind, done, total).
    """
    before = Counter(_about(one) for one in check(sound.passages) if one.severity in _WEIGHTY)
    names = (*kinds(), *CHANGES)
    for number, kind in enumerate(kinds()):
        if progress:
            progress(kind, number, len(names))
        for own, mutant in _mutants(kind, sound, faults, seed, verified):
            new = _new(check(_numbered(mutant.passages)), before)
            yield Outcome(
                kind=kind,
                seed=own,
                harmless=False,
                noticed=bool(new),
                named=bool(mutant.found_in(new)),
                layers=_layers(new),
                rules=tuple(sorted({one.rule for one in new})),
                places=tuple(sorted(mutant.sections or mutant.ids)),
                rows=len(_changed(sound, mutant)),
            )
    for number, (name, change) in enumerate(CHANGES.items(), len(kinds())):
        if progress:
            progress(name, number, len(names))
        passages = [replace(one, text=change(one.text)) for one in sound.passages]
        new = _new(check(passages), before)
        yield Outcome(
            kind=name,
            seed=0,
            harmless=True,
            noticed=bool(new),
            named=False,
            layers=_layers(new),
            rules=tuple(sorted({one.rule for one in new})),
            places=tuple(sorted({one.section or one.passage for one in new})),
            rows=sum(a.text != b.text for a, b in zip(passages, sound.passages, strict=True)),
        )


def rates(outcomes: Iterable[Outcome]) -> list[Rate]:
    """Return one rate a kind, in the order in which the kinds come, from outcomes alone."""
    grouped: dict[str, list[Outcome]] = defaultdict(list)
    for one in outcomes:
        grouped[one.kind].append(one)
    return [rate(kind, group) for kind, group in grouped.items()]


def rate(kind: str, group: Sequence[Outcome]) -> Rate:
    """Return the rate of any outcomes, under a name."""
    layers: Counter[str] = Counter()
    alone: Counter[str] = Counter()
    for one in group:
        layers.update(one.layers)
        if len(one.layers) == 1:
            alone.update(one.layers)
    return Rate(
        kind,
        len(group),
        sum(one.noticed for one in group),
        sum(one.named for one in group),
        dict(sorted(layers.items())),
        dict(sorted(alone.items())),
    )


def _mutants(
    kind: str, sound: Sound, faults: int, seed: str, verified: frozenset[int] | None
) -> Iterator[tuple[int, Mutant]]:
    taken: set[tuple[str, str]] = set()
    number, vain = 0, 0
    while len(taken) < faults and vain < PATIENCE:
        number += 1
        vain += 1
        mutant = plant(kind, sound, Random(f"{seed} {kind} {number}"))  # noqa: S311 - no secret
        if mutant is None or not differs(sound, mutant):
            continue
        if verified is not None and not _changed(sound, mutant) <= verified | {len(sound.passages)}:
            continue
        about = (mutant.what, " ".join(sorted(mutant.ids)))
        if about in taken:
            continue
        taken.add(about)
        vain = 0
        yield number, mutant


def _changed(sound: Sound, mutant: Mutant) -> frozenset[int]:
    """Rows of the sound corpus that are gone or other in the mutant; one past the end: added."""
    kept = {id(one) for one in mutant.passages}
    gone = {row for row, one in enumerate(sound.passages) if id(one) not in kept}
    known = {id(one) for one in sound.passages}
    added = [one for one in mutant.passages if id(one) not in known]
    return frozenset(gone or ({len(sound.passages)} if added else set()))


def _numbered(passages: Iterable[Passage]) -> list[Passage]:
    return [one if one.row == row else replace(one, row=row) for row, one in enumerate(passages)]


def _about(finding: Finding) -> tuple[str, str, str]:
    return finding.rule, finding.section, finding.passage


def _new(findings: Iterable[Finding], before: Counter[tuple[str, str, str]]) -> list[Finding]:
    seen: Counter[tuple[str, str, str]] = Counter()
    new = []
    for finding in findings:
        if finding.severity not in _WEIGHTY:
            continue
        about = _about(finding)
        seen[about] += 1
        if seen[about] > before[about]:
            new.append(finding)
    return new


def _layers(findings: Iterable[Finding]) -> tuple[str, ...]:
    return tuple(sorted({str(one.layer.value) for one in findings if one.layer is not None}))
