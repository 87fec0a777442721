r"""Sentences of an answer: the unit that is checked, and that ships or does not.

nupunkt (a Punkt model trained on American legal text, https://github.com/alea-institute/nupunkt)
proposes where sentences end; what it does not know is repaired here: Canadian citations ("O. Reg.",
"R.S.O.", "ch.", "para."), brackets, quotations, citation markers such as ``[c_31]``, and lists. A
bullet is one item with one verdict, or more where it holds several sentences. Lines that begin
with ``(a)`` go on with a line that ends in a comma, colon, semicolon, "and" or "or": so a list of a
statute, quoted whole, is one sentence.

Where it is not certain that a sentence ends, it does not: two sentences taken as one are no
quotation and are removed, while a sentence cut in two could leave half of a rule behind.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import nupunkt

from corpusguard.gate.abbreviations import ABBREVIATION
from corpusguard.gate.model import Sentence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_BULLET: Final = re.compile(r"[ \t]*(?:(?:[-*+•‣◦▪–—]|\d{1,3}[.)])[ \t]+|#{1,6}[ \t]+|>[ \t]?)+")
_LIMB: Final = re.compile(
    r"[ \t]*(?:\([A-Za-z0-9]{1,5}(?:\.\d{1,3})?\)|[ivxl]{1,6}\.|[A-Z]\.)[ \t]"
)
_OPEN_LINE: Final = re.compile(r"(?:[,:;—–-]|\b(?:and|or))[ \t]*$")
_MARKER: Final = re.compile(r"\[([^\[\]\n]{1,300})\]")
_STOP: Final = re.compile(r"(?<![.!?…])[.!?…]++[\"”’»')\]]*+(?=\s)")
"""Only from the first of several, and without trying fewer: else long runs take quadratic time."""
_LONG_RUN: Final = re.compile(r"\S{2000}")
"""Nobody's word; nupunkt takes quadratic time over it."""
_ENDS_ANYWAY: Final = frozenset(
    "a.m. p.m. inc. ltd. co. corp. c.j. j.a. u.s. u.k. b.c. n.s.".split()
)
"""Abbreviations that also end sentences: they do before a capital that begins a common opening."""
_OPENING: Final = re.compile(
    r"[\"“(\[]?(?:The|A|An|No|If|In|It|This|That|These|Those|Every|Each|Any|Where|When|Unless|"
    r"Despite|Subject|Under|Section|Subsection|However|He|She|They|You|Landlords?|Tenants?)\b"
)
_BEGINS: Final = re.compile(r"[\"“‘«(\[]*[^\W_a-z]")
_BLANKS: Final = re.compile(r"\s*")
_PAIRS: Final = {"(": ")", "[": "]", "“": "”", "«": "»"}
_CLOSING: Final = frozenset(_PAIRS.values())
_DEEPEST: Final = 20
"""Brackets looked back over for the one that a bracket closes."""


def split(answer: str, is_marker: Callable[[str], bool]) -> list[Sentence]:
    """Return the sentences of ``answer``, in order.

    Args:
        answer: As the model wrote it, in composed form (NFC).
        is_marker: Tells whether what stands in square brackets is a citation.

    Returns:
        Sentences whose slices do not overlap and hold every character of the answer that is not
        white space or a bullet.
    """
    found: list[Sentence] = []
    for start, end in _items(answer):
        found += _sentences(answer, start, end, is_marker)
    return found


def _items(answer: str) -> Iterator[tuple[int, int]]:
    """Yield paragraphs and list items as slices, without bullets and blank lines."""
    start = end = -1
    at = 0
    before = ""
    for line in answer.split("\n"):
        stop = at + len(line)
        bullet = _BULLET.match(line)
        is_blank = not line.strip()
        is_limb = bullet is None and _LIMB.match(line) is not None
        goes_on = is_limb and _OPEN_LINE.search(_MARKER.sub("", before).rstrip())
        after_heading = before.lstrip().startswith("#")
        begins = is_blank or after_heading or bullet is not None or (is_limb and not goes_on)
        if begins and start >= 0:
            yield start, end
            start = -1
        if not is_blank:
            if start < 0:
                start = at + (bullet.end() if bullet else 0)
            end = stop
        at = stop + 1
        before = line
    if start >= 0:
        yield start, end


