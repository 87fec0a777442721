"""The snapshot store: official bytes by their digest, and one record for each capture.

Layout::

    objects/ab/<64 hex digits>                               the bytes, written once
    records/ca-on/statute/06r17@en/000012-<12 hex digits>.json   one capture

Invariants
----------
* Nothing is rewritten: the same bytes captured again are a new record beside the same object.
* A file is whole or absent: it is written under a temporary name, synced, renamed, and its folder
  synced. The object is there before any record names it.
* What is read back is hashed again; other bytes than were stored are an error, never a result.
* Order is the sequence number, counted over the whole store, never the clock. Writers are
  serialised by the caller's lock; two at once lose nothing, but may share a number, and are then
  ordered by digest.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
from typing import TYPE_CHECKING, Final

from corpusguard.errors import ConfigError, EvidenceMissing, StorageError
from corpusguard.model import Identity, Rendition, Snapshot

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

SCHEMA: Final = "corpusguard/capture/1"
MAX_RECORD_BYTES: Final = 1_000_000
_DIGEST: Final = re.compile(r"sha256:([0-9a-f]{64})")
_DOCUMENT: Final = re.compile(
    r"(?:[A-Za-z0-9][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*/){1,6}"
    r"[A-Za-z0-9][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*@[a-z]{2}"
)
_RECORD: Final = re.compile(r"(\d{6,12})-([0-9a-f]{12})\.json")
_TEMPORARY: Final = ".tmp-"
_DAMAGED: Final = (
    "restore the snapshots folder from a copy, or move the named file away and fetch again"
)


class SnapshotStore:
    """A folder of snapshots.

    Args:
        root: The folder; created with the first snapshot.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._objects = root / "objects"
        self._records = root / "records"

    def add(  # noqa: PLR0913, the facts of a capture, each named
        self,
        data: bytes,
        *,
        document: str,
        rendition: Rendition,
        url: str,
        identity: Identity,
        captured: str,
        currency_date: str = "",
        etag: str = "",
        last_modified: str = "",
        extra: Mapping[str, object] | None = None,
    ) -> Snapshot:
        """Store one capture.

        Args:
            data: The official bytes, untouched.
            document: ``ca-on/statute/06r17@en``.
            rendition: What the bytes are.
            url: Address asked, or ``file:NAME`` for an import by hand.
            identity: What the rendition says of itself.
            captured: UTC, ISO 8601, ``Z``.
            currency_date: ISO date that the publisher gave separately, or empty.
            etag: Validator of the answer, or empty.
            last_modified: Validator of the answer, or empty.
            extra: Further evidence, kept in the record: request and answer headers, redirects,
                attempts, server time. Must be JSON.

        Raises:
            ConfigError: ``document`` is no document id.
            StorageError: The disk is full, read-only or broken.
        """
        folder = self._folder(document)
        hexdigest = hashlib.sha256(data).hexdigest()
        sequence = self._last_sequence() + 1
        name = f"{sequence:06d}-{hexdigest[:12]}.json"
        snapshot = Snapshot(
            digest=f"sha256:{hexdigest}",
            document=document,
            rendition=rendition,
            size=len(data),
            captured=captured,
            url=url,
            identity=identity,
            currency_date=currency_date,
            etag=etag,
            last_modified=last_modified,
            record=f"records/{document}/{name}",
            sequence=sequence,
        )
        record = _encode(snapshot, extra or {})
        try:
            self._store_object(hexdigest, data)
            _write(folder / name, record)
        except OSError as error:
            raise StorageError(
                f"cannot store a snapshot of {document} in {self.root}: {error.strerror or error}",
                hint="free some space or check the permissions of the snapshots folder",
            ) from error
        return snapshot

    def confirm(
        self,
        snapshot: Snapshot,
        *,
        captured: str,
        currency_date: str = "",
        extra: Mapping[str, object] | None = None,
    ) -> Snapshot:
        """Record that the source confirmed a stored snapshot as unchanged (a 304 answer).

        Args:
            snapshot: The snapshot whose validators were sent.
            captured: When it was confirmed.
            currency_date: The publisher's currency date at that time, or empty.
            extra: The evidence of the confirming answer.

        Raises:
            EvidenceMissing: The bytes that were confirmed are gone or altered.
            StorageError: The record cannot be stored.
        """
        return self.add(
            self.read(snapshot.digest),
            document=snapshot.document,
            rendition=snapshot.rendition,
            url=snapshot.url,
            identity=snapshot.identity,
            captured=captured,
            currency_date=currency_date,
            etag=snapshot.etag,
            last_modified=snapshot.last_modified,
            extra={**(extra or {}), "confirms": snapshot.record},
        )

    def list(self, document: str | None = None) -> tuple[Snapshot, ...]:
        """Return the captures in the order in which they were made.

        Args:
            document: Only those of this document.

        Raises:
            ConfigError: ``document`` is no document id.
            EvidenceMissing: A record is damaged; none is left out in silence.
            StorageError: The folder cannot be read.
        """
        top = self._records if document is None else self._folder(document)
        found = [self._load(path) for path in self._record_paths(top)]
        return tuple(sorted(found, key=lambda item: (item.sequence, item.digest)))

    def newest(self, document: str, renditions: Iterable[Rendition]) -> Snapshot | None:
        """Return the latest capture of a document in one of these renditions, or None.

        Raises:
            ConfigError, EvidenceMissing, StorageError: As for :meth:`list`.
        """
        wanted = frozenset(renditions)
        paths = sorted(self._record_paths(self._folder(document)), key=lambda path: path.name)
        for path in reversed(paths):
            snapshot = self._load(path)
            if snapshot.rendition in wanted:
                return snapshot
        return None

    def read(self, digest: str) -> bytes:
        """Return the bytes of a snapshot, hashed again.

        Raises:
            EvidenceMissing: They are gone, or not those that were stored.
            StorageError: The disk cannot be read.
        """
        match = _DIGEST.fullmatch(digest)
        if match is None:
            raise EvidenceMissing(
                f"{digest[:80]!r} is not the digest of a snapshot",
                hint="`corpusguard snapshots list` prints the digests",
            )
        path = self._object(match.group(1))
        try:
            data = path.read_bytes()
        except (FileNotFoundError, IsADirectoryError, NotADirectoryError) as error:
            raise EvidenceMissing(
                f"snapshot {digest} is gone from {path}", hint=_DAMAGED
            ) from error
        except OSError as error:
            raise StorageError(f"cannot read {path}: {error.strerror}", hint=_DAMAGED) from error
        if hashlib.sha256(data).hexdigest() != match.group(1):
            raise EvidenceMissing(f"{path} is not what was stored under its name", hint=_DAMAGED)
        return data

    def evidence(self, snapshot: Snapshot) -> dict[str, object]:
        """Return what was recorded beside a snapshot (``extra`` of :meth:`add`).

        Raises:
            EvidenceMissing: The record is gone or damaged.
        """
        extra = _decode(self.root / snapshot.record).get("extra")
        return extra if isinstance(extra, dict) else {}

    def verify(self) -> tuple[str, ...]:
        """Check every record and every object; return what is wrong, in a fixed order.

        Raises:
            StorageError: The folder cannot be read.
        """
        problems: set[str] = set()
        sizes: dict[str, int] = {}
        for path in _files(self._records):
            name = self._relative(path)
            if not _RECORD.fullmatch(path.name):
                problems.add(f"{name}: not a capture record")
                continue
            try:
                snapshot = self._load(path)
                if snapshot.digest not in sizes:
                    sizes[snapshot.digest] = -1  # damaged, until it has been read
                    sizes[snapshot.digest] = len(self.read(snapshot.digest))
            except EvidenceMissing as error:
                problems.add(f"{name}: {error.message}")
                continue
            if snapshot.size != (size := sizes[snapshot.digest]):
                told = f"the object has {size}" if size >= 0 else "the object is damaged"
                problems.add(f"{name}: says {snapshot.size} bytes, {told}")
        problems.update(
            f"{self._relative(path)}: no record names this object"
            for path in _files(self._objects)
            if f"sha256:{path.name}" not in sizes
        )
        return tuple(sorted(problems))

    def _load(self, path: Path) -> Snapshot:
        record = _decode(path)
        snapshot = _snapshot(record, self._relative(path), path)
        match = _RECORD.fullmatch(path.name)
        folder = path.parent.relative_to(self._records).as_posix()
        if (
            match is None
            or snapshot.document != folder
            or snapshot.sequence != int(match.group(1))
            or not _DIGEST.fullmatch(snapshot.digest)
            or snapshot.digest[7:19] != match.group(2)
        ):
            raise EvidenceMissing(f"{path} does not match its own name", hint=_DAMAGED)
        return snapshot

    def _folder(self, document: str) -> Path:
        if len(document) > 200 or not _DOCUMENT.fullmatch(document):
            raise ConfigError(
                f"{document[:80]!r} is not a document id", hint="such as ca-on/statute/06r17@en"
            )
        return self._records / document

    def _object(self, hexdigest: str) -> Path:
        return self._objects / hexdigest[:2] / hexdigest

    def _store_object(self, hexdigest: str, data: bytes) -> None:
        path = self._object(hexdigest)
        if path.exists():
            # A damaged object would make a good capture unreadable: say so now, not next year.
            self.read(f"sha256:{hexdigest}")
            return
        _write(path, data)

    def _last_sequence(self) -> int:
        names = (_RECORD.fullmatch(path.name) for path in _files(self._records))
        return max((int(match.group(1)) for match in names if match), default=0)

    def _record_paths(self, top: Path) -> tuple[Path, ...]:
        return tuple(path for path in _files(top) if _RECORD.fullmatch(path.name))

    def _relative(self, path: Path) -> str:
        return path.relative_to(self.root).as_posix()


