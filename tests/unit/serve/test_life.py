"""The HTTP service through a bad night: slow clients, a lost history, a run beside it, SIGTERM."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import time_machine

from tests.unit.cli.conftest import call, start
from tests.unit.serve.conftest import (
    FALSE,
    LAW,
    QUOTED,
    TOKEN,
    Server,
    read_all,
    serving,
    status_of,
    until,
)
from tests.unit.serve.test_refusals import HEAD, refused

EVERY_ADDRESS = "0.0.0.0"  # noqa: S104 - what must not be had without a token
JSON = {"content-type": "application/json"}


def history(project):
    return project / "history-clean.db"


def healthy(client):
    return client.get("/healthz").status_code == 200


def test_fifty_answers_at_once_are_all_decided(project):
    """Half of them ship, half are withheld; each has a number of its own in history."""
    with serving(project) as server, server.client() as client:
        client.post("/v1/check", json={"answer": QUOTED})

        def ask(number):
            answer = QUOTED if number % 2 else FALSE
            with server.client() as own:
                return own.post("/v1/check", json={"answer": answer})

        with ThreadPoolExecutor(50) as pool:
            answers = list(pool.map(ask, range(50)))
        assert [one.status_code for one in answers] == [200] * 50
        outcomes = [one.json()["outcome"] for one in answers]
        assert outcomes == ["withheld", "shipped"] * 25
        assert sorted(one.json()["decision"] for one in answers) == list(range(2, 52))
    found = call("history", "verify", "-c", project / "corpusguard.toml")
    assert found.exit_code == 0, found.output


def test_memory_is_bounded_under_large_answers(project):
    """Hundreds of answers of 900 kB leave no more than a bounded part of them behind."""

    def resident():
        pages = Path(f"/proc/{server.process.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGESIZE")

    if not Path("/proc/self/statm").exists():
        pytest.skip("no /proc on this system")
    body = json.dumps({"answer": "The fee is due. " * 56_000}).encode()
    with serving(project) as server:

        def ask(_):
            with server.client() as own:
                return own.post("/v1/check", content=body, headers=JSON).status_code

        with ThreadPoolExecutor(16) as pool:
            assert set(pool.map(ask, range(64))) == {200}
            first = resident()
            assert set(pool.map(ask, range(256))) == {200}
        # 256 bodies are 230 MB: were a part of each kept, it would show.
        assert resident() - first < 60_000_000


def test_more_at_once_than_allowed_are_refused_and_none_is_lost(project):
    """Above the bound: 503 with Retry-After; each other answer is decided."""
    # The longest answer that is read, in sentences that take long.
    answer = "The clerk shall, unless told otherwise, pay 5 dollars within 3 days. [sec-1] " * 900
    with serving(project, limits={"request_seconds": 280}) as server:

        def ask(_):
            with server.client() as own:
                return own.post("/v1/check", json={"answer": answer})

        with ThreadPoolExecutor(120) as pool:
            answers = list(pool.map(ask, range(120)))
        statuses = {one.status_code for one in answers}
        assert statuses == {200, 503}
        for one in answers:
            if one.status_code == 503:
                refused(one, 503, "busy")
                assert one.headers["retry-after"] == "5"
        with server.client() as client:
            assert client.post("/v1/check", json={"answer": QUOTED}).json()["outcome"] == "shipped"


def test_slow_clients_are_let_go_and_others_are_served(project):
    """Headers or a body that never end: 408, and meanwhile the service answers."""
    with serving(project, limits={"head_seconds": 2, "body_seconds": 3}) as server:
        began = time.monotonic()
        connections = []
        for data in (
            b"",
            b"GET /healthz HTTP/1.1\r\nHost: local",
            HEAD + b"Content-Length: 100\r\n\r\n{",
            HEAD + b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",
        ):
            connection = server.connect()
            connection.sendall(data)
            connections.append(connection)
        dripping = server.connect()
        stop = threading.Event()

        def drip():
            try:
                dripping.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: ")
                while not stop.wait(0.5):
                    dripping.sendall(b"a")
            except OSError:
                pass

        thread = threading.Thread(target=drip)
        thread.start()
        with server.client() as client:
            assert healthy(client)
        answers = [read_all(one) for one in [*connections, dripping]]
        stop.set()
        thread.join()
        for one in [*connections, dripping]:
            one.close()
        assert [status_of(one) for one in answers] == [408] * 5, answers
        assert [json.loads(one.partition(b"\r\n\r\n")[2])["code"] for one in answers] == [
            "slow_head", "slow_head", "slow_body", "slow_body", "slow_head",
        ]  # fmt: skip
        assert time.monotonic() - began < 100  # the client itself would wait for longer


def test_a_client_that_goes_away_amid_its_body_harms_nothing(shared_server):
    """The connection is closed half-way; the next client is answered."""
    for _ in range(20):
        with shared_server.connect() as connection:
            connection.sendall(HEAD + b"Content-Length: 100\r\n\r\n{")
    with shared_server.client() as client:
        assert healthy(client)
    assert "Traceback" not in shared_server.log


def test_too_many_connections_are_refused_until_some_close(project):
    """Beyond the bound a connection is told so at once; the others keep theirs."""
    with serving(project) as server:
        held = [server.connect() for _ in range(256)]
        # The last may still wait to be accepted.
        until(lambda: status_of(server.raw(b"")) == 503)
        for one in held:
            one.close()
        with server.client() as client:
            until(lambda: healthy(client))


def test_before_the_first_run_nothing_is_checked_and_after_it_all_is(verified_project, tmp_path):
    """503 with what to do; once history is there, no restart is needed."""
    project = tmp_path / "project"
    shutil.copytree(verified_project, project)
    history(project).unlink()
    with serving(project) as server, server.client() as client:
        for answer in (
            client.post("/v1/check", json={"answer": QUOTED}),
            client.get("/v1/status"),
            client.get("/v1/decisions/1"),
            client.get("/v1/passages/p/quote", params={"text": "a"}),
        ):
            problem = refused(answer, 503, "nothing_verified")
            assert "corpusguard verify" in problem["next"]
        health = client.get("/healthz")
        assert (health.status_code, health.json()["reason"]) == (503, "nothing_verified")
        assert not history(project).exists()

        shutil.copyfile(history(verified_project), history(project))
        assert client.post("/v1/check", json={"answer": QUOTED}).json()["outcome"] == "shipped"
        until(lambda: healthy(client))


def test_a_history_that_is_damaged_or_gone_answers_nothing_until_it_is_back(project):
    """Damaged while the server has it open, taken away, put back: the file that is there counts."""
    good = history(project).read_bytes()
    with serving(project) as server, server.client() as client:
        assert client.post("/v1/check", json={"answer": QUOTED}).status_code == 200
        history(project).unlink()
        refused(client.post("/v1/check", json={"answer": QUOTED}), 503, "nothing_verified")
        history(project).write_bytes(b"SQLite format 3\x00" + b"\xff" * 8000)
        refused(client.post("/v1/check", json={"answer": QUOTED}), 503, "history_broken")
        refused(client.get("/v1/decisions/1"), 503, "history_broken")
        until(lambda: client.get("/healthz").json()["reason"] == "history_broken")
        replaced = project / "restored.db"
        replaced.write_bytes(good)
        replaced.rename(history(project))
        body = client.post("/v1/check", json={"answer": QUOTED}).json()
        # Numbered in the restored file, so kept there.
        assert (body["outcome"], body["decision"]) == ("shipped", 1)
        until(lambda: healthy(client))
    assert "Traceback" not in server.log, server.log


def test_a_history_overwritten_in_place_is_not_believed(project):
    """Another file's bytes under the open connection are an error, never a decision."""
    with serving(project) as server, server.client() as client:
        assert client.post("/v1/check", json={"answer": QUOTED}).status_code == 200
        with history(project).open("r+b") as stream:
            stream.seek(16)
            stream.write(b"\xff" * (history(project).stat().st_size - 16))
        refused(client.post("/v1/check", json={"answer": QUOTED}), 503, "history_broken")
        until(lambda: client.get("/healthz").json()["reason"] == "history_broken")


