"""Taking the proof of one passage in one run out of the history."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corpusguard.errors import ConfigError, HistoryBroken
from corpusguard.evidence import build_proof, root
from corpusguard.history import queries
from corpusguard.history.roots import passage_leaves
from corpusguard.history.rows import storable
from corpusguard.history.verified import passage_keys

if TYPE_CHECKING:
    from sqlite_utils import Database

    from corpusguard.history.records import StoredResult


def record(db: Database, run: int) -> bytes:
    """Return the canonical bytes of a run's record; see ``History.record``."""
    row = db.execute("SELECT record FROM chain WHERE run = ?", [run]).fetchone()
    if row is None:
        raise ConfigError(
            f"run {run} has no record", hint="`corpusguard history head` names the newest that has"
        )
    return str(row[0]).encode()


def prove(  # noqa: PLR0913 - what names a passage, part by part
    db: Database, run: int, document: str, passage: str, *, corpus: str, occurrence: int
) -> dict[str, Any]:
    """Return the proof; see ``History.proof``."""
    sealed = record(db, run)
    key = (storable(passage), occurrence)
    results = [
        stored for stored in queries.results_of(db, run, document) if corpus in {"", stored.corpus}
    ]
    if not results:
        of = f" of corpus {corpus!r}" if corpus else ""
        raise ConfigError(
            f"run {run} has no document {document!r}{of}",
            hint="name one as the reports do; `corpusguard status` lists them",
        )
    held = [one for one in results if key in passage_keys(one.result.states).values()]
    stored = _only(held, run, document, passage)
    leaves = passage_leaves(stored.result.id, stored.result.states)
    keys = sorted(passage_keys(stored.result.states).items())
    index = [key for _, key in keys].index(key)
    recorded = db.execute(
        "SELECT corpus_root FROM results WHERE run = ? AND corpus = ? AND document = ?",
        [run, stored.corpus, stored.result.id],
    ).fetchone()[0]
    if recorded != root(leaves):
        raise HistoryBroken(
            f"the passages of {document} in run {run} are not those that were sealed",
            hint="`corpusguard history verify` says what else was changed",
        )
    return build_proof(sealed, stored.corpus, stored.result.id, leaves, index)


def _only(held: list[StoredResult], run: int, document: str, passage: str) -> StoredResult:
    if not held:
        raise ConfigError(
            f"run {run} holds no passage {passage!r} of {document}",
            hint="check the id as it stands in the corpus; for a later row of one id, give "
            "--occurrence 1, 2, …",
        )
    if len(held) > 1:
        names = ", ".join(stored.corpus for stored in held)
        raise ConfigError(
            f"passage {passage!r} of {document} is in {len(held)} corpora: {names}",
            hint="name one with --corpus",
        )
    return held[0]
