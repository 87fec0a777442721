"""From the reports of workers and an answer to what may be said, and how."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from corpusguard.errors import ConfigError
from corpusguard.gate.citing import CLAIM_ID, cited_sentences
from corpusguard.gate.evidence.anchors import is_named, is_numeric, names
from corpusguard.gate.evidence.canonical import canonical
from corpusguard.gate.evidence.check import check_text
from corpusguard.gate.evidence.model import (
    ClaimCheck,
    EvidenceKind,
    Grounding,
    Outcome,
    Prior,
    ReportOutcome,
    SentenceCheck,
    SpanStatus,
    Treatment,
    Verification,
    Why,
)
from corpusguard.gate.evidence.wording import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from corpusguard.gate.citing import Cited
    from corpusguard.gate.evidence.cache import DocumentCache
    from corpusguard.gate.evidence.check import Judge
    from corpusguard.gate.evidence.model import Claim, Document, Evidence, Question, Report
    from corpusguard.gate.prose import Split

    Verify = Callable[[ClaimCheck, Sequence[Document]], Verification]
    """Looks further into a claim that stands alone; may fetch through the same cache."""

MAX_CLAIMS: Final = 10_000
MAX_ANSWER: Final = 2_000_000
THIN: Final = 2
"""Documents up to which a worker's reach is thin."""
_EARLY: Final = 2
"""Paragraphs whose numbers are verified first."""


def ground(  # noqa: PLR0913 - what a run consists of
    reports: Sequence[Report],
    answer: str,
    cache: DocumentCache,
    questions: Iterable[Question],
    *,
    budget: int = 5,
    verify: Verify | None = None,
    judge: Judge | None = None,
    split: Split | None = None,
) -> Grounding:
    """Check what workers claim and what the answer makes of it.

    Args:
        reports: One for each worker and question. An empty one counts against nobody.
        answer: With ``[c_n]`` markers; hostile, like every claim.
        cache: The documents of this run.
        questions: What the goal was cut into.
        budget: Load-bearing claims that ``verify`` is asked about.
        verify: Decides for them. None, or beyond the budget: single-sourced, source named.
        judge: Second layer, for claims that rest on a whole document.
        split: See :func:`corpusguard.gate.prose.sentences`.

    Raises:
        ConfigError: Reports contradict themselves or each other, or a bound is exceeded.
    """
    required = {question.id: question.required for question in questions}
    _refuse_unfit(reports, answer, required, budget)
    sentences = cited_sentences(answer, split)
    claims = _claims(reports, sentences, cache, required, judge)
    order = _to_verify(claims, sentences)
    for name in order[:budget]:
        claims[name] = _verified(claims[name], cache, verify)
    checked = tuple(_sentence(one, claims, cache, judge) for one in sentences)
    return Grounding(
        outcome=_outcome(reports, checked),
        claims=tuple(claims.values()),
        sentences=checked,
        priors=_priors(reports, cache),
        flagged=tuple(order[:budget]),
        over_budget=tuple(order[budget:]),
        unanswered=_unanswered(reports, required),
        text=shown(answer, checked),
    )


def _refuse_unfit(
    reports: Sequence[Report], answer: str, required: Mapping[str, bool], budget: int
) -> None:
    if budget < 0:
        raise ConfigError(f"the budget is {budget}", hint="Name 0 or more.")
    if len(answer) > MAX_ANSWER or sum(len(one.claims) for one in reports) > MAX_CLAIMS:
        raise ConfigError(
            f"over {MAX_ANSWER:,} characters or {MAX_CLAIMS:,} claims", hint="Check it in parts."
        )
    seen: set[str] = set()
    for report in reports:
        where = f"worker {report.worker[:80]!r}, question {report.question[:80]!r}"
        if report.question not in required:
            raise ConfigError(f"{where}: there is no such question", hint="Name it in questions.")
        if (report.outcome is ReportOutcome.FOUND) != bool(report.claims):
            raise ConfigError(
                f"{where}: the outcome is {report.outcome} with {len(report.claims)} claims",
                hint="A report without claims is empty, and an empty one has none.",
            )
        for claim in report.claims:
            if not CLAIM_ID.match(claim.id) or claim.id in seen:
                raise ConfigError(
                    f"{where}: claim id {claim.id[:40]!r}", hint="Ids are c_0, c_1, … and unique."
                )
            seen.add(claim.id)


