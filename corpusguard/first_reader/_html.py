"""HTML in, printed paragraphs out. The only file that knows how e-Laws HTML is written."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from lxml import etree

from corpusguard.errors import Unreadable

from ._text import (
    BOLD,
    CITATION,
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

_BITS: Final = {"b": BOLD, "strong": BOLD, "i": ITALIC, "em": ITALIC, "cite": ITALIC}
_CLASS_BITS: Final = {
    "citation": CITATION,
    "ovsmallcap": SMALLCAP,
    "ovbold": BOLD,
    "ovitalic": ITALIC,
}
_INLINE: Final = frozenset(
    {
        *("a", "abbr", "acronym", "b", "big", "cite", "code", "del", "em", "font", "i", "ins"),
        *("label", "nobr", "o:p", "s", "small", "span", "strike", "strong", "sub", "sup", "tt"),
        *("u", "var", "wbr"),
    }
)
_CONTAINERS: Final = frozenset(
    {"html", "body", "div", "table", "tbody", "thead", "tfoot", "tr", "td", "th", "center"}
)
_PARAGRAPHS: Final = frozenset(
    {"p", "h1", "h2", "h3", "h4", "h5", "h6", "li", "dt", "dd", "pre", "blockquote", "caption"}
)
_EMPTY: Final = frozenset({"hr", "col", "colgroup", "meta", "link", "base"})
_NOT_TEXT: Final = frozenset({"script", "style", "head"})

# The publisher closes spans and links after the paragraph that holds them; libxml2 drops the end
# tag and keeps every word, as html5lib does, so the complaint tells nothing.
_BENIGN: Final = re.compile(r"Unexpected end tag : (?:span|a|p|b|i|u|em|strong)\Z")
_SECTION_DIV: Final = re.compile(r"(?:^|\s)WordSection\d+(?:\s|$)")


@lru_cache(maxsize=512)
def _bits(tag: str, css: str) -> int:
    bits = _BITS.get(tag, 0)
    for word in css.split():
        bits |= _CLASS_BITS.get(word, 0)
    return bits


def parse(markup: bytes) -> tuple[etree._Element, list[tuple[str, str]]]:
    """Parse HTML bytes (strict UTF-8) and return the root with what the parser complained of.

    Raises:
        Unreadable: Too large, not UTF-8, empty, or cut off by the parser. libxml2 drops all text
            after a fatal error without an exception; only its log tells.
    """
    if len(markup) > MAX_BYTES:
        raise Unreadable(
            f"the markup has {len(markup)} bytes, more than {MAX_BYTES}",
            hint="Check what was captured: no law is that long.",
        )
    try:
        markup.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Unreadable(
            f"the markup is not UTF-8: byte {error.start} cannot be decoded",
            hint="Capture it again as bytes; do not re-encode it.",
        ) from error
    parser = etree.HTMLParser(
        encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True, no_network=True
    )
    try:
        root = etree.fromstring(markup, parser)
    except (etree.ParserError, etree.XMLSyntaxError) as error:
        raise Unreadable(
            f"the markup cannot be parsed: {error}", hint="Open the snapshot and look at it."
        ) from error
    if root is None:
        raise Unreadable("the markup is empty", hint="Fetch the document again.")
    complaints: list[tuple[str, str]] = []
    for entry in parser.error_log:
        if entry.level_name == "FATAL":
            raise Unreadable(
                f"the parser gave up at line {entry.line}: {entry.message}",
                hint="Text after that line is lost; capture the document again.",
            )
        if not _BENIGN.match(entry.message):
            complaints.append(("parser_error", f"line {entry.line}: {entry.message}"))
    return root, complaints


def stream(markup: bytes, *, page: bool) -> Stream:
    """The printed paragraphs of a content fragment or of a page.

    Args:
        markup: The bytes.
        page: Whether this is a whole page, of which only ``div.WordSection*`` is the document.

    Raises:
        Unreadable: As ``parse``; or a page without the document's own part.
    """
    root, complaints = parse(markup)
    out = Stream(complaints=complaints)
    walker = _Walker(out)
    roots = list(_document_parts(root))
    if page and not roots:
        raise Unreadable(
            "the page has no div.WordSection1: it is not a prerendered document",
            hint="A page for scripts holds no law; fetch the API payload or the prerendered page.",
        )
    for part in roots if page else [root]:
        walker.container(part, "", 0, 0, 0)
        walker.close()
    return out


def _document_parts(root: etree._Element) -> Iterator[etree._Element]:
    """The outermost ``div.WordSection1``, ``2``, …: Word makes one for each page orientation."""
    inside: set[etree._Element] = set()
    for div in root.iter("div"):
        if _SECTION_DIV.search(div.get("class") or "") and not any(
            a in inside for a in div.iterancestors("div")
        ):
            inside.add(div)
            yield div


class _Walker:
    """Collects blocks; holds the one block that is open."""

    def __init__(self, out: Stream) -> None:
        self._out = out
        self._parts: list[str] = []
        self._length = 0
        self._styles: list[tuple[int, int, int]] = []
        self._complaints: list[tuple[str, str]] = []
        self._place = ("", 0, 0, False)
        self._tables = 0
        self._rows = 0

    def open(self, css: str, table: int, row: int, *, proper: bool) -> None:
        """Begin a block; ``proper`` is false for text that stands outside of any paragraph."""
        self.close()
        self._place = (css, table, row, proper)

    def close(self) -> None:
        """End the open block; blocks without a visible character are nothing."""
        if not self._parts:
            self._complaints.clear()
            return
        css, table, row, proper = self._place
        raw = "".join(self._parts)
        if not raw.isspace():
            if not proper:
                self._complaints.append(
                    ("text_outside_paragraph", "text stands outside of any paragraph")
                )
            self._out.blocks.append(Block(css, raw, self._styles, table, row, self._complaints))
            self._complaints = []
        self._parts = []
        self._length = 0
        self._styles = []
        self._complaints.clear()

    def text(self, text: str, bits: int) -> None:
        """Add a run to the open block."""
        if bits:
            self._styles.append((self._length, self._length + len(text), bits))
        self._parts.append(text)
        self._length += len(text)

    def container(
        self, element: etree._Element, css: str, table: int, row: int, depth: int
    ) -> None:
        """Walk an element that holds blocks; its own text is text outside of a paragraph."""
        if depth > MAX_DEPTH:
            raise _too_deep()
        if element.text and not element.text.isspace():
            self.text(element.text, 0)
        for child in element:
            tag = child.tag
            if tag == "p":
                if not len(child):  # most paragraphs: one text node, no markup
                    self.close()
                    text = child.text
                    if text and not text.isspace():
                        self._out.blocks.append(
                            Block(child.get("class") or "", text, [], table, row)
                        )
                else:
                    self.open(child.get("class") or "", table, row, proper=True)
                    self.inline(child, 0, depth + 1)
                    self.close()
                self._place = (css, table, row, False)
            elif tag in _CONTAINERS:
                self.close()
                self._container_child(child, css, table, row, depth)
                self.close()
                self._place = (css, table, row, False)
            else:
                self._stray(child, css, table, row, depth)
            tail = child.tail
            if tail and not tail.isspace():
                self.text(tail, 0)

    def _container_child(
        self, child: etree._Element, css: str, table: int, row: int, depth: int
    ) -> None:
        tag = child.tag
        if tag == "table":
            self._tables += 1
            table, row = self._tables, 0
        elif tag == "tr":
            self._rows += 1
            row = self._rows
        if tag in {"td", "th"}:
            css = "table"
        self._place = (css, table, row, False)
        self.container(child, css, table, row, depth + 1)

    def _stray(self, child: etree._Element, css: str, table: int, row: int, depth: int) -> None:
        """Anything else between paragraphs: a heading of the page, a list, loose inline markup."""
        tag = str(child.tag)
        if tag in _EMPTY or tag in _NOT_TEXT:
            return
        if tag in _PARAGRAPHS:
            self.open(child.get("class") or "", table, row, proper=False)
            self.inline(child, 0, depth + 1)
            self.close()
            self._place = (css, table, row, False)
            return
        self._child(child, 0, depth)

    def inline(self, element: etree._Element, bits: int, depth: int) -> None:
        """Add the runs of an element, depth first; a block inside of it stands on its own."""
        if depth > MAX_DEPTH:
            raise _too_deep()
        if element.text:
            self.text(element.text, bits)
        for child in element:
            self._child(child, bits, depth)
            if child.tail:
                self.text(child.tail, bits)

    def _child(self, child: etree._Element, bits: int, depth: int) -> None:
        tag = str(child.tag)
        if tag == "br":
            self.text("\n", 0)
        elif tag in _INLINE:
            if tag == "a" and not len(child) and not child.text:
                return  # a bookmark
            css = child.get("class")
            self.inline(child, bits | _bits(tag, css or ""), depth + 1)
        elif tag == "img":
            self._image(child)
        elif tag in _CONTAINERS or tag in _PARAGRAPHS:
            place = self._place
            self.close()
            if tag in _CONTAINERS:
                self._container_child(child, *place[:3], depth)
            else:
                self.open(child.get("class") or "", *place[1:3], proper=tag == "p")
                self.inline(child, bits, depth + 1)
            self.close()
            self._place = place
        elif tag not in _NOT_TEXT and tag not in _EMPTY:
            self._complaints.append(("unknown_element", f"the element {tag[:40]!r} is not known"))
            self.inline(child, bits, depth + 1)

    def _image(self, image: etree._Element) -> None:
        self.text(" ", 0)
        self.text(placeholder(self._place[0], image.get("alt") or ""), PLACEHOLDER)
        self.text(" ", 0)


def _too_deep() -> Unreadable:
    return Unreadable(
        f"elements are nested more than {MAX_DEPTH} deep",
        hint="Open the snapshot: this is not the publisher's markup.",
    )
