"""The work on one document: read the bytes with both readers, and run the layers.

A ``Task`` is plain data, so that it can be done in another process.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Final, overload

from corpusguard import __version__, first_reader, second_reader
from corpusguard.corpora import rebuild
from corpusguard.errors import Mojibake, SourceError, Unreadable
from corpusguard.layers import (
    Baseline,
    Inputs,
    OlderReading,
    OtherRendition,
    check_document,
    provision_digests,
)
from corpusguard.layers.draft import draft, with_fingerprints
from corpusguard.layers.words import looks_like_mojibake
from corpusguard.model import DocumentResult, Rendition, Severity, Verdict
from corpusguard.service.scope import prefixes
from corpusguard.snapshots import SnapshotStore

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from corpusguard.model import CorpusSpec, DocumentSpec, Finding, Passage, Reading, Snapshot

_ENGINES: Final = ("lxml", "beautifulsoup4", "pdfminer.six", "corpusguard-law")
_MOST_OLDER: Final = 12
_FORM: Final = "findings with digests of both sides, dated by the newest run that verified"
"""What a result holds; another text here makes every result be worked out anew."""


@dataclass(frozen=True, slots=True)
class Task:
    """One document of one corpus, with all that its result follows from."""

    document: DocumentSpec
    corpus: CorpusSpec
    corpus_digest: str
    primary: Snapshot
    others: list[Snapshot]
    older: list[Snapshot]
    snapshots: Path
    layers: tuple[str, ...]
    count: int
    """Rows that the corpus has of the document."""
    passages: list[Passage] = field(default_factory=list)
    """Those rows; read only where there is no earlier result to take over."""
    rows_by_id: Mapping[str, int] = field(default_factory=dict)
    currency_date: str = ""
    not_refetched: str = ""
    baseline: Baseline = field(default_factory=Baseline)
    known_reading: tuple[str, str] = ("", "")
    """How history says that the primary snapshot was read: (digest, reader version)."""
    extra: tuple[Finding, ...] = ()

    def input_key(self) -> str:
        """Digest over all that the result follows from; equal keys mean an equal result."""
        parts = [
            [self.primary.digest, self.primary.rendition.value],
            [[other.digest, other.rendition.value] for other in self.others],
            [snapshot.digest for snapshot in self.older],
            self.corpus_digest,
            repr(self.corpus),
            repr(self.document),
            list(self.layers),
            versions(),
            _FORM,
            [f"{finding.rule} {finding.message}" for finding in self.extra],
        ]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a task."""

    result: DocumentResult
    reading_digest: str = ""
    stands_since: int = 0
    """The run whose stored result stands, body and all; 0: this one has a body of its own."""


@cache
def versions() -> tuple[str, ...]:
    """Everything whose change may change a reading, with its version."""
    found = [
        f"corpusguard {__version__}",
        f"first {first_reader.VERSION}",
        f"second {second_reader.VERSION}",
        f"python {platform.python_version()}",
    ]
    for name in _ENGINES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            found.append(f"{name} ?")
    return tuple(found)


def reading_digest(reading: Reading) -> str:
    """Digest of what a reading says, to notice that a new version reads an old snapshot anew."""
    whole = hashlib.sha256(reading.text.encode("utf-8", "surrogatepass"))
    for pid, digest in provision_digests(reading).items():
        whole.update(f"{pid} {digest}\n".encode())
    return whole.hexdigest()


class _Older(Sequence[OlderReading]):
    """Earlier snapshots, read only when a cause is looked for."""

    def __init__(self, store: SnapshotStore, snapshots: Sequence[Snapshot]) -> None:
        self._store = store
        self._snapshots = snapshots[:_MOST_OLDER]
        self._read: dict[int, OlderReading] = {}

    def __len__(self) -> int:
        return len(self._snapshots)

    @overload
    def __getitem__(self, position: int) -> OlderReading: ...
    @overload
    def __getitem__(self, position: slice) -> list[OlderReading]: ...
    def __getitem__(self, position: int | slice) -> OlderReading | list[OlderReading]:
        if isinstance(position, slice):
            return [self[number] for number in range(*position.indices(len(self)))]
        if position >= len(self):
            raise IndexError(position)
        if position not in self._read:
            snapshot = self._snapshots[position]
            reading = first_reader.read(self._store.read(snapshot.digest), snapshot.rendition)
            self._read[position] = OlderReading(
                snapshot.identity.consolidated_from, snapshot.captured, reading
            )
        return self._read[position]


