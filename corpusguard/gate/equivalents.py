"""Is a sentence a whole clause of the law in other words that mean the same?

Answers say "must" where the law says "shall". Such a sentence is no quotation, and still says what
the clause says, if word after word is the law's own or stands in the table below for the law's. The
table is closed. It holds what drafting manuals and interpretation statutes treat as one ("shall" is
imperative: Interpretation Act (Canada), s. 11), comparisons of numbers, spellings and contractions;
nothing that needs to be understood, and no order of words but the law's. Whatever can mean two
things in some place has a guard for it (``places``), and in doubt it is no equivalent: "where" may
be a place, so only at the beginning, of an act of law, it stands for "if".

So an equivalent is as complete as a quotation: it runs over the whole clause (see ``clauses``),
with each of its conditions, and is attributed where a quotation would have to be.
"""

from __future__ import annotations

from itertools import accumulate, permutations
from typing import TYPE_CHECKING, Final, NamedTuple

from corpusguard.gate import modals, places
from corpusguard.gate.places import ONES, TEENS, TENS, Place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from corpusguard.gate.clauses import Word
    from corpusguard.gate.words import Token

_MOST_STATES: Final = 50_000
"""Places looked at in one clause; two texts of any length that agree need their own length."""
_MOST_SHORTER: Final = 2
"""Times; no sentence that says all of a clause is shorter than half of it."""


class Alignment(NamedTuple):
    """How a sentence runs over a clause."""

    start: int
    end: int
    """The slice of the passage."""
    swaps: tuple[tuple[str, str], ...] = ()
    """(word of the law, word of the sentence), each pair once, in order."""


class _Rule(NamedTuple):
    law: tuple[str, ...]
    said: tuple[str, ...]
    fits: Callable[[Place], bool]


def align(words: Sequence[Word], asked: Sequence[Token]) -> Alignment | None:
    """Return how ``asked`` says all of ``words``, in equivalent words, or None.

    Args:
        words: A clause.
        asked: Tokens of the sentence, without a lead-in and its last mark.
    """
    if len(asked) < 2 or sum(not word.optional for word in words) > _MOST_SHORTER * len(asked):
        return None
    low = [word.text.casefold() for word in words]
    # A word in quotation marks is spoken of, and not used.
    quoted = list(accumulate((word == '"' for word in low), lambda inside, mark: inside ^ mark))
    if quoted[-1:] == [True]:
        return None
    first = next((at for at, word in enumerate(words) if not word.optional), len(words))
    # Depth first, the law's own word before any other; a state that failed is not tried again.
    stack: list[tuple[int, int, _Step | None]] = [(0, 0, None)]
    seen: set[tuple[int, int]] = set()
    while stack and len(seen) < _MOST_STATES:
        at, here, last = stack.pop()
        if (at, here) in seen:
            continue
        seen.add((at, here))
        if here == len(asked) and all(word.optional for word in words[at:]):
            return _alignment(words, asked, last)
        if at == len(words):
            continue
        if words[at].optional:
            stack.append((at + 1, here, last))
        for rule in reversed(_RULES.get(low[at], ())):
            after, behind = at + len(rule.law), here + len(rule.said)
            if (
                not quoted[at]
                and not any(word.optional for word in words[at:after])
                and _reads(words[at:after], rule.law, initial=here == 0)
                and _reads(asked[here:behind], rule.said, initial=here == 0)
                and rule.fits(Place(words, low, at, after, first))
            ):
                stack.append((after, behind, _Step(at, after, here, behind, last)))
        if here < len(asked) and _same(words[at], asked[here], initial=here == 0):
            stack.append((at + 1, here + 1, _Step(at, at + 1, here, here + 1, last)))
    return None


class _Step(NamedTuple):
    """Words of the law and of the sentence that stand for each other, and the step before."""

    at: int
    after: int
    here: int
    behind: int
    before: _Step | None


def _alignment(
    words: Sequence[Word], asked: Sequence[Token], last: _Step | None
) -> Alignment | None:
    steps: list[_Step] = []
    while last is not None:
        steps.append(last)
        last = last.before
    if not steps:
        return None
    swaps: dict[tuple[str, str], None] = {}
    for step in reversed(steps):
        own = " ".join(word.text for word in words[step.at : step.after])
        said = " ".join(token.text for token in asked[step.here : step.behind])
        if own.casefold() != said.casefold():
            swaps[own, said] = None
    return Alignment(words[steps[-1].at].start, words[steps[0].after - 1].end, tuple(swaps))


def _reads(given: Sequence[Word | Token], wanted: tuple[str, ...], *, initial: bool) -> bool:
    """Tell whether words are those of a rule; a capital is only an initial's."""
    if len(given) != len(wanted):
        return False
    return all(
        one.text == word or (initial and not number and one.text == word.capitalize())
        for number, (one, word) in enumerate(zip(given, wanted, strict=True))
    )


