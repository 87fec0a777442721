"""From history and a run's result to what is told and counted."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from corpusguard.history import FindingState
from corpusguard.model import Coverage, Layer, Severity, Verdict
from corpusguard.notify.metrics import Figures
from corpusguard.notify.night import FAILED, Night
from corpusguard.report.summary import RANK, all_findings, fraction, seconds_between, state_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from corpusguard.config import Config
    from corpusguard.history import FindingRecord, History
    from corpusguard.model import Finding, RunResult
    from corpusguard.notify.night import Told

MOST_FINDINGS: Final = 200_000
"""Open findings that are followed; a corpus with more is told of as one that is broken."""
FETCH_RULES: Final = frozenset(
    {"CG501", "CG502", "CG503", "CG504", "CG506", "CG507", "CG509", "CG511"}
)
_TOLD: Final = frozenset({Severity.ERROR, Severity.WARNING})


def now() -> str:
    """Return the time, UTC, ISO 8601, ``Z``."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def night_of(config: Config, history: History, result: RunResult, exit_code: int) -> Night:
    """Return what is known after a run."""
    listed = {document.id for source in config.sources for document in source.documents}
    looked_at = {document.id for document in result.documents}
    expected = {corpus.document for corpus in config.corpora if corpus.document} & listed
    measured = [document.coverage for document in result.documents if document.coverage]
    present = _present(config, history, result, listed)
    undecided = {one.id for one in result.documents if one.verdict is Verdict.UNVERIFIABLE}
    # An error that a run of everything would have seen or resolved, and this one did neither: it
    # is of a document, a corpus or a layer that it did not look at.
    elsewhere = any(
        one.severity is Severity.ERROR
        and one.document not in undecided
        and one.fingerprint not in result.states
        for one in present
    )
    return Night(
        run=result.run,
        verdict=str(result.verdict),
        at=result.finished,
        exit_code=exit_code,
        present=present,
        states=result.states,
        resolved=tuple(
            one.finding
            for one in _findings(history, "resolved", result.run)
            if one.finding.severity in _TOLD
        ),
        whole=not elsewhere and expected <= looked_at and set(result.layers) >= set(Layer),
        looked_at=frozenset(looked_at),
        doubtful=frozenset(undecided),
        documents=len(result.documents),
        passages=sum(document.passages for document in result.documents),
        verified_passages=sum(document.verified_passages for document in result.documents),
        coverage=_sum(measured) if measured else None,
        corpora=tuple(corpus.name for corpus in config.corpora),
    )


def since(night: Night, config: Config, history: History, told: Told | None) -> Night:
    """Return the night as seen by people who were told something before.

    A document that they were told is in doubt, and that this run did not look at, makes it a run
    of a part, unless the document has verified since or is no longer configured.
    """
    if told is None or night.verdict == FAILED:
        return night
    listed = {document.id for source in config.sources for document in source.documents}
    cleared = (told.doubtful - listed) | {
        document
        for document in told.doubtful
        for corpus in config.corpora
        if (good := history.last_good(document, corpus.name)) is not None and good.run > told.run
    }
    whole = night.whole and told.doubtful <= night.looked_at | cleared
    return replace(night, cleared=frozenset(cleared), whole=whole)


def failed_night(config: Config, exit_code: int, reason: str) -> Night:
    """Return what is known of a run that ended without a result."""
    return Night(
        run=0,
        verdict=FAILED,
        at=now(),
        exit_code=exit_code,
        reason=reason,
        corpora=tuple(corpus.name for corpus in config.corpora),
    )


