"""Structured logs on standard error, and no secrets in them.

Lines are ``key=value`` for people and JSON objects for machines (``--log-format json`` or
``CORPUSGUARD_LOG_FORMAT=json``). Every line of a run carries its ``run_id``, and its number once
history has given one. What libraries log through ``logging`` (APScheduler, httpx) or structlog
(stamina) goes the same way.

Importing this module sets structlog up for warnings alone, because what structlog does by itself
would go to standard output, where data goes.
"""

from __future__ import annotations

import json
import logging
import os
import re
import sys
import uuid
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

import structlog

from corpusguard.errors import ConfigError
from corpusguard.report.text import clip, safe

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, MutableMapping

VARIABLE: Final = "CORPUSGUARD_LOG_FORMAT"
MAX_VALUE: Final = 2_000
"""Characters of one value."""
HIDDEN: Final = "***"

_LEVELS: Final = {"corpusguard": logging.INFO}
"""Loggers of the standard library that may say more than warnings. Not APScheduler's: its alarm
clock says two lines at each tick, and nothing of a run."""
_SECRET_KEY: Final = re.compile(
    r"passw|secret|token|credential|authorization|cookie|api_?key|private_?key", re.IGNORECASE
)
_SECRET_NAME: Final = re.compile(r"key|token|secret|passw|credential", re.IGNORECASE)
"""In the name of an environment variable."""
_USERINFO: Final = re.compile(r"([a-z][a-z0-9+.-]{0,30}://)[^\s/@?#'\"]{1,500}@", re.IGNORECASE)
_PARAMETER: Final = re.compile(
    r"([?&;][^=&\s]{0,40}(?:pass|pwd|secret|token|key|sig|auth|credential|code)[^=&\s]{0,40}=)"
    r"[^&\s'\"]+",
    re.IGNORECASE,
)
_HEADER: Final = re.compile(r"\b((?:bearer|basic|token)\s+)[A-Za-z0-9._~+/=-]{8,}", re.IGNORECASE)
_HOOK: Final = re.compile(
    r"(https?://(?:hooks\.slack\.com|hc-ping\.com|discord(?:app)?\.com/api/webhooks|"
    r"[a-z0-9.-]{1,200}\.webhook\.office\.com|api\.telegram\.org)/)[^\s'\"]+",
    re.IGNORECASE,
)
"""Addresses whose path is the secret."""

_secrets: set[str] = set()
_MIN_SECRET: Final = 8
"""Shorter ones would take common words out of every line."""


class Format(StrEnum):
    """How a line looks."""

    CONSOLE = "console"
    JSON = "json"


def configure(form: Format | str | None = None, *, level: int = logging.INFO) -> None:
    """Set up what is logged and how.

    Args:
        form: None: what ``CORPUSGUARD_LOG_FORMAT`` says, else console.
        level: The lowest level that is shown.

    Raises:
        ConfigError: The variable holds something else.
    """
    chosen = _form(form)
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
        structlog.processors.format_exc_info,
        redact,
    ]
    render: structlog.typing.Processor = _as_json if chosen is Format.JSON else _as_line
    structlog.configure(
        processors=[*shared, render],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=_StandardError,
        cache_logger_on_first_use=False,
    )
    handler = _Handler()
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, render],
            foreign_pre_chain=[structlog.stdlib.add_logger_name, *shared],
        )
    )
    root = logging.getLogger()
    root.handlers = [one for one in root.handlers if not isinstance(one, _Handler)]
    root.addHandler(handler)
    for name, usual in _LEVELS.items():
        logging.getLogger(name).setLevel(max(usual, level))


def get_logger() -> structlog.typing.FilteringBoundLogger:
    """Return the logger; it follows whatever ``configure`` says later."""
    logger: structlog.typing.FilteringBoundLogger = structlog.get_logger()
    return logger


def begin_run() -> str:
    """Give the run that begins an id, and let every line from here on carry it.

    Returns:
        A random UUID.
    """
    run_id = str(uuid.uuid4())
    structlog.contextvars.clear_contextvars()
    structlog.contextvars.bind_contextvars(run_id=run_id)
    return run_id


