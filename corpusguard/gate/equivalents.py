"""Is a sentence a whole clause of the law in other words that mean the same?

Answers say "must" where the law says "shall". Such a sentence is no quotation, and still says what
the clause says, if word after word is the law's own or stands in the table below for the law's. The
table is closed. It holds what drafting manuals and interpretation statutes treat as one ("shall" is
imperative: Interpretation Act (Canada), s. 11), comparisons of numbers, spellings and contractions;
nothing that needs to be understood, and no order of words but the law's. Whatever can mean two
things in some place has a guard for that place, and where it is in doubt, it is no equivalent.

So an equivalent is as complete as a quotation: it runs over the whole clause (see ``clauses``),
with each of its conditions, and is attributed where a quotation would have to be.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from corpusguard.gate.clauses import Word
    from corpusguard.gate.words import Token

_MOST_STATES: Final = 50_000
"""Places looked at in one clause; two texts of any length that agree need their own length."""
_ONES: Final = "one two three four five six seven eight nine".split()
_TEENS: Final = (
    "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
).split()
_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_NEGATORS: Final = frozenset("no none neither nor nobody nothing never nowhere".split())
_MODALS: Final = frozenset("shall may must can will should would could might".split())
_MEASURES: Final = frozenset(
    "later more less fewer sooner earlier longer greater higher lower larger smaller".split()
)
_NEW_CLAUSE: Final = frozenset(
    "and but if where when whenever until till while unless because since as than then so is are "
    'was were be has have had does do , ( ) " — – -'.split()
)
"""Between "No person" and "shall" they begin another statement, of which "shall" may be part."""
_ASKS: Final = re.compile(
    r"(?:ask|inquir|enquir|decid|determin|see|know|check|find|tell|told|say|said|stat|consider|"
    r"doubt|learn|verif|ascertain|indicat|show|specif|record|report|not(?:e|ing)|discover|assess|"
    r"examin|inform|notif|writ|wrote|set|declar|describ|disclos|mark|provid)\w*"
)
"""What follows "if" may be what is asked or told, and "where" would ask for the place."""
_ORDINALS: Final = frozenset("first second third last next alternate".split())
_MOST_BETWEEN: Final = 6
"""Words between "No" and its "shall"."""


class Alignment(NamedTuple):
    """How a sentence runs over a clause."""

    start: int
    end: int
    """The slice of the passage."""
    swaps: tuple[tuple[str, str], ...] = ()
    """(word of the law, word of the sentence), each pair once, in order."""


class _Place(NamedTuple):
    """Words of the law for which others stand."""

    low: Sequence[str]
    """All words of the clause, case folded."""
    at: int
    after: int
    first: int
    """Where its wording begins, after printed numbers."""

    @property
    def before(self) -> str:
        """The word before it in the clause."""
        return self.low[self.at - 1] if self.at else ""

    @property
    def next(self) -> str:
        """The word after it."""
        return self.low[self.after] if self.after < len(self.low) else ""

    @property
    def opening(self) -> Sequence[str]:
        """The words before it in its sentence or part of one."""
        ends = [at for at in range(self.at) if self.low[at] in {".", ";", ":"}]
        return self.low[max(self.first, ends[-1] + 1 if ends else 0) : self.at]


class _Rule(NamedTuple):
    law: tuple[str, ...]
    said: tuple[str, ...]
    fits: Callable[[_Place], bool]


def align(words: Sequence[Word], asked: Sequence[Token]) -> Alignment | None:
    """Return how ``asked`` says all of ``words``, in equivalent words, or None.

    Args:
        words: A clause.
        asked: Tokens of the sentence, without a lead-in and its last mark.
    """
    if len(asked) < 2:
        return None
    low = [word.text.casefold() for word in words]
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
                _reads(words[at:after], rule.law, initial=here == 0)
                and _reads(asked[here:behind], rule.said, initial=here == 0)
                and rule.fits(_Place(low, at, after, first))
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


def _anywhere(_: _Place) -> bool:
    return True


def _affirms(place: _Place) -> bool:
    """Nothing before it turns a duty into a prohibition: "No person shall" is not "must"."""
    return not _NEGATORS & set(place.opening)


def _obliges(place: _Place) -> bool:
    """A duty to do something: "shall not" is not "is required to", in any order of words."""
    # "Shall have a rest" gives a right, which "is required to have" would make a duty.
    return _affirms(place) and place.next not in {"not", *_NEGATORS, "only", "have", "mean"}


def _forbids(place: _Place) -> bool:
    """Nobody is allowed to: "No person shall" is "No person may"."""
    opening = place.opening
    return (
        opening[:1] in (["no"], ["neither"])
        and 1 < len(opening) <= _MOST_BETWEEN + 1
        and not (_MEASURES & set(opening[1:3]) or (_NEW_CLAUSE | _MODALS) & set(opening[1:]))
        and not _NEGATORS & set(opening[1:])
        and place.next not in {"not", *_NEGATORS}
    )


def _counts(place: _Place) -> bool:
    """A number follows, and what is before does not negate the comparison or own its "not"."""
    value = place.next == "$" or place.next[:1].isdigit() or place.next in _VALUES
    return value and place.before not in {"not", "no", *_MODALS}


def _opens(place: _Place) -> bool:
    """At the beginning "where" is a condition; inside it may be a place."""
    return place.at == place.first and "," in place.low[place.after :]


def _if(place: _Place) -> bool:
    """It is a condition: "shall tell the owner if it leaks" is not "where it leaks"."""
    asks = any(_ASKS.fullmatch(word) for word in place.opening)
    return (
        not asks and place.before not in {"as", "even"} and place.next not in {"any", "so", "not"}
    )


def _frees(place: _Place) -> bool:
    """The "not" is the comparison's, and not the modal's."""
    return place.before not in _MODALS


def _of_all(place: _Place) -> bool:
    """Not "every other week", nor "each other"."""
    return place.next not in {"other", "one", "of", *_ORDINALS} and not place.next.endswith("th")


def _is_value(place: _Place) -> bool:
    """It counts: "one" may also be somebody, or some one of several."""
    one = {"one", "1"} & set(place.low[place.at : place.after])
    return not one or (
        place.next.isalpha()
        and place.next not in {"of", "or", "and", "who", "that", "is", "may", "shall", "must"}
        and place.before not in {"no", "any", "every", "each", "the", "that", "this", "which"}
    )


def _values() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield digits and tokens of the numbers from one to ninety-nine."""
    for value, word in enumerate(_ONES, 1):
        yield str(value), (word,)
    for value, word in enumerate(_TEENS, 10):
        yield str(value), (word,)
    for tens, word in enumerate(_TENS, 2):
        yield str(tens * 10), (word,)
        for ones, unit in enumerate(_ONES, 1):
            yield str(tens * 10 + ones), (word, "-", unit)


