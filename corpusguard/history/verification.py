"""`history verify`: everything computed again, and the first thing that is not as it was sealed.

1. the file: SQLite's own check, references, tables and triggers, the list of migrations; and the
   decisions of the gate, each with the hash of the one before;
2. run by run: the link to the record before, the record's hash, and the record made again from the
   tables; and the payloads, roots and counts that it rests on;
3. the snapshots and capture records that results name;
4. the state of now, followed again from the first run on.

What this cannot see is a chain whose end was cut off, or one that was written anew from beginning
to end: that takes a head that was kept elsewhere.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from corpusguard.errors import EvidenceMissing
from corpusguard.evidence import GENESIS, canonical, differences, head_of
from corpusguard.history import chain, decisions
from corpusguard.history.captures import record_digest
from corpusguard.history.layout import expected, layout
from corpusguard.history.payload import digest_of_bytes
from corpusguard.history.records import Audit, Break
from corpusguard.history.replay import BAD, Replay
from corpusguard.history.rows import run_record
from corpusguard.history.schema import KNOWN, MIGRATIONS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from sqlite_utils import Database

    from corpusguard.history.captures import SnapshotBytes

_MOST: Final = 20
"""Differences of one record that are named."""

_EVIDENCE_OF_RUN: Final = "SELECT run, snapshot, snapshots, captures FROM results WHERE run = ?"

_ORPHANS: Final = {
    "payloads": "SELECT digest FROM payloads EXCEPT SELECT payload FROM results"
    " EXCEPT SELECT payload FROM run_findings",
    "scopes": "SELECT digest FROM scopes EXCEPT SELECT scope FROM runs",
    "suppressions": "SELECT digest FROM suppressions EXCEPT SELECT suppressions FROM runs",
    "readings": "SELECT id FROM readings WHERE run < 1"
    " OR run > (SELECT coalesce(max(run), 0) + 1 FROM runs)",
}


def verify(db: Database, snapshots: SnapshotBytes | None) -> Audit:
    """Check a whole history; see ``History.verify_all``."""
    before = db.conn.text_factory
    # Bytes that are not UTF-8 are a finding, not a failure to read.
    db.conn.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
    try:
        decided, checked = decisions.audit(db)
        whole = [*_file(db), *decided]
        heads, unsealed, sealed = _chain(db)
        replay = Replay(db)
        replay.run()
        evidence = _Evidence(snapshots)
        if snapshots is not None:
            evidence.check(db, replay.evidence)
    finally:
        db.conn.text_factory = before
    by_run = sorted([*sealed, *replay.sealed, *evidence.breaks], key=lambda one: one.run)
    state = sorted(replay.state, key=lambda one: one.run)
    return Audit(
        breaks=(*whole, *by_run, *state),
        heads=tuple(heads),
        snapshots=evidence.read,
        unsealed=tuple(unsealed),
        decisions=checked,
    )


def verify_relied(
    db: Database, runs: Collection[int], snapshots: SnapshotBytes | None
) -> tuple[Break, ...]:
    """Check the whole chain, and the evidence of the runs that someone is about to rely on.

    Every record is made again from the tables; of ``runs``, the stored bodies, snapshots and
    capture records are read and hashed too. The state of now and the bodies of other runs are left
    to ``verify``: nothing here rests on them, and the work grows with the records alone.
    """
    before = db.conn.text_factory
    db.conn.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
    try:
        _, _, breaks = _chain(db)
        evidence = _Evidence(snapshots)
        for run in sorted(runs):
            breaks += _bodies(db, run)
            rows = db.execute(_EVIDENCE_OF_RUN, [run]).fetchall()
            evidence.check_rows(rows)
    finally:
        db.conn.text_factory = before
    return (*breaks, *evidence.breaks)


def _bodies(db: Database, run: int) -> Iterator[Break]:
    """Yield where the compressed body of a result is not the one that its record names."""
    rows = db.execute(
        "SELECT p.digest, p.stored, p.body FROM payloads p WHERE p.digest IN"
        " (SELECT payload FROM results WHERE run = ?)",
        [run],
    )
    for digest, stored, body in rows:
        if not isinstance(body, bytes) or digest_of_bytes(body) != stored:
            yield Break(run, "payloads", f"the body {digest} is not the one that was stored")


def _file(db: Database) -> Iterator[Break]:
    for row in db.execute("PRAGMA integrity_check").fetchall():
        if row[0] != "ok":
            yield Break(0, "file", str(row[0]))
    for table, _, parent, _ in db.execute("PRAGMA foreign_key_check").fetchall():
        yield Break(0, str(table), f"a row refers to a row of {parent} that is not there")
    ours, found = expected(), layout(db)
    for name in sorted(ours.keys() | found.keys()):
        if ours.get(name) != found.get(name):
            yield Break(0, "file", f"{' '.join(name)} is not as this version makes it")
    names = [(own, name) for _, own, name, _ in chain.migrations(db)]
    if sorted(names) != sorted((MIGRATIONS.name, name) for name in KNOWN):
        yield Break(0, "_sqlite_migrations", f"its rows are {names}")
    counters = db.execute("SELECT name, seq FROM sqlite_sequence").fetchall()
    (last,) = db.execute("SELECT max(run) FROM runs").fetchone()
    if counters != ([] if last is None else [("runs", last)]):
        yield Break(0, "sqlite_sequence", f"it says {counters}, the last run is {last}")
    for table, sql in _ORPHANS.items():
        for (name,) in db.execute(sql).fetchall()[:_MOST]:
            yield Break(0, table, f"{name} belongs to no run")


def _chain(db: Database) -> tuple[list[tuple[int, str]], list[int], list[Break]]:
    """Return the heads, the runs without a record, and what is broken."""
    heads: list[tuple[int, str]] = []
    unsealed: list[int] = []
    breaks: list[Break] = []
    previous = GENESIS
    rows = db.execute(
        "SELECT runs.run, runs.state, chain.record, chain.head"
        " FROM runs LEFT JOIN chain ON chain.run = runs.run ORDER BY runs.run"
    )
    for place, (run, state, record, head) in enumerate(rows, 1):
        if run != place:
            breaks.append(Break(place, "runs", f"the {place}th run has the number {run}"))
        if record is None:
            if state == "running":
                unsealed.append(run)
                breaks += _running(db, run, previous)
            else:
                breaks.append(Break(run, "chain", "the run has ended, and has no record"))
            continue
        computed = head_of(record.encode("utf-8", "surrogateescape"))
        heads.append((run, computed))
        if computed != head:
            breaks.append(Break(run, "chain", f"the record's hash is {computed}, stored is {head}"))
        try:
            breaks += _record(db, run, record, previous)
        except BAD as error:
            breaks.append(Break(run, "runs", f"the record cannot be made again: {error}"))
        previous = computed.removeprefix("sha256:")
    return heads, unsealed, breaks


def _running(db: Database, run: int, previous: str) -> Iterator[Break]:
    """Yield why a run that has not ended cannot be one: nothing is sealed of it yet."""
    try:
        found = run_record(next(db.query("SELECT * FROM runs WHERE run = ?", [run])))
        if found.finished or found.verdict is not None or found.exit_code is not None:
            yield Break(run, "runs", "it has not ended, and says how it ended")
        # What the next run will seal of it must be what can be sealed.
        canonical(chain.build(db, run, previous))
    except BAD as error:
        yield Break(run, "runs", f"it has not ended, and cannot be sealed: {error}")
    for (later,) in db.execute("SELECT min(run) FROM runs WHERE run > ?", [run]).fetchall():
        if later is not None:
            yield Break(run, "runs", f"it has not ended, but run {later} has begun since")


def _record(db: Database, run: int, record: str, previous: str) -> Iterator[Break]:
    """Yield where a record does not follow from the one before and from the tables."""
    sealed: dict[str, Any] = json.loads(record)
    if not isinstance(sealed, dict) or canonical(sealed) != record.encode():
        yield Break(run, "chain", "the record is not canonical JSON")
        return
    found = chain.build(db, run, previous)
    then = sealed.get("migrations")
    if isinstance(then, list) and found["migrations"][: len(then)] == then:
        found["migrations"] = then  # the file was migrated since
    if sealed.get("previous") != previous:
        yield Break(run, "chain", "the record does not follow the one before it")
        found["previous"] = sealed.get("previous")
    for number, said in enumerate(differences(sealed, found)):
        if number == _MOST:
            yield Break(run, "results", "and more")
            return
        yield Break(run, _table(said), said)


def _table(said: str) -> str:
    """Return the table that a difference is about."""
    words = {
        "readings": "readings",
        "run_findings": "run_findings",
        "migrations": "_sqlite_migrations",
        "scope": "scopes",
        "suppressions": "suppressions",
    }
    key = said.split(" ", 1)[0]
    known = {"schema", "run", "state", "verdict", "exit_code", "started", "finished", "tool"}
    if key in known | {"versions", "schedule", "config", "layers"}:
        return "runs"
    return words.get(key, "results")


class _Evidence:
    """Reads each snapshot and each capture record that results name, once."""

    def __init__(self, store: SnapshotBytes | None) -> None:
        self._store = store
        self._seen: set[object] = set()
        self.breaks: list[Break] = []
        self.read = 0

    def check(self, db: Database, named: dict[str, int]) -> None:
        """Check all that results name, and what findings name beside."""
        self.check_rows(
            db.execute("SELECT run, snapshot, snapshots, captures FROM results ORDER BY run")
        )
        for digest, run in named.items():
            if digest not in self._seen:
                self._snapshot(run, digest)

    def check_rows(self, rows: Iterable[tuple[Any, ...]]) -> None:
        """Check what rows of (run, snapshot, snapshots, captures) name."""
        for run, snapshot, snapshots, captures in rows:
            try:
                for digest in (snapshot, *json.loads(snapshots)):
                    if digest and digest not in self._seen:
                        self._seen.add(digest)
                        self._snapshot(run, digest)
                for capture in json.loads(captures):
                    bound = (capture["record"], capture["digest"])
                    if bound not in self._seen:
                        self._seen.add(bound)
                        self._record(run, *bound)
            except BAD as error:
                self.breaks.append(Break(run, "results", f"its evidence cannot be read: {error}"))

    def _snapshot(self, run: int, digest: str) -> None:
        if self._store is None:
            return
        self.read += 1
        try:
            self._store.read(digest)
        except EvidenceMissing as error:
            self.breaks.append(Break(run, "snapshots", error.message, "CG701"))

    def _record(self, run: int, record: str, digest: str) -> None:
        if self._store is None:
            return
        self.read += 1
        try:
            found = record_digest(self._store.root, record)
        except EvidenceMissing as error:
            self.breaks.append(Break(run, "records", error.message, "CG701"))
            return
        if found != digest:
            what = f"the capture record {record} is not the one that the run saw"
            self.breaks.append(Break(run, "records", what, "CG701"))
