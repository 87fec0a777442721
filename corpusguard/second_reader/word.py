"""The Word half: a .docx by zipfile and expat.

Style ids mean nothing ("heading10"); style names, from styles.xml, are the HTML class names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from corpusguard.second_reader.assemble import Assembler
from corpusguard.second_reader.complaint import ParseError, Problems, cut
from corpusguard.second_reader.package import Package
from corpusguard.second_reader.paragraphs import BOLD, BREAK, IMAGE, Paragraph, Piece, build
from corpusguard.second_reader.words import suspicious

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_STRICT: Final = "{http://purl.oclc.org/ooxml/wordprocessingml/main}"
_OFF: Final = frozenset({"0", "false", "off"})
_BOLD_STYLES: Final = frozenset({"ovbold", "Strong"})
_SIGNS: Final = {
    "tab": ("\t", 0),
    "ptab": ("\t", 0),
    "br": ("\n", BREAK),
    "cr": ("\n", BREAK),
    "noBreakHyphen": ("\u2011", 0),
    "softHyphen": ("\u00ad", 0),
}
_SILENT: Final = frozenset(
    "pPr rPr sectPr tblPr tblGrid trPr tcPr tblPrEx bookmarkStart bookmarkEnd proofErr "
    "lastRenderedPageBreak fldChar instrText delInstrText commentRangeStart commentRangeEnd "
    "commentReference annotationRef footnoteRef endnoteRef separator continuationSeparator "
    "permStart permEnd sdtPr sdtEndPr smartTagPr customXmlPr moveFromRangeStart "
    "moveFromRangeEnd moveToRangeStart moveToRangeEnd Fallback fldData noProof".split()
)
_TRANSPARENT: Final = frozenset(
    "body r hyperlink smartTag sdt sdtContent fldSimple customXml moveTo ins tr tc dir bdo "
    "AlternateContent Choice oMath oMathPara ruby rubyBase txbxContent".split()
)
_DELETED: Final = frozenset({"del", "moveFrom"})
_PICTURES: Final = frozenset({"drawing", "pict", "object"})


class _Reader:
    """Walks the body of a Word document; use once."""

    def __init__(self, names: dict[str, str], problems: Problems) -> None:
        self.found: list[Paragraph] = []
        self._names = names
        self._problems = problems
        self._notes: dict[tuple[str, str], Element] = {}
        self._referred: list[tuple[str, str]] = []
        self._tables = 0
        self._row = 0

    def add_notes(self, root: Element, kind: str) -> None:
        """Registers the footnotes or endnotes that the body may refer to."""
        for note in root:
            if _attribute(note, "type") in ("", "normal"):
                self._notes[(kind, _attribute(note, "id"))] = note

    def read(self, root: Element) -> list[Paragraph]:
        """Returns all printed paragraphs, footnotes after the paragraph that names them."""
        self._blocks(root, 0)
        for kind, number in sorted(self._notes):
            self._problems.add(f"{kind} {number} is referred to nowhere")
            self._note((kind, number), "")
        return self.found

    def _blocks(self, parent: Element, table: int) -> None:
        """Reads paragraphs and tables; depth is bounded by the parser's cap."""
        for child in parent:
            name = _local(child)
            if name == "p":
                self._paragraph(child, table)
            elif name == "tbl":
                self._tables += 1
                if table:
                    self._problems.add("a table inside a table")
                self._blocks(child, self._tables)
            elif name in _DELETED:
                self._problems.add(f"a deleted block is not read: {cut(_all_text(child))!r}")
            elif name in _TRANSPARENT:
                if name == "tr":
                    self._row += 1
                self._blocks(child, table)
            elif name not in _SILENT:
                self._problems.add(f"unknown Word element {cut(name)!r}")

    def _paragraph(self, element: Element, table: int, *, note: bool = False) -> None:
        style = "MsoNormal"
        properties = _child(element, "pPr")
        if properties is not None:
            chosen = _child(properties, "pStyle")
            if chosen is not None:
                identifier = _attribute(chosen, "val")
                style = self._names.get(identifier, identifier)
            if _child(properties, "numPr") is not None:
                self._problems.add(f"a paragraph of style {style!r} is numbered by Word itself")
        pieces: list[Piece] = []
        boxes: list[Element] = []
        self._inline(element, pieces, boxes, 0)
        paragraph = build(style, pieces, table, self._row if table else 0)
        if paragraph is not None:
            paragraph.footnote = note
            self.found.append(paragraph)
        for box in boxes:
            self._problems.add(f"a text box after {cut(_all_text(element))!r}")
            self._blocks(box, table)
        referred, self._referred = self._referred, []
        for key in referred:
            self._note(key, style)

    def _note(self, key: tuple[str, str], style: str) -> None:
        note = self._notes.pop(key, None)
        if note is None:
            self._problems.add(f"{key[0]} {key[1]} is missing or referred to twice ({style})")
            return
        for child in note:
            if _local(child) == "p":
                self._paragraph(child, 0, note=True)

    def _inline(
        self, parent: Element, pieces: list[Piece], boxes: list[Element], flags: int
    ) -> None:
        for child in parent:
            name = _local(child)
            if name == "t":
                pieces.append((child.text or "", flags))
            elif name == "r":
                self._run(child, pieces, boxes)
            elif name in _SIGNS:
                pieces.append(_SIGNS[name])
            elif name in _SILENT:
                continue
            elif name in _TRANSPARENT:
                if name in {"ins", "moveTo"}:
                    self._problems.add(f"tracked insertion read: {cut(_all_text(child))!r}")
                self._inline(child, pieces, boxes, flags)
            elif name in _DELETED:
                self._problems.add(f"tracked deletion not read: {cut(_all_text(child))!r}")
            elif name in _PICTURES:
                self._picture(child, pieces, boxes)
            elif name in {"footnoteReference", "endnoteReference"}:
                self._referred.append((name.removesuffix("Reference"), _attribute(child, "id")))
            elif name == "sym":
                self._symbol(child, pieces, flags)
            elif _all_text(child) or name == "altChunk":
                self._problems.add(f"unknown Word element {cut(name)!r} with text")
                self._inline(child, pieces, boxes, flags)

    def _run(self, run: Element, pieces: list[Piece], boxes: list[Element]) -> None:
        flags = 0
        properties = _child(run, "rPr")
        if properties is not None:
            if _on(_child(properties, "vanish")):
                if hidden := _all_text(run):
                    self._problems.add(f"hidden text not read: {cut(hidden)!r}")
                return
            style = _child(properties, "rStyle")
            named = style is not None and self._names.get(_attribute(style, "val")) in _BOLD_STYLES
            bold = _child(properties, "b")
            if _on(bold) or (named and bold is None):
                flags = BOLD
        self._inline(run, pieces, boxes, flags)

    def _picture(self, element: Element, pieces: list[Piece], boxes: list[Element]) -> None:
        inside = _text_boxes(element)
        if inside:
            boxes.extend(inside)
            return
        alt = next(
            (text for e in element.iter() if (text := e.get("descr") or e.get("alt") or "")), ""
        )
        pieces.append((alt, IMAGE))

    def _symbol(self, element: Element, pieces: list[Piece], flags: int) -> None:
        code = _attribute(element, "char")
        try:
            sign = chr(int(code, 16))
        except (ValueError, OverflowError):
            sign = "\ufffd"
        font = cut(_attribute(element, "font"))
        self._problems.add(f"symbol {code[:8]!r} of font {font!r} read as {sign!a}")
        pieces.append((sign, flags))


