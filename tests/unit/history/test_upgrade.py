"""A history from before there were suppressions: it is migrated, and its records still hold."""

from __future__ import annotations

import json
import sqlite3

from corpusguard.evidence import GENESIS, canonical, head_of
from corpusguard.history import History
from tests.unit.history.conftest import drop_triggers
from tests.unit.history.sealed import build

NEW = "m004_suppressions"


def as_before(path):
    """Bring a history to the state in which the version before would have left it."""
    db = sqlite3.connect(path)
    triggers = [sql for sql in drop_triggers(db) if " suppressions_" not in sql]
    db.execute("UPDATE runs SET suppressions = NULL")
    db.execute("ALTER TABLE runs DROP COLUMN suppressions")
    db.execute("DROP TABLE suppressions")
    db.execute("DELETE FROM _sqlite_migrations WHERE name = ?", [NEW])
    previous = GENESIS
    for run, text in db.execute("SELECT run, record FROM chain ORDER BY run").fetchall():
        record = json.loads(text)
        record.pop("suppressions", None)
        record["migrations"] = [row for row in record["migrations"] if row[2] != NEW]
        record["previous"] = previous
        data = canonical(record)
        db.execute(
            "UPDATE chain SET record = ?, head = ? WHERE run = ?",
            [data.decode(), head_of(data), run],
        )
        previous = head_of(data).removeprefix("sha256:")
    for trigger in triggers:
        db.execute(trigger)
    db.commit()
    db.close()


def test_an_older_history_is_migrated_and_holds(tmp_path):
    """Every record comes out as it was sealed, and the next run can keep suppressions."""
    sealing = build(tmp_path)
    as_before(sealing.path)
    with sqlite3.connect(sealing.path) as db:
        heads = db.execute("SELECT run, head FROM chain ORDER BY run").fetchall()
        columns = [row[1] for row in db.execute("PRAGMA table_info(runs)")]
    db.close()
    assert "suppressions" not in columns
    with History.open(sealing.path) as history:
        audit = history.verify_all(sealing.store)
        assert audit.breaks == ()
        assert list(audit.heads) == heads
        assert history.suppressions(1) is None
        run = history.begin_run(("L1",), "corpusguard 0.1", "sha256:c", "2026-04-01T02:00:00Z")
        history.set_suppressions(run, {"ignore_file": "i", "baseline_file": "", "applied": []})
        history.abort_run(run, "2026-04-01T02:01:00Z", 130)
        assert "suppressions" in json.loads(history.record(run))
        assert history.verify_all(sealing.store).breaks == ()
