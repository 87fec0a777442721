"""The HTML half: API payload, content fragment and page, by BeautifulSoup over html.parser."""

from __future__ import annotations

import gc
import json
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from corpusguard.second_reader.assemble import Assembler
from corpusguard.second_reader.complaint import ParseError, Problems, cut, decode
from corpusguard.second_reader.paragraphs import BOLD, BREAK, CITED, IMAGE, Paragraph, Piece, build
from corpusguard.second_reader.tree import Element, Special, parse
from corpusguard.second_reader.words import SURROGATE, canon, suspicious

if TYPE_CHECKING:
    from collections.abc import Iterator

_BLOCKS: Final = frozenset(
    "address article aside blockquote body caption center col colgroup dd div dl dt fieldset "
    "figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section "
    "table tbody td tfoot th thead tr ul".split()
)
_INLINE: Final = frozenset(
    "a abbr acronym b big bdi bdo br cite code em font i img ins mark q small span strong sub "
    "sup tt u var wbr".split()
)
_HIDDEN: Final = frozenset(
    "head link meta noscript script style template title iframe object svg".split()
)
_BOLD_TAGS: Final = frozenset({"b", "strong"})
_SHELL: Final = "e-Laws needs JavaScript"
_WORD_SECTION: Final = re.compile(r"WordSection\d+$")


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Pauses the collector, which would scan a growing tree of 15,000 nodes again and again."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


class _Walker:
    """Collects the printed paragraphs of a tree, in document order, without recursion."""

    def __init__(self, problems: Problems) -> None:
        self.found: list[Paragraph] = []
        self._problems = problems
        self._pieces: list[Piece] = []
        self._styles: list[str] = []
        self._tables: list[int] = []
        self._table_count = 0
        self._row = 0

    def walk(self, root: Element) -> list[Paragraph]:
        """Returns the paragraphs below an element."""
        # Each entry: the node to enter, or the tag to leave, with the flags of its surroundings.
        stack: list[tuple[Any, int, bool]] = [
            (child, 0, False) for child in reversed(root.contents)
        ]
        while stack:
            node, flags, leaving = stack.pop()
            kind = type(node)
            if kind is str:
                self._text(node, flags)
                continue
            if kind is not Element:
                self._special(node)
                continue
            name = node.name
            if leaving:
                self._leave(name)
            elif name in _HIDDEN:
                if node.text().strip() or name in {"iframe", "object", "svg"}:
                    self._problems.add(f"<{name}> inside the law is not read")
            else:
                if name == "p" and self._simple(node):
                    continue
                if "style" in node.attrs or "hidden" in node.attrs:
                    self._check_visible(node)
                if name in _BLOCKS:
                    self._enter(node, name)
                    stack.append((node, flags, True))
                else:
                    flags = self._inline(node, name, flags)
                stack.extend([(child, flags, False) for child in reversed(node.contents)])
        self._flush()
        return self.found

    def _simple(self, node: Element) -> bool:
        """Takes a paragraph of one string and one class at once; three of four are such."""
        contents, attributes = node.contents, node.attrs
        if len(contents) != 1 or type(contents[0]) is not str or self._styles:
            return False
        if len(attributes) != 1 or "class" not in attributes:
            return False
        self._flush()
        table = self._tables[-1] if self._tables else 0
        paragraph = build(attributes["class"], [(contents[0], 0)], table, self._row if table else 0)
        if paragraph is not None:
            self.found.append(paragraph)
        return True

    def _text(self, text: str, flags: int) -> None:
        if self._styles or not text.isspace():
            self._pieces.append((text, flags))

    def _special(self, node: Special) -> None:
        self._problems.add(f"{node.kind} {cut(node.text)!r} is not read")

    def _check_visible(self, node: Element) -> None:
        """Says so where mark-up hides text; it is read all the same."""
        declared = node.attrs.get("style", "").replace(" ", "").lower()
        if "hidden" in node.attrs or "display:none" in declared or "visibility:hid" in declared:
            self._problems.add(f"hidden text is read: {cut(canon(node.text()))!r}")

    def _inline(self, node: Element, name: str, flags: int) -> int:
        if name == "br":
            self._pieces.append(("\n", BREAK))
        elif name == "img":
            self._pieces.append((node.attrs.get("alt", ""), IMAGE))
        elif name not in _INLINE:
            self._problems.add(f"unknown element <{cut(name)}>")
        if name in _BOLD_TAGS:
            return flags | BOLD
        if name == "span":
            shown = node.attrs.get("class", "")
            if "citation" in shown:
                return flags | CITED
            if "ovbold" in shown:
                return flags | BOLD
        return flags

    def _enter(self, node: Element, name: str) -> None:
        self._flush()
        if name == "p":
            if self._styles:
                self._problems.add("a paragraph inside a paragraph")
            self._styles.append(node.attrs.get("class", ""))
        elif name == "table":
            self._table_count += 1
            self._tables.append(self._table_count)
            if len(self._tables) > 1:
                self._problems.add("a table inside a table")
        elif name == "tr":
            self._row += 1

    def _leave(self, name: str) -> None:
        self._flush()
        if name == "p":
            self._styles.pop()
        elif name == "table":
            self._tables.pop()

    def _flush(self) -> None:
        if not self._pieces:
            return
        pieces, self._pieces = self._pieces, []
        table = self._tables[-1] if self._tables else 0
        style = self._styles[-1] if self._styles else "table" if table else ""
        paragraph = build(style, pieces, table, self._row if table else 0)
        if paragraph is None:
            return
        if not self._styles:
            self._problems.add(f"text outside a paragraph: {cut(paragraph.text)!r}")
        self.found.append(paragraph)


