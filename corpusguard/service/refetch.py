"""Which documents are fetched tonight, and which stand by the publisher's own word. Pure.

A capture may stand in for a fetch only while all of this holds:

* the publisher's currency date was had tonight, and is the one of the capture or of its newest
  confirmation; where it moved on, the list of versions says that the current version still begins
  on the day the capture says, and is the list that was seen before, if one was;
* the capture is younger than ``refetch_within`` and not from the future;
* it is not the document's turn. Editorial changes leave the currency date alone, so each document
  has its turn once in ``ceil(1 / refetch_share)`` nights.

Whatever cannot be known is fetched.
"""

from __future__ import annotations

import hashlib
import json
import math
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from corpusguard.model import Snapshot, SourceSpec
    from corpusguard.official import Version
    from corpusguard.snapshots import Confirmation

_CLOCKS: Final = timedelta(minutes=5)
"""How far two clocks may differ without a capture counting as one from the future."""


def nights_for_all(share: float) -> int:
    """Return in how many nights a share of each night comes round to every document."""
    # 1 / 0.1 must be 10 nights, not 11 by a rounding error in the last place.
    return max(1, math.ceil(round(1 / share, 9)))


def has_its_turn(document: str, day: date, share: float) -> bool:
    """Say whether a document is fetched on this day whatever the publisher says.

    The same for the same document and day on every machine.
    """
    nights = nights_for_all(share)
    turn = int.from_bytes(hashlib.sha256(document.encode()).digest()[:8], "big") % nights
    return day.toordinal() % nights == turn


def versions_digest(versions: Sequence[Version]) -> str:
    """Return ``sha256:…`` over a list of versions, without what surrounds it in the answer."""
    facts = [
        [one.alias, one.state, one.title, one.date_from, one.date_to, one.number]
        for one in versions
    ]
    return "sha256:" + hashlib.sha256(json.dumps(facts).encode("ascii")).hexdigest()


def must_fetch(snapshot: Snapshot | None, source: SourceSpec, now: datetime) -> bool:
    """Say whether a document is fetched before anything else is asked about it.

    Args:
        snapshot: The newest capture of the rendition that is read, or None.
        source: Share and age.
        now: The time of the run, aware.
    """
    if snapshot is None or not snapshot.url.startswith(("https:", "http:")):
        return True  # what a person brought says nothing of what the source serves
    if not snapshot.currency_date or not snapshot.identity.consolidated_from:
        return True
    try:
        captured = datetime.fromisoformat(snapshot.captured)
    except ValueError:
        return True
    age = now - captured
    if not -_CLOCKS <= age < timedelta(seconds=source.refetch_within_seconds):
        return True
    today = now.astimezone(UTC).date()
    already = captured.astimezone(UTC).date() == today
    return has_its_turn(snapshot.document, today, source.refetch_share) and not already


def known_date(snapshot: Snapshot, confirmed: Confirmation | None) -> str:
    """Return the currency date up to which a capture is known to stand."""
    return max(snapshot.currency_date, confirmed.currency_date if confirmed else "")


def still_current(
    snapshot: Snapshot, confirmed: Confirmation | None, versions: Sequence[Version]
) -> bool:
    """Say whether a list of versions names the captured text as the current one."""
    if confirmed is not None and confirmed.versions != versions_digest(versions):
        return False
    return begins(versions) == snapshot.identity.consolidated_from


def begins(versions: Sequence[Version]) -> str:
    """Return the day on which the current version begins; empty where none or several are."""
    current = [one for one in versions if one.number == 0 and one.state == "current"]
    return current[0].date_from if len(current) == 1 else ""
