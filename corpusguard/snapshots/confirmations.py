"""Confirmations: the publisher's word that a stored rendition is still the current one.

A confirmation is weaker evidence than a capture: no bytes came. It is kept apart from the capture
records, so that no one takes it for one, and it counts for the very record that it names only.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Final

from corpusguard.errors import EvidenceMissing
from corpusguard.snapshots.records import DAMAGED, as_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping

SCHEMA: Final = "corpusguard/confirmation/1"
NAME: Final = re.compile(r"(\d{6,12})-(\d{6})\.json")
"""Number of the capture that is confirmed, number of the confirmation of it."""


@dataclass(frozen=True, slots=True)
class Confirmation:
    """What the publisher said of a document on a day on which it was not fetched again."""

    document: str
    record: str
    """The capture record that is confirmed."""
    digest: str
    """``sha256:…`` of the bytes that it names."""
    checked: str
    """UTC, ISO 8601, ``Z``."""
    currency_date: str
    """The publisher's currency date at that time."""
    versions: str
    """``sha256:…`` over the publisher's list of versions."""


_FIELDS: Final = tuple(field.name for field in fields(Confirmation))


def encode(confirmation: Confirmation, evidence: Mapping[str, object]) -> bytes:
    """Return the bytes of a confirmation; ``evidence`` is the answer that carried it."""
    said = {name: getattr(confirmation, name) for name in _FIELDS}
    return as_bytes({"schema": SCHEMA, **said, "extra": dict(evidence)})


def confirmation_of(record: dict[str, Any], shown: object) -> Confirmation:
    """Return the confirmation that a parsed record holds.

    Raises:
        EvidenceMissing: A field is missing or no text.
    """
    said = {name: record.get(name) for name in _FIELDS}
    if not all(isinstance(value, str) for value in said.values()):
        raise EvidenceMissing(f"{shown} lacks a field of a confirmation", hint=DAMAGED)
    return Confirmation(**{name: str(value) for name, value in said.items()})
