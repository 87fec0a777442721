"""What every call pays for: the command line starts without what only a run needs."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HEAVY = (
    "corpusguard.service", "corpusguard.history", "corpusguard.config", "corpusguard.first_reader",
    "corpusguard.second_reader", "lxml", "bs4", "httpx", "sqlite_utils", "nupunkt", "jinja2",
    "apprise", "apscheduler",
)  # fmt: skip
RUN = """
import json, os, sys
from corpusguard.cli import main
os._exit = sys.exit  # the hook leaves at once, and here something is still to be printed
sys.argv = ["corpusguard", *json.loads(sys.argv[1])]
try:
    main()
except SystemExit as left:
    assert not left.code, left.code
print(json.dumps(sorted(sys.modules)), file=sys.stderr)
"""


def loaded_by(*arguments, given=""):
    """What is loaded in a process of its own after a call that ends with 0."""
    done = subprocess.run(
        [sys.executable, "-c", RUN, json.dumps(arguments)],
        input=given, capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    return set(json.loads(done.stderr.splitlines()[-1]))


@pytest.mark.parametrize(
    "arguments",
    [["--version"], ["--help"], ["measure", "verifier", "--help"], ["history", "verify", "--help"],
     ["explain", "CG101"], ["hook", "skill"]],
    ids=" ".join,
)  # fmt: skip
def test_what_only_prints_loads_neither_service_nor_readers(arguments):
    """Registering a command imports none of what it will call."""
    loaded = loaded_by(*arguments)
    assert "corpusguard.cli.app" in loaded
    assert [name for name in HEAVY if name in loaded] == []


def test_the_hook_opens_no_corpus_for_a_call_that_writes_no_claim(sample, tmp_path):
    """It runs before each tool call of an agent, and nearly none of them writes to memory."""
    config = sample / "corpusguard-clean.toml"
    event = {
        "hook_event_name": "PreToolUse", "tool_name": "Write", "cwd": str(tmp_path),
        "tool_input": {"file_path": str(tmp_path / "notes.md"), "content": "Dues are void."},
    }  # fmt: skip
    loaded = loaded_by("hook", "memory-write", "-c", str(config), given=json.dumps(event))
    spared = set(HEAVY) - {"corpusguard.config"}
    assert sorted(spared & loaded) == []
