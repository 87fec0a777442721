"""``schedule run``: the process that starts runs when they are due.

APScheduler is the alarm clock and no more: it wakes ``tick`` every few seconds, and ``due`` decides
from history. A short, steady tick and not an alarm at the next run's time, because a clock that is
set, or a machine that slept, would otherwise make it wait for a moment that has passed.
"""

from __future__ import annotations

import logging
import time
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from apscheduler.events import (
    EVENT_JOB_ERROR,
    EVENT_JOB_EXECUTED,
    EVENT_JOB_MAX_INSTANCES,
    EVENT_JOB_MISSED,
    JobExecutionEvent,
)
from apscheduler.executors.base import BaseExecutor
from apscheduler.jobstores.memory import MemoryJobStore
from apscheduler.schedulers.blocking import BlockingScheduler
from apscheduler.triggers.interval import IntervalTrigger

from corpusguard.errors import CorpusguardError, LockHeld
from corpusguard.locking import RunLock
from corpusguard.schedule import due, next_runs
from corpusguard.service.schedules import LOG

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corpusguard.schedule import Due, Schedule
    from corpusguard.service.schedules import Schedules

TICK_SECONDS: Final = 10.0
RETRY_SECONDS: Final = 600.0
"""A run that left no trace in history (a full disk, a damaged file) is tried again after this."""

_EVENTS: Final = {
    EVENT_JOB_MISSED: "a tick was missed",
    EVENT_JOB_ERROR: "a tick failed",
    EVENT_JOB_MAX_INSTANCES: "a tick was left out, the one before goes on",
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
            following = next_runs(schedule, self._schedules.clock(), 1)
            at = following[0].isoformat() if following else "never"
            LOG.info("schedule %s: the next regular run is at %s", schedule.name, at)
        alarm = BlockingScheduler(
            timezone=UTC,
            jobstores={"default": MemoryJobStore()},
            executors={"default": _InThisThread()},
            job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": None},
        )
        alarm.add_listener(_log_event, EVENT_JOB_MISSED | EVENT_JOB_ERROR | EVENT_JOB_MAX_INSTANCES)
        trigger = IntervalTrigger(seconds=self._tick_seconds, timezone=UTC)
        alarm.add_job(self.tick, trigger, next_run_time=datetime.now(UTC), id="tick")
        alarm.start()

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
            LOG.error("schedule %s: %s; next: %s", name, error.message, error.hint)
            self._pause(name)
            return None
        return due(schedule, self._last[name], now)

    def _run(self, schedule: Schedule, found: Due) -> None:
        name = schedule.name
        if found.late > timedelta(minutes=1) and self._waiting_for.get(name) != found.slot:
            LOG.warning(
                "schedule %s: the run of %s is made up for, %s late",
                name,
                found.slot.isoformat(),
                timedelta(seconds=int(found.late.total_seconds())),
            )
        self.busy = True
        try:
            self._schedules.run(schedule)
        except LockHeld as error:
            # Said once, tried at each tick.
            if self._waiting_for.get(name) != found.slot:
                LOG.warning("schedule %s: waits, %s", name, error.message)
            self._waiting_for[name] = found.slot
        else:
            self._last.pop(name, None)
            again = self._due(schedule, self._schedules.clock())
            if again is not None and again.slot == found.slot:
                # It left no trace in history; this keeps it from being tried every few seconds.
                self._pause(name)
        self.busy = False

    def _pause(self, name: str) -> None:
        self._paused_until[name] = time.monotonic() + RETRY_SECONDS


class _InThisThread(BaseExecutor):  # type: ignore[misc] # APScheduler has no types
    """Runs a job in the scheduler's own thread, which is the main one.

    So a signal's exception ends the run under way, and then the scheduler: APScheduler's own
    executors keep SystemExit for themselves, and work in threads that no signal reaches.
    """

    def _do_submit_job(self, job: Any, run_times: Sequence[datetime]) -> None:  # noqa: ANN401 - APScheduler has no types
        try:
            job.func(*job.args, **job.kwargs)
            code, failure = EVENT_JOB_EXECUTED, None
        except Exception as error:  # noqa: BLE001 - a tick that fails must not end the daemon
            code, failure = EVENT_JOB_ERROR, error
        event = JobExecutionEvent(code, job.id, "default", run_times[-1], exception=failure)
        self._run_job_success(job.id, [event])


def _log_event(event: Any) -> None:  # noqa: ANN401 - APScheduler has no types
    error = getattr(event, "exception", None)
    LOG.log(
        logging.ERROR if event.code == EVENT_JOB_ERROR else logging.WARNING,
        "%s",
        _EVENTS[event.code],
        exc_info=error,
    )
