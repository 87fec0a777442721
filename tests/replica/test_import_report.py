"""A report says from its evidence when the source was not asked, and when a text was imported."""

from __future__ import annotations

import json
import shutil

import pytest
from typer.testing import CliRunner

from corpusguard.cli.app import app
from corpusguard.report.html import render
from tests.replica.test_imports import ago, bring
from tests.replica.test_nights import Nights, amended


@pytest.fixture
def nights(tmp_path, replica):
    replica.publish(amended())
    made = Nights(tmp_path, replica)
    made.ingest()
    assert made.night(refetch=True)[1] == 0
    return made


def report(nights, form="json"):
    config = str(nights.folder / "corpusguard.toml")
    made = CliRunner().invoke(app, ["report", "-f", form, "-c", config])
    assert made.exit_code == 0, made.output
    return " ".join(made.stdout.split())


def test_a_run_that_asked_the_source_needs_no_qualification(nights):
    content = json.loads(report(nights))

    (one,) = content["documents"]
    assert (one["asked_source"], one["imported"], one["provenance"]) == (True, False, "")
    assert one["layers"][0]["question"] == "Has the source changed?"
    assert "not asked" not in content["answer"]["long"]
    assert "not asked in this run" not in report(nights, "html")


def test_an_offline_run_on_an_imported_text_says_both_in_every_form(nights):
    shutil.rmtree(nights.folder / "snapshots")
    (nights.folder / "history.db").unlink()
    assert bring(nights, amended(), "--captured", ago(days=9, hours=1)).exit_code == 0
    result, code = nights.night(offline=True)
    assert code == 0
    (captured,) = {one.captured for one in result.documents}

    content = json.loads(report(nights))

    (one,) = content["documents"]
    assert (one["asked_source"], one["imported"]) == (False, True)
    assert one["provenance"] == (
        f"the source was not asked in this run; text captured on {captured}, 9 days before the"
        " run; imported by hand from a file, on the word of the person who brought it"
    )
    assert "not asked" in content["answer"]["short"]
    assert "9 days before the run" in content["answer"]["long"]
    assert "1 official text came from a file imported by hand" in content["answer"]["long"]
    assert captured[:10] in one["layers"][0]["question"]
    for form in ("html", "markdown"):
        told = report(nights, form).replace("\\", "")
        assert told.count("the source was not asked in this run; text captured on") == 2, form
        assert "9 days before the run" in told
        assert "Has the source changed?" not in told.replace("L1, has the source changed", "")


def test_the_page_that_verify_writes_says_that_the_source_was_not_asked(nights):
    asked, _ = nights.night(refetch=True)
    offline, _ = nights.night(offline=True)

    assert "the source was not asked in this run" not in render(asked)
    page = render(offline)
    assert "the source was not asked in this run; text captured on" in page
    assert "Has the source changed?" not in page
