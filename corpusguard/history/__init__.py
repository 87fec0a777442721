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
from corpusguard.history.verified import passage_keys

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
    "passage_keys",
]
