"""Where the loaded corpus stands by the runs of a history, or by one attested run.

By a history, the *newest* word on each document counts. A run that finished with all three layers
can let it through; any run that says otherwise, also of one layer only or one that died later,
takes that away. A run of fewer layers that found nothing changes nothing. Rows that a newer run saw
differently are changed rows, even if an older run verified them as they are now: the law may have
been amended in between. So is a document that a run saw and that is not loaded: what is left may
equal what an older run verified, but it is not what the newest saw. Only a later run of all layers
that looked at the whole store without finding the document has taken note that it is gone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from corpusguard.attest import (
    Claim,
    Reason,
    Refusal,
    corpus_root,
    gone,
    of_the_run,
    read_claim,
    stand,
    too_old,
)
from corpusguard.model import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corpusguard.attest import DocumentClaim, Held, Policy, Standing
    from corpusguard.history import History, SnapshotBytes

_VERIFY = "run `corpusguard verify`, or `corpusguard check-corpus --verify`"


@dataclass(frozen=True, slots=True)
class Judged:
    """What speaks against a corpus, as a whole and by document."""

    standings: tuple[Standing, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    """About the corpus as a whole."""
    claim: Claim | None = None
    """The run that verified exactly this root, or the attested one; its documents may be left
    out."""
    signers: tuple[str, ...] = ()
    """Ids of the keys that signed, for an attestation."""


def by_history(
    history: History, snapshots: SnapshotBytes, held: Sequence[Held], policy: Policy
) -> Judged:
    """Judge by the runs of a history, after checking its chain and the evidence relied on."""
    try:
        known = _Known(held)
        for record in history.records():
            known.look_back(read_claim(record))
            if known.settled:
                break
    except ValueError as error:
        return Judged(refusals=(_broken(str(error)),))
    standings = tuple(known.standings(policy))
    runs = {one.run for one in standings if one.run}
    if known.relied is not None:
        runs.add(known.relied.run)
    breaks = history.verify_relied(runs, snapshots)
    refusals = [
        _broken(f"{one.rule}, run {one.run}, {one.table}: {one.what}") for one in breaks[:1]
    ]
    refusals += known.refusals(standings, policy)
    return Judged(standings, tuple(refusals), known.relied or known.newest)


def by_claim(
    claim: Claim, signers: tuple[str, ...], held: Sequence[Held], policy: Policy
) -> Judged:
    """Judge by one run that was attested."""
    said = {one.held.pair: one for one in claim.documents}
    standings = tuple(stand(one, said.get(one.pair), claim, policy) for one in held)
    refusals = [*of_the_run(claim, policy), *gone(claim, held)]
    if not refusals and not _any(standings) and claim.root != corpus_root(held):
        # Every document is equal, so this cannot be; but what is promised is the root.
        refusals.append(
            Refusal(Reason.CORPUS_CHANGED, f"run {claim.run} attests {claim.root}", _VERIFY)
        )
    return Judged(standings, tuple(refusals), claim, signers)


class _Known:
    """What runs say of the documents that are loaded, newest run first, until all is settled."""

    def __init__(self, held: Sequence[Held]) -> None:
        self._held = {one.pair: one for one in held}
        self._root = corpus_root(held)
        self._last: dict[tuple[str, str], tuple[Claim, DocumentClaim]] = {}
        self._silent: dict[tuple[str, str], tuple[Claim, DocumentClaim]] = {}
        """By runs that can neither let a document through nor say something against it."""
        self._lost: dict[tuple[str, str], Refusal] = {}
        """Documents that are not loaded, by the newest run that saw them."""
        self._open = {one.corpus for one in held}
        """Loaded corpora of which no full run has yet said all that their store held."""
        self._runs = 0
        self.newest: Claim | None = None
        """The newest run that finished with all layers."""
        self.relied: Claim | None = None
        """The newest such run whose root is that of the loaded corpus."""

    @property
    def settled(self) -> bool:
        """Whether no older run can change anything."""
        return self.relied is not None and len(self._last) == len(self._held) and not self._open

    def look_back(self, claim: Claim) -> None:
        """Take in one run; newest first."""
        self._runs += 1
        self._miss(claim)
        if claim.full:
            self.newest = self.newest or claim
            if self.relied is None and claim.root == self._root:
                self.relied = claim
        short = replace(claim, documents=())
        for said in claim.documents:
            pair = said.held.pair
            if pair not in self._held or pair in self._last:
                continue
            heard = self._last if claim.full or self._speaks(said) else self._silent
            heard.setdefault(pair, (short, said))

    def _miss(self, claim: Claim) -> None:
        """Take in which documents a run saw that are not loaded."""
        for one in gone(claim, self._held.values()):
            # A corpus that is loaded no more at all was taken out of the configuration, and the
            # newest full run says what the configuration had.
            if one.corpus in self._open or self.newest is None:
                self._lost.setdefault((one.corpus, one.document), one)
        if claim.full:
            whole: dict[str, bool] = {}
            for said in claim.documents:
                corpus = said.held.corpus
                whole[corpus] = whole.get(corpus, True) and said.whole_store
            self._open -= {corpus for corpus, all_of_it in whole.items() if all_of_it}

    def _speaks(self, said: DocumentClaim) -> bool:
        """Whether a run that cannot let a document through says something against it."""
        verdicts = {said.verdict, *said.layers.values()}
        return verdicts != {Verdict.VERIFIED} or said.held != self._held[said.held.pair]

    def standings(self, policy: Policy) -> Iterator[Standing]:
        """Yield where each document stands."""
        nothing = self.newest or _NOTHING
        for pair, one in self._held.items():
            heard = self._last.get(pair) or self._silent.get(pair)
            claim, said = heard or (nothing, None)
            yield stand(one, said, claim, policy)

    def refusals(self, standings: Sequence[Standing], policy: Policy) -> Iterator[Refusal]:
        """Yield what speaks against the corpus as a whole."""
        yield from self._lost.values()
        if not self._runs:
            yield Refusal(Reason.NO_RUN, "no run has looked at this corpus yet", _VERIFY)
        elif self.relied is not None:
            yield from of_the_run(self.relied, policy)
            if not _any(standings):
                # Newer runs may have looked at the same rows and more, never at this corpus alone.
                for one in self._held.values():
                    yield from too_old(self.relied, policy, one)
        elif not self._lost and not _any(standings):
            yield Refusal(
                Reason.NO_SINGLE_RUN,
                "each document was verified, but no single run verified all of them",
                "run `corpusguard verify` over all documents; what is known is taken over",
            )


_NOTHING = Claim(
    run=0,
    head="",
    finished="",
    whole=False,
    verdict=None,
    layers=frozenset(),
    tool="",
    config="",
    documents=(),
    own_counts={},
    missing=(),
)
"""Stands for the run that has not been."""


def _any(standings: Sequence[Standing]) -> bool:
    return any(one.refusals for one in standings)


def _broken(what: str) -> Refusal:
    return Refusal(
        Reason.EVIDENCE_BROKEN,
        f"the evidence is not what was sealed: {what}",
        "`corpusguard history verify` names every break; restore history and snapshots from a copy",
    )
