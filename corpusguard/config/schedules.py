"""``schedules/*.toml``: when which part of the corpora is verified, and what is done after."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo, available_timezones

from corpusguard.config.table import DURATION, Table, nearest, read_toml, seconds
from corpusguard.errors import ConfigError
from corpusguard.model import Layer
from corpusguard.schedule import NAME, After, CatchUp, Schedule, parse_cron

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_LONGEST_CATCH_UP: Final = 31 * 86_400
_LONGEST_JITTER: Final = 6 * 3_600
_OF_THE_MACHINE: Final = frozenset({"Factory", "localtime", "posixrules"})
_OWN: Final = "Names that mean another zone on another machine are not taken."
_LAYERS: Final = tuple(str(layer) for layer in Layer)


def load_schedule(path: Path) -> Schedule:
    """Load one schedule file.

    Raises:
        ConfigError: anything in the file is not as documented.
    """
    top = Table(read_toml(path), path, "top level")
    table = top.table("schedule")
    name = table.text("name")
    if not NAME.fullmatch(name):
        raise table.fail("name", name, "1 to 50 of a-z, 0-9 and '-', a letter or digit at each end")
    cron = table.text("cron")
    try:
        gap = parse_cron(cron).shortest_gap_minutes()
    except ConfigError as error:
        raise table.fail("cron", cron, "a cron expression", f"{error.message}; {error.hint}") from (
            error
        )
    jitter = _jitter(table, gap)
    schedule = Schedule(
        name=name,
        cron=cron,
        zone=_zone(table),
        corpora=table.texts("corpora"),
        documents=table.texts("documents"),
        layers=_words(table, "layers", _LAYERS) or _LAYERS,
        offline=_flag(table, "offline"),
        catch_up=CatchUp(table.choice("catch_up", [str(one) for one in CatchUp], CatchUp.ONCE)),
        catch_up_within=timedelta(
            seconds=_seconds(table, "catch_up_within", "12h", _LONGEST_CATCH_UP)
        ),
        jitter=jitter,
        after=tuple(After(word) for word in _words(table, "after", [str(one) for one in After])),
        reports=table.text("reports", "reports"),
    )
    table.done()
    top.done()
    return schedule


def check_schedules(
    schedules: Sequence[Schedule],
    file: Path,
    *,
    corpora: Sequence[str],
    documents: Sequence[str],
    told: Sequence[str],
) -> None:
    """Check what a schedule file cannot know alone.

    Args:
        schedules: All of them.
        file: The configuration, for messages.
        corpora: Names there are.
        documents: Ids there are.
        told: Which of ``notify`` and ``ping`` are configured.

    Raises:
        ConfigError: two have one name, or one names what is not configured.
    """
    seen: set[str] = set()
    for schedule in schedules:
        here = f'{file}: schedule "{schedule.name}"'
        if schedule.name in seen:
            raise ConfigError(f"{here} is there twice", hint="Give each schedule its own name.")
        seen.add(schedule.name)
        for key, names, known in (
            ("corpora", schedule.corpora, corpora),
            ("documents", schedule.documents, documents),
        ):
            for name in names:
                if name not in known:
                    raise ConfigError(
                        f"{here} {key}: there is no {name!r}", hint=nearest(name, known)
                    )
        for action in schedule.after:
            if action is not After.REPORT and action not in told:
                raise ConfigError(
                    f"{here} after: {str(action)!r}, but [{action}] is not configured",
                    hint=f"Add [{action}] to {file.name}, or take it out of `after`.",
                )


def _zone(table: Table) -> ZoneInfo:
    key = table.text("timezone")
    if key in _OF_THE_MACHINE:
        raise table.fail("timezone", key, "an IANA time zone such as 'America/Toronto'", _OWN)
    try:
        return ZoneInfo(key)
    except (OSError, ValueError, KeyError) as error:  # unknown, a folder, or no relative path
        # A text that is no name of a zone is far from all, and there are 600 to compare it with.
        near = (
            nearest(key, sorted(available_timezones() - _OF_THE_MACHINE)) if len(key) < 60 else ""
        )
        raise table.fail(
            "timezone", key, "an IANA time zone such as 'America/Toronto'", near[:200]
        ) from error


def _flag(table: Table, key: str) -> bool:
    value = table.take(key)
    if value is not None and not isinstance(value, bool):
        raise table.fail(key, value, "true or false")
    return bool(value)


def _seconds(table: Table, key: str, default: str, most: int) -> int:
    value = table.text(key, default)
    found = seconds(value, most)
    if not found:
        raise table.fail(key, value, f"{DURATION}, up to {most // 3600}h")
    return found


def _jitter(table: Table, gap_minutes: int) -> timedelta:
    value = table.text("jitter", "0m")
    if value == "0m":
        return timedelta(0)
    found = seconds(value, _LONGEST_JITTER)
    # More, and one run's delay would reach into the time of the next.
    most = min(_LONGEST_JITTER, gap_minutes * 60 // 2)
    if not 0 < found <= most:
        raise table.fail(
            "jitter", value, f"a duration up to half the time between two runs: {most // 60}m here"
        )
    return timedelta(seconds=found)


def _words(table: Table, key: str, known: Sequence[str]) -> tuple[str, ...]:
    """Take a list of known words; return them once each, in the order of ``known``."""
    given = table.texts(key)
    for word in given:
        if word not in known:
            raise table.fail(
                key, word, "words out of " + ", ".join(map(repr, known)), nearest(word, known)
            )
    return tuple(word for word in known if word in given)
