"""Opens a Word package: bounded zip, and XML without document types or bottomless nesting."""

from __future__ import annotations

import io
import xml.etree.ElementTree as ET
import zipfile
import zlib
from typing import Final

from corpusguard.second_reader.complaint import MAX_XML_DEPTH, ParseError, cut, decode

MAX_ENTRIES: Final = 4000
MAX_PART: Final = 64 * 1024 * 1024
"""Most bytes of one unpacked part."""
MAX_RATIO: Final = 250
"""Most bytes unpacked per byte packed; Word's XML reaches 30."""
_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


class _Bounded(ET.TreeBuilder):
    """Builds a tree that is not deeper than the cap."""

    def __init__(self) -> None:
        super().__init__()
        self._depth = 0

    def start(self, tag: str, attrs: dict[str, str], /) -> ET.Element:
        """Opens an element."""
        self._depth += 1
        if self._depth > MAX_XML_DEPTH:
            raise ParseError(f"XML elements nest more than {MAX_XML_DEPTH} deep")
        return super().start(tag, attrs)

    def end(self, tag: str, /) -> ET.Element:
        """Closes an element."""
        self._depth -= 1
        return super().end(tag)


class Package:
    """A Word file opened for reading.

    Raises:
        ParseError: a binary Word file, no zip, too many or twice named entries.
    """

    def __init__(self, data: bytes) -> None:
        if data.startswith(_OLE):
            raise ParseError(
                "a binary Word file (.doc) or an encrypted one, which can't be read; "
                "use the payload, the page or a .docx"
            )
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, ValueError, OSError, EOFError) as error:
            raise ParseError(f"not a Word file: {cut(str(error))}; download it again") from None
        names = self._zip.namelist()
        if len(names) > MAX_ENTRIES:
            raise ParseError(f"the Word file has {len(names)} entries, over {MAX_ENTRIES}")
        if len(set(names)) != len(names):
            raise ParseError("the Word file names an entry twice; which is the law can't be told")
        self._names = frozenset(names)

    def __contains__(self, name: str) -> bool:
        """Whether the package has a part."""
        return name in self._names

    def xml(self, name: str) -> ET.Element:
        """Reads and parses one part.

        Raises:
            ParseError: missing, encrypted, damaged, too large, not XML, or with a document type.
        """
        text = decode(self._bytes(name))
        # Every XML bomb and external entity needs a document type; Word files never have one.
        if "<!DOCTYPE" in text or "<!ENTITY" in text:
            raise ParseError(f"{name} declares a document type; Word files have none: refused")
        parser = ET.XMLParser(target=_Bounded())  # noqa: S314 (document types refused above)
        try:
            parser.feed(text)
            root = parser.close()
        except ET.ParseError as error:
            raise ParseError(f"{name} is not well-formed XML: {cut(str(error))}") from None
        if not isinstance(root, ET.Element):
            raise ParseError(f"{name} has no root element")
        return root

    def _bytes(self, name: str) -> bytes:
        if name not in self._names:
            raise ParseError(f"the Word file has no {name}; is it a .docx?")
        info = self._zip.getinfo(name)
        if info.flag_bits & 1:
            raise ParseError("the Word file is encrypted; download an open one")
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise ParseError(
                f"{name} is packed by method {info.compress_type}, which Word never uses"
            )
        limit = min(MAX_PART, max(info.compress_size, 1024) * MAX_RATIO)
        try:
            with self._zip.open(info) as part:
                data = part.read(limit + 1)
        except (zipfile.BadZipFile, zlib.error, OSError, EOFError, RuntimeError) as error:
            raise ParseError(f"{name} is damaged: {cut(str(error))}; download it again") from None
        if len(data) > limit:
            raise ParseError(f"{name} unpacks to more than {limit} bytes: refused")
        return data
