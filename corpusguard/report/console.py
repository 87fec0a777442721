"""The run for a person at a terminal.

Pure: width and colour are arguments, the answer is a string. Nothing rests on colour alone, and
every foreign word goes through :func:`corpusguard.report.text.safe`; no string is read as rich
markup, so that none can be injected.
"""

from __future__ import annotations

from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING, Final

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from corpusguard.model import Severity, SuppressionKind, Verdict
from corpusguard.report.marks import Piece, sides
from corpusguard.report.summary import (
    SIGN,
    WHOLE_RUN,
    by_rule,
    cause_words,
    percent,
    plural,
    seconds_between,
    span,
    split,
    state_of,
    suppressed_words,
    tally,
    why_suppressed,
)
from corpusguard.report.text import clip, inert, safe
from corpusguard.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corpusguard.model import DocumentResult, Finding, RunResult

WIDTH: Final = 100
"""Columns where no terminal says otherwise."""
_TABLE_FROM: Final = 136
"""Columns from which documents fit into one table."""
_SIDES_FROM: Final = 90
"""Columns from which two texts stand side by side."""
_BAR: Final = 10
_TEXT: Final = 700
"""Code points of each text that is shown."""
_MESSAGE: Final = 4_000
_DAY: Final = 40
_VERDICT_STYLE: Final = {
    Verdict.VERIFIED: "green",
    Verdict.VIOLATED: "red",
    Verdict.UNVERIFIABLE: "yellow",
}
_SEVERITY_STYLE: Final = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


@dataclass(frozen=True, slots=True)
class View:
    """How much room there is, and what may be used."""

    width: int = WIDTH
    """Columns."""
    color: bool = False
    """Whether ANSI styles may be used; without them, differing words get brackets."""
    each: int | None = 5
    """Findings shown of each rule; None shows all."""
    options: str = ""
    """What the commands of the next steps need besides, such as `` -c FILE``."""


def render(result: RunResult, view: View = View()) -> str:
    """Return the whole report."""
    findings, suppressed = split(result)
    parts: list[RenderableType] = (
        [_documents(result, view.width), Text()] if result.documents else []
    )
    for rule, group in by_rule(findings):
        parts += [*_rule_group(result, rule, group, view), Text()]
    parts += _suppressed(result, suppressed, view)
    parts += _closing(result, findings)
    # Commands are not wrapped: a person copies them.
    return to_text(Group(*parts), view) + _next_steps(result, findings, view)


def to_text(content: RenderableType, view: View) -> str:
    """Return anything that rich can render as a string, trailing blanks removed."""
    stream = StringIO()
    console = Console(
        file=stream,
        width=max(view.width, 20),
        force_terminal=view.color,
        no_color=not view.color,
        color_system="standard" if view.color else None,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
    )
    console.print(content)
    return "".join(inert(line.rstrip()) + "\n" for line in stream.getvalue().splitlines())


def verdict_text(verdict: Verdict | None) -> Text:
    """Return ``✗ violated``, coloured; None is a layer that was not asked for."""
    if verdict is None:
        return Text("– not run", style="dim")
    return Text(f"{SIGN[verdict]} {verdict}", style=_VERDICT_STYLE[verdict])


def finding_block(finding: Finding, state: str, view: View) -> RenderableType:
    """Return one finding: where, why, and both texts with the differing words marked."""
    place = [
        f"s. {finding.section}" if finding.section else "",
        finding.passage,
        finding.document,
        finding.where,
    ]
    where = " · ".join(safe(clip(part, _TEXT)) for part in place if part)
    head = Text(where or WHOLE_RUN, style="bold")
    facts = [
        f"cause: {cause_words(finding.cause)}" if finding.cause else "",
        ", ".join(str(difference).replace("_", " ") for difference in finding.differences),
        state,
        f"fingerprint {finding.fingerprint}" if finding.fingerprint else "",
    ]
    body: list[RenderableType] = [
        Text(safe(clip(finding.message, _MESSAGE), multiline=True)),
        Text(" · ".join(safe(fact) for fact in facts if fact), style="dim"),
    ]
    texts = (finding.official, finding.stored, finding.diff)
    body += both_sides(("official", "stored"), texts, view)
    block = Table.grid(expand=True)
    block.add_column(width=2)
    block.add_column(ratio=1, overflow="fold")
    block.add_row("•", Group(head, *body))
    return block


