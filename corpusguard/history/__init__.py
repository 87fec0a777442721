"""History: the runs, results and findings of a project, in one SQLite file."""

from corpusguard.history.records import (
    FindingRecord,
    FindingState,
    LastGood,
    PassageBaseline,
    PassageKey,
    ReadingRecord,
    RunRecord,
    RunState,
    StoredResult,
)
from corpusguard.history.store import History

__all__ = [
    "FindingRecord",
    "FindingState",
    "History",
    "LastGood",
    "PassageBaseline",
    "PassageKey",
    "ReadingRecord",
    "RunRecord",
    "RunState",
    "StoredResult",
]
