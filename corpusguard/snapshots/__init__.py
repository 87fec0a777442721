"""The snapshot store: official bytes by their digest, and one record for each capture."""

from corpusguard.snapshots.confirmations import Confirmation
from corpusguard.snapshots.order import by_consolidation, newest_consolidation
from corpusguard.snapshots.records import MAX_RECORD_BYTES, SCHEMA
from corpusguard.snapshots.retention import Doomed, prune
from corpusguard.snapshots.store import Audit, SnapshotStore

__all__ = [
    "MAX_RECORD_BYTES",
    "SCHEMA",
    "Audit",
    "Confirmation",
    "Doomed",
    "SnapshotStore",
    "by_consolidation",
    "newest_consolidation",
    "prune",
]
