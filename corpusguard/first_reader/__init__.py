"""The first reader: official bytes in, provisions out. Its only engine is lxml.

It shares no code with the second reader; both follow ``docs/reading-elaws.md``.
"""

from __future__ import annotations

import gc

from corpusguard.errors import Unreadable
from corpusguard.model import Reading, Rendition

from . import _docx, _html, _payload
from ._machine import Machine

VERSION = "3"
"""Changes whenever any document may be read differently; recorded with each run."""

__all__ = ["VERSION", "read"]


def read(data: bytes, rendition: Rendition) -> Reading:
    """Read one rendition of a document.

    Args:
        data: The official bytes, untouched.
        rendition: What they are.

    Returns:
        The reading; every visible word is in exactly one of its segments.

    Raises:
        Unreadable: A kind that we cannot read (``doc``, ``pdf``), broken or oversized bytes, or
            bytes without any text of law.
    """
    collecting = gc.isenabled()
    # A reading is many small objects without a cycle among them: looking for cycles while they
    # are made takes a sixth of the time (measured) and finds none.
    gc.disable()
    try:
        return _read(data, rendition)
    finally:
        if collecting:
            gc.enable()


def _read(data: bytes, rendition: Rendition) -> Reading:
    identity = None
    contents = None
    if rendition is Rendition.PAYLOAD:
        payload = _payload.load(data)
        stream = _html.stream(payload.content, page=False)
        identity, contents = payload.identity, payload.contents
    elif rendition is Rendition.CONTENT:
        stream = _html.stream(data, page=False)
    elif rendition is Rendition.PAGE:
        stream = _html.stream(data, page=True)
    elif rendition is Rendition.DOCX:
        stream = _docx.stream(data)
    else:
        raise Unreadable(
            f"the first reader does not read {rendition.value} files",
            hint="Capture the API payload, the page or the .docx instead.",
        )
    return Machine().read(stream, rendition, identity, contents or ())
