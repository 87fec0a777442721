"""The sample's law as both readers read it, against what its author says each line is.

``tests/truth/sample`` was drawn from the masters, in which marker, text and citation stand in
columns of their own, and read line by line; no reader was run for it.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corpusguard import first_reader, second_reader
from corpusguard.model import Channel, Kind, Rendition

TRUTH = Path(__file__).resolve().parents[2] / "truth" / "sample"
TITLED = {"part", "heading", "schedule", "form", "table"}
GONE = {"repealed", "revoked", "omitted", "spent"}
WORDS_OF_LAW = {"body", "heading", "placeholder"}
CASES = [
    ("act", "act", "payload"),
    ("act", "word", "docx"),
    ("regulation", "regulation", "payload"),
]


def truth(name: str) -> list[dict]:
    lines = (TRUTH / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def ends(words: list[str]) -> tuple[str, str, int]:
    return " ".join(words[:3]), " ".join(words[-3:]), len(words)


@pytest.mark.parametrize(("name", "bytes_of", "rendition"), CASES)
def test_first_reader_finds_every_provision(captured, name, bytes_of, rendition):
    """Place, kind, number, status and own words of every provision, in printed order."""
    reading = first_reader.read(captured[bytes_of], Rendition(rendition))
    own: dict[int, list[str]] = {}
    for segment in reading.segments:
        if segment.provision < 0:
            continue
        kind = reading.provisions[segment.provision].kind
        wanted = Channel.HEADING if kind in TITLED else Channel.BODY
        wanted = Channel.PLACEHOLDER if kind is Kind.IMAGE else wanted
        if segment.channel is wanted:
            own.setdefault(segment.provision, []).extend(
                reading.text[segment.start : segment.end].split()
            )
    read = [
        (p.section, p.subsection, str(p.kind), p.number, str(p.status), *ends(own.get(i, [])))
        for i, p in enumerate(reading.provisions)
    ]

    assert read == [tuple(row.values()) for row in truth(name)]


@pytest.mark.parametrize(("name", "bytes_of", "rendition"), CASES)
def test_first_reader_has_no_complaint(captured, name, bytes_of, rendition):
    """The sample is well-formed law: nothing is guessed at, so that a newcomer sees no noise."""
    reading = first_reader.read(captured[bytes_of], Rendition(rendition))

    assert reading.anomalies == ()
    assert len(reading.provisions) == len(truth(name))


@pytest.mark.parametrize(("name", "bytes_of", "rendition"), CASES)
def test_headnotes_bind(captured, name, bytes_of, rendition):
    """Every marginal note is the heading of the provision that its author wrote it for."""
    reading = first_reader.read(captured[bytes_of], Rendition(rendition))
    read = [
        (note, p.section, "" if p.kind is Kind.SECTION else p.subsection)
        for p in reading.provisions
        if p.heading and str(p.kind) not in TITLED
        for note in p.heading.split(" / ")
    ]

    assert read == [tuple(row.values()) for row in truth(f"{name}.headnotes")]


@pytest.mark.parametrize(("name", "bytes_of", "rendition"), CASES)
def test_second_reader_places_every_word(captured, name, bytes_of, rendition):
    """The words of law, in order, are those of the provisions, each in its section and status."""
    reading = second_reader.read(captured[bytes_of], rendition)
    tokens = [
        (word, section, status)
        for section, status, runs in reading["blocks"]
        for role, text in runs
        if role in WORDS_OF_LAW
        for word in text.split()
    ]
    for row in truth(name):
        mine, tokens = tokens[: row["words"]], tokens[row["words"] :]
        status = "gone" if row["status"] in GONE else row["status"]

        assert ends([word for word, _, _ in mine]) == (row["first"], row["last"], row["words"])
        assert {(section, gone) for _, section, gone in mine} <= {(row["section"], status)}
    assert tokens == []
    assert reading["problems"] == []
    assert reading["gaps"] == []


def test_both_renditions_of_the_act_say_the_same(captured):
    """Word file and payload carry the same law: markers and words, block by block."""

    def law(data: bytes, rendition: str) -> list[list[tuple[str, str]]]:
        blocks = second_reader.read(data, rendition)["blocks"]
        kept = [[run for run in runs if run[0] in {*WORDS_OF_LAW, "marker"}] for *_, runs in blocks]
        return [runs for runs in kept if runs]

    assert law(captured["word"], "docx") == law(captured["act"], "payload")
