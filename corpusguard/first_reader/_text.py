"""Canonical text, as docs/reading-elaws.md defines it, and the printed paragraphs of a document.

Both front ends (HTML, Word) turn bytes into ``Block`` objects; nothing after them knows which
of the two it was.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from typing import Final

BOLD: Final = 1
ITALIC: Final = 2
SMALLCAP: Final = 4
CITATION: Final = 8
PLACEHOLDER: Final = 16

MAX_BYTES: Final = 120_000_000
"""Bytes of markup that we are ready to parse; beyond it a document is not a law but an attack."""
MAX_DEPTH: Final = 200
"""Nesting of elements; real documents stay under 20."""

# Zero-width characters and the soft hyphen carry no text: they are dropped before anything else.
_DROPPED: Final = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
_INVISIBLE: Final = re.compile(f"[{_DROPPED}]+")
# Control characters other than tab, line feed, carriage return and form feed; U+FFFD; C1 controls.
_SUSPECT: Final = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\ufffd]")


def canonical(raw: str) -> str:
    """NFC, one space for each run of white space, nothing invisible, trimmed."""
    if not raw.isascii():
        raw = _INVISIBLE.sub("", raw)
        if not unicodedata.is_normalized("NFC", raw):
            raw = unicodedata.normalize("NFC", raw)
    return " ".join(raw.split())


def is_plain(raw: str) -> bool:
    """Whether ``canonical`` has nothing to do in a text but to fold its white space."""
    # Six searches for one character are ten times faster than one for a set of six.
    return unicodedata.is_normalized("NFC", raw) and not any(c in raw for c in _DROPPED)


def canonical_offset(raw: str, at: int) -> int:
    """Where the first visible character at or after ``raw[at]`` stands in ``canonical(raw)``."""
    rest = raw[at:]
    at += len(rest) - len(rest.lstrip())
    head = canonical(raw[:at])
    return len(head) + 1 if head and raw[at - 1].isspace() else len(head)


def suspect_characters(text: str) -> str:
    """The control and replacement characters in a text, each once, as ``U+0000`` names."""
    if _SUSPECT.search(text) is None:
        return ""
    found = sorted(set(_SUSPECT.findall(text)))
    return ", ".join(f"U+{ord(c):04X}" for c in found)


def placeholder(css: str, alternative: str) -> str:
    """What stands for an image; a formula that is only an image stands as an equation."""
    what = "equation" if css.startswith("equation") else "image"
    alternative = canonical(alternative)
    return f"[{what}: {alternative}]" if alternative else f"[{what}]"


@dataclass(slots=True)
class Block:
    """One printed paragraph or table cell, as the front end found it."""

    css: str
    """Class attribute or Word style name, untouched; empty where there is none."""
    raw: str
    """Its text before canonicalisation."""
    styles: list[tuple[int, int, int]] = field(default_factory=list)
    """``(start, end, bits)`` into ``raw``; half open, in order, never overlapping."""
    table: int = 0
    """Ordinal of the innermost table, 0 outside of tables."""
    row: int = 0
    """Ordinal of the innermost table row, 0 outside of tables."""
    complaints: list[tuple[str, str]] = field(default_factory=list)
    """``(kind, message)`` of anomalies that the front end saw in this block."""


@dataclass(slots=True)
class Stream:
    """All blocks of a document in order, with what belongs to no block."""

    blocks: list[Block] = field(default_factory=list)
    complaints: list[tuple[str, str]] = field(default_factory=list)
