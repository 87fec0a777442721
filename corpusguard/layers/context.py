"""What the layers share about one document, worked out once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from corpusguard.layers.linear import Linear, from_reading, is_current
from corpusguard.layers.locate import Locate, is_label, label_word
from corpusguard.layers.locators import Inventory, read_claim
from corpusguard.layers.words import words_of
from corpusguard.model import Channel, Context, Kind, Status

if TYPE_CHECKING:
    from corpusguard.model import DocumentSpec, Passage, Provision, Reading

STUBS: Final = frozenset({Status.REPEALED, Status.REVOKED, Status.OMITTED, Status.SPENT})

_LABEL_WORDS: Final = frozenset(
    (word,)
    for word in "s ss sec section sections subsection part schedule sched form table preamble "
    "act regulation".split()
)


@dataclass(slots=True)
class Official:
    """One official reading, ready to be compared with."""

    document: DocumentSpec
    reading: Reading
    linear: Linear
    inventory: Inventory
    sections: dict[str, list[Provision]] = field(default_factory=dict)
    """Locator -> its section-level provisions, in order."""
    segments: dict[str, list[int]] = field(default_factory=dict)
    """Locator -> indexes of its segments, in order."""
    headings: dict[str, list[str]] = field(default_factory=dict)
    """Locator -> headnotes of the section and its subsections, and the headings above it."""
    parts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Locator -> label ("PART IV") and heading of the Part it stands in."""
    locate: Locate = field(init=False)

    def __post_init__(self) -> None:
        """Index the text."""
        self.locate = Locate(self.linear, self.inventory, self.stubs(), self._labels)

    def _labels(self, locator: str) -> frozenset[tuple[str, ...]]:
        """Phrases that a label before the text of a section may be made of."""
        if locator not in self.sections:
            return frozenset()
        title, code = self.document.title, self.document.code or self.reading.identity.code
        titles = [title, code, self.reading.identity.title, self.reading.identity.code]
        headings = [
            part
            for heading in self.headings.get(locator, [])
            for part in (heading, *heading.split(" / "))
        ]
        part = self.parts.get(locator, ())
        phrases = {_label(text) for text in (*titles, locator, *part, *headings)}
        return (_LABEL_WORDS | phrases) - {()}

    def names_itself_rightly(self, passage: Passage) -> bool:
        """Whether what a row puts into its own label is official: its heading and subsection.

        The template of a label is declared, the row's fields are not: a row could carry "Subsection
        (1) is void" as its heading, and have it taken off as a label.
        """
        inner = (passage.subsection or "").strip()
        if inner and not _is_subsection(inner):
            return False
        heading = words_of(passage.heading or "")
        if not heading:
            return True
        claim = read_claim(passage.section or "", None)
        sections = self.inventory.find(claim.section) if claim else list(self.sections)
        return any(is_label(heading, self._labels(section)) for section in sections)

    def stubs(self) -> frozenset[str]:
        """Locators of sections of which nothing but a stub is left."""
        return frozenset(
            locator
            for locator, nodes in self.sections.items()
            if all(node.status in STUBS for node in nodes)
        )

    def status_of(self, locator: str) -> Status:
        """In force when any opener of the section is; else the first one's status."""
        nodes = self.sections.get(locator, [])
        if not nodes or any(node.status is Status.IN_FORCE for node in nodes):
            return Status.IN_FORCE
        return nodes[0].status

    def unit(self, locator: str, subsection: str = "") -> tuple[int, int]:
        """Word range ``[first, last)`` of a section, or of one of its subsections."""
        linear = self.linear
        segments = self.segments.get(locator, [])
        if subsection:
            inner = [s for s in segments if linear.subsection[s] == subsection]
            # The number of the section is printed with its first subsection.
            opener = [s for s in segments if linear.channel[s] is Channel.MARKER][:1]
            if inner and opener and not self._has_law(segments, inner[0]):
                inner = [min(opener[0], inner[0]), *inner]
            segments = inner or segments
        if not segments:
            return 0, 0
        return linear.seg_first[segments[0]], linear.seg_last[segments[-1]]

    def _has_law(self, segments: list[int], stop: int) -> bool:
        """Whether words of law or a stub stand among segments before one of them."""
        return any(self.linear.channel[s] is Channel.BODY for s in segments if s < stop)

    def law_between(self, one: int, other: int) -> int:
        """How many words of law in force lie between two positions."""
        linear = self.linear
        start, end = sorted((one, other))
        count, position = 0, start
        while position < end:
            segment = linear.seg_of[position]
            after = min(linear.seg_last[segment], end)
            count += 0 if linear.optional[segment] else after - position
            position = after
        return count

    def law_and_stubs(self, start: int, stop: int, count: int) -> int:
        """Where ``count`` words of law, numbering or stubs end, counted from ``start`` to ``stop``.

        ``stop`` may lie before ``start``: then they are counted backwards.
        """
        linear = self.linear
        step = 1 if start < stop else -1
        position = start
        while position != stop and count:
            count -= is_current(linear, linear.seg_of[position])
            position += step
        return position


def _is_subsection(text: str) -> bool:
    claim = read_claim("1", text)
    return claim is not None and bool(claim.subsection)


def _label(text: str) -> tuple[str, ...]:
    return tuple(word for word in map(label_word, words_of(text)) if word)


_SECTION_KINDS: Final = frozenset(
    {Kind.SECTION, Kind.SCHEDULE, Kind.FORM, Kind.TABLE, Kind.PREAMBLE}
)


def official(document: DocumentSpec, reading: Reading) -> Official:
    """Prepare a reading."""
    linear = from_reading(reading)
    sections: dict[str, list[Provision]] = {}
    headings: dict[str, list[str]] = {}
    parts: dict[str, tuple[str, ...]] = {}
    above: list[str] = []
    part: tuple[str, ...] = ()
    for node in reading.provisions:
        if node.kind in (Kind.PART, Kind.HEADING):
            if node.kind is Kind.PART:
                above, part = [], (node.label, node.heading)
            above = [*above[-3:], node.heading or node.text]
        if not node.section:
            continue
        own = headings.setdefault(node.section, list(above))
        parts.setdefault(node.section, part)
        if node.heading:
            own.append(node.heading)
        if node.kind in _SECTION_KINDS:
            sections.setdefault(node.section, []).append(node)
    segments: dict[str, list[int]] = {}
    for index, locator in enumerate(linear.section):
        if locator:
            segments.setdefault(locator, []).append(index)
    # A unit whose opener the reader did not recognise is still a place that text can claim.
    for node in reading.provisions:
        if node.section and node.section not in sections:
            sections[node.section] = [node]
    return Official(
        document,
        reading,
        linear,
        Inventory(reading.provisions),
        sections,
        segments,
        headings,
        parts,
    )


def law_words(official_: Official, locator: str) -> int:
    """How many words of law in force a section has."""
    linear = official_.linear
    return sum(
        linear.seg_last[s] - linear.seg_first[s]
        for s in official_.segments.get(locator, [])
        if linear.channel[s] is Channel.BODY and linear.status[s] is Status.IN_FORCE
    )


def in_body(node: Provision) -> bool:
    """Whether a provision stands in the body of the law."""
    return node.context is Context.BODY
