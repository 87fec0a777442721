"""What a run claims of a corpus: the part of its record that a gate decides on.

A claim is read from the canonical bytes of a run's record, whether these come from a history or
from an attestation; nothing else is believed. ``corpus_root`` is computed in the same way from the
record of a run and from the rows that are loaded now, so that the two can be compared.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from corpusguard.evidence import RECORD_SCHEMA, canonical, head_of, root
from corpusguard.model import Layer, Severity, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

LAYERS: Final = frozenset(str(layer) for layer in Layer)
"""What it takes to verify; a run of fewer layers says less."""

Pair = tuple[str, str]
"""Corpus and document."""


@dataclass(frozen=True, slots=True)
class Held:
    """The rows of one document of one corpus, as they are loaded now."""

    corpus: str
    document: str
    rows: int
    digest: str
    """``sha256:…`` over every field of each row, in store order."""

    @property
    def pair(self) -> Pair:
        """What it is matched by."""
        return self.corpus, self.document


@dataclass(frozen=True, slots=True)
class DocumentClaim:
    """What a run says of one document of one corpus."""

    held: Held
    """The rows that it looked at."""
    verdict: Verdict
    layers: Mapping[str, Verdict]
    counts: Mapping[Severity, int]
    """Findings of each severity, as recorded."""
    snapshots: tuple[str, ...]
    """``sha256:…`` of the official bytes that the result rests on, the text itself first."""
    verified_rows: int
    """Rows that verified each for itself: a verified document may hold some that did not."""
    consolidated_from: str
    currency_date: str
    captured: str
    """When the official text was captured: UTC, ISO 8601, ``Z``; empty where none was."""
    asked_source: bool
    """False: an offline run, which took the snapshot as it was."""
    whole_store: bool
    """The run looked at every row of the store that these came from."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What a run says."""

    run: int
    head: str
    """``sha256:…`` of the record."""
    finished: str
    """UTC, ISO 8601, ``Z``; empty for a run that died."""
    whole: bool
    """The run finished: it was not aborted."""
    verdict: Verdict | None
    layers: frozenset[str]
    tool: str
    config: str
    """64 hex digits: digest of the configuration and of the versions of what reads."""
    documents: tuple[DocumentClaim, ...]
    own_counts: Mapping[Severity, int]
    """Findings of the run as a whole, which belong to no document."""
    missing: tuple[Pair, ...]
    """What was to be looked at, and was not."""

    @property
    def root(self) -> str:
        """The corpus root of the rows that the run looked at."""
        return corpus_root(one.held for one in self.documents)

    @property
    def full(self) -> bool:
        """Whether the run finished and ran all three layers."""
        return self.whole and self.layers == LAYERS


def corpus_root(held: Iterable[Held]) -> str:
    """Return ``sha256:…``: the Merkle root (RFC 9162, 2.1) over documents, by corpus and id.

    A leaf is the canonical JSON of corpus, document, number of rows and their digest. The digest
    binds id, text, claimed section, subsection, heading, ordinal and status of each row, the order
    of the rows of a document, and how often an id of these rows comes in the whole store. How rows
    of *different* documents are interleaved is no part of it.
    """
    leaves = [
        canonical(
            {"corpus": one.corpus, "digest": one.digest, "document": one.document, "rows": one.rows}
        )
        for one in sorted(held, key=lambda one: one.pair)
    ]
    return f"sha256:{root(leaves)}"


def read_claim(record: bytes) -> Claim:
    """Return what a record says.

    Raises:
        ValueError: It is not the canonical record of a run.
    """
    try:
        value = json.loads(record)
        if not isinstance(value, dict) or canonical(value) != record:
            raise ValueError("it is not canonical JSON")  # noqa: TRY301 - joined below
        if value["schema"] != RECORD_SCHEMA:
            raise ValueError(f"it is not of schema {RECORD_SCHEMA}")  # noqa: TRY301
        return _claim(value, head_of(record))
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise ValueError(f"not the record of a run: {error}") from error


def _claim(value: dict[str, Any], head: str) -> Claim:
    own = value["run_findings"]
    scope = value["scope"]
    verdict = value["verdict"]
    if scope is None and value["state"] == "finished":
        raise ValueError("it finished without a scope: nobody knows what it was to look at")
    documents = tuple(_document(one) for one in value["documents"])
    if len({one.held.pair for one in documents}) != len(documents):
        raise ValueError("it tells of one document twice")
    return Claim(
        run=_whole(value["run"]),
        head=head,
        finished=_text(value["finished"]),
        whole=value["state"] == "finished",
        verdict=None if verdict is None else Verdict(verdict),
        layers=frozenset(_text(layer) for layer in value["layers"]),
        tool=_text(value["tool"]),
        config=_text(value["config"]),
        documents=documents,
        own_counts=_counts(own["counts"] if own else {}),
        missing=tuple(
            (_text(corpus), _text(document))
            for corpus, document in (scope["missing"] if scope else ())
        ),
    )


def _document(value: dict[str, Any]) -> DocumentClaim:
    held = Held(
        corpus=_text(value["corpus"]),
        document=_text(value["document"]),
        rows=_whole(value["passages"]),
        digest=_text(value["corpus_digest"]),
    )
    return DocumentClaim(
        held=held,
        verdict=Verdict(value["verdict"]),
        layers={_text(name): Verdict(word) for name, word in value["layers"].items()},
        counts=_counts(value["counts"]),
        snapshots=tuple(_text(digest) for digest in value["snapshots"]),
        verified_rows=_whole(value["verified_passages"]),
        consolidated_from=_text(value["consolidated_from"]),
        currency_date=_text(value["currency_date"]),
        captured=_text(value["captured"]),
        asked_source=bool(value["asked_source"]),
        whole_store=bool(_text(value["store"])),
    )


def _counts(value: dict[str, Any]) -> dict[Severity, int]:
    """Return the findings that count, by severity.

    The one place where a record's findings are counted for ``--fail-on``: what may leave one out,
    such as an ignore with a reason and an end, belongs into the counts that the run seals.
    """
    return {severity: _whole(value.get(str(severity), 0)) for severity in Severity}


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r:.80} is not text")
    return value


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise TypeError(f"{value!r:.80} is not a count")
    return value
