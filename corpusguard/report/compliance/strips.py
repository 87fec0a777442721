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
    """This and all below: no words of law in force of its own. Here it is not yet law."""
    REPEALED = "repealed"
    REVOKED = "revoked"
    OMITTED = "omitted"
    SPENT = "spent"
    CONTAINER = "container"
    """Its law stands in sections below it, which are counted by themselves: a schedule of them."""
    EMPTY = "no words"
    """It has neither words of law in force nor a status that says why."""


COVER_LOOKS: Final = {
    cover: {Cover.WHOLE: "whole", Cover.PART: "part", Cover.NONE: "none"}.get(cover, "off")
    for cover in Cover
}
"""How each is drawn: ``off`` where there are no words of law in force to verify."""
COVER_SIGNS: Final = {
    cover: {"whole": "✓", "part": "◐", "none": "✗", "off": "–"}[look]
    for cover, look in COVER_LOOKS.items()
}
"""Always printed beside the word: a colour alone says too little."""


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
            cover=_cover(count, verified[section], errors[section])
            if count
            else _wordless(reading, section),
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
    if not verified:
        return Cover.NONE
    return Cover.WHOLE if verified == words and not errors else Cover.PART


def _wordless(reading: Reading, section: str) -> Cover:
    """Return why a section has no words of law in force: what the official text says of it.

    Its opening provision decides; where that is in force, sections that hang below it, and then
    what became of all its parts.
    """
    own = [at for at, one in enumerate(reading.provisions) if one.section == section]
    statuses = [reading.provisions[at].status for at in own]
    if statuses[0] is not Status.IN_FORCE:
        return _COVER_OF[statuses[0]]
    held = set(own)
    if any(one.parent in held and one.section != section for one in reading.provisions):
        return Cover.CONTAINER
    gone = Counter(status for status in statuses if status is not Status.IN_FORCE)
    return _COVER_OF[gone.most_common(1)[0][0]] if gone else Cover.EMPTY


_COVER_OF: Final = {
    Status.NOT_IN_FORCE: Cover.NOT_IN_FORCE,
    Status.REPEALED: Cover.REPEALED,
    Status.REVOKED: Cover.REVOKED,
    Status.OMITTED: Cover.OMITTED,
    Status.SPENT: Cover.SPENT,
}
