"""``corpusguard-ignore.toml`` and ``corpusguard-baseline.json``, as files.

Reading is strict: an unknown key, a date without sense or a digest that is none is an error. What
is expired, unused or out of date is none: the run says so in its findings.
"""

from __future__ import annotations

import hashlib
import tomllib
from datetime import date
from typing import TYPE_CHECKING, Final

from corpusguard.config.table import MAX_FILE_BYTES, Table, nearest
from corpusguard.errors import ConfigError
from corpusguard.ignores import Baseline, Entry, Ignore, IgnoreFile, Lists, baseline_from
from corpusguard.ignores.baseline import DIGEST, FINGERPRINT
from corpusguard.rules import RULES

if TYPE_CHECKING:
    from pathlib import Path

    from corpusguard.config.loader import Config

MAX_BASELINE_BYTES: Final = 64_000_000
"""About a hundred thousand findings."""
MAX_REASON: Final = 1_000
MAX_OWNER: Final = 200
_REQUIRED: Final = ("fingerprint", "rule", "corpus", "document", "reason", "owner")


def load_lists(config: Config) -> Lists:
    """Load both lists; one that has no file is empty.

    Raises:
        ConfigError: A file cannot be read, or something in it is wrong.
    """
    return Lists(
        ignores_from(config.ignore_file, read(config.ignore_file), config.ignore_days),
        load_baseline(config.baseline_file),
    )


def load_baseline(path: Path) -> Baseline:
    """Load the baseline; an empty one without digest where there is no file."""
    data = read(path, MAX_BASELINE_BYTES)
    return Baseline() if data is None else baseline_from(data, str(path))


def read(path: Path, most: int = MAX_FILE_BYTES) -> bytes | None:
    """Return the bytes of a list, or None where there is no file.

    Raises:
        ConfigError: It is there and cannot be read, is no file, or is over ``most`` bytes.
    """
    try:
        # A pipe would never end, and a folder or a device is a mistaken path.
        if path.exists() and not path.is_file():
            raise ConfigError(f"{path}: not a regular file", hint="Name a file, or remove it.")
        with path.open("rb") as stream:
            data = stream.read(most + 1)
    except FileNotFoundError:
        # A link that leads nowhere is not "no list": what it held must not be lost in silence.
        if not path.is_symlink():
            return None
        raise ConfigError(
            f"{path}: a link to a file that is not there", hint="Remove the link or mend it."
        ) from None
    except OSError as error:
        raise ConfigError(
            f"{path}: {error.strerror or error}", hint="Check the path and its permissions."
        ) from error
    if len(data) > most:
        raise ConfigError(f"{path}: more than {most} bytes", hint="Is this the right file?")
    return data


def ignores_from(path: Path, data: bytes | None, most_days: int) -> IgnoreFile:
    """Return the ignores in ``data``.

    Args:
        path: The file, for messages.
        data: Its bytes; None where there is none.
        most_days: Most days from the day an ignore was written to its last.

    Raises:
        ConfigError: Something in it is wrong.
    """
    if data is None:
        return IgnoreFile()
    try:
        parsed = tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ConfigError(
            f"{path}: not UTF-8 (byte {error.start})", hint="Save the file as UTF-8."
        ) from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(
            f"{path}: not TOML: {error or 'nested too deeply'}",
            hint="Correct the file at the line that the message names.",
        ) from error
    top = Table(parsed, path, "top level")
    ignores = tuple(_ignore(table, most_days) for table in top.tables("ignore"))
    top.done()
    seen: set[str] = set()
    for ignore in ignores:
        if ignore.entry.fingerprint in seen:
            raise ConfigError(
                f"{path}: {ignore.entry.fingerprint} is ignored twice",
                hint="Keep the entry that holds, and remove the other.",
            )
        seen.add(ignore.entry.fingerprint)
    return IgnoreFile(ignores, f"sha256:{hashlib.sha256(data).hexdigest()}")


def checked_words(table: Table, reason: str, owner: str) -> None:
    """Check the two texts that a person gives.

    Raises:
        ConfigError: One is empty, too long, or holds control characters.
    """
    for key, text, most in (("reason", reason, MAX_REASON), ("owner", owner, MAX_OWNER)):
        table.checked_text(key, text, expand=False)
        if not text.strip():
            raise table.fail(key, text, "text that is not empty")
        if len(text) > most:
            raise table.fail(key, text, f"at most {most} characters")
        if not _is_unicode(text) or "\x7f" in text:
            raise table.fail(key, text, "text that UTF-8 can hold")


def _is_unicode(text: str) -> bool:
    return not any("\ud800" <= char <= "\udfff" for char in text)


def _ignore(table: Table, most_days: int) -> Ignore:
    texts = {key: table.text(key) for key in _REQUIRED}
    checked_words(table, texts["reason"], texts["owner"])
    if not FINGERPRINT.fullmatch(texts["fingerprint"]):
        raise table.fail("fingerprint", texts["fingerprint"], "16 hex digits, all of them")
    if texts["rule"] not in RULES:
        known = tuple(RULES)
        raise table.fail("rule", texts["rule"], "a rule id", nearest(texts["rule"], known))
    # An id of a passage may hold "${"; here it is only a name.
    section, passage = (_name(table, key) for key in ("section", "passage"))
    digests = {key: table.text(key) for key in ("official", "stored")}
    for key, digest in digests.items():
        if not DIGEST.fullmatch(digest):
            raise table.fail(key, digest, "sha256: and 64 hex digits")
    written, expires = (table.day(key) for key in ("written", "expires"))
    check_days(table, written, expires, most_days)
    table.done()
    entry = Entry(
        fingerprint=texts["fingerprint"],
        rule=texts["rule"],
        corpus=texts["corpus"],
        document=texts["document"],
        section=section,
        passage=passage,
        official=digests["official"],
        stored=digests["stored"],
    )
    return Ignore(entry, texts["reason"], texts["owner"], written, expires)


def _name(table: Table, key: str) -> str:
    value = table.take(key)
    if value is None:
        return ""
    if not isinstance(value, str) or len(value) > MAX_OWNER:
        raise table.fail(key, value, f"text of at most {MAX_OWNER} characters")
    return value


def check_days(table: Table, written: str, expires: str, most_days: int) -> None:
    """Check that an ignore has a last day, and that it is not too far.

    Raises:
        ConfigError: It has none, or ends before it began, or lasts too long.
    """
    for key, day in (("written", written), ("expires", expires)):
        if not day:
            raise table.fail(key, day, "a day such as 2026-01-31")
    days = (date.fromisoformat(expires) - date.fromisoformat(written)).days
    if days < 0:
        raise table.fail("expires", expires, f"a day not before `written`, {written}")
    if days > most_days:
        raise table.fail(
            "expires",
            expires,
            f"at most {most_days} days after {written}",
            "An ignore is a promise with a date: choose an earlier one. `ignore_days` in "
            "[corpusguard] is the limit.",
        )
