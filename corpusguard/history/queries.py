"""Questions to history. Every statement is a constant: values are bound, never written into SQL."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from corpusguard.errors import ConfigError, HistoryBroken
from corpusguard.history import chain
from corpusguard.history.payload import Unpacked, finding_from_json, unpack
from corpusguard.history.records import (
    FindingRecord,
    FindingState,
    LastGood,
    PassageBaseline,
    PassageKey,
    ReadingRecord,
    RunRecord,
    StoredResult,
    asked_at,
)
from corpusguard.history.rows import moment, run_record, storable, stored_result
from corpusguard.model import Verdict

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from typing import Any

    from sqlite_utils import Database

    from corpusguard.model import Finding, PassageState

_RESULT: Final = "SELECT r.*, p.size, p.body FROM results r JOIN payloads p ON p.digest = r.payload"

_FINDINGS_NOW: Final = """
    SELECT f.* FROM findings f
    WHERE (:state IS NULL OR f.state = :state) AND (:rule IS NULL OR f.rule = :rule)
      AND (:document IS NULL OR f.document = :document)
      AND (:corpus IS NULL OR f.corpus = :corpus)
    ORDER BY f.document, f.corpus, f.id LIMIT :limit
"""

# What a run resolved belongs to it too, although it did not occur in it.
_FINDINGS_OF_RUN: Final = """
    SELECT f.*, seen.state AS state_then FROM (
        SELECT finding, state FROM occurrences WHERE run = :run
        UNION ALL
        SELECT id, 'resolved' FROM findings WHERE resolved_run = :run
    ) seen JOIN findings f ON f.id = seen.finding
    WHERE (:state IS NULL OR seen.state = :state) AND (:rule IS NULL OR f.rule = :rule)
      AND (:document IS NULL OR f.document = :document)
      AND (:corpus IS NULL OR f.corpus = :corpus)
    ORDER BY f.document, f.corpus, f.id LIMIT :limit
"""

_PASSAGES: Final = """
    SELECT p.*, s.started AS since, l.started AS last,
        CASE WHEN r.asked_source = 1 THEN l.started ELSE min(r.captured, l.started) END AS asked
    FROM passages p JOIN runs s ON s.run = p.since_run JOIN runs l ON l.run = p.last_run
    LEFT JOIN results r
        ON r.run = p.last_run AND r.corpus = p.corpus AND r.document = p.document
    WHERE p.document = :document AND p.corpus = :corpus
