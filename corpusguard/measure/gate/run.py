"""Running a subject over a half, and the results that follow from its verdicts."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any, Final, Protocol

from corpusguard.errors import CorpusguardError, EvidenceMissing
from corpusguard.measure.gate import figures, judge_figures
from corpusguard.measure.gate.outcomes import Decision
from corpusguard.measure.gate.prereg import load_preregistration
from corpusguard.measure.gate.subjects import JudgedSubject, outcome_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from corpusguard.measure.gate.items import Item
    from corpusguard.measure.gate.outcomes import Outcome
    from corpusguard.measure.gate.subjects import AnySubject
    from corpusguard.measure.gate.verdicts import Verdicts

SCHEMA: Final = "corpusguard/gate-results/1"
SILENT: Final = 10
"""Questions in a row from which nothing came back, after which nothing more is asked."""


class NothingMeasured(CorpusguardError):
    """A judge that does not answer: what was decided is kept, and it is no result."""

    exit_code = 3


class Keep(Protocol):
    """Where outcomes are kept as they come, so that a run which is stopped loses none."""

    @property
    def done(self) -> Mapping[str, Outcome]:
        """Item id -> outcome of each that needs no decision any more."""

    def add(self, item: str, outcome: Outcome) -> None:
        """Keep an outcome durably enough to survive the end of this process."""


def run(
    subject: AnySubject,
    items: Sequence[Item],
    keep: Keep,
    progress: Callable[[str, int, int], None] | None,
) -> None:
    """Decide on every item that is not set aside and has no outcome yet.

    Raises:
        NothingMeasured: Nothing came back from the judge so many times in a row.
    """
    counted = [item for item in items if not item.contested]
    waiting = [item for item in counted if item.id not in keep.done]
    tell = _Progress(progress, len(counted) - len(waiting), len(counted))
    if isinstance(subject, JudgedSubject):
        asyncio.run(_side_by_side(subject, waiting, keep, tell))
        return
    for item in waiting:
        tell(item)
        outcome = outcome_of(subject, item.sentence, [(item.section, item.source)])
        keep.add(item.id, outcome)
        tell.count(outcome)


async def _side_by_side(
    subject: JudgedSubject, items: Sequence[Item], keep: Keep, tell: _Progress
) -> None:
    waiting = iter(items)
    silent = 0
    stopped: Outcome | None = None

    async def work() -> None:
        nonlocal silent, stopped
        for item in waiting:
            tell(item)
            outcome = await subject.outcome(item.sentence, [(item.section, item.source)])
            keep.add(item.id, outcome)
            tell.count(outcome)
            if outcome.unreached:
                silent += 1
            elif outcome.calls:
                silent = 0
            if silent >= SILENT:
                # Once said it stays, whatever those that are under way still bring.
                stopped = stopped or outcome
            if stopped:
                return

    tasks = [asyncio.create_task(work()) for _ in range(subject.at_once)]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    if stopped and any(item.id not in keep.done for item in items):
        raise NothingMeasured(
            f"nothing came back from the judge {SILENT} times in a row, so the run was stopped; "
            f"the last time: {stopped.reason}",
            hint=f"{stopped.hint}; then run the same command again: it goes on where it stopped",
        )


class _Progress:
    """Counts what is done, and shows the item that is at hand."""

    def __init__(self, show: Callable[[str, int, int], None] | None, done: int, total: int) -> None:
        self._show, self._done, self._total, self._errors = show, done, total, 0

    def __call__(self, item: Item) -> None:
        if self._show:
            errors = f", errors: {self._errors}" if self._errors else ""
            self._show(f"{item.id}{errors}", self._done, self._total)

    def count(self, outcome: Outcome) -> None:
        self._done += 1
        self._errors += outcome.decision is Decision.ERROR


def results(verdicts: Verdicts) -> dict[str, Any]:
    """Return everything that is published of a run; it follows from its verdicts alone.

    Raises:
        ConfigError: The preregistration in the header is none.
        EvidenceMissing: It is not the one that the header names.
    """
    header: Mapping[str, Any] = verdicts.header
    text = str(header.get("preregistration", ""))
    found: dict[str, Any] = {
        "schema": SCHEMA,
        "run": {key: value for key, value in header.items() if key != "schema"},
        "verdicts": verdicts.digest,
        "figures": figures.record(verdicts.rows),
        "bars": [],
        "wrong": figures.wrong(verdicts.rows),
    }
    if "judge" in header:
        found["judge"] = judge_figures.record(header["judge"], verdicts.rows)
    if text:
        promised = load_preregistration(text.encode(), "the preregistration in the verdicts")
        if promised.digest != header.get("preregistration_digest"):
            raise EvidenceMissing(
                "the bars in the verdicts are not those of the preregistration that they name",
                hint="restore the verdicts as they were published",
            )
        found["bars"] = figures.bars(figures.figures(verdicts.rows), promised)
    return found


def dump_results(found: Mapping[str, Any]) -> str:
    """Return results as JSON text."""
    return json.dumps(found, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def differences(one: object, other: object, where: str = "") -> list[str]:
    """Return the places at which two JSON values differ, as ``figures.shares.lost.hits``."""
    if isinstance(one, dict) and isinstance(other, dict):
        found = []
        for key in sorted(one.keys() | other.keys()):
            place = f"{where}.{key}" if where else str(key)
            if key not in one or key not in other:
                found.append(place)
            else:
                found += differences(one[key], other[key], place)
        return found
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return [
            place
            for number, (left, right) in enumerate(zip(one, other, strict=True))
            for place in differences(left, right, f"{where}[{number}]")
        ]
    same = type(one) is type(other) and one == other
    return [] if same else [where or "everything"]
