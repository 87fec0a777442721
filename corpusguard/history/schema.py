"""The tables of a history file, and the migrations that make them.

Tables are STRICT, so that a value of the wrong type is an error and not a surprise years later.
A migration that has been released is never edited: sqlite-utils knows them by name only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlite_utils import Migrations

if TYPE_CHECKING:
    from sqlite_utils import Database

APPLICATION_ID: Final = 0x43475244
"""Marks a SQLite file as ours in its header: ``CGRD``."""

MIGRATIONS: Final = Migrations("corpusguard-history")

_FIRST: Final = (
    f"PRAGMA application_id = {APPLICATION_ID}",
    # AUTOINCREMENT: the number of a run is quoted in reports and must never be given twice.
    """
    CREATE TABLE runs (
        run INTEGER PRIMARY KEY AUTOINCREMENT,
        started TEXT NOT NULL,
        finished TEXT NOT NULL DEFAULT '',
        state TEXT NOT NULL CHECK (state IN ('running', 'finished', 'aborted')),
        verdict TEXT CHECK (verdict IN ('verified', 'violated', 'unverifiable')),
        layers TEXT NOT NULL,
        tool TEXT NOT NULL,
        config_digest TEXT NOT NULL,
        exit_code INTEGER,
        CHECK (state != 'finished' OR (verdict IS NOT NULL AND finished != ''))
    ) STRICT
    """,
    # One body serves every night on which nothing changed: kept by digest, not by run.
    """
    CREATE TABLE payloads (
        digest TEXT PRIMARY KEY,
        size INTEGER NOT NULL,
        body BLOB NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE results (
        run INTEGER NOT NULL REFERENCES runs (run),
        corpus TEXT NOT NULL,
        document TEXT NOT NULL,
        verdict TEXT NOT NULL CHECK (verdict IN ('verified', 'violated', 'unverifiable')),
        layers TEXT NOT NULL,
        snapshot TEXT NOT NULL,
        snapshots TEXT NOT NULL,
        consolidated_from TEXT NOT NULL,
        currency_date TEXT NOT NULL,
        captured TEXT NOT NULL,
        provisions INTEGER NOT NULL,
        passages INTEGER NOT NULL,
        verified_passages INTEGER NOT NULL,
        words INTEGER,
        covered INTEGER,
        covered_any_label INTEGER,
        corpus_digest TEXT NOT NULL,
        input_key TEXT NOT NULL,
        reused_from INTEGER NOT NULL,
        payload TEXT NOT NULL REFERENCES payloads (digest),
        PRIMARY KEY (run, corpus, document)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX results_of_document ON results (document, corpus, run)",
    """
    CREATE TABLE readings (
        snapshot TEXT PRIMARY KEY,
        document TEXT NOT NULL,
        captured TEXT NOT NULL,
        reading_digest TEXT NOT NULL,
        reader TEXT NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE passages (
        document TEXT NOT NULL,
        corpus TEXT NOT NULL,
        id TEXT NOT NULL,
        occurrence INTEGER NOT NULL,
        digest TEXT NOT NULL,
        since_run INTEGER NOT NULL REFERENCES runs (run),
        last_run INTEGER NOT NULL REFERENCES runs (run),
        state TEXT NOT NULL CHECK (state IN ('verified', 'violated', 'gone')),
        PRIMARY KEY (document, corpus, id, occurrence)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE provisions (
        document TEXT NOT NULL,
        corpus TEXT NOT NULL,
        pid TEXT NOT NULL,
        digest TEXT NOT NULL,
        since_run INTEGER NOT NULL REFERENCES runs (run),
        PRIMARY KEY (document, corpus, pid)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE findings (
        id INTEGER PRIMARY KEY,
        corpus TEXT NOT NULL,
        document TEXT NOT NULL,
        fingerprint TEXT NOT NULL,
        rule TEXT NOT NULL,
        layer TEXT NOT NULL,
        content TEXT NOT NULL,
        content_digest TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('new', 'open', 'resolved', 'regressed')),
        first_run INTEGER NOT NULL REFERENCES runs (run),
        last_run INTEGER NOT NULL REFERENCES runs (run),
        resolved_run INTEGER REFERENCES runs (run),
        UNIQUE (corpus, document, fingerprint),
        CHECK ((state = 'resolved') = (resolved_run IS NOT NULL))
    ) STRICT
    """,
    "CREATE INDEX findings_by_fingerprint ON findings (fingerprint)",
    """
    CREATE TABLE occurrences (
        run INTEGER NOT NULL REFERENCES runs (run),
        finding INTEGER NOT NULL REFERENCES findings (id),
        state TEXT NOT NULL CHECK (state IN ('new', 'open', 'regressed')),
        PRIMARY KEY (run, finding)
    ) STRICT, WITHOUT ROWID
    """,
)

TABLES: Final = frozenset(
    {
        "runs",
        "payloads",
        "results",
        "readings",
        "passages",
        "provisions",
        "findings",
        "occurrences",
    }
)
"""What a complete history holds, beside the list of migrations."""


@MIGRATIONS()
def m001_first_tables(db: Database) -> None:
    """Make the tables of version 0.1."""
    for statement in _FIRST:
        db.execute(statement)


@MIGRATIONS()
def m003_schedule(db: Database) -> None:
    """Let a run say which schedule it ran for."""
    db.execute("ALTER TABLE runs ADD COLUMN schedule TEXT NOT NULL DEFAULT ''")
    db.execute("CREATE INDEX runs_of_schedule ON runs (schedule, run)")


KNOWN: Final = frozenset({m001_first_tables.__name__, m003_schedule.__name__})
"""Names of the migrations that this version has; others in a file come from a newer one."""


def unknown_migrations(db: Database) -> list[str]:
    """Return the names of migrations applied to ``db`` that this version does not know."""
    return sorted({migration.name for migration in MIGRATIONS.applied(db)} - KNOWN)
