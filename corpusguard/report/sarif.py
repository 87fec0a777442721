"""The run as SARIF 2.1.0 (OASIS), for code-scanning dashboards.

What is ignored or known is there with its ``suppressions`` (section 3.27.23), others with an empty
array: absent, it would mean that nobody knows. Messages are plain text in which a bracket begins a
link (section 3.11.6), so foreign brackets are escaped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from corpusguard.model import Verdict
from corpusguard.report.records import dump, suppression_record
from corpusguard.report.summary import all_findings, state_of, suppressed_counts, why_suppressed
from corpusguard.report.text import safe
from corpusguard.report.where import file_and_line
from corpusguard.rules import RULES

if TYPE_CHECKING:
    from corpusguard.model import Finding, RunResult, Suppression

_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_NAMES: Final = ("cause", "official", "stored", "diff", "provision", "passage")


def render(result: RunResult) -> str:
    """Return a SARIF log with one run."""
    findings = all_findings(result)
    used = sorted({finding.rule for finding in findings})
    index = {rule: number for number, rule in enumerate(used)}
    driver = {
        "name": "corpusguard",
        "version": result.tool.removeprefix("corpusguard "),
        "rules": [_rule(rule) for rule in used],
    }
    invocation = {
        # "Successful" is whether the tool did its work, not whether the law was intact.
        "executionSuccessful": result.verdict is not Verdict.UNVERIFIABLE,
        "startTimeUtc": result.started,
        "endTimeUtc": result.finished,
    }
    run = {
        "tool": {"driver": driver},
        "invocations": [invocation],
        "columnKind": "unicodeCodePoints",
        "results": [
            _result(
                finding,
                index[finding.rule],
                state_of(result, finding),
                result.suppressions.get(finding.fingerprint),
            )
            for finding in findings
        ],
        "properties": {
            "run": result.run,
            "verdict": str(result.verdict),
            "suppressed": suppressed_counts(result),
        },
    }
    return dump({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(rule_id: str) -> dict[str, Any]:
    rule = RULES[rule_id]
    return {
        "id": rule.id,
        "name": rule.name,
        "shortDescription": {"text": rule.summary},
        "defaultConfiguration": {"level": str(rule.severity)},
        "help": {"text": f"corpusguard explain {rule.id}"},
    }


def _result(
    finding: Finding, index: int, state: str, suppression: Suppression | None
) -> dict[str, Any]:
    record: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": str(finding.severity),
        "message": {"text": _words(finding.message)},
        "locations": [_location(finding)],
        "suppressions": [_suppression(suppression)] if suppression else [],
        "properties": {
            "document": finding.document,
            "state": state,
            "evidence": list(finding.evidence),
            **{name: getattr(finding, name) for name in _NAMES if getattr(finding, name)},
        },
    }
    if finding.fingerprint:
        record["partialFingerprints"] = {"corpusguard/v1": finding.fingerprint}
    return record


def _suppression(suppression: Suppression) -> dict[str, Any]:
    """Return why a result does not count; ``external``: it stands in a file of its own."""
    return {
        "kind": "external",
        "status": "accepted",
        "justification": safe(why_suppressed(suppression), multiline=True),
        "properties": suppression_record(suppression),
    }


def _words(text: str) -> str:
    shown = safe(text, multiline=True)
    return shown.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")


def _location(finding: Finding) -> dict[str, Any]:
    place = "/".join(part for part in (finding.document, finding.provision) if part)
    location: dict[str, Any] = {
        "logicalLocations": [{"fullyQualifiedName": place or "run", "kind": "member"}]
    }
    file, line = file_and_line(finding.where)
    if file:
        # A file name is any bytes; a SARIF URI is not.
        uri = quote(file.encode("utf-8", "surrogatepass"), safe="/")
        # Two slashes in front would make the first part of it a host.
        uri = "/" + uri.lstrip("/") if uri.startswith("//") else uri
        physical: dict[str, Any] = {"artifactLocation": {"uri": uri}}
        if line:
            physical["region"] = {"startLine": line}
        location["physicalLocation"] = physical
    return location
