"""How not to be a burden: a delay per host, a daily budget, Retry-After, and a circuit breaker."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Final

from corpusguard.errors import SourceUnreachable

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date

    from corpusguard.fetch.ledger import Ledger

MAX_RETRY_AFTER_SECONDS: Final = 120.0
"""Longest wait inside a run; a source that asks for more is left alone for that long."""
MAX_CLOSED_SECONDS: Final = 86_400.0
FAILURES_TO_OPEN: Final = 4
"""Requests in a row that fail, retries included, before a host is left alone."""
OPEN_SECONDS: Final = 300.0


@dataclass(slots=True)
class _Host:
    not_before: float = 0.0
    """Monotonic time of the next allowed request."""
    failures: int = 0
    open_until: float = 0.0
    reason: str = ""


class Politeness:
    """Decides when the next request to a host may go out.

    Args:
        min_delay: Seconds between two requests to one host, redirects and retries included.
        budget: Requests in one UTC day, to all hosts together.
        now: Wall clock, aware.
        monotonic: Clock for waits, which does not jump.
        sleep: Waits that many seconds.
        ledger: Counts over all runs of the day; without one, this process counts for itself.
    """

    def __init__(  # noqa: PLR0913, limits, clocks and the count, each named
        self,
        min_delay: float,
        budget: int,
        *,
        now: Callable[[], datetime],
        monotonic: Callable[[], float],
        sleep: Callable[[float], None],
        ledger: Ledger | None = None,
    ) -> None:
        self._min_delay = min_delay
        self._budget = budget
        self._now = now
        self._monotonic = monotonic
        self._sleep = sleep
        self._hosts: dict[str, _Host] = {}
        self._day: date | None = None
        self._spent = 0
        self.ledger = ledger

    def before(self, host: str) -> None:
        """Wait until a request to ``host`` may go out, and count it.

        Raises:
            SourceUnreachable: The host is left alone for now, or the day's budget is spent.
            StorageError: The request cannot be counted.
        """
        state = self._hosts.setdefault(host, _Host())
        self._refuse_closed(host, state)
        today = self._now().astimezone(UTC).date()
        if today != self._day:
            self._day, self._spent = today, 0
        spent = self._spent if self.ledger is None else self.ledger.spent(today)
        if spent >= self._budget:
            raise SourceUnreachable(
                f"the budget of {self._budget} requests a day is spent",
                hint="wait for tomorrow (UTC), or raise daily_request_budget in sources/*.toml",
            )
        wait = state.not_before - self._monotonic()
        if wait > 0:
            self._sleep(wait)
        self._spent += 1
        if self.ledger is not None:
            self.ledger.count(today)
        state.not_before = self._monotonic() + self._min_delay

    def succeeded(self, host: str) -> None:
        """Note that the host answered."""
        self._hosts.setdefault(host, _Host()).failures = 0

    def failed(self, host: str, reason: str) -> None:
        """Note that a request failed after all its attempts; too many close the host."""
        state = self._hosts.setdefault(host, _Host())
        state.failures += 1
        if state.failures >= FAILURES_TO_OPEN:
            state.failures = 0
            self._close(state, OPEN_SECONDS, reason)

    def asked_to_wait(self, host: str, seconds: float) -> bool:
        """Slow the whole host down for ``seconds``, as its answer asked.

        Returns:
            Whether waiting that long is worth it; if not, the host is closed for that time.
        """
        state = self._hosts.setdefault(host, _Host())
        if seconds > MAX_RETRY_AFTER_SECONDS:
            self._close(state, seconds, f"it asked for a pause of {seconds:.0f} s")
            return False
        state.not_before = max(state.not_before, self._monotonic() + seconds)
        return True

    def _close(self, state: _Host, seconds: float, reason: str) -> None:
        state.open_until = self._monotonic() + min(seconds, MAX_CLOSED_SECONDS)
        state.reason = reason

    def _refuse_closed(self, host: str, state: _Host) -> None:
        left = state.open_until - self._monotonic()
        if left > 0:
            raise SourceUnreachable(
                f"{host} is left alone for another {left:.0f} s: {state.reason}",
                hint="run again after that time",
            )


def retry_after_seconds(value: str, server_date: str, now: datetime) -> float:
    """Return the seconds that a ``Retry-After`` header asks for, 0 when it says nothing usable.

    Args:
        value: Seconds, or an HTTP date.
        server_date: The answer's ``Date``: a date is counted from the server's own clock, so
            that a wrong local clock does not stretch the wait.
        now: Local time, used without a ``Date``.
    """
    text = value.strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    until = http_date(text)
    if until is None:
        return 0.0
    start = http_date(server_date) or now
    return max(0.0, (until - start).total_seconds())


def http_date(text: str) -> datetime | None:
    """Return an HTTP date as an aware time in UTC, or None."""
    try:
        found = parsedate_to_datetime(text)
        # Also the shift to UTC may leave the years that there are.
        return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
