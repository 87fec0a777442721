"""What a rendition says of itself: title, number, state and consolidation date."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from corpusguard.model import Identity

from ._text import canonical

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_MONTHS: Final = {
    name: number
    for names in (
        "january february march april may june july august september october november december",
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    )
    for number, name in enumerate(names.split(), start=1)
}
_ENGLISH: Final = re.compile(r"\b([A-Z][a-z]{2,8}) (\d{1,2}), (\d{4})\b")
_FRENCH: Final = re.compile(r"\b(\d{1,2})(?:er)? ([a-zéû]{3,9}) (\d{4})\b")


def printed_date(text: str) -> str:
    """The first date in a consolidation period, ISO, or empty."""
    if match := _ENGLISH.search(text):
        month, day, year = match.groups()
    elif match := _FRENCH.search(text):
        day, month, year = match.groups()
    else:
        return ""
    number = _MONTHS.get(month.lower())
    try:
        return date(int(year), number, int(day)).isoformat() if number else ""
    except ValueError:
        return ""


def local_day(stamp: object) -> str:
    """The publisher's day of a ``dateFrom``: Toronto midnight, written in UTC.

    Midnight is 04:00Z in summer and 05:00Z in winter, so four hours back is the right day in both;
    no time zone database is needed.
    """
    if not isinstance(stamp, str) or not stamp:
        return ""
    try:
        moment = datetime.fromisoformat(stamp)
    except ValueError:
        return ""
    if moment.tzinfo is None:
        return moment.date().isoformat()
    try:
        return (moment.astimezone(UTC) - timedelta(hours=4)).date().isoformat()
    except OverflowError:
        return ""


def of_front(front: Iterable[tuple[str, str]]) -> Identity:
    """Identity from the front matter of a page, fragment or Word file.

    Args:
        front: ``(class, canonical text)`` of the front-matter blocks, in order.
    """
    said: dict[str, str] = {}
    for name, text in front:
        said.setdefault(name, text)
    # A regulation prints the title of its Act as shorttitle and its own as regtitle.
    return Identity(
        title=said.get("regtitle") or said.get("shorttitle", ""),
        code=said.get("regnumber") or said.get("chapter", ""),
        consolidated_from=printed_date(said.get("ConsolidationPeriod", "")),
    )


def of_payload(payload: dict[str, Any], plain: Callable[[str], str]) -> Identity:
    """Identity from the fields beside ``content``.

    Args:
        payload: The JSON object.
        plain: Turns an HTML fragment into its canonical text.
    """

    def text(key: str) -> str:
        value = payload.get(key)
        return canonical(value) if isinstance(value, str) else ""

    def html(key: str) -> str:
        value = payload.get(key)
        return plain(value) if isinstance(value, str) and value.strip() else ""

    regulation = html("regNmber")
    return Identity(
        title=text("title") if regulation else html("shortTitle") or text("title"),
        code=text("volume") or regulation or html("chapter"),
        alias=text("alias"),
        state=text("state"),
        consolidated_from=local_day(payload.get("dateFrom")) or printed_date(text("description")),
    )
