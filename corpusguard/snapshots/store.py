"""A folder of snapshots.

Layout::

    objects/ab/<64 hex digits>                                       the bytes, written once
    records/ca-on/statute/06r17@en/000012-<12 hex digits>.json       one capture
    confirmations/ca-on/statute/06r17@en/000012-000003.json          the third word that it stands

Invariants
----------
* Nothing is rewritten: the same bytes captured again are a new record beside the same object.
* A file is whole or absent (see ``disk``). The object is there before any record names it, so a
  crash in between leaves whole bytes that nothing names: no damage, and taken up again when the
  same bytes come back.
* What is read back is hashed again; other bytes than were stored are an error, never a result.
* Order is the sequence number, counted over the whole store, never the clock. Writers are
  serialised by the caller's lock; two at once lose nothing, but may share a number, and are then
  ordered by digest.
* The captures of a document are found in its own folder alone: what a night costs does not
  grow with the number of documents squared.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from corpusguard.errors import ConfigError, EvidenceMissing, StorageError
from corpusguard.model import Snapshot
from corpusguard.snapshots import confirmations, disk, records
from corpusguard.snapshots.disk import files, names_in, write_new
from corpusguard.snapshots.records import DAMAGED, DIGEST, NAME

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from pathlib import Path

    from corpusguard.model import Identity, Rendition
    from corpusguard.snapshots.confirmations import Confirmation

MAX_OBJECT_BYTES: Final = 2_000_000_000
"""More than any source may send (``max_decoded_bytes``): what is larger was not stored by us."""
_DOCUMENT: Final = re.compile(
    r"(?:[A-Za-z0-9][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*/){1,6}"
    r"[A-Za-z0-9][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*@[a-z]{2}"
)


@dataclass(frozen=True, slots=True)
class Audit:
    """What a look at every file of a store found."""

    problems: tuple[str, ...]
    """Damage, in a fixed order."""
    unnamed: tuple[str, ...]
    """Whole objects that no record names: a crash between two files, or a pruned record."""
    captures: int
    objects: int


class SnapshotStore:
    """A folder of snapshots.

    Args:
        root: The folder; created with the first snapshot.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._objects = root / "objects"
        self._records = root / "records"
        self._confirmations = root / "confirmations"
        self._last = -1

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
        sequence = self._next_sequence(folder)
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
        self._put(snapshot, data, records.encode(snapshot, extra or {}))
        return snapshot

    def restore(self, record: bytes, data: bytes, name: str) -> Snapshot:
        """Put back a capture under its own name, from a copy made elsewhere.

        Args:
            record: The bytes of its capture record.
            data: The bytes that it names.
            name: ``records/<document>/<number>-<digest>.json``.

        Raises:
            ConfigError: The name holds no document id.
            EvidenceMissing: Record, name and bytes do not belong together, or another record
                has the name already.
            StorageError: The disk is full, read-only or broken.
        """
        parsed = records.parse(record, records.SCHEMA, name)
        snapshot = records.snapshot_of(parsed, name, name)
        path = self._folder(snapshot.document) / name.rpartition("/")[2]
        hexdigest = hashlib.sha256(data).hexdigest()
        if snapshot.digest != f"sha256:{hexdigest}" or snapshot.size != len(data):
            raise EvidenceMissing(f"{name} does not describe the bytes beside it", hint=DAMAGED)
        if path.exists():
            if records.read_bytes(path) != record:
                raise EvidenceMissing(f"{name} is there already and says otherwise", hint=DAMAGED)
            self.read(snapshot.digest)
            return snapshot
        self._put(snapshot, data, record)
        return snapshot

    def _put(self, snapshot: Snapshot, data: bytes, record: bytes) -> None:
        if len(record) > records.MAX_RECORD_BYTES:
            raise StorageError(
                f"the capture record of {snapshot.document} has {len(record)} bytes, the limit"
                f" is {records.MAX_RECORD_BYTES}",
                hint="the answer carried unusually long headers: look at it by hand",
            )
        try:
            self._store_object(snapshot.digest[7:], data)
            write_new(self.root / snapshot.record, record)
        except OSError as error:
            raise self._unstorable(snapshot.document, error) from error
        self._last = max(self._last, snapshot.sequence)

    def _unstorable(self, document: str, error: OSError) -> StorageError:
        return StorageError(
            f"cannot store a snapshot of {document} in {self.root}: {error.strerror or error}",
            hint="free some space or check the permissions of the snapshots folder",
        )

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
        if document is not None:
            return tuple(self._load(name) for name in self._record_names(document))
        paths = [path for path in files(self._records) if NAME.fullmatch(path.name)]
        found = [self._load(self._relative(path)) for path in paths]
        return tuple(sorted(found, key=lambda item: (item.sequence, item.digest)))

    def confirm_unchanged(
        self,
        snapshot: Snapshot,
        *,
        checked: str,
        currency_date: str,
        versions: str,
        evidence: Mapping[str, object],
    ) -> Confirmation:
        """Record the publisher's word that a stored capture is still the current text.

        Args:
            snapshot: The capture.
            checked: When the publisher said so, UTC, ISO 8601, ``Z``.
            currency_date: Its currency date at that time.
            versions: ``sha256:…`` over its list of versions.
            evidence: The answer that carried the list, without its body.

        Raises:
            StorageError: It cannot be stored.
        """
        made = confirmations.Confirmation(
            document=snapshot.document,
            record=snapshot.record,
            digest=snapshot.digest,
            checked=checked,
            currency_date=currency_date,
            versions=versions,
        )
        before = self._confirmation_names(snapshot)
        number = int(before[-1].rpartition("-")[2][:6]) + 1 if before else 1
        name = f"{snapshot.sequence:06d}-{number:06d}.json"
        try:
            folder = self._confirmations / snapshot.document
            write_new(folder / name, confirmations.encode(made, evidence))
        except OSError as error:
            raise self._unstorable(snapshot.document, error) from error
        return made

    def confirmation(self, snapshot: Snapshot) -> Confirmation | None:
        """Return the newest confirmation of exactly this capture, or None.

        Raises:
            EvidenceMissing: It is damaged, or of another capture of the same number.
            StorageError: The folder cannot be read.
        """
        names = self._confirmation_names(snapshot)
        if not names:
            return None
        found = self._load_confirmation(self._confirmations / snapshot.document / names[-1])
        if found.record != snapshot.record or found.digest != snapshot.digest:
            raise EvidenceMissing(
                f"{names[-1]} of {snapshot.document} confirms another capture", hint=DAMAGED
            )
        return found

    def read(self, digest: str) -> bytes:
        """Return the bytes of a snapshot, hashed again.

        Raises:
            EvidenceMissing: They are gone, or not those that were stored.
            StorageError: The disk cannot be read.
        """
        match = DIGEST.fullmatch(digest)
        if match is None:
            raise EvidenceMissing(
                f"{digest[:80]!r} is not the digest of a snapshot",
                hint="`corpusguard snapshots list` prints the digests",
            )
        path = self._object(match.group(1))
        try:
            data = disk.read_regular(path, MAX_OBJECT_BYTES)
        except (FileNotFoundError, IsADirectoryError, NotADirectoryError) as error:
            raise EvidenceMissing(f"snapshot {digest} is gone from {path}", hint=DAMAGED) from error
        except OSError as error:
            raise StorageError(f"cannot read {path}: {error.strerror}", hint=DAMAGED) from error
        if hashlib.sha256(data).hexdigest() != match.group(1):
            raise EvidenceMissing(f"{path} is not what was stored under its name", hint=DAMAGED)
        return data

    def evidence(self, snapshot: Snapshot) -> dict[str, object]:
        """Return what was recorded beside a snapshot (``extra`` of :meth:`add`).

        Raises:
            EvidenceMissing: The record is gone or damaged.
        """
        path = self.root / snapshot.record
        extra = records.parse(records.read_bytes(path), records.SCHEMA, path).get("extra")
        return extra if isinstance(extra, dict) else {}

    def verify(self) -> tuple[str, ...]:
        """Check every record and every object; return what is wrong, in a fixed order.

        Raises:
            StorageError: The folder cannot be read.
        """
        return self.audit().problems

    def audit(self) -> Audit:
        """Read and hash every file.

        Raises:
            StorageError: The folder cannot be read.
        """
        problems: set[str] = set()
        sizes: dict[str, int] = {}
        captures = 0
        for path in files(self._records):
            name = self._relative(path)
            if not NAME.fullmatch(path.name):
                problems.add(f"{name}: not a capture record")
                continue
            captures += 1
            try:
                snapshot = self._load(name)
                if snapshot.digest not in sizes:
                    sizes[snapshot.digest] = -1  # damaged, until it has been read
                    sizes[snapshot.digest] = len(self.read(snapshot.digest))
            except EvidenceMissing as error:
                problems.add(f"{name}: {error.message}")
                continue
            if snapshot.size != (size := sizes[snapshot.digest]):
                told = f"the object has {size}" if size >= 0 else "the object is damaged"
                problems.add(f"{name}: says {snapshot.size} bytes, {told}")
        problems.update(self._damaged_confirmations())
        unnamed = []
        objects = 0
        for path in files(self._objects):
            objects += 1
            if f"sha256:{path.name}" in sizes:
                continue
            name = self._relative(path)
            try:
                whole = self._object(path.name) == path and self.read(f"sha256:{path.name}")
            except EvidenceMissing:
                whole = False
            if whole is False:
                problems.add(f"{name}: no record names this object, and it is not whole")
            else:
                unnamed.append(name)
        return Audit(tuple(sorted(problems)), tuple(unnamed), captures, objects)

    def object_name(self, digest: str) -> str:
        """Return the name of the object that holds these bytes, relative to the store."""
        return self._relative(self._object(digest.removeprefix("sha256:")))

    def stale_confirmations(self, gone: Collection[str], before: str) -> tuple[str, ...]:
        """Return the confirmations of captures that go, and old ones that a newer one follows."""
        newest: dict[str, str] = {}
        loaded = [(self._relative(path), path) for path in files(self._confirmations)]
        said = {name: self._load_confirmation(path) for name, path in loaded}
        for name, one in said.items():
            newest[one.record] = name
        return tuple(
            name
            for name, one in said.items()
            if one.record in gone or (one.checked < before and newest[one.record] != name)
        )

    def _damaged_confirmations(self) -> set[str]:
        problems = set()
        for path in files(self._confirmations):
            name = self._relative(path)
            try:
                found = self._load_confirmation(path)
            except EvidenceMissing as error:
                problems.add(f"{name}: {error.message}")
                continue
            if not (self.root / found.record).is_file():
                problems.add(f"{name}: confirms {found.record[:200]}, which is gone")
        return problems

    def _load(self, name: str) -> Snapshot:
        path = self.root / name
        record = records.parse(records.read_bytes(path), records.SCHEMA, path)
        return records.snapshot_of(record, name, path)

    def _load_confirmation(self, path: Path) -> Confirmation:
        record = records.parse(records.read_bytes(path), confirmations.SCHEMA, path)
        found = confirmations.confirmation_of(record, path)
        match = confirmations.NAME.fullmatch(path.name)
        capture = found.record.removeprefix(f"records/{found.document}/")
        if (
            match is None
            or path.parent != self._confirmations / found.document
            or not NAME.fullmatch(capture)
            or int(capture.partition("-")[0]) != int(match.group(1))
        ):
            raise EvidenceMissing(f"{path} does not match its own name", hint=DAMAGED)
        return found

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
        write_new(path, data)

    def _next_sequence(self, folder: Path) -> int:
        """Count on from the last capture.

        The whole store is looked through once; after that only the document's own folder, so that
        a capture is the newest of its document even if another process has added one meanwhile.
        """
        if self._last < 0:
            self._last = _highest(path.name for path in files(self._records))
        return max(self._last, _highest(names_in(folder))) + 1

    def _record_names(self, document: str) -> tuple[str, ...]:
        """Return the names of a document's capture records, in the order of capture."""
        found = [name for name in names_in(self._folder(document)) if NAME.fullmatch(name)]
        found.sort(key=lambda name: (int(name.partition("-")[0]), name))
        return tuple(f"records/{document}/{name}" for name in found)

    def _confirmation_names(self, snapshot: Snapshot) -> tuple[str, ...]:
        """Return the file names of a capture's confirmations, in order."""
        prefix = f"{snapshot.sequence:06d}-"
        names = names_in(self._confirmations / snapshot.document)
        pattern = confirmations.NAME
        found = (name for name in names if name.startswith(prefix) and pattern.fullmatch(name))
        return tuple(sorted(found))

    def _relative(self, path: Path) -> str:
        return path.relative_to(self.root).as_posix()


def _highest(names: Iterable[str]) -> int:
    return max(
        (int(match.group(1)) for name in names if (match := NAME.fullmatch(name))), default=0
    )
