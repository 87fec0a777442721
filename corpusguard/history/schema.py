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

_APPEND_ONLY: Final = (
    "payloads",
    "scopes",
    "results",
    "run_findings",
    "readings",
    "occurrences",
)
"""Tables whose rows are never changed. ``passages``, ``provisions`` and ``findings`` hold the state
of now; they follow from the others, and `history verify` computes them again."""


def _trigger(name: str, event: str, why: str, when: str = "1") -> str:
    """Return the statement that makes a trigger which refuses ``event``."""
    return (
        f"CREATE TRIGGER {name} BEFORE {event} WHEN {when}"
        f" BEGIN SELECT RAISE(ABORT, '{name}: {why}'); END"
    )


_CHAIN: Final = (
    # What was configured to be looked at; equal from night to night, so kept by digest.
    """
    CREATE TABLE scopes (
        digest TEXT PRIMARY KEY,
        pairs TEXT NOT NULL
    ) STRICT
    """,
    "ALTER TABLE runs ADD COLUMN versions TEXT NOT NULL DEFAULT '[]'",
    "ALTER TABLE runs ADD COLUMN scope TEXT REFERENCES scopes (digest)",
    "ALTER TABLE payloads ADD COLUMN stored TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE results ADD COLUMN sequence INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE results ADD COLUMN asked_source INTEGER NOT NULL DEFAULT 1",
    "ALTER TABLE results ADD COLUMN not_refetched TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE results ADD COLUMN store TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE results ADD COLUMN captures TEXT NOT NULL DEFAULT '[]'",
    "ALTER TABLE results ADD COLUMN leaves INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE results ADD COLUMN corpus_root TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE results ADD COLUMN findings_root TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE results ADD COLUMN counts TEXT NOT NULL DEFAULT '{}'",
    """
    CREATE TABLE run_findings (
        run INTEGER PRIMARY KEY REFERENCES runs (run),
        sequence INTEGER NOT NULL,
        payload TEXT NOT NULL REFERENCES payloads (digest),
        findings_root TEXT NOT NULL,
        counts TEXT NOT NULL
    ) STRICT
    """,
    # A reading is not replaced but followed by another: what it was stays provable. ``run`` is the
    # run that seals it, which may not have begun.
    "ALTER TABLE readings RENAME TO readings_of_old",
    """
    CREATE TABLE readings (
        id INTEGER PRIMARY KEY,
        run INTEGER NOT NULL,
        snapshot TEXT NOT NULL,
        document TEXT NOT NULL,
        captured TEXT NOT NULL,
        reading_digest TEXT NOT NULL,
        reader TEXT NOT NULL
    ) STRICT
    """,
    """
    INSERT INTO readings (run, snapshot, document, captured, reading_digest, reader)
    SELECT (SELECT coalesce(max(run), 0) + 1 FROM runs),
        snapshot, document, captured, reading_digest, reader FROM readings_of_old
    """,
    "DROP TABLE readings_of_old",
    "CREATE INDEX readings_of_snapshot ON readings (snapshot, id)",
    "CREATE INDEX readings_of_run ON readings (run)",
    """
    CREATE TABLE chain (
        run INTEGER PRIMARY KEY REFERENCES runs (run),
        record TEXT NOT NULL,
        head TEXT NOT NULL
    ) STRICT
    """,
    *(
        _trigger(f"{table}_never_{verb.lower()}", f"{verb} ON {table}", "append-only")
        for table in (*_APPEND_ONLY, "chain")
        for verb in ("UPDATE", "DELETE")
    ),
    *(
        _trigger(
            f"{table}_only_while_running",
            f"INSERT ON {table}",
            "the run has ended",
            "(SELECT state FROM runs WHERE run = NEW.run) IN ('finished', 'aborted')",
        )
        for table in ("results", "run_findings", "readings", "occurrences")
    ),
    _trigger(
        "chain_only_at_its_end",
        "INSERT ON chain",
        "append-only",
        "EXISTS (SELECT 1 FROM chain WHERE run >= NEW.run)",
    ),
    # What is stored under a digest stays; to store it again is no error.
    """
    CREATE TRIGGER payloads_once BEFORE INSERT ON payloads
    WHEN EXISTS (SELECT 1 FROM payloads WHERE digest = NEW.digest)
    BEGIN SELECT RAISE(IGNORE); END
    """,
    """
    CREATE TRIGGER scopes_once BEFORE INSERT ON scopes
    WHEN EXISTS (SELECT 1 FROM scopes WHERE digest = NEW.digest)
    BEGIN SELECT RAISE(IGNORE); END
    """,
    _trigger("runs_never_delete", "DELETE ON runs", "append-only"),
    _trigger("runs_never_update", "UPDATE ON runs", "the run has ended", "OLD.state != 'running'"),
)

