"""``corpusguard verify``."""

from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corpusguard.cli.base import (
    ConfigOption,
    DocOption,
    LogFormatOption,
    QuietOption,
    Session,
    choice,
    config_option,
    session,
)
from corpusguard.cli.progress import progress
from corpusguard.cli.summary import append_summary, summary_file
from corpusguard.errors import ConfigError
from corpusguard.evidence import SealedRun
from corpusguard.model import Layer, RunResult, Severity
from corpusguard.report import FORMATS, console
from corpusguard.report.files import write_file, write_folder
from corpusguard.report.summary import all_findings, tally

if TYPE_CHECKING:
    from corpusguard.config import Config
    from corpusguard.service import Signing


class FailOn(StrEnum):
    """From which severity on findings make the exit code 1."""

    ERROR = "error"
    WARNING = "warning"


def verify(  # noqa: PLR0913 (a command's options are its arguments)
    *,
    ctx: typer.Context,
    doc: DocOption = None,
    layer: Annotated[
        list[str] | None,
        typer.Option("--layer", "-l", metavar="L1,L2,L3", help="Layers to run; default: all."),
    ] = None,
    offline: Annotated[
        bool, typer.Option("--offline", help="Use the newest snapshot; say how old it is.")
    ] = False,
    refetch: Annotated[
        bool,
        typer.Option(
            "--refetch",
            help="Fetch every document, also where the source says that nothing changed.",
        ),
    ] = False,
    formats: Annotated[
        list[str] | None,
        typer.Option(
            "--format",
            "-f",
            metavar="|".join(FORMATS),
            help="Form of the report; may be given several times, with --output.",
        ),
    ] = None,
    target: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="PATH",
            help="File for the report; a folder for several formats.",
        ),
    ] = None,
    fail_on: Annotated[
        FailOn, typer.Option("--fail-on", help="Severity from which on the exit code is 1.")
    ] = FailOn.ERROR,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", metavar="N", min=1, max=64, help="Documents at a time.")
    ] = 1,
    show_all: Annotated[
        bool, typer.Option("--all", help="Show every finding, not the first of each rule.")
    ] = False,
    limit: Annotated[
        int,
        typer.Option(
            "--limit", metavar="N", min=1, help="Findings shown of each rule, on the console."
        ),
    ] = 5,
    step_summary: Annotated[
        bool,
        typer.Option(
            "--step-summary",
            help="Also append the Markdown report to the file that GITHUB_STEP_SUMMARY names.",
        ),
    ] = False,
    notify: Annotated[
        bool | None,
        typer.Option(
            "--notify/--no-notify",
            help="Send a message even if nothing is new, or none; default: if something is new.",
        ),
    ] = None,
    attest: Annotated[
        Path | None,
        typer.Option(
            "--attest", metavar="FILE", help="Write a signed attestation of the run; with --key."
        ),
    ] = None,
    key: Annotated[
        Path | None,
        typer.Option("--key", metavar="KEY", help="Private key for --attest (Ed25519, PEM)."),
    ] = None,
    config: ConfigOption = None,
    quiet: QuietOption = False,
    log_format: LogFormatOption = None,
) -> None:
    """Verify stored passages against the official text, by the three layers."""
    here = session(ctx, config, quiet=quiet, log_format=log_format, code_tells=True)
    if refetch and offline:
        raise ConfigError(
            "--refetch and --offline contradict each other", hint="Leave out one of them."
        )
    layers = _layers(layer or [])
    names = list(dict.fromkeys(choice(name, FORMATS, "--format") for name in formats or []))
    names = names or ["console"]
    if len(names) > 1 and target is None:
        raise ConfigError(
            "several --format need --output",
            hint="Name a folder: each format becomes a file of its own in it.",
        )
    if (attest is None) != (key is None):
        raise ConfigError(
            "--attest and --key go together", hint="`corpusguard keys new FILE` makes a key"
        )
    summary = summary_file() if step_summary else None
    service = here.service()
    signing = _signing(service.config, attest, key)
    _check_target(service.config, names, target, [path for path in (attest, key) if path])
    if notify and service.config.notify is None:
        raise ConfigError("--notify has nobody to tell", hint="Add [notify] to the configuration.")
    if here.log():
        # Lines of JSON, and nothing between them.
        here = replace(here, output=replace(here.output, quiet=True))
    with service.telling(asked=notify) as told:
        with progress(here.output, "verifying") as step:
            result = service.verify(
                documents=tuple(doc or ()),
                layers=layers,
                offline=offline,
                jobs=jobs,
                progress=step,
                refetch=refetch,
            )
        _deliver(here, result, names, target, each=None if show_all else limit)
        if summary is not None:
            append_summary(summary, result)
        if isinstance(result, SealedRun):
            here.output.remark(f"head {result.head} (run {result.run})")
        if signing is not None and attest is not None:
            service.evidence.attest(result.run, signing, attest)
            here.output.remark(f"attested in {attest}, signed by key {signing.keyid}")
        told.ended(result, service.exit_code(result, Severity(fail_on)))
    for problem in told.problems:
        here.output.remark(f"corpusguard: could not tell: {problem}")
    raise typer.Exit(told.exit_code)


def _signing(config: "Config", attest: Path | None, key: Path | None) -> "Signing | None":
    """Read the key and look at the target, so that no run is made that cannot be attested."""
    if attest is None or key is None:
        return None
    from corpusguard.service import (  # noqa: PLC0415 - as Session.service
        Signing,
        check_output,
        is_envelope,
    )

    check_output(config, attest, "--attest", inputs=[key], earlier=is_envelope)
    return Signing(key)


def _check_target(
    config: "Config", names: list[str], target: Path | None, inputs: list[Path]
) -> None:
    """Look at --output, which must be neither what is kept nor what --attest and --key name."""
    if target is None:
        return
    from corpusguard.service import check_output  # noqa: PLC0415 - as Session.service

    several = len(names) > 1
    files = [FORMATS[name].filename for name in names] if several else []
    check_output(config, target, folder=several, names=files, inputs=inputs)


def _layers(asked: list[str]) -> tuple[str, ...]:
    """Return the layers of ``--layer L1,L2 --layer L3``, in their own order; all if none."""
    known = [str(layer) for layer in Layer]
    names = {
        choice(part.strip().upper(), known, "--layer") for text in asked for part in text.split(",")
    }
    return tuple(name for name in known if name in names or not names)


def _deliver(
    here: Session, result: RunResult, names: list[str], target: Path | None, *, each: int | None
) -> None:
    if target is None:
        view = replace(here.output.view(each=each), options=config_option(here.config))
        only = names[0]
        text = console.render(result, view) if only == "console" else FORMATS[only].render(result)
        here.output.data(text)
        return
    plain = console.View(each=each, options=config_option(here.config))
    texts = {
        name: console.render(result, plain) if name == "console" else FORMATS[name].render(result)
        for name in names
    }
    if len(texts) == 1:
        write_file(target, texts[names[0]])
    else:
        write_folder(target, {FORMATS[name].filename: text for name, text in texts.items()})
    here.output.remark(f"{result.verdict}: {tally(all_findings(result))}; written to {target}")
