"""What a law takes from one of its provisions in another section.

``Section 12 does not apply to a raft`` may stand in section 3 or in section 190, and a reader of
section 12 is not told. Within a passage and within a section nearly any word may mean the provision
beside it (``limits``); a whole law has too many for that. So across sections a provision derogates
only where an exception is tied to the number that it names: "Despite section 12", "exempt from
sections 10 to 14", "Sections 10, 11 and 12 do not apply", "nothing in subsection 12 (1) limits".

What a law says of all of itself ("This Act does not apply to ...") is not among them: it would be
said of every sentence, and a reader expects it in the first sections.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final, NamedTuple

from corpusguard.gate.exceptions import leads, points_back, takes
from corpusguard.gate.references import Mention, Reference, covers, mentions
from corpusguard.gate.whose import OwnLaw
from corpusguard.gate.words import composed, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corpusguard.gate.words import Token

_JOINTS: Final = frozenset({",", "and", "or", "nor", "&", "/", "et", "ou", "ni"})
_ENDS: Final = frozenset({".", ";", ":"})
_REACH: Final = 40
"""Words on either side of a place that are asked whether they take from it."""
_LONGEST_ASIDE: Final = 60
"""Tokens between round brackets; what is longer is read with the rest."""
_WORD_INSIDE: Final = re.compile(r"\((?![ivxl]+\))[a-z]{3,}\)")
"""One word is a token with its brackets, as a letter is: "sections 11 (lamps) and 12"."""
_SHOWN: Final = 80
"""Characters of each end of a derogation's words."""
_SHOWN_WORDS: Final = 8
_ELIDED: Final = re.compile(r"^[ld]'(?=\w)")


class Derogation(NamedTuple):
    """One exception from a provision of another section."""

    place: str
    """Where it is said: ``6.1`` or ``6.1(2)``."""
    section: str
    """Its section's locator, case-folded."""
    named: Reference
    """From what it takes."""
    words: str
    """As printed; a long list of numbers without its middle."""

    def reaches(self, section: str, subsection: str = "") -> bool:
        """Tell whether it takes from a provision of another section than its own.

        Args:
            section: Its section's locator, case-folded.
            subsection: Its number; empty: all of the section.
        """
        return self.section != section and covers(
            self.named, section, subsection.casefold(), self.section
        )


def derogations(
    provisions: Iterable[tuple[str, str, str]], title: str = "", *, subordinate: bool = False
) -> tuple[Derogation, ...]:
    """Return what the provisions of one law take from provisions of other sections.

    Args:
        provisions: (section, subsection, words) of each that is in force.
        title: Of the law; "section 12 of the Lamp Act" is this law's where it is the Lamp Act.
        subordinate: Whether it is a regulation: "section 12 of the Act" is another law's, then.
    """
    own = OwnLaw(title, subordinate=subordinate)
    return tuple(
        Derogation(section + (f"({number})" if number else ""), section.casefold(), named, words)
        for section, number, text in provisions
        for named, words in _of(text, own)
        if named.until or named.section != section.casefold()
    )


def taken(found: Iterable[Derogation], section: str, subsection: str) -> str:
    """Return the words that take from a provision and where they stand, or nothing.

    Args:
        found: Of its law.
        section: Its section; what is said in this section itself is not told here.
        subsection: Its number; empty: all of the section.
    """
    own = section.casefold()
    for one in found:
        if one.reaches(own, subsection):
            return f"section {one.place}: {one.words}"
    return ""


class _Place(NamedTuple):
    """Where a list of provisions is named: "subsection 4 (1), section 9 and clause 12 (a)"."""

    start: int
    end: int
    named: tuple[Reference, ...]


def _of(text: str, own: OwnLaw) -> Iterator[tuple[Reference, str]]:
    text = _plain(composed(text))
    printed = tokens(text)
    low = [_ELIDED.sub("", one.text.casefold()) for one in printed]
    back = points_back(" ".join(low))
    for sequence in _read_apart(low):
        words = [low[at] for at in sequence]
        places = list(_places(words, own))
        for place, takes_here in zip(places, _taking(words, places), strict=True):
            if back or takes_here:
                shown = _shown(text, printed, sequence[place.start], sequence[place.end - 1] + 1)
                for named in place.named:
                    yield named, shown


