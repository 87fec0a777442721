"""What the page of results shows item by item, and what it says of its figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

HEAD: Final = "Items that came out wrong"
HEADS: Final = ("Item", "What", "Kind or tier", "Decision", "Reason")
BOTH_ERRORS: Final = (
    "False pass: unsupported sentences that ship. Lost: supported ones that do not. Bound: the "
    "largest of the upper bounds. Where no item is a case, and where each is, drawing sections "
    "anew changes nothing, and the bootstrap is called degenerate. Without a case the bound is 3 "
    "over the number of families (sentences of law), since items of one family are as one."
)
_SHOWN: Final = 200
"""Rows; ``results.json`` and the verdicts hold all."""
_WHAT: Final = {"false_pass": "false pass", "false_strip": "false strip", "error": "no decision"}
_ORDER: Final = ("false_pass", "error", "false_strip")


def note(results: Mapping[str, Any]) -> str:
    """Return what stands above the rows."""
    found = len(results.get("wrong", ()))
    shown = f"The first {_SHOWN} of {found}; results.json has all. " if found > _SHOWN else ""
    return f"{shown}The fixture has the sentence of each; a sealed one is shown nowhere."


def rows(results: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """Return the items, false passes first."""
    found = sorted(results.get("wrong", ()), key=lambda one: (_ORDER.index(one["what"]), one["id"]))
    return [
        (
            str(one["id"]),
            _WHAT[one["what"]],
            str(one["class"]).replace("_", " "),
            str(one["decision"]),
            str(one["reason"]) or "not given",
        )
        for one in found[:_SHOWN]
    ]
