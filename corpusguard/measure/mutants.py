"""Stored corpora with one planted fault each.

A mutant is a list of passages that was sound, one fault planted by a seeded choice, and what a
verifier must say: any of these rules, at this section. The kinds are those that real pipelines
produce (a truncation, a shifted label, text of a window that got lost), not random noise.

``Shape`` says how the corpus claims its places: some faults can't be seen in some shapes, and
``plant`` then returns None: a heading that was never stored can't be wrong, text of a neighbour at
the end of an unlabelled window is what overlapping windows look like, and a tail that the next
window repeats is not lost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from corpusguard.measure.labels import LABELS
from corpusguard.measure.planting import Mutant, Shape, Sound
from corpusguard.measure.wording import WORDING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

__all__ = [
    "KINDS",
    "UNSEEN_IN_WINDOWS",
    "UNSEEN_LABELLED",
    "Mutant",
    "Shape",
    "Sound",
    "kinds",
    "plant",
]

KINDS: Final[dict[str, Callable[[Sound, Random], Mutant | None]]] = {**WORDING, **LABELS}
"""Kind -> planter; None where the kind does not exist in this corpus or can't be seen in it."""

UNSEEN_IN_WINDOWS: Final[dict[str, str]] = {
    "dropped_head": "the overlap with the window before holds the words; a gap is a lost window",
    "section_deleted": "no label says which rows are a section's; lost text is a lost window",
    "sections_swapped": "rows without label and ordinal have no place that they could be out of",
    "misfiled": "there is no label",
    "labels_shifted": "there is no label",
    "subsection_shifted": "there is no label",
    "label_emptied": "there is no label",
    "label_unreadable": "there is no label",
    "heading_wrong": "no heading is stored",
    "neighbour_appended": "windows run over sections: the next section's text belongs there",
    "neighbour_prepended": "windows run over sections; another order in the window is its own kind",
    "neighbour_inserted": "windows run over sections; another order in the window is its own kind",
    "repealed_included": "there is no label that could be a repealed number",
}
"""Kinds that a corpus of plain windows can't show, and why."""

UNSEEN_LABELLED: Final[dict[str, str]] = {
    "window_lost": "there are no windows; a lost row is a deleted section or a lost subsection",
}
"""Kinds that a corpus of labelled passages can't show, and why."""


def plant(kind: str, sound: Sound, random: Random) -> Mutant | None:
    """Plant one fault of a kind, or return None where the corpus offers no place for it."""
    return KINDS[kind](sound, random) if sound.passages else None


def kinds() -> Sequence[str]:
    """All kinds, in the order of the table."""
    return tuple(KINDS)
