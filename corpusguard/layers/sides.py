"""The digests of both sides of a finding: whole, where the finding itself carries cut texts.

Whoever accepts a finding accepts it about two texts. As soon as either moves, another thing may be
wrong at the same place, and what was accepted says nothing about that. So a side is taken rather
too large than too small:

* the official side is the provision that the finding names, with all below it and their status;
  else the section; else the whole document;
* the stored side is the row, with its labels; else all rows with the id; else all rows that claim
  the section or were found in it; else every row of the document.

The texts that the finding shows are part of it too: they may come from elsewhere, as where the
words of one section are stored under another, or in another rendition. Where they are cut for
display, ``draft`` has left the digest of the whole text in the finding, which stands for it here.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from corpusguard.layers.currency import Judged
    from corpusguard.model import Finding, Passage, Provision, Reading


class Sides:
    """Both sides of any finding of one document.

    Args:
        reading: the official text.
        judged: every row of the document, with the section that its words were found in.
    """

    def __init__(self, reading: Reading, judged: Sequence[Judged]) -> None:
        self._reading = reading
        self._provisions: dict[str, list[Provision]] = {}
        self._sections: dict[str, list[Provision]] = {}
        for node in reading.provisions:
            self._provisions.setdefault(node.pid, []).append(node)
            if node.section:
                self._sections.setdefault(node.section, []).append(node)
        self._rows: dict[int, list[Passage]] = {}
        self._ids: dict[str, list[Passage]] = {}
        self._claims: dict[str, list[Passage]] = {}
        for one in judged:
            passage = one.located.passage
            self._rows[passage.row] = [passage]
            self._ids.setdefault(passage.id, []).append(passage)
            for section in {one.section, passage.section or ""} - {""}:
                self._claims.setdefault(section, []).append(passage)
        self._all = [one.located.passage for one in judged]
        self._known: dict[tuple[str, str | int], str] = {}

    def known(self, findings: Iterable[Finding]) -> list[Finding]:
        """Return the findings with the digests of both sides."""
        return [
            replace(
                finding,
                official_digest=_digest(
                    [self._official(finding), finding.official_digest or finding.official]
                ),
                stored_digest=_digest(
                    [self._stored(finding), finding.stored_digest or finding.stored]
                ),
            )
            for finding in findings
        ]

    def _official(self, finding: Finding) -> str:
        if finding.provision in self._provisions:
            return self._of_law("provision", finding.provision, self._provisions[finding.provision])
        if finding.section:
            # A section that the source does not have is a side too: it ends when the source has it.
            return self._of_law("section", finding.section, self._sections.get(finding.section, []))
        return self._of_law("document", "", ())

    def _of_law(self, kind: str, name: str, nodes: Sequence[Provision]) -> str:
        key = (kind, name)
        if key not in self._known:
            text = self._reading.text
            parts = [[node.pid, text[node.start : node.end]] for node in nodes]
            if kind == "document":
                parts = [["", text]]
                nodes = self._reading.provisions
            self._known[key] = _digest([kind, name, parts, self._statuses(nodes)])
        return self._known[key]

    def _statuses(self, nodes: Sequence[Provision]) -> list[str]:
        """The status of each provision inside ``nodes``: words may stay while it changes."""
        spans = [(node.start, node.end) for node in nodes]
        if not spans:
            return []
        start, end = min(spans)[0], max(end for _, end in spans)
        return [
            node.status.value
            for node in self._reading.provisions
            if start <= node.start and node.end <= end
        ]

    def _stored(self, finding: Finding) -> str:
        if finding.row in self._rows:
            return self._of_rows("row", finding.row, self._rows[finding.row])
        if finding.passage:
            return self._of_rows("id", finding.passage, self._ids.get(finding.passage, []))
        if finding.section:
            return self._of_rows("section", finding.section, self._claims.get(finding.section, []))
        return self._of_rows("document", "", self._all)

    def _of_rows(self, kind: str, name: str | int, rows: Iterable[Passage]) -> str:
        key = (f"stored {kind}", name)
        if key not in self._known:
            # Not the row's number: a row that is stored before it moves no text.
            labelled = [
                [row.id, row.section, row.subsection, row.heading, row.status, row.text]
                for row in rows
            ]
            self._known[key] = _digest([kind, labelled])
        return self._known[key]


def _digest(value: object) -> str:
    # JSON keeps parts apart, and its escapes hold what UTF-8 cannot.
    return "sha256:" + hashlib.sha256(json.dumps(value).encode("ascii")).hexdigest()
