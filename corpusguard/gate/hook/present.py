"""What the memory files of a project say now, wherever in it they are, and whoever wrote them."""

from __future__ import annotations

import hashlib
import os
import posixpath
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from corpusguard.gate.hook.files import current_bytes
from corpusguard.gate.hook.paths import Folders, MemoryFiles
from corpusguard.gate.hook.toolcall import Blocked
from corpusguard.report.text import safe

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corpusguard.config.gate import GateSpec

_MOST_ENTRIES: Final = 200_000
"""Files and folders of a project; about a second."""
_MOST_BYTES: Final = 20_000_000
"""Of all memory files together; an agent reads them all."""
_NARROW: Final = "name the memory files more narrowly in `[gate] memory_files`"
_SKIP: Final = "leave folders without memory out by `[gate] memory_skip`"


@dataclass(frozen=True, slots=True)
class Said:
    """What a file says."""

    text: str = ""
    digest: str = ""
    """SHA-256 in hex of what is not UTF-8; then ``text`` is empty."""


def present(gate: GateSpec, root: Path) -> dict[str, Said]:
    """Return what each memory file says, by its path from ``root``, in a fixed order.

    A file that has several names of memory counts under one of them.

    Raises:
        Blocked: One cannot be read, or there is too much to look at.
    """
    top = str(root.resolve())
    memory, skipped = MemoryFiles(gate.memory_files, root), Folders(gate.memory_skip, root)
    by_file: dict[str, str] = {}
    for path in sorted(_Walk(top, memory, skipped).files()):
        real = os.path.realpath(path)
        if real == path or real not in by_file:
            by_file[real] = path
    found: dict[str, Said] = {}
    left = _MOST_BYTES
    for path in sorted(by_file.values()):
        name = posixpath.relpath(path, top)
        try:
            name.encode()
        except UnicodeEncodeError as error:
            raise Blocked(f"the name {safe(name)!r} is not UTF-8", hint="rename it") from error
        data = current_bytes(Path(path))
        if data is None:  # taken away meanwhile, or a link that leads nowhere
            continue
        left -= len(data)
        if left < 0:
            raise Blocked(f"the memory files have more than {_MOST_BYTES} bytes", hint=_NARROW)
        try:
            found[name] = Said(data.decode("utf-8-sig"))
        except UnicodeDecodeError:
            found[name] = Said(digest=hashlib.sha256(data).hexdigest())
    return found


class _Walk:
    """A walk through a project that also goes where its links lead."""

    def __init__(self, top: str, memory: MemoryFiles, skipped: Folders) -> None:
        self._top = top
        self._memory = memory
        self._skipped = skipped
        self._left = _MOST_ENTRIES
        self._links: list[tuple[str, str]] = []
        """Folders by the path that a link gives them, with the one that they have."""
        self._seen: set[tuple[str, tuple[bool, ...]]] = set()

    def files(self) -> Iterator[str]:
        """Yield the paths of all memory files.

        Raises:
            Blocked: There are too many to look at, or a folder hides what is in it.
        """
        plain = [(self._top, self._top)]
        while plain or self._links:
            path, real = plain.pop() if plain else self._links.pop()
            if path != real and not self._is_new(path, real):
                continue
            for entry in self._entries(path):
                below = (f"{path}/{entry.name}", f"{real}/{entry.name}")
                if entry.is_symlink():
                    below = (below[0], os.path.realpath(below[0]))
                    if os.path.isdir(below[0]):  # noqa: PTH112
                        self._links += [] if self._skipped.names(below[0]) else [below]
                        continue
                elif entry.is_dir(follow_symlinks=False):
                    (plain if path == real else self._links).extend(
                        [] if self._skipped.names(below[0]) else [below]
                    )
                    continue
                if any(map(self._memory.names, dict.fromkeys(below))):
                    yield below[0]

    def _is_new(self, path: str, real: str) -> bool:
        """Tell whether below a link there may be memory that is not found without it."""
        light = self._memory.light(path)
        if (self._is_walked(real) and light == self._memory.light(real)) or (
            real,
            light,
        ) in self._seen:
            return False
        self._seen.add((real, light))
        return True

    def _is_walked(self, real: str) -> bool:
        """Tell whether a folder is looked into without any link."""
        if not f"{real}/".startswith(f"{self._top}/"):
            return False
        way = [real, *map(str, Path(real).parents)]
        return not any(map(self._skipped.names, way[: way.index(self._top)]))

    def _entries(self, folder: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(folder) as entries:
                listed = sorted(entries, key=lambda entry: entry.name)
        except (FileNotFoundError, NotADirectoryError):
            return []  # taken away meanwhile
        except OSError as error:
            if isinstance(error, PermissionError) and not os.access(folder, os.X_OK):
                return []  # nobody who runs as this user can read what is in it
            raise Blocked(
                f"the folder {safe(folder)} cannot be listed: {error.strerror}",
                hint="let it be read, or take it away",
            ) from error
        self._left -= len(listed)
        if self._left < 0:
            raise Blocked(
                f"the project has more than {_MOST_ENTRIES} files and folders, the last in "
                f"{safe(folder)}",
                hint=_SKIP,
            )
        return listed
