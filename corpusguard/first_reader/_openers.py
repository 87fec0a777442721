"""Blocks that open provisions by the number at their head, and definitions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from corpusguard.model import Channel, Kind, Status

from . import _numbers
from ._classes import DEFINITION_DEPTH
from ._frames import stub_status

if TYPE_CHECKING:
    from ._state import Line, State
    from ._tree import Node, Piece

_QUOTES: Final = '“«"„‘'
_SECTION_DEPTH: Final = 1


class Openers:
    """Opens sections, subsections, items and definitions in a shared state."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._out = state.out
        self._covered = 0

    def section(self, line: Line) -> bool:
        """Open a section if the block begins with its number; False if it does not."""
        state, text, future = self._state, line.text, line.style.future
        label = _numbers.section_label(text, line.bold())
        plain = label is None
        if label is None:
            label = _plain_label(line)
        if label is None:
            return False
        state.leave_table()
        at = _skip(text, len(label))
        stub = stub_status(line.block, text, at)
        if stub:
            state.strand(future=future)
        number = _numbers.bare(label)
        frame = state.frame
        count = frame.seen[number, future] = frame.seen.get((number, future), 0) + 1
        own = label.removesuffix(".")  # a list keeps its inner periods: "12., 13"
        own = own if count == 1 else f"{own}~{count}"
        node = self._out.node(
            Kind.SECTION,
            parent=frame.holder,
            depth=_SECTION_DEPTH,
            section=f"{frame.prefix}, {own}" if frame.prefix else own,
            context=frame.context,
            status=_status(stub, future=future),
            label=label,
            number=number,
            future=future,
        )
        complaint = self._cover(node)
        frame.future = [node] if future else []
        if not future:
            frame.path = [node]
        frame.section = node
        state.bind(node)
        self._rest(line, at, node, [(Channel.MARKER, label, node.index, node.status)])
        if count > 1 or (not future and number in frame.covered):
            self._out.anomaly("duplicate_number", f"section {number} comes twice here", text)
        if complaint:
            self._out.anomaly("bad_range", complaint, text)
        if plain:
            self._out.anomaly("plain_number", "a section opens with a number not in bold", text)
        if not future:
            frame.covered.update(node.covers)
        return True

    def numbered(self, line: Line, depth: int = 0, *, dotted: bool = True) -> bool:
        """Open what the printed number at the head of a block says; False if there is none.

        Args:
            line: The block.
            depth: What its class says of the depth; 0 where it says nothing.
            dotted: Whether its class lets ``1.`` and ``A.`` be numbers; ``(a)`` is one anyway.
        """
        state, text, future = self._state, line.text, line.style.future
        marker = _numbers.subsection_marker(text, 0) or self._item(line, 0, depth, dotted=dotted)
        if marker is None:
            return False
        state.leave_table()
        resumed = not future and state.resume()
        at = _skip(text, marker.end)
        stub = stub_status(line.block, text, at)
        of_subsection = marker.kind is Kind.SUBSECTION
        if of_subsection and stub:
            state.strand(future=future)
        frame = state.frame
        orphan = frame.node is None and not frame.path and not frame.future
        node, piece, complaint = self._open(marker, stub, future=future)
        if of_subsection:
            state.bind(node)
        self._rest(line, at, node, [piece])
        if complaint:
            self._out.anomaly(*complaint, text)
        if orphan:
            self._out.anomaly("unmatched_opener", "a number that stands in no section", text)
        if resumed:
            self._out.anomaly("after_future", "numbered law follows a future section", text)
        return True

    def definition(self, line: Line) -> bool:
        """Open a definition if the block begins with a quoted or italic term."""
        text = line.text
        if text[0] not in _QUOTES and not line.starts_italic():
            return False
        state, status = self._state, line.status
        node = state.child(Kind.DEFINITION, DEFINITION_DEPTH, status, future=line.style.future)
        node.name = _term(text)
        self._out.emit(line.pieces(0, node, status))
        if state.twice(node, node.name):
            self._out.anomaly("duplicate_number", f"{node.name!r} is defined twice here", text)
        return True

    def _item(
        self, line: Line, at: int, depth: int, *, dotted: bool = True
    ) -> _numbers.Marker | None:
        """An item number at ``at``, told apart by what is open."""
        text, future = line.text, line.style.future
        marker = _numbers.item_marker(
            text,
            at,
            depth=depth,
            previous=lambda: self._state.open_clause(future=future),
            dotted=dotted,
        )
        if marker is None or marker.label[-1] in ".)" or not _numbers.is_list(marker.label):
            return marker
        # "45.3-47" without a period is a number only where a stub follows.
        return marker if stub_status(line.block, text, _skip(text, marker.end)) else None

    def _rest(self, line: Line, at: int, node: Node, pieces: list[Piece]) -> None:
        """Emit an opener: further markers in a row, ``36.1 (1) (a)``, then its words."""
        complaints = []
        text, future = line.text, line.style.future
        while True:
            marker = None
            if node.kind is Kind.SECTION:
                marker = _numbers.subsection_marker(text, at)
            if (
                marker is None
                and _numbers.may_open_a_list(text, at)
                and node.status in {Status.IN_FORCE, Status.NOT_IN_FORCE}
            ):
                marker = self._item(line, at, 0)
            if marker is None or marker.depth <= node.depth:
                break
            at = _skip(text, marker.end)
            stub = stub_status(line.block, text, at)
            node, piece, complaint = self._open(marker, stub, future=future)
            pieces.append(piece)
            if complaint:
                complaints.append(complaint)
        self._out.emit(pieces + line.pieces(at, node, node.status))
        for complaint in complaints:
            self._out.anomaly(*complaint, text)

    def _cover(self, node: Node) -> str:
        """Fill in which numbers a range stands for; returns a complaint, or nothing."""
        certain, unknown, complaint = _numbers.covers(node.label)
        self._covered += len(certain)
        if certain and self._covered > _numbers.MAX_COVERED:
            # A few bytes of markup would claim much memory: keep the ends only.
            unknown = (certain[0], certain[-1])
            certain = ()
            complaint = "the ranges of this document stand for too many numbers to be real"
        node.covers, node.covers_unknown = certain, unknown
        return complaint

    def _open(
        self, marker: _numbers.Marker, stub: Status | None, *, future: bool
    ) -> tuple[Node, Piece, tuple[str, str] | None]:
        """A new provision for a marker, its marker segment and what is wrong with the number."""
        status = _status(stub, future=future)
        node = self._state.child(marker.kind, marker.depth, status, future=future)
        label = node.label = marker.label
        node.number = _numbers.bare(label)
        if marker.kind is Kind.SUBSECTION:
            node.subsection = node.number
        wrong = self._cover(node)
        complaint = ("bad_range", wrong) if wrong else None
        if self._state.twice(node, node.number):
            complaint = ("duplicate_number", f"{label} comes twice here")
        return node, (Channel.MARKER, label, node.index, status), complaint


def _plain_label(line: Line) -> str | None:
    """A number not in bold that opens a section all the same; None: it is a word.

    What bold would say, the period says, or a subsection number or a stub's word after it.
    """
    text = line.text
    label = _numbers.plain_label(text)
    if label is None or label[-1] == ".":
        return label
    at = _skip(text, len(label))
    opens = _numbers.subsection_marker(text, at) or stub_status(line.block, text, at)
    return label if opens else None


def _status(stub: Status | None, *, future: bool) -> Status:
    """Future text is not in force in every context, a future stub included."""
    if future:
        return Status.NOT_IN_FORCE
    return stub or Status.IN_FORCE


def _skip(text: str, at: int) -> int:
    """Past the one space that may follow a marker."""
    return at + 1 if text[at : at + 1] == " " else at


def _term(text: str) -> str:
    """The first defined term, for the pid."""
    head = text.lstrip(_QUOTES)[:60]
    for close in '”»"’':
        head = head.partition(close)[0]
    return " ".join(head.split()[:6])
