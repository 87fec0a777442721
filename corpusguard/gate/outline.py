"""The outline of a passage: provisions, limbs, definitions and flush text, from its printed lines.

Stored passages keep the lines of the law: one for each printed paragraph, with its number first
(``5 (1)``, ``(2)``, ``(a)``, ``(i)``, ``1.``, ``i.``, ``A.``). Where a corpus runs them together,
numbers inside a line are no outline, and only the whole can be quoted: that strips, and never lets
a part of a list stand for the list.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from corpusguard.gate.words import Token, tokens


class Role(StrEnum):
    """What a node of the outline is."""

    PASSAGE = "passage"
    SECTION = "section"
    SUBSECTION = "subsection"
    LIMB = "limb"
    DEFINITION = "definition"
    FLUSH = "flush"
    LABEL = "label"
    """A heading or label before the first number: no words of the law."""


@dataclass(slots=True)
class Node:
    """One provision, limb, definition or piece of flush text."""

    role: Role
    number: str = ""
    style: str = ""
    """``(a)``, ``(i)``, ``(A)``, ``1.``, ``i.``, ``A.`` of a limb."""
    marker: list[Token] = field(default_factory=list)
    own: list[Token] = field(default_factory=list)
    children: list[Node] = field(default_factory=list)
    fragment: bool = False
    """Its beginning is not in the passage."""
    wrapped: bool = False
    """A printed line without a number went on with it."""


_SECTION: Final = re.compile(
    r"(\d{1,5}[A-Za-z]{0,2}(?:\.\d{1,4}[a-z]{0,2}){0,6})(\.?)(?=\s+(?:\(\d|[^\W\d_a-z]|[\"“]))"
)
_BRACKET: Final = re.compile(r"\(([0-9]{1,4}(?:\.[0-9]{1,4})*|[A-Za-z]{1,5}(?:\.[0-9]{1,3})*)\)\s")
_DOTTED: Final = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,3})*|[ivxl]{1,6}|[A-Z])\.(?:\s|$)")
_ROMAN: Final = re.compile(r"[ivxl]+(?:\.[0-9]+)*")
_SCOPE: Final = re.compile(r"^\s*(?:In|For the purposes? of|The following definitions)\b")
_HEADING: Final = re.compile(
    r"(?!(?:.*\b)?(?:if|unless|except\w*|where|when|until|only|despite|subject|shall|may|must|is|are"
    r"|no|not|nor|none|never|neither|nothing|provided|save|saving|but|however|notwithstanding|other"
    r"|otherwise|without|exclu\w+|exempt\w*|appl\w+|inapplicable|which|that|can|cannot|will|free"
    r"|than|void)\b|In\b|For\b|To\b|During\b)"
    r"\w.{0,118}[^\s.;:,—–?!]"
    r"|(?:What|Who|Whose|How|Why)\b(?!.*\b(?:if|unless|except\w*|until|only|despite|subject)\b)"
    r".{0,110}[^\s.;:,—–!]",
    re.IGNORECASE,
)
"""A line that may be a headnote: short, no sentence, and nothing in it that a rule could need. One
that asks ("Who must pay") has a verb and states nothing."""
_SOURCE: Final = re.compile(
    r"(?:[RS]\.[RSO]\.(?:[OC]\.)? |S\.O\. |O\. Reg\. )?[12][0-9]{3}, c\. "
    r"(?:[0-9(),.; -]|\b(?:c|ss?|Sched|par|cl|to|and|[A-Za-z])\b){1,300}\."
)
"""A line that tells where a provision came from: ``2006, c. 17, s. 7 (1).``"""
_CLOSED: Final = frozenset('.;:)"”»')
_NAMES_NEXT: Final = re.compile(
    r"\b(?:(?:sub)?sections?|(?:sub)?clauses?|(?:sub)?paragraphs?|items?|articles?|parts?"
    r"|ss?\.|cls?\.|nos?\.|subs\.|paras?\.|arts?\.)$"
    r"|\b(?:sections?|clauses?|paragraphs?) [0-9(][0-9A-Za-z().]{0,12}(?:,| and| or| to)?$",
    re.IGNORECASE,
)
"""A line that ends where a number is still to come, or in one: the next is no marker."""
_OPEN_END: Final = re.compile(r"(?:[^.;,:—–?!]|\b(?:and|or))$")
"""A line that does not end: what follows without a number goes on with it."""


def outline(text: str) -> Node:
    """Return the outline of composed ``text``; the root is the passage."""
    builder = _Builder()
    start = 0
    for line in text.split("\n"):
        builder.line(line, start)
        start += len(line) + 1
    return builder.end()


class _Builder:
    def __init__(self) -> None:
        self.root = Node(Role.PASSAGE)
        self._path: list[Node] = [self.root]
        self._last = ""
        self._numbered = False
        self._pending: list[tuple[str, list[Token]]] = []
        """Lines that are headings if a number follows, and words of the law if not."""

    def line(self, line: str, offset: int) -> None:
        bare = line.strip()
        if not bare:
            return
        at = len(line) - len(line.lstrip())
        opened = False
        while found := self._marker(line, at, first=not opened):
            role, number, style, end = found
            if not opened:
                self._settle(are_headings=True)
            self._open(role, number, style, tokens(line[at:end], offset + at))
            at = end + len(line[end:]) - len(line[end:].lstrip())
            opened = True
        words = tokens(line[at:], offset + at)
        if opened:
            self._path[-1].own += words
        elif self._numbered and self._last.endswith(".") and _SOURCE.fullmatch(bare):
            self._label(words)
            return
        elif self._numbered and self._last.endswith(".") and self._is_heading(bare):
            self._pending.append((bare, words))
            return
        else:
            self._settle(are_headings=False)
            self._unnumbered(bare, words)
        self._last = bare

    def end(self) -> Node:
        """Return the root, when there are no more lines."""
        self._settle(are_headings=False)
        return self.root

    def _is_heading(self, bare: str) -> bool:
        return bare[0].isupper() and _HEADING.fullmatch(bare) is not None

    def _settle(self, *, are_headings: bool) -> None:
        """Decide what lines between two numbers are: headings only where the second follows."""
        pending, self._pending = self._pending, []
        for bare, words in pending:
            if are_headings:
                self._label(words)
            else:
                self._unnumbered(bare, words)
                self._last = bare

    def _label(self, words: list[Token]) -> None:
        """Keep a line that ends no provision and is part of none."""
        self.root.children.append(Node(Role.LABEL, own=words, fragment=True))

    def _marker(self, line: str, at: int, *, first: bool) -> tuple[Role, str, str, int] | None:
        """Return the marker at ``at``: role, number, style and where it ends."""
        top = self._path[-1]
        if first and _NAMES_NEXT.search(self._last):
            return None
        closed = not self._numbered or not self._last or self._last[-1] in ".:)"
        if first and closed:
            found = _SECTION.match(line, at)
            is_paragraph = bool(found and found[2] and self._numbered)
            if found and not is_paragraph:
                return Role.SECTION, found[1].casefold(), "", found.end()
        found = _BRACKET.match(line, at)
        if found and found[1][0].isdigit():
            if first and self._numbered and self._last[-1:] not in _CLOSED:
                # A wrapped line may begin with the number of a provision that it names.
                return None
            return Role.SUBSECTION, found[1], "", found.end()
        if found:
            return Role.LIMB, found[1], self._style(found[1], "()"), found.end()
        found = _DOTTED.match(line, at)
        if found and (first or top.role is Role.LIMB):
            return Role.LIMB, found[1], self._style(found[1], "."), found.end()
        return None

    def _style(self, number: str, shape: str) -> str:
        """Return the style; ``i``, ``v`` and ``x`` are letters where the letter before is open."""
        if number[0].isdigit():
            return "1" + shape
        if number.isupper():
            return "A" + shape
        letters = [node for node in self._path if node.style == "a" + shape]
        before = letters[-1].number[:1] if letters else ""
        follows = bool(before) and ord(number[0]) - ord(before) in {0, 1}
        if _ROMAN.fullmatch(number) and not (follows and len(number.partition(".")[0]) == 1):
            return "i" + shape
        return "a" + shape

    def _open(self, role: Role, number: str, style: str, marker: list[Token]) -> None:
        self._numbered = True
        node = Node(role, number, style, marker)
        if role is Role.SECTION:
            del self._path[1:]
        elif role is Role.SUBSECTION:
            self._close({Role.PASSAGE, Role.SECTION})
            section = self._path[-1]
            if section.role is Role.SECTION and not section.children and not section.own:
                # "5 (1)" is printed before the first subsection, and quoted with it.
                marker[:0] = section.marker
        else:
            for depth, open_node in enumerate(self._path):
                if open_node.style == style:
                    del self._path[depth:]
                    break
        self._path[-1].children.append(node)
        self._path.append(node)

    def _close(self, until: set[Role]) -> None:
        while self._path[-1].role not in until:
            self._path.pop()

    def _unnumbered(self, bare: str, words: list[Token]) -> None:
        top = self._path[-1]
        if bare[0] in '“"«':
            scope = next(
                (
                    one
                    for one in reversed(self._path)
                    if one.role not in {Role.LIMB, Role.DEFINITION, Role.FLUSH}
                ),
                self.root,
            )
            intro = "".join(token.text + " " for token in scope.own)
            if scope.children or not scope.own or _SCOPE.match(intro):
                while self._path[-1] is not scope:
                    self._path.pop()
                self._add(Node(Role.DEFINITION, own=words, fragment=not _SCOPE.match(intro)))
                return
        if top is self.root:
            # Before any number: law without one, a heading, or the rest of a provision that began
            # in another passage. Lines of law without numbers are one provision.
            before = self.root.children[-1] if self.root.children else None
            if before and before.role is Role.LABEL and not self._is_heading(self._last):
                before.own += words
                return
            self._add(Node(Role.LABEL, own=words, fragment=not bare[0].isupper()))
            self._path.pop()
            return
        if top.role in {Role.LIMB, Role.FLUSH} and not _OPEN_END.search(self._last):
            while self._path[-1].role in {Role.LIMB, Role.FLUSH}:
                self._path.pop()
            self._add(Node(Role.FLUSH, own=words))
            return
        top.wrapped = True
        top.own += words

    def _add(self, node: Node) -> None:
        self._path[-1].children.append(node)
        self._path.append(node)
