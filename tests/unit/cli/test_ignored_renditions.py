"""An ignored disagreement of two official renditions counts again when either of them moves."""

from __future__ import annotations

import io
import json
import shutil

import docx
import pytest

from corpusguard.snapshots import SnapshotStore
from tests.unit.cli.conftest import call

ACT = "ca-on/statute/19h31@en"
PLACE = "but not its meaning"
LONG = " and the Warden shall publish every such change" * 40


@pytest.fixture
def config(sample, tmp_path):
    shutil.copytree(sample, tmp_path / "p")
    return tmp_path / "p" / "corpusguard-clean.toml"


def add_word_file(config, tail):
    """Store the sample's Word file with more words at one place; nothing else is changed."""
    store = SnapshotStore(config.parent / "snapshots")
    first = next(one for one in reversed(store.list(ACT)) if one.rendition == "docx")
    document = docx.Document(io.BytesIO(store.read(first.digest)))
    for paragraph in document.paragraphs:
        for run in paragraph.runs:
            if PLACE in run.text:
                run.text = run.text.partition(PLACE)[0] + PLACE + LONG + tail
    file = config.parent / "other.docx"
    document.save(file)
    result = call("snapshots", "add", ACT, file, "-c", config)
    assert result.exit_code == 0, result.output


def verify(config, *, code):
    result = call("verify", "--offline", "-q", "--format", "json", "-c", config)
    assert result.exit_code == code, result.output
    return json.loads(result.stdout)["findings"]


def accept(config, finding):
    words = ("--reason", "told the publisher", "--owner", "Ada", "-c", config)
    result = call("findings", "ignore", finding["fingerprint"], *words)
    assert result.exit_code == 0, result.output


def know(config, finding):
    result = call("baseline", "create", "-c", config)
    assert result.exit_code == 0, result.output
    entries = json.loads((config.parent / "corpusguard-baseline.json").read_text())["findings"]
    assert [one["fingerprint"] for one in entries] == [finding["fingerprint"]]


@pytest.mark.parametrize("taken", [accept, know])
def test_a_change_far_behind_what_is_shown_counts(config, taken):
    """The first 1,880 characters stay as they were; what comes after them is another law."""
    verify(config, code=0)
    add_word_file(config, " within ten days.")
    (finding,) = verify(config, code=1)
    assert finding["rule"] == "CG205"
    taken(config, finding)
    verify(config, code=0)
    add_word_file(config, " and may expel any stallholder without a hearing.")
    after = verify(config, code=1)
    (same,) = (one for one in after if one["rule"] == "CG205")
    assert (same["fingerprint"], same["suppression"]) == (finding["fingerprint"], None)
    assert (same["official"], same["stored"]) == (finding["official"], finding["stored"])
    if taken is accept:
        assert [one["rule"] for one in after if one is not same] == ["CG603"]
