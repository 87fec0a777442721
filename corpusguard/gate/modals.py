"""Where another modal may stand for the law's "shall", "must" or "may".

Says no in doubt: "shall" is a duty only in a main clause, under no negation, of what somebody does.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from corpusguard.gate.places import AUXILIARIES, MODALS, NEGATORS, SUBJECTS, Place, bag, is_number

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corpusguard.gate.places import Place

_RARELY: Final = bag("most maximum fewer few hardly seldom rarely scarcely barely solely")
_MEASURES: Final = bag(
    "later more less fewer sooner earlier longer greater higher lower larger smaller"
)
_NEW_CLAUSE: Final = AUXILIARIES | bag(
    "and but if where when whenever until till while unless because since as than then so be being "
    'having matter doubt , ; : . ( ) " — – -'
)
"""Between "No person" and "shall" they begin another statement, of which "shall" may be part."""
_CONDITIONS: Final = bag("if unless until till when whenever where wherever while whether once")
_SUBORDINATE: Final = _CONDITIONS | bag(
    "as before after lest because since extent what whatever how however such provided except"
)
_RELATIVE: Final = bag("who whom whose which that whoever whichever")
_SKIPPED: Final = bag("not also then forthwith thereupon further always")
_NOT_DONE: Final = bag(
    "mean means come cease expire lapse vest become constitute prevail survive continue accrue "
    "lie inure enure bind devolve pass revert rank operate extend govern suffice affect "
    "invalidate prejudice prevent preclude derogate bar impair relieve render confer create "
    "entitle excuse override abate merge attach arise result exist occur enjoy own belong count "
    "stand fall inhere commence begin end terminate limit owe lose incur suffer acquire inherit "
    "succeed obtain earn gain run refer relate denote import amount happen fail benefit descend"
)
"""What the law itself brings about, or grants: nobody "must" do it."""
_STATES: Final = (
    "deemed entitled disentitled considered presumed treated regarded constituted continued "
    "licensed licenced qualified disqualified authorized authorised empowered exempted excused "
    "relieved discharged obliged required bound compelled needed limited restricted vested "
    "dissolved extinguished terminated repealed revoked forfeited barred estopped satisfied "
    "known liable void voidable valid invalid guilty eligible ineligible exempt free subject "
    "responsible able unable possessed subrogated stayed suspended abolished conclusive final "
    "effective sufficient competent lawful unlawful binding null open"
)
_STATE: Final = bag(_STATES)
_BECOMES: Final = re.compile(rf"\b(?:be|have been) (?:{'|'.join(_STATES.split())})\b")
_DONE: Final = bag(
    "paid kept made given held sent served done set written read drawn taken rung shown sworn "
    "heard put laid left built told brought met lit sold bought hung worn cut"
)
"""Participles without "ed"."""
_RIGHTS: Final = bag(
    "right rights power powers jurisdiction authority effect force standing priority meaning "
    "claim lien title interest capacity discretion vote votes seat term appeal custody benefit "
    "status remedy recourse cause action choice option"
)
_TO_PERSONS: Final = bag("heard allowed permitted granted compensated reimbursed indemnified")
_THINKS: Final = bag(
    "know exist apply include contain reflect appear affect cause remain need want wish "
    "understand agree receive realize recover fit work fail have think deem see seem"
)
"""What "may not" may say of what is possible, not of what is allowed."""
_JOINTS: Final = bag("and or but nor , ; : .")
_PREPOSITIONS: Final = bag("from in on at to for with by under during upon of within")
_MOST_BETWEEN: Final = 6
"""Words between "No" and its "shall"."""


def obliges(place: Place) -> bool:
    """It lays a duty, in a main clause, on somebody who can do what follows."""
    return _is_affirmed(place) and _is_main(place) and _is_done(place)


def requires(place: Place) -> bool:
    """A duty to do something: "shall not" is not "is required to", in any order of words."""
    rest = place.rest(len(place.low))
    # "Shall have a rest" gives a right, which "is required to have" would make a duty.
    return (
        obliges(place)
        and not {"not", *NEGATORS, "only", "have", "receive", "get", ","} & set(rest[:3])
        and not {"only", "solely", "exclusively"} & set(rest)
        and not (rest[:1] == ["be"] and _TO_PERSONS & set(rest[1:3]))
        and not any(is_number(word) for word in place.opening)
    )


def commands(place: Place) -> bool:
    """Not "must have", which asks for what "shall have" grants, nor "To be admitted, he must"."""
    rest = place.rest(3)
    grants = rest[:1] == ["have"] and "regard" not in rest
    return obliges(place) and not grants and "to" not in place.opening[:1] and (
        "order" not in place.opening[:2]
    )  # fmt: skip


def forbids(place: Place) -> bool:
    """Nobody is allowed to: "No person shall" is "No person may"."""
    opening = place.opening
    between = opening[1:]
    return (
        opening[:1] in (["no"], ["neither"])
        and 0 < len(between) <= _MOST_BETWEEN
        and not (_MEASURES & set(between[:2]) or (_NEW_CLAUSE | NEGATORS) & set(between))
        and not is_number(between[0])
        and place.next not in {"not", "have", "or", *NEGATORS}
        and _is_done(place)
    )


def permits(place: Place) -> bool:
    """It is leave or power, and no "as may be" nor "may have been"."""
    if place.next == "not":
        return excludes(place._replace(after=place.after + 1))
    near = {"as", "such", "whatever", "whichever", "however", "whoever", "what"}
    return (
        place.at > place.first
        and not near & set(place.opening[-4:])
        and place.next not in {"have", "or", "well", "think", "deem", "see", "seem", *NEGATORS}
        and _is_done(place)
    )


def excludes(place: Place) -> bool:
    """Nobody has leave: neither "may not be so" nor "may not only … but"."""
    return (
        is_one(place)
        and place.at > place.first
        and _is_main(place)
        and not (_RELATIVE & set(place.subject) or _THINKS & set(place.rest(2)))
        and _is_done(place)
    )


def is_one(place: Place) -> bool:
    """The "not" belongs to the verb, and to no "not later than" or "not only" after it."""
    return place.next not in _MEASURES | {"only", "merely", "at", "solely", "just"}


def denies(place: Place) -> bool:
    """It is a prohibition."""
    return is_one(place) and obliges(place)


def _is_affirmed(place: Place) -> bool:
    """Nothing before it turns a duty into a prohibition, as in "No person" and "Only a pilot"."""
    opening = list(place.opening)
    if opening[1:3] in (["later", "than"], ["earlier", "than"]) and "," in opening:
        opening = opening[opening.index(",") :]
    starts = {word for end, word in pairwise([".", *opening]) if end in {".", ";", ":", ","}}
    if "only" in opening and not _only_narrows(opening):
        return False
    return (
        not (NEGATORS | _RARELY) & set(opening)
        and not {"not", "up", "less"} & starts
        and place.before not in {"word", "words", "expression", "term"}
    )


def _only_narrows(opening: Sequence[str]) -> bool:
    """Tell whether each "only" is of an earlier modal's predicate: "shall sail only by day"."""
    seen = False
    for before, word, after in zip(["", *opening], opening, [*opening[1:], ""], strict=False):
        seen = seen or before in MODALS
        if word == "only" and not (seen and before not in _JOINTS and after in _PREPOSITIONS):
            return False
    return True


