"""The process that sends one message through apprise: ``python -m corpusguard.notify.sender``.

It reads one JSON object from standard input (``variable``, ``subject``, ``text``, ``markdown``,
``severity``), takes the channel's address from the environment variable named, and exits with
``SENT``, or with ``NOT_SENT`` and the reason on standard output. It is a process of its own so
that a channel that hangs, drips or floods can be killed without harm to the run.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import sys
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from apprise import NotifyBase

SENT, NOT_SENT = 0, 1
MEMORY_BYTES: Final = 1_500_000_000
"""Address space; Python, apprise and TLS need about a third of it."""
MAX_REASON: Final = 1_000


def main() -> int:
    """Send the message on standard input; return the exit code."""
    _cap_memory()
    order = json.load(sys.stdin)
    reasons = _Reasons()
    try:
        sent = _send(order, reasons)
    except Exception as error:  # noqa: BLE001 (whatever a plug-in raises, it did not send)
        reasons.add(f"{type(error).__name__}: {error}")
        sent = False
    if sent:
        return SENT
    sys.stdout.write("; ".join(reasons.told)[:MAX_REASON] or "the channel did not say why")
    return NOT_SENT


def _send(order: dict[str, str], reasons: _Reasons) -> bool:
    import apprise  # noqa: PLC0415 (an extra: its absence is a reason like any other)

    logger = logging.getLogger("apprise")
    logger.handlers = [reasons]
    logger.propagate = False
    asset = apprise.AppriseAsset(
        app_id="corpusguard",
        app_desc="corpusguard",
        app_url="",
        image_url_mask="",
        image_url_logo="",
        # No code from plug-in folders, nothing kept on disk, no secret in what is logged.
        plugin_paths=[],
        storage_mode="memory",
        secure_logging=True,
        async_mode=False,
        interpret_escapes=False,
        interpret_emojis=False,
        # A redirect would carry the message, and what it tells, to a host that nobody named.
        http_redirects=False,
        service_timeout=0,
    )
    channel = apprise.Apprise.instantiate(os.environ[order["variable"]], asset=asset)
    if channel is None:
        reasons.add("it is not an address that apprise knows")
        return False
    form = apprise.NotifyFormat.MARKDOWN if _takes_markdown(channel) else apprise.NotifyFormat.TEXT
    sender = apprise.Apprise(asset=asset)
    sender.add(channel)
    return bool(
        sender.notify(
            title=order["subject"],
            body=order[str(form.value)],
            body_format=form,
            notify_type=apprise.NotifyType(order["severity"]),
        )
    )


def _takes_markdown(channel: NotifyBase) -> bool:
    """Tell whether Markdown is the channel's own form, rather than one that it can be made to."""
    forms: Any = channel.notify_format  # one form in older versions, several in later ones
    first = forms[0] if isinstance(forms, tuple) else forms
    return str(first.value) == "markdown"


class _Reasons(logging.Handler):
    """Keeps what apprise complains of."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.told: list[str] = []

    def add(self, reason: str) -> None:
        self.told.append(reason[:MAX_REASON])

    def emit(self, record: logging.LogRecord) -> None:
        self.add(record.getMessage())


def _cap_memory() -> None:
    """Let a reply of any size end this process and not the machine, where the system can."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource  # noqa: PLC0415 (not on every system)

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


if __name__ == "__main__":
    sys.exit(main())
