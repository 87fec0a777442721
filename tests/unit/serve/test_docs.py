"""The page of the servers names every route, tool, code and bound that there is."""

from __future__ import annotations

import re
from pathlib import Path

from corpusguard.serve.limits import Limits
from corpusguard.serve.tools import TOOLS
from tests.unit.serve.test_http import OPENAPI

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "serve.md").read_text("utf-8")
SOURCES = "".join(path.read_text("utf-8") for path in (ROOT / "corpusguard" / "serve").glob("*.py"))


def test_it_names_every_route_and_tool():
    """As the description and the server have them."""
    for path, item in OPENAPI["paths"].items():
        shown = path.replace("{passage}", "{id}")
        for method in item:
            assert f"`{method.upper()} {shown}" in PAGE, path
    for tool in TOOLS:
        assert (
            f"| `{tool.name}` | {', '.join(f'`{name}`' for name in tool.schema['properties'])}"
            in PAGE
        )


def test_it_names_every_code_with_its_status():
    """Each refusal in the source, in the line of its status."""
    found = re.findall(r"Refusal\(\s*(\d{3}),\s*\"(\w+)\"", SOURCES)
    assert len(found) > 15
    for status, code in found:
        lines = [line for line in PAGE.splitlines() if line.startswith("|") and status in line]
        assert any(f"`{code}`" in line for line in lines), (status, code)
    reasons = OPENAPI["components"]["schemas"]["Health"]["properties"]["reason"]["enum"]
    used = re.findall(r'(?:Health\("\w+", |reason ?= ?)"(\w+)"', SOURCES)
    assert {"", *used} == set(reasons)


def test_it_names_the_bounds():
    """With the numbers that hold."""
    bounds = Limits()
    page = " ".join(PAGE.split())
    for words in (
        f"{bounds.body_bytes:,} bytes",
        f"{bounds.head_bytes:,} bytes",
        f"{bounds.connections} connections, {bounds.at_once} questions at once",
        f"{bounds.head_seconds:.0f} seconds for headers, {bounds.body_seconds:.0f} for a body",
        f"{bounds.request_seconds:.0f} for a request",
        f"{bounds.per_minute:,} a minute",
        f"up to {bounds.stop_seconds} seconds",
    ):
        assert words in page, words