def name_run(run: int) -> None:
    """Let every line from here on carry the run's number."""
    structlog.contextvars.bind_contextvars(run=run)


def end_run() -> None:
    """Let lines from here on belong to no run."""
    structlog.contextvars.clear_contextvars()


def keep_secret(value: str) -> None:
    """Never show ``value``, an address or a token, in any line from here on."""
    value = value.strip()
    if len(value) >= _MIN_SECRET:
        _secrets.add(value)


def keep_secrets_of(names: Iterable[str]) -> None:
    """Never show what environment variables hold whose names say that it is a secret."""
    for name in names:
        if _SECRET_NAME.search(name) and name in os.environ:
            keep_secret(os.environ[name])


def without_secrets(text: str) -> str:
    """Return ``text`` without known secrets, and otherwise as it is; see ``redacted``."""
    for secret in _secrets:
        text = text.replace(secret, HIDDEN)
    return text


def redacted(text: str) -> str:
    """Return ``text`` without secrets: known ones, and what has the form of one."""
    text = without_secrets(text)
    text = _HOOK.sub(rf"\1{HIDDEN}", text)
    text = _USERINFO.sub(rf"\1{HIDDEN}@", text)
    text = _PARAMETER.sub(rf"\1{HIDDEN}", text)
    return _HEADER.sub(rf"\1{HIDDEN}", text)


def redact(
    _logger: object, _method: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """Take secrets out of a line, and cut what is too long to read (a structlog processor)."""
    for key, value in list(event.items()):
        if not key.startswith("_"):  # structlog's own, taken out before the line is written
            event[key] = HIDDEN if _SECRET_KEY.search(key) else _clean(value)
    return event


def _clean(value: object) -> object:
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, (list, tuple, set, frozenset)) and all(isinstance(x, str) for x in value):
        value = ",".join(value)
    # A text too long to read is also too long to search.
    text = value if isinstance(value, str) else repr(value)
    return clip(redacted(clip(text, 20 * MAX_VALUE)), MAX_VALUE)


def _form(form: Format | str | None) -> Format:
    asked = form or os.environ.get(VARIABLE, "") or Format.CONSOLE
    try:
        return Format(asked)
    except ValueError as error:
        raise ConfigError(
            f"{VARIABLE} is {clip(safe(asked), 40)!r}; there are: {', '.join(Format)}",
            hint=f"unset {VARIABLE}, or set it to json",
        ) from error


def _as_json(_logger: object, _method: str, event: Mapping[str, Any]) -> str:
    first = {key: event[key] for key in ("time", "level", "event") if key in event}
    return json.dumps(first | dict(event), default=repr)


def _as_line(_logger: object, _method: str, event: Mapping[str, Any]) -> str:
    rest = {key: value for key, value in event.items() if key not in {"time", "level", "event"}}
    trace = rest.pop("exception", "")
    pairs = [f"{key}={_value(value)}" for key, value in rest.items()]
    head = f"{event.get('time', '')} {event.get('level', ''):<7} {safe(str(event.get('event')))}"
    lines = [" ".join([head.strip(), *pairs])]
    if trace:
        lines.append(safe(trace, multiline=True))
    return "\n".join(lines)


def _value(value: object) -> str:
    """Return a value as one word, in quotes where it would be several."""
    text = safe(str(value))
    plain = bool(text) and not any(sign in text for sign in ' "=')
    return text if plain else '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


class _StandardError:
    """Writes to whatever standard error is now: a progress bar puts itself in between."""

    def __init__(self, *_: object) -> None: ...

    def msg(self, line: str) -> None:
        """Write one line; that nobody listens is no reason to fail."""
        stream = sys.stderr
        if stream is None:
            return
        try:
            stream.write(line + "\n")
            stream.flush()
        except (OSError, ValueError):
            return

    debug = info = warning = error = critical = exception = msg


class _Handler(logging.Handler):
    """The same for what libraries log."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record."""
        _StandardError().msg(self.format(record))


configure(Format.CONSOLE, level=logging.WARNING)
