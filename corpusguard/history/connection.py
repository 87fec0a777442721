"""One SQLite connection as history needs it: durable, strict, and with errors that say what next.

Rules kept here, each for a measured reason:

* rollback journal, never WAL: a copy of a WAL database without its ``-wal`` file has no tables,
  WAL does not work across hosts, and SQLite before 3.51.3 can corrupt it;
* ``synchronous=EXTRA``: an acknowledged commit survives a power loss;
* ``BEGIN IMMEDIATE`` before anything that reads and then writes: a deferred transaction that
  upgrades fails at once when another connection wrote in between, whatever the timeout;
* sqlite-utils plug-ins stay off: an installed package must not change how history behaves;
* no SQL function with side effects may be called from a schema (``trusted_schema=OFF``): the file
  may have come from elsewhere.
"""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlite_utils import Database

from corpusguard.errors import HistoryBroken, StorageError
from corpusguard.history.creating import check_gone, create
from corpusguard.history.layout import foreign
from corpusguard.history.schema import APPLICATION_ID, MIGRATIONS, TABLES, unknown_migrations

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

_MAGIC: Final = b"SQLite format 3\x00"

_NEXT: Final = (
    "keep the file for inspection, put the last good copy in its place, or move it away and run "
    "`corpusguard verify`: a new history starts, without baselines"
)

_STORAGE_HINTS: Final = {
    sqlite3.SQLITE_FULL: "free some space and run again; what was stored before is intact",
    sqlite3.SQLITE_READONLY: "give this user write access to the file and to its folder",
    sqlite3.SQLITE_CANTOPEN: "check that the folder exists and that this user may write to it",
    sqlite3.SQLITE_PERM: "give this user write access to the file and to its folder",
    sqlite3.SQLITE_BUSY: "another process has the file in use; run again when it has ended",
    sqlite3.SQLITE_LOCKED: "another process has the file in use; run again when it has ended",
    sqlite3.SQLITE_IOERR: "check the disk: `corpusguard doctor` tells whether the file is sound",
    sqlite3.SQLITE_TOOBIG: "one value is larger than SQLite can hold",
}
"""Primary result codes that mean "not stored", with the next step."""

_BROKEN: Final = frozenset(
    {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_ERROR}
)
"""Codes that mean "not the file we wrote": constraints hold for all that we store, and our SQL is
right for our tables, so a failure of either says that the file was changed by another hand."""


FORGED: Final = (
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    ArithmeticError,
    StopIteration,
    RecursionError,
)
"""What values that no run wrote can raise in code that trusts its own."""


@contextmanager
def translated(path: Path, doing: str) -> Iterator[None]:
    """Turn SQLite's errors into ours while ``doing`` something to the history at ``path``.

    What forged values raise in code that trusts its own rows (a text that is no JSON, a count that
    is text, a number that no integer of SQLite holds) is damage too: here, in one place, for all
    that reads or writes rows.

    Raises:
        HistoryBroken: The file is damaged or is not what this version wrote.
        StorageError: The file cannot be read or written now.
    """
    try:
        yield
    except sqlite3.DatabaseError as error:
        # Misuse by our own code (ProgrammingError) has no code: it stays an internal error.
        code = getattr(error, "sqlite_errorcode", None)
        primary = None if code is None else code & 0xFF
        if str(error).startswith("Could not decode to UTF-8"):  # Python's own, without a code
            primary = sqlite3.SQLITE_CORRUPT
        if primary in _BROKEN:
            raise HistoryBroken(f"{path}: cannot {doing}: {error}", hint=_NEXT) from error
        if primary in _STORAGE_HINTS:
            hint = _STORAGE_HINTS[primary]
            raise StorageError(f"{path}: cannot {doing}: {error}", hint=hint) from error
        raise
    except FORGED as error:
        kind = type(error).__name__
        raise HistoryBroken(f"{path}: cannot {doing}: {kind}: {error}"[:500], hint=_NEXT) from error


def insert(db: Database, table: str, row: Mapping[str, Any]) -> int:
    """Insert one row, and make sure that it was: a trigger can let an insert do nothing.

    Args:
        db: The history, inside a transaction.
        table: A name of ours.
        row: Column of ours -> value.

    Returns:
        Its rowid, for a table that has one.

    Raises:
        HistoryBroken: Nothing was inserted.
    """
    marks = ", ".join("?" for _ in row)
    cursor = db.execute(
        f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})",  # noqa: S608 - names of ours
        list(row.values()),
    )
    stored(table, cursor.rowcount, 1)
    return int(cursor.lastrowid or 0)


