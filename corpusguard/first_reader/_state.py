"""What is open while a document is read, and where a block that opens nothing belongs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from corpusguard.model import Channel, Context, Kind, Status

from . import _citations
from ._frames import Frame
from ._text import BOLD, CITATION, ITALIC, PLACEHOLDER, Block, canonical_offset
from ._tree import Builder, Node, Piece

if TYPE_CHECKING:
    from ._classes import Style


class Line(NamedTuple):
    """One block, read as far as its class and canonical text."""

    block: Block
    style: Style
    text: str

    @property
    def status(self) -> Status:
        """Status that the class alone gives."""
        return Status.NOT_IN_FORCE if self.style.future else Status.IN_FORCE

    def bold(self) -> list[tuple[int, int]]:
        """Bold spans in the canonical text."""
        raw = self.block.raw
        return [
            (canonical_offset(raw, start), canonical_offset(raw, end))
            for start, end, bits in self.block.styles
            if bits & BOLD
        ]

    def starts_italic(self) -> bool:
        """Whether the first visible character is in italics."""
        first = len(self.block.raw) - len(self.block.raw.lstrip())
        return any(bits & ITALIC and a <= first < b for a, b, bits in self.block.styles)

    def only_image(self) -> bool:
        """Whether nothing but placeholders is visible."""
        shown = sum(b - a for a, b, bits in self.block.styles if bits & PLACEHOLDER)
        return shown > 0 and shown == len(self.block.raw.strip())

    def marked_citation(self) -> int | None:
        """Where a tail that the publisher marked as citations begins in the canonical text."""
        raw = self.block.raw
        at = len(raw)
        begin = None
        for start, end, bits in reversed(self.block.styles):
            if bits & CITATION:
                if raw[end:at].strip(" ;,.\t\r\n\xa0"):
                    break
                begin = at = start
        return None if begin is None else canonical_offset(raw, begin)

    def citation_start(self, at: int) -> int:
        """Where the trailing citation of ``text[at:]`` begins; the text's length if none."""
        marked = self.marked_citation() if self.block.styles else None
        return _citations.tail_start(self.text, marked, at)

    def pieces(
        self, at: int, node: Node, status: Status, channel: Channel = Channel.BODY
    ) -> list[Piece]:
        """Segments of ``text[at:]``: words, placeholders and the trailing citation."""
        text, raw, index = self.text, self.block.raw, node.index
        tail = self.citation_start(at)
        pieces: list[Piece] = []
        for start, end, bits in self.block.styles:
            if bits & PLACEHOLDER:
                left, right = canonical_offset(raw, start), canonical_offset(raw, end)
                if at <= left < tail:
                    if words := text[at:left].strip():
                        pieces.append((channel, words, index, status))
                    image = text[left:right].strip()
                    pieces.append((Channel.PLACEHOLDER, image, index, status))
                    at = right
        if words := text[at:tail].strip():
            pieces.append((channel, words, index, status))
        if citation := text[max(tail, at) :].strip():
            pieces.append((Channel.HISTORY, citation, index, status))
        return pieces


