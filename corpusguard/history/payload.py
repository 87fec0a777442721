"""The parts of a ``DocumentResult`` that are too many for columns, as canonical JSON.

Findings, passage states and provision digests of a document go into one compressed body, kept by
the digest of its JSON. What changes every night (run, capture time, currency date) stays out of
it, so that nights on which nothing changed share one body.

JSON is written in ASCII: a stored corpus may hold lone surrogates or NUL, which SQLite's text
cannot carry and JSON's escapes can.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

from corpusguard.errors import HistoryBroken
from corpusguard.model import Cause, Difference, Finding, Layer, PassageState, Severity

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corpusguard.model import DocumentResult

MAX_BYTES: Final = 1_000_000_000
"""Largest body that is unpacked, in bytes of JSON: a damaged size must not fill the memory."""

_LEVEL: Final = 1
"""zlib level. Half of a body is digests, which no level shrinks; 6 takes three times as long."""

_FINDING: Final = tuple(field.name for field in fields(Finding))
_STATE: Final = tuple(field.name for field in fields(PassageState))
_finding_values: Final = attrgetter(*_FINDING)
_state_values: Final = attrgetter(*_STATE)


@dataclass(frozen=True, slots=True)
class Packed:
    """A body ready to store."""

    digest: str
    size: int
    """Bytes of JSON before compression."""
    body: bytes
    stored: str
    """``sha256:…`` of the compressed bytes: several can hold one JSON, only these were stored."""


@dataclass(frozen=True, slots=True)
class Unpacked:
    """What a body holds."""

    findings: tuple[Finding, ...]
    states: tuple[PassageState, ...]
    provision_digests: Mapping[str, str]


def finding_json(finding: Finding) -> str:
    """Return a finding as canonical JSON."""
    return _dumps(dict(zip(_FINDING, _finding_values(finding), strict=True)))


def finding_from_json(text: str) -> Finding:
    """Return the finding that ``finding_json`` wrote.

    Raises:
        HistoryBroken: The text is not such JSON.
    """
    try:
        return _finding(json.loads(text))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise _broken(str(error)) from error


def digest_of(text: str) -> str:
    """Return ``sha256:…`` of ASCII text."""
    return digest_of_bytes(text.encode("ascii"))


def digest_of_bytes(data: bytes) -> str:
    """Return ``sha256:…`` of bytes."""
    return "sha256:" + hashlib.sha256(data).hexdigest()


def pack(result: DocumentResult) -> Packed:
    """Return the body of ``result``; equal contents give equal digests."""
    text = _dumps(
        {
            "findings": [
                dict(zip(_FINDING, _finding_values(f), strict=True)) for f in result.findings
            ],
            "provisions": dict(result.provision_digests),
            "states": [dict(zip(_STATE, _state_values(s), strict=True)) for s in result.states],
        }
    )
    data = text.encode("ascii")
    body = zlib.compress(data, _LEVEL)
    return Packed(digest_of(text), len(data), body, digest_of_bytes(body))


def unpack(digest: str, size: int, body: bytes) -> Unpacked:
    """Return what ``pack`` packed, after checking that it is still that.

    Raises:
        HistoryBroken: The bytes were altered, or do not have the shape that ``pack`` writes.
    """
    if not 0 <= size <= MAX_BYTES:
        raise _broken(f"a result claims {size} bytes")
    try:
        stream = zlib.decompressobj()
        # One byte more than promised is enough to see that the promise was false.
        data = stream.decompress(body, size + 1)
        if len(data) != size or not stream.eof:
            raise _broken(f"a result does not have the {size} bytes it was stored with")
        text = data.decode("ascii")
        if digest_of(text) != digest:
            raise _broken(f"a result is not the one stored as {digest}")
        parsed = json.loads(text)
        return Unpacked(
            findings=tuple(_finding(item) for item in parsed["findings"]),
            states=tuple(_state(item) for item in parsed["states"]),
            provision_digests=parsed["provisions"],
        )
    except (zlib.error, ValueError, TypeError, KeyError, AttributeError) as error:
        raise _broken(str(error)) from error


def _dumps(value: object) -> str:
    return json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":"))


def _finding(item: dict[str, Any]) -> Finding:
    # Fields that a later version dropped are left aside, those that it added take their defaults:
    # an old run stays readable.
    known = {name: item[name] for name in _FINDING if name in item}
    known["severity"] = Severity(known["severity"])
    known["layer"] = None if known["layer"] is None else Layer(known["layer"])
    known["cause"] = None if known.get("cause") is None else Cause(known["cause"])
    known["differences"] = tuple(Difference(word) for word in known.get("differences", ()))
    known["evidence"] = tuple(known.get("evidence", ()))
    return Finding(**known)


def _state(item: dict[str, Any]) -> PassageState:
    known = {name: item[name] for name in _STATE if name in item}
    known["spans"] = tuple((start, end) for start, end in known.get("spans", ()))
    known["skipped"] = tuple(known.get("skipped", ()))
    return PassageState(**known)


def _broken(why: str) -> HistoryBroken:
    return HistoryBroken(
        f"history holds a result that cannot be read: {why}",
        hint="run `corpusguard doctor`; put the last good copy of the history in its place",
    )
