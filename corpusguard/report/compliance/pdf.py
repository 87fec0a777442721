"""The report as PDF, by WeasyPrint (extra ``pdf``): the same page, its print styles.

Bytes: WeasyPrint writes no dates unless the page has ``dcterms`` meta elements, which give the
run's, and takes an identifier, which is the digest of the page. What is left is the version of the
library and the fonts of the machine: `report --check` of a PDF holds where both are equal.
"""

from __future__ import annotations

import hashlib
import logging
from typing import TYPE_CHECKING

from corpusguard.errors import ConfigError
from corpusguard.report.compliance.page import links_within, render

if TYPE_CHECKING:
    from corpusguard.report.compliance.content import Content


def render_pdf(content: Content) -> bytes:
    """Return the report as PDF.

    Raises:
        ConfigError: The extra is not installed, or its system libraries are not.
    """
    try:
        import weasyprint  # noqa: PLC0415, it needs an extra
    except (ImportError, OSError) as error:
        raise ConfigError(
            f"a PDF needs WeasyPrint and its system libraries: {error}",
            hint="pip install 'corpusguard-law[pdf]', or write HTML and print it from a browser",
        ) from error
    # Unknown properties of the screen styles are no news to whoever asks for a report.
    logging.getLogger("weasyprint").setLevel(logging.CRITICAL)
    text = render("report.html.j2", paper=True, content=content, links=links_within(content))
    data: bytes | None = weasyprint.HTML(string=text, url_fetcher=_Refuse()).write_pdf(
        pdf_identifier=hashlib.sha256(text.encode("utf-8", "backslashreplace")).digest()[:16]
    )
    return data or b""


class _Refuse:
    """Fetch nothing: the page needs nothing, and text in it must not make it ask."""

    _fail_on_errors = False
    """WeasyPrint 68 and later ask for it: whether a refusal ends the rendering."""

    def __call__(self, url: str, *_: object, **__: object) -> None:
        raise ValueError(f"a report fetches nothing, not even {url[:80]!r}")
