"""One verification run."""

from __future__ import annotations

import hashlib
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from corpusguard import __version__, first_reader
from corpusguard.config import load_lists
from corpusguard.errors import CorpusUnreadable, EvidenceMissing
from corpusguard.evidence import SealedRun, head_of
from corpusguard.history import History, RunState, capture_of, passage_keys
from corpusguard.ignores import NO_LISTS, Applied, Lists, apply, exit_code
from corpusguard.layers import Baseline
from corpusguard.layers.draft import draft, with_fingerprints
from corpusguard.locking import RunLock
from corpusguard.model import DocumentResult, Severity, Verdict
from corpusguard.report.summary import plural
from corpusguard.service import capture, evidence
from corpusguard.service.events import Events
from corpusguard.service.opening import has_history
from corpusguard.service.rows import Rows, read_rows
from corpusguard.service.scope import chosen, corpus_path, known_documents, looked_of
from corpusguard.service.work import Done, Task, versions
from corpusguard.service.workers import Job, worked
from corpusguard.snapshots import SnapshotStore

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Mapping

    from corpusguard.config import Config
    from corpusguard.fetch import Fetcher
    from corpusguard.history import Capture, FindingState
    from corpusguard.model import Finding, Passage, Snapshot, SourceSpec
    from corpusguard.service.scope import Known

    Progress = Callable[[str, int, int], None]


