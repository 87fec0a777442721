"""Bytes on a socket that are almost HTTP: refused in words, and the connection ends there.

What a proxy and this server would read differently lets a request be smuggled past the proxy.
"""

from __future__ import annotations

import json
import re
import socket
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.unit.serve.conftest import LAW, QUOTED, TOKEN, read_all, serving, status_of, until
from tests.unit.serve.test_refusals import HEAD, refused

HOST = b"Host: localhost\r\n"
END = b"Connection: close\r\n\r\n"
GET = b"GET /healthz HTTP/1.1\r\n"
SMUGGLED = b"GET /smuggled HTTP/1.1\r\n" + HOST + b"\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n"
BODY = b"2\r\n{}\r\n0\r\n\r\n"


def statuses(answer):
    """Of each response in raw bytes; other JSON may follow a body without a line end."""
    return [int(one) for one in re.findall(rb"HTTP/1\.1 (\d{3}) ", answer)]


def problem(answer):
    return json.loads(answer.partition(b"\r\n\r\n")[2])


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (HEAD + b"Content-Length: 4\r\n" + CHUNKED + b"\r\n" + BODY, "both Content-Length and"),
        (HEAD + CHUNKED + b"Content-Length: 4\r\n\r\n" + BODY, "both Content-Length and"),
        (HEAD + CHUNKED + b"Content-Length: 12\r\n\r\n" + BODY, "both Content-Length and"),
        (GET + HOST + CHUNKED + b"Content-Length: 0\r\n\r\n" + BODY, "both Content-Length and"),
        (HEAD.replace(b"/1.1", b"/1.0") + CHUNKED + b"\r\n" + BODY, "in HTTP/1.0"),
        (HEAD.replace(b"/1.1", b"/1.0") + CHUNKED + b"Connection: keep-alive\r\n\r\n" + BODY,
         "in HTTP/1.0"),
        (HEAD + CHUNKED + CHUNKED + b"\r\n" + BODY, "Transfer-Encoding"),
        (HEAD + b"Transfer-Encoding: chunked, chunked\r\n\r\n" + BODY, "Transfer-Encoding"),
        (HEAD + b"Transfer-Encoding: gzip, chunked\r\n\r\n" + BODY, "Transfer-Encoding"),
        (HEAD + b"Transfer-Encoding: identity\r\n\r\n" + BODY, "Transfer-Encoding"),
        (HEAD + b"Transfer-Encoding: xchunked\r\n\r\n" + BODY, "Transfer-Encoding"),
        (HEAD + b"Transfer-Encoding : chunked\r\n\r\n" + BODY, "header line"),
        (HEAD + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", "Content-Length"),
        (HEAD + b"Content-Length: 2, 3\r\n\r\n{}", "Content-Length"),
        (HEAD + b"Content-Length: +2\r\n\r\n{}", "Content-Length"),
        (HEAD + b"Content-Length: 0x2\r\n\r\n{}", "Content-Length"),
        (HEAD + b"Content-Length: 2_0\r\n\r\n{}", "Content-Length"),
        (HEAD + b"Content-Length: \xb2\r\n\r\n{}", "Content-Length"),
        (HEAD + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n{}", "Content-Length"),
        (b"GET /healthz HTTP/1.1\nHost: localhost\n\n", "LF without CR"),
        (GET + b"Host: localhost\n\r\n", "LF without CR"),
        (GET + HOST + b"\n", "LF without CR"),
        (GET + HOST + b"X: a\nY: b\r\n\r\n", "LF without CR"),
        (b"\n" + GET + HOST + b"\r\n", "LF without CR"),
        (GET + HOST + b"X: a\r\n b\r\n\r\n", "begins with white space"),
        (GET + HOST + b"X: a\r\n\tb\r\n\r\n", "begins with white space"),
        (GET + b"Host: local\r\n host\r\n\r\n", "begins with white space"),
        (GET + b" X: a\r\n" + HOST + b"\r\n", "begins with white space"),
        (GET + HOST + b"X: a\rb\r\n\r\n", "header line"),
        (GET + HOST + b"X: a\0b\r\n\r\n", "header line"),
        (GET + b"Host : localhost\r\n\r\n", "header line"),
        (GET + HOST + b"Content-Length : 2\r\n\r\n{}", "header line"),
        (GET + HOST + b"no colon\r\n\r\n", "header line"),
        (GET + HOST + b": empty\r\n\r\n", "header line"),
        (b"GET  /healthz HTTP/1.1\r\n" + HOST + b"\r\n", "request line"),
        (b"GET /healthz  HTTP/1.1\r\n" + HOST + b"\r\n", "request line"),
        (b"GET /healthz HTTP/1.1 \r\n" + HOST + b"\r\n", "request line"),
        (b" GET /healthz HTTP/1.1\r\n" + HOST + b"\r\n", "request line"),
        (b"GET\t/healthz\tHTTP/1.1\r\n" + HOST + b"\r\n", "request line"),
        (b"GET /heal thz HTTP/1.1\r\n" + HOST + b"\r\n", "request line"),
        (b"GET /\xff HTTP/1.1\r\n" + HOST + b"\r\n", "request line"),
        (b"GET /healthz\r\n\r\n", "request line"),
        (b"GET /healthz HTTP/1.10\r\n" + HOST + b"\r\n", "request line"),
        (b"GET /healthz http/1.1\r\n" + HOST + b"\r\n", "request line"),
        (b"\r\n" + GET + HOST + b"\r\n", "request line"),
        (GET + b"\r\n", "Host"),
        (GET + HOST + HOST + b"\r\n", "Host"),
        (GET.replace(b"/1.1", b"/1.0") + HOST + b"Host: evil.example\r\n\r\n", "Host"),
        (HEAD + CHUNKED + b"\r\n2;\nxx\r\n{}\r\n0\r\n\r\n", "chunk header"),
        (HEAD + CHUNKED + b"\r\n0x2\r\n{}\r\n0\r\n\r\n", "chunk header"),
        (HEAD + CHUNKED + b"\r\n+2\r\n{}\r\n0\r\n\r\n", "chunk header"),
        (HEAD + CHUNKED + b"\r\n-2\r\n{}\r\n0\r\n\r\n", "chunk header"),
        (HEAD + CHUNKED + b"\r\n1\r\n{}\r\n0\r\n\r\n", "chunk footer"),
        (HEAD + CHUNKED + b"\r\n2\r\n{}\n0\r\n\r\n", "chunk footer"),
        (HEAD + CHUNKED + b"\r\n2;a\rb\r\n{}\r\n0\r\n\r\n", "CR in the line of a chunk"),
        (HEAD + CHUNKED + b"\r\n2;\r0\r\n{}\r\n0\r\n\r\n", "CR in the line of a chunk"),
        (HEAD + CHUNKED + b"\r\n2\r\n{}\r\n0;\rx\r\n\r\n", "CR in the line of a chunk"),
        (HEAD + CHUNKED + b"\r\n2\r\n{}\r\n0\r\n\n", "LF without CR"),
        (HEAD + CHUNKED + b"\r\n2\r\n{}\r\n000;x\r\n\n", "LF without CR"),
        (HEAD + CHUNKED + b"\r\n2\r\n{}\r\n0\r\nX: y\r\n\r\n", "after the body"),
        (HEAD + CHUNKED + b"\r\n2\r\n{}\r\n0\r\nContent-Length: 9\r\n\r\n", "after the body"),
    ],
)  # fmt: skip
def test_a_request_that_two_could_read_differently_is_refused_and_the_connection_closed(
    shared_server, data, told
):
    """400 in words, nothing that follows it is served, and the next client is."""
    answer = shared_server.raw(data + SMUGGLED)
    assert statuses(answer) == [400], answer
    assert b"connection: close" in answer.lower()
    assert problem(answer)["code"] == "not_http"
    assert told in problem(answer)["detail"]
    assert problem(answer)["next"]
    assert b"bytearray" not in answer
    assert status_of(shared_server.raw(GET + HOST + END)) == 200
    assert "Traceback" not in shared_server.log


