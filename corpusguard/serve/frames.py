"""A line from an MCP client: a message that the ``mcp`` package will read, or what to answer to it.

The package passes over a line that it cannot read and says nothing, so that its client waits for
ever. Here such a line gets an error of JSON-RPC 2.0, with the id of the request where it has one,
else with null. Notifications and responses that are well formed get no answer, by the protocol.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import mcp_types as types
from pydantic import ValidationError
from pydantic_core import from_json

from corpusguard import strict_json
from corpusguard.strict_json import Fault, NotStrict

LONGEST_LINE: Final = 8_000_000
"""Bytes of one message: an answer and its passages, in any escaping that they are likely to have.
The package itself reads a line of any length."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A line that is no message."""

    code: int
    """Of JSON-RPC: ``PARSE_ERROR`` or ``INVALID_REQUEST``."""
    told: str
    id: str | int | None = None
    """Of the request, where that is known."""

    def answer(self) -> str:
        """Return the line that says so to the client."""
        error = types.JSONRPCError(
            jsonrpc="2.0", id=self.id, error=types.ErrorData(code=self.code, message=self.told)
        )
        return error.model_dump_json(by_alias=True, exclude_unset=True) + "\n"


def read_line(line: bytes) -> str | Refused:
    """Return a whole line as the text of one message, or why it is none.

    Stricter than the package where two readers could understand a line differently; see
    :mod:`corpusguard.strict_json`.
    """
    told = ""
    try:
        value = strict_json.parse(line)
    except NotStrict as error:
        told = f"the message is not usable JSON: {error}"
        if error.fault is not Fault.HALF_CHARACTER:
            return Refused(types.PARSE_ERROR, told)
        # It can be read, by those who allow that; so whose request it was is known.
        value = strict_json.parse(line, halves=True)
    if isinstance(value, list):
        told = "a batch is not supported: send each message in a line of its own"
        return Refused(types.INVALID_REQUEST, told)
    if not isinstance(value, dict):
        return Refused(types.INVALID_REQUEST, "a message is a JSON object, and this is not one")
    told = _against(value) or told
    if not told:
        try:
            types.jsonrpc_message_adapter.validate_json(line, by_name=False)
        except ValidationError as error:
            told = f"not a message of MCP: {error.errors(include_url=False)[0]['msg']}"
    return Refused(types.INVALID_REQUEST, told, _id_of(value)) if told else line.decode()


def too_long(beginning: bytes) -> Refused:
    """Return the refusal of a line of which only the beginning was kept."""
    told = (
        f"the message is over the limit of {LONGEST_LINE} bytes: check the answer in parts, or "
        "cite passages by id without their texts"
    )
    try:
        value = from_json(beginning, allow_partial=True)
    except ValueError:
        value = None
    return Refused(types.INVALID_REQUEST, told, _id_of(value) if isinstance(value, dict) else None)


def _against(value: dict[str, object]) -> str:
    """Say in words what is wrong with an object, where that is one of the usual things."""
    if value.get("jsonrpc") != "2.0":
        return 'the message does not say "jsonrpc": "2.0"'
    if "method" in value:
        if not isinstance(value["method"], str):
            return "the method is not a text"
        if "id" in value and not _is_id(value["id"]):
            return "the id is neither a text nor a whole number"
        if not isinstance(value.get("params"), dict | None):
            return "the params are not an object"
    elif "result" not in value and "error" not in value:
        return "the message has no method"
    return ""


def _id_of(value: dict[str, object]) -> str | int | None:
    found = value.get("id")
    return found if _is_id(found) else None  # type: ignore[return-value]


def _is_id(value: object) -> bool:
    if isinstance(value, str):
        return _encodes(value)
    return isinstance(value, int) and not isinstance(value, bool)


def _encodes(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
