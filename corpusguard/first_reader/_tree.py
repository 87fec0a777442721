"""The Reading under construction: text, segments and provisions, and how they are closed."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from corpusguard.model import (
    Anomaly,
    Channel,
    ContentsEntry,
    Context,
    Identity,
    Kind,
    Provision,
    Reading,
    Rendition,
    Segment,
    Status,
)

from ._remains import settle

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Piece = tuple[Channel, str, int, Status]
"""Channel, canonical text, index of the provision (-1: none) and status of one segment."""

_PREFIX: Final = {
    Kind.SECTION: "sec",
    Kind.SUBSECTION: "subsec",
    Kind.CLAUSE: "cl",
    Kind.PARAGRAPH: "para",
    Kind.SUBCLAUSE: "subcl",
    Kind.SUBPARAGRAPH: "subpara",
    Kind.SUBSUBCLAUSE: "subsubcl",
    Kind.SUBSUBPARAGRAPH: "subsubpara",
    Kind.SCHEDULE: "sched",
    Kind.HEADING: "hd",
    Kind.DEFINITION: "def",
}
_NUMBERED: Final = frozenset(_PREFIX) - {Kind.HEADING} | {Kind.PART, Kind.FORM, Kind.TABLE}
# Groups are not part of an address: section 5 is `sec_5` in whatever Part it stands.
_GROUPS: Final = frozenset({Kind.PART, Kind.HEADING})
_UNSAFE: Final = re.compile(r"[^\w.\-]+")
_EXCERPT: Final = 200
_OWN: Final = frozenset({Channel.BODY, Channel.MARKER})


@dataclass(slots=True)
class Node:
    """A provision while it is read."""

    index: int
    kind: Kind
    number: str
    label: str
    parent: int
    depth: int
    section: str
    subsection: str
    status: Status
    context: Context
    future: bool
    name: str = ""
    """What the pid says instead of a number: the term of a definition."""
    headings: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    last_block: int = -1
    start: int = -1
    end: int = -1
    covers: tuple[str, ...] = ()
    covers_unknown: tuple[str, str] | None = None


class Builder:
    """Appends blocks and provisions; ``finish`` makes the frozen Reading."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.block = -1
        """Ordinal of the newest block."""
        self._chunks: list[str] = []
        self._at = 0
        self._segments: list[tuple[int, int, Channel, int, Status, int]] = []
        self._anomalies: list[tuple[str, str, int, str, int]] = []

    def node(  # noqa: PLR0913 - a provision has that many facts
        self,
        kind: Kind,
        *,
        parent: Node | None,
        depth: int,
        section: str,
        context: Context,
        status: Status,
        label: str = "",
        number: str = "",
        subsection: str = "",
        future: bool = False,
    ) -> Node:
        """A new provision below ``parent``."""
        made = Node(
            len(self.nodes),
            kind,
            number,
            label,
            -1 if parent is None else parent.index,
            depth,
            section,
            subsection,
            status,
            context,
            future,
        )
        self.nodes.append(made)
        return made

    def emit(self, pieces: Sequence[Piece]) -> int:
        """Append one block; returns the index of its first segment."""
        segments, nodes = self._segments, self.nodes
        first = len(segments)
        self.block = block = self.block + 1
        at = self._at + 1 if block else 0
        for channel, text, provision, status in pieces:
            end = at + len(text)
            segments.append((at, end, channel, provision, status, block))
            at = end + 1
            if channel in _OWN and provision >= 0:
                node = nodes[provision]
                if node.last_block == block:
                    node.texts[-1] += " " + text
                else:
                    node.texts.append(text)
                    node.last_block = block
        self._at = at - 1
        one = len(pieces) == 1
        self._chunks.append(pieces[0][1] if one else " ".join([piece[1] for piece in pieces]))
        return first

    def rebind(self, segment: int, provision: int) -> None:
        """Give a segment that waited (a headnote) to the provision it turned out to belong to."""
        start, end, channel, _, status, block = self._segments[segment]
        self._segments[segment] = (start, end, channel, provision, status, block)

    def segment_text(self, segment: int) -> str:
        """The text of a headnote that waits: it is the only segment of its block."""
        return self._chunks[self._segments[segment][5]]

    def anomaly(
        self, kind: str, message: str, excerpt: str = "", *, segment: int | None = None
    ) -> None:
        """Record what could not be placed with confidence; by default it is the newest segment."""
        if not self._segments:
            self._anomalies.append((kind, message, 0, excerpt[:_EXCERPT], -1))
            return
        _, _, _, provision, _, block = self._segments[-1 if segment is None else segment]
        self._anomalies.append((kind, message, block, excerpt[:_EXCERPT], provision))

    @property
    def newest(self) -> int:
        """Index of the segment that was emitted last; -1 before the first."""
        return len(self._segments) - 1

    @property
    def empty(self) -> bool:
        """Whether no provision was found: a law without any word of law."""
        return not self.nodes

    def finish(
        self, rendition: Rendition, identity: Identity, contents: Iterable[ContentsEntry]
    ) -> Reading:
        """Close all spans, give every provision its pid and freeze."""
        nodes = self.nodes
        settle(nodes, self._segments)
        for start, end, _, provision, _, _ in self._segments:
            if provision >= 0:
                node = nodes[provision]
                if node.start < 0 or start < node.start:
                    node.start = start
                if end > node.end:  # noqa: PLR1730 - max() doubles the time of this loop
                    node.end = end
        for node in reversed(nodes):  # children come after their parents
            if node.parent >= 0:
                parent = nodes[node.parent]
                if parent.start < 0 or node.start < parent.start:
                    parent.start = node.start
                parent.end = max(parent.end, node.end)
        pids = self._pids()
        provisions = tuple(
            Provision(
                pids[n.index],
                n.kind,
                n.number,
                n.label,
                n.parent,
                n.section,
                n.subsection,
                " / ".join(n.headings),
                "\n".join(n.texts),
                n.status,
                n.context,
                n.start,
                n.end,
                n.covers,
                n.covers_unknown,
            )
            for n in nodes
        )
        return Reading(
            rendition,
            identity,
            "\n".join(self._chunks),
            tuple([Segment(*s) for s in self._segments]),
            provisions,
            tuple(contents),
            tuple(
                Anomaly(kind, message, block, excerpt, pids[kept] if kept >= 0 else "")
                for kind, message, block, excerpt, kept in self._anomalies
            ),
        )

    def _pids(self) -> list[str]:
        """Addresses: in-force text first, so that a future twin never renames the law."""
        pids = [""] * len(self.nodes)
        taken: dict[str, int] = {}
        ordinals: dict[tuple[str, Kind], int] = {}
        inside: list[bool] = []  # a provision below a future one comes after it, as that does
        for node in self.nodes:
            inside.append(node.future or (node.parent >= 0 and inside[node.parent]))
        for late in (False, True):
            for node in self.nodes:
                if inside[node.index] is late:
                    pids[node.index] = self._pid(node, pids, taken, ordinals)
        return pids

    def _pid(
        self,
        node: Node,
        pids: list[str],
        taken: dict[str, int],
        ordinals: dict[tuple[str, Kind], int],
    ) -> str:
        above = node.parent
        while above >= 0 and self.nodes[above].kind in _GROUPS:
            above = self.nodes[above].parent
        base = pids[above] + "__" if above >= 0 else ""
        word = _PREFIX.get(node.kind, node.kind.value)
        name = node.number or node.name
        if not name.isalnum():
            name = _UNSAFE.sub("_", name).strip("_")
        if name:
            word = f"{word}_{name}"
        elif node.kind not in _NUMBERED and node.kind is not Kind.PREAMBLE:
            ordinals[base, node.kind] = count = ordinals.get((base, node.kind), 0) + 1
            word = f"{word}_{count}"
        wish = base + word
        pid = wish
        while pid in taken:
            taken[wish] += 1
            pid = f"{wish}~{taken[wish]}"
        taken[pid] = 1
        return pid
