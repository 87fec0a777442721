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
* one sentence of several, where no other limits it and it refers to none.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from corpusguard.gate.limits import Unit, limits
from corpusguard.gate.outline import Node, Role, outline

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corpusguard.gate.words import Token

PASSAGES_KEPT: Final = 2048
"""Outlines kept in memory, by text."""
_MOST_CLAUSES: Final = 4000
"""Of one passage; more is not law, and is quoted as a whole or not at all."""

_LONGEST_TERM: Final = 20
"""Tokens of a defined term."""

_MODALS: Final = frozenset({"shall", "may", "must", "will", "can"})
_IF: Final = frozenset({"if", "where", "when", "whenever"})
_EXCEPTIONS: Final = frozenset(
    {"unless", "except", "only", "until", "than", "without", "despite", "notwithstanding", "but"}
)
_NEGATIONS: Final = frozenset({"no", "not", "nor", "neither", "never", "none", "nothing"})
_CONDITIONAL: Final = (
    _IF | _EXCEPTIONS | {"provided", "subject", "while", "however", "nevertheless"}
)
_BACKWARD: Final = frozenset(
    "this that these those such it they he she its their his her however but otherwise then so "
    "same latter former also nor".split()
)
_RELATIVE: Final = frozenset({"who", "that", "which", "whom", "whose", "as", "to"})
_OPENERS: Final = frozenset({",", ":", "—", "–", "-"})
_DUTIES: Final = frozenset("purposes objects functions duties powers".split())
_ABBREVIATED: Final = frozenset(
    {"s", "ss", "no", "reg", "c", "o", "st", "cl", "para", "art", "a", "p", "m"}
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
    root = outline(text)
    units = _units(root)
    places = {node: place for place, node in enumerate(units)}
    limited_by = limits(list(units.values()))
    provisions = list(_provisions(root))
    for provision, section, subsection in provisions[0 if starts else 1 :][: None if ends else -1]:
        limited = limited_by.of(places[id(provision)])
        inside = (subsection,) if subsection else ()
        for words, below in _readings(provision) if parts else [(_whole(provision), ())]:
            if len(found) >= _MOST_CLAUSES:
                return ()
            trimmed = _ended(words)
            if trimmed:
                found.append(Clause(trimmed, section, inside + below, limited))
    found.sort(key=lambda clause: -len(clause.words))
    return tuple(found)


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
    if words and words[-1].text in _OPENERS:
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
            yield _optional(node.marker) + _required(sentence), ()
    yield from _limbs(node, [], [])


def _limbs(
    node: Node, before: list[Word], after: list[Word]
) -> Iterator[tuple[list[Word], tuple[str, ...]]]:
    """Yield the limbs of a list that may stand alone, at any depth."""
    limbs = [child for child in node.children if child.role is Role.LIMB]
    tail = [child for child in node.children if child.role is Role.FLUSH]
    regular = node.children == limbs + tail and len(tail) <= 1
    if len(limbs) < 2 or not regular or not _severable(node.own, limbs, has_tail=bool(tail)):
        return
    opening = before + _optional(node.marker) + _intro(node.own)
    closing = [word for child in tail for word in _whole(child)] + after
    for limb in limbs:
        body = _whole(limb)
        yield opening + _open_ended(body, is_last=not closing) + closing, (limb.number,)
        for words, below in _limbs(limb, opening, closing):
            yield words, (limb.number, *below)


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


def _severable(intro: list[Token], limbs: list[Node], *, has_tail: bool) -> bool:
    """Tell whether one limb says, without the others, something that the list says."""
    low = [token.text.casefold() for token in intro]
    while low and low[-1] in _OPENERS:
        low.pop()
    if not low:
        return False
    joined = _conjunction(limbs)
    starts = [limb.own[0].text.casefold() if limb.own else "" for limb in limbs]
    conditional = [index for index, word in enumerate(low) if word in _CONDITIONAL]
    if all(start in _IF for start in starts):
        return not conditional and not has_tail
    if not conditional or (conditional == [0] and low[0] in _IF and not has_tail):
        # A condition, if there is one, is whole in the opening words.
        return not has_tail and _severable_duties(low, starts, joined)
    (first, *others) = conditional
    return (
        joined == "or"
        and not others
        and "means" not in low
        and (low[first] == "if" or (low[first] in _IF and low[first - 1 : first] in ([], [","])))
        and first > _last_negation(low)
    )


def _severable_duties(low: list[str], starts: list[str], joined: str) -> bool:
    """Tell whether each limb of a list of duties, powers or aims stands for itself.

    Args:
        low: The opening words.
        starts: First word of each limb.
        joined: ``and``, ``or`` or empty.
    """
    if all(start in _MODALS for start in starts):
        return joined == "and"
    negative = any(word in _NEGATIONS for word in low)
    end = len(low) - (low[-1] == "not")
    # "a person who must, (a) …; and (b) …" says what a person is, not what one must do.
    described = any(word in _RELATIVE for word in low[max(end - 4, 0) : end])
    deontic = low[end - 1] in _MODALS and not described
    aims = low[-1] == "are" and not negative and bool(_DUTIES & set(low[:3]))
    return (deontic or aims) and joined == ("or" if negative else "and")


def _last_negation(low: list[str]) -> int:
    """Where the last negation of the opening words stands."""
    return max((index for index, word in enumerate(low) if word in _NEGATIONS), default=-1)


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
    """Yield the sentences of a provision of several, where each may stand alone."""
    cuts = [
        index + 1
        for index, (token, after) in enumerate(pairwise(own))
        if token.text == "."
        and after.text[:1].isupper()
        and index
        and own[index - 1].text.casefold() not in _ABBREVIATED
    ]
    parts = [own[a:b] for a, b in pairwise([0, *cuts, len(own)])]
    if len(parts) < 2:
        return
    limiting = [_limits_others(part) for part in parts]
    backward = [
        bool(part) and any(token.text.casefold() in _BACKWARD for token in part[:3])
        for part in parts
    ]
    for index, part in enumerate(parts):
        others = limiting[:index] + limiting[index + 1 :]
        if not any(others) and not backward[index] and not any(backward[index + 1 :]):
            yield part


def _limits_others(part: list[Token]) -> bool:
    """Tell whether a sentence has a condition or negation, which may be about another one."""
    words = [token.text.casefold() for token in part]
    return any(
        word in _CONDITIONAL | _NEGATIONS and words[index : index + 2] != ["no", "."]
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
