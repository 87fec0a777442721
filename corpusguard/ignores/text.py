"""The text of ``corpusguard-ignore.toml``: adding and taking out entries, all else untouched.

People write comments into that file, and reviewers read its diffs, so it is edited as text. The
caller reads the new text again, and keeps it only if it says what it should.
"""

from __future__ import annotations

import json
import re
import unicodedata
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from corpusguard.ignores.entries import INVISIBLE

if TYPE_CHECKING:
    from collections.abc import Collection

    from corpusguard.ignores.entries import Ignore

HEADER: Final = """\
# Findings that do not count towards the exit code. They are still reported, and no passage is
# verified on their account. Each ends on its last day, and as soon as either text moves.
"""
_TABLE: Final = re.compile(r"^[ \t]*\[\[[ \t]*ignore[ \t]*\]\][ \t]*(?:#.*)?$")


def ignore_table(ignore: Ignore) -> str:
    """Return one ``[[ignore]]``."""
    entry = ignore.entry
    texts = {
        "fingerprint": entry.fingerprint,
        "rule": entry.rule,
        "corpus": entry.corpus,
        "document": entry.document,
        "section": entry.section,
        "passage": entry.passage,
        "reason": ignore.reason,
        "owner": ignore.owner,
    }
    lines = [f"{key} = {_quoted(text)}" for key, text in texts.items() if text]
    lines += [
        f"written = {ignore.written}",
        f"expires = {ignore.expires}",
        f'official = "{entry.official}"',
        f'stored = "{entry.stored}"',
    ]
    return "\n".join(["[[ignore]]", *lines, ""])


def _quoted(text: str) -> str:
    """Return a TOML basic string in which nothing is invisible: whoever reviews it must see it.

    A JSON string is one where it holds no lone surrogate, and none is let in.
    """
    return "".join(
        f"\\U{ord(char):08x}" if unicodedata.category(char) in INVISIBLE else char
        for char in json.dumps(text, ensure_ascii=False)
    )


def append_ignore(text: str, ignore: Ignore) -> str:
    """Return the text of the file with one more entry at its end."""
    before = text if text.strip() else HEADER
    return f"{before.rstrip()}\n\n{ignore_table(ignore)}"


def without(text: str, numbers: Collection[int]) -> str:
    """Return the text of the file without some entries, and without the comments right above them.

    Args:
        text: The file.
        numbers: Which ``[[ignore]]``, counted from 0.
    """
    blocks = _blocks(text)
    kept = [blocks[0], *(b for number, b in enumerate(blocks[1:]) if number not in numbers)]
    return "".join(kept)


def _blocks(text: str) -> list[str]:
    """Cut the text before each ``[[ignore]]``, or before the comments right above it.

    A line in a text of several lines may look like one: the caller's check finds that out.
    """
    lines = re.split(r"(?<=\n)", text)
    cuts = []
    for number, line in enumerate(lines):
        if _TABLE.match(line.rstrip("\r\n")):
            start = number
            while start and lines[start - 1].lstrip().startswith("#"):
                start -= 1
            # What stands at the very top of the file is about all of it.
            cuts.append(start or number)
    edges = [0, *cuts, len(lines)]
    return ["".join(lines[a:b]) for a, b in pairwise(edges)]
