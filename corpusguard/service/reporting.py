"""The evidence of a run, gathered for its report: from history and snapshots alone.

Everything is read while the run lock is held, after the whole history was computed again: a report
of evidence that does not hold is refused. Snapshots are read with the first reader of today, and
used only where that reads them as the run did. The lines that publishers want shown, and the titles
and codes of laws where they are configured, are all that comes from the configuration, and the
report says so.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from corpusguard import first_reader
from corpusguard.errors import ConfigError, HistoryBroken, SourceError
from corpusguard.evidence import head_of
from corpusguard.history import History, RunState
from corpusguard.ignores import applied_in
from corpusguard.locking import RunLock
from corpusguard.model import Layer, Verdict
from corpusguard.report.compliance.build import build
from corpusguard.report.compliance.facts import DocumentFacts, Facts, PastRun, Publisher
from corpusguard.report.compliance.folder import check_site, write_site
from corpusguard.report.compliance.ignored import ignore_records
from corpusguard.report.compliance.site import site
from corpusguard.report.compliance.strips import law_words
from corpusguard.service.opening import has_history, open_history
from corpusguard.service.outputs import check_output
from corpusguard.service.scope import known_documents
from corpusguard.service.work import reading_digest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from corpusguard.config import Config
    from corpusguard.history import RunRecord, StoredResult
    from corpusguard.model import Reading, Snapshot
    from corpusguard.report.compliance.content import Content
    from corpusguard.report.compliance.facts import IgnoreRecord
    from corpusguard.report.compliance.folder import Site
    from corpusguard.service.scope import Known
    from corpusguard.snapshots import SnapshotStore

TREND: Final = 60
"""Runs that a trend or a site shows, the one reported included."""
_EVERY: Final = -1
"""A LIMIT that SQLite takes for none."""
_NONE_YET: Final = "`corpusguard verify` makes the first run"


class Reporting:
    """What `corpusguard report` calls."""

    def __init__(self, config: Config, store: SnapshotStore, lock: Path) -> None:
        """``lock`` is that of runs: the rows of a run under way are nobody's evidence yet."""
        self._config = config
        self._store = store
        self._lock = lock

    def content(self, run: int | None = None) -> Content:
        """Return what the report of a run says; of the newest finished one by default.

        Raises:
            ConfigError: There is no such run, or it has not ended.
            HistoryBroken: The evidence does not hold; the first break is named.
            LockHeld: A run is under way.
        """
        with self._opened() as (history, _):
            record = _chosen(history, run)
            return build(_Gathering(self._config, self._store, history).facts(record))

    def check_output(self, target: Path) -> None:
        """Refuse a place where a report could not be written, or would destroy something.

        Raises:
            ConfigError: It is such a place; see ``service.outputs``.
        """
        check_output(self._config, target)

    def site(self, folder: Path) -> Site:
        """Write the site of the newest runs; what is there already and equal is left alone.

        Args:
            folder: New, empty, or one that an earlier call wrote.

        Raises:
            ConfigError: It is a file, or holds what is not ours; or as :meth:`content`.
            HistoryBroken, LockHeld: As :meth:`content`; nothing is written then.
            StorageError: A file could not be written; each is the old one or the whole new one.
        """
        check_output(self._config, folder, "--site", folder=True)
        check_site(folder)
        with self._opened() as (history, sealed):
            gathering = _Gathering(self._config, self._store, history)
            records = (history.run(number) for number in sealed[-TREND:])
            contents = (build(gathering.facts(one)) for one in records if one is not None)
            return write_site(folder, site(contents))

    @contextmanager
    def _opened(self) -> Iterator[tuple[History, list[int]]]:
        """Check the whole history; give it, and the runs that its chain holds."""
        path = self._config.history
        if not has_history(self._config):
            raise ConfigError(f"there is no history at {path}", hint=_NONE_YET)
        with RunLock(self._lock), open_history(self._config) as history:
            audit = history.verify_all(self._store)
            if audit.breaks:
                first = audit.breaks[0]
                place = f"run {first.run}, {first.table}" if first.run else first.table
                raise HistoryBroken(
                    f"nothing is reported from evidence that does not hold: {place}: {first.what}",
                    hint="`corpusguard history verify` lists every break",
                )
            if not audit.heads:
                raise ConfigError("no run has ended yet", hint=_NONE_YET)
            yield history, [run for run, _ in audit.heads]


def _chosen(history: History, run: int | None) -> RunRecord:
    record = history.last_run() if run is None else history.run(run)
    if record is None:
        what = "no run has finished yet" if run is None else f"there is no run {run}"
        raise ConfigError(what, hint="`corpusguard status` shows the last ones")
    if record.state is RunState.RUNNING:
        raise ConfigError(
            f"run {record.run} died and is not sealed yet", hint="the next run seals it"
        )
    return record


