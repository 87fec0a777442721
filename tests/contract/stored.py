"""Sound corpora of one document in every mode, and faults planted in them a few at a time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random

from langchain_text_splitters import RecursiveCharacterTextSplitter

from corpusguard import first_reader, second_reader
from corpusguard.config.sources import load_source
from corpusguard.corpora import rebuild
from corpusguard.layers import Inputs, check_document, prepare
from corpusguard.layers.words import words_of
from corpusguard.measure.mutants import Shape, Sound, plant
from corpusguard.model import (
    Channel,
    CorpusSpec,
    DocumentSpec,
    Passage,
    Rendition,
    Status,
)
from corpusguard.snapshots import SnapshotStore

ROOT = Path(__file__).resolve().parents[2]
REAL = ROOT.parent / "shared" / "data" / "elaws" / "statute-06r17.json"
MODES = ("rebuilt sections", "rebuilt subsections", "anchored sections", "anchored windows")
MUTANTS = 20
PATIENCE = 12
"""After so many seeds in a row without a fault at a new place, a corpus has enough."""
AT_ONCE = {"the real Act": 20, "the sample's Act": 10, "the sample's regulation": 5}
"""Faults of a kind in one corpus, each at a place of its own; a larger law has room for more."""


@dataclass(frozen=True)
class Law:
    """A document, read once."""

    document: DocumentSpec
    reading: object
    second: dict
    prepared: object

    def check(self, passages, expected):
        inputs = Inputs(
            document=self.document,
            corpus="stored",
            reading=self.reading,
            passages=passages,
            second=self.second,
            expected=expected,
        )
        return check_document(inputs, self.prepared)


def _read(document: DocumentSpec, data: bytes) -> Law:
    reading = first_reader.read(data, Rendition.PAYLOAD)
    second = second_reader.read(data, "payload")
    return Law(document, reading, second, prepare(document, reading, second))


@cache
def law(name: str) -> Law:
    if name == "the real Act":
        document = DocumentSpec("ca-on/statute/06r17@en", "Residential Tenancies Act, 2006")
        return _read(document, REAL.read_bytes())
    store = SnapshotStore(ROOT / "snapshots" / "sample")
    documents = load_source(ROOT / "sources" / "sample.toml", "sources/sample.toml").documents
    kind = {"the sample's Act": "/statute/", "the sample's regulation": "/regulation/"}[name]
    (document,) = (one for one in documents if kind in one.id)
    *_, newest = (s for s in store.list(document.id) if s.rendition is Rendition.PAYLOAD)
    return _read(document, store.read(newest.digest))


def _windows(one: Law) -> list[Passage]:
    lines: dict[int, list[str]] = {}
    for segment in one.reading.segments:
        law_ = segment.channel in (Channel.BODY, Channel.MARKER)
        if segment.provision >= 0 and law_ and segment.status is not Status.NOT_IN_FORCE:
            words = one.reading.text[segment.start : segment.end]
            lines.setdefault(segment.block, []).append(words)
    text = "\n".join(" ".join(words) for words in lines.values())
    splitter = RecursiveCharacterTextSplitter(chunk_size=1000, chunk_overlap=200)
    return [
        Passage(row=row, id=f"window-{row}", document=one.document.id, text=part)
        for row, part in enumerate(splitter.split_text(text))
    ]


@cache
def sound(name: str, mode: str):
    """The sound corpus of a mode, and what a rebuilding recipe expects (None where anchored)."""
    one = law(name)
    if mode == "anchored windows":
        return Sound(tuple(_windows(one)), one.reading, Shape.WINDOWS), None
    recipe = "subsection" if "subsection" in mode else "section"
    spec = CorpusSpec(name="stored", reader="jsonl", recipe=recipe)
    passages = rebuild(one.reading, spec, one.document)
    expected = (passages, passages) if "rebuilt" in mode else None
    return Sound(tuple(passages), one.reading, Shape.LABELLED), expected


def really_differs(before: Sound, mutant) -> bool:
    """Whether the words, the labels or the rows changed: a fault that changes nothing is none."""

    if len(before.passages) != len(mutant.passages):
        return True
    return any(
        old is not new
        and (
            replace(old, text="") != replace(new, text="")
            or words_of(old.text) != words_of(new.text)
        )
        for old, new in zip(before.passages, mutant.passages, strict=True)
    )


def planted(kind: str, corpus: Sound, first_seed: int, count: int):
    """Up to ``count`` faults of a kind in one corpus, each at places of its own, and the next seed."""
    mutants = []
    taken: set[str] = set()
    seed = first_seed
    vain = 0
    while len(mutants) < count and vain < PATIENCE:
        mutant = plant(kind, corpus, Random(seed))
        seed += 1
        vain += 1
        if mutant is None or not really_differs(corpus, mutant):
            continue
        places = mutant.sections | mutant.ids
        if taken & places:
            continue
        vain = 0
        taken |= places
        rows = tuple(
            p if p.row == row else replace(p, row=row) for row, p in enumerate(mutant.passages)
        )
        corpus = replace(corpus, passages=rows)
        mutants.append(mutant)
    return mutants, corpus.passages, seed
