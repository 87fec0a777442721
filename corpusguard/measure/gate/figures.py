"""Every figure that is published of a run, from its verdicts alone.

False passes (unsupported sentences that ship) and false strips (supported ones that are stripped)
are never one number. An error is neither: it ships nothing and judges nothing. But whoever asked
loses the sentence all the same, so ``lost`` counts both, and bars on the supported side stand on
it: a gate must not look better by giving up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpusguard.measure.gate.items import Kind, Origin, Tier
from corpusguard.measure.gate.outcomes import Decision
from corpusguard.measure.gate.stats import Share, share

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from corpusguard.measure.gate.prereg import Preregistration
    from corpusguard.measure.gate.verdicts import Row


def figures(rows: Sequence[Row]) -> dict[str, Share]:
    """Return the shares by name.

    ``false_pass``, ``false_strip``, ``lost``, ``errors``; ``kind.K``: false passes of a kind;
    ``tier.T``: supported sentences of a tier that are lost; ``natural.pass``, ``natural.lost`` and
    the same for ``constructed``; ``paired``: false passes among unsupported sentences whose sound
    counterpart ships; ``unanimous.pass`` and ``unanimous.lost``: items on which all labellers
    agree. Items that are set aside are in none.
    """
    kept = [row for row in rows if not row.set_aside]
    bad = [row for row in kept if row.unsupported]
    good = [row for row in kept if not row.unsupported]
    shipped = {row.id for row in kept if row.decision == Decision.SHIPS}
    found = {
        "false_pass": _share(bad, _ships),
        "false_strip": _share(good, lambda row: row.decision == Decision.STRIPPED),
        "lost": _share(good, _lost),
        "errors": _share(kept, lambda row: row.decision == Decision.ERROR),
        "paired": _share([row for row in bad if row.pair in shipped], _ships),
    }
    for kind in Kind:
        found[f"kind.{kind}"] = _share([row for row in bad if row.klass == kind], _ships)
    for tier in Tier:
        found[f"tier.{tier}"] = _share([row for row in good if row.klass == tier], _lost)
    parts: dict[str, Callable[[Row], bool]] = {
        str(Origin.NATURAL): lambda row: row.origin == Origin.NATURAL,
        str(Origin.CONSTRUCTED): lambda row: row.origin == Origin.CONSTRUCTED,
        "unanimous": lambda row: not row.split,
    }
    for name, belongs in parts.items():
        found[f"{name}.pass"] = _share([row for row in bad if belongs(row)], _ships)
        found[f"{name}.lost"] = _share([row for row in good if belongs(row)], _lost)
    return found


def _ships(row: Row) -> bool:
    return row.decision == Decision.SHIPS


def _lost(row: Row) -> bool:
    return row.decision != Decision.SHIPS


def _share(rows: Sequence[Row], hit: Callable[[Row], bool]) -> Share:
    return share([(row.section, row.family, hit(row)) for row in rows])


def record(rows: Sequence[Row]) -> dict[str, object]:
    """Return all figures and counts for JSON."""
    return {
        "items": len(rows),
        "set_aside": sum(row.set_aside for row in rows),
        "split": sum(row.split for row in rows),
        "shares": {name: one.record() for name, one in figures(rows).items()},
    }


def fault_of(row: Row) -> str:
    """Return ``error``, ``false_pass`` or ``false_strip``; empty where the item came out right."""
    if row.decision == Decision.ERROR:
        return "error"
    if row.unsupported:
        return "false_pass" if _ships(row) else ""
    return "false_strip" if _lost(row) else ""


def wrong(rows: Sequence[Row]) -> list[dict[str, str]]:
    """Return the items that came out wrong, or without a decision, by id; no word of them."""
    found = []
    for row in sorted(rows, key=lambda one: one.id):
        what = "" if row.set_aside else fault_of(row)
        if not what:
            continue
        found.append(
            {
                "id": row.id,
                "what": what,
                "class": row.klass,
                "decision": row.decision,
                "reason": row.reason,
            }
        )
    return found


def bars(found: Mapping[str, Share], promised: Preregistration) -> list[dict[str, object]]:
    """Return what became of each bar: its figure, what was promised, what came, whether it held.

    A figure of no items holds no bar: nothing was shown.
    """
    results: list[dict[str, object]] = []
    for name, most in sorted(promised.upper.items()):
        one = found[name]
        results.append(_bar(name, "upper", most, round(one.upper, 6), one.total))
    for name, count in sorted(promised.count.items()):
        results.append(_bar(name, "count", count, found[name].hits, found[name].total))
    return results


def _bar(name: str, what: str, most: float, came: float, total: int) -> dict[str, object]:
    held = total > 0 and came <= most
    return {"figure": name, "bar": what, "at_most": most, "came": came, "held": held}
