"""Whether a project has a history, had one, or never had any."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from corpusguard.errors import HistoryBroken, LockHeld
from corpusguard.history import History

if TYPE_CHECKING:
    from corpusguard.config import Config
    from corpusguard.errors import CorpusguardError


def has_history(config: Config) -> bool:
    """Tell whether there is a history; False only where no run is known to have been made.

    Raises:
        HistoryBroken: There was one: the file that each run writes its head to is there.
    """
    if config.history.exists():
        return True
    kept = config.head_file
    if kept is not None and kept.exists():
        raise HistoryBroken(
            f"the history {config.history} is gone: {kept} holds the head of a run",
            hint=f"put the last good copy in its place; to begin anew, without baselines, move "
            f"{kept.name} away too",
        )
    return False


def open_history(config: Config) -> History:
    """Open the history that ``has_history`` told of.

    Raises:
        HistoryBroken, StorageError: See ``History.open``; also where it is gone by now.
    """
    return History.open(config.history, make=False)


def is_busy(error: CorpusguardError) -> bool:
    """Whether it is that another process has history in use."""
    code = getattr(error.__cause__, "sqlite_errorcode", None)
    busy = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
    return isinstance(error, LockHeld) or (code is not None and code & 0xFF in busy)
