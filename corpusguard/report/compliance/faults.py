"""Findings in groups that a person can read: by rule, worst first, then by section."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from corpusguard.report import summary
from corpusguard.report.compliance import content as said
from corpusguard.report.compliance.pages import rule_page
from corpusguard.report.compliance.roles import duty
from corpusguard.report.marks import sides
from corpusguard.report.summary import counts
from corpusguard.report.text import clip, safe
from corpusguard.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from corpusguard.model import Finding
    from corpusguard.report.compliance.facts import Facts

_TEXT: Final = 1_500
"""Code points of each text."""
_LINE: Final = 2_000
"""Code points of a message, id or place: none of ours is so long, but a corpus may hold any."""
_CAUSES: Final = {
    "source_amended": "the source was amended",
    "corpus_altered": "the stored text was altered after it had verified",
    "reader_changed": "this version reads the official bytes differently",
    "ingested_wrong": "it was stored wrong from the start",
    "unknown_no_baseline": "unknown: it never verified before",
}


def by_rule(
    findings: Iterable[Finding], facts: Facts, order: Mapping[str, int]
) -> tuple[said.RuleFaults, ...]:
    """Return the findings of one document, or of the run, in groups.

    Args:
        findings: Any.
        facts: For their states and ages.
        order: Section -> its place in the law; others come after, as they are found.
    """
    groups = []
    number = 0
    for rule, group in summary.by_rule(findings):
        sections: dict[str, list[said.Fault]] = {}
        for one in group:
            number += 1
            sections.setdefault(one.section, []).append(_fault(one, facts, number))
        page, tally = rule_page(rule), counts(group)
        placed = sorted(sections.items(), key=lambda item: order.get(item[0], len(order)))
        groups.append(
            said.RuleFaults(
                rule=rule,
                name=RULES[rule].name,
                summary=RULES[rule].summary,
                severity=str(group[0].severity),
                errors=tally["error"],
                warnings=tally["warning"],
                notes=tally["note"],
                meaning=page.meaning,
                why=page.why,
                steps=page.steps,
                sections=tuple(
                    said.SectionFaults(_short(section), tuple(faults)) for section, faults in placed
                ),
            )
        )
    return tuple(groups)


def _fault(one: Finding, facts: Facts, number: int) -> said.Fault:
    official, stored = sides(one.official, one.stored, one.diff, _TEXT)
    key = (one.document, one.fingerprint)
    what = duty(one)
    return said.Fault(
        number=number,
        severity=str(one.severity),
        section=_short(one.section),
        provision=_short(one.provision),
        passage=_short(one.passage),
        where=_short(one.where),
        message=_short(one.message),
        cause=_CAUSES.get(str(one.cause), ""),
        differences=tuple(str(each).replace("_", " ") for each in one.differences),
        state=facts.states.get(key, "new"),
        first_run=facts.first_runs.get(key, 0),
        who=what.who,
        what=what.what,
        official=official,
        stored=stored,
        fingerprint=_short(one.fingerprint),
    )


def _short(text: str) -> str:
    return clip(safe(text), _LINE)
