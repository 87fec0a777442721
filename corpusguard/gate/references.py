"""Which provisions a provision names: ``subsections (1) to (3)``, ``clause 63 (1) (a)``.

Read token by token in one pass, so that no text takes more than linear time. A provision of another
Act ("section 9 of the Lamp Act", "of that Act") is one here only where the number is the same.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_UNITS: Final = frozenset(
    "section sections subsection subsections clause clauses subclause subclauses paragraph "
    "paragraphs subparagraph subparagraphs rule rules s ss subs cl § "
    "article articles art arts paragraphe paragraphes alinéa alinéas disposition dispositions "
    "sous-alinéa sous-alinéas sous-disposition sous-dispositions".split()
)
_NUMBERED_BELOW: Final = frozenset(
    "paragraph paragraphs subparagraph subparagraphs disposition dispositions".split()
)
"""Units whose bare number is one of a list ("paragraph 1 of subsection (2)"), not of a section."""
_ABBREVIATED: Final = frozenset({"s", "ss", "cl", "subs", "art", "arts"})
_JOINTS: Final = frozenset({",", "and", "or", "nor", "&", "/", "et", "ou", "ni"})
_TO: Final = frozenset({"to", "through", "à", *"-‑–—−"})
_NUMBER: Final = re.compile(r"\d{1,5}[a-z]{0,2}(?:\.\d{1,4}[a-z]{0,2}){0,6}")
_BRACKETED: Final = re.compile(r"\(((?:\d+[a-z]{0,2}|[a-z]{1,2}|[ivxl]{3,})(?:\.\d+[a-z]?)*)\)")
"""Not a word: "section 12 (lamps)"."""
_OF: Final = frozenset({"of", "du", "de"})
_LAWS: Final = frozenset("act code regulation regulations rules charter bylaw by-law loi".split())
_LONGEST_TITLE: Final = 14
_DEEPEST: Final = 8
"""Of "clause (a) of paragraph 2 of subsection (1) of section 9", which is three; a hostile text has
thousands."""


class Reference(NamedTuple):
    """One provision named, or all from it to ``until``."""

    section: str
    """Empty: that of the provision that names it."""
    inside: str
    """Subsection; empty: the whole section, or a limb of the naming provision's own."""
    until: str = ""
    """Last of a range: a section where ``inside`` is empty, otherwise a subsection."""


class Mention(NamedTuple):
    """A run of tokens, from ``start`` to ``end``, that names provisions."""

    start: int
    end: int
    references: tuple[Reference, ...]


def mentions(words: Sequence[str]) -> Iterator[Mention]:
    """Yield where the case-folded tokens ``words`` name provisions, in order."""
    at = 0
    while at < len(words):
        if words[at] not in _UNITS:
            at += 1
            continue
        found = _one(words, at)
        if found is None:
            at += 1
            continue
        at = found.end
        yield found


def _one(words: Sequence[str], start: int, deep: int = 0) -> Mention | None:
    at = start + 1
    if words[start] in _ABBREVIATED:
        if words[at : at + 1] != ["."]:
            return None
        at += 1
    places, at = _places(words, at)
    if not places:
        return None
    places = _known(words[start], places)
    if words[at : at + 1] and words[at] in _OF and words[at + 1 : at + 2]:
        if deep < _DEEPEST and words[at + 1] in _UNITS and (outer := _one(words, at + 1, deep + 1)):
            named = outer.references[0].section if outer.references else ""
            inner = tuple(
                one._replace(section=named) if one.inside and not one.section and named else one
                for one in places
            )
            if not outer.references:
                return Mention(start, outer.end, ())
            # Of "clause 1 of section 12" the 1 is no section, but nothing tells it from one.
            inherits = (
                named
                and all(one.inside for one in inner)
                and all(not one.inside for one in outer.references)
            )
            return Mention(
                start, outer.end, inner if inherits and inner else inner + outer.references
            )
        if end := _other_law(words, at + 1):
            # Its title may be this law's own, so the same number counts as named.
            return Mention(start, end, tuple(one for one in places if one.section))
    return Mention(start, at, places)


def _known(unit: str, places: tuple[Reference, ...]) -> tuple[Reference, ...]:
    """Read numbers as the unit means them, and drop those of a list."""
    if unit in {"subsection", "subsections", "subs"} and not any(one.inside for one in places):
        # "subsection 1", without brackets.
        return tuple(Reference("", one.section, one.until) for one in places)
    if unit not in _NUMBERED_BELOW:
        return places
    return tuple(one for one in places if one.inside)


def _places(words: Sequence[str], at: int) -> tuple[tuple[Reference, ...], int]:
    """Return the places from token ``at``, and where they end."""
    found: list[Reference] = []
    end = at
    section = ""
    ranged = False
    while at < len(words):
        if _NUMBER.fullmatch(words[at]):
            section, at = words[at], at + 1
            inside = _bracketed(words, at)
            at += bool(inside)
        elif inside := _bracketed(words, at):
            at += 1
        else:
            break
        while _bracketed(words, at):
            at += 1
        if ranged and found:
            last = found.pop()
            if not last.inside or last.section == section:
                found.append(last._replace(until=inside if last.inside else section))
            else:
                # "subsections 11 (3) to 12 (2)": all of both sections, to be on the safe side.
                found += (Reference(last.section, "", section), Reference(section, inside))
        else:
            found.append(Reference(section, inside))
        end = at
        joined = ranged = False
        while at < len(words) and (words[at] in _JOINTS or words[at] in _TO):
            ranged = ranged or words[at] in _TO
            joined, at = True, at + 1
        if not joined:
            break
    return tuple(found), end


def _bracketed(words: Sequence[str], at: int) -> str:
    found = _BRACKETED.fullmatch(words[at]) if at < len(words) else None
    return found[1] if found else ""


def _other_law(words: Sequence[str], at: int) -> int:
    """Return where the name of another law that begins at ``at`` ends, or 0."""
    if words[at] == "that":
        return at + 2
    if words[at] not in {"the", "la", "l'"} or words[at + 1 : at + 2] in (["act"], ["loi"]):
        return 0
    for index in range(at + 1, min(at + _LONGEST_TITLE, len(words))):
        if words[index] in _LAWS:
            return index + 1
        if words[index] in _UNITS or words[index] in {".", ";"}:
            break
    return 0


def covers(reference: Reference, section: str, inside: str, own: str) -> bool:
    """Tell whether ``reference`` names a provision.

    Args:
        reference: As named.
        section: Of the provision asked about; empty where the text does not say.
        inside: Its subsection, or empty.
        own: Section of the provision that names it.
    """
    if not reference.inside and reference.until:
        return not section or _between(reference.section, section, reference.until)
    named = reference.section or own
    if named and section and named != section:
        return False
    if not reference.inside or not inside or reference.inside == inside:
        return True
    return bool(reference.until) and _between(reference.inside, inside, reference.until)


def _between(low: str, number: str, high: str) -> bool:
    first, last = sorted((_key(low), _key(high)))
    return first <= _key(number) <= last


def _key(number: str) -> tuple[tuple[int, int, str], ...]:
    parts: Iterable[str] = re.findall(r"\d+|[a-z]+", number)
    return tuple((0, int(one), "") if one.isdigit() else (1, 0, one) for one in parts)
