"""Both readers against what a person read in ten real documents (see tests/truth/README.md)."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from corpusguard.model import Channel, Kind, Status
from tests.contract.facts import GONE, Block, bare, first_reading, second_blocks

HERE = Path(__file__)
TRUTH = HERE.parents[1] / "truth"
DATA = HERE.parents[2].parent / "shared" / "data" / "elaws"
NAMES = sorted(p.stem for p in TRUTH.glob("*.jsonl") if not p.stem.endswith(".headnotes"))
TITLED = {"part", "heading", "schedule", "form", "table"}
FIELDS = ("section", "subsection", "kind", "number", "status", "first", "last", "words")


def rows(name: str) -> list[dict[str, Any]]:
    lines = (TRUTH / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def document(name: str) -> tuple[bytes, str, list[dict[str, Any]]]:
    """The bytes, the rendition and the provisions of a document; skips where it is absent."""
    header, *provisions = rows(name + ".jsonl")
    path = DATA / header["document"]
    if not path.exists():
        pytest.skip(f"the official document {header['document']} is not in ../shared/data/elaws")
    data = path.read_bytes()
    assert header["sha256"] == hashlib.sha256(data).hexdigest(), "not the bytes that were read"
    return data, header["rendition"], provisions


def hashed(words: list[str]) -> str:
    return hashlib.sha256(" ".join(words).encode()).hexdigest()[:16] if words else ""


def ends(text: str) -> tuple[str, str, int]:
    words = text.split()
    return hashed(words[:3]), hashed(words[-3:]), len(words)


def disagreements(truth: list[tuple[Any, ...]], read: list[tuple[Any, ...]]) -> list[str]:
    """One line for each place where truth and reading part; the last item of ``read`` is words."""
    said = [
        f"{i}: written {t}, read {r[:-1]} in {r[-1]!r}"
        for i, (t, r) in enumerate(zip(truth, read, strict=False))
        if t != r[:-1]
    ]
    if len(truth) != len(read):
        said.append(f"{len(truth)} written, {len(read)} read")
    return said


def test_truth_is_there():
    """Ten documents were written down: an empty folder is no agreement."""
    counts = {name: len(rows(name + ".jsonl")) - 1 for name in NAMES}

    assert len(counts) == 10
    assert sum(counts.values()) == 265
    assert min(counts.values()) >= 2


@pytest.mark.parametrize("name", NAMES)
def test_truth_speaks_the_model(name):
    """Every kind and status that was written down is one that the model knows."""
    provisions = rows(name + ".jsonl")[1:]

    assert {p["kind"] for p in provisions} <= {k.value for k in Kind}
    assert {p["status"] for p in provisions} <= {s.value for s in Status}
    assert all((p["words"] == 0) == (p["first"] == "") for p in provisions)


@pytest.mark.real_data
@pytest.mark.parametrize("name", NAMES)
def test_first_reader_finds_every_provision(name):
    """Kind, number, place, status, first and last words and word count, in printed order."""
    data, rendition, provisions = document(name)
    reading = first_reading(data, rendition)
    own: dict[int, list[str]] = {}
    for segment in reading.segments:
        kind = reading.provisions[segment.provision].kind if segment.provision >= 0 else ""
        wanted = Channel.HEADING if kind in TITLED else Channel.BODY
        wanted = Channel.PLACEHOLDER if kind == Kind.IMAGE else wanted
        if segment.provision >= 0 and segment.channel == wanted:
            own.setdefault(segment.provision, []).append(reading.text[segment.start : segment.end])
    read = []
    for i, p in enumerate(reading.provisions):
        text = " ".join(own.get(i, []))
        place = (p.section, p.subsection, p.kind.value, p.number, p.status.value)
        read.append((*place, *ends(text), text))
    truth = [tuple(p[field] for field in FIELDS) for p in provisions]

    assert disagreements(truth, read) == []


@pytest.mark.real_data
@pytest.mark.parametrize("name", NAMES)
def test_first_reader_binds_every_headnote(name):
    """Each marginal note is the heading of the section or subsection that it stands above."""
    data, rendition, _ = document(name)
    reading = first_reading(data, rendition)
    read = [
        (hashed(note.split()), p.section, "" if p.kind == Kind.SECTION else p.subsection, note)
        for p in reading.provisions
        if p.heading and p.kind not in TITLED
        for note in p.heading.split(" / ")
    ]
    truth = [
        (h["headnote"], h["binds_section"], h["binds_subsection"])
        for h in rows(name + ".headnotes.jsonl")
    ]

    assert disagreements(truth, read) == []


def by_paragraph(provisions: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Provisions that open in the same printed paragraph, together."""
    paragraphs: list[list[dict[str, Any]]] = []
    for provision in provisions:
        if paragraphs and paragraphs[-1][0]["block"] == provision["block"]:
            paragraphs[-1].append(provision)
        else:
            paragraphs.append([provision])
    return paragraphs


def of_law(block: Block) -> bool:
    return any(role in {"marker", "body", "heading", "placeholder"} for role, _ in block.runs)


@pytest.mark.real_data
@pytest.mark.parametrize("name", NAMES)
def test_second_reader_finds_every_paragraph(name):
    """Number, section, status, first and last words and word count, paragraph by paragraph."""
    data, rendition, provisions = document(name)
    blocks = [b for b in second_blocks(data, rendition) if of_law(b)]
    truth, read = [], []
    for paragraph in by_paragraph(provisions):
        last = paragraph[-1]
        cells, blocks = blocks[: last["cells"]], blocks[last["cells"] :]
        if not cells:
            break
        titled = last["kind"] in TITLED
        role = "heading" if titled else "placeholder" if last["kind"] == "image" else "body"
        text = " ".join(c.words(role) for c in cells)
        numbers = [] if titled else [p["number"] for p in paragraph if p["number"]]
        status = "gone" if last["status"] in GONE else last["status"]
        truth.append(
            (last["section"], " ".join(numbers), status, last["first"], last["last"], last["words"])
        )
        markers = " ".join(c.marker for c in cells if c.marker)
        read.append((cells[-1].section, markers, cells[-1].status, *ends(text), text))

    assert disagreements(truth, read) == []
    assert len(truth) == len(by_paragraph(provisions))
    assert [str(b) for b in blocks] == []


@pytest.mark.real_data
@pytest.mark.parametrize("name", NAMES)
def test_second_reader_places_every_headnote(name):
    """Each marginal note stands in the section of the provision that it binds to."""
    data, rendition, _ = document(name)
    read = [
        (hashed(text.split()), b.section, text)
        for b in second_blocks(data, rendition)
        if (text := b.words("headnote"))
    ]
    truth = [(h["headnote"], h["binds_section"]) for h in rows(name + ".headnotes.jsonl")]

    assert disagreements(truth, read) == []


def test_numbers_are_compared_without_their_punctuation():
    """``12., 13.`` and ``(1.1)`` are the numbers 12, 13 and 1.1; ``4.0.1`` keeps its periods."""
    assert [bare(m) for m in ("12., 13.", "(1.1)", "4.0.1", "22.1-25.", "(2)-(5)")] == [
        "12, 13",
        "1.1",
        "4.0.1",
        "22.1-25",
        "2-5",
    ]
