"""Which runs of a passage's words may stand alone: its clauses, complete.

A clause-complete quotation runs from the start of a provision or limb to its end and carries the
opening words of its list, its definition's scope and the flush text after a list. What may stand
for less than the whole provision is listed here, and nothing else may:

* a limb of a list of duties or powers joined by *and* (``The Warden shall, (a) …; and (b) …``);
* a limb of a prohibition joined by *or* (``No person shall, (a) …; or (b) …``);
* a limb that is one sufficient condition of several (``… if the person, (a) …; or (b) …``), never
  of *unless*, *except* or *only if*;
* a limb that begins with its own condition (``(a) if the person is an individual, …; or``);
* a definition with the words of its scope (``In this Act,``);
* one sentence of several, where no other has a condition and none refers to another, and only with
  the number of its provision ("Section 30 provides that …").

``severing`` says when a limb may, and ``limits`` how other provisions of the passage limit one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from corpusguard.gate.abbreviations import ABBREVIATION
from corpusguard.gate.limits import Unit, limits
from corpusguard.gate.outline import Node, Role, outline
from corpusguard.gate.severing import CONDITIONAL, NEGATIONS, OPENERS, severable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corpusguard.gate.words import Token

PASSAGES_KEPT: Final = 2048
"""Outlines kept in memory, by text."""
_MOST_CLAUSES: Final = 4000
"""Of one passage; more is not law, and is quoted as a whole or not at all."""

_MOST_WORDS: Final = 100_000
"""Of all clauses of one passage: a limb repeats the opening words of its list. Where there are
more, provisions are quoted whole or not at all."""
_QUOTED: Final = 160
_SENTENCE: Final = "sentence"
"""In the place of a limb's number: one sentence of a provision of several."""
_LONGEST_TERM: Final = 20
"""Tokens of a defined term."""

_BACKWARD: Final = frozenset(
    "this that these those such it they he she its their his her however but otherwise then so "
    "same latter former also nor".split()
)
_FRENCH: Final = frozenset(
    "le la les des du est et une dans pour qui sur aux au doit peut que ou ne pas par".split()
)
_ENGLISH: Final = frozenset(
    "the of and to shall may is be by with an in not must any for from are has".split()
)


class Word(NamedTuple):
    """A token of a clause; an optional one may be left out when quoting."""

    text: str
    start: int
    end: int
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Clause:
    """A run of words that may stand alone."""

    words: tuple[Word, ...]
    section: str
    """As numbered in the text; empty where the text does not say."""
    inside: tuple[str, ...]
    """Numbers below the section: subsection, clause, …"""
    limited: str = ""
    """How another provision of the passage limits this one, in its own words."""


@lru_cache(maxsize=PASSAGES_KEPT)
def clauses(
    text: str, *, starts: bool = True, ends: bool = True, parts: bool = True
) -> tuple[Clause, ...]:
    """Return the clauses of composed ``text`` that may stand alone, longest first.

    Args:
        text: Of a passage.
        starts: Whether it begins where a provision begins.
        ends: Whether it ends where one ends.
        parts: Whether less than a provision may stand alone. The rules for that know English words
            only; of other languages, provisions are whole or nothing.
    """
    found: list[Clause] = []
    size = 0
    parts = parts and is_english(text)
    root = outline(text)
    units = _units(root)
    places = {node: place for place, node in enumerate(units)}
    limited_by = limits(list(units.values()))
    provisions = list(_provisions(root))
    for provision, section, subsection in provisions[0 if starts else 1 :][: None if ends else -1]:
        limited = limited_by.of(places[id(provision)])
        inside = (subsection,) if subsection else ()
        for words, numbers in _readings(provision) if parts else [(_whole(provision), ())]:
            size += len(words)
            if len(found) >= _MOST_CLAUSES or (parts and size > _MOST_WORDS):
                return clauses(text, starts=starts, ends=ends, parts=False) if parts else ()
            trimmed = _ended(words)
            said, below = limited, numbers
            if numbers == (_SENTENCE,):
                # What its neighbours say of it, no list of words can tell.
                said = limited or " ".join(token.text for token in provision.own)[:_QUOTED]
                below = ()
            if trimmed:
                found.append(Clause(trimmed, section, inside + below, said))
    found.sort(key=lambda clause: -len(clause.words))
    return tuple(found)


@lru_cache(maxsize=64)
def lines(text: str) -> tuple[tuple[tuple[Word, ...], ...], ...]:
    """Return the provisions of composed ``text`` that have a list, each as its lines.

    The first line of each is its opening words. What joins a line to the next may be left out. They
    are no clauses: they serve to say what a sentence leaves out.
    """
    return tuple(
        tuple(_line(node, is_first=not number) for number, node in enumerate(_nested(provision)))
        for provision, _, _ in _provisions(outline(text))
        if provision.children
    )


