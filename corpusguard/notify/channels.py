"""Sending a message through one channel, whatever the channel does meanwhile."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Final

from corpusguard.logs import keep_secret, redacted
from corpusguard.notify.sender import MAX_REASON, SENT
from corpusguard.report.text import clip, safe

if TYPE_CHECKING:
    from corpusguard.notify.night import Message

TIMEOUT_SECONDS: Final = 60.0
"""For one channel, start to end; mail servers may take their time."""
_SHOWN: Final = 200


def unusable(variable: str) -> str:
    """Return why nothing could be sent through a channel, or an empty string.

    Asked every night, also when there is nothing to say: an alarm that cannot ring should be
    known before it has to.
    """
    if importlib.util.find_spec("apprise") is None:
        return "apprise is not installed: pip install 'corpusguard-law[notify]'"
    if not os.environ.get(variable, "").strip():
        return f"environment variable {variable} is not set"
    return ""


def send(variable: str, message: Message, *, timeout: float = TIMEOUT_SECONDS) -> str:
    """Send a message through the channel whose address an environment variable holds.

    Returns:
        Why it was not sent, as one line without secrets; empty when it was. Nothing is raised.
    """
    if reason := unusable(variable):
        return reason
    keep_secret(os.environ[variable])
    order = {
        "variable": variable,
        "subject": message.subject,
        "text": message.text,
        "markdown": message.markdown,
        "severity": message.severity,
    }
    try:
        done = subprocess.run(
            # The address stays in the environment: an argument is shown to every user by ps.
            # -P: what lies in the folder that a run was started in is not imported.
            [sys.executable, "-P", "-m", "corpusguard.notify.sender"],
            input=json.dumps(order).encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=timeout,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"it did not finish within {timeout:g} s"
    except OSError as error:
        return f"could not start a process: {error.strerror or error}"
    if done.returncode == SENT:
        return ""
    said = done.stdout[: 4 * MAX_REASON].decode("utf-8", "replace").strip()
    return clip(safe(redacted(said or f"the sender ended with {done.returncode}")), _SHOWN)
