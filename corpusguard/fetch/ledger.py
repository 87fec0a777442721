"""How many requests a publisher was sent today, by all runs together.

One file a day and publisher, one byte a request: its size is the count. Appending a byte needs no
reading, no lock and no parsing, and a crash loses at most the request that was not sent.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
from typing import TYPE_CHECKING, Final

from corpusguard.errors import StorageError

if TYPE_CHECKING:
    from datetime import date
    from pathlib import Path

_NAME: Final = re.compile(r"\d{4}-\d{2}-\d{2}-[0-9a-f]{12}")


class Ledger:
    """The count of one publisher.

    Args:
        folder: Where the files lie; created with the first request.
        publisher: Whom the requests go to: host and port of the base address.
    """

    def __init__(self, folder: Path, publisher: str) -> None:
        self._folder = folder
        self._key = hashlib.sha256(publisher.encode()).hexdigest()[:12]

    def spent(self, day: date) -> int:
        """Return the requests of a day.

        Raises:
            StorageError: The file cannot be looked at.
        """
        try:
            return self._file(day).stat().st_size
        except FileNotFoundError:
            return 0
        except OSError as error:
            raise self._unusable(error) from error

    def count(self, day: date) -> None:
        """Count one request; the first of a day clears the files of the days before.

        Raises:
            StorageError: It cannot be counted, so it must not be sent.
        """
        file = self._file(day)
        try:
            if not file.exists():
                self._folder.mkdir(parents=True, exist_ok=True)
                self._clear(day)
            with file.open("ab") as stream:
                stream.write(b".")
        except OSError as error:
            raise self._unusable(error) from error

    def _file(self, day: date) -> Path:
        return self._folder / f"{day.isoformat()}-{self._key}"

    def _clear(self, day: date) -> None:
        for file in self._folder.iterdir():
            if _NAME.fullmatch(file.name) and file.name[:10] < day.isoformat():
                with contextlib.suppress(FileNotFoundError):
                    file.unlink()

    def _unusable(self, error: OSError) -> StorageError:
        return StorageError(
            f"cannot count the requests of the day in {self._folder}: {error.strerror or error}",
            hint="free some space or check the permissions of the snapshots folder",
        )
