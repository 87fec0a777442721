"""Blind labels: a sheet of goals and claims without the answer, and how far two labellers agree."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from corpusguard.gate.trace.model import Relevance
from corpusguard.measure.kappa import Cohen, cohen

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from corpusguard.gate.trace.model import Selection


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a labelling sheet: nothing in it tells the run, the answer or the fate."""

    item: str
    goal: str
    claim: str
    label: str = ""
    """To be filled in."""


@dataclass(frozen=True, slots=True)
class Agreement(Cohen):
    """Two labellers on the items that both labelled."""

    only_first: int
    only_second: int
    matrix: Mapping[Relevance, Mapping[Relevance, int]]
    """First labeller's -> second labeller's -> items."""


def item(goal: str, claim: str) -> str:
    """Return the id of a claim under a goal: the same wherever both are the same."""
    data = f"{len(goal)}\0{goal}{claim}".encode("utf-8", "backslashreplace")
    return hashlib.sha256(data).hexdigest()[:16]


def sheet(selections: Iterable[Selection], *, seed: str = "") -> list[Row]:
    """Return the claims of all runs to label, each goal and claim once.

    Args:
        selections: Runs of one arm or of several; which one a claim is from does not show.
        seed: The order is random in it, and the same for the same seed. Ids of claims, which tell
            the order in which they entered, are left out.
    """
    rows = {
        item(selection.goal, claim.text): Row(
            item(selection.goal, claim.text), selection.goal, claim.text
        )
        for selection in selections
        for claim in selection.claims
    }
    # By goal, so that a labeller reads each once.
    return sorted(rows.values(), key=lambda row: (_mixed(seed, row.goal), _mixed(seed, row.item)))


def agree(first: Mapping[str, Relevance], second: Mapping[str, Relevance]) -> Agreement:
    """Return Cohen's kappa of two labellings, item -> relevance."""
    both = sorted(first.keys() & second.keys())
    matrix = {one: dict.fromkeys(Relevance, 0) for one in Relevance}
    for key in both:
        matrix[first[key]][second[key]] += 1
    found = cohen([(first[key], second[key]) for key in both])
    return Agreement(
        **asdict(found),
        only_first=len(first.keys() - second.keys()),
        only_second=len(second.keys() - first.keys()),
        matrix=matrix,
    )


def _mixed(seed: str, text: str) -> str:
    return hashlib.sha256(f"{seed}\0{text}".encode("utf-8", "backslashreplace")).hexdigest()
