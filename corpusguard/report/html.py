"""A result just made, as one HTML page: the compliance report without what only history has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpusguard.evidence import SealedRun
from corpusguard.report.compliance.build import build
from corpusguard.report.compliance.facts import DocumentFacts, Facts
from corpusguard.report.compliance.ignored import ignore_records
from corpusguard.report.compliance.page import render_html
from corpusguard.report.summary import all_findings

if TYPE_CHECKING:
    from corpusguard.model import RunResult

_UNREAD = "corpusguard report draws it, from the run's evidence"


def render(result: RunResult) -> str:
    """Return the page; per-section coverage, trend and licence lines need `corpusguard report`."""
    names = {one.id for one in result.documents} | {one.document for one in result.findings}
    asked = not result.offline if isinstance(result, SealedRun) else None
    facts = Facts(
        run=result.run,
        state="finished",
        verdict=result.verdict,
        started=result.started,
        finished=result.finished,
        tool=result.tool,
        layers=result.layers,
        documents=tuple(
            DocumentFacts(one, unread=_UNREAD, asked=asked) for one in result.documents
        ),
        findings=result.findings,
        states={
            (name, fingerprint): state
            for name in names
            for fingerprint, state in result.states.items()
        },
        head=result.head if isinstance(result, SealedRun) else "",
        ignores=ignore_records(
            (finding.fingerprint, finding.rule, finding.section, why)
            for finding in all_findings(result)
            if (why := result.suppressions.get(finding.fingerprint))
        ),
        alone=True,
    )
    return render_html(build(facts))