def _documents(result: RunResult, width: int) -> RenderableType:
    if width < _TABLE_FROM:
        cards = [_card(document, result) for document in result.documents]
        return Group(*(part for card in cards for part in (card, Text())))
    table = Table(box=SIMPLE_HEAD, pad_edge=False, expand=False)
    for name in ("Document", "Layers", "Text", "Coverage", "Source"):
        table.add_column(name, overflow="fold")
    for document in result.documents:
        table.add_row(
            Group(_identifier(document), verdict_text(document.verdict)),
            Group(*_layers(document, result.layers)),
            Group(*_amounts(document)),
            Group(*_coverage(document)),
            Group(*_source(document, result.finished)),
        )
        table.add_section()
    return table


def _card(document: DocumentResult, result: RunResult) -> RenderableType:
    """Return a document as lines under each other, for a narrow terminal."""
    head = Text.assemble(verdict_text(document.verdict), "  ", _identifier(document))
    lines = (
        Text("   ").join(_layers(document, result.layers)),
        Text(", ").join(_amounts(document)),
        Text(", ").join(_coverage(document)),
        Text(", ").join(_source(document, result.finished)),
    )
    return Group(head, Padding(Group(*lines), (0, 0, 0, 2)))


def _identifier(document: DocumentResult) -> Text:
    return Text(safe(clip(document.id, _TEXT)), style="bold")


def _layers(document: DocumentResult, layers: Iterable[str]) -> list[Text]:
    return [
        Text.assemble(f"{layer} ", verdict_text(document.layers.get(layer))) for layer in layers
    ]


def _amounts(document: DocumentResult) -> list[Text]:
    return [
        Text(plural(document.provisions, "provision")),
        Text(f"{document.verified_passages:,} of {plural(document.passages, 'passage')} verified"),
    ]


def _coverage(document: DocumentResult) -> list[Text]:
    measured = document.coverage
    if measured is None or measured.words <= 0:
        return [Text("coverage unmeasured", style="yellow")]
    # The bar is rounded down: it is full only where everything is covered.
    full = _BAR * measured.covered // measured.words
    bar = Text("█" * full + "░" * (_BAR - full))
    return [
        bar + Text(f" {percent(measured.covered, measured.words)} covered"),
        Text(f"{percent(measured.covered_any_label, measured.words)} under any label"),
    ]


def _source(document: DocumentResult, now: str) -> list[Text]:
    age = seconds_between(document.captured, now)
    unchanged = f"nothing changed since run {document.reused_from}"
    return [
        *([Text(unchanged, style="dim")] if document.reused_from else []),
        Text(f"snapshot {span(max(age, 0))} old" if age is not None else "no snapshot"),
        Text(f"consolidated from {safe(clip(document.consolidated_from, _DAY)) or 'unknown'}"),
        Text(f"current to {safe(clip(document.currency_date, _DAY)) or 'unknown'}"),
    ]


def _rule_group(
    result: RunResult, rule: str, group: list[Finding], view: View
) -> list[RenderableType]:
    meaning, worst = RULES[rule], group[0].severity
    style = f"bold {_SEVERITY_STYLE[worst]}"
    head = Text.assemble((f"{rule} {meaning.name}", style), f"  {tally_words(group)}")
    parts: list[RenderableType] = [head, Text(meaning.summary, style="dim")]
    for finding in group[: view.each]:
        block = finding_block(finding, state_of(result, finding), view)
        parts.append(Padding(block, (0, 0, 0, 2)))
    hidden = len(group) - len(group[: view.each])
    if hidden:
        parts.append(Text(f"  … and {hidden:,} more; --all shows them", style="dim"))
    return parts


