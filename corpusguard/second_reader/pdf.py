"""The PDF half: opens the file with pdfminer.six within bounds and hands on its printed lines.

pdfminer's own reading order is not used: on real statutes it never equals the printed one. Lines
are taken with their positions, and ``layout`` puts them in order.
"""

from __future__ import annotations

import io
import re
import zlib
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, Any, Final

from pdfminer.converter import PDFPageAggregator
from pdfminer.layout import LAParams, LTChar, LTContainer, LTImage, LTPage, LTTextLine
from pdfminer.pdfdocument import PDFDocument, PDFEncryptionError, PDFPasswordIncorrect
from pdfminer.pdfinterp import PDFPageInterpreter, PDFResourceManager
from pdfminer.pdfpage import PDFPage
from pdfminer.pdfparser import PDFParser

from corpusguard.second_reader import layout
from corpusguard.second_reader.complaint import MAX_DEPTH, ParseError, Problems, cut
from corpusguard.second_reader.words import canon, suspicious

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_PAGES: Final = 3000
MAX_LINES: Final = 1_000_000
MAX_INFLATED: Final = 512 * 1024 * 1024
"""Most bytes that all compressed streams of a file may hold together."""
_STREAM: Final = re.compile(rb"stream\r?\n")
_FILTER_CHAIN: Final = re.compile(rb"/Fl(?:ateDecode)?\s*/Fl(?:ateDecode)?\b")
_GLYPH: Final = re.compile(r"\(cid:\d+\)")


def read_pdf(data: bytes, problems: Problems) -> dict[str, Any]:
    """Reads an official PDF.

    Raises:
        ParseError: not a PDF, encrypted, damaged, a scan without text, or over a cap.
    """
    if b"%PDF-" not in data[:1024]:
        raise ParseError("not a PDF: no %PDF- header; download it again")
    _check_inflation(data)
    try:
        pages, pictures = _lines(data, problems)
    except ParseError:
        raise
    except (PDFPasswordIncorrect, PDFEncryptionError):
        raise ParseError("the PDF is encrypted; download an open one") from None
    except Exception as error:  # noqa: BLE001 (pdfminer raises anything on a damaged file)
        said = f"{type(error).__name__}: {cut(str(error))}"
        raise ParseError(f"pdfminer can't read the PDF ({said}); download it again") from None
    if not any(pages):
        if pictures:
            raise ParseError(
                "the PDF holds images only: unreadable, not empty; use another rendition"
            )
        raise ParseError("the PDF has no text and no images; download it again")
    result = layout.arrange(pages, problems)
    for _, _, runs in result["blocks"]:
        for _, text in runs:
            for said in suspicious(text):
                problems.add(said)
    return {"rendition": "pdf", **result}


def _check_inflation(data: bytes) -> None:
    """Refuses a file whose compressed streams unpack to more than the cap; keeps nothing.

    pdfminer unpacks without a bound. Two Flate filters in a row would hide a bomb from this
    check, and no publisher's tool writes them.
    """
    if _FILTER_CHAIN.search(data):
        raise ParseError("the PDF packs a stream twice: refused")
    total = 0
    for found in _STREAM.finditer(data):
        packed = memoryview(data)[found.end() :]
        unpacker = zlib.decompressobj()
        # Feeding piece by piece keeps a stream that is not compressed from being copied whole.
        for at in range(0, len(packed), 65536):
            chunk: bytes = bytes(packed[at : at + 65536])
            try:
                while chunk and not unpacker.eof:
                    total += len(unpacker.decompress(chunk, 1 << 20))
                    chunk = unpacker.unconsumed_tail
                    if total > MAX_INFLATED:
                        raise ParseError(f"the PDF unpacks to over {MAX_INFLATED} bytes: refused")
            except zlib.error:
                break
            if unpacker.eof:
                break


