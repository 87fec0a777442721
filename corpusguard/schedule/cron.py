"""Cron expressions: five fields, as crontab has them.

Read here and not by APScheduler, because its weekday 0 is Monday where cron's is Sunday, and
because it has no answer to "which times of day does this name?", which catching up needs.
"""

from __future__ import annotations

import calendar
import functools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from corpusguard.errors import ConfigError

if TYPE_CHECKING:
    import datetime as dt

_MOST_CHARACTERS: Final = 200
_PART: Final = re.compile(r"(\*|\w{1,9})(?:-(\w{1,9}))?(?:/([0-9]{1,3}))?", re.ASCII)
_MONTHS: Final = tuple(name.lower() for name in calendar.month_abbr)
_DAYS: Final = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_NICKNAMES: Final = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
}
_LONGEST: Final = (0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


@dataclass(frozen=True, slots=True)
class Field:
    """One field of an expression."""

    values: tuple[int, ...]
    """Ascending; weekdays 0 (Sunday) to 6."""
    starred: bool
    """It begins with ``*``, also as ``*/2``: what cron asks before it joins the two day fields."""
    text: str
    """As every scheduler reads it: numbers, no names, Sunday as 0."""

    @property
    def every(self) -> bool:
        """Whether the field is ``*``."""
        return self.text == "*"


@dataclass(frozen=True, slots=True)
class _Kind:
    name: str
    low: int
    high: int
    names: tuple[str, ...] = ()


_KINDS: Final = (
    _Kind("minute", 0, 59),
    _Kind("hour", 0, 23),
    _Kind("day of the month", 1, 31),
    _Kind("month", 1, 12, _MONTHS),
    _Kind("day of the week", 0, 7, _DAYS),
)


@dataclass(frozen=True, slots=True)
class Cron:
    """A cron expression, read."""

    minute: Field
    hour: Field
    day: Field
    month: Field
    weekday: Field

    @property
    def text(self) -> str:
        """The expression in the form that cron, Kubernetes and GitHub read alike."""
        fields = (self.minute, self.hour, self.day, self.month, self.weekday)
        return " ".join(field.text for field in fields)

    @property
    def either_day(self) -> bool:
        """Whether one of the two day fields will do: so in cron where neither begins with ``*``."""
        return not (self.day.starred or self.weekday.starred)

    def on(self, day: dt.date) -> bool:
        """Say whether a day is one on which it runs."""
        if day.month not in self.month.values:
            return False
        by_number = day.day in self.day.values
        by_name = day.isoweekday() % 7 in self.weekday.values
        return (by_number or by_name) if self.either_day else (by_number and by_name)

    def times(self) -> list[tuple[int, int]]:
        """Return the times of a day at which it runs, (hour, minute), in order."""
        return [(hour, minute) for hour in self.hour.values for minute in self.minute.values]

    def shortest_gap_minutes(self) -> int:
        """Return the least distance between two times, where each day is one on which it runs."""
        minutes = [hour * 60 + minute for hour, minute in self.times()]
        following = [*minutes[1:], minutes[0] + 24 * 60]
        return min(later - earlier for earlier, later in zip(minutes, following, strict=True))


@functools.lru_cache(maxsize=256)
def parse_cron(text: str) -> Cron:
    """Read a cron expression: ``minute hour day month weekday``.

    Fields are ``*``, numbers, ranges ``1-5``, steps ``*/15`` or ``0-30/10``, and lists of these;
    months and weekdays may be the first three letters of their English names. Sunday is 0 or 7.

    Raises:
        ConfigError: it is not such an expression, or names no day that exists.
    """
    if len(text) > _MOST_CHARACTERS:
        raise ConfigError(f"a cron expression of {len(text)} characters", hint=_hint())
    words = text.split()
    if len(words) == 1 and words[0].lower() in _NICKNAMES:
        raise ConfigError(
            f"cron {text!r}: nicknames are not read",
            hint=f"write {_NICKNAMES[words[0].lower()]!r}",
        )
    if len(words) != len(_KINDS):
        raise ConfigError(f"cron {text!r} has {len(words)} fields, not 5", hint=_hint())
    cron = Cron(*(_field(text, kind, word) for kind, word in zip(_KINDS, words, strict=True)))
    if not cron.either_day and min(cron.day.values) > max(_LONGEST[m] for m in cron.month.values):
        raise ConfigError(
            f"cron {text!r} never runs: no such month has that day",
            hint="correct the third or the fourth field",
        )
    return cron


def _field(text: str, kind: _Kind, word: str) -> Field:
    found: set[int] = set()
    parts = word.split(",")
    if len(parts) > 1 and any(part.startswith("*") for part in parts):
        raise ConfigError(
            f"cron {text!r}: {kind.name} {word!r} has '*' in a list", hint="write '*' alone"
        )
    for part in parts:
        found.update(_part(text, kind, part))
    if kind.high == 7:
        found = {value % 7 for value in found}
    values = tuple(sorted(found))
    starred = word.startswith("*")
    # As written where it begins with "*": spelt out, cron would join the day fields otherwise.
    return Field(values, starred, word if starred else _ranges(values))


def _part(text: str, kind: _Kind, part: str) -> range:
    match = _PART.fullmatch(part)
    wrong = ConfigError(
        f"cron {text!r}: {kind.name} {part!r} is not within {kind.low}-{kind.high}", hint=_hint()
    )
    if match is None:
        raise wrong
    first, last, step = match[1], match[2], int(match[3] or 1)
    if first == "*":
        low, high = kind.low, kind.high - (kind.high == 7)
        bad = last is not None
    else:
        low = _number(kind, first)
        # A range may end with Sunday: fri-sun.
        high = low if last is None else _number(kind, last)
        if last is not None and kind.high == 7 and high == 0:
            high = 7
        # "5/15" means one thing to one cron and another to the next.
        bad = last is None and match[3] is not None
    if bad or step < 1 or not kind.low <= low <= high <= kind.high:
        raise wrong
    return range(low, high + 1, step)


def _number(kind: _Kind, word: str) -> int:
    """Return the number that a word stands for, or one that is out of every range."""
    if word.isdigit():
        return int(word)
    lowered = word.lower()
    return kind.names.index(lowered) if lowered in kind.names and lowered else -1


def _ranges(values: tuple[int, ...]) -> str:
    """Write ``1,2,3,7`` as ``1-3,7``."""
    parts: list[list[int]] = []
    for value in values:
        if parts and parts[-1][-1] == value - 1:
            parts[-1].append(value)
        else:
            parts.append([value])
    return ",".join(
        f"{part[0]}-{part[-1]}" if len(part) > 2 else ",".join(map(str, part)) for part in parts
    )


def _hint() -> str:
    return 'five fields: minute hour day month weekday, as in "30 2 * * 1-5"'