def test_a_damaged_page_makes_it_unhealthy(project):
    """A probe reads the whole file, also what no answer has needed yet."""
    with serving(project) as server, server.client() as client:
        assert client.post("/v1/check", json={"answer": QUOTED}).status_code == 200
        with history(project).open("r+b") as stream:
            stream.seek(4096)
            stream.write(b"\xff" * (history(project).stat().st_size - 4096))
        until(lambda: client.get("/healthz").json()["reason"] == "history_broken")
        assert client.get("/healthz").status_code == 503


def test_a_corpus_too_old_is_not_healthy_and_its_passages_support_nothing(
    verified_project, tmp_path
):
    """The last good run was two days ago, and 36 hours are allowed; a run now makes it well."""
    project = tmp_path / "project"
    shutil.copytree(verified_project, project)
    history(project).unlink()
    config = project / "corpusguard.toml"
    config.write_text(config.read_text().replace('max_age = "3650d"', 'max_age = "36h"'))
    with time_machine.travel(datetime.now(UTC) - timedelta(days=2), tick=True):
        assert call("verify", "--offline", "-q", "-c", config).exit_code == 0
    with serving(project) as server, server.client() as client:
        body = client.post("/v1/check", json={"answer": QUOTED}).json()
        assert (body["outcome"], body["sentences"][0]["reason"]) == ("withheld", "too_old")
        health = client.get("/healthz")
        assert (health.status_code, health.json()["reason"]) == (503, "too_old")


