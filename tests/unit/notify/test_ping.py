"""Dead-man pings on a real server that also misbehaves."""

from __future__ import annotations

import time

import pytest

from corpusguard.notify.ping import MAX_BODY, ping
from tests.ports import refusing_port
from tests.unit.notify.servers import SILENCE, Hook

RUN = "3f0c5f3e-8f5e-4f0e-9d2e-0f6d2c1b7a55"
UUID_PATH = "/check-verysecret"


@pytest.fixture
def hook(monkeypatch):
    with Hook() as server:
        monkeypatch.setenv("CHECK_URL", server.url + UUID_PATH)
        yield server


def send(signal="0", body="", **options):
    waits = []
    reason = ping("CHECK_URL", signal, RUN, body, sleep=waits.append, **options)
    return reason, waits


def test_start_and_exit_code_are_joined_by_the_run_id(hook):
    """The address, the signal, the run id; the body as sent."""
    assert send("start") == ("", [])
    assert send("3", "head sha256:00\n") == ("", [])

    assert hook.paths == [f"{UUID_PATH}/start?rid={RUN}", f"{UUID_PATH}/3?rid={RUN}"]
    assert hook.seen[1][1] == b"head sha256:00\n"
    assert hook.headers[0]["User-Agent"].startswith("corpusguard/")


def test_an_address_with_a_query_or_a_slash_keeps_it(hook, monkeypatch):
    """Healthchecks' own ``?create=1``, and a slash at the end."""
    monkeypatch.setenv("CHECK_URL", f"{hook.url}/key/night/?create=1")
    assert send("0") == ("", [])

    assert hook.paths == [f"/key/night/0?create=1&rid={RUN}"]


def test_a_body_is_cut_to_10_kb(hook):
    """Whatever the run has to say."""
    send("1", "é" * 20_000)

    assert len(hook.seen[0][1]) == MAX_BODY


@pytest.mark.parametrize("trouble", [500, 503, 429, "reset"])
def test_two_more_attempts(hook, trouble):
    """Once more and once again, with growing pauses; then it arrived."""
    hook.answers = [trouble, trouble]

    assert send() == ("", [1.0, 2.0])
    assert len(hook.seen) == 3


def test_not_for_ever(hook):
    """A check that is down for long is a problem to report."""
    hook.usual = 503

    reason, waits = send()

    assert reason == "it answered 503"
    assert len(waits) == 2
    assert len(hook.seen) == 3


@pytest.mark.parametrize("status", [400, 404, "redirect"])
def test_a_refusal_is_not_asked_again(hook, status):
    """A wrong address stays wrong, and no redirect is followed."""
    hook.usual = status

    reason, waits = send()

    assert reason.startswith("it answered ")
    assert waits == []
    assert len(hook.seen) == 1


@pytest.mark.parametrize("words", [b"OK (not found)", b"OK (rate limited)"])
def test_a_200_that_means_no(hook, words):
    """Healthchecks says so with status 200: the ping was not counted."""
    hook.usual = (200, words)

    assert "it answered 200, but" in send()[0]


@pytest.mark.parametrize("trouble", ["silent", "drip"])
def test_a_server_that_never_answers_is_left(hook, trouble):
    """Also where it sends a byte now and then, which no read timeout ends."""
    hook.usual = trouble
    started = time.monotonic()

    reason, waits = send(timeout=0.4)

    assert reason == "it did not answer within 0.4 s" or "Timeout" in reason
    assert time.monotonic() - started < SILENCE
    # Three attempts; on a busy machine not each of them is heard before it is over.
    assert len(waits) == 2


def test_a_reply_without_end_is_a_reply(hook):
    """The head said 200: the rest is left where it is."""
    hook.usual = "huge"

    assert send(timeout=5)[0] == ""


def test_nobody_listens(monkeypatch):
    """Connection refused is a reason, without the secret in the address."""
    with refusing_port() as port:
        monkeypatch.setenv("CHECK_URL", f"http://127.0.0.1:{port}{UUID_PATH}")
        reason, waits = send()

    assert reason.startswith("ConnectError")
    assert "verysecret" not in reason
    assert len(waits) == 2


@pytest.mark.parametrize(
    "address",
    [
        "http://hc.example/verysecret",
        "ftp://127.0.0.1/verysecret",
        "verysecret",
        "https://",
        "https://h:99999/verysecret",
        "https://h\u202e/verysecret",
        "https://h/a b\nverysecret",
        "file:///verysecret",
    ],
)
def test_only_https_or_loopback(monkeypatch, address):
    """Refused without a request, and without showing the address."""
    monkeypatch.setenv("CHECK_URL", address)

    reason, waits = send()

    assert reason.startswith("its address")
    assert "verysecret" not in reason
    assert waits == []


def test_a_variable_that_is_not_set(monkeypatch):
    """Said by its name."""
    monkeypatch.delenv("CHECK_URL", raising=False)

    assert send()[0] == "environment variable CHECK_URL is not set"
