"""What each paragraph class of e-Laws means: its role, its depth and whether it is future.

Classes come in a bare and an ``-e`` dialect, mixed even within one document, and with a ``Y``
prefix for text that is not yet in force. A class that is not in the table is an anomaly; its text
is placed all the same, as flush text.
"""

from __future__ import annotations

from enum import IntEnum, auto
from functools import lru_cache
from typing import Final, NamedTuple


class Role(IntEnum):
    """What the state machine does with a block (an int, because those hash at C speed)."""

    SECTION = auto()
    SUBSECTION = auto()
    ITEM = auto()
    DEFINITION = auto()
    FLUSH = auto()
    QUOTED = auto()
    EQUATION = auto()
    HEADNOTE = auto()
    PART = auto()
    HEADING = auto()
    TITLE = auto()
    CELL = auto()
    CONTENTS = auto()
    NOTE = auto()
    HISTORY = auto()
    FRONT = auto()
    PLAIN = auto()


class Style(NamedTuple):
    """A class attribute, read."""

    name: str
    """Without dialect suffix and ``Y``."""
    role: Role
    depth: int
    """Depth of an item (clause 3, subclause 4, …) or to which flush text falls back."""
    future: bool
    known: bool


SUBSECTION_DEPTH: Final = 2
DEFINITION_DEPTH: Final = 3
ITEM_DEPTH: Final = 4

_TABLE: Final[dict[str, tuple[Role, int]]] = {
    "section": (Role.SECTION, SUBSECTION_DEPTH),
    "subsection": (Role.SUBSECTION, SUBSECTION_DEPTH),
    "subection": (Role.SUBSECTION, SUBSECTION_DEPTH),
    "deftermsubsection": (Role.SUBSECTION, SUBSECTION_DEPTH),
    "Ssubsection": (Role.FLUSH, SUBSECTION_DEPTH),
    "Sclause": (Role.FLUSH, DEFINITION_DEPTH),
    "Sdefinition": (Role.FLUSH, DEFINITION_DEPTH),
    "equation": (Role.EQUATION, DEFINITION_DEPTH),
    "equationind1": (Role.FLUSH, DEFINITION_DEPTH),
    "equationind2": (Role.FLUSH, DEFINITION_DEPTH),
    "equationind3": (Role.FLUSH, DEFINITION_DEPTH),
    "headnote": (Role.HEADNOTE, 0),
    "headnoteitalic": (Role.HEADNOTE, 0),
    "table": (Role.CELL, SUBSECTION_DEPTH),
    "line": (Role.FRONT, 0),
    "Pnote": (Role.NOTE, 0),
    "footnote text": (Role.NOTE, 0),
    "endnote text": (Role.NOTE, 0),
    **dict.fromkeys(("definition", "firstdef", "defterm"), (Role.DEFINITION, DEFINITION_DEPTH)),
    **dict.fromkeys(("paragraph", "clause", "defclause", "defparagraph"), (Role.ITEM, ITEM_DEPTH)),
    **dict.fromkeys(
        ("subpara", "subclause", "defsubclause", "defsubpara"), (Role.ITEM, ITEM_DEPTH + 1)
    ),
    **dict.fromkeys(
        ("subsubpara", "subsubclause", "defsubsubclause", "defsubsubpara"),
        (Role.ITEM, ITEM_DEPTH + 2),
    ),
    "subsubsubpara": (Role.ITEM, ITEM_DEPTH + 3),
    **dict.fromkeys(("partnum", "partnumRevoked", "partnumRepeal", "Ppart"), (Role.PART, 0)),
    **dict.fromkeys(
        (
            *("heading1", "heading2", "heading3", "Psection", "Psubsection"),
            *("Pheading1", "Pheading2", "Pheading3"),
        ),
        (Role.HEADING, 0),
    ),
    **dict.fromkeys(
        (
            *("schedule", "headingx", "form", "tableheading"),
            *("scheduleRevoked", "formRevoked", "tableheadingrev"),
        ),
        (Role.TITLE, 0),
    ),
    **dict.fromkeys(
        ("toc", "TOCid", "TOCpartCenter", "TOCheadCenter", "TOCheadLeft"), (Role.CONTENTS, 0)
    ),
    **dict.fromkeys(
        ("paranoindt", "parawindt", "parawindt1", "parawindt2", "parawindt3"),
        (Role.QUOTED, SUBSECTION_DEPTH),
    ),
    **dict.fromkeys(("footnote", "footnoteLeft"), (Role.HISTORY, 0)),
    **dict.fromkeys(
        (
            *("shorttitle", "chapter", "regnumber", "regtitle", "ConsolidationPeriod", "comment"),
            *("version", "leadText"),
        ),
        (Role.FRONT, 0),
    ),
    # In classes of their own "(a)" is a word; where there is no class it is a number.
    **dict.fromkeys(("act", "italic", "note", "scanned", "ruleb"), (Role.FLUSH, SUBSECTION_DEPTH)),
    **dict.fromkeys(("", "MsoNormal", "Normal"), (Role.PLAIN, SUBSECTION_DEPTH)),
}

# How the site shows a note (folded or not) says nothing about its text.
_PRESENTATION: Final = frozenset(
    {"amendments", "amendments-heading", "collapsed", "tocExpandable", "hidden"}
)


@lru_cache(maxsize=1024)
def style_of(css: str) -> Style:
    """Read a class attribute or Word style name."""
    if css in _TABLE:  # names with a space, and the plain ones
        return Style(css, *_TABLE[css], future=False, known=True)
    words = [w for w in css.split() if w not in _PRESENTATION]
    if len(words) != 1:
        return Style(css, Role.PLAIN, SUBSECTION_DEPTH, future=False, known=not words)
    name = words[0].removesuffix("-e")
    future = name not in _TABLE and name.startswith("Y")
    name = name[1:] if future else name
    if name in _TABLE:
        return Style(name, *_TABLE[name], future=future, known=True)
    # A Y class that we do not know is still not in force: storing it as law is the worse error.
    return Style(css, Role.PLAIN, SUBSECTION_DEPTH, future=future, known=False)