def test_a_law_that_does_not_verify_is_told_and_the_others_are_served(project):
    """One row is altered and verified again: degraded, its words ship no more, others do."""
    rows = project / "clean.jsonl"
    text = rows.read_text(encoding="utf-8")
    assert text.count(LAW) == 1
    config = project / "corpusguard.toml"
    with serving(project) as server, server.client() as client:
        assert client.post("/v1/check", json={"answer": QUOTED}).json()["outcome"] == "shipped"
        rows.write_text(text.replace(LAW, LAW.replace("before", "after")), encoding="utf-8")
        assert call("verify", "--offline", "-q", "-c", config).exit_code == 1
        body = client.post("/v1/check", json={"answer": QUOTED}).json()
        assert (body["outcome"], body["sentences"][0]["reason"]) == ("withheld", "altered")
        until(lambda: client.get("/healthz").json()["status"] == "degraded")
        assert client.get("/healthz").status_code == 200


def test_a_run_beside_it_hinders_neither(project):
    """Answers are checked while runs write; both end well."""
    config = project / "corpusguard.toml"
    with serving(project) as server, server.client() as client:
        runs = []
        for _ in range(3):
            run = start("verify", "--offline", "-q", "-c", config)
            while run.poll() is None:
                assert client.post("/v1/check", json={"answer": QUOTED}).status_code == 200
            runs.append(run.returncode)
        assert runs == [0, 0, 0]
    found = call("history", "verify", "-c", config)
    assert found.exit_code == 0, found.output


