"""Reader ``csv``: a header row, then one passage a record; comma, semicolon or tab."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Final

from corpusguard.corpora.interface import LIMITS, Row, first_repeated, store_path, unreadable
from corpusguard.corpora.lines import read_lines
from corpusguard.errors import CorpusUnreadable

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path

    from corpusguard.model import CorpusSpec

_DELIMITERS: Final = ",;\t"


def read(spec: CorpusSpec, root: Path) -> Generator[Row, None, None]:
    """Yield the records of a CSV file, each cell as text.

    The delimiter is the one that the header uses most; blank lines are not records.

    Raises:
        CorpusUnreadable: broken quoting, a record longer or shorter than the header, a header
            name that comes twice, a cell over the cap.
    """
    path = store_path(spec, root)
    # The module's own cap (128 KiB) is smaller than a long section. It is global to the process;
    # putting it back would break a second file that another thread reads.
    csv.field_size_limit(LIMITS.line)
    try:
        with path.open("rb") as file:
            lines = (line for _, line in read_lines(file.readline, spec.path))
            yield from _records(lines, spec.path)
    except OSError as error:
        raise unreadable(spec.path, error) from error


def _records(lines: Iterator[str], shown: str) -> Iterator[Row]:
    first = next(lines, "")
    delimiter = max(_DELIMITERS, key=first.count)
    reader = csv.reader(_chain(first, lines), delimiter=delimiter, strict=True)
    header: list[str] = []
    while True:
        where = f"{shown}:{reader.line_num + 1}"
        try:
            record = next(reader, None)
        except csv.Error as error:
            raise CorpusUnreadable(
                f"{where}: not CSV: {error}",
                hint="Export with standard quoting: cells in double quotes, quotes doubled.",
            ) from error
        if record is None:
            return
        if not record:
            continue
        if not header:
            header = _header(record, where)
        elif len(record) != len(header):
            raise CorpusUnreadable(
                f"{where}: {len(record)} cells under a header of {len(header)}",
                hint="Quote cells that hold the delimiter or a line break.",
            )
        else:
            yield Row(where, dict(zip(header, record, strict=True)))


def _header(record: list[str], where: str) -> list[str]:
    twice = first_repeated(record)
    if twice is not None:
        raise CorpusUnreadable(
            f"{where}: the column {twice[:80]!r} comes twice",
            hint="Give each column its own name; which of the two is meant cannot be known.",
        )
    return record


def _chain(first: str, rest: Iterator[str]) -> Iterator[str]:
    if first:
        yield first
    yield from rest
