"""L1: does the stored text still say what the official text says today?

Each located passage gives at most one textual finding, and a cause where one can be worked out:

* *source_amended*: it is the text of an older snapshot, or its provision changed after it verified;
* *corpus_altered*: the stored text is not the one that verified;
* *ingested_wrong*: the snapshot of the declared ingestion date does not hold it either;
* *unknown_no_baseline*: a first run says no more than it knows.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from corpusguard.layers.context import official
from corpusguard.layers.differences import Comparison, compare, compare_folded, is_reordered
from corpusguard.layers.draft import counted, draft
from corpusguard.layers.linear import is_current
from corpusguard.layers.locate import Located, Locator, Place
from corpusguard.layers.matching import Match
from corpusguard.layers.words import looks_like_mojibake, words_of
from corpusguard.model import Cause, Channel, Difference, Severity

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corpusguard.layers.context import Official
    from corpusguard.model import DocumentSpec, Finding, Reading

_MILD: Final = {
    Difference.TYPOGRAPHIC: "CG104",
    Difference.HISTORY_NOTE: "CG103",
    Difference.HEADING: "CG102",
}
_MILD_MESSAGE: Final = {
    "CG104": "quotes, dashes, hyphens, case or spacing differ from the official text",
    "CG103": "an amendment-history note differs from the official one",
    "CG102": "a heading inside the passage differs from the official one",
}
_PARTLY: Final = 8
"""Words of another section that make a passage partly misfiled."""


@dataclass(frozen=True, slots=True)
class OlderReading:
    """An earlier snapshot, read with today's reader."""

    consolidated_from: str
    captured: str
    reading: Reading


@dataclass(frozen=True, slots=True)
class Baseline:
    """What history knows of the last verified state."""

    passages: Mapping[int, tuple[str, str]] = field(default_factory=dict)
    """Row -> (digest of its stored text when it last verified, start of the run that did, ISO).

    The newest such run, not the first: what happened to the text happened after it."""
    provisions: Mapping[str, str] = field(default_factory=dict)
    """pid -> digest of its own text when the document last verified."""
    as_of: str = ""
    """Consolidation date (ISO) at which the corpus says it was ingested, or empty."""
    consolidated_from: str = ""
    """Newest consolidation (ISO date) that a run compared the document with, or empty."""


@dataclass(slots=True)
class Judged:
    """A passage with the stretch of official text that it is compared with."""

    located: Located
    first: int = 0
    last: int = 0
    section: str = ""
    comparison: Comparison | None = None


class Causes:
    """Works out why a passage differs."""

    def __init__(
        self,
        document: DocumentSpec,
        today: Official,
        older: Sequence[OlderReading],
        baseline: Baseline,
        changed: frozenset[str],
    ) -> None:
        """``changed``: locators whose provisions changed since the last verified state."""
        self._document = document
        self._today = today
        self._older = older
        self.baseline = baseline
        self.changed = changed
        self._prepared: dict[int, Official] = {}

    def older(self, position: int) -> Official:
        """An older reading, prepared when first needed."""
        if position not in self._prepared:
            self._prepared[position] = official(self._document, self._older[position].reading)
        return self._prepared[position]

    def stale_since(self, located: Located) -> str | None:
        """The consolidation since which a passage is out of date; None: it is no older text."""
        for position, old in enumerate(self._older):
            if self._is_newer(old.consolidated_from) or not self._stands_in(
                located, self.older(position)
            ):
                continue
            newer = self._older[position - 1] if position else None
            if newer is not None:
                return newer.consolidated_from or newer.captured or "an unknown date"
            return self._today.reading.identity.consolidated_from or old.captured
        return None

    def _is_newer(self, date: str) -> bool:
        """Whether a consolidation is newer than the text of today: the text went backwards."""
        today = self._today.reading.identity.consolidated_from
        return bool(today) and today < date

    def _stands_in(self, located: Located, old: Official) -> bool:
        # A fresh locator, so that looking back does not use up places for the rows to come.
        matches = old.locate.index.matches(located.words) if located.words else []
        wanted = set(old.inventory.find(located.claim.section)) if located.claim else set()
        linear = old.linear
        for match in matches:
            law = [
                linear.seg_of[start]
                for start, _ in match.runs
                if linear.channel[linear.seg_of[start]] is Channel.BODY
            ]
            if not wanted or all(linear.section[segment] in wanted for segment in law):
                return True
        return False

    def of(self, located: Located, digest: str) -> tuple[Cause, str]:
        """The cause of a passage's difference, and what is known of it."""
        since = self.stale_since(located)
        verified = self.baseline.passages.get(located.passage.row)
        if since is not None:
            return Cause.SOURCE_AMENDED, f"stale since the consolidation of {since}"
        if verified and verified[0] != digest:
            return (
                Cause.CORPUS_ALTERED,
                f"the stored text changed; it last verified on {verified[1]}",
            )
        if verified and self._is_newer(self.baseline.consolidated_from):
            # Whatever differs, the law was not amended: an older text is compared with.
            return Cause.UNKNOWN_NO_BASELINE, (
                "the text compared with is the consolidation from"
                f" {self._today.reading.identity.consolidated_from}, older than that from"
                f" {self.baseline.consolidated_from} which an earlier run compared with (CG509)"
            )
        if verified:
            if set(located.sections) & self.changed or (not located.sections and self.changed):
                return (
                    Cause.SOURCE_AMENDED,
                    f"the law changed after it last verified on {verified[1]}",
                )
            return Cause.READER_CHANGED, "neither text nor law changed since it verified"
        if self.baseline.as_of and any(
            old.consolidated_from == self.baseline.as_of for old in self._older
        ):
            return Cause.INGESTED_WRONG, f"the law of {self.baseline.as_of} does not say it either"
        if self.baseline.as_of and (
            self.baseline.as_of == self._today.reading.identity.consolidated_from
        ):
            return Cause.INGESTED_WRONG, "it was ingested from the consolidation of today"
        return Cause.UNKNOWN_NO_BASELINE, ""


