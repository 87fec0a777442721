"""What kind of rendition are these bytes? By their own marks, never by a file name."""

from __future__ import annotations

import re
from typing import Final

from corpusguard.errors import Mojibake, NotTheDocument, Unreadable
from corpusguard.model import Rendition
from corpusguard.official.sanity import foreign_page
from corpusguard.official.schema import load_json
from corpusguard.official.word import word_part

_ZIP: Final = b"PK\x03\x04"
_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_BOM: Final = b"\xef\xbb\xbf"
_PAGE: Final = re.compile(r"<(?:!doctype|html|head|meta|title|body)\b", re.IGNORECASE)
_FOREIGN_XML: Final = re.compile(r"\s*<\?xml(?!.{0,2000}<html\b)", re.IGNORECASE | re.DOTALL)
_FRAGMENT: Final = re.compile(r"<(?:p|div)\b", re.IGNORECASE)
_HINT: Final = (
    "known renditions: the API's JSON, its content as HTML, the page saved from a browser, .docx,"
    " .doc and .pdf"
)


def recognise(data: bytes) -> Rendition:
    """Return the rendition that ``data`` is.

    Raises:
        NotTheDocument: Nothing, or a shell, firewall or error page.
        Unreadable: Nothing that we know.
        Mojibake: Text that is not UTF-8.
        BodyTruncated, ShapeChanged: JSON that breaks off, or is not a document.
    """
    if not data.strip():
        raise NotTheDocument("the file is empty", hint=_HINT)
    if data.startswith(_OLE):
        return Rendition.DOC
    if b"%PDF-" in data[:1024]:
        return Rendition.PDF
    if data.startswith(_ZIP):
        if word_part(data, "word/document.xml") is None:
            raise Unreadable("a zip file, but not a Word file", hint=_HINT)
        return Rendition.DOCX
    if data.startswith(b"\x1f\x8b"):
        raise Unreadable("the file is compressed with gzip", hint="unpack it first: gunzip FILE")
    return _text(data)


def markup(data: bytes, what: str) -> str:
    """Decode HTML as strict UTF-8, a byte order mark aside.

    Raises:
        Mojibake: The bytes are not UTF-8.
    """
    try:
        return data.removeprefix(_BOM).decode("utf-8")
    except UnicodeDecodeError as error:
        raise Mojibake(
            f"{what} is not UTF-8 at byte {error.start}",
            hint="save it as UTF-8 from the publisher's site; do not convert it by hand",
        ) from error


def _text(data: bytes) -> Rendition:
    head = data.removeprefix(_BOM).lstrip()[:1]
    if head == b"{" and not data.startswith(b"{\\rtf"):
        payload = load_json(data, "the file")
        payload.at("content").text()
        return Rendition.PAYLOAD
    text = markup(data, "the file")
    if head == b"<" and not _FOREIGN_XML.match(text):
        if _PAGE.search(text[:20_000]):
            return Rendition.PAGE
        if _FRAGMENT.search(text[:20_000]):
            return Rendition.CONTENT
    if page := foreign_page(text):
        raise NotTheDocument(f"the file is {page}", hint=_HINT)
    raise Unreadable(f"the file is of no known kind; it begins with {text[:40]!r}", hint=_HINT)
