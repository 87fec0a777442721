"""One document: every layer, in order, from readings and passages to a result.

1. read nothing: everything comes in as values (``Inputs``);
2. locate every passage in the official text;
3. L1 compares texts and works out causes; L3 compares labels, sections and words;
4. L2 compares the second reading with the passages and with the first, and other renditions;
5. a verdict per layer, and one of the document. No passage, no provision, no second reading where
   one was asked for: never a pass.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from corpusguard.layers import (
    coverage,
    currency,
    extraction,
    inventory,
    rebuild,
    renditions,
    settle,
)
from corpusguard.layers.context import Official, official
from corpusguard.layers.currency import Baseline, Causes, Judged, OlderReading
from corpusguard.layers.draft import draft, leaves_open, with_fingerprints, worst_first
from corpusguard.layers.linear import Linear, from_second
from corpusguard.layers.locate import Locator
from corpusguard.layers.sides import Sides
from corpusguard.layers.words import words_of
from corpusguard.model import (
    Channel,
    DocumentResult,
    Finding,
    PassageState,
    Severity,
    Verdict,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corpusguard.model import DocumentSpec, Passage, Reading

ALL_LAYERS: Final = ("L1", "L2", "L3")
_NOT_VERIFIED: Final = frozenset({"CG304", "CG305", "CG302", "CG309"})


@dataclass(frozen=True, slots=True)
class OtherRendition:
    """Another official rendition, read by the second reader."""

    name: str
    """``docx`` or ``pdf``."""
    digest: str
    reading: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Inputs:
    """All that is known of one document at the time of a run."""

    document: DocumentSpec
    corpus: str
    reading: Reading
    passages: Sequence[Passage]
    second: Mapping[str, Any] | None = None
    layers: tuple[str, ...] = ALL_LAYERS
    expected: tuple[Sequence[Passage], Sequence[Passage]] | None = None
    """For a rebuilding recipe: expected passages with and without the text template."""
    prefixes: Mapping[int, str] = field(default_factory=dict)
    """Row -> declared label (``strip_prefix`` filled in) that the row's text may begin with."""
    rows_by_id: Mapping[str, int] = field(default_factory=dict)
    """Native id -> number of rows with it in the whole store."""
    baseline: Baseline = field(default_factory=Baseline)
    older: Sequence[OlderReading] = ()
    """Earlier snapshots, newest first."""
    renditions: Sequence[OtherRendition] = ()
    extra: Sequence[Finding] = ()
    """Findings of the source (CG5xx) that came before any comparison."""
    evidence: tuple[str, ...] = ()


def provision_digests(reading: Reading) -> dict[str, str]:
    """Pid -> SHA-256 of status and own text, as history keeps them."""
    return {
        node.pid: hashlib.sha256(f"{node.status.value}\n{node.text}".encode()).hexdigest()
        for node in reading.provisions
    }


def text_digest(text: str) -> str:
    """``sha256:…`` of a stored text, untouched."""
    return "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Prepared:
    """What is the same for every corpus that is checked against one pair of readings."""

    today: Official
    second: Linear
    stretches: Sequence[extraction.Stretch]
    disagreements: Sequence[Finding]
    """What the two readers do not agree about."""


def prepare(document: DocumentSpec, reading: Reading, second: Mapping[str, Any] | None) -> Prepared:
    """Compare two readings with each other, once for any number of corpora."""
    today = official(document, reading)
    other = from_second(second or {"blocks": ()})
    stretches = extraction.align(today.linear, other)
    found = extraction.reader_findings(today, other, stretches) if second is not None else []
    return Prepared(today, other, stretches, found)


