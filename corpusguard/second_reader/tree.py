"""A light tree of markup, fed by BeautifulSoup's front end to html.parser.

BeautifulSoup's own nodes link to their parents and neighbours in every direction. The reader goes
down only: without the links a document is read in two thirds of the time, and its tree is gone
with its last use instead of waiting for the collector. What a tag opens and closes, character
references, doubled attributes and void elements are BeautifulSoup's and html.parser's business.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from bs4 import BeautifulSoup, Comment
from bs4.element import NavigableString
from bs4.exceptions import ParserRejectedMarkup

from corpusguard.second_reader.complaint import MAX_DECLARATIONS, MAX_DEPTH, ParseError, cut

if TYPE_CHECKING:
    from collections.abc import Iterator

_RAW: Final = frozenset({"script", "style", "template"})


class Element:
    """An element: its name, attributes (the first of doubled ones) and contents."""

    __slots__ = ("attrs", "contents", "is_empty_element", "name")

    def __init__(self, name: str, attrs: dict[str, str], *, void: bool) -> None:
        self.name = name
        self.attrs = attrs
        self.contents: list[str | Element | Special] = []
        self.is_empty_element = void

    def elements(self) -> Iterator[Element]:
        """All elements below this one, in document order."""
        stack = [child for child in reversed(self.contents) if type(child) is Element]
        while stack:
            element = stack.pop()
            yield element
            stack += [child for child in reversed(element.contents) if type(child) is Element]

    def text(self) -> str:
        """All text below this element; that of scripts and styles only of its own."""
        found: list[str] = []
        stack: list[str | Element | Special] = list(reversed(self.contents))
        while stack:
            node = stack.pop()
            if type(node) is str:
                found.append(node)
            elif type(node) is Element and node.name not in _RAW:
                stack += reversed(node.contents)
        return "".join(found)


class Special:
    """A declaration, instruction or marked section, which is no text."""

    __slots__ = ("kind", "text")

    def __init__(self, kind: str, text: str) -> None:
        self.kind = kind
        self.text = text


class _Soup(BeautifulSoup):
    """BeautifulSoup that keeps light elements, and refuses bottomless nesting while it builds.

    The methods are those that its front ends call, under the library's names.
    """

    def reset(self) -> None:
        super().reset()
        self.light = Element(self.ROOT_TAG_NAME, {}, void=False)
        self._path = [self.light]
        self._opened: Counter[str] = Counter()
        self._void = self.builder.empty_element_tags or set()

    def handle_starttag(self, name: str, *given: Any, **_more: Any) -> Any:  # noqa: ANN401
        self.endData()
        path = self._path
        if len(path) > MAX_DEPTH:
            raise ParseError(f"elements nest more than {MAX_DEPTH} deep; not an e-Laws document")
        element = Element(name, given[2], void=name in self._void)
        path[-1].contents.append(element)
        path.append(element)
        self._opened[name] += 1
        return element

    def handle_endtag(self, name: str, nsprefix: str | None = None) -> None:  # noqa: ARG002
        self.endData()
        closed = None
        while closed != name and self._opened[name]:
            closed = self._path.pop().name
            self._opened[closed] -= 1

    def endData(self, containerClass: type[NavigableString] | None = None) -> None:  # noqa: N802, N803
        if not self.current_data:
            return
        text = "".join(self.current_data)
        self.current_data = []
        if containerClass is None or containerClass is NavigableString:
            self._path[-1].contents.append(text)
        elif containerClass is not Comment:
            self._path[-1].contents.append(Special(containerClass.__name__, text))


def parse(text: str) -> Element:
    """Parses HTML.

    Returns:
        The element around everything.

    Raises:
        ParseError: no markup, XML, too deep, or so many declarations that only malice has them.
    """
    if "<" not in text:
        raise ParseError("no markup in the document; capture the official rendition itself")
    if "<?xml" in text[:1000].lower():
        raise ParseError("XML where HTML was expected; check the rendition")
    after = text.rfind(">") + 1
    if text.count("<!") + text.count("<?") + text.count("<", after) > MAX_DECLARATIONS:
        raise ParseError(f"more than {MAX_DECLARATIONS} comments, declarations or unclosed tags")
    try:
        soup = _Soup(
            text,
            "html.parser",
            store_line_numbers=False,
            multi_valued_attributes=None,
            on_duplicate_attribute="ignore",
        )
    except ParserRejectedMarkup as error:
        raise ParseError(f"html.parser can't read the document: {cut(str(error))}") from None
    # A soup holds itself in a circle; what it lets go of now need not wait for the collector.
    light, soup.light, soup._path = soup.light, Element("", {}, void=False), []  # noqa: SLF001
    return light
