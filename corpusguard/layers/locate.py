"""Where each passage stands in the official text: exactly, elsewhere, in pieces, or nowhere.

Steps, for a passage whose words are P:

1. read the claimed locator; its scope is that section (no locator mapped: the whole document);
2. look for P, exactly, in the scope; then with quotes, dashes and case folded; then with a first
   and last word that a window cut in two;
3. look for P, exactly or folded, in the rest of the document (misfiled);
4. look for P without headings at its end that are not its own;
5. cut P into the longest pieces that do stand in the document, those in scope first.

A phrase that the law repeats is given to rows by claimed section, then in order; one row never
covers two places.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import takewhile
from typing import TYPE_CHECKING, Final

from corpusguard.layers.cuts import find_cuts
from corpusguard.layers.locators import Claim, Inventory, read_claim
from corpusguard.layers.matching import Index, Match, walk
from corpusguard.layers.words import typographic_fold, words_of
from corpusguard.model import Channel, Status

if TYPE_CHECKING:
    from collections.abc import Callable

    from corpusguard.layers.linear import Linear
    from corpusguard.model import Passage

_MOST_WORDS: Final = 20_000
"""A longer passage that does not stand in the law as a whole is not taken to pieces: one made of
the law's commonest phrase would take minutes."""
_SMALLEST_PIECE: Final = 4
_FOREIGN: Final = 8
"""Fewer words than this, found elsewhere, are no evidence of a foreign text."""
_MOST_HEAD_WORDS: Final = 40
"""Most words of headings that are taken off the end of a passage."""


class Place(StrEnum):
    """The answer for one passage."""

    EXACT = "exact"
    TYPOGRAPHIC = "typographic"
    ELSEWHERE = "elsewhere"
    PIECES = "pieces"
    NOWHERE = "nowhere"


class Locator(StrEnum):
    """What became of the claimed locator."""

    UNMAPPED = "unmapped"
    UNREADABLE = "unreadable"
    UNKNOWN = "unknown"
    UNKNOWABLE = "unknowable"
    FOUND = "found"


@dataclass(slots=True)
class Located:
    """One passage and where it stands."""

    passage: Passage
    words: list[str]
    claim: Claim | None
    locator: Locator
    sections: tuple[str, ...]
    """Official locators that the claim means; empty: no scope."""
    place: Place = Place.NOWHERE
    match: Match | None = None
    pieces: tuple[Match, ...] = ()
    places: tuple[Match, ...] = ()
    """Every place that it could take, where the law repeats its words."""
    cut_words: int = 0
    """Words at the edges that a window cut in two; they are in no span."""
    typographic: bool = False
    stub: bool = False
    """The claimed section is a repealed, revoked, omitted or spent stub."""
    prefix: int = 0
    """Leading words that are a label made of the law's own headings; they are in no span."""
    suffix: int = 0
    """Trailing words that are headings of other provisions; they are in no span."""

    @property
    def law_is_equal(self) -> bool:
        """Whether its words of law are official, under the claimed section."""
        return self.place in (Place.EXACT, Place.TYPOGRAPHIC)


def folded_copy(linear: Linear) -> Linear:
    """The same text with quotes, dashes and case folded; segments and positions are the same."""
    folds = {word: typographic_fold(word) for word in set(linear.words)}
    return replace(linear, words=[folds[word] for word in linear.words])


def label_word(word: str) -> str:
    """A word of a label, for comparison: folded, without punctuation around it."""
    return typographic_fold(word).strip("\"'()[]{},;:.!?-|/#*")


def is_label(words: list[str], phrases: frozenset[tuple[str, ...]]) -> bool:
    """Whether words are whole phrases in a row: headings, the title, a number, "s.".

    Whole ones, because the words of a law's headings alone can be put together to a sentence that
    says the opposite of the law ("No" of "No refund" before "fee is reduced").
    """
    folded = [word for word in map(label_word, words) if word]
    longest = max(map(len, phrases), default=0)
    position = 0
    while position < len(folded):
        for size in range(min(longest, len(folded) - position), 0, -1):
            if tuple(folded[position : position + size]) in phrases:
                position += size
                break
        else:
            return False
    return True


