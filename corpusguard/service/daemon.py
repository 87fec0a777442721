"""``schedule run``: the process that starts runs when they are due.

APScheduler is the alarm clock and no more: it wakes ``tick`` every few seconds, and ``due`` decides
from history. A short, steady tick and not an alarm at the next run's time, because a clock that is
set, or a machine that slept, would otherwise make it wait for a moment that has passed.
"""

from __future__ import annotations

import logging
import threading
import time
from contextlib import ExitStack
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from apscheduler.events import EVENT_JOB_ERROR, EVENT_JOB_MAX_INSTANCES, EVENT_JOB_MISSED
from apscheduler.jobstores.memory import MemoryJobStore
from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.interval import IntervalTrigger

from corpusguard import logs
from corpusguard.errors import CorpusguardError, LockHeld
from corpusguard.locking import RunLock
from corpusguard.schedule import due, next_runs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corpusguard.schedule import Due, Schedule
    from corpusguard.service.schedules import Schedules

TICK_SECONDS: Final = 10.0
RETRY_SECONDS: Final = 600.0
"""A run that left no trace in history (a full disk, a damaged file) is tried again after this."""

_EVENTS: Final = {
    EVENT_JOB_MISSED: "the alarm clock missed a tick",
    EVENT_JOB_ERROR: "the alarm clock failed",
    EVENT_JOB_MAX_INSTANCES: "the alarm clock is still at its last tick",
}


class Daemon:
    """Runs schedules when they are due, until it is stopped.

    Args:
        schedules: What reads history and runs.
        chosen: The schedules to serve, at least one.
        tick_seconds: How often it looks.
    """

    def __init__(
        self,
        schedules: Schedules,
        chosen: Sequence[Schedule],
        *,
        tick_seconds: float = TICK_SECONDS,
    ) -> None:
        self._schedules = schedules
        self._chosen = tuple(chosen)
        self._tick_seconds = tick_seconds
        self._last: dict[str, datetime | None] = {}
        self._paused_until: dict[str, float] = {}
        self._waiting_for: dict[str, datetime] = {}
        self.busy = False
        """A run is under way; stays so when an exception such as a signal's ended it."""

    def serve(self) -> None:
        """Serve until an exception ends it, such as that of a signal.

        Raises:
            LockHeld: another daemon serves this history.
        """
        history = self._schedules.config.history
        lock = RunLock(history.with_name(history.name + ".schedule.lock"))
        with ExitStack() as stack:
            try:
                stack.enter_context(lock)
            except LockHeld as error:
                message = f"another `schedule run` serves {history}"
                raise LockHeld(message, hint=error.hint) from error
            self._serve()

    def _serve(self) -> None:
        for schedule in self._chosen:
            self._tell_next(schedule)
        alarm = BackgroundScheduler(
            timezone=UTC,
            jobstores={"default": MemoryJobStore()},
            job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": None},
        )
        alarm.add_listener(_log_event, EVENT_JOB_MISSED | EVENT_JOB_ERROR | EVENT_JOB_MAX_INSTANCES)
        trigger = IntervalTrigger(seconds=self._tick_seconds, timezone=UTC)
        ring = threading.Event()
        alarm.add_job(ring.set, trigger, next_run_time=datetime.now(UTC), id="tick")
        alarm.start()
        # The work is done here, in the main thread: only there does a signal's exception arrive,
        # and APScheduler keeps whatever a job raises, SystemExit too, for itself.
        try:
            while ring.wait():
                ring.clear()
                self._guarded_tick()
        finally:
            alarm.shutdown(wait=False)

    def _guarded_tick(self) -> None:
        try:
            self.tick()
        except Exception:  # noqa: BLE001 - one tick that fails must not end all that follow
            self.busy = False
            logs.get_logger().exception("a tick failed")

    def tick(self) -> None:
        """Run what is due; whatever goes wrong with one schedule leaves the others theirs."""
        now = self._schedules.clock()
        # All asked before any runs: what is on time now is not missed because another ran first.
        wanted = [(one, found) for one in self._chosen if (found := self._due(one, now))]
        for schedule, found in wanted:
            self._run(schedule, found)

    def _due(self, schedule: Schedule, now: datetime) -> Due | None:
        name = schedule.name
        if time.monotonic() < self._paused_until.get(name, 0.0):
            return None
        # History is opened (and checked) only when something looks due by what is remembered.
        found = due(schedule, self._last.get(name), now)
        if found is None:
            return None
        try:
            self._last[name] = self._schedules.last_run(schedule)
        except CorpusguardError as error:
            logs.get_logger().error(
                "history cannot be read", schedule=name, reason=error.message, next=error.hint
            )
            self._pause(name)
            return None
        return due(schedule, self._last[name], now)

    def _run(self, schedule: Schedule, found: Due) -> None:
        name = schedule.name
        said = self._waiting_for.get(name) == found.slot
        if not said:
            logs.get_logger().info(
                "schedule due",
                schedule=name,
                slot=found.slot.isoformat(),
                late_seconds=int(found.late.total_seconds()),
            )
        self.busy = True
        ran = False
        try:
            self._schedules.run(schedule)
        except LockHeld as error:
            # Said once, tried at each tick.
            if not said:
                logs.get_logger().warning("schedule waits", schedule=name, reason=error.message)
            self._waiting_for[name] = found.slot
        else:
            self._last.pop(name, None)
            again = self._due(schedule, self._schedules.clock())
            if again is not None and again.slot == found.slot:
                # It left no trace in history; this keeps it from being tried every few seconds.
                self._pause(name)
            ran = True
        self.busy = False
        if ran:
            self._tell_next(schedule)

    def _tell_next(self, schedule: Schedule) -> None:
        following = next_runs(schedule, self._schedules.clock(), 1)
        at = following[0].isoformat() if following else "never"
        logs.get_logger().info("schedule served", schedule=schedule.name, next=at)

    def _pause(self, name: str) -> None:
        self._paused_until[name] = time.monotonic() + RETRY_SECONDS


def _log_event(event: Any) -> None:  # noqa: ANN401 - APScheduler has no types
    error = getattr(event, "exception", None)
    level = logging.ERROR if error else logging.WARNING
    logs.get_logger().log(level, _EVENTS[event.code], exc_info=error)
