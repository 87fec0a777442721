"""The life of a finding: new, open, resolved, regressed.

A finding is resolved only by a run that looked for it: its layer reached a verdict, or, where it
belongs to no layer, the document was not unverifiable and, for a fault of the source, the source
was asked. A run that did not look changes nothing.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from corpusguard.errors import StorageError
from corpusguard.history.connection import stored
from corpusguard.history.payload import digest_of, finding_json
from corpusguard.history.records import FindingState
from corpusguard.history.rows import storable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from sqlite_utils import Database

    from corpusguard.history.rows import Scope
    from corpusguard.model import Finding

_FRESH: Final = frozenset({FindingState.NEW, FindingState.REGRESSED})

_OF_THE_BYTES: Final = frozenset({"CG507", "CG508"})
"""CG5xx that come from reading bytes at hand; the others can only be seen by asking the source."""


def next_state(before: FindingState | None, *, unreported: bool) -> FindingState:
    """Return the state of a finding that a run sees.

    Args:
        before: Its state so far; None if history does not know it.
        unreported: The run that saw it last was aborted, so no one was told yet: what was new or
            back then still is.
    """
    if before is None:
        return FindingState.NEW
    if before is FindingState.RESOLVED:
        return FindingState.REGRESSED
    if before in _FRESH and unreported:
        return before
    return FindingState.OPEN


def may_resolve(rule: str, layer: str, decided: Collection[str], *, asked_source: bool) -> bool:
    """Tell whether a run that does not see a finding has shown that it is gone.

    Args:
        rule: Rule id of the finding.
        layer: Its layer, empty for none.
        decided: Layers that reached a verdict in this run; empty for an unverifiable document.
        asked_source: Whether this run asked the official source.
    """
    if layer:
        return layer in decided
    if not decided:
        return False
    return asked_source or not rule.startswith("CG5") or rule in _OF_THE_BYTES


def awaits_source(rule: str, layer: str) -> bool:
    """Tell whether only a run that asks the official source can show that a finding is gone."""
    return not may_resolve(rule, layer, (layer or "any",), asked_source=False)


def record(
    db: Database,
    scope: Scope,
    findings: Iterable[Finding],
    decided: Collection[str],
    *,
    asked_source: bool,
) -> dict[str, FindingState]:
    """Store the findings of one document and move the others of that document along.

    Runs inside the caller's transaction.

    Returns:
        Fingerprint -> new, open or regressed, for each finding given.

    Raises:
        StorageError: A finding has no fingerprint, so its life cannot be followed.
    """
    known = _known(db, scope)
    aborted = {row[0] for row in db.execute("SELECT run FROM runs WHERE state = 'aborted'")}
    (last_id,) = db.execute("SELECT coalesce(max(id), 0) FROM findings").fetchone()
    states: dict[str, FindingState] = {}
    seen: dict[str, FindingState] = {}
    changed: list[dict[str, Any]] = []
    occurrences: list[dict[str, Any]] = []
    for finding in findings:
        if not finding.fingerprint:
            raise StorageError(
                f"a {finding.rule} finding of {scope.document} has no fingerprint",
                hint="this is a fault of corpusguard: please report it",
            )
        key = storable(finding.fingerprint)
        if key in seen:
            states[finding.fingerprint] = seen[key]
            continue
        row = known.get(key)
        before = None if row is None else FindingState(row["state"])
        unreported = row is not None and row["last_run"] in aborted
        state = next_state(before, unreported=unreported)
        states[finding.fingerprint] = seen[key] = state
        content = finding_json(finding)
        digest = digest_of(content)
        if row is None:
            last_id += 1
            row = {"id": last_id, "first_run": scope.run, "content_digest": ""}
        if row["content_digest"] != digest:
            changed.append(
                {
                    "id": row["id"],
                    "corpus": scope.corpus,
                    "document": scope.document,
                    "fingerprint": key,
                    "rule": finding.rule,
                    "layer": str(finding.layer or ""),
                    "content": content,
                    "content_digest": digest,
                    "state": str(state),
                    "first_run": row["first_run"],
                    "last_run": scope.run,
                    "resolved_run": None,
                }
            )
        occurrences.append({"run": scope.run, "finding": row["id"], "state": str(state)})
    db.table("findings").upsert_all(changed, pk="id")
    db.table("occurrences").insert_all(occurrences)
    held = db.execute(
        "SELECT count(*) FROM occurrences WHERE run = ? AND finding IN"
        " (SELECT value FROM json_each(?))",
        [scope.run, json.dumps([one["finding"] for one in occurrences])],
    ).fetchone()[0]
    stored("occurrences", held, len(occurrences))
    _settle(db, scope)
    gone = [
        row["id"]
        for key, row in known.items()
        if key not in seen
        and row["state"] != FindingState.RESOLVED
        and may_resolve(row["rule"], row["layer"], decided, asked_source=asked_source)
    ]
    db.execute(
        "UPDATE findings SET state = 'resolved', resolved_run = :run"
        " WHERE id IN (SELECT value FROM json_each(:ids))",
        {"run": scope.run, "ids": json.dumps(gone)},
    )
    return states


def _known(db: Database, scope: Scope) -> dict[str, dict[str, Any]]:
    """Return what history knows of the scope's findings, by fingerprint."""
    rows = db.query(
        "SELECT id, fingerprint, rule, layer, content_digest, state, first_run, last_run"
        " FROM findings WHERE corpus = :corpus AND document = :document",
        {"corpus": scope.corpus, "document": scope.document},
    )
    return {row["fingerprint"]: row for row in rows}


def _settle(db: Database, scope: Scope) -> None:
    """Bring the scope's findings to the state that this run gave them, in one statement.

    On a night like the last one this is all that happens to them: no text is written again.
    """
    db.execute(
        "UPDATE findings SET last_run = :run, resolved_run = NULL, state = ("
        "   SELECT o.state FROM occurrences o WHERE o.run = :run AND o.finding = findings.id)"
        " WHERE corpus = :corpus AND document = :document AND id IN ("
        "   SELECT finding FROM occurrences WHERE run = :run)",
        {"run": scope.run, "corpus": scope.corpus, "document": scope.document},
    )
