"""The record of a run: what is in it, how it is hashed, and how two of them differ."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from corpusguard.evidence.canonical import sha256_hex

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

RECORD_SCHEMA: Final = "corpusguard/record/1"

GENESIS: Final = "0" * 64
"""What stands for the previous record's hash in the first one."""

_HEAD: Final = re.compile(r"(?:sha256:)?([0-9a-fA-F]{64})")


def head_of(record: bytes) -> str:
    """Return the head that a record makes: ``sha256:`` and the SHA-256 of its canonical bytes."""
    return f"sha256:{sha256_hex(record)}"


def parse_head(text: str) -> str:
    """Return a head as ``head_of`` writes it.

    Raises:
        ValueError: ``text`` is not 64 hex digits, with or without ``sha256:``.
    """
    match = _HEAD.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text[:80]!r} is not a head")
    return f"sha256:{match.group(1).lower()}"


def differences(sealed: Mapping[str, object], found: Mapping[str, object]) -> Iterator[str]:
    """Yield, in words, where the tables say another thing than the sealed record.

    Documents are matched by corpus and id, so that one that is lost does not shift the others.
    """
    for key in sorted(sealed.keys() | found.keys()):
        if sealed.get(key) == found.get(key):
            continue
        if key == "documents":
            yield from _documents(sealed.get(key), found.get(key))
        else:
            yield f"{key} is {_shown(found.get(key))}, sealed was {_shown(sealed.get(key))}"


def _documents(sealed: object, found: object) -> Iterator[str]:
    before, now = _by_name(sealed), _by_name(found)
    for name in sorted(before.keys() | now.keys()):
        if name not in now:
            yield f"the result of {name} is gone"
        elif name not in before:
            yield f"a result of {name} was added"
        else:
            for key in sorted(before[name].keys() | now[name].keys()):
                old, new = before[name].get(key), now[name].get(key)
                if old != new:
                    yield f"{name}: {key} is {_shown(new)}, sealed was {_shown(old)}"


def _by_name(documents: object) -> dict[str, dict[str, object]]:
    if not isinstance(documents, list):
        return {}
    return {
        f"{item.get('document')} in corpus {item.get('corpus')}": item
        for item in documents
        if isinstance(item, dict)
    }


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 100 else f"{text[:97]}..."