def check_document(inputs: Inputs, prepared: Prepared | None = None) -> DocumentResult:
    """Run the layers that were asked for.

    Args:
        inputs: what is known.
        prepared: what ``prepare`` made of the document and the readings of ``inputs``; made here
            when it is not given.
    """
    ready = prepared or prepare(inputs.document, inputs.reading, inputs.second)
    today = ready.today
    today.locate.forget_rows()
    digests = provision_digests(inputs.reading)
    changed = _changed_sections(today, inputs.baseline, digests)
    causes = Causes(inputs.document, today, inputs.older, inputs.baseline, changed)
    judged, expected = _locate_all(today, inputs)
    covered = coverage.Covered(today, judged)
    findings: list[Finding] = [*inputs.extra, *_anomalies(inputs)]
    labels = [inventory.label_findings(today, one) for one in judged]
    if "L1" in inputs.layers:
        for one in judged:
            findings += _l1(today, one, expected.get(one.located.passage.row), causes)
    rows_in_second: set[int] = set()
    if "L2" in inputs.layers and inputs.second is not None:
        found, rows_in_second = _l2(ready, inputs, judged)
        findings += found
    if "L3" in inputs.layers:
        for label in labels:
            findings += label
        findings += inventory.duplicate_findings(inputs.document.id, judged, inputs.rows_by_id)
        findings += _l3(today, inputs, judged, covered)
    findings = Sides(inputs.reading, judged).known(_without_repeats(findings))
    findings.sort(key=worst_first)
    verdicts = _verdicts(inputs, today, findings)
    states = _states(today, inputs, judged, findings, rows_in_second)
    return DocumentResult(
        id=inputs.document.id,
        verdict=_worst(verdicts, findings),
        layers=verdicts,
        findings=with_fingerprints(findings, inputs.corpus, inputs.evidence),
        provisions=len(today.sections),
        passages=len(inputs.passages),
        verified_passages=sum(state.verified for state in states),
        coverage=covered.totals() if "L3" in inputs.layers else None,
        states=states,
        provision_digests=digests,
        consolidated_from=inputs.reading.identity.consolidated_from,
    )


def _locate_all(
    today: Official, inputs: Inputs
) -> tuple[list[Judged], dict[int, rebuild.Expected]]:
    expectations = rebuild.Expectations(*inputs.expected) if inputs.expected else None
    expected: dict[int, rebuild.Expected] = {}
    located = []
    for passage in inputs.passages:
        stored = words_of(passage.text)
        prefix = words_of(inputs.prefixes.get(passage.row, ""))
        named = prefix and today.names_itself_rightly(passage)
        if named and stored[: len(prefix)] == prefix:
            stored = stored[len(prefix) :]
        if expectations is not None:
            one = expectations.take(passage)
            if one is not None:
                expected[passage.row] = one
            stored = rebuild.law_of(stored, one)
        located.append(today.locate.passage(passage, stored))
    settle.prove_cut_numbers(today.locate, located)
    settle.settle_repeats(today.locate, located)
    return [currency.judge(today, one) for one in located], expected


def _l1(
    today: Official, one: Judged, expected: rebuild.Expected | None, causes: Causes
) -> list[Finding]:
    digest = text_digest(one.located.passage.text)
    found = currency.text_findings(today, one, causes, digest)
    found += rebuild.rebuilt_findings(today, one, expected)
    heading = currency.heading_finding(today, one, expected.heading if expected else None)
    return [*found, heading] if heading else found


def _l2(ready: Prepared, inputs: Inputs, judged: list[Judged]) -> tuple[list[Finding], set[int]]:
    today = ready.today
    missing, rows = extraction.passage_findings(
        today, ready.second, ready.stretches, judged, with_l1="L1" in inputs.layers
    )
    found = [*ready.disagreements, *missing]
    for other in inputs.renditions:
        linear: Linear = from_second(other.reading)
        found += renditions.compare_renditions(today, linear, other.name)
    return found, rows


def _l3(
    today: Official, inputs: Inputs, judged: list[Judged], covered: coverage.Covered
) -> list[Finding]:
    found: list[Finding] = []
    if not inputs.passages:
        message = "no passage of this document is stored: all of it is missing"
        return [draft("CG301", inputs.document.id, message)]
    second = inputs.second
    if second is not None:
        found += inventory.inventories(today, second)
        missing = inventory.section_findings(today, second, judged, covered.by_section())
        found += missing
        whole = frozenset(finding.section for finding in missing)
    else:
        whole = frozenset()
    found += coverage.gap_findings(today, judged, covered, whole)
    found += inventory.order_findings(today, judged)
    return found


