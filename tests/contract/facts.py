"""One shape for what either reader says, so that one suite can ask both.

A ``Block`` is one printed paragraph or table cell: where it stands, its status and its runs. The
second reader answers in this shape; the first reader's segments are gathered into it.
"""

from __future__ import annotations

import importlib
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from corpusguard.model import Rendition

if TYPE_CHECKING:
    from collections.abc import Callable

    from corpusguard.model import Reading

READERS = ("first", "second")
GONE = {"repealed", "revoked", "omitted", "spent"}


@dataclass(frozen=True)
class Block:
    """What a reader says of one printed paragraph or cell."""

    section: str
    status: str
    runs: tuple[tuple[str, str], ...]

    def words(self, *roles: str) -> str:
        """The text of the runs with these roles, in order."""
        return " ".join(text for role, text in self.runs if role in roles and text)

    @property
    def body(self) -> str:
        return self.words("body")

    @property
    def marker(self) -> str:
        return " ".join(bare(text) for role, text in self.runs if role == "marker")

    def __str__(self) -> str:
        runs = " ".join(f"{role}:{text!r}" for role, text in self.runs)
        return f"<{self.section or '-'} {self.status} {runs}>"


def bare(marker: str) -> str:
    """A printed number without brackets and closing periods: ``12., 13.`` -> ``12, 13``."""
    return re.sub(r"\.(?=,|$)", "", re.sub(r"[()]", "", marker)).strip()


def first_reading(data: bytes, rendition: str) -> Reading:
    reader = importlib.import_module("corpusguard.first_reader")
    return reader.read(data, Rendition(rendition))


def first_blocks(data: bytes, rendition: str) -> list[Block]:
    """The first reader's segments, gathered by printed paragraph."""
    reading = first_reading(data, rendition)
    gathered: dict[int, list[Any]] = {}
    for segment in reading.segments:
        gathered.setdefault(segment.block, []).append(segment)
    blocks = []
    for segments in gathered.values():
        last = segments[-1]
        section = reading.provisions[last.provision].section if last.provision >= 0 else ""
        said = [s for s in segments if s.channel in {"body", "heading"}] or segments
        status = str(said[-1].status)
        runs = tuple((str(s.channel), reading.text[s.start : s.end]) for s in segments)
        blocks.append(Block(section, "gone" if status in GONE else status, runs))
    return blocks


def second_blocks(data: bytes, rendition: str) -> list[Block]:
    reader = importlib.import_module("corpusguard.second_reader")
    answer = reader.read(data, rendition)
    blocks = []
    for section, status, runs in answer["blocks"]:
        if any(text for _, text in runs):
            blocks.append(Block(section, status, tuple((role, text) for role, text in runs)))
    return blocks


ASK: dict[str, Callable[[bytes, str], list[Block]]] = {
    "first": first_blocks,
    "second": second_blocks,
}


def ask(reader: str, *paragraphs: str) -> list[Block]:
    """Read paragraphs of invented markup as an API ``content`` field."""
    content = '<div class="WordSection1">\r \n' + "\r \n".join(paragraphs) + "\r \n</div>"
    return ASK[reader](content.encode(), "content")


def ask_payload(reader: str, content: str, **fields: Any) -> list[Block]:
    """Read a payload of the API's shape that holds this content."""
    payload = {
        "volume": 0,
        "content": content,
        "title": "Lantern Keeping Act, 2031",
        "alias": "statute/31l07",
        "state": "current",
        "dateFrom": "2031-03-01T05:00:00.000Z",
        "docSource": "elaws/31l07_e.html",
        **fields,
    }
    return ASK[reader](json.dumps(payload).encode(), "payload")


def ask_page(reader: str, *paragraphs: str, around: tuple[str, str] = ("", "")) -> list[Block]:
    """Read paragraphs as a prerendered page, between two pieces of the site's own markup."""
    page = (
        '<!DOCTYPE html><html lang="en"><head><title>O. Reg. 9/31: LAMPS | ontario.ca</title>'
        '<meta property="og:title" content="O. Reg. 9/31: LAMPS" /></head><body>'
        f'{around[0]}<p class="leadText">O. Reg. 9/31: LAMPS</p><div class="WordSection1">'
        '<p class="shorttitle-e">Lantern Keeping Act</p>'
        '<p class="regnumber-e">ONTARIO REGULATION 9/31</p><p class="regtitle-e">LAMPS</p>'
        '<p class="ConsolidationPeriod-e"><strong>Consolidation Period:</strong> From March 1, '
        '2031 to the <a href="/x"><span>e-Laws currency date</span></a>.</p>'
        f"{''.join(paragraphs)}</div>{around[1]}</body></html>"
    )
    return ASK[reader](page.encode(), "page")


def p(css: str, inner: str) -> str:
    """One printed paragraph."""
    return f'<p class="{css}">{inner}</p>'


def law(blocks: list[Block]) -> list[tuple[str, str, str]]:
    """(section, marker, body) of every block that holds a number or words of law."""
    return [(b.section, b.marker, b.body) for b in blocks if b.marker or b.body]


def with_role(blocks: list[Block], role: str) -> list[tuple[str, str]]:
    """(section, text) of every block's runs of one role."""
    return [(b.section, b.words(role)) for b in blocks if b.words(role)]


def holding(blocks: list[Block], phrase: str) -> Block:
    """The one block that holds a phrase; fails where none or several do."""
    found = [b for b in blocks if phrase in " ".join(text for _, text in b.runs)]
    assert len(found) == 1, f"{phrase!r} is in {len(found)} blocks of {[str(b) for b in blocks]}"
    return found[0]
