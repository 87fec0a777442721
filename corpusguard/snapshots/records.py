"""Capture records: one JSON file for each capture, beside the bytes."""

from __future__ import annotations

import json
import re
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Final

from corpusguard.errors import EvidenceMissing, StorageError
from corpusguard.model import Identity, Rendition, Snapshot
from corpusguard.snapshots import disk

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

SCHEMA: Final = "corpusguard/capture/1"
MAX_RECORD_BYTES: Final = 1_000_000
DIGEST: Final = re.compile(r"sha256:([0-9a-f]{64})")
NAME: Final = re.compile(r"(\d{6,12})-([0-9a-f]{12})\.json")
DAMAGED: Final = (
    "restore the snapshots folder from a copy, or move the named file away and fetch again"
)
_IDENTITY: Final = ("title", "code", "alias", "state", "consolidated_from")
_TEXTS: Final = ("digest", "document", "captured", "url", "currency_date", "etag", "last_modified")


_MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z")


def as_bytes(value: Mapping[str, Any]) -> bytes:
    """Return the one way in which a record is written."""
    return (json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode()


def encode(snapshot: Snapshot, extra: Mapping[str, object]) -> bytes:
    """Return the bytes of a capture record."""
    identity = snapshot.identity
    return as_bytes(
        {
            "schema": SCHEMA,
            "sequence": snapshot.sequence,
            "digest": snapshot.digest,
            "document": snapshot.document,
            "rendition": snapshot.rendition.value,
            "size": snapshot.size,
            "captured": snapshot.captured,
            "url": snapshot.url,
            "identity": {name: getattr(identity, name) for name in _IDENTITY},
            "currency_date": snapshot.currency_date,
            "etag": snapshot.etag,
            "last_modified": snapshot.last_modified,
            "extra": dict(extra),
        }
    )


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a record file, at most one more than any record has.

    Raises:
        EvidenceMissing: It is gone.
        StorageError: It cannot be read.
    """
    try:
        return disk.read_regular(path, MAX_RECORD_BYTES)
    except FileNotFoundError as error:
        raise EvidenceMissing(f"{path} is gone", hint=DAMAGED) from error
    except OSError as error:
        raise StorageError(f"cannot read {path}: {error.strerror}", hint=DAMAGED) from error


def parse(data: bytes, schema: str, shown: object) -> dict[str, Any]:
    """Return the object that a record holds.

    Args:
        data: Bytes of the record; longer than ``MAX_RECORD_BYTES`` they are no record.
        schema: The ``schema`` that it must name.
        shown: Name of the record, for messages.

    Raises:
        EvidenceMissing: It is damaged, or of another schema.
    """
    try:
        record: object = json.loads(data[:MAX_RECORD_BYTES].decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise EvidenceMissing(f"{shown} is not a record: {error}", hint=DAMAGED) from error
    if not isinstance(record, dict) or record.get("schema") != schema:
        raise EvidenceMissing(f"{shown} is not a record of schema {schema}", hint=DAMAGED)
    return record


def snapshot_of(record: dict[str, Any], name: str, shown: object) -> Snapshot:
    """Return the snapshot that a capture record describes.

    Args:
        record: What :func:`parse` returned.
        name: ``records/<document>/<number>-<digest>.json``; must agree with what it says.
        shown: Name of the record, for messages.

    Raises:
        EvidenceMissing: A field is missing, of another type, or contradicts the name.
    """
    texts = {key: record.get(key) for key in _TEXTS}
    identity = record.get("identity")
    size, sequence = record.get("size"), record.get("sequence")
    if (
        not all(isinstance(value, str) for value in texts.values())
        or not isinstance(identity, dict)
        or set(identity) != set(_IDENTITY)
        or not all(isinstance(value, str) for value in identity.values())
        or not isinstance(size, int)
        or not isinstance(sequence, int)
        or record.get("rendition") not in list(Rendition)
        or not _are_sound(texts)
    ):
        raise EvidenceMissing(f"{shown} lacks a field of a capture record", hint=DAMAGED)
    snapshot = Snapshot(
        **{key: str(value) for key, value in texts.items()},
        rendition=Rendition(str(record["rendition"])),
        size=size,
        identity=Identity(**identity),
        record=name,
        sequence=sequence,
    )
    top, _, place = name.partition("/")
    folder, _, file = place.rpartition("/")
    match = NAME.fullmatch(file)
    if (
        match is None
        or top != "records"
        or snapshot.document != folder
        or snapshot.sequence != int(match.group(1))
        or not DIGEST.fullmatch(snapshot.digest)
        or snapshot.digest[7:19] != match.group(2)
    ):
        raise EvidenceMissing(f"{shown} does not match its own name", hint=DAMAGED)
    return snapshot


def _are_sound(texts: Mapping[str, Any]) -> bool:
    """Whether times can be reckoned with, and all texts are Unicode (no lone surrogate)."""
    try:
        for value in texts.values():
            value.encode()
        datetime.fromisoformat(texts["captured"])
        if texts["currency_date"]:
            date.fromisoformat(texts["currency_date"])
    except ValueError:
        return False
    return bool(_MOMENT.fullmatch(texts["captured"]))
