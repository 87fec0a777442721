"""Options that the commands of ``measure gate`` share."""

from pathlib import Path
from typing import Annotated

import typer

FixtureOption = Annotated[
    Path,
    typer.Option("--fixture", metavar="FILE", help="A published fixture, or a JSON list of items."),
]
SubjectOption = Annotated[
    str | None,
    typer.Option(
        "--subject",
        metavar="NAME",
        help="What is built in: corpusguard (the gate without a judge), substring, always-pass, "
        "always-strip or always-raise.",
    ),
]
CommandOption = Annotated[
    str | None,
    typer.Option(
        "--command", metavar="COMMAND", help="A program of your own: JSON lines in and out."
    ),
]
JudgeOption = Annotated[
    str | None,
    typer.Option(
        "--judge",
        metavar="NAME",
        help="The project's gate with this judge of the configuration.",
    ),
]
TimeoutOption = Annotated[
    float,
    typer.Option(
        "--timeout", metavar="SECONDS", min=0.1, max=3600, help="Seconds that --command may think."
    ),
]
LedgerOption = Annotated[
    Path | None, typer.Option("--ledger", metavar="FILE", help="The ledger of sealed runs.")
]
KeyOption = Annotated[
    Path | None,
    typer.Option(
        "--key-file", metavar="FILE", help="Key of the sealed half; default: CORPUSGUARD_SEAL_KEY."
    ),
]
DraftArgument = Annotated[Path, typer.Argument(metavar="DRAFT", help="What `build` wrote.")]
