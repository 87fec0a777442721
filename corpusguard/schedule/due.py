"""When a schedule runs: pure functions of the schedule, what ran last, and the time.

A *slot* is a time that the cron expression names. Local times that a clock change skips or repeats
are settled here, once:

* a time that names its hour (``30 2 * * *``) makes exactly one run each local day: skipped in
  spring it runs as much later as the clock was put forward (02:30 becomes 03:30), repeated in
  autumn it runs the first time;
* a time that leaves its hour open (``*/15 * * * *``) goes by real time: what is skipped is left
  out, what is repeated runs again.

All moments are aware datetimes; answers are in UTC.
"""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Final

from corpusguard.schedule.cron import parse_cron
from corpusguard.schedule.spec import CatchUp

if TYPE_CHECKING:
    from collections.abc import Iterator
    from zoneinfo import ZoneInfo

    from corpusguard.schedule.spec import Schedule

ON_TIME: Final = timedelta(hours=1)
"""A run that begins within this after its time is late, not missed: another run held the lock."""

CLOCK_STEP: Final = timedelta(hours=1)
"""A last run that lies less than this in the future is believed: the clock was put right."""

_HORIZON_DAYS: Final = 366 * 9
"""29 February may be eight years away (1896 to 1904, 2096 to 2104)."""

_DAY: Final = timedelta(days=1)
_SECOND: Final = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class Due:
    """A run that should begin now."""

    slot: datetime
    """The time that the cron expression names."""
    begins: datetime
    """The slot with its jitter."""
    late: timedelta
    """How long ago ``begins`` was."""


def due(schedule: Schedule, last_run: datetime | None, now: datetime) -> Due | None:
    """Say whether a run should begin now, and for which time.

    Args:
        schedule: What should run when.
        last_run: When the newest run that counts for this schedule began, or None.
        now: The time.

    Returns:
        The newest slot whose time has come and for which nothing ran yet; None where there is
        none, or where it is so late that the schedule leaves it out. However many slots were
        missed, one run makes up for all.
    """
    if last_run is not None and last_run - now >= CLOCK_STEP:
        # The clock was wrong when it ran, so nobody knows what it ran for. To wait until that
        # time comes would be months of silence; one run too many is the smaller harm.
        last_run = None
    within = schedule.catch_up_within if schedule.catch_up is CatchUp.ONCE else timedelta(0)
    within = max(within, ON_TIME)
    newest = None
    for slot in slots(schedule, now - within - schedule.jitter - _SECOND, now):
        begins = slot + jitter(schedule, slot)
        if begins <= now:
            newest = Due(slot, begins, now - begins)
    if newest is None or newest.late > within:
        return None
    if last_run is not None and last_run >= newest.begins:
        return None
    return newest


def next_runs(schedule: Schedule, after: datetime, count: int) -> list[datetime]:
    """Return when the next ``count`` runs begin after a moment, jitter included, in order.

    Fewer are returned only where the calendar ends, or no slot comes within nine years.
    """
    found: list[datetime] = []
    end = after
    for _ in range(count):
        begin = next(
            (
                begins
                for slot in slots(schedule, end - schedule.jitter, end + _HORIZON_DAYS * _DAY)
                if (begins := slot + jitter(schedule, slot)) > end
            ),
            None,
        )
        if begin is None:
            break
        found.append(begin)
        end = begin
    return found


def jitter(schedule: Schedule, slot: datetime) -> timedelta:
    """Return how much later than its slot a run begins: the same each time it is asked."""
    most = int(schedule.jitter.total_seconds())
    if not most:
        return timedelta(0)
    seed = f"{schedule.name}\0{slot.astimezone(UTC).isoformat()}".encode()
    return timedelta(seconds=int.from_bytes(hashlib.sha256(seed).digest()[:8]) % (most + 1))


def slots(schedule: Schedule, after: datetime, until: datetime) -> Iterator[datetime]:
    """Yield the slots after ``after``, up to and including ``until``, in order, in UTC."""
    cron = schedule.when
    # A skipped local time may fall on the day after its own.
    day = _local_day(schedule, after) - _DAY
    last = _local_day(schedule, until)
    waiting: set[datetime] = set()
    while day <= last:
        if cron.on(day):
            waiting.update(_moments(schedule.zone, schedule.cron, day))
        day += _DAY
        midnight = datetime(day.year, day.month, day.day, tzinfo=schedule.zone).astimezone(UTC)
        ready = sorted(moment for moment in waiting if moment < midnight)
        yield from (moment for moment in ready if after < moment <= until)
        waiting.difference_update(ready)


@functools.lru_cache(maxsize=256)
def _moments(zone: ZoneInfo, text: str, day: date) -> frozenset[datetime]:
    """Return the slots of one local day."""
    # A daemon asks for the same few days every few seconds.
    cron = parse_cron(text)
    found: set[datetime] = set()
    for hour, minute in cron.times():
        local = datetime(day.year, day.month, day.day, hour, minute, tzinfo=zone)
        first = local.astimezone(UTC)
        again = local.replace(fold=1).astimezone(UTC)
        if not cron.hour.starred:
            # In a gap fold=0 reckons with the old offset, which is the way described above.
            found.add(first)
        elif first <= again:
            found |= {first, again}
        # else: a gap, where fold=1 lies before fold=0.
    return frozenset(found)


def _local_day(schedule: Schedule, moment: datetime) -> date:
    return moment.astimezone(schedule.zone).date()
