"""``corpusguard snapshots verify|prune|export|import``: keeping the evidence."""

from pathlib import Path
from typing import Annotated

import typer

from corpusguard.cli.base import (
    NOT_STORED,
    UNVERIFIED,
    ConfigOption,
    QuietOption,
    exit_codes,
    guarded,
    session,
)
from corpusguard.cli.tables import FormatOption, PlainFormat
from corpusguard.report.records import dump
from corpusguard.report.summary import plural

_SCHEMA = "corpusguard/snapshots-verify/1"


def verify_snapshots(
    *,
    ctx: typer.Context,
    fmt: FormatOption = PlainFormat.CONSOLE,
    config: ConfigOption = None,
    quiet: QuietOption = False,
) -> None:
    """Read and hash every stored snapshot and capture record again."""
    here = session(ctx, config, quiet=quiet, code_tells=True)
    found = here.service().keeping.verify()
    if fmt is PlainFormat.JSON:
        record = {
            "schema": _SCHEMA,
            "captures": found.captures,
            "objects": found.objects,
            "unnamed": list(found.unnamed),
            "findings": [
                {"rule": "CG701", "name": "evidence_missing", "message": problem}
                for problem in found.problems
            ],
        }
        here.output.data(dump(record, indent=2) + "\n")
    else:
        here.output.data("".join(f"CG701 {problem}\n" for problem in found.problems))
        here.output.remark(
            f"{plural(found.captures, 'capture')}, {plural(found.objects, 'object')}: "
            + (plural(len(found.problems), "problem") if found.problems else "all digests hold")
        )
        if found.unnamed:
            here.output.remark(
                f"{plural(len(found.unnamed), 'object')} that no record names: no damage; "
                "`corpusguard snapshots prune` lets go of them"
            )
    if found.problems:
        raise typer.Exit(NOT_STORED)
    if not found.captures:
        here.output.error("corpusguard: no snapshot is stored, so none is proven")
        raise typer.Exit(UNVERIFIED)


def prune_snapshots(
    *,
    ctx: typer.Context,
    keep: Annotated[
        int, typer.Option("--keep", min=1, max=36_500, metavar="DAYS", help="Keep what is younger.")
    ] = 90,
    yes: Annotated[
        bool, typer.Option("--yes", help="Delete; without it, only say what would be deleted.")
    ] = False,
    config: ConfigOption = None,
    quiet: QuietOption = False,
) -> None:
    """Delete old captures that no run refers to; the newest of each document always stays."""
    here = session(ctx, config, quiet=quiet)
    doomed = here.service().keeping.prune(keep, delete=yes)
    here.output.data("".join(f"{name}\n" for name in doomed.names))
    did = "deleted" if yes else "would be deleted (--yes deletes)"
    here.output.remark(f"{plural(len(doomed.names), 'file')}, {doomed.bytes:,} bytes {did}")


def export_snapshots(
    *,
    ctx: typer.Context,
    warc: Annotated[
        Path, typer.Option("--warc", metavar="FILE", help="A new file; packed if it ends in .gz.")
    ],
    document: Annotated[
        str | None, typer.Argument(metavar="[DOC]", help="A document; default: all.")
    ] = None,
    config: ConfigOption = None,
    quiet: QuietOption = False,
) -> None:
    """Write snapshots with their requests and answers to a WARC file."""
    here = session(ctx, config, quiet=quiet)
    number = here.service().keeping.export(warc, document)
    here.output.remark(f"{plural(number, 'capture')} written to {warc}")


def import_snapshots(
    *,
    ctx: typer.Context,
    warc: Annotated[
        Path, typer.Option("--warc", metavar="FILE", help="A file that `snapshots export` wrote.")
    ],
    config: ConfigOption = None,
    quiet: QuietOption = False,
) -> None:
    """Put back the snapshots of a WARC file, each checked against its document."""
    here = session(ctx, config, quiet=quiet)
    found = here.service().keeping.restore(warc)
    here.output.data("".join(f"{snapshot.digest}  {snapshot.record}\n" for snapshot in found))
    here.output.remark(f"{plural(len(found), 'capture')} in the store")


def add_to(snapshots: typer.Typer) -> None:
    """Add the commands that keep snapshots."""
    snapshots.command(
        "verify",
        epilog=exit_codes(
            c0="every record and every object is whole, and there is at least one",
            c1="",
            c3="no snapshot is stored",
            c4="a snapshot or record is gone or altered (CG701)",
            c75="",
        ),
    )(guarded(verify_snapshots))
    snapshots.command(
        "prune",
        epilog=exit_codes(
            c0="deleted, or shown what would be",
            c1="",
            c3="",
            c4="the store or history is damaged, or a file could not be deleted",
        ),
    )(guarded(prune_snapshots))
    snapshots.command(
        "export",
        epilog=exit_codes(
            c0="written",
            c1="",
            c3="",
            c4="a snapshot is gone or altered, or the file could not be written",
            c75="",
        ),
    )(guarded(export_snapshots))
    snapshots.command(
        "import",
        epilog=exit_codes(
            c0="every capture of the file is in the store",
            c1="",
            c3="bytes are not the document that their record names",
            c4="the file is damaged, or a capture could not be stored",
        ),
    )(guarded(import_snapshots))
