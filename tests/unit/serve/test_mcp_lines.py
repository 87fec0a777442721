"""The MCP server's own lines: whatever comes in is answered, and the next good message works."""

from __future__ import annotations

import json
import queue
import threading

import pytest
from mcp_types import jsonrpc_message_adapter

from corpusguard.serve.frames import Refused, read_line
from tests.unit.serve.test_mcp import talking

PARSE, INVALID, PARAMS, NO_METHOD = -32700, -32600, -32602, -32601
FIRST = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {},
               "clientInfo": {"name": "t", "version": "1"}},
}  # fmt: skip


class Talk:
    """A server and its pipes, in bytes."""

    def __init__(self, project):
        self.process = talking(project)
        self._found = queue.Queue()
        self._error = []
        readers = (self._read, lambda: self._error.extend(self.process.stderr))
        self._readers = [threading.Thread(target=one, daemon=True) for one in readers]
        for one in self._readers:
            one.start()
        self.say(json.dumps(FIRST).encode())
        assert self.hear()["id"] == 1
        self.say(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}')

    def _read(self):
        for line in self.process.stdout:
            self._found.put(json.loads(line))

    @property
    def log(self):
        return "".join(self._error)

    def say(self, line):
        self.process.stdin.buffer.write(line + b"\n")
        self.process.stdin.buffer.flush()

    def hear(self, seconds=60):
        return self._found.get(timeout=seconds)

    def works(self, name):
        """Whether a good message is answered next, and nothing before it."""
        self.say(b'{"jsonrpc": "2.0", "id": "%s", "method": "ping"}' % name.encode())
        return self.hear() == {"jsonrpc": "2.0", "id": name, "result": {}}

    def end(self):
        self.process.stdin.close()
        code = self.process.wait(60)
        for one in self._readers:
            one.join(60)
        self.process.stdout.close()
        self.process.stderr.close()
        return code


@pytest.fixture(scope="module")
def talk(verified_project):
    opened = Talk(verified_project)
    yield opened
    assert opened.end() == 0


def request(number, **others):
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": "ping", **others}).encode()


def calling(number, subject):
    """A call with a subject as it stands in JSON."""
    return (
        b'{"jsonrpc": "2.0", "id": %d, "method": "tools/call", "params": '
        b'{"name": "explain", "arguments": {"subject": %s}}}' % (number, subject)
    )


@pytest.mark.parametrize(
    ("line", "code", "number", "told"),
    [
        (b"no json", PARSE, None, "not usable JSON"),
        (b"", PARSE, None, "not usable JSON"),
        (b"  ", PARSE, None, "not usable JSON"),
        (b"\x00\x00", PARSE, None, "not usable JSON"),
        (b'{"jsonrpc": "2.0", "id": 5,', PARSE, None, "not usable JSON"),
        (request(5) + request(6), PARSE, None, "not usable JSON"),
        (b"\xef\xbb\xbf" + request(5), PARSE, None, "byte order mark"),
        (calling(5, b"NaN"), PARSE, None, "NaN"),
        (calling(5, b"9" * 5000), PARSE, None, "not usable JSON"),
        (b'{"jsonrpc": "2.0", "id": 5, "id": 6, "method": "ping"}', PARSE, None, "twice"),
        (calling(5, b'"\xff\xfe"'), PARSE, None, "not UTF-8"),
        (calling(5, b'"\xed\xa0\x80"'), PARSE, None, "not UTF-8"),
        (b"[" * 10_000, PARSE, None, "not usable JSON"),
        (b"5", INVALID, None, "object"),
        (b"null", INVALID, None, "object"),
        (b'"text"', INVALID, None, "object"),
        (b"[]", INVALID, None, "batch"),
        (b"[" + request(5) + b"," + request(6) + b"]", INVALID, None, "batch"),
        (b"{}", INVALID, None, "jsonrpc"),
        (b'{"id": 5, "method": "ping"}', INVALID, 5, "jsonrpc"),
        (request(5, jsonrpc="1.0"), INVALID, 5, "jsonrpc"),
        (request(5, jsonrpc=2.0), INVALID, 5, "jsonrpc"),
        (request(None), INVALID, None, "the id is"),
        (request(True), INVALID, None, "the id is"),
        (request(1.5), INVALID, None, "the id is"),
        (request(1.0), INVALID, None, "the id is"),
        (request([1]), INVALID, None, "the id is"),
        (request({"a": 1}), INVALID, None, "the id is"),
        (request("\ud800"), INVALID, None, "the id is"),
        (request(5, method=5), INVALID, 5, "the method"),
        (request(5, method=None), INVALID, 5, "the method"),
        (b'{"jsonrpc": "2.0", "id": 5}', INVALID, 5, "no method"),
        (request(5, params=[1]), INVALID, 5, "the params"),
        (request(5, params="text"), INVALID, 5, "the params"),
        (request(5, method="\ud800"), INVALID, 5, "surrogate"),
        (request(5, params={"\udfff": 1}), INVALID, 5, "surrogate"),
        (request("a", params={"a": ["b", {"c": "x\udc00\ud800"}]}), INVALID, "a", "surrogate"),
        (calling(5, b'"\\ud800"'), INVALID, 5, "surrogate"),
        (b'{"jsonrpc": "2.0", "method": "\\ud800"}', INVALID, None, "surrogate"),
        (calling(5, b"[" * 500 + b"]" * 500), PARSE, None, "nested"),
        (b'{"jsonrpc": "2.0", "id": 5, "error": "text"}', INVALID, 5, "not a message"),
        (request(5, method="tools/call"), PARAMS, 5, "parameters"),
        (request(5, method="tools/call", params={"name": 5}), PARAMS, 5, "parameters"),
        (request(5, method="no/such"), NO_METHOD, 5, "not found"),
        (request(-5, method="no/such"), NO_METHOD, -5, "not found"),
        (request("", method="no/such"), NO_METHOD, "", "not found"),
        (b"x" * 9_000_000, INVALID, None, "over the limit"),
        (request(5, params={"a": "a" * 9_000_000}), INVALID, 5, "over the limit"),
        (request(5, params={"a": "a" * 8_000_000})[:8_000_000], INVALID, 5, "over the limit"),
    ],
)  # fmt: skip
def test_a_line_that_is_no_message_is_answered(talk, line, code, number, told):
    """With the request's id where it has one, else null; then a good message works."""
    talk.say(line)
    answer = talk.hear()
    assert set(answer) == {"jsonrpc", "id", "error"}
    assert (answer["jsonrpc"], answer["id"]) == ("2.0", number)
    assert answer["error"]["code"] == code
    assert told in answer["error"]["message"]
    assert talk.works("next")
    assert "Traceback" not in talk.log


