"""Render a master as the publisher's API would: flat paragraphs, mis-nested spans and all.

The oddities are the publisher's, seen in real payloads and rebuilt here on purpose: paragraphs
separated by ``\\r \\n``, four ways to print a bold number, no-break spaces and U+2002, citation
spans that close after their paragraph, stubs without an anchor, a contents table of ``table``
cells. A reader that copes with the sample has met them.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

from benchmarks.sample_master import Line

SEPARATOR = "\r \n"
TABLE = '<table class="MsoNormalTable" border="0" cellspacing="0" cellpadding="0" >'
GONE = "ovsmallcap"


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of the contents."""

    kind: str
    number: str
    title: str
    anchor: str
    future: bool


def inline(text: str) -> str:
    """Master notation to HTML."""
    out = html.escape(text, quote=False)
    out = re.sub(r"\*([^*]+)\*", r"<i>\1</i>", out)
    out = re.sub(r"\^([^^]+)\^", r"<sup>\1</sup>", out)
    out = re.sub(r"\[([^\]]+)\]", rf'<span class="{GONE}">\1</span>', out)
    return out.replace("~", "\u00a0").replace("¶", "\r\n")


def citations(cites: tuple[str, ...]) -> str:
    """The trailing citation; the last span closes after the paragraph, as the publisher's do."""
    spans = [f'<span class="citation">{inline(cite)}' for cite in cites]
    return "</span>; ".join(spans) + ".</p></span>"


