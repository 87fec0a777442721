"""What last verified: the baselines from which causes are worked out, and what the gate may trust.

Two tables with two rules. A *passage* is marked verified only by a result in which every layer
that ran reached a verdict, and under the layers that gave it; it stops counting as verified, under
all layers, as soon as any result says otherwise. A *provision* takes today's digest as its
verified one unless a finding concerns its section: while stored and official text differ, the
baseline stays what it was, so that "the source was amended" remains true until the corpus follows.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from corpusguard.history.rows import fully_decided, layer_set, storable
from corpusguard.model import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlite_utils import Database

    from corpusguard.history.records import PassageKey
    from corpusguard.history.rows import Scope
    from corpusguard.model import DocumentResult, PassageState

_COUNTS: Final = frozenset({Severity.ERROR, Severity.WARNING})


def keyed(states: Iterable[PassageState]) -> dict[PassageKey, PassageState]:
    """Return passage states by native id and occurrence, in row order."""
    seen: Counter[str] = Counter()
    found: dict[PassageKey, PassageState] = {}
    for state in sorted(states, key=lambda state: state.row):
        ident = storable(state.id)
        found[ident, seen[ident]] = state
        seen[ident] += 1
    return found


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
    if fully_decided(result):
        states = keyed(result.states)
        layers = layer_set(result)
        _mark(db, scope, layers, states)
        failed = [key for key, state in states.items() if not state.verified]
        _unmark(db, scope, failed, "violated")
        _unmark(db, scope, _present(db, scope) - set(states), "gone")
        _carry(db, scope, layers)
        return
    # Some layer said nothing, so no passage is verified anew; but what another layer proved wrong
    # is wrong, and the findings say so.
    named = {
        storable(finding.passage)
        for finding in result.findings
        if finding.layer is not None and finding.passage and finding.severity is Severity.ERROR
    }
    _unmark(db, scope, [key for key in _present(db, scope) if key[0] in named], "violated")


def record_provisions(db: Database, scope: Scope, result: DocumentResult) -> None:
    """Bring the provisions' verified digests up to date; inside the caller's transaction."""
    if not fully_decided(result) or not result.verified_passages:
        return
    blocked = _Blocked(result)
    rows = db.execute(
        "SELECT pid, digest FROM provisions WHERE document = ? AND corpus = ?",
        [scope.document, scope.corpus],
    )
    known = dict(rows.fetchall())
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
        if known.get(pid) != digest and not blocked.holds(pid)
    ]
    db.table("provisions").upsert_all(changed, pk=("document", "corpus", "pid"))
    gone = [pid for pid in known if pid not in today and not blocked.holds(pid)]
    db.execute(
        "DELETE FROM provisions WHERE document = ? AND corpus = ?"
        " AND pid IN (SELECT value FROM json_each(?))",
        [scope.document, scope.corpus, json.dumps(gone)],
    )


class _Blocked:
    """The section units that a finding of this result concerns.

    A finding may name its provision, its section, or only its passage. A locator such as
    ``Sched. 2, 3`` is matched by its last number alone, so section 3 of the body is held back too:
    a baseline kept a day too long is harmless, one moved too early hides an amendment.
    """

    def __init__(self, result: DocumentResult) -> None:
        sections: dict[str, set[str]] = {}
        for state in result.states:
            sections.setdefault(state.id, set()).add(state.section)
        self._units: set[str] = set()
        self._numbers: set[str] = set()
        for finding in result.findings:
            if finding.layer is None or finding.severity not in _COUNTS:
                continue
            if finding.provision:
                self._units.add(unit(finding.provision))
            for locator in {finding.section, *sections.get(finding.passage, ())} - {""}:
                self._numbers.add(_last_number(locator.replace(",", " ").split()))

    def holds(self, pid: str) -> bool:
        """Tell whether ``pid`` lies in a unit concerned."""
        root = unit(pid)
        return root in self._units or _last_number(root.split("_")) in self._numbers


def _last_number(words: list[str]) -> str:
    return words[-1].rstrip(".").casefold() if words else ""


def _mark(db: Database, scope: Scope, layers: str, states: dict[PassageKey, PassageState]) -> None:
    """Mark what verified for the first time, again, or with another text."""
    known = {
        (row["id"], row["occurrence"]): (row["digest"], row["state"])
        for row in db.query(
            "SELECT id, occurrence, digest, state FROM passages"
            " WHERE document = :document AND corpus = :corpus AND layers = :layers",
            {"document": scope.document, "corpus": scope.corpus, "layers": layers},
        )
    }
    fresh: list[dict[str, Any]] = [
        {
            "document": scope.document,
            "corpus": scope.corpus,
            "layers": layers,
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
    db.table("passages").upsert_all(fresh, pk=("document", "corpus", "layers", "id", "occurrence"))


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


def _carry(db: Database, scope: Scope, layers: str) -> None:
    """Move along what stands: once the others are unmarked, all that is left verified today."""
    db.execute(
        "UPDATE passages SET last_run = ?"
        " WHERE document = ? AND corpus = ? AND layers = ? AND state = 'verified'",
        [scope.run, scope.document, scope.corpus, layers],
    )


def _present(db: Database, scope: Scope) -> set[PassageKey]:
    """Return the keys of all passages that history holds for the scope."""
    rows = db.execute(
        "SELECT DISTINCT id, occurrence FROM passages WHERE document = ? AND corpus = ?",
        [scope.document, scope.corpus],
    )
    return set(rows.fetchall())
