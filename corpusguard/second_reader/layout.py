"""From the printed lines of a PDF to blocks: reading order, furniture, footnotes, paragraphs."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, Any, Final

from corpusguard.second_reader import inventory
from corpusguard.second_reader.words import (
    canon,
    citation_start,
    covered,
    gone_title,
    is_citation_list,
    lead,
    stub,
    title_citation_start,
    whole,
)

if TYPE_CHECKING:
    from corpusguard.second_reader.complaint import Problems

_MARGIN: Final = 0.12
"""Share of the page height in which running heads and feet are looked for."""
_DIGITS: Final = re.compile(r"\d+")
_PAGE_WORDS: Final = re.compile(
    r"(?:[-–—]?\s?)(?:(?:page|seite|p\.)\s)?[#ivxlc]+(?:\s(?:of|von|de|/)\s#)?(?:\s?[-–—])?",
    re.IGNORECASE,
)
_NOTE_LEAD: Final = re.compile(r"(?:\(\d{1,3}\)|\d{1,3}|\*+|[†‡§])\s?(?=\S)")
_LEADERS: Final = re.compile(r"(?:\.\s?){4,}\s?[\divxlc]+$")
_ENDS: Final = re.compile(r"[.;:!?”“»)\]]$")
_BROKEN: Final = re.compile(r"(\w+)[-\u2010]$")
_CONJUNCTIONS: Final = frozenset("und oder bzw sowie bis and or et ou to nor".split())


@dataclass(frozen=True, slots=True)
class Line:
    """A printed line, coordinates in points from the page's lower left corner."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float
    width: float
    """Of the page."""
    height: float
    """Of the page."""
    size: float
    text: str
    bold: str
    """Its leading bold words."""
    soft: bool
    """Whether it ends with a soft hyphen."""


def arrange(pages: list[list[Line]], problems: Problems) -> dict[str, Any]:
    """Puts all lines in order and cuts them into blocks.

    Returns:
        The result of the reader but for ``rendition`` and ``problems``.
    """
    ordered = [_rows(_reading_order(lines)) for lines in pages]
    kept = _without_furniture(ordered)
    sizes = Counter[float]()
    for rows in kept:
        for row in rows:
            sizes[row.size] += len(row.text)
    body_size = sizes.most_common(1)[0][0] if sizes else 0.0
    words = Counter(
        word.lower() for rows in kept for row in rows for word in re.findall(r"[^\W\d_]+", row.text)
    )
    text_rows: list[list[Line]] = []
    notes: list[list[Line]] = []
    for rows in kept:
        cut_at = _footnotes_at(rows, body_size)
        text_rows.append(rows[:cut_at])
        notes.append(rows[cut_at:])
    pitch = _pitch(text_rows, body_size)
    return _Builder(body_size, pitch, words, problems).build(text_rows, notes)


def _reading_order(lines: list[Line]) -> list[Line]:
    """Sorts by line position; a page set in two columns is read column by column.

    Lines that cross the gutter (headings, tables) cut the page into bands.
    """
    lines = sorted(lines, key=lambda line: (-line.y0, line.x0))
    gutter = _gutter(lines)
    if gutter is None:
        return lines
    ordered: list[Line] = []
    band: list[Line] = []
    for line in lines:
        if line.x0 < gutter < line.x1:
            ordered += _columns(band, gutter)
            band = []
            ordered.append(line)
        else:
            band.append(line)
    return ordered + _columns(band, gutter)


def _columns(band: list[Line], gutter: float) -> list[Line]:
    left = [line for line in band if line.x1 <= gutter]
    return left + [line for line in band if line.x1 > gutter]


def _gutter(lines: list[Line]) -> float | None:
    """Where two columns meet near the middle of the page, or None.

    Both sides need wide lines: a column of numbers beside text is one column of text.
    """
    if len(lines) < 16:
        return None
    width = lines[0].width
    for step in range(-4, 5):
        x = width * (0.5 + step * 0.015)
        left = [line for line in lines if line.x1 <= x]
        right = [line for line in lines if line.x0 >= x]
        crossing = len(lines) - len(left) - len(right)
        if (
            min(len(left), len(right)) >= 8
            and crossing <= len(lines) * 0.15
            and min(_typical_width(left), _typical_width(right)) >= width * 0.25
        ):
            return x
    return None