@pytest.mark.parametrize("line", [b"GET /healthz HTTP/2.0", b"PRI * HTTP/2.0", b"GET / HTTP/0.9"])
def test_another_version_of_http_is_told_so(shared_server, line):
    """Also one that HTTP/1.1 could be read into."""
    answer = shared_server.raw(line + b"\r\n" + HOST + b"\r\n" + SMUGGLED)
    assert statuses(answer) == [505]
    assert problem(answer)["code"] == "version"


@pytest.mark.parametrize(
    "data",
    [
        GET + HOST + END,
        GET + b"host:localhost\r\nX:\t a b \t\r\n" + END,
        GET + HOST + b"X: " + b"a" * 60_000 + b"\r\n" + END,
        GET.replace(b"/1.1", b"/1.0") + HOST + b"\r\n",
        GET.replace(b"/1.1", b"/1.2") + HOST + END,
        GET + HOST + b"Content-Length: 5\r\nContent-Length: 5\r\n" + END + b"hello",
        GET + HOST + CHUNKED + END + b"5;ext=1\r\nhello\r\n0\r\n\r\n",
        GET + HOST + CHUNKED + END + b"3\r\n\n\r\n\r\n1 \r\n\n\r\n00\r\n\r\n",
        GET + HOST + b"Content-Length: 3\r\n" + END + b"\n \n",
        GET + HOST + b"Upgrade: h2c\r\nConnection: Upgrade\r\n" + END,
    ],
)
def test_what_is_http_all_the_same_is_served(shared_server, data):
    """Strict is not narrow: white space in values, a body with LF in it, a proxy's HTTP/1.0."""
    answer = shared_server.raw(data)
    assert statuses(answer) == [200], answer