def _files(top: Path) -> Iterator[Path]:
    """Yield all files below a folder in a fixed order; none where the folder is absent."""

    def refuse(error: OSError) -> None:
        if not isinstance(error, FileNotFoundError):
            raise StorageError(
                f"cannot read {error.filename}: {error.strerror}",
                hint="check the permissions of the snapshots folder",
            ) from error

    for folder, folders, names in os.walk(top, onerror=refuse):
        folders.sort()
        for name in sorted(names):
            if not name.startswith(_TEMPORARY):
                yield top.__class__(folder, name)


def _write(path: Path, data: bytes) -> None:
    """Write a new file so that it is whole or absent, whatever happens."""
    _make_folder(path.parent)
    temporary = path.parent / f"{_TEMPORARY}{secrets.token_hex(8)}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(temporary, flags, 0o644)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    _sync_folder(path.parent)


def _make_folder(folder: Path) -> None:
    """Create a folder and sync its parents, so that a crash does not lose the way to a file."""
    missing: list[Path] = []
    while not folder.exists():
        missing.append(folder)
        folder = folder.parent
    for made in reversed(missing):
        made.mkdir(exist_ok=True)
        _sync_folder(made.parent)


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":  # Windows cannot open a folder
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _encode(snapshot: Snapshot, extra: Mapping[str, object]) -> bytes:
    identity = snapshot.identity
    record = {
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
    return (json.dumps(record, ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode()


_IDENTITY: Final = ("title", "code", "alias", "state", "consolidated_from")
_TEXTS: Final = ("digest", "document", "captured", "url", "currency_date", "etag", "last_modified")


def _decode(path: Path) -> dict[str, object]:
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_RECORD_BYTES + 1)
        record: object = json.loads(data.decode("utf-8"))
    except FileNotFoundError as error:
        raise EvidenceMissing(f"{path} is gone", hint=_DAMAGED) from error
    except OSError as error:
        raise StorageError(f"cannot read {path}: {error.strerror}", hint=_DAMAGED) from error
    except (ValueError, RecursionError) as error:
        raise EvidenceMissing(f"{path} is not a capture record: {error}", hint=_DAMAGED) from error
    if not isinstance(record, dict) or record.get("schema") != SCHEMA:
        raise EvidenceMissing(f"{path} is not a record of schema {SCHEMA}", hint=_DAMAGED)
    return record


def _snapshot(record: dict[str, object], name: str, path: Path) -> Snapshot:
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
        or record.get("rendition") not in set(Rendition)
    ):
        raise EvidenceMissing(f"{path} lacks a field of a capture record", hint=_DAMAGED)
    return Snapshot(
        **{key: str(value) for key, value in texts.items()},
        rendition=Rendition(str(record["rendition"])),
        size=size,
        identity=Identity(**identity),
        record=name,
        sequence=sequence,
    )
