"""The one error of the second reader, and its caps on hostile input.

The reader imports nothing of the rest of the project, so it has an error of its own; the caller
translates it.
"""

from __future__ import annotations

from typing import Final

MAX_BYTES: Final = 64 * 1024 * 1024
"""Largest input. The largest Ontario regulation is under 10 MiB as a payload."""
MAX_DEPTH: Final = 400
"""Deepest nesting of elements; real documents stay under 20."""
MAX_XML_DEPTH: Final = 200
"""The same for Word's XML, which is walked by recursion, two frames a level."""
MAX_DECLARATIONS: Final = 1000
"""Most comments and declarations: each unclosed one makes html.parser scan to the end again."""
MAX_PROBLEMS: Final = 1000
"""Problems kept one by one; the rest is counted."""


class ParseError(ValueError):
    """The bytes can't be read as the rendition they are said to be.

    The message says what is wrong and, where there is one, the next step.
    """


class Problems:
    """Collects what could not be placed cleanly, bounded, in order."""

    def __init__(self) -> None:
        self._said: list[str] = []
        self._more = 0

    def add(self, message: str) -> None:
        """Records one problem; text from the document should be cut by the caller (see ``cut``)."""
        if len(self._said) < MAX_PROBLEMS:
            self._said.append(message)
        else:
            self._more += 1

    def listed(self) -> list[str]:
        """Returns all problems, the uncounted rest as a last line."""
        return [*self._said, *([f"and {self._more} more problems"] if self._more else [])]


def cut(text: str, size: int = 60) -> str:
    """Shortens document text for a message; control characters are escaped."""
    short = text if len(text) <= size else text[: size - 1] + "…"
    return short if short.isprintable() else ascii(short)[1:-1]


def check_size(data: bytes) -> None:
    """Refuses empty and oversized input.

    Raises:
        ParseError: the input is empty or larger than ``MAX_BYTES``.
    """
    if not data:
        raise ParseError("the file is empty; fetch it again")
    if len(data) > MAX_BYTES:
        raise ParseError(f"the file has {len(data)} bytes, more than the {MAX_BYTES} allowed")


def decode(data: bytes) -> str:
    """Decodes strictly as UTF-8.

    Raises:
        ParseError: the bytes are not UTF-8; the message names the offset.
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ParseError(
            f"not UTF-8: byte 0x{data[error.start]:02x} at offset {error.start}; "
            "fetch the document again and keep its bytes as served"
        ) from None
