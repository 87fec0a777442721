"""The chain: one canonical record a run, each with the hash of the one before.

A record is made of the tables alone, in the transaction that ends its run; so it can be made again
at any time, and must come out the same byte for byte.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from corpusguard.evidence import GENESIS, RECORD_SCHEMA, canonical, head_of, root
from corpusguard.history.connection import insert
from corpusguard.model import Severity

if TYPE_CHECKING:
    from sqlite_utils import Database

# Columns by name: one that a later version adds must not change the records of earlier runs.
_RESULTS: Final = """
    SELECT r.corpus, r.document, r.verdict, r.layers, r.snapshot, r.snapshots, r.captures,
        r.consolidated_from, r.currency_date, r.captured, r.provisions, r.passages,
        r.verified_passages, r.words, r.covered, r.covered_any_label, r.corpus_digest, r.input_key,
        r.reused_from, r.not_refetched, r.store, r.payload, r.sequence, r.asked_source, r.leaves,
        r.corpus_root, r.findings_root, r.counts, p.size, p.stored
    FROM results r LEFT JOIN payloads p ON p.digest = r.payload
    WHERE r.run = ? ORDER BY r.document, r.corpus
"""
_OWN: Final = """
    SELECT f.sequence, f.payload, f.findings_root, f.counts, p.size, p.stored
    FROM run_findings f LEFT JOIN payloads p ON p.digest = f.payload
    WHERE f.run = ?
"""
_JSON: Final = frozenset({"layers", "snapshots", "captures", "counts"})
_PAYLOAD: Final = frozenset({"payload", "size", "stored"})


def seal(db: Database, run: int) -> str:
    """Add the record of a run that has just ended, and return the head; in one transaction.

    Args:
        db: The history, inside the transaction that ended the run.
        run: Its number, larger than any in the chain.

    Raises:
        ValueError, TypeError, KeyError, AttributeError: The rows are not such as a run writes, or
            the record before is not the one that was sealed: nothing is added on top of it.
    """
    row = db.execute("SELECT record, head FROM chain ORDER BY run DESC LIMIT 1").fetchone()
    if row is not None and head_of(row[0].encode()) != row[1]:
        raise ValueError("the newest record is not the one that was sealed")
    record = canonical(build(db, run, row[1].removeprefix("sha256:") if row else GENESIS))
    head = head_of(record)
    insert(db, "chain", {"run": run, "record": record.decode(), "head": head})
    return head


def build(db: Database, run: int, previous: str) -> dict[str, Any]:
    """Return the record of a run, from the tables.

    Args:
        db: The history.
        run: A run that has ended.
        previous: 64 hex digits: the hash of the record before it.

    Raises:
        ValueError, TypeError, KeyError: The rows are not such as a run writes.
    """
    row = next(db.query("SELECT * FROM runs WHERE run = ?", [run]))
    documents = [_document(result) for result in db.query(_RESULTS, [run])]
    own = next((_own(found) for found in db.query(_OWN, [run])), None)
    tally: Counter[str] = Counter()
    for part in [*documents, *([own] if own else [])]:
        tally.update(part["counts"])
    ignored = _suppressions(db, row["suppressions"])
    return {
        "schema": RECORD_SCHEMA,
        "previous": previous,
        "run": row["run"],
        "state": row["state"],
        "verdict": row["verdict"],
        "exit_code": row["exit_code"],
        "started": row["started"],
        "finished": row["finished"],
        "tool": row["tool"],
        "versions": _spelt(row["versions"]),
        "schedule": row["schedule"],
        "config": row["config_digest"],
        "layers": _spelt(row["layers"]),
        "scope": _scope(db, row["scope"], documents),
        "documents": documents,
        "run_findings": own,
        "findings_root": _findings(documents, own),
        "counts": {str(severity): tally[str(severity)] for severity in Severity},
        "readings": _readings(db, run),
        "migrations": migrations(db),
        # Not there for a run that had no list: records from before there were any stay as sealed.
        **({"suppressions": ignored} if ignored else {}),
    }


def scope_digest(pairs: str) -> str:
    """Return the digest under which a scope is kept."""
    return f"sha256:{hashlib.sha256(pairs.encode('utf-8', 'surrogateescape')).hexdigest()}"


def suppressions_digest(body: str) -> str:
    """Return the digest under which a run's suppressions are kept."""
    return f"sha256:{hashlib.sha256(body.encode('utf-8', 'surrogateescape')).hexdigest()}"


