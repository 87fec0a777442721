"""JSON values read strictly: an unknown key is an error, not a remark."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any

from corpusguard.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping

    Shape = Mapping[str, type[Any]]
    """Key -> what its value is."""


def checked_object(
    value: Any,  # noqa: ANN401
    where: str,
    needed: Shape,
    optional: Shape,
) -> dict[str, Any]:
    """Return ``value`` where it is an object of just these keys and types.

    Args:
        value: Parsed JSON.
        where: For messages: file and line.
        needed: Key -> type, of keys that must be there.
        optional: Key -> type, of keys that may.

    Raises:
        ConfigError: It is something else; the hint names the nearest key, or all.
    """
    if not isinstance(value, dict):
        raise ConfigError(
            f"{where}: an object is needed, not {type(value).__name__}",
            hint=f"With the keys {', '.join(needed)}.",
        )
    known = {**needed, **optional}
    for key in value:
        if key not in known:
            near = difflib.get_close_matches(key[:80], known, n=1)
            raise ConfigError(
                f"{where}: unknown key {key[:80]!r}",
                hint=f"Did you mean {near[0]}?" if near else f"There are: {', '.join(known)}.",
            )
    for key in needed:
        if key not in value:
            raise ConfigError(
                f"{where}: {key} is missing", hint=f"The keys are {', '.join(known)}."
            )
    for key, kind in known.items():
        if key in value and not isinstance(value[key], kind):
            raise ConfigError(
                f"{where}: {key} is of the type {type(value[key]).__name__}",
                hint=f"It is to be a {kind.__name__}.",
            )
    return value