def do(task: Task) -> Done:
    """Read and compare. Bytes that cannot be read make the document unverifiable."""
    try:
        inputs, digest = inputs_of(task)
    except SourceError as error:
        return Done(unverifiable(task, error))
    result = check_document(inputs)
    return Done(
        replace(
            result,
            snapshot=task.primary.digest,
            snapshots=(task.primary.digest, *(other.digest for other in task.others)),
            consolidated_from=(result.consolidated_from or task.primary.identity.consolidated_from),
            currency_date=task.currency_date,
            corpus_digest=task.corpus_digest,
            captured=task.primary.captured,
            not_refetched=task.not_refetched,
        ),
        digest,
    )


def inputs_of(task: Task) -> tuple[Inputs, str]:
    """Read all that the layers compare, and return it with the digest of the first reading.

    Raises:
        SourceError: the official bytes cannot be read.
    """
    store = SnapshotStore(task.snapshots)
    data = store.read(task.primary.digest)
    reading = first_reader.read(data, task.primary.rendition)
    second = (
        _second(data, task.primary.rendition)
        if "L2" in task.layers or ("L3" in task.layers)
        else None
    )
    others, notes = _renditions(task, store)
    digest = reading_digest(reading)
    extra = [*task.extra, *notes, *_source_findings(task, reading, digest)]
    inputs = Inputs(
        document=task.document,
        corpus=task.corpus.name,
        reading=reading,
        passages=task.passages,
        second=second,
        layers=task.layers,
        expected=_expected(task, reading),
        prefixes=prefixes(task.corpus, task.document, task.passages),
        rows_by_id=task.rows_by_id,
        baseline=task.baseline,
        older=_Older(store, task.older),
        renditions=others,
        extra=extra,
        evidence=(task.primary.digest,),
    )
    return inputs, digest


def unverifiable(task: Task, error: SourceError) -> DocumentResult:
    """The result of a document whose official bytes cannot be used."""
    finding = draft(error.rule, task.document.id, error.message)
    return DocumentResult(
        id=task.document.id,
        verdict=Verdict.UNVERIFIABLE,
        layers=dict.fromkeys(task.layers, Verdict.UNVERIFIABLE),
        findings=with_fingerprints(
            [*task.extra, finding], task.corpus.name, (task.primary.digest,)
        ),
        snapshot=task.primary.digest,
        snapshots=(task.primary.digest,),
        consolidated_from=task.primary.identity.consolidated_from,
        currency_date=task.currency_date,
        passages=task.count,
        corpus_digest=task.corpus_digest,
        captured=task.primary.captured,
        not_refetched=task.not_refetched,
    )


def _second(data: bytes, rendition: Rendition) -> Mapping[str, object]:
    try:
        return second_reader.read(data, rendition.value)
    except second_reader.ParseError as error:
        raise Unreadable(f"the second reader: {error}") from error


def _renditions(task: Task, store: SnapshotStore) -> tuple[list[OtherRendition], list[Finding]]:
    """Other renditions of the same consolidation, read; and notes on those left out."""
    found: list[OtherRendition] = []
    notes: list[Finding] = []
    if "L2" not in task.layers:
        return found, notes
    wanted = task.primary.identity.consolidated_from
    for other in task.others:
        theirs = other.identity.consolidated_from
        if wanted and theirs and wanted != theirs:
            message = (
                f"the {other.rendition.value} rendition is of the consolidation from {theirs}, "
                f"the text of that from {wanted}: not compared"
            )
            notes.append(draft("CG205", task.document.id, message, severity=Severity.NOTE))
            continue
        try:
            reading = second_reader.read(store.read(other.digest), other.rendition.value)
        except second_reader.ParseError as error:
            message = f"the {other.rendition.value} rendition cannot be read: {error}"
            notes.append(draft("CG205", task.document.id, message, severity=Severity.NOTE))
            continue
        found.append(OtherRendition(other.rendition.value, other.digest, reading))
    return found, notes


def _source_findings(task: Task, reading: Reading, digest: str) -> list[Finding]:
    found = []
    if looks_like_mojibake(reading.text):
        found.append(
            draft(
                Mojibake.rule,
                task.document.id,
                "the official text holds letters decoded with the wrong character set",
            )
        )
    known, reader = task.known_reading
    if known and known != digest:
        found.append(
            draft(
                "CG108",
                task.document.id,
                f"this snapshot was read differently before, by reader {reader}; "
                f"now {first_reader.VERSION}",
            )
        )
    return found


def _expected(task: Task, reading: Reading) -> tuple[Sequence[Passage], Sequence[Passage]] | None:
    if task.corpus.recipe == "anchored":
        return None
    bare = rebuild(reading, replace(task.corpus, template=""), task.document)
    if not task.corpus.template:
        return bare, bare
    return rebuild(reading, task.corpus, task.document), bare
