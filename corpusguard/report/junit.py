"""The run as JUnit XML: one suite a document, one case a layer.

The cases stay the same from night to night, so that a dashboard can follow them; findings are the
text of a failure. Unverifiable is an error, never a pass, and an empty run has an error too.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree as ET

from corpusguard.model import Severity, Verdict
from corpusguard.report.summary import seconds_between, tally
from corpusguard.report.text import clip, safe
from corpusguard.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corpusguard.model import DocumentResult, Finding, RunResult

_LISTED: Final = 50
"""Findings written out in one failure; the JSON report has them all."""
_NOT_XML: Final = re.compile("[\ufffe\uffff]")
"""What XML 1.0 forbids and :func:`safe` leaves: the two last code points of the plane."""


def render(result: RunResult) -> str:
    """Return a ``testsuites`` document with an XML declaration."""
    root = ET.Element("testsuites", name="corpusguard")
    if result.findings or not result.documents:
        _run_suite(root, result)
    for document in result.documents:
        _document_suite(root, document, result.layers)
    for suite in root:
        suite.set("tests", str(len(suite.findall("testcase"))))
        suite.set("failures", str(len(suite.findall("testcase/failure"))))
        suite.set("errors", str(len(suite.findall("testcase/error"))))
        suite.set("timestamp", result.started.removesuffix("Z"))
    for name in ("tests", "failures", "errors"):
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in root)))
    root.set("time", f"{seconds_between(result.started, result.finished) or 0:.3f}")
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _run_suite(root: ET.Element, result: RunResult) -> None:
    suite = ET.SubElement(root, "testsuite", name="run")
    case = ET.SubElement(suite, "testcase", classname="run", name="scope")
    if not result.documents:
        ET.SubElement(case, "error", message="nothing in scope", type="unverifiable")
    elif any(finding.severity is Severity.ERROR for finding in result.findings):
        ET.SubElement(case, "failure", message=tally(result.findings), type="violated")
    _system_out(case, result.findings)


def _document_suite(root: ET.Element, document: DocumentResult, layers: Iterable[str]) -> None:
    name = _xml(document.id)
    suite = ET.SubElement(root, "testsuite", name=name)
    for layer in layers:
        found = [finding for finding in document.findings if finding.layer == layer]
        verdict = document.layers.get(layer, Verdict.UNVERIFIABLE)
        _case(suite, name, layer, verdict, found)
    rest = [finding for finding in document.findings if finding.layer not in set(layers)]
    # What belongs to no layer (the source, its age) decides the document's own verdict.
    _case(suite, name, "document", document.verdict, rest)


def _case(
    suite: ET.Element, classname: str, name: str, verdict: Verdict, found: list[Finding]
) -> None:
    case = ET.SubElement(suite, "testcase", classname=classname, name=name)
    if verdict is not Verdict.VERIFIED:
        kind = "failure" if verdict is Verdict.VIOLATED else "error"
        problem = ET.SubElement(case, kind, type=str(verdict))
        problem.set("message", f"{verdict}: {tally(found)}")
        problem.text = _listing(found)
    else:
        _system_out(case, found)


def _system_out(case: ET.Element, found: Iterable[Finding]) -> None:
    text = _listing(list(found))
    if text:
        ET.SubElement(case, "system-out").text = text


def _listing(found: list[Finding]) -> str:
    lines = [_line(finding) for finding in found[:_LISTED]]
    if len(found) > _LISTED:
        lines.append(f"and {len(found) - _LISTED:,} more")
    return "\n".join(lines)


def _line(finding: Finding) -> str:
    place = [finding.section and f"s. {finding.section}", finding.passage, finding.where]
    about = " | ".join(part for part in place if part)
    rule = f"{finding.severity} {finding.rule} {RULES[finding.rule].name}"
    return _xml(f"{rule} [{about}] {clip(finding.message, 500)} ({finding.fingerprint})")


def _xml(text: str) -> str:
    return _NOT_XML.sub("\ufffd", safe(text))
