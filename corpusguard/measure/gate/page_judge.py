"""What the page of results shows of a judge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

WRONG_HEADS: Final = ("Item", "What", "Kind or tier", "Replies", "Digest of the prompt")
_SHOWN: Final = 200
"""Rows; ``results.json`` and the verdicts hold all."""
_WHAT: Final = {"false_pass": "false pass", "false_strip": "false strip", "error": "no verdict"}


def facts(judge: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return what it was asked, what came, and what it cost, as rows."""
    asked = "estimated from the lengths" if not judge["counted"] else "as the server counts"
    found = [
        ("items that reached it", str(judge["asked"])),
        ("calls", str(judge["calls"])),
        ("replies", _counts(judge["replies"])),
        ("models that replied, by their server's word", _counts(judge["models"])),
        ("tokens in", f"{judge['input_tokens']:,}, {asked}"),
        ("tokens out", f"{judge['output_tokens']:,}"),
        ("cost by its prices", _price(judge["price"])),
    ]
    seconds = judge["seconds"]
    if seconds["median"] is not None:
        found.append(
            ("seconds of a call", f"{seconds['median']:g} median, {seconds['longest']:g} longest")
        )
    if judge["again"]:
        found.append(("asked again after an error, in a run taken up again", str(judge["again"])))
    return found


def wrong(judge: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """Return the items that it got wrong or gave no verdict on, errors last."""
    rows = sorted(judge["wrong"], key=lambda one: (one["what"] == "error", one["id"]))
    return [
        (
            str(one["id"]),
            _WHAT.get(one["what"], str(one["what"])),
            str(one["class"]).replace("_", " "),
            ", ".join(str(reply) for reply in one["replies"]),
            ", ".join(str(prompt)[:16] for prompt in one["prompts"]),
        )
        for one in rows[:_SHOWN]
    ]


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name}: {number}" for name, number in counts.items()) or "none"


def _price(price: float | None) -> str:
    return "its [[judge]] names no price" if price is None else f"{price:g}"
