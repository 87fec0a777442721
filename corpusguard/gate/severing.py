"""May one limb of a list be quoted without the others? Only where no word speaks against it.

Every answer here is about English, and every doubt a no: the whole provision can still be quoted.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

IF: Final = frozenset({"if", "where", "when", "whenever"})
EXCEPTIONS: Final = frozenset(
    "unless except excepting excluding only until than without despite notwithstanding but solely "
    "exclusively merely save saving otherwise".split()
)
NEGATIONS: Final = frozenset({"no", "not", "nor", "neither", "never", "none", "nothing", "cannot"})
CONDITIONAL: Final = (
    IF | EXCEPTIONS | {"provided", "subject", "while", "however", "nevertheless", "during"}
)
OPENERS: Final = frozenset({",", ":", "—", "–", "-"})
_MODALS: Final = frozenset({"shall", "may", "must", "will", "can"})
_RELATIVE: Final = frozenset({"who", "that", "which", "whom", "whose"})
_LEADS_ON: Final = _RELATIVE | {"as", "to"}
_DUTIES: Final = frozenset("purposes objects functions duties powers".split())
_IMPLIED: Final = frozenset(
    "lack lacks lacking lacked free refrain refrains refraining refrained fail fails failing "
    "failed devoid absent absence exempt deny denies denied prevent prevents prevented prohibit "
    "prohibits prohibited forbid forbids forbidden refuse refuses refused avoid avoids exclude "
    "excludes excluded cease ceases ceased limited restricted neither".split()
)
"""Negations without "not": "lacks a lamp or a bell" is not "lacks a lamp"."""
_TOGETHER: Final = frozenset(
    "instead rather lieu alternative alternatively together jointly both combined cumulatively "
    "simultaneously either each all any concurrently only order".split()
)
"""In opening words: the limbs are meant as one, or one for another."""
_ACROSS: Final = re.compile(
    r"\b(?:despite|notwithstanding|however|otherwise|(?:sub)?clauses?|(?:sub)?paragraphs?|items?"
    r"|either|neither|(?:every|any|all|each) other|cases?|events?|both"
    r"|there(?:after|by|upon|of|from|on|to|with)|do(?:es|ing)? so|did so|former|latter"
    r"|foregoing|preceding|above|aforesaid|rest|remain(?:ing|der)|instead|subsequent(?:ly)?"
    r"|afterwards?|then|else|same|said|previous(?:ly)?)\b"
)
"""In a limb: it speaks of another one."""
_TRAILING: Final = CONDITIONAL - {"than", "but"} | {"before", "after", "upon", "once", "whether"}
"""In the last limb they may belong to all: "…; or (b) a quay without a lamp"."""
_MEASURES: Final = frozenset({"later", "more", "less", "fewer", "sooner", "earlier", "longer"})


def severable(
    opening: Sequence[str], limbs: Sequence[Sequence[str]], joined: str, *, has_tail: bool
) -> set[int]:
    """Return which limbs say, each without the others, something that the list says.

    Args:
        opening: Case-folded tokens of all opening words, those of outer lists included.
        limbs: Case-folded tokens of each limb.
        joined: ``and``, ``or`` or empty, as the limbs are joined.
        has_tail: Whether text follows the list and belongs to all of it.
    """
    low = list(opening)
    while low and low[-1] in OPENERS:
        low.pop()
    if not low or any(_ACROSS.search(" ".join(limb)) for limb in limbs):
        return set()
    starts = [limb[0] if limb else "" for limb in limbs]
    if not _each(low, starts, joined, has_tail=has_tail):
        return set()
    whole = set(range(len(limbs)))
    last = len(limbs) - 1
    # A limb that begins with its condition has it for itself; in any other place it may be of all.
    own = starts[last] in IF
    body = list(limbs[last])[1 if own else 0 :]
    if body[-1:] == [","]:
        body.pop()  # before flush text
    reaches = any(word in _TRAILING or (word == "," and not own) for word in body)
    return {last} if reaches else whole


def _each(low: list[str], starts: list[str], joined: str, *, has_tail: bool) -> bool:
    conditional = [index for index, word in enumerate(low) if word in CONDITIONAL]
    if all(start in IF for start in starts):
        return joined == "or" and not conditional and not has_tail
    if any(start in CONDITIONAL for start in starts):
        return False
    if not conditional or (conditional == [0] and low[0] in IF and not has_tail):
        # A condition, if there is one, is whole in the opening words.
        return not has_tail and _duties(low, starts, joined)
    (first, *others) = conditional
    return (
        joined == "or"
        and not others
        and not ({"means", *_IMPLIED} & set(low))
        and (low[first] == "if" or (low[first] in IF and low[first - 1 : first] in ([], [","])))
        and first > max((at for at, word in enumerate(low) if word in NEGATIONS), default=-1)
    )


def _duties(low: list[str], starts: list[str], joined: str) -> bool:
    """Tell whether each limb of a list of duties, powers or aims stands for itself."""
    if _TOGETHER & set(low) or _IMPLIED & set(low):
        return False
    if all(start in _MODALS for start in starts):
        return joined == "and" and not (NEGATIONS | _RELATIVE) & set(low)
    end = len(low) - (low[-1] == "not")
    # "a person who must, (a) …; and (b) …" says what a person is, not what one must do.
    if _RELATIVE & set(low) or _LEADS_ON & set(low[max(end - 4, 0) : end]):
        return False
    negations = [at for at, word in enumerate(low) if word in NEGATIONS]
    # Only a negation of the modal itself forbids: "No person shall", "A person shall not".
    forbids = negations == [len(low) - 1] or (
        negations == [0] and low[0] in {"no", "neither"} and not _MEASURES & set(low[1:2])
    )
    if negations and not forbids:
        return False
    if "may" in low[-1:] and "not" in starts:
        return False  # "may, (a) not ring" is leave; "may not ring" is none
    deontic = low[end - 1] in _MODALS
    aims = low[-1] == "are" and not negations and bool(_DUTIES & set(low[:3]))
    return (deontic or aims) and joined == ("or" if negations else "and")
