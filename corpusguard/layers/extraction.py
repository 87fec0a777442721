"""L2: did we read it correctly? The second reading against the passages and against the first.

The readers share no code, so a word that one has and the other has not, or has in another channel,
section or status, is a misreading by one of them. It is never settled by choosing a reader: the
disagreement is the finding.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final, NamedTuple

from corpusguard.layers.draft import counted, draft, whole
from corpusguard.layers.locate import Place, folded_copy
from corpusguard.layers.matching import Index, walk
from corpusguard.layers.words import typographic_fold
from corpusguard.model import Channel, Severity, Status

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corpusguard.layers.context import Official
    from corpusguard.layers.currency import Judged
    from corpusguard.layers.linear import Linear
    from corpusguard.model import Finding

_MOST_FINDINGS: Final = 200
_LAW: Final = (Channel.BODY, Channel.MARKER)
_HEADS: Final = (Channel.HEADING, Channel.HEADNOTE)


class Stretch(NamedTuple):
    """Words ``[a1, a2)`` of the first reading against ``[b1, b2)`` of the second."""

    equal: bool
    a1: int
    a2: int
    b1: int
    b2: int


def align(first: Linear, second: Linear) -> list[Stretch]:
    """Align two readings: whole blocks first, words only inside blocks that differ."""
    if first.words == second.words:
        return [Stretch(equal=True, a1=0, a2=len(first.words), b1=0, b2=len(second.words))]
    ours, theirs = _blocks(first), _blocks(second)
    matcher = SequenceMatcher(
        None,
        [" ".join(first.words[a:b]) for a, b in ours],
        [" ".join(second.words[a:b]) for a, b in theirs],
        autojunk=False,
    )
    stretches: list[Stretch] = []
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        a1, a2 = _range(ours, i1, i2)
        b1, b2 = _range(theirs, j1, j2)
        if tag == "equal":
            stretches.append(Stretch(equal=True, a1=a1, a2=a2, b1=b1, b2=b2))
        else:
            stretches += _align_words(first, second, a1, a2, b1, b2)
    return stretches


def _blocks(linear: Linear) -> list[tuple[int, int]]:
    blocks: list[tuple[int, int]] = []
    current = None
    for segment, first in enumerate(linear.seg_first):
        last = linear.seg_last[segment]
        if blocks and linear.block[segment] == current:
            blocks[-1] = (blocks[-1][0], last)
        else:
            blocks.append((first, last))
            current = linear.block[segment]
    return blocks


def _range(blocks: list[tuple[int, int]], start: int, end: int) -> tuple[int, int]:
    if start < end:
        return blocks[start][0], blocks[end - 1][1]
    point = blocks[start][0] if start < len(blocks) else (blocks[-1][1] if blocks else 0)
    return point, point


def _align_words(  # noqa: PLR0913 - two ranges of two texts
    first: Linear, second: Linear, a1: int, a2: int, b1: int, b2: int
) -> list[Stretch]:
    if not (a2 > a1 and b2 > b1) or (a2 - a1) * (b2 - b1) > 25_000_000:
        return [Stretch(equal=False, a1=a1, a2=a2, b1=b1, b2=b2)]
    matcher = SequenceMatcher(None, first.words[a1:a2], second.words[b1:b2], autojunk=False)
    return [
        Stretch(equal=tag == "equal", a1=a1 + i1, a2=a1 + i2, b1=b1 + j1, b2=b1 + j2)
        for tag, i1, i2, j1, j2 in matcher.get_opcodes()
    ]


def passage_findings(
    today: Official,
    second: Linear,
    stretches: Sequence[Stretch],
    judged: Sequence[Judged],
    *,
    with_l1: bool,
) -> tuple[list[Finding], set[int]]:
    """CG201: passages whose words do not stand in the second reading. Also the rows found there.

    ``with_l1``: L1 runs too; a passage that L1 already reports as not official is then not
    reported again (both readings agree about it).
    """
    found: list[Finding] = []
    rows: set[int] = set()
    index: Index | None = None
    folded: Index | None = None
    for one in judged:
        located = one.located
        if with_l1 and located.place in (Place.PIECES, Place.NOWHERE):
            continue
        words = located.words[located.prefix :]
        if located.match is not None:
            words = located.words[located.match.first : located.match.last]
            hint = _map(stretches, located.match.begin)
            if hint >= 0 and words and walk(second, words, hint).reached == len(words):
                rows.add(located.passage.row)
                continue
        if located.place is Place.TYPOGRAPHIC or located.typographic:
            # Equal but for typography, history and headings, which L1 has reported; the second
            # reading need only hold the same pieces of law.
            folded = folded or Index(folded_copy(second))
            if _holds(folded, today, located.passage.row, one):
                rows.add(located.passage.row)
                continue
        elif words:
            index = index or Index(second)
            if index.matches(words):
                rows.add(located.passage.row)
                continue
        passage = located.passage
        found.append(
            draft(
                "CG201",
                today.document.id,
                "the second reader does not find these words in this order",
                section=one.section or (passage.section or ""),
                passage=passage.id,
                row=passage.row,
                where=passage.where,
                stored=passage.text,
            )
        )
    return found, rows


def _holds(folded: Index, today: Official, row: int, one: Judged) -> bool:
    match = one.located.match
    if match is None or row < 0:
        return False
    words = today.linear.words
    pieces = [[typographic_fold(word) for word in words[a:b]] for a, b in match.runs]
    return all(folded.matches(piece) for piece in pieces)


def _map(stretches: Sequence[Stretch], word: int) -> int:
    low, high = 0, len(stretches)
    while low < high:
        middle = (low + high) // 2
        if stretches[middle].a2 <= word:
            low = middle + 1
        else:
            high = middle
    if low < len(stretches) and stretches[low].equal and stretches[low].a1 <= word:
        return stretches[low].b1 + word - stretches[low].a1
    return -1


def reader_findings(today: Official, second: Linear, stretches: Sequence[Stretch]) -> list[Finding]:
    """CG204: words, channels, sections or statuses about which the readers disagree."""
    found: list[Finding] = []
    for stretch in stretches:
        if stretch.equal:
            found += _attributes(today, second, stretch)
        else:
            found.append(_words_differ(today, second, stretch))
        if len(found) >= _MOST_FINDINGS:
            rest = draft(
                "CG204",
                today.document.id,
                f"the readers disagree in more than {_MOST_FINDINGS} places; only the first "
                "are listed",
            )
            # It stands for all that is not listed, so it is about both readings as a whole.
            readings = (second, today.linear)
            theirs, ours = (whole(one.text(0, len(one.words))) for one in readings)
            found.append(replace(rest, official_digest=theirs, stored_digest=ours))
            break
    return found


def _words_differ(today: Official, second: Linear, stretch: Stretch) -> Finding:
    first = today.linear
    ours = first.text(stretch.a1, stretch.a2)
    theirs = second.text(stretch.b1, stretch.b2)
    channels = {first.channel[first.seg_of[w]] for w in range(stretch.a1, stretch.a2)}
    channels |= {second.channel[second.seg_of[w]] for w in range(stretch.b1, stretch.b2)}
    section = pid = ""
    if stretch.a1 < len(first.seg_of):
        segment = first.seg_of[stretch.a1]
        section, pid = first.section[segment], first.pid[segment]
    if not section and stretch.b1 < len(second.seg_of):
        section = second.section[second.seg_of[stretch.b1]]
    if not ours:
        message = f"the first reader does not have {counted(stretch.b2 - stretch.b1)} of the second"
    elif not theirs:
        message = f"the second reader does not have {counted(stretch.a2 - stretch.a1)} of the first"
    else:
        message = "the readers read different words here"
    return draft(
        "CG204",
        today.document.id,
        message,
        severity=_severity(channels),
        section=section,
        provision=pid,
        official=theirs,
        stored=ours,
    )


def _severity(channels: set[Channel]) -> Severity:
    if channels & set(_LAW):
        return Severity.ERROR
    if channels & {*_HEADS, Channel.HISTORY, Channel.NOTE}:
        return Severity.WARNING
    return Severity.NOTE


def _attributes(today: Official, second: Linear, stretch: Stretch) -> Iterator[Finding]:
    """Words that both readers have, but in another channel, section or status."""
    first = today.linear
    a, b = stretch.a1, stretch.b1
    last: tuple[str, str] | None = None
    while a < stretch.a2:
        s, t = first.seg_of[a], second.seg_of[b]
        step = min(first.seg_last[s] - a, second.seg_last[t] - b, stretch.a2 - a)
        problem = _problem(first, s, second, t)
        if problem and (problem[0], first.pid[s]) != last:
            last = (problem[0], first.pid[s])
            yield draft(
                "CG204",
                today.document.id,
                problem[0],
                severity=problem[1],
                section=first.section[s] or second.section[t],
                provision=first.pid[s],
                official=second.text(b, b + step),
                stored=first.text(a, a + step),
            )
        a += step
        b += step


def _problem(first: Linear, s: int, second: Linear, t: int) -> tuple[str, Severity] | None:
    ours, theirs = first.channel[s], second.channel[t]
    law = ours in _LAW or theirs in _LAW
    if ours is not theirs and not (ours in _HEADS and theirs in _HEADS):
        return (
            f"the first reader takes this for {ours.value}, the second for {theirs.value}",
            _severity({ours, theirs}),
        )
    where = (first.section[s], second.section[t])
    if ours is theirs is Channel.HEADNOTE and where[0] != where[1]:
        return (
            f"a marginal note of s. {where[0]} to the first reader, of s. {where[1]} here",
            Severity.WARNING,
        )
    if not law:
        return None
    mine = first.status[s]
    if (mine is Status.NOT_IN_FORCE) != (second.status[t] is Status.NOT_IN_FORCE):
        return ("the readers disagree whether this is in force", Severity.ERROR)
    # The number of an opener such as "52 (1)-(3) Omitted" is in force with what else the section
    # holds, while the block as a whole is a stub: only words are compared.
    words = ours is Channel.BODY
    if words and (mine is Status.IN_FORCE) != (second.status[t] is Status.IN_FORCE):
        return ("the readers disagree whether this is a repealed stub", Severity.ERROR)
    if where[0] != where[1]:
        return (
            f"filed under s. {where[0]} by the first reader, s. {where[1]} here",
            Severity.ERROR,
        )
    return None


def agreement(stretches: Sequence[Stretch]) -> Counter[bool]:
    """Words on which the readers agree (True) and do not (False)."""
    counts: Counter[bool] = Counter()
    for stretch in stretches:
        counts[stretch.equal] += max(stretch.a2 - stretch.a1, stretch.b2 - stretch.b1)
    return counts