def stored(table: str, found: int, expected: int) -> None:
    """Make sure that a statement changed the rows that it must.

    Raises:
        HistoryBroken: It did not.
    """
    if found < expected:
        raise HistoryBroken(
            f"{found} of {expected} rows of {table} were stored: something in the file prevents it",
            hint=_NEXT,
        )


@contextmanager
def write(db: Database) -> Iterator[None]:
    """Hold the write lock from the first read to the commit; any exception undoes all of it."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.commit()
    except BaseException:
        db.rollback()
        raise


def connect(path: Path, *, make: bool = True) -> Database:
    """Open the history at ``path``, make it if it is not there, and check that it is sound.

    Args:
        path: The file; its folder is made when missing.
        make: Whether a file that is not there is made.

    Returns:
        The connection, with its tables at this version. It belongs to the calling thread.

    Raises:
        HistoryBroken: Damaged, empty, not a corpusguard history, written by a newer version, or
            gone although it may not be made, or although its journal is there.
        StorageError: The folder cannot be made, or the file cannot be read or written.
    """
    path = Path(path)
    if _check_file(path):
        if not make:
            raise HistoryBroken(f"{path} is gone", hint="put the last good copy in its place")
        with translated(path, "make it"):
            create(path, _without_runs)
    with translated(path, "open it"):
        db = Database(str(path), execute_plugins=False, strict=True)
        try:
            _prepare(db, path)
        except BaseException:
            db.close()
            raise
    return db


def _check_file(path: Path) -> bool:
    """Refuse what SQLite would misread or overwrite, make the folder; return if a file is due."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        check_gone(path)
        if not path.exists():
            return True
        if not path.is_file():
            raise HistoryBroken(
                f"{path} is not a file", hint="name a file as `history` in the configuration"
            )
        with path.open("rb") as stream:
            head = stream.read(len(_MAGIC))
    except OSError as error:
        raise StorageError(
            f"{path}: {error.strerror or error}",
            hint="check that the folder exists and that this user may read and write it",
        ) from error
    if head != _MAGIC:
        raise HistoryBroken(f"{path} is not an SQLite file", hint=_NEXT)
    return False


def _without_runs() -> bytes:
    """Return the bytes of a history in which nothing stands."""
    db = Database(memory=True, execute_plugins=False, strict=True)
    try:
        db.execute("PRAGMA foreign_keys = ON")
        with write(db):
            MIGRATIONS.apply(db)
        return db.conn.serialize()
    finally:
        db.close()


def _prepare(db: Database, path: Path) -> None:
    """Set the connection up, then check and migrate the file."""
    db.execute("PRAGMA trusted_schema = OFF")
    db.execute("PRAGMA cell_size_check = ON")
    db.execute("PRAGMA synchronous = EXTRA")
    db.execute("PRAGMA foreign_keys = ON")
    problems = [str(row[0]) for row in db.execute("PRAGMA quick_check(3)").fetchall()]
    if problems != ["ok"]:
        raise HistoryBroken(f"{path} is damaged: {'; '.join(problems)}", hint=_NEXT)
    _check_ours(db, path)
    wrong = foreign(db)
    if wrong:
        raise HistoryBroken(f"{path} is not made as a history is: {wrong}", hint=_NEXT)
    # From WAL this needs the file for itself, and fails as locked where it cannot have it.
    db.execute("PRAGMA journal_mode = DELETE").fetchone()
    if MIGRATIONS.pending(db):
        # Two processes may both come here: the lock lets one migrate, the other finds it done.
        with write(db):
            MIGRATIONS.apply(db)
    missing = TABLES - set(db.table_names())
    if missing:
        raise HistoryBroken(f"{path} lacks the tables {', '.join(sorted(missing))}", hint=_NEXT)


def _check_ours(db: Database, path: Path) -> None:
    """Refuse another program's database, and one of a newer corpusguard."""
    (application,) = db.execute("PRAGMA application_id").fetchone()
    if application != APPLICATION_ID and (application != 0 or db.table_names()):
        raise HistoryBroken(
            f"{path} is an SQLite file of another program",
            hint="name another file as `history` in the configuration",
        )
    newer = unknown_migrations(db)
    if newer:
        raise HistoryBroken(
            f"{path} was written by a newer corpusguard (it has {', '.join(newer)})",
            hint="upgrade corpusguard to at least the version that wrote it",
        )
