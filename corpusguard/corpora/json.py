"""Reader ``json``: one JSON file that is, or holds, an array of rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corpusguard.corpora.interface import LIMITS, Row, store_path, unreadable
from corpusguard.corpora.lines import decode
from corpusguard.corpora.mapping import MISSING, lookup
from corpusguard.corpora.strict_json import parse
from corpusguard.errors import CorpusUnreadable

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from corpusguard.model import CorpusSpec


def load(path: Path, shown: str) -> Any:  # noqa: ANN401 -- JSON is any of six types
    """Read one JSON file as a whole.

    Raises:
        CorpusUnreadable: it is too large, not UTF-8 or not strict JSON.
    """
    try:
        with path.open("rb") as file:
            data = file.read(LIMITS.json_file + 1)
    except OSError as error:
        raise unreadable(shown, error) from error
    if len(data) > LIMITS.json_file:
        raise CorpusUnreadable(
            f"{shown}: more than {LIMITS.json_file} bytes",
            hint="Export as JSONL, which is read line by line.",
        )
    return parse(decode(data, shown), shown)


def read(spec: CorpusSpec, root: Path) -> Generator[Row, None, None]:
    """Yield the rows of the array at ``spec.rows``, or of the file itself where that is empty.

    Raises:
        CorpusUnreadable: the file cannot be read, or there is no array of objects at that path.
    """
    value = load(store_path(spec, root), spec.path)
    rows = lookup(value, spec.rows) if spec.rows else value
    if rows is MISSING or not isinstance(rows, list):
        found = "nothing" if rows is MISSING else type(rows).__name__
        arrays = (
            [key for key, item in value.items() if isinstance(item, list)]
            if isinstance(value, dict)
            else []
        )
        raise CorpusUnreadable(
            f"{spec.path}: {f'`{spec.rows}`' if spec.rows else 'the file'} must be an array of "
            f"rows, found {found}",
            hint=f"Set `rows` to the array's path; arrays in this file: {', '.join(arrays[:10])}."
            if arrays
            else "Set `rows` to the dotted path of the array; `corpusguard inspect` finds it.",
        )
    prefix = f"{spec.path}#/" + "".join(f"{part}/" for part in spec.rows.split(".") if part)
    for number, row in enumerate(rows):
        if not isinstance(row, dict):
            raise CorpusUnreadable(
                f"{prefix}{number}: a row must be a JSON object, not {type(row).__name__}",
                hint="Set `rows` to the array that holds the passages.",
            )
        yield Row(f"{prefix}{number}", row)
