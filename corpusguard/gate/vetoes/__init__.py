"""Deterministic vetoes: what no judge may let through.

Each asks whether something that the sentence says is in the provision it comes closest to: a number
with its unit, a date, an amount, a percentage, a reference, a comparator, an actor, a negation, a
modal, a condition. A condition or negation of the provision that the sentence leaves out is a veto
too. They are strict on purpose: a wrong veto removes a true sentence, and the law can be quoted
instead; a veto too few lets a false one through.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from corpusguard.gate.clauses import clauses
from corpusguard.gate.model import Objection, Reason
from corpusguard.gate.vetoes.characters import strange, strange_in
from corpusguard.gate.vetoes.facts import Facts, facts_of, lacking
from corpusguard.gate.vetoes.instructions import instructs
from corpusguard.gate.words import composed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corpusguard.gate.model import Evidence

__all__ = ["characters", "object_to"]

_RELATED: Final = 0.5
"""Least share of the sentence's content words that the provision must have."""


def characters(sentence: str, evidence: Sequence[Evidence]) -> Objection | None:
    """Return the objection to characters that are not what they look like, if there are any."""
    always = strange(sentence)
    if always:
        return Objection(Reason.CHARACTERS, always)
    for passage in evidence:
        if found := strange_in(sentence, passage.text):
            return Objection(Reason.CHARACTERS, found, passage.id)
    return None


def object_to(sentence: str, evidence: Sequence[Evidence]) -> Objection | None:
    """Return the first objection to ``sentence``, or None.

    It must hold against one cited passage alone: a number of one and a condition of another make
    no rule. So None means that one passage draws no objection.
    """
    if found := instructs(sentence):
        return Objection(Reason.INSTRUCTION, f"the sentence speaks to the judge: {found!r}")
    said = facts_of(composed(sentence))
    first: Objection | None = None
    for passage in evidence:
        if found := instructs(passage.text):
            return Objection(
                Reason.INSTRUCTION, f"the passage speaks to the judge: {found!r}", passage.id
            )
        objection = _against(said, passage)
        if objection is None:
            return None
        first = first or objection
    return first


def _against(said: Facts, passage: Evidence) -> Objection | None:
    held = max(
        _held(composed(passage.text), passage.starts, passage.ends),
        key=lambda one: (len(one.stems & said.stems), -len(one.stems)),
    )
    share = len(said.stems & held.stems) / max(len(said.stems), 1)
    if not said.stems or share < _RELATED:
        return Objection(
            Reason.UNRELATED,
            f"{share:.0%} of its words are in the provision that it comes closest to",
            passage.id,
        )
    found = lacking(said, held, passage.section)
    return None if found is None else Objection(found.reason, found.detail, passage.id)


@lru_cache(maxsize=2048)
def _held(text: str, starts: bool, ends: bool) -> tuple[Facts, ...]:  # noqa: FBT001 - a cache key
    """Return what each clause of a passage says; of the whole where none is complete."""
    found = clauses(text, starts=starts, ends=ends)
    said = tuple(facts_of(" ".join(word.text for word in clause.words)) for clause in found)
    return said or (facts_of(text),)
