"""Who should act on a finding, and what to do first, in words for a person who does not program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from corpusguard.model import Cause

if TYPE_CHECKING:
    from corpusguard.model import Finding


@dataclass(frozen=True, slots=True)
class Duty:
    """One thing to do, and whose it is."""

    who: str
    what: str


_INGESTION: Final = "The team that builds the corpus"
_KEEPER: Final = "Whoever keeps the stored corpus"
_OPERATOR: Final = "Whoever operates corpusguard"
_COUNSEL: Final = "A legal reviewer"
_MAINTAINER: Final = "The maintainers of corpusguard"

_BY_CAUSE: Final = {
    Cause.SOURCE_AMENDED: Duty(
        _INGESTION, "Take the amended text from the official source again, and verify."
    ),
    Cause.CORPUS_ALTERED: Duty(
        _KEEPER, "Find out what changed the stored text, restore it, and verify."
    ),
    Cause.READER_CHANGED: Duty(
        _MAINTAINER, "Judge whether the new reading of the same official bytes is right."
    ),
}
"""A cause that is known says more than a rule."""

_RELABEL: Final = Duty(_INGESTION, "Correct the section labels, or how the text is cut.")
_LIST: Final = Duty(
    _INGESTION,
    "Add the documents that no source lists to a file of `sources`, or take their rows out of the"
    " corpus; until then nobody can verify them.",
)
_OPEN: Final = Duty(_KEEPER, "See why the stored corpus cannot be read, repair it, and verify.")
_SCOPE: Final = Duty(
    _OPERATOR, "See why the corpus holds no document that a source lists: its path, and `sources`."
)
_COMPLETE: Final = Duty(_INGESTION, "Add the law that is missing, and verify.")
_REWORD: Final = Duty(_INGESTION, "Take the passages from the official text again, and verify.")
_WITHDRAW: Final = Duty(
    _COUNSEL, "Decide whether text that is not in force may be served; mark it or take it out."
)
_READ: Final = Duty(_MAINTAINER, "Look at how the official document was read; report it.")
_SOURCE: Final = Duty(_OPERATOR, "See why the official source gave no usable answer; run again.")
_PUBLISHER: Final = Duty(_COUNSEL, "Compare the two official forms, and tell the publisher.")
_OPERATE: Final = Duty(_OPERATOR, "See to the schedule of runs and to the list of ignores.")
_EVIDENCE: Final = Duty(_OPERATOR, "Restore the evidence from a copy before relying on any run.")

_BY_RULE: Final = {
    "CG108": _READ,
    "CG204": _READ,
    "CG308": _READ,
    "CG508": _READ,
    "CG205": _PUBLISHER,
    "CG203": _RELABEL,
    "CG302": _RELABEL,
    "CG303": _RELABEL,
    "CG309": _RELABEL,
    "CG301": _COMPLETE,
    "CG306": _COMPLETE,
    "CG307": _COMPLETE,
    "CG304": _WITHDRAW,
    "CG305": _WITHDRAW,
}
_OF_THE_RUN: Final = {"CG309": _LIST, "CG501": _SCOPE, "CG507": _OPEN}
"""What the same rules ask for where they are about no document, but about a run as a whole."""
_BY_FAMILY: Final = {"5": _SOURCE, "6": _OPERATE, "7": _EVIDENCE}


def duty(finding: Finding) -> Duty:
    """Return who should act on ``finding``, and what to do first."""
    if finding.cause in _BY_CAUSE:
        return _BY_CAUSE[finding.cause]
    if not finding.document and finding.rule in _OF_THE_RUN:
        return _OF_THE_RUN[finding.rule]
    return _BY_RULE.get(finding.rule) or _BY_FAMILY.get(finding.rule[2:3], _REWORD)
