"""Lines of a text store, one at a time, strictly UTF-8, each under the line cap."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING

from corpusguard.corpora.interface import LIMITS
from corpusguard.errors import CorpusUnreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def decode(data: bytes, where: str) -> str:
    """Decode UTF-8 strictly; a byte-order mark at the very start is dropped.

    Raises:
        CorpusUnreadable: the bytes are not UTF-8. No other encoding is guessed: a wrong guess
            would turn the user's text into findings, or worse, into matches.
    """
    if data.startswith(_UTF16):
        raise CorpusUnreadable(f"{where}: UTF-16", hint="Save the store as UTF-8.")
    try:
        return data.removeprefix(codecs.BOM_UTF8).decode("utf-8")
    except UnicodeDecodeError as error:
        raise CorpusUnreadable(
            f"{where}: not UTF-8 (byte {error.start} is 0x{data[error.start]:02x})",
            hint="Export the store as UTF-8; text that was decoded wrongly cannot be verified.",
        ) from error


def read_lines(readline: Callable[[int], bytes], shown: str) -> Iterator[tuple[str, str]]:
    r"""Yield ``(where, line)`` for each line, line ends kept; only ``\n`` ends a line.

    ``str.splitlines`` would also cut at U+2028, form feeds and other characters that may stand
    inside a JSON string.

    Args:
        readline: returns the next line, at most so many bytes of it; empty at the end.
        shown: the store's name in places and messages.

    Raises:
        CorpusUnreadable: a line is too long or is not UTF-8.
    """
    number = 0
    while data := readline(LIMITS.line + 1):
        number += 1
        where = f"{shown}:{number}"
        if len(data) > LIMITS.line:
            raise CorpusUnreadable(
                f"{where}: a line of more than {LIMITS.line} bytes",
                hint="Write one passage a line; for one large JSON array use reader = 'json'.",
            )
        if number > 1 and data.startswith(codecs.BOM_UTF8):
            # Two exports were joined; decode() would drop the mark, and it is not at the start.
            yield where, "\ufeff" + decode(data, where)
        else:
            yield where, decode(data, where)
