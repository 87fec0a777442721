"""One server for a module, set right again after each test."""

from __future__ import annotations

import pytest

from corpusguard.snapshots import SnapshotStore
from tests.replica.capture import LAW
from tests.replica.law import ferry_act
from tests.replica.replica import CURRENCY, Replica


@pytest.fixture(scope="module")
def server():
    with Replica(LAW, ferry_act()) as replica:
        yield replica


@pytest.fixture
def replica(server):
    yield server
    server.behave()
    server.requests.clear()
    server.files.clear()
    server.laws.clear()
    server.publish(LAW)
    server.publish(ferry_act())
    server.currency = CURRENCY
    server.etags = server.compress = True


@pytest.fixture
def store(tmp_path):
    return SnapshotStore(tmp_path / "snapshots")
