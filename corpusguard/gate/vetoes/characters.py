"""Characters that are not what they look like: digits of other scripts, bidi controls, homoglyphs.

Unicode's general categories (UAX #44) say what a character is; its name tells the script.
"""

from __future__ import annotations

import unicodedata
from typing import Final

from corpusguard.gate.words import FOLDED, SOFT_HYPHEN

_INVISIBLE: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_LAYOUT: Final = frozenset("\n\t\r")


def strange(sentence: str) -> str:
    """Return what is in ``sentence`` that no honest sentence holds, or nothing.

    Invisible and bidi characters (a soft hyphen aside), and decimal digits other than 0 to 9.
    """
    if sentence.isascii() and sentence.isprintable():
        return ""
    for letter in sentence:
        if letter in _LAYOUT or letter == SOFT_HYPHEN:
            continue
        category = unicodedata.category(letter)
        if category in _INVISIBLE:
            return f"an invisible or bidi character, {_named(letter)}"
        if category == "Nd" and not letter.isascii():
            return f"a digit of another script, {_named(letter)}"
    return ""


def strange_in(sentence: str, passage: str) -> str:
    """Return what in ``sentence`` is neither plain, nor folded, nor in the passage; or nothing.

    A Cyrillic or full-width letter reads like ours and is none; "²" counts only where the law has
    it. Accented Latin letters are letters.
    """
    if sentence.isascii():
        return ""
    for letter in set(sentence) - set(passage):
        if letter.isascii() or letter in FOLDED or letter.isspace():
            continue
        if unicodedata.name(letter, "").startswith("LATIN ") and letter.isalpha():
            continue
        return f"a character that the passage does not have, {_named(letter)}"
    return ""


def _named(letter: str) -> str:
    return f"U+{ord(letter):04X} {unicodedata.name(letter, 'without a name')}"