class Locate:
    """Locates passages in one document."""

    def __init__(
        self,
        linear: Linear,
        inventory: Inventory,
        stubs: frozenset[str] = frozenset(),
        labels: Callable[[str], frozenset[tuple[str, ...]]] = lambda _locator: frozenset(),
    ) -> None:
        """Index the document.

        Args:
            linear: the official text.
            inventory: its section-level units.
            stubs: locators of sections that are nothing but a stub.
            labels: gives, for a locator, the phrases (folded words) that a label before its text
                may be made of.
        """
        self.linear = linear
        self.inventory = inventory
        self._stubs = stubs
        self._labels = labels
        self._index: Index | None = None
        self._folded: Index | None = None
        self._heads: dict[str, set[tuple[str, ...]]] | None = None
        self._starts: dict[str, list[int]] = {}
        for segment, section in enumerate(linear.section):
            if section:
                self._starts.setdefault(section, []).append(segment)
        self._used: set[tuple[int, int]] = set()
        self._cursor: dict[str, int] = {}

    def forget_rows(self) -> None:
        """Give all places free again, for another corpus."""
        self._used.clear()
        self._cursor.clear()

    def passage(self, passage: Passage, words: list[str] | None = None) -> Located:
        """Locate one passage; ``words`` when a known prefix was taken off already."""
        stored = words_of(passage.text) if words is None else words
        found = self._claim(passage, stored)
        if not stored:
            return found
        inside = self.inside_of(found)
        scoped = found.locator in (Locator.FOUND, Locator.UNMAPPED)
        good = [match for match in self._at_starts(found) if inside(match)]
        if good:
            found.match, found.place = self.choose(found, good), Place.EXACT
            return found
        headed = found.locator is not Locator.UNMAPPED
        for matches, typographic, cut in self._attempts(stored, headed=headed):
            good = [match for match in matches if inside(match)] if scoped else []
            if good:
                found.match = self.choose(found, good)
                found.place = Place.TYPOGRAPHIC if typographic else Place.EXACT
                found.typographic, found.cut_words = typographic, cut
                found.suffix = 0 if cut else len(stored) - found.match.last
                return found
            if matches and not cut:
                found.match = self.choose(found, matches)
                found.suffix = len(stored) - found.match.last
                found.place, found.typographic = Place.ELSEWHERE, typographic
                return found
        if len(stored) <= _MOST_WORDS:
            found.pieces = self._pieces(stored, found)
        if found.pieces:
            found.place = Place.PIECES
            self._take_label_off(found, inside if scoped else None)
        return found

    def _take_label_off(self, found: Located, inside: Callable[[Match], bool] | None) -> None:
        """A label of the law's own headings before the text is a prefix, not a difference."""
        piece = found.pieces[0]
        head = found.words[: piece.first]
        if inside is None or piece.last != len(found.words) or not inside(piece):
            return
        known = self._labels(self.linear.section[self.linear.seg_of[piece.begin]])
        if is_label(head, known):
            found.match, found.place, found.prefix = piece, Place.EXACT, len(head)

    @property
    def index(self) -> Index:
        """The index of the whole document, built when a passage is not where it should be."""
        if self._index is None:
            self._index = Index(self.linear)
        return self._index

    def _at_starts(self, found: Located) -> list[Match]:
        """Places in the claimed sections where a segment begins with the passage.

        Most passages of a sound corpus begin where a provision does; they need no index.
        """
        linear, stored = self.linear, found.words
        words = linear.words
        places = []
        for section in found.sections:
            for segment in self._starts.get(section, ()):
                at = linear.seg_first[segment]
                if words[at] != stored[0]:
                    continue
                result = walk(linear, stored, at)
                if result.reached == len(stored):
                    places.append(Match(result.runs, 0, len(stored)))
        return places

    def _claim(self, passage: Passage, stored: list[str]) -> Located:
        if passage.section is None:
            return Located(passage, stored, None, Locator.UNMAPPED, ())
        claim = read_claim(passage.section, passage.subsection)
        if claim is None:
            return Located(passage, stored, None, Locator.UNREADABLE, ())
        sections = tuple(self.inventory.find(claim.section))
        if sections:
            stub = all(section in self._stubs for section in sections)
            return Located(passage, stored, claim, Locator.FOUND, sections, stub=stub)
        if self.inventory.in_unknown_range(claim.section):
            return Located(passage, stored, claim, Locator.UNKNOWABLE, ())
        return Located(passage, stored, claim, Locator.UNKNOWN, ())

    def _attempts(self, stored: list[str], *, headed: bool) -> list[tuple[list[Match], bool, int]]:
        exact = self.index.matches(stored)
        if exact:
            return [(exact, False, 0)]
        folded = self._fold().matches([typographic_fold(word) for word in stored])
        if folded:
            return [(folded, True, 0)]
        cuts = [cut for cut in find_cuts(self.index, stored) if not cut.numbers]
        if cuts:
            return [([cut.match for cut in cuts], False, cuts[0].fragments)]
        return [(self._without_heads(stored), False, 0)] if headed else []

    def _without_heads(self, stored: list[str]) -> list[Match]:
        """Places of a passage without headings at its end that do not follow it in the law.

        Ingestion that cuts at paragraphs keeps the headnotes of provisions whose text it lost.
        Headings are no law: they are taken off whole, fewest first, and what is left must stand.
        """
        if self._heads is None:
            self._heads = {}
            linear = self.linear
            for segment, channel in enumerate(linear.channel):
                if channel is Channel.HEADNOTE or channel is Channel.HEADING:
                    words = linear.words[linear.seg_first[segment] : linear.seg_last[segment]]
                    self._heads.setdefault(words[-1], set()).add(tuple(words))
        ends = {len(stored)}
        while ends:
            end = max(ends)
            ends.remove(end)
            for head in self._heads.get(stored[end - 1], ()):
                start = end - len(head)
                if start < 1 or len(stored) - start > _MOST_HEAD_WORDS:
                    continue
                if tuple(stored[start:end]) == head:
                    matches = self.index.matches(stored[:start])
                    if matches:
                        return matches
                    ends.add(start)
        return []

    def _fold(self) -> Index:
        if self._folded is None:
            self._folded = Index(folded_copy(self.linear))
        return self._folded

    def inside_of(self, found: Located) -> Callable[[Match], bool]:
        """Tells of a place whether its law lies in the section that a passage claims."""
        if found.locator is not Locator.FOUND:
            return lambda _match: True
        linear, sections = self.linear, set(found.sections)

        def inside(match: Match) -> bool:
            segments = {linear.seg_of[start] for start, _ in match.runs}
            law = [s for s in segments if linear.channel[s] is Channel.BODY]
            within = law or list(segments)
            return all(linear.section[segment] in sections for segment in within)

        return inside

    def choose(self, found: Located, matches: list[Match]) -> Match:
        """In force before future, claimed subsection before others, then the next unused place."""
        key = found.claim.section if found.claim else ""
        cursor = self._cursor.get(key, 0)

        def rank(match: Match) -> tuple[bool, bool, bool, bool, int]:
            return (
                self.future_words(match) > 0,
                not self.in_subsection(match, found),
                (match.begin, match.end) in self._used,
                match.begin < cursor,
                match.begin,
            )

        if len(matches) > 1:
            found.places = tuple(matches)
        chosen = min(matches, key=rank) if found.places else matches[0]
        self._used.add((chosen.begin, chosen.end))
        self._cursor[key] = chosen.begin
        return chosen

    def future_words(self, match: Match) -> int:
        """How many words of text not yet in force a match takes."""
        linear = self.linear
        return sum(
            end - start
            for start, end in match.runs
            if linear.status[linear.seg_of[start]] is Status.NOT_IN_FORCE
            and linear.channel[linear.seg_of[start]] is Channel.BODY
        )

    def in_subsection(self, match: Match, found: Located) -> bool:
        """Whether some of a match's law lies in the claimed subsection, where one is claimed."""
        if not found.claim or not found.claim.subsection:
            return True
        linear = self.linear
        wanted = found.claim.subsection
        return any(
            wanted in linear.subsection[linear.seg_of[start]].split("~")
            for start, _ in match.runs
            if linear.channel[linear.seg_of[start]] is Channel.BODY
        )

    def _pieces(self, stored: list[str], found: Located) -> tuple[Match, ...]:
        """Cut a passage into the pieces that stand in the official text, in the passage's order.

        The claimed section is asked first, for the whole passage. Only a long rest is looked for
        elsewhere: laws repeat their phrases, and a changed word must not make the words after it
        look like a neighbour's.
        """
        if not found.sections:
            return tuple(self._cover(stored, 0, len(stored), None))
        scope = self._scope(found)
        inside = self._cover(stored, 0, len(stored), scope)
        pieces: list[Match] = []
        position = 0
        for piece in [*inside, None]:
            end = piece.first if piece is not None else len(stored)
            if end - position >= _FOREIGN:
                pieces += [
                    other
                    for other in self._cover(stored, position, end, None)
                    if other.last - other.first >= _FOREIGN
                ]
            if piece is not None:
                pieces.append(piece)
                position = piece.last
        return tuple(pieces)

    def _cover(
        self, stored: list[str], first: int, last: int, scope: set[int] | None
    ) -> list[Match]:
        """Longest pieces of ``stored[first:last]``, one after the other, within a scope."""
        pieces: list[Match] = []
        words = stored[:last]
        position, previous = first, -1
        while position < last:
            piece = self._longest(words, position, scope, previous)
            if piece is None:
                position += 1
                continue
            pieces.append(piece)
            position, previous = piece.last, piece.end
        return pieces

    def _scope(self, found: Located) -> set[int]:
        wanted = set(found.sections)
        return {s for s, section in enumerate(self.linear.section) if section in wanted}

    def _longest(
        self, stored: list[str], position: int, scope: set[int] | None, previous: int
    ) -> Match | None:
        """The longest piece that begins here; of several, the one that follows the last piece."""
        best: Match | None = None
        best_key: tuple[int, bool, int] = (0, False, 0)
        for match in self.index.partial(stored, position, scope):
            piece = match if scope is None else self._trimmed(match, scope)
            if piece is None or piece.last - position < _SMALLEST_PIECE:
                continue
            follows = piece.begin >= previous
            key = (piece.last - position, follows, -abs(piece.begin - previous))
            if best is None or key > best_key:
                best, best_key = piece, key
        return best

    def _trimmed(self, match: Match, scope: set[int]) -> Match | None:
        """The part of a piece that lies in the scope, from its beginning on."""
        seg_of = self.linear.seg_of
        runs = tuple(takewhile(lambda run: seg_of[run[0]] in scope, match.runs))
        if not runs:
            return None
        length = sum(end - start for start, end in runs)
        return Match(runs, match.first, match.first + length)
