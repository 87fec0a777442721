"""What stands before every request: who may ask, how often, how long, and one line in the log."""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import math
import time
import uuid
from typing import TYPE_CHECKING, Final

from starlette.datastructures import Headers, MutableHeaders

from corpusguard import logs
from corpusguard.report.text import clip
from corpusguard.serve.limits import RateLimit, host_of, is_loopback
from corpusguard.serve.problems import SECURITY_HEADERS, Refusal, internal_error

if TYPE_CHECKING:
    from collections.abc import Collection

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from corpusguard.serve.limits import Limits
    from corpusguard.serve.metrics import Metrics

OPEN_PATHS: Final = frozenset({"/healthz"})
"""Asked without a token and without a count: a probe has neither, and must not be refused."""


class Guard:
    """The outermost application.

    Args:
        app: What answers.
        limits: Bounds.
        metrics: Where responses are counted.
        token: What a client must show; empty: nothing, which only a loopback address may do.
        local: Whether only this machine can connect. The Host header must then name it too: a page
            in a browser on this machine may have had its own name resolve to 127.0.0.1 (DNS
            rebinding), but cannot change the name that the browser sends.
        names: What the Host header may name besides, in lower case; where any is given, it must
            name one of them or this machine, whoever can connect.
    """

    def __init__(  # noqa: PLR0913 - what it is told
        self,
        app: ASGIApp,
        limits: Limits,
        metrics: Metrics,
        *,
        token: str,
        local: bool,
        names: Collection[str] = (),
    ) -> None:
        self._app = app
        self._limits = limits
        self._metrics = metrics
        self._token = token.encode()
        self._named = local or bool(names)
        self._names = frozenset(names)
        self._rate = RateLimit(limits.per_minute)
        self.cut = 0
        """Requests that were given up because the server stopped."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, always."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        answer = _Answer(send, uuid.uuid4().hex)
        scope["request_id"] = answer.request_id
        began = time.monotonic()
        self._metrics.under_way += 1
        try:
            async with asyncio.timeout(self._limits.request_seconds):
                await self._answered(scope, receive, answer)
        except TimeoutError:
            if answer.status:
                # Nothing can be said any more; the server closes the connection.
                raise
            late = Refusal(
                503, "timeout", "the request took too long", headers={"retry-after": "5"}
            )
            await late.response(answer.request_id)(scope, receive, answer)
        except asyncio.CancelledError:
            self.cut += 1
            raise
        finally:
            self._metrics.under_way -= 1
            self._log(scope, answer, time.monotonic() - began)

    async def _answered(self, scope: Scope, receive: Receive, answer: _Answer) -> None:
        try:
            self._admit(scope)
            await self._app(scope, receive, answer)
        except Refusal as refusal:
            await refusal.response(answer.request_id)(scope, receive, answer)
        except Exception:  # noqa: BLE001 - the client gets an id to look for, and nothing of the inside
            logs.get_logger().exception("failed", request_id=answer.request_id)
            if not answer.status:
                await internal_error().response(answer.request_id)(scope, receive, answer)

    def _admit(self, scope: Scope) -> None:
        """Let a request through.

        Raises:
            Refusal: It may not be answered.
        """
        headers = Headers(scope=scope)
        if _head_bytes(scope) > self._limits.head_bytes:
            # uvicorn bounds only what has not all come yet.
            raise Refusal(
                431,
                "large_head",
                f"address and headers are over the limit of {self._limits.head_bytes} bytes",
                then="send fewer headers, and a long text with POST",
            )
        if self._named and not self._names_us(headers.getlist("host")):
            raise Refusal(
                421,
                "wrong_host",
                "the Host header does not name this machine",
                then="ask http://127.0.0.1 or http://localhost; for another name of this server, "
                "start it with --server-name",
            )
        if scope["path"] in OPEN_PATHS:
            return
        client = scope["client"][0] if scope.get("client") else ""
        wait = self._rate.wait(client, time.monotonic())
        if wait:
            seconds = str(math.ceil(wait))
            raise Refusal(
                429,
                "too_many_requests",
                f"more than {self._limits.per_minute} requests a minute",
                then=f"wait {seconds} s",
                headers={"retry-after": seconds},
            )
        if self._token and not self._is_ours(headers.getlist("authorization")):
            raise Refusal(
                401,
                "token",
                "a token is needed, and none or a wrong one was sent",
                then="send the header Authorization: Bearer TOKEN",
                headers={"www-authenticate": 'Bearer realm="corpusguard"'},
            )

    def _names_us(self, hosts: list[str]) -> bool:
        if len(hosts) != 1:
            return False
        name = host_of(hosts[0]).lower().rstrip(".")
        if name in self._names:
            return True
        if not name.isascii() or not is_loopback(name):
            return False
        return name == "localhost" or str(ipaddress.ip_address(name)) == name

    def _is_ours(self, shown: list[str]) -> bool:
        if len(shown) != 1:
            return False
        kind, _, token = shown[0].partition(" ")
        # Latin-1 is how headers are decoded, so this gives back the bytes that were sent.
        sent = token.strip().encode("latin-1")
        return hmac.compare_digest(sent, self._token) and kind.lower() == "bearer"

    def _log(self, scope: Scope, answer: _Answer, seconds: float) -> None:
        route = getattr(scope.get("endpoint"), "__name__", "none")
        self._metrics.served(route, scope["method"], answer.status)
        logs.get_logger().info(
            "request",
            request_id=answer.request_id,
            # Neither query nor body: they hold what people asked.
            method=clip(scope["method"], 20),
            path=clip(scope["path"], 200),
            status=answer.status,
            ms=round(seconds * 1000, 1),
            client=scope["client"][0] if scope.get("client") else "",
        )


class _Answer:
    """Passes a response on, with the headers that all have, and remembers its status."""

    def __init__(self, send: Send, request_id: str) -> None:
        self._send = send
        self.request_id = request_id
        self.status = 0

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            headers.update(SECURITY_HEADERS)
            headers["x-request-id"] = self.request_id
        await self._send(message)


def _head_bytes(scope: Scope) -> int:
    return (
        len(scope["raw_path"])
        + len(scope["query_string"])
        + sum(len(name) + len(value) + 4 for name, value in scope["headers"])
    )