"""


def run(db: Database, number: int) -> RunRecord | None:
    """Return run ``number``."""
    rows = db.query("SELECT * FROM runs WHERE run = ?", [number])
    return next((run_record(row) for row in rows), None)


def runs(db: Database, limit: int) -> list[RunRecord]:
    """Return the newest ``limit`` runs, newest first."""
    rows = db.query("SELECT * FROM runs ORDER BY run DESC LIMIT ?", [limit])
    return [run_record(row) for row in rows]


def runs_of_schedule(db: Database, schedule: str, limit: int) -> list[RunRecord]:
    """Return the newest ``limit`` runs of a schedule, newest first."""
    rows = db.query(
        "SELECT * FROM runs WHERE schedule = ? ORDER BY run DESC LIMIT ?",
        [storable(schedule), limit],
    )
    return [run_record(row) for row in rows]


def heads(db: Database, first: int) -> dict[int, str]:
    """Return run -> head, as stored, from run ``first`` on; see ``History.heads``."""
    return dict(db.execute("SELECT run, head FROM chain WHERE run >= ?", [first]).fetchall())


def last_finished(db: Database) -> RunRecord | None:
    """Return the newest run that finished."""
    rows = db.query("SELECT * FROM runs WHERE state = 'finished' ORDER BY run DESC LIMIT 1")
    return next((run_record(row) for row in rows), None)


def suppressions(db: Database, number: int) -> dict[str, Any] | None:
    """Return the suppressions of run ``number``, or None; see ``History.suppressions``."""
    row = db.execute("SELECT suppressions FROM runs WHERE run = ?", [number]).fetchone()
    if row is None or row[0] is None:
        return None
    try:
        return chain.suppressions(db, row[0])
    except (ValueError, TypeError) as error:
        raise HistoryBroken(
            f"the suppressions of run {number} cannot be read: {error}",
            hint="`corpusguard history verify` says what else is not as it was",
        ) from error


def results(db: Database, number: int) -> list[StoredResult]:
    """Return the results of run ``number``, by document and corpus."""
    rows = db.query(_RESULT + " WHERE r.run = ? ORDER BY r.document, r.corpus", [number])
    return [stored_result(row) for row in rows]


def results_of(db: Database, number: int, document: str) -> list[StoredResult]:
    """Return the results of one document in run ``number``, by corpus."""
    rows = db.query(
        _RESULT + " WHERE r.run = ? AND r.document = ? ORDER BY r.corpus",
        [number, storable(document)],
    )
    return [stored_result(row) for row in rows]


def reusable(db: Database, document: str, corpus: str, key: str) -> StoredResult | None:
    """Return the newest decided result if its input was equal; see ``History.reusable``."""
    if not key:
        return None
    rows = db.query(
        _RESULT + " WHERE r.document = ? AND r.corpus = ? AND r.verdict != 'unverifiable'"
        " ORDER BY r.run DESC LIMIT 1",
        [storable(document), storable(corpus)],
    )
    newest = next(rows, None)
    if newest is None or newest["input_key"] != storable(key):
        return None
    return stored_result(newest)


def newest(db: Database, document: str, corpus: str) -> Iterator[dict[str, Any]]:
    """Yield the row of the newest result of a document, whatever its verdict."""
    return db.query(
        "SELECT * FROM results WHERE document = ? AND corpus = ? ORDER BY run DESC LIMIT 1",
        [storable(document), storable(corpus)],
    )


def standing(db: Database, document: str, corpus: str, key: str) -> StoredResult | None:
    """Return the newest result if its input was equal, without what is many; see ``History``."""
    row = next(newest(db, document, corpus), None)
    undecided = str(Verdict.UNVERIFIABLE)
    if not key or row is None or row["verdict"] == undecided or row["input_key"] != storable(key):
        return None
    findings: tuple[Finding, ...] = ()
    if any(json.loads(row["counts"]).values()):
        (body,) = db.query("SELECT size, body FROM payloads WHERE digest = ?", [row["payload"]])
        findings = unpack(row["payload"], body["size"], body["body"]).findings
    return stored_result(row, Unpacked(findings, (), {}))


def states_of(db: Database, payload: str) -> tuple[PassageState, ...]:
    """Return the passage states of a payload; see ``History.states_of``."""
    for row in db.query("SELECT size, body FROM payloads WHERE digest = ?", [payload]):
        return unpack(payload, row["size"], row["body"]).states
    raise HistoryBroken(
        f"history names the payload {payload}, and does not hold it",
        hint="`corpusguard history verify` says what else is damaged",
    )


def last_good(db: Database, document: str, corpus: str, layers: Collection[str]) -> LastGood | None:
    """Return the newest finished run in which all ``layers`` verified the document."""
    rows = db.execute(
        "SELECT r.run, runs.finished, r.captured, runs.started, r.asked_source"
        " FROM results r JOIN runs ON runs.run = r.run"
        " WHERE r.document = :document AND r.corpus = :corpus AND r.verdict = 'verified'"
        " AND runs.state = 'finished' AND NOT EXISTS ("
        "   SELECT 1 FROM json_each(:layers) asked"
        "   WHERE json_extract(r.layers, '$.' || asked.value) IS NOT 'verified')"
        " ORDER BY r.run DESC LIMIT 1",
        {
            "document": storable(document),
            "corpus": storable(corpus),
            "layers": json.dumps(sorted(layers)),
        },
    )
    row = rows.fetchone()
    if row is None:
        return None
    captured = moment(row[2])
    asked = asked_at(began=moment(row[3]), captured=captured, asked_source=bool(row[4]))
    return LastGood(row[0], moment(row[1]), captured, asked)


def newest_consolidation(db: Database, document: str, corpus: str) -> str:
    """Return the newest consolidation (ISO date) that a finished run compared with, or ""."""
    row = db.execute(
        "SELECT max(r.consolidated_from) FROM results r JOIN runs ON runs.run = r.run"
        " WHERE r.document = ? AND r.corpus = ? AND runs.state = 'finished'",
        (storable(document), storable(corpus)),
    ).fetchone()
    return str(row[0] or "")


def verified_passages(
    db: Database, document: str, corpus: str
) -> dict[PassageKey, PassageBaseline]:
    """Return the baseline of each passage; see ``History.verified_passages``."""
    rows = db.query(_PASSAGES, {"document": storable(document), "corpus": storable(corpus)})
    return {
        (row["id"], row["occurrence"]): PassageBaseline(
            digest=row["digest"],
            since=moment(row["since"]),
            since_run=row["since_run"],
            last=moment(row["last"]),
            last_run=row["last_run"],
            current=row["state"] == "verified",
            asked=moment(row["asked"] or ""),
        )
        for row in rows
    }


def verified_provisions(db: Database, document: str, corpus: str) -> dict[str, str]:
    """Return pid -> digest of its text when it last verified."""
    rows = db.execute(
        "SELECT pid, digest FROM provisions WHERE document = ? AND corpus = ?",
        [storable(document), storable(corpus)],
    )
    return dict(rows.fetchall())


def run_findings(db: Database, number: int) -> tuple[Finding, ...]:
    """Return the findings of run ``number`` as a whole, as it stored them."""
    rows = db.query(
        "SELECT p.digest, p.size, p.body FROM run_findings f"
        " JOIN payloads p ON p.digest = f.payload WHERE f.run = ?",
        [number],
    )
    row = next(rows, None)
    return () if row is None else unpack(row["digest"], row["size"], row["body"]).findings


def reading(db: Database, snapshot: str, run: int | None = None) -> ReadingRecord | None:
    """Return how a snapshot was last read, up to ``run`` where that is given."""
    rows = db.query(
        "SELECT snapshot, document, captured, reading_digest, reader FROM readings"
        " WHERE snapshot = :snapshot AND (:run IS NULL OR run <= :run) ORDER BY id DESC LIMIT 1",
        {"snapshot": snapshot, "run": run},
    )
    return next((ReadingRecord(**row) for row in rows), None)


def rows_of(db: Database, corpus: str, store: str) -> dict[str, tuple[str, int]] | None:
    """Return document -> (corpus digest, rows) of a store; see ``History.rows_of``."""
    found = db.execute(
        "SELECT document, corpus_digest, passages, store FROM results WHERE corpus = :corpus"
        " AND run = (SELECT r.run FROM runs r WHERE r.state = 'finished' AND EXISTS ("
        "   SELECT 1 FROM results x WHERE x.run = r.run AND x.corpus = :corpus)"
        " ORDER BY r.run DESC LIMIT 1)",
        {"corpus": storable(corpus)},
    ).fetchall()
    if not store or not found or any(row[3] != store for row in found):
        return None
    return {row[0]: (row[1], row[2]) for row in found}


def referenced(db: Database) -> frozenset[str]:
    """Return the digests of all snapshots that results rest on."""
    rows = db.execute(
        "SELECT snapshot FROM results UNION"
        " SELECT named.value FROM results, json_each(results.snapshots) named"
    )
    return frozenset(row[0] for row in rows.fetchall())


def doubted(db: Database) -> frozenset[str]:
    """Return the documents with an open finding that only asking the source can settle."""
    rows = db.execute(
        "SELECT DISTINCT document FROM findings WHERE state != 'resolved' AND rule IN"
        " ('CG501', 'CG502', 'CG503', 'CG504', 'CG506', 'CG507', 'CG509', 'CG510', 'CG511')"
    )
    return frozenset(row[0] for row in rows.fetchall())


def findings(  # noqa: PLR0913 - the filters that `findings list` offers
    db: Database,
    *,
    run: int | None,
    state: FindingState | None,
    rule: str | None,
    document: str | None,
    corpus: str | None,
    limit: int,
) -> list[FindingRecord]:
    """Return findings; see ``History.findings``."""
    rows = db.query(
        _FINDINGS_NOW if run is None else _FINDINGS_OF_RUN,
        {
            "run": run,
            "state": None if state is None else str(state),
            "rule": rule,
            "document": None if document is None else storable(document),
            "corpus": None if corpus is None else storable(corpus),
            "limit": limit,
        },
    )
    return [_finding_record(row) for row in rows]


def finding(db: Database, prefix: str) -> FindingRecord:
    """Return the one finding whose fingerprint begins with ``prefix``; see ``History.finding``."""
    rows = list(
        db.query(
            "SELECT * FROM findings WHERE substr(fingerprint, 1, length(:prefix)) = :prefix"
            " ORDER BY last_run DESC, id DESC",
            {"prefix": storable(prefix)},
        )
    )
    names = sorted({row["fingerprint"] for row in rows})
    if not prefix or not names:
        raise ConfigError(
            f"no finding has a fingerprint that begins with {prefix!r}",
            hint="`corpusguard findings list` prints the fingerprints",
        )
    if len(names) > 1:
        raise ConfigError(
            f"{len(names)} findings begin with {prefix!r}: {', '.join(names[:5])}"
            + (", …" if len(names) > 5 else ""),
            hint="give more characters of the fingerprint",
        )
    return _finding_record(rows[0])


def _finding_record(row: dict[str, Any]) -> FindingRecord:
    return FindingRecord(
        finding=finding_from_json(row["content"]),
        corpus=row["corpus"],
        state=FindingState(row.get("state_then", row["state"])),
        first_run=row["first_run"],
        last_run=row["last_run"],
        resolved_run=row["resolved_run"],
    )
