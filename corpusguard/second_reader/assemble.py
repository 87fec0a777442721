"""From printed paragraphs to blocks with roles, section locators and statuses.

One pass over the document in print order; the state is the context (body, schedule, form, table),
the section that precedes, and the headnotes that wait for the provision they belong to.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from corpusguard.second_reader import inventory, policy
from corpusguard.second_reader.complaint import Problems, cut
from corpusguard.second_reader.words import (
    Lead,
    citation_start,
    covered,
    gone_title,
    lead,
    ordered,
    stub,
    title_citation_start,
)

if TYPE_CHECKING:
    from corpusguard.second_reader.paragraphs import Paragraph

Run = tuple[str, str]
Block = tuple[str | None, str, list[Run]]

_UNIT: Final = re.compile(
    r"(schedule|annexe|form|formule|table|tableau)\b\.?"
    # letters are a number only alone and of one case: "Schedule IV", not "Schedule Oils"
    r"(?:\s(\d{1,4}(?:\.\d{1,4}){0,4}[A-Z]?"
    r"|(?-i:[A-Z]{1,2}|[IVXLC]{1,7}|[ivxlc]{1,7}|[a-z])(?=\s*(?:$|[(:.,\u2013\u2014-]))))?",
    re.IGNORECASE,
)
_UNIT_NAMES: Final = {
    "schedule": "Sched.",
    "annexe": "Sched.",
    "form": "Form",
    "formule": "Form",
    "table": "Table",
    "tableau": "Table",
}
_BY_CLASS: Final = {
    "schedule": "Sched.",
    "scheduleRevoked": "Sched.",
    "form": "Form",
    "formRevoked": "Form",
}
_LINKS: Final = frozenset({"Français", "English", "Back to top", "Haut de la page", "Top"})
_DOCUMENT_HISTORY: Final = ("Legislative History", "Historique législatif", "Historique :")
_NUMBERED: Final = frozenset({policy.OPENER, policy.SUBSECTION, policy.ITEM, policy.LOOSE})

_MOST_WAITING: Final = 100

IN_FORCE: Final = "in_force"
NOT_IN_FORCE: Final = "not_in_force"
GONE: Final = "gone"


class Assembler:
    """Builds the result of one document; use once."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.blocks: list[Block] = []
        self.sections: list[dict[str, Any]] = []
        self._styles: dict[str, policy.Style] = {}
        self._said: set[str] = set()
        self._unit = ""
        self._table = ""
        self._current = ""
        self._current_future = False
        self._in_force = "Preamble"  # where numbered text in force goes on after future text
        self._host = ("", False)  # what the titled table interrupts
        self._title_end = -1
        self._seen: dict[tuple[str, bool], int] = {}
        self._last_number: dict[tuple[str, bool], tuple[int, ...]] = {}
        self._waiting: list[tuple[int, bool]] = []

    def run(self, paragraphs: list[Paragraph]) -> dict[str, Any]:
        """Places every paragraph.

        Args:
            paragraphs: All printed paragraphs in document order.

        Returns:
            ``blocks``, ``sections``, ``gaps`` and ``contents`` of the result.
        """
        styles = [self._style(p.style) for p in paragraphs]
        contents_tables = _contents_tables(paragraphs, styles)
        rows: list[tuple[int, str, str, bool]] = []
        for paragraph, style in zip(paragraphs, styles, strict=True):
            kind = style.kind
            if paragraph.footnote:
                self._emit(self._current, IN_FORCE, [("note", paragraph.text)], paragraph)
            elif kind == policy.CONTENTS or paragraph.table in contents_tables:
                status = NOT_IN_FORCE if style.future else IN_FORCE
                self._emit("", status, [("contents", paragraph.text)], paragraph)
                rows.append((paragraph.row, style.name, paragraph.text, style.future))
            elif kind == policy.FRONT:
                self._emit("", IN_FORCE, [("front", paragraph.text)], paragraph)
            elif kind == policy.LOOSE:
                self._loose(paragraph, style)
            elif kind == policy.HISTORY:
                self._history(paragraph, style)
            elif kind == policy.NOTE:
                self._emit(self._current, _status(style), [("note", paragraph.text)], paragraph)
            elif kind == policy.HEADNOTE:
                if len(self._waiting) > _MOST_WAITING:
                    self._drop_waiting("a hundred other headnotes")
                self._waiting.append((len(self.blocks), style.future))
                runs = [("headnote", paragraph.text)]
                self._emit(self._current, _status(style), runs, paragraph)
            elif kind == policy.HEADING:
                self._heading(paragraph, style, "")
            elif kind == policy.UNIT:
                self._open_unit(paragraph, style)
            else:
                self._law(paragraph, style)
        self._drop_waiting("the end of the document")
        inventory.settle(self.sections, self.blocks)
        return {
            "blocks": self.blocks,
            "sections": self.sections,
            "gaps": inventory.gaps(self.sections, self.problems),
            "contents": inventory.contents(rows),
        }

    def _style(self, attribute: str) -> policy.Style:
        style = self._styles.get(attribute)
        if style is None:
            style = self._styles[attribute] = policy.resolve(attribute)
            if style.complaint:
                self.problems.add(style.complaint)
        return style

    def _emit(self, section: str, status: str, runs: list[Run], paragraph: Paragraph) -> None:
        if paragraph.images:
            runs = _with_images(runs, paragraph)
        self.blocks.append((section, status, [run for run in runs if run[1]]))

    def _loose(self, paragraph: Paragraph, style: policy.Style) -> None:
        """Text in an unclassed paragraph: links of the page, or words without a name."""
        if paragraph.text in _LINKS:
            self._emit("", IN_FORCE, [("front", paragraph.text)], paragraph)
            return
        self.problems.add(f"text in a paragraph without a known class: {cut(paragraph.text)!r}")
        self._law(paragraph, style)

    def _history(self, paragraph: Paragraph, style: policy.Style) -> None:
        if paragraph.text.startswith(_DOCUMENT_HISTORY):
            self._emit("", IN_FORCE, [("front", paragraph.text)], paragraph)
        else:
            self._emit(self._current, _status(style), [("history", paragraph.text)], paragraph)

    def _heading(self, paragraph: Paragraph, style: policy.Style, section: str) -> None:
        self._drop_waiting(f"the heading {cut(paragraph.text, 40)!r}")
        if not section and self._table and self._current == self._table:
            # A group heading ends a titled table; what follows goes on around it.
            self._table = ""
            self._current, self._current_future = self._host
        text = paragraph.text
        end = title_citation_start(text, marked=paragraph.cited)
        runs = [("heading", text[:end].rstrip()), ("history", text[end:])]
        status = NOT_IN_FORCE if style.future else GONE if gone_title(text) else IN_FORCE
        self._emit(section, status, runs, paragraph)

    def _open_unit(self, paragraph: Paragraph, style: policy.Style) -> None:
        """A schedule, form or titled table begins; numbering restarts."""
        found = _UNIT.match(paragraph.first_line)
        if found:
            name = _UNIT_NAMES[found[1].lower()]
            locator = f"{name} {found[2]}" if found[2] else name
        elif len(self.blocks) == self._title_end:  # a further line of the title right above
            self._heading(paragraph, style, self._current)
            self._title_end = len(self.blocks)
            return
        elif style.name in _BY_CLASS:
            name = locator = _BY_CLASS[style.name]
            self.problems.add(f"{name} without its word: {cut(paragraph.text)!r}")
        else:
            self._heading(paragraph, style, "")
            return
        if name != "Table":
            self._unit = self._in_force = self._unique(locator, style.future)
            self._table = ""
        else:
            if not self._table:
                self._host = (self._current, self._current_future)
            inside = f"{self._unit}, {locator}" if self._unit else locator
            self._table = self._unique(inside, style.future)
        self._current = self._table or self._unit
        self._current_future = style.future
        self._heading(paragraph, style, self._current)
        self._title_end = len(self.blocks)

    def _unique(self, locator: str, future: bool) -> str:  # noqa: FBT001 (status, not a switch)
        count = self._seen[(locator, future)] = self._seen.get((locator, future), 0) + 1
        if count == 1:
            return locator
        self.problems.add(f"duplicate number {locator!r}, occurrence {count}")
        return f"{locator}~{count}"

    def _law(self, paragraph: Paragraph, style: policy.Style) -> None:
        """Words of the law, with or without a number at their head."""
        text, kind = paragraph.text, style.kind
        head = Lead((), "", 0, subsection=False)
        opens = kind == policy.OPENER
        if kind in _NUMBERED and not paragraph.table:  # a number in a table cell opens nothing
            head = lead(text, paragraph.bold, opens=opens, items=not (opens and text[:1] != "("))
        if opens and not head.markers and text[:1].isdigit():
            self.problems.add(f"a number that opens no section: {cut(text)!r}")
        gone = stub(text, head.rest, opener=bool(head.section)) if head.markers else None
        status = NOT_IN_FORCE if style.future else GONE if gone else IN_FORCE
        if head.section:
            if not paragraph.bold:
                self.problems.add(f"section number that is not bold: {cut(text)!r}")
            self._open_section(text, head, status)
        elif head.markers:
            self._resume(status, text)
        if not self._current and text:
            self._current = "Preamble"
            if head.subsection:
                self.problems.add(f"subsection before any section: {cut(text)!r}")
        if head.subsection and not head.section:
            self._bind(status, text, takes_none=status == GONE)
        if kind == policy.QUOTATION:
            self._release(future=style.future)
        end = len(text)
        if text:
            end = citation_start(text, head.rest, marked=paragraph.cited)
        runs = [("marker", text[a:b]) for a, b in head.markers]
        runs += [("body", text[head.rest : end].rstrip()), ("history", text[end:])]
        self._emit(self._current, status, runs, paragraph)

    def _open_section(self, text: str, head: Lead, status: str) -> None:
        printed = head.section
        number = re.sub(r"\.$", "", printed)
        cover = covered(printed)
        future = status == NOT_IN_FORCE
        place = self._unit
        # A titled table holds rows, not sections; only a number that starts again belongs to it.
        last = self._last_number.get((place, future), ())
        if self._table and ordered(cover.numbers[0]) < last:
            place = self._table
        else:
            self._table = ""
        self._last_number[(place, future)] = ordered(cover.numbers[-1])
        locator = self._unique(f"{place}, {number}" if place else number, future)
        self._current, self._current_future = locator, future
        if not future:
            self._in_force = locator
        # "98 (1)-(3) Omitted" opens a section of which other subsections live.
        whole_stub = status == GONE and not head.subsection
        self._bind(status, text, takes_none=whole_stub)
        self.sections.append(
            {
                "number": locator,
                "printed": printed,
                "status": status,
                "covers": cover.numbers,
                "unknown_between": cover.unknown,
                "block": len(self.blocks),
                "partial": head.subsection or head.rest >= len(text),
            }
        )

    def _resume(self, status: str, text: str) -> None:
        """Numbered text below a section goes on with the section that it can belong to.

        A titled table only interrupts its section, and a future section is not yet there for
        text in force.
        """
        if self._table and self._current == self._table:
            self._table = ""
            self._current, self._current_future = self._host
        if self._current_future and status != NOT_IN_FORCE:
            self.problems.add(f"{cut(text, 40)!r} in force follows future {self._current!r}")
            self._current, self._current_future = self._in_force, False

    def _bind(self, status: str, text: str, *, takes_none: bool) -> None:
        """Gives the waiting headnotes of a status to the provision that opens now."""
        if not self._waiting:
            return
        future = status == NOT_IN_FORCE
        if takes_none:
            self._drop_waiting(f"the stub {cut(text, 40)!r}", future=False)
            return
        for block, headnote_future in self._waiting:
            if headnote_future == future:
                _, printed_status, runs = self.blocks[block]
                self.blocks[block] = (self._current, printed_status, runs)
        self._waiting = [item for item in self._waiting if item[1] != future]

    def _release(self, *, future: bool) -> None:
        """Takes headnotes printed right above a quotation off the list: they are part of it."""
        block = len(self.blocks) - 1
        while self._waiting and self._waiting[-1] == (block, future):
            self._waiting.pop()
            block -= 1

    def _drop_waiting(self, where: str, *, future: bool | None = None) -> None:
        kept = []
        for block, headnote_future in self._waiting:
            if future is not None and headnote_future != future:
                kept.append((block, headnote_future))
                continue
            text = self.blocks[block][2][0][1]
            self.problems.add(f"headnote {cut(text)!r} still waits at {where}")
        self._waiting = kept


