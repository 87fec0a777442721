"""Finished reports on disk: whole or not at all."""

from __future__ import annotations

import os
import secrets
import shlex
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from corpusguard.errors import ConfigError, StorageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path


_DATABASE: Final = b"SQLite format 3\0"
"""How a SQLite file begins: https://www.sqlite.org/fileformat.html"""


def real(path: Path, option: str = "--output") -> Path:
    """Return where ``path`` leads, links followed; it need not be there.

    Raises:
        ConfigError: It leads nowhere: a link to itself, a name too long, a folder not to be
            entered.
    """
    try:
        found = path.resolve()
        # resolve() itself says nothing of most, and from Python 3.13 on not even of loops.
        with suppress(FileNotFoundError):
            found.stat()
    except (OSError, RuntimeError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise ConfigError(
            f"{option} {str(path)[:200]} cannot be used: {why}", hint="name another place"
        ) from error
    return found


def check_target(
    path: Path, *, folder: bool, option: str = "--output", parent: bool = True
) -> None:
    """Refuse, before a long run, a place where its report could not be written.

    Args:
        path: A file, or a folder that may yet have to be made.
        folder: Whether ``path`` is to be a folder.
        option: What named it, for messages.
        parent: Whether the folder that holds it must be there already.

    Raises:
        ConfigError: It is ``-``, of the wrong kind, or a database; or the folder that should hold
            it is not there, or cannot be written to.
    """
    if str(path) == "-":
        raise ConfigError(
            f"{option} - would make a file that is called -",
            hint=f"For standard output leave {option} out, where the command prints; else name a "
            f"{'folder' if folder else 'file'}.",
        )
    holder = real(path, option).parent
    if folder:
        if path.exists() and not path.is_dir():
            raise ConfigError(
                f"{option} {path} is a file, but a folder is needed",
                hint="Name a folder; one --format alone goes to a file.",
            )
    elif path.is_dir():
        raise ConfigError(f"{option} {path} is a folder", hint="Name a file.")
    elif path.exists() and not path.is_file():
        # Replacing a device or a pipe would destroy it and inform nobody.
        raise ConfigError(
            f"{option} {path} is not a regular file", hint="Name a file, or leave it out."
        )
    elif path.is_file() and _begins(path, _DATABASE):
        # No output is a database: it is a history, or a corpus, of whatever configuration.
        raise ConfigError(f"{option} {path} would overwrite a database", hint="Name another file.")
    if not parent:
        return
    if not holder.is_dir():
        raise ConfigError(
            f"the folder {holder} of {option} does not exist",
            hint=f"mkdir -p {shlex.quote(str(holder))}",
        )
    within = path if folder and path.is_dir() else holder
    if not os.access(within, os.W_OK | os.X_OK):
        raise ConfigError(
            f"the folder {within} of {option} cannot be written to",
            hint="Name another place, or change the folder's permissions.",
        )


def _begins(path: Path, start: bytes) -> bool:
    try:
        with path.open("rb") as stream:
            return stream.read(len(start)) == start
    except OSError:  # not readable: replacing it asks for leave to write to its folder only
        return False


def encode(text: str) -> bytes:
    """Return ``text`` as UTF-8; lone surrogates, which UTF-8 cannot hold, as escapes."""
    return text.encode("utf-8", "backslashreplace")


def write_file(path: Path, text: str) -> None:
    """Put ``text`` at ``path`` durably: a reader sees the old file or the whole new one.

    Raises:
        StorageError: As :func:`write_bytes`.
    """
    write_bytes(path, encode(text))


def write_bytes(path: Path, data: bytes, *, mode: int = 0o666) -> None:
    """Put ``data`` at ``path`` durably: a reader sees the old file or the whole new one.

    Raises:
        StorageError: As :func:`write_chunks`.
    """
    write_chunks(path, [data], mode=mode)


def write_chunks(path: Path, chunks: Iterable[bytes], *, mode: int = 0o666) -> None:
    """Put what ``chunks`` yields at ``path`` durably, without holding all of it in memory.

    What the chunks themselves raise is passed on, and leaves the old file as it was.

    Args:
        path: Where; a link is followed.
        chunks: The bytes.
        mode: The permissions, less the process's mask.

    Raises:
        StorageError: The disk is full, read-only or gone. What was at ``path`` is still there.
    """
    target = path.resolve()  # through a link, not over it
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(6)}.tmp")
    try:
        # Not tempfile: its 0600 would hide the report from whoever the folder is shared with.
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        try:
            with os.fdopen(descriptor, "wb") as stream:
                stream.writelines(chunks)
                stream.flush()
                os.fsync(stream.fileno())
            temporary.replace(target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        _sync_folder(target.parent)
    except OSError as error:
        raise StorageError(
            f"could not write {path}: {error.strerror or error}",
            hint="Free some space or choose another place; nothing there was changed.",
        ) from error


def write_folder(path: Path, texts: Mapping[str, str]) -> None:
    """Put each named text into the folder ``path``, which is made where it is not there.

    Raises:
        StorageError: As :func:`write_file`.
    """
    try:
        path.mkdir(exist_ok=True)
    except OSError as error:
        raise StorageError(
            f"could not make the folder {path}: {error.strerror or error}",
            hint="Choose another place.",
        ) from error
    for name, text in texts.items():
        write_file(path / name, text)


def _sync_folder(folder: Path) -> None:
    """Make a rename durable: without it a power cut may bring back the old file."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
