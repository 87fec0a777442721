"""Results as text: one small pure function a format, ``render(result) -> str``.

``console`` is for people and takes the terminal's width and colour as arguments; the others are
for programs. No function here reads a clock, a file or the environment, but ``files``, which puts
finished text on disk.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from corpusguard.report import console, github, html, json, jsonl, junit, markdown, sarif

if TYPE_CHECKING:
    from collections.abc import Callable

    from corpusguard.model import RunResult


@dataclass(frozen=True, slots=True)
class Format:
    """One value of ``--format``."""

    render: Callable[[RunResult], str]
    """The result as text that ends in a newline."""
    filename: str
    """Its name where several formats go to one folder."""


FORMATS: Final[dict[str, Format]] = {
    "console": Format(console.render, "report.txt"),
    "json": Format(json.render, "report.json"),
    "jsonl": Format(jsonl.render, "report.jsonl"),
    "junit": Format(junit.render, "junit.xml"),
    "sarif": Format(sarif.render, "report.sarif"),
    "markdown": Format(markdown.render, "report.md"),
    "html": Format(html.render, "report.html"),
    "github": Format(github.render, "github.txt"),
}
"""Name -> format, in the order in which help lists them."""
