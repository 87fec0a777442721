"""Fixtures: a verified copy of the bundled clean sample, and configurations with judges."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime, timedelta

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
