"""What a change of a text newly says: pure.

A statement that was there before is not said anew, as long as it still stands in the same light:
under the same headings, behind the same opening words, below the same item or head of a table, and
beside the statements that stood in its paragraph. "The following are void:" made "allowed:" says
something new of every item below it, though no item changed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from corpusguard.gate.hook.statements import is_claim, layout_blocks, placed_statements

if TYPE_CHECKING:
    from collections.abc import Iterator

_HEADING: Final = re.compile(r"\s*(#{1,6})")
_ITEM: Final = re.compile(r"(\s*)(?:[-*+•‣]|\d{1,3}[.)])\s")
_ROW: Final = re.compile(r"\s*\|")
_TURNS: Final = re.compile(
    r"\b(?:no|not|never|avoid|without|except|unless|stop|skip|if|when|only|nor)\b|n['’]t\b"
    r"|\b(?:fact|mistake|error|fail|warning|example|assum|question|claim|draft|propos|exception|suggest|"
    r"idea|opinion|hypothe|(?:un)?verif|(?:in)?correct|(?:un)?certain|pending|deprecated|future|past|old|"
    r"previous|original|former|unused|test)",
    re.IGNORECASE,
)
"""What a heading says of the truth or the time of what stands below it."""
Light = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, item, heading or line, white space folded, in its light."""

    text: str
    light: Light
    statements: tuple[str, ...]
    lines: tuple[int, ...]
    """Where each of these begins, counted from 1."""


def newly_said(before: str, after: str) -> Iterator[tuple[Block, tuple[str, ...]]]:
    """Yield each block of ``after`` with those of its statements that it newly says."""
    whole: set[tuple[Light, str]] = set()
    beside: dict[tuple[Light, str], set[frozenset[str]]] = {}
    for block in read(before):
        whole.add((block.light, block.text))
        single = len(block.statements) == 1
        said = frozenset(() if single else filter(is_claim, block.statements))
        for one in block.statements:
            beside.setdefault((block.light, one), set()).add(said)
    for block in read(after):
        if (block.light, block.text) in whole:
            continue
        have = set(block.statements)
        yield (
            block,
            tuple(
                one
                for one in block.statements
                if not any(said <= have for said in beside.get((block.light, one), ()))
            ),
        )


def read(text: str) -> Iterator[Block]:
    """Yield the blocks of a text with what stands above each."""
    headings: list[tuple[int, str]] = []
    parents: list[tuple[int, str]] = []
    opening = head = ""
    for line, raw in layout_blocks(text):
        if not raw.strip():
            continue
        folded = " ".join(raw.split())
        heading, item, row = (shape.match(raw) for shape in (_HEADING, _ITEM, _ROW))
        if heading:
            level = len(heading[1])
            headings = [one for one in headings if one[0] < level]
            light = tuple(one for _, one in headings if one)
            headings.append((level, _turns(folded)))
            parents, opening = [], ""
        elif item:
            depth = len(item[1].expandtabs(4))
            parents = [one for one in parents if one[0] < depth]
            light = _light(headings, opening, *(one for _, one in parents))
            parents.append((depth, _turns(folded)))
        else:
            light = _light(headings, head if row else opening if opening.endswith(":") else "")
            parents, opening = [], "" if row else _turns(folded)
        head = (head or _turns(folded)) if row else ""
        placed = tuple(placed_statements(raw))
        lines = tuple(line + inside - 1 for inside, _ in placed)
        yield Block(folded, light, tuple(said for _, said in placed), lines)


def _light(headings: list[tuple[int, str]], *more: str) -> Light:
    return tuple(one for one in (*(text for _, text in headings), *more) if one)


def _turns(text: str) -> str:
    """Return a text that can turn what stands below it; nothing: it only names or orders things."""
    if not is_claim(text) and not _TURNS.search(text):
        return ""
    return text.lstrip("#-*+•‣>| ")
