"""The run as SARIF 2.1.0 (OASIS), for code-scanning dashboards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from corpusguard.model import Verdict
from corpusguard.report.records import dump
from corpusguard.report.summary import all_findings, state_of
from corpusguard.report.text import safe
from corpusguard.report.where import file_and_line
from corpusguard.rules import RULES

if TYPE_CHECKING:
    from corpusguard.model import Finding, RunResult

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
            _result(finding, index[finding.rule], state_of(result, finding)) for finding in findings
        ],
        "properties": {"run": result.run, "verdict": str(result.verdict)},
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


def _result(finding: Finding, index: int, state: str) -> dict[str, Any]:
    record: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": str(finding.severity),
        "message": {"text": safe(finding.message, multiline=True)},
        "locations": [_location(finding)],
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


def _location(finding: Finding) -> dict[str, Any]:
    place = "/".join(part for part in (finding.document, finding.provision) if part)
    location: dict[str, Any] = {
        "logicalLocations": [{"fullyQualifiedName": place or "run", "kind": "member"}]
    }
    file, line = file_and_line(finding.where)
    if file:
        # A file name is any bytes; a SARIF URI is not.
        physical: dict[str, Any] = {
            "artifactLocation": {"uri": quote(file.encode("utf-8", "surrogatepass"), safe="/")}
        }
        if line:
            physical["region"] = {"startLine": line}
        location["physicalLocation"] = physical
    return location
