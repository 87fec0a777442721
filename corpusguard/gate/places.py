"""Where in a clause other words may stand for the law's: the guards of ``equivalents``.

Each answers for one place in one clause, from the words around it, and says no in doubt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corpusguard.gate.clauses import Word


def bag(words: str) -> frozenset[str]:
    """Return a set of words."""
    return frozenset(words.split())


ONES: Final = "one two three four five six seven eight nine".split()
TEENS: Final = (
    "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
).split()
TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_NUMBERS: Final = frozenset(ONES + TEENS + TENS) | bag("hundred thousand million dozen half")
NEGATORS: Final = bag("no none neither nor nobody nothing never nowhere")
MODALS: Final = bag("shall may must can will should would could might")
_HELPERS: Final = MODALS | bag("need ought dare do does did")
AUXILIARIES: Final = MODALS | bag("is are was were has have had does do did")
SUBJECTS: Final = bag(
    "the a an any every each all no some he she it they we such this that these those his her "
    "its their one person persons"
)
"""After "that": whose modal it is, in a clause that belongs to another word."""
_WILLS: Final = bag(
    "fails failed refuses refused contravenes contravened convicted satisfied considers agrees "
    "agreed consents consented breaches breached complies complied died requires permits"
)
_PAPERS: Final = bag(
    "notice application order licence tenancy agreement section subsection act appeal complaint "
    "proceeding request consent"
)
_ACTS: Final = bag(
    "given gives made makes received receives filed files issued issues terminated terminates "
    "required permitted granted requested entered"
)
"""Of papers: "where an order is made" is no place; "where a notice is posted" is one."""
_RANKS: Final = bag(
    "lien liens charge charges mortgage mortgages claim claims right rights interest interests "
    "encumbrance encumbrances security title condition conditions rank ranks ranking is are"
)
_PHRASAL: Final = bag(
    "pass passes passed go goes went gone going put puts take takes taken took bring brings "
    "brought come comes came keep keeps look looks hold holds move moves live lives lay lays "
    "lead sign turn try tries carry carries carried get hang catch draw draws set sets wait "
    "waits hand let sit call calls called run runs play stay"
)
_TIMES: Final = bag(
    "before prior after from preceding following until till ahead advance earlier ago later "
    "since beyond a.m p.m am pm noon midnight clock"
)
_FIXES: Final = bag(
    "set sets fix fixes fixed prescribe prescribes establish establishes impose imposes specify "
    "specifies determine determines exceed exceeds exceeding above below over under than "
    "between up to"
)
_MONTHS: Final = bag(
    "january february march april may june july august september october november december"
)
_NAMED: Final = _MONTHS | bag(
    "part parts form forms section sections subsection subsections schedule schedules item items "
    "paragraph paragraphs clause clauses class classes rule rules table tables column line page "
    "chapter division article articles step type level zone lot lots unit room gate number no "
    "order regulation phase category grade group title series appendix annex berth quay pier "
    "buoy day $ € £ . - / : ' no"
)
_LEADS: Final = bag("the within after before at in for on by over under every any all about least")
_ORDINALS: Final = bag("first second third last next alternate quarter half")
_NO_SINGLE: Final = _ORDINALS | bag(
    "other one of few effort reasonable possible kind sort nature description single bit now"
)


class Place(NamedTuple):
    """Words of the law for which others stand."""

    words: Sequence[Word]
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
        """The word after it, where a list begins the first one of its first item."""
        return next((one for one in self.rest(1)), "")

    @property
    def opening(self) -> Sequence[str]:
        """All words before it: in a list, "No pilot:" reaches every item."""
        return self.low[self.first : self.at]

    @property
    def subject(self) -> Sequence[str]:
        """The words between it and the last mark before it."""
        opening = self.opening
        marks = [at for at, word in enumerate(opening) if word in {",", ".", ";", ":", ")", "—"}]
        if len(marks) > 1 and marks[-1] == len(opening) - 1:
            # "As the Warden, on advice, shall": what stands between two marks is looked through.
            return opening[marks[-3] + 1 if len(marks) > 2 else 0 : marks[-2]]
        return opening[marks[-1] + 1 if marks else 0 :]

    def rest(self, most: int) -> list[str]:
        """Return the words after it, without what may be left out."""
        found: list[str] = []
        for word, low in zip(self.words[self.after :], self.low[self.after :], strict=True):
            if len(found) == most:
                break
            if not word.optional:
                found.append(low)
        return found


def anywhere(_: Place) -> bool:
    """It means one thing wherever it stands."""
    return True


def opens(place: Place) -> bool:
    """At the beginning, of an act of law, "where" is a condition; elsewhere it may be a place."""
    rest = list(place.low[place.after :])
    if place.at != place.first or "," not in rest or place.next in {"and", "or", "ever"}:
        return False
    said = rest[: rest.index(",")]
    legal = _WILLS & set(said) or (_PAPERS & set(said) and _ACTS & set(said))
    return bool(legal) and not (MODALS & set(said) or {"there", "place"} & set(rest))


def supposes(place: Place) -> bool:
    """It is "if"; "took part in the event that" is not, nor is what one tells."""
    return place.at == place.first or place.before in {",", "except", "only"}


def fronts(place: Place) -> bool:
    """It is "notwithstanding the fog", and not "the fog notwithstanding"."""
    known = place.before in {"", ",", "and"} or AUXILIARIES & set(place.opening)
    return bool(place.at == place.first or known) and place.next not in {"", ",", ".", ";", "that"}


def lasts(place: Place) -> bool:
    """It is "until such time as the bell rings", and not "… as may be fixed"."""
    return place.next not in AUXILIARIES


def excepts(place: Place) -> bool:
    """It is no "unless and until"."""
    return place.next not in {"and", "or", ","}


def precedes(place: Place) -> bool:
    """It is of time, and not of rank."""
    return place.before not in _RANKS


def rests(place: Place) -> bool:
    """No verb goes with it: "pass upon" is not "pass on"."""
    return place.before not in _PHRASAL


def counts(place: Place) -> bool:
    """A number follows, and what is before does not negate the comparison or own its "not"."""
    if place.before in {"not", "no", *_HELPERS, *_FIXES} or is_number(place.before):
        return False
    following = place.rest(4)
    times = {":", "a", "p", "o'clock", "noon", "midnight"} & set(following[1:2])
    return bool(following) and (following[0] == "$" or is_number(following[0])) and not times


def reaches(place: Place) -> bool:
    """It is a limit: not "up to 3 days before", nor under a negation."""
    negated = {"not", "without", "unless", *NEGATORS} & set(place.opening)
    # The name of a street after the number is no unit.
    unit = place.after + 1 + (place.next == "$")
    is_name = any(word.text[:1].isupper() for word in place.words[unit : unit + 2])
    return (
        counts(place)
        and place.at > place.first
        and not negated
        and not is_name
        and not _TIMES & set(place.rest(10))
    )


def is_free(place: Place) -> bool:
    """The "not" is the comparison's, and not the modal's."""
    return place.before not in _HELPERS


def of_all(place: Place) -> bool:
    """Not "every other week", nor "each other", nor "not every"."""
    return not (
        place.next in _NO_SINGLE
        or place.next.endswith("th")
        or is_number(place.next)
        or place.before in {"almost", "nearly"}
        or list(place.low[place.at - 2 : place.at]) == ["each", "and"]
        or ({"not", "without", "cannot", *NEGATORS} & set(place.opening))
    )


def of_each(place: Place) -> bool:
    """It is the beginning's "each pilot"; "they each" and "5 crowns each" are not "every"."""
    return (
        place.at == place.first
        and of_all(place)
        and place.next.isalpha()
        and place.next not in AUXILIARIES | SUBJECTS | {"and", "or"}
    )


