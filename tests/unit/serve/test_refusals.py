"""What the HTTP service refuses, and how: a problem with a code, and nothing of the inside."""

from __future__ import annotations

import json

import pytest

from tests.unit.serve.conftest import FALSE, FEES, QUOTED, TOKEN, serving, status_of
from tests.unit.serve.test_http import valid

JSON = {"content-type": "application/json"}
HEAD = b"POST /v1/check HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"


def refused(response, status, code):
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    body = valid(response, "Problem")
    assert (body["status"], body["code"]) == (status, code), body
    assert "Traceback" not in response.text
    assert body["request_id"] == response.headers["x-request-id"]
    return body


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"", 400, "not_json"),
        (b"{", 400, "not_json"),
        (b"\xff\xfe", 400, "not_json"),
        (b"NaN", 400, "not_json"),
        (b'{"answer": "a", "citations": [1e999]}', 400, "not_json"),
        (b'{"answer": "\\ud83d"}', 400, "not_json"),
        (b'\xef\xbb\xbf{"answer": "a"}', 400, "not_json"),
        (b'{"answer": "a", "answer": "b"}', 400, "not_json"),
        (b"[" * 200_000, 400, "not_json"),
        (b'{"answer":' + b"[" * 100_000 + b"]" * 100_000 + b"}", 400, "not_json"),
        (b'{"answer": ' + b"9" * 10_000 + b"}", 400, "not_json"),
        (b"[]", 422, "wrong_request"),
        (b'"text"', 422, "wrong_request"),
        (b"null", 422, "wrong_request"),
        (b"{}", 422, "wrong_request"),
        (b'{"answer": null}', 422, "wrong_request"),
        (b'{"answer": 3}', 422, "wrong_request"),
        (b'{"answer": "a", "judge": "me"}', 422, "wrong_request"),
        (b'{"answer": "a", "citations": "p"}', 422, "wrong_request"),
        (b'{"answer": "a", "citations": [3]}', 422, "wrong_request"),
        (b'{"answer": "a", "citations": [{"id": "p", "text": null}]}', 422, "wrong_request"),
        (b'{"answer": "a", "citations": [{"id": "p", "x": 1}]}', 422, "wrong_request"),
        (b'{"answer": "a", "citations": [""]}', 422, "wrong_request"),
        (b'{"answer": "a", "shadow": 1}', 422, "wrong_request"),
        (b'{"answer": "a", "shadow": "true"}', 422, "wrong_request"),
        (json.dumps({"answer": "a", "citations": [str(n) for n in range(201)]}).encode(), 422,
         "wrong_request"),
    ],
)  # fmt: skip
def test_a_body_that_is_no_request_is_refused(client, body, status, code):
    """Malformed is 400, of the wrong shape 422; each says what to send."""
    problem = refused(client.post("/v1/check", content=body, headers=JSON), status, code)
    assert problem["next"]


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"content-type": "text/plain"},
        {"content-type": "application/x-www-form-urlencoded"},
        {"content-type": "application/json; charset=latin-1"},
        {"content-type": "application/jsonx"},
        {"content-type": "application/json", "content-encoding": "gzip"},
    ],
)
def test_a_body_that_is_not_named_json_is_refused(client, headers):
    """What a page of another origin can send without asking is none of these."""
    code = "content_encoding" if "content-encoding" in headers else "content_type"
    refused(client.post("/v1/check", content=b'{"answer": "a"}', headers=headers), 415, code)


def test_json_named_with_its_charset_is_json(client):
    """A usual client library adds it."""
    kind = {"content-type": 'application/json; charset="UTF-8"'}
    body = json.dumps({"answer": QUOTED}).encode()
    assert client.post("/v1/check", content=body, headers=kind).status_code == 200


def test_a_body_over_a_megabyte_is_refused_and_one_below_is_not(client):
    """By its declared length, or by what comes in chunks; the client reads the reason."""
    fits = json.dumps({"answer": "a" * 999_000}).encode()
    assert client.post("/v1/check", content=fits, headers=JSON).json()["reason"] == "too_long"
    large = json.dumps({"answer": "a" * 1_000_001}).encode()
    refused(client.post("/v1/check", content=large, headers=JSON), 413, "too_large")
    refused(
        client.post("/v1/check", content=(b"a" * 65536 for _ in range(40)), headers=JSON),
        413,
        "too_large",
    )


