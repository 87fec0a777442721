"""The gate before reindexing: may exactly this corpus be indexed?

It reads every configured corpus to its end, computes its root, and asks the history of runs, or one
attestation, whether a run verified exactly that root. It writes nothing but what it was asked to:
the list of passages, and the run that was seen last. The corpus is never written.
"""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from corpusguard.attest import (
    Held,
    Policy,
    Reason,
    Refusal,
    Refused,
    Standing,
    corpus_root,
)
from corpusguard.errors import ConfigError
from corpusguard.history.rows import storable
from corpusguard.locking import RunLock
from corpusguard.model import Severity
from corpusguard.report.files import real
from corpusguard.report.summary import plural
from corpusguard.service.attestations import (
    Seen,
    read_attestation,
    read_seen,
    write_seen,
)
from corpusguard.service.checked import Checked
from corpusguard.service.opening import has_history, open_history
from corpusguard.service.outputs import check_output, is_list
from corpusguard.service.passage_list import write_list
from corpusguard.service.rows import Rows
from corpusguard.service.scope import known_documents
from corpusguard.service.standing import Judged, by_claim, by_history

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from corpusguard.config import Config
    from corpusguard.history import History
    from corpusguard.snapshots import SnapshotStore

_VERIFY: Final = "run `corpusguard verify`, or `corpusguard check-corpus --verify`"


@dataclass(frozen=True, slots=True)
class Asked:
    """What the gate is asked for."""

    max_age: int = 0
    """Seconds since the end of the run; 0: what each corpus says."""
    fail_on: Severity = Severity.ERROR
    partial: bool = False
    """Let documents that stand well through, although others do not."""
    passages: Path | None = None
    """Where the list of passages that may be indexed goes."""
    attestation: Path | None = None
    """Judge by this file instead of the history."""
    keys: tuple[Path, ...] = ()
    seen: Path | None = None


class Gate:
    """What ``check-corpus`` calls."""

    def __init__(self, config: Config, store: SnapshotStore) -> None:
        self._config = config
        self._store = store

    def check(self, asked: Asked, *, now: datetime | None = None) -> Checked:
        """Decide whether the corpus, as it is now, may be indexed.

        Args:
            asked: What is asked of the run.
            now: The time that ages are measured at; the clock's, where it is not given.

        Raises:
            ConfigError: A file that was named cannot be used.
            CorpusUnreadable: A corpus cannot be read to its end.
            LockHeld: A run is under way: what it will say is not known yet.
            StorageError: History is broken, or a list cannot be written. Then nothing passed.
        """
        self._check_files(asked)
        with ExitStack() as stack:
            rows = [
                stack.enter_context(Rows(corpus, self._config.root))
                for corpus in self._config.corpora
            ]
            held = [_held(one, document) for one in rows for document in one.documents()]
            history = None
            if asked.attestation is None:
                history = stack.enter_context(self._history())
            seen = read_seen(asked.seen) if asked.seen else Seen()
            judged = self._judged(asked, held, seen, history, now or datetime.now(UTC))
            found = _found(asked, held, judged, list(self._of_the_rows(rows)))
            stored = {one.document for one in held if one.rows}
            listed = sorted(known_documents(self._config))
            found = replace(
                found, unstored=tuple(one for one in listed if storable(one) not in stored)
            )
            if asked.passages is not None:
                found = write_list(asked.passages, rows, found, history)
            if asked.seen is not None and found.passing and judged.claim is not None:
                write_seen(asked.seen, judged.claim)
            return found

    def _judged(
        self,
        asked: Asked,
        held: Sequence[Held],
        seen: Seen,
        history: History | None,
        now: datetime,
    ) -> Judged:
        ages = {
            storable(corpus.name): asked.max_age or corpus.max_age_seconds
            for corpus in self._config.corpora
        }
        policy = Policy(now, ages, asked.fail_on)
        if asked.attestation is not None:
            try:
                claim, signers = read_attestation(asked.attestation, asked.keys)
            except Refused as error:
                return Judged(refusals=(error.refusal,))
            judged = by_claim(claim, signers, held, policy)
            return Judged(
                judged.standings, (*seen.against(claim), *judged.refusals), claim, signers
            )
        if history is None:
            return Judged(
                refusals=(
                    Refusal(
                        Reason.NO_RUN, f"there is no history at {self._config.history}", _VERIFY
                    ),
                )
            )
        return by_history(history, self._store, held, policy)

    def _check_files(self, asked: Asked) -> None:
        """Refuse options that contradict each other, and targets that would destroy something."""
        if asked.attestation is None and (asked.keys or asked.seen):
            raise ConfigError(
                "--key and --seen are about an attestation", hint="name it with --attestation"
            )
        targets = (("--passages", asked.passages, is_list), ("--seen", asked.seen, None))
        inputs = [path for path in (asked.attestation, *asked.keys) if path is not None]
        for option, target, earlier in targets:
            if target is not None:
                check_output(self._config, target, option, inputs=inputs, earlier=earlier)
        if asked.passages and asked.seen and real(asked.passages) == real(asked.seen):
            raise ConfigError("--passages and --seen name one file", hint="name two")

    @contextmanager
    def _history(self) -> Iterator[History | None]:
        path = self._config.history
        if not has_history(self._config):
            yield None
            return
        with RunLock(path.with_name(path.name + ".lock")), open_history(self._config) as history:
            yield history

    def _of_the_rows(self, rows: Sequence[Rows]) -> Iterator[Refusal]:
        """Yield what the rows themselves say against the corpus, whatever any run said."""
        known = known_documents(self._config)
        for one in rows:
            if not any(one.count(document) for document in one.documents()):
                yield Refusal(
                    Reason.NOTHING_IN_SCOPE,
                    "it holds no rows",
                    "check its path and query: an empty corpus is never a pass",
                    corpus=storable(one.corpus.name),
                )
            for document in one.documents():
                if document not in known:
                    yield Refusal(
                        Reason.UNLISTED_DOCUMENT,
                        f"no source lists it: {plural(one.count(document), 'row')} of this corpus",
                        "add the document to a source, or remove its rows",
                        storable(one.corpus.name),
                        storable(document),
                    )
        if not rows:
            yield Refusal(
                Reason.NOTHING_IN_SCOPE,
                "no corpus is configured",
                "add a [[corpus]] to the configuration",
            )


def _held(rows: Rows, document: str) -> Held:
    # As history stores the names, or they would not be found there.
    return Held(
        storable(rows.corpus.name),
        storable(document),
        rows.count(document),
        rows.digest(document),
    )


def _found(
    asked: Asked, held: Sequence[Held], judged: Judged, of_rows: Sequence[Refusal]
) -> Checked:
    """Join what runs say with what the rows say; a document that has a reason does not pass."""
    by_pair = {(one.corpus, one.document): one for one in of_rows if one.document}
    standings = tuple(
        Standing(
            one.held,
            one.run,
            # No run looks at a document that no source lists; the first is the one to act on.
            (by_pair[one.held.pair],) if one.held.pair in by_pair else one.refusals,
            one.claim,
        )
        for one in judged.standings
    )
    claim = judged.claim
    return Checked(
        root=corpus_root(held),
        rows=sum(one.rows for one in held),
        documents=len(held),
        standings=standings,
        refusals=(*judged.refusals, *(one for one in of_rows if not one.document)),
        partial=asked.partial,
        run=claim.run if claim else 0,
        finished=claim.finished if claim else "",
        head=claim.head if claim else "",
        signers=judged.signers,
    )
