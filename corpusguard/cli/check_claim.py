"""``corpusguard check-claim``."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from corpusguard.cli.base import FINDINGS, UNVERIFIED, ConfigOption, session
from corpusguard.cli.inputs import tell_terminal
from corpusguard.cli.tables import FormatOption, PlainFormat
from corpusguard.errors import ConfigError
from corpusguard.report.records import dump
from corpusguard.report.text import safe

_MAX_INPUT = 1_000_000
"""Bytes on standard input."""


def check_claim(  # noqa: PLR0913 (the options of a command)
    *,
    ctx: typer.Context,
    claim: Annotated[
        str, typer.Argument(metavar="CLAIM", help="One statement; - reads it from standard input.")
    ],
    source: Annotated[
        str, typer.Option("--source", metavar="ID", help="Passage that is its source of record.")
    ] = "",
    context: Annotated[
        str,
        typer.Option(
            "--context", metavar="TEXT", help="Where the claim comes from; only triage sees it."
        ),
    ] = "",
    triage: Annotated[
        bool, typer.Option(help="Ask first whether the claim is worth a check.")
    ] = True,
    trace: Annotated[
        Path | None,
        typer.Option(
            "--trace", metavar="FILE", help="Trace of all calls; default: claims/ beside history."
        ),
    ] = None,
    fmt: FormatOption = PlainFormat.CONSOLE,
    config: ConfigOption = None,
) -> None:
    """Check one claim against its verified source: two verifiers apart, then an adjudicator."""
    here = session(ctx, config)
    service = here.service()
    # Here, not above: --help needs no network client.
    from corpusguard.gate.claims.model import Outcome  # noqa: PLC0415
    from corpusguard.gate.claims.report import claim_record, claim_text  # noqa: PLC0415
    from corpusguard.gate.claims.run import check_claim as run  # noqa: PLC0415

    if claim == "-":
        tell_terminal(here.output, "the claim")
    result = run(
        service,
        _standard_input() if claim == "-" else claim,
        context=context,
        source=source,
        triage=triage,
        trace=trace,
    )
    if fmt is PlainFormat.JSON:
        here.output.data(dump(claim_record(result), indent=2) + "\n")
    else:
        here.output.data(safe(claim_text(result), multiline=True))
    if result.outcome in {Outcome.CONTRADICTED, Outcome.NOT_FOUND}:
        raise typer.Exit(FINDINGS)
    if result.outcome is not Outcome.SUPPORTED:
        raise typer.Exit(UNVERIFIED)


def _standard_input() -> str:
    data = sys.stdin.buffer.read(_MAX_INPUT + 1)
    if len(data) > _MAX_INPUT:
        raise ConfigError(f"standard input has more than {_MAX_INPUT} bytes", hint="One claim.")
    try:
        return data.decode("utf-8").strip()
    except UnicodeDecodeError as error:
        raise ConfigError("standard input is not UTF-8", hint="Convert it.") from error