def test_a_body_that_would_be_huge_is_refused_before_it_comes(shared_server):
    """Neither ten gigabytes nor what waits for 100 Continue is read."""
    for extra in (
        b"Content-Length: 10000000000\r\n",
        b"Content-Length: 2000000\r\nExpect: 100-continue\r\n",
    ):
        answer = shared_server.raw(HEAD + extra + b"\r\n")
        assert status_of(answer) == 413, answer
        assert b"100 Continue" not in answer


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/", 404, "not_found"),
        ("GET", "/v1/status/", 404, "not_found"),
        ("GET", "//v1/status", 404, "not_found"),
        ("GET", "/v1/../v1/status%00", 404, "not_found"),
        ("GET", "/openapi.json/../../../etc/passwd", 404, "not_found"),
        ("GET", "/%2e%2e/%2e%2e/etc/passwd", 404, "not_found"),
        ("GET", "/v1/decisions/0", 404, "not_found"),
        ("GET", "/v1/decisions/99999999", 404, "not_found"),
        ("GET", "/v1/decisions/99999999999999999999", 404, "not_found"),
        ("GET", "/v1/decisions/" + "9" * 5000, 404, "not_found"),
        ("GET", "/v1/decisions/-1", 404, "not_found"),
        ("GET", "/v1/decisions/1.0", 404, "not_found"),
        ("GET", "/v1/decisions/%D9%A1", 404, "not_found"),
        ("GET", "/v1/decisions/1;drop", 404, "not_found"),
        ("GET", "/v1/check", 405, "method"),
        ("OPTIONS", "/v1/check", 405, "method"),
        ("DELETE", "/v1/decisions/1", 405, "method"),
        ("PUT", "/v1/status", 405, "method"),
        ("TRACE", "/v1/status", 405, "method"),
        ("POST", "/healthz", 405, "method"),
        ("GET", "/v1/passages/p/quote", 422, "wrong_request"),
        ("GET", "/v1/passages/p/quote?text=", 422, "wrong_request"),
        ("GET", "/v1/passages/p/quote?text=%20", 422, "wrong_request"),
        ("GET", "/v1/passages/p/quote?text=a&text=b", 422, "wrong_request"),
        ("GET", "/v1/passages/p/quote?text=a&token=b", 422, "wrong_request"),
        ("GET", "/v1/passages//quote?text=a", 422, "wrong_request"),
        ("GET", "/v1/passages/p/quote?text=" + "a" * 8001, 422, "wrong_request"),
        ("GET", "/v1/passages/" + "p" * 1001 + "/quote?text=a", 422, "wrong_request"),
    ],
)
def test_a_path_or_method_that_is_none_is_refused(shared_server, method, path, status, code):
    """Sent as it is, without a client that tidies paths."""
    head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    answer = shared_server.raw(head.encode())
    assert status_of(answer) == status, answer
    body = json.loads(answer.partition(b"\r\n\r\n")[2])
    assert body["code"] == code
    assert ("allow: " in answer.decode().lower()) is (status == 405)