def _anomalies(inputs: Inputs) -> list[Finding]:
    return [
        draft(
            "CG508",
            inputs.document.id,
            f"{anomaly.kind.replace('_', ' ')}: {anomaly.message}",
            provision=anomaly.kept_with,
            official=anomaly.excerpt,
        )
        for anomaly in inputs.reading.anomalies
    ]


def _changed_sections(
    today: Official, baseline: Baseline, digests: Mapping[str, str]
) -> frozenset[str]:
    if not baseline.provisions:
        return frozenset()
    return frozenset(
        node.section
        for node in today.reading.provisions
        if baseline.provisions.get(node.pid) != digests[node.pid]
    )


def _without_repeats(findings: list[Finding]) -> list[Finding]:
    """One truncation is one finding, whether the recipe or the coverage saw it first."""
    seen: set[tuple[str, int]] = set()
    kept = []
    for finding in findings:
        key = (finding.rule, finding.row)
        if finding.rule == "CG307" and key in seen:
            continue
        seen.add(key)
        kept.append(finding)
    return kept


def _verdicts(inputs: Inputs, today: Official, findings: list[Finding]) -> dict[str, Verdict]:
    verdicts = {}
    for layer in inputs.layers:
        errors = any(
            f.severity is Severity.ERROR and f.layer is not None and f.layer.value == layer
            for f in findings
        )
        blind = (
            (layer != "L1" and inputs.second is None)
            or not today.sections
            or any(leaves_open(f) and f.layer == layer for f in findings)
        )
        if errors or not inputs.passages:
            verdicts[layer] = Verdict.VIOLATED
        elif blind:
            verdicts[layer] = Verdict.UNVERIFIABLE
        else:
            verdicts[layer] = Verdict.VERIFIED
    return verdicts


def _worst(verdicts: Mapping[str, Verdict], findings: list[Finding]) -> Verdict:
    values = list(verdicts.values())
    if Verdict.VIOLATED in values:
        return Verdict.VIOLATED
    source = any(f.layer is None and f.severity is Severity.ERROR for f in findings)
    if not values or source or Verdict.UNVERIFIABLE in values:
        return Verdict.UNVERIFIABLE
    return Verdict.VERIFIED


def _states(
    today: Official,
    inputs: Inputs,
    judged: list[Judged],
    findings: list[Finding],
    rows_in_second: set[int],
) -> tuple[PassageState, ...]:
    """A passage counts as verified only when every layer ran and none has an error about it."""
    bad = {f.row for f in findings if f.severity is Severity.ERROR and f.row >= 0}
    bad |= {f.row for f in findings if f.rule in _NOT_VERIFIED and f.row >= 0}
    clashing = {f.passage for f in findings if f.rule == "CG303" and f.severity is Severity.ERROR}
    complete = set(inputs.layers) == set(ALL_LAYERS) and inputs.second is not None
    states = []
    linear = today.linear
    for one in judged:
        located = one.located
        passage = located.passage
        verified = (
            complete
            and located.law_is_equal
            and passage.row not in bad
            and passage.row in rows_in_second
            and passage.id not in clashing
            and located.locator in (Locator.FOUND, Locator.UNMAPPED)
        )
        match = located.match
        runs = match.runs if match is not None and verified else ()
        states.append(
            PassageState(
                row=passage.row,
                id=passage.id,
                digest=text_digest(passage.text),
                verified=verified,
                section=one.section or (passage.section or ""),
                spans=_spans(linear, runs),
                skipped=_skipped(linear, runs),
            )
        )
    return tuple(states)


def _spans(linear: Linear, runs: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    spans: list[tuple[int, int]] = []
    for first, last in runs:
        start, end = linear.span(first, last)
        if spans and start == spans[-1][1] + 1:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    return tuple(spans)


def _skipped(linear: Linear, runs: Sequence[tuple[int, int]]) -> tuple[str, ...]:
    """Channels of the whole segments that lie between taken runs."""
    channels: dict[str, None] = {}
    for (_, end), (start, _) in pairwise(runs):
        position = end
        while position < start:
            segment = linear.seg_of[position]
            name = linear.channel[segment].value
            channels["not_in_force" if name == Channel.BODY.value else name] = None
            position = linear.seg_last[segment]
    return tuple(channels)
