"""Sound corpora, mutants, and what the planters of faults share."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from corpusguard.model import Channel, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from random import Random

    from corpusguard.model import Finding, Passage, Reading


_STUB: Final = re.compile(r"\b(?:Repealed|Revoked|Omitted|Spent)\b")


def has_law(line: str) -> bool:
    """Whether a line says more than that something is gone."""
    words = sum(len(word) > 2 and word.isalpha() for word in line.split())
    return words >= 3 and not _STUB.search(line)


class Shape(StrEnum):
    """How a corpus claims places."""

    LABELLED = "labelled"
    """Each passage names its section."""
    WINDOWS = "windows"
    """Plain windows with overlap, no locator."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A corpus with one fault."""

    kind: str
    passages: tuple[Passage, ...]
    rules: frozenset[str]
    """Any of these is right."""
    sections: frozenset[str]
    """At any of these locators; empty: see ``ids``."""
    what: str
    """What was changed, for a person."""
    ids: frozenset[str] = frozenset()
    """Where nothing claims a section: at any of these passages; empty too: anywhere."""

    def found_in(self, findings: Iterable[Finding]) -> list[Finding]:
        """The findings that name this fault: a right rule at a right place."""
        return [one for one in findings if one.rule in self.rules and self._is_at(one)]

    def _is_at(self, finding: Finding) -> bool:
        if self.sections:
            return finding.section in self.sections
        return not self.ids or finding.passage in self.ids


@dataclass(frozen=True, slots=True)
class Sound:
    """A sound corpus to plant faults in."""

    passages: tuple[Passage, ...]
    reading: Reading
    shape: Shape
    other_law: str = "No person shall moor a vessel at a pier without the leave of the master."
    """Text of another law, for the fault of that kind."""
    sections_in_force: frozenset[str] = frozenset()
    """Locators with words of law in force; worked out from the reading."""

    def __post_init__(self) -> None:
        """Work out what every planter asks for."""
        if self.sections_in_force:
            return
        reading = self.reading
        law = {
            segment.provision
            for segment in reading.segments
            if segment.channel is Channel.BODY and segment.status is Status.IN_FORCE
        }
        sections = frozenset(reading.provisions[index].section for index in law if index >= 0)
        object.__setattr__(self, "sections_in_force", sections)

    def with_text(self, index: int, text: str) -> tuple[Passage, ...]:
        """The passages with the text of one replaced."""
        passages = list(self.passages)
        passages[index] = replace(passages[index], text=text)
        return tuple(passages)

    def sections_of(self, line: str) -> frozenset[str]:
        """Locators of all places at which a printed line begins in the official text."""
        reading = self.reading
        found = set()
        at = reading.text.find(line)
        while at >= 0:
            holder = bisect_right(reading.segments, at, key=lambda segment: segment.start) - 1
            owner = reading.segments[holder].provision
            if owner >= 0:
                found.add(reading.provisions[owner].section)
            at = reading.text.find(line, at + 1)
        return frozenset(found)

    def lost_lines(self, gone: str, index: int) -> list[str]:
        """Lines of a text of law that no passage but one holds whole."""
        others = [other.text for n, other in enumerate(self.passages) if n != index]
        return [
            line
            for line in gone.splitlines()
            if has_law(line) and not any(line in other for other in others)
        ]

    def in_force(self, index: int) -> bool:
        """Whether the claimed section of a passage has law in force."""
        return self.passages[index].section in self.sections_in_force

    def long(self, words: int) -> list[int]:
        """Indexes of passages with at least so many words."""
        return [i for i, p in enumerate(self.passages) if len(p.text.split()) >= words]

    def edited(self, kind: str, index: int, text: str, rules: Iterable[str], what: str) -> Mutant:
        """A mutant whose fault is the text of one passage."""
        return Mutant(
            kind, self.with_text(index, text), frozenset(rules), *self.at(index, what=what)
        )

    def at(self, *indexes: int, what: str) -> tuple[frozenset[str], str, frozenset[str]]:
        """The places of some passages, around the sentence that says what was done."""
        rows = [self.passages[i] for i in indexes]
        sections = frozenset(row.section or "" for row in rows) - {""}
        return sections, what, frozenset(row.id for row in rows)


def spot(
    sound: Sound, pattern: re.Pattern[str], random: Random, edge: int = 20
) -> tuple[int, re.Match[str]] | None:
    """A place where a pattern stands, but not at a passage's edge, where a window may cut a word.

    Every passage that has one is as likely as the others, whatever its length.
    """
    order = list(range(len(sound.passages)))
    random.shuffle(order)
    for index in order:
        passage = sound.passages[index]
        # A stub with a word changed is words stored under a number that is gone: its own kind.
        if passage.section is not None and not sound.in_force(index):
            continue
        found = [
            match
            for match in pattern.finditer(passage.text)
            if edge < match.start() < len(passage.text) - edge
        ]
        if found:
            return index, random.choice(found)
    return None


def substitute(
    kind: str,
    pattern: str,
    change: Callable[[str], str],
    rule: str = "CG101",
    edge: int = 20,
) -> Callable[[Sound, Random], Mutant | None]:
    """A planter that changes one place where a pattern stands."""
    compiled = re.compile(pattern)

    def plant_it(sound: Sound, random: Random) -> Mutant | None:
        found = spot(sound, compiled, random, edge)
        if found is None:
            return None
        index, match = found
        passage = sound.passages[index]
        new = change(match[0])
        changed = passage.text[: match.start()] + new + passage.text[match.end() :]
        what = f"{match[0]!r} became {new!r} in {passage.id}"
        return sound.edited(kind, index, changed, {rule}, what)

    return plant_it
