"""``corpusguard keys``: make a pair of keys for attestations."""

from pathlib import Path
from typing import Annotated

import typer

from corpusguard.cli.base import QuietOption, session


def new(
    *,
    ctx: typer.Context,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Where the private key goes; FILE.pub beside.")
    ],
    quiet: QuietOption = False,
) -> None:
    """Make an Ed25519 pair: FILE signs and stays secret, FILE.pub checks and may be given away."""
    from corpusguard.service import new_keys  # noqa: PLC0415 - heavy: see Session.service

    here = session(ctx, quiet=quiet)
    keyid = new_keys(file)
    here.output.data(f"{keyid}\n")
    here.output.remark(f"{file} signs (keep it secret), {file}.pub checks")
