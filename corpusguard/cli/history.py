"""``corpusguard history``: check the evidence, print its head, anchor it, prove from it."""

from typing import Annotated, Final

import typer

from corpusguard.cli.base import NOT_STORED, UNVERIFIED, ConfigOption, QuietOption, session
from corpusguard.cli.output import Output
from corpusguard.cli.tables import FormatOption, PlainFormat, table
from corpusguard.report.records import dump
from corpusguard.report.summary import plural
from corpusguard.rules import RULES
from corpusguard.service import Verified

_SCHEMA: Final = "corpusguard/history/1"


def verify(
    *,
    ctx: typer.Context,
    head: Annotated[
        str,
        typer.Option(
            "--head",
            metavar="sha256:…",
            help="A head that was kept elsewhere: it must be in the chain still.",
        ),
    ] = "",
    fmt: FormatOption = PlainFormat.CONSOLE,
    config: ConfigOption = None,
    quiet: QuietOption = False,
) -> None:
    """Compute all evidence again, and name the first thing that is not as it was sealed."""
    here = session(ctx, config, quiet=quiet)
    found = here.service().evidence.verify(head)
    if fmt is PlainFormat.JSON:
        here.output.data(dump(_record(found), indent=2) + "\n")
    else:
        _tell(here.output, found)
    if found.head:
        here.output.remark(f"head {found.head} (run {found.run})")
    for run in found.unsealed:
        here.output.remark(f"run {run} died and is not sealed; the next run will seal it")
    if found.breaks:
        raise typer.Exit(NOT_STORED)
    if found.empty:
        here.output.error("corpusguard: no run has been sealed, so nothing is proven")
        here.output.error("  next: run corpusguard verify")
        raise typer.Exit(UNVERIFIED)


def head(*, ctx: typer.Context, config: ConfigOption = None, quiet: QuietOption = False) -> None:
    """Print the head of the chain: keep it where whoever writes history cannot write."""
    here = session(ctx, config, quiet=quiet)
    found, run = here.service().evidence.head()
    here.output.data(found + "\n")
    here.output.remark(f"of run {run}")


def anchor(
    *,
    ctx: typer.Context,
    git: Annotated[
        str,
        typer.Option("--git", metavar="TAG", help="Name of the annotated tag to make."),
    ],
    config: ConfigOption = None,
    quiet: QuietOption = False,
) -> None:
    """Put the head into a tag of the git repository around the configuration."""
    here = session(ctx, config, quiet=quiet)
    found, run = here.service().evidence.tag(git)
    here.output.remark(f"head {found} (run {run}) is in tag {git}; push it to another machine")


def prove(  # noqa: PLR0913 (a command's options are its arguments)
    *,
    ctx: typer.Context,
    run: Annotated[int, typer.Option("--run", min=1, help="Number of a run that has ended.")],
    document: Annotated[str, typer.Option("--document", "-d", metavar="ID", help="The document.")],
    passage: Annotated[str, typer.Option("--passage", metavar="ID", help="The passage's own id.")],
    corpus: Annotated[
        str, typer.Option("--corpus", help="The corpus, where several hold the passage.")
    ] = "",
    occurrence: Annotated[
        int, typer.Option("--occurrence", min=0, help="Which row of that id, from 0.")
    ] = 0,
    config: ConfigOption = None,
) -> None:
    """Print the proof that a passage stood in a run; docs/verify_proof.py checks it."""
    here = session(ctx, config)
    proof = here.service().evidence.prove(
        run, document, passage, corpus=corpus, occurrence=occurrence
    )
    here.output.data(dump(proof, indent=1) + "\n")


def _record(found: Verified) -> dict[str, object]:
    return {
        "schema": _SCHEMA,
        "ok": not found.breaks and not found.empty,
        "records": found.records,
        "head": found.head,
        "run": found.run,
        "evidence": found.evidence,
        "unsealed": list(found.unsealed),
        "matched": found.matched,
        "breaks": [
            {
                "rule": one.rule,
                "name": RULES[one.rule].name,
                "run": one.run,
                "table": one.table,
                "message": one.what,
            }
            for one in found.breaks
        ],
    }


def _tell(output: Output, found: Verified) -> None:
    if not found.breaks:
        if found.records:
            matched = f"; the head given is that of run {found.matched}" if found.matched else ""
            output.data(
                f"✓ {plural(found.records, 'record')} hold, with {found.evidence:,} files of "
                f"evidence{matched}\n"
            )
        return
    first = found.breaks[0]
    run = f"run {first.run}, " if first.run else ""
    rows = [
        (f"{one.rule} {RULES[one.rule].name}", str(one.run or ""), one.table, one.what)
        for one in found.breaks
    ]
    output.page(table(("Rule", "Run", "Where", "What"), rows))
    output.data(f"✗ first break: {run}{first.table}\n")