def _text_boxes(element: Element) -> list[Element]:
    """The outermost text boxes below an element; a box inside a box is read with it."""
    found: list[Element] = []
    stack = [element]
    while stack:
        for child in stack.pop():
            name = _local(child)
            if name == "txbxContent":
                found.append(child)
            elif name != "Fallback":
                stack.append(child)
    return found


def _local(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def _child(element: Element, name: str) -> Element | None:
    found = element.find(_W + name)
    return found if found is not None else element.find(_STRICT + name)


def _attribute(element: Element, name: str) -> str:
    return element.get(_W + name) or element.get(_STRICT + name) or ""


def _on(element: Element | None) -> bool:
    return element is not None and _attribute(element, "val") not in _OFF


def _all_text(element: Element) -> str:
    return "".join(
        [e.text for e in element.iter() if _local(e) in {"t", "delText"} and e.text]
    ).strip()


def _style_names(package: Package) -> dict[str, str]:
    """Maps style ids to names; a name may list aliases after a comma."""
    if "word/styles.xml" not in package:
        raise ParseError("the Word file has no styles, by which provisions are told apart")
    names: dict[str, str] = {}
    for style in package.xml("word/styles.xml"):
        name = _child(style, "name") if _local(style) == "style" else None
        if name is not None:
            identifier = _attribute(style, "styleId")
            names[identifier] = _attribute(name, "val").split(",")[0].strip()
    return names


def read_docx(data: bytes, problems: Problems) -> dict[str, Any]:
    """Reads a Word download.

    Raises:
        ParseError: not a readable .docx, or one without text.
    """
    package = Package(data)
    reader = _Reader(_style_names(package), problems)
    body = package.xml("word/document.xml")
    for kind in ("footnote", "endnote"):
        part = f"word/{kind}s.xml"
        if part in package:
            reader.add_notes(package.xml(part), kind)
    paragraphs = reader.read(body)
    if not paragraphs:
        raise ParseError("the Word file has no text; download it again")
    for paragraph in paragraphs:
        for said in suspicious(paragraph.text):
            problems.add(said)
    result = Assembler(problems).run(paragraphs)
    return {
        "rendition": "docx",
        "title": _first(paragraphs, "regtitle", "shorttitle"),
        "code": _first(paragraphs, "regnumber", "chapter"),
        **result,
    }


def _first(paragraphs: list[Paragraph], *names: str) -> str:
    for name in names:
        for paragraph in paragraphs:
            if paragraph.style.removesuffix("-e") == name:
                return paragraph.text
    return ""
