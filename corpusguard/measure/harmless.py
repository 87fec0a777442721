"""Changes that stores and cleaners make and that are no fault: a verifier must not report them.

They are what the canonical form undoes (docs/reading-elaws.md): Unicode composition, kinds of white
space, invisible characters.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

_INNER: Final = re.compile(r"(?<=[a-z])(?=[a-z])")


def _invisible(character: str) -> Callable[[str], str]:
    return lambda text: _INNER.sub(character, text, count=3)


CHANGES: Final[dict[str, Callable[[str], str]]] = {
    "decomposed": lambda text: unicodedata.normalize("NFD", text),
    "zero_width_space": _invisible("\u200b"),
    "zero_width_joiner": _invisible("\u200d"),
    "soft_hyphen": _invisible("\u00ad"),
    "byte_order_mark": "\ufeff{}".format,
    "no_break_spaces": lambda text: text.replace(" ", "\u00a0"),
    "en_spaces": lambda text: text.replace(" ", "\u2002"),
    "double_spaces": lambda text: text.replace(" ", "  "),
    "tabs": lambda text: text.replace(" ", "\t"),
    "one_line": lambda text: text.replace("\n", " "),
    "windows_line_ends": lambda text: text.replace("\n", "\r\n"),
    "space_around": "\n {} \n".format,
}
"""Name -> what is done to the text of every passage."""
