"""``Service``: what the command line calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corpusguard import first_reader
from corpusguard.corpora import emit, rebuild
from corpusguard.errors import ConfigError, CorpusguardError, SourceError, Unreadable
from corpusguard.fetch import Fetcher
from corpusguard.history import FindingState, History
from corpusguard.ignores import exit_code
from corpusguard.locking import RunLock
from corpusguard.model import CorpusSpec, Rendition
from corpusguard.service import capture, compare, health, importing
from corpusguard.service.evidence import Evidence
from corpusguard.service.gate import GateDesk
from corpusguard.service.gatecheck import Gate
from corpusguard.service.ignoring import Ignoring
from corpusguard.service.keeping import Keeping
from corpusguard.service.opening import has_history, open_history
from corpusguard.service.reporting import Reporting
from corpusguard.service.results import Check, CorpusStatus, FetchOutcome, ProvisionChange
from corpusguard.service.run import Run
from corpusguard.service.scope import chosen, known_documents, require
from corpusguard.service.telling import telling
from corpusguard.snapshots import SnapshotStore

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from corpusguard.config import Config
    from corpusguard.history import FindingRecord
    from corpusguard.model import Reading, RunResult, Severity, Snapshot, SourceSpec
    from corpusguard.service.gate import TrustedPassage
    from corpusguard.service.results import CorpusAge
    from corpusguard.service.run import Progress
    from corpusguard.service.telling import Telling

_LAYERS = ("L1", "L2", "L3")


class Service:
    """Everything corpusguard does, on one configuration."""

    def __init__(
        self, config: Config, *, make_fetcher: Callable[[SourceSpec], Fetcher] = Fetcher
    ) -> None:
        """``make_fetcher`` lets a test shorten the pauses of a real Fetcher."""
        self.config = config
        self.store = SnapshotStore(config.snapshots)
        self.evidence = Evidence(config, self.store)
        self.gate = Gate(config, self.store)
        self.keeping = Keeping(config, self._lock())
        self.reporting = Reporting(config, self.store, self._lock())
        self.ignoring = Ignoring(config, self._lock())
        self._make_fetcher = make_fetcher

    # Verifying

    def verify(  # noqa: PLR0913 - the options of a run
        self,
        documents: Iterable[str] = (),
        layers: tuple[str, ...] = _LAYERS,
        *,
        offline: bool = False,
        jobs: int = 1,
        progress: Progress | None = None,
        schedule: str = "",
        refetch: bool = False,
    ) -> RunResult:
        """Verify the documents (all, when none is named) of every corpus, and record the run.

        Args:
            documents: ids; each must be listed by a source.
            layers: of L1, L2, L3.
            offline: take the newest snapshots instead of fetching.
            jobs: processes that read and compare; fetching stays one at a time.
            progress: called with (document, done, total).
            schedule: name of the schedule that the run is for, if any.
            refetch: fetch every document, also where the source says that nothing changed.

        Raises:
            ConfigError, LockHeld, StorageError: see ``corpusguard.errors``.
        """
        run = Run(
            self.config,
            layers,
            offline,
            jobs,
            progress,
            self._make_fetcher,
            refetch,
            schedule=schedule,
        )
        return run.verify(documents)

    def telling(self, *, asked: bool | None = None) -> AbstractContextManager[Telling]:
        """Tell of the run that a ``with`` block makes, as configured; see ``service.telling``."""
        return telling(self.config, asked=asked)

    def exit_code(self, result: RunResult, fail_on: Severity) -> int:
        """The exit code of a run by the contract; see ``corpusguard.ignores.judge``."""
        return exit_code(result, fail_on)

    # The official side

    def fetch(
        self, documents: Iterable[str] = (), progress: Progress | None = None
    ) -> list[FetchOutcome]:
        """Capture renditions, without verifying anything."""
        known = known_documents(self.config)
        names = sorted(chosen(self.config, documents))
        outcomes: list[FetchOutcome] = []
        captures: dict[str, capture.Capture] = {}
        with RunLock(self._lock()):
            try:
                for number, name in enumerate(names):
                    if progress:
                        progress(name, number, len(names))
                    one = known[name]
                    if one.source.path not in captures:
                        captures[one.source.path] = capture.Capture(
                            one.source, self.store, self._make_fetcher
                        )
                    outcomes.append(
                        _outcome(name, captures[one.source.path].document(one, refetch=True))
                    )
            finally:
                for open_capture in captures.values():
                    open_capture.close()
        return outcomes

    def snapshots(self, document: str | None = None) -> list[Snapshot]:
        """Captures in the store, in order."""
        return list(self.store.list(document))

    def add_snapshot(
        self,
        document: str,
        path: Path,
        *,
        unnamed: bool = False,
        older: bool = False,
        obtained: str = "",
    ) -> Snapshot:
        """Import an official file by hand.

        Args:
            document: which law it is.
            path: the file.
            unnamed: accept a file that does not say which law it is, on the caller's word. A bare
                fragment of any law would otherwise be verified under this one's name.
            older: keep an older consolidation than one captured before, for comparison. Runs go
                on comparing with the newest consolidation.
            obtained: when the file was obtained, on the caller's word: ``YYYY-MM-DD`` or
                ``YYYY-MM-DDTHH:MM:SSZ``. Without it, bytes that are stored already stay as old as
                they are, and others count from now.

        Raises:
            ConfigError: no such document, file or time.
            SourceError: the file is not a rendition of the document, does not say so, or is of an
                older consolidation (CG509).
        """
        known = require(known_documents(self.config), document)
        when = importing.moment(obtained) if obtained else ""
        accepted = importing.accepted_file(known, path, unnamed=unnamed)
        with RunLock(self._lock()):
            return importing.keep(
                self.store, known, accepted, path.name, older=older, obtained=when
            )

    def age_of_import(self, snapshot: Snapshot) -> str:
        """Say how old an imported text counts as, and on whose word."""
        return importing.told(self.store, snapshot)

    def passages(
        self, document: str, recipe: str, *, accept_anomalies: bool = False
    ) -> Iterator[str]:
        """The passages that ingestion should store, one JSON line each.

        Raises:
            Unreadable: the first reader could not place everything, and that was not accepted.
        """
        known = require(known_documents(self.config), document)
        snapshot = self._newest(document)
        reading = self._read(snapshot)
        if reading.anomalies and not accept_anomalies:
            first = reading.anomalies[0]
            raise Unreadable(
                f"{document}: the reader could not place {len(reading.anomalies)} things with "
                f"confidence; the first: {first.kind}: {first.message}",
                hint="look at them with `corpusguard verify`; `--accept-anomalies` goes ahead",
            )
        spec = CorpusSpec(name="passages", reader="jsonl", recipe=recipe)
        return emit(rebuild(reading, spec, known.document))

    # History

    def status(self) -> CorpusStatus:
        """Where each document of each corpus stands, and what the newest run found of neither."""
        if not has_history(self.config):
            return CorpusStatus()
        with open_history(self.config) as history:
            return health.status(self.config, history)

    def supporting(self, corpora: Collection[str]) -> tuple[CorpusAge, ...]:
        """How old the text is of what supports an answer where these corpora count."""
        with open_history(self.config) as history:
            return health.supporting(self.config, history, corpora)

    def findings(
        self,
        run: int | None = None,
        rule: str | None = None,
        document: str | None = None,
        state: str | None = None,
        limit: int = 100,
    ) -> list[dict[str, Any]]:
        """Findings of a run (default: the newest finished), as JSON records."""
        with self._history() as history:
            if run is not None and history.run(run) is None:
                raise ConfigError(
                    f"there is no run {run}", hint="`corpusguard status` shows the last ones"
                )
            if run is None and state is None:
                last = history.last_run()
                run = last.run if last else None
            records = history.findings(
                run=run,
                rule=rule,
                document=document,
                state=FindingState(state) if state else None,
                limit=limit,
            )
            suppressed = health.suppressions(history, run)
        return [health.record(found, suppressed) for found in records]

    def finding(self, fingerprint: str) -> dict[str, Any]:
        """One finding by the beginning of its fingerprint."""
        with self._history() as history:
            found: FindingRecord = history.finding(fingerprint)
            suppressed = health.suppressions(history, found.last_run)
        return health.record(found, suppressed)

    def decisions(self, limit: int = 50, outcome: str | None = None) -> list[dict[str, Any]]:
        """What the gate decided, newest first; ``shipped``, ``altered`` or ``withheld`` alone."""
        with self._history() as history:
            return [health.decision(one) for one in history.decisions(limit, outcome)]

    def decision(self, number: int) -> dict[str, Any]:
        """One decision of the gate, as `check-answer` printed it, with its place in history.

        Raises:
            ConfigError: there is none of that number.
        """
        with self._history() as history:
            return health.decision(history.decision(number))

    def diff(
        self, document: str, old: str | None = None, new: str | None = None
    ) -> list[ProvisionChange]:
        """How the law differs between two snapshots; by default the last two that differ."""
        require(known_documents(self.config), document)
        newer = self._snapshot(document, new) if new else self._newest(document)
        if old:
            before = self._snapshot(document, old)
        else:
            earlier = capture.older(self.store, document, newer)
            if not earlier:
                raise ConfigError(
                    f"{document} has no earlier snapshot to compare with",
                    hint="`corpusguard snapshots list` shows what is stored",
                )
            before = earlier[0]
        return compare.changes(self._read(before), self._read(newer))

    def verified_passages(self) -> list[TrustedPassage]:
        """Every stored passage that may be relied on now; none where no run has been made.

        Raises:
            CorpusUnreadable: A store cannot be read to its end.
            StorageError: History is not what it was, or its evidence is gone.
        """
        if not has_history(self.config):
            return []
        with GateDesk(self.config) as desk:
            return desk.verified()

    def doctor(self) -> list[Check]:
        """Check what a run needs."""
        return health.doctor(self.config, self.store)

    # Inside

    def _lock(self) -> Path:
        return self.config.history.with_name(self.config.history.name + ".lock")

    def _history(self) -> History:
        if not has_history(self.config):
            raise ConfigError(
                f"there is no history at {self.config.history} yet",
                hint="`corpusguard verify` writes it",
            )
        return open_history(self.config)

    def _newest(self, document: str) -> Snapshot:
        found = capture.stored(self.store, document).primary
        if found is None:
            raise ConfigError(
                f"no snapshot of {document} is stored",
                hint="run `corpusguard fetch`, or `corpusguard snapshots add` a file",
            )
        return found

    def _snapshot(self, document: str, digest: str) -> Snapshot:
        wanted = digest.removeprefix("sha256:").lower()
        found = {
            snapshot.digest: snapshot
            for snapshot in self.store.list(document)
            if wanted and snapshot.digest.removeprefix("sha256:").startswith(wanted)
        }
        if len(found) != 1:
            raise ConfigError(
                f"{len(found)} snapshots of {document} begin with {digest!r}",
                hint="`corpusguard snapshots list` prints their digests",
            )
        return next(iter(found.values()))

    def _read(self, snapshot: Snapshot) -> Reading:
        if snapshot.rendition not in capture.PRIMARY:
            raise ConfigError(
                f"snapshot {snapshot.digest} is a {snapshot.rendition.value} file, which the first "
                "reader does not read",
                hint=f"choose one of: {', '.join(form.value for form in capture.PRIMARY)}",
            )
        return first_reader.read(self.store.read(snapshot.digest), Rendition(snapshot.rendition))


def _outcome(name: str, captured: capture.Captured) -> FetchOutcome:
    if captured.primary is not None:
        return FetchOutcome(name, captured.primary, unchanged=captured.unchanged)
    worst = captured.findings[-1]
    return FetchOutcome(name, None, worst.rule, worst.message)


__all__ = ["CorpusguardError", "Service", "SourceError"]
