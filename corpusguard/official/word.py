"""What a Word download says of itself, read with zipfile and expat under hard limits."""

from __future__ import annotations

import io
import zipfile
import zlib
from typing import Final
from xml.parsers import expat

from corpusguard.errors import BodyTruncated, Unreadable
from corpusguard.official.dates import first_long_date
from corpusguard.official.identity import front_name

MAX_PART_BYTES: Final = 150_000_000
MAX_RATIO: Final = 200
_FRONT_PARAGRAPHS: Final = 60
_STYLES: Final = ("shorttitle", "regtitle", "chapter", "regnumber", "ConsolidationPeriod")
_HINT: Final = "open the file in Word to see whether it is whole; fetch or import it again"


def word_part(data: bytes, name: str) -> bytes | None:
    """Return one part of a Word package, or None where the package does not have it.

    Raises:
        BodyTruncated: The archive ends early, or a part does not match its checksum.
        Unreadable: The part is encrypted, or unpacks to more than the limits allow.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            info = package.getinfo(name)
            packed = max(info.compress_size, 1)
            if info.file_size > MAX_PART_BYTES or info.file_size > packed * MAX_RATIO:
                raise Unreadable(f"{name} unpacks to {info.file_size} bytes", hint=_HINT)
            with package.open(info) as part:
                return part.read(info.file_size + 1)
    except KeyError:
        return None
    except (RuntimeError, NotImplementedError) as error:
        raise Unreadable(
            f"the Word file is encrypted or packed oddly: {error}", hint=_HINT
        ) from error
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError) as error:
        raise BodyTruncated(f"the Word file is damaged: {error}", hint=_HINT) from error


def word_front(data: bytes) -> dict[str, str]:
    """Return ``title``, ``code`` and ``consolidated_from`` where the first paragraphs say them.

    Raises:
        BodyTruncated: The package or its XML is damaged.
        Unreadable: It declares a document type, which no Word file has and every entity attack
            needs, or is over a limit.
    """
    document = word_part(data, "word/document.xml")
    if document is None:
        raise Unreadable("the zip file has no word/document.xml", hint=_HINT)
    names = _style_names(word_part(data, "word/styles.xml") or b"")
    front = _Front(names)
    front.read(document)
    regulation = any(style in {"regnumber", "regtitle"} for style, _ in front.found)
    result: dict[str, str] = {}
    for style, text in front.found:
        name = front_name(style, regulation=regulation)
        value = first_long_date(text) if name == "consolidated_from" else text
        if name and value:
            result.setdefault(name, value)
    return result


class _Stop(Exception):
    """Enough paragraphs were read."""


class _Front:
    """Collects the styled paragraphs at the head of a Word document."""

    def __init__(self, names: dict[str, str]) -> None:
        self.found: list[tuple[str, str]] = []
        self._names = names
        self._style = ""
        self._text: list[str] = []
        self._in_text = False
        self._paragraphs = 0

    def read(self, xml: bytes) -> None:
        parser = _parser()
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        try:
            parser.Parse(xml, True)  # noqa: FBT003, expat takes it by position only
        except _Stop:
            return
        except expat.ExpatError as error:
            raise BodyTruncated(f"word/document.xml is damaged: {error}", hint=_HINT) from error

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "w:p":
            self._style, self._text = "", []
        elif name == "w:pStyle":
            identifier = attributes.get("w:val", "")
            self._style = self._names.get(identifier, identifier).removesuffix("-e")
        elif name in {"w:br", "w:tab"}:
            self._text.append(" ")
        self._in_text = name == "w:t"

    def _end(self, name: str) -> None:
        self._in_text = False
        if name != "w:p":
            return
        if self._style in _STYLES:
            self.found.append((self._style, " ".join("".join(self._text).split())))
        self._paragraphs += 1
        if self._paragraphs >= _FRONT_PARAGRAPHS:
            raise _Stop

    def _characters(self, text: str) -> None:
        if self._in_text:
            self._text.append(text)


def _style_names(xml: bytes) -> dict[str, str]:
    """Map style ids to style names: Word may store ``heading1`` under the id ``heading10``."""
    names: dict[str, str] = {}
    current = ""

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal current
        if name == "w:style":
            current = attributes.get("w:styleId", "")
        elif name == "w:name" and current:
            names.setdefault(current, attributes.get("w:val", ""))

    if not xml:
        return names
    parser = _parser()
    parser.StartElementHandler = start
    try:
        parser.Parse(xml, True)  # noqa: FBT003, expat takes it by position only
    except expat.ExpatError as error:
        raise BodyTruncated(f"word/styles.xml is damaged: {error}", hint=_HINT) from error
    return names


def _parser() -> expat.XMLParserType:
    parser = expat.ParserCreate()
    parser.buffer_text = True

    def refuse(*_: object) -> None:
        raise Unreadable("the Word file declares a document type", hint=_HINT)

    parser.StartDoctypeDeclHandler = refuse
    return parser
