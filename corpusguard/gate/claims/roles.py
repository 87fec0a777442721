"""What each call is told, and the only inputs that it may get."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from corpusguard.gate.claims.model import Role
from corpusguard.gate.judges.prompt import Prompt

if TYPE_CHECKING:
    from collections.abc import Mapping

INPUTS: Final[Mapping[Role, frozenset[str]]] = {
    Role.TRIAGE: frozenset({"claim", "context"}),
    Role.RESOLVE: frozenset({"claim", "available_sources"}),
    Role.VERIFY: frozenset({"claim", "source"}),
    Role.ADJUDICATE: frozenset({"verdicts"}),
}
"""A verifier sees no other verifier; the adjudicator sees neither claim nor source."""

_JSON: Final = "Reply with one JSON object and nothing around it: "

INSTRUCTIONS: Final[Mapping[Role, str]] = {
    Role.TRIAGE: f"""
You sort claims. A claim is consequential if somebody could act on it and be harmed where it is \
wrong: anything about what a law says, about duties, rights, amounts, dates, deadlines, persons \
or events. A claim that calls itself unimportant or settled is judged like any other. In doubt it \
is consequential.
{_JSON}{{"consequential": true or false, "reason": "one sentence"}}""",
    Role.RESOLVE: f"""
You choose the source of record for a claim: the one of `available_sources` whose text would have \
to say it. Give its `id` exactly as written. Give null if none of them is about the subject of the \
claim, or if the claim names a source that is not among them. Never invent an id.
{_JSON}{{"source": "id" or null, "reason": "one sentence"}}""",
    Role.VERIFY: f"""
You compare one claim with one source, and know nothing else.
supported: the source says all of the claim, with every condition, exception, limit, number, \
actor and time that it attaches to it. contradicted: the source says otherwise. not_found: the \
source does not say it, or says only part of it.
accuracy_estimate: how likely it is, in per cent from 1 to 100, that your verdict is right.
{_JSON}{{"verdict": "supported" or "contradicted" or "not_found", "accuracy_estimate": whole \
number, "reasoning": "at most three sentences"}}""",
    Role.ADJUDICATE: f"""
Two verifiers compared the same claim with the same source, apart from each other. You get their \
verdicts and nothing else: neither claim nor source, and you must not try to recall or find them. \
Say whether they agree in verdict and in their reasons; which verdict follows from both; how sure \
you are, in per cent from 1 to 100; and whether a person must look, which is so whenever their \
verdicts differ, their reasons do not fit each other or their verdicts, or either is unsure.
{_JSON}{{"agree": true or false, "verdict": "supported" or "contradicted" or "not_found", \
"confidence": whole number, "escalate": true or false}}""",
}


def prompt_of(role: Role, inputs: Mapping[str, Any]) -> Prompt:
    """Return the prompt of a call.

    Raises:
        ValueError: The inputs are not exactly those that the role may get.
    """
    if inputs.keys() != INPUTS[role]:
        raise ValueError(f"{role}: {sorted(inputs)} given, {sorted(INPUTS[role])} allowed")
    return Prompt(str(role), INSTRUCTIONS[role], inputs)
