"""Coverage per section: which words of law in force lie in passages that all layers verified."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from corpusguard.model import Channel, Severity, Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from corpusguard.model import Finding, PassageState, Reading

OUTSIDE: Final = ""
"""Locator of words of law that stand outside every section."""
_WORD: Final = re.compile("[^ ]+")


class Cover(StrEnum):
    """How much of a section is verified."""

    WHOLE = "whole"
    """Every word of law in force is in a verified passage, and no error names the section."""
    PART = "part"
    NONE = "none"
    NOT_IN_FORCE = "not in force"
    """It has no words of law in force: repealed, revoked, spent, or not yet law."""


@dataclass(frozen=True, slots=True)
class SectionCover:
    """One section of the official text."""

    section: str
    cover: Cover
    words: int
    """Words of law in force."""
    verified: int
    errors: int
    warnings: int


def strip(
    reading: Reading, states: Iterable[PassageState], findings: Sequence[Finding]
) -> tuple[SectionCover, ...]:
    """Return the sections in the order of the law.

    Args:
        reading: The snapshot, read as the run read it: spans count its code points.
        states: What the run says of each passage.
        findings: Of the document; those that name a section count against it.
    """
    held = bytearray(len(reading.text))
    for state in states:
        if state.verified:
            for start, end in state.spans:
                held[start:end] = b"\x01" * (end - start)
    words: dict[str, int] = {}
    verified: Counter[str] = Counter()
    for segment in reading.segments:
        at = segment.provision
        section = reading.provisions[at].section if at >= 0 else OUTSIDE
        law = segment.channel is Channel.BODY and segment.status is Status.IN_FORCE
        if not (law or section):
            continue
        words.setdefault(section, 0)
        if not law:
            continue
        # The layers count a word for each blank-separated piece of a segment, as here.
        text = reading.text[segment.start : segment.end]
        for word in _WORD.finditer(text):
            words[section] += 1
            first, last = segment.start + word.start(), segment.start + word.end() - 1
            verified[section] += held[first] and held[last]
    errors = _tally(findings, Severity.ERROR)
    warnings = _tally(findings, Severity.WARNING)
    return tuple(
        SectionCover(
            section=section,
            cover=_cover(count, verified[section], errors[section]),
            words=count,
            verified=verified[section],
            errors=errors[section],
            warnings=warnings[section],
        )
        for section, count in words.items()
        if section or count
    )


def law_words(reading: Reading) -> int:
    """Return how many words of law in force a reading has, to compare with what a run counted."""
    return sum(
        reading.text.count(" ", segment.start, segment.end) + 1
        for segment in reading.segments
        if segment.channel is Channel.BODY
        and segment.status is Status.IN_FORCE
        and segment.start < segment.end
    )


def strays(sections: Iterable[SectionCover], findings: Iterable[Finding]) -> tuple[str, ...]:
    """Return section labels that findings name and the official text does not have."""
    known = {one.section for one in sections}
    named = (one.section for one in findings if one.section)
    return tuple(dict.fromkeys(section for section in named if section not in known))


def _tally(findings: Iterable[Finding], severity: Severity) -> Counter[str]:
    return Counter(one.section for one in findings if one.severity is severity)


def _cover(words: int, verified: int, errors: int) -> Cover:
    if not words:
        return Cover.NOT_IN_FORCE
    if not verified:
        return Cover.NONE
    return Cover.WHOLE if verified == words and not errors else Cover.PART
