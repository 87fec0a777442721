"""Parts, group headings, and the titles of schedules, forms and tables, which open frames."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpusguard.model import Channel, Kind, Status

from ._frames import (
    Frame,
    Title,
    context_of,
    heading_status,
    locator,
    part_of,
    stub_status,
    title_of,
)

if TYPE_CHECKING:
    from ._state import Line, State
    from ._tree import Node


class Titles:
    """Opens groups and frames in a shared state."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._out = state.out
        self._places: dict[str, int] = {}

    def part(self, line: Line) -> None:
        """Open a Part."""
        state = self._state
        state.strand_all()
        state.leave_table()
        title = part_of(line.text)
        frame = state.frame
        node = self._group(Kind.PART, line, frame.node, title)
        frame.part = node
        if title is None:
            self._out.anomaly("unmatched_opener", "a Part without a number", line.text)
        elif state.twice(node, title.number):
            self._out.anomaly(
                "duplicate_number", f"Part {title.number} comes twice here", line.text
            )

    def heading(self, line: Line) -> None:
        """A group heading, which no section hangs below."""
        state = self._state
        state.strand_all()
        state.leave_table()
        self._group(Kind.HEADING, line, state.frame.holder, None)

    def title(self, line: Line) -> None:
        """The title of a schedule, form or table, a further line of it, or a mere heading."""
        frame = self._state.frame
        title = title_of(line.text, line.style.name)
        if frame.title_open and frame.node and (title is None or title.end == 0):
            self._headed(line, frame.node, None, _words_status(line))
        elif title is None:
            self.heading(line)
        else:
            self._enter(line, title)

    def _enter(self, line: Line, title: Title) -> None:
        """Open a schedule, a form or a titled table: numbering starts anew."""
        state = self._state
        state.strand_all()
        state.leave_table()
        if title.kind is not Kind.TABLE:
            del state.frames[1:]
        outer = state.frames[-1]
        place = locator(outer, title)
        count = self._places[place] = self._places.get(place, 0) + 1
        place = place if count == 1 else f"{place}~{count}"
        node = self._out.node(
            title.kind,
            parent=outer.holder if title.kind is Kind.TABLE else None,
            depth=0,
            section=place,
            context=context_of(title.kind),
            status=_status(line, title.end),
            label=line.text[: title.end],
            number=title.number,
            future=line.style.future,
        )
        self._headed(line, node, title, node.status)
        if count > 1:
            self._out.anomaly(
                "duplicate_number", f"{place} is the {count}th of its name", line.text
            )
        state.frame = Frame(node, place, node.context, title_open=True)
        state.frames.append(state.frame)

    def _group(self, kind: Kind, line: Line, parent: Node | None, title: Title | None) -> Node:
        node = self._out.node(
            kind,
            parent=parent,
            depth=0,
            section="",
            context=self._state.frame.context,
            status=_status(line, title.end) if title else _words_status(line),
            label=line.text[: title.end] if title else "",
            number=title.number if title else "",
            future=line.style.future,
        )
        self._headed(line, node, title, node.status)
        return node

    def _headed(self, line: Line, node: Node, title: Title | None, status: Status) -> None:
        """Emit a title; what stands after its number is the provision's heading."""
        pieces = line.pieces(0, node, status, Channel.HEADING)
        self._out.emit(pieces)
        words = " ".join(p[1] for p in pieces if p[0] is Channel.HEADING)
        if title is not None:
            words = words[title.end :].strip(" :.–—-")
        if words:
            node.headings.append(words)


def _status(line: Line, at: int) -> Status:
    """Future by class, else gone if the words after the number say so: "PART VIII (omitted)"."""
    if line.style.future:
        return line.status
    at += line.text[at : at + 1] == " "
    return stub_status(line.block, line.text, at) or line.status


def _words_status(line: Line) -> Status:
    """Gone if there is but a stub: "Repealed, revoked and spent Acts" may head law in force."""
    if line.style.future:
        return line.status
    return heading_status(line.text[: line.citation_start(0)]) or line.status
