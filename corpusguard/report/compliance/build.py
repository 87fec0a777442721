"""From the evidence of a run to what the report says of it."""

from __future__ import annotations

import re
import shlex
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from corpusguard import __version__
from corpusguard.model import Severity, Verdict
from corpusguard.report.compliance import content as said
from corpusguard.report.compliance import faults
from corpusguard.report.compliance.pages import measured, statements
from corpusguard.report.compliance.provenance import provenance, qualified, question
from corpusguard.report.compliance.roles import Duty, duty
from corpusguard.report.compliance.strips import strays, strip
from corpusguard.report.summary import by_rule, counts, plural
from corpusguard.report.text import clip, safe
from corpusguard.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corpusguard.model import Finding
    from corpusguard.report.compliance.facts import DocumentFacts, Facts

_QUESTIONS: Final = {
    "L1": "Has the source changed?",
    "L2": "Did we read it correctly?",
    "L3": "Is anything missing or invented?",
}
_NUMBER: Final = re.compile(r"([0-9]{1,9})")
_NAMED: Final = 12
"""Sections that an action names."""
_OWN: Final = 3
"""Errors of the run as a whole that the answer names."""
_LABEL: Final = 80
_TITLE: Final = 300
"""Code points of a section label in a list, and of a title: a corpus may claim any label."""


def build(facts: Facts) -> said.Content:
    """Return the content of the report of a run."""
    documents = tuple(_document(facts, one, n) for n, one in enumerate(facts.documents, 1))
    everything = [*facts.findings, *(f for one in facts.documents for f in one.result.findings)]
    tally = counts(everything)
    fixed = statements()
    return said.Content(
        schema=said.SCHEMA,
        made_by=f"corpusguard {__version__}",
        run=_run(facts),
        answer=_answer(facts, everything),
        problems=_problems(everything),
        actions=_actions(everything, documents),
        own=faults.by_rule(facts.findings, facts, {}),
        documents=documents,
        errors=tally["error"],
        warnings=tally["warning"],
        notes=tally["note"],
        trend=facts.past,
        earlier=facts.earlier,
        ignores=tuple(
            replace(one, reason=safe(one.reason), owner=safe(one.owner), section=safe(one.section))
            for one in facts.ignores
        ),
        publishers=tuple(
            replace(
                one,
                name=safe(one.name),
                source=safe(one.source),
                licence=safe(one.licence.strip(), multiline=True),
                acknowledgement=safe(one.acknowledgement.strip(), multiline=True),
            )
            for one in facts.publishers
        ),
        method=tuple(fixed["method"]),
        independence=tuple(fixed["independence"]),
        measured=tuple(
            said.Figure(one["topic"], one["says"], one["date"], one["command"])
            for one in measured()
        ),
        limits=tuple(fixed["limits"]),
        not_claimed=tuple(fixed["not_claimed"]),
        duties=tuple(
            said.Obligation(one["source"], one["asks"], one["here"]) for one in fixed["duty"]
        ),
        steps=_steps(facts),
    )


def _run(facts: Facts) -> said.RunFacts:
    return said.RunFacts(
        number=facts.run,
        state=facts.state,
        started=safe(facts.started),
        finished=safe(facts.finished),
        tool=safe(facts.tool),
        versions=tuple(map(safe, facts.versions)),
        layers=tuple(map(safe, facts.layers)),
        schedule=safe(facts.schedule),
        config_digest=safe(facts.config_digest),
        exit_code=-1 if facts.exit_code is None else facts.exit_code,
        head=safe(facts.head),
        missing=tuple((safe(corpus), safe(document)) for corpus, document in facts.missing),
    )


