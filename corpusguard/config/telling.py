"""``[notify]``, ``[ping]`` and ``[metrics]``: whom a run tells what.

An address that reaches people holds a secret, so the configuration holds none: it names the
environment variable that does. The variable is read only when something is sent, so that every
other command works where it is not set.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from corpusguard.config.table import DURATION, seconds

if TYPE_CHECKING:
    from pathlib import Path

    from corpusguard.config.table import Table

TABLES: Final = ("notify", "ping", "metrics")
MAX_CHANNELS: Final = 20
_VARIABLE: Final = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]{0,99})\}")
_EXPECTED: Final = 'the name of an environment variable that holds the address, as in "${{{}}}"'
_NOT_SHOWN: Final = "(not shown)"
_LONGEST: Final = 366 * 86_400


@dataclass(frozen=True, slots=True)
class NotifySpec:
    """``[notify]``."""

    channels: tuple[str, ...]
    """Names of environment variables, each of which holds one apprise URL."""
    repeat_after_seconds: int
    """How long after the last message what is still wrong is told again."""


@dataclass(frozen=True, slots=True)
class PingSpec:
    """``[ping]``."""

    variable: str
    """Name of the environment variable that holds the check's address."""


@dataclass(frozen=True, slots=True)
class MetricsSpec:
    """``[metrics]``."""

    path: Path
    """The text file for node_exporter's textfile collector."""


def load_notify(table: Table) -> NotifySpec:
    """Turn ``[notify]`` into its spec.

    Raises:
        ConfigError: a key is unknown, missing, or not as documented.
    """
    value = table.take("channels")
    if not isinstance(value, list) or not 0 < len(value) <= MAX_CHANNELS:
        shown = _NOT_SHOWN if value else value
        raise table.fail("channels", shown, f"a list of 1 to {MAX_CHANNELS} texts")
    channels = tuple(_variable(table, "channels", item, "SLACK_URL") for item in value)
    if len(set(channels)) < len(channels):
        raise table.fail("channels", list(channels), "each channel once")
    repeat_after = table.text("repeat_after", "7d")
    spec = NotifySpec(channels, seconds(repeat_after, _LONGEST))
    if not spec.repeat_after_seconds:
        raise table.fail("repeat_after", repeat_after, f"{DURATION}, up to 366d")
    table.done()
    return spec


def load_ping(table: Table) -> PingSpec:
    """Turn ``[ping]`` into its spec.

    Raises:
        ConfigError: a key is unknown, missing, or not as documented.
    """
    spec = PingSpec(_variable(table, "url", table.take("url"), "HEALTHCHECKS_URL"))
    table.done()
    return spec


def load_metrics(table: Table, root: Path) -> MetricsSpec:
    """Turn ``[metrics]`` into its spec; a relative path hangs from ``root``.

    Raises:
        ConfigError: a key is unknown, missing, or not as documented.
    """
    path = table.text("path")
    # node_exporter reads only such names; a file it never reads is an alarm that never comes.
    if not path.endswith(".prom"):
        raise table.fail("path", path, "a file whose name ends in .prom")
    table.done()
    return MetricsSpec(root / path)


def _variable(table: Table, key: str, value: object, example: str) -> str:
    """Return NAME of ``${NAME}``; anything else may be a secret and is not shown."""
    match = _VARIABLE.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise table.fail(
            key,
            _NOT_SHOWN,
            _EXPECTED.format(example),
            f'Put the address into an environment variable and write {key} with "${{NAME}}".',
        )
    return match[1]
