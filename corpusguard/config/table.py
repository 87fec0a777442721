"""A TOML table that must be used up: typed access, ranges, and no key left unread.

Every getter takes its key out of the table; ``done`` then refuses what is left and names the
nearest key that exists. So a misspelt key can never be a silently ignored one.
"""

from __future__ import annotations

import datetime as dt
import difflib
import os
import re
import tomllib
from typing import TYPE_CHECKING, Any, Final

from corpusguard.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

MAX_FILE_BYTES: Final = 1_000_000
"""A configuration is written by a person; more is a mistaken path."""
MAX_TEXT: Final = 20_000
"""Code points in one value (a SELECT or a licence text is the longest)."""

_ENV: Final = re.compile(r"\$\{([^}]*)\}")
_ENV_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
DURATION: Final = "a duration such as '90m', '36h' or '2d'"
_DURATION: Final = re.compile(r"([0-9]{1,6})([mhd])")
_UNIT_SECONDS: Final = {"m": 60, "h": 3_600, "d": 86_400}
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")


def nearest(word: str, known: Sequence[str]) -> str:
    """Return a hint that names the known word nearest to ``word``, else all known words."""
    close = difflib.get_close_matches(word, known, n=1, cutoff=0.5)
    if close:
        return f"Did you mean `{close[0]}`?"
    return f"Known here: {', '.join(sorted(known))}." if known else ""


def seconds(value: str, most: int) -> int:
    """Return the seconds of a ``DURATION``; 0 where it is none, is zero or is over ``most``."""
    match = _DURATION.fullmatch(value)
    found = int(match[1]) * _UNIT_SECONDS[match[2]] if match else 0
    return found if found <= most else 0