def _suppressed(result: RunResult, suppressed: list[Finding], view: View) -> list[RenderableType]:
    """Return what is ignored, with reason, owner and last day, and what is known of before."""
    parts: list[RenderableType] = []
    for kind, name in ((SuppressionKind.IGNORE, "ignored"), (SuppressionKind.BASELINE, "known")):
        group = [one for one in suppressed if result.suppressions[one.fingerprint].kind is kind]
        if not group:
            continue
        parts += [
            Text.assemble((f"{name}", "bold"), f"  {tally_words(group)}"),
            Text("Not verified all the same; they only don't count.", style="dim"),
        ]
        for finding in group[: view.each]:
            place = [finding.section and f"s. {finding.section}", finding.passage, finding.document]
            about = " · ".join(safe(clip(part, _TEXT)) for part in place if part)
            rule = f"{finding.rule} {RULES[finding.rule].name}"
            why = why_suppressed(result.suppressions[finding.fingerprint])
            lines = Group(
                Text(f"{rule} · {about or WHOLE_RUN} · fingerprint {safe(finding.fingerprint)}"),
                Text(safe(clip(why, _TEXT)), style="dim"),
            )
            parts.append(Padding(lines, (0, 0, 0, 2)))
        hidden = len(group) - len(group[: view.each])
        if hidden:
            parts.append(Text(f"  … and {hidden:,} more; --all shows them", style="dim"))
        parts.append(Text())
    return parts


def tally_words(group: list[Finding]) -> str:
    """Return the counts of a group without its zeros: ``3 errors, 1 note``."""
    return ", ".join(part for part in tally(group).split(", ") if not part.startswith("0 "))


def both_sides(
    names: tuple[str, str], texts: tuple[str, str, str], view: View
) -> list[RenderableType]:
    """Return two texts side by side, or under each other on a narrow terminal.

    Args:
        names: What to call the two.
        texts: The two, and their word diff.
        view: Room and colour.
    """
    left, right = sides(*texts, _TEXT)
    shown = {
        names[0]: _marked(left, "[-", "-]", "bold underline green", color=view.color),
        names[1]: _marked(right, "{+", "+}", "bold underline red", color=view.color),
    }
    shown = {name: text for name, text in shown.items() if text}
    if len(shown) == 2 and view.width >= _SIDES_FROM:
        table = Table(box=SIMPLE_HEAD, pad_edge=False, expand=True)
        for name in shown:
            table.add_column(name, ratio=1, overflow="fold")
        table.add_row(*shown.values())
        return [table]
    lines: list[RenderableType] = []
    for name, text in shown.items():
        lines += [Text(f"{name}:", style="dim"), Padding(text, (0, 0, 0, 2))]
    return lines


def _marked(
    pieces: Iterable[Piece], opening: str, closing: str, style: str, *, color: bool
) -> Text:
    text = Text()
    for piece in pieces:
        if not piece.differs:
            text.append(piece.text)
        elif color:
            text.append(piece.text, style=style)
        else:
            text.append(f"{opening}{piece.text}{closing}")
    return text


def _closing(result: RunResult, findings: list[Finding]) -> list[RenderableType]:
    took = seconds_between(result.started, result.finished)
    verified = sum(document.verdict is Verdict.VERIFIED for document in result.documents)
    scope = plural(len(result.documents), "document")
    facts = [
        f"{verified} of {scope} verified by {', '.join(result.layers)}",
        tally(findings),
        suppressed_words(result),
        span(max(took, 0)) if took is not None else "",
        f"run {result.run}",
    ]
    words = f"{SIGN[result.verdict]} {str(result.verdict).upper()}"
    style = f"bold {_VERDICT_STYLE[result.verdict]}"
    line = Text.assemble((words, style), "  ", "; ".join(fact for fact in facts if fact))
    if result.documents:
        return [line]
    return [line, Text("Nothing was in scope, so nothing is verified.", style="yellow")]


def _next_steps(result: RunResult, findings: list[Finding], view: View) -> str:
    steps = []
    for rule, group in by_rule(findings)[:1]:
        steps.append(f"corpusguard explain {rule}")
        if group[0].fingerprint:
            steps.append(f"corpusguard findings show {group[0].fingerprint[:12]}{view.options}")
    if result.baseline_gone:
        steps.append(f"corpusguard baseline update{view.options}")
    heads = ["next: ", *["      "] * len(steps)]
    return "".join(f"{head}{safe(step)}\n" for head, step in zip(heads, steps, strict=False))
