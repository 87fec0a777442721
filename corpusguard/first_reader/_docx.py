"""Word in, printed paragraphs out. The only file that knows WordprocessingML.

Style names equal the HTML class names; style ids do not (``heading10`` is named ``heading1``).
"""

from __future__ import annotations

import io
import zipfile
import zlib
from typing import TYPE_CHECKING, Final

from lxml import etree

from corpusguard.errors import Unreadable

from ._text import (
    BOLD,
    ITALIC,
    MAX_BYTES,
    MAX_DEPTH,
    PLACEHOLDER,
    SMALLCAP,
    Block,
    Stream,
    placeholder,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_ENTRIES: Final = 5_000
MAX_RATIO: Final = 200
"""Decompressed over compressed bytes of one part; XML of real documents stays under 40."""

W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_MC: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_WP: Final = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
_V: Final = "{urn:schemas-microsoft-com:vml}"
_M: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_OFF: Final = frozenset({"0", "false", "off", "none"})
_RUN_TEXT: Final = {
    W + "tab": "\t",
    W + "ptab": "\t",
    W + "br": "\n",
    W + "cr": "\n",
    W + "noBreakHyphen": "\u2011",
    W + "softHyphen": "\u00ad",
}
_TRANSPARENT: Final = frozenset(
    {
        *(W + n for n in ("hyperlink", "smartTag", "customXml", "sdt", "sdtContent", "fldSimple")),
        *(W + n for n in ("ins", "moveTo", "dir", "bdo")),
        _MC + "Choice",
    }
)
_DELETED: Final = frozenset({W + "del", W + "moveFrom"})
_SILENT: Final = frozenset(
    W + n
    for n in (
        *("pPr", "rPr", "tblPr", "tblGrid", "trPr", "tcPr", "tblPrEx", "sdtPr", "sdtEndPr"),
        *("sectPr", "bookmarkStart", "bookmarkEnd", "proofErr", "lastRenderedPageBreak"),
        *("fldChar", "instrText", "delText", "delInstrText", "footnoteRef", "endnoteRef"),
        *("separator", "continuationSeparator", "commentRangeStart", "commentRangeEnd"),
        *("commentReference", "annotationRef", "permStart", "permEnd", "customXmlPr"),
        *("moveFromRangeStart", "moveFromRangeEnd", "moveToRangeStart", "moveToRangeEnd"),
        *("smartTagPr", "altChunk", "footnoteReference", "endnoteReference"),
    )
)


def stream(data: bytes) -> Stream:
    """The printed paragraphs of a Word document.

    Raises:
        Unreadable: Not a zip, no ``word/document.xml``, broken or oversized parts, broken XML.
    """
    parts = _open(data)
    styles, fonts = _styles(parts.get("word/styles.xml"))
    body = _xml(parts["word/document.xml"], "word/document.xml").find(W + "body")
    if body is None:
        raise Unreadable("the Word document has no body", hint="Download the file again.")
    notes = {kind: _notes(parts.get(f"word/{kind}s.xml"), kind) for kind in ("footnote", "endnote")}
    walker = _Walker(styles, fonts, notes)
    walker.blocks(body, 0, 0, 0)
    return walker.out


def _open(data: bytes) -> dict[str, bytes]:
    """The parts that we need, each checked against the caps before it is inflated."""
    wanted = ("document", "styles", "footnotes", "endnotes")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if len(archive.infolist()) > MAX_ENTRIES:
                raise Unreadable("the Word file has too many parts", hint="Download it again.")
            parts = {}
            for name in (f"word/{w}.xml" for w in wanted):
                if name in archive.NameToInfo:
                    parts[name] = _inflate(archive, archive.getinfo(name))
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError) as error:
        raise Unreadable(
            f"the Word file cannot be opened: {error}",
            hint="A binary .doc, an encrypted or a half-downloaded file reads like this.",
        ) from error
    if "word/document.xml" not in parts:
        raise Unreadable(
            "the zip holds no word/document.xml: it is not a Word document",
            hint="Check which file was downloaded.",
        )
    return parts


