"""The record of ``measure verifier`` as Markdown, and its shares as words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from corpusguard.measure.gate.stats import wilson
from corpusguard.measure.harmless import CHANGES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

HEADS: Final = ("Fault", "Planted", "Noticed", "95% interval", "Named", "L1", "L2", "L3")
LIMITS: Final = (
    "The kinds of fault are those that the authors of this tool thought of, and the tool was "
    "developed against them: the figures say what a run over this corpus notices of such faults, "
    "not how it does on faults that nobody thought of."
)
_MOST_SHOWN: Final = 200
_MARKUP: Final = re.compile(r"[^\w %.,:()-]")
_LAYERS: Final = ("L1", "L2", "L3")


def share(part: int, whole: int) -> str:
    """Return ``98.0 %``."""
    return f"{100 * part / whole:.1f} %" if whole else "none"


def interval(part: int, whole: int) -> str:
    """Return the 95% Wilson interval of a share, as ``92.1 to 99.9 %``."""
    if not whole:
        return ""
    low, high = wilson(part, whole)
    return f"{100 * low:.1f} to {100 * high:.1f} %"


def rows(record: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """Return the table of the faults, worst first, and the sum of all as the last row."""
    faults = [one for one in record["rates"] if one["kind"] not in CHANGES]
    faults.sort(key=lambda one: (one["noticed"] / one["planted"], one["named"] / one["planted"]))
    everything = {
        "kind": "all faults",
        **{name: sum(one[name] for one in faults) for name in ("planted", "noticed", "named")},
        "layers": {layer: sum(one["layers"].get(layer, 0) for one in faults) for layer in _LAYERS},
    }
    return [_row(one) for one in (*faults, everything)]


def _row(one: Mapping[str, Any]) -> tuple[str, ...]:
    return (
        one["kind"].replace("_", " "),
        str(one["planted"]),
        share(one["noticed"], one["planted"]),
        interval(one["noticed"], one["planted"]),
        share(one["named"], one["planted"]),
        *(str(one["layers"].get(layer, 0)) for layer in _LAYERS),
    )


def false_alarms(record: Mapping[str, Any]) -> str:
    """Return what harmless changes of all rows led to, in one sentence."""
    harmless = [one for s in record["subjects"] for one in s["outcomes"] if one["harmless"]]
    changed = sum(one["rows"] for one in harmless)
    wrong = sum(len(one["places"]) for one in harmless)
    alarmed = sorted({one["kind"] for one in harmless if one["noticed"]})
    said = f"{wrong} places reported in {changed} harmlessly changed rows"
    if alarmed:
        return f"{said}, by the changes {', '.join(alarmed)}"
    return f"{said}: at most {100 * wilson(0, changed)[1]:.2f} % (95%)" if changed else said


def markdown(record: Mapping[str, Any]) -> str:
    """Return the measurement as Markdown; names of corpora and documents go into code spans."""
    lines = [
        "# What a nightly run would notice",
        "",
        f"{_code(record['tool'])}, seed {_code(record['seed'])}",
    ]
    lines += ["", "| Corpus | Document | Mode | Rows | Verified |", "|---|---|---|---|---|"]
    lines += [
        f"| {_code(s['corpus'])} | {_code(s['document'])} | {_code(s['mode'])} | {s['rows']} "
        f"| {s['verified']} |"
        for s in record["subjects"]
    ]
    lines += ["", f"| {' | '.join(HEADS)} |", "|---" * len(HEADS) + "|"]
    lines += [f"| {_plain(kind)} | {' | '.join(figures)} |" for kind, *figures in rows(record)]
    lines += ["", f"False alarms: {_plain(false_alarms(record))}.", "", LIMITS]
    lines += ["", f"Record: {_code(record['digest'])}"]
    return "\n".join(lines) + "\n"


def _code(text: str) -> str:
    """Return foreign text in a code span of a table, where nothing in it is markup.

    ``##[`` would be a command to a CI runner, wherever it stands in a line.
    """
    cut = text if len(text) <= _MOST_SHOWN else text[: _MOST_SHOWN - 1] + "…"
    clean = "".join(letter if letter.isprintable() else " " for letter in cut)
    clean = clean.replace("`", "'").replace("|", "/").replace("##[", "## [")
    return f"`{clean.strip() or ' '}`"


def _plain(text: str) -> str:
    """Return words of ours that a record repeats: letters, figures and what stands between."""
    return _MARKUP.sub("", text)


def unplanted(record: Mapping[str, Any], kinds: Sequence[str]) -> list[str]:
    """Return the kinds that no subject had a place for."""
    return [kind for kind in kinds if kind not in {one["kind"] for one in record["rates"]}]
