"""Claims of workers and the evidence that they name; what a check says of them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corpusguard.gate.citing import Cited


class EvidenceKind(StrEnum):
    """What the words of a span are to the claim."""

    PRIMARY_QUOTE = "primary_quote"
    """The document itself says it."""
    REPORTED_SPEECH = "reported_speech"
    """The document says that someone said it."""
    INFERENCE = "inference"
    """The worker concludes it. Only this kind may rest on a whole document (an empty span)."""


class SpanStatus(StrEnum):
    """What ``check_span`` finds."""

    UNKNOWN_DOC = "unknown_doc"
    """Cites what nothing fetched in this run."""
    NOT_FOUND = "not_found"
    VERBATIM = "verbatim"


class Why(StrEnum):
    """Why a claim or a sentence is not grounded."""

    NO_EVIDENCE = "no_evidence"
    UNKNOWN_DOC = "unknown_doc"
    NOT_FOUND = "not_found"
    UNANCHORED = "unanchored"
    """A number or a quotation in it is in none of its spans."""
    CHARACTERS = "characters"
    """Bidi or other controls in it: it may be read as other than it is."""
    TOO_MUCH = "too_much"
    """Longer, or with more evidence, than is checked: see ``check``."""
    NO_JUDGE = "no_judge"
    """It summarises a whole document, and there is no judge to ask."""
    JUDGE_REFUSED = "judge_refused"
    JUDGE_ERROR = "judge_error"
    UNCITED = "uncited"
    UNKNOWN_CLAIM = "unknown_claim"
    DROPPED_CLAIM = "dropped_claim"


class Treatment(StrEnum):
    """How the answer may use a claim."""

    PLAIN = "plain"
    SINGLE_SOURCED = "single_sourced"
    """With the source named."""
    DROPPED = "dropped"


class ReportOutcome(StrEnum):
    """How a worker's search ended; both are good ends."""

    FOUND = "found"
    EMPTY = "empty"
    """Nothing in the corpus answers the question."""


class Outcome(StrEnum):
    """What becomes of the answer."""

    GROUNDED = "grounded"
    """Every sentence passes."""
    ALTERED = "altered"
    """Some sentences pass."""
    WITHHELD = "withheld"
    """None does, or there is none."""
    EMPTY = "empty"
    """Every worker found that the corpus has nothing: told as such, and no fault of anyone."""


class Retrieved(Protocol):
    """A passage as the service hands it over."""

    @property
    def id(self) -> str:
        """Native id."""

    @property
    def refusal(self) -> str | None:
        """Why it may not be relied on; empty or None: it verified and is young enough."""

    @property
    def detail(self) -> str:
        """The refusal, for a person."""

    @property
    def text(self) -> str:
        """The verified text."""

    @property
    def document(self) -> str:
        """Id of the law."""

    @property
    def title(self) -> str:
        """Of the law, as a reader knows it; may be empty."""

    @property
    def section(self) -> str:
        """Official locator."""

    @property
    def digest(self) -> str:
        """``sha256:…`` of the text that verified."""

    @property
    def run(self) -> int:
        """Last run that verified it."""


class VerifiedPassages(Protocol):
    """The verified corpus: the one way by which text enters a run."""

    def look_up(self, wanted: Mapping[str, str | None]) -> Mapping[str, Retrieved]:
        """Return what is known of each native id; the value None asks for the stored text."""


@dataclass(frozen=True, slots=True)
class Document:
    """One passage that was retrieved in this run."""

    doc_id: str
    """Minted by the cache."""
    passage: str
    document: str
    title: str
    section: str
    text: str
    digest: str
    run: int
    """The run of the verifier that vouches for it."""

    @property
    def name(self) -> str:
        """The source as a reader is told of it."""
        law = self.title or self.document
        return f"{law}, s. {self.section}" if self.section else law


@dataclass(frozen=True, slots=True)
class Refused:
    """A passage that was asked for and may not be relied on; nothing was minted."""

    passage: str
    reason: str
    detail: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a claim rests on."""

    kind: EvidenceKind
    doc_id: str
    span: str
    """Words of the document; empty: the whole of it, for an inference alone."""
    retrieved_at: str
    """When the cache fetched the document, as it said then."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim of a worker."""

    id: str
    """``c_n``, once in a run."""
    text: str
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """One question that the goal was cut into."""

    id: str
    required: bool = True


@dataclass(frozen=True, slots=True)
class Report:
    """What one worker brings home for one question."""

    worker: str
    question: str
    outcome: ReportOutcome
    claims: tuple[Claim, ...] = ()


@dataclass(frozen=True, slots=True)
class SpanCheck:
    """Where a span stands: code points into the text of its document, or -1."""

    status: SpanStatus
    start: int = -1
    end: int = -1


@dataclass(frozen=True, slots=True)
class Verification:
    """What the verification hook decides for a claim that stands alone.

    Evidence that it brings is checked like a worker's: a span that is not there drops the claim.
    """

    treatment: Treatment
    evidence: tuple[Evidence, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class ClaimCheck:
    """All that is known of a claim."""

    claim: Claim
    worker: str
    question: str
    spans: tuple[SpanCheck, ...]
    """One for each evidence."""
    why: Why | None
    """None: grounded."""
    documents: tuple[str, ...]
    """Distinct laws whose words say it, over all workers that claim the same."""
    cited: bool
    numeric: bool
    named: bool
    """About a named entity."""
    required: bool
    """Of a required question."""
    flagged: bool
    """Load-bearing, alone and within the budget: the hook was asked."""
    treatment: Treatment
    source: str
    """Named where it is single-sourced."""
    note: str = ""

    @property
    def load_bearing(self) -> bool:
        """Whether the answer leans on it."""
        return self.cited and self.required and (self.numeric or self.named)

    @property
    def alone(self) -> bool:
        """Whether fewer than two distinct documents say it."""
        return len(self.documents) < 2


@dataclass(frozen=True, slots=True)
class SentenceCheck:
    """What the same check says of a sentence of the answer."""

    sentence: Cited
    why: Why | None
    sources: tuple[str, ...]
    """To be named with it: those of its single-sourced claims."""


@dataclass(frozen=True, slots=True)
class Prior:
    """What a worker's reach says before any of its claims is looked at."""

    worker: str
    reached: int
    """Distinct documents that it retrieved."""
    thin: bool
    """Two or fewer, by a worker that claims something."""
    empty: int
    """Questions that it found the corpus has nothing for; they count for nothing else."""


@dataclass(frozen=True, slots=True)
class Grounding:
    """The claims and the answer of one run, checked."""

    outcome: Outcome
    claims: tuple[ClaimCheck, ...]
    sentences: tuple[SentenceCheck, ...]
    priors: tuple[Prior, ...]
    flagged: tuple[str, ...]
    """Claims that the hook was asked about, in that order."""
    over_budget: tuple[str, ...]
    """Load-bearing claims that stand alone and were not: they are single-sourced."""
    unanswered: tuple[str, ...]
    """Required questions that no report claims anything for."""
    text: str
    """What may be shown: the sentences that pass, single sources named."""
