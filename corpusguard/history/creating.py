"""A new history: there whole, or not there.

SQLite makes an empty file first, and one that is killed before its first commit leaves it behind.
That could not be told from a history that was emptied. So the tables are made in memory, and the
finished file gets its name at the end; an empty file is then never ours.
"""

from __future__ import annotations

import errno
import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from corpusguard.errors import HistoryBroken, StorageError

if TYPE_CHECKING:
    from collections.abc import Callable

_COMPANIONS: Final = ("-journal", "-wal")
"""What SQLite keeps beside a file that is being written (https://www.sqlite.org/tempfiles.html).
Under a new file of that name it would be played back into it."""
_NO_LINKS: Final = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS})
"""What link(2) answers on file systems without hard links, such as FAT and some shares."""


def check_gone(path: Path) -> None:
    """Refuse to take the place of a history of which something is left.

    Raises:
        HistoryBroken: The file is empty, or it is gone and its journal is there.
    """
    if path.exists():
        if path.is_file() and path.stat().st_size == 0:
            raise HistoryBroken(
                f"{path} is empty: what was in it is lost, for no history is written so",
                hint="put the last good copy in its place; to begin anew, without baselines, "
                "delete the empty file",
            )
        return
    real = os.path.realpath(path)
    for ending in _COMPANIONS:
        # Asked again: it may have been made, and written to, since.
        if os.path.lexists(real + ending) and not path.exists():
            raise HistoryBroken(
                f"{path} is gone, but {real + ending} is there: a history was being written",
                hint="put the file back beside it; to begin anew, without baselines, move that "
                "file away",
            )


def create(path: Path, empty: Callable[[], bytes]) -> None:
    """Make the file at ``path``, unless somebody else has made one meanwhile.

    Args:
        path: Where; a link is followed.
        empty: Makes the bytes of a history without runs.

    Raises:
        StorageError: It cannot be written; nothing is left behind then.
    """
    target = Path(os.path.realpath(path))
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(6)}.tmp")
    try:
        # As SQLite makes its files: https://www.sqlite.org/compile.html#default_file_permissions
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
        try:
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(empty())
                stream.flush()
                os.fsync(stream.fileno())
            with suppress(FileExistsError):
                _name(temporary, target)
        finally:
            temporary.unlink(missing_ok=True)
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        raise StorageError(
            f"{path}: cannot make it: {error.strerror or error}",
            hint="check that the folder exists, that this user may write to it, and that the "
            "disk has space",
        ) from error


def _name(temporary: Path, target: Path) -> None:
    """Give a finished file its name; never that of another file.

    Raises:
        FileExistsError: There is one.
    """
    try:
        os.link(temporary, target)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        # Who makes a history holds the run lock, so nobody makes one between these two.
        if target.exists():
            raise FileExistsError(errno.EEXIST, "there meanwhile", str(target)) from error
        temporary.rename(target)