def _answer(facts: Facts, findings: list[Finding]) -> said.Answer:
    layers = " and ".join(facts.layers) if facts.layers else "no layer"
    alone = "" if set(_QUESTIONS) <= set(facts.layers) else f" Only {layers} ran."
    alone += qualified(facts)
    own = _of_the_run(facts)
    errors = counts(findings)["error"] - counts(facts.findings)["error"]
    hit = sum(any(f.severity is Severity.ERROR for f in d.result.findings) for d in facts.documents)
    scope = plural(len(facts.documents), "document")
    if facts.state != "finished":
        return said.Answer(
            "aborted",
            "No answer: the run was stopped before it ended.",
            f"It had looked at {scope}. Nothing in this report may be relied on as verified.",
        )
    if facts.verdict is Verdict.VERIFIED:
        passages = sum(one.result.passages for one in facts.documents)
        return said.Answer(
            "verified",
            "Yes: the stored corpus says what the official source said."
            if all(one.asked is not False for one in facts.documents)
            else "Yes, of the texts captured before: the source was not asked in this run.",
            f"All {plural(passages, 'stored passage')} of {scope} equal the official text as it"
            f" was captured, at the dates given for each document.{alone}",
        )
    verdicts = [one.result.verdict for one in facts.documents]
    good = verdicts.count(Verdict.VERIFIED)
    if facts.verdict is Verdict.VIOLATED:
        bad = verdicts.count(Verdict.VIOLATED)
        unknown = len(verdicts) - bad - good
        besides = f" {plural(unknown, 'document')} could not be verified." if unknown else ""
        return said.Answer(
            "violated",
            "No: the stored corpus does not say what the official source says."
            if bad == len(verdicts)
            else f"No: in {bad} of {scope} the stored corpus differs from the official source.",
            f"{plural(errors, 'error')} in {hit} of {scope}.{besides}{own}{alone} What is wrong,"
            " and who should act, is below.",
        )
    if not facts.documents:
        return said.Answer(
            "unverifiable",
            "Not proven: nothing was verified.",
            "No document was in scope, or none could be reached. That is never a pass."
            f"{own}{alone}",
        )
    if good == len(verdicts):
        return said.Answer(
            "unverifiable",
            "Not proven: there is more than the documents that were verified.",
            f"{scope} verified, but the run found what belongs to none of them.{own}{alone}",
        )
    return said.Answer(
        "unverifiable",
        "Not proven: at least one document could not be verified.",
        f"Of {scope}, {good} verified; what could not be reached or read is never counted as"
        f" right.{own}{alone}",
    )


def _of_the_run(facts: Facts) -> str:
    """The errors that belong to no document, as sentences; empty where there are none."""
    found = [one.message for one in facts.findings if one.severity is Severity.ERROR]
    more = len(found) - _OWN
    said_all = [f" {clip(safe(one), _TITLE)}." for one in found[:_OWN]]
    return "".join(said_all) + (
        f" And {plural(more, 'more error')} of that kind." if more > 0 else ""
    )


def _problems(findings: Iterable[Finding]) -> tuple[said.Problem, ...]:
    return tuple(
        said.Problem(
            rule=rule,
            name=RULES[rule].name,
            summary=_summary(rule, group),
            severity=str(group[0].severity),
            count=len(group),
            sections=len({(f.document, f.section) for f in group if f.section}),
        )
        for rule, group in by_rule(findings)
    )


def _summary(rule: str, group: list[Finding]) -> str:
    """What is wrong: of a run as a whole its own words, since a rule's are about a document."""
    if any(one.document for one in group):
        return RULES[rule].summary
    more = f", and {len(group) - 1:,} more" if len(group) > 1 else ""
    return f"{clip(safe(group[0].message), _TITLE)}{more}"


def _actions(
    findings: Iterable[Finding], documents: tuple[said.Document, ...]
) -> tuple[said.Action, ...]:
    titles = {one.id: one.title or one.id for one in documents}
    groups: dict[Duty, list[Finding]] = {}
    for one in findings:
        if one.severity is not Severity.NOTE:
            groups.setdefault(duty(one), []).append(one)
    made = []
    for what, group in groups.items():
        tally = counts(group)
        places: dict[str, dict[str, None]] = {}
        for one in group:
            if one.section:
                title = titles.get(safe(one.document), safe(one.document))
                places.setdefault(title, {})[safe(one.section)] = None
        made.append(
            said.Action(
                who=what.who,
                what=what.what,
                errors=tally["error"],
                warnings=tally["warning"],
                places=tuple(_place(*item) for item in sorted(places.items())),
            )
        )
    return tuple(sorted(made, key=lambda one: (-one.errors, -one.warnings, one.who, one.what)))


