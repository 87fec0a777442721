"""``corpusguard history``: check the evidence, print its head, anchor it, prove from it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from corpusguard.cli.base import (
    EACH,
    NOT_STORED,
    SQLITE_MAX,
    UNVERIFIED,
    ConfigOption,
    QuietOption,
    exit_codes,
    guarded,
    session,
)
from corpusguard.cli.output import Output
from corpusguard.cli.tables import FormatOption, PlainFormat, table
from corpusguard.errors import ConfigError
from corpusguard.report.records import dump
from corpusguard.report.summary import plural
from corpusguard.rules import RULES

if TYPE_CHECKING:
    from corpusguard.service import Listed, Verified

RootsOption = Annotated[
    Path | None,
    typer.Option(
        "--roots", metavar="PEM", help="Certificates that the timestamp authority leads to."
    ),
]

_SCHEMA: Final = "corpusguard/history/1"
_LETTERS: Final = 12


def verify(  # noqa: PLR0913 (a command's options are its arguments)
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
    token: Annotated[
        Path | None,
        typer.Option("--token", metavar="FILE", help="A timestamp token, in place of --head."),
    ] = None,
    roots: RootsOption = None,
    fmt: FormatOption = PlainFormat.CONSOLE,
    config: ConfigOption = None,
    quiet: QuietOption = False,
) -> None:
    """Compute all evidence again, and name the first thing that is not as it was sealed."""
    here = session(ctx, config, quiet=quiet, code_tells=True)
    evidence = here.service().evidence
    if token is not None:
        if head:
            raise ConfigError("--head and --token both name a head", hint="give one of them")
        stamped = evidence.stamped(token, _given(roots))
        here.output.remark(f"{stamped.head} was stamped at {stamped.time}")
        head = stamped.head
    found = evidence.verify(head)
    if fmt is PlainFormat.JSON:
        here.output.data(dump(_record(found), indent=2) + "\n")
    else:
        _tell(here.output, found)
    if found.head:
        here.output.remark(f"head {found.head} (run {found.run})")
    for run in found.unsealed:
        here.output.remark(f"run {run} died and is not sealed; the next run will seal it")
    if found.breaks:
        if found.hint:
            here.output.error(f"  next: {found.hint}")
        raise typer.Exit(NOT_STORED)
    if found.empty:
        here.output.error("corpusguard: no run has been sealed, so nothing is proven")
        here.output.error("  next: run corpusguard verify")
        raise typer.Exit(UNVERIFIED)


def list_runs(
    *,
    ctx: typer.Context,
    limit: Annotated[
        int, typer.Option("--limit", metavar="N", min=1, help="Most runs listed.")
    ] = 50,
    fmt: FormatOption = PlainFormat.CONSOLE,
    config: ConfigOption = None,
) -> None:
    """List the runs, newest first: when, with which verdict, and the head after each."""
    here = session(ctx, config)
    found = here.service().evidence.runs(limit)
    if fmt is PlainFormat.JSON:
        runs = [_run(one) for one in found]
        here.output.data(dump({"schema": "corpusguard/runs/1", "runs": runs}, indent=2) + "\n")
        return
    rows = [
        (
            str(one.run),
            one.started[:19].replace("T", " "),
            str(one.verdict or "–"),
            str(one.state),
            "" if one.exit_code is None else str(one.exit_code),
            one.schedule,
            listed.head.removeprefix("sha256:")[:_LETTERS] or "not sealed",
        )
        for listed in found
        for one in [listed.record]
    ]
    here.output.page(
        table(("Run", "Began, UTC", "Verdict", "State", "Exit", "Schedule", "Head"), rows)
    )
    if len(found) == limit:
        here.output.remark(f"at most {limit} are listed; --limit N lists more")


def head(*, ctx: typer.Context, config: ConfigOption = None, quiet: QuietOption = False) -> None:
    """Print the head of the chain: keep it where whoever writes history cannot write."""
    here = session(ctx, config, quiet=quiet)
    found, run = here.service().evidence.head()
    here.output.data(found + "\n")
    here.output.remark(f"of run {run}")


def anchor(  # noqa: PLR0913 (a command's options are its arguments)
    *,
    ctx: typer.Context,
    git: Annotated[
        str,
        typer.Option("--git", metavar="TAG", help="Make an annotated tag of this name."),
    ] = "",
    tsa: Annotated[
        str,
        typer.Option("--tsa", metavar="URL", help="Ask this RFC 3161 timestamp authority."),
    ] = "",
    token: Annotated[
        Path | None,
        typer.Option("--token", metavar="FILE", help="Where the authority's token goes."),
    ] = None,
    roots: RootsOption = None,
    config: ConfigOption = None,
    quiet: QuietOption = False,
) -> None:
    """Put the head where history cannot reach it: a git tag, a signed timestamp, or both."""
    here = session(ctx, config, quiet=quiet)
    if not git and not tsa:
        raise ConfigError("nowhere to put the head", hint="give --git TAG, or --tsa URL, or both")
    if bool(tsa) != (token is not None):
        raise ConfigError("--tsa and --token go together", hint="name the file for the token")
    evidence = here.service().evidence
    if tsa and token is not None:
        found, run = evidence.stamp(tsa, token, _given(roots))
        here.output.remark(f"head {found} (run {run}) is stamped in {token}")
    if git:
        found, run = evidence.tag(git)
        here.output.remark(f"head {found} (run {run}) is in tag {git}; push it elsewhere")


def prove(  # noqa: PLR0913 (a command's options are its arguments)
    *,
    ctx: typer.Context,
    run: Annotated[
        int,
        typer.Option("--run", min=1, max=SQLITE_MAX, metavar="N", help="A run that has ended."),
    ],
    document: Annotated[str, typer.Option("--document", "-d", metavar="ID", help="The document.")],
    passage: Annotated[str, typer.Option("--passage", metavar="ID", help="The passage's own id.")],
    corpus: Annotated[
        str,
        typer.Option(
            "--corpus", metavar="NAME", help="The corpus, where several hold the passage."
        ),
    ] = "",
    occurrence: Annotated[
        int,
        typer.Option(
            "--occurrence", metavar="N", min=0, max=SQLITE_MAX, help="Which row of that id, from 0."
        ),
    ] = 0,
    config: ConfigOption = None,
) -> None:
    """Print the proof that a passage stood in a run; docs/verify_proof.py checks it."""
    here = session(ctx, config)
    proof = here.service().evidence.prove(
        run, document, passage, corpus=corpus, occurrence=occurrence
    )
    here.output.data(dump(proof, indent=1) + "\n")


def _given(roots: Path | None) -> Path:
    if roots is None:
        raise ConfigError(
            "a timestamp is checked against its authority's certificates",
            hint="name a PEM file of them with --roots",
        )
    return roots


def _run(listed: "Listed") -> dict[str, object]:
    one = listed.record
    return {
        "run": one.run,
        "started": one.started,
        "finished": one.finished or None,
        "state": str(one.state),
        "verdict": None if one.verdict is None else str(one.verdict),
        "exit_code": one.exit_code,
        "layers": list(one.layers),
        "schedule": one.schedule,
        "head": listed.head or None,
    }


def _record(found: "Verified") -> dict[str, object]:
    return {
        "schema": _SCHEMA,
        "ok": not found.breaks and not found.empty,
        "records": found.records,
        "decisions": found.decisions,
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


def _tell(output: Output, found: "Verified") -> None:
    if not found.breaks:
        if found.records:
            matched = f"; the head given is that of run {found.matched}" if found.matched else ""
            output.data(
                f"✓ all holds: {plural(found.records, 'record')}, "
                f"{plural(found.decisions, 'decision')}, "
                f"{plural(found.evidence, 'file')} of evidence{matched}\n"
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


_OF_HISTORY = exit_codes(
    c0="done",
    c1="",
    c2="usage error, or no such run, document or passage",
    c3="",
    c4="history is not what it was, or cannot be read",
    c75="",
)


def add_to(app: typer.Typer) -> None:
    """Add the group ``history``."""
    group = typer.Typer(no_args_is_help=True, help="The evidence of runs, sealed in a chain.")
    group.command(
        "verify",
        epilog=exit_codes(
            c0="all is as it was sealed, and at least one run is",
            c1="",
            c3="no run has been sealed",
            c4="history or its evidence is not what it was (CG702, CG701), or cannot be read",
        ),
    )(guarded(verify))
    group.command("head", epilog=_OF_HISTORY)(guarded(head))
    group.command(
        "anchor",
        epilog=exit_codes(
            c0="done",
            c1="",
            c2="usage error, or git refused",
            c3="",
            c4="git cannot be run, or no usable timestamp came",
            c75="",
        ),
    )(guarded(anchor))
    group.command("list", epilog=_OF_HISTORY)(guarded(list_runs))
    group.command("prove", epilog=_OF_HISTORY)(guarded(prove))
    app.add_typer(group, name="history", epilog=EACH)
