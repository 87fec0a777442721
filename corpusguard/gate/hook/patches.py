"""Edits and patches: what a memory file would say after them.

Read are pairs of an old and a new text, ``SEARCH``/``REPLACE`` blocks, ``*** Begin Patch`` and
unified diffs.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from corpusguard.gate.hook.toolcall import Blocked

if TYPE_CHECKING:
    from collections.abc import Iterator

_BEGINS: Final = re.compile(r"[<-]{5,9} ?SEARCH>?.*")
_PARTS: Final = re.compile(r"={5,9}\s*")
_ENDS: Final = re.compile(r"[>+]{5,9} ?REPLACE.*")
_BOTH: Final = 2
_SEARCH_PREFACE: Final = re.compile(r"\A(?::\w+:[^\n]*\n)+-{3,}\n")
_SECTION: Final = re.compile(
    r"^\*{3}[ \t]*(?P<verb>Add|Update|Delete|Move|Rename|Copy)[ \t]*(?:File|to)?[ \t]*:"
    r"(?P<path>[^\n]+)$",
    re.MULTILINE | re.IGNORECASE,
)
_DIFF: Final = re.compile(
    r"^(?:\+\+\+ (?P<new>[^\n\t]+)|(?:rename|copy) to (?P<to>[^\n]+)"
    r"|diff --git [^\n]* (?P<git>[^\n]+))[^\n]*$",
    re.MULTILINE,
)
_MOST_LETTERS: Final = 8_000_000
_BINARY: Final = "GIT binary patch"
_HUNK: Final = re.compile(r"^@@.*$", re.MULTILINE)


class Section(NamedTuple):
    """What a patch does to one file."""

    path: str
    verb: str
    """``add``, ``update``, ``delete`` or ``move`` (the last file goes there)."""
    body: str


def replaced(text: str, old: str, new: str, *, everywhere: bool = False) -> str:
    """Return ``text`` with ``new`` in the place of ``old``, whatever the ends of lines.

    Raises:
        Blocked: It is not there; a tool that looks less closely may find it, and cut a "not".
            Or the text grows without bounds.
    """
    text, old, new = (one.replace("\r\n", "\n") for one in (text, old, new))
    if text and old and old not in text:
        raise Blocked(
            f"the text to be replaced is not in the file, so what comes of it is not known:"
            f" {old[:80]!r}",
            hint="Read the file again, and give the text as it stands there.",
        )
    if not old or not text:
        return f"{text}\n\n{new}"
    times = text.count(old) if everywhere else 1
    if len(text) + times * len(new) > _MOST_LETTERS:
        raise Blocked(f"the edits make a text of more than {_MOST_LETTERS} letters")
    return text.replace(old, new, times)


def searches(text: str) -> list[tuple[str, str]]:
    """Return the (old, new) pairs of a text of ``SEARCH``/``REPLACE`` blocks.

    Raises:
        Blocked: There is more in it than blocks, which somebody may write as well.
    """
    found: list[tuple[str, str]] = []
    parts: list[list[str]] = []
    besides = False
    for line in text.split("\n"):
        if not parts and _BEGINS.fullmatch(line):
            parts = [[]]
        elif len(parts) == 1 and _PARTS.fullmatch(line):
            parts.append([])
        elif len(parts) == _BOTH and _ENDS.fullmatch(line):
            old, new = ("\n".join(lines) for lines in parts)
            found.append((_SEARCH_PREFACE.sub("", old), new))
            parts = []
        elif parts:
            parts[-1].append(line)
        else:
            besides = besides or bool(line.strip())
    if found and (besides or parts):
        raise Blocked(
            "an edit holds more than SEARCH/REPLACE blocks, so what it writes is not known",
            hint="Write the blocks alone.",
        )
    return found


def sections(text: str) -> Iterator[Section]:
    """Yield what a patch does, file by file, in order; nothing: the text is no patch.

    A line of a unified diff may look like the head of the next file, so there each file's part
    reaches to the end of the text.
    """
    marks = list(_SECTION.finditer(text))
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    for mark, end in zip(marks, ends, strict=False):
        verb = mark["verb"].lower()
        verb = "move" if verb in {"rename", "copy"} else verb
        yield Section(_path(mark["path"]), verb, text[mark.end() : end].removeprefix("\n"))
    for mark in _DIFF.finditer(text):
        body = text[mark.end() :].removeprefix("\n")
        if mark["new"]:
            yield Section(_path(mark["new"]), "update", body)
        elif mark["to"] or _BINARY in body:
            yield Section(_path(mark["to"] or mark["git"]), "move", "")


def _path(text: str) -> str:
    return text.strip().strip('"')


def patched(before: str, body: str) -> str:
    """Return what the hunks of one file make of it."""
    after = before
    for hunk in _HUNK.split(body):
        lines = [line for line in hunk.split("\n") if not line.startswith(("***", "\\ No newline"))]
        old = "\n".join(line[1:] for line in lines if line[:1] in {" ", "-"})
        new = "\n".join(line[1:] for line in lines if line[:1] in {" ", "+"})
        # A line without a mark is no patch line; whoever applies it may still write it.
        loose = "\n".join(line for line in lines if line and line[0] not in " +-")
        if old or new:
            after = replaced(after, old, new)
        if loose.strip():
            after = f"{after}\n\n{loose}"
    return after