def _inflate(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    if info.file_size > MAX_BYTES or info.file_size > MAX_RATIO * max(info.compress_size, 4096):
        raise Unreadable(
            f"{info.filename} would inflate to {info.file_size} bytes",
            hint="No law is that long: this is a zip bomb or a damaged file.",
        )
    with archive.open(info) as part:
        # zipfile stops at the size that the archive declares, so the check above holds.
        return part.read()


def _xml(data: bytes, name: str) -> etree._Element:
    """Parse one part; no entities, no DTD, no network."""
    parser = etree.XMLParser(
        resolve_entities=False, load_dtd=False, no_network=True, huge_tree=True,
        remove_comments=True, remove_pis=True,
    )  # fmt: skip
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise Unreadable(f"{name} is not XML: {error}", hint="Download the file again.") from error
    if root.getroottree().docinfo.internalDTD is not None:
        raise Unreadable(f"{name} declares a DTD", hint="Word never does: do not trust this file.")
    return root


def _on(properties: etree._Element | None, name: str) -> bool:
    """Whether a toggle property is there and not switched off."""
    toggle = properties.find(W + name) if properties is not None else None
    return toggle is not None and toggle.get(W + "val", "1") not in _OFF


def _bits(properties: etree._Element | None) -> int:
    bits = BOLD if _on(properties, "b") else 0
    bits |= ITALIC if _on(properties, "i") else 0
    return bits | (SMALLCAP if _on(properties, "smallCaps") else 0)


def _styles(data: bytes | None) -> tuple[dict[str, str], dict[str, int]]:
    """Names of paragraph styles by id, and the bits of character styles by id."""
    names: dict[str, str] = {}
    fonts: dict[str, int] = {}
    if data is None:
        return names, fonts
    for style in _xml(data, "word/styles.xml").iter(W + "style"):
        key = style.get(W + "styleId", "")
        name = style.find(W + "name")
        if style.get(W + "type") == "paragraph" and name is not None:
            names[key] = name.get(W + "val", key)
        elif style.get(W + "type") == "character":
            fonts[key] = _bits(style.find(W + "rPr"))
    return names, fonts


def _notes(data: bytes | None, kind: str) -> dict[str, etree._Element]:
    """Footnotes or endnotes by id; the separators that Word keeps among them are no notes."""
    if data is None:
        return {}
    return {
        note.get(W + "id", ""): note
        for note in _xml(data, f"word/{kind}s.xml").iter(W + kind)
        if note.get(W + "type", "normal") == "normal"
    }


class _Walker:
    """Collects blocks; every paragraph is one block, printed after what it contains is known."""

    def __init__(
        self,
        styles: dict[str, str],
        fonts: dict[str, int],
        notes: dict[str, dict[str, etree._Element]],
    ) -> None:
        self.out = Stream()
        self._styles = styles
        self._fonts = fonts
        self._notes = notes
        self._tables = 0
        self._rows = 0

    def blocks(self, parent: etree._Element, table: int, row: int, depth: int) -> None:
        """Walk an element that holds paragraphs and tables."""
        if depth > MAX_DEPTH:
            raise _too_deep()
        for child in _children(parent):
            tag = child.tag
            if tag == W + "p":
                self._paragraph(child, table, row, depth)
            elif tag == W + "tbl":
                self._tables += 1
                self.blocks(child, self._tables, 0, depth + 1)
            elif tag == W + "tr":
                self._rows += 1
                self.blocks(child, table, self._rows, depth + 1)
            elif tag == W + "tc" or tag in _TRANSPARENT:
                self.blocks(child, table, row, depth + 1)
            elif tag in _DELETED:
                self.deleted(child)
            elif tag not in _SILENT:
                self.out.complaints.append(("unknown_element", f"{_local(child)!r} is not known"))
                self.blocks(child, table, row, depth + 1)

    def deleted(self, element: etree._Element) -> None:
        """Leave out what a tracked change deleted, and say so."""
        words = "".join(t.text or "" for t in element.iter(W + "delText", W + "t"))
        if words.strip():
            self.out.complaints.append(
                ("tracked_change", f"text marked as deleted is left out: {words[:120]!r}")
            )

    def _paragraph(
        self, paragraph: etree._Element, table: int, row: int, depth: int, css: str = ""
    ) -> None:
        style = paragraph.find(f"{W}pPr/{W}pStyle")
        key = style.get(W + "val", "") if style is not None else "Normal"
        block = Block(css or self._styles.get(key, key), "", [], table, row)
        collector = _Collector(self, block)
        collector.runs(paragraph, 0, depth + 1)
        block.raw = "".join(collector.parts)
        if block.raw and not block.raw.isspace():
            self.out.blocks.append(block)
        for nested in collector.nested:
            self.blocks(nested, table, row, depth + 1)
        for kind, key in collector.references:
            note = self._notes[kind].get(key)
            if note is None:
                self.out.complaints.append(("missing_note", f"{kind} {key!r} is not in the file"))
                continue
            for child in note.iter(W + "p"):
                self._paragraph(child, 0, 0, depth + 1, css=f"{kind} text")

    def run_bits(self, properties: etree._Element | None) -> int:
        """Style facts of a run: its own properties and those of its character style."""
        if properties is None:
            return 0
        bits = _bits(properties)
        style = properties.find(W + "rStyle")
        if style is not None:
            name = style.get(W + "val", "")
            bits |= self._fonts.get(name, 0)
            # Word shows these by other means than the toggles; the names are the publisher's.
            bits |= {"ovsmallcap": SMALLCAP, "ovbold": BOLD, "ovitalic": ITALIC}.get(name, 0)
        return bits


class _Collector:
    """The runs of one paragraph."""

    def __init__(self, walker: _Walker, block: Block) -> None:
        self.parts: list[str] = []
        self.nested: list[etree._Element] = []
        self.references: list[tuple[str, str]] = []
        self._walker = walker
        self._block = block
        self._length = 0

    def text(self, text: str, bits: int) -> None:
        if bits:
            self._block.styles.append((self._length, self._length + len(text), bits))
        self.parts.append(text)
        self._length += len(text)

    def runs(self, parent: etree._Element, bits: int, depth: int) -> None:
        """Add what an element prints, depth first."""
        if depth > MAX_DEPTH:
            raise _too_deep()
        for child in _children(parent):
            tag = str(child.tag)
            if tag in {W + "t", _M + "t"}:
                self.text(child.text or "", bits)
            elif tag in _RUN_TEXT:
                self.text(_RUN_TEXT[tag], 0)
            elif tag == W + "r":
                self._run(child, depth)
            elif tag in {W + "drawing", W + "pict", W + "object"}:
                self._picture(child)
            elif tag in {W + "footnoteReference", W + "endnoteReference"}:
                kind = _local(child).removesuffix("Reference")
                self.references.append((kind, child.get(W + "id", "")))
            elif tag in _TRANSPARENT:
                self.runs(child, bits, depth + 1)
            elif tag in _DELETED:
                self._walker.deleted(child)
            elif tag not in _SILENT:
                self._unknown(child, bits, depth)

    def _unknown(self, child: etree._Element, bits: int, depth: int) -> None:
        self._block.complaints.append(("unknown_element", f"{_local(child)!r} is not known"))
        if child.tag == W + "sym":
            code = child.get(W + "char", "")
            self.text(chr(int(code, 16)) if _is_code(code) else "\ufffd", bits)
        self.runs(child, bits, depth + 1)

    def _run(self, run: etree._Element, depth: int) -> None:
        properties = run.find(W + "rPr")
        if _on(properties, "vanish"):
            words = "".join(t.text or "" for t in run.iter(W + "t"))
            if words.strip():
                self._walker.out.complaints.append(
                    ("hidden_text", f"hidden text is left out: {words[:120]!r}")
                )
            return
        self.runs(run, self._walker.run_bits(properties), depth + 1)

    def _picture(self, picture: etree._Element) -> None:
        """An image is a placeholder; a text box holds paragraphs of its own."""
        boxes = [
            box
            for box in picture.iter(W + "txbxContent")
            if not any(a.tag in {W + "txbxContent", _MC + "Fallback"} for a in box.iterancestors())
        ]
        if boxes:
            self.nested += boxes
            return
        texts = [e.get("descr") for e in picture.iter(_WP + "docPr")]
        texts += [e.get("alt") for e in picture.iter(_V + "shape")]
        alternative = next((t for t in texts if t), "")
        self.text(" ", 0)
        self.text(placeholder(self._block.css, alternative), PLACEHOLDER)
        self.text(" ", 0)


def _children(parent: etree._Element) -> Iterator[etree._Element]:
    """Child elements; of alternatives that say the same twice, the first."""
    for child in parent:
        if child.tag == _MC + "AlternateContent":
            choice = child.find(_MC + "Choice")
            yield from _children(choice if choice is not None else child)
        elif child.tag == _MC + "Fallback":
            yield from _children(child)
        elif isinstance(child.tag, str):
            yield child


def _is_code(code: str) -> bool:
    return 0 < len(code) <= 4 and all(c in "0123456789abcdefABCDEF" for c in code)


def _local(element: etree._Element) -> str:
    return str(element.tag).rpartition("}")[2][:40]


def _too_deep() -> Unreadable:
    return Unreadable(
        f"elements are nested more than {MAX_DEPTH} deep",
        hint="Open the snapshot: this is not the publisher's markup.",
    )
