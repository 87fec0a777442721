"""Whether decisions can be stored: tried now and then, and at once where one could not be.

A check whose decision cannot be stored is refused, so a server on a full or read-only disk answers
nothing, though all that it reads is well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from corpusguard.errors import HistoryBroken, StorageError
from corpusguard.service.opening import is_busy

if TYPE_CHECKING:
    from collections.abc import Callable

_TRIED_EVERY: Final = 30.0
"""Seconds between trials while they succeed: each writes 256 KiB to the disk, and undoes it."""
_BUSY_SECONDS: Final = 60.0
"""How long another process may have history in use before that is a fault; a night's run, which
stores a document at a time, has it for moments."""


class Storing:
    """Remembers what came of the last trial; its owner lets one thread at a time ask.

    Args:
        attempt: Tries to store, and undoes it; raises what storing would raise.
    """

    def __init__(self, attempt: Callable[[], None]) -> None:
        self._attempt = attempt
        self._reason = ""
        self._tried: float | None = None
        self._busy_since: float | None = None
        self._doubted = False

    def doubt(self) -> None:
        """Note that a decision could not be stored: the next question tries at once."""
        self._doubted = True

    def fault(self, now: float) -> str:
        """Return why nothing can be stored, in a word; empty where it can.

        Args:
            now: A clock that never goes back, in seconds.

        Raises:
            HistoryBroken: History is not what it was.
        """
        young = self._tried is not None and now - self._tried < _TRIED_EVERY
        if young and not (self._doubted or self._reason or self._busy_since is not None):
            return ""
        # Before the trial: a decision that fails during it is not what it tells of.
        self._doubted = False
        self._tried = now
        try:
            self._attempt()
        except HistoryBroken:
            raise
        except StorageError as error:
            if is_busy(error):
                return self._while_busy(now)
            self._reason = "cannot_store"
        else:
            self._reason = ""
        self._busy_since = None
        return self._reason

    def _while_busy(self, now: float) -> str:
        """Return what was so before, for as long as another process may take."""
        if self._busy_since is None:
            self._busy_since = now
        reason = self._reason
        if now - self._busy_since > _BUSY_SECONDS:
            reason = "history_locked"
        return reason
