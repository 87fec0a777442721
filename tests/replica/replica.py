"""An e-Laws of our own on a loopback port, which tells the truth until it is told not to.

The front is a plain socket server. It relays each request to an ASGI application under uvicorn,
or misbehaves on the wire itself where ASGI cannot: resets, cut bodies, drips. Every connection
carries one request, so that a fault set between two requests always meets the next one.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import socket
import socketserver
import struct
import threading
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Self

import uvicorn

from tests.replica.faults import OLE, SHELL, WIRE, Fault, Resource, as_json, spoiled, versions
from tests.replica.law import Law

__all__ = ["CURRENCY", "OLE", "SHELL", "Fault", "Replica", "Resource", "Seen", "versions"]

CURRENCY = "March 9, 2026\n"


@dataclass(frozen=True)
class Seen:
    """One request as it arrived."""

    path: str
    headers: dict[str, str]
    at: float


@dataclass
class _Planned:
    fault: Fault
    left: int | None
    part: str


class Replica:
    """A loopback e-Laws; use as a context manager.

    Args:
        laws: What it publishes.
        currency: Its currency date, as it prints it.
        etags: Whether it sends validators and honours them.
        compress: Whether it packs answers with gzip for clients that accept it.
    """

    def __init__(
        self,
        *laws: Law,
        currency: str = CURRENCY,
        etags: bool = True,
        compress: bool = True,
    ) -> None:
        self.laws = {f"{law.kind}/{law.code}": law for law in laws}
        self.currency = currency
        self.etags = etags
        self.compress = compress
        self.files: dict[str, bytes] = {}
        """Word downloads: name under /laws/docs/ -> bytes."""
        self.listed: dict[str, Law] = {}
        """Laws of which the list of versions speaks otherwise than the text does."""
        self.requests: list[Seen] = []
        self.sent = 0
        """Bytes of answers that were handed to clients' connections."""
        self.base_url = ""
        self._planned: list[_Planned] = []
        self._stopping = threading.Event()

    def __enter__(self) -> Self:
        config = uvicorn.Config(
            self._application,
            host="127.0.0.1",
            port=0,
            log_level="critical",
            access_log=False,
            interface="asgi3",
            proxy_headers=False,
            lifespan="off",
            ws="none",
            http="h11",
            server_header=False,
        )
        self._uvicorn = uvicorn.Server(config)
        listening = socket.create_server(("127.0.0.1", 0))
        self._backend = listening.getsockname()
        self._uvicorn_thread = threading.Thread(
            target=self._uvicorn.run, kwargs={"sockets": [listening]}, daemon=True
        )
        self._uvicorn_thread.start()
        handler = type("Handler", (_Front,), {"replica": self})
        self._front = socketserver.ThreadingTCPServer(("127.0.0.1", 0), handler)
        self._front.daemon_threads = True
        self._front_thread = threading.Thread(
            target=self._front.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )
        self._front_thread.start()
        self.base_url = f"http://127.0.0.1:{self._front.server_address[1]}"
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        self._front.shutdown()
        self._front.server_close()
        self._uvicorn.should_exit = True
        self._uvicorn_thread.join(5)
        self._front_thread.join(5)

    def publish(self, law: Law) -> None:
        """Publish a law, or amend one between two requests.

        An amendment moves the currency date on by a day, as it does at the publisher's.
        """
        before = self.laws.get(f"{law.kind}/{law.code}")
        self.laws[f"{law.kind}/{law.code}"] = law
        if before is not None and before != law:
            self.days_on()

    def days_on(self, days: int = 1) -> None:
        """Move the currency date on."""
        day = datetime.strptime(self.currency.strip(), "%B %d, %Y").replace(tzinfo=UTC)
        moved = day + timedelta(days=days)
        self.currency = f"{moved:%B} {moved.day}, {moved.year}\n"

    def misbehave(self, fault: Fault, *, times: int | None = None, part: str = "") -> None:
        """Misbehave on the next ``times`` requests (for ever by default) whose path has ``part``."""
        self._planned.append(_Planned(fault, times, part))

    def behave(self) -> None:
        """Tell the truth again."""
        self._planned.clear()

    def take_fault(self, path: str) -> Fault | None:
        for planned in self._planned:
            if planned.part in path and planned.left != 0:
                if planned.left is not None:
                    planned.left -= 1
                return planned.fault
        return None

    def resource(self, path: str) -> Resource:
        """What is true under a path."""
        parts = path.strip("/").split("/")
        if parts[:2] == ["laws", "docs"] and len(parts) == 3:
            data = self.files.get(parts[2])
            if data is None:
                return Resource(403, b"<html><title>403</title></html>", "text/html")
            return Resource(200, data, "application/msword")
        if parts[:4] != ["laws", "api", "v2", "legislation"] or len(parts) < 6:
            return Resource(200, SHELL.encode(), "text/html; charset=utf-8")
        language, endpoint, rest = parts[4], parts[5], "/".join(parts[6:])
        if endpoint == "currency-date":
            return Resource(200, self.currency.encode(), "text/plain; charset=utf-8")
        law = self.laws.get(rest)
        if law is None:
            return Resource(404, b'{"error":"not found"}')
        if endpoint == "doc-search":
            return Resource(200, as_json(law.payload(language)))
        if endpoint == "act-versions":
            return Resource(200, as_json(versions(self.listed.get(rest, law), language)))
        return Resource(404, b'{"error":"not found"}')

    async def _application(self, scope: dict[str, Any], _receive: Any, send: Any) -> None:
        headers = {name.decode(): value.decode("latin-1") for name, value in scope["headers"]}
        path = scope["path"]
        name = headers.pop("x-replica-fault", "")
        found = self.resource(path)
        if name:
            found = spoiled(Fault(name), found, self.base_url + path)
        sent = dict(found.headers)
        body = found.body
        if found.status == 200 and self.etags and not name:
            sent["etag"] = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
            if headers.get("if-none-match") == sent["etag"]:
                found, body = Resource(304), b""
        if (
            found.status == 200
            and self.compress
            and "content-encoding" not in sent
            and "gzip" in headers.get("accept-encoding", "")
        ):
            sent["content-encoding"] = "gzip"
            body = gzip.compress(body, 1)
        if found.status != 304:
            sent.setdefault("content-type", found.media)
        blocks = 200 if name in {Fault.HUGE, Fault.HUGE_ANNOUNCED} else 0
        if name == Fault.HUGE_ANNOUNCED:
            sent["content-length"] = str(200 * 1_048_576)
        elif not blocks:
            sent["content-length"] = str(len(body))
        raw = [(key.encode(), value.encode("latin-1")) for key, value in sent.items()]
        await send({"type": "http.response.start", "status": found.status, "headers": raw})
        for _ in range(blocks):
            await send({"type": "http.response.body", "body": b" " * 1_048_576, "more_body": True})
        await send({"type": "http.response.body", "body": body if not blocks else b""})

    @property
    def stopping(self) -> bool:
        return self._stopping.is_set()

    @property
    def backend(self) -> tuple[str, int]:
        return self._backend


