"""Files that exist: what a pattern leads to, and which two names are one file."""

from __future__ import annotations

import fnmatch
import os
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST: Final = 50_000
"""Files and folders looked at for one pattern; some tenths of a second."""


class Exhausted(Exception):
    """More than ``_MOST`` files would have to be looked at."""


def matches(pattern: str, cwd: str) -> Iterator[str]:
    """Yield the paths that exist for a pattern of ``*``, ``**`` and ``?``, relative as it is.

    More is found than a shell would: hidden files, names in another case, and any depth for
    ``**``. Links to folders are followed but not below ``**``, whose loops would not end.

    Raises:
        Exhausted: It would take too long.
    """
    start = "/" if pattern.startswith("/") else ""
    left = [_MOST]
    yield from _below(start, [part for part in pattern.split("/") if part], cwd, left)


def _below(found: str, parts: list[str], cwd: str, left: list[int]) -> Iterator[str]:
    if not parts:
        yield found
        return
    part, rest = parts[0], parts[1:]
    if not set(part) & {"*", "?"}:
        path = os.path.join(found, part)  # noqa: PTH118
        if os.path.lexists(os.path.join(cwd, path)):  # noqa: PTH118
            yield from _below(path, rest, cwd, left)
        return
    if part == "**":
        yield from _below(found, rest or ["*"], cwd, left)
    try:
        with os.scandir(os.path.join(cwd, found)) as entries:  # noqa: PTH118
            listed = list(entries)
    except OSError:
        return
    left[0] -= len(listed) + 1
    if left[0] < 0:
        raise Exhausted
    for entry in listed:
        path = os.path.join(found, entry.name)  # noqa: PTH118
        if part == "**":
            if entry.is_dir(follow_symlinks=False) and entry.name != ".git":
                yield from _below(path, parts, cwd, left)
        elif fnmatch.fnmatchcase(entry.name.casefold(), part.casefold()):
            yield from _below(path, rest, cwd, left)


def same_file(one: str, other: str) -> bool:
    """Tell whether both paths exist and are one file."""
    try:
        return os.path.samefile(one, other)  # noqa: PTH121
    except OSError:
        return False
