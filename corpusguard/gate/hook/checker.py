"""Whether the verified corpus bears out a claim that is about to be written down."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final, Protocol

from corpusguard.gate.claims.model import Outcome
from corpusguard.gate.claims.run import check_claim

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corpusguard.service import Service
    from corpusguard.service.gate import TrustedPassage

MOST_ASKED: Final = 5
"""Claims of one write that models are asked about; a hook has a minute, not an hour."""

_QUOTES: Final = str.maketrans(
    {"“": '"', "”": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‑": "-", "\u00ad": None}
)
_NUMBER: Final = re.compile(r"(?:\d+(?:\.\d+)*\.? )?(?:\(\d+(?:\.\d+)*\) )?")
_MARKERS: Final = re.compile(r"\s*\[[^\[\]\s]{1,300}\]")
_LAYOUT: Final = re.compile(r"^(?:[>*+•\-]\s+|\#{1,6}\s+|\d{1,3}[.)]\s+)+")


class Checker(Protocol):
    """Says of each claim why it may not be written down."""

    def objections(self, claims: Sequence[str]) -> list[str]:
        """Return one text for each claim, in order; empty: it is borne out."""
        ...


class QuoteChecker:
    """A claim passes only as a whole verified passage in the law's own words.

    Folded are white space, quotation marks, hyphens, soft hyphens, the passage's own number in
    front ("19 (2)"), a citation marker behind and the case of the first letter; no word is. A part
    of a passage is no quotation of it: what is left out may be the condition.
    """

    def __init__(self, texts: Iterable[TrustedPassage]) -> None:
        self._known = {form for one in texts if one.starts and one.ends for form in _forms(one)}

    def objections(self, claims: Sequence[str]) -> list[str]:
        """See ``Checker``."""
        return ["" if _bare(claim) in self._known else self._why() for claim in claims]

    def _why(self) -> str:
        if not self._known:
            return "no passage of the corpus is verified now (`corpusguard status` says why)"
        return "no verified passage says it in these words, whole"


class TieredChecker:
    """Asks the models of ``check-claim``."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def objections(self, claims: Sequence[str]) -> list[str]:
        """See ``Checker``; only the first ``MOST_ASKED`` claims are asked about."""
        found = []
        for number, claim in enumerate(claims):
            if number >= MOST_ASKED:
                found.append(f"models are asked about {MOST_ASKED} claims of one write only")
                continue
            result = check_claim(self._service, claim, triage=False)
            passed = result.outcome is Outcome.SUPPORTED
            found.append("" if passed else f"{result.outcome}: {result.reason}")
        return found


def checkers(service: Service) -> list[Checker]:
    """Return the ways to check that the configuration gives, the cheapest first."""
    gate = service.config.gate
    ways: list[Checker] = [QuoteChecker(service.verified_passages())]
    if gate.cheap and gate.expensive:
        ways.append(TieredChecker(service))
    return ways


def _forms(one: TrustedPassage) -> Iterator[str]:
    """Yield a passage as printed, without its number, and with its whole number."""
    folded = _folded(one.text)
    number = _NUMBER.match(folded)
    yield _lowered(folded)
    yield _lowered(folded[number.end() :] if number else folded)
    if one.section and folded.startswith("("):  # only a section's first subsection prints both
        yield f"{one.section} {folded}"


def _bare(claim: str) -> str:
    return _lowered(_folded(_LAYOUT.sub("", _MARKERS.sub("", claim).strip())))


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).translate(_QUOTES).split())


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:]
