"""Foreign text made safe to show: the one place that does it for every report.

Law, corpora, publishers' answers and file names are other people's text. Printed as it is, it can
move the cursor, recolour the screen, reverse the reading order or hide words. Nothing is dropped
here, because what is invisible may be the very difference that a finding is about: it is made
visible instead.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_INVISIBLE: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Controls (C0, C1), format characters (bidi, zero-width, soft hyphen, tags), lone surrogates,
line and paragraph separators."""
_PICTURES: Final = 0x2400
"""U+2400: the Control Pictures block holds a picture for each C0 control, in order."""
_DELETE: Final = 0x7F
_COMMAND: Final = re.compile(r"^(\s*?)\s?(::)")


def safe(text: str, *, multiline: bool = False) -> str:
    r"""Return ``text`` with every invisible or terminal-active character made visible.

    Args:
        text: Text of any origin, lone surrogates included.
        multiline: Keep ``\n`` as a line break and a tab as a space; else they are shown as
            pictures (U+240A, U+2409), so that one value stays on one line.

    Returns:
        C0 controls and DEL as control pictures (ESC is U+241B), all other invisible characters as
        ``<U+202E>``. Printable text, no-break spaces included, is unchanged.
    """
    if text.isprintable():  # the common case, decided in C
        return text
    return "".join(_shown(character, multiline=multiline) for character in text)


def _shown(character: str, *, multiline: bool) -> str:
    if multiline and character in "\n\t":
        return "\n" if character == "\n" else " "
    if unicodedata.category(character) not in _INVISIBLE:
        return character
    code = ord(character)
    if code < 0x20:
        return chr(_PICTURES + code)
    return "\u2421" if code == _DELETE else f"<U+{code:04X}>"


def inert(line: str) -> str:
    r"""Return one line of output that no CI system takes for a command of ours.

    The GitHub runner looks for workflow commands in everything that a step prints. A line is one
    if it begins, after white space, with ``::``, or holds ``##[`` anywhere
    (``ActionCommand.TryParseV2`` and ``TryParse`` of actions/runner). Law and stored text can
    begin a line where a long one is folded, so whole lines are looked at, when they are finished.
    A backslash goes in between, which Markdown does not show; where the line is indented it takes
    the place of a blank, so that no line grows beyond its terminal.
    """
    if "::" not in line and "##[" not in line:
        return line
    return _COMMAND.sub(r"\1\\\2", line).replace("##[", "##\\[")


def clip(text: str, limit: int) -> str:
    """Return ``text``, cut to at most ``limit`` code points, an ellipsis for what was cut."""
    return text if len(text) <= limit else text[: max(limit - 1, 0)] + "…"