def _is_main(place: Place) -> bool:
    """The modal is no condition's ("if he shall fail"), nor that of "as the Board shall direct"."""
    subject = list(place.subject)
    if _SUBORDINATE & set(subject) or place.next in {"or", *NEGATORS, *SUBJECTS}:
        return False
    verbs = [at for at, word in enumerate(subject) if word in AUXILIARIES]
    if verbs and not (_RELATIVE | {"and", "or", "but"}) & set(subject):
        # "Is paid on the day the Board shall fix": the modal is of another clause.
        return False
    if found := [at for at, word in enumerate(subject) if word in _RELATIVE]:
        own = subject[found[-1] + 1 :]
        if len(own) < 2 or own[0] in SUBJECTS:
            return False
    opening = list(place.opening)
    for at, word in enumerate(opening):
        # "If the pilot, the mate or the cook shall": the condition has had no verb yet.
        if word in _CONDITIONS and "," in opening[at:]:
            end = opening.index(",", at)
            said = opening[at:end]
            if not AUXILIARIES & set(said) and not any(
                len(one) > 3 and one.endswith(("s", "ed")) for one in said[2:-1]
            ):
                return False
    return True


def _is_done(place: Place) -> bool:
    """What follows is done by somebody, and not brought about or granted by the law itself."""
    low = place.low
    if _BECOMES.search(" ".join(low[place.after :])):
        return False
    return all(_is_deed(low[at : at + 8], place.opening) for at in _verbs(place))


def _verbs(place: Place) -> Iterator[int]:
    """Yield where the verb may begin: after an adverb, an insertion, or a number of a list."""
    at = place.after
    while at < len(place.low) and (place.words[at].optional or _is_adverb(place.low[at])):
        at += 1
    yield at
    if place.low[at : at + 1] == [","] or any(
        one.optional for one in place.words[place.after : at]
    ):
        for later in range(at + 1, len(place.low)):
            before = place.words[later - 1]
            if before.optional or before.text == ",":
                yield later


def _is_adverb(word: str) -> bool:
    return word in _SKIPPED or (word.endswith("ly") and not word.endswith(("ply", "rely")))


def _is_deed(words: Sequence[str], opening: Sequence[str]) -> bool:
    verb, *others = [*words, "", "", ""]
    if verb in _NOT_DONE:
        return False
    if verb == "apply":
        return others[0] in {"to", "for"} and not {"act", "part", "regulation", "section"} & set(
            opening[:2]
        ) and "subsection" not in opening[:1]  # fmt: skip
    if verb == "take":
        return others[0] not in {"effect", "place", "precedence", "priority"}
    if verb in {"remain", "rest"}:
        return not {"force", "effect", "with", "on", "upon", *_STATE} & set(others[:2])
    if verb == "hold":
        return others[0] != "office"
    if verb == "include":
        named = {'"', "word", "words", "reference", "references", "expression", "singular"}
        return not named & set(opening) and list(opening[:2]) != ["in", "this"]
    if verb == "have":
        known = others[0] in {"a", "an", "at", "regard", "due"}
        return known and not _RIGHTS & set(others[:6])
    return verb != "be" or _is_passive(others)


def _is_passive(words: Sequence[str]) -> bool:
    """Tell whether it can be asked for: "be paid", "be in writing", "be 5 crowns"."""
    at = 0
    while _is_adverb(words[at]):
        at += 1
        if at + 2 >= len(words):
            return False
    word, after, third = words[at], words[at + 1], words[at + 2] if at + 2 < len(words) else ""
    if word in {"in", "at"}:
        return after in {"writing", "least", "most"} or (
            word == "in" and after in {"the", "a", "an"} and third in {"form", "manner", "language"}
        )
    if word in {"held", "taken", "found"} and after in {"to", "as", "liable", "responsible"}:
        return False
    if is_number(word) or word == "$":
        return True
    if word in _MEASURES and words[at - 1 : at] == ["not"]:
        return after == "than"
    return (word.endswith("ed") and word not in _STATE) or word in _DONE
