"""The history of a project's runs: what was verified when, what is wrong since when.

Invariants
----------
* A run is ``running`` until it is finished; one that died is marked ``aborted`` when the next one
  begins, and never counts as a pass.
* The result of one document is stored in one transaction, or not at all.
* A run changes only what it looked at (see ``lifecycle`` and ``verified``).
* No clock is read here: times are the caller's, UTC in ISO 8601 with ``Z``. Order is by run
  number.

    with History.open(path) as history:
        run = history.begin_run(("L1", "L2", "L3"), tool, config_digest, started)
        states = history.record_document(run, "tenancy", result, input_key=key)
        history.finish_run(run, verdict, finished, exit_code=0)

One writer at a time: ``begin_run`` takes for granted that the caller holds the run lock.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Self

from corpusguard.errors import StorageError
from corpusguard.history import lifecycle, queries, verified
from corpusguard.history.audit import problems
from corpusguard.history.connection import connect, translated, write
from corpusguard.history.payload import pack
from corpusguard.history.records import FindingState, RunState
from corpusguard.history.rows import ALL_LAYERS, Scope, decided_layers, result_row, storable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from pathlib import Path
    from types import TracebackType

    from sqlite_utils import Database

    from corpusguard.history.records import (
        FindingRecord,
        LastGood,
        PassageBaseline,
        PassageKey,
        ReadingRecord,
        RunRecord,
        StoredResult,
    )
    from corpusguard.model import DocumentResult, Finding, Verdict


class History:
    """A history file, opened by ``History.open``; belongs to the thread that opened it.

    Every method raises ``HistoryBroken`` where the file is not what it was, and ``StorageError``
    where it cannot be read or written now.
    """

    def __init__(self, path: Path, db: Database) -> None:
        self.path = path
        self._db = db

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open the history at ``path``, making it when missing, and check that it is sound.

        Raises:
            HistoryBroken: Damaged, another program's file, or one of a newer corpusguard.
            StorageError: The folder or file cannot be made, read or written.
        """
        return cls(path, connect(path))

    def close(self) -> None:
        """Close the file; an open transaction is undone."""
        self._db.close()

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the file."""
        self.close()

    # Runs

    def begin_run(
        self,
        layers: Sequence[str],
        tool: str,
        config_digest: str,
        started: str,
        *,
        schedule: str = "",
    ) -> int:
        """Begin a run, mark those that died as aborted, and return its number."""
        with self._writing("begin a run"):
            self._db.execute("UPDATE runs SET state = 'aborted' WHERE state = 'running'")
            cursor = self._db.execute(
                "INSERT INTO runs (started, state, layers, tool, config_digest, schedule)"
                " VALUES (?, 'running', ?, ?, ?, ?)",
                [started, json.dumps(list(layers)), tool, config_digest, storable(schedule)],
            )
            number = cursor.lastrowid
        if number is None:  # SQLite always gives one; the type does not know it.
            raise StorageError(f"{self.path}: the run got no number")
        return number

    def finish_run(self, run: int, verdict: Verdict, finished: str, exit_code: int) -> None:
        """Mark ``run`` as finished.

        Raises:
            StorageError: It is not running: another run began meanwhile, or it was ended before.
        """
        self._end(run, RunState.FINISHED, verdict, finished, exit_code)

    def abort_run(self, run: int, finished: str, exit_code: int) -> None:
        """Mark ``run`` as aborted, for one that is interrupted and can still say so."""
        self._end(run, RunState.ABORTED, None, finished, exit_code)

    def _end(
        self, run: int, state: RunState, verdict: Verdict | None, finished: str, exit_code: int
    ) -> None:
        with self._writing(f"end run {run}"):
            self._require_running(run)
            self._db.execute(
                "UPDATE runs SET state = ?, verdict = ?, finished = ?, exit_code = ? WHERE run = ?",
                [str(state), None if verdict is None else str(verdict), finished, exit_code, run],
            )

    # Recording

    def record_document(
        self,
        run: int,
        corpus: str,
        result: DocumentResult,
        *,
        input_key: str = "",
        asked_source: bool = True,
    ) -> dict[str, FindingState]:
        """Store all that ``run`` says of one document of one corpus, in one transaction.

        Args:
            run: Number from ``begin_run``; it must still be running.
            corpus: Name of the corpus.
            result: What the run says. Its findings must carry fingerprints.
            input_key: Digest over all that the result follows from (bytes, corpus, recipe,
                configuration, versions); empty: never to be reused.
            asked_source: False for an offline run, which cannot show that a fault of the source
                (CG501 and its like) is over.

        Returns:
            Fingerprint -> new, open or regressed, for each finding of the result.
        """
        scope = Scope(run, storable(corpus), storable(result.id))
        packed = pack(result)
        with self._writing(f"store {result.id}"):
            self._require_running(run)
            self._require_unrecorded(scope)
            self._db.execute(
                "INSERT INTO payloads (digest, size, body) VALUES (?, ?, ?)"
                " ON CONFLICT (digest) DO NOTHING",
                [packed.digest, packed.size, packed.body],
            )
            self._db.table("results").insert(result_row(scope, result, input_key, packed))
            verified.record_passages(self._db, scope, result)
            verified.record_provisions(self._db, scope, result)
            return lifecycle.record(
                self._db,
                scope,
                result.findings,
                decided_layers(result),
                asked_source=asked_source,
            )

    def record_run_findings(self, run: int, findings: Iterable[Finding]) -> dict[str, FindingState]:
        """Store the findings of the run itself (nothing in scope, clock skew, unused ignores).

        Call it once a run, with no findings too: those of earlier runs are then resolved.
        """
        with self._writing(f"store the findings of run {run}"):
            self._require_running(run)
            scope = Scope(run, "", "")
            return lifecycle.record(self._db, scope, findings, ALL_LAYERS, asked_source=True)

    def set_reading(
        self, snapshot: str, *, document: str, captured: str, reading_digest: str, reader: str
    ) -> None:
        """Remember how a snapshot was read, in place of how it was read before."""
        with self._writing(f"store the reading of {snapshot}"):
            self._db.execute(
                "INSERT INTO readings (snapshot, document, captured, reading_digest, reader)"
                " VALUES (?, ?, ?, ?, ?) ON CONFLICT (snapshot) DO UPDATE SET"
                " reading_digest = excluded.reading_digest, reader = excluded.reader",
                [snapshot, storable(document), captured, reading_digest, reader],
            )

    # Questions

    def run(self, number: int) -> RunRecord | None:
        """Return run ``number``, or None."""
        with self._reading():
            return queries.run(self._db, number)

    def runs(self, limit: int = 50) -> list[RunRecord]:
        """Return the newest runs of any state, newest first."""
        with self._reading():
            return queries.runs(self._db, limit)

    def runs_of_schedule(self, schedule: str, limit: int = 10) -> list[RunRecord]:
        """Return the newest runs of a schedule, of any state, newest first."""
        with self._reading():
            return queries.runs_of_schedule(self._db, schedule, limit)

    def last_run(self) -> RunRecord | None:
        """Return the newest *finished* run: the one to report on."""
        with self._reading():
            return queries.last_finished(self._db)

    def document_results(self, run: int) -> list[StoredResult]:
        """Return every result of a run, whole, by document and corpus."""
        with self._reading():
            return queries.results(self._db, run)

    def reusable(self, document: str, corpus: str, input_key: str) -> StoredResult | None:
        """Return the newest decided result of a document, if its input was equal: nothing changed.

        Never an older one: a text that was wrong, then right, and is now wrong in the same way has
        another cause than it had the first time. A result of an aborted run counts: it was stored
        whole, and its run can so be resumed. Unverifiable ones are passed over. The run that
        computed it is ``result.reused_from`` where that is set, else ``run``.
        """
        with self._reading():
            return queries.reusable(self._db, document, corpus, input_key)

    def last_good(
        self, document: str, corpus: str, layers: Collection[str] = ALL_LAYERS
    ) -> LastGood | None:
        """Return the newest finished run in which each of ``layers`` verified the document."""
        with self._reading():
            return queries.last_good(self._db, document, corpus, layers)

    def verified_passages(self, document: str, corpus: str) -> dict[PassageKey, PassageBaseline]:
        """Return what each passage said when it last verified, also where it no longer does.

        Returns:
            (native id, occurrence) -> baseline, keyed as ``passage_keys`` keys the rows of today.
        """
        with self._reading():
            return queries.verified_passages(self._db, document, corpus)

    def verified_provisions(self, document: str, corpus: str) -> dict[str, str]:
        """Return pid -> digest of each provision's own text when stored text last agreed."""
        with self._reading():
            return queries.verified_provisions(self._db, document, corpus)

    def reading(self, snapshot: str) -> ReadingRecord | None:
        """Return how a snapshot was last read, or None."""
        with self._reading():
            return queries.reading(self._db, snapshot)

    def findings(  # noqa: PLR0913 - the filters that `findings list` offers
        self,
        *,
        run: int | None = None,
        state: FindingState | None = None,
        rule: str | None = None,
        document: str | None = None,
        corpus: str | None = None,
        limit: int = 10_000,
    ) -> list[FindingRecord]:
        """Return findings by document, corpus and age.

        With ``run``, those that occurred in it or were resolved by it, in the state that it gave
        them (their text is the latest; ``document_results`` has it as it was). Without, all, in
        the state of now.
        """
        with self._reading():
            return queries.findings(
                self._db,
                run=run,
                state=state,
                rule=rule,
                document=document,
                corpus=corpus,
                limit=limit,
            )

    def finding(self, prefix: str) -> FindingRecord:
        """Return the finding whose fingerprint begins with ``prefix``.

        Where several corpora have one finding, the one seen last.

        Raises:
            ConfigError: None has, or several have.
        """
        with self._reading():
            return queries.finding(self._db, prefix)

    def problems(self) -> list[str]:
        """Check the whole file, slowly, and return what is wrong; for `history verify`."""
        with self._reading():
            return problems(self._db)

    # Inside

    @contextmanager
    def _writing(self, doing: str) -> Iterator[None]:
        with translated(self.path, doing), write(self._db):
            yield

    @contextmanager
    def _reading(self) -> Iterator[None]:
        with translated(self.path, "read it"):
            yield

    def _require_running(self, run: int) -> None:
        record = queries.run(self._db, run)
        if record is None or record.state is not RunState.RUNNING:
            state = "unknown" if record is None else str(record.state)
            raise StorageError(
                f"{self.path}: run {run} is {state}, so nothing can be added to it",
                hint="another run began meanwhile: run again when it has ended",
            )

    def _require_unrecorded(self, scope: Scope) -> None:
        row = self._db.execute(
            "SELECT 1 FROM results WHERE run = ? AND corpus = ? AND document = ?",
            [scope.run, scope.corpus, scope.document],
        ).fetchone()
        if row is not None:
            raise StorageError(
                f"run {scope.run} has already stored {scope.document} of {scope.corpus}",
                hint="name each corpus once in the configuration",
            )
