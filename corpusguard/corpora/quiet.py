"""Opening an SQLite corpus without leaving a trace: no byte of it changes, no file appears by it.

A database in rollback mode is opened read-only, under SQLite's own locks. One in WAL mode is not so
easily left alone: SQLite makes ``-wal`` and ``-shm`` beside it even for a reader. With no rows in
its log it is opened as *immutable*, and looked at again afterwards; with rows in its log it is read
from a private copy of both files.

Sources: https://www.sqlite.org/wal.html (Read-Only Databases), https://www.sqlite.org/uri.html
(immutable), https://www.sqlite.org/fileformat2.html (1.3.2 write version; 4.1 WAL header).
"""

from __future__ import annotations

import errno
import shutil
import sqlite3
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from corpusguard.corpora.interface import LIMITS, unreadable
from corpusguard.errors import CorpusUnreadable, StorageError

if TYPE_CHECKING:
    from collections.abc import Iterator

_WRITE_VERSION: Final = slice(18, 20)
"""Write and read version in the header: 1 for a rollback journal, 2 for WAL."""
_WAL_HEADER: Final = 32
"""Bytes; it holds two salts, which are new whenever the log begins anew."""
_READING: Final = frozenset(
    {
        sqlite3.SQLITE_SELECT,
        sqlite3.SQLITE_READ,
        sqlite3.SQLITE_FUNCTION,
        sqlite3.SQLITE_RECURSIVE,
    }
)


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a database that nothing can change: neither this connection nor a hostile schema.

    Raises:
        CorpusUnreadable: It cannot be read, or changed while it was read.
        StorageError: There is no space for the copy of a database with a write-ahead log.
        sqlite3.Error: It cannot be opened.
    """
    own = path.resolve()
    log = own.with_name(own.name + "-wal")
    try:
        in_wal_mode = b"\x02" in _start(own, _WRITE_VERSION.stop)[_WRITE_VERSION]
        begun = _start(log, _WAL_HEADER) if in_wal_mode else b""
        unfinished = in_wal_mode and _start(own.with_name(own.name + "-journal"), 1)
        before = own.stat()
    except OSError as error:
        raise unreadable(str(path), error) from error
    if unfinished:
        raise CorpusUnreadable(
            f"beside {path} lies the journal of a change of mode that was cut off",
            hint="open it once with the program that writes it, which finishes the change",
        )
    if begun:
        with _copied(own, log, begun) as copy, closing(_connect(copy, "mode=ro")) as connection:
            yield connection
        return
    if not in_wal_mode:
        with closing(_connect(own, "mode=ro")) as connection:
            yield connection
        return
    with closing(_connect(own, "mode=ro&immutable=1")) as connection:
        yield connection
    try:
        after = own.stat()
        same = (before.st_mtime_ns, before.st_size, before.st_ino) == (
            after.st_mtime_ns,
            after.st_size,
            after.st_ino,
        )
        if not same or _start(log, _WAL_HEADER):
            raise _changed(path)
    except OSError as error:
        raise unreadable(str(path), error) from error


@contextmanager
def _copied(own: Path, log: Path, begun: bytes) -> Iterator[Path]:
    """Copy a database and its log; the copy holds what was committed when the log was copied.

    The database goes first: what a checkpoint moves into it meanwhile is still in the log, as long
    as the log does not begin anew, which its header tells.
    """
    with TemporaryDirectory(prefix="corpusguard-") as folder:
        copy = Path(folder) / "corpus.db"
        try:
            shutil.copyfile(own, copy)
            shutil.copyfile(log, copy.with_name(copy.name + "-wal"))
            still = _start(log, _WAL_HEADER)
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise StorageError(
                    f"no space in {folder} for a copy of {own}, which has a write-ahead log",
                    hint="close the program that writes it, free some space, or set TMPDIR",
                ) from error
            raise unreadable(str(own), error) from error
        if still != begun:
            raise _changed(own)
        yield copy


def _connect(path: Path, how: str) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{path.as_uri()}?{how}", uri=True, timeout=10.0)
    try:
        # Views and triggers of a hostile file may not call functions with side effects.
        connection.execute("PRAGMA trusted_schema=OFF")
        connection.execute("PRAGMA query_only=ON")
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LIMITS.line)
        connection.set_authorizer(_only_reading)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _start(path: Path, size: int) -> bytes:
    """Return the first bytes of a file; none where it is not there."""
    try:
        with path.open("rb") as stream:
            return stream.read(size)
    except FileNotFoundError:
        return b""


def _changed(path: Path) -> CorpusUnreadable:
    return CorpusUnreadable(
        f"{path} was written to while it was read",
        hint="let ingestion and verification not run at the same time; then run again",
    )


def _only_reading(action: int, first: str | None, *_: str | None) -> int:
    if action in _READING:
        return sqlite3.SQLITE_OK
    # What SQLite asks on its own behalf when it opens a full-text table; query_only and mode=ro
    # still stand against a real write.
    if action == sqlite3.SQLITE_UPDATE and first == "sqlite_master":
        return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_PRAGMA and first == "data_version":
        return sqlite3.SQLITE_OK
    return sqlite3.SQLITE_DENY
