"""``corpusguard fetch`` and ``corpusguard snapshots``: the official side."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Final

import typer

from corpusguard.cli.base import (
    EACH,
    READS,
    UNVERIFIED,
    ConfigOption,
    QuietOption,
    exit_codes,
    guarded,
    session,
)
from corpusguard.cli.progress import progress
from corpusguard.cli.tables import FormatOption, PlainFormat, table
from corpusguard.errors import ConfigError
from corpusguard.model import Snapshot
from corpusguard.report.records import dump

_SCHEMA: Final = "corpusguard/snapshots/1"


def fetch(
    *,
    ctx: typer.Context,
    documents: Annotated[
        list[str] | None, typer.Argument(metavar="[DOC]...", help="Documents; default: all.")
    ] = None,
    config: ConfigOption = None,
    quiet: QuietOption = False,
) -> None:
    """Capture the official renditions of documents as snapshots."""
    here = session(ctx, config, quiet=quiet)
    with progress(here.output, "fetching") as step:
        outcomes = here.service().fetch(tuple(documents or ()), step)
    rows = []
    for outcome in outcomes:
        if outcome.snapshot is None:
            said = f"✗ {outcome.rule} {outcome.message}"
        else:
            said = "✓ unchanged" if outcome.unchanged else "✓ captured"
        digest = outcome.snapshot.digest if outcome.snapshot else ""
        rows.append((outcome.document, said, digest))
    if rows:
        here.output.page(table(("Document", "Outcome", "Snapshot"), rows))
    else:
        here.output.error("corpusguard: no document is in scope")
        here.output.error("  next: list documents in a file of sources")
    if not outcomes or any(outcome.snapshot is None for outcome in outcomes):
        raise typer.Exit(UNVERIFIED)


def list_snapshots(
    *,
    ctx: typer.Context,
    document: Annotated[
        str | None, typer.Argument(metavar="[DOC]", help="A document; default: all.")
    ] = None,
    fmt: FormatOption = PlainFormat.CONSOLE,
    config: ConfigOption = None,
) -> None:
    """List captured renditions, oldest first."""
    here = session(ctx, config)
    snapshots = here.service().snapshots(document)
    if fmt is PlainFormat.JSON:
        records = [_record(snapshot) for snapshot in snapshots]
        here.output.data(dump({"schema": _SCHEMA, "snapshots": records}, indent=2) + "\n")
        return
    heads = ("Document", "Captured", "In force from", "Current to", "Digest")
    rows = [
        (
            (snapshot.document, f"{snapshot.rendition}, {snapshot.size:,} bytes"),
            snapshot.captured,
            snapshot.identity.consolidated_from,
            snapshot.currency_date,
            snapshot.digest.removeprefix("sha256:")[:12],
        )
        for snapshot in snapshots
    ]
    here.output.page(table(heads, rows))


def show_snapshot(
    *,
    ctx: typer.Context,
    digest: Annotated[str, typer.Argument(metavar="DIGEST", help="A digest, or its beginning.")],
    fmt: FormatOption = PlainFormat.CONSOLE,
    config: ConfigOption = None,
) -> None:
    """Show all that is known of one snapshot, each of its captures."""
    here = session(ctx, config)
    wanted = digest.removeprefix("sha256:").lower()
    found = [
        snapshot
        for snapshot in here.service().snapshots(None)
        if wanted and snapshot.digest.removeprefix("sha256:").startswith(wanted)
    ]
    if len({snapshot.digest for snapshot in found}) != 1:
        raise ConfigError(
            f"{len({snapshot.digest for snapshot in found})} snapshots begin with {digest!r}",
            hint="corpusguard snapshots list prints their digests.",
        )
    records = [_record(snapshot) for snapshot in found]
    if fmt is PlainFormat.JSON:
        here.output.data(dump({"schema": _SCHEMA, "snapshots": records}, indent=2) + "\n")
        return
    for record in records:
        here.output.page(table(("Field", "Value"), list(record.items())))


def add_snapshot(  # noqa: PLR0913 (a command's options are its arguments)
    *,
    ctx: typer.Context,
    document: Annotated[str, typer.Argument(metavar="DOC", help="The document's id.")],
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="A payload, a fragment, a page, a Word file or a PDF.",
            exists=True,
            dir_okay=False,
            readable=True,
        ),
    ],
    unnamed: Annotated[
        bool,
        typer.Option("--unnamed", help="Accept, on your word, a file that names no law."),
    ] = False,
    older: Annotated[
        bool,
        typer.Option(
            "--older", help="Keep an older consolidation than the newest captured, to compare with."
        ),
    ] = False,
    captured: Annotated[
        str,
        typer.Option(
            "--captured",
            metavar="TIME",
            help="When the file was obtained, on your word: 2026-11-30 or 2026-11-30T08:00:00Z.",
            show_default=False,
        ),
    ] = "",
    config: ConfigOption = None,
    quiet: QuietOption = False,
) -> None:
    """Store an official file that was obtained by hand, and print its digest."""
    here = session(ctx, config, quiet=quiet)
    service = here.service()
    snapshot = service.add_snapshot(document, file, unnamed=unnamed, older=older, obtained=captured)
    here.output.data(snapshot.digest + "\n")
    here.output.remark(f"stored as {snapshot.rendition} of {snapshot.document}")
    here.output.remark(service.age_of_import(snapshot))


def _record(snapshot: Snapshot) -> dict[str, str]:
    """Return a snapshot's fields as text, those of its identity among them."""
    fields = {name: str(value) for name, value in asdict(snapshot).items() if name != "identity"}
    return fields | {name: str(value) for name, value in asdict(snapshot.identity).items()}


def add_to(app: typer.Typer) -> typer.Typer:
    """Add the group ``snapshots``, and return it."""
    group = typer.Typer(no_args_is_help=True, help="Captured official renditions.")
    group.command("list", epilog=READS)(guarded(list_snapshots))
    group.command("show", epilog=READS)(guarded(show_snapshot))
    group.command(
        "add",
        epilog=exit_codes(
            c0="stored",
            c1="",
            c3="the file cannot be read, is not that document, or is an older text (CG509)",
        ),
    )(guarded(add_snapshot))
    app.add_typer(group, name="snapshots", epilog=EACH)
    return group
