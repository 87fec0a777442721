"""The history of a project's runs: what was verified when, what is wrong since when.

Invariants
----------
* A run is ``running`` until it is finished; one that died is marked ``aborted`` when the next one
  begins, and never counts as a pass.
* The result of one document is stored in one transaction, or not at all.
* A run changes only what it looked at (see ``lifecycle`` and ``verified``).
* The transaction that ends a run adds its record to the chain (see ``chain``); rows of a run that
  has ended are never changed again, and triggers refuse it.
* No clock is read here: times are the caller's, UTC in ISO 8601 with ``Z``. Order is by run
  number.

    with History.open(path) as history:
        run = history.begin_run(("L1", "L2", "L3"), tool, config_digest, started)
        states = history.record_document(run, "tenancy", result, input_key=key)
        head = history.finish_run(run, verdict, finished, exit_code=0)

One writer at a time: ``begin_run`` takes for granted that the caller holds the run lock.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Self

from corpusguard.errors import ConfigError, StorageError
from corpusguard.evidence import canonical
from corpusguard.history import chain, decisions, proofs, queries, recording
from corpusguard.history.audit import problems
from corpusguard.history.connection import connect, insert, stored, translated, write
from corpusguard.history.records import FindingState, RunState
from corpusguard.history.rows import ALL_LAYERS, Scope, storable
from corpusguard.history.verification import verify, verify_relied

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path
    from types import TracebackType

    from sqlite_utils import Database

    from corpusguard.history.captures import Capture, SnapshotBytes
    from corpusguard.history.records import (
        Audit,
        Break,
        DecisionRecord,
        FindingRecord,
        LastGood,
        PassageBaseline,
        PassageKey,
        PassageStanding,
        ReadingRecord,
        RunRecord,
        StoredResult,
        VerifiedRows,
    )
    from corpusguard.model import DocumentResult, Finding, PassageState, Verdict


class History:
    """A history file, opened by ``History.open``; belongs to the thread that opened it.

    Every method raises ``HistoryBroken`` where the file is not what it was, and ``StorageError``
    where it cannot be read or written now.
    """

    def __init__(self, path: Path, db: Database) -> None:
        self.path = path
        self._db = db

    @classmethod
    def open(cls, path: Path, *, make: bool = True) -> Self:
        """Open the history at ``path``, and check that it is sound.

        Args:
            path: The file.
            make: Whether it is made when missing.

        Raises:
            HistoryBroken: Damaged, empty, another program's file, one of a newer corpusguard, or
                missing where it may not be made.
            StorageError: The folder or file cannot be made, read or written.
        """
        return cls(path, connect(path, make=make))

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

    def begin_run(  # noqa: PLR0913 - the facts of a run, each named
        self,
        layers: Sequence[str],
        tool: str,
        config_digest: str,
        started: str,
        versions: Sequence[str] = (),
        schedule: str = "",
    ) -> int:
        """Begin a run, mark those that died as aborted and seal them, and return its number.

        Args:
            layers: Layers that it will run.
            tool: Name and version of the program.
            config_digest: Digest over the configuration.
            started: UTC, ISO 8601, ``Z``.
            versions: Names and versions of the libraries that readings depend on.
            schedule: Name of the schedule that it runs for, if any.
        """
        with self._writing("begin a run"):
            died = self._db.execute("SELECT run FROM runs WHERE state = 'running' ORDER BY run")
            for (run,) in died.fetchall():
                done = self._db.execute("UPDATE runs SET state = 'aborted' WHERE run = ?", [run])
                stored("runs", done.rowcount, 1)
                chain.seal(self._db, run)
            row = {
                "started": started,
                "state": "running",
                "layers": json.dumps(list(layers)),
                "tool": tool,
                "config_digest": config_digest,
                "versions": json.dumps(list(versions)),
                "schedule": storable(schedule),
            }
            return insert(self._db, "runs", row)

    def set_scope(self, run: int, pairs: Iterable[tuple[str, str]]) -> None:
        """Say which documents of which corpora ``run`` is to look at: (corpus, document).

        Raises:
            StorageError: The run is not running.
        """
        named = sorted({(storable(corpus), storable(document)) for corpus, document in pairs})
        text = json.dumps(named)
        digest = chain.scope_digest(text)
        with self._writing(f"store the scope of run {run}"):
            self._require_running(run)
            self._db.execute("INSERT INTO scopes (digest, pairs) VALUES (?, ?)", [digest, text])
            done = self._db.execute("UPDATE runs SET scope = ? WHERE run = ?", [digest, run])
            stored("runs", done.rowcount, 1)

    def set_suppressions(self, run: int, record: Mapping[str, Any]) -> str:
        """Keep which findings of ``run`` are ignored or known, and why; return the digest.

        Args:
            run: Number from ``begin_run``; it must still be running.
            record: As ``corpusguard.ignores`` makes it: JSON without floats.
        """
        body = canonical(dict(record)).decode()
        digest = chain.suppressions_digest(body)
        with self._writing(f"store the suppressions of run {run}"):
            self._require_running(run)
            self._db.execute(
                "INSERT INTO suppressions (digest, body) VALUES (?, ?)", [digest, body]
            )
            done = self._db.execute("UPDATE runs SET suppressions = ? WHERE run = ?", [digest, run])
            stored("runs", done.rowcount, 1)
        return digest

    def finish_run(self, run: int, verdict: Verdict, finished: str, exit_code: int) -> str:
        """Mark ``run`` as finished, seal it, and return the head of the chain.

        Raises:
            StorageError: It is not running: another run began meanwhile, or it was ended before.
        """
        return self._end(run, RunState.FINISHED, verdict, finished, exit_code)

    def abort_run(self, run: int, finished: str, exit_code: int) -> str:
        """Mark ``run`` as aborted, for one that is interrupted and can still say so; seal it."""
        return self._end(run, RunState.ABORTED, None, finished, exit_code)

    def _end(
        self, run: int, state: RunState, verdict: Verdict | None, finished: str, exit_code: int
    ) -> str:
        with self._writing(f"end run {run}"):
            self._require_running(run)
            done = self._db.execute(
                "UPDATE runs SET state = ?, verdict = ?, finished = ?, exit_code = ? WHERE run = ?",
                [str(state), None if verdict is None else str(verdict), finished, exit_code, run],
            )
            stored("runs", done.rowcount, 1)
            return chain.seal(self._db, run)

    # Recording

    def record_document(  # noqa: PLR0913 - the facts of a result, each named
        self,
        run: int,
        corpus: str,
        result: DocumentResult,
        *,
        input_key: str = "",
        asked_source: bool = True,
        captures: Sequence[Capture] = (),
        store: str = "",
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
            captures: The captures that the result rests on, with the digests of their records.
            store: Digest of the whole store that the rows came from, if the run looks at all of
                it; else empty. See ``rows_of``.

        Returns:
            Fingerprint -> new, open or regressed, for each finding of the result.
        """
        scope = Scope(run, storable(corpus), storable(result.id))
        with self._writing(f"store {result.id}"):
            self._require_running(run)
            self._require_unrecorded(scope)
            return recording.store_result(
                self._db,
                scope,
                result,
                input_key=input_key,
                asked_source=asked_source,
                captures=captures,
                store=store,
            )

    def record_standing(  # noqa: PLR0913 - the facts of a result, each named
        self,
        run: int,
        corpus: str,
        result: DocumentResult,
        *,
        of_run: int,
        input_key: str,
        asked_source: bool = True,
        captures: Sequence[Capture] = (),
        store: str = "",
    ) -> dict[str, FindingState]:
        """Store that the newest result of a document stands: ``record_document`` at little cost.

        Args:
            run: Number from ``begin_run``; it must still be running.
            corpus: Name of the corpus.
            result: What ``standing`` returned, with tonight's dates.
            of_run: The run that it was returned of.
            input_key: As for ``record_document``.
            asked_source: As for ``record_document``.
            captures: As for ``record_document``.
            store: As for ``record_document``.

        Raises:
            StorageError: ``of_run`` does not hold the newest result of the document.
        """
        scope = Scope(run, storable(corpus), storable(result.id))
        with self._writing(f"store {result.id}"):
            self._require_running(run)
            self._require_unrecorded(scope)
            return recording.store_standing(
                self._db,
                scope,
                result,
                of_run=of_run,
                input_key=input_key,
                asked_source=asked_source,
                captures=captures,
                store=store,
            )

    def record_run_findings(self, run: int, findings: Iterable[Finding]) -> dict[str, FindingState]:
        """Store the findings of the run itself (nothing in scope, clock skew, unused ignores).

        Call it once a run, with no findings too: those of earlier runs are then resolved.
        """
        with self._writing(f"store the findings of run {run}"):
            self._require_running(run)
            return recording.store_run_findings(self._db, run, list(findings))

    def set_reading(
        self, snapshot: str, *, document: str, captured: str, reading_digest: str, reader: str
    ) -> None:
        """Remember how a snapshot was read, unless it was read in the same way before."""
        facts = [snapshot, storable(document), captured, reading_digest, reader]
        with self._writing(f"store the reading of {snapshot}"):
            before = queries.reading(self._db, snapshot)
            if before and (before.reading_digest, before.reader) == (reading_digest, reader):
                return
            # The record of the running run seals it, or of the next one where none is running.
            done = self._db.execute(
                "INSERT INTO readings (run, snapshot, document, captured, reading_digest, reader)"
                " SELECT coalesce(max(CASE state WHEN 'running' THEN run END),"
                " coalesce(max(run), 0) + 1), ?, ?, ?, ?, ? FROM runs",
                facts,
            )
            stored("readings", done.rowcount, 1)

    # Questions

    def run(self, number: int) -> RunRecord | None:
        """Return run ``number``, or None."""
        with self._reading():
            return queries.run(self._db, number)

    def runs(self, limit: int = 50) -> list[RunRecord]:
        """Return the newest runs of any state, newest first."""
        with self._reading():
            return queries.runs(self._db, limit)

    def heads(self, first: int = 0) -> dict[int, str]:
        """Return run -> head of the chain, as stored, from run ``first`` on.

        A run that has not ended, or died and is not sealed yet, has none.
        """
        with self._reading():
            return queries.heads(self._db, first)

    def runs_of_schedule(self, schedule: str, limit: int = 10) -> list[RunRecord]:
        """Return the newest runs of a schedule, of any state, newest first."""
        with self._reading():
            return queries.runs_of_schedule(self._db, schedule, limit)

    def suppressions(self, run: int) -> dict[str, Any] | None:
        """Return what ``set_suppressions`` kept of a run; None where it had no list.

        Raises:
            HistoryBroken: It is not what was kept.
        """
        with self._reading():
            return queries.suppressions(self._db, run)

    def last_run(self) -> RunRecord | None:
        """Return the newest *finished* run: the one to report on."""
        with self._reading():
            return queries.last_finished(self._db)

    def document_results(self, run: int) -> list[StoredResult]:
        """Return every result of a run, whole, by document and corpus."""
        with self._reading():
            return queries.results(self._db, run)

    def passage_states(self, run: int, document: str, corpus: str) -> tuple[PassageState, ...]:
        """Return what a run says of each passage of a document, in the order of its rows."""
        with self._reading():
            for found in queries.results_of(self._db, run, document):
                if found.corpus == storable(corpus):
                    return found.result.states
        return ()

    def reusable(self, document: str, corpus: str, input_key: str) -> StoredResult | None:
        """Return the newest decided result of a document, if its input was equal: nothing changed.

        Never an older one: a text that was wrong, then right, and is now wrong in the same way has
        another cause than it had the first time. A result of an aborted run counts: it was stored
        whole, and its run can so be resumed. Unverifiable ones are passed over. The run that
        computed it is ``result.reused_from`` where that is set, else ``run``.
        """
        with self._reading():
            return queries.reusable(self._db, document, corpus, input_key)

    def standing(self, document: str, corpus: str, input_key: str) -> StoredResult | None:
        """Return the newest result of a document, if it is decided and its input was equal.

        Unlike ``reusable`` it has findings, but no passage states and no provision digests: on
        most nights nobody looks at them, and ``record_standing`` does not need them.
        """
        with self._reading():
            return queries.standing(self._db, document, corpus, input_key)

    def rows_of(self, corpus: str, store: str) -> dict[str, tuple[str, int]] | None:
        """Return what the newest finished run found in a store, if the store was this one.

        Returns:
            Document -> (corpus digest, number of rows); None where that run had another store, or
            did not look at all of it.
        """
        with self._reading():
            return queries.rows_of(self._db, corpus, store)

    def referenced(self) -> frozenset[str]:
        """Return the digests of all snapshots that any run's result rests on."""
        with self._reading():
            return queries.referenced(self._db)

    def doubted(self) -> frozenset[str]:
        """Return the documents with an open finding that only asking the source can settle."""
        with self._reading():
            return queries.doubted(self._db)

    def last_good(
        self, document: str, corpus: str, layers: Collection[str] = ALL_LAYERS
    ) -> LastGood | None:
        """Return the newest finished run in which each of ``layers`` verified the document."""
        with self._reading():
            return queries.last_good(self._db, document, corpus, layers)

    def newest_consolidation(self, document: str, corpus: str) -> str:
        """Return the newest consolidation (ISO date) that a finished run compared with, or ""."""
        with self._reading():
            return queries.newest_consolidation(self._db, document, corpus)

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

    def run_findings(self, run: int) -> tuple[Finding, ...]:
        """Return the findings of a run as a whole; none for a run that died before it had any."""
        with self._reading():
            return queries.run_findings(self._db, run)

    def reading(self, snapshot: str, run: int | None = None) -> ReadingRecord | None:
        """Return how a snapshot was last read, or None.

        Args:
            snapshot: Its digest.
            run: As that run knew it; None: as of now.
        """
        with self._reading():
            return queries.reading(self._db, snapshot, run)

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

    # The gate

    def standing_of(self, ids: Sequence[str]) -> list[PassageStanding]:
        """Return every row that has one of these native ids, of any document and corpus."""
        with self._reading():
            return decisions.standing(self._db, ids)

    def verified_rows(self, alone_in: Collection[str] = ()) -> list[VerifiedRows]:
        """Return the rows that the gate may rest on but for their age, by document and last run.

        Args:
            alone_in: Names of corpora; rows whose id another row of theirs has are left out.
        """
        with self._reading():
            return decisions.verified_rows(self._db, alone_in)

    def states_of(self, payload: str) -> tuple[PassageState, ...]:
        """Return the passage states in the payload of a result.

        Raises:
            HistoryBroken: There is no such payload, or it is not what was stored.
        """
        with self._reading():
            return queries.states_of(self._db, payload)

    def record_decision(
        self, *, checked: str, outcome: str, reason: str, body: Mapping[str, Any]
    ) -> int:
        """Store what the gate decided, and return its number; never changed again.

        Args:
            checked: UTC, ISO 8601, ``Z``.
            outcome: ``shipped``, ``altered`` or ``withheld``.
            reason: Why it was withheld, or empty.
            body: The decision as JSON values.
        """
        with self._writing("store a decision"):
            return decisions.record(
                self._db, checked=checked, outcome=outcome, reason=reason, body=body
            )

    def try_storing(self) -> None:
        """Make sure that a decision could be stored now: write one to the disk, and undo it.

        The file is afterwards what it was, byte for byte; one that is killed meanwhile leaves a
        journal, from which SQLite restores it.

        Raises:
            StorageError: It could not; also while another process has the file in use.
        """
        with translated(self.path, "store a decision"):
            decisions.attempt(self._db)

    def decisions(self, limit: int = 50, outcome: str | None = None) -> list[DecisionRecord]:
        """Return what the gate decided, newest first."""
        with self._reading():
            return decisions.newest(self._db, limit=limit, outcome=outcome)

    def decision(self, number: int) -> DecisionRecord:
        """Return one decision.

        Raises:
            ConfigError: There is none of that number.
        """
        with self._reading():
            return decisions.one(self._db, number)

    def head(self) -> tuple[str, int] | None:
        """Return the head of the chain and its run; None where no run has ended."""
        with self._reading():
            row = self._db.execute("SELECT head, run FROM chain ORDER BY run DESC LIMIT 1")
            found = row.fetchone()
            return None if found is None else (str(found[0]), int(found[1]))

    def record(self, run: int) -> bytes:
        """Return the canonical bytes of a run's record.

        Raises:
            ConfigError: The run has none.
        """
        with self._reading():
            return proofs.record(self._db, run)

    def proof(
        self, run: int, document: str, passage: str, *, corpus: str = "", occurrence: int = 0
    ) -> dict[str, Any]:
        """Return the proof that a passage stood in a run; see ``corpusguard.evidence.proof``.

        Args:
            run: Number of a run that has ended.
            document: Id of the document.
            passage: Native id of the passage.
            corpus: Name of the corpus; needed only where several hold the passage.
            occurrence: Which row of that id, from 0.

        Raises:
            ConfigError: There is no such run, document or passage, or there are several.
        """
        with self._reading():
            return proofs.prove(
                self._db, run, document, passage, corpus=corpus, occurrence=occurrence
            )

    def verify_all(self, snapshots: SnapshotBytes | None = None) -> Audit:
        """Compute everything again, and say what is not as it was sealed; for `history verify`.

        Args:
            snapshots: The store, to check the evidence that results name; None: not checked.
        """
        with self._reading():
            return verify(self._db, snapshots)

    def verify_relied(
        self, runs: Collection[int], snapshots: SnapshotBytes | None = None
    ) -> tuple[Break, ...]:
        """Check the chain of all runs, and the evidence of ``runs``; for `check-corpus`.

        Args:
            runs: Numbers of the runs that the caller relies on.
            snapshots: The store, to check the evidence that their results name.
        """
        with self._reading():
            return verify_relied(self._db, runs, snapshots)

    def records(self) -> Iterator[bytes]:
        """Yield the canonical bytes of every record of the chain, newest first, as stored.

        Whether they are those that were sealed, ``verify_relied`` says.
        """
        with self._reading():
            for (record,) in self._db.execute("SELECT record FROM chain ORDER BY run DESC"):
                yield str(record).encode("utf-8", "surrogateescape")

    def problems(self) -> list[str]:
        """Check the whole file, slowly, and return what is wrong; for `doctor`."""
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
            try:
                yield
            except OverflowError as error:
                # What comes from a row fits into one: only the caller can name such a number.
                raise ConfigError(
                    "no run and no decision has a number as large as that",
                    hint="`corpusguard history head` names the newest run",
                ) from error

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
