"""Seeded rules that make a wrong sentence out of a right one, one rule per kind.

Each takes the provision, one of its sentences and the law around it, and returns the changed
sentence, or None where the sentence offers no place. They work on any statute in English: what
they look for (a number with its unit, a clause that begins with "unless", "shall") is what
drafting guides prescribe. They can miss: whether a sentence is in fact unsupported is for the
labellers to say.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from corpusguard.measure.gate.items import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from random import Random

    from corpusguard.measure.gate.law import Base, Section


@dataclass(frozen=True, slots=True)
class Around:
    """What a rule may know of the law around a sentence."""

    numbers: Sequence[str]
    """Numbers of the law's sections."""
    actors: Sequence[str]
    """Who acts in it, without article, as ``keeper`` or ``Ferry Board``."""


_MONTH: Final = (
    r"January|February|March|April|May|June|July|August|September|October|November|December"
)
_NUMBER: Final = re.compile(r"(?<![\w.,:(])(?<![Ss]ection )(?<![Ss]ection \d\d or )\d+(?::00)?\b")
_SUBJECT: Final = re.compile(
    r"(?:^|(?<=, )|(?<=and )|(?<=but )|(?=\w+ [A-Z]))"
    r"(?P<article>[Tt]he|[Aa]n?|[Ee]very)\s"
    r"(?P<noun>[A-Z][a-z]+(?: (?:of )?[A-Z][a-z]+)*|[a-z]+(?:er|or|ee|ant|ist)(?: [a-z]+er)?)"
    r"(?=\s(?:shall|may|must)\b)"
)
"""Who does something: a name anywhere, a common noun where a clause begins, else "the owner of a
well shall" would let the well act."""


def actors(texts: Sequence[str]) -> list[str]:
    """Return who acts in these texts: what stands as the subject of shall, may or must."""
    found = {match["noun"] for text in texts for match in _SUBJECT.finditer(text)}
    return sorted(found)


def wrong_number(section: Section, base: Base, _around: Around, random: Random) -> str | None:
    """Change one number that is not a section's."""
    places = [m for m in _NUMBER.finditer(base.text) if not _is_reference(base.text, m)]
    if not places:
        return None
    place = random.choice(places)
    options = _other_numbers(place[0], base.text[place.end() :])
    fresh = [o for o in options if not re.search(rf"(?<!\d){o}(?!\d)", section.source)]
    if not fresh:
        return None
    return base.text[: place.start()] + random.choice(fresh) + base.text[place.end() :]


def _is_reference(text: str, place: re.Match[str]) -> bool:
    return bool(re.search(r"[Ss]ections? (?:\d+ (?:or|and|to) )?$", text[: place.start()]))


def _other_numbers(number: str, rest: str) -> list[str]:
    if number.endswith(":00"):
        hour = int(number[:-3])
        return [f"{(hour + shift) % 24:02}:00" for shift in (-2, -1, 1, 2)]
    value = int(number)
    if re.match(rf"\s(?:{_MONTH})\b", rest):
        return [str(day) for day in (8, 10, 15, 20) if day != value]
    if value >= 1900:
        return [str(value + shift) for shift in (-2, -1, 1, 2)]
    if value == 1:
        return []  # "1 year" would become "3 year", which its grammar gives away
    return [str(value + 1), str(value * 2), str(value * 3)]


def wrong_section(section: Section, base: Base, around: Around, random: Random) -> str | None:
    """Say that it stands in another section."""
    named = set(re.findall(r"\d+", section.source)) | {section.number}
    others = [number for number in around.numbers if number not in named]
    if not others:
        return None
    form = random.choice(("Section {} provides that {}", "Under section {}, {}"))
    return form.format(random.choice(others), lowered(base.text))


_INVERSIONS: Final = (
    (r"\bunless\b", "if"),
    (r"\bonly if\b", "unless"),
    (r"(?<!only )\bif\b", "unless"),
    (r"\bonly with\b", "only without"),
    (r"\bat least\b", "at most"),
    (r"\bnot more than\b", "not less than"),
    (r"\bmore than\b(?<!not more than)", "less than"),
    (r"\bor more\b", "or fewer"),
    (r"\bbefore\b(?! all)", "after"),
    (r"\bwithout the\b", "with the"),
    (r"\bexcept (?=in|on|a\b)", "including "),
    (r"\babove\b", "below"),
)


