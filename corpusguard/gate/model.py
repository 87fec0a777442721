"""The words of the sentence gate, as frozen dataclasses and enums.

Offsets are code points, spans half open. Of a sentence they are into the answer in Unicode's
composed form (NFC); of a passage, into ``Evidence.text`` in that form.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corpusguard.gate.derogations import Derogation


class Door(StrEnum):
    """The one door by which a sentence leaves; the first two ship."""

    QUOTED = "quoted"
    """The law's own words, whole, of a passage that verified."""
    JUDGED = "judged"
    """Not the law's words, but no check objects, and it is judged to say what the passage says: by
    the table of equivalent words, or by a judge."""
    UNSUPPORTED = "unsupported"
    UNCITED = "uncited"
    ERROR = "error"
    """It could not be checked."""


SHIPS = frozenset({Door.QUOTED, Door.JUDGED})


class Reason(StrEnum):
    """Why a sentence left by its door, or an answer was withheld."""

    CLAUSE_COMPLETE = "clause_complete"
    EQUIVALENT = "equivalent"
    """A whole clause, in words that stand for the law's in a closed table: "must" for "shall"."""
    JUDGE_SUPPORTED = "judge_supported"

    NO_CITATION = "no_citation"
    UNKNOWN_PASSAGE = "unknown_passage"
    """No passage of a configured corpus has the id."""

    NEVER_VERIFIED = "never_verified"
    VIOLATED = "violated"
    """The last run found the passage wrong."""
    AMENDED = "amended"
    """CG106: the official text changed since the passage last verified."""
    ALTERED = "altered"
    """CG107: the stored text changed since the passage last verified."""
    GONE = "gone"
    TOO_OLD = "too_old"
    TEXT_DIFFERS = "text_differs"
    """The text presented is not the text that verified."""
    AMBIGUOUS_ID = "ambiguous_id"

    CHARACTERS = "characters"
    """Digits or letters of other scripts that look like ours, invisible or bidi characters."""
    NUMBER = "number"
    DATE = "date"
    MONEY = "money"
    PERCENTAGE = "percentage"
    REFERENCE = "reference"
    COMPARATOR = "comparator"
    ACTOR = "actor"
    NEGATION = "negation"
    MODAL = "modal"
    CONDITION_ADDED = "condition_added"
    CONDITION_DROPPED = "condition_dropped"
    UNRELATED = "unrelated"
    INSTRUCTION = "instruction"
    """Sentence or passage speaks to the judge."""

    TRUNCATED = "truncated"
    """The law's own words, but not all of the clause that they belong to."""
    WRONG_SECTION = "wrong_section"
    LIMITED_ELSEWHERE = "limited_elsewhere"
    """Another subsection of the passage says that this one does not apply, or applies despite."""
    NOT_QUOTED = "not_quoted"
    JUDGE_NOT_SUPPORTED = "judge_not_supported"
    JUDGE_ERROR = "judge_error"
    TOO_LONG = "too_long"

    EMPTY_ANSWER = "empty_answer"
    NO_SENTENCE = "no_sentence"
    NO_SOURCE = "no_source"
    KEEP_RATIO = "keep_ratio"
    """Too little of the answer is left."""
    LOST_CONDITION = "lost_condition"
    """A removed sentence carried a condition or exception."""
    DANGLING = "dangling"
    """A kept sentence refers to a removed one."""


class Outcome(StrEnum):
    """What becomes of an answer."""

    SHIPPED = "shipped"
    """Every sentence was kept."""
    ALTERED = "altered"
    """Some were removed; what is left may stand alone."""
    WITHHELD = "withheld"