def _lines(data: bytes, problems: Problems) -> tuple[list[list[layout.Line]], int]:
    """Returns the lines of each page in no particular order, and the number of images."""
    document = PDFDocument(PDFParser(io.BytesIO(data)))
    if document.encryption is not None:
        problems.add("the PDF is encrypted, though it opens without a password")
    manager = PDFResourceManager()
    # boxes_flow=None: the grouping into boxes is the part we don't trust and half of the time.
    device = PDFPageAggregator(manager, laparams=LAParams(boxes_flow=None, all_texts=True))
    interpreter = PDFPageInterpreter(manager, device)
    pages: list[list[layout.Line]] = []
    pictures = count = 0
    for number, page in enumerate(PDFPage.create_pages(document)):
        if number >= MAX_PAGES:
            raise ParseError(f"the PDF has more than {MAX_PAGES} pages")
        interpreter.process_page(page)
        printed = device.get_result()
        lines: list[layout.Line] = []
        images = 0
        for item in _walk(printed):
            if isinstance(item, LTImage):
                images += 1
            elif (line := _line(item, printed, number)) is not None:
                lines.append(line)
        count += len(lines)
        if count > MAX_LINES:
            raise ParseError(f"the PDF has more than {MAX_LINES} lines")
        if images and not lines:
            problems.add(f"page {number + 1} holds an image and no text")
        pictures += images
        pages.append(lines)
    return pages, pictures


def _walk(page: LTPage) -> Iterator[Any]:
    """Yields text lines and images; characters that lie loose in a figure come one by one."""
    stack: list[tuple[Any, int]] = [(page, 0)]
    while stack:
        item, depth = stack.pop()
        if isinstance(item, LTTextLine | LTImage | LTChar):
            yield item
        elif isinstance(item, LTContainer):
            if depth > MAX_DEPTH:
                raise ParseError(f"figures nest more than {MAX_DEPTH} deep")
            stack.extend([(child, depth + 1) for child in item])


def _line(item: LTChar | LTTextLine, page: LTPage, number: int) -> layout.Line | None:
    characters = [item] if isinstance(item, LTChar) else [c for c in item if isinstance(c, LTChar)]
    raw = item.get_text()
    if (
        not isinstance(item, LTChar)
        and sum(len(word) < 3 for word in raw.split()) > len(raw.split()) / 2
    ):
        raw = _tightened(item, raw)
    raw = _GLYPH.sub("\ufffd", raw)
    text = canon(raw)
    if not text or not characters:
        return None
    bold: list[str] = []
    for part in [item] if isinstance(item, LTChar) else item:
        plain = isinstance(part, LTChar) and "bold" not in part.fontname.lower()
        if plain and part.get_text().strip():
            break
        bold.append(part.get_text())
    size = round(median([c.size for c in characters]), 1)
    return layout.Line(
        number,
        item.x0,
        item.y0 - page.y0,
        item.x1,
        item.y1 - page.y0,
        page.width,
        page.height,
        size,
        text,
        canon("".join(bold)),
        raw.rstrip().endswith("\u00ad"),
    )


def _tightened(item: LTTextLine, raw: str) -> str:
    """Undoes letter-spaced type ("S c h o l z"), in which pdfminer takes every gap for a space.

    Only where the usual gap between two letters is wide; then spaces that the file itself holds
    are words' ends, and gaps that are wider still.
    """
    characters = [part for part in item if isinstance(part, LTChar)]
    gaps = [
        (right.x0 - left.x1) / max(left.size, 1)
        for left, right in pairwise(characters)
        if left.get_text().strip() and right.get_text().strip()
    ]
    if len(gaps) < 3 or (usual := median(gaps)) < 0.05:
        return raw
    out = [characters[0].get_text()]
    for left, right in pairwise(characters):
        if (right.x0 - left.x1) / max(left.size, 1) > usual + 0.2:
            out.append(" ")
        out.append(right.get_text())
    return "".join(out)
