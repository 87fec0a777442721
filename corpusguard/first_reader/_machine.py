"""The state machine: one stream of printed paragraphs in, one Reading out.

All hierarchy of e-Laws is in the class and the printed number; nothing nests in the markup. What
a block means is decided here, as ``docs/reading-elaws.md`` says it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from corpusguard.errors import Unreadable
from corpusguard.model import Channel, ContentsEntry, Context, Identity, Kind, Reading, Status

from . import _citations, _contents, _identity, _numbers
from ._classes import DEFINITION_DEPTH, Role, Style, style_of
from ._frames import Frame, Title, context_of, locator, part_of, stub_status, title_of
from ._text import (
    BOLD,
    CITATION,
    ITALIC,
    PLACEHOLDER,
    Block,
    Stream,
    canonical,
    canonical_offset,
    suspect_characters,
)
from ._tree import Builder, Node, Piece

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from corpusguard.model import Rendition

_SITE_LINKS: Final = frozenset(
    {"français", "english", "back to top", "retour au début", "haut de la page"}
)
_DOCUMENT_HISTORY: Final = ("Legislative History", "Historique législatif")
_QUOTES: Final = '“«"„‘'
_SECTION_DEPTH: Final = 1
_CELL_CHANNELS: Final = {
    Role.HEADNOTE: Channel.HEADNOTE,
    Role.PART: Channel.HEADING,
    Role.HEADING: Channel.HEADING,
    Role.TITLE: Channel.HEADING,
    Role.NOTE: Channel.NOTE,
    Role.HISTORY: Channel.HISTORY,
}


class Machine:
    """Reads one document; used once."""

    def __init__(self) -> None:
        self._out = Builder()
        self._frames = [Frame(None, "", Context.BODY)]
        self._frame = self._frames[0]
        self._waiting: dict[bool, list[tuple[int, Node | None]]] = {False: [], True: []}
        self._front: list[tuple[str, str]] = []
        self._contents: list[Block] = []
        self._rows: dict[int, Node] = {}
        self._numbers: set[tuple[int, Kind, str, bool]] = set()
        self._titles: dict[str, int] = {}
        self._suspicious = False
        self._handlers: dict[Role, Callable[[Block, Style, str], None]] = {
            Role.SECTION: self._section,
            Role.SUBSECTION: self._subsection,
            Role.ITEM: self._item,
            Role.DEFINITION: self._definition,
            Role.FLUSH: self._flush_or_opener,
            Role.QUOTED: self._quoted,
            Role.EQUATION: self._flush,
            Role.HEADNOTE: self._headnote,
            Role.PART: self._part,
            Role.HEADING: self._heading,
            Role.TITLE: self._title,
            Role.CELL: self._flush,
            Role.CONTENTS: self._contents_block,
            Role.NOTE: self._note,
            Role.HISTORY: self._history,
            Role.FRONT: self._front_block,
            Role.PLAIN: self._plain,
        }

    def read(
        self,
        stream: Stream,
        rendition: Rendition,
        identity: Identity | None,
        contents: Sequence[ContentsEntry],
    ) -> Reading:
        """Read all blocks.

        Args:
            stream: What the front end found.
            rendition: What it was.
            identity: What the rendition says of itself elsewhere; None: the front matter tells.
            contents: Rows of a contents table outside of the text, used if the text has none.

        Raises:
            Unreadable: There is no word of law in it.
        """
        tables = _contents.contents_tables(stream.blocks)
        # One sweep over the whole is cheaper than one over each block, and nearly always clean.
        self._suspicious = bool(suspect_characters("".join([b.raw for b in stream.blocks])))
        for block in stream.blocks:
            text = canonical(block.raw)
            if text:
                self._block(block, text, contents=block.table in tables)
        for future in (False, True):
            self._strand(future=future)
        for kind, message in stream.complaints:
            self._out.anomaly(kind, message)
        if self._out.empty:
            raise Unreadable(
                "no text of law was found",
                hint="A shell page, an error page or an empty download looks like this.",
            )
        return self._out.finish(
            rendition,
            identity or _identity.of_front(self._front),
            _contents.rows(self._contents) or contents,
        )

    def _block(self, block: Block, text: str, *, contents: bool) -> None:
        """Place one block and record what is odd about it."""
        style = style_of(block.css)
        role = style.role
        if contents or role is Role.CONTENTS:
            self._contents_block(block, style, text)
            if role not in {Role.CONTENTS, Role.CELL, Role.PLAIN}:
                self._out.anomaly("unknown_class", f"{block.css!r} in the contents table", text)
        elif block.row and role is not Role.FRONT:
            self._cell(block, style, text)
        else:
            self._handlers[role](block, style, text)
            if role is not Role.TITLE and role is not Role.FRONT:
                self._frame.title_open = False
        if not style.known:
            self._out.anomaly("unknown_class", f"the class {block.css[:80]!r} is not known", text)
        for kind, message in block.complaints:
            self._out.anomaly(kind, message, text)
        if self._suspicious and (suspects := suspect_characters(block.raw)):
            self._out.anomaly("suspect_character", f"the text holds {suspects}", text)

    # -- pieces of a block ---------------------------------------------------------------------

    def _pieces(
        self, block: Block, text: str, at: int, node: Node, status: Status, channel: Channel
    ) -> list[Piece]:
        """Segments of ``text[at:]``: words, placeholders and the trailing citation."""
        marked = _marked_citation(block) if block.styles else None
        tail = _citations.tail_start(text, marked, at)
        pieces: list[Piece] = []
        for start, end, bits in block.styles:
            if bits & PLACEHOLDER:
                left, right = (canonical_offset(block.raw, i) for i in (start, end))
                if at <= left < tail:
                    words = text[at:left].strip()
                    if words:
                        pieces.append((channel, words, node.index, status))
                    pieces.append(
                        (Channel.PLACEHOLDER, text[left:right].strip(), node.index, status)
                    )
                    at = right
        words = text[at:tail].strip()
        if words:
            pieces.append((channel, words, node.index, status))
        citation = text[max(tail, at) :].strip()
        if citation:
            pieces.append((Channel.HISTORY, citation, node.index, status))
        return pieces

    # -- openers -------------------------------------------------------------------------------

    def _section(self, block: Block, style: Style, text: str) -> None:
        label = _numbers.section_label(text, _bold(block))
        if label is None:
            self._continuation(block, style, text)
            return
        self._leave_table()
        future = style.future
        at = _skip(text, len(label))
        stub = stub_status(block, text, at)
        if stub:
            self._strand(future=future)
        number = _numbers.bare(label)
        frame = self._frame
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
        if future:
            frame.future = [node]
        else:
            frame.path, frame.future = [node], []
        frame.section = node
        self._bind(node)
        marks: list[Piece] = [(Channel.MARKER, label, node.index, node.status)]
        self._rest(block, text, at, node, marks, future=future)
        if count > 1 or (not future and number in frame.covered):
            self._out.anomaly("duplicate_number", f"section {number} comes twice here", text)
        if complaint:
            self._out.anomaly("bad_range", complaint, text)
        if not future:
            frame.covered.update(node.covers)

    def _continuation(self, block: Block, style: Style, text: str) -> None:
        """A ``section`` paragraph without a number of its own."""
        if not self._opens(block, style, text, depth=0):
            self._flush(block, style, text)
            if text[0].isdigit():
                self._out.anomaly(
                    "unmatched_opener", "a section paragraph begins with a number not in bold", text
                )

    def _subsection(self, block: Block, style: Style, text: str) -> None:
        if not self._opens(block, style, text, depth=0):
            self._flush(block, style, text)
            self._out.anomaly("unmatched_opener", "a subsection without a number", text)

    def _item(self, block: Block, style: Style, text: str) -> None:
        if not self._opens(block, style, text, depth=style.depth):
            self._flush(block, style._replace(depth=style.depth - 1), text)
            self._out.anomaly("unmatched_opener", "an item without a number", text)

    def _definition(self, block: Block, style: Style, text: str) -> None:
        if text[0] not in _QUOTES and not _starts_italic(block):
            if self._opens(block, style, text, depth=0):
                return
            known = any(n.kind is Kind.DEFINITION for n in (*self._frame.path, *self._frame.future))
            self._flush(block, style, text)
            if not known:
                self._out.anomaly("unmatched_opener", "a definition without a term", text)
            return
        status = _status(None, future=style.future)
        node = self._child(Kind.DEFINITION, DEFINITION_DEPTH, status, future=style.future)
        node.name = _term(text)
        twice = self._twice(node, node.name)
        self._out.emit(self._pieces(block, text, 0, node, status, Channel.BODY))
        if twice:
            self._out.anomaly("duplicate_number", f"{node.name!r} is defined twice here", text)

    def _opens(self, block: Block, style: Style, text: str, *, depth: int) -> bool:
        """Open what the printed number at the head of a block says; False if there is none."""
        marker = _numbers.subsection_marker(text, 0) or self._marker(
            block, text, 0, depth, future=style.future
        )
        if marker is None:
            return False
        future = style.future
        at = _skip(text, marker.end)
        if marker.kind is Kind.SUBSECTION:
            self._leave_table()
            if stub_status(block, text, at):
                self._strand(future=future)
        orphan = self._frame.node is None and not self._frame.path and not self._frame.future
        node, piece, complaint = self._numbered(block, text, marker, future=future)
        if marker.kind is Kind.SUBSECTION:
            self._bind(node)
        self._rest(block, text, at, node, [piece], future=future)
        if complaint:
            self._out.anomaly(*complaint, text)
        if orphan:
            self._out.anomaly("unmatched_opener", "a number that stands in no section", text)
        return True

    def _marker(
        self, block: Block, text: str, at: int, depth: int, *, future: bool
    ) -> _numbers.Marker | None:
        """An item number at ``at``, told apart by what is open."""
        marker = _numbers.item_marker(
            text, at, depth=depth, previous=lambda: self._open_clause(future=future)
        )
        if marker is None or marker.label[-1] in ".)" or not _numbers.is_list(marker.label):
            return marker
        # "45.3-47" without a period is a number only where a stub follows.
        return marker if stub_status(block, text, _skip(text, marker.end)) else None

    def _open_clause(self, *, future: bool) -> str:
        """Number of the innermost open clause."""
        frame = self._frame
        line = (*frame.path, *frame.future) if future else frame.path
        return next((n.number for n in reversed(line) if n.kind is Kind.CLAUSE), "")

    def _rest(
        self,
        block: Block,
        text: str,
        at: int,
        node: Node,
        marks: list[Piece],
        *,
        future: bool,
    ) -> None:
        """Emit an opener: further markers in a row, ``36.1 (1) (a)``, then its words."""
        complaints = []
        while True:
            marker = None
            if node.kind is Kind.SECTION:
                marker = _numbers.subsection_marker(text, at)
            if (
                marker is None
                and _numbers.may_open_a_list(text, at)
                and node.status in {Status.IN_FORCE, Status.NOT_IN_FORCE}
            ):
                marker = self._marker(block, text, at, 0, future=future)
            if marker is None or marker.depth <= node.depth:
                break
            node, piece, complaint = self._numbered(block, text, marker, future=future)
            marks.append(piece)
            if complaint:
                complaints.append(complaint)
            at = _skip(text, marker.end)
        self._out.emit(marks + self._pieces(block, text, at, node, node.status, Channel.BODY))
        for complaint in complaints:
            self._out.anomaly(*complaint, text)

    def _numbered(
        self, block: Block, text: str, marker: _numbers.Marker, *, future: bool
    ) -> tuple[Node, Piece, tuple[str, str] | None]:
        """A new provision for a marker, its marker segment and what is wrong with the number."""
        status = _status(stub_status(block, text, _skip(text, marker.end)), future=future)
        node = self._child(marker.kind, marker.depth, status, future=future)
        node.label, node.number = marker.label, _numbers.bare(marker.label)
        if marker.kind is Kind.SUBSECTION:
            node.subsection = node.number
        wrong = self._cover(node)
        complaint = ("bad_range", wrong) if wrong else None
        if self._twice(node, node.number):
            complaint = ("duplicate_number", f"{node.label} comes twice here")
        return node, (Channel.MARKER, marker.label, node.index, status), complaint

    def _twice(self, node: Node, name: str) -> bool:
        key = (node.parent, node.kind, name, node.future)
        known = key in self._numbers
        self._numbers.add(key)
        return known

    @staticmethod
    def _cover(node: Node) -> str:
        """Fill in what a range covers; returns a complaint or nothing."""
        node.covers, node.covers_unknown, complaint = _numbers.covers(node.label)
        return complaint

    def _child(self, kind: Kind, depth: int, status: Status, *, future: bool) -> Node:
        """A new open provision below the deepest one that is shallower and of its status."""
        frame = self._frame
        parent: Node | None = None
        line = frame.future if future else frame.path
        while line and line[-1].depth >= depth:
            line.pop()
        if line:
            parent = line[-1]
        elif future:
            parent = next((n for n in reversed(frame.path) if n.depth < depth), None)
        if not future:
            frame.future.clear()
        parent = parent or self._root()
        node = self._below(parent, kind, depth, status, future=future)
        line.append(node)
        return node

    def _below(self, parent: Node, kind: Kind, depth: int, status: Status, *, future: bool) -> Node:
        return self._out.node(
            kind,
            parent=parent,
            depth=depth,
            section=parent.section,
            subsection=parent.subsection,
            context=parent.context,
            status=status,
            future=future,
        )

    def _root(self) -> Node:
        """What words before the first section of a frame belong to."""
        frame = self._frame
        if frame.node is not None:
            return frame.node
        if frame.preamble is None:
            frame.preamble = self._out.node(
                Kind.PREAMBLE,
                parent=None,
                depth=0,
                section="Preamble",
                context=Context.BODY,
                status=Status.IN_FORCE,
            )
        return frame.preamble

    # -- text that opens nothing ----------------------------------------------------------------

    def _host(self, depth: int, *, future: bool) -> Node:
        """The open provision that flush text of this depth closes; what is deeper is done."""
        frame = self._frame
        if future:
            line = (*frame.path, *frame.future)
            return next((n for n in reversed(line) if n.depth <= depth), None) or self._root()
        if frame.section is not None and frame.section.future:
            return frame.section
        frame.future.clear()
        while frame.path and frame.path[-1].depth > depth:
            frame.path.pop()
        return frame.path[-1] if frame.path else self._root()

    def _flush(self, block: Block, style: Style, text: str) -> None:
        host = self._host(style.depth, future=style.future)
        status = _status(None, future=style.future)
        kind = Kind.EQUATION if style.role is Role.EQUATION else Kind.FLUSH
        if kind is Kind.FLUSH and _only_image(block):
            kind = Kind.IMAGE
        if host.kind is Kind.PREAMBLE and kind is Kind.FLUSH and not style.future:
            node = host
        else:
            node = self._below(host, kind, host.depth + 1, status, future=style.future)
        self._out.emit(self._pieces(block, text, 0, node, status, Channel.BODY))

    def _flush_or_opener(self, block: Block, style: Style, text: str) -> None:
        """Flush text; but a number at its head opens a provision whatever the class says."""
        if not (style.name.startswith("S") and self._opens(block, style, text, depth=0)):
            self._flush(block, style, text)

    def _quoted(self, block: Block, style: Style, text: str) -> None:
        """Text quoted inside a provision: it opens nothing; headnotes right above it are its own."""
        waiting = self._waiting[style.future]
        newest = self._out.newest
        while waiting and waiting[-1][0] == newest:
            segment, owner = waiting.pop()
            self._out.rebind(segment, (owner or self._root()).index)
            newest -= 1
        self._flush(block, style, text)

    def _plain(self, block: Block, style: Style, text: str) -> None:
        if text.lower() in _SITE_LINKS:
            self._front_block(block, style, text)
        else:
            self._flush(block, style, text)

    def _cell(self, block: Block, style: Style, text: str) -> None:
        """A cell of a table that is no contents: words of its row, whatever number they show."""
        status = _status(None, future=style.future)
        node = self._rows.get(block.row)
        if node is None:
            host = self._host(DEFINITION_DEPTH, future=style.future)
            node = self._below(host, Kind.ROW, host.depth + 1, status, future=style.future)
            self._rows[block.row] = node
        channel = _CELL_CHANNELS.get(style.role, Channel.BODY)
        self._out.emit(self._pieces(block, text, 0, node, status, channel))
        if style.role is Role.SECTION and _numbers.section_label(text, _bold(block)):
            self._out.anomaly("opener_in_table", "a section number stands in a table cell", text)

    def _owner(self) -> Node | None:
        """The section that precedes, for notes and history; else what the frame has."""
        frame = self._frame
        return frame.section or frame.node or frame.preamble or frame.part

    def _beside(self, channel: Channel, style: Style, text: str) -> None:
        owner = self._owner()
        status = _status(None, future=style.future)
        if owner is None:
            self._out.emit([(Channel.FRONT, text, -1, status)])
        else:
            self._out.emit([(channel, text, owner.index, status)])

    def _note(self, block: Block, style: Style, text: str) -> None:  # noqa: ARG002 - one shape
        self._beside(Channel.NOTE, style, text)

    def _history(self, block: Block, style: Style, text: str) -> None:
        if text.startswith(_DOCUMENT_HISTORY):
            self._front_block(block, style, text)
        else:
            self._beside(Channel.HISTORY, style, text)

    def _front_block(self, block: Block, style: Style, text: str) -> None:  # noqa: ARG002
        self._front.append((style.name, text))
        self._out.emit([(Channel.FRONT, text, -1, Status.IN_FORCE)])

    def _contents_block(self, block: Block, style: Style, text: str) -> None:
        self._contents.append(block)
        status = _status(None, future=style.future)
        self._out.emit([(Channel.CONTENTS, text, -1, status)])

    # -- headnotes -----------------------------------------------------------------------------

    def _headnote(self, block: Block, style: Style, text: str) -> None:  # noqa: ARG002
        self._leave_table()
        status = _status(None, future=style.future)
        segment = self._out.emit([(Channel.HEADNOTE, text, -1, status)])
        self._waiting[style.future].append((segment, self._owner()))

    def _bind(self, node: Node) -> None:
        """Give the waiting headnotes of a status to the section or subsection that opens."""
        waiting = self._waiting[node.future]
        for segment, _ in waiting:
            self._out.rebind(segment, node.index)
            node.headings.append(self._out.segment_text(segment))
        waiting.clear()

    def _strand(self, *, future: bool) -> None:
        """Leave headnotes that nothing takes with the section they were printed in, loudly."""
        waiting = self._waiting[future]
        for segment, owner in waiting:
            owner = owner or self._owner() or self._root()
            self._out.rebind(segment, owner.index)
            text = self._out.segment_text(segment)
            self._out.anomaly(
                "pending_headnote", "a marginal note that nothing takes", text, segment=segment
            )
        waiting.clear()

    # -- headings and frames -------------------------------------------------------------------

    def _headed(self, block: Block, text: str, node: Node, title: Title | None) -> None:
        """Emit a title; what stands after its number is the provision's heading."""
        pieces = self._pieces(block, text, 0, node, node.status, Channel.HEADING)
        self._out.emit(pieces)
        words = " ".join(p[1] for p in pieces if p[0] is Channel.HEADING)
        if title is not None:
            words = words[title.end :].strip(" :.–—-")
        if words:
            node.headings.append(words)

    def _strand_all(self) -> None:
        self._strand(future=False)
        self._strand(future=True)

    def _part(self, block: Block, style: Style, text: str) -> None:
        self._strand_all()
        self._leave_table()
        frame = self._frame
        title = part_of(text)
        node = self._group(Kind.PART, block, style, text, title)
        node.parent = -1 if frame.node is None else frame.node.index
        frame.part = node
        if title is None:
            self._out.anomaly("unmatched_opener", "a Part without a number", text)
        elif self._twice(node, title.number):
            self._out.anomaly("duplicate_number", f"Part {title.number} comes twice here", text)

    def _heading(self, block: Block, style: Style, text: str) -> None:
        self._strand_all()
        if len(self._frames) == 2:  # a table of the body ends at its next heading
            self._leave_table()
        self._group(Kind.HEADING, block, style, text, None)

    def _group(
        self, kind: Kind, block: Block, style: Style, text: str, title: Title | None
    ) -> Node:
        stub = stub_status(block, text, _skip(text, title.end)) if title else None
        node = self._out.node(
            kind,
            parent=self._frame.holder if kind is Kind.HEADING else self._frame.node,
            depth=0,
            section="",
            context=self._frame.context,
            status=_status(stub, future=style.future),
            label=text[: title.end] if title else "",
            number=title.number if title else "",
            future=style.future,
        )
        self._headed(block, text, node, title)
        return node

    def _title(self, block: Block, style: Style, text: str) -> None:
        frame = self._frame
        title = title_of(text, style.name)
        if frame.title_open and frame.node and (title is None or title.end == 0):
            self._headed(block, text, frame.node, None)
        elif title is None:
            self._heading(block, style, text)
        else:
            self._enter(block, style, text, title)

    def _enter(self, block: Block, style: Style, text: str, title: Title) -> None:
        """Open a schedule, a form or a titled table: numbering starts anew."""
        self._strand_all()
        self._leave_table()
        if title.kind is not Kind.TABLE:
            del self._frames[1:]
        outer = self._frames[-1]
        place = locator(outer, title)
        count = self._titles[place] = self._titles.get(place, 0) + 1
        if count > 1:
            place = f"{place}~{count}"
        stub = stub_status(block, text, _skip(text, title.end))
        node = self._out.node(
            title.kind,
            parent=outer.holder if title.kind is Kind.TABLE else None,
            depth=0,
            section=place,
            context=context_of(title.kind),
            status=_status(stub, future=style.future),
            label=text[: title.end],
            number=title.number,
            future=style.future,
        )
        self._headed(block, text, node, title)
        if count > 1:
            self._out.anomaly("duplicate_number", f"{place} is the {count}th of its name", text)
        self._frames.append(Frame(node, place, node.context, title_open=True))
        self._frame = self._frames[-1]

    def _leave_table(self) -> None:
        """A titled table ends where the section that it interrupts goes on."""
        if self._frame.context is Context.TABLE:
            self._frames.pop()
            self._frame = self._frames[-1]


