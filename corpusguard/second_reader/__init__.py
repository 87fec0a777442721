"""The second reader: official bytes to plain built-ins, by engines and tables of its own.

It exists to disagree. It imports nothing of the project and never lxml: BeautifulSoup over
html.parser for HTML, zipfile and expat for Word, pdfminer.six for PDF, its own class table, its
own canonical form. What docs/reading-elaws.md says is all that it shares with the first reader.
"""

from __future__ import annotations

from typing import Any, Final

from corpusguard.second_reader import markup, pdf, word
from corpusguard.second_reader.complaint import ParseError, Problems, check_size, decode

VERSION: Final = "3"
"""Changes whenever the same bytes may read differently; results name it."""

__all__ = ["VERSION", "ParseError", "read"]


def read(data: bytes, rendition: str) -> dict[str, Any]:
    """Reads one official rendition.

    Args:
        data: The bytes as served.
        rendition: ``payload``, ``content``, ``page``, ``docx`` or ``pdf``.

    Returns:
        Plain built-ins only:

        * ``rendition``, ``title``, ``code``: what it is and says of itself;
        * ``blocks``: ``(section, status, [(role, text), ...])`` in document order. ``section`` is
          the section locator (empty for contents, front matter, Part and group headings; None only
          in a PDF, where it can't be told); ``status`` is ``in_force``, ``not_in_force`` or
          ``gone`` (a PDF has no classes, so that future text reads as in force there); roles are
          ``body marker heading headnote history note placeholder contents front``; texts are
          canonical and never empty;
        * ``sections``: one entry per section opener, in order: ``number`` (locator), ``printed``,
          ``status``, ``covers`` (numbers), ``unknown_between`` (``[low, high]`` or None),
          ``block`` (index into ``blocks``);
        * ``gaps``: ``[previous, next]`` locators between which whole section numbers are missing;
        * ``contents``: ``number``, ``title``, ``in_force`` of each numbered contents row;
        * ``problems``: what was placed but not understood, as sentences.

    Raises:
        ParseError: the bytes can't be read as that rendition.
    """
    check_size(data)
    problems = Problems()
    if rendition == "payload":
        result = markup.read_payload(data, problems)
    elif rendition == "content":
        result = markup.read_content(decode(data), "content", problems)
    elif rendition == "page":
        result = markup.read_page(decode(data), problems)
    elif rendition == "docx":
        result = word.read_docx(data, problems)
    elif rendition == "pdf":
        result = pdf.read_pdf(data, problems)
    elif rendition == "doc":
        raise ParseError("a binary Word file can't be read; use the payload, the page or a .docx")
    else:
        raise ParseError(
            f"unknown rendition {rendition[:40]!r}; known: payload, content, page, docx, pdf"
        )
    result["problems"] = problems.listed()
    return result
