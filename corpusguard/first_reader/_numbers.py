"""Printed numbers: section openers, subsections, items, and what a range of them covers."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from corpusguard.model import Kind

from ._classes import ITEM_DEPTH, SUBSECTION_DEPTH

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_RANGE: Final = 5_000
"""Numbers that one printed range may stand for; 101-142 is a real one, 1-999999 is not."""
MAX_COVERED: Final = 100_000
"""Numbers that all ranges of a document may stand for; a real document has under 500."""

_DASH: Final = r"[-\u2010-\u2014\u2212]"
# Every quantifier below is bounded, and no two neighbours can match the same character.
_NUM: Final = r"\d{1,6}(?:\.\d{1,4}){0,6}[A-Z]{0,2}(?!\w)"
_SEP: Final = rf"(?:\s?[,;]\s?(?:and\s|et\s)?|\s?{_DASH}\s?|\s(?:and|to|et|à)\s)"
_SECTION: Final = re.compile(rf"{_NUM}\.?(?:{_SEP}{_NUM}\.?){{0,60}}")
NUMBER: Final = re.compile(_NUM)
# Not in bold, "6 and 7" begins a sentence: only signs join such numbers, never words.
_PLAIN: Final = re.compile(
    rf"{_NUM}(?:\.?(?:,\s?|\s?{_DASH}\s?){_NUM}){{0,60}}(?P<period>\.(?!\w))?"
)
_N: Final = r"\d{1,4}(?:\.\d{1,4}){0,5}[A-Za-z]?"
_SUB: Final = rf"\({_N}(?:{_DASH}{_N})?\)"
_SUBSECTION: Final = re.compile(rf"{_SUB}(?:{_SEP}{_SUB}){{0,60}}")
# In brackets, what is longer than two letters and no roman numeral is a word: "(the)", "(ill)".
_ROMAN_NUMERAL: Final = r"(?:xl|l?x{0,3})(?:ix|iv|v?i{0,3})"
_LETTER: Final = (
    rf"\(?(?:[a-z]{{1,2}}|[A-Z]{{1,2}}|(?=[ivxl]){_ROMAN_NUMERAL}"
    rf"|(?=[IVXL]){_ROMAN_NUMERAL.upper()})(?:\.\d{{1,3}}){{0,3}}\)(?![\w’'])"
)
_BRACKET: Final = re.compile(rf"{_LETTER}(?:(?:,\s?|{_DASH}){_LETTER}){{0,60}}")
_ONE: Final = r"(?:\d{1,4}|[ivxl]{1,8}|[a-z]|[A-Z]{1,2})(?:\.\d{1,3}){0,5}"
# A period closes the number unless it is that of "e.g." or "i.e.".
_ITEM: Final = re.compile(
    rf"{_ONE}(?:\.?(?:,\s?|{_DASH}){_ONE}){{0,60}}(?:\.(?![a-z\d])|(?![\w.’']))"
)
_ROMAN: Final = re.compile(rf"{_ROMAN_NUMERAL}\Z")
_NOISE: Final = re.compile(r"[()]|\.(?=\s?(?:[,;]|$|[-\u2010-\u2014\u2212]))")
_LISTED: Final = re.compile(r"\s?[,;]\s?(?:and\s|et\s)?|\s(?:and|et)\s")
_RANGED: Final = re.compile(rf"\s?{_DASH}\s?|\s(?:to|à)\s")
_WHOLE: Final = re.compile(r"\d+\Z")


class Marker(NamedTuple):
    """A printed number at the head of a block."""

    kind: Kind
    depth: int
    label: str
    end: int
    """Offset just past it in the block's canonical text."""


@lru_cache(maxsize=8192)
def bare(label: str) -> str:
    """A label without brackets and closing periods: ``12, 13``, ``2-5``."""
    return _NOISE.sub("", label).strip()


def section_label(text: str, bold: list[tuple[int, int]]) -> str | None:
    """The number in bold that a section opens with, or None where there is none.

    Args:
        text: Canonical text of the block.
        bold: Spans of it that are in bold.
    """
    match = _SECTION.match(text)
    if match is None:
        return None
    end = 0
    for number in NUMBER.finditer(text, 0, match.end()):
        if not any(a <= number.start() < b for a, b in bold):
            break
        end = number.end()
    if not end:
        return None
    return text[: end + 1] if text[end : end + 1] == "." else text[:end]


def plain_label(text: str) -> str | None:
    """The number at the head of a section paragraph, whatever it is printed in.

    Without a closing period it may be a word of a sentence: "30 days", "2.5 litres".

    Args:
        text: Canonical text of the block.
    """
    match = _PLAIN.match(text)
    return match.group() if match else None


def subsection_marker(text: str, at: int) -> Marker | None:
    """``(2)``, ``(5.1)``, ``(11), (12)`` or ``(2)-(5)`` at ``at``."""
    match = _SUBSECTION.match(text, at)
    if match is None:
        return None
    return Marker(Kind.SUBSECTION, SUBSECTION_DEPTH, match.group(), match.end())