@dataclass(slots=True)
class Run:
    """The state of one run while it runs."""

    config: Config
    layers: tuple[str, ...]
    offline: bool
    jobs: int
    progress: Progress | None
    make_fetcher: Callable[[SourceSpec], Fetcher]
    refetch: bool = False
    """Fetch every document, whatever the publisher says."""
    findings: list[Finding] = field(default_factory=list)
    states: dict[str, str] = field(default_factory=dict)
    number: int = 0
    schedule: str = ""
    """Name of the schedule that it is for, if any."""
    events: Events = field(default_factory=Events)
    lists: Lists = NO_LISTS
    looked_at: dict[tuple[str, str], DocumentResult] = field(default_factory=dict)
    """(corpus, document) -> what the run found."""
    doubted: frozenset[str] = frozenset()
    """Documents with a finding that only asking the source can settle."""

    def verify(self, names: Iterable[str]) -> SealedRun:
        """Run, and record.

        Raises:
            ConfigError: a named document is not listed.
            LockHeld: another run holds the lock.
            StorageError: history or snapshots cannot be written.
        """
        wanted = chosen(self.config, names)
        lock = self.config.history.with_name(self.config.history.name + ".lock")
        with RunLock(lock), self._opened() as history:
            # Before the run begins: a list that cannot be read leaves no aborted run behind.
            self.lists = load_lists(self.config)
            return self._recorded(history, wanted)

    def _opened(self) -> History:
        """Open the history; make it where there never was one."""
        return History.open(self.config.history, make=not has_history(self.config))

    def _recorded(self, history: History, wanted: frozenset[str]) -> SealedRun:
        started = capture.now()
        tool = f"corpusguard {__version__}"
        digest = hashlib.sha256("\n".join([repr(self.config), *versions()]).encode()).hexdigest()
        self.number = history.begin_run(
            self.layers, tool, digest, started, versions=versions(), schedule=self.schedule
        )
        self.events.begun(
            self.number, layers=self.layers, offline=self.offline, schedule=self.schedule
        )
        try:
            documents = self._documents(history, wanted)
            if not documents and not self.findings:
                self.findings.append(
                    draft(
                        "CG501",
                        "",
                        "nothing is in scope: no corpus holds a document that a source lists",
                    )
                )
            applied = self._applied(history, started)
            own = with_fingerprints([*self.findings, *applied.findings], "", ())
            self.states |= {
                name: str(state)
                for name, state in history.record_run_findings(self.number, own).items()
            }
            verdict = _overall(documents, own)
            result = SealedRun(
                run=self.number,
                verdict=verdict,
                started=started,
                finished=capture.now(),
                tool=tool,
                layers=self.layers,
                documents=tuple(documents),
                findings=own,
                states=dict(self.states),
                suppressions=applied.suppressions,
                baseline_gone=len(applied.gone),
                offline=self.offline,
            )
            code = exit_code(result, Severity.ERROR)
            head = history.finish_run(self.number, verdict, result.finished, code)
        except BaseException as error:
            # Also for a signal: the run must not look as if it were still going on.
            _abort(history, self.number, error)
            self.events.aborted(error)
            raise
        self.events.finished(result, code, head)
        # After the run has ended: it stands, whether or not its head can be written elsewhere.
        evidence.publish_head(self.config, head)
        return replace(result, head=head)

    def _applied(self, history: History, started: str) -> Applied:
        """Apply the ignores and the baseline, and keep in the evidence what they did."""
        looked = looked_of(self.config, self.looked_at)
        applied = apply(
            self.lists,
            looked,
            datetime.fromisoformat(started).date(),
            same_history=_made_here(history, self.lists),
        )
        if applied.record is not None:
            history.set_suppressions(self.number, applied.record)
        return applied

    def _documents(self, history: History, wanted: frozenset[str]) -> list[DocumentResult]:
        with ExitStack() as stack:
            known = known_documents(self.config)
            rows = [stack.enter_context(one) for one in self._rows(history, known)]
            pairs = [
                (one, known[document])
                for one in rows
                for document in one.documents()
                if document in wanted and document in known
            ]
            self._unlisted(rows, known)
            for one in rows:
                if not all(name in wanted and name in known for name in one.documents()):
                    one.store = ""  # its results will not tell of every row that it holds
                else:
                    one.store = one.store or one.whole()
            history.set_scope(
                self.number, [(one.corpus.name, found.document.id) for one, found in pairs]
            )
            return self._results(history, pairs)

    def _results(self, history: History, pairs: list[tuple[Rows, Known]]) -> list[DocumentResult]:
        total = len(pairs)
        results: list[DocumentResult] = []
        for number, (job, found) in enumerate(worked(self._jobs(history, pairs), self.jobs)):
            if self.progress:
                self.progress(found.result.id, number, total)
            states = self._record(history, job, found)
            self.states |= {name: str(state) for name, state in states.items()}
            self.events.document(job.corpus, found.result)
            if job.task and found.reading_digest:
                history.set_reading(
                    job.task.primary.digest,
                    document=found.result.id,
                    captured=job.task.primary.captured,
                    reading_digest=found.reading_digest,
                    reader=first_reader.VERSION,
                )
            # What history has now need not stay in memory: that would grow with every document.
            results.append(replace(found.result, states=(), provision_digests={}))
            self.looked_at[job.corpus, found.result.id] = results[-1]
        if self.progress:
            self.progress("done", total, total)
        return results

    def _record(self, history: History, job: Job, found: Done) -> Mapping[str, FindingState]:
        asked = not self.offline
        captures = self._captures(job.task)
        if found.stands_since:
            return history.record_standing(
                self.number,
                job.corpus,
                found.result,
                of_run=found.stands_since,
                input_key=job.key,
                asked_source=asked,
                captures=captures,
                store=job.store,
            )
        return history.record_document(
            self.number,
            job.corpus,
            found.result,
            input_key=job.key,
            asked_source=asked,
            captures=captures,
            store=job.store,
        )

    def _captures(self, task: Task | None) -> list[Capture]:
        """The captures that a result rests on, bound to the bytes of their records."""
        if task is None:
            return []
        root = self.config.snapshots
        return [capture_of(root, snapshot) for snapshot in (task.primary, *task.others)]

    def _rows(self, history: History, known: Mapping[str, Known]) -> Iterator[Rows]:
        for corpus in self.config.corpora:
            look_up = partial(history.rows_of, corpus.name)
            try:
                yield read_rows(self.config, corpus, known, look_up)
            except CorpusUnreadable as error:
                place = corpus_path(self.config.root, corpus)
                hint = f" ({error.hint})" if error.hint else ""
                message = f"corpus {corpus.name} ({place}): {error.message}{hint}"
                self.findings.append(draft("CG507", "", message, section=corpus.name))

    def _unlisted(self, rows: list[Rows], known: dict[str, Known]) -> None:
        """Rows of a document that no source lists can never be verified: say so."""
        for one in rows:
            for document in one.documents():
                if document not in known:
                    message = (
                        f"{plural(one.count(document), 'row')} of corpus {one.corpus.name} "
                        f"for document {document[:80]!r}, which no source lists"
                    )
                    self.findings.append(draft("CG309", "", message))

    def _jobs(self, history: History, pairs: list[tuple[Rows, Known]]) -> Generator[Job]:
        store = SnapshotStore(self.config.snapshots)
        self.doubted = history.doubted()
        captured: dict[str, capture.Captured] = {}
        captures: dict[str, capture.Capture] = {}
        left = Counter(known.document.id for _, known in pairs)
        try:
            for one, known in pairs:
                name = known.document.id
                if name not in captured:
                    captured[name] = self._capture(store, captures, known)
                job = self._job(history, store, one, known, captured[name])
                left[name] -= 1
                if not left[name]:
                    del captured[name]
                yield job
        finally:
            for open_capture in captures.values():
                open_capture.close()

    def _capture(
        self, store: SnapshotStore, captures: dict[str, capture.Capture], known: Known
    ) -> capture.Captured:
        if self.offline:
            return capture.stored(store, known.document.id)
        path = known.source.path
        if path not in captures:
            captures[path] = capture.Capture(known.source, store, self.make_fetcher)
        return captures[path].document(
            known, refetch=self.refetch, doubted=known.document.id in self.doubted
        )

    def _job(
        self,
        history: History,
        store: SnapshotStore,
        one: Rows,
        known: Known,
        captured: capture.Captured,
    ) -> Job:
        document = known.document
        corpus_digest = one.digest(document.id)
        if captured.primary is None:
            result = DocumentResult(
                id=document.id,
                verdict=Verdict.UNVERIFIABLE,
                layers=dict.fromkeys(self.layers, Verdict.UNVERIFIABLE),
                findings=with_fingerprints(captured.findings, one.corpus.name, ()),
                passages=one.count(document.id),
                corpus_digest=corpus_digest,
            )
            return Job(one.corpus.name, one.store, done=Done(result))
        task = Task(
            document=document,
            corpus=one.corpus,
            corpus_digest=corpus_digest,
            primary=captured.primary,
            others=captured.others,
            older=captured.older,
            snapshots=self.config.snapshots,
            layers=self.layers,
            count=one.count(document.id),
            currency_date=captured.currency_date,
            not_refetched=captured.not_refetched,
            # Part of the key: an equal text that was newest then is not newest now.
            extra=(*captured.findings, *_behind(history, one, captured.primary)),
        )
        key = task.input_key()
        # Looked for before anything is read: on most nights, most documents are as they were.
        done = _reused(history, store, task, key)
        if done is None:
            task = self._with_rows(history, one, task)
        return Job(one.corpus.name, one.store, key, task, done)

    def _with_rows(self, history: History, one: Rows, task: Task) -> Task:
        """The task with all that only the work itself needs."""
        document = task.document.id
        passages = one.passages(document)
        known = history.reading(task.primary.digest)
        return replace(
            task,
            passages=passages,
            rows_by_id={passage.id: 1 for passage in passages} | one.times(document),
            baseline=self._baseline(history, one, document, passages),
            known_reading=(known.reading_digest, known.reader) if known else ("", ""),
        )

    def _baseline(
        self, history: History, one: Rows, document: str, rows: list[Passage]
    ) -> Baseline:
        verified = history.verified_passages(document, one.corpus.name)
        if not verified:
            return Baseline(as_of=one.corpus.as_of)
        keys = passage_keys(rows)
        passages = {
            row.row: (found.digest, found.last)
            for row in rows
            if (found := verified.get(keys[row.row])) is not None
        }
        return Baseline(
            passages=passages,
            provisions=history.verified_provisions(document, one.corpus.name),
            as_of=one.corpus.as_of,
            consolidated_from=history.newest_consolidation(document, one.corpus.name),
        )


