"""The rows of the stores, by id, read no more often than they change."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Final

from corpusguard.corpora import load_passages

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from corpusguard.model import CorpusSpec, Passage

_KEPT: Final = 10_000
"""Ids between two look-ups."""


class StoredRows:
    """Every row of a store that has one of the ids asked for, whatever its document.

    Args:
        root: The folder that the paths of corpora start from.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._rows: OrderedDict[tuple[str, str], list[Passage]] = OrderedDict()
        self._stamps: dict[str, object] = {}

    def of(self, corpus: str, name: str) -> Sequence[Passage]:
        """Return the rows with an id that was read."""
        return self._rows.get((corpus, name), ())

    def read(self, corpus: CorpusSpec, names: Iterable[str]) -> None:
        """Read the rows with these ids, unless the same file has been read for them.

        Raises:
            CorpusUnreadable: The store cannot be read to its end.
        """
        self._forget_if_changed(corpus)
        wanted: dict[str, list[Passage]] = {
            name: [] for name in names if (corpus.name, name) not in self._rows
        }
        if not wanted:
            return
        for passage in load_passages(corpus, self._root):
            if passage.id in wanted:
                wanted[passage.id].append(passage)
        for name, passages in wanted.items():
            self._rows[corpus.name, name] = passages

    def read_all(self, corpus: CorpusSpec) -> set[str]:
        """Read a store anew, and return its ids.

        Raises:
            CorpusUnreadable: It cannot be read to its end; half a corpus is none.
        """
        self._forget(corpus.name)
        for passage in load_passages(corpus, self._root):
            self._rows.setdefault((corpus.name, passage.id), []).append(passage)
        return {name for where, name in self._rows if where == corpus.name}

    def trim(self) -> None:
        """Forget the oldest beyond a bound: between look-ups, never within one."""
        while len(self._rows) > _KEPT:
            self._rows.popitem(last=False)

    def _forget_if_changed(self, corpus: CorpusSpec) -> None:
        """Forget what was read of a store that is not the file that it was."""
        stamp: object = None
        if corpus.path:
            path = self._root / corpus.path
            try:
                facts = path.stat()
                stamp = (facts.st_mtime_ns, facts.st_size, facts.st_ino) if path.is_file() else None
            except OSError:
                stamp = None
        # What is not one file is read each time: nothing tells whether it changed.
        if stamp is None or self._stamps.get(corpus.name) != stamp:
            self._forget(corpus.name)
        self._stamps[corpus.name] = stamp

    def _forget(self, corpus: str) -> None:
        for key in [key for key in self._rows if key[0] == corpus]:
            del self._rows[key]
        self._stamps.pop(corpus, None)
