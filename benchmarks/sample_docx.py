"""Render a master as the Word download: one style a class, no citation spans, no anchors."""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from datetime import UTC, datetime

import docx
from docx.enum.style import WD_STYLE_TYPE
from docx.oxml import OxmlElement

from benchmarks.sample_html import Entry
from benchmarks.sample_master import Line

PIECE = re.compile(r"(\*[^*]+\*|\^[^^]+\^|\[[^\]]+\]|\u2011|¶)")
FIXED = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)


def tiny_png() -> bytes:
    """A grey pixel: the form's picture, of which only the alternative text matters."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    header = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    pixels = zlib.compress(b"\x00\x80")
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
    )


class Writer:
    """Lines to a Word document."""

    def __init__(self) -> None:
        self.document = docx.Document()
        self.styles = {}

    def paragraph_style(self, name: str):
        """The style of a class, made when first met."""
        if name not in self.styles:
            self.styles[name] = self.document.styles.add_style(name, WD_STYLE_TYPE.PARAGRAPH)
        return self.styles[name]

    def paragraph(self, style: str):
        """Append an empty paragraph of a style."""
        return self.document.add_paragraph(style=self.paragraph_style(style))

    def words(self, paragraph, text: str) -> None:
        """Append master notation as runs."""
        for piece in PIECE.split(text.replace("~", "\u00a0")):
            if piece == "\u2011":
                paragraph.add_run()._r.append(OxmlElement("w:noBreakHyphen"))
            elif piece == "¶":
                paragraph.add_run(" ")
            elif piece.startswith("*"):
                paragraph.add_run(piece[1:-1]).italic = True
            elif piece.startswith("^"):
                paragraph.add_run(piece[1:-1]).font.superscript = True
            elif piece.startswith("["):
                paragraph.add_run(piece[1:-1]).font.small_caps = True
            elif piece:
                paragraph.add_run(piece)

    def line(self, line: Line) -> None:
        """Append one line of the master."""
        if line.cls in {"amendments", "amendments-heading"}:
            paragraph = self.paragraph("footnoteLeft")
            for cite in line.cites:
                self.words(paragraph, f"{cite} ")
            paragraph.add_run(line.text).bold = line.cls == "amendments-heading"
            return
        paragraph = self.paragraph(line.cls)
        if line.cls == "scanned":
            run = paragraph.add_run()
            picture = run.add_picture(io.BytesIO(tiny_png()))
            picture._inline.docPr.set("descr", line.text)
            return
        if line.cls in {"partnum", "schedule", "form"}:
            paragraph.add_run(line.marker)
            if line.text:
                paragraph.add_run().add_break()
                self.words(paragraph, line.text)
            return
        if line.number:
            paragraph.add_run(line.number).bold = True
            paragraph.add_run(f" {line.rest}\u00a0\u00a0" if line.rest else " ")
        elif line.marker:
            paragraph.add_run(f"\t{line.marker}\t")
        self.words(paragraph, line.text)
        if line.cites:
            gap = "" if not line.text else " " if line.text.endswith(":") else "  "
            self.words(paragraph, gap + "; ".join(line.cites) + ".")

    def contents(self, entries: list[Entry]) -> None:
        """Append the contents as a table of two columns; Parts and groups take a whole row."""
        self.paragraph("toc").add_run("CONTENTS")
        table = self.document.add_table(rows=0, cols=2)
        for entry in entries:
            left, right = table.add_row().cells
            if entry.kind in {"part", "head"}:
                style = "TOCpartCenter" if entry.kind == "part" else "TOCheadCenter"
                cell = left.merge(right).paragraphs[0]
                cell.style = self.paragraph_style(style)
                cell.add_run(f"{entry.number}\n{entry.title}".strip())
                continue
            mark = "Y" if entry.future else ""
            for cell, style, text in ((left, "TOCid", entry.number), (right, "table", entry.title)):
                cell.paragraphs[0].style = self.paragraph_style(f"{mark}{style}")
                cell.paragraphs[0].add_run(text)

    def save(self) -> bytes:
        """The document's bytes, equal on every run: names in order, times fixed."""
        properties = self.document.core_properties
        properties.author = properties.last_modified_by = ""
        properties.created = properties.modified = FIXED.replace(tzinfo=None)
        raw = io.BytesIO()
        self.document.save(raw)
        out = io.BytesIO()
        with zipfile.ZipFile(raw) as source, zipfile.ZipFile(out, "w") as target:
            for name in source.namelist():
                info = zipfile.ZipInfo(name, FIXED.timetuple()[:6])
                info.compress_type = zipfile.ZIP_DEFLATED
                target.writestr(info, source.read(name))
        return out.getvalue()


def word_file(lines: list[Line], front: list[tuple[str, str]], entries: list[Entry]) -> bytes:
    """Return the Word file of a document; ``front`` holds (style, text) of its front matter."""
    writer = Writer()
    for style, text in front:
        writer.words(writer.paragraph(style), text)
    writer.contents(entries)
    for line in lines:
        writer.line(line)
    writer.paragraph("line").add_run("______________")
    return writer.save()