TABLES: Final = frozenset(
    {
        "chain",
        "decisions",
        "run_findings",
        "runs",
        "scopes",
        "suppressions",
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
def m002_chain(db: Database) -> None:
    """Make the chain of records, keep what they are built from, and forbid to change either.

    Runs from before have no record, and `history verify` says so: nothing can be sealed afterwards
    that was not sealed at the time.
    """
    for statement in _CHAIN:
        db.execute(statement)


@MIGRATIONS()
def m003_schedule(db: Database) -> None:
    """Let a run say which schedule it ran for."""
    db.execute("ALTER TABLE runs ADD COLUMN schedule TEXT NOT NULL DEFAULT ''")
    db.execute("CREATE INDEX runs_of_schedule ON runs (schedule, run)")


@MIGRATIONS()
def m004_suppressions(db: Database) -> None:
    """Keep which findings of a run were ignored or known, and why, and forbid to change it.

    Kept by digest, as scopes are: equal from night to night. The record of a run that had no list
    has no word of it, so the records of earlier runs come out as they were sealed.
    """
    db.execute("CREATE TABLE suppressions (digest TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT")
    db.execute("ALTER TABLE runs ADD COLUMN suppressions TEXT REFERENCES suppressions (digest)")
    for verb in ("UPDATE", "DELETE"):
        name = f"suppressions_never_{verb.lower()}"
        db.execute(_trigger(name, f"{verb} ON suppressions", "append-only"))
    db.execute(
        """
        CREATE TRIGGER suppressions_once BEFORE INSERT ON suppressions
        WHEN EXISTS (SELECT 1 FROM suppressions WHERE digest = NEW.digest)
        BEGIN SELECT RAISE(IGNORE); END
        """
    )


_DECISIONS: Final = (
    # What the gate decided, each row linked to the one before by its head: decisions fall between
    # runs, so the chain of records does not hold them.
    """
    CREATE TABLE decisions (
        number INTEGER PRIMARY KEY,
        checked TEXT NOT NULL,
        outcome TEXT NOT NULL CHECK (outcome IN ('shipped', 'altered', 'withheld')),
        reason TEXT NOT NULL,
        run INTEGER NOT NULL,
        body TEXT NOT NULL,
        head TEXT NOT NULL
    ) STRICT
    """,
    "CREATE INDEX passages_by_id ON passages (id)",
    *(
        _trigger(f"decisions_never_{verb.lower()}", f"{verb} ON decisions", "append-only")
        for verb in ("UPDATE", "DELETE")
    ),
    _trigger(
        "decisions_only_at_their_end",
        "INSERT ON decisions",
        "append-only",
        "NEW.number != (SELECT coalesce(max(number), 0) + 1 FROM decisions)",
    ),
)


@MIGRATIONS()
def m005_decisions(db: Database) -> None:
    """Keep what the gate decided, and find passages by their id alone."""
    for statement in _DECISIONS:
        db.execute(statement)


def make_state_tables(db: Database) -> None:
    """Make the tables in which `history verify` computes the state of now again, in memory."""
    for statement in _FIRST:
        db.execute(statement)


KNOWN: Final = frozenset(
    {
        m001_first_tables.__name__,
        m002_chain.__name__,
        m003_schedule.__name__,
        m004_suppressions.__name__,
        m005_decisions.__name__,
    }
)
"""Names of the migrations that this version has; others in a file come from a newer one."""


def unknown_migrations(db: Database) -> list[str]:
    """Return the names of migrations applied to ``db`` that this version does not know."""
    return sorted({migration.name for migration in MIGRATIONS.applied(db)} - KNOWN)
