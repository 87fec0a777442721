"""JSON read strictly: no duplicate keys, no NaN, numbers as printed, bounded depth."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

from corpusguard.corpora.interface import first_repeated
from corpusguard.errors import CorpusUnreadable


def parse(text: str, where: str) -> Any:  # noqa: ANN401 -- JSON is any of six types
    """Parse one JSON value.

    Decimals come as ``Decimal``, which keeps what is printed: as a float the section number
    ``36.10`` would become 36.1, another section.

    Raises:
        CorpusUnreadable: it is not JSON, has a duplicate key or a NaN, or is nested too deeply.
    """
    try:
        return json.loads(
            text,
            object_pairs_hook=_object,
            parse_constant=_refuse_constant,
            parse_float=Decimal,
        )
    except json.JSONDecodeError as error:
        raise CorpusUnreadable(
            f"{where}: not JSON: {error.msg} (line {error.lineno}, column {error.colno})",
            hint="Correct or re-export this row; a row that cannot be read cannot be verified.",
        ) from error
    except RecursionError as error:
        raise CorpusUnreadable(
            f"{where}: JSON nested too deeply", hint="Flatten the row; passages need few levels."
        ) from error
    except ValueError as error:
        # Ours from the two hooks below, and Python's own for an integer of too many digits.
        raise CorpusUnreadable(
            f"{where}: {error}", hint="Correct or re-export this row: readers would disagree on it."
        ) from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build an object; a second value for one key would silently replace the first."""
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = first_repeated(key for key, _ in pairs) or ""
        raise ValueError(f"the key {twice[:80]!r} comes twice in one object")
    return found


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")
