"""The newest text: by consolidation, then by the order of the store, and imports by their time."""

from __future__ import annotations

import pytest

from corpusguard.model import Identity, Rendition, Snapshot
from corpusguard.snapshots import by_consolidation, newest_consolidation


def one(name, consolidated_from="", captured="2026-03-09T03:00:00Z", url="https://example.invalid"):
    return Snapshot(
        digest=name,
        document="ca-on/statute/26a91@en",
        rendition=Rendition.PAYLOAD,
        size=1,
        captured=captured,
        url=url,
        identity=Identity(consolidated_from=consolidated_from),
    )


def early(name, day, consolidated_from="2026-01-01"):
    return one(name, consolidated_from, f"2026-03-{day:02d}T03:00:00Z", "file:act.json")


@pytest.mark.parametrize(
    ("captures", "expected"),
    [
        ([], ""),
        ([one("a"), one("b")], "ab"),
        ([one("a", "2026-01-01"), one("b", "2023-01-01")], "ba"),
        ([one("a", "2026-01-01"), one("b", "2023-01-01"), one("c")], "bac"),
        # A clock that was set back reorders nothing that was fetched.
        ([one("a", "2026-01-01"), one("b", "2026-01-01", "2020-01-01T00:00:00Z")], "ab"),
        # A file stands where it was obtained.
        ([one("a", "2026-01-01"), early("b", 1)], "ba"),
        ([one("a", "2026-01-01"), early("b", 9)], "ab"),
        ([one("a", "2026-01-01"), early("b", 20), one("c", "2026-01-01")], "acb"),
        ([early("a", 2), early("b", 1), early("c", 3, "2025-01-01")], "cba"),
    ],
)
def test_captures_are_ordered_by_consolidation_and_then_as_they_came(captures, expected):
    assert "".join(found.digest for found in by_consolidation(captures)) == expected


def test_the_newest_consolidation_is_the_highest_date_that_any_capture_names():
    assert newest_consolidation([]) == ""
    assert newest_consolidation([one("a", "2026-01-01"), one("b", "2023-01-01"), one("c")]) == (
        "2026-01-01"
    )
