"""The API's JSON document: its ``content`` and what it says of itself."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from corpusguard.errors import Unreadable

from . import _contents, _html, _identity
from ._text import MAX_BYTES, canonical

if TYPE_CHECKING:
    from corpusguard.model import ContentsEntry, Identity


class Payload(NamedTuple):
    """What we use of a payload."""

    content: bytes
    identity: Identity
    contents: list[ContentsEntry]
    """Rows of the separate ``contentTable``, used where ``content`` has no table of its own."""


def load(data: bytes) -> Payload:
    """Parse a ``doc-search`` answer.

    Raises:
        Unreadable: Too large, not UTF-8, not a JSON object, or without a ``content`` text.
    """
    if len(data) > MAX_BYTES:
        raise Unreadable(
            f"the payload has {len(data)} bytes, more than {MAX_BYTES}",
            hint="Check what was captured: no law is that long.",
        )
    try:
        payload = json.loads(data.decode("utf-8"))
        if not isinstance(payload, dict):
            raise Unreadable(
                "the payload is not a JSON object", hint="Fetch the document from doc-search."
            )
        content = payload.get("content")
        if not isinstance(content, str):
            raise Unreadable(
                "the payload has no 'content' text",
                hint="A search answer or an error looks like this; fetch the document itself.",
            )
        return Payload(content.encode(), _identity.of_payload(payload, _plain), _rows(payload))
    except UnicodeDecodeError as error:
        raise Unreadable(
            f"the payload is not UTF-8: byte {error.start} cannot be decoded",
            hint="Capture it again as bytes; do not re-encode it.",
        ) from error
    except UnicodeEncodeError as error:
        raise Unreadable(
            "the payload holds half a surrogate pair, which is no character",
            hint="Fetch the document again.",
        ) from error
    except (ValueError, RecursionError) as error:
        raise Unreadable(
            f"the payload is not JSON: {str(error)[:200]}", hint="Fetch the document again."
        ) from error


def _plain(fragment: str) -> str:
    """Canonical text of a field that holds HTML, such as ``shortTitle``."""
    return canonical(" ".join(b.raw for b in _html.stream(fragment.encode(), page=False).blocks))


def _rows(payload: dict[str, Any]) -> list[ContentsEntry]:
    table = payload.get("contentTable")
    if not isinstance(table, str) or not table.strip():
        return []
    return _contents.rows(_html.stream(table.encode(), page=False).blocks)