def _sentences(
    answer: str, start: int, end: int, is_marker: Callable[[str], bool]
) -> Iterator[Sentence]:
    item = answer[start:end]
    marks = [found for found in _MARKER.finditer(item) if is_marker(found[1])]
    masked = _masked(item, marks)
    spans = pairwise([0, *_cuts(masked), len(item)])
    places = [found.start() for found in marks]
    for a, b in spans:
        if not item[a:b].strip():
            continue
        inside = marks[bisect_left(places, a) : bisect_left(places, b)]
        text = "".join(_kept(item, a, b, inside)).strip()
        lead = len(item[a:b]) - len(item[a:b].lstrip())
        tail = len(item[a:b].rstrip())
        yield Sentence(
            text, start + a + lead, start + a + tail, tuple(found[1] for found in inside)
        )


def _kept(item: str, a: int, b: int, marks: list[re.Match[str]]) -> Iterator[str]:
    """Yield the words between markers, without the blank before a marker."""
    at = a
    for found in marks:
        before = item[at : found.start()]
        yield before.rstrip(" \t") if item[found.end() : found.end() + 1] in ".,;:!?" else before
        at = found.end()
    yield item[at:b]


def _masked(item: str, marks: list[re.Match[str]]) -> str:
    """Replace citation markers by blanks, so that they are no words of a sentence."""
    parts = []
    at = 0
    for found in marks:
        parts += [item[at : found.start()], " " * len(found[0])]
        at = found.end()
    parts.append(item[at:])
    return "".join(parts).replace("\n", " ").replace("\t", " ")


def _cuts(masked: str) -> list[int]:
    """Return where sentences begin, but the first; blanks go with the sentence before."""
    stops = list(_STOP.finditer(masked))
    if not stops:
        return []
    model = _model(masked)
    depths = _open_brackets(masked, [found.end() for found in stops])
    cuts = []
    for found, is_open in zip(stops, depths, strict=True):
        rest = _after_blanks(masked, found.end())
        if rest >= len(masked) or is_open or not _BEGINS.match(masked, rest):
            continue
        before = masked[max(0, found.start() - 24) : found.end()].rstrip("\"”’»')]")
        is_stop = found[0][0] != "."
        if ABBREVIATION.search(before) and not is_stop:
            last = before.split()[-1].casefold().lstrip('("“')
            if last not in _ENDS_ANYWAY or not _OPENING.match(masked, rest):
                continue
        elif not (is_stop or found.end() in model or _is_word(before)):
            continue
        cuts.append(rest)
    return cuts


def _after_blanks(masked: str, at: int) -> int:
    found = _BLANKS.match(masked, at)
    return found.end() if found else at


def _is_word(before: str) -> bool:
    """Tell whether what stands before the full stop is a plain word, number or closing bracket."""
    return re.search(r"(?:[^\W\d_]{3,}|\d|\)|[\"”’»])\.$", before) is not None or (
        re.search(r"\b(?:so|it|do|to|is|be|on|by|up|in|of|us|we|he|me|no)\.$", before) is not None
    )


def _open_brackets(masked: str, places: list[int]) -> list[bool]:
    """Tell for each place whether a bracket or quotation is open there.

    One that is never closed does not hold the rest of the answer together.
    """
    regions: list[tuple[int, int]] = []
    stack: list[tuple[str, int]] = []
    for index, letter in enumerate(masked):
        if letter in _PAIRS:
            stack.append((_PAIRS[letter], index))
        elif letter in _CLOSING and any(letter == close for close, _ in stack[-_DEEPEST:]):
            while stack:
                close, start = stack.pop()
                if close == letter:
                    regions.append((start, index))
                    break
    straight = [index for index, letter in enumerate(masked) if letter == '"']
    regions += [(start, end) for start, end in zip(straight[::2], straight[1::2], strict=False)]
    return _inside(regions, places)


def _inside(regions: list[tuple[int, int]], places: list[int]) -> list[bool]:
    """Tell for each of ``places``, ascending, whether it lies in one of ``regions``."""
    answers = []
    regions.sort()
    here = 0
    reach = -1
    for place in places:
        while here < len(regions) and regions[here][0] < place:
            reach = max(reach, regions[here][1])
            here += 1
        answers.append(place <= reach)
    return answers


def _model(masked: str) -> frozenset[int]:
    """Return where nupunkt sees sentences end: nowhere in what is no prose."""
    if _LONG_RUN.search(masked):
        return frozenset()
    spans = nupunkt.sent_spans(masked)
    return frozenset(start + len(masked[start:end].rstrip()) for start, end in spans)


@lru_cache(maxsize=1)
def warm_up() -> None:
    """Load nupunkt's model now rather than with the first answer."""
    nupunkt.sent_spans("Warm.")