def _plain(text: str) -> str:
    """Fold digits and letters of other widths, and blank raised ones; no offset changes."""
    return text if text.isascii() else "".join(map(_plain_letter, text))


def _plain_letter(letter: str) -> str:
    if letter.isdigit() and not letter.isdecimal():
        # The mark of a footnote is no part of the number before it.
        return " "
    folded = unicodedata.normalize("NFKC", letter)
    return folded if len(folded) == 1 else letter


def _read_apart(low: Sequence[str]) -> Iterator[list[int]]:
    """Yield what stands in round brackets, each by itself, and then all the rest."""
    inside: set[int] = set()
    opened = -1
    for at, word in enumerate(low):
        if _WORD_INSIDE.fullmatch(word):
            inside.add(at)
        elif word == "(":
            opened = at
        elif word == ")" and opened >= 0:
            if at - opened <= _LONGEST_ASIDE:
                inside.update(range(opened, at + 1))
                yield list(range(opened + 1, at))
            opened = -1
    yield [at for at in range(len(low)) if at not in inside]


def _places(words: Sequence[str], own: OwnLaw) -> Iterator[_Place]:
    """Yield where provisions are named; such as are joined by "and" or "or" are one place."""
    waiting: list[Mention] = []
    joined = False
    for mention in mentions(words):
        between = words[waiting[-1].end : mention.start] if waiting else ()
        if waiting and not all(one in _JOINTS for one in between):
            yield from _listed(words, waiting, own, joined=joined)
            waiting, joined = [], False
        else:
            # Of "despite section 9, section 12 applies" only the comma is between.
            joined = any(one != "," for one in between)
        waiting.append(mention)
    yield from _listed(words, waiting, own, joined=joined)


def _listed(
    words: Sequence[str], listed: list[Mention], own: OwnLaw, *, joined: bool
) -> Iterator[_Place]:
    each = [
        _Place(
            one.start,
            one.end,
            ()
            if own.names_another(words, one.start, one.end)
            else tuple(_reaching(named) for named in one.references if named.section),
        )
        for one in listed
    ]
    if joined:
        named = tuple(named for one in each for named in one.named)
        each = [_Place(each[0].start, each[-1].end, named)]
    yield from each


def _reaching(named: Reference) -> Reference:
    """Return a reference whose letter without a subsection means all of the section."""
    return named if named.inside[:1].isdigit() else named._replace(inside="")


def _taking(words: Sequence[str], places: Sequence[_Place]) -> Iterator[bool]:
    """Yield of each place whether the words around it take from it."""
    said: list[str] = []
    ats: list[int] = []
    last = 0
    for place in places:
        said += words[last : place.start]
        ats.append(len(said))
        said.append("@")
        last = place.end
    said += words[last:]
    led, colon = False, 0
    for at in ats:
        for here in range(colon, at):
            if said[here] == ":":
                led = leads(" ".join(said[_begin(said, here) : here]))
        colon = max(colon, at)
        if led:
            yield True
            continue
        end = next(
            (here for here in range(at + 1, min(len(said), at + _REACH)) if said[here] in _ENDS),
            min(len(said), at + _REACH),
        )
        before = " ".join(said[_begin(said, at) : at])
        yield takes(before, "".join(f" {one}" for one in said[at + 1 : end]))


def _begin(said: Sequence[str], at: int) -> int:
    """Return where the sentence that ``at`` is in begins, if not too far before."""
    first = max(0, at - _REACH)
    return next((here + 1 for here in range(at - 1, first - 1, -1) if said[here] in _ENDS), first)


def _shown(text: str, printed: Sequence[Token], start: int, end: int) -> str:
    first = printed[max(0, start - _SHOWN_WORDS)].start
    last = printed[min(len(printed), end + _SHOWN_WORDS) - 1].end
    words = " ".join(text[first:last].split())
    if len(words) <= 2 * _SHOWN:
        return words
    return f"{words[:_SHOWN]} … {words[-_SHOWN:]}"
