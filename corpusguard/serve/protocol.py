"""HTTP/1.1 as this service speaks it: uvicorn's protocol on h11, without what they leave open.

uvicorn 0.54 gives no deadline to headers that never end, nor to a body that nobody reads, notices a
connection too many only once it has asked something, and answers errors in plain text. h11 0.16
forgives what another reader of the same bytes may understand differently: there requests are
smuggled past a proxy. Here such a request is an error, and the end of its connection.
"""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

import h11
from h11._readers import ChunkedReader
from uvicorn.protocols.http.h11_impl import H11Protocol

from corpusguard.report.text import clip
from corpusguard.serve.limits import DRAINED, MOST_CHUNKS
from corpusguard.serve.problems import PROBLEM, SECURITY_HEADERS, Refusal

if TYPE_CHECKING:
    import asyncio

    from h11._receivebuffer import ReceiveBuffer

    from corpusguard.serve.limits import Limits

_END_OF_HEAD: Final = re.compile(rb"\n\r?\n")


def protocol(limits: Limits) -> type[H11Protocol]:
    """Return the protocol with these bounds, for uvicorn."""

    class Bounded(_Bounded):
        bounds = limits

    return Bounded


class _Chunks(ChunkedReader):
    """A reader of chunks to whom no line ends but in CR LF (RFC 9112, 2.2 and 7.1)."""

    _count = 0

    def __call__(self, buf: ReceiveBuffer) -> h11.Data | h11.EndOfMessage | None:
        if not self._bytes_in_chunk:
            self._check_line(buf._data)  # noqa: SLF001 - a copy for each chunk would take too long
        return super().__call__(buf)

    def _check_line(self, data: bytearray) -> None:
        start = len(self._bytes_to_discard)
        if not self._reading_trailer:
            end = data.find(b"\r\n", start)
            if end < 0:
                return
            line = data[start:end]
            self._count += 1
            if self._count > MOST_CHUNKS:
                raise h11.LocalProtocolError(f"more than {MOST_CHUNKS} chunks")
            if b"\r" in line:
                raise h11.LocalProtocolError("CR in the line of a chunk")
            if line.partition(b";")[0].strip(b"0 \t"):
                return  # not the last chunk: its bytes are next
            start = end + 2
        if data.startswith(b"\n", start):
            raise h11.LocalProtocolError("a line that ends in LF without CR")


class _Strict(h11.Connection):
    """A reader of requests that forgives nothing."""

    refused = ""
    """What was wrong."""
    strange = False
    """Whether that was the version of HTTP."""

    def next_event(self) -> Any:  # noqa: ANN401 - as h11 has it
        try:
            if self.their_state is h11.IDLE:
                self._check_head()
            event = super().next_event()
            if isinstance(event, h11.Request):
                self._check_framing(event)
            elif isinstance(event, h11.EndOfMessage):
                self._check_end(event)
        except h11.RemoteProtocolError as error:
            # h11 goes on with the bytes that it means, which may hold a token.
            self.refused = clip(str(error).partition(": bytearray(")[0], 200)
            raise
        return event

    def _check_head(self) -> None:
        """Refuse lines that end in LF alone, or go on in the next (RFC 9112, 2.2 and 5.2)."""
        data, _ = self.trailing_data
        end = _END_OF_HEAD.search(data)
        head = data[: end.end()] if end else data
        if head.count(b"\n") != head.count(b"\r\n"):
            raise h11.RemoteProtocolError("a line that ends in LF without CR")
        if b"\n " in head or b"\n\t" in head:
            raise h11.RemoteProtocolError("a header line that begins with white space")

    def _check_framing(self, request: h11.Request) -> None:
        """Refuse a request whose end another reader might see elsewhere (RFC 9112, 6.1)."""
        if not request.http_version.startswith(b"1."):
            self.strange = True
            raise h11.RemoteProtocolError("a version of HTTP that is not 1.0 or 1.1")
        names = {name for name, _ in request.headers}
        if b"transfer-encoding" not in names:
            return
        if b"content-length" in names:
            raise h11.RemoteProtocolError("both Content-Length and Transfer-Encoding")
        if request.http_version == b"1.0":
            raise h11.RemoteProtocolError("Transfer-Encoding in HTTP/1.0")
        self._reader = _Chunks()

    def _check_end(self, end: h11.EndOfMessage) -> None:
        """Refuse trailers: nobody here reads them, and another reader might see a request there."""
        if end.headers:
            raise h11.RemoteProtocolError("a header field after the body")


class _Bounded(H11Protocol):
    """HTTP/1.1 with deadlines for headers and unread bodies, and a bound on connections."""

    bounds: Limits

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - uvicorn's
        super().__init__(*args, **kwargs)
        self.conn: _Strict = _Strict(h11.SERVER, max_incomplete_event_size=self.bounds.head_bytes)
        self._deadline: asyncio.TimerHandle | None = None
        self._awaited = ""
        """What the deadline is for: ``head``; ``rest``, of a body whose request was answered."""
        self._unread = 0

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
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        super().data_received(data)
        self._watch()
        if self._awaited == "rest":
            self._unread += len(data)
            if self._unread > DRAINED * self.bounds.body_bytes:
                self._too_late()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._watch()

    def send_400_response(self, msg: str) -> None:
        told = f"not a request of HTTP/1.1: {self.conn.refused or msg}"
        then = f"send HTTP/1.1, with headers of at most {self.bounds.head_bytes} bytes"
        if self.conn.strange:
            self._refuse(Refusal(505, "version", told, then=then))
        else:
            self._refuse(Refusal(400, "not_http", told, then=then))

    def _watch(self) -> None:
        """Start the deadline of what the client has to send next, or stop it."""
        awaited = ""
        if self.transport.is_closing():
            pass
        elif self.conn.their_state is h11.IDLE and self.timeout_keep_alive_task is None:
            awaited = "head"
        elif self.conn.their_state is h11.SEND_BODY and self.conn.our_state is h11.DONE:
            awaited = "rest"
        if awaited == self._awaited:
            return
        self._forget()
        if awaited:
            bounds = self.bounds
            seconds = bounds.head_seconds if awaited == "head" else bounds.body_seconds
            self._awaited = awaited
            self._deadline = self.loop.call_later(seconds, self._too_late)

    def _too_late(self) -> None:
        if self._awaited == "head":
            self._refuse(Refusal(408, "slow_head", "the headers did not come in time"))
        else:
            # It was answered, so there is nothing left to say.
            self._forget()
            self.transport.close()

    def _forget(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        self._awaited = ""
        self._unread = 0

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
