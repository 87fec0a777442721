"""The run as one JSON object, ``corpusguard/run/1``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpusguard.report.records import dump, run_record

if TYPE_CHECKING:
    from corpusguard.model import RunResult


def render(result: RunResult) -> str:
    """Return the run as indented JSON that ends in a newline."""
    return dump(run_record(result), indent=2) + "\n"
