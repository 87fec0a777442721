"""What each paragraph class of e-Laws means to the second reader.

The classes come in a bare and an ``-e`` dialect, mixed within one document; Word style names are
the same words. ``Y`` before a known class marks text that is not in force.
"""

from __future__ import annotations

from typing import Final, NamedTuple

OPENER: Final = "opener"
UNIT: Final = "unit"
SUBSECTION: Final = "subsection"
ITEM: Final = "item"
PLAIN: Final = "plain"
QUOTATION: Final = "quotation"
CELL: Final = "cell"
HEADNOTE: Final = "headnote"
HEADING: Final = "heading"
NOTE: Final = "note"
HISTORY: Final = "history"
CONTENTS: Final = "contents"
FRONT: Final = "front"
LOOSE: Final = "loose"

_TABLE: Final[dict[str, str]] = {
    OPENER: "section",
    SUBSECTION: "subsection Ssubsection subection",
    ITEM: (
        "paragraph subpara subsubpara subsubsubpara Sparagraph Ssubpara "
        "clause subclause subsubclause subsubsubclause Sclause Ssubclause "
        "defclause defsubclause defsubsubclause defparagraph defsubpara defsubsubpara "
        # a definition opens nothing unless it is printed with a marker, and is then that item
        "definition firstdef Sdefinition defterm deftermsubsection"
    ),
    QUOTATION: "paranoindt parawindt",
    PLAIN: (
        "equation equationind1 equationind2 equationind3 scanned ruleb act italic note preamble"
    ),
    CELL: "table",
    HEADNOTE: "headnote headnoteitalic",
    HEADING: (
        "partnum heading1 heading2 heading3 partnumRevoked partnumRepeal "
        "Psection Psubsection Pheading1 Pheading2 Pheading3 Ppart"
    ),
    UNIT: ("schedule headingx form tableheading scheduleRevoked formRevoked tableheadingrev"),
    NOTE: "Pnote",
    HISTORY: "footnote footnoteLeft",
    CONTENTS: "toc TOCid TOCpartCenter TOCheadCenter TOCheadLeft",
    FRONT: (
        "shorttitle chapter regnumber regtitle ConsolidationPeriod comment version leadText line"
    ),
    LOOSE: "MsoNormal Normal",
}
_KINDS: Final = {name: kind for kind, names in _TABLE.items() for name in names.split()}
_MODIFIERS: Final = frozenset({"amendments-heading", "amendments", "collapsed", "tocExpandable"})


class Style(NamedTuple):
    """A resolved class attribute."""

    name: str
    """The class without dialect suffix and ``Y``; empty where there is none."""
    kind: str
    future: bool
    complaint: str
    """Why the class is not one we know, or empty."""


def resolve(attribute: str) -> Style:
    """Says what a class attribute or Word style name means.

    An unknown class is placed as plain words of law with a complaint: a word that is read under
    the wrong name is a finding, a word that is skipped is a loss.
    """
    tokens = [token for token in attribute.split() if token not in _MODIFIERS]
    unknown: list[str] = []
    for token in tokens:
        base = _base(token)
        if base in _KINDS:
            rest = [other for other in tokens if other != token]
            said = f"unknown class beside {token!r}: {' '.join(rest)!r}" if rest else ""
            return Style(base, _KINDS[base], future=False, complaint=said)
        if base[:1] == "Y" and base[1:] in _KINDS:
            return Style(base[1:], _KINDS[base[1:]], future=True, complaint="")
        unknown.append(token)
    if unknown:
        said = f"unknown class {' '.join(unknown)[:80]!r}"
        base = unknown[0].rpartition("-")[0]
        future = len(unknown[0]) > 1 and unknown[0][0] == "Y" and unknown[0][1].islower()
        name = base[1:] if future and base not in _KINDS else base
        return Style(name, _KINDS.get(name, LOOSE), future, said)
    return Style("", LOOSE, future=False, complaint="paragraph without a class")


def _base(token: str) -> str:
    """A class without its dialect suffix; quotations come at any depth of indent."""
    base = token.removesuffix("-e")
    return base.rstrip("0123456789") if "parawindt" in base else base
