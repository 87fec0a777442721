"""Build the bundled sample from its masters: captured official answers, corpora and plants.

Run from the repository: ``python -m benchmarks.build_sample``. Everything is fixed, times included,
so that a second run changes no byte. The masters are ``corpusguard/sample/law/*.txt``; the captures
go through the snapshot store itself, the clean corpus through the readers and the recipe.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.sample_docx import word_file
from benchmarks.sample_faults import faulty
from benchmarks.sample_html import Renderer
from benchmarks.sample_master import ACT, REGULATION, Edition, Line, read_master
from corpusguard import first_reader
from corpusguard.config.sources import load_source
from corpusguard.corpora.recipes import emit, rebuild
from corpusguard.model import CorpusSpec, Rendition
from corpusguard.official.ontario_elaws import OntarioELaws
from corpusguard.snapshots import SnapshotStore

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corpusguard.model import DocumentSpec, Passage

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = ROOT / "corpusguard" / "sample"
STORE = ROOT / "snapshots" / "sample"
BASE = "http://127.0.0.1:8902"
"""Nobody serves invented law; the publisher's own address would claim that somebody does."""
ACT_TITLE = "Harbour Markets Act, 2019"
REGULATION_TITLE = "STALLS AND DUES"
REGULATION_CODE = "O. Reg. 902/19"


@dataclass(frozen=True, slots=True)
class Capture:
    """When an edition began, and when it was captured."""

    edition: Edition
    period: str
    consolidated_from: str
    midnight: str
    captured: str
    currency: str
    last: str
    history: tuple[str, ...]


OLDER = Capture(
    Edition.OLDER,
    "July 1, 2023",
    "2023-07-01",
    "2023-07-01T04:00:00.000Z",
    "2025-03-03T07:05:11Z",
    "2025-02-28",
    "2022, c. 47, Sched. 2",
    ("2022, c. 47, Sched. 2",),
)
NEWER = Capture(
    Edition.NEWER,
    "January 1, 2026",
    "2026-01-01",
    "2026-01-01T05:00:00.000Z",
    "2026-02-09T07:04:52Z",
    "2026-02-06",
    "2025, c. 44",
    ("2022, c. 47, Sched. 2", "2025, c. 44"),
)
REGULATION_FROM = Capture(
    Edition.NEWER,
    "July 1, 2023",
    "2023-07-01",
    "2023-07-01T04:00:00.000Z",
    "2026-02-09T07:04:55Z",
    "2026-02-06",
    "961/22",
    ("961/22",),
)


def link(target: str, text: str) -> str:
    """A link as the publisher writes it."""
    return f'<span class="MsoHyperlink"><a href="/laws/{target}">{text}</a></span>'


def act_lines(edition: Edition) -> list[Line]:
    """The Act's paragraphs at one consolidation."""
    return read_master("harbour-markets-act.txt", ACT, edition)


def regulation_lines() -> list[Line]:
    """The regulation's paragraphs."""
    return read_master("stalls-and-dues-regulation.txt", REGULATION, Edition.NEWER)


def payload(fields: dict[str, object]) -> bytes:
    """The answer's bytes."""
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()


def act_payload(capture: Capture) -> bytes:
    """The Act as the API answers."""
    renderer = Renderer("", "19h31_e_files")
    content = renderer.content(act_lines(capture.edition))
    history = "; ".join(
        link(f"statute/S{cite[2:4]}0{cite[9:11]}", cite) for cite in capture.history
    )
    last = link(f"statute/S{capture.last[2:4]}0{capture.last[9:11]}", capture.last)
    return payload(
        {
            "volume": 0,
            "content": content,
            "title": "Harbour Markets Act, 2019, S.O. 2019, c. 31",
            "actName": {"en": ACT_TITLE, "fr": "marchés portuaires (Loi de 2019 sur les)"},
            "alias": "statute/19h31",
            "state": "current",
            "description": f"Consolidation Period:  From {capture.period} to the e-Laws currency "
            "date.",
            "updatedAt": capture.captured[:10] + "T02:11:40.000Z",
            "tabMode": "Versions",
            "actAlias": "",
            "actTitle": "",
            "docSource": "elaws/19h31_e.html",
            "dateFrom": capture.midnight,
            "comments": {
                "consolidationPeriod": capture.period,
                "comment": f'<p class="comment">Last amendment: {last}.</p>',
            },
            "shortTitle": f'<p class="shorttitle">{ACT_TITLE}</p>',
            "chapter": '<p class="chapter"><a href="/laws/statute/s19031">S.o. <span>2019</span>, '
            "chapter <span>31</span></a></p>",
            "history": f" {history}",
            "contentTable": renderer.content_table(),
            "hlCount": 0,
        }
    )


