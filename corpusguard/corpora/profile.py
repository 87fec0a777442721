"""What a sample of rows looks like: its leaf fields, how full they are, what they seem to hold."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from corpusguard.corpora.interface import Row

_MAX_DEPTH: Final = 4
_MAX_FIELDS: Final = 300
_MAX_EXAMPLES: Final = 3
_EXAMPLE_LENGTH: Final = 80

SECTION_LIKE: Final = re.compile(
    r"\s*(?:(?:s|ss|sec|section|sections|art|article|§|§§)\b\.?\s*|§+\s*)?"
    r"\d{1,6}(?:\.\d{1,6}){0,4}[A-Za-z]?\s*(?:\([0-9a-z.]{1,6}\)\s*){0,3}\.?\s*",
    re.IGNORECASE,
)
"""A number as a person writes it: ``36.1``, ``s. 12``, ``§ 5``, ``4 (2)``."""

_LAWS_ADDRESS: Final = re.compile(
    r"ontario\.ca/(?:fr/)?(laws|lois)/(statute|regulation|loi|reglement)/([0-9a-z]{1,40})",
    re.IGNORECASE,
)
_KINDS: Final = {"loi": "statute", "reglement": "regulation"}
_DOCUMENT_ID: Final = re.compile(r"[a-z]{2}(?:-[a-z]{2,3})?/[a-z-]+/[0-9a-z.-]+@[a-z]{2}")


@dataclass(slots=True)
class Field:
    """The values of one leaf field in the sample."""

    path: str
    values: list[Any] = field(default_factory=list)
    """The filled ones, in stored order."""

    @property
    def name(self) -> str:
        """The last part of the path, in lower case."""
        return self.path.rsplit(".", 1)[-1].lower()

    def share(self, pattern: re.Pattern[str]) -> float:
        """Return the share of filled values that match as a whole."""
        hits = sum(1 for value in self.values if pattern.fullmatch(str(value)[:100]))
        return hits / len(self.values) if self.values else 0.0

    def mean_length(self) -> float:
        """Return the mean length of the values in code points; 0 unless all are text."""
        if not self.values or not all(isinstance(value, str) for value in self.values):
            return 0.0
        return sum(map(len, self.values)) / len(self.values)

    def is_unique(self) -> bool:
        """Say whether no value comes twice."""
        return len({str(value) for value in self.values}) == len(self.values)

    def examples(self) -> tuple[str, ...]:
        """Return the first different values, shortened."""
        shown = dict.fromkeys(str(value)[:_EXAMPLE_LENGTH] for value in self.values[:50])
        return tuple(shown)[:_MAX_EXAMPLES]


def profile(rows: Iterable[Row]) -> dict[str, Field]:
    """Return the leaf fields of a sample by dotted path, in the order of appearance.

    A field whose value is empty or null everywhere is there, with no values.
    """
    fields: dict[str, Field] = {}
    for row in rows:
        for path, value in _leaves(row.data, "", _MAX_DEPTH):
            if path not in fields and len(fields) >= _MAX_FIELDS:
                continue
            known = fields.setdefault(path, Field(path))
            if value is not None and value != "":
                known.values.append(value)
    return fields


def _leaves(data: Mapping[str, Any], prefix: str, depth: int) -> Iterator[tuple[str, Any]]:
    for key, value in data.items():
        path = f"{prefix}{key}"
        if isinstance(value, dict):
            if depth > 1:
                yield from _leaves(value, f"{path}.", depth - 1)
        elif not isinstance(value, list):
            yield path, value


def documents_named(values: Iterable[object]) -> list[str]:
    """Return the documents that values name by address or id, each once, in order."""
    found: dict[str, None] = {}
    for value in values:
        if not isinstance(value, str):
            continue
        if _DOCUMENT_ID.fullmatch(value[:200]):
            found[value] = None
        for host, kind, number in _LAWS_ADDRESS.findall(value[:2_000]):
            language = "fr" if host.lower() == "lois" else "en"
            kind_name = _KINDS.get(kind.lower(), kind.lower())
            found[f"ca-on/{kind_name}/{number.lower()}@{language}"] = None
    return list(found)


def is_document_id(field_: Field) -> bool:
    """Say whether every value of a field is a document id."""
    return bool(field_.values) and field_.share(_DOCUMENT_ID) == 1.0
