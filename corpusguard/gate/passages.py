"""What the service knows of a passage, as the gate's evidence."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from corpusguard.gate.derogations import Derogation, derogations
from corpusguard.gate.model import Evidence, Reason

if TYPE_CHECKING:
    from corpusguard.service.gate import TrustedPassage
    from corpusguard.service.provisions import Law

_FIELDS: Final = tuple(
    field.name for field in fields(Evidence) if field.name not in {"refusal", "elsewhere"}
)
_read: WeakKeyDictionary[Law, tuple[Derogation, ...]] = WeakKeyDictionary()
"""Reading a long Act takes some 100 ms, and its passages come one by one."""


def evidence_of(one: TrustedPassage) -> Evidence:
    """Return the evidence that a stored passage is, or why it is none."""
    known = {name: getattr(one, name) for name in _FIELDS}
    return Evidence(
        refusal=Reason(one.refusal) if one.refusal else None, elsewhere=elsewhere_of(one), **known
    )


def elsewhere_of(one: TrustedPassage) -> tuple[Derogation, ...]:
    """Return what other sections of its law take from the sections that a passage lies in."""
    if one.law is None:
        return ()
    if one.law not in _read:
        _read[one.law] = derogations(
            (
                (each.section, each.subsection, each.law)
                for each in one.law.provisions
                if each.in_force
            ),
            one.law.title,
            subordinate="/regulation/" in one.document,
        )
    sections = [section.casefold() for section in one.sections]
    return tuple(
        each for each in _read[one.law] if any(each.reaches(section) for section in sections)
    )
