"""The order of a check, and its bounds.

Triage, then the source of record, then two verifiers side by side, then the adjudicator; where the
verifiers disagree, the source is fetched again, a third verifier is asked, and the adjudicator gets
the third's verdict with the one that it agrees with. Nothing is asked more often than that.

The models give verdicts; whether they amount to a pass is decided here, by rules that no reply can
widen: a pass needs two verifiers that both say *supported* with enough accuracy, an adjudicator
that agrees, does not escalate and says the same with enough confidence, a source that is still what
it was, and every figure of the claim in it. Whatever falls short is not a pass.
"""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar

from corpusguard.gate.claims import replies
from corpusguard.gate.claims.costs import cost_of
from corpusguard.gate.claims.model import (
    MAX_CLAIM,
    Adjudication,
    ClaimResult,
    Outcome,
    Role,
    Source,
    Verdict,
    Verification,
)
from corpusguard.gate.claims.risk import residual_risk
from corpusguard.gate.claims.veto import missing_figures
from corpusguard.gate.judges.model import ModelError
from corpusguard.gate.judges.prompt import addresses_the_judge

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from corpusguard.config.gate import JudgeSpec
    from corpusguard.gate.claims.calls import Calls
    from corpusguard.gate.claims.model import SourcesOfRecord
    from corpusguard.gate.claims.trace import Trace

T = TypeVar("T")

MIN_ACCURACY: Final = 60
"""A verifier that is less sure than this of its own verdict does not carry a decision."""
MIN_CONFIDENCE: Final = 60
MAX_SOURCE: Final = 100_000
"""Code points; longer passages are not read with care."""
_BEGINNING: Final = 240
"""Code points of each source that resolution sees, beside its label."""


class _Ended(Exception):
    """The check is over before its last step."""

    def __init__(self, outcome: Outcome, reason: str) -> None:
        super().__init__(reason)
        self.outcome = outcome
        self.reason = reason


