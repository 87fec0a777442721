"""Dead-man pings in the manner of Healthchecks: who hears nothing raises the alarm.

``POST {url}/start?rid=UUID`` when a run starts, ``POST {url}/{exit code}?rid=UUID`` when it ends,
with a summary as body. A ping never raises: a check that cannot be reached is a problem to report,
not a reason to lose a run.
"""

from __future__ import annotations

import contextlib
import os
import time
from typing import TYPE_CHECKING, Final
from urllib.parse import SplitResult, urlsplit, urlunsplit

import httpx

from corpusguard import __version__
from corpusguard.fetch.deadline import Deadline
from corpusguard.logs import keep_secret, redacted
from corpusguard.report.files import encode
from corpusguard.report.text import clip, safe

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_BODY: Final = 10_000
"""Bytes; Healthchecks keeps the first 100 kB, its relatives fewer."""
ATTEMPTS: Final = 3
TIMEOUT_SECONDS: Final = 10.0
"""For one attempt, from connecting to the end of the answer's head."""
_LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})
_ANSWER_BYTES: Final = 200
_REFUSALS: Final = ("not found", "rate limited")
"""What Healthchecks says with status 200 for a check that is not there, or was pinged too often."""


def ping(  # noqa: PLR0913 (the clock's part is for tests)
    variable: str,
    signal: str,
    run_id: str,
    body: str = "",
    *,
    attempts: int = ATTEMPTS,
    sleep: Callable[[float], None] = time.sleep,
    timeout: float = TIMEOUT_SECONDS,
    pause: float = 1.0,
) -> str:
    """Send one ping.

    Args:
        variable: Environment variable that holds the address of the check.
        signal: ``start``, or an exit code.
        run_id: A UUID that joins the two pings of a run.
        body: What to keep with the ping; cut to ``MAX_BODY`` bytes.
        attempts: How often to try; once where somebody waits for the process to end.
        sleep: Waits between attempts.
        timeout: Seconds for one attempt.
        pause: Seconds before the second attempt; the third waits twice as long.

    Returns:
        Why it was not received, as one line without secrets; empty when it was.
    """
    address = os.environ.get(variable, "").strip()
    if not address:
        return f"environment variable {variable} is not set"
    keep_secret(address)
    parts = _checked(address)
    if isinstance(parts, str):
        return parts
    url = _with(parts, signal, run_id)
    reason = ""
    for attempt in range(attempts):
        if attempt:
            sleep(pause * attempt)
        reason, again = _once(url, encode(body)[:MAX_BODY], timeout)
        if not again:
            break
    return clip(safe(redacted(reason)), 200)


def _checked(address: str) -> SplitResult | str:
    """Return the parts of an address that may be pinged, or why it may not."""
    try:
        parts = urlsplit(address)
        _ = parts.port  # out of range, it raises only when it is asked for
    except ValueError:
        return "its address is not one"
    if not parts.hostname or not address.isascii() or not address.isprintable():
        return "its address is not one"
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOOPBACK):
        return "its address must begin with https (http is for loopback addresses only)"
    return parts


def _with(parts: SplitResult, signal: str, run_id: str) -> str:
    path = f"{parts.path.rstrip('/')}/{signal}"
    query = f"{parts.query}&rid={run_id}" if parts.query else f"rid={run_id}"
    return urlunsplit((parts.scheme, parts.netloc, path, query, ""))


def _once(url: str, body: bytes, timeout: float) -> tuple[str, bool]:
    """Return why one attempt failed (empty: it did not), and whether to try again."""
    headers = {"User-Agent": f"corpusguard/{__version__}", "Accept-Encoding": "identity"}
    said = b""
    with Deadline(timeout) as deadline:
        try:
            with (
                httpx.Client(timeout=timeout, follow_redirects=False) as client,
                client.stream(
                    "POST",
                    url,
                    content=body,
                    headers=headers,
                    extensions={"trace": deadline.trace},
                ) as response,
            ):
                status = response.status_code
                if not response.is_success:
                    return f"it answered {status}", status == 429 or status >= 500
                # Only the first words count. A reply without end is left where it is, and one
                # that breaks off was still a reply.
                with contextlib.suppress(httpx.HTTPError):
                    said = next(response.iter_raw(_ANSWER_BYTES), b"")[:_ANSWER_BYTES]
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, UnicodeError) as error:
            if deadline.expired:
                return f"it did not answer within {timeout:g} s", True
            return f"{type(error).__name__}: {error}".rstrip(": "), True
    words = said.decode("utf-8", "replace").casefold()
    refusal = next((refusal for refusal in _REFUSALS if refusal in words), "")
    return (f"it answered 200, but {refusal}" if refusal else ""), False
