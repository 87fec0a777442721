"""Reader ``sqlite``: the rows of one SELECT, on a connection that cannot write."""

from __future__ import annotations

import sqlite3
import time
from typing import TYPE_CHECKING, Any, Final

from corpusguard.corpora.interface import LIMITS, Row, first_repeated, store_path
from corpusguard.corpora.lines import decode
from corpusguard.corpora.quiet import opened
from corpusguard.errors import CorpusUnreadable

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from corpusguard.model import CorpusSpec

_BATCH: Final = 500
CHECK_STEPS: Final = 10_000


class Deadline:
    """A progress handler that stops a statement which works too long between two batches."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._end = 0.0
        self.restart()

    def restart(self) -> None:
        """Begin the next batch; the time that the caller spends on rows does not count."""
        self._end = time.monotonic() + self._seconds

    def __call__(self) -> int:
        """Return 1, which interrupts the statement, once the time is over."""
        return int(time.monotonic() > self._end)


def read(spec: CorpusSpec, root: Path) -> Generator[Row, None, None]:
    """Yield the rows of ``spec.query``; blobs are decoded as strict UTF-8.

    Raises:
        CorpusUnreadable: not a database, not a single SELECT, two columns of one name, text that
            is not UTF-8, or a query that takes too long.
    """
    path = store_path(spec, root)
    deadline = Deadline(LIMITS.sqlite_seconds)
    try:
        with opened(path) as connection:
            connection.set_progress_handler(deadline, CHECK_STEPS)
            cursor = connection.execute(spec.query)
            names = _names(cursor, spec)
            number = 0
            while batch := cursor.fetchmany(_BATCH):
                for values in batch:
                    number += 1
                    where = f"{spec.path} query row {number}"
                    yield Row(
                        where,
                        {
                            name: _value(value, f"{where} column {name}")
                            for name, value in zip(names, values, strict=True)
                        },
                    )
                deadline.restart()
    # Python 3.11 reports a second statement as sqlite3.Warning, which is no sqlite3.Error.
    except (sqlite3.Error, sqlite3.Warning) as error:
        raise _translated(spec, error) from error


def _names(cursor: sqlite3.Cursor, spec: CorpusSpec) -> list[str]:
    names = [column[0] for column in cursor.description or ()]
    twice = first_repeated(names)
    if twice is not None or not names:
        problem = f"two columns are named {twice!r}" if names else "no columns come back"
        raise CorpusUnreadable(
            f"{spec.path}: query: {problem}",
            hint="Write one SELECT and name its columns with AS.",
        )
    return names


def _value(value: object, where: str) -> Any:  # noqa: ANN401 -- what SQLite stores
    return decode(value, where) if isinstance(value, bytes) else value


def _translated(spec: CorpusSpec, error: Exception) -> CorpusUnreadable:
    text = str(error)
    hint = f'Check `path` and `query` of [[corpus]] "{spec.name}".'
    if text == "interrupted":
        text = f"the query worked for more than {LIMITS.sqlite_seconds:g} s without a batch of rows"
        hint = "Add an index, or export the passages once and read the export."
    elif "not authorized" in text or "prohibited" in text or "one statement" in text:
        hint = "`query` must be one SELECT that only reads."
    elif "decode" in text.lower():
        hint = "Store text as UTF-8."
    elif "unable to open" in text:
        hint = "The file and its folder must be readable."
    return CorpusUnreadable(f"{spec.path}: {text}", hint=hint)
