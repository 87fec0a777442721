"""Rebuilding recipes: the stored passage must be the one that ingestion would store today.

On top of locating the words in the official text, a rebuilt corpus promises the exact text per
locator: what is shorter, longer or differently headed is a finding even where every word is law.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpusguard.layers.draft import counted, draft
from corpusguard.layers.locate import Locator, Place
from corpusguard.layers.locators import normal_form, read_claim
from corpusguard.layers.words import only_typographic, words_of
from corpusguard.model import Difference

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corpusguard.layers.context import Official
    from corpusguard.layers.currency import Judged
    from corpusguard.model import Finding, Passage


@dataclass(frozen=True, slots=True)
class Expected:
    """One passage as ingestion would store it, with and without the text template."""

    heading: str | None
    words: list[str]
    bare: list[str]
    before: list[str]
    """Words that the template puts before the text."""
    after: list[str]
    """Words that the template puts after it."""


class Expectations:
    """Expected passages by locator; several under one locator are taken in order."""

    def __init__(self, templated: Sequence[Passage], bare: Sequence[Passage]) -> None:
        """Pair each templated passage with its text without the template."""
        self._by_key: dict[tuple[str, str], list[Expected]] = {}
        self._next: dict[tuple[str, str], int] = {}
        for with_template, without in zip(templated, bare, strict=True):
            words = words_of(with_template.text)
            inner = words if without.text == with_template.text else words_of(without.text)
            start = _find(words, inner)
            one = Expected(
                with_template.heading,
                words,
                inner,
                words[:start],
                words[start + len(inner) :],
            )
            key = (normal_form(without.section or ""), (without.subsection or "").strip("()"))
            self._by_key.setdefault(key, []).append(one)

    def take(self, passage: Passage) -> Expected | None:
        """The expected passage for a stored row, or None where nothing is expected."""
        claim = read_claim(passage.section or "", passage.subsection)
        if claim is None:
            return None
        key = (claim.section, claim.subsection)
        known = self._by_key.get(key)
        if not known:
            return None
        number = self._next.get(key, 0)
        self._next[key] = number + 1
        return known[min(number, len(known) - 1)]


def _find(words: list[str], part: list[str]) -> int:
    for start in range(len(words) - len(part) + 1):
        if words[start : start + len(part)] == part:
            return start
    return 0


def law_of(stored: list[str], expected: Expected | None) -> list[str]:
    """Stored words without what the template puts around them, where that is there."""
    if expected is None:
        return stored
    start, end = len(expected.before), len(stored) - len(expected.after)
    if start and stored[:start] != expected.before:
        start = 0
    if expected.after and stored[end:] != expected.after:
        end = len(stored)
    return stored[start:end]


def rebuilt_findings(today: Official, judged: Judged, expected: Expected | None) -> list[Finding]:
    """What differs from the expected passage although every stored word is official."""
    located = judged.located
    if expected is None or not located.law_is_equal or located.locator is not Locator.FOUND:
        return []
    passage = located.passage
    stored = words_of(passage.text)
    if stored == expected.words:
        return []
    if located.place is Place.TYPOGRAPHIC and only_typographic(expected.bare, located.words):
        return []
    if located.words == expected.bare:
        rule, message = "CG102", "the text is right, but what the template puts around it is not"
        kinds = [Difference.HEADING]
    elif expected.bare[: len(located.words)] == located.words:
        missing = len(expected.bare) - len(located.words)
        rule, message = "CG307", f"the passage stops {counted(missing)} before its provision does"
        kinds = [Difference.WORDING]
    else:
        rule = "CG101"
        message = "the words are official, but they are not the passage that the recipe builds"
        kinds = [Difference.NUMBERING if _same_law(expected, stored) else Difference.WORDING]
    return [
        draft(
            rule,
            today.document.id,
            message,
            section=judged.section,
            passage=passage.id,
            row=passage.row,
            where=passage.where,
            differences=kinds,
            official=" ".join(expected.words),
            stored=passage.text,
        )
    ]


def _same_law(expected: Expected, stored: list[str]) -> bool:
    def bare(words: list[str]) -> list[str]:
        return [word for word in words if any(char.isalpha() for char in word) and len(word) > 4]

    return bare(expected.words) == bare(stored)