def _typical_width(lines: list[Line]) -> float:
    return median([line.x1 - line.x0 for line in lines])


def _rows(lines: list[Line]) -> list[Line]:
    """Joins pieces that stand on one base line, left to right; keeps column order."""
    rows: list[list[Line]] = []
    for line in lines:
        if rows and _same_row(rows[-1][0], line):
            rows[-1].append(line)
        else:
            rows.append([line])
    return [_join_row(sorted(row, key=lambda line: line.x0)) for row in rows]


def _same_row(first: Line, line: Line) -> bool:
    overlap = min(first.y1, line.y1) - max(first.y0, line.y0)
    return overlap > 0.5 * min(first.y1 - first.y0, line.y1 - line.y0)


def _join_row(row: list[Line]) -> Line:
    if len(row) == 1:
        return row[0]
    first, last = row[0], row[-1]
    largest = max(row, key=lambda line: len(line.text))
    bold = first.bold
    if first.bold == first.text:
        bold = canon(f"{first.bold} {row[1].bold}")
    return Line(
        first.page,
        first.x0,
        min(line.y0 for line in row),
        max(line.x1 for line in row),
        max(line.y1 for line in row),
        first.width,
        first.height,
        largest.size,
        canon(" ".join([line.text for line in row])),
        bold,
        last.soft,
    )


def _furniture_key(row: Line) -> str:
    return _DIGITS.sub("#", row.text)


