"""What each outcome of ``check-claim`` means and what to do next, for people who read one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from corpusguard.gate.claims.model import Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping


class Explained(NamedTuple):
    """An outcome in words."""

    meaning: str
    next: str


EXPLAINED: Final[Mapping[Outcome, Explained]] = {
    Outcome.SUPPORTED: Explained(
        "Two verifiers found the claim in its verified source, and the adjudicator agrees.",
        "It may be used, with its source; read the residual risk, which goes with it.",
    ),
    Outcome.CONTRADICTED: Explained(
        "The source says otherwise.",
        "Do not use the claim; correct it against the passage that is named.",
    ),
    Outcome.NOT_FOUND: Explained(
        "The source that was read does not say it.",
        "Do not use the claim; name another passage with `--source ID` if one says it, or state "
        "less.",
    ),
    Outcome.NO_SOURCE_OF_RECORD: Explained(
        "No passage that is verified and young enough bears on the claim, so nothing was checked.",
        "`corpusguard status` says what is verified and how old its text is; name the passage with "
        "`--source ID` if there is one.",
    ),
    Outcome.NOT_CONSEQUENTIAL: Explained(
        "Triage saw nothing in the claim to check, so nothing was checked: no pass.",
        "`--no-triage` checks it all the same.",
    ),
    Outcome.ESCALATED: Explained(
        "The replies are no decision: no agreement, too little certainty, or no usable reply.",
        "A person decides; the trace has every call with its reply or error.",
    ),
}
