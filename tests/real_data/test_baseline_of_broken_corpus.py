"""Adopting a real, broken corpus: everything is known once, and only what is new fails."""

from __future__ import annotations

import json
import shutil
import time

import pytest
from typer.testing import CliRunner

from corpusguard.cli import app
from tests.real_data.test_broken_corpus import (
    CONFIG,
    CORPUS,
    DOCUMENT,
    PAYLOAD,
    SOURCE,
    WORD,
)

pytestmark = [
    pytest.mark.real_data,
    pytest.mark.skipif(
        not (WORD.is_file() and PAYLOAD.is_file() and CORPUS.is_file()),
        reason="the real Act and corpus are not in data/",
    ),
]


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """The corpus beside the Act, verified once, with a baseline."""
    folder = tmp_path_factory.mktemp("adopted")
    (folder / "corpusguard.toml").write_text(CONFIG)
    (folder / "source.toml").write_text(SOURCE)
    shutil.copyfile(CORPUS, folder / "corpus.json")
    assert on(folder, "snapshots", "add", DOCUMENT, PAYLOAD).exit_code == 0
    first = verify(folder, 1)
    assert len(first["findings"]) > 500
    assert on(folder, "baseline", "create").exit_code == 0
    return folder, first


def on(folder, *arguments):
    arguments = [*map(str, arguments), "--config", str(folder / "corpusguard.toml")]
    return CliRunner().invoke(app, arguments)


def verify(folder, code):
    result = on(folder, "verify", "--offline", "-q", "--format", "json")
    assert result.exit_code == code, result.output[-2_000:]
    return json.loads(result.stdout)


def counting(record):
    return [
        one
        for one in record["findings"]
        if not one["suppression"] and one["severity"] in {"error", "warning"}
    ]


def test_hundreds_of_faults_are_known_and_none_counts(project):
    """Exit 0 with N known; the verdict, the passages and the coverage are as they were."""
    folder, first = project
    started = time.process_time()
    record = verify(folder, 0)
    assert time.process_time() - started < 20
    wrong = [one for one in first["findings"] if one["severity"] in {"error", "warning"}]
    assert record["suppressed"]["baseline"] == len(wrong)
    assert counting(record) == []
    assert record["verdict"] == "violated"
    assert record["documents"] == first["documents"]
    assert on(folder, "status").exit_code == 0
    lines = (folder / "corpusguard-baseline.json").read_text().splitlines()
    assert len(lines) == len(wrong) + 2


def test_one_more_fault_is_exactly_what_fails(project):
    """A digit in one chunk that was verified: exit 1, and only findings of that chunk."""
    folder, _ = project
    path = folder / "corpus.json"
    whole = json.loads(path.read_bytes())
    known = verify(folder, 0)["findings"]
    bad = {one["passage"] for one in known if one["severity"] == "error"}
    chunk = next(
        one
        for one in whole["chunks"]
        if one["id"] not in bad and " landlord " in one["text"] and len(one["text"]) > 200
    )
    before = chunk["text"]
    chunk["text"] = before.replace(" landlord ", " tenant ", 1)
    path.write_text(json.dumps(whole))
    record = verify(folder, 1)
    section = chunk["metadata"]["section_number"]
    new = counting(record)
    # It was verified when the baseline was made, so the cause is known too.
    assert [one["passage"] for one in new if one["rule"] == "CG107"] == [chunk["id"]]
    # Its section's own findings die with it: what they say of the stored text has moved.
    assert {one["section"] for one in new} == {section}
    chunk["text"] = before
    path.write_text(json.dumps(whole))
    assert counting(verify(folder, 0)) == []