@dataclass(slots=True)
class _Gathering:
    """Gathers the facts of runs of one history; reads no snapshot or record twice."""

    config: Config
    store: SnapshotStore
    history: History
    _readings: dict[tuple[str, str], tuple[Reading | None, str]] = field(default_factory=dict)
    _records: dict[int, bytes] = field(default_factory=dict)
    _past: dict[int, PastRun] = field(default_factory=dict)

    def facts(self, run: RunRecord) -> Facts:
        """Return the facts of one run that has ended."""
        sealed = json.loads(self._record(run.run))
        scope = sealed["scope"] or {"missing": ()}  # none: it died before it knew its scope
        known = known_documents(self.config)
        # Fingerprint -> its state in this run; what became of it since is not asked for.
        found = {
            (one.finding.document, one.finding.fingerprint): one
            for one in self.history.findings(run=run.run, limit=_EVERY)
        }
        first = max(run.run - TREND + 1, 1)
        results = self.history.document_results(run.run)
        sources = {
            known[one.result.id].source.path: known[one.result.id].source
            for one in results
            if one.result.id in known
        }
        return Facts(
            run=run.run,
            state=str(run.state),
            verdict=run.verdict,
            started=run.started,
            finished=run.finished,
            tool=run.tool,
            layers=run.layers,
            documents=tuple(self._document(one, sealed, known) for one in results),
            findings=self.history.run_findings(run.run),
            states={key: str(one.state) for key, one in found.items()},
            first_runs={key: one.first_run for key, one in found.items()},
            versions=tuple(sealed["versions"]),
            schedule=run.schedule,
            config_digest=run.config_digest,
            exit_code=run.exit_code,
            head=head_of(self._record(run.run)),
            missing=tuple((corpus, document) for corpus, document in scope["missing"]),
            ignores=self._ignores(run.run),
            past=tuple(self._past_run(number) for number in range(first, run.run + 1)),
            earlier=first - 1,
            publishers=tuple(
                Publisher(one.publisher, one.path, one.licence, one.acknowledgement)
                for one in sources.values()
            ),
        )

    def _ignores(self, run: int) -> tuple[IgnoreRecord, ...]:
        """Return what the run ignored or knew of before, as its evidence keeps it."""
        kept = self.history.suppressions(run)
        if kept is None:
            return ()
        why = applied_in(kept)
        return ignore_records(
            (one["fingerprint"], one["rule"], one["section"], why[one["fingerprint"]])
            for one in kept["applied"]
        )

    def _record(self, run: int) -> bytes:
        if run not in self._records:
            self._records[run] = self.history.record(run)
        return self._records[run]

    def _past_run(self, run: int) -> PastRun:
        """Return a run of the trend, by its record alone: no body is unpacked for it."""
        if run not in self._past:
            sealed = json.loads(self._record(run))
            documents = sealed["documents"]

            def total(name: str) -> int:
                return sum(one[name] or 0 for one in documents)

            self._past[run] = PastRun(
                run=run,
                finished=sealed["finished"],
                verdict=Verdict(sealed["verdict"]) if sealed["verdict"] else None,
                errors=sealed["counts"]["error"],
                warnings=sealed["counts"]["warning"],
                words=total("words"),
                covered=total("covered"),
                passages=total("passages"),
                verified_passages=total("verified_passages"),
            )
        return self._past[run]

    def _document(
        self, stored: StoredResult, sealed: dict[str, Any], known: dict[str, Known]
    ) -> DocumentFacts:
        result = stored.result
        (entry,) = [
            one
            for one in sealed["documents"]
            if (one["corpus"], one["document"]) == (stored.corpus, result.id)
        ]
        listed = known.get(result.id)
        records = {one["record"] for one in entry["captures"] if one["snapshot"] == result.snapshot}
        held = self.store.list(result.id) if records else ()
        snapshot = next((one for one in held if one.record in records), None)
        reading, unread = self._reading(stored, snapshot)
        return DocumentFacts(
            result=result,
            corpus=stored.corpus,
            # A publisher may print a title in capitals only, or a citation as no one writes it.
            title=(listed.document.title if listed else "")
            or (snapshot.identity.title if snapshot else ""),
            code=(listed.document.code if listed else "")
            or (snapshot.identity.code if snapshot else ""),
            url=snapshot.url if snapshot else "",
            rendition=str(snapshot.rendition) if snapshot else "",
            publisher=listed.source.publisher if listed else "",
            corpus_root=entry["corpus_root"],
            reading=reading,
            unread=unread,
            asked=bool(entry["asked_source"]),
            imported=snapshot is not None and self.store.evidence(snapshot).get("imported") is True,
        )

    def _reading(
        self, stored: StoredResult, snapshot: Snapshot | None
    ) -> tuple[Reading | None, str]:
        """Return the snapshot as the run read it, or why that cannot be had."""
        result = stored.result
        if snapshot is None:
            return None, "no official text was captured"
        if len(result.layers) < len(Layer):
            return None, "not all three layers ran, so no passage counts as verified"
        then = self.history.reading(snapshot.digest, stored.run)
        if then is None:
            return None, "the official text could not be read"
        key = (snapshot.digest, then.reading_digest)
        if key not in self._readings:
            self._readings[key] = self._read(snapshot, then.reading_digest)
        reading, why = self._readings[key]
        words = result.coverage.words if result.coverage else -1
        if reading is not None and law_words(reading) != words:
            return None, "this version counts other words of law than the run did"
        return reading, why

    def _read(self, snapshot: Snapshot, digest: str) -> tuple[Reading | None, str]:
        try:
            reading = first_reader.read(self.store.read(snapshot.digest), snapshot.rendition)
        except SourceError as error:
            return None, f"this version cannot read the official text: {error.message}"
        if reading_digest(reading) != digest:
            return None, "this version reads the official text differently than the run did"
        return reading, ""