def _place(document: str, sections: Iterable[str]) -> said.Place:
    named = sorted(sections, key=_natural)
    return said.Place(
        document, tuple(clip(one, _LABEL) for one in named[:_NAMED]), max(len(named) - _NAMED, 0)
    )


def _natural(place: str) -> tuple[tuple[int, str], ...]:
    """Return a key that sorts ``9`` before ``36.1`` and that before ``Sched. 2``."""
    parts = _NUMBER.split(place)
    return tuple((int(part), "") if part.isdecimal() else (0, part) for part in parts)


def _document(facts: Facts, one: DocumentFacts, number: int) -> said.Document:
    result = one.result
    sections = strip(one.reading, result.states, result.findings) if one.reading else ()
    order = {section.section: place for place, section in enumerate(sections)}
    measured_ = result.coverage
    tally = counts(result.findings)
    return said.Document(
        number=number,
        id=safe(result.id),
        title=clip(safe(one.title), _TITLE),
        code=safe(one.code),
        language="fr" if result.id.endswith("@fr") else "en",
        corpus=safe(one.corpus),
        verdict=str(result.verdict),
        layers=tuple(
            said.LayerAnswer(
                name,
                question(one) if name == "L1" and one.asked is False else asks,
                str(result.layers.get(name, "")),
            )
            for name, asks in _QUESTIONS.items()
        ),
        url=safe(one.url),
        rendition=safe(one.rendition),
        snapshot=safe(result.snapshot),
        snapshots=tuple(map(safe, result.snapshots)),
        captured=safe(result.captured),
        provenance=provenance(one, facts.started),
        asked_source=one.asked,
        imported=one.imported,
        not_refetched=safe(result.not_refetched),
        reused_from=result.reused_from,
        consolidated_from=safe(result.consolidated_from),
        currency_date=safe(result.currency_date),
        corpus_digest=safe(result.corpus_digest),
        corpus_root=safe(one.corpus_root),
        provisions=result.provisions,
        passages=result.passages,
        verified_passages=result.verified_passages,
        words=measured_.words if measured_ else -1,
        covered=measured_.covered if measured_ else -1,
        covered_any_label=measured_.covered_any_label if measured_ else -1,
        sections=tuple(replace(each, section=safe(each.section)) for each in sections),
        unmeasured="" if one.reading else safe(one.unread or "the run did not keep the reading"),
        strays=tuple(map(safe, strays(sections, result.findings))) if sections else (),
        faults=faults.by_rule(result.findings, facts, order),
        errors=tally["error"],
        warnings=tally["warning"],
        notes=tally["note"],
    )


def _steps(facts: Facts) -> tuple[said.Step, ...]:
    if facts.alone:
        return (
            said.Step(
                "This page was written from a result at hand, not from evidence. The report that "
                "can be checked is made from history:",
                f"corpusguard report --run {facts.run}",
            ),
        )
    steps = [
        said.Step(
            "Compute the whole history again, with every official text it rests on, and see that "
            "this run's head is in its chain:",
            f"corpusguard history verify --head {safe(facts.head)}",
        ),
        said.Step(
            "Compare that head with the one that was kept elsewhere when the run ended: in a git "
            "tag, a timestamp token, a mail. Only this shows that history was not written anew.",
            "",
        ),
        said.Step(
            "Make this report again from the evidence and compare it byte for byte (--format for "
            "the other forms):",
            f"corpusguard report --run {facts.run} --check FILE",
        ),
    ]
    if facts.documents:
        document = shlex.quote(safe(facts.documents[0].result.id))
        steps.append(
            said.Step(
                "Prove that one passage stood in this run, to someone who has nothing of ours; "
                "docs/verify_proof.py checks the proof in forty lines:",
                f"corpusguard history prove --run {facts.run} --document {document} --passage ID"
                " > proof.json",
            )
        )
    return tuple(steps)
