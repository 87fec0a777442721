"""A project whose two laws verified, and judges that answer as they are told."""
"""A verified copy of the bundled clean sample, and configurations with judges."""
"""Fixtures: a verified copy of the bundled clean sample, and configurations with judges."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from corpusguard.cli.bundled import sample_folder, snapshots_folder, sources_folder
from corpusguard.config import load_config
from corpusguard.gate import Gate
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

import pytest
import time_machine

from corpusguard.cli.bundled import sample_folder, snapshots_folder, sources_folder
from tests.unit.cli.conftest import call

TIERS = """
[[judge]]
name = "small"
kind = "openai"
url = "{url}/cheap"
key = "${{CHEAP_KEY}}"
timeout = {timeout}
price_input = 1
price_output = 4

[[judge]]
name = "large"
kind = "anthropic"
url = "{url}/expensive"
key = "${{EXPENSIVE_KEY}}"
timeout = {timeout}
price_input = 5
price_output = 20

[gate]
cheap = "small"
expensive = "large"
"""

NIGHT = datetime(2026, 2, 10, 3, tzinfo=UTC)
"""Soon after the sample's snapshots were captured: an offline run is as old as they are."""


@pytest.fixture(scope="session")
def verified_sample(tmp_path_factory):
    """A folder in which every passage of the clean sample has just verified."""
    folder = tmp_path_factory.mktemp("gate") / "sample"
    folder.mkdir()
    source = sample_folder()
    shutil.copyfile(source / "corpusguard-clean.toml", folder / "corpusguard.toml")
    shutil.copyfile(source / "clean.jsonl", folder / "clean.jsonl")
    shutil.copytree(snapshots_folder(), folder / "snapshots")
    shutil.copytree(sources_folder(), folder / "sources")
    with time_machine.travel(NIGHT, tick=True):
        result = call("verify", "--offline", "-q", "-c", folder / "corpusguard.toml")
    assert result.exit_code == 0, result.output
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
def corpus(verified_sample, tmp_path):
    """A copy to change, an hour after the run."""
    folder = tmp_path / "corpus"
    shutil.copytree(verified_sample, folder)
    with time_machine.travel(NIGHT + timedelta(hours=1), tick=True):
        yield folder


@pytest.fixture
def configured(corpus, monkeypatch):
    """Return a function that adds tiers on a server, and gives the configuration's path."""
    monkeypatch.setenv("CHEAP_KEY", "sk-cheap-secret")
    monkeypatch.setenv("EXPENSIVE_KEY", "sk-expensive-secret")
    monkeypatch.setenv("UNRELATED_TOKEN", "tok-unrelated-secret")

    def add(server, timeout=20.0):
        file = corpus / "corpusguard.toml"
        text = file.read_text() + TIERS.format(url=server.url, timeout=timeout)
        file.write_text(text)
        return file

    return add
