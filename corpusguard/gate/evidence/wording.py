"""The answer as it may be shown: the sentences that pass, single sources named."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from corpusguard.gate.citing import MARKER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corpusguard.gate.evidence.model import SentenceCheck

_BULLET: Final = re.compile(r"([-*+•]|\d{1,3}[.)])[ \t]+\Z")
_BLANK_LINE: Final = re.compile(r"\n[ \t\r]*\n")


def shown(answer: str, sentences: Sequence[SentenceCheck]) -> str:
    """Return the sentences that pass, each with its markers and its single sources.

    Paragraphs, lines and bullets stay; headings go, since nothing checks them.
    """
    pieces: list[str] = []
    parted = ""
    at = 0
    for one in sentences:
        between = MARKER.sub("", answer[at : one.sentence.start])
        at = one.sentence.end
        parted = max(parted, _gap(between), key=len)
        if one.why is not None:
            continue
        bullet = _BULLET.search(between.rpartition("\n")[2][-8:])
        if pieces:
            pieces.append(parted or " ")
        pieces.append((f"{bullet[1]} " if bullet else "") + _sentence(one))
        parted = ""
    return "".join(pieces)


def _gap(between: str) -> str:
    if _BLANK_LINE.search(between):
        return "\n\n"
    return "\n" if "\n" in between else ""


def _sentence(one: SentenceCheck) -> str:
    markers = "".join(f"[{claim}]" for claim in one.sentence.claims)
    text = f"{one.sentence.text} {markers}"
    if one.sources:
        # In brackets of its own, so that no source runs into the words of the sentence.
        names = "; ".join(" ".join(source.split()) for source in one.sources)
        text += f" (single source: {names})"
    return text
