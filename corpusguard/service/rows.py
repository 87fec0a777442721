"""The rows of a corpus: which documents it holds, and a digest over the rows of each.

On most nights a store is, byte for byte, what it was. Then the digests that history sealed with
the results of the last whole run still hold, and no row is read until one is needed.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final, Self

from corpusguard.corpora import load_passages
from corpusguard.corpora.interface import store_path, unreadable
from corpusguard.errors import CorpusUnreadable
from corpusguard.service.spool import Spool
from corpusguard.service.work import versions

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping
    from pathlib import Path

    from corpusguard.config import Config
    from corpusguard.model import CorpusSpec, Passage

_FILES: Final = frozenset({"jsonl", "json", "csv"})
"""Readers whose store is one file that nothing else completes (SQLite may have a journal)."""


class Rows:
    """The rows of one corpus; use as a context manager.

    Args:
        corpus: Whose rows they are.
        root: The folder that its path is relative to.
        store: What :func:`store_digest` says of the store now.
        known: Document -> (digest, number of rows), where history knows them for this store;
            None: the rows are read at once.

    Raises:
        CorpusUnreadable: The store cannot be read to its end.
        StorageError: There is no space for the spool.
    """

    def __init__(
        self,
        corpus: CorpusSpec,
        root: Path,
        store: str = "",
        known: Mapping[str, tuple[str, int]] | None = None,
    ) -> None:
        self.corpus = corpus
        self.store = store
        self._root = root
        self._spool: Spool | None = None
        self._known = dict(known) if known is not None else self._read()
        if corpus.document:
            # A corpus that says which document it holds, and holds nothing, has lost it.
            self._known.setdefault(corpus.document, ("sha256:" + hashlib.sha256().hexdigest(), 0))

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Delete the spool, if one was needed."""
        if self._spool is not None:
            self._spool.close()

    def documents(self) -> list[str]:
        """Return the documents that rows name, and the one that the corpus declares, sorted."""
        return sorted(self._known)

    def count(self, document: str) -> int:
        """Return how many rows a document has."""
        return self._known[document][1]

    def digest(self, document: str) -> str:
        """Return ``sha256:…`` over the rows of a document; see :meth:`Spool.digest`."""
        return self._known[document][0]

    def whole(self) -> str:
        """Return ``sha256:…`` over the rows of all documents, for a store that is not one file."""
        parts = [(name, *self._known[name]) for name in self.documents()]
        return "sha256:" + hashlib.sha256(repr(("rows", *parts)).encode()).hexdigest()

    def passages(self, document: str) -> list[Passage]:
        """Return the rows of a document, in store order.

        Raises:
            CorpusUnreadable: They are no longer those of which the digest was told.
        """
        return list(self.stream(document))

    def stream(self, document: str) -> Iterator[Passage]:
        """Yield the rows of a document, in store order, few of them in memory at a time.

        Raises:
            CorpusUnreadable: They are no longer those of which the digest was told.
        """
        spool = self._spooled()
        if (spool.digest(document), spool.count(document)) != self._known[document]:
            raise CorpusUnreadable(
                f"corpus {self.corpus.name} changed while it was read",
                hint="let ingestion and verification not run at the same time; then run again",
            )
        yield from spool.stream(document)

    def times(self, document: str) -> dict[str, int]:
        """Return native id -> rows with it in the whole store, for ids that come several times."""
        return self._spooled().times(document)

    def _spooled(self) -> Spool:
        if self._spool is None:
            self._spool = Spool(load_passages(self.corpus, self._root))
        return self._spool

    def _read(self) -> dict[str, tuple[str, int]]:
        spool = self._spooled()
        return {name: (spool.digest(name), spool.count(name)) for name in spool.documents()}


def store_digest(config: Config, corpus: CorpusSpec, documents: Collection[str]) -> str:
    """Return ``sha256:…`` over the bytes of a store and all that says how they are read.

    Args:
        config: Where the store lies.
        corpus: How it is read.
        documents: Every document that a source lists.

    Returns:
        Empty where the store is not one file.

    Raises:
        CorpusUnreadable: It cannot be read.
    """
    if corpus.reader not in _FILES:
        return ""
    try:
        with store_path(corpus, config.root).open("rb") as stream:
            whole = hashlib.file_digest(stream, "sha256")
    except OSError as error:
        raise unreadable(corpus.path, error) from error
    # A repr keeps the parts apart; the bytes of the store come first and have their own end.
    whole.update(repr((whole.hexdigest(), corpus, sorted(documents), versions())).encode())
    return "sha256:" + whole.hexdigest()


def read_rows(
    config: Config,
    corpus: CorpusSpec,
    documents: Collection[str] = (),
    known: Callable[[str], Mapping[str, tuple[str, int]] | None] = lambda _: None,
) -> Rows:
    """Return the rows of a corpus; they keep their order and multiplicity.

    Args:
        config: Where it lies.
        corpus: How it is read.
        documents: Every document that a source lists.
        known: What history knows of a store with this digest.

    Raises:
        CorpusUnreadable: The store cannot be read.
        StorageError: There is no space for the spool.
    """
    store = store_digest(config, corpus, documents)
    return Rows(corpus, config.root, store, known(store) if store else None)
