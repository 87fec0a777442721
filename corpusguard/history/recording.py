"""Storing what a run says: rows that stay, and the state of now that follows from them.

``follow`` is all that moves the state of now. `history verify` calls it again on what was stored,
in a database of its own, and so finds a state that no run brought about.
"""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from corpusguard.errors import StorageError
from corpusguard.evidence import root
from corpusguard.history import lifecycle, queries, verified
from corpusguard.history.connection import insert, stored
from corpusguard.history.payload import Packed, pack
from corpusguard.history.roots import counts, findings_root, passage_leaves
from corpusguard.history.rows import ALL_LAYERS, Scope, decided_layers, result_row
from corpusguard.model import DocumentResult, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sqlite_utils import Database

    from corpusguard.history.captures import Capture
    from corpusguard.history.records import FindingState
    from corpusguard.model import Finding


def follow(
    db: Database, scope: Scope, result: DocumentResult, *, asked_source: bool
) -> dict[str, FindingState]:
    """Move baselines and findings along with one result; return the state of each finding."""
    verified.record_passages(db, scope, result)
    verified.record_provisions(db, scope, result)
    decided = decided_layers(result)
    return lifecycle.record(db, scope, result.findings, decided, asked_source=asked_source)


def follow_run(db: Database, run: int, findings: Iterable[Finding]) -> dict[str, FindingState]:
    """Move the findings of runs as a whole along; return the state of each."""
    return lifecycle.record(db, Scope(run, "", ""), findings, ALL_LAYERS, asked_source=True)


def store_result(  # noqa: PLR0913 - what `History.record_document` takes, each named
    db: Database,
    scope: Scope,
    result: DocumentResult,
    *,
    input_key: str,
    asked_source: bool,
    captures: Sequence[Capture],
    store: str,
) -> dict[str, FindingState]:
    """Store the result of one document, inside the caller's transaction."""
    packed = pack(result)
    _store_payload(db, packed)
    states = follow(db, scope, result, asked_source=asked_source)
    sealed = {
        "sequence": _next_sequence(db, scope.run),
        "asked_source": int(asked_source),
        "store": store,
        "captures": json.dumps([asdict(capture) for capture in captures]),
        "leaves": len(result.states),
        "corpus_root": _corpus_root(db, scope, result, packed),
        "findings_root": findings_root(scope, result.findings, states),
        "counts": json.dumps(counts(result.findings)),
    }
    insert(db, "results", result_row(scope, result, input_key, packed, sealed))
    return states


def store_standing(  # noqa: PLR0913 - what `History.record_standing` takes, each named
    db: Database,
    scope: Scope,
    result: DocumentResult,
    *,
    of_run: int,
    input_key: str,
    asked_source: bool,
    captures: Sequence[Capture],
    store: str,
) -> dict[str, FindingState]:
    """Store that the newest result of a document stands, inside the caller's transaction.

    To follow a result twice in a row changes nothing but the run that saw it last, so neither its
    body nor the baselines need be looked at. `history verify`, which follows every result in full,
    finds it out if that is ever untrue.

    Raises:
        StorageError: The result of ``of_run`` is not the newest of the document.
    """
    newest = next(queries.newest(db, scope.document, scope.corpus), None)
    if newest is None or newest["run"] != of_run:
        raise StorageError(
            f"run {of_run} does not hold the newest result of {scope.document}",
            hint="another run began meanwhile: run again when it has ended",
        )
    verified.carry(db, scope, result)
    decided = decided_layers(result)
    states = lifecycle.record(db, scope, result.findings, decided, asked_source=asked_source)
    packed = Packed(newest["payload"], 0, b"", "")
    sealed = {
        "sequence": _next_sequence(db, scope.run),
        "asked_source": int(asked_source),
        "store": store,
        "captures": json.dumps([asdict(capture) for capture in captures]),
        "leaves": newest["leaves"],
        "corpus_root": newest["corpus_root"],
        "findings_root": findings_root(scope, result.findings, states),
        "counts": newest["counts"],
    }
    insert(db, "results", result_row(scope, result, input_key, packed, sealed))
    return states


def store_run_findings(
    db: Database, run: int, findings: Sequence[Finding]
) -> dict[str, FindingState]:
    """Store the findings of the run itself, inside the caller's transaction."""
    packed = pack(run_result(findings))
    _store_payload(db, packed)
    states = follow_run(db, run, findings)
    row = {
        "run": run,
        "sequence": _next_sequence(db, run),
        "payload": packed.digest,
        "findings_root": findings_root(Scope(run, "", ""), findings, states),
        "counts": json.dumps(counts(findings)),
    }
    insert(db, "run_findings", row)
    return states


def run_result(findings: Iterable[Finding]) -> DocumentResult:
    """Return findings that belong to no document in the shape in which payloads are packed."""
    return replace(_NO_DOCUMENT, findings=tuple(findings))


_NO_DOCUMENT = DocumentResult(id="", verdict=Verdict.UNVERIFIABLE, layers={}, findings=())


def _store_payload(db: Database, packed: Packed) -> None:
    # A trigger passes over a body that is there: nights without a change share it.
    db.execute(
        "INSERT INTO payloads (digest, size, body, stored) VALUES (?, ?, ?, ?)",
        [packed.digest, packed.size, packed.body, packed.stored],
    )
    held = db.execute("SELECT 1 FROM payloads WHERE digest = ?", [packed.digest]).fetchall()
    stored("payloads", len(held), 1)


def _next_sequence(db: Database, run: int) -> int:
    """Return the place of the next result in the order of the run: ids of findings follow it."""
    (last,) = db.execute(
        "SELECT max(coalesce((SELECT max(sequence) FROM results WHERE run = :run), 0),"
        " coalesce((SELECT sequence FROM run_findings WHERE run = :run), 0))",
        {"run": run},
    ).fetchone()
    return int(last) + 1


def _corpus_root(db: Database, scope: Scope, result: DocumentResult, packed: Packed) -> str:
    """Return the root over the passages, taken over from a night with the same payload."""
    row: tuple[Any, ...] | None = db.execute(
        "SELECT corpus_root FROM results WHERE document = ? AND corpus = ? AND payload = ?"
        " AND corpus_root != '' ORDER BY run DESC LIMIT 1",
        [scope.document, scope.corpus, packed.digest],
    ).fetchone()
    return str(row[0]) if row else root(passage_leaves(result.id, result.states))