def judge(today: Official, located: Located) -> Judged:
    """Choose the official stretch that a passage in pieces is compared with, and compare.

    A passage whose only differences are typographic, or in history notes or headings, has its law
    right: it is settled as placed, with the mild findings that ``text_findings`` writes.
    """
    judged = Judged(located)
    linear = today.linear
    if located.place is not Place.PIECES:
        if located.match is not None:
            judged.first, judged.last = located.match.begin, located.match.end
            judged.section = _section_of(today, [located.match], located.sections)
            if located.place is Place.TYPOGRAPHIC:
                judged.comparison = compare_folded(linear, located.match, located.words)
        elif located.sections:
            judged.section = located.sections[0]
            inner = located.claim.subsection if located.claim else ""
            judged.first, judged.last = today.unit(judged.section, inner)
        return judged
    judged.section = _section_of(today, located.pieces, located.sections)
    place = _reordered(today, located)
    if place is not None:
        judged.first, judged.last = place
        judged.comparison = compare(linear, *place, located.words)
        return judged
    near, low, high = _near(today, located, judged.section)
    first = min(p.begin for p in near)
    last = max(p.end for p in near)
    head = near[0].first if near[0] is located.pieces[0] else 0
    tail = len(located.words) - near[-1].last if near[-1] is located.pieces[-1] else 0
    # Words without a place at the edges stand for as many official ones, inside the same section.
    judged.first = max(min(low, first), first - head)
    judged.last = min(max(high, last), last + tail)
    judged.comparison = compare(linear, judged.first, judged.last, located.words)
    outside = _outside(today, located)
    if judged.comparison.classes <= set(_MILD) and not outside:
        runs = tuple(run for piece in near for run in piece.runs)
        located.match = Match(tuple(sorted(runs)), 0, len(located.words))
        located.place = Place.TYPOGRAPHIC
    return judged


def _reordered(today: Official, located: Located) -> tuple[int, int] | None:
    """The stretch of which a passage holds all words of law, and no others, in another order.

    Pieces can't tell it: a phrase that was moved may stand, in the right order, somewhere else. So
    the claimed places are tried, and what is as long as the passage around its longest piece.
    """
    linear, stored = today.linear, located.words
    longest = max(located.pieces, key=lambda piece: piece.last - piece.first)
    low, high = 0, len(linear.words)
    places = []
    for section in located.sections:
        inner = located.claim.subsection if located.claim else ""
        places += [today.unit(section, inner), today.unit(section)]
        if linear.section[linear.seg_of[longest.begin]] == section:
            low, high = today.unit(section)
    first = today.law_and_stubs(longest.begin - 1, low - 1, longest.first) + 1
    last = today.law_and_stubs(longest.end, high, len(stored) - longest.last)
    places.append((first, last))
    return next((place for place in places if is_reordered(linear, *place, stored)), None)


