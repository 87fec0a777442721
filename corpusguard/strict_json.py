"""JSON that two readers cannot take in two ways, in bounds.

Python's own reader takes the last of two values for one key, ``NaN``, ``1e999`` as infinity and
half a surrogate pair, stops at a depth and a number of digits that the interpreter sets, and says
so in its own words. Whoever reads JSON from outside reads it here, and turns :class:`NotStrict`
into an error of their own. The rules are those of I-JSON (RFC 7493), with bounds. A byte order mark
is refused: a file of a person's, whose editor may have written one, loses it where it is decoded.
"""

from __future__ import annotations

import json
import math
import re
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, NoReturn
from unicodedata import normalize

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_SIZE: Final = 64_000_000
"""Bytes, or characters of what is decoded already."""
MAX_DEPTH: Final = 64
"""Objects and arrays inside each other."""
MAX_NUMBER: Final = 640
"""Characters of one number: as far as every interpreter converts one, however it is set."""
_MARK: Final = "\ufeff"
_SHOWN: Final = 80
_HALF_ESCAPED: Final = re.compile(r"\\u[dD][89a-fA-F]")
_HALF: Final = re.compile("[\ud800-\udfff]")


class Fault(StrEnum):
    """Why a text is not taken."""

    TOO_LARGE = "too_large"
    NOT_UTF8 = "not_utf8"
    BYTE_ORDER_MARK = "byte_order_mark"
    CUT_SHORT = "cut_short"
    SYNTAX = "syntax"
    TOO_DEEP = "too_deep"
    REPEATED_KEY = "repeated_key"
    NUMBER = "number"
    HALF_CHARACTER = "half_character"


class NotStrict(ValueError):
    """A text is not JSON, or is JSON that means two things; the message says of "it" why."""

    def __init__(self, fault: Fault, said: str) -> None:
        """Keep the class of the fault, and what is said of it."""
        super().__init__(said)
        self.fault = fault


def parse(
    data: bytes | str,
    *,
    max_size: int = MAX_SIZE,
    halves: bool = False,
    decimals: bool = False,
) -> Any:  # noqa: ANN401 - JSON is any of six types
    """Return the value of one JSON text.

    Args:
        data: UTF-8, or text.
        max_size: The most bytes, or characters of a text.
        halves: Let half a surrogate pair stand in a string, for a caller who says where it is.
        decimals: Return ``Decimal`` for a number with a point or an exponent: its digits as
            printed, and its range.

    Raises:
        NotStrict: With the first fault found.
    """
    if len(data) > max_size:
        unit = "bytes" if isinstance(data, bytes) else "characters"
        raise NotStrict(Fault.TOO_LARGE, f"it has more than {max_size:,} {unit}")
    text = _decode(data) if isinstance(data, bytes) else data
    if text.startswith(_MARK):
        raise NotStrict(Fault.BYTE_ORDER_MARK, "it begins with a byte order mark")
    value = _value(text, _decimal if decimals else _double)
    if text.count("[") + text.count("{") > MAX_DEPTH:
        _check_depth(value)
    if not halves and (_HALF_ESCAPED.search(text) or _HALF.search(text)):
        _check_halves(value)
    return value


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotStrict(
            Fault.NOT_UTF8, f"it is not UTF-8 (byte {error.start} is 0x{data[error.start]:02x})"
        ) from error


def _value(text: str, parse_float: Callable[[str], Any]) -> Any:  # noqa: ANN401
    try:
        return json.loads(
            text,
            object_pairs_hook=_object,
            parse_constant=_refuse,
            parse_float=parse_float,
            parse_int=_int,
        )
    except json.JSONDecodeError as error:
        if not text.strip():
            raise NotStrict(Fault.CUT_SHORT, "it is empty") from error
        where = f"line {error.lineno}, column {error.colno}"
        if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
            raise NotStrict(
                Fault.CUT_SHORT, f"it ends in the middle of a value: {error.msg} ({where})"
            ) from error
        raise NotStrict(Fault.SYNTAX, f"{error.msg} ({where})") from error
    except RecursionError as error:
        raise _too_deep() from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A second value for one key would silently replace the first."""
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise NotStrict(
                    Fault.REPEATED_KEY, f"the key {key[:_SHOWN]!r} comes twice in one object"
                )
            seen.add(key)
    if not "".join(found).isascii() and len({normalize("NFC", key) for key in found}) != len(found):
        # Stores that normalise keys keep one of the two, and people cannot tell them apart.
        raise NotStrict(
            Fault.REPEATED_KEY,
            "two keys of one object are the same text in two Unicode forms: "
            f"{_same_text(found)[:_SHOWN]!a}",
        )
    return found


def _same_text(keys: dict[str, Any]) -> str:
    seen: set[str] = set()
    for key in keys:
        form = normalize("NFC", key)
        if form in seen:
            return key
        seen.add(form)
    return ""


def _refuse(name: str) -> NoReturn:
    raise NotStrict(Fault.NUMBER, f"{name} is not JSON")


def _int(printed: str) -> int:
    _check_length(printed)
    return int(printed)


def _double(printed: str) -> float:
    value = float(printed)
    if not math.isfinite(value):
        # Other readers make infinity of it, or the largest number that they have.
        raise _beyond(printed)
    return value


def _decimal(printed: str) -> Decimal:
    _check_length(printed)
    try:
        return Decimal(printed)
    except InvalidOperation as error:  # an exponent of more than 18 digits
        raise _beyond(printed) from error


def _beyond(printed: str) -> NotStrict:
    return NotStrict(Fault.NUMBER, f"the number {printed[:_SHOWN]} is out of range")


def _check_length(printed: str) -> None:
    if len(printed) > MAX_NUMBER:
        raise NotStrict(Fault.NUMBER, f"a number has more than {MAX_NUMBER} characters")


def _check_depth(value: object) -> None:
    """Look at one level at a time: a recursion would fail where it should count."""
    level, depth = [value], 0
    while level:
        below: list[object] = []
        for one in level:
            if isinstance(one, dict):
                below.extend(one.values())
            elif isinstance(one, list):
                below.extend(one)
        depth += any(isinstance(one, dict | list) for one in level)
        if depth > MAX_DEPTH:
            raise _too_deep()
        level = below


def _too_deep() -> NotStrict:
    return NotStrict(Fault.TOO_DEEP, f"nested too deeply, over {MAX_DEPTH} levels")


def _check_halves(value: object) -> None:
    left = [value]
    while left:
        one = left.pop()
        if isinstance(one, dict):
            left.extend(one)
            left.extend(one.values())
        elif isinstance(one, list):
            left.extend(one)
        elif isinstance(one, str) and (half := _HALF.search(one)):
            raise NotStrict(
                Fault.HALF_CHARACTER,
                f"a string holds half a surrogate pair, \\u{ord(half[0]):04x}, not a character",
            )
