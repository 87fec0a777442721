"""JSON that two readers cannot take in two ways: no duplicate keys, no NaN, bounded depth."""

from __future__ import annotations

import json
from typing import Any

from corpusguard.attest.reasons import Reason, Refused


class _Twice(ValueError):
    """A key that comes twice in one object."""


def parse(data: bytes, what: str) -> Any:  # noqa: ANN401 - JSON is any of six types
    """Parse one JSON value in UTF-8.

    Args:
        data: the bytes.
        what: what they are, for the message.

    Raises:
        Refused: DUPLICATE_KEY, or NOT_JSON for all else, such as a file that was cut off.
    """
    try:
        return json.loads(data.decode("utf-8"), object_pairs_hook=_object, parse_constant=_constant)
    except _Twice as error:
        raise Refused(Reason.DUPLICATE_KEY, f"{what}: {error}") from error
    except (ValueError, RecursionError) as error:
        said = "nested too deeply" if isinstance(error, RecursionError) else str(error)[:200]
        raise Refused(
            Reason.NOT_JSON, f"{what} is not JSON: {said}", "was the file copied to its end?"
        ) from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise _Twice(f"the key {twice[:80]!r} comes twice in one object")
    return found


def _constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")