def figures_of(config: Config, history: History, result: RunResult, exit_code: int) -> Figures:
    """Return the figures of a run, but for what telling people came to."""
    findings = all_findings(result)
    counts = Counter((str(one.severity), _layer(one), state_of(result, one)) for one in findings)
    counts.update(
        (str(one.finding.severity), _layer(one.finding), "resolved")
        for one in _findings(history, "resolved", result.run)
    )
    measured = [document.coverage for document in result.documents if document.coverage]
    covered = _sum(measured)
    pairs = _pairs(config, history, result)
    return Figures(
        last_run=unix_time(result.finished),
        exit_code=exit_code,
        duration=seconds_between(result.started, result.finished),
        last_success=_last_success(history, pairs),
        findings=counts,
        oldest_verified=_oldest(history, result, pairs),
        verified_passages=sum(document.verified_passages for document in result.documents),
        passages=sum(document.passages for document in result.documents),
        coverage_ratio=fraction(covered.covered, covered.words),
        fetch_errors=len({one.document for one in findings if one.rule in FETCH_RULES}),
    )


def _present(
    config: Config, history: History, result: RunResult, listed: set[str]
) -> tuple[Finding, ...]:
    """Return the errors and warnings that are known to be there, the worst first.

    What history holds of documents and corpora that are no longer configured can never be
    resolved, and what it holds of a run as a whole is true of that run alone.
    """
    names = {corpus.name for corpus in config.corpora}
    found = {
        one.finding.fingerprint: one.finding
        for state in ("new", "open", "regressed")
        for one in _findings(history, state, None)
        if one.corpus in names and one.finding.document in listed
    }
    found |= {one.fingerprint: one for one in result.findings}
    told = [one for one in found.values() if one.severity in _TOLD]
    return tuple(sorted(told, key=lambda one: (RANK[one.severity], one.rule, one.document)))


def _findings(history: History, state: str, run: int | None) -> list[FindingRecord]:
    return history.findings(run=run, state=FindingState(state), limit=MOST_FINDINGS)


def _pairs(config: Config, history: History, result: RunResult) -> dict[tuple[str, str], bool]:
    """Return (corpus, document) -> whether it is known that the corpus holds the document.

    A corpus whose rows name their documents may hold any that is listed.
    """
    listed = [document.id for source in config.sources for document in source.documents]
    names = {corpus.name for corpus in config.corpora}
    found = {
        (corpus.name, document): bool(corpus.document)
        for corpus in config.corpora
        for document in ([corpus.document] if corpus.document else listed)
    }
    reached = json.loads(history.record(result.run))["documents"]
    found |= {(one["corpus"], one["document"]): True for one in reached if one["corpus"] in names}
    return found


def _last_success(
    history: History, pairs: Mapping[tuple[str, str], bool]
) -> dict[tuple[str, str], float]:
    found = {}
    for (corpus, document), held in pairs.items():
        good = history.last_good(document, corpus)
        if good is not None:
            found[corpus, document] = unix_time(good.finished)
        elif held:
            found[corpus, document] = 0.0
    return found


def _oldest(
    history: History, result: RunResult, pairs: Mapping[tuple[str, str], bool]
) -> float | None:
    """Return when the passage that has waited longest was last verified.

    A run that judged a document by all layers has verified anew, or unmarked, each of its
    passages; only for the others history has to be asked passage by passage.
    """
    undecided = {
        document.id
        for document in result.documents
        if not set(document.layers) >= set(Layer)
        or Verdict.UNVERIFIABLE in {document.verdict, *document.layers.values()}
    }
    fresh = any(
        document.verified_passages for document in result.documents if document.id not in undecided
    )
    looked_at = {document.id for document in result.documents}
    moments = [unix_time(result.started)] if fresh else []
    for corpus, document in pairs:
        if document in undecided or document not in looked_at:
            passages = history.verified_passages(document, corpus).values()
            moments += [unix_time(passage.last) for passage in passages if passage.current]
    return min(moments, default=None)


def _sum(measured: Iterable[Coverage]) -> Coverage:
    found = list(measured)
    return Coverage(
        words=sum(one.words for one in found),
        covered=sum(one.covered for one in found),
        covered_any_label=sum(one.covered_any_label for one in found),
    )


def _layer(finding: Finding) -> str:
    return str(finding.layer) if finding.layer else "none"


def unix_time(moment: str) -> float:
    """Return a recorded time in seconds since 1970."""
    return datetime.fromisoformat(moment).timestamp()
