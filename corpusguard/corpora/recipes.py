"""Recipes: from the official reading to the passages that ingestion should store.

* ``section``: one passage for each section-level unit (section, preamble, schedule, form, table)
  that has words of law, or is a stub ("Repealed") and so says that there are none.
* ``subsection``: one for each subsection; the number and opening words of a section go with its
  first subsection, as printed; a unit without subsections is one passage.
* ``module:function``: the user's own, ``function(reading, document)`` -> an iterable of mappings
  with the keys of a passage.

The text of a passage is what is printed of its markers and body words, one line a block.
Amendment history, headnotes, headings, notes and stand-ins for images are left out (they are no
part of the law), and so is every word not yet in force.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from corpusguard.corpora.callables import call_recipe
from corpusguard.corpora.template import DEFAULT, Template
from corpusguard.errors import ConfigError
from corpusguard.model import Channel, Kind, Passage, Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corpusguard.model import CorpusSpec, DocumentSpec, Reading, Segment

_LAW: Final = frozenset({Channel.BODY, Channel.MARKER})
_UNIT_KINDS: Final = frozenset({Kind.SECTION, Kind.SCHEDULE, Kind.FORM, Kind.TABLE, Kind.PREAMBLE})


def rebuild(reading: Reading, spec: CorpusSpec, document: DocumentSpec) -> list[Passage]:
    """Return the passages that ingestion should store for one document, in printed order.

    Args:
        reading: the first reader's reading of the official text.
        spec: its ``recipe`` and ``template`` are used.
        document: gives the id and ``{title}``.

    Raises:
        ConfigError: the recipe cannot rebuild, or its function or template is wrong.
        CorpusUnreadable: the user's function fails or yields something that is no passage.
    """
    if ":" in spec.recipe:
        return call_recipe(spec.recipe, reading, document)
    if spec.recipe not in {"section", "subsection"}:
        raise ConfigError(
            f"recipe {spec.recipe!r} cannot rebuild passages",
            hint="Use 'section', 'subsection' or your own 'module:function'.",
        )
    template = Template(spec.template or DEFAULT)
    groups = _Groups(reading)
    passages: list[Passage] = []
    for owner, segments in groups.units(split=spec.recipe == "subsection"):
        passage = groups.passage(owner, segments, document)
        values = {
            "title": document.title,
            "section": passage.section or "",
            "subsection": passage.subsection or "",
            "heading": passage.heading or "",
            "text": passage.text,
        }
        number = len(passages)
        passages.append(replace(passage, row=number, ordinal=number, text=template.render(values)))
    return passages


def emit(passages: Iterable[Passage]) -> Iterator[str]:
    """Yield one JSON line a passage, without a line end.

    The keys are the default field names of every reader. A claim that is not made (``None``) is
    left out, since a key that is there reads back as a claim, if an empty one.
    """
    for passage in passages:
        row = {
            "id": passage.id,
            "document": passage.document,
            "section": passage.section,
            "subsection": passage.subsection,
            "heading": passage.heading,
            "ordinal": passage.ordinal,
            "text": passage.text,
        }
        yield json.dumps(
            {key: value for key, value in row.items() if value is not None}, ensure_ascii=False
        )


class _Groups:
    """The law of a reading, cut into units.

    Units are told apart by provision, not by number: a number that comes twice (``34~2``) is two
    units with one locator.
    """

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._provisions = reading.provisions

    def units(self, *, split: bool) -> Iterator[tuple[int, list[Segment]]]:
        """Yield each unit that has body words; with ``split``, each subsection of it.

        A unit is yielded where it first appears, with all its segments in printed order, and with
        the provision that it is named after.
        """
        units: dict[int, list[Segment]] = {}
        by_locator: dict[str, int] = {}
        for segment in self._reading.segments:
            if (
                segment.provision < 0
                or segment.channel not in _LAW
                or segment.status is Status.NOT_IN_FORCE
            ):
                continue
            unit = self._unit(segment.provision, by_locator)
            units.setdefault(unit, []).append(segment)
        for unit, segments in units.items():
            for owner, part in self._subsections(unit, segments) if split else [(unit, segments)]:
                if any(segment.channel is Channel.BODY for segment in part):
                    yield owner, part

    def passage(self, owner: int, segments: list[Segment], document: DocumentSpec) -> Passage:
        """Return the passage of one group; the caller numbers it and applies the template."""
        provision = self._provisions[owner]
        section = self._provisions[self._top(owner, by_subsection=False)]
        return Passage(
            row=0,
            id=f"{document.id}#{provision.pid}",
            document=document.id,
            text=self._text(segments),
            section=provision.section,
            subsection=provision.subsection,
            heading=provision.heading or section.heading,
        )

    def _unit(self, index: int, by_locator: dict[str, int]) -> int:
        """Return the section-level provision that a provision belongs to."""
        top = self._top(index, by_subsection=False)
        provision = self._provisions[top]
        first = by_locator.setdefault(provision.section, top)
        # Several printed paragraphs make one preamble. What is no unit by kind (flush text that
        # hangs from no opener) continues the unit of its locator.
        is_own = provision.kind in _UNIT_KINDS and provision.kind is not Kind.PREAMBLE
        return top if is_own else first

    def _subsections(
        self, unit: int, segments: list[Segment]
    ) -> Iterator[tuple[int, list[Segment]]]:
        """Cut a unit at each new subsection; what stands between two goes with the one before."""
        current: list[Segment] = []
        owner = unit
        for segment in segments:
            top = self._top(segment.provision, by_subsection=True)
            is_inside = bool(self._provisions[top].subsection)
            if is_inside and owner not in {unit, top}:
                yield owner, current
                current = []
            if is_inside:
                owner = top
            current.append(segment)
        yield owner, current

    def _top(self, index: int, *, by_subsection: bool) -> int:
        """Climb while the parent has the same locator (and the same subsection)."""
        here = self._provisions[index]
        while here.parent >= 0:
            parent = self._provisions[here.parent]
            same = parent.section == here.section and (
                not by_subsection or parent.subsection == here.subsection
            )
            if not same:
                break
            index, here = here.parent, parent
        return index

    def _text(self, segments: list[Segment]) -> str:
        lines: dict[int, list[str]] = {}
        for segment in segments:
            words = self._reading.text[segment.start : segment.end]
            lines.setdefault(segment.block, []).append(words)
        return "\n".join(" ".join(words) for words in lines.values())
