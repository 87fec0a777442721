"""A scripted model server on loopback: it speaks both dialects, and misbehaves as it is told."""

from __future__ import annotations

import contextlib
import json
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

STALLED = 100.0
"""Seconds that a server which stalls keeps its client; who is back before did not wait for it."""
_FENCED = re.compile(r"\A(\d{24})\n(.*)\n\1\n\Z", re.DOTALL)


def data_of(body):
    """The data of a request: what stands between the two fences."""
    user = body["messages"][-1]["content"]
    return json.loads(_FENCED.fullmatch(user)[2])


def system_of(body):
    """The instructions of a request, in either dialect, with the fence taken out."""
    text = body.get("system") or body["messages"][0]["content"]
    return re.sub(r"\d{24}", "FENCE", text)


def openai(text, *, finish="stop", body=None):
    """A chat completion; token counts are a quarter of the characters."""
    asked = sum(len(message["content"]) for message in (body or {"messages": []})["messages"]) // 4
    return {
        "id": "c1",
        "object": "chat.completion",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text},
                "finish_reason": finish,
            }
        ],
        "usage": {"prompt_tokens": asked, "completion_tokens": max(1, len(text or "") // 4)},
    }


def anthropic(text, *, stop="end_turn"):
    """An answer of the messages API."""
    return {
        "id": "m1",
        "type": "message",
        "role": "assistant",
        "content": [{"type": "text", "text": text}],
        "stop_reason": stop,
        "usage": {"input_tokens": 11, "output_tokens": 3},
    }


class ModelServer:
    """``script`` is a list of what to do with the next requests; the last one stays.

    A step is a text (sent as a reply of the dialect), a dict (sent as JSON), an int (a status), a
    tuple (status, content type, bytes), a word of ``_Handler.TROUBLES``, or a function of the
    request's body that returns one of these.
    """

    def __init__(self, *script):
        self.script = list(script)
        self.seen = []
        self.headers = []
        self.paths = []
        self.clients = []
        self.lock = threading.Lock()

    def __enter__(self):
        handler = type("Handler", (_Handler,), {"model": self})
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.server.daemon_threads = True
        self.stopping = threading.Event()
        self.thread = threading.Thread(
            target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )
        self.thread.start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        return self

    def __exit__(self, *_):
        self.stopping.set()
        self.server.shutdown()
        self.server.server_close()
        self.thread.join(5)

    def take(self, body):
        with self.lock:
            step = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        return step(body) if callable(step) else step


class _Handler(BaseHTTPRequestHandler):
    model: ModelServer
    protocol_version = "HTTP/1.1"
    TROUBLES = ("stall", "drip", "drip_body", "huge", "truncate", "reset", "redirect", "gzip")

    def do_POST(self):
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = json.loads(raw)
        server = self.model
        with server.lock:
            server.seen.append(body)
            server.paths.append(self.path)
            server.headers.append({key.lower(): value for key, value in self.headers.items()})
            server.clients.append(self.client_address[1])
        step = server.take(body)
        with contextlib.suppress(OSError):
            if isinstance(step, str) and step in self.TROUBLES:
                self.close_connection = True
                getattr(self, step)()
            elif isinstance(step, int):
                self.send(step, "application/json", b"{}")
            elif isinstance(step, tuple):
                self.send(*step)
            else:
                if isinstance(step, str) or step is None:
                    step = anthropic(step) if "system" in body else openai(step, body=body)
                self.send(200, "application/json; charset=utf-8", json.dumps(step).encode())

    def send(self, status, kind, data):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def head(self, *extra):
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        for name, value in extra:
            self.send_header(name, value)
        self.end_headers()

    def stall(self):
        self.model.stopping.wait(STALLED)

    def drip(self):
        """A head that never ends."""
        self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        while not self.model.stopping.is_set():
            self.wfile.write(b"x")
            time.sleep(0.05)

    def drip_body(self):
        """A body that comes a byte at a time."""
        self.head(("Content-Length", "100000"))
        while not self.model.stopping.is_set():
            self.wfile.write(b" ")
            time.sleep(0.05)

    def huge(self):
        """A body without end, as fast as it goes."""
        self.head(("Connection", "close"))
        while not self.model.stopping.is_set():
            self.wfile.write(b" " * 65_536)

    def truncate(self):
        """A body that ends before its announced length."""
        data = json.dumps(openai("SUPPORTED")).encode()
        self.head(("Content-Length", str(len(data) + 50)))
        self.wfile.write(data)

    def reset(self):
        self.connection.close()

    def redirect(self):
        self.send_response(307)
        self.send_header("Location", f"{self.model.url}/elsewhere")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def gzip(self):
        self.head(("Content-Encoding", "gzip"), ("Content-Length", "3"))
        self.wfile.write(b"\x1f\x8b\x08")

    def log_message(self, *_):
        pass
