"""``corpusguard measure verifier``."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from corpusguard.cli.base import UNVERIFIED, ConfigOption, DocOption, QuietOption, session
from corpusguard.cli.progress import progress
from corpusguard.cli.tables import table
from corpusguard.errors import ConfigError
from corpusguard.measure import tables
from corpusguard.measure.mutants import kinds
from corpusguard.report.files import check_target, real, write_file
from corpusguard.report.records import dump


class MeasureFormat(StrEnum):
    """For a person, a program, or a page."""

    CONSOLE = "console"
    JSON = "json"
    MARKDOWN = "markdown"


def verifier(  # noqa: PLR0913 (a command's options are its arguments)
    *,
    ctx: typer.Context,
    doc: DocOption = None,
    corpus: Annotated[
        str, typer.Option("--corpus", metavar="NAME", help="One corpus; default: all.")
    ] = "",
    faults: Annotated[
        int,
        typer.Option(
            "--faults", metavar="N", min=1, max=1000, help="Faults of each kind, in each document."
        ),
    ] = 10,
    seed: Annotated[
        str, typer.Option("--seed", metavar="WORD", help="The same seed plants the same faults.")
    ] = "1",
    fmt: Annotated[
        MeasureFormat, typer.Option("--format", "-f", help="Form of the answer.")
    ] = MeasureFormat.CONSOLE,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write it to a file.")
    ] = None,
    recompute: Annotated[
        Path | None,
        typer.Option(
            "--recompute",
            metavar="FILE",
            help="Show a stored JSON record, once its rates follow from its outcomes again.",
        ),
    ] = None,
    config: ConfigOption = None,
    quiet: QuietOption = False,
) -> None:
    """Plant faults in copies of your rows, and count what a nightly run would notice.

    Nothing is fetched, and neither the corpus nor history is touched. Faults are planted in rows
    that verify, one at a time; harmless changes of all rows measure the false alarms.
    """
    from corpusguard.service import check_output, planting  # noqa: PLC0415 - as Session.service

    here = session(ctx, config, quiet=quiet)
    if output is not None:
        if fmt is MeasureFormat.CONSOLE:
            raise ConfigError("--output needs a form", hint="add --format json, or markdown")
        if recompute is not None:
            # It needs no configuration, and so knows of none: its own input is what it spares.
            check_target(output, folder=False)
            if real(output) == real(recompute, "--recompute"):
                raise ConfigError(
                    f"--output {output} would overwrite {recompute}", hint="name another file"
                )
        else:
            check_output(here.service().config, output)
    if recompute is not None:
        record = planting.recompute(recompute)
    else:
        settings = here.service().config
        with progress(here.output, "measuring") as step:
            found = planting.measured(
                settings, doc or (), corpus=corpus, faults=faults, seed=seed, progress=step
            )
        record = planting.record(found, faults=faults, seed=seed)
    text = ""
    if fmt is MeasureFormat.JSON:
        text = dump(record, indent=2) + "\n"
    elif fmt is MeasureFormat.MARKDOWN:
        text = tables.markdown(record)
    if output is not None:
        write_file(output, text)
    elif text:
        here.output.data(text)
    else:
        here.output.page(table(tables.HEADS, tables.rows(record)))
    here.output.remark(f"false alarms: {tables.false_alarms(record)}")
    missing = tables.unplanted(record, kinds())
    if missing:
        here.output.remark(f"no place for: {', '.join(missing)}")
    here.output.remark(tables.LIMITS)
    if not any(one["verified"] for one in record["subjects"]):
        here.output.error(
            "corpusguard: no row verifies, so no fault could be planted\n"
            "  next: `corpusguard verify` says what is wrong with them"
        )
        raise typer.Exit(UNVERIFIED)
