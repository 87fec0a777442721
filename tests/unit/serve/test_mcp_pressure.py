"""Hundreds of calls at once over MCP: a few are taken in, and the client has to wait."""

from __future__ import annotations

import json
import re
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from tests.unit.serve.conftest import FEES, QUOTED
from tests.unit.serve.test_mcp import talking
from tests.unit.serve.test_mcp_lines import FIRST

CALLS = 300
LONG = 400_000
"""Bytes of a call: far more than a pipe holds (64 KiB on Linux), so that writing tells of reading."""
AHEAD = 30
"""Calls that may be written before the answers to earlier ones are read: those under way, waiting
to be, and on their way through pipes and threads."""


def message(number, method, **params):
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}) + "\n"


def check(number):
    """A check of many sentences with a long text beside it, as a client with much to show sends."""
    cited = [{"id": FEES, "text": "x" * (LONG // 2)}, {"id": "other", "text": "y" * (LONG // 2)}]
    arguments = {"answer": f"{QUOTED} " * 20, "citations": cited}
    return message(number, "tools/call", name="check_answer", arguments=arguments)


class Flood:
    """A client that writes all it has, and reads in another thread."""

    def __init__(self, project):
        self.process = talking(project)
        self.sent = 0
        self.ahead = []
        self.found = []
        self.errors = threading.Thread(target=self.process.stderr.read, daemon=True)
        self.errors.start()
        self.process.stdin.write(json.dumps(FIRST) + "\n")
        self.process.stdin.write('{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')
        self.process.stdin.flush()
        assert json.loads(self.process.stdout.readline())["id"] == FIRST["id"]

    def write(self, lines):
        for line in lines:
            self.process.stdin.write(line)
            self.process.stdin.flush()
            self.sent += 1

    def read(self, count):
        for _ in range(count):
            self.found.append(json.loads(self.process.stdout.readline()))
            self.ahead.append(self.sent - len(self.found))

    def peak(self):
        """The most memory that the server had, in MiB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) / 1024

    def end(self):
        self.process.stdin.close()
        code = self.process.wait(60)
        self.errors.join(20)
        self.process.stdout.close()
        self.process.stderr.close()
        return code


@pytest.fixture
def flood(project):
    opened = Flood(project)
    yield opened
    if opened.process.poll() is None:
        opened.process.kill()
        opened.end()


linux = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read in /proc")


@linux
def test_calls_that_come_faster_than_they_are_answered_wait_with_the_client(flood):
    """All are answered; few are read ahead; memory does not follow what the client has to say."""
    before = flood.peak()
    writer = threading.Thread(target=flood.write, args=([check(n) for n in range(2, CALLS + 2)],))
    writer.start()
    flood.read(CALLS)
    writer.join()
    assert {one["id"] for one in flood.found} == set(range(2, CALLS + 2))
    assert all("result" in one for one in flood.found)
    assert max(flood.ahead) <= AHEAD
    grown = flood.peak() - before
    assert grown < CALLS * LONG / 2**20 / 2, grown
    assert flood.end() == 0


def test_a_client_that_reads_no_answers_is_read_no_further(flood):
    """Small messages, too: what is not answered does not pile up, and later all is."""
    many = 20_000
    lines = [message(number, "ping") for number in range(2, many + 2)]
    writer = threading.Thread(target=flood.write, args=(lines,))
    writer.start()
    writer.join(5)
    stopped = flood.sent
    assert writer.is_alive()
    assert stopped < many / 4
    flood.read(many)
    writer.join()
    assert {one["id"] for one in flood.found} == set(range(2, many + 2))
    assert flood.end() == 0


def test_a_client_that_has_said_all_is_told_all(flood):
    """Input ends while calls are under way, with and without a last end of line."""
    lines = [check(number) for number in range(2, 9)]
    writer = threading.Thread(target=flood.write, args=([*lines[:-1], lines[-1].rstrip()],))
    writer.start()
    reader = threading.Thread(target=flood.read, args=(len(lines),))
    reader.start()
    writer.join()
    flood.process.stdin.close()
    reader.join(60)
    assert {one["id"] for one in flood.found if "result" in one} == set(range(2, 9))
    assert flood.end() == 0


def test_a_signal_ends_it_for_a_client_that_never_reads(flood):
    """Within moments; the code says that answers were lost."""
    lines = [message(number, "ping") for number in range(2, 20_000)]
    writer = threading.Thread(target=hanging_up, args=(flood, lines), daemon=True)
    writer.start()
    writer.join(5)
    assert writer.is_alive()
    flood.process.terminate()
    assert flood.process.wait(60) == 143
    writer.join(20)
    with suppress(BrokenPipeError):
        flood.process.stdin.close()
    assert flood.end() == 143


def hanging_up(flood, lines):
    with suppress(BrokenPipeError):
        flood.write(lines)
