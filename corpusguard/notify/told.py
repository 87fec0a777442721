"""What each channel was last told, in one small file beside the history.

It is not in the history, because it is no evidence: whoever deletes it is told everything once
more, and that is all.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from corpusguard.notify.night import Told
from corpusguard.report.files import write_file

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

SCHEMA: Final = "corpusguard/told/1"
MAX_BYTES: Final = 64_000_000
"""About a million fingerprints a channel; more is not a file of ours."""


def told_path(history: Path) -> Path:
    """Return where the file of a history is."""
    return history.with_name(history.name + ".told.json")


def load(path: Path) -> dict[str, Told]:
    """Return channel -> what it was told; empty where there is no file, or none that makes sense.

    An unreadable file is no error: it costs one message too many, an error would cost all.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            return {}
        whole = json.loads(data)
        if whole["schema"] != SCHEMA:
            return {}
        return {str(name): _told(one) for name, one in whole["channels"].items()}
    except (OSError, ValueError, RecursionError, KeyError, TypeError, AttributeError):
        return {}


def save(path: Path, told: Mapping[str, Told]) -> None:
    """Replace the file.

    Raises:
        StorageError: It could not be written; the old one is still there.
    """
    channels = {
        name: {
            "run": one.run,
            "at": one.at,
            "verdict": one.verdict,
            "open": sorted(one.open),
            "resolved": dict(sorted(one.resolved.items())),
            "doubtful": sorted(one.doubtful),
        }
        for name, one in sorted(told.items())
    }
    write_file(path, json.dumps({"schema": SCHEMA, "channels": channels}) + "\n")


def _told(one: dict[str, Any]) -> Told:
    return Told(
        run=int(one["run"]),
        at=str(one["at"]),
        verdict=str(one["verdict"]),
        open=frozenset(map(str, one["open"])),
        resolved={str(name): str(at) for name, at in one["resolved"].items()},
        doubtful=frozenset(map(str, one["doubtful"])),
    )
