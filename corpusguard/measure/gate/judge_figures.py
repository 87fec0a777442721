"""What is published of a judge: how it did on what reached it, its errors apart, and its cost.

Most sentences never reach a judge: they are quotations, or a veto objects. The shares here are of
those that did, so that the gate does not hide its judge.
"""

from __future__ import annotations

from collections import Counter
from statistics import median
from typing import TYPE_CHECKING, Any, Final

from corpusguard.errors import EvidenceMissing
from corpusguard.measure.gate.figures import fault_of
from corpusguard.measure.gate.outcomes import Decision
from corpusguard.measure.gate.stats import share

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corpusguard.measure.gate.outcomes import Call
    from corpusguard.measure.gate.verdicts import Row

UNNAMED: Final = "not named by its server"
_MILLION: Final = 1_000_000


def no_result(found: Mapping[str, Any]) -> str:
    """Say why results show nothing, or return an empty text: most of what was asked is errors.

    Where a judge was asked, it is its errors that count: what the gate decides without one would
    hide them.
    """
    errors = found["figures"]["shares"]["errors"]
    what = "decisions"
    if found.get("judge", {}).get("asked"):
        errors, what = found["judge"]["shares"]["errors"], "items that the judge was asked about"
    if not errors["total"]:
        return "no item was decided on"
    if 2 * errors["hits"] > errors["total"]:
        return f"{errors['hits']} of {errors['total']} {what} ended in an error"
    return ""


def record(judge: Mapping[str, Any], rows: Sequence[Row]) -> dict[str, Any]:
    """Return the figures of a judge, for JSON.

    Args:
        judge: ``judge`` of the verdicts' header.
        rows: all rows of the verdicts.

    Raises:
        EvidenceMissing: The prices in the header are none.
    """
    asked = [row for row in rows if row.calls]
    calls = [call for row in asked for call in row.calls]
    good = [row for row in asked if not row.unsupported]
    bad = [row for row in asked if row.unsupported]
    seconds = [call.milliseconds / 1000 for call in calls]
    kinds = (
        ("false_pass", bad, Decision.SHIPS),
        ("false_strip", good, Decision.STRIPPED),
        ("errors", asked, Decision.ERROR),
    )
    shares = {
        name: share([(row.section, row.family, row.decision == hit) for row in of]).record()
        for name, of, hit in kinds
    }
    return {
        "asked": len(asked),
        "calls": len(calls),
        "replies": dict(sorted(Counter(call.verdict or call.fault for call in calls).items())),
        "models": dict(sorted(Counter(call.model or UNNAMED for call in _answered(calls)).items())),
        "again": sum(row.tries > 1 for row in rows),
        "input_tokens": sum(call.input_tokens for call in calls),
        "output_tokens": sum(call.output_tokens for call in calls),
        "counted": all(call.counted for call in _answered(calls)),
        "price": _price(judge, calls),
        "seconds": {
            "median": round(median(seconds), 3) if seconds else None,
            "longest": max(seconds, default=None),
        },
        "shares": shares,
        "wrong": _wrong(asked),
    }


def _answered(calls: Sequence[Call]) -> list[Call]:
    return [call for call in calls if call.reply]


def _price(judge: Mapping[str, Any], calls: Sequence[Call]) -> float | None:
    """Return what the calls cost, in the currency of the configuration; None: it names no price."""
    try:
        asked, written = float(judge["price_input"]), float(judge["price_output"])
    except (KeyError, TypeError, ValueError) as error:
        raise EvidenceMissing(
            "the verdicts name a judge without its prices",
            hint="restore the file that was published",
        ) from error
    if not asked or not written:
        return None
    spent = sum(call.input_tokens * asked + call.output_tokens * written for call in calls)
    return round(spent / _MILLION, 6)


def _wrong(asked: Sequence[Row]) -> list[dict[str, Any]]:
    """Return the items that the judge got wrong or gave no verdict on, by id."""
    found = []
    for row in sorted(asked, key=lambda one: one.id):
        what = fault_of(row)
        if not what:
            continue
        found.append(
            {
                "id": row.id,
                "what": what,
                "class": row.klass,
                "replies": [call.verdict or call.fault for call in row.calls],
                "prompts": [call.prompt for call in row.calls],
            }
        )
    return found
