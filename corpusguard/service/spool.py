"""A spool: the rows of a corpus, grouped by document, on disk.

A store may hold a thousand laws in one file and in any order, so its rows are spooled into a
temporary SQLite database of SQLite's own (no name, gone when closed). In memory are only a digest
and a count for each document; that an id comes twice is found over the whole store, exactly.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from contextlib import contextmanager
from itertools import islice
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from corpusguard.errors import StorageError
from corpusguard.model import Passage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


_SAID: Final = ("id", "text", "section", "subsection", "heading", "ordinal", "status")
"""What a row says; its place in the store is no part of it."""
_said: Final = attrgetter(*_SAID)
# JSON in ASCII: a stored corpus may hold lone surrogates, which SQLite cannot.
_json: Final = json.JSONEncoder(ensure_ascii=True).encode
_BATCH: Final = 500
_CACHE_KIB: Final = 2_000
_TABLES: Final = """
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    CREATE TABLE rows (
        document INTEGER NOT NULL, row INTEGER NOT NULL, place TEXT NOT NULL, said TEXT NOT NULL
    );
    CREATE TABLE ids (document INTEGER NOT NULL, row INTEGER NOT NULL, id TEXT NOT NULL);
"""
_SORTED: Final = """
    CREATE INDEX rows_of_document ON rows (document);
    CREATE TABLE repeated AS
        SELECT ids.document, ids.row, ids.id, many.times FROM ids JOIN (
            SELECT id, count(*) AS times FROM ids GROUP BY id HAVING times > 1
        ) AS many ON many.id = ids.id;
    CREATE INDEX repeated_of_document ON repeated (document, row);
    DROP TABLE ids;
"""


class Spool:
    """The rows of one corpus; to be closed.

    Args:
        passages: The rows, in store order.

    Raises:
        CorpusUnreadable: The store cannot be read to its end.
        StorageError: There is no space for the spool.
    """

    def __init__(self, passages: Iterable[Passage]) -> None:
        self._numbers: dict[str, int] = {}
        self._digests: list[hashlib._Hash] = []
        self._counts: list[int] = []
        with _translated():
            self._db = sqlite3.connect("")
        try:
            with _translated():
                self._db.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
                self._db.executescript(_TABLES)
                self._load(iter(passages))
                self._db.executescript(_SORTED)
        except BaseException:
            self._db.close()
            raise

    def close(self) -> None:
        """Delete the spool."""
        self._db.close()

    def documents(self) -> list[str]:
        """Return the documents that rows name, sorted."""
        return sorted(self._numbers)

    def count(self, document: str) -> int:
        """Return how many rows a document has."""
        number = self._numbers.get(document)
        return 0 if number is None else self._counts[number]

    def digest(self, document: str) -> str:
        """``sha256:…`` over the rows of a document, in store order, every field of each.

        How often an id of these rows comes in the whole store is part of it.
        """
        number = self._numbers.get(document)
        whole = hashlib.sha256() if number is None else self._digests[number].copy()
        for ident, times in self._repeated(document):
            whole.update(f"{len(ident)}:{ident}{times}:".encode("ascii"))
        return "sha256:" + whole.hexdigest()

    def passages(self, document: str) -> list[Passage]:
        """Return the rows of a document, in store order."""
        return list(self.stream(document))

    def stream(self, document: str) -> Iterator[Passage]:
        """Yield the rows of a document, in store order, a batch of them in memory at a time."""
        with _translated():
            cursor = self._db.execute(
                "SELECT row, place, said FROM rows WHERE document = ? ORDER BY rowid",
                [self._numbers.get(document)],
            )
            while batch := cursor.fetchmany(_BATCH):
                for row, place, said in batch:
                    yield Passage(
                        row=row,
                        document=document,
                        where=json.loads(place),
                        **dict(zip(_SAID, json.loads(said), strict=True)),
                    )

    def times(self, document: str) -> dict[str, int]:
        """Return native id -> rows with it in the whole store, for ids that come several times."""
        return {json.loads(ident): times for ident, times in self._repeated(document)}

    def _repeated(self, document: str) -> list[tuple[str, int]]:
        with _translated():
            found = self._db.execute(
                "SELECT id, times FROM repeated WHERE document = ? ORDER BY row",
                [self._numbers.get(document)],
            )
            return found.fetchall()

    def _load(self, passages: Iterator[Passage]) -> None:
        while batch := list(islice(passages, _BATCH)):
            rows, ids = [], []
            for passage in batch:
                number = self._number(passage.document)
                said = _json(_said(passage))
                # JSON with its brackets says where a row ends: no two corpora look alike.
                self._digests[number].update(said.encode("ascii"))
                self._counts[number] += 1
                rows.append((number, passage.row, _json(passage.where), said))
                ids.append((number, passage.row, _json(passage.id)))
            self._db.executemany("INSERT INTO rows VALUES (?, ?, ?, ?)", rows)
            self._db.executemany("INSERT INTO ids VALUES (?, ?, ?)", ids)

    def _number(self, document: str) -> int:
        number = self._numbers.setdefault(document, len(self._numbers))
        if number == len(self._digests):
            self._digests.append(hashlib.sha256())
            self._counts.append(0)
        return number


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise StorageError(
            f"the rows of a corpus cannot be spooled: {error}",
            hint="free some space in the folder for temporary files, or set TMPDIR to another",
        ) from error
