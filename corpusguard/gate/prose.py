"""Where the sentences of a written answer are, and what in it is only layout.

Answers come as Markdown. Its blocks are told apart line by line: an ATX, setext or bold heading, a
list item, a table cell, a paragraph (lines without a blank one between them). Sentences are cut
within a block, never across two. Offsets are code points into the text as given; spans are half
open. Time is linear in the length of the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Split = Callable[[str], Iterable[tuple[int, int]]]
    """Cuts one block into sentences: (start, end) into the block."""

_ITEM: Final = re.compile(
    r"(?:[-*+•–]|\d{1,3}(?:\.\d{1,3}){0,3}[.)]|[A-Za-z][.)]"
    r"|\((?:\d{1,3}(?:\.\d{1,2})?|[A-Za-z]|([a-z])\1|[ivxl]{1,6})\))(?=[ \t])[ \t]*"
)
"""A bullet, or a list number or letter: ``-``, ``1.``, ``2.1)``, ``a)``, ``(4.1)``, ``(iv)``."""
_HEADING: Final = re.compile(r"#{1,6}[ \t]+")
_UNDERLINE: Final = re.compile(r"[ \t]{0,3}(?:=+|-{2,})[ \t\r]*\Z")
_BOLD: Final = re.compile(r"(?:\*\*[^*\n]{1,200}\*\*|__[^_\n]{1,200}__):?[ \t\r]*\Z")
_STATES: Final = re.compile(
    r"\b(?:is|are|was|were|has|have|had|must|shall|may|will|can|cannot|not|no|never|void|requires?"
    r"|applies|apply)\b",
    re.IGNORECASE,
)
"""What a title does not hold and a statement does."""
_FIGURE: Final = re.compile(
    r"[.!;][\s\"'”’)*_]*\Z|[%$€£]|\b(?:dollars?|per\s?cent)\b"
    r"|\d[ -]?(?:minute|hour|day|week|month|year|metre|meter|kilo)",
    re.IGNORECASE,
)
"""A full stop, or a figure that a reader takes away: in no title, whether it asks or names."""
_ASKS: Final = re.compile(
    r"(?:who|whom|whose|what|when|where|why|how|which|whether)\b", re.IGNORECASE
)
"""\"Who must pay\", \"What is covered\": the verb of such a heading states nothing."""
_TITLE_WORDS: Final = 12
_LONGEST_WORD: Final = 200
_WORD_END: Final = 60
_LONG_WORD: Final = re.compile(rf"\S{{{_LONGEST_WORD},}}")
_BRACKETED: Final = re.compile(r"(\[[^\[\]\n]{1,300}\])")
_STOP: Final = re.compile(r"[.!?…]")


@dataclass(frozen=True, slots=True)
class Block:
    """One block of text, without the marks of its layout."""

    start: int
    end: int
    paragraph: int
    """Number from 0 of the group of lines, set off by blank ones, that it stands in; headings
    alone make no paragraph."""
    heading: bool = False
    """A title, which states nothing."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence, trimmed."""

    start: int
    end: int
    paragraph: int


def blocks(text: str) -> list[Block]:
    """Return the blocks of ``text`` in order; blank lines, bullets and pipes are in none."""
    found: list[Block] = []
    paragraph, in_paragraph = -1, False
    lines = list(_lines(text))
    joins = False
    for number, (start, end) in enumerate(lines):
        at = _after_indent(text, start, end)
        if at == end:
            in_paragraph = joins = False
            continue
        if heading := _HEADING.match(text, at, end):
            at, joins = heading.end(), False
            if _is_title(text[at:end]):
                found.append(Block(at, end, max(paragraph, 0), heading=True))
                continue
        elif not joins and _is_headline(text, lines, number, at) and _is_title(text[at:end]):
            found.append(Block(at, end, max(paragraph, 0), heading=True))
            continue
        if not in_paragraph:
            paragraph, in_paragraph = paragraph + 1, True
        if text[at] == "|":
            found += [Block(*cell, paragraph) for cell in _cells(text, at, end)]
            joins = False
            continue
        item = _ITEM.match(text, at, end)
        if joins and not item and not heading:
            last = found[-1]
            found[-1] = Block(last.start, end, last.paragraph)
            continue
        first = _after_items(text, at, end)
        if first < end:
            found.append(Block(first, end, paragraph))
        joins = first < end and not heading
    return found


def sentences(text: str, split: Split | None = None) -> list[Sentence]:
    """Return the sentences of ``text`` outside headings; each holds a letter or a digit.

    Args:
        text: An answer, as Markdown or plain.
        split: Cuts one block into sentences; default: as the gate does, see ``splitter``.
    """
    cut = split or _legal
    found: list[Sentence] = []
    for block in blocks(text):
        if block.heading:
            continue
        for start, end in cut(text[block.start : block.end]):
            span = _trimmed(text, block.start + start, block.start + end)
            if span and says_something(text[slice(*span)]):
                found.append(Sentence(*span, block.paragraph))
    return found


def says_something(text: str) -> bool:
    """Whether ``text`` holds a letter or a digit of any script."""
    return any(character.isalnum() for character in text)


def without_long_runs(text: str) -> str:
    """Return ``text`` with the stops inside of overlong words as letters; its length stays.

    The splitter looks back over a word from each stop in it, so its time grows with the square of
    a word's length: a megabyte of "!" would take hours. A sentence ends before a blank only, so
    the stops that count are at the end of a word, and are left. A marker in square brackets, which
    the splitter takes for a blank, ends a word too.
    """
    return _LONG_WORD.sub(lambda word: "".join(map(_calmed, _BRACKETED.split(word[0]))), text)


def _calmed(word: str) -> str:
    if len(word) <= _LONGEST_WORD:
        return word
    return _STOP.sub("x", word[:-_WORD_END]) + word[-_WORD_END:]


def _legal(text: str) -> Iterator[tuple[int, int]]:
    from corpusguard.gate.splitter import split  # noqa: PLC0415 - loads what --help does not need

    # What stands in brackets is no word of a sentence, and goes with the one before it.
    found = split(without_long_runs(text), lambda _inside: True)
    return ((one.start, one.end) for one in found)


def _lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    while start <= len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield start, end
        start = end + 1


def _after_indent(text: str, at: int, end: int) -> int:
    while at < end and (text[at].isspace() or text[at] == ">"):
        at += 1
    return at


def _after_items(text: str, at: int, end: int) -> int:
    """Skip a bullet and the list number that may follow it."""
    for _ in range(2):
        item = _ITEM.match(text, at, end)
        if not item:
            break
        at = item.end()
    return at


def _cells(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    at = start
    while at < end:
        bar = text.find("|", at, end)
        bar = end if bar < 0 else bar
        span = _trimmed(text, at, bar)
        if span and says_something(text[slice(*span)]):
            yield span
        at = bar + 1


def _is_headline(text: str, lines: list[tuple[int, int]], number: int, at: int) -> bool:
    """Whether a line is underlined, or nothing but bold: the two other ways to print a heading."""
    if _BOLD.match(text, at, lines[number][1]):
        return True
    if number + 1 >= len(lines):
        return False
    return _UNDERLINE.match(text[slice(*lines[number + 1])]) is not None


def _is_title(text: str) -> bool:
    """Whether a heading only names or asks: one that states something is a sentence."""
    if len(text) > 200 or len(text.split(None, _TITLE_WORDS)) > _TITLE_WORDS:
        return False
    text = text.strip()
    asks = text.endswith("?") or _ASKS.match(text) is not None
    return not _FIGURE.search(text) and (asks or not _STATES.search(text))


def _trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return (start, end) if start < end else None
