"""Stored corpora with one planted fault each.

A mutant is a list of passages that was sound, one fault planted by a seeded choice, and what a
verifier must say: any of these rules, at this section. The kinds are those that real pipelines
produce (a truncation, a shifted label, text of a window that got lost), not random noise.

``Shape`` says how the corpus claims its places: some faults can't be seen in some shapes, and
``plant`` then returns None: a heading that was never stored can't be wrong, text of a neighbour at
the end of an unlabelled window is what overlapping windows look like, and a tail that the next
window repeats is not lost.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from corpusguard.model import Channel, Passage, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

    from corpusguard.model import Reading


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
    """At any of these locators; empty: anywhere."""
    what: str
    """What was changed, for a person."""


@dataclass(frozen=True, slots=True)
class Sound:
    """A sound corpus to plant faults in."""

    passages: tuple[Passage, ...]
    reading: Reading
    shape: Shape
    other_law: str = "No person shall moor a vessel at a pier without the leave of the master."
    """Text of another law, for the fault of that kind."""


_ANY_NUMBER: Final = re.compile(r"(?<![\w.(,])\d{1,4}(?![\w.)])")
_MODAL: Final = re.compile(r"\b(?:shall|may|must)\b")
_NOT: Final = re.compile(r"\bnot ")
_QUOTES: Final = re.compile("[“”’]")
_DASHES: Final = re.compile("[–—]")
_DIGITS: Final = str.maketrans("0123456789", "1234567890")


def _spots(sound: Sound, pattern: re.Pattern[str]) -> list[tuple[int, re.Match[str]]]:
    return [
        (index, match)
        for index, passage in enumerate(sound.passages)
        for match in pattern.finditer(passage.text)
        # Not at the very edges: there a window may cut a word.
        if 20 < match.start() < len(passage.text) - 20
    ]


def _with(sound: Sound, index: int, text: str) -> tuple[Passage, ...]:
    passages = list(sound.passages)
    passages[index] = replace(passages[index], text=text)
    return tuple(passages)


def _at(sound: Sound, *indexes: int) -> frozenset[str]:
    return frozenset(sound.passages[i].section or "" for i in indexes) - {""}


def _substitute(
    kind: str,
    pattern: re.Pattern[str],
    change: Callable[[str], str],
    rules: frozenset[str],
) -> Callable[[Sound, Random], Mutant | None]:
    def plant_it(sound: Sound, random: Random) -> Mutant | None:
        spots = _spots(sound, pattern)
        if not spots:
            return None
        index, match = random.choice(spots)
        text = sound.passages[index].text
        new = change(match[0])
        changed = text[: match.start()] + new + text[match.end() :]
        what = f"{match[0]!r} became {new!r} in {sound.passages[index].id}"
        return Mutant(kind, _with(sound, index, changed), rules, _at(sound, index), what)

    return plant_it


def _long(sound: Sound, words: int) -> list[int]:
    return [i for i, p in enumerate(sound.passages) if len(p.text.split()) >= words]


def _dropped_tail(sound: Sound, random: Random) -> Mutant | None:
    usable = _long(sound, 14)
    if sound.shape is Shape.WINDOWS or not usable:
        return None
    index = random.choice(usable)
    text = sound.passages[index].text
    cut = len(text) - random.randint(len(text) // 5, len(text) // 2)
    kept = text[: text.rfind(" ", 0, cut)].rstrip()
    return Mutant(
        "dropped_tail",
        _with(sound, index, kept),
        frozenset({"CG307"}),
        _at(sound, index),
        f"{len(text) - len(kept)} characters cut off {sound.passages[index].id}",
    )


def _dropped_middle(sound: Sound, random: Random) -> Mutant | None:
    usable = _long(sound, 24)
    if not usable:
        return None
    index = random.choice(usable)
    words = sound.passages[index].text.split(" ")
    size = random.randint(3, max(3, len(words) // 4))
    start = random.randint(8, len(words) - size - 8) if len(words) - size > 16 else 8
    kept = words[:start] + words[start + size :]
    return Mutant(
        "dropped_middle",
        _with(sound, index, " ".join(kept)),
        frozenset({"CG101"}),
        _at(sound, index),
        f"{size} words dropped from the middle of {sound.passages[index].id}",
    )


def _dropped_row(sound: Sound, random: Random) -> Mutant | None:
    rows = [
        node.text
        for node in sound.reading.provisions
        if node.kind.value == "row" and node.status is Status.IN_FORCE
    ]
    usable = [
        (index, row)
        for index, passage in enumerate(sound.passages)
        for row in rows
        if _squeezed(passage.text).find(_squeezed(row)) > 0
        and not _squeezed(passage.text).endswith(_squeezed(row))
    ]
    if not usable:
        return None
    index, row = random.choice(usable)
    kept = _squeezed(sound.passages[index].text).replace(_squeezed(row) + " ", "", 1)
    return Mutant(
        "dropped_table_row",
        _with(sound, index, kept),
        frozenset({"CG101"}),
        _at(sound, index),
        f"a table row dropped from {sound.passages[index].id}",
    )


def _squeezed(text: str) -> str:
    return " ".join(text.split())


def _in_force(sound: Sound, index: int) -> bool:
    section = sound.passages[index].section
    return any(
        node.section == section and node.status is Status.IN_FORCE and node.text
        for node in sound.reading.provisions
    )


def _section_deleted(sound: Sound, random: Random) -> Mutant | None:
    sections = sorted(
        {p.section for i, p in enumerate(sound.passages) if p.section and _in_force(sound, i)}
    )
    if sound.shape is Shape.WINDOWS or len(sections) < 2:
        return None
    gone = random.choice(sections)
    return Mutant(
        "section_deleted",
        tuple(p for p in sound.passages if p.section != gone),
        frozenset({"CG301"}),
        frozenset({gone}),
        f"every passage of s. {gone} deleted",
    )


def _section_invented(sound: Sound, random: Random) -> Mutant | None:
    if sound.shape is Shape.WINDOWS:
        return None
    index = random.randrange(len(sound.passages))
    number = f"{random.randint(900, 999)}"
    invented = replace(
        sound.passages[index],
        id=f"invented-{number}",
        section=number,
        subsection=None,
        heading=None,
        ordinal=None,
        row=len(sound.passages),
        text=f"{number} Every person who stores this text invents a section of law.",
    )
    return Mutant(
        "section_invented",
        (*sound.passages, invented),
        frozenset({"CG302"}),
        frozenset({number}),
        f"section {number} invented",
    )


def _swapped(sound: Sound, random: Random) -> Mutant | None:
    usable = [i for i in _long(sound, 10) if _in_force(sound, i)]
    if sound.shape is Shape.WINDOWS or len(usable) < 2:
        return None
    first = random.choice(usable)
    others = [i for i in usable if sound.passages[i].section != sound.passages[first].section]
    if not others:
        return None
    second = random.choice(others)
    passages = list(sound.passages)
    a, b = passages[first], passages[second]
    passages[first], passages[second] = replace(a, text=b.text), replace(b, text=a.text)
    return Mutant(
        "sections_swapped",
        tuple(passages),
        frozenset({"CG203"}),
        _at(sound, first, second),
        f"the texts of s. {a.section} and s. {b.section} swapped",
    )


def _heading_wrong(sound: Sound, random: Random) -> Mutant | None:
    usable = [i for i, p in enumerate(sound.passages) if p.heading]
    if not usable:
        return None
    index = random.choice(usable)
    passages = list(sound.passages)
    passages[index] = replace(passages[index], heading="Disposal of abandoned submarines")
    return Mutant(
        "heading_wrong",
        tuple(passages),
        frozenset({"CG102"}),
        _at(sound, index),
        f"the heading of {passages[index].id} replaced",
    )


def _case_changed(sound: Sound, random: Random) -> Mutant | None:
    usable = _long(sound, 10)
    index = random.choice(usable)
    words = sound.passages[index].text.split(" ")
    spots = [n for n, w in enumerate(words[2:-2], 2) if w.isalpha() and w.upper() != w]
    if not spots:
        return None
    spot = random.choice(spots)
    before, words[spot] = words[spot], words[spot].swapcase()
    return Mutant(
        "case_changed",
        _with(sound, index, " ".join(words)),
        frozenset({"CG104"}),
        _at(sound, index),
        f"{before!r} became {words[spot]!r} in {sound.passages[index].id}",
    )


def _order_changed(sound: Sound, random: Random) -> Mutant | None:
    usable = [i for i, p in enumerate(sound.passages) if len(p.text.splitlines()) >= 3]
    random.shuffle(usable)
    for index in usable:
        lines = sound.passages[index].text.splitlines()
        spot = random.randint(1, len(lines) - 2)
        if lines[spot].split() == lines[spot + 1].split():
            continue
        lines[spot], lines[spot + 1] = lines[spot + 1], lines[spot]
        return Mutant(
            "order_changed",
            _with(sound, index, "\n".join(lines)),
            frozenset({"CG202"}),
            _at(sound, index),
            f"two lines of {sound.passages[index].id} swapped",
        )
    return None


def _neighbour_appended(sound: Sound, random: Random) -> Mutant | None:
    usable = [
        i
        for i in range(len(sound.passages) - 1)
        if sound.passages[i].section != sound.passages[i + 1].section
        and len(sound.passages[i + 1].text.split()) >= 12
        and _in_force(sound, i)
        and _in_force(sound, i + 1)
    ]
    if sound.shape is Shape.WINDOWS or not usable:
        return None
    index = random.choice(usable)
    text = sound.passages[index].text + "\n" + sound.passages[index + 1].text
    return Mutant(
        "neighbour_appended",
        _with(sound, index, text),
        frozenset({"CG203"}),
        _at(sound, index),
        f"the text of the next section appended to {sound.passages[index].id}",
    )


def _duplicate_id(sound: Sound, random: Random) -> Mutant | None:
    first, second = random.sample(range(len(sound.passages)), 2)
    passages = list(sound.passages)
    passages[second] = replace(passages[second], id=passages[first].id)
    return Mutant(
        "duplicate_id",
        tuple(passages),
        frozenset({"CG303"}),
        _at(sound, first, second),
        f"row {second} has the id of row {first}",
    )


def _mojibake(sound: Sound, random: Random) -> Mutant | None:
    spots = _spots(sound, _QUOTES)
    if not spots:
        return None
    index, _ = random.choice(spots)
    text = sound.passages[index].text
    wrong = text.encode("utf-8").decode("cp1252", "replace")
    return Mutant(
        "mojibake",
        _with(sound, index, wrong),
        frozenset({"CG101"}),
        _at(sound, index),
        f"{sound.passages[index].id} decoded with the wrong character set",
    )


def _window_lost(sound: Sound, random: Random) -> Mutant | None:
    if sound.shape is Shape.LABELLED or len(sound.passages) < 4:
        return None
    index = random.randint(1, len(sound.passages) - 2)
    passages = tuple(p for i, p in enumerate(sound.passages) if i != index)
    return Mutant(
        "window_lost",
        passages,
        frozenset({"CG306", "CG301"}),
        frozenset(),
        f"window {sound.passages[index].id} lost",
    )


def _not_in_force(sound: Sound, random: Random) -> Mutant | None:
    future = [
        segment
        for segment in sound.reading.segments
        if segment.status is Status.NOT_IN_FORCE
        and segment.channel is Channel.BODY
        and segment.end - segment.start > 60
    ]
    if not future:
        return None
    segment = random.choice(future)
    node = sound.reading.provisions[segment.provision]
    labelled = sound.shape is Shape.LABELLED
    added = replace(
        sound.passages[0],
        id="future",
        row=len(sound.passages),
        section=node.section if labelled else None,
        subsection=None,
        heading=None,
        ordinal=None,
        text=sound.reading.text[segment.start : segment.end],
    )
    return Mutant(
        "not_in_force_included",
        (*sound.passages, added),
        frozenset({"CG305"}),
        frozenset({node.section}),
        f"text of {node.pid}, not in force, stored as law",
    )


def _wrong_document(sound: Sound, random: Random) -> Mutant | None:
    usable = [i for i in range(len(sound.passages)) if _in_force(sound, i)]
    usable = usable or list(range(len(sound.passages)))
    index = random.choice(usable)
    return Mutant(
        "wrong_document",
        _with(sound, index, sound.other_law),
        frozenset({"CG101"}),
        _at(sound, index),
        f"{sound.passages[index].id} holds text of another law",
    )


def _lost_hyphen(sound: Sound, random: Random) -> Mutant | None:
    spots = _spots(sound, re.compile("\u2011"))
    if not spots:
        return None
    index, match = random.choice(spots)
    text = sound.passages[index].text
    return Mutant(
        "lost_non_breaking_hyphen",
        _with(sound, index, text[: match.start()] + text[match.end() :]),
        frozenset({"CG101"}),
        _at(sound, index),
        f"a non-breaking hyphen lost in {sound.passages[index].id}",
    )


_WORDS: Final = frozenset({"CG101"})
_TYPOGRAPHY: Final = frozenset({"CG104"})

KINDS: Final[dict[str, Callable[[Sound, Random], Mutant | None]]] = {
    "number": _substitute("number", _ANY_NUMBER, lambda found: found.translate(_DIGITS), _WORDS),
    "negation": _substitute("negation", _NOT, lambda _: "", _WORDS),
    "modal": _substitute(
        "modal", _MODAL, lambda found: "may" if found != "may" else "shall", _WORDS
    ),
    "dropped_tail": _dropped_tail,
    "dropped_middle": _dropped_middle,
    "dropped_table_row": _dropped_row,
    "section_deleted": _section_deleted,
    "section_invented": _section_invented,
    "sections_swapped": _swapped,
    "heading_wrong": _heading_wrong,
    "case_changed": _case_changed,
    "quotes_replaced": _substitute(
        "quotes_replaced", _QUOTES, lambda found: "'" if found == "’" else '"', _TYPOGRAPHY
    ),
    "dashes_replaced": _substitute("dashes_replaced", _DASHES, lambda _: "-", _TYPOGRAPHY),
    "order_changed": _order_changed,
    "neighbour_appended": _neighbour_appended,
    "duplicate_id": _duplicate_id,
    "mojibake": _mojibake,
    "lost_non_breaking_hyphen": _lost_hyphen,
    "window_lost": _window_lost,
    "not_in_force_included": _not_in_force,
    "wrong_document": _wrong_document,
}
"""Kind -> planter; None where the kind does not exist in this corpus or can't be seen in it."""


def plant(kind: str, sound: Sound, random: Random) -> Mutant | None:
    """Plant one fault of a kind, or return None where the corpus offers no place for it."""
    return KINDS[kind](sound, random)


def kinds() -> Sequence[str]:
    """All kinds, in the order of the table."""
    return tuple(KINDS)
