"""What is left of a section: the status of one that holds nothing but stubs or future text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from corpusguard.model import Channel, Kind, Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ._tree import Node

_WORDS: Final = frozenset({Channel.BODY, Channel.PLACEHOLDER})


def settle(
    nodes: Sequence[Node], segments: Iterable[tuple[int, int, Channel, int, Status, int]]
) -> None:
    """Give sections without a word in force the status of the text they have.

    ``98 (1)-(3) Omitted`` is omitted if nothing follows or only stubs do; not in force if nothing
    but future text does. A section of which nothing but its number is left stays as it is.

    Args:
        nodes: All provisions, parents first; the status of sections is changed in place.
        segments: ``(start, end, channel, provision, status, block)`` of every segment.
    """
    home = _sections(nodes)
    unsure = {
        home[node.index]
        for node in nodes
        if node.status is not Status.IN_FORCE and home[node.index] != node.index
    }
    unsure = {at for at in unsure if at >= 0 and nodes[at].status is Status.IN_FORCE}
    if not unsure:
        return
    left: dict[int, list[Status]] = {at: [] for at in unsure}
    for _, _, channel, provision, status, _ in segments:
        if provision >= 0 and channel in _WORDS and home[provision] in unsure:
            left[home[provision]].append(status)
    for at, statuses in left.items():
        if statuses and Status.IN_FORCE not in statuses:
            future = Status.NOT_IN_FORCE in statuses
            nodes[at].status = Status.NOT_IN_FORCE if future else statuses[0]


def _sections(nodes: Sequence[Node]) -> list[int]:
    """For each provision the index of the section that it is or stands in; -1 outside of any."""
    home: list[int] = []
    for node in nodes:
        if node.kind is Kind.SECTION:
            home.append(node.index)
        else:
            home.append(home[node.parent] if node.parent >= 0 else -1)
    return home
