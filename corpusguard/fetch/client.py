"""The only code that fetches official text, and the only importer of httpx.

Invariants
----------
* Every failure is a :class:`~corpusguard.errors.SourceError`, or a ConfigError for an address
  that no source allows.
* An :class:`Answer` has status 200 with the whole body, 304 for validators that were sent, or
  403, 404 or 410, whose meaning the publisher's own module knows.
* Only transport errors, cut bodies, 429 and 5xx are tried again.
* No cookies are kept and no cache is asked: an answer is what the source says now.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import httpx
import stamina

from corpusguard import __version__
from corpusguard.errors import BodyTruncated, ConfigError, SourceUnreachable
from corpusguard.fetch.addresses import Allowed, host_of
from corpusguard.fetch.answer import Answer, Validators
from corpusguard.fetch.body import Body
from corpusguard.fetch.deadline import Deadline
from corpusguard.fetch.ledger import Ledger
from corpusguard.fetch.politeness import Politeness, http_date, retry_after_seconds
from corpusguard.fetch.retries import TryAgain

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path
    from types import TracebackType
    from typing import Self

    from corpusguard.model import SourceSpec

MAX_REDIRECTS: Final = 5
_ANSWERS: Final = frozenset({200, 403, 404, 410})
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_ERROR_PAGE_BYTES: Final = 1_000_000
_UNRECORDED: Final = frozenset({"set-cookie", "set-cookie2", "www-authenticate"})
_TRY_LATER: Final = "the source may be down or the network in between; try again later"


class Fetcher:
    """Fetches from one source; use as a context manager.

    Args:
        source: Limits, politeness and hosts.
        now: Wall clock, aware.
        monotonic: Clock for delays.
        sleep: Waits that many seconds (delays and ``Retry-After``).
        backoff_seconds: First pause between attempts; doubles, and jitter of the same size is
            added.

    Raises:
        ConfigError: The base address, a host or the contact is not usable.
    """

    def __init__(
        self,
        source: SourceSpec,
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        monotonic: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        backoff_seconds: float = 1.0,
    ) -> None:
        self._source = source
        self._now = now
        self._backoff = backoff_seconds
        self._allowed = Allowed(source)
        self._politeness = Politeness(
            source.min_delay_seconds,
            source.daily_request_budget,
            now=now,
            monotonic=monotonic,
            sleep=sleep,
        )
        self._user_agent = _user_agent(source.user_agent_contact)
        self._client = httpx.Client(
            follow_redirects=False,
            # A proxy of the surroundings is none of a loopback address's business.
            trust_env=not self._allowed.loopback,
            timeout=httpx.Timeout(
                source.read_timeout_seconds, connect=source.connect_timeout_seconds
            ),
            # A fresh connection for each request: the deadline knows its socket, and a delay
            # between requests outlives most idle connections anyway.
            limits=httpx.Limits(max_connections=4, max_keepalive_connections=0),
        )

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close all connections."""
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self._client.close()

    def count_in(self, folder: Path) -> None:
        """Count requests in a folder from now on, so that the budget holds over all runs of a day.

        Args:
            folder: Where the counts of all publishers lie.
        """
        self._politeness.ledger = Ledger(folder, host_of(self._source.base_url))

    def get(
        self,
        url: str,
        *,
        accept: str = "application/json",
        validators: Validators | None = None,
    ) -> Answer:
        """Fetch one address.

        Args:
            url: An address of this source.
            accept: The ``Accept`` header.
            validators: What the source said of bytes already held; may lead to a 304.

        Raises:
            ConfigError: The address is not one of this source.
            SourceUnreachable: No connection, time over, refused, redirected away, 429 or 5xx to
                the last attempt.
            BodyTruncated: The body ends early, in every attempt.
            Unreadable: The body is over a cap, or packed in a way not asked for.
        """
        self._allowed.check(url)
        headers = self._headers(accept, validators)
        retrying = stamina.retry_context(
            on=TryAgain,
            attempts=self._source.attempts,
            timeout=None,
            wait_initial=self._backoff,
            wait_max=self._backoff * 8,
            wait_jitter=self._backoff,
        )
        try:
            for attempt in retrying:
                with attempt:
                    return self._attempt(url, headers, attempt.num)
        except TryAgain as last:
            self._politeness.failed(host_of(url), last.error.message)
            raise last.error from last.__cause__
        raise AssertionError("stamina ends with a result or an exception")

    def _headers(self, accept: str, validators: Validators | None) -> dict[str, str]:
        headers = {
            "User-Agent": self._user_agent,
            "Accept": accept,
            "Accept-Encoding": "gzip, identity",
            "Cache-Control": "no-cache",
        }
        if validators is None:
            return headers
        # A server may have sent what cannot be sent back: then the text is fetched whole.
        if _sendable(validators.etag):
            headers["If-None-Match"] = validators.etag
        if _sendable(validators.last_modified):
            headers["If-Modified-Since"] = validators.last_modified
        return headers

    def _attempt(self, url: str, headers: dict[str, str], number: int) -> Answer:
        """Follow redirects by hand until something answers."""
        redirects: list[str] = []
        current = url
        deadline = Deadline(self._source.total_timeout_seconds)
        # The pause before the first request is politeness, and not charged to the source.
        self._politeness.before(host_of(current))
        with deadline:
            while True:
                found = self._exchange(current, headers, deadline)
                if isinstance(found, str):
                    redirects.append(current)
                    if found in redirects or len(redirects) > MAX_REDIRECTS:
                        raise SourceUnreachable(
                            f"{url} redirects in circles ({len(redirects)} times)",
                            hint="open the address in a browser; the publisher may have moved it",
                        )
                    current = found
                    self._politeness.before(host_of(current))
                    continue
                self._politeness.succeeded(host_of(current))
                return self._answer(
                    found, url, current, headers, redirects=tuple(redirects), attempts=number
                )

    def _exchange(self, url: str, headers: dict[str, str], deadline: Deadline) -> _Raw | str:
        """Send one request; return the raw answer, or the address it redirects to."""
        started = self._now()
        self._client.cookies.clear()
        in_body = False
        try:
            with self._client.stream(
                "GET", url, headers=headers, extensions={"trace": deadline.trace}
            ) as response:
                if response.status_code in _REDIRECTS:
                    return self._allowed.redirected(url, response.headers.get("location", ""))
                self._refuse_status(response, url, headers)
                in_body = True
                body = self._read(response)
        except (httpx.TransportError, httpx.InvalidURL, UnicodeError) as error:
            raise self._failure(error, url, deadline, in_body=in_body) from error
        except BodyTruncated as error:
            raise TryAgain(url, error) from error
        if deadline.expired:
            raise self._failure(None, url, deadline, in_body=True)
        kept = {
            name.lower(): value
            for name, value in response.headers.items()
            if name.lower() not in _UNRECORDED
        }
        return _Raw(response.status_code, kept, body.finish(), body.wire, started)

    def _refuse_status(
        self, response: httpx.Response, url: str, headers: Mapping[str, str]
    ) -> None:
        status = response.status_code
        conditional = "If-None-Match" in headers or "If-Modified-Since" in headers
        if status in _ANSWERS or (status == 304 and conditional):
            return
        error = SourceUnreachable(f"{url} answered {status}", hint=_TRY_LATER)
        if status != 429 and status < 500:
            self._politeness.succeeded(host_of(url))
            raise error
        asked = retry_after_seconds(
            response.headers.get("retry-after", ""),
            response.headers.get("date", ""),
            self._now(),
        )
        if asked and not self._politeness.asked_to_wait(host_of(url), asked):
            raise SourceUnreachable(
                f"{url} answered {status} and asks for a pause of {asked:.0f} s",
                hint="run again after that time",
            )
        raise TryAgain(url, error)

    def _read(self, response: httpx.Response) -> Body:
        source = self._source
        small = response.status_code != 200
        limit = min(source.max_wire_bytes, _ERROR_PAGE_BYTES) if small else source.max_wire_bytes
        body = Body(
            "" if response.status_code == 304 else response.headers.get("content-encoding", ""),
            max_wire=limit,
            max_decoded=min(source.max_decoded_bytes, limit) if small else source.max_decoded_bytes,
            max_ratio=source.max_ratio,
        )
        declared = response.headers.get("content-length", "")
        if declared.isascii() and declared.isdigit():
            body.expect(int(declared[:18]))
        for chunk in response.iter_raw():
            body.feed(chunk)
        body.finish()
        return body

    def _failure(
        self,
        error: Exception | None,
        url: str,
        deadline: Deadline,
        *,
        in_body: bool,
    ) -> Exception:
        """Map what httpx raised, once, to our own errors; decide what may be tried again."""
        if deadline.expired:
            # Not tried again: a source that drips would take the whole time each time.
            seconds = self._source.total_timeout_seconds
            self._politeness.failed(host_of(url), "it did not finish in time")
            return SourceUnreachable(f"{url} did not finish within {seconds:g} s", hint=_TRY_LATER)
        told = f"{type(error).__name__}: {error}".rstrip(": ")
        if isinstance(error, (httpx.InvalidURL, httpx.UnsupportedProtocol, UnicodeError)):
            return ConfigError(f"{url[:200]!r} is not an address: {told}", hint="check base_url")
        cut = isinstance(error, (httpx.RemoteProtocolError, httpx.ReadError))
        if in_body and cut:
            return TryAgain(url, BodyTruncated(f"{url} broke off: {told}", hint=_TRY_LATER))
        return TryAgain(url, SourceUnreachable(f"{url}: {told}", hint=_TRY_LATER))

    def _answer(  # noqa: PLR0913, the facts of one answer, gathered once
        self,
        raw: _Raw,
        requested: str,
        url: str,
        headers: dict[str, str],
        *,
        redirects: tuple[str, ...],
        attempts: int,
    ) -> Answer:
        finished = self._now()
        served = http_date(raw.headers.get("date", ""))
        age = raw.headers.get("age", "0").strip()
        skew = None
        if served is not None and age.isascii() and age.isdigit():
            # A cache on the way keeps the Date of its source; Age says for how long.
            skew = (finished - served).total_seconds() - float(age[:9])
        return Answer(
            status=raw.status,
            headers=raw.headers,
            body=raw.body,
            url=url,
            requested=requested,
            request_headers=headers,
            redirects=redirects,
            started=_stamp(raw.started),
            finished=_stamp(finished),
            server_date=_stamp(served) if served else "",
            clock_skew_seconds=skew,
            attempts=attempts,
            wire_bytes=raw.wire,
        )


@dataclass(frozen=True, slots=True)
class _Raw:
    status: int
    headers: Mapping[str, str]
    body: bytes
    wire: int
    started: datetime


def _stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _user_agent(contact: str) -> str:
    """Say who asks and how to reach them: sources block what they cannot talk to."""
    if not contact.isascii() or not contact.isprintable() or len(contact) > 200:
        raise ConfigError(
            "user_agent_contact must be one line of printable ASCII",
            hint="an address of your own, such as mailto:law@example.org",
        )
    about = f"+{contact}" if contact else "no contact given"
    return f"corpusguard/{__version__} (legal corpus verifier; {about})"


def _sendable(value: str) -> bool:
    """Whether a validator is there and can stand in a header: printable ASCII."""
    return bool(value) and value.isascii() and value.isprintable()
