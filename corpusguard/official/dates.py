"""Dates as e-Laws writes them, turned into ISO dates."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import Final

_MONTHS: Final = {
    name: number
    for number, names in enumerate(
        (
            ("january", "janvier"),
            ("february", "février"),
            ("march", "mars"),
            ("april", "avril"),
            ("may", "mai"),
            ("june", "juin"),
            ("july", "juillet"),
            ("august", "août"),
            ("september", "septembre"),
            ("october", "octobre"),
            ("november", "novembre"),
            ("december", "décembre"),
        ),
        start=1,
    )
    for name in names
}
_ENGLISH: Final = re.compile(r"([A-Za-z]{3,9})\s+(\d{1,2}),\s+(\d{4})")
_FRENCH: Final = re.compile(r"(\d{1,2})(?:er)?\s+([a-zéû]{3,9})\s+(\d{4})", re.IGNORECASE)
_MIDNIGHT: Final = re.compile(r"(\d{4}-\d{2}-\d{2})T0[45]:00:00(?:\.0{1,6})?Z")


def long_date(text: str) -> str:
    """Return the ISO date of ``August 28, 2026`` or ``28 août 2026``; empty if it is neither.

    Surrounding white space is allowed, other words are not.
    """
    stripped = text.strip()
    if match := _ENGLISH.fullmatch(stripped):
        month, day, year = match.groups()
    elif match := _FRENCH.fullmatch(stripped):
        day, month, year = match.groups()
    else:
        return ""
    return _iso(int(year), _MONTHS.get(month.lower(), 0), int(day))


def first_long_date(text: str) -> str:
    """Return the first long date inside a sentence as an ISO date, or an empty string."""
    for pattern in (_ENGLISH, _FRENCH):
        for match in pattern.finditer(text):
            if found := long_date(match.group()):
                return found
    return ""


def toronto_day(stamp: str) -> str:
    """Return the Toronto day of a stamp that is Toronto's midnight in UTC; empty if it is not.

    The publisher writes days as midnights, ``2025-12-11T05:00:00.000Z`` in winter and ``T04`` in
    summer, so that the UTC date is the local date. Any other hour is a format that we do not
    know, and guessing it could move a law by a day. No time zone database is needed, which slim
    containers lack.
    """
    match = _MIDNIGHT.fullmatch(stamp)
    if match is None:
        return ""
    try:
        return datetime.fromisoformat(match.group(1)).date().isoformat()
    except ValueError:
        return ""


def _iso(year: int, month: int, day: int) -> str:
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return ""