class Renderer:
    """One document's lines to ``content``; remembers contents entries while it goes."""

    def __init__(self, suffix: str, image_folder: str) -> None:
        """``suffix`` is ``-e`` for documents whose contents classes carry it, else empty."""
        self.suffix = suffix
        self.image_folder = image_folder
        self.entries: list[Entry] = []
        self.openers = 0
        self.headnote = ""
        self.images = 0
        self.in_schedule = False

    def content(self, lines: list[Line]) -> str:
        """Return the whole ``content`` field."""
        blocks: list[str] = []
        cells: list[str] | None = None
        for line in lines:
            if line.cls == "table":
                cells = []
                table_class = line.text
            elif line.cls == "end":
                blocks.append(f"{TABLE}\r\n{''.join(cells or ())}</table>")
                cells = None
            elif cells is not None:
                cells.append(self._row(line.text, table_class))
            else:
                blocks.append(self._paragraph(line))
        head = [
            '<div class="WordSection1">',
            '<p class="MsoNormal"></p>',
            f'<p class="toc{self.suffix} tocExpandable">CONTENTS</p>',
            f'<div align="center">\r \n{self._contents(split=True)}\r \n</div>',
            '<p class="MsoNormal">\u00a0</p>',
        ]
        tail = [
            f'<p class="line{self.suffix}">______________</p>',
            f'<p class="line{self.suffix}"> </p>',
            '<p class="MsoNormal"></p>',
            "</div>",
        ]
        return SEPARATOR.join([*head, *blocks, *tail])

    def content_table(self) -> str:
        """The separate ``contentTable`` field: number and title share one link."""
        return self._contents(split=False)

    def _anchor(self, kind: str, number: str, title: str, *, future: bool = False) -> str:
        name = f"BK{len(self.entries)}"
        self.entries.append(Entry(kind, number, title, name, future))
        return f'<a name="{name}"></a>'

    def _paragraph(self, line: Line) -> str:
        cls = line.cls
        base = cls.removesuffix("-e")
        if base == "empty":
            return f'<p class="{line.text}"> </p>'
        if base == "amendments-heading":
            return f'<p class="footnoteLeft  amendments-heading  collapsed"><b>{line.text}</b></p>'
        if base == "amendments":
            link = f'<a href="/laws/statute/{source_law(line.cites[0])}">'
            return (
                '<p class="footnoteLeft amendments collapsed"><span class="MsoHyperlink">'
                f'{link}<span class="citation">{inline(line.cites[0])}</a></span>'
                f" {line.text}</p></span>"
            )
        if base == "Pnote":
            words, _, cite = line.text.partition("(See: ")
            cite_html = inline(cite.removesuffix(")"))
            return (
                f'<p class="{cls}">{inline(words)}(See: '
                f'<span class="citation">{cite_html})</p></span>'
            )
        if base == "scanned":
            self.images += 1
            source = f"/laws/images/en/{self.image_folder}/image{self.images:03}.png"
            alt = html.escape(line.text)
            return f'<p class="{cls}"><img width="520" height="330" src="{source}" alt="{alt}"></p>'
        return f'<p class="{cls}">{self._lead(line, base)}{self._end(line)}'

    def _lead(self, line: Line, base: str) -> str:
        text = inline(line.text)
        if base in {"headnote", "Yheadnote"}:
            self.headnote = self.headnote or text
            return text
        if base == "heading1":
            return self._anchor("head", "", text) + text
        if base in {"partnum", "schedule", "form", "headingx"}:
            anchor = ""
            if not (self.in_schedule and base == "headingx"):
                anchor = self._anchor("part" if base == "partnum" else "unit", line.marker, text)
            self.in_schedule = self.in_schedule or base == "schedule"
            return f"{anchor}{line.marker} <br>  {text}" if text else f"{anchor}{line.marker}"
        if base in {"partnumRevoked", "formRevoked", "tableheadingrev"}:
            return f'<span class="ovallcaps">{line.marker}</span> {text}'
        if base in {"section", "Ysection"}:
            return self._opener(line, text)
        if not line.marker:
            return f"  {text}" if base.startswith("equationind") else text
        self.headnote = "" if base.endswith("subsection") else self.headnote
        if base in {"subsection", "Ysubsection"}:
            return self._subsection(line, text)
        gap = "  " if self.openers % 2 else " "
        return f"  {line.marker}{gap}{text}"

    def _subsection(self, line: Line, text: str) -> str:
        if not line.cls.endswith("-e"):
            return f"{line.marker}{' ' if self.openers % 3 else chr(0x2002)}{text}"
        stray = "<b> </b>" if self.openers % 4 == 1 else "  "
        return f"{stray}{line.marker} {text}"

    def _opener(self, line: Line, text: str) -> str:
        number, rest = line.number, line.rest
        anchor = ""
        if not self.in_schedule and (not line.is_stub or rest):
            title = self.headnote
            anchor = self._anchor("section", number, title, future=line.is_future)
            self.headnote = ""
        style = self.openers % 4
        self.openers += 1
        if self.suffix:
            bold = (f"  <b>{number} </b>", f"<b>  {number} </b>", f"  <b>{number}</b> ")[style % 3]
        else:
            bold = (
                f"<b>{number} </b>",
                f"<b>{number}</b> ",
                f"<b>{number}</b><b> </b>",
                f"<b>{number}</b>\u2002",
            )[style]
        return f"{anchor}{bold}{rest + ' ' if rest else ''}{text}"

    def _end(self, line: Line) -> str:
        if not line.cites:
            return "</p>"
        if not line.text:
            return citations(line.cites)
        gap = " " if line.text.endswith(":") else "  "
        return gap + citations(line.cites)

    def _row(self, text: str, table_class: str) -> str:
        cells = "".join(
            f'<td  >\r\n  <p class="{table_class}">'
            f"{inline(cell.strip()).replace(' / ', ' <br>  ')}</p>\r\n  </td>"
            for cell in text.split("¦")
        )
        return f"<tr>\r\n  {cells}\r\n </tr>\r\n"

    def _contents(self, *, split: bool) -> str:
        rows = "".join(self._contents_row(entry, split=split) for entry in self.entries)
        if split:
            return f"{TABLE}  <tbody>{rows}</tbody></table>"
        return TABLE.replace("MsoNormalTable", "MsoNormalTable hidden") + rows + "</table>"

    def _contents_row(self, entry: Entry, *, split: bool) -> str:
        suffix, mark = self.suffix, "Y" if entry.future else ""
        if entry.kind == "part":
            inner = (
                f'<p class="TOCpartCenter{suffix}"><span class="UnderBlue">'
                f'<a href="#{entry.anchor}" title="{entry.number}"><u><span>{entry.number}</span>'
                f"</u></a> <br>   </span>{entry.title}</p>"
            )
            return f'<tr>   <td  colspan="3" >   {inner}   </td>  </tr>  '
        if entry.kind == "head":
            inner = (
                f'<p class="TOCheadCenter{suffix}"><a href="#{entry.anchor}" '
                f'title="{entry.title}"><u><span>{entry.title}</span></u></a></p>'
            )
            return f'<tr>   <td  colspan="3" >   {inner}   </td>  </tr>  '
        number = entry.number
        if entry.kind == "section" and not number.endswith(".") and "." not in number:
            number += "."
        title = html.escape(f"Section {number}" if entry.kind == "section" else number)
        link = f'<a href="#{entry.anchor}" title="{title}"><u><span>{number}</span></u>'
        if not split:
            cell = f'<p class="{mark}TOCid{suffix}">{link} {entry.title}</a></p>'
            return f"<tr><td>   {cell}   </td></tr> "
        return (
            f'<tr>   <td  >   <p class="{mark}TOCid{suffix}">{link}</a></p>   </td>   '
            f'<td  colspan="2" >   <p class="{mark}table{suffix}">{entry.title}</p>   </td>'
            "  </tr>  "
        )


def source_law(cite: str) -> str:
    """The address part of a source law: ``2022, c. 47, Sched. 2, s. 3`` -> ``S22047#sched2s3``."""
    plain = cite.replace("~", " ")
    year, chapter = re.findall(r"([0-9]{4}), c\. ([0-9]+)", plain)[0]
    schedule = re.search(r"Sched\. ([0-9]+)", plain)
    section = re.search(r"s\. ([0-9]+)", plain)
    fragment = (f"sched{schedule[1]}" if schedule else "") + (f"s{section[1]}" if section else "")
    return f"S{year[2:]}{int(chapter):03}#{fragment}"
