"""A deadline for a whole exchange, which no slow drip can stretch.

A read timeout starts afresh with every byte, so that a server which sends one byte a second holds
a client for ever; and while the headers drip, the client's own code does not even run. So a timer
thread shuts the socket down when the time is over, which ends any read at once.
"""

from __future__ import annotations

import contextlib
import socket
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType
    from typing import Self

_CONNECTED = frozenset({"connection.connect_tcp.complete", "connection.start_tls.complete"})


class Deadline:
    """Shuts down the connection of one exchange after ``seconds``; use as a context manager."""

    def __init__(self, seconds: float) -> None:
        self._lock = threading.Lock()
        self._sockets: list[socket.socket] = []
        self._timer = threading.Timer(seconds, self._expire)
        self._timer.daemon = True
        self.expired = False
        """Whether the time ran out."""

    def __enter__(self) -> Self:
        """Start the clock."""
        self._timer.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop the clock."""
        self._timer.cancel()

    def trace(self, event: str, info: Mapping[str, object]) -> None:
        """Learn of the socket; to be given to httpx as its ``trace`` extension."""
        if event not in _CONNECTED:
            return
        stream = info.get("return_value")
        ask = getattr(stream, "get_extra_info", None)
        found = ask("socket") if callable(ask) else None
        if isinstance(found, socket.socket):
            with self._lock:
                self._sockets.append(found)
            if self.expired:
                self._expire()

    def _expire(self) -> None:
        with self._lock:
            self.expired = True
            for found in self._sockets:
                with contextlib.suppress(OSError):
                    found.shutdown(socket.SHUT_RDWR)
