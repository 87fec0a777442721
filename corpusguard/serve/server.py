"""The HTTP service on a socket, by uvicorn; besides ``fetch`` and messages, the only such place."""

from __future__ import annotations

import ipaddress
import os
import socket
from typing import TYPE_CHECKING, Final

import uvicorn

from corpusguard import logs
from corpusguard.errors import ConfigError
from corpusguard.serve.app import application
from corpusguard.serve.limits import Limits, host_of, is_loopback
from corpusguard.serve.protocol import protocol

if TYPE_CHECKING:
    from collections.abc import Collection

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


def read_names(given: Collection[str]) -> frozenset[str]:
    """Return the names that clients may call this server by, as the Host header has them.

    Raises:
        ConfigError: One is no host name or address, or has a port.
    """
    for name in given:
        usable = bool(name) and name.isascii() and name.isprintable() and host_of(name) == name
        if not usable or set(name) & set(" ,/@?#[]"):
            raise ConfigError(
                f"{name[:80]!r} is no host name",
                hint="give a name or an address without scheme and port, such as gate.example",
            )
    return frozenset(name.lower().rstrip(".") for name in given)


def serve(  # noqa: PLR0913 - what a server is told
    desk: Desk,
    host: str,
    port: int,
    *,
    token: str,
    names: Collection[str] = (),
    limits: Limits | None = None,
) -> None:
    """Serve until SIGTERM or SIGINT.

    Args:
        desk: What is asked; closed at the end.
        host: An address or a name of this machine.
        port: 0: any that is free; the log names it.
        token: What clients must show; needed unless ``host`` is a loopback address.
        names: What clients may call it by, besides the names of this machine; see ``Guard``.
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
        app = application(desk, token=token, local=local, names=names, limits=bounds)
        config = uvicorn.Config(
            app,
            http=protocol(bounds),
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