def _without_furniture(pages: list[list[Line]]) -> list[list[Line]]:
    """Removes running heads, feet and page numbers.

    A row is furniture where, digits aside, its words come in the same margin of two fifths of the
    pages (odd and even pages may differ, so their mirrored parts are compared as sorted words).
    """
    seen: Counter[tuple[bool, str]] = Counter()
    for rows in pages:
        seen.update({key for row in rows if (key := _margin_key(row)) is not None})
    enough = max(2, -(-len(pages) * 2 // 5))
    return [
        [
            row
            for row in rows
            if (key := _margin_key(row)) is None
            or not (seen[key] >= enough or _PAGE_WORDS.fullmatch(key[1]))
        ]
        for rows in pages
    ]


def _margin_key(row: Line) -> tuple[bool, str] | None:
    top = row.y0 > row.height * (1 - _MARGIN)
    if not top and row.y1 > row.height * _MARGIN:
        return None
    return top, " ".join(sorted(_furniture_key(row).split()))


def _footnotes_at(rows: list[Line], body_size: float) -> int:
    """Index of the first footnote row: smaller type down to the foot of the page, with a lead."""
    start = len(rows)
    while start and rows[start - 1].size < body_size - 0.6:
        start -= 1
    while start < len(rows):
        above = rows[start - 1].y0 - rows[start].y1 if start else 0
        if _NOTE_LEAD.match(rows[start].text) and above >= 0:
            return start
        start += 1
    return start


def _pitch(pages: list[list[Line]], body_size: float) -> float:
    """The usual distance between base lines, in points; wider steps part paragraphs."""
    steps = Counter(
        round((above.y0 - below.y0) * 2) / 2
        for rows in pages
        for above, below in pairwise(rows)
        if 0 < above.y0 - below.y0 < 1.6 * body_size
    )
    return steps.most_common(1)[0][0] if steps else 1.2 * body_size


class _Builder:
    """Cuts ordered rows into paragraphs and gives them roles; use once."""

    def __init__(
        self, body_size: float, pitch: float, words: Counter[str], problems: Problems
    ) -> None:
        self._body_size = body_size
        self._pitch = pitch
        self._words = words
        self._problems = problems
        self._blocks: list[tuple[str | None, str, list[tuple[str, str]]]] = []
        self._sections: list[dict[str, Any]] = []
        self._seen: Counter[str] = Counter()
        self._section: str | None = None
        self._last = 0

    def build(self, pages: list[list[Line]], notes: list[list[Line]]) -> dict[str, Any]:
        """Returns blocks, sections, gaps, contents, title and code."""
        pending: list[Line] = []
        pending_notes: list[Line] = []
        for rows, foot in zip(pages, notes, strict=True):
            for row in rows:
                if pending and not self._continues(pending[-1], row):
                    self._close(pending, pending_notes)
                    pending, pending_notes = [], []
                pending.append(row)
            pending_notes += foot
        self._close(pending, pending_notes)
        inventory.settle(self._sections, self._blocks)
        return {
            "title": _title(pages),
            "code": "",
            "blocks": self._blocks,
            "sections": self._sections,
            "gaps": inventory.gaps(self._sections, self._problems),
            "contents": [],
        }

    def _continues(self, above: Line, row: Line) -> bool:
        if above.page != row.page or row.y0 > above.y0:  # next page, next column
            return not _ENDS.search(above.text) and abs(above.size - row.size) < 0.6
        if above.y0 - row.y0 > self._pitch * 1.25 or abs(above.size - row.size) >= 0.6:
            return False
        if (above.bold == above.text) != (row.bold == row.text):
            return False
        return not (row.bold and row.bold[:1].isdigit() and row.bold != row.text)

    def _close(self, rows: list[Line], notes: list[Line]) -> None:
        """Emits a paragraph, then the footnotes of the pages that it ended on."""
        if rows:
            self._paragraph(self._joined(rows), rows)
        for group in _note_groups(notes):
            text = self._joined(group)
            body = _NOTE_LEAD.sub("", text, count=1)
            role = "history" if is_citation_list(body) else "note"
            self._blocks.append((self._section, "in_force", [(role, text)]))

    def _joined(self, rows: list[Line]) -> str:
        """Joins rows into running text.

        A hyphen at a line's end stays as printed, with no space after it. It goes only where it
        is soft, or where the joined word stands whole elsewhere in the document and the part
        before it does not stand alone.
        """
        text = rows[0].text
        for above, row in pairwise(rows):
            broken = _BROKEN.search(text)
            following = re.match(r"[^\W\d_]+", row.text)
            if above.soft:
                text += row.text
            elif (
                not broken
                or not following
                or not following[0][0].islower()
                or following[0] in _CONJUNCTIONS
            ):
                text += " " + row.text
            elif self._words[(broken[1] + following[0]).lower()]:
                text = text[:-1] + row.text
            else:
                text += row.text
        return canon(text)

    def _paragraph(self, text: str, rows: list[Line]) -> None:
        if _LEADERS.search(text):
            self._blocks.append(("", "in_force", [("contents", text)]))
            return
        first = rows[0]
        if all(row.bold == row.text for row in rows) or first.size > self._body_size + 0.6:
            end = title_citation_start(text)
            runs = [("heading", text[:end].rstrip()), ("history", text[end:])]
            status = "gone" if gone_title(text) else "in_force"
            self._blocks.append(("", status, [run for run in runs if run[1]]))
            return
        head = lead(text, first.bold, opens=bool(first.bold[:1].isdigit()), items=True)
        gone = "gone" if head.markers and stub(text, head.rest) else "in_force"
        if head.section:
            self._open(head.section, gone, partial=head.subsection)
        end = citation_start(text, head.rest)
        runs = [("marker", text[a:b]) for a, b in head.markers]
        runs += [("body", text[head.rest : end].rstrip()), ("history", text[end:])]
        self._blocks.append((self._section, gone, [run for run in runs if run[1]]))

    def _open(self, printed: str, status: str, *, partial: bool) -> None:
        number = printed.removesuffix(".")
        cover = covered(printed)
        if whole(number) < self._last:
            self._problems.add(f"section {number!r} goes back; numbering may have restarted")
        self._last = whole(cover.numbers[-1])
        self._seen[number] += 1
        count = self._seen[number]
        if count > 1:
            self._problems.add(f"duplicate number {number!r}, occurrence {count}")
        self._section = number if count == 1 else f"{number}~{count}"
        self._sections.append(
            {
                "number": self._section,
                "printed": printed,
                "status": status,
                "covers": cover.numbers,
                "unknown_between": cover.unknown,
                "block": len(self._blocks),
                "partial": partial,
            }
        )


def _note_groups(rows: list[Line]) -> list[list[Line]]:
    groups: list[list[Line]] = []
    for row in rows:
        if not groups or _NOTE_LEAD.match(row.text):
            groups.append([row])
        else:
            groups[-1].append(row)
    return groups


def _title(pages: list[list[Line]]) -> str:
    """The words in the largest type of the first page with text."""
    rows = next((rows for rows in pages if rows), [])
    largest = max((row.size for row in rows), default=0.0)
    return canon(" ".join([row.text for row in rows if row.size > largest - 0.5][:6]))