def regulation_payload(capture: Capture) -> bytes:
    """The regulation as the API answers."""
    renderer = Renderer("-e", "190902_e_files")
    content = renderer.content(regulation_lines())
    amendment = link("regulation/R22961", capture.last)
    return payload(
        {
            "volume": REGULATION_CODE,
            "content": content,
            "title": REGULATION_TITLE,
            "actName": {"en": ACT_TITLE, "fr": "marchés portuaires (Loi de 2019 sur les)"},
            "alias": "regulation/190902",
            "state": "current",
            "description": f"Consolidation Period:  From {capture.period} to the e-Laws currency "
            "date.",
            "updatedAt": "2023-07-02T02:20:08.000Z",
            "tabMode": "Versions",
            "actAlias": "statute/19h31",
            "actTitle": "Harbour Markets Act, 2019, S.O. 2019, c. 31",
            "docSource": "elaws/190902_e.html",
            "dateFrom": capture.midnight,
            "comments": {
                "consolidationPeriod": capture.period,
                "comment": f'<p class="comment-e">Last amendment: {amendment}.</p>',
            },
            "shortTitle": f'<p class="shorttitle-e">{ACT_TITLE}</p>',
            "regNmber": '<p class="regnumber-e">ontario regulation 902/19</p>',
            "history": f" {amendment}",
            "contentTable": renderer.content_table(),
            "hlCount": 0,
        }
    )


def act_word_file(capture: Capture) -> bytes:
    """The Act as the publisher's Word download."""
    lines = act_lines(capture.edition)
    renderer = Renderer("", "")
    renderer.content(lines)
    front = [
        ("MsoNormal", "Français"),
        ("shorttitle", ACT_TITLE),
        ("chapter", "S.o. 2019, chapter 31"),
        (
            "ConsolidationPeriod",
            f"Consolidation Period:  From {capture.period} to the e-Laws currency date.",
        ),
        ("comment", f"Last amendment: {capture.last}."),
        ("footnoteLeft", f"Legislative History: {'; '.join(capture.history)}."),
    ]
    return word_file(lines, front, renderer.entries)


def build_store(documents: tuple[DocumentSpec, ...]) -> SnapshotStore:
    """Write the captures through the store, with the identity that each gives itself."""
    for name in ("objects", "records"):
        shutil.rmtree(STORE / name, ignore_errors=True)
    store = SnapshotStore(STORE)
    act, regulation = documents
    address = f"{BASE}/laws/api/v2/legislation/en/doc-search/"
    word = f"{BASE}/laws/docs/19h31_e.docx"
    for spec, url, capture, data in (
        (act, address + "statute/19h31", OLDER, act_payload(OLDER)),
        (act, address + "statute/19h31", NEWER, act_payload(NEWER)),
        (act, word, NEWER, act_word_file(NEWER)),
        (
            regulation,
            address + "regulation/190902",
            REGULATION_FROM,
            regulation_payload(REGULATION_FROM),
        ),
    ):
        accepted = OntarioELaws().accept_import(data, spec)
        store.add(
            data,
            document=spec.id,
            rendition=accepted.rendition,
            url=url,
            identity=accepted.identity,
            captured=capture.captured,
            currency_date=capture.currency,
        )
    return store


def passages(store: SnapshotStore, spec: DocumentSpec, *, newest: bool = True) -> list[Passage]:
    """The passages that ingestion should store, from the newest or the oldest capture."""
    payloads = [each for each in store.list(spec.id) if each.rendition is Rendition.PAYLOAD]
    snapshot = payloads[-1 if newest else 0]
    reading = first_reader.read(store.read(snapshot.digest), snapshot.rendition)
    corpus = CorpusSpec(name="sample", reader="jsonl", recipe="subsection")
    return rebuild(reading, corpus, spec)


def write_lines(name: str, lines: Iterable[str]) -> None:
    """Write a file of the sample, one line each."""
    (SAMPLE / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def build() -> None:
    """Write everything that is derived from the masters."""
    documents = load_source(ROOT / "sources" / "sample.toml", "sources/sample.toml").documents
    store = build_store(documents)
    clean = [line for spec in documents for line in emit(passages(store, spec))]
    older = list(emit(passages(store, documents[0], newest=False)))
    write_lines("clean.jsonl", clean)
    planted = faulty([json.loads(line) for line in clean], [json.loads(line) for line in older])
    write_lines("faulty.jsonl", (json.dumps(row, ensure_ascii=False) for row in planted.rows))
    write_lines("plants.json", [json.dumps(planted.plants, ensure_ascii=False, indent=1)])


if __name__ == "__main__":
    build()
