"""Recognise an unknown store by its bytes, and find where its rows are."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from corpusguard.corpora import json as json_reader
from corpusguard.corpora import sqlite as sqlite_reader
from corpusguard.corpora.interface import LIMITS, unreadable
from corpusguard.corpora.lines import decode
from corpusguard.corpora.quiet import opened
from corpusguard.corpora.strict_json import parse
from corpusguard.errors import CorpusUnreadable
from corpusguard.model import CorpusSpec

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_SQLITE_MAGIC: Final = b"SQLite format 3\x00"
_HEAD: Final = 64 * 2**10
_MAX_DEPTH: Final = 4
_TEXT_NAMES: Final = ("text", "content", "body", "page_content", "chunk")


@dataclass(frozen=True, slots=True)
class Store:
    """A recognised store: enough of a spec to read its rows."""

    spec: CorpusSpec
    remarks: list[object] = field(default_factory=list)
    """Values beside the rows (a file's own metadata), which may name the document."""
    warnings: tuple[str, ...] = ()


def recognise(path: Path) -> Store:
    """Say which reader reads a store.

    Raises:
        CorpusUnreadable: there is nothing, or nothing that a reader knows.
    """
    if path.is_dir():
        return Store(_spec("markdown", path))
    if not path.is_file():
        raise CorpusUnreadable(f"{path}: no such file or folder", hint="Check the path.")
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError as error:
        raise unreadable(str(path), error) from error
    if head.startswith(_SQLITE_MAGIC):
        return _sqlite(path)
    suffix = path.suffix.lower()
    if suffix in {".md", ".markdown"}:
        return Store(_spec("markdown", path))
    if suffix in {".csv", ".tsv"}:
        return Store(_spec("csv", path))
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    if start == b"[":
        return Store(_spec("json", path))
    if start == b"{":
        return Store(_spec("jsonl", path)) if _is_jsonl(path) else _json_object(path)
    raise CorpusUnreadable(
        f"{path}: not JSONL, JSON, CSV, SQLite or Markdown",
        hint="Write a command that prints the passages as JSONL and use reader = 'exec'.",
    )


def _spec(reader: str, path: Path, **more: str) -> CorpusSpec:
    return CorpusSpec(name=path.stem, reader=reader, path=path.name, document="-", **more)  # type: ignore[arg-type]


def _is_jsonl(path: Path) -> bool:
    """Say whether the first line is a JSON value of its own, and the file is no single object."""
    with path.open("rb") as file:
        line = b""
        while not line.strip():
            line = file.readline(LIMITS.line)
        rest = file.read(_HEAD).strip()
    try:
        parse(decode(line, path.name), path.name)
    except CorpusUnreadable:
        return path.suffix.lower() in {".jsonl", ".ndjson"}
    return bool(rest) or path.suffix.lower() in {".jsonl", ".ndjson"}


def _json_object(path: Path) -> Store:
    value = json_reader.load(path, path.name)
    arrays = sorted(_arrays(value, "", _MAX_DEPTH), key=lambda found: -found[1])
    if not arrays:
        raise CorpusUnreadable(
            f"{path}: no array of objects in this JSON file",
            hint="A map of number to text is read with a command that prints JSONL "
            "(reader = 'exec').",
        )
    rows, count = arrays[0]
    others = [f"{name} ({size})" for name, size in arrays[1:4]]
    return Store(
        _spec("json", path, rows=rows),
        remarks=list(_scalars(value, _MAX_DEPTH)),
        warnings=(f"Took the longest array, {rows} ({count} rows); others: {', '.join(others)}.",)
        if others
        else (),
    )


def _arrays(value: dict[str, Any], prefix: str, depth: int) -> Iterator[tuple[str, int]]:
    for key, item in value.items():
        path = f"{prefix}{key}"
        if isinstance(item, list) and item and all(isinstance(row, dict) for row in item):
            yield path, len(item)
        elif isinstance(item, dict) and depth > 1:
            yield from _arrays(item, f"{path}.", depth - 1)


def _scalars(value: dict[str, Any], depth: int) -> Iterator[object]:
    for item in value.values():
        if isinstance(item, dict) and depth > 1:
            yield from _scalars(item, depth - 1)
        elif isinstance(item, str):
            yield item


def _sqlite(path: Path) -> Store:
    """Propose the table that has a text column and the most rows."""
    found: list[tuple[bool, int, str]] = []
    try:
        with opened(path) as connection:
            connection.set_progress_handler(
                sqlite_reader.Deadline(LIMITS.sqlite_seconds), sqlite_reader.CHECK_STEPS
            )
            tables = connection.execute(
                "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') "
                "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
            ).fetchall()
            # A full-text table keeps its parts in tables of its own, named after it.
            names = [name for (name,) in tables]
            shadows = {
                f"{name}_{part}"
                for name in names
                for part in ("data", "idx", "content", "docsize", "config")
            }
            for name in names:
                if name not in shadows:
                    quoted = _identifier(name)
                    columns = connection.execute(f"SELECT * FROM {quoted} LIMIT 0").description  # noqa: S608 -- quoted
                    count = connection.execute(f"SELECT count(*) FROM {quoted}").fetchone()[0]  # noqa: S608 -- quoted
                    has_text = any(column[0].lower() in _TEXT_NAMES for column in columns)
                    found.append((has_text, count, name))
    except (sqlite3.Error, sqlite3.Warning) as error:
        raise CorpusUnreadable(
            f"{path}: {error}", hint="Is this a complete SQLite database that may be read?"
        ) from error
    if not found:
        raise CorpusUnreadable(f"{path}: no tables", hint="Is this the right database?")
    found.sort(key=lambda table: (not table[0], -table[1], table[2]))
    others = [f"{name} ({count})" for _, count, name in found[1:6]]
    return Store(
        _spec("sqlite", path, query=f"SELECT * FROM {_identifier(found[0][2])}"),  # noqa: S608 -- quoted
        warnings=(f"Took table {found[0][2]}; others: {', '.join(others)}.",) if others else (),
    )


def _identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
