"""The run as JUnit XML: one suite a document, one case a layer.

The cases stay the same from night to night, so that a dashboard can follow them; findings are the
text of a failure. Unverifiable is an error, never a pass, and an empty run has an error too. Where
all that is wrong is ignored or known, a case is skipped: no failure, and no pass either.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree as ET

from corpusguard.ignores import accepted, layer_accepted
from corpusguard.model import Severity, Verdict
from corpusguard.report.summary import WHOLE_RUN, seconds_between, tally, why_suppressed
from corpusguard.report.text import clip, safe
from corpusguard.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from corpusguard.model import DocumentResult, Finding, RunResult, Suppression

_LISTED: Final = 50
"""Findings written out in one failure; the JSON report has them all."""
_TEXT: Final = 500
_NAME: Final = 500
"""Code points of a message, and of an id or a file name."""
_NOT_XML: Final = re.compile("[\ufffe\uffff]")
"""What XML 1.0 forbids and :func:`safe` leaves: the two last code points of the plane."""


def render(result: RunResult) -> str:
    """Return a ``testsuites`` document with an XML declaration."""
    root = ET.Element("testsuites", name="corpusguard")
    if result.findings or not result.documents:
        _run_suite(root, result)
    for document in result.documents:
        _document_suite(root, document, result)
    for suite in root:
        suite.set("tests", str(len(suite.findall("testcase"))))
        suite.set("failures", str(len(suite.findall("testcase/failure"))))
        suite.set("errors", str(len(suite.findall("testcase/error"))))
        suite.set("skipped", str(len(suite.findall("testcase/skipped"))))
        suite.set("timestamp", result.started.removesuffix("Z"))
    for name in ("tests", "failures", "errors", "skipped"):
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in root)))
    root.set("time", f"{seconds_between(result.started, result.finished) or 0:.3f}")
    ET.indent(root)
    text = ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"
    # A reference that every XML reader undoes, and no CI runner reads (see ``text.inert``).
    return text.replace("##[", "##&#91;")


def _run_suite(root: ET.Element, result: RunResult) -> None:
    suite = ET.SubElement(root, "testsuite", name="run")
    case = ET.SubElement(suite, "testcase", classname="run", name="scope")
    if not result.documents:
        ET.SubElement(case, "error", message="nothing in scope", type="unverifiable")
    elif any(finding.severity is Severity.ERROR for finding in result.findings):
        ET.SubElement(case, "failure", message=tally(result.findings), type="violated")
    _system_out(case, result.findings, {})


def _document_suite(root: ET.Element, document: DocumentResult, result: RunResult) -> None:
    name, layers, suppressed = _xml(clip(document.id, _NAME)), result.layers, result.suppressions
    suite = ET.SubElement(root, "testsuite", name=name)
    for layer in layers:
        found = [finding for finding in document.findings if finding.layer == layer]
        verdict = document.layers.get(layer, Verdict.UNVERIFIABLE)
        case = ET.SubElement(suite, "testcase", classname=name, name=layer)
        known = layer_accepted(document, layer, suppressed)
        _outcome(case, verdict, found, suppressed, known=known)
    rest = [finding for finding in document.findings if finding.layer not in set(layers)]
    # What belongs to no layer (the source, its age) decides the document's own verdict.
    case = ET.SubElement(suite, "testcase", classname=name, name="document")
    known = accepted(document, suppressed)
    _outcome(case, document.verdict, rest, suppressed, known=known)


def _outcome(
    case: ET.Element,
    verdict: Verdict,
    found: list[Finding],
    suppressed: Mapping[str, Suppression],
    *,
    known: bool,
) -> None:
    """Say what came of a case; ``known``: nothing that counts kept it from passing."""
    if verdict is Verdict.VERIFIED or known:
        if verdict is not Verdict.VERIFIED:
            ET.SubElement(case, "skipped", message=f"{verdict}: all ignored or known")
        _system_out(case, found, suppressed)
        return
    kind = "failure" if verdict is Verdict.VIOLATED else "error"
    problem = ET.SubElement(case, kind, type=str(verdict))
    counting = [finding for finding in found if finding.fingerprint not in suppressed]
    taken = len(found) - len(counting)
    also = f"; {taken:,} ignored or known" if taken else ""
    problem.set("message", f"{verdict}: {tally(counting)}{also}")
    problem.text = _listing(found, suppressed)


def _system_out(
    case: ET.Element, found: Iterable[Finding], suppressed: Mapping[str, Suppression]
) -> None:
    text = _listing(list(found), suppressed)
    if text:
        ET.SubElement(case, "system-out").text = text


def _listing(found: list[Finding], suppressed: Mapping[str, Suppression]) -> str:
    """Return a line a finding, those that count first."""
    ordered = sorted(found, key=lambda finding: finding.fingerprint in suppressed)
    lines = [_line(finding, suppressed.get(finding.fingerprint)) for finding in ordered[:_LISTED]]
    if len(found) > _LISTED:
        lines.append(f"and {len(found) - _LISTED:,} more")
    return "\n".join(lines)


def _line(finding: Finding, suppression: Suppression | None) -> str:
    place = [finding.section and f"s. {finding.section}", finding.passage, finding.where]
    about = " | ".join(clip(part, _NAME) for part in place if part)
    rule = f"{finding.severity} {finding.rule} {RULES[finding.rule].name}"
    why = f" [{clip(why_suppressed(suppression), _TEXT)}]" if suppression else ""
    message = clip(finding.message, _TEXT)
    return _xml(f"{rule} [{about or WHOLE_RUN}] {message} ({finding.fingerprint}){why}")


def _xml(text: str) -> str:
    return _NOT_XML.sub("\ufffd", safe(text))
