"""The list of passages that may be indexed, as lines of JSON."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from corpusguard.attest import Reason, Refusal
from corpusguard.history.rows import storable
from corpusguard.report.files import write_chunks
from corpusguard.report.summary import plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from corpusguard.attest import Standing
    from corpusguard.history import History
    from corpusguard.service.checked import Checked
    from corpusguard.service.rows import Rows

_json: Final = json.JSONEncoder(ensure_ascii=True).encode
_VERIFY: Final = "run `corpusguard verify`, or `corpusguard check-corpus --verify`"


def write_list(
    target: Path, rows: Sequence[Rows], found: Checked, history: History | None
) -> Checked:
    """Write the list, if anything may be in it.

    Args:
        target: The file; what is there is replaced whole, or left as it was.
        rows: The corpora, as they were read.
        found: What the gate found of them.
        history: Says which rows verified each for itself; None: an attestation was judged by.

    Returns:
        What the gate found, with the length of the list and what the list itself made impossible.

    Raises:
        StorageError: It cannot be written.
    """
    if history is None:
        found = replace(found, standings=tuple(map(_if_every_row_verified, found.standings)))
    if not found.passing:
        return found
    lines = _Lines(rows, found, history)
    write_chunks(target, lines)
    if lines.count:
        return replace(found, listed=lines.count)
    nothing = Refusal(Reason.NOTHING_IN_SCOPE, "not one passage verified for itself", _VERIFY)
    return replace(found, listed=0, refusals=(*found.refusals, nothing))


def _if_every_row_verified(standing: Standing) -> Standing:
    """Refuse a document of which an attestation does not say which of its rows verified."""
    said = standing.claim
    if standing.refusals or said is None or said.verified_rows == standing.held.rows:
        return standing
    refusal = Refusal(
        Reason.PASSAGES_UNKNOWN,
        f"run {standing.run} verified {said.verified_rows} of its "
        f"{plural(standing.held.rows, 'row')}, and an attestation does not say which",
        "check against the history, which knows; or see `corpusguard findings list`",
        standing.held.corpus,
        standing.held.document,
    )
    return replace(standing, refusals=(refusal,))


class _Lines:
    """The passages that may be indexed, as lines of JSON, in store order by document."""

    def __init__(self, rows: Sequence[Rows], found: Checked, history: History | None) -> None:
        self._rows = rows
        self._runs = {one.held.pair: one.run for one in found.passing}
        self._history = history
        self.count = 0

    def __iter__(self) -> Iterator[bytes]:
        """Yield a line for each passage that verified; few of them in memory at a time."""
        for rows in self._rows:
            for document in rows.documents():
                pair = (storable(rows.corpus.name), storable(document))
                if pair in self._runs:
                    yield from self._document(rows, document, self._runs[pair])

    def _document(self, rows: Rows, document: str, run: int) -> Iterator[bytes]:
        states = None
        if self._history is not None:
            states = self._history.passage_states(run, document, rows.corpus.name)
            if len(states) != rows.count(document):
                return  # a run that says nothing of each row lets none of them through
        repeated = rows.times(document)
        before: Counter[str] = Counter()
        for place, passage in enumerate(rows.stream(document)):
            occurrence = before[passage.id]
            if passage.id in repeated:
                before[passage.id] += 1
            digest = "sha256:" + hashlib.sha256(passage.text.encode("utf-8")).hexdigest()
            if states is not None and not (
                states[place].verified and states[place].digest == digest
            ):
                continue
            self.count += 1
            entry = {
                "corpus": rows.corpus.name,
                "document": document,
                "id": passage.id,
                "occurrence": occurrence,
                "section": passage.section or "",
                "subsection": passage.subsection,
                "heading": passage.heading,
                "status": passage.status,
                "ordinal": passage.ordinal,
                "digest": digest,
            }
            yield _json(entry).encode("ascii") + b"\n"
