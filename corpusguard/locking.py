"""One run at a time: a lock file that the operating system releases when its holder dies."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from filelock import FileLock, Timeout

from corpusguard.errors import LockHeld, StorageError

if TYPE_CHECKING:
    from types import TracebackType

_MAX_NOTE_BYTES: Final = 4096
"""The note about the holder is a line of JSON; more is not ours."""


class RunLock:
    """Holds ``path`` while a run lasts; never waits.

    The lock is the file at ``path``, held by ``flock``. Who holds it stands in a note beside it,
    ``<path>.holder``: a courtesy to the person who is refused, never the lock itself, so a note
    left behind by a killed run stops no one.
    """

    def __init__(self, path: Path) -> None:
        self._path = Path(path)
        self._note = self._path.with_name(self._path.name + ".holder")
        self._lock = FileLock(str(self._path))

    def __enter__(self) -> Self:
        """Take the lock.

        Raises:
            LockHeld: Another run has it; the hint names its process and when it began.
            StorageError: The lock file cannot be made or locked.
        """
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._lock.acquire(blocking=False)
        except Timeout:
            raise LockHeld(f"another run holds {self._path}", hint=self._holder()) from None
        except (OSError, NotImplementedError) as error:
            raise StorageError(
                f"cannot lock {self._path}: {error}",
                hint="check that this user may write to the folder, and that it is on a disk "
                "that supports locks",
            ) from error
        # Without the note the lock still holds, so a full disk is met later, where it matters.
        with suppress(OSError):
            self._note.write_text(
                json.dumps(
                    {
                        "pid": os.getpid(),
                        "started": datetime.now(UTC).isoformat(timespec="seconds"),
                    }
                ),
                encoding="ascii",
            )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Give the lock back."""
        with suppress(OSError):
            self._note.unlink(missing_ok=True)
        self._lock.release()

    def _holder(self) -> str:
        """Say who holds the lock, as far as its note can be read."""
        try:
            with self._note.open("rb") as stream:
                note = json.loads(stream.read(_MAX_NOTE_BYTES))
            pid, started = int(note["pid"]), datetime.fromisoformat(note["started"])
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return "wait until it has ended"
        when = started.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
        return f"process {pid} has held it since {when}; wait until it has ended"
