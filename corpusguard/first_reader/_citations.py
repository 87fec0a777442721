"""The trailing amendment citation: where the law ends and its history begins.

In doubt a text is law: what is taken for history escapes coverage.
"""

from __future__ import annotations

import re
from typing import Final

_HEAD: Final = (
    r"(?:(?:R\.S\.O\.|S\.O\.|L\.R\.O\.|L\.O\.)\s?)?\d{4},?\s(?:c|chap)[.,]\s?[A-Z]?[.\w]{1,8}"
    r"|R\.R\.O\.\s\d{4},\s?Reg\.?\s?[\dA-Z.]{1,8}"
    r"|R\.R\.O\.\s\d{4},\s?Règl\.\s?[\dA-Z.]{1,8}"
    r"|O\.\s?Reg\.?\s?\d{1,4}/\d{2,4}"
    r"|Règl\.\sde\sl[’']Ont\.\s?\d{1,4}/\d{2,4}"
)
_PLACE: Final = re.compile(
    r"[, ](?:ss?|Scheds?|Schedule|par|art|ann|annexe|Form|Table|Part|items?|cl|subs)\b"
)
_REST: Final = (
    r"(?:[.,]?\s?(?:\d{1,4}[\w.]{0,10}(?:[-–]\d[\w.]{0,10})?|\([\w., –-]{1,40}\)"
    r"|ss?|Scheds?|Schedule|subs|cl|par|art|ann|annexe|paras?|subpar"
    r"|Forms?|Tables?|Parts?|part|items?|and|et|revised|[A-Za-z]{1,2}|[ivxlIVXL]{1,6})(?!\w)){0,60}"
)
_CITATION: Final = re.compile(rf"(?:{_HEAD}){_REST}[.,]?\s?\Z")
# Only after one of these signs does a citation begin; elsewhere it is part of the sentence. The
# sign stands first in the pattern because the engine then skips everything else in one sweep.
_START: Final = re.compile(
    r"[.:;?!)\]”»’\"](?<!S\.O\.)(?<!R\.O\.)(?<!L\.O\.)\s(?=(?:R\.S\.O\.|S\.O\.|L\.R\.O\.|L\.O\.|R\.R\.O\.|O\.\s?Reg|Règl\."
    r"|\d{4},?\s(?:c|chap)[.,]))"
)
_LEADS_ON: Final = re.compile(r"(?:[,(“«]|\b(?:of|the|under|in|by|to|and|or|see|Act))\Z")
MAX_TAIL: Final = 6_000
"""Characters from the end in which a citation is looked for; the longest real one has 700."""


def is_list(text: str) -> bool:
    """Whether a text is nothing but citations joined by ``;``, the first of which names a place."""
    pieces = text.split(";")
    for piece in pieces:
        if len(piece) > 400 or _CITATION.match(piece.strip()) is None:
            return False
    return _PLACE.search(pieces[0]) is not None


def tail_start(text: str, marked: int | None = None, floor: int = 0) -> int:
    """Where the trailing citation begins in a block's canonical text; its length if none.

    Args:
        text: Canonical text.
        marked: Offset from which the publisher marked everything as citation, if it did.
        floor: Offset before which no citation can begin (the end of the marker).
    """
    whole = len(text)
    if " c." in text or "Reg" in text or "chap" in text or " c," in text or "Règl" in text:
        for match in _START.finditer(text, max(floor, whole - MAX_TAIL)):
            if is_list(text[match.end() :]):
                return match.end()
    if marked is not None and marked >= floor and not _LEADS_ON.search(text[:marked].rstrip()):
        return marked
    return whole