def suppressions(db: Database, digest: str) -> dict[str, Any]:
    """Return the suppressions that are kept under a digest.

    Raises:
        ValueError: They are not those that were stored.
    """
    (body,) = db.execute("SELECT body FROM suppressions WHERE digest = ?", [digest]).fetchone()
    if suppressions_digest(body) != digest:
        raise ValueError(f"the suppressions {digest} are not those that were stored")
    found: dict[str, Any] = json.loads(body)
    return found


def _suppressions(db: Database, digest: str | None) -> dict[str, Any] | None:
    """Return which lists a run had, and how many findings they took out of its exit code."""
    if digest is None:
        return None
    body = suppressions(db, digest)
    kinds = Counter(one["kind"] for one in body["applied"])
    return {
        "digest": digest,
        "ignore_file": body["ignore_file"],
        "baseline_file": body["baseline_file"],
        "ignored": kinds["ignore"],
        "known": kinds["baseline"],
    }


def migrations(db: Database) -> list[list[str | int]]:
    """Return what the file's migrations are recorded as: id, set, name, time; in order."""
    rows = db.execute(
        "SELECT id, migration_set, name, applied_at FROM _sqlite_migrations ORDER BY id"
    )
    return [list(row) for row in rows.fetchall()]


def _document(row: dict[str, Any]) -> dict[str, Any]:
    """Return all that a row of ``results`` says, its JSON as values."""
    entry = {name: value for name, value in row.items() if name not in _PAYLOAD}
    for name in _JSON:
        entry[name] = _spelt(row[name])
    entry["payload"] = _payload(row)
    return entry


def _own(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "sequence": row["sequence"],
        "payload": _payload(row),
        "findings_root": row["findings_root"],
        "counts": _spelt(row["counts"]),
    }


def _spelt(text: str) -> Any:  # noqa: ANN401 - JSON
    """Return the value of JSON that a run wrote.

    Raises:
        ValueError: It is not spelt as a run spells it: other bytes with the same value.
    """
    value = json.loads(text)
    if json.dumps(value) != text:
        raise ValueError(f"{text[:80]!r} was written by another hand")
    return value


def _payload(row: dict[str, Any]) -> dict[str, Any]:
    return {"digest": row["payload"], "size": row["size"], "stored": row["stored"]}


def _scope(
    db: Database, digest: str | None, documents: list[dict[str, Any]]
) -> dict[str, Any] | None:
    """Return what was expected and what was reached; None for a run that died before it knew."""
    if digest is None:
        return None
    (pairs,) = db.execute("SELECT pairs FROM scopes WHERE digest = ?", [digest]).fetchone()
    if scope_digest(pairs) != digest:
        raise ValueError(f"the scope {digest} is not the one that was stored")
    expected = json.loads(pairs)
    reached = {(entry["corpus"], entry["document"]) for entry in documents}
    return {
        "digest": digest,
        "expected": len(expected),
        "reached": len(reached),
        "missing": [pair for pair in expected if tuple(pair) not in reached],
    }


def _findings(documents: list[dict[str, Any]], own: dict[str, Any] | None) -> str:
    """Return the root over the findings' roots of all documents and of the run itself, last."""
    parts = [(entry["corpus"], entry["document"], entry["findings_root"]) for entry in documents]
    if own:
        parts.append(("", "", own["findings_root"]))
    return root(
        canonical({"corpus": corpus, "document": document, "root": part})
        for corpus, document, part in parts
    )


def _readings(db: Database, run: int) -> dict[str, Any]:
    rows = db.query(
        "SELECT id, snapshot, document, captured, reading_digest, reader FROM readings"
        " WHERE run = ? ORDER BY id",
        [run],
    )
    leaves = [canonical(row) for row in rows]
    return {"count": len(leaves), "root": root(leaves)}
