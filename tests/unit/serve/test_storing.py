"""A server that cannot store a decision answers nothing, and its health says so."""

from __future__ import annotations

import resource
import shutil
import sqlite3
from contextlib import closing

import pytest

from corpusguard.errors import StorageError
from corpusguard.history import History
from corpusguard.serve.storing import Storing
from tests.unit.cli.conftest import call
from tests.unit.serve.conftest import QUOTED, serving, until


def may_write(process, most):
    """Bound the files of a running process: what goes beyond fails, as on a full disk."""
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))


def health(client):
    found = client.get("/healthz")
    return found.status_code, found.json()["status"], found.json()["reason"]


WELL = (200, "ok", "")
CANNOT = (503, "unavailable", "cannot_store")


def test_a_disk_that_fills_is_told_and_so_is_room_again(project):
    """While checks are answered 503; every other question goes on being answered."""
    with serving(project) as server, server.client() as client:
        assert client.post("/v1/check", json={"answer": QUOTED}).status_code == 200
        assert health(client) == WELL
        may_write(server.process, 0)
        assert client.post("/v1/check", json={"answer": QUOTED}).status_code == 503
        until(lambda: health(client) == CANNOT)
        assert client.get("/v1/status").status_code == 200
        assert health(client) == CANNOT
        may_write(server.process, resource.RLIM_INFINITY)
        until(lambda: health(client) == WELL)
        assert client.post("/v1/check", json={"answer": QUOTED}).status_code == 200


@pytest.mark.parametrize("room", [0, 65_536])
def test_a_full_disk_is_told_before_any_check(project, room):
    """The probe itself tries; it does not wait for an answer that is lost."""
    size = (project / "history-clean.db").stat().st_size
    with serving(project) as server, server.client() as client:
        may_write(server.process, size + room)
        assert health(client) == CANNOT


def test_the_attempt_leaves_history_as_it_was(project):
    """Byte for byte, with no journal; and the connection waits and caches as before."""
    path = project / "history-clean.db"
    before = path.read_bytes()
    with History.open(path) as history:
        settings = [
            history._db.execute(f"PRAGMA {name}").fetchone()
            for name in ("cache_size", "busy_timeout")
        ]
        history.try_storing()
        assert path.read_bytes() == before
        assert settings == [
            history._db.execute(f"PRAGMA {name}").fetchone()
            for name in ("cache_size", "busy_timeout")
        ]
        assert history.decisions() == []
    assert not (project / "history-clean.db-journal").exists()


def test_a_run_that_has_history_in_use_is_no_fault(project):
    """For a moment it may; health says what it said before, and checks wait."""
    with serving(project) as server, server.client() as client:
        with closing(sqlite3.connect(project / "history-clean.db", isolation_level=None)) as run:
            run.execute("BEGIN IMMEDIATE")
            assert health(client) == WELL
            run.execute("ROLLBACK")
        assert client.post("/v1/check", json={"answer": QUOTED}).status_code == 200


def test_doctor_tries_to_store(project):
    """A full disk is found, with what to do, and the exit code says so."""
    config = project / "corpusguard.toml"
    shutil.copyfile(project / "history-clean.db", project / "whole.db")
    assert call("doctor", "-c", config).exit_code == 0
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, ((project / "history-clean.db").stat().st_size, hard))
    try:
        done = call("doctor", "-f", "json", "-c", config)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert done.exit_code != 0
    assert "cannot store a decision" in done.stdout
    assert (project / "history-clean.db").read_bytes() == (project / "whole.db").read_bytes()


def busy():
    error = sqlite3.OperationalError("database is locked")
    error.sqlite_errorcode = sqlite3.SQLITE_BUSY
    raise StorageError("in use") from error


def full():
    raise StorageError("no space")


class Trials:
    """Trials of which a test says how they end."""

    def __init__(self):
        self.ends = None
        self.count = 0

    def __call__(self):
        self.count += 1
        if self.ends:
            self.ends()


def test_it_is_tried_seldom_while_it_goes_well_and_often_while_it_does_not():
    """Every 30 seconds; at each question after a failure, or where a decision was lost."""
    trials = Trials()
    storing = Storing(trials)
    assert [storing.fault(now) for now in (0, 5, 29)] == ["", "", ""]
    assert trials.count == 1
    storing.doubt()
    assert storing.fault(29.5) == ""
    assert trials.count == 2
    trials.ends = full
    assert [storing.fault(now) for now in (31, 60, 61)] == ["", "cannot_store", "cannot_store"]
    trials.ends = None
    assert storing.fault(66) == ""
    assert storing.fault(67) == ""
    assert trials.count == 5


def test_a_lock_that_is_kept_is_a_fault_after_a_minute():
    """Until then what was so before still is; after it is released, all is well."""
    trials = Trials()
    storing = Storing(trials)
    trials.ends = full
    assert storing.fault(0) == "cannot_store"
    trials.ends = busy
    assert [storing.fault(now) for now in (5, 65, 66)] == [
        "cannot_store", "cannot_store", "history_locked",
    ]  # fmt: skip
    trials.ends = None
    assert storing.fault(67) == ""
