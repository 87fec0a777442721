"""History: the runs, results and findings of a project, in one SQLite file."""

from corpusguard.history.captures import Capture, SnapshotBytes, capture_of
from corpusguard.history.lifecycle import awaits_source
from corpusguard.history.records import (
    Audit,
    Break,
    DecisionRecord,
    FindingRecord,
    FindingState,
    LastGood,
    PassageBaseline,
    PassageKey,
    PassageStanding,
    ReadingRecord,
    RunRecord,
    RunState,
    StoredResult,
    VerifiedRows,
    asked_at,
)
from corpusguard.history.store import History
from corpusguard.history.verified import passage_keys

__all__ = [
    "Audit",
    "Break",
    "Capture",
    "DecisionRecord",
    "FindingRecord",
    "FindingState",
    "History",
    "LastGood",
    "PassageBaseline",
    "PassageKey",
    "PassageStanding",
    "ReadingRecord",
    "RunRecord",
    "RunState",
    "SnapshotBytes",
    "StoredResult",
    "VerifiedRows",
    "asked_at",
    "awaits_source",
    "capture_of",
    "passage_keys",
]
