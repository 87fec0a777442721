"""An attempt that may be repeated, and the one line that the log has of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog
from stamina.instrumentation import get_on_retry_hooks, set_on_retry_hooks

from corpusguard.fetch.addresses import host_of

if TYPE_CHECKING:
    from stamina.instrumentation import RetryDetails

    from corpusguard.errors import SourceError


class TryAgain(Exception):
    """Carries the error of an attempt that may be repeated, and the host that was asked."""

    def __init__(self, url: str, error: SourceError) -> None:
        """``url``: the address of the attempt, after redirects."""
        super().__init__(error.message)
        self.host = host_of(url)
        self.error = error


def _log(details: RetryDetails) -> None:
    """Log that stamina will try again; all of our retries are those of a fetch.

    stamina's own line names the callable and its arguments, and a retry of a block has neither:
    https://stamina.hynek.me/en/stable/instrumentation.html
    """
    cause = details.caused_by
    if not isinstance(cause, TryAgain):
        for hook in _OTHERS:
            hook(details)
        return
    structlog.get_logger().warning(
        "fetch is tried again",
        host=cause.host,
        failed_attempt=details.retry_num,
        wait_seconds=round(details.wait_for, 1),
        cause=cause.error.message,
    )


_OTHERS = get_on_retry_hooks()
set_on_retry_hooks([_log])
