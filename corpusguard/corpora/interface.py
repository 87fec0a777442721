"""What a reader of a stored corpus is: a function from a spec to rows, each with its place.

A reader knows its format and nothing of law: it yields what is stored, in stored order, one ``Row``
for each row, never merged, never skipped. Whatever stops it is ``CorpusUnreadable`` and names the
place. All limits stand here, so that one look shows what a hostile store can cost.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from corpusguard.errors import CorpusUnreadable
from corpusguard.model import CorpusSpec

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Limits:
    """Caps for one store; sizes in bytes, times in seconds."""

    line: int = 16 * 2**20
    """One line of JSONL, one line or cell of CSV, one SQLite value."""
    json_file: int = 512 * 2**20
    """A JSON file is held in memory as a whole."""
    markdown_file: int = 32 * 2**20
    front_matter: int = 64 * 2**10
    sqlite_seconds: float = 120.0
    """SQLite's own work between two batches of rows."""
    exec_seconds: float = 900.0
    """A whole run of the command."""
    exec_output: int = 2 * 2**30
    exec_stderr: int = 8 * 2**10
    """Kept from the end, for the message."""
    recipe_items: int = 1_000_000
    """Passages from one call of a user's recipe."""


LIMITS: Final = Limits()


@dataclass(frozen=True, slots=True)
class Row:
    """One stored row."""

    where: str
    """A place a person can open: ``passages.jsonl:12``."""
    data: Mapping[str, Any]
    """The row's own keys and values: text, numbers, lists, mappings."""


Reader = Callable[[CorpusSpec, "Path"], Generator[Row, None, None]]
"""A reader: the corpus and the folder that its path is relative to -> its rows."""


def store_path(spec: CorpusSpec, root: Path, *, folder: bool = False) -> Path:
    """Return the path of a store that exists and is a regular file (or a folder, if allowed).

    Raises:
        CorpusUnreadable: it does not exist or is something else. A pipe or a device would hang
            a nightly run.
    """
    path = root / spec.path
    hint = f'Check `path` of [[corpus]] "{spec.name}"; it is relative to {root}.'
    try:
        if path.is_file() or (folder and path.is_dir()):
            return path
        is_there = os.path.lexists(path)
    except (OSError, ValueError) as error:
        raise CorpusUnreadable(f"{spec.path}: {error}", hint=hint) from error
    wanted = "a file or folder" if folder else "a file"
    raise CorpusUnreadable(
        f"{spec.path}: {f'is not {wanted}' if is_there else 'no such file'}", hint=hint
    )


def first_repeated(names: Iterable[str]) -> str | None:
    """Return the first name that comes a second time; linear, since a store sets the length."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def unreadable(shown: str, error: OSError) -> CorpusUnreadable:
    """Return the error for a store that the operating system does not let us read."""
    return CorpusUnreadable(
        f"{shown}: {error.strerror or error}", hint="Check that this user may read it."
    )