def measures(place: Place) -> bool:
    """A number or "square" before it: it is a unit, and no device."""
    return is_number(place.before) or place.before in {"square", "cubic"}


def is_value(place: Place) -> bool:
    """It counts: no name, time, date or part of a number, nor "one" that is somebody."""
    beyond = place.low[place.after] if place.after < len(place.low) else ""
    second = place.low[place.after + 1] if place.after + 1 < len(place.low) else ""
    is_name = place.before and place.words[place.at - 1].text[:1].isupper() and (
        place.at > place.first + 1 or place.before not in _LEADS
    )  # fmt: skip
    if is_name or place.before in _NAMED or beyond in _MONTHS | {"/", ":"}:
        return False
    if is_number(place.before) or is_number(beyond) or (
        beyond == "-" and (not second.isalpha() or second in _NUMBERS or _is_part(second))
    ):  # fmt: skip
        return False
    one = {"one", "1"} & set(place.low[place.at : place.after])
    return not one or (
        place.next.isalpha()
        and place.next not in {"of", "or", "and", "who", "that", "is", "another", *MODALS}
        and place.before not in {"any", "every", "each", "the", "that", "this", "which"}
    )


def _is_part(word: str) -> bool:
    return word in _ORDINALS or word.rstrip("s").endswith(("th", "third", "half"))


def is_number(word: str) -> bool:
    """Tell whether a word is a number or part of one."""
    return word[:1].isdigit() or word in _NUMBERS