def _contents_tables(paragraphs: list[Paragraph], styles: list[policy.Style]) -> set[int]:
    """Finds the tables that are the publisher's contents.

    Their cells have the class of any table's cells; what tells them is a cell of a contents
    class, or the contents heading right before the table.
    """
    found: set[int] = set()
    after_heading = False
    for paragraph, style in zip(paragraphs, styles, strict=True):
        if paragraph.table and (after_heading or style.kind == policy.CONTENTS):
            found.add(paragraph.table)
        after_heading = style.name == "toc"
    return found


def _status(style: policy.Style) -> str:
    return NOT_IN_FORCE if style.future else IN_FORCE


def _with_images(runs: list[Run], paragraph: Paragraph) -> list[Run]:
    """Puts placeholders where the images stand, splitting the run that they fall in."""
    word = "equation" if "equation" in paragraph.style else "image"
    out: list[Run] = []
    at = 0
    images = list(paragraph.images)
    for role, text in runs:
        start = paragraph.text.find(text, at) if text else at
        while images and images[0][0] <= start + len(text):
            offset, alt = images.pop(0)
            split = max(0, offset - start)
            out.append((role, text[:split].rstrip()))
            out.append(("placeholder", f"[{word}: {alt}]" if alt else f"[{word}]"))
            rest = text[split:]
            start += len(text) - len(rest.lstrip())
            text = rest.lstrip()  # noqa: PLW2901 (the run is consumed piece by piece)
        out.append((role, text))
        at = start + len(text)
    out += [("placeholder", f"[{word}: {alt}]" if alt else f"[{word}]") for _, alt in images]
    return out
