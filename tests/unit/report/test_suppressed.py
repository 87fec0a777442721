"""What is ignored or known: shown by every format with its reason, and failed by none."""

from __future__ import annotations

import json
from xml.etree import ElementTree as ET

import pytest

from corpusguard.ignores import exit_code
from corpusguard.model import Severity, Suppression, SuppressionKind, Verdict
from corpusguard.report import FORMATS, github, junit, markdown, sarif
from tests.unit.report.results import ALL, clean, document, finding, run

IGNORE = Suppression(
    SuppressionKind.IGNORE, "the new ingestion is coming", "Ada", "2026-11-01", "2026-12-01"
)
KNOWN = Suppression(SuppressionKind.BASELINE, "known since run 3", "", "2026-10-01")
LAYERS = {"L1": Verdict.VIOLATED, "L2": Verdict.VERIFIED, "L3": Verdict.VERIFIED}
ONE = document(finding(), layers=LAYERS)
TWO = document(finding(), finding(passage="q", fingerprint="beef00000002"), layers=LAYERS)


def ignored(*documents, **more):
    return run(*documents, suppressions={"f00dfeed0001": IGNORE}, **more)


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_tells_what_is_ignored(name):
    """Reason, owner and last day are there; GitHub, whose annotations are few, counts it."""
    text = FORMATS[name].render(ignored(ONE))
    if name == "github":
        assert "1 ignored" in text
        assert "::error" not in text
    else:
        for word in ("the new ingestion is coming", "Ada", "2026-12-01"):
            assert word in text, word


@pytest.mark.parametrize("name", FORMATS)
def test_no_format_calls_an_ignored_document_verified(name):
    """The verdict is as it was: an ignore changes none."""
    text = FORMATS[name].render(ignored(ONE))
    assert "violated" in text
    assert "540 of 732" in text or name not in {"console", "markdown"}


def test_json_says_why_a_finding_does_not_count():
    """Null where it counts; and the run counts both kinds."""
    result = run(TWO, suppressions={"f00dfeed0001": IGNORE}, baseline_gone=4)
    record = json.loads(FORMATS["json"].render(result))
    first, second = record["findings"]
    assert first["suppression"] == {
        "kind": "ignore",
        "reason": "the new ingestion is coming",
        "owner": "Ada",
        "written": "2026-11-01",
        "expires": "2026-12-01",
    }
    assert second["suppression"] is None
    assert record["suppressed"] == {"ignore": 1, "baseline": 0, "baseline_gone": 4}
    assert record["counts"]["error"] == 2


def test_junit_skips_what_is_ignored_and_fails_for_the_rest():
    """Skipped: no failure and no pass. One finding more, and the layer fails again."""
    suite = ET.fromstring(junit.render(ignored(ONE)))[0]
    cases = {case.get("name"): [child.tag for child in case] for case in suite}
    assert cases == {
        "L1": ["skipped", "system-out"],
        "L2": [],
        "L3": [],
        "document": ["skipped"],
    }
    assert (suite.get("failures"), suite.get("skipped"), suite.get("tests")) == ("0", "2", "4")
    suite = ET.fromstring(junit.render(ignored(TWO)))[0]
    assert [child.tag for child in suite.find("testcase[@name='L1']")] == ["failure"]
    failure = suite.find("testcase[@name='L1']/failure")
    assert failure.get("message") == ("violated: 1 error, 0 warnings, 0 notes; 1 ignored or known")
    assert "beef00000002" in failure.text.splitlines()[0]


def test_sarif_suppresses_one_result_and_says_of_the_others_that_they_are_not():
    """An absent array would mean that nobody knows."""
    results = json.loads(sarif.render(ignored(TWO)))["runs"][0]["results"]
    assert results[0]["suppressions"][0]["kind"] == "external"
    assert results[0]["suppressions"][0]["status"] == "accepted"
    assert "Ada" in results[0]["suppressions"][0]["justification"]
    assert results[1]["suppressions"] == []


def test_github_annotates_only_what_counts():
    """The ignored one takes no place among the worst ten."""
    lines = github.render(ignored(TWO)).splitlines()
    assert len(lines) == 2
    assert "1 error, 0 warnings, 0 notes in run 12; 1 ignored" in lines[1]


def test_what_of_the_baseline_is_gone_is_told():
    """So that someone takes it out."""
    result = run(clean(), verdict=Verdict.VERIFIED, baseline_gone=3)
    for name in ("console", "markdown", "github"):
        assert "3 of the baseline gone" in " ".join(FORMATS[name].render(result).split()), name
    assert "corpusguard baseline update" in FORMATS["console"].render(result)


def test_a_page_with_a_limit_keeps_whole_parts():
    """What does not fit is left out and counted; no part is cut in the middle."""
    many = [finding(f"CG10{number}", fingerprint=f"{number:016}") for number in range(1, 6)]
    result = run(document(*many))
    whole = markdown.render(result)
    cut = markdown.render(result, 1_500)
    assert len(cut.encode()) <= 1_500 < len(whole.encode())
    assert cut.count("```") % 2 == 0
    assert cut.splitlines()[-1].endswith("parts did not fit here: another format has them all.")
    assert markdown.render(result, 1_000_000) == whole
    assert markdown.render(result, 0).startswith("\n7 parts")


@pytest.mark.parametrize("layer", ALL)
def test_an_unverifiable_layer_is_never_accepted(layer):
    """Not by an ignore of the finding beside it."""
    layers = LAYERS | {layer: Verdict.UNVERIFIABLE}
    result = ignored(document(finding(), layers=layers))
    assert exit_code(result, Severity.ERROR) == 3
    root = ET.fromstring(junit.render(result))
    assert root.get("errors") == "1"
