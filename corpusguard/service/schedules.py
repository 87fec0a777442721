"""Scheduled runs: what is due by history, and how one is run.

History alone says what ran: no state is kept beside it. A run that was interrupted (killed, or
stopped by a signal) does not count, so that the next start makes up for it; one that failed by
itself counts, so that a fault does not ask the source again and again.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from corpusguard import logs
from corpusguard.config.table import nearest
from corpusguard.errors import ConfigError, CorpusguardError, LockHeld
from corpusguard.evidence import SealedRun
from corpusguard.history import RunState
from corpusguard.locking import RunLock
from corpusguard.model import Severity
from corpusguard.report.summary import all_findings, counts
from corpusguard.schedule import due, next_runs
from corpusguard.service.after import after_run, heard_by
from corpusguard.service.facade import Service
from corpusguard.service.opening import has_history, open_history
from corpusguard.service.telling import code_of, telling

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from corpusguard.config import Config
    from corpusguard.fetch import Fetcher
    from corpusguard.history import RunRecord
    from corpusguard.model import RunResult, SourceSpec
    from corpusguard.schedule import Due, Schedule

MOST_INTERRUPTED: Final = 3
"""So many interrupted runs in a row are not made up for: something kills them."""

_INTERRUPTED: Final = frozenset({None, 130, 143})
_WORST_FIRST: Final = (70, 4, 2, 75, 1, 3, 0)
_ROUNDS: Final = 10


def utc_now() -> datetime:
    """The time."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Plan:
    """Where one schedule stands."""

    schedule: Schedule
    last: RunRecord | None
    """Its newest run, of any state."""
    due: Due | None
    """The run that should begin now."""
    following: tuple[datetime, ...]
    """When the next runs begin, UTC, those due now left out."""


def last_counted(records: Sequence[RunRecord]) -> datetime | None:
    """Return when the newest run that counts began; ``records`` are newest first."""
    for record in records[:MOST_INTERRUPTED]:
        if record.state is RunState.FINISHED or record.exit_code not in _INTERRUPTED:
            return datetime.fromisoformat(record.started)
    if len(records) < MOST_INTERRUPTED:
        return None
    return datetime.fromisoformat(records[0].started)


def worst(codes: Iterable[int]) -> int:
    """Return the exit code that says most of several; 0 of none."""
    found = set(codes)
    return next((code for code in _WORST_FIRST if code in found), 70 if found else 0)


class Schedules:
    """The schedules of one configuration.

    Args:
        config: The configuration.
        clock: Tells the time, UTC; runs themselves are stamped by the system's clock.
        make_fetcher: As for ``Service``.
    """

    def __init__(
        self,
        config: Config,
        *,
        clock: Callable[[], datetime] = utc_now,
        make_fetcher: Callable[[SourceSpec], Fetcher] | None = None,
    ) -> None:
        self.config = config
        self.clock = clock
        self._fetching = {} if make_fetcher is None else {"make_fetcher": make_fetcher}

    def chosen(self, names: Sequence[str] = ()) -> tuple[Schedule, ...]:
        """Return the schedules with these names, all where none is named.

        Raises:
            ConfigError: there is no such schedule.
        """
        known = {schedule.name: schedule for schedule in self.config.schedules}
        for name in names:
            if name not in known:
                raise ConfigError(
                    f"there is no schedule {name!r}",
                    hint=nearest(name, tuple(known)) or _ADD,
                )
        return tuple(known[name] for name in known if name in names or not names)

    def required(self, names: Sequence[str] = ()) -> tuple[Schedule, ...]:
        """Return the same, at least one.

        Raises:
            ConfigError: there is none.
        """
        found = self.chosen(names)
        if not found:
            raise ConfigError("no schedule is configured", hint=_ADD)
        return found

    def plans(self, names: Sequence[str] = (), count: int = 1) -> list[Plan]:
        """Say where each schedule stands, with the next ``count`` runs."""
        now = self.clock()
        return [
            Plan(
                schedule,
                records[0] if records else None,
                due(schedule, last_counted(records), now),
                tuple(next_runs(schedule, now, count)),
            )
            for schedule in self.chosen(names)
            for records in [self._records(schedule)]
        ]

    def last_run(self, schedule: Schedule) -> datetime | None:
        """Return when the newest run that counts for ``schedule`` began."""
        return last_counted(self._records(schedule))

    def run(self, schedule: Schedule) -> int:
        """Run a schedule now, tell of it, log what went wrong, and return the exit code.

        Raises:
            LockHeld: another run holds the lock; nothing was done, and nobody was told.
        """
        log = logs.get_logger()
        # Asked before anyone is told that a run begins: a daemon that waits asks often.
        with RunLock(self.config.history.with_name(self.config.history.name + ".lock")):
            pass
        try:
            with telling(heard_by(self.config, schedule)) as told:
                result, code = self._verify(schedule)
                _log_end(schedule, result, code)
                after_run(self.config, schedule, result)
                told.ended(result, code)
        except LockHeld:
            raise
        except CorpusguardError as error:
            log.error(  # noqa: TRY400 - for a person, who has no use for the stack
                "scheduled run failed",
                schedule=schedule.name,
                reason=error.message,
                next=error.hint,
            )
            return error.exit_code
        except Exception as error:
            log.exception("scheduled run failed", schedule=schedule.name)
            return code_of(error)
        return code

    def run_once(self, names: Sequence[str] = (), *, forced: bool = False) -> int:
        """Run what is due now, or what is named whether due or not; return the worst exit code.

        Raises:
            ConfigError: there is no such schedule.
            LockHeld: another run holds the lock.
        """
        self.required(names)
        # All asked before any runs: what was on time now is not missed because another ran first.
        wanted = [plan for plan in self.plans(names) if forced or plan.due]
        if not wanted:
            logs.get_logger().info("nothing is due")
        return worst([self.run(plan.schedule) for plan in wanted])

    def _verify(self, schedule: Schedule) -> tuple[RunResult, int]:
        config = self.config
        if schedule.corpora:
            kept = tuple(one for one in config.corpora if one.name in schedule.corpora)
            config = replace(config, corpora=kept)
        service = Service(config, **self._fetching)
        result = service.verify(
            schedule.documents,
            schedule.layers,
            offline=schedule.offline,
            schedule=schedule.name,
        )
        return result, service.exit_code(result, Severity.ERROR)

    def _records(self, schedule: Schedule) -> list[RunRecord]:
        if not has_history(self.config):
            return []
        with open_history(self.config) as history:
            return history.runs_of_schedule(schedule.name, _ROUNDS)


def _log_end(schedule: Schedule, result: RunResult, code: int) -> None:
    """Say how a run ended in one line; a warning unless all verified, so that --quiet keeps it."""
    logs.get_logger().log(
        logging.WARNING if code else logging.INFO,
        "scheduled run ended",
        schedule=schedule.name,
        run=result.run,
        verdict=str(result.verdict),
        exit_code=code,
        **counts(all_findings(result)),
        head=result.head if isinstance(result, SealedRun) else "",
    )


_ADD: Final = 'add schedules = ["schedules/nightly.toml"] to [corpusguard]; see docs/schedules.md'
