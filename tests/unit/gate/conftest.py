"""A project whose two laws verified, and judges that answer as they are told."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from corpusguard.cli.bundled import sample_folder, snapshots_folder, sources_folder
from corpusguard.config import load_config
from corpusguard.gate import Gate
from corpusguard.gate.judges.endpoint import Endpoint
from corpusguard.service import Service

NIGHT = datetime(2026, 2, 10, 3, tzinfo=UTC)
"""Soon after the sample's snapshots were captured."""


class ScriptedJudge:
    """A judge that gives one reply, or raises it."""

    name = "scripted"

    def __init__(self, reply):
        self.reply = reply
        self.questions = []

    async def judge(self, question):
        self.questions.append(question)
        if isinstance(self.reply, BaseException):
            raise self.reply
        if callable(self.reply):
            return await self.reply()
        return self.reply


@pytest.fixture(scope="session")
def verified_once(tmp_path_factory):
    """The bundled sample, verified offline soon after its snapshots were captured."""
    folder = tmp_path_factory.mktemp("gate") / "project"
    folder.mkdir()
    config = (sample_folder() / "corpusguard-clean.toml").read_text(encoding="utf-8")
    (folder / "corpusguard.toml").write_text(config, encoding="utf-8")
    shutil.copyfile(sample_folder() / "clean.jsonl", folder / "clean.jsonl")
    shutil.copytree(snapshots_folder(), folder / "snapshots")
    shutil.copytree(sources_folder(), folder / "sources")
    with time_machine.travel(NIGHT, tick=True):
        result = Service(load_config(folder / "corpusguard.toml")).verify(offline=True)
    assert str(result.verdict) == "verified"
    return folder


@pytest.fixture
def project(verified_once, tmp_path):
    """A copy of it that a test may break, an hour after the run."""
    shutil.copytree(verified_once, tmp_path / "project")
    with time_machine.travel(NIGHT + timedelta(hours=1), tick=True):
        yield tmp_path / "project"


@pytest.fixture
def open_gate(project):
    """Open the gate of the project, and close it after the test."""
    gates = []

    def opened(**options):
        gates.append(Gate.open(project / "corpusguard.toml", **options))
        return gates[-1]

    yield opened
    for gate in gates:
        gate.close()


@pytest.fixture(autouse=True)
def _impatient(monkeypatch):
    """A judge's failed attempt is followed by the next at once: nobody else waits for its server."""
    monkeypatch.setitem(Endpoint.__init__.__kwdefaults__, "pause", 0.01)
