"""Which captures a result rests on, bound to the bytes of their records.

A capture record (who asked what, when, and what was answered) lies as a file beside the snapshot.
Its SHA-256 goes into the run's record, so that a changed file is found as a changed snapshot is.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from corpusguard.errors import EvidenceMissing, StorageError

if TYPE_CHECKING:
    from pathlib import Path

    from corpusguard.model import Snapshot

MAX_RECORD_BYTES: Final = 1_000_000
_NAME: Final = re.compile(r"records(?:/[A-Za-z0-9][A-Za-z0-9_.@-]*){1,9}\.json")
"""Relative, below ``records``, no part of dots: a forged name must not lead elsewhere."""
_HINT: Final = "restore the snapshots folder from a copy; history names this file as evidence"


@dataclass(frozen=True, slots=True)
class Capture:
    """One capture that a result rests on."""

    snapshot: str
    """``sha256:…`` of the official bytes."""
    record: str
    """Name of the capture record below the snapshots folder."""
    digest: str
    """``sha256:…`` of the record's bytes."""


class SnapshotBytes(Protocol):
    """What history needs of a snapshot store to check evidence."""

    root: Path

    def read(self, digest: str) -> bytes:
        """Return the bytes of a snapshot, hashed again; raise ``EvidenceMissing`` else."""
        ...


def capture_of(root: Path, snapshot: Snapshot) -> Capture:
    """Return what binds ``snapshot`` of the store at ``root`` to a result.

    Raises:
        EvidenceMissing: Its record is gone.
        StorageError: It cannot be read.
    """
    return Capture(snapshot.digest, snapshot.record, record_digest(root, snapshot.record))


def record_digest(root: Path, record: str) -> str:
    """Return ``sha256:…`` of a capture record.

    Raises:
        EvidenceMissing: There is no such record, or its name or size is not that of one.
        StorageError: It cannot be read.
    """
    if not _NAME.fullmatch(record):
        raise EvidenceMissing(f"{record[:80]!r} is not the name of a capture record", hint=_HINT)
    path = root / record
    try:
        if not path.is_file():
            raise EvidenceMissing(f"the capture record {record} is gone", hint=_HINT)
        with path.open("rb") as stream:
            data = stream.read(MAX_RECORD_BYTES + 1)
    except OSError as error:
        raise StorageError(f"cannot read {path}: {error.strerror}", hint=_HINT) from error
    if len(data) > MAX_RECORD_BYTES:
        raise EvidenceMissing(f"the capture record {record} is too large to be one", hint=_HINT)
    return f"sha256:{hashlib.sha256(data).hexdigest()}"
