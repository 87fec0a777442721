"""Files that are whole or absent: written under a temporary name, synced, renamed, synced again."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from typing import TYPE_CHECKING, Final

from corpusguard.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TEMPORARY: Final = ".tmp-"
"""How the names of files begin that a crash left unfinished; never read."""


def files(top: Path) -> Iterator[Path]:
    """Yield all files below a folder in a fixed order; none where the folder is absent.

    Raises:
        StorageError: A folder cannot be read.
    """

    def refuse(error: OSError) -> None:
        if not isinstance(error, FileNotFoundError):
            raise _unreadable(error) from error

    for folder, folders, names in os.walk(top, onerror=refuse):
        folders.sort()
        for name in sorted(names):
            if not name.startswith(TEMPORARY):
                yield top.__class__(folder, name)


def names_in(folder: Path) -> list[str]:
    """Return the names in one folder, none where it is absent, without looking at the files.

    Raises:
        StorageError: The folder cannot be read.
    """
    try:
        return os.listdir(folder)  # noqa: PTH208, iterdir would build a Path for each of many
    except FileNotFoundError:
        return []
    except OSError as error:
        raise _unreadable(error) from error


def read_regular(path: Path, most: int) -> bytes:
    """Return the bytes of a regular file.

    A pipe in its place would hang a night for ever, a device would fill the memory.

    Raises:
        FileNotFoundError: It is not there, or is no regular file of at most ``most`` bytes.
        OSError: It cannot be read.
    """
    # Without O_NONBLOCK the mere opening of a pipe waits for somebody to write to it.
    descriptor = os.open(
        path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    )
    with os.fdopen(descriptor, "rb") as stream:
        about = os.fstat(descriptor)
        if not stat.S_ISREG(about.st_mode) or about.st_size > most:
            raise FileNotFoundError(errno.ENOENT, "no regular file of that size", str(path))
        return stream.read(most + 1)


def write_new(path: Path, data: bytes) -> None:
    """Write a new file so that it is whole or absent, whatever happens.

    Raises:
        OSError: The disk is full, read-only or broken; nothing is left behind then.
    """
    make_folder(path.parent)
    temporary = path.parent / f"{TEMPORARY}{secrets.token_hex(8)}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(temporary, flags, 0o644)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    sync_folder(path.parent)


def make_folder(folder: Path) -> None:
    """Create a folder and sync its parents, so that a crash does not lose the way to a file."""
    missing: list[Path] = []
    while not folder.exists():
        missing.append(folder)
        folder = folder.parent
    for made in reversed(missing):
        made.mkdir(exist_ok=True)
        sync_folder(made.parent)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable."""
    if os.name == "nt":  # Windows cannot open a folder
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _unreadable(error: OSError) -> StorageError:
    return StorageError(
        f"cannot read {error.filename}: {error.strerror}",
        hint="check the permissions of the snapshots folder",
    )
