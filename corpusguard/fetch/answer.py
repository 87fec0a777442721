"""What a request carries and what comes back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Validators:
    """What the source said of the bytes that we hold, for a conditional request."""

    etag: str = ""
    last_modified: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer of the source, complete."""

    status: int
    headers: Mapping[str, str]
    """Names in lower case; cookies left out."""
    body: bytes
    """Unpacked; empty for 304."""
    url: str
    """The address that answered, after redirects."""
    requested: str
    """The address that was asked."""
    request_headers: Mapping[str, str]
    redirects: tuple[str, ...]
    """The addresses that redirected, in order."""
    started: str
    """UTC, ISO 8601, ``Z``: when the attempt that succeeded began."""
    finished: str
    """When its last byte had come."""
    server_date: str
    """The answer's ``Date`` in the same form, or empty."""
    clock_skew_seconds: float | None
    """How far the local clock is ahead of the server's, or None without a usable ``Date``."""
    attempts: int
    """1 for a first success."""
    wire_bytes: int
    """Bytes of the body as sent."""

    @property
    def not_modified(self) -> bool:
        """Whether the source confirmed that the bytes we hold are unchanged."""
        return self.status == 304

    @property
    def etag(self) -> str:
        """The ``ETag``, or an empty string."""
        return self.headers.get("etag", "")

    @property
    def last_modified(self) -> str:
        """The ``Last-Modified``, or an empty string."""
        return self.headers.get("last-modified", "")

    def evidence(self) -> dict[str, object]:
        """Return all but the body, ready for the capture record."""
        return {
            "status": self.status,
            "requested": self.requested,
            "url": self.url,
            "redirects": list(self.redirects),
            "request_headers": dict(self.request_headers),
            "headers": dict(self.headers),
            "started": self.started,
            "finished": self.finished,
            "server_date": self.server_date,
            "clock_skew_seconds": self.clock_skew_seconds,
            "attempts": self.attempts,
            "wire_bytes": self.wire_bytes,
        }
