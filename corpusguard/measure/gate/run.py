"""Running a subject over a half, and the results that follow from its verdicts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from corpusguard.measure.gate import figures
from corpusguard.measure.gate.prereg import load_preregistration
from corpusguard.measure.gate.subjects import decided

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from corpusguard.measure.gate.items import Item
    from corpusguard.measure.gate.subjects import Subject
    from corpusguard.measure.gate.verdicts import Decision, Verdicts

SCHEMA: Final = "corpusguard/gate-results/1"


def run(
    subject: Subject, items: Sequence[Item], progress: Callable[[str, int, int], None] | None
) -> dict[str, Decision]:
    """Return item id -> decision, of every item that is not set aside."""
    counted = [item for item in items if not item.contested]
    decisions = {}
    for number, item in enumerate(counted):
        if progress:
            progress(item.id, number, len(counted))
        decisions[item.id] = decided(subject, item.sentence, [(item.section, item.source)])
    return decisions


def results(verdicts: Verdicts) -> dict[str, Any]:
    """Return everything that is published of a run; it follows from its verdicts alone.

    Raises:
        ConfigError: The preregistration in the header is none.
    """
    header: Mapping[str, Any] = verdicts.header
    text = str(header.get("preregistration", ""))
    found: dict[str, Any] = {
        "schema": SCHEMA,
        "run": {key: value for key, value in header.items() if key != "schema"},
        "verdicts": verdicts.digest,
        "figures": figures.record(verdicts.rows),
        "bars": [],
    }
    if text:
        promised = load_preregistration(text.encode(), "the preregistration in the verdicts")
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