def _behind(history: History, one: Rows, primary: Snapshot) -> list[Finding]:
    """Say that an earlier run compared with a newer consolidation than any that is stored now."""
    now = primary.identity.consolidated_from
    before = history.newest_consolidation(primary.document, one.corpus.name)
    if not now or now >= before:
        return []
    message = (
        f"the text compared is the consolidation from {now}; an earlier run compared with that"
        f" from {before}"
    )
    return [draft("CG509", primary.document, message, severity=Severity.WARNING)]


def _reused(history: History, store: SnapshotStore, task: Task, key: str) -> Done | None:
    """An earlier result whose inputs were equal in all, or None."""
    about = (task.document.id, task.corpus.name, key)
    standing = history.standing(*about)
    found = standing or history.reusable(*about)
    if found is None:
        return None
    # The evidence must still be there: a result does not outlive its bytes.
    store.read(task.primary.digest)
    return Done(
        replace(
            found.result,
            reused_from=found.result.reused_from or found.run,
            captured=task.primary.captured,
            currency_date=task.currency_date,
            not_refetched=task.not_refetched,
        ),
        stands_since=standing.run if standing else 0,
    )


def _abort(history: History, number: int, error: BaseException) -> None:
    code = getattr(error, "exit_code", 130 if isinstance(error, KeyboardInterrupt) else 70)
    try:
        history.abort_run(number, capture.now(), code)
    except EvidenceMissing:
        raise
    except Exception as also:  # noqa: BLE001 - the first error is the one to report
        error.add_note(f"and the run could not be marked as aborted: {also}")


def _made_here(history: History, lists: Lists) -> bool:
    """Whether the run that the baseline was made of is a finished one of this history."""
    baseline = lists.baseline
    run = history.run(baseline.run)
    if run is None or run.state is not RunState.FINISHED:
        return False
    return head_of(history.record(run.run)) == baseline.head


def _overall(documents: list[DocumentResult], own: Iterable[Finding]) -> Verdict:
    verdicts = {document.verdict for document in documents}
    if Verdict.VIOLATED in verdicts:
        return Verdict.VIOLATED
    bad = any(finding.severity is Severity.ERROR for finding in own)
    if not documents or bad or Verdict.UNVERIFIABLE in verdicts:
        return Verdict.UNVERIFIABLE
    return Verdict.VERIFIED
