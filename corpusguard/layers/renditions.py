"""L2, second official rendition: does the Word file or the PDF say the same law?

Markers and words of law are compared in order, everything else left out: titles, contents, notes
and history differ between renditions by design of the publisher.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

from corpusguard.layers.draft import draft
from corpusguard.layers.matching import Index
from corpusguard.model import Channel, Severity, Status

if TYPE_CHECKING:
    from corpusguard.layers.context import Official
    from corpusguard.layers.linear import Linear
    from corpusguard.model import Finding

_LAW: Final = (Channel.BODY, Channel.MARKER)
_MOST_WORDS: Final = 4_000


def compare_renditions(today: Official, other: Linear, name: str) -> list[Finding]:
    """CG205, one finding per place where the other rendition has other words of law."""
    if name == "pdf":
        return _compare_pdf(today, other)
    ours, theirs = _blocks(today.linear), _blocks(other)
    if [text for _, text in ours] == [text for _, text in theirs]:
        return []
    matcher = SequenceMatcher(
        None, [text for _, text in ours], [text for _, text in theirs], autojunk=False
    )
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
    ours: list[tuple[int, str]],
    theirs: list[tuple[int, str]],
) -> list[Finding]:
    """Pair blocks that replace each other one to one; the rest stand alone on their side."""
    if len(ours) == len(theirs):
        return [
            _finding(today, other, name, a, b)
            for a, b in zip(ours, theirs, strict=True)
            if a[1] != b[1]
        ]
    alone: list[Finding] = [_finding(today, other, name, block, None) for block in ours]
    alone += [_finding(today, other, name, None, block) for block in theirs]
    return alone


def _finding(
    today: Official,
    other: Linear,
    name: str,
    ours: tuple[int, str] | None,
    theirs: tuple[int, str] | None,
) -> Finding:
    section = pid = ""
    if ours is not None:
        section, pid = today.linear.section[ours[0]], today.linear.pid[ours[0]]
    elif theirs is not None:
        section = other.section[theirs[0]]
    a, b = (ours[1] if ours else ""), (theirs[1] if theirs else "")
    if ours and theirs:
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
        diff=_word_diff(a.split(" "), b.split(" ")) if a and b else "",
    )


def _word_diff(ours: list[str], theirs: list[str]) -> str:
    if max(len(ours), len(theirs)) > _MOST_WORDS:
        return ""
    pieces = []
    for tag, a1, a2, b1, b2 in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        gone, new = " ".join(ours[a1:a2]), " ".join(theirs[b1:b2])
        if tag == "equal":
            pieces.append(gone)
        else:
            pieces.append((f"[-{gone}-]" if gone else "") + (f"{{+{new}+}}" if new else ""))
    return " ".join(pieces)


def _blocks(linear: Linear) -> list[tuple[int, str]]:
    """(first segment, text) of each block's law."""
    blocks: list[tuple[int, str]] = []
    current = None
    for segment, first in enumerate(linear.seg_first):
        if linear.channel[segment] not in _LAW:
            continue
        text = " ".join(linear.words[first : linear.seg_last[segment]])
        if blocks and linear.block[segment] == current:
            start, before = blocks[-1]
            blocks[-1] = (start, f"{before} {text}")
        else:
            blocks.append((segment, text))
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
