"""Labels read from a text, in one pass without recursion: ``(u)words(/u: note)``.

The grammar is that of the evidentiality labels (github.com/JZesbaugh/evidentiality-framework):
``(u)…(/u: note)``, ``(m)…(/m: source, date)``, ``(g)…(/g: note)``; the note of u and g may be left
out. Labels nest and do not overlap. A closing mark belongs to the nearest opening one of its kind
that is still open. Marks within backticks are mentions. What is nearly a label is a fault, because
a guess whose label is spelt wrong must not pass for one that has none.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from corpusguard.errors import ConfigError
from corpusguard.gate.labels.letters import letters
from corpusguard.gate.labels.model import Fault, Kind, Label, Labelled, Problem, Stretch

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_CHARACTERS: Final = 2_000_000
_MAX_NOTE: Final = 1_000

_INVISIBLE: Final = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff"
)
"""Default-ignorable code points (Unicode, DerivedCoreProperties): drawn as nothing."""
_LOOKALIKE: Final = "umgUMGｕｍｇＵＭＧ\u0261\u0581\u057d\u03c5\u043c\u1d0d\u1d1c\u1d20\u028b\uab52"
_GAP: Final = rf"[{_INVISIBLE}\s\\]{{0,8}}"
"""A backslash, too: Markdown draws an escaped parenthesis as one."""
_MARK: Final = re.compile(
    rf"[(（⁽﹙❨❪]{_GAP}(?:"
    rf"(?P<slash>[/／⁄∕]){_GAP}(?P<closes>[{_LOOKALIKE}])(?!\w)"
    rf"|(?P<opens>[{_LOOKALIKE}]){_GAP}[)）⁾﹚❩❫])"
)
"""A mark, or what looks like one; bounded throughout, so it cannot backtrack far."""
_PAREN: Final = re.compile(r"[()]")
_TICKS: Final = re.compile("`+")
_BLANK_LINE: Final = re.compile(r"\n[ \t\r]*\n")


@dataclass(frozen=True, slots=True)
class _Token:
    kind: Kind
    start: int
    end: int
    closes: bool
    note: str = ""


def parse(text: str) -> Labelled:
    """Read the labels of ``text``.

    Raises:
        ConfigError: The text is longer than ``MAX_CHARACTERS``.
    """
    if len(text) > MAX_CHARACTERS:
        raise ConfigError(
            f"the text has {len(text):,} characters; labels are read in up to {MAX_CHARACTERS:,}",
            hint="Check it in parts.",
        )
    problems: list[Problem] = []
    tokens = list(_tokens(text, problems))
    found = letters(text, {token.start for token in tokens if not token.closes})
    pairs, unclosed = _pairs([t for t in tokens if t.start not in found], problems)
    labels = tuple(_label(opens, closes) for opens, closes in pairs)
    problems += [
        _problem(Fault.NO_SOURCE, label.inner_end, label.end, "an (m) names no source")
        for label in labels
        if label.kind is Kind.MEASURED and not label.source
    ]
    problems += _overlaps(labels)
    plain = _Plain(text, labels)
    labels = tuple(
        replace(label, plain_start=plain.at(label.inner_start), plain_end=plain.at(label.inner_end))
        for label in labels
    )
    problems += _unclosed(text, unclosed, plain)
    return Labelled(
        text=text,
        plain=plain.text,
        labels=labels,
        problems=tuple(sorted(problems, key=lambda one: (one.start, one.end))),
        stretches=tuple(plain.stretches),
        letters=tuple((plain.at(start), plain.at(start + 3)) for start in sorted(found)),
        opened=_counts(t for t in tokens if not t.closes and t.start not in found),
        closed=_counts(t for t in tokens if t.closes),
    )


def strip(text: str) -> str:
    """Return ``text`` without its labels; a mark that belongs to no whole label stays visible."""
    return parse(text).plain


def _counts(tokens: Iterator[_Token]) -> dict[Kind, int]:
    return dict.fromkeys(Kind, 0) | Counter(token.kind for token in tokens)


def _problem(fault: Fault, start: int, end: int, message: str) -> Problem:
    return Problem(fault, start, end, message)


def _tokens(text: str, problems: list[Problem]) -> Iterator[_Token]:
    mentions = _code_spans(text)
    starts = [start for start, _ in mentions]
    at = 0
    while found := _MARK.search(text, at):
        start, end = found.span()
        at = end
        index = bisect_right(starts, start) - 1
        if index >= 0 and start < mentions[index][1]:
            continue
        if found["opens"]:
            if found.group() in {"(u)", "(m)", "(g)"}:
                yield _Token(Kind(found["opens"]), start, end, closes=False)
            elif not found.group().isascii() or "\\" in found.group():
                message = "looks like an opening label, and is not"
                problems.append(_problem(Fault.DISGUISED, start, end, message))
            continue
        closing = _closing(text, found, problems)
        if closing:
            at = closing.end
            yield closing


def _closing(text: str, found: re.Match[str], problems: list[Problem]) -> _Token | None:
    start, end = found.span()
    if found.group() not in {"(/u", "(/m", "(/g"}:
        fault = Fault.MALFORMED if found.group().isascii() else Fault.DISGUISED
        problems.append(_problem(fault, start, end, "nearly a closing label: write (/g: note)"))
        return None
    stop = _note_end(text, end)
    inside = text[end:stop] if stop is not None else ""
    if stop is None or (inside and inside[0] != ":"):
        problems.append(
            _problem(Fault.MALFORMED, start, end, "a closing label is written (/g: note)")
        )
        return None
    return _Token(Kind(found["closes"]), start, stop + 1, closes=True, note=inside[1:].strip())


def _note_end(text: str, at: int) -> int | None:
    """Return where the closing mark's last parenthesis is.

    Parentheses in the note are counted, since sections are cited with them: ``(/m: s. 5 (1))``. A
    note ends before the next closing mark, a blank line and ``_MAX_NOTE`` code points at the
    latest, so that the text is walked once however many marks it has.
    """
    limit = min(len(text), at + _MAX_NOTE)
    following = text.find("(/", at, limit)
    limit = following if following >= 0 else limit
    if blank := _BLANK_LINE.search(text, at, limit):
        limit = blank.start()
    depth = 1
    for found in _PAREN.finditer(text, at, limit):
        depth += 1 if found.group() == "(" else -1
        if depth == 0:
            return found.start()
    return None


def _code_spans(text: str) -> list[tuple[int, int]]:
    """Return the spans between backticks: a run closes at the next run of its length.

    As in CommonMark 6.1, but for white space, which matters to no label. Short runs do not reach
    over a blank line; three and more may be a fence, which does.
    """
    runs = [found.span() for found in _TICKS.finditer(text)]
    following: dict[int, int] = {}
    """Length of a run -> index of the next one of that length, walking backwards."""
    closes: list[int | None] = [None] * len(runs)
    for index in range(len(runs) - 1, -1, -1):
        length = runs[index][1] - runs[index][0]
        closes[index] = following.get(length)
        following[length] = index
    blanks = [found.start() for found in _BLANK_LINE.finditer(text)]
    spans: list[tuple[int, int]] = []
    index = 0
    while index < len(runs):
        other = closes[index]
        start, end = runs[index]
        if other is None or (
            end - start < 3 and bisect_right(blanks, start) != bisect_right(blanks, runs[other][0])
        ):
            index += 1
            continue
        spans.append((start, runs[other][1]))
        index = other + 1
    return spans


def _pairs(
    tokens: list[_Token], problems: list[Problem]
) -> tuple[list[tuple[_Token, _Token]], list[_Token]]:
    open_: dict[Kind, list[_Token]] = {kind: [] for kind in Kind}
    pairs = []
    for token in tokens:
        if not token.closes:
            open_[token.kind].append(token)
        elif open_[token.kind]:
            pairs.append((open_[token.kind].pop(), token))
        else:
            message = f"(/{token.kind}) closes what was not opened"
            problems.append(_problem(Fault.UNOPENED, token.start, token.end, message))
    return pairs, [token for kind in Kind for token in open_[kind]]


def _label(opens: _Token, closes: _Token) -> Label:
    source, date = _source(closes.note) if opens.kind is Kind.MEASURED else ("", "")
    return Label(
        opens.kind, opens.start, opens.end, closes.start, closes.end, closes.note, source, date
    )


def _source(note: str) -> tuple[str, str]:
    """Cut the note of an (m) into source and date; a note that is a date alone has no source."""
    source, comma, date = note.rpartition(",")
    if not comma:
        source, date = note, ""
    source, date = source.strip(), date.strip()
    named = any(character.isalpha() for character in source)
    return (source, date) if named else ("", date or source)


def _overlaps(labels: tuple[Label, ...]) -> Iterator[Problem]:
    """Find labels that cross; linear, whatever the nesting."""
    events = sorted(
        [(label.start, index, True) for index, label in enumerate(labels)]
        + [(label.inner_end, index, False) for index, label in enumerate(labels)]
    )
    stack: list[int] = []
    closed = [False] * len(labels)
    for _, index, opens in events:
        if opens:
            stack.append(index)
            continue
        closed[index] = True
        label = labels[index]
        if stack[-1] != index:
            message = f"({label.kind}) crosses another label: labels nest and do not overlap"
            yield _problem(Fault.OVERLAP, label.start, label.end, message)
        while stack and closed[stack[-1]]:
            stack.pop()


def _unclosed(text: str, tokens: list[_Token], plain: _Plain) -> Iterator[Problem]:
    """Tell which opening marks without an end are faults.

    Outside of any label a spaced one may be a letter that nothing else shows to be one: its words
    have no label and are found as such. Inside a label that would hide them, so there it is a
    fault.
    """
    for token in tokens:
        spaced = token.end >= len(text) or not text[token.end].isalnum()
        if spaced and not plain.is_labelled(token.start):
            continue
        message = f"({token.kind}) is not closed: write (/{token.kind}: note) after its words"
        yield _problem(Fault.UNCLOSED, token.start, token.end, message)


class _Plain:
    """The text without the marks of its labels, and where its stretches come from.

    A space that only sets a mark off from its words goes with it.
    """

    def __init__(self, text: str, labels: tuple[Label, ...]) -> None:
        marks = sorted(
            [(label.start, label.inner_start, label.kind, 1) for label in labels]
            + [(label.inner_end, label.end, label.kind, -1) for label in labels]
        )
        self.stretches: list[Stretch] = []
        pieces: list[str] = []
        self._from: list[int] = []
        """Where each stretch starts in the text."""
        depth = dict.fromkeys(Kind, 0)
        at = length = 0
        for start, end, kind, step in [*marks, (len(text), len(text), Kind.GIVEN, 0)]:
            cut_from, cut_to = start, end
            if step > 0 and text[end : end + 1] == " " and _sets_off(text[start - 1 : start]):
                cut_to += 1
            if step < 0 and text[start - 1] == " " and _sets_off(text[end : end + 1]):
                cut_from -= 1
            cut_from = max(cut_from, at)
            if cut_from > at:
                pieces.append(text[at:cut_from])
                self._from.append(at)
                self.stretches.append(
                    Stretch(
                        length,
                        length + cut_from - at,
                        given=depth[Kind.GIVEN] > 0,
                        guessed=depth[Kind.GUESSED] > 0,
                        measured=depth[Kind.MEASURED] > 0,
                    )
                )
                length += cut_from - at
            depth[kind] += step
            at = max(cut_to, at)
        self.text = "".join(pieces)

    def at(self, position: int) -> int:
        """Return where in the plain text ``position`` of the labelled one is."""
        index = bisect_right(self._from, position) - 1
        if index < 0:
            return 0
        stretch = self.stretches[index]
        return min(stretch.start + position - self._from[index], stretch.end)

    def is_labelled(self, position: int) -> bool:
        """Whether a label stands on ``position`` of the labelled text."""
        index = bisect_right(self._from, position) - 1
        if index < 0:
            return False
        stretch = self.stretches[index]
        return stretch.given or stretch.guessed or stretch.measured


def _sets_off(neighbour: str) -> bool:
    """Whether beyond a mark there is nothing, white space or punctuation."""
    return not neighbour.isalnum()
