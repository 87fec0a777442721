"""bearout 0.0.3 on the same documents: its corpus, and what it says of a corpus."""

from __future__ import annotations

import json
import logging
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpusguard.model import Passage

if TYPE_CHECKING:
    from collections.abc import Iterable

MISSING = """\
bearout is not installed: this benchmark measures both tools in one process.
Run `make bench`, or install the extra: python -m pip install 'corpusguard-law[bench]'"""

try:
    from bearout.fidelity.sources.elaws import parse_statute_html
    from bearout.fidelity.spec import DocSpec, section_label
    from bearout.fidelity.verify import expected_chunks, verify_doc
except ImportError:
    sys.exit(MISSING)

# Its parser logs each paragraph that it cannot place; the log is not what is measured.
logging.getLogger("bearout").setLevel(logging.ERROR)


@dataclass(frozen=True)
class Report:
    """What bearout says of one corpus: verdict -> sections."""

    sections: dict[str, list[str]]

    @property
    def counts(self) -> dict[str, int]:
        return {verdict: len(found) for verdict, found in sorted(self.sections.items())}

    @property
    def pairs(self) -> set[tuple[str, str]]:
        """(verdict, section) of what is not ok."""
        return {(v, s) for v, found in self.sections.items() if v != "ok" for s in found}

    @property
    def flagged(self) -> set[str]:
        return {section for _, section in self.pairs}


class Rival:
    """One document to bearout."""

    def __init__(self, payload: bytes, document: str, title: str) -> None:
        self.html: str = json.loads(payload)["content"]
        self.document = document
        self.spec = DocSpec(doc_id=document, title=title, url="")
        self.corpus: dict[str, str] = expected_chunks(self.spec, parse_statute_html(self.html))

    def verify(self, corpus: dict[str, str] | None = None) -> Report:
        """All its layers over a corpus (default: the one that its own ingestion would store)."""
        sections: dict[str, list[str]] = {}
        given = self.corpus if corpus is None else corpus
        for finding in verify_doc(self.spec, self.html, given):
            sections.setdefault(finding.verdict, []).append(finding.section_id)
        return Report(sections)

    def passages(self, *, with_label: bool) -> tuple[Passage, ...]:
        """Its own chunks as rows: body alone, or label and body as its ingestion stores them."""
        labels = {
            section.section_id: section_label(self.spec, section)
            for section in parse_statute_html(self.html)
        }
        rows = []
        for row, (section, text) in enumerate(self.corpus.items()):
            label = labels[section]
            body = text.removeprefix(label).lstrip("\n")
            stored = text if with_label else body
            rows.append(Passage(row, section, self.document, stored, section, heading=label))
        return tuple(rows)

    def corpus_of(self, rows: Iterable[Passage], *, by_id: bool) -> dict[str, str]:
        """Rows in its own format: one text per section, the last row of a section wins.

        Its section number is its id: ``by_id`` for a fault in the ids.
        """
        return {
            (row.id if by_id else row.section or row.id): f"{row.heading}\n\n{row.text}"
            for row in rows
        }

    def joined(self, rows: Iterable[Passage]) -> dict[str, str]:
        """Rows of another chunking in its format: the texts of one label in their order."""
        texts: dict[str, list[str]] = {}
        for row in rows:
            texts.setdefault(row.section or row.id, []).append(" ".join(row.text.split()))
        title = self.spec.title
        return {section: f"{title}\n\n{' '.join(found)}" for section, found in texts.items()}


__all__ = ["MISSING", "Report", "Rival"]