def inverted_condition(_s: Section, base: Base, _around: Around, random: Random) -> str | None:
    """Turn one condition into its opposite."""
    places = [
        (match, new)
        for old, new in _INVERSIONS
        for match in re.finditer(old, base.text, re.IGNORECASE)
    ]
    if not places:
        return None
    match, new = random.choice(places)
    if match[0][0].isupper():
        new = new[0].upper() + new[1:]
    return base.text[: match.start()] + new + base.text[match.end() :]


_QUALIFIERS: Final = (
    "but only on a working day",
    "but only with the written leave of the Council",
    "but only if a fee of 2 crowns was paid before",
    "but only where two witnesses are present",
    "but only in the summer months",
    "but only if a magistrate has confirmed it",
    "but only for persons who have lived on the island for a year",
    "but only between sunrise and noon",
    "but only if nobody objects within a week",
    "but only once in each calendar year",
)


def added_qualifier(section: Section, base: Base, _around: Around, random: Random) -> str | None:
    """Add a condition that the law does not know."""
    new = [q for q in _QUALIFIERS if q.split()[-1] not in section.source]
    return f"{base.text.rstrip('.')}, {random.choice(new)}." if new else None


def wrong_actor(_section: Section, base: Base, around: Around, random: Random) -> str | None:
    """Let someone else act."""
    match = _SUBJECT.search(base.text)
    if match is None:
        return None
    noun = match["noun"]
    others = [
        one
        for one in around.actors
        if one[0].isupper() == noun[0].isupper() and one.lower() not in base.text.lower()
    ]
    if not others:
        return None
    other, article = random.choice(others), match["article"]
    if article.lower() in ("a", "an"):
        fitting = "an" if other[0] in "aeiou" else "a"
        article = fitting.capitalize() if article[0].isupper() else fitting
    return f"{base.text[: match.start()]}{article} {other}{base.text[match.end() :]}"


_OUTCOMES: Final = (
    (r"\bis void\b", "is valid"),
    (r"\bcommits an offence\b", "commits no offence"),
    (r"\bis liable to\b", "is not liable to"),
    (r"\bis entitled to\b", "is not entitled to"),
    (r"\bshall refuse\b", "shall grant"),
    (r"\bis deemed\b", "is not deemed"),
    (r"\bdeemed given\b", "deemed refused"),
    (r"\blapses\b", "is prolonged"),
    (r"\bis barred\b", "is not barred"),
    (r"\bbelongs to\b", "does not belong to"),
    (r"\bis allowed\b", "is forbidden"),
    (r"\bdoes not apply\b", "applies"),
    (r"\bshall not\b", "may"),
    (r"\bshall return\b", "may keep"),
    (r"\bshall repair\b", "shall replace"),
    (r"\bstands until\b", "is suspended until"),
    (r"\bfree of charge\b", "at half the price"),
    (r"\bis proof that\b", "is no proof that"),
    (r"\bshall close\b", "shall repair"),
    (r"\bmay suspend\b", "may withdraw"),
    (r"\bin equal parts\b", "in parts that the Council sets"),
)


def wrong_outcome(_section: Section, base: Base, _around: Around, random: Random) -> str | None:
    """Give the same facts another consequence."""
    places = [(m, new) for old, new in _OUTCOMES for m in re.finditer(old, base.text)]
    if not places:
        return None
    match, new = random.choice(places)
    return base.text[: match.start()] + new + base.text[match.end() :]


_CONDITIONS: Final = (
    r",? (?:unless|except|provided that|only if) [^,;.]*(?:, [^,;.]*)?(?=\.$)",
    r",? (?:unless|except|provided that|only if) [^,;.]*(?=[,;])",
    r"(?<! or)(?<! but),? (?:if|where|while) [^,;.]*(?=\.$|[,;])",
    r", but (?:no|does not|may not|shall carry) [^;.]*(?=\.$)",
)


