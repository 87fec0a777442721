"""Two texts side by side, as pieces of which some are marked as different."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from corpusguard.report.text import clip, safe

_MARK: Final = re.compile(r"\[-((?:(?!-\]).)*)-\]|\{\+((?:(?!\+\}).)*)\+\}", re.DOTALL)
_MAX_DIFF: Final = 20_000
"""More of a diff than any screen shows is not parsed."""
_LEAD: Final = 160
"""Code points of shared text kept before the first difference."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text, safe to print."""

    text: str
    differs: bool = False


def sides(
    official: str, stored: str, diff: str, limit: int
) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Return what each of two texts says, the differing words as pieces of their own.

    Args:
        official: The text that should be.
        stored: The text that is.
        diff: ``[-official-]{+stored+}`` marks inside context; where there are any, they are
            shown instead of the two whole texts.
        limit: Most code points a side; the cut keeps the first difference in view.

    Returns:
        ``(official, stored)``; an empty text is an empty side.
    """
    marked = _parse(diff[:_MAX_DIFF])
    if any(piece.differs for side in marked for piece in side):
        return _window(marked[0], limit), _window(marked[1], limit)
    return (
        _window([Piece(safe(official, multiline=True))], limit),
        _window([Piece(safe(stored, multiline=True))], limit),
    )


def _parse(diff: str) -> tuple[list[Piece], list[Piece]]:
    official: list[Piece] = []
    stored: list[Piece] = []
    at = 0
    for mark in _MARK.finditer(diff):
        _share(diff[at : mark.start()], official, stored)
        side, words = (official, mark[1]) if mark[1] is not None else (stored, mark[2])
        side.append(Piece(safe(words, multiline=True), differs=True))
        at = mark.end()
    _share(diff[at:], official, stored)
    return official, stored


def _share(text: str, *sides: list[Piece]) -> None:
    """Add words that both sides have; where a side left out a mark, its blanks meet: keep one."""
    shown = safe(text, multiline=True)
    for side in sides:
        meet = side and not side[-1].differs and side[-1].text.endswith(" ")
        side.append(Piece(shown.removeprefix(" ") if meet else shown))


def _window(pieces: list[Piece], limit: int) -> tuple[Piece, ...]:
    kept: list[Piece] = []
    room = limit
    for index, piece in enumerate(pieces):
        text = piece.text
        if index == 0 and len(pieces) > 1 and len(text) > _LEAD:
            text = "…" + text[-_LEAD:]
        if not text:
            continue
        if room <= 0:
            kept.append(Piece("…"))
            break
        text = clip(text, room)
        kept.append(Piece(text, piece.differs))
        room -= len(text)
    return tuple(kept)
