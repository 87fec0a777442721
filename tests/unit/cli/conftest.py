"""A verified copy of the bundled sample, and ways to call the command line."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from corpusguard.cli import app
from corpusguard.cli.bundled import sample_folder, snapshots_folder, sources_folder


def call(*arguments, **environment):
    """Call a command in this process; standard output and error are kept apart."""
    return CliRunner(env={"COLUMNS": "120", **environment}).invoke(
        app, [str(argument) for argument in arguments]
    )


def start(*arguments, term="dumb", no_color="", **options):
    """Start the command line as a process of its own."""
    command = [sys.executable, "-c", "from corpusguard.cli import main; main()"]
    environment = {
        **os.environ,
        "COLUMNS": "120",
        "TERM": term,
        "NO_COLOR": no_color,
        "PYTHONPATH": str(Path(__file__).parents[3]),
    }
    return subprocess.Popen([*command, *map(str, arguments)], env=environment, text=True, **options)


@pytest.fixture(scope="session")
def sample(tmp_path_factory):
    """A copy of the sample that has not been verified."""
    folder = tmp_path_factory.mktemp("sample")
    for source in sample_folder().iterdir():
        if source.suffix in {".toml", ".json", ".jsonl"}:
            shutil.copyfile(source, folder / source.name)
    shutil.copytree(snapshots_folder(), folder / "snapshots")
    shutil.copytree(sources_folder(), folder / "sources")
    return folder


@pytest.fixture(scope="session")
def verified(sample, tmp_path_factory):
    """The configuration of a copy that was verified once."""
    folder = tmp_path_factory.mktemp("verified") / "sample"
    shutil.copytree(sample, folder)
    config = folder / "corpusguard.toml"
    result = call("verify", "--offline", "-q", "-c", config)
    assert result.exit_code == 1, result.output
    return config
