"""What a schedule says."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from corpusguard.schedule.cron import Cron, parse_cron

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

NAME: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,48}[a-z0-9])?")
"""What a schedule may be called. It becomes the name of files, systemd units and Kubernetes
objects: no character needs escaping in any of them, and 50 fit within Kubernetes' 52."""


class CatchUp(StrEnum):
    """What becomes of a run whose time passed while nobody was there to start it."""

    ONCE = "once"
    """Made up for by one run, however many were missed."""
    SKIP = "skip"
    """Left out."""


class After(StrEnum):
    """What may be done after a run."""

    NOTIFY = "notify"
    REPORT = "report"
    PING = "ping"


@dataclass(frozen=True, slots=True)
class Schedule:
    """One ``schedules/*.toml``."""

    name: str
    cron: str
    """Five fields, as written."""
    zone: ZoneInfo
    """The times of ``cron`` are local times of this zone."""
    corpora: tuple[str, ...] = ()
    """Names; empty: all."""
    documents: tuple[str, ...] = ()
    """Ids; empty: all."""
    layers: tuple[str, ...] = ("L1", "L2", "L3")
    offline: bool = False
    """Take the newest snapshots instead of asking the source: has the corpus changed since?"""
    catch_up: CatchUp = CatchUp.ONCE
    catch_up_within: timedelta = timedelta(hours=12)
    """How late a missed run is still worth making up for."""
    jitter: timedelta = timedelta(0)
    """Each run begins up to this much later; how much, follows from the name and the time."""
    after: tuple[After, ...] = ()
    reports: str = "reports"
    """Folder for the files of ``report``, relative to the configuration."""

    @property
    def when(self) -> Cron:
        """``cron``, read."""
        return parse_cron(self.cron)
