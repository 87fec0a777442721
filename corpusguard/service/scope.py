"""What a run looks at: documents from the sources, and rows of the corpora grouped by document."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field
from difflib import get_close_matches
from string import Formatter
from typing import TYPE_CHECKING

from corpusguard.corpora import load_passages
from corpusguard.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from corpusguard.config import Config
    from corpusguard.model import CorpusSpec, DocumentSpec, Passage, SourceSpec

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


@dataclass(slots=True)
class Rows:
    """The rows of one corpus."""

    corpus: CorpusSpec
    by_document: dict[str, list[Passage]] = field(default_factory=dict)
    ids: Counter[str] = field(default_factory=Counter)

    def digest(self, document: str) -> str:
        """``sha256:…`` over the rows of a document, in store order, every field of each.

        Each part goes in with its length, so that no two different corpora look alike
        (``a_b`` + ``c`` against ``a`` + ``b_c``).
        """
        whole = hashlib.sha256()
        for row in self.by_document.get(document, ()):
            # A row's place in the file is no part of what it says.
            for part in (
                row.id,
                row.text,
                row.section,
                row.subsection,
                row.heading,
                None if row.ordinal is None else str(row.ordinal),
                row.status,
                str(self.ids[row.id]),
            ):
                data = b"" if part is None else part.encode("utf-8", "surrogatepass")
                whole.update(f"{'-' if part is None else len(data)}:".encode())
                whole.update(data)
        return "sha256:" + whole.hexdigest()


def read_rows(config: Config, corpus: CorpusSpec) -> Rows:
    """Read a corpus whole; rows keep their order and multiplicity.

    Raises:
        CorpusUnreadable: the store cannot be read.
    """
    rows = Rows(corpus)
    for passage in load_passages(corpus, config.root):
        rows.by_document.setdefault(passage.document, []).append(passage)
        rows.ids[passage.id] += 1
    if corpus.document:
        # A corpus that says which document it holds, and holds nothing, has lost it.
        rows.by_document.setdefault(corpus.document, [])
    return rows


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
