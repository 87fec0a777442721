"""Complete official documents, and one call from stored passages to a result.

Real ones are read from ../shared/data where that folder is; the bundled sample is always there.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from corpusguard import first_reader, second_reader
from corpusguard.layers import Inputs, OtherRendition, check_document
from corpusguard.model import DocumentSpec, Passage, Rendition

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corpusguard.model import DocumentResult, Reading

REPO = Path(__file__).parents[2]
ELAWS = REPO.parent / "shared" / "data" / "elaws"
SAMPLE = REPO / "snapshots" / "sample"


class Document(NamedTuple):
    """Where a document lies, and what it is."""

    path: Path
    rendition: Rendition
    spec: DocumentSpec


_ACT = DocumentSpec("ca-on/statute/06r17@en", "Residential Tenancies Act, 2006")
_REGULATION = DocumentSpec("ca-on/regulation/210242@en", "O. Reg. 242/21")
_REAL = {
    "act.json": Document(ELAWS / "statute-06r17.json", Rendition.PAYLOAD, _ACT),
    "act.docx": Document(ELAWS / "06r17_e.docx", Rendition.DOCX, _ACT),
    "regulation.html": Document(
        ELAWS / "regulation-210242.content.html", Rendition.CONTENT, _REGULATION
    ),
}


def _sample() -> dict[str, Document]:
    found = {}
    for record in sorted((SAMPLE / "records").rglob("*.json")):
        said = json.loads(record.read_text(encoding="utf-8"))
        digest = said["digest"].removeprefix("sha256:")
        name = f"sample-{said['sequence']}"
        path = SAMPLE / "objects" / digest[:2] / digest
        document = DocumentSpec(said["document"], said["identity"]["title"])
        found[name] = Document(path, Rendition(said["rendition"]), document)
    return found


DOCUMENTS = _REAL | _sample()
EVERY = [
    pytest.param(name, marks=[pytest.mark.real_data] if name in _REAL else []) for name in DOCUMENTS
]
"""Parameters for a test of every complete document."""


def data(name: str) -> bytes:
    """The bytes of a document; skips where a real one is absent."""
    path = DOCUMENTS[name].path
    if name in _REAL and not path.exists():
        pytest.skip(f"the official document {path.name} is not in ../shared/data/elaws")
    return path.read_bytes()


def rendition(name: str) -> Rendition:
    return DOCUMENTS[name].rendition


def spec(name: str) -> DocumentSpec:
    return DOCUMENTS[name].spec


@functools.lru_cache(maxsize=16)
def first(name: str) -> Reading:
    return first_reader.read(data(name), rendition(name))


@functools.lru_cache(maxsize=16)
def second(name: str) -> dict[str, Any]:
    return second_reader.read(data(name), rendition(name).value)


def passages(name: str, rows: Iterable[dict[str, Any]]) -> list[Passage]:
    """Number rows of ``text`` and locator fields as a store would."""
    document = spec(name).id
    return [
        Passage(row=row, id=f"row-{row}", document=document, **fields)
        for row, fields in enumerate(rows)
    ]


def check(name: str, stored: list[Passage], **more: Any) -> DocumentResult:
    """Every layer over one document; ``reading`` and ``second`` may be put in other ones' place."""
    inputs = {
        "document": spec(name),
        "corpus": "stored",
        "reading": more.pop("reading", None) or first(name),
        "passages": stored,
        "second": more.pop("second", None) or second(name),
        "renditions": [
            OtherRendition(kind, "sha256:0", reading)
            for kind, reading in more.pop("others", {}).items()
        ],
    }
    return check_document(Inputs(**inputs, **more))


def told(result: DocumentResult, *, most: int = 12) -> list[str]:
    """Findings as short lines, for a message that says what is wrong."""
    return [
        f"{f.rule} {f.severity.value} s. {f.section} row {f.row}: {f.message} | {f.official[:80]!r}"
        f" | {f.stored[:80]!r}"
        for f in result.findings[:most]
    ]
