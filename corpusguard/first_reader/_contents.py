"""The publisher's own table of contents: which blocks it is made of, and its rows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from corpusguard.model import ContentsEntry

from ._classes import Role, style_of
from ._text import Block, canonical

if TYPE_CHECKING:
    from collections.abc import Iterable

_NUMBER: Final = re.compile(
    r"(\d{1,6}(?:\.\d{1,4}){0,6}[A-Z]{0,2}"
    r"(?:\.?(?:,\s?|\s?[-\u2010-\u2014]\s?)\d{1,6}(?:\.\d{1,4}){0,6}[A-Z]{0,2}){0,30})\.?(?=\s|$)"
)


def contents_tables(blocks: Iterable[Block]) -> set[int]:
    """Ordinals of tables that hold a contents class: all their cells are contents, whose own
    class is the ``table`` of any table cell.
    """  # noqa: D205 - one sentence
    return {b.table for b in blocks if b.table and b.css and style_of(b.css).role is Role.CONTENTS}


def rows(blocks: Iterable[Block]) -> list[ContentsEntry]:
    """The rows that carry a number; Part and group titles carry none and are left out.

    Args:
        blocks: The contents blocks, in order.
    """
    entries: list[ContentsEntry] = []
    gathered: dict[tuple[int, int], list[Block]] = {}
    for ordinal, block in enumerate(blocks):
        # A row of a table, or a paragraph on its own where the contents are no table.
        key = (0, block.row) if block.row else (1, ordinal)
        gathered.setdefault(key, []).append(block)
    for cells in gathered.values():
        entry = _row(cells)
        if entry is not None:
            entries.append(entry)
    return entries


def _row(cells: list[Block]) -> ContentsEntry | None:
    texts = [canonical(c.raw) for c in cells]
    styles = [style_of(c.css) for c in cells]
    in_force = not any(s.future for s in styles)
    for i, (style, text) in enumerate(zip(styles, texts, strict=True)):
        if style.name in {"TOCid", "table"}:
            match = _NUMBER.match(text)
            if match and (style.name == "TOCid" or match.end() == len(text)):
                # In the API's contentTable number and title share one cell.
                title = [text[match.end() :].strip(), *texts[:i], *texts[i + 1 :]]
                return ContentsEntry(match.group(1), " ".join(t for t in title if t), in_force)
    return None
