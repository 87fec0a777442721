"""Where the marks of the two charts stand, in whole units: the same figures, the same bytes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from corpusguard.report.compliance.strips import COVER_LOOKS, Cover

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corpusguard.report.compliance.facts import PastRun
    from corpusguard.report.compliance.strips import SectionCover

STRIP_WIDTH: Final = 10_000
STRIP_HEIGHT: Final = 480
TREND_WIDTH: Final = 720
TREND_HEIGHT: Final = 150
_LEFT: Final = 48
_TOP: Final = 12
_NARROWEST: Final = 400
"""A section is at least this part of a strip wide, so that a short one can be seen."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A rectangle of a strip or of a chart."""

    kind: str
    """Its class: how much of a section is verified, or ``rest`` for what is not."""
    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Strip:
    """Coverage of a document as one line of bars, a section each, as wide as it has words."""

    width: int
    height: int
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class Point:
    """One run of a trend."""

    x: int
    y: int
    """Of its coverage; -1 where none was measured."""
    bar_y: int
    bar_height: int
    """Of its errors."""


@dataclass(frozen=True, slots=True)
class Trend:
    """Coverage as a line from 0 to 100 %, errors as columns below it."""

    width: int
    height: int
    left: int
    top: int
    step: int
    """Width of a column."""
    points: tuple[Point, ...]
    lines: tuple[tuple[Point, ...], ...]
    """Runs of neighbours whose coverage is known."""
    most: int
    """Errors that the highest column stands for."""


def strip_of(sections: Sequence[SectionCover]) -> Strip:
    """Return the bars of a document.

    A whole section is a full bar, a part fills it from below, none is a bar with a gap in the
    middle, and what has no words of law in force is a low bar: shapes say what colours say.
    """
    total = max(sum(one.words for one in sections), 1)
    least = max(total // _NARROWEST, 1)
    widths = [max(one.words, least) for one in sections]
    whole = max(sum(widths), 1)
    bars: list[Bar] = []
    at = 0
    height = STRIP_HEIGHT
    for one, width in zip(sections, widths, strict=True):
        x, end = at * STRIP_WIDTH // whole, (at + width) * STRIP_WIDTH // whole
        at += width
        wide = max(end - x - 4, 2)  # a hair of paper between neighbours
        if one.cover is Cover.PART:
            share = min(max(one.verified * height // one.words, height // 6), height * 5 // 6)
            bars.append(Bar("rest", x, 0, wide, height - share))
            bars.append(Bar("part", x, height - share, wide, share))
        elif one.cover is Cover.NONE:
            bars.append(Bar("none", x, 0, wide, height * 2 // 5))
            bars.append(Bar("none", x, height * 3 // 5, wide, height - height * 3 // 5))
        elif COVER_LOOKS[one.cover] == "off":
            bars.append(Bar("off", x, height * 3 // 4, wide, height - height * 3 // 4))
        else:
            bars.append(Bar("whole", x, 0, wide, height))
    return Strip(STRIP_WIDTH, height, tuple(bars))


def trend_of(runs: Sequence[PastRun]) -> Trend:
    """Return the chart of runs, oldest at the left."""
    most = max([1, *(one.errors for one in runs)])
    slot = (TREND_WIDTH - _LEFT) // max(len(runs), 1)
    floor = _TOP + TREND_HEIGHT
    points = []
    for place, one in enumerate(runs):
        share = one.covered * TREND_HEIGHT // one.words if one.words else -1
        tall = one.errors * TREND_HEIGHT // most
        points.append(
            Point(
                x=_LEFT + place * slot + slot // 2,
                y=floor - share if share >= 0 else -1,
                bar_y=floor - max(tall, 2 if one.errors else 0),
                bar_height=max(tall, 2 if one.errors else 0),
            )
        )
    lines: list[list[Point]] = [[]]
    for point in points:
        if point.y < 0:
            lines.append([])
        else:
            lines[-1].append(point)
    return Trend(
        width=TREND_WIDTH,
        height=floor + 28,
        left=_LEFT,
        top=_TOP,
        step=max(min(slot * 3 // 5, 28), 2),
        points=tuple(points),
        lines=tuple(tuple(line) for line in lines if len(line) > 1),
        most=most,
    )
