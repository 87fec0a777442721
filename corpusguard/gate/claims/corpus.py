"""Sources of record from the verified corpus."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from math import log
from typing import TYPE_CHECKING, Final

from corpusguard.gate.claims.model import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from corpusguard.service.gate import TrustedPassage

MOST_CANDIDATES: Final = 12
_WORD: Final = re.compile(r"\d+(?:\.\d+)*|[^\W\d_]+")
_NUMBERED: Final = re.compile(
    r"\b(?:s|ss|sec|section|sections|subsection|clause|article)\b\.?\s*(\d+(?:\.\d+)*)",
    re.IGNORECASE,
)
_SECTION_WEIGHT: Final = 4.0


class VerifiedCorpus:
    """The passages that hold today.

    Args:
        read: returns them; called again for every fetch, because a source may have changed or
            ceased to hold in between.
    """

    def __init__(self, read: Callable[[], Sequence[TrustedPassage]]) -> None:
        self._read = read

    def candidates(self, claim: str) -> list[Source]:
        """Return up to ``MOST_CANDIDATES`` passages that share words with ``claim``.

        Rare words count for more, a section that the claim names for most. What shares no word
        with the claim is no candidate: a list that always offers something invites a guess.
        """
        texts = self._read()
        bags = [_words(f"{one.title} {one.heading} {one.text}") for one in texts]
        spread = Counter(word for bag in bags for word in bag)
        wanted = _words(claim)
        named = set(_NUMBERED.findall(claim))
        scored = []
        for one, bag in zip(texts, bags, strict=True):
            score = sum(log(1 + len(texts) / spread[word]) for word in wanted & bag)
            if score and one.section in named:
                score += _SECTION_WEIGHT
            if score:
                scored.append((-score, one.id, one))
        return [_source(one) for _, _, one in sorted(scored, key=lambda each: each[:2])][
            :MOST_CANDIDATES
        ]

    def fetch(self, ident: str) -> Source | None:
        """Read the corpus and history anew."""
        for one in self._read():
            if one.id == ident:
                return _source(one)
        return None


def _words(text: str) -> set[str]:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return {word for word in _WORD.findall(folded) if len(word) > 3 or word[0].isdigit()}


def _source(one: TrustedPassage) -> Source:
    section = f"s. {one.section}" if one.section else ""
    return Source(
        id=one.id,
        label=", ".join(part for part in (one.title, section, one.heading) if part),
        text=one.text.strip(),  # blanks stand where the label of ingestion was
        digest=one.digest,
        document=one.document,
        title=one.title,
        section=one.section,
        run=one.run,
        verified=one.verified,
    )
