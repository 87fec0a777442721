"""The run as GitHub workflow commands, which the runner shows beside the changed files."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from corpusguard.model import Severity
from corpusguard.report.summary import RANK, all_findings, state_of, tally
from corpusguard.report.text import clip, safe
from corpusguard.report.where import file_and_line
from corpusguard.rules import RULES

if TYPE_CHECKING:
    from corpusguard.model import Finding, RunResult

_COMMAND: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}
_SHOWN: Final = 10
"""GitHub keeps ten annotations of a kind for a step; more would be lost without a word."""


def render(result: RunResult) -> str:
    """Return one workflow command a line, worst findings first, the totals last."""
    findings = sorted(all_findings(result), key=lambda finding: RANK[finding.severity])
    used: Counter[Severity] = Counter()
    lines = []
    for finding in findings:
        used[finding.severity] += 1
        # The last notice is kept for the totals.
        if used[finding.severity] <= _SHOWN - (finding.severity is Severity.NOTE):
            lines.append(_annotation(finding, state_of(result, finding)))
    total = f"{result.verdict}: {tally(findings)} in run {result.run}"
    lines.append(f"::notice title=corpusguard::{_data(total)}")
    return "".join(line + "\n" for line in lines)


def _annotation(finding: Finding, state: str) -> str:
    file, line = file_and_line(finding.where)
    place = {"file": file, "line": str(line) if line else ""}
    place["title"] = f"{finding.rule} {RULES[finding.rule].name}"
    properties = ",".join(f"{name}={_property(text)}" for name, text in place.items() if text)
    about = " ".join(part for part in (finding.document, finding.section, finding.passage) if part)
    message = f"{about}: {clip(finding.message, 800)} ({state})"
    return f"::{_COMMAND[finding.severity]} {properties}::{_data(message)}"


def _data(text: str) -> str:
    """Escape as the runner's toolkit does, after making controls visible.

    A line break would let a corpus start a workflow command of its own.
    """
    return safe(text, multiline=True).replace("%", "%25").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