def dropped_condition(_s: Section, base: Base, _around: Around, random: Random) -> str | None:
    """Leave out one condition or exception; what remains is the law's own words."""
    places = []
    for pattern in _CONDITIONS:
        for match in re.finditer(pattern, base.text):
            before = re.split(r"[,;]", base.text[: match.start()])[-1]
            # "…, or within 2 days if it is dangerous": without the clause it is an alternative.
            if not before.lstrip().startswith("or "):
                places.append(match)
    if not places:
        return None
    match = random.choice(places)
    return base.text[: match.start()] + base.text[match.end() :]


_MODALS: Final = (
    (r"(?<!No person )(?<!no person )(?<!no cart )\bshall not\b", "need not"),
    (r"(?<!No person )(?<!no person )(?<!no cart )\bshall\b(?! not)", "may"),
    (r"\bmust\b(?! not)", "may"),
    (r"\bmay\b(?! not)", "shall"),
)


def modal_shift(_section: Section, base: Base, _around: Around, random: Random) -> str | None:
    """Turn a duty into a choice, or a choice into a duty."""
    places = [(m, new) for old, new in _MODALS for m in re.finditer(old, base.text)]
    if not places:
        return None
    match, new = random.choice(places)
    return base.text[: match.start()] + new + base.text[match.end() :]


def value_swap(_section: Section, base: Base, _around: Around, random: Random) -> str | None:
    """Let two values of the sentence change places, of one unit where there are such."""
    places = [
        match
        for match in _NUMBER.finditer(base.text)
        if not _is_reference(base.text, match)
        and match[0] != "1"  # "2 crown" would give the swap away
        and not re.match(rf"\s(?:{_MONTH})\b", base.text[match.end() :])
    ]
    pairs = [
        (one, other)
        for n, one in enumerate(places)
        for other in places[n + 1 :]
        if one[0] != other[0] and (":" in one[0]) == (":" in other[0])
    ]
    if not pairs:
        return None
    same = [pair for pair in pairs if _unit(base.text, pair[0]) == _unit(base.text, pair[1])]
    one, other = random.choice(same or pairs)
    text = base.text
    return (
        f"{text[: one.start()]}{other[0]}{text[one.end() : other.start()]}{one[0]}"
        f"{text[other.end() :]}"
    )


def _unit(text: str, place: re.Match[str]) -> str:
    word = re.match(r"\s(\w+)", text[place.end() :])
    return word[1].rstrip("s") if word else ""


def version_swap(_section: Section, base: Base, _around: Around, _random: Random) -> str | None:
    """Say what an earlier version said."""
    return base.former or None


_PLAUSIBLE: Final = (
    ("appeal", "A person affected by section {n} may appeal to the Council within 30 days."),
    ("fine", "A person who contravenes section {n} is liable to a fine of 150 crowns."),
    ("gazette", "A decision under section {n} shall be published in the island gazette."),
    ("witness", "What section {n} requires has to be done before two witnesses."),
    ("record", "A record of everything done under section {n} is to be kept for 6 years."),
    ("interest", "Money owed under section {n} bears interest of 4 per cent a year."),
)


def unsupported_plausible(s: Section, _base: Base, _around: Around, random: Random) -> str | None:
    """Say what such a law might well say, and this provision does not."""
    options = [text for word, text in _PLAUSIBLE if word not in s.source.lower()]
    return random.choice(options).format(n=s.number) if options else None


def lowered(sentence: str) -> str:
    """Return the sentence as it goes on after a comma."""
    return sentence[0].lower() + sentence[1:]


RULES: Final[Mapping[Kind, Callable[[Section, Base, Around, Random], str | None]]] = {
    Kind.WRONG_NUMBER: wrong_number,
    Kind.WRONG_SECTION: wrong_section,
    Kind.INVERTED_CONDITION: inverted_condition,
    Kind.ADDED_QUALIFIER: added_qualifier,
    Kind.WRONG_ACTOR: wrong_actor,
    Kind.WRONG_OUTCOME: wrong_outcome,
    Kind.DROPPED_CONDITION: dropped_condition,
    Kind.MODAL_SHIFT: modal_shift,
    Kind.VALUE_SWAP: value_swap,
    Kind.VERSION_SWAP: version_swap,
    Kind.UNSUPPORTED_PLAUSIBLE: unsupported_plausible,
}
"""One rule for each kind."""
