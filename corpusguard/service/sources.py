"""The stored passages that may be a source of record: verified, young enough, and unaltered."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from corpusguard.corpora import load_passages
from corpusguard.history import History, passage_keys
from corpusguard.layers.document import text_digest
from corpusguard.service.scope import known_documents

if TYPE_CHECKING:
    from corpusguard.config import Config
    from corpusguard.history import PassageBaseline
    from corpusguard.model import CorpusSpec, Passage

_CLOCK_SLACK: Final = 60.0
"""Seconds by which a recorded time may lie ahead of this clock."""


@dataclass(frozen=True, slots=True)
class VerifiedText:
    """One passage that holds."""

    id: str
    """Native id; only ids that one row has are listed."""
    document: str
    title: str
    """Of the document."""
    section: str
    heading: str
    text: str
    """As stored, which is what verified."""
    digest: str
    """``sha256:…`` of the text."""
    run: int
    """The last run that verified it."""
    verified: str
    """When that run began, ISO 8601."""
    corpus: str


def verified_texts(config: Config, now: datetime | None = None) -> list[VerifiedText]:
    """Return every stored passage whose last verified state holds today.

    It holds where no run since has said otherwise, the run that verified it is younger than the
    corpus' ``max_age`` (an offline run is as old as its snapshot), the text stored now has the
    digest that verified, and no other row of any corpus has the same id.

    Raises:
        CorpusUnreadable: A store cannot be read to its end; half a corpus is none.
        HistoryBroken: History is not what it was.
    """
    if not config.history.exists():
        return []
    moment = now or datetime.now(UTC)
    titles = {name: one.document.title for name, one in known_documents(config).items()}
    found: list[VerifiedText] = []
    ids: Counter[str] = Counter()
    with History.open(config.history) as history:
        for corpus in config.corpora:
            passages = list(load_passages(corpus, config.root))
            ids.update(passage.id for passage in passages)
            for document in {passage.document for passage in passages} & titles.keys():
                rows = [passage for passage in passages if passage.document == document]
                known = history.verified_passages(document, corpus.name)
                keys = passage_keys(rows)
                found += [
                    _text(passage, corpus, titles[document], known[keys[passage.row]])
                    for passage in rows
                    if _holds(passage, corpus, known.get(keys[passage.row]), moment)
                ]
    return sorted(
        (one for one in found if ids[one.id] == 1), key=lambda one: (one.document, one.id)
    )


def _holds(
    passage: Passage, corpus: CorpusSpec, known: PassageBaseline | None, now: datetime
) -> bool:
    if known is None or not known.current or known.digest != text_digest(passage.text):
        return False
    if not known.asked:
        return False
    age = (now - datetime.fromisoformat(known.asked)).total_seconds()
    return -_CLOCK_SLACK < age <= corpus.max_age_seconds


def _text(passage: Passage, corpus: CorpusSpec, title: str, known: PassageBaseline) -> VerifiedText:
    return VerifiedText(
        id=passage.id,
        document=passage.document,
        title=title,
        section=passage.section or "",
        heading=passage.heading or "",
        text=passage.text,
        digest=known.digest,
        run=known.last_run,
        verified=known.last,
        corpus=corpus.name,
    )
