"""The state of now, computed again from what the runs stored.

``passages``, ``provisions`` and ``findings`` change from night to night, so no record can hold
them. But they follow from the stored results by the same code that moved them, run by run; what
differs from what comes out was put there by another hand.

One document at a time: its results, oldest first, are followed in a database in memory, compared,
and forgotten. Memory does not grow with the number of documents or nights.
"""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from sqlite_utils import Database

from corpusguard.errors import CorpusguardError
from corpusguard.evidence import root
from corpusguard.history.connection import FORGED
from corpusguard.history.payload import (
    Unpacked,
    digest_of,
    digest_of_bytes,
    finding_from_json,
    finding_json,
    unpack,
)
from corpusguard.history.recording import follow, follow_run
from corpusguard.history.records import Break
from corpusguard.history.roots import counts, findings_root, passage_leaves
from corpusguard.history.rows import Scope, storable, stored_result
from corpusguard.history.schema import make_state_tables

if TYPE_CHECKING:
    from collections.abc import Iterator

BAD: Final = (CorpusguardError, sqlite3.Error, *FORGED)
"""What forged rows can raise where each is to be named."""

_MOST: Final = 5
"""Rows of one table and document that are named; the others are counted."""

_SCOPES: Final = """
    SELECT corpus, document FROM results UNION SELECT corpus, document FROM passages
    UNION SELECT corpus, document FROM provisions UNION SELECT corpus, document FROM findings
    UNION SELECT '', '' ORDER BY document, corpus
"""
_RESULTS: Final = """
    SELECT r.*, p.size, p.body, p.stored FROM results r JOIN payloads p ON p.digest = r.payload
    WHERE r.document = ? AND r.corpus = ? ORDER BY r.run
"""
_OWN: Final = """
    SELECT f.*, p.size, p.body, p.stored
    FROM run_findings f JOIN payloads p ON p.digest = f.payload ORDER BY f.run
"""
_STATE: Final = {
    "passages": """
        SELECT id || ' #' || occurrence AS name, last_run AS run, id, occurrence, digest,
            since_run, last_run, state FROM passages WHERE document = ? AND corpus = ?
    """,
    "provisions": """
        SELECT pid AS name, since_run AS run, pid, digest, since_run FROM provisions
        WHERE document = ? AND corpus = ?
    """,
    "findings": """
        SELECT fingerprint AS name, last_run AS run, fingerprint, rule, layer, content,
            content_digest, state, first_run, last_run, resolved_run FROM findings
        WHERE document = ? AND corpus = ?
    """,
    "occurrences": """
        SELECT f.fingerprint || ' in run ' || o.run AS name, o.run AS run, o.state
        FROM occurrences o JOIN findings f ON f.id = o.finding
        WHERE f.document = ? AND f.corpus = ?
    """,
}


