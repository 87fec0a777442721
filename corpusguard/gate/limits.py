"""How the other provisions of a passage limit one of them, without its words saying so.

``(2) Subsection (1) does not apply to a livestock ferry`` makes ``(1) A ferry may sail at night``,
quoted alone, a false statement. Whether one provision limits another cannot be told for certain
from words. So a provision counts as limiting another unless there is nothing in it that could: it
limits what it names ("subsection (1)", "sections 63 to 70", "this section"), all of the passage
where it excepts from "this Act" or "this Part", and its section where it begins like an exception
("However", "Despite") or speaks of application, exemption, exclusion, force or repeal. Two cases
are provably none: what it is itself *subject to*, and an exception from a provision that it names
and that is another one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from corpusguard.gate.references import Reference, covers, mentions
from corpusguard.gate.words import composed, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_QUOTED: Final = 160
_ANY: Final = "*"
_MOST_RANGES: Final = 200
"""Ranges looked through for each provision; where there are more, all are taken as limited."""

_EXCEPTS: Final = frozenset(
    "despite notwithstanding except excepting excepted however but nonobstant malgré sauf "
    "toutefois cependant".split()
)
_SPEAKS: Final = re.compile(
    r"\b(?:exempt\w*|exclu[ds]\w*|exception\w*|immune|waive[ds]?|disregard\w*|inapplicable"
    r"|(?:not|no|only|never) appl\w+|not extend|appl(?:y|ies) (?:only|to|where|when|if|with|in|on)"
    r"|applies|applicable|nothing in|non-application"
    r"|despite|notwithstanding|malgré|nonobstant|foregoing|preceding|previous|above|aforesaid"
    r"|into force|in force|no (?:further )?(?:force|effect|application)"
    r"|takes? effect|ha(?:s|ve) effect"
    r"|repeal\w*|revok\w*|rescind\w*|supersed\w*|suspend\w*|expires?|ceases?|lapses?|sunset\w*"
    r"|par dérogation|dérog\w*|ne vise\w* (?:pas|que)|ne s'appliqu\w+|s'applique\w*|abrog\w*"
    r"|en vigueur|soustrait\w*|dispens\w*|except(?:é|ion)\w*)"
)
_APPLICANT: Final = re.compile(
    r"\b(?:may|shall|must|can|to|person|who) apply (?:to (?:the|a|an) \w+|for)\b"
)
"""Who asks the Board for something: this is no rule about what applies."""
_NEGATES: Final = re.compile(
    r"\b(?:not?|nor|never|none|nothing|neither|only|unless|ne|n'\w+|aucun\w*|seul\w*)\b"
)
_DEFINES: Final = re.compile(
    r"\b(?:not?|nor|never|neither|only|means?|includ\w+|deem\w*|consider\w*|treat\w*|regarded)\b"
)
_HERE: Final = re.compile(
    r"\bthis (?:sub)?section\b|\b(?:les? |du |au )?présent(?:e|s)? (?:article|paragraphe)s?\b"
)
_ABOVE: Final = re.compile(
    r"\bthis (?:act|part|chapter|division|title|regulation|code|law|schedule|rule|by ?- ?law)\b"
    r"|\bparts? (?:[ivxl]+|\d+)\b|\bprésente? (?:loi|partie|règlement|code|chapitre|annexe)\b"
)
_SCOPE: Final = re.compile(r"^(?:in|for the purposes? of) this \w+")


_TAKES_OUT: Final = re.compile(
    r"\b(?:not apply(?! for)|no application|despite|notwithstanding|except\w*|exempt\w*"
    r"|exclu[ds]\w*|exclusion\w*|however|nothing in|inapplicable|not affect\w*|without regard to"
    r"|no (?:further )?(?:force|effect)|(?:is|are) repealed|ceases? to|inoperative"
    r"|ne s'appliqu\w+|ne vise\w*|malgré|nonobstant|sauf|toutefois|cependant|soustrait\w*"
    r"|dispens\w*|par dérogation|abrog\w*)\b"
)
"""An exception in so many words."""


class Unit(NamedTuple):
    """What the text of a passage holds as one provision."""

    section: str
    subsection: str
    words: tuple[str, ...]
    """Tokens as printed."""
    defined: frozenset[str] = frozenset()
    """Terms that it defines, case-folded."""


@dataclass(slots=True)
class Limits:
    """Who limits whom in one passage; numbers are places in its list of units."""

    units: list[Unit]
    named: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    ranges: list[tuple[Reference, int]] = field(default_factory=list)
    siblings: dict[str, list[int]] = field(default_factory=dict)
    all: list[int] = field(default_factory=list)
    terms: dict[str, list[int]] = field(default_factory=dict)

    def of(self, number: int) -> str:
        """Return the words by which another unit limits this one, or nothing."""
        for one in self.limiting(number):
            return " ".join(self.units[one].words)[:_QUOTED]
        return ""

    def limiting(self, number: int) -> Iterator[int]:
        """Yield the places of the units that limit this one."""
        return (one for one in self._limiting(self.units[number]) if one != number)

    def _limiting(self, unit: Unit) -> Iterable[int]:
        # A number that the text does not give may be any, on either side.
        for section in (unit.section or _ANY, ""):
            yield from self.named.get((section, unit.subsection or _ANY), ())
            yield from self.named.get((section, ""), ())
        yield from self.all
        yield from self.siblings.get(unit.section, ())
        for term in unit.defined:
            yield from self.terms.get(term, ())
        if len(self.ranges) > _MOST_RANGES:
            yield from (place for _, place in self.ranges)
        for reference, place in self.ranges[:_MOST_RANGES]:
            own = self.units[place].section
            if covers(reference, unit.section, unit.subsection, own):
                yield place


def limits(units: list[Unit]) -> Limits:
    """Return who limits whom among the provisions of one passage."""
    found = Limits(units)
    terms = frozenset().union(*(unit.defined for unit in units))
    for number, unit in enumerate(units):
        _read(found, number, unit, terms)
    return found


@lru_cache(maxsize=4096)
def excepted(around: tuple[tuple[str, str, str], ...], section: str, subsection: str) -> str:
    """Return the words of a section by which another subsection takes from one, or nothing.

    Narrower than ``limits``: these subsections are not in the passage that is cited, and most
    name each other without taking anything away. So it must say an exception, too.

    Args:
        around: (section, subsection, words) of each subsection.
        section: Locator of the one asked about.
        subsection: Its number. Where there is none of this number, all are asked about.
    """
    units = [
        Unit(place.casefold(), number, tuple(one.text for one in tokens(composed(words))))
        for place, number, words in around
    ]
    found = limits(units)
    own = [
        at
        for at, unit in enumerate(units)
        if (unit.section, unit.subsection) == (section.casefold(), subsection)
    ]
    for at in own or range(len(units)):
        for other in found.limiting(at):
            words = " ".join(units[other].words)
            if _TAKES_OUT.search(words.casefold()):
                return words[:_QUOTED]
    return ""


def _read(found: Limits, number: int, unit: Unit, terms: frozenset[str]) -> None:
    low = [word.casefold() for word in unit.words]
    rest: list[str] = []
    at = 0
    for mention in mentions(low):
        rest += low[at : mention.start]
        at = mention.end
        if rest[-2:] == ["subject", "to"]:
            continue
        for one in mention.references:
            _name(found, number, unit, one)
        at = _drop_exception(rest, low, at)
    rest += low[at:]
    text, bare = " ".join(low), " ".join(rest)
    if _HERE.search(bare.replace("subject to this section", "")):
        _put(found, number, unit.section, "")
    bare = _APPLICANT.sub(" ", bare)
    excepts = bool(_EXCEPTS & set(rest)) or _SPEAKS.search(bare) is not None
    if _ABOVE.search(_SCOPE.sub("", text)) and (
        excepts or (_NEGATES.search(bare) and not unit.defined)
    ):
        _add(found.all, number)
    if excepts and _begins_or_speaks(rest, bare):
        _add(found.siblings.setdefault(unit.section, []), number)
    if terms and _DEFINES.search(bare):
        for term in _terms_in(low, terms):
            _add(found.terms.setdefault(term, []), number)


def _name(found: Limits, number: int, unit: Unit, one: Reference) -> None:
    if one.until:
        found.ranges.append((one, number))
    elif one.section or one.inside[:1].isdigit():
        # A bare "(a)" is a limb of the naming provision itself.
        inside = one.inside if one.inside[:1].isdigit() else ""
        _put(found, number, one.section or unit.section, inside)


def _put(found: Limits, number: int, section: str, inside: str) -> None:
    for key in ((section, inside), (section, _ANY), (_ANY, inside), (_ANY, _ANY)):
        _add(found.named.setdefault(key, []), number)


def _add(places: list[int], number: int) -> None:
    """Keep the first two: one of them is another than the unit asked about."""
    if len(places) < 2 and number not in places:
        places.append(number)


def _drop_exception(rest: list[str], low: list[str], at: int) -> int:
    """Leave out the words that except from the provision named just before ``at``.

    "Despite subsection (4)," and "Subsection (4) does not apply" are about (4) and no other.
    """
    for lead in (("anything", "in"), ("the", "provisions", "of")):
        if tuple(rest[-len(lead) :]) == lead:
            del rest[-len(lead) :]
    if rest and rest[-1] in {"despite", "notwithstanding", "malgré", "nonobstant"}:
        rest.pop()
    for said in (("does", "not", "apply"), ("do", "not", "apply"), ("applies",), ("apply",)):
        if tuple(low[at : at + len(said)]) == said:
            return at + len(said)
    return at


def _begins_or_speaks(rest: list[str], bare: str) -> bool:
    """Tell whether an exception stands at the beginning of a sentence, or is spoken of anywhere."""
    begins = {0} | {index + 1 for index, word in enumerate(rest) if word in {".", ";"}}
    return any(rest[at : at + 1] and rest[at] in _EXCEPTS for at in begins) or (
        _SPEAKS.search(bare) is not None
    )


def _terms_in(low: list[str], terms: frozenset[str]) -> set[str]:
    """Return the defined terms, of one word or several, that stand among the words."""
    longest = max(len(term.split()) for term in terms)
    found = set()
    for at in range(len(low)):
        for end in range(at + 1, min(at + longest, len(low)) + 1):
            words = " ".join(low[at:end])
            found |= {words, words.removesuffix("s")} & terms
    return found
