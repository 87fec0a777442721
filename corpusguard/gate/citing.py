"""Citation markers ``[c_n]`` in an answer, and the sentences that they belong to."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from corpusguard.gate.prose import Sentence, sentences

if TYPE_CHECKING:
    from corpusguard.gate.prose import Split

CLAIM_ID: Final = re.compile(r"c_(?:0|[1-9][0-9]{0,8})\Z")
MARKER: Final = re.compile(r"\[(c_(?:0|[1-9][0-9]{0,8}))\]")
_GROUP: Final = re.compile(r"[\[(（［【〔{]([^\[\]()（）［］【】〔〕{}\n]{1,80})[\])）］】〕}]")
_UNCLOSED: Final = re.compile(r"\[c_[0-9]{1,9}(?![0-9\]])")
_NEARLY: Final = re.compile(
    r"(?:c(?:laim)?[ _-]{0,3}[0-9]{1,9}[ ]{0,3}(?:[,;&-][ ]{0,3}|and[ ]{0,3}|\Z)){1,40}\Z"
)
_STOPS: Final = frozenset(".,;:!?")
_LOOKALIKE: Final = str.maketrans({"с": "c", "ϲ": "c", "ⅽ": "c", "‗": "_", "–": "-", "—": "-"})


@dataclass(frozen=True, slots=True)
class Marker:
    """One marker; ``start`` and ``end`` are code points into the answer."""

    claim: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Cited:
    """One sentence of an answer and the claims that it cites."""

    text: str
    """Without its markers."""
    start: int
    """In the answer; the markers that stand within are inside ``start..end``."""
    end: int
    paragraph: int
    claims: tuple[str, ...]
    """In order, each once."""


def markers(answer: str) -> list[Marker]:
    """Return the markers of an answer, in order: ``[c_0]``, ``[c_17]``, nothing else."""
    return [Marker(found[1], *found.span()) for found in MARKER.finditer(answer)]


def malformed(answer: str) -> list[Marker]:
    """Return what looks like a marker and is none, as it is written.

    Several claims in one bracket, other letters or digits, leading zeros, other brackets: a reader
    takes them for citations and the check does not see them, so they are told of.
    """
    found = [
        Marker(group.group(), *group.span())
        for group in _GROUP.finditer(answer)
        if not MARKER.fullmatch(group.group()) and _NEARLY.match(_folded(group[1]))
    ]
    covered = {marker.start for marker in found}
    found += [
        Marker(group.group(), *group.span())
        for group in _UNCLOSED.finditer(answer)
        if group.start() not in covered
    ]
    return sorted(found, key=lambda one: one.start)


def cited_sentences(answer: str, split: Split | None = None) -> list[Cited]:
    """Return the sentences of an answer, each with the claims that it cites.

    A marker belongs to the sentence that it stands in or directly follows, full stop included; at
    the start of a line, to the one that it leads; in a table, to the whole row.

    Args:
        answer: Markdown or plain text.
        split: See :func:`corpusguard.gate.prose.sentences`.
    """
    plain, marks, origin = _without_markers(answer)
    found = sentences(plain, split)
    claims = _attributed(plain, found, marks)
    return [
        Cited(
            plain[sentence.start : sentence.end],
            origin(sentence.start, after=True),
            origin(sentence.end, after=False),
            sentence.paragraph,
            own,
        )
        for sentence, own in zip(found, claims, strict=True)
    ]


def _folded(text: str) -> str:
    shown = (letter for letter in text if unicodedata.category(letter) != "Cf")
    return unicodedata.normalize("NFKC", "".join(shown)).translate(_LOOKALIKE).casefold().strip()


class _Origin:
    """Where in the answer a position of the text without markers is."""

    def __init__(self, pieces: list[tuple[int, int]]) -> None:
        self._plain = [plain for plain, _ in pieces]
        self._answer = [answer for _, answer in pieces]

    def __call__(self, position: int, *, after: bool) -> int:
        """At a marker's place there are two answers: before it, and ``after`` it."""
        find = bisect_right if after else bisect_left
        index = max(find(self._plain, position) - 1, 0)
        return self._answer[index] + position - self._plain[index]


def _without_markers(answer: str) -> tuple[str, list[tuple[int, str]], _Origin]:
    """Return the answer without markers, where each was (position, claim), and the way back."""
    parts, marks, pieces = [], [], []
    at = length = 0
    for marker in markers(answer):
        pieces.append((length, at))
        # "is void [c_1]." is "is void.", while the space before a further word stays.
        follows = answer[marker.end : marker.end + 1]
        blank = answer[max(at, marker.start - 1) : marker.start] == " " and follows in _STOPS
        end = marker.start - 1 if blank else marker.start
        parts.append(answer[at:end])
        length += end - at
        marks.append((length, marker.claim))
        at = marker.end
    pieces.append((length, at))
    parts.append(answer[at:])
    return "".join(parts), marks, _Origin(pieces)


def _attributed(
    plain: str, found: list[Sentence], marks: list[tuple[int, str]]
) -> list[tuple[str, ...]]:
    """Return the claims of each sentence; line by line, so that a long row is walked once."""
    starts = [sentence.start for sentence in found]
    lines = [0, *(at + 1 for at, letter in enumerate(plain) if letter == "\n"), len(plain) + 1]
    rows: dict[int, dict[str, None]] = {}
    claims: list[dict[str, None]] = [{} for _ in found]
    for position, claim in marks:
        index = bisect_right(lines, position) - 1
        line, following = lines[index], lines[index + 1]
        if plain[line : line + 200].lstrip()[:1] == "|":
            rows.setdefault(index, {})[claim] = None
            continue
        owner = _owner(found, starts, position, line, following)
        if owner is not None:
            claims[owner][claim] = None
    owned = [tuple(one) for one in claims]
    for index, row in rows.items():
        shared = tuple(row)
        for cell in range(bisect_left(starts, lines[index]), bisect_left(starts, lines[index + 1])):
            owned[cell] = shared
    return owned


def _owner(
    found: list[Sentence], starts: list[int], position: int, line: int, following: int
) -> int | None:
    """Return the index of the sentence that a marker at ``position`` belongs to.

    ``line`` and ``following`` are where its line and the next one start.
    """
    before = bisect_left(starts, position) - 1
    if before >= 0 and (found[before].end >= position or found[before].end > line):
        return before
    if before + 1 < len(found) and found[before + 1].start < following:
        return before + 1
    # A line of nothing but markers belongs to the sentence above it.
    return before if before >= 0 else None