_VALUES: Final = frozenset(_ONES + _TEENS + _TENS)
_ONE_WAY: Final = (
    ("prior to", "before"),
    ("subsequent to", "after"),
    ("pursuant to", "under"),
    ("notwithstanding", "despite"),
    ("in the event that", "if"),
    ("until such time as", "until"),
    ("upon", "on"),
    ("forthwith", "immediately"),
    ("unless", "except where"),
    ("unless", "except if"),
)
_ALIKE: Final = (
    "despite|in spite of",
    "per cent|percent|%",
    "does not|doesn't",
    "do not|don't",
    "did not|didn't",
    "is not|isn't",
    "are not|aren't",
    "was not|wasn't",
    "were not|weren't",
    "has not|hasn't",
    "have not|haven't",
    "had not|hadn't",
    "must not|mustn't",
    "cannot|can not|can't",
)
_LIMITS: Final = (
    "not more than|no more than|at most|not exceeding|up to|a maximum of",
    "not less than|no less than|at least|not fewer than|no fewer than|a minimum of",
)
_SPELLINGS: Final = (
    "metre meter|metres meters|centimetre centimeter|centimetres centimeters|kilometre kilometer|"
    "kilometres kilometers|litre liter|litres liters|millilitre milliliter|licence license|"
    "licences licenses|licensed licenced|offence offense|offences offenses|defence defense|"
    "neighbour neighbor|neighbours neighbors|neighbouring neighboring|colour color|"
    "colours colors|labour labor|honour honor|harbour harbor|harbours harbors|centre center|"
    "centres centers|instalment installment|instalments installments|programme program|"
    "cancelled canceled|travelling traveling|labelled labeled"
)


def _rules() -> Iterator[_Rule]:
    def rule(law: str, said: str, fits: Callable[[_Place], bool] = _anywhere) -> _Rule:
        return _Rule(tuple(law.split()), tuple(said.split()), fits)

    yield rule("shall", "must", _affirms)
    yield rule("must", "shall", _affirms)
    for said in ("is required to", "are required to", "has to", "have to"):
        yield rule("shall", said, _obliges)
        yield rule("must", said, _obliges)
    yield rule("shall", "may", _forbids)
    yield rule("may", "can")
    yield rule("may not", "cannot")
    yield rule("may not", "can't")
    yield rule("shall not", "mustn't", _affirms)
    yield rule("may", "shall", _forbids)
    yield rule("where", "if", _opens)
    yield rule("if", "where", _if)
    for law, said in _ONE_WAY:
        yield rule(law, said)
    groups = [(one, _anywhere) for one in _ALIKE] + [(one, _counts) for one in _LIMITS]
    groups += [("every|each", _of_all), ("not later than|no later than", _frees)]
    for group, fits in groups:
        members = group.split("|")
        for law in members:
            yield from (rule(law, said, fits) for said in members if said != law)
    for pair in _SPELLINGS.split("|"):
        one, other = pair.split()
        yield rule(one, other)
        yield rule(other, one)
    for digits, number in _values():
        yield _Rule((digits,), number, _is_value)
        yield _Rule(number, (digits,), _is_value)


def _by_first_word() -> dict[str, list[_Rule]]:
    found: dict[str, list[_Rule]] = {}
    for rule in _rules():
        found.setdefault(rule.law[0], []).append(rule)
    return found


_RULES: Final = _by_first_word()
