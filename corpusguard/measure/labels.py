"""Faults of rows and labels: what is there, under which number, how often, next to what."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from corpusguard.measure.planting import Mutant, Shape
from corpusguard.model import Channel, Status

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from corpusguard.measure.planting import Sound
    from corpusguard.model import Passage

_FOREIGN_WORDS: Final = 12
"""From so many words on a neighbour's text is a foreign text, not a phrase that both share."""


def _new_row(sound: Sound, **fields: str | None) -> Passage:
    """A row beside the others that says nothing of heading or order."""
    plain = replace(
        sound.passages[0],
        row=len(sound.passages),
        section=None if sound.shape is Shape.WINDOWS else "",
        subsection=None,
        heading=None,
        ordinal=None,
        status=None,
    )
    return replace(plain, **fields)  # type: ignore[arg-type]  # all given fields hold text


def _section_deleted(sound: Sound, random: Random) -> Mutant | None:
    sections = sorted(
        {p.section for i, p in enumerate(sound.passages) if p.section and sound.in_force(i)}
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
    number = f"{random.randint(900, 999)}"
    text = f"{number} Every person who stores this text invents a section of law."
    invented = _new_row(sound, id=f"invented-{number}", text=text)
    labelled = sound.shape is Shape.LABELLED
    if labelled:
        invented = replace(invented, section=number)
    return Mutant(
        "section_invented",
        (*sound.passages, invented),
        frozenset({"CG302"} if labelled else {"CG101"}),
        frozenset({number} if labelled else ()),
        f"section {number} invented",
        frozenset({invented.id}),
    )


def _sections_swapped(sound: Sound, random: Random) -> Mutant | None:
    usable = [i for i in sound.long(10) if sound.in_force(i)]
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
    what = f"the texts of s. {a.section} and s. {b.section} swapped"
    return Mutant(
        "sections_swapped",
        tuple(passages),
        frozenset({"CG203"}),
        *sound.at(first, second, what=what),
    )


def _misfiled(sound: Sound, random: Random) -> Mutant | None:
    usable = [i for i in sound.long(10) if sound.in_force(i)]
    others = {sound.passages[i].section for i in usable} - {None}
    if sound.shape is Shape.WINDOWS or len(others) < 2:
        return None
    index = random.choice(usable)
    passage = sound.passages[index]
    label = random.choice(sorted(str(section) for section in others - {passage.section}))
    passages = list(sound.passages)
    passages[index] = replace(passage, section=label, subsection=None)
    return Mutant(
        "misfiled",
        tuple(passages),
        frozenset({"CG203"}),
        frozenset({label}),
        f"{passage.id} filed under s. {label}",
        frozenset({passage.id}),
    )


def _labels_shifted(sound: Sound, random: Random) -> Mutant | None:
    """Two to five successive rows have the label of the row before them."""
    usable = [
        i
        for i in sound.long(10)
        if i and sound.in_force(i) and sound.passages[i].section != sound.passages[i - 1].section
    ]
    if sound.shape is Shape.WINDOWS or not usable:
        return None
    start = random.choice(usable)
    stop = random.choice((start + 2, start + 3, start + 5))
    passages = list(sound.passages)
    passages[start:stop] = [
        replace(row, section=before.section, subsection=before.subsection, heading=before.heading)
        for before, row in pairwise(sound.passages[start - 1 : stop])
    ]
    return Mutant(
        "labels_shifted",
        tuple(passages),
        frozenset({"CG203", "CG304"}),
        frozenset({sound.passages[start - 1].section or ""}),
        f"labels shifted by one row for {stop - start} rows from {sound.passages[start].id} on",
        frozenset(row.id for row in sound.passages[start - 1 : stop]),
    )


def _subsection_shifted(sound: Sound, random: Random) -> Mutant | None:
    usable = [
        i
        for i in sound.long(10)
        if i
        and sound.passages[i].subsection
        and sound.passages[i - 1].subsection
        and sound.passages[i].subsection != sound.passages[i - 1].subsection
        and sound.passages[i].section == sound.passages[i - 1].section
        and sound.in_force(i)
    ]
    if sound.shape is Shape.WINDOWS or not usable:
        return None
    index = random.choice(usable)
    passages = list(sound.passages)
    passages[index] = replace(passages[index], subsection=passages[index - 1].subsection)
    what = f"{passages[index].id} labelled with the subsection before it"
    return Mutant(
        "subsection_shifted",
        tuple(passages),
        frozenset({"CG203"}),
        *sound.at(index, what=what),
    )


def _label_replaced(kind: str, label: str) -> Callable[[Sound, Random], Mutant | None]:
    def plant_it(sound: Sound, random: Random) -> Mutant | None:
        if sound.shape is Shape.WINDOWS:
            return None
        index = random.randrange(len(sound.passages))
        passages = list(sound.passages)
        passages[index] = replace(passages[index], section=label)
        return Mutant(
            kind,
            tuple(passages),
            frozenset({"CG309"}),
            frozenset(),
            f"the section field of {passages[index].id} became {label!r}",
            frozenset({passages[index].id}),
        )

    return plant_it


def _heading_wrong(sound: Sound, random: Random) -> Mutant | None:
    usable = [i for i, p in enumerate(sound.passages) if p.heading]
    if not usable:
        return None
    index = random.choice(usable)
    passages = list(sound.passages)
    passages[index] = replace(passages[index], heading="Disposal of abandoned submarines")
    what = f"the heading of {passages[index].id} replaced"
    return Mutant(
        "heading_wrong",
        tuple(passages),
        frozenset({"CG102"}),
        *sound.at(index, what=what),
    )


def _neighbour(
    kind: str, join: Callable[[str, str], str]
) -> Callable[[Sound, Random], Mutant | None]:
    """A planter that puts the text of the next section into a passage."""

    def plant_it(sound: Sound, random: Random) -> Mutant | None:
        usable = [
            i
            for i, (row, following) in enumerate(pairwise(sound.passages))
            if row.section != following.section
            and len(row.text.split()) >= _FOREIGN_WORDS
            and len(following.text.split()) >= _FOREIGN_WORDS
            and sound.in_force(i)
            and sound.in_force(i + 1)
        ]
        if sound.shape is Shape.WINDOWS or not usable:
            return None
        index = random.choice(usable)
        text = join(sound.passages[index].text, sound.passages[index + 1].text)
        what = f"{kind.replace('_', ' ')}: {sound.passages[index].id}"
        return sound.edited(kind, index, text, {"CG203"}, what)

    return plant_it


def _into_the_middle(text: str, other: str) -> str:
    words = text.split(" ")
    half = len(words) // 2
    return " ".join([*words[:half], other, *words[half:]])


def _duplicate_id(sound: Sound, random: Random) -> Mutant | None:
    if len(sound.passages) < 2:
        return None
    first, second = random.sample(range(len(sound.passages)), 2)
    passages = list(sound.passages)
    passages[second] = replace(passages[second], id=passages[first].id)
    if passages[first].text == passages[second].text:
        return None
    return Mutant(
        "duplicate_id",
        tuple(passages),
        frozenset({"CG303"}),
        *sound.at(first, second, what=f"row {second} has the id of row {first}"),
    )


def _row_twice(sound: Sound, random: Random) -> Mutant | None:
    index = random.randrange(len(sound.passages))
    again = replace(sound.passages[index], row=len(sound.passages))
    return Mutant(
        "row_twice",
        (*sound.passages, again),
        frozenset({"CG303"}),
        *sound.at(index, what=f"{again.id} stands in the store twice"),
    )


def _window_lost(sound: Sound, random: Random) -> Mutant | None:
    if sound.shape is Shape.LABELLED or len(sound.passages) < 4:
        return None
    index = random.randint(1, len(sound.passages) - 2)
    lost = sound.lost_lines(sound.passages[index].text, index)
    sections = sound.sections_of(random.choice(lost)) if lost else frozenset()
    if not sections:
        return None
    return Mutant(
        "window_lost",
        tuple(p for i, p in enumerate(sound.passages) if i != index),
        frozenset({"CG306", "CG301"}),
        sections,
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
    added = _new_row(
        sound, id=f"future-{node.pid}", text=sound.reading.text[segment.start : segment.end]
    )
    if sound.shape is Shape.LABELLED:
        added = replace(added, section=node.section)
    return Mutant(
        "not_in_force_included",
        (*sound.passages, added),
        frozenset({"CG305"}),
        frozenset({node.section}),
        f"text of {node.pid}, not in force, stored as law",
    )


def _repealed(sound: Sound, random: Random) -> Mutant | None:
    gone = sorted(
        {
            node.section
            for node in sound.reading.provisions
            if node.kind.value == "section" and node.status in (Status.REPEALED, Status.REVOKED)
        }
        - {n.section for n in sound.reading.provisions if n.status is Status.IN_FORCE}
    )
    if sound.shape is Shape.WINDOWS or not gone:
        return None
    section = random.choice(gone)
    added = _new_row(sound, id=f"repealed-{section}", text=sound.other_law, section=section)
    return Mutant(
        "repealed_included",
        (*sound.passages, added),
        frozenset({"CG304"}),
        frozenset({section}),
        f"words stored under s. {section}, of which nothing is left",
    )


LABELS: Final[dict[str, Callable[[Sound, Random], Mutant | None]]] = {
    "section_deleted": _section_deleted,
    "section_invented": _section_invented,
    "sections_swapped": _sections_swapped,
    "misfiled": _misfiled,
    "labels_shifted": _labels_shifted,
    "subsection_shifted": _subsection_shifted,
    "label_emptied": _label_replaced("label_emptied", ""),
    "label_unreadable": _label_replaced("label_unreadable", "see above"),
    "heading_wrong": _heading_wrong,
    "neighbour_appended": _neighbour("neighbour_appended", "{}\n{}".format),
    "neighbour_prepended": _neighbour(
        "neighbour_prepended", lambda text, other: f"{other}\n{text}"
    ),
    "neighbour_inserted": _neighbour("neighbour_inserted", _into_the_middle),
    "duplicate_id": _duplicate_id,
    "row_twice": _row_twice,
    "window_lost": _window_lost,
    "not_in_force_included": _not_in_force,
    "repealed_included": _repealed,
}
"""Kind -> planter; None where the kind does not exist in this corpus or can't be seen in it."""
