"""Bounds of the HTTP service, and the count of what each client asks."""

from __future__ import annotations

import ipaddress
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

DRAINED: Final = 8
MOST_CHUNKS: Final = 16_384
"""Of one body: a million of a byte each would keep the server from all others for seconds."""
_MOST_CLIENTS: Final = 10_000


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds, each for one client's ways of taking all there is. Seconds, bytes, counts."""

    body_bytes: int = 1_000_000
    """Of a larger body no more than ``DRAINED`` times this is read, and forgotten, before its
    connection is closed: a client that is still sending may not read why."""
    head_bytes: int = 65_536
    """Request line and headers."""
    head_seconds: float = 10.0
    """From the first byte, or from the connection, until the headers are there."""
    body_seconds: float = 15.0
    """Until the body is there; also of one that was answered before its end."""
    request_seconds: float = 60.0
    """From the headers until the answer has been taken."""
    idle_seconds: int = 10
    """How long a connection is kept without a request."""
    connections: int = 256
    at_once: int = 64
    """Questions being answered, or waiting for a thread to answer them."""
    threads: int = 4
    stop_seconds: int = 20
    """After SIGTERM, for the requests under way; Kubernetes kills after 30."""
    per_minute: int = 1_200
    """Requests of one client."""


class RateLimit:
    """A token bucket for each client: a minute's worth at once, refilled evenly.

    Clients are told apart by address, of IPv6 by its /64, which one customer has to himself.
    """

    def __init__(self, per_minute: int) -> None:
        self._most = float(per_minute)
        self._per_second = per_minute / 60
        self._clients: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, client: str, now: float) -> float:
        """Count one request, and return how many seconds it comes too early; 0: it may pass.

        Args:
            client: Its address.
            now: A clock that never goes back, in seconds.
        """
        key = _network(client)
        left, before = self._clients.pop(key, (self._most, now))
        left = min(self._most, left + (now - before) * self._per_second)
        allowed = left >= 1
        self._clients[key] = (left - 1 if allowed else left, now)
        if len(self._clients) > _MOST_CLIENTS:
            self._clients.popitem(last=False)
        return 0.0 if allowed else (1 - left) / self._per_second


def is_loopback(host: str) -> bool:
    """Whether ``host`` is this machine alone: an address of 127.0.0.0/8, ::1, or localhost."""
    if host.lower().rstrip(".") == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def host_of(header: str) -> str:
    """Return the host of a Host header, without port and brackets; empty where it is malformed."""
    name, port = header, ""
    if header.startswith("["):
        name, closed, port = header[1:].partition("]")
        if not closed or (port and not port.startswith(":")):
            return ""
        port = port[1:]
    elif header.count(":") == 1:
        name, _, port = header.partition(":")
    if port and not (port.isascii() and port.isdigit()):
        return ""
    return name


def _network(client: str) -> str:
    try:
        address = ipaddress.ip_address(client.partition("%")[0])
    except ValueError:
        return client
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)
