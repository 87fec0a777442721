"""Why a passage may not be relied on, from what history has found of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from corpusguard.history import FindingState
from corpusguard.model import Severity
from corpusguard.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corpusguard.history import History, PassageStanding
    from corpusguard.model import Finding

_MOST_FINDINGS: Final = 10_000


def found_against(
    history: History, name: str, corpora: Iterable[str], documents: Iterable[str]
) -> tuple[str, str, str] | None:
    """Return (document, corpus, finding) of an id that never verified; None: nothing is known.

    Args:
        history: What is asked.
        name: The id.
        corpora: Names of the corpora that count.
        documents: Ids of the documents that a source lists.
    """
    listed = tuple(documents)
    for corpus in corpora:
        for document in listed:
            findings = _open_findings(history, name, document, corpus)
            if findings:
                return document, corpus, _told(findings[0])
    return None


def why_not(history: History, name: str, row: PassageStanding) -> tuple[str, str]:
    """Return (refusal, detail) of a row that no longer counts, with the finding that says so."""
    if row.state == "gone":
        return "gone", f"the corpus no longer has it; it last verified in run {row.last_run}"
    findings = _open_findings(history, name, row.document, row.corpus)
    for rule, refusal in (("CG106", "amended"), ("CG107", "altered")):
        for finding in findings:
            if finding.rule == rule:
                return refusal, f"{refusal}: {_told(finding)}"
    last = f"it last verified in run {row.last_run}"
    return "violated", f"{_told(findings[0])}; {last}" if findings else last


def _open_findings(history: History, name: str, document: str, corpus: str) -> list[Finding]:
    """Return the errors that are open on a passage, oldest first."""
    return [
        one.finding
        for one in history.findings(document=document, corpus=corpus, limit=_MOST_FINDINGS)
        if one.state is not FindingState.RESOLVED
        and one.finding.passage == name
        and one.finding.severity is Severity.ERROR
    ]


def _told(finding: Finding) -> str:
    rule = RULES[finding.rule].name if finding.rule in RULES else ""
    return f"{finding.rule} {rule}: {finding.message}"[:600]
