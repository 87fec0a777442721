"""Whether what a run claims lets a corpus through: pure, and without a clock of its own.

Every reason has a code that never changes its meaning, and an exit code by the contract: 1 for
findings, 3 for what is not verified (any more, or yet), 4 for evidence that is not what it should
be.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from corpusguard.attest.claim import LAYERS
from corpusguard.model import Severity, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from corpusguard.attest.claim import Claim, DocumentClaim, Held

SKEW_SECONDS: Final = 60
"""A time that lies further ahead than this is no age, but a wrong clock or a forged time."""


class Reason(StrEnum):
    """Why a corpus is refused."""

    NOTHING_IN_SCOPE = "nothing_in_scope"
    NO_RUN = "no_run"
    UNLISTED_DOCUMENT = "unlisted_document"
    PARTIAL_SCOPE = "partial_scope"
    CORPUS_CHANGED = "corpus_changed"
    NO_SINGLE_RUN = "no_single_run"
    PASSAGES_UNKNOWN = "passages_unknown"
    MISSING_LAYERS = "missing_layers"
    VIOLATED = "violated"
    UNVERIFIABLE = "unverifiable"
    FINDINGS = "findings"
    TOO_OLD = "too_old"
    FROM_THE_FUTURE = "from_the_future"
    UNFINISHED_RUN = "unfinished_run"
    EVIDENCE_BROKEN = "evidence_broken"
    TOO_LARGE = "too_large"
    NOT_JSON = "not_json"
    DUPLICATE_KEY = "duplicate_key"
    MALFORMED_ENVELOPE = "malformed_envelope"
    BAD_BASE64 = "bad_base64"
    WRONG_PAYLOAD_TYPE = "wrong_payload_type"
    NO_SIGNATURE = "no_signature"
    UNKNOWN_SIGNER = "unknown_signer"
    BAD_SIGNATURE = "bad_signature"
    MALFORMED_STATEMENT = "malformed_statement"
    WRONG_STATEMENT_TYPE = "wrong_statement_type"
    WRONG_PREDICATE_TYPE = "wrong_predicate_type"
    NO_SUBJECT = "no_subject"
    SEVERAL_SUBJECTS = "several_subjects"
    INCONSISTENT = "inconsistent"
    OLDER_RUN = "older_run"
    OTHER_HISTORY = "other_history"


_WHOLE: Final = frozenset(
    {
        Reason.NO_RUN,
        Reason.OLDER_RUN,
        Reason.OTHER_HISTORY,
    }
)
"""What speaks against every document where it is said of the corpus as a whole."""
_FINDINGS: Final = frozenset({Reason.VIOLATED, Reason.FINDINGS})
_BROKEN: Final = frozenset(
    {
        Reason.EVIDENCE_BROKEN,
        Reason.TOO_LARGE,
        Reason.NOT_JSON,
        Reason.DUPLICATE_KEY,
        Reason.MALFORMED_ENVELOPE,
        Reason.BAD_BASE64,
        Reason.WRONG_PAYLOAD_TYPE,
        Reason.NO_SIGNATURE,
        Reason.UNKNOWN_SIGNER,
        Reason.BAD_SIGNATURE,
        Reason.MALFORMED_STATEMENT,
        Reason.WRONG_STATEMENT_TYPE,
        Reason.WRONG_PREDICATE_TYPE,
        Reason.NO_SUBJECT,
        Reason.SEVERAL_SUBJECTS,
        Reason.INCONSISTENT,
    }
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """One reason against a corpus, or against one document of it."""

    reason: Reason
    message: str
    hint: str = ""
    corpus: str = ""
    document: str = ""
    """Empty: the reason is about the corpus as a whole."""

    @property
    def exit_code(self) -> int:
        """What it comes to by the contract: 1, 3 or 4."""
        if self.reason in _BROKEN:
            return 4
        return 1 if self.reason in _FINDINGS else 3

    @property
    def blocks_all(self) -> bool:
        """Whether not even a document that stands well may pass."""
        return self.reason in _BROKEN or (self.reason in _WHOLE and not self.document)


class Refused(Exception):
    """An attestation that is refused before anything in it is believed."""

    def __init__(self, reason: Reason, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.refusal = Refusal(reason, message, hint)


def exit_code(refusals: Iterable[Refusal]) -> int:
    """Return the exit code of several reasons: 4 before 1 before 3; 0 where there is none."""
    found = {one.exit_code for one in refusals}
    return next((code for code in (4, 1, 3) if code in found), 0)


@dataclass(frozen=True, slots=True)
class Policy:
    """What is asked of a run."""

    now: datetime
    """Aware."""
    max_age: Mapping[str, int]
    """Corpus -> seconds since the end of the run."""
    fail_on: Severity = Severity.ERROR

    def age(self, claim: Claim) -> float:
        """Return the seconds since the run ended; infinite where that cannot be read."""
        try:
            ended = datetime.fromisoformat(claim.finished)
        except ValueError:
            return float("inf")
        if ended.tzinfo is None:
            return float("inf")
        return (self.now.astimezone(UTC) - ended).total_seconds()


@dataclass(frozen=True, slots=True)
class Standing:
    """What is known of one document that is loaded now."""

    held: Held
    run: int = 0
    """The run that last looked at it; 0: none has."""
    refusals: tuple[Refusal, ...] = ()
    claim: DocumentClaim | None = field(default=None, compare=False)


def stand(held: Held, said: DocumentClaim | None, claim: Claim, policy: Policy) -> Standing:
    """Return where a document stands by what one run says of it; None: it says nothing."""
    if said is None:
        refusal = _refuse(
            held,
            Reason.PARTIAL_SCOPE,
            f"run {claim.run} did not look at it",
            "run `corpusguard verify` over all documents",
        )
        return Standing(held, refusals=(refusal,))
    return Standing(held, claim.run, tuple(_against(held, said, claim, policy)), said)


def _against(held: Held, said: DocumentClaim, claim: Claim, policy: Policy) -> Iterable[Refusal]:
    if said.held != held:
        yield _refuse(held, Reason.CORPUS_CHANGED, _changed(held, said.held, claim.run), _AGAIN)
        return
    if not claim.whole:
        yield _refuse(held, Reason.UNFINISHED_RUN, f"run {claim.run} did not finish", _AGAIN)
    if not claim.layers >= LAYERS or not said.layers.keys() >= LAYERS:
        ran = ", ".join(sorted(claim.layers & said.layers.keys())) or "none"
        yield _refuse(
            held,
            Reason.MISSING_LAYERS,
            f"run {claim.run} ran {ran}; L1, L2 and L3 are needed",
            "run `corpusguard verify` without --layer",
        )
    verdicts = {said.verdict, *said.layers.values()}
    if Verdict.VIOLATED in verdicts:
        errors = said.counts[Severity.ERROR]
        yield _refuse(
            held,
            Reason.VIOLATED,
            f"run {claim.run} found it violated ({errors} errors)",
            f"`corpusguard findings list --run {claim.run}` shows what is wrong",
        )
    elif Verdict.UNVERIFIABLE in verdicts:
        yield _refuse(
            held,
            Reason.UNVERIFIABLE,
            f"run {claim.run} could not verify it",
            f"`corpusguard findings list --run {claim.run}` says why",
        )
    elif counted := _counted(said.counts, policy.fail_on):
        yield _refuse(
            held,
            Reason.FINDINGS,
            f"run {claim.run} has {counted} findings at or above {policy.fail_on}",
            f"`corpusguard findings list --run {claim.run}` shows them",
        )
    yield from too_old(claim, policy, held)


def too_old(claim: Claim, policy: Policy, held: Held) -> Iterable[Refusal]:
    """Yield whether a run is too old for a document, or ended in the future."""
    age, most = policy.age(claim), policy.max_age.get(held.corpus, 0)
    if age < -SKEW_SECONDS:
        yield _refuse(
            held,
            Reason.FROM_THE_FUTURE,
            f"run {claim.run} says that it finished at {claim.finished}, which is yet to come",
            "set the clocks of both machines; then verify again",
        )
    elif age > most:
        yield _refuse(
            held,
            Reason.TOO_OLD,
            f"run {claim.run} finished at {claim.finished}, more than {duration(most)} ago",
            _AGAIN,
        )


def of_the_run(claim: Claim, policy: Policy) -> Iterable[Refusal]:
    """Yield what a run says against all of its documents."""
    if claim.missing:
        yield Refusal(
            Reason.PARTIAL_SCOPE,
            f"run {claim.run} did not reach {len(claim.missing)} of its documents",
            _AGAIN,
        )
    if counted := _counted(claim.own_counts, policy.fail_on):
        # An error of the run itself is about what could not be looked at, never about a passage.
        error = claim.own_counts[Severity.ERROR] > 0
        yield Refusal(
            Reason.UNVERIFIABLE if error else Reason.FINDINGS,
            f"run {claim.run} has {counted} findings about the run as a whole",
            f"`corpusguard findings list --run {claim.run}` shows them",
        )
    if claim.verdict is not Verdict.VERIFIED and not any(
        one.verdict is not Verdict.VERIFIED for one in claim.documents
    ):
        yield Refusal(Reason.UNVERIFIABLE, f"run {claim.run} as a whole is {claim.verdict}", _AGAIN)


def gone(claim: Claim, held: Iterable[Held]) -> Iterable[Refusal]:
    """Yield the documents that a run looked at and that are not loaded now."""
    here = {one.pair for one in held}
    for said in claim.documents:
        if said.held.pair not in here:
            yield _refuse(
                said.held,
                Reason.CORPUS_CHANGED,
                f"run {claim.run} saw {said.held.rows} rows of it; none is loaded now",
                _AGAIN,
            )


def duration(seconds: int) -> str:
    """Return seconds as a person writes them: ``36h``, ``90m``, ``45s``."""
    for size, unit in ((3600, "h"), (60, "m")):
        if seconds and seconds % size == 0:
            return f"{seconds // size}{unit}"
    return f"{seconds}s"


_AGAIN: Final = "run `corpusguard verify`, or `corpusguard check-corpus --verify`"


def _refuse(held: Held, reason: Reason, message: str, hint: str) -> Refusal:
    return Refusal(reason, message, hint, held.corpus, held.document)


def _counted(counts: Mapping[Severity, int], fail_on: Severity) -> int:
    wanted = [Severity.ERROR]
    if fail_on is not Severity.ERROR:
        wanted.append(Severity.WARNING)
    return sum(counts[severity] for severity in wanted)


def _changed(now: Held, then: Held, run: int) -> str:
    if now.rows != then.rows:
        return f"{now.rows} rows are loaded, run {run} saw {then.rows}"
    return f"its {now.rows} rows, or their order, are not those that run {run} saw"