class State:
    """The open frames and provisions, and the headnotes that wait for an opener."""

    def __init__(self) -> None:
        self.out = Builder()
        self.frames = [Frame(None, "", Context.BODY)]
        self.frame = self.frames[0]
        self._waiting: dict[bool, list[tuple[int, Node | None]]] = {False: [], True: []}
        self._numbers: set[tuple[int, Kind, str, bool]] = set()

    # -- the tree ------------------------------------------------------------------------------

    def child(self, kind: Kind, depth: int, status: Status, *, future: bool) -> Node:
        """A new open provision below the deepest one that is shallower and of its status.

        Future text never becomes the parent of text in force: after a future subsection the
        clauses in force go on where they were.
        """
        frame = self.frame
        # Law below a future section is what stayed there: see ``resume``.
        stays = not future and frame.in_future
        line = frame.future if future or stays else frame.path
        while line and line[-1].depth >= depth:
            line.pop()
        parent = line[-1] if line else None
        if future:
            if parent is None:
                parent = next((n for n in reversed(frame.path) if n.depth < depth), None)
        elif not stays:
            frame.future.clear()
        node = self.below(parent or self.root(), kind, depth, status, future=future)
        line.append(node)
        return node

    def below(self, parent: Node, kind: Kind, depth: int, status: Status, *, future: bool) -> Node:
        """A new provision in the place of its parent."""
        return self.out.node(
            kind,
            parent=parent,
            depth=depth,
            section=parent.section,
            subsection=parent.subsection,
            context=parent.context,
            status=status,
            future=future,
        )

    def root(self) -> Node:
        """What words before the first section of a frame belong to."""
        frame = self.frame
        if frame.node is not None:
            return frame.node
        if frame.preamble is None:
            frame.preamble = self.out.node(
                Kind.PREAMBLE,
                parent=None,
                depth=0,
                section="Preamble",
                context=Context.BODY,
                status=Status.IN_FORCE,
            )
        return frame.preamble

    def host(self, depth: int, *, future: bool) -> Node:
        """The open provision that flush text of this depth closes; what is deeper is done."""
        frame = self.frame
        if future:
            line = (*frame.path, *frame.future)
            return next((n for n in reversed(line) if n.depth <= depth), None) or self.root()
        if frame.section is not None and frame.in_future:
            return frame.section
        frame.future.clear()
        while frame.path and frame.path[-1].depth > depth:
            frame.path.pop()
        return frame.path[-1] if frame.path else self.root()

    def resume(self) -> bool:
        """Go back from a future section to the last one in force; False if there is no need.

        Numbered law goes on with the law, whatever was printed in between; text without a number
        stays with the future section, because nothing says where else it could belong.
        """
        frame = self.frame
        if not frame.in_future:
            return False
        frame.section = next((n for n in frame.path if n.kind is Kind.SECTION), None)
        return True

    def owner(self) -> Node | None:
        """The section that precedes, for notes and history; else what the frame has."""
        frame = self.frame
        return frame.section or frame.node or frame.preamble or frame.part

    def open_clause(self, *, future: bool) -> str:
        """Number of the innermost open clause, or nothing."""
        frame = self.frame
        line = (*frame.path, *frame.future) if future else frame.path
        return next((n.number for n in reversed(line) if n.kind is Kind.CLAUSE), "")

    def twice(self, node: Node, name: str) -> bool:
        """Whether a provision of this name was opened before, in its place and status."""
        key = (node.parent, node.kind, name, node.future)
        if key in self._numbers:
            return True
        self._numbers.add(key)
        return False

    def leave_table(self) -> None:
        """A titled table ends where the section that it interrupts goes on."""
        if self.frame.context is Context.TABLE:
            self.frames.pop()
            self.frame = self.frames[-1]

    # -- headnotes -----------------------------------------------------------------------------

    def wait(self, segment: int, *, future: bool) -> None:
        """Keep a headnote for the opener to come, and where it stays if none comes."""
        self._waiting[future].append((segment, self.owner()))

    def bind(self, node: Node) -> None:
        """Give the waiting headnotes of a status to the section or subsection that opens."""
        waiting = self._waiting[node.future]
        for segment, _ in waiting:
            self.out.rebind(segment, node.index)
            node.headings.append(self.out.segment_text(segment))
        waiting.clear()

    def strand(self, *, future: bool) -> None:
        """Leave headnotes that nothing takes with the section they were printed in, loudly."""
        waiting = self._waiting[future]
        for segment, preceding in waiting:
            self._keep(segment, preceding)
            text = self.out.segment_text(segment)
            self.out.anomaly(
                "pending_headnote", "a marginal note that nothing takes", text, segment=segment
            )
        waiting.clear()

    def leave_above(self, *, future: bool) -> None:
        """Leave headnotes printed right above a quotation, which are its own, where they are."""
        waiting = self._waiting[future]
        newest = self.out.newest
        while waiting and waiting[-1][0] == newest:
            segment, preceding = waiting.pop()
            self._keep(segment, preceding)
            newest -= 1

    def _keep(self, segment: int, preceding: Node | None) -> None:
        """Leave a headnote with what it was printed in; before all law that is nothing."""
        if preceding is not None:
            self.out.rebind(segment, preceding.index)

    def strand_all(self) -> None:
        """Leave all waiting headnotes: a heading or the end of the document has come."""
        self.strand(future=False)
        self.strand(future=True)
