"""From a row's own fields to a ``Passage``: dotted paths, defaults, and what is refused.

A mapped field that a row lacks is an *empty* claim (``""``); a field that is not mapped and that
the row does not have under our own name is *no* claim (``None``). The difference decides whether
the layers look inside one section or in the whole document.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from corpusguard.errors import CorpusUnreadable
from corpusguard.model import Passage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corpusguard.corpora.interface import Row
    from corpusguard.model import CorpusSpec

MAX_PATH_PARTS: Final = 12
"""Keys may hold dots themselves, so a path of n parts can be read in 2**(n-1) ways."""
_MAX_ORDINAL: Final = 10**15
_WHOLE: Final = re.compile(r"\s*-?[0-9]{1,15}\s*")


class _Missing:
    """The type of ``MISSING``; ``None`` is a value that rows have."""


MISSING: Final = _Missing()


def lookup(data: object, path: str) -> Any:  # noqa: ANN401 -- whatever the row holds
    """Return the value at a dotted path (``metadata.section_number``, ``parts.0.text``).

    Numbers index lists. A key that holds dots itself is tried first.

    Returns:
        The value, or ``MISSING``.
    """
    if isinstance(data, dict) and path in data:
        return data[path]
    parts = path.split(".")
    return MISSING if len(parts) > MAX_PATH_PARTS else _walk(data, parts)


def _walk(data: object, parts: Sequence[str]) -> Any:  # noqa: ANN401 -- whatever the row holds
    if not parts:
        return data
    if isinstance(data, list):
        head = parts[0]
        if head.isascii() and head.isdigit() and len(head) < 10 and int(head) < len(data):
            return _walk(data[int(head)], parts[1:])
        return MISSING
    if isinstance(data, dict):
        for size in range(len(parts), 0, -1):
            key = ".".join(parts[:size])
            if key in data:
                found = _walk(data[key], parts[size:])
                if found is not MISSING:
                    return found
    return MISSING


class Mapping:
    """How the rows of one corpus become passages.

    Args:
        spec: its ``fields``, ``document``, ``document_field`` and ``status_field`` are used. A
            field mapped to ``""`` is declared to be absent.
    """

    def __init__(self, spec: CorpusSpec) -> None:
        self._spec = spec
        self._fields = spec.fields

    def passage(self, row: Row, number: int) -> Passage:
        """Return the passage of one row.

        Args:
            row: the stored row.
            number: its position in the store, from 0.

        Raises:
            CorpusUnreadable: it has no text, no id or no document, or a value of the wrong type.
        """
        return Passage(
            row=number,
            id=self._id(row, number),
            document=self._document(row),
            text=self._text(row),
            section=self._claim(row, "section"),
            subsection=self._claim(row, "subsection"),
            heading=self._claim(row, "heading"),
            ordinal=self._ordinal(row),
            status=self._status(row),
            where=row.where,
        )

    def _value(self, row: Row, name: str) -> Any:  # noqa: ANN401 -- whatever the row holds
        path = self._fields.get(name, name)
        return lookup(row.data, path) if path else MISSING

    def _id(self, row: Row, number: int) -> str:
        if self._fields.get("id") == "":
            return f"row-{number}"
        value = self._value(row, "id")
        text = "" if value is MISSING or value is None else scalar_text(value, row.where, "id")
        if not text:
            raise CorpusUnreadable(
                f"{row.where}: no id (looked for `{self._fields.get('id', 'id')}`)",
                hint='Map it: fields = { id = "…" }; { id = "" } says that the store has none, '
                "and rows are then known by their position.",
            )
        return text

    def _document(self, row: Row) -> str:
        if self._spec.document:
            return self._spec.document
        path = self._spec.document_field or "document"
        value = lookup(row.data, path)
        text = (
            "" if value is MISSING or value is None else scalar_text(value, row.where, "document")
        )
        if not text:
            raise CorpusUnreadable(
                f"{row.where}: no document (looked for `{path}`)",
                hint='Set document = "ca-on/statute/…@en", or document = { field = "…" }.',
            )
        return text

    def _text(self, row: Row) -> str:
        value = self._value(row, "text")
        if not isinstance(value, str):
            path = self._fields.get("text", "text")
            found = "missing" if value is MISSING else f"not text but {type(value).__name__}"
            raise CorpusUnreadable(
                f"{row.where}: `{path}` is {found}",
                hint='Map the field that holds the passage: fields = { text = "…" }.',
            )
        return _checked(value, row.where, "text")

    def _claim(self, row: Row, name: str) -> str | None:
        value = self._value(row, name)
        if value is MISSING:
            return "" if self._fields.get(name) else None
        return "" if value is None else scalar_text(value, row.where, name)

    def _ordinal(self, row: Row) -> int | None:
        value: object = self._value(row, "ordinal")
        if value is MISSING or value is None or value == "":
            return None
        if isinstance(value, str) and _WHOLE.fullmatch(value):
            return int(value)
        # The size is tested first: int() of a Decimal like 1E+999999999 would fill the memory.
        if (
            isinstance(value, int | float | Decimal)
            and not isinstance(value, bool)
            and -_MAX_ORDINAL <= value <= _MAX_ORDINAL
            and value == int(value)
        ):
            return int(value)
        raise CorpusUnreadable(
            f"{row.where}: ordinal is {str(value)[:40]!r}, expected a whole number",
            hint='Map another field, or none: fields = { ordinal = "" }.',
        )

    def _status(self, row: Row) -> str | None:
        if not self._spec.status_field:
            return None
        value = lookup(row.data, self._spec.status_field)
        return "" if value is MISSING or value is None else scalar_text(value, row.where, "status")


def scalar_text(value: object, where: str, name: str) -> str:
    """Return a scalar as text, as printed in the store: ``36.10`` stays ``36.10``.

    Raises:
        CorpusUnreadable: it is a list, a mapping or another type.
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _checked(value, where, name)
    if isinstance(value, (int, float, Decimal)):
        return str(value)
    raise CorpusUnreadable(
        f"{where}: {name} must be text or a number, not {type(value).__name__}",
        hint=f'Map `{name}` to a field with one value, or to "" for none.',
    )


def _checked(value: str, where: str, name: str) -> str:
    """Refuse half of a surrogate pair: such a text has no UTF-8, so no digest, and is no text."""
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise CorpusUnreadable(
            f"{where}: {name} holds a lone surrogate at character {error.start}",
            hint="The text was cut inside a character when it was stored; export it again.",
        ) from error
    return value
