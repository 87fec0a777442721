"""The run as GitHub workflow commands, which the runner shows beside the changed files.

GitHub keeps ten annotations of a kind for a step and drops the others without a word, so the worst
ten are given and the rest is counted. What is ignored or known is counted apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from corpusguard.model import Severity
from corpusguard.report.summary import (
    RANK,
    WHOLE_RUN,
    split,
    state_of,
    suppressed_words,
    tally,
)
from corpusguard.report.text import clip, safe
from corpusguard.report.where import file_and_line
from corpusguard.rules import RULES

if TYPE_CHECKING:
    from corpusguard.model import Finding, RunResult

_COMMAND: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}
_SHOWN: Final = 10
_TEXT: Final = 800
_NAME: Final = 200
"""Code points of an id."""
_PATH: Final = 4_096
"""A file name that is cut points nowhere; a longer one opens nowhere."""


def render(result: RunResult) -> str:
    """Return one workflow command a line, worst findings first, the totals last."""
    counting, _ = split(result)
    findings = sorted(counting, key=lambda finding: RANK[finding.severity])
    lines = [_annotation(finding, state_of(result, finding)) for finding in findings[:_SHOWN]]
    words = [
        f"{result.verdict}: {tally(counting)} in run {result.run}",
        f"{len(findings) - _SHOWN:,} more not shown here" if len(findings) > _SHOWN else "",
        suppressed_words(result),
    ]
    total = "; ".join(word for word in words if word)
    lines.append(f"::notice title=corpusguard::{_data(total)}")
    return "".join(line + "\n" for line in lines)


def _annotation(finding: Finding, state: str) -> str:
    file, line = file_and_line(finding.where)
    place = {"file": clip(file, _PATH), "line": str(line) if line else ""}
    place["title"] = f"{finding.rule} {RULES[finding.rule].name}"
    properties = ",".join(f"{name}={_property(text)}" for name, text in place.items() if text)
    names = (finding.document, finding.section, finding.passage)
    about = " ".join(clip(name, _NAME) for name in names if name)
    message = f"{about or WHOLE_RUN}: {clip(finding.message, _TEXT)} ({state})"
    return f"::{_COMMAND[finding.severity]} {properties}::{_data(message)}"


def _data(text: str) -> str:
    """Escape as the runner's toolkit does, after making controls visible.

    A line break would let a corpus start a workflow command of its own.
    """
    return safe(text, multiline=True).replace("%", "%25").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
