"""Whether the verified corpus bears out a claim that is about to be written down."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final, Protocol

from corpusguard.gate.claims.model import Outcome
from corpusguard.gate.claims.run import check_claim
from corpusguard.gate.core import examine, read
from corpusguard.gate.model import Citation, Door, Reason, Rules
from corpusguard.gate.passages import evidence_of
from corpusguard.gate.quote import lead_in, limited_elsewhere
from corpusguard.gate.words import composed, tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corpusguard.gate.model import Evidence
    from corpusguard.service import Service
    from corpusguard.service.gate import TrustedPassage

_RULES: Final = Rules()
_MOST_LOOKED_AT: Final = 50
"""Passages in which one claim is looked for; more hold all its words only where it has few."""
MOST_ASKED: Final = 5
"""Claims of one write that models are asked about; a hook has a minute, not an hour."""

_QUOTES: Final = str.maketrans(
    {"“": '"', "”": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‑": "-", "\u00ad": None}
)
_NUMBER: Final = re.compile(r"(?:\d+(?:\.\d+)*\.? )?(?:\(\d+(?:\.\d+)*\) )?")
_INSIDE: Final = re.compile(r"\((\d+(?:\.\d+)*)\)")
_MARKER: Final = re.compile(r"\s*\[(?=[^\[\]\s]*\d)[^\[\]\s]{1,300}\](?=[\s.,;:!?)]|$)")
"""A citation, as in ``core``: no white space and a digit. ``[not]`` is a word of the claim."""
NOTHING_VERIFIED: Final = "no passage of the corpus is verified now (`corpusguard status` says why)"
_LAYOUT: Final = re.compile(r"^(?:[>*+•\-]\s+|\#{1,6}\s+|\d{1,3}[.)]\s+)+")


class Checker(Protocol):
    """Says of each claim why it may not be written down."""

    def objections(self, claims: Sequence[str]) -> list[str]:
        """Return one text for each claim, in order; empty: it is borne out."""
        ...


class QuoteChecker:
    """A claim passes as a whole verified passage in the law's own words, or as the gate quotes.

    Of a whole passage, folded are white space, quotation marks, hyphens, soft hyphens, the
    passage's own number in front ("19 (2)"), a citation marker behind and the case of the first
    letter; no word is. Of less than that the sentence gate decides (``gate.core``): one whole
    clause or limb with its opening words and conditions is a quotation, and no other part is, for
    what is left out may be the condition.
    """

    def __init__(self, passages: Sequence[TrustedPassage]) -> None:
        # A window of so many words that holds no whole provision has no whole words of the law.
        whole = [one for one in passages if one.starts and one.ends]
        self._evidence = [evidence_of(one) for one in whole]
        self._known = {form for one in self._evidence for form in _forms(one)}
        self._holding: dict[str, set[int]] = {}
        for number, one in enumerate(whole):
            for word in _words(one.text):
                self._holding.setdefault(word, set()).add(number)

    def objections(self, claims: Sequence[str]) -> list[str]:
        """See ``Checker``."""
        return [self._objection(claim) for claim in claims]

    def _objection(self, claim: str) -> str:
        bare = _bare(claim)
        if _lowered(bare) in self._known:
            return ""
        if not self._known:
            return NOTHING_VERIFIED
        said = _attributed(bare)
        limited = ""
        for number in self._candidates(said):
            refused = _refused(said, self._evidence[number])
            if refused is None:
                return ""
            limited = limited or refused
        return limited or "no verified passage says it in these words, whole or in a whole clause"

    def _candidates(self, said: str) -> list[int]:
        """Return the passages that hold every word of it; the gate need not look at others."""
        lead = lead_in(said)
        words = _words(said[lead.end :] if lead else said)
        holding = sorted((self._holding.get(word, set()) for word in words), key=len)
        return sorted(set.intersection(*holding))[:_MOST_LOOKED_AT] if holding else []


def _refused(said: str, passage: Evidence) -> str | None:
    """Ask the gate whether every sentence is a quotation of the passage.

    Returns:
        None if so; otherwise what limits the words, where they are the law's own, or nothing.
    """
    plan = read(said, [Citation(passage.id)], _RULES)
    decisions = examine(plan, {passage.id: passage}).decisions
    if plan.refusal is None and {one.door for one in decisions} == {Door.QUOTED}:
        return None
    return next((one.detail for one in decisions if one.reason is Reason.LIMITED_ELSEWHERE), "")


class TieredChecker:
    """Asks the models of ``check-claim``, about so many claims at most."""

    def __init__(self, service: Service, most: int) -> None:
        self._service = service
        self._most = most

    def objections(self, claims: Sequence[str]) -> list[str]:
        """See ``Checker``; only the first claims are asked about."""
        found = []
        for number, claim in enumerate(claims):
            if number >= self._most:
                found.append(f"models are asked about {self._most} claims of one write only")
                continue
            result = check_claim(self._service, claim, triage=False)
            passed = result.outcome is Outcome.SUPPORTED
            found.append("" if passed else f"{result.outcome}: {result.reason}")
        return found


def checkers(service: Service, *, asked: int = MOST_ASKED) -> list[Checker]:
    """Return the ways to check that the configuration gives, the cheapest first.

    Args:
        service: on the configuration.
        asked: the most claims that models are asked about.
    """
    gate = service.config.gate
    ways: list[Checker] = [QuoteChecker(service.verified_passages())]
    if gate.cheap and gate.expensive:
        ways.append(TieredChecker(service, asked))
    return ways


def _forms(one: Evidence) -> Iterator[str]:
    """Yield a passage as printed, without its number, and with its whole number.

    Without its number it says too much where another provision takes from it.
    """
    folded = _folded(one.text)
    number = _NUMBER.match(folded)
    inside = _INSIDE.search(number.group()) if number else None
    if not limited_elsewhere(one, one.section, inside[1] if inside else ""):
        yield _lowered(folded)
        yield _lowered(folded[number.end() :] if number else folded)
    elif number and number.group()[0].isdigit():
        yield folded
    if one.section and folded.startswith("("):  # only a section's first subsection prints both
        yield f"{one.section} {folded}"


def _bare(claim: str) -> str:
    return _folded(_LAYOUT.sub("", _MARKER.sub("", claim).strip()))


def _attributed(bare: str) -> str:
    """Return a claim with the number in front as a lead-in, which the gate checks."""
    number = _NUMBER.match(bare)
    if not number or not number.group():
        return bare
    return (
        f"Section {number.group().replace('. ', ' ').strip()} provides that {bare[number.end() :]}"
    )


def _words(text: str) -> set[str]:
    return {one.text.casefold() for one in tokens(composed(text)) if one.text[0].isalnum()}


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).translate(_QUOTES).split())


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:]
