"""What each tool reports: clean corpora, planted faults, a real broken corpus, the sample."""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from benchmarks.documents import SAMPLE, broken_rows, sample_act, sample_rows
from benchmarks.rival import Rival
from corpusguard.measure.mutants import Shape, Sound, kinds, plant
from corpusguard.model import Channel, Severity, Status

if TYPE_CHECKING:
    from collections.abc import Iterable

    from benchmarks.documents import Document
    from corpusguard.model import DocumentResult, Finding

_WEIGHTY = (Severity.ERROR, Severity.WARNING)


def by_rule(result: DocumentResult) -> dict[str, int]:
    """Findings that are more than notes, counted by rule."""
    rules = Counter(f.rule for f in result.findings if f.severity in _WEIGHTY)
    return dict(sorted(rules.items()))


def rival_of(document: Document) -> Rival:
    title = document.spec.title
    return Rival(document.payload, document.spec.id, title)


def clean(document: Document) -> dict[str, Any]:
    """Each tool on its own sound corpus, and corpusguard on the passages that bearout stores."""
    rival = rival_of(document)
    ours = document.cold()
    theirs = rival.passages(with_label=True)
    # The label is declared, as strip_prefix would; a heading field of its own there is none.
    labels = {row.row: row.heading or "" for row in theirs}
    judged = document.check(
        [replace(row, heading=None) for row in theirs], recipe=False, prefixes=labels
    )
    return {
        "corpusguard": {
            "passages": ours.passages,
            "verified": ours.verified_passages,
            "findings": by_rule(ours),
        },
        "bearout": rival.verify().counts,
        "future_paragraphs_in_bearout_passages": _future_in(document, rival),
        "corpusguard_on_bearout_passages": {
            "passages": judged.passages,
            "verified": judged.verified_passages,
            "findings": by_rule(judged),
        },
    }


def _future_in(document: Document, rival: Rival) -> int:
    """Printed paragraphs that are not in force and stand whole in a passage of bearout."""
    reading = document.readings[0]
    blocks: dict[int, list[str]] = {}
    future: set[int] = set()
    for segment in reading.segments:
        blocks.setdefault(segment.block, []).append(reading.text[segment.start : segment.end])
        if segment.status is Status.NOT_IN_FORCE and segment.channel is Channel.BODY:
            future.add(segment.block)
    bodies = [" ".join(row.text.split()) for row in rival.passages(with_label=False)]
    return sum(any(" ".join(blocks[block]) in body for body in bodies) for block in future)


@dataclass
class Score:
    """How often the faults of one kind were seen."""

    planted: int = 0
    seen: int = 0
    placed: int = 0
    """Seen at the right section; for corpusguard under a right rule too."""


def mutants(document: Document, seeds: int) -> dict[str, dict[str, Score]]:
    """Faults of every kind, made the same way in each tool's own sound corpus.

    What a tool says of its sound corpus already is not counted as seen.
    """
    rival = rival_of(document)
    reading = document.readings[0]
    ours = Sound(document.passages, reading, Shape.LABELLED)
    theirs = Sound(rival.passages(with_label=False), reading, Shape.LABELLED)
    ours_before = Counter(map(_about, document.check(ours.passages, recipe=True).findings))
    theirs_before = rival.verify(rival.corpus_of(theirs.passages, by_id=False)).pairs
    table: dict[str, dict[str, Score]] = {}
    for kind in kinds():
        scores = {"corpusguard": Score(), "bearout": Score()}
        for seed in range(seeds):
            mutant = plant(kind, ours, random.Random(f"{kind} {seed}"))
            if mutant is not None:
                found = document.check(mutant.passages, recipe=True).findings
                new = [f for f in _new(found, ours_before) if f.severity in _WEIGHTY]
                _count(scores["corpusguard"], seen=bool(new), placed=bool(mutant.found_in(new)))
            mutant = plant(kind, theirs, random.Random(f"{kind} {seed}"))
            if mutant is not None:
                rows = mutant.passages
                if kind == "not_in_force_included":
                    rows = theirs.passages  # its sound corpus holds all such text already
                report = rival.verify(rival.corpus_of(rows, by_id=kind == "duplicate_id"))
                flagged = {section for _, section in report.pairs - theirs_before}
                placed = bool(flagged & mutant.sections) or (bool(flagged) and not mutant.sections)
                _count(scores["bearout"], seen=bool(flagged), placed=placed)
        if any(score.planted for score in scores.values()):
            table[kind] = scores
        print(f"  mutants: {kind}", file=sys.stderr)
    return table


def _about(finding: Finding) -> tuple[str, str, str]:
    return finding.rule, finding.section, finding.passage


def _new(findings: Iterable[Finding], before: Counter[tuple[str, str, str]]) -> list[Finding]:
    seen: Counter[tuple[str, str, str]] = Counter()
    new = []
    for finding in findings:
        about = _about(finding)
        seen[about] += 1
        if seen[about] > before[about]:
            new.append(finding)
    return new


def _count(score: Score, *, seen: bool, placed: bool) -> None:
    score.planted += 1
    score.seen += seen
    score.placed += placed


def broken(document: Document) -> dict[str, Any]:
    """The real broken corpus; for bearout the chunks of one label are joined into one text."""
    rows = broken_rows(document)
    result = document.check(rows, recipe=False)
    coverage = result.coverage
    rival = rival_of(document)
    return {
        "corpusguard": {
            "verified": f"{result.verified_passages} of {result.passages}",
            "findings": by_rule(result),
            "coverage": round(coverage.covered / coverage.words, 3) if coverage else None,
        },
        "bearout": rival.verify(rival.joined(rows)).counts,
    }


def sample() -> dict[str, Any]:
    """The bundled faulty corpus: which planted faults of the Act are seen, and named rightly.

    Its rows are subsections. bearout's format has one text per section, with a label: the rows of
    a section are joined for it, and what it flags on the clean rows is printed beside.
    """
    document = sample_act()
    plants = [
        one
        for one in json.loads((SAMPLE / "plants.json").read_text(encoding="utf-8"))
        if one["document"] == document.spec.id
    ]
    rival = rival_of(document)
    flagged = {}
    rules = {}
    seen: set[str] = set()
    for name in ("clean", "faulty"):
        rows = sample_rows(document, f"{name}.jsonl")
        joined = rival.joined(rows)
        flagged[name] = f"{len(rival.verify(joined).flagged)} sections, of {len(joined)} stored"
        result = document.check(rows, recipe=False)
        rules[name] = by_rule(result)
        seen = {
            one["kind"]
            for one in plants
            for finding in result.findings
            if finding.rule in one["rules"] and finding.section == one["section"]
        }
    return {
        "planted": len(plants),
        "seen_by_corpusguard": len(seen),
        "missed_by_corpusguard": sorted({one["kind"] for one in plants} - seen),
        "corpusguard": rules,
        "flagged_by_bearout": flagged,
    }
