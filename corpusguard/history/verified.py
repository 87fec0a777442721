"""What last verified: the baselines from which causes are worked out, and what the gate may trust.

A *passage* is marked verified only by a result for which all three layers ran and reached a
verdict. It stops counting as verified as soon as any result says otherwise; its baseline stays.

A *provision* takes today's digest as its verified one unless an error disputes what is stored of
its section, or how it is read. While stored and official text differ, the baseline stays what it
was, so that "the source was amended" remains true, night after night, until the corpus follows.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any, Protocol

from corpusguard.history.rows import decided_layers, ran_in_full, storable
from corpusguard.model import Layer, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sqlite_utils import Database

    from corpusguard.history.records import PassageKey
    from corpusguard.history.rows import Scope
    from corpusguard.model import DocumentResult, Finding, PassageState


class _Row(Protocol):
    """A passage, or what a run says of one."""

    @property
    def row(self) -> int: ...
    @property
    def id(self) -> str: ...


def passage_keys(rows: Iterable[_Row]) -> dict[int, PassageKey]:
    r"""Return row -> key of the passages of one document: native id, and which row of that id.

    Lone surrogates and NUL in an id are written as ``\udXXX`` and ``\x00``, which SQLite can hold.
    """
    seen: Counter[str] = Counter()
    keys: dict[int, PassageKey] = {}
    for one in sorted(rows, key=lambda one: one.row):
        ident = storable(one.id)
        keys[one.row] = (ident, seen[ident])
        seen[ident] += 1
    return keys


def unit(pid: str) -> str:
    """Return the pid of the section-level unit that ``pid`` belongs to.

    ``sched_2__sec_3__para_a`` -> ``sched_2__sec_3``; without a section, the outermost part.
    """
    parts = pid.split("__")
    for index, part in enumerate(parts):
        if part.startswith("sec_"):
            return "__".join(parts[: index + 1])
    return parts[0]


def record_passages(db: Database, scope: Scope, result: DocumentResult) -> None:
    """Bring the passages' verified state up to date; inside the caller's transaction."""
    keys = passage_keys(result.states)
    states = {keys[state.row]: state for state in result.states}
    if ran_in_full(result):
        _mark(db, scope, states)
        failed = {key for key, state in states.items() if not state.verified}
    else:
        # Fewer layers, or one without a verdict: nothing is verified anew and silence proves
        # nothing, but what a layer proved wrong is wrong.
        failed = _proven_wrong(result, states)
    _unmark(db, scope, failed, "violated")
    if decided_layers(result):
        _unmark(db, scope, _present(db, scope) - set(states), "gone")
    if ran_in_full(result):
        _carry(db, scope)


def carry(db: Database, scope: Scope, result: DocumentResult) -> None:
    """Move along what stands when the newest result of a document is stored once more."""
    if ran_in_full(result):
        _carry(db, scope)


def record_provisions(db: Database, scope: Scope, result: DocumentResult) -> None:
    """Bring the provisions' verified digests up to date; inside the caller's transaction."""
    if not ran_in_full(result) or not result.verified_passages:
        return
    rows = db.execute(
        "SELECT pid, digest FROM provisions WHERE document = ? AND corpus = ?",
        [scope.document, scope.corpus],
    )
    known = dict(rows.fetchall())
    disputed = _Disputed(result, {unit(pid) for pid in known})
    today = {storable(pid): digest for pid, digest in result.provision_digests.items()}
    changed = [
        {
            "document": scope.document,
            "corpus": scope.corpus,
            "pid": pid,
            "digest": digest,
            "since_run": scope.run,
        }
        for pid, digest in today.items()
        if known.get(pid) != digest and not disputed.holds(pid)
    ]
    db.table("provisions").upsert_all(changed, pk=("document", "corpus", "pid"))
    gone = [pid for pid in known if pid not in today and not disputed.holds(pid)]
    db.execute(
        "DELETE FROM provisions WHERE document = ? AND corpus = ?"
        " AND pid IN (SELECT value FROM json_each(?))",
        [scope.document, scope.corpus, json.dumps(gone)],
    )


class _Disputed:
    """The section units whose baseline must stay.

    An error disputes a unit if it is about a passage or about the second reading. One that only
    says that something is missing from the corpus does not: what is stored still agrees. A unit
    without any baseline takes the text as first read, whatever is said of it.

    Findings may name their provision, their section, or only their passage. A locator such as
    ``Sched. 2, 3`` is matched by its last number alone, so section 3 of the body is held back too:
    a baseline kept too long is harmless, one moved too early hides an amendment.
    """

    def __init__(self, result: DocumentResult, known: set[str]) -> None:
        self._known = known
        sections = {state.row: state.section for state in result.states}
        self._units: set[str] = set()
        self._numbers: set[str] = set()
        for finding in result.findings:
            if finding.severity is not Severity.ERROR or not _disputes(finding):
                continue
            if finding.provision:
                self._units.add(unit(finding.provision))
            for locator in {finding.section, sections.get(finding.row, "")} - {""}:
                self._numbers.add(_last_number(locator.replace(",", " ").split()))

    def holds(self, pid: str) -> bool:
        """Tell whether the baseline of ``pid`` must stay as it is."""
        root = unit(pid)
        if root not in self._known:
            return False
        return root in self._units or _last_number(root.split("_")) in self._numbers


def _disputes(finding: Finding) -> bool:
    return finding.layer is Layer.L2 or (
        finding.layer is not None and bool(finding.passage or finding.row >= 0)
    )


def _last_number(words: list[str]) -> str:
    return words[-1].rstrip(".").casefold() if words else ""


def _proven_wrong(
    result: DocumentResult, states: Mapping[PassageKey, PassageState]
) -> set[PassageKey]:
    """Return the keys of passages that an error of a layer names, by row or by id alone."""
    errors = [
        finding
        for finding in result.findings
        if finding.layer is not None and finding.severity is Severity.ERROR
    ]
    rows = {finding.row for finding in errors if finding.row >= 0}
    ids = {storable(finding.passage) for finding in errors if finding.row < 0}
    return {key for key, state in states.items() if state.row in rows or key[0] in ids}


def _mark(db: Database, scope: Scope, states: Mapping[PassageKey, PassageState]) -> None:
    """Mark what verified for the first time, again, or with another text."""
    known = {
        (row["id"], row["occurrence"]): (row["digest"], row["state"])
        for row in db.query(
            "SELECT id, occurrence, digest, state FROM passages"
            " WHERE document = :document AND corpus = :corpus",
            {"document": scope.document, "corpus": scope.corpus},
        )
    }
    fresh: list[dict[str, Any]] = [
        {
            "document": scope.document,
            "corpus": scope.corpus,
            "id": key[0],
            "occurrence": key[1],
            "digest": state.digest,
            "since_run": scope.run,
            "last_run": scope.run,
            "state": "verified",
        }
        for key, state in states.items()
        if state.verified and known.get(key) != (state.digest, "verified")
    ]
    db.table("passages").upsert_all(fresh, pk=("document", "corpus", "id", "occurrence"))


def _unmark(db: Database, scope: Scope, keys: Iterable[PassageKey], state: str) -> None:
    """Let passages no longer count as verified, whatever layers said that they do."""
    db.execute(
        "UPDATE passages SET state = :state"
        " WHERE document = :document AND corpus = :corpus AND state != :state"
        " AND (id, occurrence) IN ("
        "   SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]')"
        "   FROM json_each(:keys))",
        {
            "state": state,
            "document": scope.document,
            "corpus": scope.corpus,
            "keys": json.dumps(list(keys)),
        },
    )


def _carry(db: Database, scope: Scope) -> None:
    """Move along what stands: once the others are unmarked, all that is left verified today."""
    db.execute(
        "UPDATE passages SET last_run = ? WHERE document = ? AND corpus = ? AND state = 'verified'",
        [scope.run, scope.document, scope.corpus],
    )


def _present(db: Database, scope: Scope) -> set[PassageKey]:
    """Return the keys of all passages that history holds for the scope."""
    rows = db.execute(
        "SELECT id, occurrence FROM passages WHERE document = ? AND corpus = ?",
        [scope.document, scope.corpus],
    )
    return set(rows.fetchall())