def _nested(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children:
        yield from _nested(child)


def _line(node: Node, *, is_first: bool) -> tuple[Word, ...]:
    own = _intro(node.own) if is_first else _open_ended(_required(node.own), is_last=True)
    return (*_optional(node.marker), *own)


def is_english(text: str) -> bool:
    """Tell whether the rules for parts know the words: few of another official language.

    Documents need not say their language. What stands between « and » is the other one's term.
    """
    bare = re.sub(r"«[^»]{0,200}»", " ", text)
    low = re.findall(r"\w+", bare.casefold())
    english, french = (sum(word in known for word in low) for known in (_ENGLISH, _FRENCH))
    return english > 4 * french


def _provisions(root: Node) -> Iterator[tuple[Node, str, str]]:
    """Yield each provision that is quoted as a unit, with its section and subsection."""
    for node in root.children:
        if node.role is Role.SECTION:
            inner = [child for child in node.children if child.role is Role.SUBSECTION]
            if not inner:
                yield node, node.number, ""
            elif not node.own:
                for child in inner:
                    yield child, node.number, child.number
        elif node.role is Role.SUBSECTION:
            yield node, "", node.number
        elif (node.role is Role.LABEL and not node.fragment) or node.style == "1.":
            # Law without a number, or a schedule's "1. …" alone; a definition without its scope
            # and a limb without its opening words are no clauses.
            yield node, "", ""


def _units(root: Node) -> dict[int, Unit]:
    """Return every provision of the passage, by the identity of its node.

    Also what is no provision that can be quoted, such as the rest of one at the edge of a window:
    it may limit another one all the same.
    """
    found: dict[int, Unit] = {}
    for node in root.children:
        section = node.number if node.role is Role.SECTION else ""
        inner = [child for child in node.children if child.role is Role.SUBSECTION]
        if not section or not inner:
            subsection = node.number if node.role is Role.SUBSECTION else ""
            found[id(node)] = _unit(node, section, subsection)
            continue
        for child in inner:
            found[id(child)] = _unit(child, section, child.number)
        rest = [child for child in node.children if child.role is not Role.SUBSECTION]
        if node.own or rest:
            words = [token for child in rest for token in _all(child)]
            found[id(node)] = Unit(section, "", tuple(one.text for one in [*node.own, *words]))
    return found


def _unit(node: Node, section: str, subsection: str) -> Unit:
    terms = set()
    for child in node.children:
        if child.role is Role.DEFINITION and len(child.own) > 2 and child.own[0].text == '"':
            ends = [at for at, one in enumerate(child.own[1:_LONGEST_TERM], 1) if one.text == '"']
            terms.add(" ".join(one.text.casefold() for one in child.own[1 : (ends or [2])[0]]))
    return Unit(section, subsection, tuple(one.text for one in _all(node)), frozenset(terms))


def _all(node: Node) -> Iterator[Token]:
    yield from node.own
    for child in node.children:
        yield from child.marker
        yield from _all(child)


def _required(words: list[Token]) -> list[Word]:
    return [Word(*token) for token in words]


def _optional(words: list[Token]) -> list[Word]:
    return [Word(*token, optional=True) for token in words]


def _intro(words: list[Token]) -> list[Word]:
    """Opening words; the comma, colon or dash before a list is print, not wording."""
    if words and words[-1].text in OPENERS:
        return _required(words[:-1]) + _optional(words[-1:])
    return _required(words)


def _whole(node: Node) -> list[Word]:
    own = _intro(node.own) if node.children else _required(node.own)
    return (
        _optional(node.marker) + own + [word for child in node.children for word in _whole(child)]
    )


def _readings(node: Node) -> Iterator[tuple[list[Word], tuple[str, ...]]]:
    """Yield the runs of one provision that may stand alone, with the numbers below it."""
    definitions = [child for child in node.children if child.role is Role.DEFINITION]
    yield _whole(node), ()
    for child in definitions:
        if not child.fragment and len(child.children) + len(child.own) > 2:
            opening = _optional(node.marker) + _intro(node.own)
            yield opening + _whole(child), ()
            if shorter := _without_translation(child):
                yield opening + shorter, ()
    if not node.children:
        for sentence in _sentences(node.own):
            yield _optional(node.marker) + _required(sentence), (_SENTENCE,)
    yield from _limbs(node, [], [])


def _limbs(
    node: Node, before: list[Word], after: list[Word]
) -> Iterator[tuple[list[Word], tuple[str, ...]]]:
    """Yield the limbs of a list that may stand alone, at any depth."""
    limbs = [child for child in node.children if child.role is Role.LIMB]
    tail = [child for child in node.children if child.role is Role.FLUSH]
    regular = node.children == limbs + tail and len(tail) <= 1
    if len(limbs) < 2 or not regular or any(_is_wrapped(limb) for limb in limbs):
        return
    opening = before + _optional(node.marker) + _intro(node.own)
    closing = [word for child in tail for word in _whole(child)] + after
    alone = severable(
        [word.text.casefold() for word in opening if not word.optional],
        [[token.text.casefold() for token in _all(limb)] for limb in limbs],
        _conjunction(limbs),
        has_tail=bool(closing),
    )
    for limb in (limbs[place] for place in sorted(alone)):
        body = _whole(limb)
        yield opening + _open_ended(body, is_last=not closing) + closing, (limb.number,)
        for words, below in _limbs(limb, opening, closing):
            yield words, (limb.number, *below)


def _is_wrapped(node: Node) -> bool:
    """Tell whether a line without a number went on with it: it may be text of the whole list."""
    return node.wrapped or any(_is_wrapped(child) for child in node.children)


def _open_ended(words: list[Word], *, is_last: bool) -> list[Word]:
    """Let the limb's last mark and conjunction go: they join it to a limb not quoted.

    Before flush text a comma may stand for them, as it stands after the last limb.
    """
    keep = len(words)
    while keep and words[keep - 1].text in {";", ",", ".", "and", "or"}:
        keep -= 1
    end = words[keep - 1].end
    comma = [] if is_last else [Word(",", end, end, optional=True)]
    return words[:keep] + comma + [word._replace(optional=True) for word in words[keep:]]


def _conjunction(limbs: list[Node]) -> str:
    """Return ``and`` or ``or``, as the last limb but one ends; empty where limbs do not agree."""
    ends = [_last_word(limb) for limb in limbs[:-1]]
    used = {word for word in ends if word in {"and", "or"}}
    return used.pop() if len(used) == 1 and ends[-1] in {"and", "or"} else ""


def _last_word(node: Node) -> str:
    last = node.children[-1] if node.children else node
    if last is not node:
        return _last_word(last)
    return node.own[-1].text.casefold() if node.own else ""


def _without_translation(node: Node) -> list[Word]:
    """Return a definition without the bracketed term of the other official language at its end."""
    words = _whole(node)
    if not words or words[-1].text not in {")", ";", "."}:
        return []
    end = len(words)
    while end and words[end - 1].text in {";", "."}:
        end -= 1
    if not end or words[end - 1].text != ")":
        return []
    start = max((index for index in range(end) if words[index].text == "("), default=0)
    is_term = start and start + 1 < end and words[start + 1].text == '"'
    return words[:start] if is_term else []


def _sentences(own: list[Token]) -> Iterator[list[Token]]:
    """Yield the sentences of a provision of several, where none limits or continues another."""
    cuts = [
        index + 1
        for index, (token, after) in enumerate(pairwise(own))
        if token.text == "."
        and after.text[:1].isupper()
        and index
        and not ABBREVIATION.search(f"{own[index - 1].text}.")
    ]
    parts = [own[a:b] for a, b in pairwise([0, *cuts, len(own)])]
    if len(parts) < 2:
        return
    limiting = [_limits_others(part) for part in parts]
    backward = [any(token.text.casefold() in _BACKWARD for token in part[:3]) for part in parts]
    last_backward = max((at for at, refers in enumerate(backward) if refers), default=-1)
    for index, part in enumerate(parts):
        others = sum(limiting) - limiting[index]
        if not others and not backward[index] and last_backward <= index:
            yield part


def _limits_others(part: list[Token]) -> bool:
    """Tell whether a sentence has a condition or negation, which may be about another one."""
    words = [token.text.casefold() for token in part]
    return any(
        word in CONDITIONAL | NEGATIONS and words[index : index + 2] != ["no", "."]
        for index, word in enumerate(words)
    )


def _ended(words: list[Word]) -> tuple[Word, ...]:
    """Return the run without its last mark, or nothing where it has no end or no words."""
    end = len(words)
    while end and (words[end - 1].optional or words[end - 1].text in {".", ";", ","}):
        end -= 1
    if end < 2 or not any(word.text[:1].isalpha() for word in words[:end]):
        return ()
    last = words[end].text if end < len(words) else ""
    closed = last in {".", ";"} or any(word.optional for word in words[end:])
    ends_in_quote = words[end - 1].text in {'"', ")"}
    return tuple(words[:end]) if closed or ends_in_quote else ()
