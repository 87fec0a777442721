"""Inventories that need no tree: number gaps, settled statuses, and the contents table."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from corpusguard.second_reader.words import whole

if TYPE_CHECKING:
    from corpusguard.second_reader.complaint import Problems

_NUMBER: Final = re.compile(
    r"\d{1,4}(?:\.\d{1,4})*[A-Z]?\.?(?:\s?[,\u2013-]\s?\d{1,4}(?:\.\d{1,4})*[A-Z]?\.?)*"
)
_FUTURE: Final = "not_in_force"
_OTHER_CONTEXT: Final = re.compile(r"(?:Sched\.|Form|Table)")


def settle(sections: list[dict[str, Any]], blocks: list[Any]) -> None:
    """Gives a section whose opener has no text of its own the status of its other text.

    ``98 (1)-(3) Omitted`` or a bare ``98`` is in force with any text in force below it, not in
    force with future text alone, and gone with nothing but stubs.
    """
    unsure = [entry for entry in sections if entry.pop("partial") and entry["status"] != _FUTURE]
    if not unsure:
        return
    said: dict[str, set[str]] = {}
    for section, status, runs in blocks:
        if any(role == "body" for role, _ in runs):
            said.setdefault(section, set()).add(status)
    # Future words under a number that a future opener has too are that opener's.
    twins = {entry["number"] for entry in sections if entry["status"] == _FUTURE}
    for entry in unsure:
        other = said.get(entry["number"], set())
        if "in_force" in other:
            entry["status"] = "in_force"
        elif _FUTURE in other and entry["number"] not in twins:
            entry["status"] = _FUTURE
        elif "gone" in other:
            entry["status"] = "gone"


def gaps(sections: list[dict[str, Any]], problems: Problems) -> list[list[str]]:
    """Finds whole numbers that no section of the body, range or stub accounts for.

    Returns:
        Pairs of the locators on both sides; ``"0"`` stands before the first section.
    """
    found: list[list[str]] = []
    last, label = 0, "0"
    for entry in sections:
        number = entry["number"]
        if _OTHER_CONTEXT.match(number):
            continue
        first, end = whole(entry["covers"][0]), whole(entry["covers"][-1])
        if first > last + 1:
            found.append([label, number])
        elif first < last:
            problems.add(f"section {number!r} comes after {label!r}")
        if end >= last:
            last, label = end, number
    return found


def contents(rows: list[tuple[int, str, str, bool]]) -> list[dict[str, Any]]:
    """Reads the contents table: one entry per row that carries a number.

    Args:
        rows: Row number (0 outside a table), class, text and whether future, of each cell.
    """
    entries: list[dict[str, Any]] = []
    grouped: dict[int, list[tuple[str, str, bool]]] = {}
    for at, (row, name, text, future) in enumerate(rows):
        grouped.setdefault(row or -1 - at, []).append((name, text, future))
    for cells in grouped.values():
        number, title = _row(cells)
        if number:
            in_force = not any(future for _, _, future in cells)
            entries.append({"number": number, "title": title, "in_force": in_force})
    return entries


def _row(cells: list[tuple[str, str, bool]]) -> tuple[str, str]:
    if len(cells) == 1:  # number and title in one cell, as in the payload's own contents field
        name, text, _ = cells[0]
        found = _NUMBER.match(text) if name == "TOCid" else None
        return (found[0].rstrip("."), text[found.end() :].strip()) if found else ("", "")
    for at, (_, text, _) in enumerate(cells):
        if _NUMBER.fullmatch(text):
            title = " ".join(other for n, (_, other, _) in enumerate(cells) if n != at)
            return text.rstrip("."), title
    return "", ""
