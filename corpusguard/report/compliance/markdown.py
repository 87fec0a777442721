"""The report as Markdown: for a repository, a ticket or a reader of plain text."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

from corpusguard.report.compliance.page import SIGNS
from corpusguard.report.compliance.strips import COVER_SIGNS
from corpusguard.report.markdown import fenced, one_line
from corpusguard.report.summary import percent, plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from corpusguard.report.compliance.content import Content, Document, Fault, Place, RuleFaults
    from corpusguard.report.compliance.pages import Line
    from corpusguard.report.marks import Piece

_TEXT: Final = 20_000
"""More than any text of a report: nothing is cut twice."""


def render_markdown(content: Content) -> str:
    """Return the report as Markdown that acts on nothing: foreign text is escaped or fenced."""
    parts: list[list[str]] = [
        [
            f"# Corpus integrity report, run {content.run.number}",
            f"**{SIGNS[content.answer.verdict]} {content.answer.verdict}. {content.answer.short}**",
            content.answer.long,
        ],
        _checked(content),
        _wrong(content),
        _rules(content.own),
    ]
    parts += [_document(one) for one in content.documents]
    parts.append(_closing(content))
    return "\n\n".join(chain.from_iterable(parts)) + "\n"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _items(items: Iterable[str]) -> str:
    return "\n".join(f"- {item}" for item in items)


def _checked(content: Content) -> list[str]:
    rows = [
        [
            f"{one_line(one.title or one.id)} ({one_line(one.corpus) or 'corpus'})",
            f"{SIGNS[one.verdict]} {one.verdict}",
            one_line(one.currency_date) or "not known",
            one_line(one.consolidated_from) or "not said",
            f"{one.verified_passages:,} of {one.passages:,}",
            percent(one.covered, one.words),
            f"{one.errors:,}",
        ]
        for one in content.documents
    ]
    heads = "Law|Answer|Currency date|Consolidation from|Passages verified|Law covered|Errors"
    finished = one_line(content.run.finished)
    ended = f"to {finished}" if finished else "until it was stopped"
    when = f"Run {content.run.number}, from {one_line(content.run.started)} {ended}."
    return [
        "## What was checked, against what, and when",
        when,
        _table(heads.split("|"), rows) if rows else "No document was looked at: never a pass.",
        *(
            [_items(f"{one_line(one.title or one.id)}: {one_line(one.provenance)}" for one in told)]
            if (told := [one for one in content.documents if one.provenance])
            else []
        ),
        *(
            f"Not reached: {one_line(document)} of {one_line(corpus)}."
            for corpus, document in content.run.missing
        ),
    ]


def _wrong(content: Content) -> list[str]:
    if not content.problems:
        return []
    problems = [
        [one.rule, one.summary, one.severity, f"{one.count:,}", f"{one.sections:,}"]
        for one in content.problems
    ]
    actions = [
        [
            one.who,
            one.what,
            f"{one.errors:,}",
            f"{one.warnings:,}",
            "; ".join(_place(each, several=len(content.documents) > 1) for each in one.places),
        ]
        for one in content.actions
    ]
    return [
        "## What is wrong",
        _table(["Rule", "What", "How bad", "Found", "Sections"], problems),
        "## Who should act",
        _table(["Who", "What to do first", "Errors", "Warnings", "Sections"], actions),
    ]


def _place(place: Place, *, several: bool) -> str:
    title = f"{one_line(place.document)}: " if several else ""
    more = f" and {place.more:,} more" if place.more else ""
    return title + ", ".join(map(one_line, place.sections)) + more


def _document(one: Document) -> list[str]:
    layers = [
        [layer.name, layer.question, f"{SIGNS[layer.verdict]} {layer.verdict or 'not run'}"]
        for layer in one.layers
    ]
    facts = {
        "Document": one.id,
        "Corpus": one.corpus,
        "Consolidation from": one.consolidated_from,
        "Currency date": one.currency_date,
        "Captured": one.captured,
        "Of this run": one.provenance,
        "Source": one.url,
        "Snapshot": one.snapshot,
        "Root of the passages": one.corpus_root,
    }
    covered = (
        f"{one.verified_passages:,} of {plural(one.passages, 'passage')} verified;"
        f" {percent(one.covered, one.words)} of the law covered under its right section,"
        f" {percent(one.covered_any_label, one.words)} under any label."
    )
    lines = [
        f"## {one_line(one.title or one.id)}",
        _items(f"{name}: {one_line(value)}" for name, value in facts.items() if value),
        covered,
        _table(["Layer", "Question", "Answer"], layers),
        "### Coverage by section",
    ]
    if one.unmeasured:
        lines.append(f"Not shown: {one_line(one.unmeasured)}.")
    else:
        rows = [
            [
                one_line(each.section) or "outside sections",
                f"{COVER_SIGNS[each.cover]} {each.cover}",
                f"{each.verified:,} of {each.words:,}",
                f"{each.errors:,}",
            ]
            for each in one.sections
        ]
        lines.append(_table(["Section", "Verified", "Words of law in force", "Errors"], rows))
    if one.strays:
        lines.append(f"Labels that the law does not have: {', '.join(map(one_line, one.strays))}.")
    lines.append("### Findings")
    return [*lines, *(_rules(one.faults) or ["None."])]


def _rules(groups: Iterable[RuleFaults]) -> list[str]:
    lines: list[str] = []
    for group in groups:
        number = sum(len(section.faults) for section in group.sections)
        lines += [
            f"#### {group.rule} {one_line(group.name)}: {plural(number, 'finding')}",
            group.summary,
            _words(group.why),
            _items(_words(step) for step in group.steps),
        ]
        for section in group.sections:
            for one in section.faults:
                lines += _fault(one)
    return lines


def _fault(one: Fault) -> list[str]:
    place = f"s. {one_line(one.section)}" if one.section else "no section"
    passage = f", passage {one_line(one.passage)}" if one.passage else ""
    first = f", first seen by run {one.first_run}" if one.first_run else ""
    cause = f" Cause: {one.cause}." if one.cause else ""
    lines = [
        f"**{one.severity}, {place}{passage}** ({one.state}{first})",
        f"{one_line(one.message)}.{cause} For {one.who.lower()}.",
    ]
    for name, side in (("Official", one.official), ("Stored", one.stored)):
        if side:
            lines += [f"{name}:", "\n".join(fenced(_marked(side), _TEXT))]
    return lines


def _marked(side: Iterable[Piece]) -> str:
    """Return a text whose differing words stand in heavy brackets, which no fence hides."""
    return "".join(f"⟦{one.text}⟧" if one.differs else one.text for one in side)


def _words(line: Line) -> str:
    return "".join(f"`{one.text}`" if one.code else one_line(one.text, strip=False) for one in line)


def _closing(content: Content) -> list[str]:
    trend = [
        [
            str(one.run),
            one_line(one.finished) or "stopped",
            str(one.verdict or "aborted"),
            f"{one.errors:,}",
            percent(one.covered, one.words),
        ]
        for one in reversed(content.trend)
    ]
    ignores = [
        [
            one.fingerprint[:12],
            one.rule,
            *map(one_line, (one.section, one.reason, one.owner)),
            one_line(one.expires),
        ]
        for one in content.ignores
    ]
    lines = ["## Trend over runs"]
    lines.append(
        _table(["Run", "Ended", "Answer", "Errors", "Law covered"], trend)
        if trend
        else "Made from one result, without history."
    )
    lines.append("## Ignores")
    heads = ["Finding", "Rule", "Section", "Reason", "Owner", "Expires"]
    lines.append(
        _table(heads, ignores) if ignores else "The evidence of this run holds no ignores."
    )
    lines += ["## Method", _items(content.method), "## Independence", _items(content.independence)]
    lines += [
        "## Error rates of the verifier, as measured",
        _items(
            f"{one.topic} ({one.date}, `{one.command}`): {one.says}" for one in content.measured
        ),
        "## Limits",
        _items(content.limits),
        "## Not claimed",
        _items(content.not_claimed),
        "## Licence and acknowledgement",
    ]
    for publisher in content.publishers:
        lines += [
            one_line(" ".join(publisher.acknowledgement.split()))
            or "No acknowledgement line is configured.",
            one_line(" ".join(publisher.licence.split())) or "No licence line is configured.",
            f"As {one_line(publisher.source)} said when this report was written.",
        ]
    if not content.publishers:
        lines.append("No configured source lists these documents, so no licence line is known.")
    lines += [
        "## Record-keeping duties this may serve: suggestions",
        _table(
            ["Where", "What it asks for", "What this report has"],
            [[one.source, one.asks, one.here] for one in content.duties],
        ),
        "## How to check this report yourself",
    ]
    for step in content.steps:
        lines.append(step.says)
        if step.command:
            lines.append("\n".join(fenced(step.command, _TEXT)))
    lines.append(
        f"Head of the run's record: {content.run.head or 'not sealed'}. Written by"
        f" {content.made_by}; the run was made by {one_line(content.run.tool)}."
    )
    return lines
