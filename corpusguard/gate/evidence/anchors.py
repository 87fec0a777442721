"""What in a claim must be found in its evidence word for word: numbers and quotations.

And what makes a claim load-bearing: that it has a number, or is about a named entity.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from corpusguard.gate.evidence.canonical import Canonical, visible

if TYPE_CHECKING:
    from collections.abc import Iterable

_NUMBER: Final = re.compile(
    r"(?P<sign>[$€£¥][ ]?)?(?P<digits>\d+(?:[.,]\d+){0,8})"
    r"(?P<unit>[ ]?(?:%|‰|per\s?cent\b|dollars?\b))?",
    re.IGNORECASE,
)
_REFERENCE: Final = re.compile(
    r"\b(?:ss?\.|sub-?ss?\.|sections?|subsections?|clauses?|paragraphs?|paras?\.|schedules?)"
    r"[ ]?\(?\d{1,5}(?:\.\d{1,4}){0,4}(?:[ ]?\([0-9a-z.]{1,6}\)){0,6}",
    re.IGNORECASE,
)
_THOUSANDS: Final = re.compile(r",(?=\d{3}(?:\D|\Z))")
_UNITS: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
).split()
_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_WORDS: Final = (
    {word: number for number, word in enumerate(_UNITS)}
    | {word: 20 + 10 * number for number, word in enumerate(_TENS)}
    | {
        f"{ten}-{unit}": 20 + 10 * tens + number
        for tens, ten in enumerate(_TENS)
        for number, unit in enumerate(_UNITS[:10])
        if number
    }
)
_OTHER: Final = frozenset(
    "hundred thousand million billion half third quarter dozen twice double triple".split()
)
_MONTH: Final = re.compile(
    r"\b\d{1,2}(?:st|nd|rd|th)?[ ](?P<a>[A-Z][a-z]{2,8})\b|\b(?P<b>[A-Z][a-z]{2,8})[ ]\d{1,4}\b"
)
_MONTHS: Final = frozenset(
    "January February March April May June July August September October November December".split()
)
_WORD: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)?")
_PRONOUN: Final = re.compile(
    r"\b(?:no|any|every|some|this|that|which|the|each)[ -]one\b"
    r"|\bone(?:\s+(?:another|or|of|who|and\s+the)|'s|’s)\b",
    re.IGNORECASE,
)
_QUOTED: Final = re.compile(r"[\"“«]([^\"“”«»]{1,2000})[\"”»]")
_CAPITAL: Final = re.compile(r"[^\W\d_]+")
_ACRONYM: Final = re.compile(r"\b[A-Z]{2,}[a-z]?\b")
_COMMON: Final = frozenset(
    "a an the this that these those it its he she they we you i who what which when where why how "
    "if unless except despite subject under in on at by for from to of with without within after "
    "before during until since no not any each every all some both either neither one two three "
    "there here and or but so as is are was were must may shall can will section subsection clause "
    "paragraph part schedule".split()
)


def figures(text: str) -> frozenset[str]:
    """Return the numbers of ``text``, in figures or in words, with ``$`` and ``%`` if they have it.

    The month of a date is one of them: ``1 May`` and ``May 2024`` have ``May``.

    ``5,000`` and ``5000`` are one number, as are ``thirty`` and ``30``, ``5 per cent`` and ``5%``,
    ``5 dollars`` and ``$5``.
    """
    text = visible(text)
    found = {month["a"] or month["b"] for month in _MONTH.finditer(text)} & _MONTHS
    for number in _NUMBER.finditer(text):
        sign = (number["sign"] or "").strip()
        unit = (number["unit"] or "").strip().casefold()
        value = _THOUSANDS.sub("", number["digits"])
        if unit.startswith("dollar"):
            sign, unit = "$", ""
        found.add(sign + value + ("‰" if unit == "‰" else "%" if unit else ""))
    for word in _WORD.findall(_PRONOUN.sub(" ", text).casefold()):
        parts = [word] if word in _WORDS else word.split("-")
        for part in parts:
            if part in _WORDS:
                found.add(str(_WORDS[part]))
            elif part in _OTHER:
                found.add(part)
    return frozenset(found)


def quotations(text: str) -> list[str]:
    """Return what stands in quotation marks."""
    return [found[1] for found in _QUOTED.finditer(text)]


def is_anchored(text: str, spans: Iterable[str], locators: Iterable[str] = ()) -> bool:
    """Whether every number and every quotation of ``text`` is in its evidence.

    Args:
        text: A claim or a sentence.
        spans: The words that it rests on.
        locators: Official locators of where they stand: the numbers of a section reference
            (``s. 5 (2)``) may be there instead.
    """
    spans = list(spans)
    held = _figures_of(spans)
    references = [found.group() for found in _REFERENCE.finditer(text)]
    if not figures(_REFERENCE.sub(" ", text)) <= held:
        return False
    if not _figures_of(references) <= held | _figures_of(locators):
        return False
    quoted = quotations(text)
    folded = [Canonical(span) for span in spans] if quoted else []
    return all(any(span.find(Canonical(quote)) for span in folded) for quote in quoted)


def _figures_of(texts: Iterable[str]) -> frozenset[str]:
    return frozenset().union(*(figures(text) for text in texts))


def is_numeric(text: str) -> bool:
    """Whether ``text`` holds a number, in figures or in words."""
    return bool(figures(text))


def is_named(text: str, known: frozenset[str]) -> bool:
    """Whether ``text`` is about a named entity.

    An acronym, or a capital letter that a sentence's beginning does not explain. The first word
    counts where ``known`` holds it: see :func:`names`.
    """
    if _ACRONYM.search(text):
        return True
    first = True
    for word in _CAPITAL.finditer(text):
        name = word.group()
        begins = first or text[: word.start()].rstrip()[-1:] in {".", "!", "?", ":"}
        first = False
        if not name[0].isupper() or name.casefold() in _COMMON:
            continue
        if not begins or name in known:
            return True
    return False


def names(texts: Iterable[str]) -> frozenset[str]:
    """Return the words that ``texts`` print with a capital within a sentence."""
    found = set()
    for text in texts:
        for word in _CAPITAL.finditer(text):
            before = text[max(word.start() - 3, 0) : word.start()].rstrip()
            if word.group()[0].isupper() and before[-1:].isalnum():
                found.add(word.group())
    return frozenset(found)