class ClaimCheck:
    """One check of one claim.

    Args:
        calls: the two tiers.
        sources: the verified corpus.
        tiers: cheap and expensive, for costs and for the names in a pass.
        trace: where it is written down.
    """

    def __init__(
        self,
        calls: Calls,
        sources: SourcesOfRecord,
        tiers: tuple[JudgeSpec, JudgeSpec],
        trace: Trace,
    ) -> None:
        self._calls = calls
        self._sources = sources
        self._tiers = tiers
        self._trace = trace
        self._source: Source | None = None
        self._verifications: list[Verification] = []
        self._adjudications: list[Adjudication] = []

    async def run(
        self, claim: str, context: str = "", *, source: str = "", triage: bool = True
    ) -> ClaimResult:
        """Check ``claim``.

        Args:
            claim: one statement.
            context: where it comes from; only triage sees it.
            source: id of the source of record, where the caller knows it; else it is resolved.
            triage: whether to ask first if the claim is worth a check.

        Raises:
            CorpusguardError: The corpus cannot be read, or the trace cannot be written.
        """
        try:
            await self._until_decided(claim, context, source, triage=triage)
        except _Ended as ended:
            outcome, reason = ended.outcome, ended.reason
        result = ClaimResult(
            claim=claim,
            outcome=outcome,
            reason=reason,
            source=self._source,
            verifications=tuple(self._verifications),
            adjudications=tuple(self._adjudications),
            residual_risk=(
                residual_risk(self._source, self._verifications, self._tiers)
                if outcome is Outcome.SUPPORTED and self._source
                else ()
            ),
            cost=cost_of(self._calls.spent, self._tiers),
            trace=str(self._trace.path),
        )
        # A pass that is not written down is not a pass: this raises where the disk is full.
        self._trace.add(
            {
                "event": "end",
                "outcome": str(outcome),
                "reason": reason,
                "residual_risk": list(result.residual_risk),
                "cost": asdict(result.cost),
            }
        )
        return result

    async def _until_decided(
        self, claim: str, context: str, source: str, *, triage: bool
    ) -> NoReturn:
        _check_text(claim, context)
        candidates = self._sources.candidates(claim)
        if not candidates and not source:
            raise _Ended(
                Outcome.NO_SOURCE_OF_RECORD,
                "no verified passage of the corpus bears on the claim; nothing was asked",
            )
        named = self._fetch(source) if source else None  # before anything is asked and paid for
        if triage:
            await self._triage(claim, context)
        self._source = named or self._fetch(await self._resolve(claim, candidates))
        first, second = await self._verify_twice(claim)
        if first.verdict is second.verdict:
            await self._adjudicate(claim, first, second)
        third = await self._verify_again(claim, first, second)
        agreeing = next((one for one in (first, second) if one.verdict is third.verdict), None)
        if agreeing is None:
            raise _Ended(Outcome.ESCALATED, "three verifiers gave three verdicts")
        await self._adjudicate(claim, agreeing, third)
        raise AssertionError("the adjudicator decides or escalates")

    async def _triage(self, claim: str, context: str) -> None:
        reply = await self._ask("cheap", Role.TRIAGE, {"claim": claim, "context": context})
        consequential, reason = _read(replies.triage, reply, "triage")
        if not consequential:
            raise _Ended(Outcome.NOT_CONSEQUENTIAL, f"nothing was verified; triage said: {reason}")

    async def _resolve(self, claim: str, candidates: Sequence[Source]) -> str:
        offered = [
            {"id": one.id, "label": one.label, "begins": one.text[:_BEGINNING]}
            for one in candidates
        ]
        for one in offered:
            if found := addresses_the_judge(f"{one['id']}\n{one['label']}\n{one['begins']}"):
                raise _Ended(
                    Outcome.ESCALATED, f"a source of the corpus speaks to a model: {found!r}"
                )
        inputs = {"claim": claim, "available_sources": offered}
        reply = await self._ask("cheap", Role.RESOLVE, inputs)
        ident, reason = _read(replies.resolution, reply, "resolution of the source")
        if ident is None:
            raise _Ended(
                Outcome.NO_SOURCE_OF_RECORD, f"the corpus has no source for the claim: {reason}"
            )
        if ident not in {one["id"] for one in offered}:
            raise _Ended(
                Outcome.NO_SOURCE_OF_RECORD,
                f"the source {ident[:120]!r} was made up: it is not among those of the corpus",
            )
        return ident

    def _fetch(self, ident: str) -> Source:
        found = self._sources.fetch(ident)
        if found is None:
            self._trace.add({"event": "fetch", "source": ident, "found": False})
            raise _Ended(
                Outcome.NO_SOURCE_OF_RECORD,
                f"{ident[:120]!r} is no passage of the corpus that is verified now",
            )
        self._trace.add(
            {
                "event": "fetch",
                "source": ident,
                "found": True,
                "digest": found.digest,
                "run": found.run,
                "verified": found.verified,
            }
        )
        if len(found.text) > MAX_SOURCE:
            raise _Ended(
                Outcome.ESCALATED,
                f"the source has {len(found.text)} characters, over the limit of {MAX_SOURCE}",
            )
        if said := addresses_the_judge(found.text):
            raise _Ended(Outcome.ESCALATED, f"the source speaks to a model: {said!r}")
        return found

    async def _verify_twice(self, claim: str) -> tuple[Verification, Verification]:
        both = await asyncio.gather(
            self._verify(claim), self._verify(claim), return_exceptions=True
        )
        for one in both:  # both were waited for, so that both are in the trace
            if isinstance(one, BaseException):
                raise one
        first, second = (one for one in both if isinstance(one, Verification))
        self._verifications += [first, second]
        return first, second

    async def _verify_again(
        self, claim: str, first: Verification, second: Verification
    ) -> Verification:
        before = self._need_source()
        after = self._fetch(before.id)
        if after.digest != before.digest:
            raise _Ended(
                Outcome.ESCALATED,
                f"the source changed during the check ({first.verdict}, {second.verdict})",
            )
        third = await self._verify(claim)
        self._verifications.append(third)
        return third

    async def _verify(self, claim: str) -> Verification:
        inputs = {"claim": claim, "source": self._need_source().text}
        reply = await self._ask("cheap", Role.VERIFY, inputs)
        return _read(replies.verification, reply, "a verifier")

    async def _adjudicate(self, claim: str, first: Verification, second: Verification) -> NoReturn:
        inputs = {"verdicts": [asdict(first), asdict(second)]}
        reply = await self._ask("expensive", Role.ADJUDICATE, inputs)
        said = _read(replies.adjudication, reply, "the adjudicator")
        self._adjudications.append(said)
        if objection := _objection(first, second, said):
            raise _Ended(Outcome.ESCALATED, objection)
        source = self._need_source()
        now = self._sources.fetch(source.id)
        if now is None or now.digest != source.digest:
            raise _Ended(Outcome.ESCALATED, "the source changed during the check")
        absent = missing_figures(claim, source)
        if said.verdict is Verdict.SUPPORTED and absent:
            raise _Ended(
                Outcome.ESCALATED,
                f"models say supported, but {source.id} does not have: {', '.join(absent)[:200]}",
            )
        reasons = {
            Verdict.SUPPORTED: f"two verifiers found the claim in {source.id}",
            Verdict.CONTRADICTED: f"{source.id} says otherwise: {first.reasoning}",
            Verdict.NOT_FOUND: f"{source.id} does not say it: {first.reasoning}",
        }
        raise _Ended(Outcome(said.verdict), reasons[said.verdict])

    async def _ask(self, tier: str, role: Role, inputs: dict[str, Any]) -> str:
        try:
            return await self._calls.ask(tier, role, inputs)
        except ModelError as error:
            raise _Ended(Outcome.ESCALATED, f"{role}: no usable reply: {error.message}") from error

    def _need_source(self) -> Source:
        if self._source is None:
            raise AssertionError("a verifier is asked after the source was fetched")
        return self._source


def _check_text(claim: str, context: str) -> None:
    if not claim.strip():
        raise _Ended(Outcome.ESCALATED, "the claim is empty")
    if max(len(claim), len(context)) > MAX_CLAIM:
        raise _Ended(Outcome.ESCALATED, f"claim or context exceeds {MAX_CLAIM} characters")
    for name, text in (("claim", claim), ("context", context)):
        if found := addresses_the_judge(text):
            raise _Ended(Outcome.ESCALATED, f"the {name} speaks to a model: {found!r}")


def _read(reader: Callable[[str], T], reply: str, who: str) -> T:
    try:
        return reader(reply)
    except replies.OffSchema as error:
        raise _Ended(Outcome.ESCALATED, f"{who}: off-schema: {error.message}") from error


def _objection(first: Verification, second: Verification, said: Adjudication) -> str:
    """Return why these replies are no decision, or nothing."""
    if said.escalate:
        return "the adjudicator asks for a person"
    if not said.agree:
        return "the adjudicator sees no agreement"
    if said.verdict is not first.verdict or said.verdict is not second.verdict:
        return f"the adjudicator says {said.verdict}, the verifiers {first.verdict}"
    if min(first.accuracy_estimate, second.accuracy_estimate) < MIN_ACCURACY:
        return f"a verifier is less than {MIN_ACCURACY} per cent sure"
    if said.confidence < MIN_CONFIDENCE:
        return f"the adjudicator is less than {MIN_CONFIDENCE} per cent sure"
    return ""
