"""Without their extras the servers say what to install."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

WITHOUT = """
import sys
for name in ("uvicorn", "starlette", "mcp", "mcp_types"):
    sys.modules[name] = None
from corpusguard.cli import main
main()
"""


@pytest.mark.parametrize(("command", "extra"), [("serve", "serve"), ("mcp", "mcp")])
def test_without_its_extra_a_server_says_what_to_install(project, command, extra):
    """Exit 2, and nothing on standard output."""
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, command, "-c", project / "corpusguard.toml"],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={"PYTHONPATH": str(Path(__file__).parents[3])},
    )
    assert done.returncode == 2, done.stderr
    assert f"pip install 'corpusguard-law[{extra}]'" in done.stderr
    assert done.stdout == ""
