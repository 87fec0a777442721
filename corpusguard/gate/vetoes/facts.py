"""What a text says that can be compared without understanding it, and what one lacks of another."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from corpusguard.gate.model import Objection, Reason
from corpusguard.gate.vetoes.numbers import Quantity, quantities
from corpusguard.gate.vetoes.references import Reference, references
from corpusguard.gate.words import stem, tokens

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

_STOP: Final = frozenset(
    "a an the of to in on at by for from with as is are was were be been being and or any all each "
    "every its it their his her that this these those such which who whom whose there has have had "
    "do does did so than then into under over about will would s t".split()
)
_ADVERBS: Final = frozenset("also then only always immediately promptly otherwise still".split())
_NEGATORS: Final = frozenset(
    "no not never none neither nor nothing nobody cannot without n't prohibited forbidden".split()
)
_RELATIVE: Final = frozenset("who whom whose which that".split())
_CARRIED: Final = 0.6
"""Least share of a provision's content words that a sentence must carry: what narrows a rule may
be any words ("on a Monday")."""
_ROLES: Final = frozenset(
    stem(word)
    for word in (
        "landlord tenant subtenant owner occupier lessor lessee buyer seller purchaser vendor "
        "lender borrower creditor debtor employer employee worker contractor director "
        "officer shareholder minister deputy board tribunal court judge registrar clerk "
        "inspector warden commissioner chair member council municipality "
        "corporation crown applicant appellant respondent plaintiff defendant complainant "
        "witness parent guardian child spouse person individual licensee holder insurer insured "
        "trustee beneficiary agent principal physician patient teacher student driver pilot "
        "master keeper"
    ).split()
)
_COMPARATORS: Final = {
    "GE": (
        r"at least|(?:not|no) (?:less|fewer|later|earlier|sooner|lower|younger) than|"
        r"a minimum of|minimum|or (?:more|older|greater|over|higher|longer)"
    ),
    "LE": (
        r"at most|(?:not|no) (?:more|greater|longer|higher|larger|older) than|up to|a maximum of|"
        r"(?:not|never) (?:to )?exceed(?:ing)?|maximum|or (?:less|fewer|under|lower)"
    ),
    "GT": (
        r"(?:more|greater|longer|higher|larger|older) than|exceed(?:s|ed|ing)?|"
        r"(?:over|above) (?=#)"
    ),
    "LT": r"(?:less|fewer|shorter|lower|smaller|younger) than|(?:under|below) (?=#)",
    "WITHIN": r"within",
    "AFTER": r"after|following|later than",
    "BEFORE": r"before|prior to|earlier than",
    "UNTIL": r"until|till",
    "EXACTLY": r"exactly|equal to",
}
"""Class -> words; the negated come before what they negate, and numbers are written ``#30``."""
_COMPARATOR: Final = re.compile(
    r"\b(?:" + "|".join(f"(?P<{name}>{pattern})" for name, pattern in _COMPARATORS.items()) + r")\b"
)
_CONDITIONS: Final = (
    ("if", r"if|where|when|whenever|in (?:case|the event)|provided|(?:so|as) long as|on condition"),
    ("except", r"except (?:if|where|when)|unless|except|excepting|other than|excluding|save"),
    ("except", r"but not|without|apart from"),
    ("except", r"sauf|à moins|sans|toutefois|cependant"),
    ("if", r"si|s'ils?|lorsque?|lorsqu'\w+"),
    ("subject to", r"subject to|despite|notwithstanding|sous réserve|malgré"),
    ("only", r"only|solely|exclusively|seulement|uniquement"),
    ("until", r"until|till|while"),
)  # fmt: skip
_CONDITION: Final = re.compile(
    r"\b(?:"
    + "|".join(f"(?P<c{n}>{pattern})" for n, (_, pattern) in enumerate(_CONDITIONS))
    + r")\b"
)
_MODALS: Final = {
    "may": "may", "can": "may", "entitled": "may", "permitted": "may", "allowed": "may",
    "shall": "shall", "must": "shall", "required": "shall", "obliged": "shall",
    "should": "should", "will": "will", "would": "would", "might": "might", "could": "might",
    "cannot": "not",
}  # fmt: skip

_MODAL_TOLD: Final = {
    "may": "a permission (may, can)",
    "shall": "a duty (shall, must)",
    "not": "a prohibition (shall not, may not, cannot)",
}


class Action(NamedTuple):
    """A modal with those who may be its subject."""

    modal: str
    """``may``, ``shall``, ``not`` (may not, shall not, no … shall), ``should``, ``will``, …"""
    actor: str
    """Stem of the last content word before it."""
    verb: str
    """Stem of the first content word after it."""
    subjects: frozenset[str]
    """Stems of all content words before it in its clause."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What one text says."""

    stems: frozenset[str]
    """Stems of its content words."""
    quantities: tuple[Quantity, ...]
    references: frozenset[Reference]
    comparators: frozenset[tuple[str, str]]
    """(class, number that follows, or empty)."""
    actions: tuple[Action, ...]
    names: frozenset[str]
    """Stems of words with a capital inside a sentence, and of roles."""
    negative: bool
    relative: bool
    """Whether there is a relative clause."""
    conditions: frozenset[str]


