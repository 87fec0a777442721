"""Formats for programs: their shape, and that no foreign text breaks out of it."""

from __future__ import annotations

import json
from xml.etree import ElementTree as ET

import pytest

from corpusguard.model import Coverage, Severity, Verdict
from corpusguard.report import FORMATS, github, junit, markdown, sarif
from corpusguard.report import json as as_json
from corpusguard.report import jsonl as as_jsonl
from corpusguard.report.files import encode
from corpusguard.report.records import finding_from_record, finding_record
from tests.unit.report.results import DOC, HOSTILE, clean, document, finding, run

EMPTY = run(verdict=Verdict.UNVERIFIABLE)
FULL = run(document(finding(), finding("CG103", severity=Severity.WARNING)), clean())
EVIL = run(
    document(
        finding(
            message=HOSTILE,
            passage=HOSTILE,
            section=HOSTILE,
            where=f"{HOSTILE}:3",
            official=HOSTILE,
            stored=HOSTILE,
            diff=HOSTILE,
        ),
        id=HOSTILE,
    )
)


def test_json_has_the_promised_keys():
    """The shape of corpusguard/run/1, key for key, in order."""
    record = json.loads(as_json.render(FULL))
    assert list(record) == [
        "schema",
        "run",
        "verdict",
        "started",
        "finished",
        "tool",
        "documents",
        "findings",
        "counts",
        "suppressed",
    ]
    assert record["schema"] == "corpusguard/run/1"
    assert list(record["documents"][0]) == [
        "id",
        "verdict",
        "snapshot",
        "captured",
        "not_refetched",
        "currency",
        "provisions",
        "passages",
        "verified_passages",
        "coverage",
        "coverage_any_label",
        "layers",
    ]
    assert list(record["findings"][0]) == [
        "rule",
        "name",
        "severity",
        "layer",
        "document",
        "provision",
        "section",
        "passage",
        "cause",
        "message",
        "official",
        "stored",
        "diff",
        "fingerprint",
        "state",
        "evidence",
        "digests",
        "suppression",
    ]
    assert record["counts"] == {"error": 1, "warning": 1, "note": 0}


def test_json_says_what_was_measured():
    """Coverage is a fraction, a verdict names its layers, a finding its rule's name and state."""
    record = json.loads(as_json.render(FULL))
    first = record["documents"][0]
    assert (first["coverage"], first["coverage_any_label"]) == (0.24, 0.58)
    assert first["layers"] == {"L1": "violated", "L2": "verified", "L3": "unverifiable"}
    found = record["findings"][0]
    assert (found["name"], found["layer"], found["cause"]) == (
        "text_differs",
        "L1",
        "corpus_altered",
    )
    assert found["state"] == "open"


@pytest.mark.parametrize("coverage", [None, Coverage(0, 0, 0)])
def test_unmeasured_coverage_is_null(coverage):
    """What was not measured is neither 0 nor 1."""
    record = json.loads(as_json.render(run(document(coverage=coverage))))
    assert record["documents"][0]["coverage"] is None
    assert record["documents"][0]["coverage_any_label"] is None


def test_a_finding_of_no_layer_says_null():
    """CG5xx belong to no layer; an unknown cause is null, not a word."""
    own = finding("CG501", layer=None, cause=None)
    record = json.loads(as_json.render(run(findings=(own,))))
    assert record["findings"][0]["layer"] is None
    assert record["findings"][0]["cause"] is None


def test_json_is_valid_utf8_and_inert():
    """Hostile text survives the round trip, and nothing in the bytes moves a cursor."""
    data = encode(as_json.render(EVIL))
    assert json.loads(data.decode())["findings"][0]["official"] == HOSTILE
    assert not set(data.decode()) & set("\x1b\x07\x9b\u202e\u2066")


def test_jsonl_ends_with_the_verdict():
    """The verdict stands in the last line alone: a file cut short has none."""
    lines = [json.loads(line) for line in as_jsonl.render(FULL).splitlines()]
    assert [line["type"] for line in lines] == [
        "run",
        "document",
        "document",
        "finding",
        "finding",
        "summary",
    ]
    assert "verdict" not in lines[0]
    assert lines[-1]["verdict"] == "violated"
    assert lines[-1]["counts"]["error"] == 1


def test_jsonl_is_one_object_a_line_whatever_the_text():
    """No line separator of any kind splits a record."""
    evil = "a\u2028b\u2029c\x85d\ne\x0bf\x1cg"
    text = as_jsonl.render(run(document(finding(message=evil))))
    assert [json.loads(line)["type"] for line in text.splitlines()] == [
        "run",
        "document",
        "finding",
        "summary",
    ]


def test_a_finding_comes_back_from_its_record():
    """What history returns can be shown as it was."""
    back = finding_from_record(
        finding_record(finding(), "open") | {"where": "store/market.jsonl:12"}
    )
    assert back == finding(row=-1, differences=())


def test_junit_counts_what_failed():
    """Violated is a failure, unverifiable an error, verified a pass; warnings stay readable."""
    root = ET.fromstring(junit.render(FULL))
    assert [suite.get("name") for suite in root] == [DOC, DOC]
    cases = {case.get("name"): [child.tag for child in case] for case in root[0]}
    assert cases == {"L1": ["failure"], "L2": [], "L3": ["error"], "document": ["failure"]}
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("8", "2", "1")
    assert "CG101 text_differs" in root[0][0][0].text
    assert root.get("time") == "2.500"


def test_junit_never_passes_nothing():
    """A run without documents has an error, so that no dashboard turns green."""
    root = ET.fromstring(junit.render(EMPTY))
    assert root.get("errors") == "1"
    assert root.find(".//error").get("message") == "nothing in scope"


