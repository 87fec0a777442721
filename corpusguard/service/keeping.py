"""Keeping snapshots: check them, let go of what nothing refers to, take them elsewhere and back."""

from __future__ import annotations

import os
import secrets
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from corpusguard.errors import ConfigError, StorageError, WrongDocument
from corpusguard.locking import RunLock
from corpusguard.official import publisher_of
from corpusguard.service.opening import has_history, open_history
from corpusguard.service.outputs import check_output
from corpusguard.service.scope import known_documents, require
from corpusguard.snapshots import SnapshotStore, prune

if TYPE_CHECKING:
    from pathlib import Path

    from corpusguard.config import Config
    from corpusguard.model import Snapshot
    from corpusguard.snapshots import Audit, Doomed


class Keeping:
    """The snapshots of one configuration."""

    def __init__(self, config: Config, lock: Path) -> None:
        """``lock`` is that of runs: what a run is about to refer to must not be let go."""
        self._config = config
        self._lock = lock

    def verify(self) -> Audit:
        """Read and hash every file of the store."""
        return self._store().audit()

    def prune(self, keep_days: int, *, delete: bool) -> Doomed:
        """Find what is older than ``keep_days`` and nothing refers to; delete it if asked.

        Raises:
            ConfigError: There is no history that could say what runs refer to.
            EvidenceMissing: The store is damaged; nothing is deleted.
        """
        if not has_history(self._config):
            raise ConfigError(
                f"there is no history at {self._config.history}, so what runs refer to is unknown",
                hint="put the history back in its place; `corpusguard verify` writes a first one",
            )
        before = (datetime.now(UTC) - timedelta(days=keep_days)).strftime("%Y-%m-%dT%H:%M:%SZ")
        with RunLock(self._lock):
            with open_history(self._config) as history:
                referenced = history.referenced()
            return prune(self._store(), before=before, referenced=referenced, delete=delete)

    def export(self, target: Path, document: str | None = None) -> int:
        """Write the captures (of one document) to a WARC file; packed if its name ends in ``.gz``.

        Raises:
            ConfigError: The file is there already, or there is nothing to write.
            StorageError: It cannot be written.
        """
        from corpusguard.snapshots import warc  # noqa: PLC0415, it needs an extra

        if document is not None:
            require(known_documents(self._config), document)
        check_output(self._config, target, "--warc")
        store = self._store()
        captures = store.list(document)
        if not captures:
            raise ConfigError("there is no snapshot to export", hint="run `corpusguard fetch`")
        if target.exists():
            raise ConfigError(f"{target} is there already", hint="name another file")
        temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
        try:
            with temporary.open("xb") as out:
                number = warc.export(store, captures, out, pack=target.suffix == ".gz")
                out.flush()
                os.fsync(out.fileno())
            temporary.replace(target)
        except OSError as error:
            raise StorageError(
                f"cannot write {target}: {error.strerror or error}", hint="free some space"
            ) from error
        finally:
            temporary.unlink(missing_ok=True)
        return number

    def restore(self, source: Path) -> list[Snapshot]:
        """Put back the captures of a WARC file that :meth:`export` wrote.

        Raises:
            ConfigError: The file cannot be read, or holds a document that no source lists.
            EvidenceMissing: It is damaged.
            SourceError: Bytes in it are not the document that their record names.
        """
        from corpusguard.snapshots import warc  # noqa: PLC0415, it needs an extra

        try:
            with source.open("rb") as stream, RunLock(self._lock):
                return warc.restore(self._store(), stream, self._check)
        except OSError as error:
            raise ConfigError(f"cannot read {source}: {error.strerror or error}") from error

    def _check(self, snapshot: Snapshot, data: bytes) -> None:
        """Refuse bytes whose record says of them what they do not say themselves."""
        known = require(known_documents(self._config), snapshot.document)
        accepted = publisher_of(known.source.publisher).accept_import(data, known.document)
        if accepted.rendition is not snapshot.rendition or (
            accepted.identity_known and accepted.identity != snapshot.identity
        ):
            raise WrongDocument(
                f"{snapshot.record} says {snapshot.identity.title[:80]!r} of"
                f" {snapshot.identity.consolidated_from or 'no day'}, the bytes say"
                f" {accepted.identity.title[:80]!r} of"
                f" {accepted.identity.consolidated_from or 'no day'}",
                hint="the archive was altered, or made by another version of corpusguard",
            )

    def _store(self) -> SnapshotStore:
        return SnapshotStore(self._config.snapshots)
