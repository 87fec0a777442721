"""``corpusguard status``, ``findings`` and ``diff``: what history knows."""

from dataclasses import asdict
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from corpusguard.cli.base import (
    EACH,
    FINDINGS,
    READS,
    UNVERIFIED,
    ConfigOption,
    LimitOption,
    RunOption,
    guarded,
    session,
)
from corpusguard.cli.tables import FormatOption, PlainFormat, table
from corpusguard.model import Verdict
from corpusguard.report.console import both_sides, finding_block
from corpusguard.report.records import dump, finding_from_record
from corpusguard.report.summary import SIGN, percent, plural, span
from corpusguard.report.text import clip, safe
from corpusguard.rules import rule_id

if TYPE_CHECKING:
    from corpusguard.service import CorpusStatus, DocumentStatus
    from corpusguard.service.results import CorpusAge

_MOST_ERRORS: Final = 20


class State(StrEnum):
    """Where a finding is in its life."""

    NEW = "new"
    OPEN = "open"
    RESOLVED = "resolved"
    REGRESSED = "regressed"


def status(
    *,
    ctx: typer.Context,
    fmt: FormatOption = PlainFormat.CONSOLE,
    config: ConfigOption = None,
) -> None:
    """Show each document's last verdict, when it was last verified, and whether that is too old."""
    here = session(ctx, config, code_tells=True)
    found = here.service().status()
    if fmt is PlainFormat.JSON:
        text = dump({"schema": "corpusguard/status/1", **asdict(found)}, indent=2)
        here.output.data(text + "\n")
    else:
        heads = ("Document", "Verdict", "Last run, UTC", "Last good, UTC", "Coverage", "Open")
        here.output.page(table(heads, [_status_row(document) for document in found.documents]))
        for corpus in found.corpora:
            for line in _refused(corpus):
                here.output.page(Text(safe(line)))
        for error in found.errors[:_MOST_ERRORS]:
            line = f"run {error.run} as a whole: {error.rule} {clip(error.message, 300)}"
            here.output.page(Text(safe(line)))
        if len(found.errors) > _MOST_ERRORS:
            here.output.page(Text(f"and {len(found.errors) - _MOST_ERRORS:,} more of that run"))
    code = _status_code(found)
    if code:
        raise typer.Exit(code)


def _status_code(found: "CorpusStatus") -> int:
    documents = found.documents
    violated = [document for document in documents if document.verdict == Verdict.VIOLATED]
    if not all(document.accepted for document in violated):
        return FINDINGS
    if any(error.layer for error in found.errors):
        return FINDINGS
    if found.errors:
        return UNVERIFIED
    good = all(
        (document.verdict == Verdict.VERIFIED and not document.too_old)
        or (document.accepted and not document.accepted_too_old)
        for document in documents
    )
    return 0 if documents and good else UNVERIFIED


def _awaiting(document: "DocumentStatus") -> tuple[str, str]:
    """Say of which open findings the last run knows nothing, and what would settle them."""
    counts = {"error": document.awaiting_errors, "warning": document.awaiting_warnings}
    named = [plural(number, name) for name, number in counts.items() if number]
    if not named:
        return "", ""
    return f"{', '.join(named)} of an earlier run,", "open until the source is asked"


def _refused(corpus: "CorpusAge") -> list[str]:
    from corpusguard.service.age import ASK_AGAIN, refused_for_age  # noqa: PLC0415 - heavy

    if not corpus.too_old_passages:
        return []
    return [f"corpus {corpus.corpus}: {refused_for_age(corpus)}", f"  next: {ASK_AGAIN}"]


def _status_row(document: "DocumentStatus") -> tuple[str | tuple[str, ...], ...]:
    verdict = f"{SIGN[Verdict(document.verdict)]} {document.verdict}" if document.verdict else ""
    old = document.accepted_too_old if document.accepted else document.too_old
    too_old = f"too old: > {span(document.max_age_seconds)}" if old else ""
    text = f"text of {document.text_asked[:10]}" if old and document.text_asked else ""
    return (
        (document.document, document.corpus),
        (verdict, "by known findings alone") if document.accepted else verdict or "? never run",
        (f"run {document.last_run}", _minute(document.finished)) if document.last_run else "none",
        (_minute(document.last_good) or "never", text, too_old),
        percent(document.covered or 0, document.words or 0),
        (
            plural(document.open_errors, "error"),
            plural(document.open_warnings, "warning"),
            *_awaiting(document),
            f"{document.suppressed:,} ignored or known" if document.suppressed else "",
        ),
    )


def _minute(moment: str) -> str:
    """Return ``2026-11-29 03:00`` of an ISO time."""
    return moment[:16].replace("T", " ")