def item_marker(
    text: str, at: int, *, depth: int, previous: Callable[[], str], dotted: bool = True
) -> Marker | None:
    """A clause, paragraph or deeper number at ``at``.

    Args:
        text: Canonical text of the block.
        at: Where to look.
        depth: What the class says of the depth; 0 where it says nothing.
        previous: Gives the number of the open clause: does ``(i)`` follow ``(h)``? Asked only
            where the shape does not tell.
        dotted: Whether ``1.`` and ``A.`` count; ``(a)`` does in any class.
    """
    match = _BRACKET.match(text, at)
    if match and not depth and text[at] != "(":
        match = None  # "a)" needs a class that says so; elsewhere it closes a bracket
    if match:
        kind = _bracketed(bare(match.group()), depth, previous)
    else:
        match = _ITEM.match(text, at) if dotted else None
        if match is None or not _printed_as_number(match.group()):
            return None
        kind = _dotted(match.group())
    return Marker(kind, max(depth, _SHAPE[kind]), match.group(), match.end())


_SHAPE: Final = {
    Kind.CLAUSE: ITEM_DEPTH,
    Kind.PARAGRAPH: ITEM_DEPTH,
    Kind.SUBCLAUSE: ITEM_DEPTH + 1,
    Kind.SUBPARAGRAPH: ITEM_DEPTH + 1,
    Kind.SUBSUBCLAUSE: ITEM_DEPTH + 2,
    Kind.SUBSUBPARAGRAPH: ITEM_DEPTH + 2,
}
_FIRST: Final = re.compile(r"\(?[aiA](?![A-Za-z])")


def may_open_a_list(text: str, at: int) -> bool:
    """Whether a number at ``at`` that follows another is the first of its list: ``(2) (a) …``."""
    return _FIRST.match(text, at) is not None


def _printed_as_number(label: str) -> bool:
    """Whether a dotted label has a sign of being one; a bare "a" or "10" is a word.

    Decimals are printed without a closing period, and so are ranges, which the caller believes
    only where a stub follows.
    """
    return "." in label or is_list(label)


@lru_cache(maxsize=8192)
def is_list(label: str) -> bool:
    """Whether a label stands for several numbers."""
    return _LISTED.search(label) is not None or _RANGED.search(label) is not None


def _bracketed(number: str, depth: int, previous: Callable[[], str]) -> Kind:
    head = re.split(r"[^A-Za-z]", number)[0]
    if head.isupper():
        return Kind.SUBSUBCLAUSE
    if not _ROMAN.match(head):
        return Kind.CLAUSE
    if depth > ITEM_DEPTH:
        return Kind.SUBCLAUSE
    before = previous().split(".", maxsplit=1)[0]
    follows = len(before) == len(head) and (
        before == head or [ord(c) + 1 for c in before] == [ord(c) for c in head]
    )
    return Kind.CLAUSE if follows else Kind.SUBCLAUSE


def _dotted(label: str) -> Kind:
    if label[0].isdigit():
        return Kind.PARAGRAPH
    return Kind.SUBSUBPARAGRAPH if label[0].isupper() else Kind.SUBPARAGRAPH


def covers(label: str) -> tuple[tuple[str, ...], tuple[str, str] | None, str]:
    """What an opener of several numbers stands for.

    Returns:
        The numbers it certainly stands for (empty for a single number), the printed ends of a
        range whose middle is unknown, and a complaint, empty when there is none.
    """
    if not is_list(label):
        return (), None, ""
    certain: list[str] = []
    unknown: tuple[str, str] | None = None
    complaint = ""
    pieces = _LISTED.split(bare(label))
    for piece in pieces:
        ends = _RANGED.split(piece)
        if len(ends) == 1:
            certain.append(piece)
            continue
        low, high = ends[0], ends[-1]
        between, exact = _between(low, high)
        if between is None or len(ends) > 2:
            complaint = f"the range {piece!r} does not ascend, or is too long to be real"
            between, exact = [], False
        certain += [low, *between, high]
        if not exact:
            unknown = (low, high)
    if len(certain) == 1:
        return (), unknown, complaint
    return tuple(certain), unknown, complaint


def _between(low: str, high: str) -> tuple[list[str] | None, bool]:
    """Whole numbers or letters strictly between two ends, and whether nothing else can be."""
    if len(low) == len(high) == 1 and low.isalpha() and high.isalpha():
        if low >= high:
            return None, False
        return [chr(c) for c in range(ord(low) + 1, ord(high))], True
    try:
        floor, ceiling = (tuple(int(part) for part in n.split(".")) for n in (low, high))
    except ValueError:  # romans and letter suffixes: only the ends are certain
        return [], False
    if floor >= ceiling or ceiling[0] - floor[0] > MAX_RANGE:
        return None, False
    last = ceiling[0] if len(ceiling) > 1 else ceiling[0] - 1
    middle = [str(n) for n in range(floor[0] + 1, last + 1)]
    return middle, bool(_WHOLE.match(low) and _WHOLE.match(high))