@lru_cache(maxsize=8192)
def facts_of(text: str) -> Facts:
    """Return what composed ``text`` says."""
    found, places = references(text)
    bare = text
    for start, end in places:
        bare = bare[:start] + " " * (end - start) + bare[end:]
    words = [token.text for token in tokens(bare)]
    # Printed numbers of provisions and list items count nothing.
    while words and (words[0].startswith("(") or words[0][:1].isdigit()) and len(words) > 4:
        following = words[1]
        if words[0].startswith("(") or following.startswith("(") or following[:1].isupper():
            words = words[1:]
        elif following == ".":
            words = words[2:]
        else:
            break
    numbers = quantities(words)
    low = [word.casefold() for word in words]
    return Facts(
        stems=frozenset(
            stem(word) for word in low if word.isalpha() and len(word) > 1 and word not in _STOP
        ),
        quantities=tuple(numbers),
        references=found,
        comparators=frozenset(_comparators(low, numbers)),
        actions=tuple(_actions(words, low)),
        names=frozenset(_names(words)),
        negative=_negates(low),
        relative=any(word in _RELATIVE for word in low),
        conditions=frozenset(_conditions(" ".join(low))),
    )


def _negates(low: list[str]) -> bool:
    """Tell whether something is negated; "not more than" compares and does not negate."""
    bare = _COMPARATOR.sub(" ", " ".join(low)).split()
    return any(word in _NEGATORS or word.endswith("n't") for word in bare)


def condition_words(text: str) -> frozenset[str]:
    """Return the kinds of condition and exception that composed ``text`` carries."""
    return frozenset(_conditions(" ".join(token.text.casefold() for token in tokens(text))))


def _conditions(joined: str) -> Iterator[str]:
    for found in _CONDITION.finditer(joined):
        yield _CONDITIONS[int((found.lastgroup or "c0")[1:])][0]


def _comparators(low: list[str], numbers: list[Quantity]) -> Iterator[tuple[str, str]]:
    """Yield each comparator with the number that it compares with."""
    starts = {number.at: number for number in numbers}
    words: list[str] = []
    skip_to = 0
    for index, word in enumerate(low):
        if index in starts:
            words.append("#" + starts[index].value.replace(" ", ""))
            skip_to = starts[index].after
        elif index >= skip_to:
            words.append(word)
    joined = " ".join(words)
    for found in _COMPARATOR.finditer(joined):
        following = joined[found.end() :].split(maxsplit=4)[:4]
        number = next((word for word in following if word.startswith("#")), "")
        if (found.lastgroup or "") in {"GE", "LE"} and found[0].startswith("or "):
            before = joined[: found.start()].split()[-4:]
            number = next((word for word in reversed(before) if word.startswith("#")), "")
        yield found.lastgroup or "", number


def _actions(words: list[str], low: list[str]) -> Iterator[Action]:
    begin = 0
    for index, word in enumerate(low):
        if word in {".", ";", ":"}:
            begin = index + 1
        modal = _MODALS.get(word)
        if modal is None or (word == "may" and words[index] == "May" and index != begin):
            continue
        before = low[begin:index]
        ahead = low[index + 1 : index + 2]
        if modal in {"may", "shall", "will"} and (
            ahead == ["not"] or "no" in before or "neither" in before or "none" in before
        ):
            modal = "not"
        subjects = [
            stem(one)
            for one in before
            if one.isalpha() and one not in _STOP and one not in _ADVERBS and one not in _MODALS
        ]
        following = (stem(one) for one in low[index + 1 : index + 6] if _is_verb(one))
        yield Action(
            modal, subjects[-1] if subjects else "", next(following, ""), frozenset(subjects)
        )


def _is_verb(word: str) -> bool:
    """Tell whether a word after a modal may be what is done, and not an auxiliary or adverb."""
    return word.isalpha() and word not in _STOP | _NEGATORS | _ADVERBS and not word.endswith("ly")


def _names(words: list[str]) -> Iterator[str]:
    for index, word in enumerate(words):
        is_first = index == 0 or words[index - 1] in {".", '"', ":"}
        if (
            word.isalpha()
            and word.casefold() not in _STOP
            and ((word[0].isupper() and not is_first and len(word) > 1) or stem(word) in _ROLES)
        ):
            yield stem(word)


def lacking(said: Facts, held: Facts, section: str) -> Objection | None:
    """Return what ``said`` says that ``held`` does not, or the condition that it leaves out.

    Args:
        said: Of a sentence.
        held: Of a provision.
        section: Locator of the provision's own section, which a sentence may name.
    """
    checks = (
        _numbers,
        _references,
        _comparison,
        _modals,
        _who,
        _negation,
        _conditioned,
        _left_out,
    )
    return next(
        (found for check in checks if (found := check(said, held, section)) is not None), None
    )