def _same(word: Word, token: Token, *, initial: bool) -> bool:
    if word.text == token.text:
        return True
    return (
        initial
        and word.text[1:] == token.text[1:]
        and word.text[:1].casefold() == token.text[:1].casefold()
    )


def _values() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield digits and tokens of the numbers from one to ninety-nine."""
    for value, word in enumerate(ONES, 1):
        yield str(value), (word,)
    for value, word in enumerate(TEENS, 10):
        yield str(value), (word,)
    for tens, word in enumerate(TENS, 2):
        yield str(tens * 10), (word,)
        for ones, unit in enumerate(ONES, 1):
            yield str(tens * 10 + ones), (word, "-", unit)


_ONE_WAY: Final = (
    ("shall not", "mustn't", modals.denies),
    ("shall", "may", modals.forbids),
    ("may", "shall", modals.forbids),
    ("may", "can", modals.permits),
    ("may not", "cannot", modals.excludes),
    ("may not", "can't", modals.excludes),
    ("where", "if", places.opens),
    ("if", "where", places.opens),
    ("in the event that", "if", places.supposes),
    ("unless", "except if", places.excepts),
    ("prior to", "before", places.precedes),
    ("subsequent to", "after", places.precedes),
    ("pursuant to", "under", places.anywhere),
    ("notwithstanding", "despite", places.fronts),
    ("despite", "notwithstanding", places.fronts),
    ("until such time as", "until", places.lasts),
    ("upon", "on", places.rests),
    ("forthwith", "immediately", places.anywhere),
    ("every", "each", places.of_all),
    ("each", "every", places.of_each),
    ("metre", "meter", places.measures),
    ("metres", "meters", places.measures),
    ("programme", "program", places.anywhere),
)
_ALIKE: Final = (
    ("despite|in spite of", places.anywhere),
    ("for the purpose of|for the purposes of", places.anywhere),
    ("in respect of|with respect to", places.anywhere),
    ("per cent|percent|%", places.measures),
    ("not later than|no later than", places.is_free),
    ("cannot|can not|can't", modals.is_one),
)
_CONTRACTED: Final = "does do did is are was were has have had must".split()
_LIMITS: Final = (
    "not more than|no more than|at most|not exceeding|up to|a maximum of",
    "not less than|no less than|at least|not fewer than|no fewer than|a minimum of",
)
_SPELLINGS: Final = (
    "centimetre centimeter|centimetres centimeters|kilometre kilometer|kilometres kilometers|"
    "litre liter|litres liters|millilitre milliliter|licence license|licences licenses|"
    "licensed licenced|offence offense|offences offenses|defence defense|neighbour neighbor|"
    "neighbours neighbors|neighbouring neighboring|colour color|colours colors|labour labor|"
    "honour honor|harbour harbor|harbours harbors|centre center|centres centers|"
    "instalment installment|instalments installments|cancelled canceled|travelling traveling|"
    "labelled labeled|authorized authorised|authorize authorise|recognized recognised|"
    "organization organisation|fulfil fulfill|judgment judgement|among amongst|while whilst|"
    "toward towards"
)


def _rules() -> Iterator[_Rule]:
    def rule(law: str, said: str, fits: Callable[[Place], bool]) -> _Rule:
        return _Rule(tuple(law.split()), tuple(said.split()), fits)

    yield rule("shall", "must", modals.obliges)
    yield rule("must", "shall", modals.commands)
    for said in ("is required to", "are required to", "has to", "have to"):
        yield rule("shall", said, modals.requires)
        yield rule("must", said, modals.requires)
    for law, said, guard in _ONE_WAY:
        yield rule(law, said, guard)
    contracted = [(f"{one} not|{one}n't", modals.is_one) for one in _CONTRACTED]
    for group, fits in [*_ALIKE, *contracted, *((one, places.counts) for one in _LIMITS)]:
        for law, said in permutations(group.split("|"), 2):
            loose = {"up to", "a maximum of", "a minimum of"} & {law, said}
            # "May set a maximum of 5 crowns" is no "at most".
            if law not in {"a maximum of", "a minimum of"}:
                yield rule(law, said, places.reaches if loose else fits)
    for pair in _SPELLINGS.split("|"):
        for law, said in permutations(pair.split()):
            yield rule(law, said, places.anywhere)
    for digits, number in _values():
        yield _Rule((digits,), number, places.is_value)
        yield _Rule(number, (digits,), places.is_value)


def _by_first_word() -> dict[str, list[_Rule]]:
    found: dict[str, list[_Rule]] = {}
    for rule in _rules():
        found.setdefault(rule.law[0], []).append(rule)
    return found


_RULES: Final = _by_first_word()
