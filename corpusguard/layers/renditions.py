"""L2, second official rendition: does the Word file or the PDF say the same law?

Markers and words of law are compared in order, everything else left out: titles, contents, notes
and history differ between renditions by design of the publisher.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final, NamedTuple

from corpusguard.layers.differences import word_diff
from corpusguard.layers.draft import draft
from corpusguard.layers.matching import Index
from corpusguard.model import Channel, Severity, Status

if TYPE_CHECKING:
    from corpusguard.layers.context import Official
    from corpusguard.layers.linear import Linear
    from corpusguard.model import Finding

_LAW: Final = (Channel.BODY, Channel.MARKER)


def compare_renditions(today: Official, other: Linear, name: str) -> list[Finding]:
    """CG205, one finding per place where the other rendition has other words of law."""
    if name == "pdf":
        return _compare_pdf(today, other)
    ours, theirs = _blocks(today.linear), _blocks(other)
    left, right = [block.key for block in ours], [block.key for block in theirs]
    if left == right:
        return []
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    found = []
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            continue
        found += _pairs(today, other, name, ours[i1:i2], theirs[j1:j2])
    return found


def _pairs(
    today: Official,
    other: Linear,
    name: str,
    ours: list[_Block],
    theirs: list[_Block],
) -> list[Finding]:
    """Pair blocks that replace each other one to one; the rest stand alone on their side."""
    if len(ours) == len(theirs):
        return [
            _finding(today, other, name, a, b)
            for a, b in zip(ours, theirs, strict=True)
            if a.key != b.key
        ]
    alone: list[Finding] = [_finding(today, other, name, block, None) for block in ours]
    alone += [_finding(today, other, name, None, block) for block in theirs]
    return alone


def _finding(
    today: Official,
    other: Linear,
    name: str,
    ours: _Block | None,
    theirs: _Block | None,
) -> Finding:
    section = pid = ""
    if ours is not None:
        section, pid = today.linear.section[ours.first], today.linear.pid[ours.first]
    elif theirs is not None:
        section = other.section[theirs.first]
    a, b = (ours.text if ours else ""), (theirs.text if theirs else "")
    if ours and theirs and a == b:
        message = (
            f"the {name} rendition has this as not in force"
            if theirs.future
            else f"the {name} rendition has this as law in force"
        )
    elif ours and theirs:
        message = f"the {name} rendition says something else here"
    elif ours:
        message = f"the {name} rendition does not have this text"
    else:
        message = f"only the {name} rendition has this text"
    return draft(
        "CG205",
        today.document.id,
        message,
        section=section,
        provision=pid,
        official=a,
        stored=b,
        diff=word_diff(a.split(" "), b.split(" ")) if a and b else "",
    )


class _Block(NamedTuple):
    """The law of one printed paragraph or cell."""

    first: int
    """Its first segment."""
    text: str
    future: bool

    @property
    def key(self) -> tuple[str, bool]:
        return self.text, self.future


def _blocks(linear: Linear) -> list[_Block]:
    blocks: list[_Block] = []
    current = None
    for segment, first in enumerate(linear.seg_first):
        if linear.channel[segment] not in _LAW:
            continue
        text = " ".join(linear.words[first : linear.seg_last[segment]])
        future = linear.status[segment] is Status.NOT_IN_FORCE
        if blocks and linear.block[segment] == current:
            start, before, _ = blocks[-1]
            blocks[-1] = _Block(start, f"{before} {text}", future)
        else:
            blocks.append(_Block(segment, text, future))
            current = linear.block[segment]
    return blocks


def _compare_pdf(today: Official, other: Linear) -> list[Finding]:
    """Each provision's words must stand in the PDF in order.

    Layout decides what a PDF reader sees (page breaks, columns), so a miss is a warning: it says
    "could not confirm", not "the law differs".
    """
    index = Index(other)
    linear = today.linear
    found = []
    for segment, first in enumerate(linear.seg_first):
        if linear.channel[segment] is not Channel.BODY:
            continue
        if linear.status[segment] is Status.NOT_IN_FORCE:
            continue
        words = linear.words[first : linear.seg_last[segment]]
        if index.matches(words):
            continue
        found.append(
            draft(
                "CG205",
                today.document.id,
                "the PDF does not have these words in this order",
                severity=Severity.WARNING,
                section=linear.section[segment],
                provision=linear.pid[segment],
                official=" ".join(words),
            )
        )
    return found
