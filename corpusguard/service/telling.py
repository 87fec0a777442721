"""A run that people hear of: begun, then ended with a result or without one."""

from __future__ import annotations

import errno
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from corpusguard import logs
from corpusguard.errors import CorpusguardError
from corpusguard.notify import after, before, failed
from corpusguard.service.opening import open_history

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corpusguard.config import Config
    from corpusguard.model import RunResult
    from corpusguard.notify import Begun

_NO_SPACE: Final = frozenset({errno.ENOSPC, errno.EDQUOT})


@dataclass(slots=True)
class Telling:
    """What a run came to, and what of it could not be told."""

    result: RunResult | None = None
    exit_code: int = 0
    problems: list[str] = field(default_factory=list)

    def ended(self, result: RunResult, exit_code: int) -> None:
        """Say what the run came to; told when the block ends."""
        self.result, self.exit_code = result, exit_code


@contextmanager
def telling(config: Config, *, asked: bool | None = None) -> Iterator[Telling]:
    """Tell of the run that the block makes, as far as the configuration says.

    Args:
        config: ``notify``, ``ping`` and ``metrics`` of it are heeded.
        asked: True: send a message even if nothing is new; False: send none.

    Yields:
        What to report the result to. Whatever the block raises is told of, and raised again.
    """
    begun = before(config)
    told = Telling()
    try:
        try:
            yield told
        except BaseException as error:
            reason = error.message if isinstance(error, CorpusguardError) else repr(error)
            told.problems += failed(
                config, exit_code=code_of(error), reason=reason, begun=begun, asked=asked
            )
            raise
        if told.result is not None and any((config.notify, config.ping, config.metrics)):
            told.problems += _after(config, told.result, told.exit_code, begun, asked=asked)
    finally:
        logs.end_run()


def _after(
    config: Config, result: RunResult, exit_code: int, begun: Begun, *, asked: bool | None
) -> list[str]:
    try:
        history = open_history(config)
    except CorpusguardError as error:
        # It was sound when the run ended: what has happened since is for people to know too.
        return failed(
            config, exit_code=error.exit_code, reason=error.message, begun=begun, asked=asked
        )
    with history:
        return after(config, history, result, exit_code=exit_code, begun=begun, asked=asked)


def code_of(error: BaseException) -> int:
    """Return the exit code that an exception ends the process with, by the contract."""
    if isinstance(error, CorpusguardError):
        return error.exit_code
    if isinstance(error, KeyboardInterrupt):
        return 130
    if isinstance(error, SystemExit) and isinstance(error.code, int):
        return error.code
    return 4 if isinstance(error, OSError) and error.errno in _NO_SPACE else 70
