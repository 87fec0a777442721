"""Runs and labels as JSON values, read strictly: an unknown key is an error, not a remark."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any, Final

from corpusguard.errors import ConfigError
from corpusguard.gate.shapes import checked_object
from corpusguard.gate.trace.model import Claim, Relevance, Selection

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corpusguard.gate.shapes import Shape

_SELECTION: Final[Shape] = {"goal": str, "claims": list, "answer": str}
_OPTIONAL: Final[Shape] = {"run": str, "dropped": dict}
_CLAIM: Final[Shape] = {"id": str, "text": str}
_ROW: Final[Shape] = {"item": str, "label": str}
_SHEET: Final[Shape] = {"goal": str, "claim": str}


def selection(value: Any, where: str) -> Selection:  # noqa: ANN401 - JSON is any of six types
    """Read one run: ``{goal, claims: [{id, text}], answer, dropped: {id: reason}, run}``.

    Args:
        value: Parsed JSON.
        where: For messages: file and line.

    Raises:
        ConfigError: It is something else.
    """
    record = checked_object(value, where, _SELECTION, _OPTIONAL)
    claims = []
    for index, one in enumerate(record["claims"]):
        claim = checked_object(one, f"{where}: claims[{index}]", _CLAIM, {})
        claims.append(Claim(claim["id"], claim["text"]))
    dropped = record.get("dropped", {})
    for key, reason in dropped.items():
        if not isinstance(reason, str):
            raise ConfigError(
                f"{where}: the reason of {key[:40]!r} is no string", hint='As {"c_2": "redundant"}.'
            )
    return Selection(
        record["goal"], tuple(claims), record["answer"], dropped, record.get("run", "")
    )


def labels(rows: Iterable[tuple[str, Any]]) -> tuple[dict[str, Relevance], int]:
    """Read a filled-in labelling sheet: (where, row) of each line.

    Returns:
        Item -> relevance, and how many rows have no label yet.

    Raises:
        ConfigError: A row is of another shape, has a label that there is not, or comes twice with
            different labels.
    """
    found: dict[str, Relevance] = {}
    blank = 0
    for where, value in rows:
        row = checked_object(value, where, _ROW, _SHEET)
        name = row["label"].strip()
        if not name:
            blank += 1
            continue
        if name not in set(Relevance):
            near = difflib.get_close_matches(name, list(Relevance), n=1)
            raise ConfigError(
                f"{where}: {name[:40]!r} is no label; there are: {', '.join(Relevance)}",
                hint=f"Did you mean {near[0]}?" if near else "Leave it empty if you cannot say.",
            )
        label = Relevance(name)
        if found.setdefault(row["item"], label) is not label:
            raise ConfigError(
                f"{where}: the item {row['item'][:40]!r} has two labels", hint="Keep one."
            )
    return found, blank