def _status(stub: Status | None, *, future: bool) -> Status:
    """Future text is not in force in every context, a future stub included."""
    if future:
        return Status.NOT_IN_FORCE
    return stub or Status.IN_FORCE


def _skip(text: str, at: int) -> int:
    """Past the one space that may follow a marker."""
    return at + 1 if text[at : at + 1] == " " else at


def _bold(block: Block) -> list[tuple[int, int]]:
    """Bold spans in the block's canonical text."""
    return [
        (canonical_offset(block.raw, start), canonical_offset(block.raw, end))
        for start, end, bits in block.styles
        if bits & BOLD
    ]


def _starts_italic(block: Block) -> bool:
    first = len(block.raw) - len(block.raw.lstrip())
    return any(bits & ITALIC and start <= first < end for start, end, bits in block.styles)


def _only_image(block: Block) -> bool:
    """Whether nothing but placeholders is visible in a block."""
    shown = sum(e - s for s, e, bits in block.styles if bits & PLACEHOLDER)
    return shown > 0 and shown == len(block.raw.strip())


def _marked_citation(block: Block) -> int | None:
    """Where a tail that the publisher marked as citations begins in the canonical text."""
    at = len(block.raw)
    begin = None
    for start, end, bits in reversed(block.styles):
        if bits & CITATION:
            if block.raw[end:at].strip(" ;,.\t\r\n\xa0"):
                break
            begin = at = start
    return None if begin is None else canonical_offset(block.raw, begin)


def _term(text: str) -> str:
    """The first defined term, for the pid."""
    head = text.lstrip(_QUOTES)[:60]
    for close in '”»"’':
        head = head.partition(close)[0]
    return " ".join(head.split()[:6])
