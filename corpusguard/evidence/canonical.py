"""Canonical JSON (RFC 8785), without floats.

One value has one sequence of bytes, so that two people who agree on a value agree on its digest.
Floats are refused: no figure of ours needs one, and their text is where implementations differ.
"""

from __future__ import annotations

import hashlib

import rfc8785

Value = None | bool | int | str | list["Value"] | dict[str, "Value"]
"""What a record may hold; integers lie within ±(2^53 - 1)."""


def canonical(value: Value) -> bytes:
    """Return the canonical bytes of ``value``.

    Raises:
        ValueError: It holds a float, an integer beyond ±(2^53 - 1), or text that is not Unicode
            (a lone surrogate).
    """
    _refuse_floats(value)
    return rfc8785.dumps(value)


def sha256_hex(data: bytes) -> str:
    """Return the SHA-256 of ``data`` as 64 hex digits."""
    return hashlib.sha256(data).hexdigest()


def _refuse_floats(value: object) -> None:
    if isinstance(value, dict):
        for item in value.values():
            _refuse_floats(item)
    elif isinstance(value, list):
        for item in value:
            _refuse_floats(item)
    elif isinstance(value, float):
        raise ValueError(f"{value!r} is a float, which no record holds")  # noqa: TRY004