def test_head_has_the_headers_and_no_body(shared_server):
    """As the GET would have, for probes."""
    answer = shared_server.raw(
        b"HEAD /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    )
    assert status_of(answer) == 200
    assert answer.endswith(b"\r\n\r\n")


@pytest.mark.parametrize(
    "host",
    [
        "evil.example", "evil.example:8765", "127.0.0.1.evil.example", "localhost.evil.example",
        "", "127.0.0.1:x", "[::1", "10.0.0.1", "127.0.0.1@evil.example", "1.0.0.127", "127.1",
        "localhost, evil.example",
    ],
)  # fmt: skip
def test_a_host_that_is_not_this_machine_is_refused(client, host):
    """A name made to resolve to 127.0.0.1 (DNS rebinding) reaches nothing, not even health."""
    for path in ("/v1/status", "/healthz"):
        refused(client.get(path, headers={"host": host}), 421, "wrong_host")


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1", "127.0.0.1", "[::1]:8765"])
def test_a_host_that_is_this_machine_is_served(client, host):
    """Whatever its port: a tunnel may change that."""
    assert client.get("/v1/status", headers={"host": host}).status_code == 200


CLOSE = b"Host: localhost\r\nConnection: close\r\n"


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400),
        (b"GET / HTTP/9.9\r\nConnection: close\r\n\r\n", 505),
        (b"GET /healthz HTTP/1.0\r\n\r\n", 421),
        (b"GET /healthz HTTP/1.1\r\n\r\n", 400),
        (b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", 400),
        (b"GET /healthz HTTP/1.1\r\n" + CLOSE + b"X: " + b"a" * 100_000 + b"\r\n\r\n", 431),
        (b"GET /healthz HTTP/1.1\r\n" + CLOSE + b"X: " + b"a" * 5_000_000 + b"\r\n\r\n", 400),
        (b"GET /healthz HTTP/1.1\r\n" + CLOSE + b"a: b\r\n" * 20_000 + b"\r\n", 431),
        (b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n" + CLOSE + b"\r\n", 431),
        (HEAD + b"Content-Length: -1\r\n\r\n", 400),
        (HEAD + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
        (HEAD + b"Transfer-Encoding: gzip\r\n\r\n", 400),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
        (b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nBad Name: x\r\n\r\n", 400),
    ],
)
def test_what_is_not_http_is_refused_and_the_connection_closed(shared_server, data, status):
    """Bytes of TLS, huge headers, two lengths; the server goes on."""
    answer = shared_server.raw(data)
    # Where it is cut off while still sending, a client may not get to read why.
    assert status_of(answer) in ({status} if len(data) < 1_000_000 else {status, 0}), answer
    assert b"Traceback" not in answer
    with shared_server.client() as client:
        assert client.get("/healthz").status_code == 200


def test_requests_in_one_piece_are_each_answered_in_order(shared_server):
    """Pipelining: three requests in one packet, the last of which closes."""
    one = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
    answer = shared_server.raw(
        one
        + b"\r\n"
        + b"GET /nope HTTP/1.1\r\nHost: localhost\r\n\r\n"
        + one
        + b"Connection: close\r\n\r\n"
    )
    found = [line for line in answer.split(b"\r\n") if b"HTTP/1.1 " in line]
    assert [int(line.split(b"HTTP/1.1 ")[1][:3]) for line in found] == [200, 404, 200]


def test_without_the_token_only_health_is_told(project):
    """A missing, wrong, doubled or misplaced token is 401, and is never written to the log."""
    with serving(project, "--token-env", "GATE_TOKEN", GATE_TOKEN=TOKEN) as server:
        with server.client() as client:
            right = {"authorization": f"Bearer {TOKEN}"}
            assert client.get("/v1/status", headers=right).status_code == 200
            assert client.get("/v1/status", headers={"authorization": f"bearer {TOKEN}"}).is_success
            assert client.get("/healthz").status_code == 200
            for shown in ("", "Bearer", f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", TOKEN,
                          f"Basic {TOKEN}", "Bearer wrong-token-456789", "Bearer \xe9\xe9"):  # fmt: skip
                headers = {"authorization": shown.encode("latin-1")} if shown else {}
                for path in ("/v1/status", "/metrics", "/openapi.json", "/v1/decisions/1", "/no"):
                    answer = client.get(path, headers=headers)
                    refused(answer, 401, "token")
                    assert answer.headers["www-authenticate"].startswith("Bearer")
            doubled = [("authorization", f"Bearer {TOKEN}")] * 2
            refused(client.get("/v1/status", headers=doubled), 401, "token")
            refused(client.get(f"/v1/status?token={TOKEN}"), 401, "token")
            answer = client.post("/v1/check", json={"answer": FALSE})
            refused(answer, 401, "token")
        assert server.stop() == 0
        assert TOKEN not in server.log
        assert "wrong-token-456789" not in server.log


def test_too_many_requests_are_told_when_to_come_again(project):
    """One client's minute is used up; a probe is answered all the same."""
    with serving(project, "--per-minute", "5") as server, server.client() as client:
        for _ in range(5):
            assert client.get("/v1/status").status_code == 200
        answer = client.get("/v1/status")
        refused(answer, 429, "too_many_requests")
        assert 1 <= int(answer.headers["retry-after"]) <= 12
        assert client.get("/healthz").status_code == 200


def test_the_log_has_a_line_for_each_request_and_nothing_that_was_asked(project):
    """Neither bodies nor queries; a path cannot forge a second line."""
    with serving(project) as server:
        with server.client() as client:
            client.post("/v1/check", json={"answer": f"Secret words. [{FEES}]"})
            client.get("/v1/passages/p/quote", params={"text": "Hidden words."})
            client.get("/x%0a%7b%22event%22:%20%22forged%22%7d")
        assert server.stop() == 0
        assert [one["status"] for one in server.requests()] == [200, 200, 404]
        assert "Secret words" not in server.log
        assert "Hidden words" not in server.log
        assert not [line for line in server.lines if line.startswith('{"event": "forged"')]
        assert server.out == ""