def _front(paragraphs: list[Paragraph], *names: str) -> str:
    """The text of the first paragraph that has one of these classes, tried in order."""
    for name in names:
        for paragraph in paragraphs:
            if paragraph.style.removesuffix("-e") == name:
                return paragraph.text
    return ""


def read_content(text: str, rendition: str, problems: Problems) -> dict[str, Any]:
    """Reads a ``content`` fragment.

    Raises:
        ParseError: no markup or no text in it, or it is the page's script shell.
    """
    _check_shell(text)
    with _collector_paused():
        paragraphs = _Walker(problems).walk(parse(text))
    if not paragraphs:
        raise ParseError("the document has no text; capture it again")
    # Character references can spell what the raw text doesn't show, and the canonical form drops
    # controls that count as space: both are looked at.
    for said in dict.fromkeys([*suspicious(text), *suspicious(_joined(paragraphs))]):
        problems.add(said)
    return {
        "rendition": rendition,
        "title": _front(paragraphs, "regtitle", "shorttitle", "leadText"),
        "code": _front(paragraphs, "regnumber", "chapter"),
        **Assembler(problems).run(paragraphs),
    }


def read_page(text: str, problems: Problems) -> dict[str, Any]:
    """Reads the law inside a page; site navigation around it is not read.

    Raises:
        ParseError: the page holds no law: the script shell, an error page.
    """
    _check_shell(text)
    walker = _Walker(problems)
    with _collector_paused():
        page = parse(text)
        inside: set[Element] = set()
        roots = []
        for div in page.elements():
            if _is_law(div) and div not in inside:
                roots.append(div)
                inside.update(div.elements())
        for root in roots:
            walker.walk(root)
    if not roots:
        raise ParseError(
            "no div of class WordSection: a script shell or an error page, not the law; "
            "fetch the API payload instead"
        )
    paragraphs = walker.found
    if not paragraphs:
        raise ParseError("the page's law section is empty; capture it again")
    for said in suspicious(_joined(paragraphs)):
        problems.add(said)
    title = _front(paragraphs, "regtitle", "shorttitle")
    if not title:
        leads = (p for p in page.elements() if p.name == "p" and "leadText" in _classes(p))
        title = next((canon(lead.text()) for lead in leads), "")
    return {
        "rendition": "page",
        "title": title,
        "code": _front(paragraphs, "regnumber", "chapter"),
        **Assembler(problems).run(paragraphs),
    }


def _joined(paragraphs: list[Paragraph]) -> str:
    return "\n".join([paragraph.text for paragraph in paragraphs])


def _classes(element: Element) -> list[str]:
    return element.attrs.get("class", "").split()


def _is_law(element: Element) -> bool:
    return element.name == "div" and any(map(_WORD_SECTION.match, _classes(element)))


def _check_shell(text: str) -> None:
    if _SHELL in text and "<p class=" not in text:
        raise ParseError("the page's script shell, not the law; fetch the API payload instead")


def read_payload(data: bytes, problems: Problems) -> dict[str, Any]:
    """Reads a ``doc-search`` answer.

    Raises:
        ParseError: not JSON, not an object, or without ``content``.
    """
    payload = _json(decode(data))
    content = payload.get("content")
    if not isinstance(content, str) or not content.strip():
        raise ParseError("the payload's 'content' is missing or empty; fetch the document again")
    if SURROGATE.search(content):
        raise ParseError("the payload holds half a character (a lone surrogate); fetch it again")
    result = read_content(content, "payload", problems)
    result["title"] = _field(payload, "title") or result["title"]
    code = _field(payload, "chapter", "regNmber", "regNumber", "volume")
    result["code"] = code or result["code"]
    for name in ("title", "description", "chapter", "shortTitle", "history", "contentTable"):
        for said in suspicious(str(payload.get(name) or "")):
            problems.add(f"field {name!r}: {said}")
    table = payload.get("contentTable")
    if not result["contents"] and isinstance(table, str) and "<" in table:
        rows = _Walker(problems).walk(parse(table))
        result["contents"] = Assembler(problems).run(rows)["contents"]
    return result


def _json(text: str) -> dict[str, Any]:
    try:
        payload = json.loads(text, object_pairs_hook=_once)
    except RecursionError:
        raise ParseError("the JSON nests too deeply to be a payload") from None
    except ParseError:
        raise
    except ValueError as error:
        raise ParseError(f"not JSON: {cut(str(error))}; fetch the document again") from None
    if not isinstance(payload, dict):
        raise ParseError(f"the payload is a {type(payload).__name__}, not an object")
    return payload


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuses a key that comes twice: two parsers may take different ones."""
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ParseError("the payload holds a key twice; which one is the law can't be told")
    return result


def _field(payload: dict[str, Any], *names: str) -> str:
    """The visible text of the first field that has one, tags removed."""
    for name in names:
        value = payload.get(name)
        if isinstance(value, str) and value.strip():
            return canon(parse(value).text() if "<" in value else value)
    return ""
