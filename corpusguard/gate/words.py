"""Text as tokens: what may differ in print between a quotation and the law, and what may not.

Folded: white space of any kind, the shapes of quotation marks, and soft hyphens. Nothing else:
case, dashes, numbers and every word stay as they are.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final, NamedTuple

_FOLDS: Final = {
    **dict.fromkeys(map(ord, "“”„‟«»"), '"'),
    **dict.fromkeys(map(ord, "‘’‚‛"), "'"),
}
SOFT_HYPHEN: Final = "\u00ad"
FOLDED: Final = frozenset("“”„‟«»‘’‚‛" + SOFT_HYPHEN)

_TOKEN: Final = re.compile(
    r"""
    \([0-9A-Za-z]{1,5}(?:\.[0-9]{1,3})*\)      # (2), (a), (4.1), (iii)
    | \d+(?:[.,]\d+)*\w*                       # 1,500  4.0.1  12th
    | \w+(?:'\w+)*                             # words; landlord's
    | [^\w\s]
    """,
    re.VERBOSE,
)


class Token(NamedTuple):
    """One word, number, bracketed marker or mark of punctuation."""

    text: str
    start: int
    end: int


def composed(text: str) -> str:
    """Return ``text`` in composed form (NFC)."""
    return text if unicodedata.is_normalized("NFC", text) else unicodedata.normalize("NFC", text)


def tokens(text: str, offset: int = 0) -> list[Token]:
    """Return the tokens of composed ``text``; offsets count from ``offset``."""
    folded = text.translate(_FOLDS)
    if SOFT_HYPHEN not in folded:
        return [
            Token(found[0], found.start() + offset, found.end() + offset)
            for found in _TOKEN.finditer(folded)
        ]
    places = [index for index, letter in enumerate(folded) if letter != SOFT_HYPHEN]
    bare = folded.replace(SOFT_HYPHEN, "")
    return [
        Token(found[0], places[found.start()] + offset, places[found.end() - 1] + 1 + offset)
        for found in _TOKEN.finditer(bare)
    ]


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """Return a word without case, possessive and the commonest English endings.

    Crude on purpose: it serves to ask whether two words may be the same, never to match a quote.
    """
    low = word.casefold()
    low = low[:-2] if low.endswith("'s") else low.rstrip("'")
    for ending, keep in (("ies", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", ""), ("e", "")):
        if low.endswith(ending) and len(low) - len(ending) >= 3 and not low.endswith("ss"):
            return low[: -len(ending)] + keep
    return low