def test_a_request_is_read_the_same_in_single_bytes(shared_server):
    """Where the pieces end changes neither what is served nor what is refused."""
    body = json.dumps({"answer": QUOTED}).encode()
    for head, status in (
        (HEAD + b"Content-Length: %d\r\n" % len(body), 200),
        (HEAD + b"X: a\r\n b\r\nContent-Length: %d\r\n" % len(body), 400),
        (HEAD + CHUNKED + b"Content-Length: %d\r\n" % len(body), 400),
        (HEAD + b"X: a\nContent-Length: %d\r\n" % len(body), 400),
        (HEAD + CHUNKED, 200),
        (HEAD + CHUNKED + b"X: the end is LF\r\n", 400),
    ):
        sent = head + END + body
        if CHUNKED in head and b"Length" not in head:
            end = b"\n" if status == 400 else b"\r\n"
            sent = head + END + b"%x\r\n" % len(body) + body + b"\r\n0\r\n" + end
        with shared_server.connect() as connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with suppress(ConnectionError):
                for number in sent:
                    connection.sendall(bytes([number]))
            answer = read_all(connection)
        assert status_of(answer) in ({status} if status == 200 else {status, 0}), answer


def test_the_second_of_two_requests_is_refused_alone(shared_server):
    """Pipelined: the first is served, the second refused, the third not looked at."""
    folded = GET + HOST + b"X: a\r\n b\r\n\r\n"
    answer = shared_server.raw(GET + HOST + b"\r\n" + folded + GET + HOST + END)
    assert statuses(answer) == [200, 400]


def test_pipelined_checks_are_each_decided_in_order(shared_server):
    """Bodies by length and in chunks, all in one piece."""
    sent = b""
    words = [QUOTED, f"Quay dues shall be paid within 9 days. {QUOTED.removeprefix(LAW)}", QUOTED]
    for number, answer in enumerate(words):
        body = json.dumps({"answer": answer}).encode()
        if number == 1:
            sent += HEAD + CHUNKED + b"\r\n%x\r\n" % len(body) + body + b"\r\n0\r\n\r\n"
        else:
            sent += HEAD + b"Content-Length: %d\r\n\r\n" % len(body) + body
    answer = shared_server.raw(sent + GET + HOST + END)
    assert statuses(answer) == [200] * 4
    outcomes = re.findall(rb'"outcome": ?"(\w+)"', answer)
    assert outcomes == [b"shipped", b"withheld", b"shipped"]


def kept_open(server, head, piece, *, pause, seconds=100):
    """Send pieces until the server closes; return the first response's status and bytes sent."""
    began, sent, found = time.monotonic(), 0, b""
    with server.connect() as connection:
        connection.sendall(head)
        connection.settimeout(0.02)
        while time.monotonic() - began < seconds:
            try:
                connection.sendall(piece)
                sent += len(piece)
                part = connection.recv(65536)
            except TimeoutError:
                pass
            except OSError:
                return status_of(found), sent
            else:
                if not part:
                    return status_of(found), sent
                found += part
            time.sleep(pause)
    pytest.fail(f"still open after {sent} bytes: {found[:200]!r}")


def test_a_client_that_never_ends_is_let_go(project):
    """Whatever it drips, and whether or not its request was answered already."""
    limits = {"head_seconds": 1, "body_seconds": 1, "idle_seconds": 2}
    with serving(project, limits=limits) as server:
        nowhere = b"POST /nowhere HTTP/1.1\r\n" + HOST
        for head, piece, status in (
            (GET + HOST + b"X: ", b"a", 408),
            (HEAD + b"Content-Length: 1000\r\n\r\n", b"a", 408),
            (HEAD + CHUNKED + b"\r\n", b"1\r\na\r\n", 408),
            (nowhere + b"Content-Length: 1000\r\n\r\n", b"a", 404),
            (nowhere + CHUNKED + b"\r\n", b"1\r\na\r\n", 404),
            (GET + HOST + CHUNKED + b"\r\n", b"1\r\na\r\n", 200),
        ):
            assert kept_open(server, head, piece, pause=0.2)[0] == status, head
        with server.client() as client:
            until(lambda: client.get("/healthz").status_code == 200)


