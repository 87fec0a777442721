"""What the gate decided, and what it may rest on.

A decision is written once. Its head is the hash over the row and the head before it, so that a row
that was changed, taken out or put in is found by `history verify`. As with the chain of runs, rows
cut off at the end cannot be seen without a head that was kept elsewhere.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from corpusguard.errors import ConfigError, HistoryBroken
from corpusguard.evidence import GENESIS, canonical, head_of
from corpusguard.history.connection import insert
from corpusguard.history.records import (
    Break,
    DecisionRecord,
    PassageStanding,
    VerifiedRows,
    asked_at,
)
from corpusguard.history.rows import moment, storable

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from sqlite_utils import Database

_STANDING: Final = """
    SELECT p.id, p.occurrence, p.document, p.corpus, p.digest, p.state, p.last_run,
        l.started AS checked, r.captured, r.asked_source, r.snapshot, r.consolidated_from,
        r.currency_date, r.corpus_digest, r.corpus_root, r.payload
    FROM passages p
    JOIN runs l ON l.run = p.last_run
    LEFT JOIN results r
        ON r.run = p.last_run AND r.corpus = p.corpus AND r.document = p.document
    WHERE p.id IN (SELECT value FROM json_each(?))
    ORDER BY p.id, p.document, p.corpus, p.occurrence
"""
_VERIFIED_ROWS: Final = """
    SELECT p.document, p.corpus, count(*) AS rows, l.started AS began, r.captured, r.asked_source
    FROM passages p
    JOIN runs l ON l.run = p.last_run
    LEFT JOIN results r
        ON r.run = p.last_run AND r.corpus = p.corpus AND r.document = p.document
    WHERE p.state = 'verified' AND NOT EXISTS (
        SELECT 1 FROM passages o
        WHERE o.id = p.id AND o.state != 'gone'
            AND o.corpus IN (SELECT value FROM json_each(:alone_in))
            AND (o.corpus, o.document, o.occurrence) != (p.corpus, p.document, p.occurrence)
    )
    GROUP BY p.document, p.corpus, p.last_run
    ORDER BY p.document, p.corpus, p.last_run
"""
_WITH_THE_HEAD_BEFORE: Final = (
    "SELECT d.*, b.head AS before FROM decisions d LEFT JOIN decisions b ON b.number = d.number - 1"
)
_ATTEMPT_BYTES: Final = 262_144
"""More than all but the longest answers leave."""
_ATTEMPT_MILLISECONDS: Final = 250
"""How long an attempt waits for another process, so that a probe is answered soon."""
_HASHED: Final = ("number", "checked", "outcome", "reason", "run", "body")


def standing(db: Database, ids: Sequence[str]) -> list[PassageStanding]:
    """Return what history says of the passages with these ids; see ``History.standing_of``."""
    rows = db.query(_STANDING, [json.dumps([storable(one) for one in ids])])
    return [
        PassageStanding(
            id=row["id"],
            occurrence=row["occurrence"],
            document=row["document"],
            corpus=row["corpus"],
            digest=row["digest"],
            state=row["state"],
            last_run=row["last_run"],
            checked=moment(row["checked"]),
            captured=moment(row["captured"] or ""),
            asked_source=bool(row["asked_source"]),
            snapshot=row["snapshot"] or "",
            consolidated_from=row["consolidated_from"] or "",
            currency_date=row["currency_date"] or "",
            corpus_digest=row["corpus_digest"] or "",
            corpus_root=row["corpus_root"] or "",
            payload=row["payload"] or "",
        )
        for row in rows
    ]


def verified_rows(db: Database, alone_in: Collection[str]) -> list[VerifiedRows]:
    """Return what stands verified, by document and last run; see ``History.verified_rows``."""
    return [
        VerifiedRows(
            document=row["document"],
            corpus=row["corpus"],
            rows=row["rows"],
            asked=asked_at(
                began=moment(row["began"]),
                captured=moment(row["captured"] or ""),
                asked_source=bool(row["asked_source"]),
            ),
        )
        for row in db.query(_VERIFIED_ROWS, {"alone_in": json.dumps(sorted(alone_in))})
    ]


def record(
    db: Database, *, checked: str, outcome: str, reason: str, body: Mapping[str, Any]
) -> int:
    """Store a decision inside the caller's transaction, and return its number."""
    last = db.execute("SELECT number, head FROM decisions ORDER BY number DESC LIMIT 1").fetchone()
    (run,) = db.execute("SELECT coalesce(max(run), 0) FROM runs").fetchone()
    number, before = (last[0] + 1, last[1]) if last else (1, GENESIS)
    row = {
        "number": number,
        "checked": checked,
        "outcome": outcome,
        "reason": reason,
        "run": run,
        # ASCII: an answer may hold lone surrogates or NUL, which SQLite's text cannot.
        "body": json.dumps(body, ensure_ascii=True, sort_keys=True, separators=(",", ":")),
    }
    insert(db, "decisions", row | {"head": _head(row, before)})
    return int(number)


