"""What the service knows of a passage, as the gate's evidence."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Final

from corpusguard.gate.model import Evidence, Reason

if TYPE_CHECKING:
    from corpusguard.service.gate import TrustedPassage

_FIELDS: Final = tuple(field.name for field in fields(Evidence) if field.name != "refusal")


def evidence_of(one: TrustedPassage) -> Evidence:
    """Return the evidence that a stored passage is, or why it is none."""
    known = {name: getattr(one, name) for name in _FIELDS}
    return Evidence(refusal=Reason(one.refusal) if one.refusal else None, **known)