def test_junit_fails_for_the_runs_own_findings():
    """A finding of the run itself fails its own suite beside verified documents."""
    own = finding("CG507", layer=None, document="")
    root = ET.fromstring(junit.render(run(clean(), findings=(own,))))
    assert root[0].get("name") == "run"
    assert root[0].get("failures") == "1"


def test_junit_is_well_formed_whatever_the_text():
    """Controls, surrogates and non-characters, which XML forbids, do not break the file."""
    evil = HOSTILE + "\x00\ufffe]]>&<"
    root = ET.fromstring(junit.render(run(document(finding(message=evil), id=evil))))
    assert "␀" in root[0].get("name")


def test_a_layer_without_a_verdict_is_an_error():
    """A layer that was asked for and did not answer is no pass."""
    root = ET.fromstring(junit.render(run(document(layers={"L1": Verdict.VERIFIED}))))
    assert [child.tag for child in root[0].find("testcase[@name='L2']")] == ["error"]


def test_sarif_has_rules_places_and_fingerprints():
    """A result points at its rule, its file and line, its provision, and is known again."""
    log = json.loads(sarif.render(FULL))
    assert log["version"] == "2.1.0"
    (only,) = log["runs"]
    driver = only["tool"]["driver"]
    assert driver["version"] == "0.1.0"
    assert [rule["id"] for rule in driver["rules"]] == ["CG101", "CG103"]
    first = only["results"][0]
    assert driver["rules"][first["ruleIndex"]]["id"] == first["ruleId"] == "CG101"
    assert first["level"] == "error"
    assert first["partialFingerprints"] == {"corpusguard/v1": "f00dfeed0001"}
    place = first["locations"][0]
    assert place["physicalLocation"] == {
        "artifactLocation": {"uri": "store/market.jsonl"},
        "region": {"startLine": 12},
    }
    assert place["logicalLocations"][0]["fullyQualifiedName"] == f"{DOC}/sec_7__subsec_2"


def test_sarif_encodes_file_names():
    """A blank, a bracket or a control in a file name is not a raw part of a URI."""
    log = json.loads(sarif.render(run(document(finding(where="a b/[c]\x1b.jsonl:4")))))
    location = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert location["artifactLocation"]["uri"] == "a%20b/%5Bc%5D%1B.jsonl"


def test_sarif_of_an_unverifiable_run_is_no_success():
    """A run that could not verify did not succeed in SARIF's sense."""
    log = json.loads(sarif.render(EMPTY))
    assert log["runs"][0]["invocations"][0]["executionSuccessful"] is False


def test_github_points_at_the_row():
    """An annotation names file, line, rule and state."""
    first = github.render(FULL).splitlines()[0]
    assert first.startswith("::error file=store/market.jsonl,line=12,title=CG101 text_differs::")
    assert first.endswith("(open)")


def test_github_commands_cannot_be_planted():
    """Every line is one of ours: foreign line breaks, percent signs and commas are escaped."""
    lines = github.render(EVIL).splitlines()
    assert len(lines) == 2
    assert all(line.startswith(("::error ", "::notice ")) for line in lines)
    evil = run(document(finding(where="a,b:c%0A::x:7", message="100%\r\n::set-output::x")))
    first = github.render(evil).splitlines()[0]
    assert "file=a%2Cb%3Ac%250A%3A%3Ax,line=7," in first
    assert "100%25␍%0A::set-output::x" in first


def test_github_shows_the_worst_ten_and_counts_the_rest():
    """GitHub drops what comes after ten annotations; the totals are always there."""
    notes = [finding("CG103", severity=Severity.NOTE)] * 30
    lines = github.render(run(document(*[finding()] * 25, *notes))).splitlines()
    assert sum(line.startswith("::error ") for line in lines) == 10
    assert len(lines) == 11
    assert "25 errors, 0 warnings, 30 notes in run 12; 45 more not shown here" in lines[-1]


def test_markdown_reads_as_a_page():
    """The verdict, a row a document with both percentages, the rules with their meaning."""
    page = markdown.render(FULL)
    assert page.startswith("# ✗ corpusguard: violated\n")
    assert "| 2026-01-01 | 2026-11-27 |" in page
    assert "540 of 732 | 24.0 % | 58.0 %" in page
    assert "## CG101 text\\_differs: 1 error" in page


def test_markdown_cannot_be_injected():
    """HTML, links, table pipes and a closing fence in foreign text stay text."""
    evil = "<img src=x> [a](http://x) | ```\n# b @everyone"
    page = markdown.render(run(document(finding(message=evil, official=evil), id=evil)))
    outside = []
    fence = ""
    for line in page.splitlines():
        if not fence and line.startswith("```"):
            fence = line.removesuffix("text")
        elif fence and line == fence:
            fence = ""
        elif not fence:
            outside.append(line)
    assert fence == ""
    text = "\n".join(outside)
    assert "<img" not in text
    assert "[a](" not in text
    assert "\n# b" not in text
    assert "http://" not in text
    assert "@everyone" not in text
    row = next(line for line in outside if "img" in line)
    assert row.replace("\\|", "").count("|") == 10


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_renders_every_kind_of_run(name):
    """Empty, full and hostile runs all give text that ends in a newline and is inert."""
    for result in (EMPTY, FULL, EVIL):
        text = FORMATS[name].render(result)
        assert text.endswith("\n")
        assert not set(text) & set("\x1b\x07\x9b\u202e")
        encode(text)


@pytest.mark.parametrize("start", ["# x", "- x", "+ x", "1. x", "2) x", "123. x", " # x", "=== x"])
def test_markdown_text_begins_no_block(start):
    """A message that looks like a heading or a list item is a sentence all the same."""
    page = markdown.render(run(document(finding(message=start))))
    assert start.strip() not in [line.strip() for line in page.splitlines()]
