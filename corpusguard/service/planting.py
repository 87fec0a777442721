"""How much a nightly run over this very configuration would notice: faults planted in memory.

Nothing is fetched and nothing is stored: the newest snapshots and the rows of the corpus are read,
faults are planted in copies of the rows, and the three layers judge each copy as they would at
night. Neither history nor the corpus is touched.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from corpusguard import __version__
from corpusguard.errors import ConfigError, HistoryBroken
from corpusguard.evidence import canonical
from corpusguard.layers import check_document, prepare
from corpusguard.measure.planting import Shape, Sound
from corpusguard.measure.verifier import Outcome, measure, rates
from corpusguard.service import capture
from corpusguard.service.planted_record import SCHEMA, outcomes_of
from corpusguard.service.rows import read_rows
from corpusguard.service.scope import chosen, known_documents, prefixes
from corpusguard.service.work import Task, inputs_of, versions
from corpusguard.snapshots import SnapshotStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from corpusguard.config import Config
    from corpusguard.layers import Inputs
    from corpusguard.model import CorpusSpec, Finding, Passage
    from corpusguard.service.scope import Known

    Progress = Callable[[str, int, int], None]

_LAYERS: Final = ("L1", "L2", "L3")
_MAX_RECORD_BYTES: Final = 256 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Subject:
    """One document of one corpus, as faults were planted in it."""

    corpus: str
    document: str
    mode: str
    """``rebuilt``, ``anchored`` or ``windows``: how its rows claim their places."""
    snapshot: str
    corpus_digest: str
    rows: int
    verified: int
    """Rows that verify as they are: faults are planted in these alone."""
    outcomes: tuple[Outcome, ...]


def measured(  # noqa: PLR0913 - the options of the command
    config: Config,
    documents: Iterable[str],
    *,
    corpus: str,
    faults: int,
    seed: str,
    progress: Progress | None = None,
) -> list[Subject]:
    """Plant faults in every document in scope.

    Args:
        config: which corpora and sources.
        documents: ids; all, when none is named.
        corpus: name of one corpus, or empty for all.
        faults: of each kind, in each document, at most.
        seed: gives the same faults again.
        progress: called with (what, done, total) for each kind.

    Raises:
        ConfigError: nothing is in scope, or no snapshot of it is stored.
        CorpusUnreadable, SourceError: rows or official bytes cannot be read.
    """
    wanted = chosen(config, documents)
    names = [one.name for one in config.corpora]
    if corpus and corpus not in names:
        raise ConfigError(f"there is no corpus {corpus!r}", hint=f"there are: {', '.join(names)}")
    known = known_documents(config)
    found: list[Subject] = []
    for spec in config.corpora:
        if corpus in {"", spec.name}:
            found.extend(_corpus(config, spec, wanted, known, faults, seed, progress))
    if not found:
        raise ConfigError(
            "nothing is in scope: no corpus holds a document that a source lists",
            hint="`corpusguard doctor` says what is missing",
        )
    return found


def _corpus(  # noqa: PLR0913 - one step of ``measured``
    config: Config,
    spec: CorpusSpec,
    wanted: frozenset[str],
    known: Mapping[str, Known],
    faults: int,
    seed: str,
    progress: Progress | None,
) -> Iterator[Subject]:
    store = SnapshotStore(config.snapshots)
    with read_rows(config, spec, known) as rows:
        for name in rows.documents():
            if name not in wanted or not rows.count(name):
                continue
            official = capture.stored(store, name)
            if official.primary is None:
                raise ConfigError(
                    f"no snapshot of {name} is stored",
                    hint="run `corpusguard fetch`, or `corpusguard snapshots add` a file",
                )
            passages = rows.passages(name)
            task = Task(
                document=known[name].document,
                corpus=spec,
                corpus_digest=rows.digest(name),
                primary=official.primary,
                others=official.others,
                older=[],
                snapshots=config.snapshots,
                layers=_LAYERS,
                count=len(passages),
                passages=[replace(one, row=row) for row, one in enumerate(passages)],
                rows_by_id=rows.times(name),
                currency_date=official.currency_date,
            )
            yield _subject(task, faults, seed, progress)


def _subject(task: Task, faults: int, seed: str, progress: Progress | None) -> Subject:
    inputs, _ = inputs_of(task)
    # What other renditions say of the reading is the same whatever stands in the rows.
    inputs = replace(inputs, renditions=[])
    labelled = any(one.section is not None for one in task.passages)
    shape = Shape.LABELLED if labelled else Shape.WINDOWS
    check = _checker(task, inputs)
    first = check_document(replace(inputs, passages=task.passages))
    verified = frozenset(state.row for state in first.states if state.verified)
    name = task.document.id

    def step(kind: str, done: int, total: int) -> None:
        if progress:
            progress(f"{name} {kind}", done, total)

    outcomes = measure(
        Sound(tuple(task.passages), inputs.reading, shape),
        check,
        faults=faults,
        seed=seed,
        verified=verified,
        progress=step,
    )
    mode = "windows" if not labelled else "anchored" if inputs.expected is None else "rebuilt"
    return Subject(
        task.corpus.name,
        name,
        mode,
        task.primary.digest,
        task.corpus_digest,
        len(task.passages),
        len(verified),
        tuple(outcomes),
    )


def _checker(task: Task, inputs: Inputs) -> Callable[[Sequence[Passage]], Iterable[Finding]]:
    ready = prepare(inputs.document, inputs.reading, inputs.second)
    own = Counter(one.id for one in task.passages)
    elsewhere = {
        ident: times - own[ident] for ident, times in task.rows_by_id.items() if times > own[ident]
    }

    def check(passages: Sequence[Passage]) -> Iterable[Finding]:
        rows = list(passages)
        times = Counter(one.id for one in rows)
        times.update(elsewhere)
        changed = replace(
            inputs,
            passages=rows,
            rows_by_id=times,
            prefixes=prefixes(task.corpus, task.document, rows),
        )
        return check_document(changed, ready).findings

    return check


def record(subjects: Sequence[Subject], *, faults: int, seed: str) -> dict[str, Any]:
    """The measurement as JSON: every outcome, the rates, and a digest that seals both.

    No clock and no path: the same corpus, snapshots, seed and versions give the same bytes.
    """
    body: dict[str, Any] = {
        "schema": SCHEMA,
        "tool": f"corpusguard {__version__}",
        "versions": list(versions()),
        "seed": seed,
        "faults_per_kind": faults,
        "subjects": [_plain(asdict(one)) for one in subjects],
        "rates": [asdict(one) for one in rates(o for s in subjects for o in s.outcomes)],
    }
    return {**body, "digest": "sha256:" + hashlib.sha256(canonical(body)).hexdigest()}


def _plain(value: Any) -> Any:  # noqa: ANN401 - JSON
    """Tuples as the lists that JSON makes of them."""
    return json.loads(json.dumps(value))


def recompute(path: Path) -> dict[str, Any]:
    """Return a stored record, once its digest and every rate follow from its outcomes again.

    Raises:
        ConfigError: it cannot be read, or is no such record.
        HistoryBroken: its digest, or a rate, is not what its outcomes give.
    """
    try:
        with path.open("rb") as stream:
            data = stream.read(_MAX_RECORD_BYTES + 1)
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from error
    if len(data) > _MAX_RECORD_BYTES:
        raise ConfigError(f"{path} is larger than {_MAX_RECORD_BYTES} bytes")
    try:
        found = json.loads(data)
        outcomes = outcomes_of(found)
        body = {name: value for name, value in found.items() if name != "digest"}
        digest = "sha256:" + hashlib.sha256(canonical(body)).hexdigest()
        stated, table = found["digest"], [asdict(one) for one in rates(outcomes)]
        # As bytes: to Python, true equals 1.
        follows = canonical(body["rates"]) == canonical(_plain(table))
    except (ValueError, RecursionError) as error:
        raise ConfigError(
            f"{path} is not a record of `measure verifier`: {error}"[:400],
            hint="`corpusguard measure verifier --format json --output FILE` writes one",
        ) from error
    if stated != digest:
        raise HistoryBroken(
            f"the record was changed: its digest says {stated[:80]}, it has {digest}"
        )
    if not follows:
        raise HistoryBroken("the rates of the record do not follow from its outcomes")
    return dict(found)