def names_in(text: str) -> list[str]:
    """Return each NAME of ``${NAME}`` in a text, in order."""
    return _ENV.findall(text)


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file of at most ``MAX_FILE_BYTES``.

    Raises:
        ConfigError: it cannot be read, is not UTF-8, or is not TOML.
    """
    try:
        if not path.is_file():
            raise ConfigError(
                f"{path}: no such file", hint="Check the path, or run `corpusguard init`."
            )
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise ConfigError(
            f"{path}: {error.strerror or error}", hint="Check the file's permissions."
        ) from error
    if len(data) > MAX_FILE_BYTES:
        raise ConfigError(
            f"{path}: more than {MAX_FILE_BYTES} bytes", hint="Is this the right file?"
        )
    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ConfigError(
            f"{path}: not UTF-8 (byte {error.start})", hint="Save the file as UTF-8."
        ) from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(
            f"{path}: not TOML: {error or 'nested too deeply'}",
            hint="Correct the file at the line that the message names.",
        ) from error


class Table:
    """One TOML table, read key by key.

    Args:
        data: the table.
        file: the file it stands in, for messages.
        name: the table as written, for messages: ``[[corpus]] #1``.
    """

    def __init__(self, data: dict[str, Any], file: Path, name: str) -> None:
        self._left = dict(data)
        self._read: list[str] = []
        self.file = file
        self.name = name

    def fail(self, key: str, got: object, expected: str, hint: str = "") -> ConfigError:
        """Return the error for one key: file, table, key, what was found, what was expected."""
        shown = repr(got)
        shown = shown if len(shown) <= 120 else f"{shown[:117]}..."
        return ConfigError(
            f"{self.file}: {self.name} {key}: got {shown}, expected {expected}",
            hint=hint or f"Correct `{key}` in {self.file.name}.",
        )

    def take(self, key: str) -> object:
        """Take ``key`` out; ``None`` (which TOML cannot write) where it is absent."""
        self._read.append(key)
        return self._left.pop(key, None)

    def text(self, key: str, default: str | None = None, *, expand: bool = False) -> str:
        """Take a text; without a default the key is required and must not be empty.

        ``${NAME}`` is replaced by an environment variable only where ``expand`` says so. Elsewhere
        it is refused: whoever writes it believes that it will be replaced.
        """
        value = self.take(key)
        if value is None:
            if default is None:
                raise ConfigError(
                    f"{self.file}: {self.name} {key} is missing",
                    hint=f"Add `{key} = …` to {self.name}.",
                )
            return default
        checked = self.checked_text(key, value, expand=expand)
        if default is None and not checked.strip():
            raise self.fail(key, value, "text that is not empty")
        return checked

    def checked_text(self, key: str, value: object, *, expand: bool = False) -> str:
        """Check one text value (also one inside a list or an inner table)."""
        if not isinstance(value, str):
            raise self.fail(key, value, "text in quotes")
        if len(value) > MAX_TEXT:
            raise self.fail(key, value, f"at most {MAX_TEXT} characters")
        control = _CONTROL.search(value)
        if control:
            raise self.fail(key, value, "no control characters")
        if not expand:
            if _ENV.search(value):
                raise self.fail(
                    key,
                    value,
                    "no ${…} here",
                    "Environment variables are replaced only in `command`, `user_agent_contact`, "
                    "[notify] `channels`, [ping] `url` and [[judge]] `key`.",
                )
            return value
        return _ENV.sub(lambda match: self._variable(key, match[1]), value)

    def _variable(self, key: str, name: str) -> str:
        if not _ENV_NAME.fullmatch(name):
            raise self.fail(key, f"${{{name}}}", "${NAME} with letters, digits and underscores")
        value = os.environ.get(name)
        if value is None:
            raise ConfigError(
                f"{self.file}: {self.name} {key}: environment variable {name} is not set",
                hint=f"Set {name} where corpusguard runs, or take ${{{name}}} out of `{key}`.",
            )
        return value

    def choice(self, key: str, options: Sequence[str], default: str | None = None) -> str:
        """Take a text that must be one of ``options``."""
        value = self.text(key, default)
        if value not in options:
            raise self.fail(
                key,
                value,
                "one of " + ", ".join(repr(option) for option in options),
                nearest(value, options),
            )
        return value

    def number(self, key: str, default: float, low: float, high: float) -> float:
        """Take an integer or a float from ``low`` to ``high``, both included."""
        value = self.take(key)
        if value is None:
            return default
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        # NaN fails this comparison too, which is wanted.
        if not is_number or not low <= value <= high:  # type: ignore[operator]
            raise self.fail(key, value, f"a number from {low:g} to {high:g}")
        return float(value)  # type: ignore[arg-type]

    def integer(self, key: str, default: int, low: int, high: int) -> int:
        """Take a whole number from ``low`` to ``high``, both included."""
        value = self.take(key)
        if value is None:
            return default
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise self.fail(key, value, f"a whole number from {low} to {high}")
        return value

    def duration(self, key: str, default: str, most: int) -> int:
        """Take a duration such as ``90m``, ``36h`` or ``7d``; return seconds, up to ``most``."""
        value = self.text(key, default)
        found = seconds(value, most)
        if not found:
            raise self.fail(key, value, f"{DURATION}, up to {most // 86_400}d")
        return found

    def texts(self, key: str, *, expand: bool = False) -> tuple[str, ...]:
        """Take a list of texts, each not empty; an absent key is an empty list."""
        value = self.take(key)
        if value is None:
            return ()
        if not isinstance(value, list):
            raise self.fail(key, value, "a list of texts")
        found = tuple(self.checked_text(key, item, expand=expand) for item in value)
        if not all(item.strip() for item in found):
            raise self.fail(key, value, "a list without empty texts")
        return found

    def mapping(self, key: str, known: Sequence[str] = ()) -> dict[str, str]:
        """Take a table of texts; with ``known``, only those keys may occur in it."""
        value = self.take(key)
        if value is None:
            return {}
        if not isinstance(value, dict):
            raise self.fail(key, value, "a table of texts")
        for name in value:
            if known and name not in known:
                raise self.fail(
                    key, name, f"only the keys {', '.join(known)}", nearest(name, known)
                )
        return {name: self.checked_text(f"{key}.{name}", item) for name, item in value.items()}

    def day(self, key: str) -> str:
        """Take a day, as TOML date or text; return it in ISO form, empty where absent."""
        value = self.take(key)
        if value is None or value == "":
            return ""
        if isinstance(value, dt.date) and not isinstance(value, dt.datetime):
            return value.isoformat()
        try:
            if isinstance(value, str) and len(value) == len("2026-01-31"):
                return dt.date.fromisoformat(value).isoformat()
        except ValueError:
            pass
        raise self.fail(key, value, "a day such as 2026-01-31")

    def tables(self, key: str) -> list[Table]:
        """Take an array of tables, ``[[key]]``; an absent key is an empty list."""
        value = self.take(key)
        if value is None:
            return []
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise self.fail(key, value, f"tables written as [[{key}]]")
        return [
            Table(item, self.file, f"[[{key}]] #{number}") for number, item in enumerate(value, 1)
        ]

    def optional_table(self, key: str) -> Table | None:
        """Take an inner table, ``[key]``, or None where there is none."""
        value = self.take(key)
        if value is None:
            return None
        if not isinstance(value, dict):
            raise self.fail(key, value, f"a table written as [{key}]")
        return Table(value, self.file, f"[{key}]")

    def table(self, key: str) -> Table:
        """Take an inner table, ``[key]``, which must be there."""
        value = self.take(key)
        if not isinstance(value, dict):
            raise ConfigError(
                f"{self.file}: [{key}] is missing or is not a table",
                hint=f"Begin the file with a line `[{key}]`.",
            )
        return Table(value, self.file, f"[{key}]")

    def done(self) -> None:
        """Refuse the keys that nobody took.

        Raises:
            ConfigError: at least one key is unknown.
        """
        for key in self._left:
            raise ConfigError(
                f"{self.file}: {self.name} unknown key `{key}`",
                hint=nearest(key, self._read),
            )
