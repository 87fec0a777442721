"""From the markers of an answer to the passages that they name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from corpusguard.errors import ConfigError
from corpusguard.gate.model import Citation

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from corpusguard.gate.model import Rules

_LOOKS_LIKE_ID: Final = re.compile(r"(?=\S*\d)[^\s\[\]]{1,300}")
"""What an undeclared marker must look like: no white space and a digit; ``[sic]`` is none."""


@dataclass(frozen=True, slots=True)
class Citations:
    """The passages that the caller declares, by what stands in the answer for them."""

    by_marker: Mapping[str, Citation]
    declared: tuple[Citation, ...]

    def is_marker(self, inside: str) -> bool:
        """Tell whether what stands in square brackets cites something."""
        parts = self._parts(inside)
        return bool(parts) and all(
            part in self.by_marker or _LOOKS_LIKE_ID.fullmatch(part) for part in parts
        )

    def named(self, markers: Iterable[str]) -> tuple[Citation, ...]:
        """Return what ``markers`` cite, each once, in order.

        A marker that was not declared names a passage by its id: the gate looks it up all the same,
        and an id that no corpus has supports nothing.
        """
        found: dict[str, Citation] = {}
        for marker in markers:
            for part in self._parts(marker):
                citation = self.by_marker.get(part) or Citation(part)
                found.setdefault(citation.id, citation)
        return tuple(found.values())

    def _parts(self, inside: str) -> list[str]:
        """Return the ids in one marker: one, or several parted by commas or semicolons."""
        whole = inside.strip()
        if whole in self.by_marker:
            return [whole]
        return [part.strip() for part in re.split(r"[,;]", whole) if part.strip()]


def declare(citations: Iterable[Citation], rules: Rules) -> Citations:
    """Return the citations of a call, checked.

    Raises:
        ConfigError: An id is empty, a marker or id means two things, or there are too many.
    """
    declared = tuple(citations)
    if len(declared) > rules.most_citations:
        raise ConfigError(
            f"{len(declared)} citations, over the limit of {rules.most_citations}",
            hint="cite the passages that the answer rests on, not all that were retrieved",
        )
    by_id: dict[str, Citation] = {}
    by_marker: dict[str, Citation] = {}
    for one in declared:
        if not one.id.strip():
            raise ConfigError(
                "a citation has an empty passage id", hint="name a passage of a corpus"
            )
        if by_id.setdefault(one.id, one).text != one.text:
            raise ConfigError(
                f"passage {one.id[:120]!r} is cited with two different texts",
                hint="cite each passage once",
            )
        for marker in (one.marker or one.id, one.id):
            if by_marker.setdefault(marker.strip(), one).id != one.id:
                raise ConfigError(
                    f"the marker {marker[:120]!r} stands for two passages",
                    hint="give each citation a marker of its own",
                )
    return Citations(by_marker, tuple(by_id.values()))
