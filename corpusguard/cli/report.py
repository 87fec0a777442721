"""``corpusguard report``: the compliance report of a run, its check, and the site of runs."""

from pathlib import Path
from typing import Annotated

import typer

from corpusguard.cli.base import FINDINGS, ConfigOption, QuietOption, RunOption, choice, session
from corpusguard.cli.output import Output
from corpusguard.errors import ConfigError
from corpusguard.report.compliance.formats import FORMATS, compare, form_of
from corpusguard.report.files import write_bytes
from corpusguard.report.summary import plural


def report(  # noqa: PLR0913 (a command's options are its arguments)
    *,
    ctx: typer.Context,
    run: RunOption = None,
    fmt: Annotated[
        str | None,
        typer.Option(
            "--format",
            "-f",
            metavar="|".join(FORMATS),
            help="Form of the report; default: by the suffix of --check or --output, else html.",
        ),
    ] = None,
    target: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="PATH", help="File for the report.")
    ] = None,
    check: Annotated[
        Path | None,
        typer.Option(
            "--check",
            metavar="FILE",
            help="Make the report again and compare it with FILE, byte for byte.",
        ),
    ] = None,
    site: Annotated[
        Path | None,
        typer.Option(
            "--site",
            metavar="DIR",
            help="Write the newest runs as a folder of pages for any web server.",
        ),
    ] = None,
    config: ConfigOption = None,
    quiet: QuietOption = False,
) -> None:
    """Write the report of a run from its evidence alone: the same run gives the same bytes."""
    here = session(ctx, config, quiet=quiet)
    named = check or target
    fmt = fmt or (form_of(named.name) if named else "") or "html"
    form = FORMATS[choice(fmt, FORMATS, "--format")]
    if site is not None:
        if check is not None or target is not None or run is not None:
            raise ConfigError(
                "--site goes with no --run, --check or --output",
                hint="it writes every page it needs into its own folder",
            )
        done = here.service().reporting.site(site)
        here.output.remark(f"{done.written:,} of {plural(done.files, 'file')} written to {site}")
        return
    if check is not None and target is not None:
        raise ConfigError("--check and --output exclude each other", hint="leave out one of them")
    if target is not None:
        here.service().reporting.check_output(target)
    elif check is None and form.binary and here.output.is_terminal():
        raise ConfigError(f"a {fmt} is no text for a terminal", hint="name a file with --output")
    if check is not None and not check.is_file():
        raise ConfigError(f"--check {check} is not a file", hint="check the name of the file")
    content = here.service().reporting.content(run)
    made = form.render(content)
    where = f"run {content.run.number}: {content.answer.verdict}"
    if check is not None:
        difference = compare(made, _bytes_of(check, len(made) + 1))
        _tell(here.output, check, difference, where, fmt)
    elif target is not None:
        write_bytes(target, made)
        here.output.remark(f"{where}; written to {target}")
    else:
        here.output.binary(made)
        here.output.remark(where)


def _tell(output: Output, file: Path, difference: str, where: str, fmt: str) -> None:
    if not difference:
        output.data(f"✓ {file} is the {fmt} report of {where}\n")
        return
    output.error(f"corpusguard: {file} is not the {fmt} report that the evidence gives")
    output.error(f"  compared with {where}; {difference}")
    output.error("  next: name its run with --run and its form with --format; the report says")
    output.error("  which version made it, and only that one makes the same bytes; licence and")
    output.error("  acknowledgement of each publisher come from its [source], as it is now")
    raise typer.Exit(FINDINGS)


def _bytes_of(path: Path, most: int) -> bytes:
    """Return the file's bytes; of a longer one as many as show that it is longer."""
    try:
        with path.open("rb") as stream:
            return stream.read(most)
    except OSError as error:
        raise ConfigError(
            f"cannot read {path}: {error.strerror or error}", hint="check the name of the file"
        ) from error
