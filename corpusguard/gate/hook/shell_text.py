"""What plain commands print, and what a plain ``sed`` makes of a text."""

from __future__ import annotations

import re
from typing import Final

_ESCAPE: Final = re.compile(r"\\([\\nt\"'])")
_HOLE: Final = re.compile(r"%([sb%])")
_MOST: Final = 1_000
_ADDRESS: Final = r"(?:\d+|\$|/(?:\\.|[^/\\])*+/)"
_SUBSTITUTES: Final = r"s([/|#,@:!])(?:\\.|(?!\1)[^\\])*+\1(?:\\.|(?!\1)[^\\])*+\1[gpiI\d]*"
_SED: Final = re.compile(
    rf"[\s;]*(?:{_ADDRESS}(?:,{_ADDRESS})?)?!?(?:[dpq=]|{_SUBSTITUTES})[\s;]*", re.DOTALL
)
_SUBSTITUTION: Final = re.compile(r"s([/|#,@])((?:(?!\1).)*)\1((?:(?!\1).)*)\1(g?)", re.DOTALL)
_SPECIAL: Final = re.compile(r"[\\.*^$\[\]&+?(){}\n]")


def echoed(arguments: list[str]) -> str | None:
    """Return what ``echo`` prints; None where shells differ on that, or letters hide in numbers."""
    options = 0
    while options < len(arguments) and re.fullmatch(r"-[neE]+", arguments[options]):
        options += 1
    given = "".join(arguments[:options])
    text = " ".join(arguments[options:]) + ("" if "n" in given else "\n")
    if "\\" in text:
        return unescaped(text) if given.endswith("e") else None
    return text


def printed(arguments: list[str]) -> str | None:
    """Return what ``printf`` prints, for formats of ``%s``, ``%b`` and ``%%``; else None."""
    if arguments[:1] == ["--"]:
        arguments = arguments[1:]
    if not arguments or arguments[0].startswith("-"):
        return None
    form, *values = arguments
    holes = len([hole for hole in _HOLE.findall(form) if hole != "%"])
    if "%" in _HOLE.sub("", form) or (values and not holes) or len(values) > _MOST:
        return None
    rest = list(values)
    texts: list[str | None] = []
    while True:
        at = 0
        for hole in _HOLE.finditer(form):
            texts.append(unescaped(form[at : hole.start()]))
            value = "%" if hole[1] == "%" else rest.pop(0) if rest else ""
            texts.append(unescaped(value) if hole[1] == "b" else value)
            at = hole.end()
        texts.append(unescaped(form[at:]))
        if not rest:
            break
    return None if None in texts else "".join(text or "" for text in texts)


def unescaped(text: str) -> str | None:
    """Take the usual escapes as what they stand for.

    None where there are others: a letter given by its number is a letter that nobody has read.
    """
    if "\\" in _ESCAPE.sub("", text):
        return None
    known = {"n": "\n", "t": "\t"}
    return _ESCAPE.sub(lambda match: known.get(match[1], match[1]), text)


def only_edits_lines(script: str) -> bool:
    """Tell whether a ``sed`` script deletes, prints and substitutes, and opens or runs nothing."""
    at = 0
    while found := _SED.match(script, at):
        at = found.end()
        if at == len(script):
            return True
    return False


def substitution(script: str) -> tuple[str, str, int] | None:
    """Return (old, new, how often in a line) of ``s/old/new/g``, where both are plain words."""
    match = _SUBSTITUTION.fullmatch(script)
    if not match or not match[2] or _SPECIAL.search(match[2] + match[3]):
        return None
    return match[2], match[3], -1 if match[4] else 1