_KINDS: Final = {
    "number": Reason.NUMBER, "ordinal": Reason.NUMBER, "money": Reason.MONEY,
    "percentage": Reason.PERCENTAGE, "date": Reason.DATE,
}  # fmt: skip


def _numbers(said: Facts, held: Facts, _section: str) -> Objection | None:
    """Every number is there, and in the same order: two that changed places are both there."""
    rest = iter(held.quantities)
    for quantity in said.quantities:
        if not any(_is_same(quantity, other) for other in rest):
            known = any(_is_same(quantity, other) for other in held.quantities)
            kind = "" if quantity.kind == "number" else quantity.kind
            text = f"{kind} {quantity.value} {quantity.unit}".strip()[:80]
            where = "stands elsewhere among the provision's" if known else "is not in the provision"
            return Objection(_KINDS[quantity.kind], f"{text} {where}")
    return None


def _is_same(said: Quantity, held: Quantity) -> bool:
    if said.kind != held.kind:
        return False
    if said.kind == "date":
        pairs = zip(said.value.rsplit("-", 2), held.value.rsplit("-", 2), strict=True)
        return all(ours in {"?", theirs} for ours, theirs in pairs)
    if said.value != held.value:
        return False
    if said.unit:
        return said.unit == held.unit
    return not said.near or not held.near or bool(said.near & held.near)


def _references(said: Facts, held: Facts, section: str) -> Objection | None:
    own = {Reference("section", section.casefold())}
    numbers = {one.number for one in held.references}
    for one in sorted(said.references - held.references - own):
        # A bracketed number belongs to the kind before it: "clause 43 (1) (b)".
        if not (one.number.startswith("(") and one.number in numbers):
            return Objection(
                Reason.REFERENCE, f"the provision does not name {one.kind} {one.number[:40]}"
            )
    return None


def _comparison(said: Facts, held: Facts, _section: str) -> Objection | None:
    for name, number in sorted(said.comparators):
        if not any(
            name == other and (not number or number == theirs) for other, theirs in held.comparators
        ):
            return Objection(
                Reason.COMPARATOR, f"the provision does not compare so: {name} {number}".strip()
            )
    return None


def _modals(said: Facts, held: Facts, _section: str) -> Objection | None:
    ours = {action.modal for action in said.actions}
    theirs = {action.modal for action in held.actions}
    if ours - theirs:
        return Objection(Reason.MODAL, f"the sentence has {_told(ours - theirs)}, the law has not")
    if theirs and not ours:
        return Objection(Reason.MODAL, f"the law has {_told(theirs)}, the sentence has not")
    return None


def _told(modals: Collection[str]) -> str:
    return ", ".join(_MODAL_TOLD.get(one, f"{one!r}") for one in sorted(modals))


def _who(said: Facts, held: Facts, _section: str) -> Objection | None:
    for action in said.actions:
        if action.actor and not any(
            action.modal == other.modal and action.actor in other.subjects for other in held.actions
        ):
            return Objection(
                Reason.ACTOR, f"in the provision, {action.actor!r} is not who {action.modal}"
            )
    missing = said.names - held.stems
    if missing:
        return Objection(Reason.ACTOR, f"the provision does not name {min(missing)!r}")
    ours = {(action.verb, action.modal) for action in said.actions}
    theirs = {(action.verb, action.modal) for action in held.actions}
    for verb, modal in sorted(ours):
        # Of a verb that the provision has with two modals, one alone may be the wrong one.
        if verb and {(verb, other) for known, other in theirs if known == verb} - ours:
            return Objection(
                Reason.MODAL, f"the provision has {verb[:40]!r} with another modal too"
            )
        if verb and (verb, modal) not in theirs:
            return Objection(
                Reason.MODAL, f"in the provision, {modal!r} does not go with {verb[:40]!r}"
            )
    return None


def _negation(said: Facts, held: Facts, _section: str) -> Objection | None:
    if said.negative == held.negative:
        return None
    which = "sentence" if said.negative else "provision"
    return Objection(Reason.NEGATION, f"only the {which} negates")


def _conditioned(said: Facts, held: Facts, _section: str) -> Objection | None:
    added = said.conditions - held.conditions
    if added:
        return Objection(Reason.CONDITION_ADDED, f"the provision has no condition {min(added)!r}")
    dropped = held.conditions - said.conditions
    if dropped:
        return Objection(
            Reason.CONDITION_DROPPED,
            f"the sentence leaves out a condition of the provision ({min(dropped)!r} or its like)",
        )
    return None


def _left_out(said: Facts, held: Facts, _section: str) -> Objection | None:
    """A relative clause narrows a rule as a condition does, and so may any other words."""
    if held.relative and not said.relative:
        return Objection(
            Reason.CONDITION_DROPPED, "the sentence leaves out a relative clause of the provision"
        )
    share = len(said.stems & held.stems) / max(len(held.stems), 1)
    if share < _CARRIED:
        return Objection(
            Reason.CONDITION_DROPPED,
            f"it carries {share:.0%} of the provision's words: the others may narrow the rule",
        )
    return None
