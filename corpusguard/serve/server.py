"""The HTTP service on a socket, by uvicorn; besides ``fetch`` and messages, the only such place.

What uvicorn 0.54 leaves open is closed here: a connection that never finishes its headers has no
deadline of its own, one too many is only noticed once it has asked something, and errors are plain
text.
"""

from __future__ import annotations

import ipaddress
import os
import socket
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from corpusguard import logs
from corpusguard.errors import ConfigError
from corpusguard.serve.app import application
from corpusguard.serve.limits import Limits, is_loopback
from corpusguard.serve.problems import PROBLEM, SECURITY_HEADERS, Refusal

if TYPE_CHECKING:
    import asyncio

    from corpusguard.serve.desk import Desk

SHORTEST_TOKEN: Final = 16
"""Characters; `openssl rand -hex 32` gives 64."""


def read_token(name: str) -> str:
    """Return the token that an environment variable holds.

    Raises:
        ConfigError: It is not set, too short, or holds what a header cannot.
    """
    token = os.environ.get(name, "").strip()
    if len(token) < SHORTEST_TOKEN or not token.isascii() or not token.isprintable():
        raise ConfigError(
            f"the variable {name} is not set, or holds no token of at least {SHORTEST_TOKEN} "
            "printable ASCII characters",
            hint=f"export {name}=$(openssl rand -hex 32)",
        )
    if any(letter.isspace() for letter in token):
        raise ConfigError(f"the token in {name} has a space in it", hint="choose one without")
    logs.keep_secret(token)
    return token


def serve(desk: Desk, host: str, port: int, *, token: str, limits: Limits | None = None) -> None:
    """Serve until SIGTERM or SIGINT.

    Args:
        desk: What is asked; closed at the end.
        host: An address or a name of this machine.
        port: 0: any that is free; the log names it.
        token: What clients must show; needed unless ``host`` is a loopback address.
        limits: Bounds.

    Raises:
        ConfigError: The address cannot be had, or is open to others without a token.
        SystemExit, KeyboardInterrupt: A signal ended it, and a request was cut off.
    """
    bounds = limits or Limits()
    local = is_loopback(host)
    if not local and not token:
        raise ConfigError(
            f"{host} can be reached from other machines, and there is no token",
            hint="name the variable that holds one with --token-env, or serve on 127.0.0.1",
        )
    listener = _listener(host, port)
    try:
        app = application(desk, token=token, local=local, limits=bounds)
        config = uvicorn.Config(
            app,
            http=_protocol(bounds),
            ws="none",
            loop="asyncio",
            lifespan="on",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            h11_max_incomplete_event_size=bounds.head_bytes,
            timeout_keep_alive=bounds.idle_seconds,
            timeout_graceful_shutdown=bounds.stop_seconds,
        )
        address, chosen = listener.getsockname()[:2]
        shown = f"[{address}]" if ":" in address else address
        logs.get_logger().info("serving", url=f"http://{shown}:{chosen}", guarded=bool(token))
        server = uvicorn.Server(config)
        try:
            server.run(sockets=[listener])
        except (SystemExit, KeyboardInterrupt):
            # uvicorn raises the signal again, once all is closed.
            if app.cut:
                raise
        if not server.started:
            raise RuntimeError("the server did not start; the log says why")
        logs.get_logger().info("stopped")
    finally:
        listener.close()
        desk.close()


def _listener(host: str, port: int) -> socket.socket:
    try:
        family, kind, number, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        # "localhost" is what a resolver says; it must not open more than was meant.
        if is_loopback(host) and not ipaddress.ip_address(address[0]).is_loopback:
            raise ConfigError(f"{host} is not this machine", hint="serve on 127.0.0.1")
        listener = socket.socket(family, kind, number)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen(512)
        except BaseException:
            listener.close()
            raise
    except (OSError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise ConfigError(
            f"cannot listen on {host}, port {port}: {why}",
            hint="choose another --port or --host, or stop what listens there",
        ) from error
    return listener


def _protocol(limits: Limits) -> type[H11Protocol]:
    class Bounded(_Bounded):
        bounds = limits

    return Bounded


class _Bounded(H11Protocol):
    """HTTP/1.1 with a deadline for headers, and a bound on connections."""

    bounds: Limits
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > self.bounds.connections:
            self._refuse(
                Refusal(
                    503,
                    "connections",
                    f"{self.bounds.connections} connections are open",
                    then="close those that are not used, and try again",
                    headers={"retry-after": "5"},
                )
            )
            return
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        super().data_received(data)
        self._await_head()

    def send_400_response(self, msg: str) -> None:
        self._refuse(
            Refusal(
                400,
                "not_http",
                msg,
                then=f"send HTTP/1.1, with headers of at most {self.bounds.head_bytes} bytes",
            )
        )

    def _await_head(self) -> None:
        """Start the deadline where the headers of a request are not all there, else stop it."""
        if self.conn.their_state is not h11.IDLE or self.transport.is_closing():
            self._forget()
        elif self._deadline is None and self.timeout_keep_alive_task is None:
            seconds = self.bounds.head_seconds
            self._deadline = self.loop.call_later(seconds, self._too_late)

    def _too_late(self) -> None:
        self._deadline = None
        if not self.transport.is_closing() and self.conn.their_state is h11.IDLE:
            self._refuse(Refusal(408, "slow_head", "the headers did not come in time"))

    def _forget(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _refuse(self, refusal: Refusal) -> None:
        """Answer without the application, and close."""
        self._forget()
        body = refusal.response("").body
        fixed = {
            "content-type": PROBLEM,
            "content-length": str(len(body)),
            "connection": "close",
            **SECURITY_HEADERS,
            **refusal.headers,
        }
        if self.conn.our_state in {h11.IDLE, h11.SEND_RESPONSE}:
            phrase = HTTPStatus(refusal.status).phrase
            head = h11.Response(
                status_code=refusal.status, headers=list(fixed.items()), reason=phrase
            )
            for event in (head, h11.Data(data=bytes(body)), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()
