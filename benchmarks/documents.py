"""The documents of the benchmark, and one cold verification of one of them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from corpusguard import first_reader, second_reader
from corpusguard.corpora import rebuild
from corpusguard.layers import Inputs, check_document
from corpusguard.model import CorpusSpec, DocumentSpec, Passage, Rendition
from corpusguard.snapshots import SnapshotStore

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from corpusguard.model import DocumentResult, Reading

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data"
SAMPLE = ROOT / "corpusguard" / "sample"
SECTIONS = CorpusSpec(name="bench", reader="jsonl", recipe="section")


@dataclass
class Document:
    """An official payload, and the corpus that the section recipe makes of it."""

    spec: DocumentSpec
    payload: bytes
    result: DocumentResult | None = field(default=None, init=False)

    def read(self) -> tuple[Reading, Mapping[str, object]]:
        first = first_reader.read(self.payload, Rendition.PAYLOAD)
        return first, second_reader.read(self.payload, "payload")

    @cached_property
    def readings(self) -> tuple[Reading, Mapping[str, object]]:
        return self.read()

    @cached_property
    def passages(self) -> tuple[Passage, ...]:
        return tuple(rebuild(self.readings[0], SECTIONS, self.spec))

    def cold(self) -> DocumentResult:
        """Both readers, the recipe and all layers, from bytes to verdict."""
        reading, second = self.read()
        expected = rebuild(reading, SECTIONS, self.spec)
        inputs = Inputs(
            self.spec, "bench", reading, self.passages, second, expected=(expected, expected)
        )
        return check_document(inputs)

    def check(
        self,
        passages: Iterable[Passage],
        *,
        recipe: bool,
        prefixes: Mapping[int, str] | None = None,
    ) -> DocumentResult:
        """All layers over any rows; the readings are made once."""
        reading, second = self.readings
        expected = (self.passages, self.passages) if recipe else None
        return check_document(
            Inputs(
                self.spec,
                "bench",
                reading,
                list(passages),
                second,
                expected=expected,
                prefixes=prefixes or {},
            )
        )


def act() -> Document | None:
    """The Residential Tenancies Act, or None where the real documents are absent."""
    path = DATA / "elaws" / "statute-06r17.json"
    if not path.is_file():
        return None
    spec = DocumentSpec("ca-on/statute/06r17@en", "Residential Tenancies Act, 2006")
    return Document(spec, path.read_bytes())


def broken_rows(document: Document) -> tuple[Passage, ...]:
    """The real broken corpus of that Act."""
    path = DATA / "corpora" / "rta-732-chunks.json"
    rows = []
    for row, chunk in enumerate(json.loads(path.read_bytes())["chunks"]):
        about = chunk["metadata"]
        rows.append(
            Passage(
                row,
                chunk["id"],
                document.spec.id,
                chunk["text"],
                about["section_number"],
                about.get("subsection_number"),
            )
        )
    return tuple(rows)


def sample_act() -> Document:
    """The newest capture of the bundled sample's Act."""
    store = SnapshotStore(ROOT / "snapshots" / "sample")
    spec = DocumentSpec("ca-on/statute/19h31@en", "Harbour Markets Act, 2019")
    captures = [s for s in store.list(spec.id) if s.rendition is Rendition.PAYLOAD]
    return Document(spec, store.read(captures[-1].digest))


def sample_rows(document: Document, name: str) -> tuple[Passage, ...]:
    """Rows of the bundled clean or faulty corpus that belong to a document."""
    lines = (SAMPLE / name).read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return tuple(
        Passage(
            number,
            row["id"],
            row["document"],
            row["text"],
            row["section"],
            row["subsection"],
            row["heading"],
            row["ordinal"],
        )
        for number, row in enumerate(rows)
        if row["document"] == document.spec.id
    )
