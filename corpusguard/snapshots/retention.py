"""Retention: what may be deleted from a store, and the deletion.

Kept, whatever its age: every capture of bytes that a run refers to; the newest capture of each
document in each rendition, and that of its newest consolidation, with their newest confirmations;
whatever is younger than asked; and all of it while the store is damaged, since a damaged record may
be the only one that names an object.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpusguard.errors import EvidenceMissing, StorageError
from corpusguard.snapshots.disk import sync_folder
from corpusguard.snapshots.order import by_consolidation

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from corpusguard.model import Rendition, Snapshot
    from corpusguard.snapshots.store import SnapshotStore


@dataclass(frozen=True, slots=True)
class Doomed:
    """Files that may go."""

    records: tuple[str, ...]
    confirmations: tuple[str, ...]
    objects: tuple[str, ...]
    bytes: int
    """Size of all of them."""

    @property
    def names(self) -> tuple[str, ...]:
        """All files, records before the objects that they name."""
        return self.confirmations + self.records + self.objects


def prune(
    store: SnapshotStore, *, before: str, referenced: Collection[str], delete: bool
) -> Doomed:
    """Find what may be deleted, and delete it if asked.

    Args:
        store: The store; the caller holds the run lock.
        before: Only what was captured before this moment, UTC, ISO 8601, ``Z``.
        referenced: ``sha256:…`` of everything that history refers to.
        delete: Whether to delete.

    Raises:
        EvidenceMissing: The store is damaged; nothing is deleted.
        StorageError: A file cannot be deleted; those before it are gone, none half.
    """
    found = store.audit()
    if found.problems:
        raise EvidenceMissing(
            f"the store is damaged, so nothing is deleted from it: {found.problems[0]}",
            hint="`corpusguard snapshots verify` lists what is wrong",
        )
    captures = store.list()
    groups: dict[tuple[str, Rendition], list[Snapshot]] = {}
    for item in captures:
        groups.setdefault((item.document, item.rendition), []).append(item)
    kept = {
        newest.record
        for group in groups.values()
        for newest in (group[-1], by_consolidation(group)[-1])
    }
    going = [
        item
        for item in captures
        if item.record not in kept and item.digest not in referenced and item.captured < before
    ]
    gone = {item.record for item in going}
    still_named = {item.digest for item in captures if item.record not in gone}
    objects = {store.object_name(item.digest) for item in going if item.digest not in still_named}
    objects.update(found.unnamed)
    doomed = Doomed(
        records=tuple(sorted(gone)),
        confirmations=store.stale_confirmations(gone, before),
        objects=tuple(sorted(objects)),
        bytes=0,
    )
    paths = [store.root / name for name in doomed.names]
    size = sum(path.stat().st_size for path in paths)
    if delete:
        _delete(paths)
    return Doomed(doomed.records, doomed.confirmations, doomed.objects, size)


def _delete(paths: list[Path]) -> None:
    """Delete in order; a crash leaves objects without a record, never the reverse."""
    synced: Path | None = None
    try:
        for path in paths:
            path.unlink()
            if synced is not None and synced != path.parent:
                sync_folder(synced)
            synced = path.parent
        if synced is not None:
            sync_folder(synced)
    except OSError as error:
        raise StorageError(
            f"cannot delete {error.filename}: {error.strerror}",
            hint="check the permissions of the snapshots folder; then prune again",
        ) from error