@dataclass(frozen=True, slots=True)
class Citation:
    """A passage that the caller says the answer rests on."""

    id: str
    """Native id of the passage."""
    text: str | None = None
    """What was shown to the model; None: the stored text is read."""
    marker: str = ""
    """What stands in brackets in the answer; empty: the id itself."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What history says of a cited passage."""

    id: str
    refusal: Reason | None
    """None: it verified, is young enough, and ``text`` is what verified."""
    detail: str = ""
    """For a person: why it was refused."""
    text: str = ""
    """What may be quoted: the stored text, or, of a passage that is not built by section or
    subsection, the whole provisions that it holds, as printed. Empty where refused."""
    around: tuple[tuple[str, str, str], ...] = ()
    """(section, subsection, words) of each subsection of the sections that its words are in: they
    may take from what it says, also where it does not hold them. Empty: not known, or none."""
    elsewhere: tuple[Derogation, ...] = ()
    """What other sections of its law take from these sections."""
    document: str = ""
    title: str = ""
    corpus: str = ""
    section: str = ""
    """Official locator under which its words were found."""
    starts: bool = True
    """Whether the text begins where a provision of the official text begins."""
    ends: bool = True
    """Whether it ends where one ends."""
    digest: str = ""
    """``sha256:…`` of the text that verified."""
    run: int = 0
    """Last run that verified it, or that looked at it."""
    verified: str = ""
    """When, UTC."""
    age_seconds: int = -1
    """Since then, when the answer was checked; -1: never verified."""
    corpus_root: str = ""
    """Root over all passages of the document in that run; the chain of history seals it."""
    corpus_digest: str = ""
    snapshot: str = ""
    consolidated_from: str = ""
    currency_date: str = ""


@dataclass(frozen=True, slots=True)
class Span:
    """Where in a passage the words of a sentence stand."""

    passage: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence or list item of an answer."""

    text: str
    """Without its citation markers and without a bullet; white space as given."""
    start: int
    end: int
    """The slice of the answer, markers included."""
    markers: tuple[str, ...] = ()
    """What its brackets hold, in order."""


@dataclass(frozen=True, slots=True)
class SentenceDecision:
    """What the gate says of one sentence."""

    text: str
    start: int
    end: int
    door: Door
    reason: Reason
    detail: str = ""
    citations: tuple[str, ...] = ()
    """Ids of the passages that it cites."""
    spans: tuple[Span, ...] = ()
    """Of a quotation or an equivalent; empty for what a judge let through."""
    reply: str = ""
    """``sha256:…`` of the judge's raw reply; empty: it was not asked, or no text came back."""

    @property
    def ships(self) -> bool:
        """Whether it is kept."""
        return self.door in SHIPS


@dataclass(frozen=True, slots=True)
class Decision:
    """What the gate says of an answer."""

    outcome: Outcome
    reason: Reason | None
    """Why it was withheld."""
    detail: str
    sentences: tuple[SentenceDecision, ...]
    evidence: tuple[Evidence, ...]
    """Every passage that was cited, in order."""
    answer_digest: str
    """``sha256:…`` of the answer as UTF-8 (lone surrogates escaped)."""
    keep_ratio: float
    """Share of the sentences that were kept; 0 where there is none."""
    text: str = ""
    """What may be shown: kept sentences in their order. Empty where withheld; in shadow mode the
    answer as given."""
    judge: str = ""
    shadow: bool = False
    checked: str = ""
    """When, UTC."""
    number: int = 0
    """In history; 0: not stored."""

    @property
    def ships(self) -> bool:
        """Whether every sentence was kept."""
        return self.outcome is Outcome.SHIPPED

    @property
    def unchecked(self) -> bool:
        """Whether it was not refused, but could not be checked.

        Where a sentence was refused as well, it was refused: that is known, whatever is not.
        """
        if self.reason is Reason.TOO_LONG:
            return True
        removed = self.removed
        return bool(removed) and all(
            one.door is Door.ERROR or one.reason is Reason.TOO_OLD for one in removed
        )

    @property
    def removed(self) -> tuple[SentenceDecision, ...]:
        """The sentences that do not ship."""
        return tuple(one for one in self.sentences if one.door not in SHIPS)


@dataclass(frozen=True, slots=True)
class Rules:
    """Bounds of a check."""

    keep_ratio: float = 0.5
    longest_answer: int = 200_000
    """Code points."""
    longest_sentence: int = 8_000
    """Code points; the longest subsection of a statute has about that."""
    longest_passage: int = 200_000
    """Code points; a passage is read as an outline, which takes time."""
    most_sentences: int = 1_000
    most_citations: int = 200
    judge_seconds: float = 60.0
    equivalents: bool = False
    """Whether a whole clause in equivalent words ships, too; else only the law's own."""


@dataclass(frozen=True, slots=True)
class Objection:
    """A veto: what in the sentence is not in the passage, or the other way round."""

    reason: Reason
    detail: str
    passage: str = field(default="")
