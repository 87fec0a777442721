"""The state machine: one stream of printed paragraphs in, one Reading out.

All hierarchy of e-Laws is in the class and the printed number; nothing nests in the markup. What
a block means is decided here, as ``docs/reading-elaws.md`` says it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from corpusguard.errors import Unreadable
from corpusguard.model import Channel, Kind, Status

from . import _contents, _identity, _numbers
from ._classes import DEFINITION_DEPTH, Role, style_of
from ._openers import Openers
from ._state import Line, State
from ._text import Block, Stream, canonical, is_plain, suspect_characters
from ._titles import Titles

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from corpusguard.model import ContentsEntry, Identity, Reading, Rendition

    from ._tree import Node

_SITE_LINKS: Final = frozenset(
    {"français", "english", "back to top", "retour au début", "haut de la page"}
)
_DOCUMENT_HISTORY: Final = ("Legislative History", "Historique législatif")
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
        self._state = State()
        self._out = self._state.out
        self._openers = Openers(self._state)
        self._titles = Titles(self._state)
        self._front: list[tuple[str, str]] = []
        self._contents: list[Block] = []
        self._rows: dict[int, Node] = {}
        self._handlers: dict[Role, Callable[[Line], None]] = {
            Role.SECTION: self._section,
            Role.SUBSECTION: self._subsection,
            Role.ITEM: self._item,
            Role.DEFINITION: self._definition,
            Role.FLUSH: self._flush_or_opener,
            Role.QUOTED: self._quoted,
            Role.EQUATION: self._flush,
            Role.HEADNOTE: self._headnote,
            Role.PART: self._titles.part,
            Role.HEADING: self._titles.heading,
            Role.TITLE: self._titles.title,
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
        whole = "".join([b.raw for b in stream.blocks])
        suspicious = bool(suspect_characters(whole))
        plain = is_plain(whole)
        for block in stream.blocks:
            text = " ".join(block.raw.split()) if plain else canonical(block.raw)
            if text:
                self._block(Line(block, style_of(block.css), text), block.table in tables)
                if suspicious and (found := suspect_characters(block.raw)):
                    self._out.anomaly("suspect_character", f"the text holds {found}", text)
        self._state.strand_all()
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

    def _block(self, line: Line, contents: bool) -> None:  # noqa: FBT001 - asked of every block
        """Place one block and record what is odd about it."""
        block, style, text = line
        role = style.role
        if contents or role is Role.CONTENTS:
            self._contents_block(line)
            if role not in {Role.CONTENTS, Role.CELL, Role.PLAIN}:
                self._out.anomaly("unknown_class", f"{block.css!r} in the contents table", text)
        elif block.row and role is not Role.FRONT:
            self._cell(line)
        else:
            self._handlers[role](line)
            if role is not Role.TITLE and role is not Role.FRONT:
                self._state.frame.title_open = False
        if not style.known:
            self._out.anomaly("unknown_class", f"the class {block.css[:80]!r} is not known", text)
        for kind, message in block.complaints:
            self._out.anomaly(kind, message, text)

    # -- provisions ----------------------------------------------------------------------------

    def _section(self, line: Line) -> None:
        if self._openers.section(line) or self._openers.numbered(line, dotted=False):
            return
        self._flush(line)
        if line.text[0].isdigit():
            self._out.anomaly(
                "unmatched_opener", "a section begins with a number not in bold", line.text
            )

    def _subsection(self, line: Line) -> None:
        if not self._openers.numbered(line):
            self._flush(line)
            self._out.anomaly("unmatched_opener", "a subsection without a number", line.text)

    def _item(self, line: Line) -> None:
        depth = line.style.depth
        if not self._openers.numbered(line, depth):
            self._flush(line, depth - 1)
            self._out.anomaly("unmatched_opener", "an item without a number", line.text)

    def _definition(self, line: Line) -> None:
        if line.text[0] == "(" and self._openers.numbered(line):
            return  # "(a)" in italics is no term
        if self._openers.definition(line) or self._openers.numbered(line):
            return
        frame = self._state.frame
        continues = any(n.kind is Kind.DEFINITION for n in (*frame.path, *frame.future))
        self._flush(line)
        if not continues:
            self._out.anomaly("unmatched_opener", "a definition without a term", line.text)

    # -- text that opens nothing ---------------------------------------------------------------

    def _flush_or_opener(self, line: Line) -> None:
        """Flush text; but a number at its head opens a provision whatever the class says."""
        if not (line.style.name.startswith("S") and self._openers.numbered(line)):
            self._flush(line)

    def _flush(self, line: Line, depth: int | None = None) -> None:
        style = line.style
        host = self._state.host(style.depth if depth is None else depth, future=style.future)
        kind = Kind.EQUATION if style.role is Role.EQUATION else Kind.FLUSH
        if kind is Kind.FLUSH and line.only_image():
            kind = Kind.IMAGE
        node = host
        if host.kind is not Kind.PREAMBLE or kind is not Kind.FLUSH or style.future:
            node = self._state.below(host, kind, host.depth + 1, line.status, future=style.future)
        self._out.emit(line.pieces(0, node, line.status))

    def _quoted(self, line: Line) -> None:
        """Text quoted inside a provision opens nothing; headnotes right above it are its own."""
        self._state.leave_above(future=line.style.future)
        self._flush(line)

    def _plain(self, line: Line) -> None:
        if line.text.lower() in _SITE_LINKS:
            self._front_block(line)
        elif not self._openers.numbered(line, dotted=False):
            self._flush(line)

    def _cell(self, line: Line) -> None:
        """A cell of a table that is no contents: words of its row, whatever number they show."""
        block, style, text = line
        self._state.frame.title_open = False
        node = self._rows.get(block.row)
        if node is None:
            host = self._state.host(DEFINITION_DEPTH, future=style.future)
            node = self._state.below(
                host, Kind.ROW, host.depth + 1, line.status, future=style.future
            )
            self._rows[block.row] = node
        channel = _CELL_CHANNELS.get(style.role, Channel.BODY)
        self._out.emit(line.pieces(0, node, line.status, channel))
        if style.role is Role.SECTION and _numbers.section_label(text, line.bold()):
            self._out.anomaly("opener_in_table", "a section number stands in a table cell", text)

    def _headnote(self, line: Line) -> None:
        segment = self._out.emit([(Channel.HEADNOTE, line.text, -1, line.status)])
        self._state.wait(segment, future=line.style.future)

    def _beside(self, channel: Channel, line: Line) -> None:
        """Notes and history: with the section that precedes; before all law, in no place."""
        owner = self._state.owner()
        index = -1 if owner is None else owner.index
        self._out.emit([(channel, line.text, index, line.status)])

    def _note(self, line: Line) -> None:
        self._beside(Channel.NOTE, line)

    def _history(self, line: Line) -> None:
        if line.text.startswith(_DOCUMENT_HISTORY):
            self._front_block(line)
        else:
            self._beside(Channel.HISTORY, line)

    def _front_block(self, line: Line) -> None:
        self._front.append((line.style.name, line.text))
        self._out.emit([(Channel.FRONT, line.text, -1, Status.IN_FORCE)])

    def _contents_block(self, line: Line) -> None:
        self._contents.append(line.block)
        self._out.emit([(Channel.CONTENTS, line.text, -1, line.status)])
