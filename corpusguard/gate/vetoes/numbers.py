"""Numbers of a text with what they count: digits, number words, amounts, percentages, dates."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Final, NamedTuple

from corpusguard.gate.words import stem

if TYPE_CHECKING:
    from collections.abc import Sequence

_UNITS: Final = frozenset(
    stem(word)
    for word in (
        "second minute hour day week month quarter year decade am pm metre meter kilometre "
        "centimetre millimetre m km cm mm m2 m² hectare acre litre gram kilogram tonne kg g "
        "storey floor unit degree person people member copy time point cent dollar"
    ).split()
)
_SMALL: Final = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen".split()
    )
}
_TENS: Final = {
    word: 10 * value
    for value, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)
}
_SCALES: Final = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
_ORDINALS: Final = {
    word: value
    for value, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(),
        1,
    )
}
_ALSO: Final = {
    "half": "1/2",
    "quarter": "1/4",
    "twice": "x2",
    "double": "x2",
    "triple": "x3",
    "dozen": "12",
    "once": "x1",
    "both": "b2",
}
_MONTHS: Final = {
    name: number
    for number, name in enumerate(
        "january february march april may june july august september october november "
        "december".split(),
        1,
    )
}
_ORDINAL_DIGITS: Final = re.compile(r"(\d{1,4})(?:st|nd|rd|th)", re.IGNORECASE)
_PERCENT: Final = frozenset({"%", "percent", "percentage"})


class Quantity(NamedTuple):
    """A number in a text."""

    kind: str
    """``number``, ``money``, ``percentage``, ``date``, ``ordinal``."""
    value: str
    """Canonical: ``30``, ``1500``, ``0.5``; of a date ``2026-04-30``, parts unknown as ``?``."""
    unit: str
    """Stem of what is counted, with an adjective between: ``business day``; empty: none seen."""
    near: frozenset[str]
    """Stems of the next few words."""
    at: int
    """Index of its first token."""
    after: int
    """Index after its last token, unit not included."""


def quantities(words: Sequence[str]) -> list[Quantity]:
    """Return the numbers of a tokenised text, in order."""
    low = [word.casefold() for word in words]
    found: list[Quantity] = []
    index = 0
    while index < len(words):
        made = _date(words, low, index) or _number(low, index)
        if made is None:
            index += 1
        else:
            found.append(made)
            index = max(made.after, index + 1)
    return found


def _date(words: Sequence[str], low: list[str], index: int) -> Quantity | None:
    """Read ``April 30, 2026``, ``30 April 2026`` or a month alone."""
    month = _MONTHS.get(low[index]) if words[index][:1].isupper() else None
    if month:
        after = index + 1
        day, after = _day(low, after)
        if not day and low[index] in {"may", "march"}:
            return None
        year, after = _year(low, after)
        return _dated(year, month, day, index, after)
    day, after = _day(low, index)
    if day and after < len(low) and words[after][:1].isupper() and low[after] in _MONTHS:
        year, end = _year(low, after + 1)
        return _dated(year, _MONTHS[low[after]], day, index, end)
    return None


def _dated(year: str, month: int, day: str, at: int, after: int) -> Quantity:
    value = f"{year or '?'}-{month:02}-{day.zfill(2) if day else '?'}"
    return Quantity("date", value, "", frozenset(), at, after)


def _day(low: list[str], index: int) -> tuple[str, int]:
    if index < len(low):
        ordinal = _ORDINAL_DIGITS.fullmatch(low[index])
        text = ordinal[1] if ordinal else low[index]
        if text.isascii() and text.isdecimal() and 1 <= len(text) <= 2 and 1 <= int(text) <= 31:
            return str(int(text)), index + 1
    return "", index


def _year(low: list[str], index: int) -> tuple[str, int]:
    at = index + 1 if low[index : index + 1] == [","] else index
    if at < len(low) and re.fullmatch(r"[12][0-9]{3}", low[at]):
        return low[at], at + 1
    return "", index


def _number(low: list[str], index: int) -> Quantity | None:
    """Read a number in digits or words with its unit; None where no number begins."""
    is_money = low[index] == "$"
    start = index + 1 if is_money else index
    value, after = _digits(low, start)
    kind = "number"
    if not value and not is_money:
        value, after = _in_words(low, start)
    if not value and not is_money:
        kind, value, after = _other(low, start)
    if not value:
        return None
    rest = low[after : after + 5]
    if is_money or rest[:1] in (["dollars"], ["dollar"]):
        return Quantity("money", value, "", frozenset(), index, after)
    if (rest[:1] and rest[0] in _PERCENT) or rest[:2] == ["per", "cent"]:
        return Quantity("percentage", value, "", frozenset(), index, after)
    return Quantity(kind, value, _unit(rest), _near(rest), index, after)


def _digits(low: list[str], index: int) -> tuple[str, int]:
    if index >= len(low):
        return "", index
    text = low[index].replace(",", "")
    if not (text.isascii() and text[:1].isdigit()):
        return "", index
    try:
        value = Decimal(text)
    except InvalidOperation:
        return "", index
    after = index + 1
    while after < len(low) and low[after] in _SCALES:
        value *= _SCALES[low[after]]
        after += 1
    return _canonical(value), after


def _in_words(low: list[str], index: int) -> tuple[str, int]:
    """Read ``twenty-one``, ``one hundred and fifty``; a bare ``one`` only before a unit."""
    total = current = 0
    at = index
    seen = False
    while at < len(low):
        word = low[at]
        if word in _SMALL or word in _TENS:
            current += _SMALL.get(word, 0) + _TENS.get(word, 0)
        elif word in _SCALES and seen:
            if word == "hundred":
                current = max(current, 1) * 100
            else:
                total += max(current, 1) * _SCALES[word]
                current = 0
        elif not (
            seen
            and word in {"-", "and"}
            and low[at + 1 : at + 2]
            and (low[at + 1] in _SMALL or low[at + 1] in _TENS)
            and (word == "-" or current % 100 == 0)
        ):
            break
        seen = True
        at += 1
    if not seen:
        return "", index
    if low[index:at] == ["one"] and not _unit(low[at : at + 3]):
        return "", index
    return str(total + current), at


def _other(low: list[str], index: int) -> tuple[str, str, int]:
    """Read an ordinal, a fraction or multiple in words, or a word with digits in it."""
    word = low[index]
    ordinal = _ORDINAL_DIGITS.fullmatch(word)
    if ordinal:
        return "ordinal", ordinal[1], index + 1
    if word in _ORDINALS:
        return "ordinal", str(_ORDINALS[word]), index + 1
    if word in _ALSO:
        return "number", _ALSO[word], index + 1
    is_counter = word.startswith("(") or stem(word) in _UNITS
    if any(letter.isnumeric() for letter in word) and not is_counter:
        return "number", word, index + 1
    return "", "", index


def _canonical(value: Decimal) -> str:
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _unit(rest: list[str]) -> str:
    if rest[:1] == ["-"]:
        rest = rest[1:]
    if rest[:3] in (["a", ".", "m"], ["p", ".", "m"]):
        return rest[0] + "m"
    if rest and stem(rest[0]) in _UNITS:
        return stem(rest[0])
    if len(rest) > 1 and rest[0].isalpha() and stem(rest[1]) in _UNITS:
        return f"{stem(rest[0])} {stem(rest[1])}"
    return ""


def _near(rest: list[str]) -> frozenset[str]:
    return frozenset(stem(word) for word in rest if word.isalpha() and len(word) > 2)
