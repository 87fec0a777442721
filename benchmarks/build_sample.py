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

from benchmarks.sample_docx import word_file
from benchmarks.sample_html import Renderer
from benchmarks.sample_master import ACT, REGULATION, Edition, Line, read_master
from corpusguard.model import Identity, Rendition
from corpusguard.snapshots import SnapshotStore

ROOT = Path(__file__).resolve().parents[1]
STORE = ROOT / "snapshots" / "sample"
BASE = "http://127.0.0.1:8902"
"""Nobody serves invented law; the publisher's own address would claim that somebody does."""
ACT_ID = "ca-on/statute/19h31@en"
REGULATION_ID = "ca-on/regulation/190902@en"
ACT_TITLE = "Harbour Markets Act, 2019"
ACT_CODE = "S.O. 2019, chapter 31"
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
    history = "; ".join(link(f"statute/S{cite[2:4]}0{cite[9:11]}", cite) for cite in capture.history)
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


def build_store() -> SnapshotStore:
    """Write the captures through the store."""
    for name in ("objects", "records"):
        shutil.rmtree(STORE / name, ignore_errors=True)
    store = SnapshotStore(STORE)
    api = f"{BASE}/laws/api/v2/legislation/en/doc-search"
    act = Identity(ACT_TITLE, ACT_CODE, "statute/19h31", "current")
    regulation = Identity(REGULATION_TITLE, REGULATION_CODE, "regulation/190902", "current")
    word = f"{BASE}/laws/docs/19h31_e.docx"
    plan = (
        (ACT_ID, Rendition.PAYLOAD, f"{api}/statute/19h31", act, OLDER, act_payload(OLDER)),
        (ACT_ID, Rendition.PAYLOAD, f"{api}/statute/19h31", act, NEWER, act_payload(NEWER)),
        (ACT_ID, Rendition.DOCX, word, act, NEWER, act_word_file(NEWER)),
        (
            REGULATION_ID,
            Rendition.PAYLOAD,
            f"{api}/regulation/190902",
            regulation,
            REGULATION_FROM,
            regulation_payload(REGULATION_FROM),
        ),
    )
    for document, rendition, url, identity, capture, data in plan:
        store.add(
            data,
            document=document,
            rendition=rendition,
            url=url,
            identity=Identity(
                identity.title,
                identity.code,
                identity.alias,
                identity.state,
                capture.consolidated_from,
            ),
            captured=capture.captured,
            currency_date=capture.currency,
        )
    return store


if __name__ == "__main__":
    build_store()
