"""Real servers on loopback: a web hook that can misbehave, and a mail server."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from aiosmtpd.controller import Controller

SILENCE = 120.0
"""Seconds that a silent server holds a connection: who is let go before was not held by it."""


@dataclass
class Hook:
    """An HTTP server that keeps what it is sent, and answers as it is told."""

    answers: list = field(default_factory=list)
    """What to do with the next requests: a status, a word of ``_Handler``, or a (status, body)."""
    usual: object = 200
    seen: list = field(default_factory=list)
    """(path with query, body) of each request."""
    headers: list = field(default_factory=list)

    def __enter__(self):
        hook = self
        handler = type("Handler", (_Handler,), {"hook": hook})
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.server.daemon_threads = True
        self.thread = threading.Thread(
            target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )
        self.thread.start()
        self.stopping = threading.Event()
        self.port = self.server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        return self

    def __exit__(self, *_):
        self.stopping.set()
        self.server.shutdown()
        self.server.server_close()
        self.thread.join(5)

    @property
    def paths(self):
        return [path for path, _ in self.seen]


class _Handler(BaseHTTPRequestHandler):
    hook: Hook

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.hook.seen.append((self.path, body))
        self.hook.headers.append(dict(self.headers))
        todo = self.hook.answers.pop(0) if self.hook.answers else self.hook.usual
        with contextlib.suppress(OSError):
            if todo == "silent":
                self.hook.stopping.wait(SILENCE)
            elif todo == "drip":
                self.drip()
            elif todo == "huge":
                self.huge()
            elif todo == "redirect":
                self.send_response(307)
                self.send_header("Location", f"{self.hook.url}/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()
            elif todo == "reset":
                self.connection.close()
            else:
                status, text = todo if isinstance(todo, tuple) else (todo, b"OK")
                self.send_response(status)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

    def drip(self):
        """A head that never ends, one byte at a time: no read timeout ever passes."""
        self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        while not self.hook.stopping.is_set():
            self.wfile.write(b"x")
            time.sleep(0.05)

    def huge(self):
        """A reply without end, as fast as it goes."""
        self.send_response(200)
        self.end_headers()
        block = b"x" * 4_194_304
        while not self.hook.stopping.is_set():
            self.wfile.write(block)

    def log_message(self, *_):
        pass


class _Listening(Controller):
    """A controller of a server on a socket that is there."""

    def _create_server(self):
        return self.loop.create_server(self._factory_invoker, sock=self.listening)


@dataclass
class Mail:
    """An SMTP server that keeps what it is sent."""

    letters: list = field(default_factory=list)

    def __enter__(self):
        # aiosmtpd wants to know its port beforehand: it is listened at already, so nobody takes it.
        listening = socket.create_server(("127.0.0.1", 0))
        self.port = listening.getsockname()[1]
        self.controller = _Listening(self, hostname="127.0.0.1", port=self.port, ready_timeout=60.0)
        self.controller.listening = listening
        self.controller.start()
        return self

    def __exit__(self, *_):
        self.controller.stop()

    async def handle_DATA(self, _server, _session, envelope):  # noqa: N802 (aiosmtpd's name)
        self.letters.append(envelope)
        return "250 OK"