class _Front(socketserver.BaseRequestHandler):
    """One connection, one request."""

    replica: Replica

    def handle(self) -> None:
        with contextlib.suppress(OSError):
            self._handle()

    def _handle(self) -> None:
        head = b""
        while b"\r\n\r\n" not in head:
            got = self.request.recv(65_536)
            if not got or len(head) > 100_000:
                return
            head += got
        lines = head.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
        path = lines[0].split(" ")[1]
        headers = {
            name.strip().lower(): value.strip()
            for name, _, value in (line.partition(":") for line in lines[1:])
        }
        self.replica.requests.append(Seen(path, headers, time.monotonic()))
        fault = self.replica.take_fault(path)
        raw = WIRE.get(fault) if fault else None
        if raw is not None:
            for part in raw(self.replica.resource(path.partition("?")[0]).body):
                if isinstance(part, float):
                    time.sleep(part)
                elif part is None:
                    self._reset()
                else:
                    self.request.sendall(part)
                if self.replica.stopping:
                    return
            return
        self._relay(lines, fault)

    def _relay(self, lines: list[str], fault: Fault | None) -> None:
        kept = [line for line in lines[1:] if not line.lower().startswith("connection:")]
        if fault:
            kept.append(f"X-Replica-Fault: {fault}")
        head = "\r\n".join([lines[0], *kept, "Connection: close", "", ""])
        with socket.create_connection(self.replica.backend, timeout=20) as backend:
            backend.sendall(head.encode("latin-1"))
            while got := backend.recv(262_144):
                self.request.sendall(got)
                self.replica.sent += len(got)

    def _reset(self) -> None:
        linger = struct.pack("ii", 1, 0)
        self.request.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.request.close()
