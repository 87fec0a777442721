"""A selection trace: what entered an answer, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corpusguard.gate.citing import Cited


class DropReason(StrEnum):
    """Why a claim that entered is not in the answer."""

    REDUNDANT = "redundant"
    OFF_QUESTION = "off_question"
    WEAK_EVIDENCE = "weak_evidence"
    SPACE = "space"
    UNRESOLVED_CONFLICT = "unresolved_conflict"


class Relevance(StrEnum):
    """What a labeller who does not see the answer says of a claim."""

    MUST_INCLUDE = "must_include"
    USEFUL = "useful"
    IRRELEVANT = "irrelevant"


class Fault(StrEnum):
    """What can be wrong with a trace."""

    UNKNOWN_MARKER = "unknown_marker"
    """The answer cites a claim that did not enter."""
    MALFORMED_MARKER = "malformed_marker"
    UNACCOUNTED = "unaccounted"
    """Neither cited nor dropped."""
    CITED_AND_DROPPED = "cited_and_dropped"
    UNKNOWN_REASON = "unknown_reason"
    UNKNOWN_DROP = "unknown_drop"
    """Dropped, and never entered."""
    NO_ANSWER = "no_answer"
    BAD_REPLY = "bad_reply"
    """The answering side failed, or sent something that is no reply."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim that entered: its id ``c_n`` and its words."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What the answering side sends: the answer, and why each other claim is not in it."""

    answer: str
    dropped: Mapping[str, str]
    """Claim id -> reason, hostile."""


@dataclass(frozen=True, slots=True)
class Selection:
    """One run."""

    goal: str
    claims: tuple[Claim, ...]
    answer: str
    dropped: Mapping[str, str] = field(default_factory=dict)
    """Claim id -> reason, as it was given."""
    run: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault, and the claim id or marker that it is about."""

    fault: Fault
    what: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Checked:
    """What became of the claims of one run."""

    selection: Selection
    cited: tuple[str, ...]
    """Ids of claims that entered, by their first marker."""
    dropped: Mapping[str, DropReason]
    unaccounted: tuple[str, ...]
    problems: tuple[Problem, ...]
    sentences: tuple[Cited, ...]
    reprompt: str
    """What to send to the answering side; empty where nothing is wrong."""

    @property
    def whole(self) -> bool:
        """Whether at least one claim entered and each is cited or dropped for a reason."""
        return bool(self.selection.claims) and not self.problems

    @property
    def unattributed(self) -> tuple[Cited, ...]:
        """Sentences without a marker for a claim that entered: the attribution audit."""
        entered = {claim.id for claim in self.selection.claims}
        return tuple(one for one in self.sentences if not entered & set(one.claims))


@dataclass(frozen=True, slots=True)
class Settled:
    """The last check after re-prompting, and how many replies it took."""

    checked: Checked
    replies: int
    """1: nothing had to be asked again."""

    @property
    def exhausted(self) -> bool:
        """Whether the attempts ran out with something still wrong."""
        return not self.checked.whole
