"""Reader ``jsonl``: one JSON object a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpusguard.corpora.interface import Row, store_path, unreadable
from corpusguard.corpora.lines import read_lines
from corpusguard.corpora.strict_json import parse
from corpusguard.errors import CorpusUnreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from pathlib import Path

    from corpusguard.model import CorpusSpec


def read(spec: CorpusSpec, root: Path) -> Generator[Row, None, None]:
    """Yield the rows of a JSONL file; blank lines are not rows.

    Raises:
        CorpusUnreadable: the file or one of its lines cannot be read.
    """
    path = store_path(spec, root)
    try:
        with path.open("rb") as file:
            yield from parse_lines(file.readline, spec.path)
    except OSError as error:
        raise unreadable(spec.path, error) from error


def parse_lines(readline: Callable[[int], bytes], shown: str) -> Iterator[Row]:
    """Yield the rows of a stream of JSONL; the arguments are those of ``read_lines``.

    Raises:
        CorpusUnreadable: a line is not one JSON object.
    """
    for where, line in read_lines(readline, shown):
        if not line.strip():
            continue
        value = parse(line, where)
        if not isinstance(value, dict):
            raise CorpusUnreadable(
                f"{where}: a row must be a JSON object, not {type(value).__name__}",
                hint="For a file that is one JSON array use reader = 'json'.",
            )
        yield Row(where, value)
