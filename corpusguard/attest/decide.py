"""Whether what a run claims lets a corpus through: pure, and without a clock of its own."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from corpusguard.attest.claim import LAYERS
from corpusguard.attest.reasons import Reason, Refusal
from corpusguard.model import Severity, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from corpusguard.attest.claim import Claim, DocumentClaim, Held

SKEW_SECONDS: Final = 60
"""A time that lies further ahead than this is no age, but a wrong clock or a forged time."""


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
            f"run {claim.run} found it violated ({errors} error{'s' * (errors != 1)})",
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
            f"run {claim.run} finished at {claim.finished}, more than {_duration(most)} ago",
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


def _duration(seconds: int) -> str:
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
