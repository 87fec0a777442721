"""``load_passages``: the one way from a ``CorpusSpec`` to passages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from corpusguard.corpora import csv, exec, json, jsonl, markdown, sqlite  # noqa: A004
from corpusguard.corpora.mapping import Mapping
from corpusguard.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path

    from corpusguard.corpora.interface import Reader, Row
    from corpusguard.model import CorpusSpec, Passage

READERS: Final[dict[str, Reader]] = {
    "jsonl": jsonl.read,
    "json": json.read,
    "csv": csv.read,
    "sqlite": sqlite.read,
    "markdown": markdown.read,
    "exec": exec.read,
}
"""Name in the configuration -> reader. A new reader is one file and one row here."""


def load_rows(spec: CorpusSpec, root: Path) -> Generator[Row, None, None]:
    """Yield the stored rows of a corpus, unmapped.

    Raises:
        ConfigError: there is no such reader.
        CorpusUnreadable: the store cannot be read.
    """
    reader = READERS.get(spec.reader)
    if reader is None:
        raise ConfigError(
            f'[[corpus]] "{spec.name}": no reader {spec.reader!r}',
            hint=f"Readers: {', '.join(READERS)}.",
        )
    return reader(spec, root)


def load_passages(spec: CorpusSpec, root: Path) -> Iterator[Passage]:
    """Yield every stored row as a passage, in stored order; none is merged or skipped.

    Args:
        spec: the corpus.
        root: the folder that its path is relative to (``Config.root``).

    Raises:
        ConfigError: there is no such reader.
        CorpusUnreadable: the store or a row cannot be read. Errors come while iterating: only a
            run to the end has read the corpus.
    """
    mapping = Mapping(spec)
    for number, row in enumerate(load_rows(spec, root)):
        yield mapping.passage(row, number)
