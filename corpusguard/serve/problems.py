"""Errors as ``application/problem+json`` (RFC 9457), without anything of the inside.

Besides the members of the RFC: ``code``, a word that does not change, and ``next``, what to do.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from starlette.responses import Response

from corpusguard.report.records import dump

if TYPE_CHECKING:
    from collections.abc import Mapping

PROBLEM: Final = "application/problem+json"
SECURITY_HEADERS: Final[Mapping[str, str]] = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
"""On every response: JSON that holds words of strangers must never be taken for a page."""


class Refusal(Exception):
    """A request that is not answered, and why."""

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        *,
        then: str = "",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.code = code
        self.detail = detail
        self.then = then
        self.headers = dict(headers or {})

    def response(self, request_id: str) -> Response:
        """Return it as a response."""
        body = {
            "type": "about:blank",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "code": self.code,
            "detail": self.detail,
            "request_id": request_id,
        }
        if self.then:
            body["next"] = self.then
        return Response(dump(body).encode(), self.status, self.headers, PROBLEM)


def internal_error() -> Refusal:
    """Return what a client is told of an error that nobody foresaw."""
    return Refusal(500, "internal", "an internal error", then="look for request_id in the log")


def json_response(body: Mapping[str, object], status: int = 200) -> Response:
    """Return ``body`` as JSON; what UTF-8 cannot hold comes out as the escape it came from."""
    return Response(dump(body).encode(), status, media_type="application/json")