@pytest.mark.parametrize(
    "line",
    [
        b'{"jsonrpc": "2.0", "method": "no/such"}',
        b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": {}}}',
        b'{"jsonrpc": "2.0", "id": 77, "result": {}}',
        b'{"jsonrpc": "2.0", "id": null, "error": {"code": -32700, "message": "what?"}}',
    ],
)
def test_what_the_protocol_leaves_unanswered_is_not(talk, line):
    """A notification and a response: an answer to an error could go round for ever."""
    talk.say(line)
    assert talk.works("next")


@pytest.mark.parametrize("ending", [b"\r", b" ", b"\t"])
def test_white_space_around_a_message_is_not_part_of_it(talk, ending):
    """As of a client that ends its lines with CR LF."""
    talk.say(request(5) + ending)
    assert talk.hear()["result"] == {}


def test_many_bad_lines_in_one_piece_are_each_answered(talk):
    """In their order, with answers to good ones among them, and no line torn."""
    lines = [b"bad", request(1), b'{"id": 2}', request(3)] * 50
    talk.say(b"\n".join(lines))
    found = [talk.hear() for _ in lines]
    assert sum(one["id"] is None for one in found) == 50
    assert [one["id"] for one in found if "error" in one] == [None, 2] * 50
    assert [one["id"] for one in found if "result" in one] == [1, 3] * 50


def test_a_bad_line_at_the_end_of_input_is_answered(verified_project):
    """Also one without a line end; the server ends well."""
    talk = Talk(verified_project)
    talk.process.stdin.buffer.write(b"bad\nbad")
    assert talk.end() == 0
    assert [talk.hear()["error"]["code"] for _ in range(2)] == [PARSE, PARSE]


def test_a_client_that_reads_no_more_ends_it_with_an_error(verified_project):
    """Its output is a broken pipe: exit 4 with the cause, and no traceback."""
    process = talking(verified_project)
    assert "serving" in process.stderr.readline()
    process.stdout.close()
    process.stdin.write("bad\n" * 3)
    process.stdin.flush()
    assert process.wait(60) == 4
    error = process.stderr.read()
    assert "an answer could not be written to standard output: Broken pipe" in error
    assert "next: " in error
    assert "Traceback" not in error
    process.stderr.close()
    process.stdin.close()


@pytest.mark.parametrize(
    "line",
    [request(5), request("a", params={"a": "\U0001f600 \u2028"}), b'{"jsonrpc": "2.0", "method": "m"}',
     b'{"jsonrpc": "2.0", "id": 1, "result": {}}', request(10**300), request(5, params=None)],
)  # fmt: skip
def test_what_is_let_through_is_what_the_package_reads(line):
    """Nothing that it would pass over in silence gets as far as the package."""
    found = read_line(line)
    assert not isinstance(found, Refused)
    jsonrpc_message_adapter.validate_json(found, by_name=False)