def attempt(db: Database) -> None:
    """Store a decision as far as the disk, and undo it; see ``History.try_storing``."""
    cache, patience = (
        db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("cache_size", "busy_timeout")
    )
    # With a cache of ten pages SQLite writes the others to the file before the transaction ends
    # (https://www.sqlite.org/pragma.html#pragma_cache_spill): otherwise the disk is not asked.
    db.execute("PRAGMA cache_size = 10")
    db.execute(f"PRAGMA busy_timeout = {_ATTEMPT_MILLISECONDS}")
    try:
        db.execute("BEGIN IMMEDIATE")
        try:
            body = {"attempt": " " * _ATTEMPT_BYTES}
            record(db, checked="", outcome="withheld", reason="", body=body)
        finally:
            db.rollback()
    finally:
        db.execute(f"PRAGMA busy_timeout = {patience}")
        db.execute(f"PRAGMA cache_size = {cache}")


def newest(db: Database, *, limit: int, outcome: str | None) -> list[DecisionRecord]:
    """Return decisions, newest first.

    Raises:
        HistoryBroken: One is not what was stored.
    """
    rows = db.query(
        f"{_WITH_THE_HEAD_BEFORE} WHERE :outcome IS NULL OR d.outcome = :outcome"
        " ORDER BY d.number DESC LIMIT :limit",
        {"outcome": outcome, "limit": limit},
    )
    return [_record(row) for row in rows]


def one(db: Database, number: int) -> DecisionRecord:
    """Return decision ``number``; see ``History.decision``."""
    for row in db.query(f"{_WITH_THE_HEAD_BEFORE} WHERE d.number = ?", [number]):
        return _record(row)
    raise ConfigError(
        f"there is no decision {number}", hint="`corpusguard decisions list` shows the last ones"
    )


def audit(db: Database) -> tuple[list[Break], int]:
    """Return where decisions are not as they were stored, and how many were checked."""
    before, checked, breaks = GENESIS, 0, []
    for place, row in enumerate(db.query("SELECT * FROM decisions ORDER BY number"), 1):
        if row["number"] != place:
            what = f"the {place}th decision has the number {row['number']}"
            breaks.append(Break(0, "decisions", what))
        try:
            computed = _head(row, before)
        except (TypeError, ValueError) as error:
            what = f"decision {row['number']} cannot be read: {error}"
            breaks.append(Break(0, "decisions", what))
            break
        checked += 1
        if computed != row["head"]:
            what = f"the hash of decision {row['number']} is {computed}, stored is {row['head']}"
            breaks.append(Break(0, "decisions", what))
        before = row["head"]
    return breaks, checked


def _head(row: Mapping[str, Any], before: str) -> str:
    hashed = {name: row[name] for name in _HASHED}
    return head_of(canonical(hashed | {"previous": before.removeprefix("sha256:")}))


def _record(row: Mapping[str, Any]) -> DecisionRecord:
    """Return a row as a record.

    Raises:
        HistoryBroken: It is not what was stored: its hash is another, or the row before is gone.
    """
    body: object = None
    before = GENESIS if row["number"] == 1 else row["before"]
    try:
        what = f"decision {row['number'] - 1} is gone" if before is None else ""
        if not what:
            what = "" if _head(row, before) == row["head"] else "its hash is another"
            body = json.loads(row["body"])
    except (TypeError, ValueError, RecursionError) as error:
        what = str(error)
    if what or not isinstance(body, dict):
        raise HistoryBroken(
            f"decision {row['number']} is not what was stored: {what or 'it is no JSON object'}",
            hint="`corpusguard history verify` says what else is damaged",
        )
    return DecisionRecord(
        number=row["number"],
        checked=row["checked"],
        outcome=row["outcome"],
        reason=row["reason"],
        run=row["run"],
        head=row["head"],
        body=body,
    )
