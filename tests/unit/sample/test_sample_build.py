"""What is committed of the sample is what its masters say."""

from __future__ import annotations

import io
import json
import zipfile

import pytest

from benchmarks import build_sample
from benchmarks.sample_master import ACT as ACT_MACROS
from benchmarks.sample_master import Edition, read_master
from corpusguard import first_reader
from corpusguard.model import Rendition
from corpusguard.official.ontario_elaws import OntarioELaws
from tests.unit.sample.conftest import ACT, REGULATION, SAMPLE


def test_the_store_is_whole(store):
    """Every committed capture has its bytes, and they are those that were stored."""
    assert list(store.verify()) == []
    assert [s.captured for s in store.list()] == sorted(s.captured for s in store.list())
    assert len(store.list()) == 4


def test_captures_are_the_masters(captured):
    """A master edited without a rebuild is noticed."""
    assert captured["act"] == build_sample.act_payload(build_sample.NEWER)
    assert captured["older"] == build_sample.act_payload(build_sample.OLDER)
    assert captured["regulation"] == build_sample.regulation_payload(build_sample.REGULATION_FROM)

    def part(data: bytes) -> bytes:
        return zipfile.ZipFile(io.BytesIO(data)).read("word/document.xml")

    # The package around it depends on the version of the compressor.
    assert part(captured["word"]) == part(build_sample.act_word_file(build_sample.NEWER))


@pytest.mark.parametrize(
    ("name", "document", "since"),
    [
        ("older", ACT, "2023-07-01"),
        ("act", ACT, "2026-01-01"),
        ("word", ACT, "2026-01-01"),
        ("regulation", REGULATION, "2023-07-01"),
    ],
)
def test_captures_are_acceptable_answers(captured, documents, name, document, since):
    """The publisher's own checks take every capture for what it says it is, without a remark."""
    accepted = OntarioELaws().accept_import(captured[name], documents[document])

    assert accepted.identity.consolidated_from == since
    assert accepted.findings == ()


def test_payload_has_the_publishers_keys(captured):
    """All 19 keys of a real payload are there, in its order."""
    keys = (
        "volume content title actName alias state description updatedAt tabMode actAlias actTitle "
        "docSource dateFrom comments shortTitle chapter history contentTable hlCount"
    )

    assert list(json.loads(captured["act"])) == keys.split()


@pytest.mark.parametrize(
    "trap",
    [
        "\r \n",  # the publisher's separator
        ".</p></span>",  # trap 11
        "\u2002",  # trap 10
        "c.\u00a031",  # trap 10
        ",\r\nunless",  # trap 10
        "<b>12, 13</b>",  # trap 1
        "22.1-25",  # trap 1
        "(2)-(5) <span",  # trap 2
        '<p class="YTOCid">',  # trap 5
        "but does not include,",  # trap 7
        '<p class="Ssubsection">where,</p>',  # trap 8
        "<b>4.0.1",  # trap 9
        "m<sup>2</sup>",  # trap 18
        'alt="Blank notice',  # trap 15
        "life\u2011saving",
    ],
)
def test_the_act_has_the_markup_of_the_trap(captured, trap):
    """The shapes that have misled readers of real documents stand in the sample too."""
    assert trap in json.loads(captured["act"])["content"]


def test_the_amendment_is_real():
    """Between the consolidations numbers changed, and a section came, and one went."""
    older, newer = (
        {line.number: line.text for line in read_master("harbour-markets-act.txt", ACT_MACROS, e)}
        for e in (Edition.OLDER, Edition.NEWER)
    )

    assert newer.keys() - older.keys() == {"4.0.1", "35.1"}
    assert "$250" in older["16"]
    assert "$400" in newer["16"]
    assert newer["31"] == "[Repealed]:"
    assert older["31"].startswith("A stallholder shall keep a lamp")


def test_clean_corpus_is_what_ingestion_would_store(store, documents):
    """The committed rows are those of the recipe, from the newest captures."""
    lines = [
        line
        for spec in documents.values()
        for line in build_sample.emit(build_sample.passages(store, spec))
    ]

    assert (SAMPLE / "clean.jsonl").read_text(encoding="utf-8").splitlines() == lines


def test_clean_corpus_has_every_word_of_law_once(captured):
    """No word in force is left out of the clean rows, and none stands in two."""
    lines = (SAMPLE / "clean.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    for name, document in (("act", ACT), ("regulation", REGULATION)):
        reading = first_reader.read(captured[name], Rendition.PAYLOAD)
        words = [
            word
            for s in reading.segments
            if s.channel in {"body", "marker"} and s.status != "not_in_force"
            for word in reading.text[s.start : s.end].split()
        ]
        stored = [w for row in rows if row["document"] == document for w in row["text"].split()]

        assert stored == words