def _near(today: Official, located: Located, section: str) -> tuple[list[Match], int, int]:
    """The pieces that tell where a passage stands, and the bounds of its place.

    A passage that claims nothing may run over several sections: what counts is what lies within
    its own length in law around its longest piece, for a phrase far away only happens to be equal.
    """
    linear = today.linear
    pieces = list(located.pieces)
    if located.locator is Locator.UNMAPPED:
        longest = max(pieces, key=lambda piece: piece.last - piece.first)
        size = len(located.words)
        near = [p for p in pieces if today.law_between(p.begin, longest.begin) <= size]
        return near, 0, len(linear.words)
    near = [p for p in pieces if linear.section[linear.seg_of[p.begin]] == section]
    low, high = today.unit(section) if section else (0, 0)
    if low >= high:
        low, high = 0, len(linear.words)
    return near or pieces, low, high


def _section_of(today: Official, pieces: Sequence[Match], wanted: tuple[str, ...]) -> str:
    linear = today.linear
    counts: Counter[str] = Counter()
    for piece in pieces:
        for start, end in piece.runs:
            segment = linear.seg_of[start]
            weight = end - start if linear.channel[segment] is Channel.BODY else 0
            counts[linear.section[segment]] += weight
    for section in wanted:
        if counts[section] > 0:
            return section
    return max(counts, key=lambda section: counts[section]) if counts else ""


def _outside(today: Official, located: Located) -> int:
    """Words of law that a passage takes from sections other than the claimed one."""
    if located.locator is not Locator.FOUND:
        return 0
    linear = today.linear
    return sum(
        end - start
        for piece in located.pieces
        for start, end in piece.runs
        if linear.channel[linear.seg_of[start]] is Channel.BODY
        and linear.section[linear.seg_of[start]] not in located.sections
    )


def is_partly_misfiled(today: Official, located: Located) -> bool:
    """Whether a passage in pieces holds text of another section than it claims."""
    return located.place is Place.PIECES and _outside(today, located) >= _PARTLY


def text_findings(today: Official, judged: Judged, causes: Causes, digest: str) -> list[Finding]:
    """The L1 findings of one passage."""
    located = judged.located
    if located.place is Place.EXACT:
        return _label_findings(today, judged)
    if located.place is Place.TYPOGRAPHIC:
        return _mild_findings(today, judged) + _label_findings(today, judged)
    if located.place is Place.ELSEWHERE or located.stub:
        return []
    if is_partly_misfiled(today, located) and judged.section not in located.sections:
        return []
    return [_difference(today, judged, causes, digest)]


def _mild_findings(today: Official, judged: Judged) -> list[Finding]:
    passage = judged.located.passage
    comparison = judged.comparison
    if comparison is None:
        return []
    return [
        draft(
            rule,
            today.document.id,
            _MILD_MESSAGE[rule],
            section=judged.section,
            provision=_pid(today, judged.first),
            passage=passage.id,
            row=passage.row,
            where=passage.where,
            differences=[kind],
            official=today.linear.text(judged.first, judged.last),
            stored=passage.text,
            diff=comparison.diff,
        )
        for kind, rule in _MILD.items()
        if kind in comparison.classes
    ]


def _label_findings(today: Official, judged: Judged) -> list[Finding]:
    located, passage = judged.located, judged.located.passage
    found = []
    if located.prefix:
        head = " ".join(located.words[: located.prefix])
        found.append(
            draft(
                "CG105",
                today.document.id,
                "begins with a label made of the law's own headings; declare it as strip_prefix",
                severity=Severity.WARNING,
                section=judged.section,
                passage=passage.id,
                row=passage.row,
                where=passage.where,
                stored=head,
            )
        )
    glued = _glued_heading(today, located)
    message = "ends with the heading of the provision that follows it"
    if located.suffix:
        heads = " ".join(located.words[-located.suffix :])
        glued = f"{glued} {heads}".lstrip()
        message = f"ends with headings that do not follow it in the law: {heads[:120]!r}"
    if glued:
        found.append(
            draft(
                "CG102",
                today.document.id,
                message,
                section=judged.section,
                passage=passage.id,
                row=passage.row,
                where=passage.where,
                differences=[Difference.HEADING],
                stored=passage.text[-400:],
                official=glued,
            )
        )
    return found


def _glued_heading(today: Official, located: Located) -> str:
    """The next provision's headnote at the end of a passage that claims a section."""
    if located.locator is not Locator.FOUND or located.match is None:
        return ""
    linear = today.linear
    tail: list[str] = []
    runs = list(located.match.runs)

    def is_next(segment: int) -> bool:
        """A heading, or the number of another section: "(1)" after a sentence says nothing."""
        channel = linear.channel[segment]
        number = channel is Channel.MARKER and linear.section[segment] not in located.sections
        return number or channel in (Channel.HEADNOTE, Channel.HEADING)

    while runs and is_next(linear.seg_of[runs[-1][0]]):
        start, end = runs.pop()
        tail.insert(0, linear.text(start, end))
    law_before = any(linear.channel[linear.seg_of[start]] is Channel.BODY for start, _ in runs)
    return " ".join(tail) if law_before else ""