def list_findings(  # noqa: PLR0913 (a command's options are its arguments)
    *,
    ctx: typer.Context,
    run: RunOption = None,
    rule: Annotated[
        str | None, typer.Option("--rule", metavar="RULE", help="CG101, or text_differs.")
    ] = None,
    doc: Annotated[
        str | None, typer.Option("--doc", "-d", metavar="ID", help="Those of one document.")
    ] = None,
    state: Annotated[State | None, typer.Option("--state", help="Those in this state.")] = None,
    limit: LimitOption = 100,
    fmt: FormatOption = PlainFormat.CONSOLE,
    config: ConfigOption = None,
) -> None:
    """List findings, filtered."""
    here = session(ctx, config)
    records = here.service().findings(
        run, rule_id(rule) if rule else None, doc, str(state) if state else None, limit
    )
    if fmt is PlainFormat.JSON:
        text = dump({"schema": "corpusguard/findings/1", "findings": records}, indent=2)
        here.output.data(text + "\n")
        return
    if not records:
        where = f"run {run}" if run else "any run" if state else "the newest run"
        asked = " that these options ask for" if rule or doc or state else ""
        here.output.remark(f"no finding{asked} in {where}")
        return
    here.output.page(Group(*(line for record in records for line in _finding_lines(record))))
    if len(records) == limit:
        here.output.remark(f"at most {limit} are listed; --limit N lists more")


def _finding_lines(record: dict[str, Any]) -> tuple[RenderableType, RenderableType]:
    """Return two lines: what and where, then the message."""
    section = record["section"] and f"s. {record['section']}"
    suppression = record["suppression"]
    known = suppression and {"ignore": "ignored", "baseline": "known"}[suppression["kind"]]
    place = [record["state"], known, record["document"], section, record["passage"]]
    head = Text(f"{record['fingerprint'][:12]}  {record['severity']} ")
    head.append(f"{record['rule']} {record['name']}", style="bold")
    head.append("".join(f" · {safe(part)}" for part in place if part))
    return head, Padding(Text(safe(clip(record["message"], 300))), (0, 0, 0, 14))


def show_finding(
    *,
    ctx: typer.Context,
    fingerprint: Annotated[
        str, typer.Argument(metavar="FINGERPRINT", help="A fingerprint, or its beginning.")
    ],
    fmt: FormatOption = PlainFormat.CONSOLE,
    config: ConfigOption = None,
) -> None:
    """Show one finding with both texts and its evidence."""
    here = session(ctx, config)
    record = here.service().finding(fingerprint)
    if fmt is PlainFormat.JSON:
        here.output.data(dump(record, indent=2) + "\n")
        return
    finding = finding_from_record(record)
    parts: list[RenderableType] = [
        Text(f"{finding.rule} {record['name']} ({finding.severity})", style="bold"),
        finding_block(finding, record["state"], here.output.view()),
        *(Text(f"  evidence {safe(digest)}") for digest in finding.evidence),
    ]
    here.output.page(Group(*parts))
    here.output.remark(f"next: corpusguard explain {finding.rule}")


def diff(  # noqa: PLR0913 (a command's options are its arguments)
    *,
    ctx: typer.Context,
    document: Annotated[str, typer.Argument(metavar="DOC", help="The document's id.")],
    old: Annotated[
        str | None, typer.Option("--old", metavar="DIGEST", help="Default: the one before.")
    ] = None,
    new: Annotated[
        str | None, typer.Option("--new", metavar="DIGEST", help="Default: the newest.")
    ] = None,
    fmt: FormatOption = PlainFormat.CONSOLE,
    config: ConfigOption = None,
) -> None:
    """Compare two snapshots of a document, provision by provision."""
    here = session(ctx, config)
    changes = here.service().diff(document, old, new)
    if fmt is PlainFormat.JSON:
        records = [asdict(change) for change in changes]
        text = dump({"schema": "corpusguard/diff/1", "changes": records}, indent=2)
        here.output.data(text + "\n")
        return
    view = here.output.view()
    parts: list[RenderableType] = []
    for change in changes:
        section = f"s. {change.section} · " if change.section else ""
        parts.append(Text(safe(f"{change.kind}  {section}{change.pid}"), style="bold"))
        texts = (change.before, change.after, change.diff)
        body = both_sides(("before", "after"), texts, view)
        parts += [Padding(Group(*body), (0, 0, 0, 2)), Text()]
    here.output.page(Group(*parts) if parts else Text("No provision differs."))


def add_to(app: typer.Typer) -> typer.Typer:
    """Add the group ``findings``, and return it."""
    group = typer.Typer(no_args_is_help=True, help="Findings, as history knows them.")
    group.command("list", epilog=READS)(guarded(list_findings))
    group.command("show", epilog=READS)(guarded(show_finding))
    app.add_typer(group, name="findings", epilog=EACH)
    return group
