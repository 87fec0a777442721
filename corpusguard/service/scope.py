"""What a run looks at: the documents that sources list, and the labels of stored rows."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from string import Formatter
from typing import TYPE_CHECKING

from corpusguard.errors import ConfigError
from corpusguard.ignores import Looked

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from corpusguard.config import Config
    from corpusguard.model import (
        CorpusSpec,
        DocumentResult,
        DocumentSpec,
        Passage,
        SourceSpec,
    )


@dataclass(frozen=True, slots=True)
class Known:
    """A document and the source that publishes it."""

    document: DocumentSpec
    source: SourceSpec


def known_documents(config: Config) -> dict[str, Known]:
    """Every document that the sources list, by id."""
    return {
        document.id: Known(document, source)
        for source in config.sources
        for document in source.documents
    }


def looked_of(config: Config, results: Mapping[tuple[str, str], DocumentResult]) -> Looked:
    """What a run looked at, (corpus, document) -> result, and what it could have."""
    return Looked(
        results,
        frozenset(corpus.name for corpus in config.corpora),
        frozenset(known_documents(config)),
    )


def require(known: Mapping[str, Known], name: str) -> Known:
    """The document with this id.

    Raises:
        ConfigError: no source lists it; the nearest ids are named.
    """
    found = known.get(name)
    if found is None:
        near = get_close_matches(name, known, n=3)
        listed = ", ".join(near or list(known)[:5]) or "none"
        raise ConfigError(
            f"no source lists document {name!r}", hint=f"documents there are: {listed}"
        )
    return found


def chosen(config: Config, names: Iterable[str]) -> frozenset[str]:
    """The documents named on the command line, checked; all where none is named."""
    known = known_documents(config)
    asked = list(names)
    return frozenset(require(known, name).document.id for name in asked) or frozenset(known)


def prefixes(corpus: CorpusSpec, document: DocumentSpec, rows: list[Passage]) -> dict[int, str]:
    """Row -> the label that ``strip_prefix`` says ingestion put before its text."""
    if not corpus.strip_prefix:
        return {}
    general = {"title": document.title, "citation": document.code, "code": document.code}

    def label(row: Passage) -> str:
        values = {
            **general,
            "id": row.id,
            "section": row.section or "",
            "subsection": row.subsection or "",
            "heading": row.heading or "",
        }
        return "".join(
            literal + (values[name] if name else "")
            for literal, name, _, _ in Formatter().parse(corpus.strip_prefix)
        )

    return {row.row: label(row) for row in rows}


def corpus_path(root: Path, corpus: CorpusSpec) -> str:
    """Where a corpus lies, for messages."""
    # Only the program of a command: its arguments may hold secrets from the environment.
    return str(root / corpus.path) if corpus.path else corpus.command[0]