def _difference(today: Official, judged: Judged, causes: Causes, digest: str) -> Finding:
    located, passage = judged.located, judged.located.passage
    comparison = judged.comparison
    cause, known = causes.of(located, digest)
    verified_before = passage.row in causes.baseline.passages
    rule, message = "CG101", ""
    if comparison is None:
        message = "the stored words do not stand in the official text"
        if not located.words:
            message = "the passage has no words"
    elif comparison.only_order:
        rule, message = "CG202", "the official words are there, in another order"
    elif _only_a_prefix(today, located):
        rule, message = "CG105", "begins with words that are not the law's"
    elif not comparison.new:
        message = f"leaves out {counted(len(comparison.gone), 'official word')} in the middle"
    else:
        message = _counted(comparison)
    if verified_before and cause is Cause.SOURCE_AMENDED:
        rule = "CG106"
    elif verified_before and cause is Cause.CORPUS_ALTERED:
        rule = "CG107"
    elif verified_before and cause is Cause.READER_CHANGED:
        rule = "CG108"
    if looks_like_mojibake(passage.text) and not looks_like_mojibake(today.reading.text):
        message += "; the stored text was decoded with the wrong character set"
    return draft(
        rule,
        today.document.id,
        f"{message}; {known}" if known else message,
        severity=Severity.ERROR,
        section=judged.section or _claimed(located),
        provision=_pid(today, judged.first) if judged.last > judged.first else "",
        passage=passage.id,
        row=passage.row,
        where=passage.where,
        cause=cause,
        differences=comparison.classes if comparison else [Difference.WORDING],
        official=today.linear.text(judged.first, min(judged.last, judged.first + 400)),
        stored=passage.text,
        diff=comparison.diff if comparison else "",
    )


def _only_a_prefix(today: Official, located: Located) -> bool:
    """Whether what stands before the law is a label, rather than law with a word changed."""
    if len(located.pieces) != 1 or located.pieces[0].last != len(located.words):
        return False
    piece = located.pieces[0]
    if not 0 < piece.first <= piece.last // 2:
        return False
    linear = today.linear
    segment = linear.seg_of[piece.begin]
    low, _ = today.unit(linear.section[segment])
    before = range(max(low, piece.begin - 8 * piece.first), piece.begin)
    law = Counter(linear.words[n] for n in before if is_current(linear, linear.seg_of[n]))
    return 2 * (Counter(located.words[: piece.first]) & law).total() < piece.first


def _counted(comparison: Comparison) -> str:
    kinds = sorted(kind.value for kind in comparison.classes)
    gone = counted(len(comparison.gone), "official word")
    return (
        f"the stored words differ ({', '.join(kinds)}): {gone} "
        f"missing or replaced, {counted(len(comparison.new), 'stored word')} not official"
    )


def _claimed(located: Located) -> str:
    return located.sections[0] if located.sections else (located.passage.section or "")


def _pid(today: Official, position: int) -> str:
    linear = today.linear
    if position >= len(linear.seg_of):
        return ""
    return linear.pid[linear.seg_of[position]]


def heading_finding(today: Official, judged: Judged, expected: str | None) -> Finding | None:
    """CG102 for a stored heading field that is not the official heading.

    With an expected heading (a rebuilding recipe) the two must be equal. Without one the stored
    heading must hold one of the section's headings whole: corpora add citations and Part titles.
    """
    passage = judged.located.passage
    if passage.heading is None or not judged.located.law_is_equal or not judged.section:
        return None
    stored = words_of(passage.heading)
    known = today.headings.get(judged.section, [])
    if expected is not None:
        official_, good = expected, stored == words_of(expected)
    else:
        notes = [part for heading in known for part in heading.split(" / ")]
        official_ = " / ".join(dict.fromkeys(notes))
        good = not stored or not notes or any(_holds(stored, words_of(note)) for note in notes)
    if good:
        return None
    return draft(
        "CG102",
        today.document.id,
        "the stored heading is not a heading of this section",
        section=judged.section,
        passage=passage.id,
        row=passage.row,
        where=passage.where,
        differences=[Difference.HEADING],
        official=official_,
        stored=passage.heading,
    )


def _holds(words: list[str], part: list[str]) -> bool:
    size = len(part)
    return bool(part) and any(words[i : i + size] == part for i in range(len(words) - size + 1))