@dataclass(slots=True)
class Replay:
    """Follows a whole history again.

    Args:
        db: The history; only read.
    """

    db: Database
    sealed: list[Break] = field(default_factory=list)
    """Payloads, roots and counts that are not what the runs stored."""
    state: list[Break] = field(default_factory=list)
    """Rows of the state of now that do not follow from what was stored."""
    evidence: dict[str, int] = field(default_factory=dict)
    """Digest that a finding names as its evidence -> first run."""
    _first: dict[tuple[str, str, str], tuple[int, int, int]] = field(default_factory=dict)
    """Finding -> run, place of the result in it, place in the result: the order of ids."""

    def run(self) -> None:
        """Follow every document, compare, and fill ``sealed``, ``state`` and ``evidence``."""
        with Database(memory=True, execute_plugins=False, strict=True) as scratch:
            make_state_tables(scratch)
            # Foreign keys stay off in it: it holds one document at a time.
            # Of the runs only one thing matters here: whether anyone was told what they found.
            rows = self.db.execute("SELECT run, state = 'aborted' FROM runs").fetchall()
            scratch.conn.executemany(
                "INSERT INTO runs (run, state, started, layers, tool, config_digest)"
                " VALUES (?, iif(?, 'aborted', 'running'), '', '', '', '')",
                rows,
            )
            for corpus, document in self.db.execute(_SCOPES).fetchall():
                try:
                    self._scope(scratch, corpus, document)
                except BAD as error:
                    what = f"{document} of {corpus} cannot be computed again: {error}"
                    self.state.append(Break(0, "findings", what))
                for table in ("occurrences", "findings", "passages", "provisions"):
                    scratch.execute(f"DELETE FROM {table}")  # noqa: S608 - constants
        self._ids()

    def _scope(self, scratch: Database, corpus: str, document: str) -> None:
        if corpus or document:
            rows = self.db.query(_RESULTS, [document, corpus])
        else:
            rows = self.db.query(_OWN)
        digest, body, leaves_root = "", _NOTHING, ""
        for row in rows:
            scope = Scope(row["run"], corpus, document)
            try:
                if row["payload"] != digest:
                    body = _unpacked(row)
                    digest, leaves_root = row["payload"], ""
                leaves_root = leaves_root or root(passage_leaves(document, body.states))
                self._row(scratch, scope, row, body, leaves_root)
            except BAD as error:
                what = f"{_name(scope)}: {error}"
                self.sealed.append(Break(scope.run, "payloads", what))
        for table, sql in _STATE.items():
            expected = {row["name"]: row for row in scratch.query(sql, [document, corpus])}
            found = {row["name"]: row for row in self.db.query(sql, [document, corpus])}
            self._compare(table, _name(Scope(0, corpus, document)), expected, found)

    def _row(
        self, scratch: Database, scope: Scope, row: dict[str, Any], body: Unpacked, leaves_root: str
    ) -> None:
        """Follow one result, and compare what was sealed with it."""
        if "corpus" in row:
            table = "results"
            result = stored_result(row, body).result
            states = follow(scratch, scope, result, asked_source=bool(row["asked_source"]))
            expected: dict[str, Any] = {"corpus_root": leaves_root, "leaves": len(body.states)}
        else:
            table, expected = "run_findings", {}
            states = follow_run(scratch, scope.run, body.findings)
        expected["findings_root"] = findings_root(scope, body.findings, states)
        expected["counts"] = json.dumps(counts(body.findings))
        self.sealed += [
            Break(scope.run, table, f"{_name(scope)}: {key} is {row[key]!r}, computed {value!r}")
            for key, value in expected.items()
            if row[key] != value
        ]
        for place, finding in enumerate(body.findings):
            about = (scope.corpus, scope.document, storable(finding.fingerprint))
            self._first.setdefault(about, (scope.run, row["sequence"], place))
            for digest in finding.evidence:
                self.evidence.setdefault(digest, scope.run)

    def _compare(
        self,
        table: str,
        scope: str,
        expected: dict[str, dict[str, Any]],
        found: dict[str, dict[str, Any]],
    ) -> None:
        wrong = []
        for name in sorted(expected.keys() | found.keys()):
            ours, theirs = expected.get(name), found.get(name)
            if ours is None or theirs is None:
                run = (ours or theirs or {"run": 0})["run"]
                said = "does not follow from any run" if ours is None else "is gone"
                wrong.append(Break(run, table, f"{scope}: {name} {said}"))
                continue
            wrong += [
                Break(ours["run"], table, f"{scope}: {name}: {said}")
                for said in _differs(table, ours, theirs)
            ]
        self.state += wrong[:_MOST]
        if len(wrong) > _MOST:
            more = len(wrong) - _MOST
            self.state.append(Break(wrong[_MOST].run, table, f"{scope}: {more} more rows differ"))

    def _ids(self) -> None:
        """Compare the ids of findings: they count up in the order in which runs first saw them."""
        order = sorted(self._first, key=self._first.__getitem__)
        expected = {about: number for number, about in enumerate(order, 1)}
        rows = self.db.execute("SELECT corpus, document, fingerprint, id FROM findings").fetchall()
        self.state += [
            Break(self._first[tuple(about)][0], "findings", f"{about[2]}: its id is {number}")
            for *about, number in rows
            if expected.get(tuple(about), number) != number
        ][:_MOST]


_NOTHING: Final = Unpacked((), (), {})


def _name(scope: Scope) -> str:
    if not (scope.corpus or scope.document):
        return "findings of the run itself"
    return f"{scope.document} of corpus {scope.corpus}"


def _unpacked(row: dict[str, Any]) -> Unpacked:
    if digest_of_bytes(row["body"]) != row["stored"]:
        raise ValueError(f"the body of payload {row['payload']} is not the one that was stored")
    return unpack(row["payload"], row["size"], row["body"])


def _differs(table: str, ours: dict[str, Any], theirs: dict[str, Any]) -> Iterator[str]:
    """Yield what differs in two rows."""
    skipped = {"run"}
    if table == "findings":
        # As values: an earlier version of a finding may have had fewer fields.
        skipped |= {"content", "content_digest"}
        if digest_of(theirs["content"]) != theirs["content_digest"]:
            yield "content is not what its digest says"
        elif finding_json(finding_from_json(theirs["content"])) != ours["content"]:
            yield "content is not what the run stored"
    for key in (key for key in ours if key not in skipped):
        if (type(ours[key]), ours[key]) != (type(theirs[key]), theirs[key]):
            yield f"{key} is {theirs[key]!r}, computed {ours[key]!r}"
