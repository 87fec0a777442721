"""A printed paragraph as both the HTML and the Word half of the reader hand it on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from corpusguard.second_reader.complaint import ParseError
from corpusguard.second_reader.words import canon

BOLD: Final = 1
CITED: Final = 2
BREAK: Final = 4
IMAGE: Final = 8
MAX_IMAGES: Final = 500

Piece = tuple[str, int]
"""Raw text and its flags; an ``IMAGE`` piece holds the alternative text."""


@dataclass(slots=True)
class Paragraph:
    """One printed paragraph or table cell, text canonical."""

    style: str
    """The class attribute, or the Word style name."""
    text: str
    """Without images."""
    first_line: str
    """What stands before the first line break."""
    bold: str
    """The bold words that it begins with, or empty."""
    cited: int
    """Where the publisher's citation mark-up at its end begins, or -1."""
    images: tuple[tuple[int, str], ...]
    """Offset in ``text`` and alternative text of each image."""
    table: int
    """Number of the table that it stands in, from 1; 0 outside."""
    row: int
    """Number of the table row, unique in the document."""
    footnote: bool = False
    """Whether it is the text of a Word footnote."""


def build(style: str, pieces: list[Piece], table: int, row: int) -> Paragraph | None:
    """Makes a paragraph of its pieces; None where nothing is printed."""
    if len(pieces) == 1 and not pieces[0][1]:
        text = canon(pieces[0][0])
        return Paragraph(style, text, text, "", -1, (), table, row) if text else None
    text, images = _around_images(pieces)
    if not text and not images:
        return None
    return Paragraph(
        style,
        text,
        _first_line(pieces) or text,
        _bold_lead(pieces),
        _cited_tail(pieces, text),
        images,
        table,
        row,
    )


def _around_images(pieces: list[Piece]) -> tuple[str, tuple[tuple[int, str], ...]]:
    """The canonical text without images, and where in it each image stands.

    Raises:
        ParseError: more images than a printed paragraph can hold.
    """
    text, spaced = "", False  # spaced: white space stands between the text so far and the next
    images: list[tuple[int, str]] = []
    segment: list[str] = []
    for piece, flags in [*pieces, ("", IMAGE)]:
        if not flags & IMAGE:
            segment.append(piece)
            continue
        raw = "".join(segment)
        segment = []
        words = canon(raw)
        if words:
            gap = bool(text) and (spaced or raw[0].isspace())
            text += f" {words}" if gap else words
            spaced = raw[-1].isspace()
        else:
            spaced = spaced or bool(raw)
        images.append((len(text), canon(piece)))
        if len(images) > MAX_IMAGES:
            raise ParseError(f"a paragraph holds more than {MAX_IMAGES} images")
    return text, tuple(images[:-1])


def _first_line(pieces: list[Piece]) -> str:
    """The words before the first line break that has any before it; empty without a break."""
    line: list[str] = []
    for text, flags in pieces:
        if flags & BREAK and line:
            return canon("".join(line))
        if not flags & IMAGE and (line or text.strip()):
            line.append(text)
    return ""


def _before(pieces: list[Piece], end: int) -> str:
    return "".join([text for text, flags in pieces[:end] if not flags & IMAGE])


def _bold_lead(pieces: list[Piece]) -> str:
    """The bold words at the head; empty bold and stray spaces before them do not count."""
    head: list[str] = []
    for text, flags in pieces:
        if not flags & BOLD and text.strip():
            break
        head.append(text)
    return canon("".join(head))


def _cited_tail(pieces: list[Piece], text: str) -> int:
    """Where the run of citation mark-up that reaches the end of the paragraph begins."""
    start = -1
    for at in range(len(pieces) - 1, -1, -1):
        piece, flags = pieces[at]
        if flags & CITED and not flags & IMAGE:
            start = at
        elif flags & IMAGE or piece.strip(" ;.,\u00a0\t\r\n"):
            break
    if start < 0:
        return -1
    before = canon(_before(pieces, start))
    if not text.startswith(before):
        return -1
    at = len(before)
    return at + 1 if text[at : at + 1] == " " else at
