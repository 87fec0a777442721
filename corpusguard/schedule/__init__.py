"""Schedules: when runs are due, and the files that make other schedulers start them.

Pure: no clock, no files, no history. The service asks it with the time and what ran last.
"""

from __future__ import annotations

from corpusguard.schedule.cron import Cron, parse_cron
from corpusguard.schedule.due import Due, due, next_runs
from corpusguard.schedule.export import TARGETS, Place
from corpusguard.schedule.spec import NAME, After, CatchUp, Schedule

__all__ = [
    "NAME",
    "TARGETS",
    "After",
    "CatchUp",
    "Cron",
    "Due",
    "Place",
    "Schedule",
    "due",
    "next_runs",
    "parse_cron",
]