def _claims(
    reports: Iterable[Report],
    sentences: Iterable[Cited],
    cache: DocumentCache,
    required: Mapping[str, bool],
    judge: Judge | None,
) -> dict[str, ClaimCheck]:
    """Check every claim by itself; corroborate those that say the same."""
    cited = {claim for sentence in sentences for claim in sentence.claims}
    known = names(document.text for document in cache.documents.values())
    found: dict[str, ClaimCheck] = {}
    for report in reports:
        for claim in report.claims:
            spans, why = check_text(claim.text, claim.evidence, cache, judge)
            found[claim.id] = ClaimCheck(
                claim=claim,
                worker=report.worker,
                question=report.question,
                spans=spans,
                why=why,
                documents=(),
                cited=claim.id in cited,
                numeric=is_numeric(claim.text),
                named=is_named(claim.text, known),
                required=required[report.question],
                flagged=False,
                treatment=Treatment.DROPPED if why else Treatment.PLAIN,
                source="",
            )
    says: dict[str, list[Evidence]] = {}
    for one in found.values():
        if one.why is None:
            says.setdefault(canonical(one.claim.text), []).extend(one.claim.evidence)
    for name, one in found.items():
        if one.why is None:
            evidence = says[canonical(one.claim.text)]
            found[name] = _weighed(replace(one, documents=corroboration(evidence, cache)), cache)
    return found


def corroboration(evidence: Iterable[Evidence], cache: DocumentCache) -> tuple[str, ...]:
    """Return the distinct laws whose words a claim has, sorted.

    Workers do not count, nor do inferences: only words that a document has. Two passages of one
    law are one source, and a text that was seen under another law already is a copy.
    """
    found: set[str] = set()
    seen: dict[str, str] = {}
    for one in sorted(evidence, key=lambda each: each.doc_id):
        if one.kind is EvidenceKind.INFERENCE:
            continue
        if cache.check(one).status is not SpanStatus.VERBATIM:
            continue
        document = cache.documents[one.doc_id]
        text = cache.folded(one.doc_id).text
        if seen.setdefault(text, document.document) == document.document:
            found.add(document.document)
    return tuple(sorted(found))


def _weighed(one: ClaimCheck, cache: DocumentCache) -> ClaimCheck:
    """A load-bearing claim that stands alone is single-sourced until the hook says otherwise."""
    if not (one.load_bearing and one.alone):
        return one
    return replace(one, treatment=Treatment.SINGLE_SOURCED, source=_source(one.claim, cache))


def _source(claim: Claim, cache: DocumentCache) -> str:
    named = dict.fromkeys(
        cache.documents[one.doc_id].name for one in claim.evidence if one.doc_id in cache.documents
    )
    return "; ".join(named)


def _to_verify(claims: Mapping[str, ClaimCheck], sentences: Sequence[Cited]) -> list[str]:
    """Return the load-bearing claims that stand alone, the most urgent first.

    Numbers in the first two paragraphs, then the rest, each in the order in which the answer cites
    them. Claims in the same words are asked about once each: each has evidence of its own.
    """
    first: dict[str, tuple[int, int]] = {}
    for sentence in sentences:
        for place, name in enumerate(sentence.claims):
            first.setdefault(name, (sentence.start, place))
    early = {
        name for sentence in sentences if sentence.paragraph < _EARLY for name in sentence.claims
    }
    alone = [
        name
        for name, one in claims.items()
        if one.treatment is Treatment.SINGLE_SOURCED and name in first
    ]

    def urgency(name: str) -> tuple[bool, tuple[int, int]]:
        return not (claims[name].numeric and name in early), first[name]

    return sorted(alone, key=urgency)