def test_a_body_without_an_end_is_not_read_to_it(project):
    """In chunks, as fast as they go: closed within some megabytes, also where nobody reads it."""
    chunk = b"10000\r\n" + b"a" * 65536 + b"\r\n"
    with serving(project) as server:
        for head, status in ((HEAD, 413), (b"POST /nowhere HTTP/1.1\r\n" + HOST, 404)):
            found, sent = kept_open(server, head + CHUNKED + b"\r\n", chunk, pause=0)
            assert found in {status, 0}
            assert sent < 20_000_000
        assert status_of(server.raw(GET + HOST + END)) == 200


def test_a_body_in_very_many_chunks_is_refused_and_others_are_served(shared_server):
    """A chunk for each byte of a long text takes seconds to read, and nobody sends that."""
    body = json.dumps({"answer": QUOTED}).encode()
    assert len(body) < 16_384
    few = b"".join(b"1\r\n%c\r\n" % one for one in body) + b"0\r\n\r\n"
    assert status_of(shared_server.raw(HEAD + CHUNKED + END + few)) == 200
    measured = Path("/proc/self/stat").exists()
    before = shared_server.cpu_seconds() if measured else 0
    with shared_server.connect() as connection, suppress(ConnectionError):
        connection.sendall(HEAD + CHUNKED + b"\r\n" + b"1\r\n \r\n" * 900_000 + b"0\r\n\r\n")
        assert b"more than 16384 chunks" in read_all(connection)
    assert status_of(shared_server.raw(GET + HOST + END)) == 200
    assert not measured or shared_server.cpu_seconds() - before < 3


def test_an_answered_request_whose_body_comes_late_keeps_its_connection(project):
    """The rest of the body is read and forgotten; the next request on it is served."""
    with serving(project) as server, server.connect() as connection:
        connection.sendall(b"POST /nowhere HTTP/1.1\r\n" + HOST + b"Content-Length: 4\r\n\r\nab")
        begun = connection.recv(65536)  # so the rest comes after the answer
        connection.sendall(b"cd" + GET + HOST + END)
        assert statuses(begun + read_all(connection)) == [404, 200]


def test_a_configured_name_is_a_host_too(project):
    """Of a proxy on this machine that passes Host on; any other is still refused."""
    with serving(project, "--server-name", "Gate.Example", "--server-name", "fd00::7") as server:
        with server.client() as client:
            for host in ("gate.example", "GATE.example:8443", "gate.example.", "[fd00::7]:1",
                         "localhost", "127.0.0.1"):  # fmt: skip
                assert client.get("/v1/status", headers={"host": host}).status_code == 200, host
            for host in ("evil.example", "gate.example.evil.example", "x.gate.example", "gate"):
                refused(client.get("/v1/status", headers={"host": host}), 421, "wrong_host")
        assert status_of(server.raw(GET + b"\r\n")) == 400


def test_a_configured_name_binds_an_open_address_too(project):
    """Given one, nothing else is served there, token or not."""
    options = ["--host", "0.0.0.0", "--token-env", "GATE", "--server-name", "gate.example"]  # noqa: S104
    with serving(project, *options, GATE=TOKEN) as server:
        server.url = f"http://127.0.0.1:{server.port}"
        right = {"authorization": f"Bearer {TOKEN}"}
        with server.client() as client:
            known = right | {"host": "gate.example"}
            assert client.get("/v1/status", headers=known).status_code == 200
            refused(client.get("/v1/status", headers=right | {"host": "10.1.2.3"}), 421,
                    "wrong_host")  # fmt: skip


@pytest.mark.parametrize(
    ("query", "told"),
    [
        (b"", "the parameter text is missing"),
        (b"?text=a&text=b", "the parameter text is given 2 times"),
        (b"?text=a&words=b", "there is no parameter 'words'"),
    ],
)
def test_a_wrong_query_is_told_in_words(shared_server, query, told):
    """Which parameter, and what about it."""
    line = b"GET /v1/passages/p/quote" + query + b" HTTP/1.1\r\n"
    answer = shared_server.raw(line + HOST + END)
    assert status_of(answer) == 422
    assert problem(answer)["detail"] == told
