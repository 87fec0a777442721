"""``corpusguard keys``: make a pair of keys for attestations."""

from pathlib import Path
from typing import Annotated

import typer

from corpusguard.cli.base import (
    QuietOption,
    exit_codes,
    guarded,
    session,
)


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


_KEYS = exit_codes(
    c0="written", c1="", c2="usage error, or the file is there already", c3="", c75=""
)


def add_to(app: typer.Typer) -> None:
    """Add the group ``keys``."""
    group = typer.Typer(no_args_is_help=True, help="Keys that sign attestations.")
    group.command("new", epilog=_KEYS)(guarded(new))
    app.add_typer(group, name="keys", epilog=_KEYS)