def _verified(one: ClaimCheck, cache: DocumentCache, verify: Verify | None) -> ClaimCheck:
    """Let the hook decide; what it raises, or sends that is no decision, drops the claim."""
    if verify is None:
        return replace(one, flagged=True, note="no verification hook")
    documents = [
        cache.documents[evidence.doc_id]
        for evidence in one.claim.evidence
        if evidence.doc_id in cache.documents
    ]
    try:
        found: object = verify(one, documents)
    except Exception as error:  # noqa: BLE001 - the caller's code and a model behind it
        return _dropped(one, f"the hook failed: {type(error).__name__}")
    if not isinstance(found, Verification) or not isinstance(found.treatment, Treatment):
        return _dropped(one, f"the hook replied with {type(found).__name__}, not a decision")
    if found.treatment is Treatment.DROPPED:
        return _dropped(one, found.note)
    if any(cache.check(each).status is not SpanStatus.VERBATIM for each in found.evidence):
        return _dropped(one, "the hook cites what is not there")
    documents_now = corroboration([*one.claim.evidence, *found.evidence], cache)
    return replace(
        one,
        flagged=True,
        treatment=found.treatment,
        source="" if found.treatment is Treatment.PLAIN else one.source,
        documents=tuple(sorted({*one.documents, *documents_now})),
        note=found.note,
    )


def _dropped(one: ClaimCheck, note: str) -> ClaimCheck:
    return replace(one, flagged=True, treatment=Treatment.DROPPED, source="", note=note)


def _sentence(
    sentence: Cited,
    claims: Mapping[str, ClaimCheck],
    cache: DocumentCache,
    judge: Judge | None,
) -> SentenceCheck:
    """Give a sentence the check that its claims had, on the evidence of all that it cites."""
    if not sentence.claims:
        return SentenceCheck(sentence, Why.UNCITED, ())
    if any(name not in claims for name in sentence.claims):
        return SentenceCheck(sentence, Why.UNKNOWN_CLAIM, ())
    cited = [claims[name] for name in sentence.claims]
    if any(one.treatment is Treatment.DROPPED for one in cited):
        return SentenceCheck(sentence, Why.DROPPED_CLAIM, ())
    evidence = [each for one in cited for each in one.claim.evidence]
    _, why = check_text(sentence.text, evidence, cache, judge)
    return SentenceCheck(
        sentence, why, tuple(dict.fromkeys(one.source for one in cited if one.source))
    )


def _outcome(reports: Sequence[Report], sentences: Sequence[SentenceCheck]) -> Outcome:
    if reports and all(report.outcome is ReportOutcome.EMPTY for report in reports):
        return Outcome.EMPTY
    passing = sum(one.why is None for one in sentences)
    if not passing:
        return Outcome.WITHHELD
    return Outcome.GROUNDED if passing == len(sentences) else Outcome.ALTERED


def _priors(reports: Sequence[Report], cache: DocumentCache) -> tuple[Prior, ...]:
    workers = dict.fromkeys([*(report.worker for report in reports), *cache.reach])
    claiming = {report.worker for report in reports if report.claims}
    empty = Counter(report.worker for report in reports if report.outcome is ReportOutcome.EMPTY)
    return tuple(
        Prior(
            worker,
            reached := cache.reach.get(worker, 0),
            thin=worker in claiming and reached <= THIN,
            empty=empty[worker],
        )
        for worker in workers
    )


def _unanswered(reports: Iterable[Report], required: Mapping[str, bool]) -> tuple[str, ...]:
    answered = {report.question for report in reports if report.claims}
    return tuple(name for name, needed in required.items() if needed and name not in answered)