def test_a_history_held_by_another_is_waited_for_then_refused(project):
    """Locked for a while: decided late. Locked for good: 503 that says so, and nothing ships."""
    with serving(project) as server, server.client() as client:
        assert client.post("/v1/check", json={"answer": QUOTED}).json()["decision"] == 1
        other = sqlite3.connect(history(project), check_same_thread=False, isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        timer = threading.Timer(6, lambda: other.execute("ROLLBACK"))
        timer.start()
        assert client.post("/v1/check", json={"answer": QUOTED}).json()["outcome"] == "shipped"
        timer.join()
        other.execute("BEGIN EXCLUSIVE")
        problem = refused(client.post("/v1/check", json={"answer": QUOTED}), 503, "locked")
        assert "locked" in problem["detail"]
        other.execute("ROLLBACK")
        other.close()
        assert client.post("/v1/check", json={"answer": QUOTED}).json()["decision"] == 3


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_after_the_requests_under_way(project, number):
    """A request whose body is still coming is answered; then it exits 0."""
    body = json.dumps({"answer": QUOTED}).encode()
    with serving(project) as server:
        with server.connect(60) as idle, server.connect(60) as connection:
            connection.sendall(HEAD + b"Content-Length: %d\r\n\r\n" % len(body) + body[:10])
            until(lambda: b"under_way 2" in server.raw(
                b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))  # fmt: skip
            server.process.send_signal(number)
            assert read_all(idle) == b""
            connection.sendall(body[10:])
            answer = read_all(connection)
        assert status_of(answer) == 200
        assert json.loads(answer.partition(b"\r\n\r\n")[2])["outcome"] == "shipped"
        server.process.wait(60)  # a second signal would mean: at once
        assert server.stop() == 0
        assert '"stopped"' in server.log
        assert "Traceback" not in server.log, server.log


def test_a_request_cut_off_by_the_end_is_no_clean_stop(project):
    """Its body never came: the server does not wait for ever, and exits 143."""
    with serving(project, limits={"stop_seconds": 1}) as server:
        with server.connect(60) as connection:
            connection.sendall(HEAD + b"Content-Length: 100\r\n\r\n{")
            until(lambda: b"under_way 2" in server.raw(
                b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))  # fmt: skip
            server.process.send_signal(signal.SIGTERM)
            answer = read_all(connection)
        assert status_of(answer) != 200
        # It was told once: a second signal could meet it when it no longer listens for any.
        assert server.process.wait(60) == 143
        assert server.stop() == 143


def test_a_question_out_of_time_is_answered_and_counts_until_it_has_ended(project):
    """503 timeout; while its thread still waits for history, the next is refused as busy."""
    limits = {"request_seconds": 1, "at_once": 1}
    with serving(project, limits=limits) as server, server.client() as client:
        # Without the lock an answer comes at last, in a second or at another attempt.
        until(lambda: client.post("/v1/check", json={"answer": QUOTED}).status_code == 200)
        other = sqlite3.connect(history(project), isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        refused(client.post("/v1/check", json={"answer": QUOTED}), 503, "timeout")
        refused(client.post("/v1/check", json={"answer": QUOTED}), 503, "busy")
        assert client.get("/metrics").status_code == 200
        other.execute("ROLLBACK")
        other.close()
        until(lambda: client.post("/v1/check", json={"answer": QUOTED}).status_code == 200)


def test_a_client_that_does_not_read_is_let_go(project):
    """Its answers fill the socket; after the time of a request the connection is closed."""
    with serving(project, limits={"request_seconds": 2, "per_minute": 100_000}) as server:
        one = b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
        with server.connect(60) as connection:
            connection.setblocking(False)
            with suppress(BlockingIOError, ConnectionError):
                for _ in range(3000):
                    connection.sendall(one)
            until(lambda: any(each["ms"] > 1900 for each in server.requests()))
        with server.client() as client:
            assert healthy(client)


def test_what_cannot_be_served_is_said_and_is_exit_2(project):
    """No token for an open address, none in the variable, a port in use, no such corpus or host."""
    config = project / "corpusguard.toml"
    with serving(project) as server:
        for options, told in (
            (["--host", EVERY_ADDRESS], "no token"),
            (["--host", "::"], "no token"),
            (["--token-env", "NOT_SET"], "NOT_SET"),
            (["--token-env", "SHORT"], "SHORT"),
            (["--port", server.port], "cannot listen"),
            (["--host", "no.such.host.invalid", "--token-env", "GOOD"], "cannot listen"),
            (["--server-name", "http://gate.example"], "is no host name"),
            (["--server-name", "gate.example:80"], "is no host name"),
            (["--server-name", ""], "is no host name"),
            (["--corpus", "nope"], "there is no corpus 'nope'"),
        ):
            result = call("serve", "--port", "0", *options, "-c", config, SHORT="a", GOOD=TOKEN)
            assert result.exit_code == 2, result.output
            assert told in result.stderr
            assert "next: " in result.stderr


def test_with_a_token_it_serves_every_address(project):
    """Then any Host is right: a browser cannot know the token."""
    server = Server(project, "--host", EVERY_ADDRESS, "--token-env", "GATE", GATE=TOKEN)
    try:
        right = {"authorization": f"Bearer {TOKEN}", "host": "gate.example"}
        server.url = f"http://127.0.0.1:{server.port}"
        with server.client() as client:
            assert client.get("/v1/status", headers=right).status_code == 200
            refused(client.get("/v1/status", headers={"host": "gate.example"}), 401, "token")
            assert client.get("/healthz", headers={"host": "10.1.2.3:8765"}).status_code == 200
    finally:
        assert server.stop() == 0
