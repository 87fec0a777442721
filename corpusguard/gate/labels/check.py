"""The label gate: what holds a text back, and the labels that the gate itself assigns."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from corpusguard.errors import ConfigError
from corpusguard.gate.labels.model import Bare, Decision, Kind, Labelled, Quoted, Reason
from corpusguard.gate.labels.parse import parse
from corpusguard.gate.prose import says_something, sentences

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corpusguard.gate.prose import Sentence, Split

_MARKER: Final = re.compile(r"\[c_\d{1,9}\]")
"""A citation marker of a selection trace: layout, as far as labels go."""
_SHOWN: Final = 300
"""Code points shown of a sentence or of a guess."""


def check(
    text: str,
    *,
    quoted: Iterable[Quoted] = (),
    allow_guesses: bool = False,
    split: Split | None = None,
) -> Decision:
    """Decide whether a labelled text may pass.

    It is held on any guess, on words of a sentence without a label, on anything wrong with a
    label, and where it has no sentence. An incoming (m) counts for nothing: what it stands on
    needs (u) or (g), or the gate's own verdict.

    Args:
        text: The labelled text, hostile.
        quoted: What the sentence gate found QUOTED, as spans of the plain text.
        allow_guesses: Do not hold for a (g).
        split: See :func:`corpusguard.gate.prose.sentences`.

    Raises:
        ConfigError: The text is too long.
    """
    read = parse(text)
    found = sentences(read.plain, split)
    bare = tuple(_bare(read, found, sorted((one.start, one.end) for one in quoted)))
    guesses = tuple(
        _beginning(text, label.inner_start, label.inner_end)
        for label in read.labels
        if label.kind is Kind.GUESSED
    )
    reasons = [
        reason
        for reason, holds in (
            (Reason.IMBALANCE, bool(read.problems)),
            (Reason.GUESS, bool(guesses) and not allow_guesses),
            (Reason.UNLABELLED, any(one.reason is Reason.UNLABELLED for one in bare)),
            (Reason.UNPROVEN, any(one.reason is Reason.UNPROVEN for one in bare)),
            (Reason.EMPTY, not found),
        )
        if holds
    ]
    return Decision(
        held=bool(reasons),
        reasons=tuple(reasons),
        sentences=len(found),
        guesses=guesses,
        bare=bare,
        problems=read.problems,
        opened=read.opened,
        closed=read.closed,
    )


def assign(text: str, quoted: Sequence[Quoted]) -> str:
    """Return ``text`` with the gate's own (m) on what is quoted, and no other (m).

    A label that stands on nothing but quoted words goes: what is proven is no longer given or
    guessed. One that holds more than they stays around the (m).

    Args:
        text: The labelled text.
        quoted: Spans of its plain text, without overlap.

    Raises:
        ConfigError: A span overlaps another or lies outside the text, a source or date is missing
            or holds a parenthesis or a line break, or a label ends amid the quoted words.
    """
    read = parse(text)
    if read.problems:
        raise ConfigError(
            f"the labels are not in order: {read.problems[0].message}",
            hint="`corpusguard labels check` shows every fault.",
        )
    spans = sorted(quoted, key=lambda one: one.start)
    _refuse_unfit(read, spans)
    marks = [
        _Mark(one.start, one.end, 0, "(m)", f"(/m: {one.source}, {one.date})") for one in spans
    ]
    for label in read.labels:
        start, end = label.plain_start, label.plain_end
        if label.kind is Kind.MEASURED or start == end or _within(spans, start, end):
            continue
        if _crosses(spans, start, end):
            raise ConfigError(
                f"a ({label.kind}) begins or ends amid quoted words", hint="Label whole sentences."
            )
        note = f": {label.note}" if label.note else ""
        marks.append(_Mark(start, end, label.start, f"({label.kind})", f"(/{label.kind}{note})"))
    return _marked(read.plain, marks)


@dataclass(frozen=True, slots=True)
class _Mark:
    """A label to write around ``start..end`` of a plain text."""

    start: int
    end: int
    order: int
    """Among labels of one and the same span: the lower is the outer one."""
    opens: str
    closes: str


def _marked(text: str, marks: Iterable[_Mark]) -> str:
    """Write labels that nest into ``text``."""
    pieces: list[str] = []
    at = 0
    stack: list[_Mark] = []

    def close(until: int) -> None:
        nonlocal at
        while stack and stack[-1].end <= until:
            mark = stack.pop()
            pieces.extend((text[at : mark.end], mark.closes))
            at = mark.end

    for mark in sorted(marks, key=lambda one: (one.start, -one.end, one.order)):
        close(mark.start)
        pieces.extend((text[at : mark.start], mark.opens))
        at = mark.start
        stack.append(mark)
    close(len(text))
    pieces.append(text[at:])
    return "".join(pieces)


def _within(spans: Sequence[Quoted], start: int, end: int) -> bool:
    index = bisect_right(spans, start, key=lambda one: one.start) - 1
    return index >= 0 and end <= spans[index].end


def _crosses(spans: Sequence[Quoted], start: int, end: int) -> bool:
    """Whether one of the sorted ``spans`` holds one end of ``start..end`` and not the other."""
    for position in (start, end):
        index = bisect_left(spans, position, key=lambda one: one.start) - 1
        if index < 0 or position >= spans[index].end:
            continue
        if not (start <= spans[index].start and spans[index].end <= end):
            return True
    return False


def _bare(
    read: Labelled, found: Sequence[Sentence], quoted: Sequence[tuple[int, int]]
) -> Iterator[Bare]:
    """Yield the words of each sentence that no (u), no (g) and no quotation stands on."""
    starts = [stretch.start for stretch in read.stretches]
    shut = sorted([*read.letters, *quoted])
    for sentence in found:
        first = max(bisect_right(starts, sentence.start) - 1, 0)
        last = bisect_left(starts, sentence.end)
        for stretch in read.stretches[first:last]:
            if stretch.given or stretch.guessed:
                continue
            start, end = max(stretch.start, sentence.start), min(stretch.end, sentence.end)
            words = _MARKER.sub("", _without(read.plain, start, end, shut)).strip()
            if says_something(words):
                yield Bare(
                    _beginning(words, 0, len(words)),
                    _beginning(read.plain, sentence.start, sentence.end),
                    start,
                    end,
                    Reason.UNPROVEN if stretch.measured else Reason.UNLABELLED,
                )


def _beginning(text: str, start: int, end: int) -> str:
    """Return the beginning of ``text[start:end]``.

    Labels nest to any depth: with all the words of each, a small text would fill the memory.
    """
    if end - start <= _SHOWN:
        return text[start:end].strip()
    return text[start : start + _SHOWN - 1].strip() + "…"


def _without(text: str, start: int, end: int, shut: Sequence[tuple[int, int]]) -> str:
    """Return ``text[start:end]`` without what lies in the sorted spans ``shut``."""
    pieces = []
    index = max(bisect_right(shut, (start, start)) - 1, 0)
    for one_start, one_end in shut[index:]:
        if one_start >= end:
            break
        if one_end <= start:
            continue
        pieces.append(text[start : max(one_start, start)])
        start = min(one_end, end)
    pieces.append(text[start:end])
    return " ".join(pieces)


def _refuse_unfit(read: Labelled, spans: Sequence[Quoted]) -> None:
    for one in spans:
        if not 0 <= one.start < one.end <= len(read.plain):
            raise ConfigError(
                f"quoted span {one.start}..{one.end} lies outside the text",
                hint="Spans are code points of the text without its labels.",
            )
        for value in (one.source, one.date):
            if not value.strip() or set(value) & set("()\n\r"):
                raise ConfigError(
                    f"an (m) needs a source and a date without parentheses, not {value[:80]!r}",
                    hint="Name the passage by its id, and the date as YYYY-MM-DD.",
                )
    for one, other in pairwise(spans):
        if other.start < one.end:
            raise ConfigError("quoted spans overlap", hint="Give each sentence once.")
