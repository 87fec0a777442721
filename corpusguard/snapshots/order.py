"""Which capture of a document is the newest text: the newest consolidation, then the order. Pure.

A capture made later may hold an older text: a file that someone had at hand, or an old copy in a
cache. It is never the newest text, however late it came in. Within one consolidation the order is
that of the store; only a file brought by hand stands where it was obtained, as its record says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corpusguard.model import Snapshot


def by_consolidation(captures: Iterable[Snapshot]) -> list[Snapshot]:
    """Return captures of one rendition, the oldest consolidation first.

    Those of one consolidation keep their order. One that names no consolidation has nothing but
    its place to go by: it stands with the newest consolidation captured before it.
    """
    highest = latest = ""
    placed: list[tuple[str, str, Snapshot]] = []
    for one in captures:
        own = one.identity.consolidated_from
        highest = max(highest, own)
        obtained = one.captured
        if not one.url.startswith("file:"):
            # A clock that was set back must not reorder what was fetched.
            obtained = latest = max(latest, obtained)
        placed.append((own or highest, obtained, one))
    return [one for *_, one in sorted(placed, key=lambda item: item[:2])]


def newest_consolidation(captures: Iterable[Snapshot]) -> str:
    """Return the ISO date of the newest consolidation captured; empty where none is named."""
    return max((one.identity.consolidated_from for one in captures), default="")
