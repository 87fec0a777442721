"""L3, words: official law in force that no passage covers, by exact spans.

A word is covered when a passage verified under its claimed section takes it. Nothing is estimated:
no shingles, no similarity. What a differing passage stands for is explained by its own finding and
is not reported a second time as a gap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpusguard.layers.draft import counted, draft
from corpusguard.layers.linear import is_current
from corpusguard.layers.locate import Locator, Place
from corpusguard.model import Channel, Coverage, Status

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corpusguard.layers.context import Official
    from corpusguard.layers.currency import Judged
    from corpusguard.model import Finding


class Covered:
    """Which words of the official text passages hold."""

    def __init__(self, today: Official, judged: Sequence[Judged]) -> None:
        """Mark every word that a passage takes, and those that a finding explains."""
        size = len(today.linear.words)
        self._today = today
        self.verified = bytearray(size)
        self.any_label = bytearray(size)
        self.explained = bytearray(size)
        for one in judged:
            located = one.located
            matches = [located.match] if located.match is not None else located.pieces
            for match in matches:
                for start, end in match.runs:
                    mark = b"\x01" * (end - start)
                    self.any_label[start:end] = mark
                    if located.law_is_equal:
                        self.verified[start:end] = mark
            if located.place in (Place.PIECES, Place.NOWHERE, Place.TYPOGRAPHIC):
                self.explained[one.first : one.last] = b"\x01" * (one.last - one.first)
            elif located.stub and located.sections:
                first, last = today.unit(located.sections[0])
                self.explained[first:last] = b"\x01" * (last - first)

    def totals(self) -> Coverage:
        """Words of law in force, covered under the right label, and under any label."""
        words = covered = any_label = 0
        linear = self._today.linear
        for segment, first in enumerate(linear.seg_first):
            if linear.optional[segment]:
                continue
            last = linear.seg_last[segment]
            words += last - first
            covered += self.verified.count(1, first, last)
            any_label += self.any_label.count(1, first, last)
        return Coverage(words, covered, any_label)

    def by_section(self) -> dict[str, int]:
        """Locator -> words of its law in force that some passage holds, under any label."""
        linear = self._today.linear
        counts: dict[str, int] = {}
        for segment, first in enumerate(linear.seg_first):
            section = linear.section[segment]
            if section and not linear.optional[segment]:
                held = self.any_label.count(1, first, linear.seg_last[segment])
                counts[section] = counts.get(section, 0) + held
        return counts


def gap_findings(
    today: Official, judged: Sequence[Judged], covered: Covered, missing: frozenset[str]
) -> list[Finding]:
    """CG306 and CG307. ``missing``: sections already reported as a whole.

    A gap is a run of uncovered words of law in one section. It is a truncation when a passage that
    claims the section (or subsection) ends exactly where the gap begins and the gap runs to the end
    of what the passage claims.
    """
    ends: dict[int, Judged] = {}
    for one in judged:
        located = one.located
        if (
            located.law_is_equal
            and located.match is not None
            and (located.locator is Locator.FOUND)
        ):
            for last in _last_words(today, one):
                ends[last] = one
    found = []
    for section, words in _gaps(today, covered, missing):
        holders = (ends.get(word) for word in _words_before(today, words[0], section))
        holder = next((one for one in holders if one is not None), None)
        if holder is not None and _reaches_the_end(today, holder, words, section):
            found.append(_truncated(today, holder, section, words))
            continue
        found.append(_uncovered(today, section, words))
    return found


def _gaps(
    today: Official, covered: Covered, missing: frozenset[str]
) -> list[tuple[str, list[int]]]:
    """Runs of uncovered law: (locator, word positions), broken by covered law and by sections."""
    linear = today.linear
    gaps: list[tuple[str, list[int]]] = []
    open_section: str | None = None
    for segment, first in enumerate(linear.seg_first):
        if linear.channel[segment] is not Channel.BODY:
            continue
        if linear.status[segment] is not Status.IN_FORCE:
            continue
        section = linear.section[segment]
        last = linear.seg_last[segment]
        if section != open_section:
            open_section = None
        if section in missing or covered.verified.count(1, first, last) == last - first:
            open_section = None
            continue
        for word in range(first, last):
            if covered.verified[word] or covered.any_label[word] or covered.explained[word]:
                if covered.verified[word] or covered.explained[word]:
                    open_section = None
                continue
            if open_section is None:
                gaps.append((section, []))
                open_section = section
            gaps[-1][1].append(word)
    return gaps


def _last_words(today: Official, one: Judged) -> set[int]:
    """The last word of law of a passage, and of law or a stub."""
    linear = today.linear
    found: set[int] = set()
    for start, end in reversed(one.located.match.runs if one.located.match else ()):
        segment = linear.seg_of[start]
        if linear.channel[segment] is Channel.BODY and is_current(linear, segment):
            found.add(end - 1)
            if linear.is_law(segment):
                break
    return found


def _words_before(today: Official, word: int, section: str) -> Iterator[int]:
    """The words of law or of a stub just before a position in the same section, to the next law."""
    linear = today.linear
    segment = linear.seg_of[word]
    if word > linear.seg_first[segment]:
        yield word - 1
        return
    while segment > 0:
        segment -= 1
        if linear.section[segment] != section:
            return
        if linear.channel[segment] is Channel.BODY and is_current(linear, segment):
            yield linear.seg_last[segment] - 1
            if linear.is_law(segment):
                return


def _reaches_the_end(today: Official, one: Judged, gap: list[int], section: str) -> bool:
    """Whether a gap takes the end of the subsection or the section that a passage claims."""
    claim = one.located.claim
    linear = today.linear
    inner = claim.subsection if claim else ""
    segments = [
        s
        for s in today.segments.get(section, [])
        if not linear.optional[s] and (not inner or linear.subsection[s] == inner)
    ]
    return bool(segments) and gap[0] < linear.seg_last[segments[-1]] <= gap[-1] + 1


def _truncated(today: Official, one: Judged, section: str, words: list[int]) -> Finding:
    passage = one.located.passage
    linear = today.linear
    return draft(
        "CG307",
        today.document.id,
        f"the passage stops {counted(len(words))} before the end of what it claims",
        section=section,
        provision=linear.pid[linear.seg_of[words[0]]],
        passage=passage.id,
        row=passage.row,
        where=passage.where,
        official=" ".join(linear.words[word] for word in words[:200]),
        stored=passage.text[-400:],
    )


def _uncovered(today: Official, section: str, words: list[int]) -> Finding:
    linear = today.linear
    node = linear.pid[linear.seg_of[words[0]]]
    place = f"s. {section}" if section else "the text outside every section"
    return draft(
        "CG306",
        today.document.id,
        f"no passage holds {counted(len(words))} of law of {place}",
        section=section,
        provision=node,
        official=" ".join(linear.words[word] for word in words[:200]),
    )
