"""``corpusguard hook skill`` and ``corpusguard measure skill``."""

import asyncio
from typing import Annotated

import typer

from corpusguard.cli.base import FINDINGS, UNVERIFIED, ConfigOption, session
from corpusguard.cli.tables import FormatOption, PlainFormat, table
from corpusguard.gate.skill.files import skill_text
from corpusguard.report.records import dump


def print_skill(*, ctx: typer.Context) -> None:
    """Print the skill verify-claims: save it as skills/verify-claims/SKILL.md of an agent."""
    session(ctx).output.data(skill_text())


def measure_skill(
    *,
    ctx: typer.Context,
    judge: Annotated[
        str,
        typer.Option(
            "--judge",
            metavar="NAME",
            help="Name of a judge in the configuration; default: the cheap tier.",
        ),
    ] = "",
    bar: Annotated[
        float,
        typer.Option(
            "--bar", metavar="SHARE", min=0, max=1, help="Share of each list that must be right."
        ),
    ] = 0.9,
    fmt: FormatOption = PlainFormat.CONSOLE,
    config: ConfigOption = None,
) -> None:
    """Ask a model when it would take up the skill: on what it should, and on what it should not."""
    here = session(ctx, config)
    # Here, not above: --help needs no network client.
    from corpusguard.config import load_judging  # noqa: PLC0415
    from corpusguard.config.gate import judge_named  # noqa: PLC0415
    from corpusguard.gate.judges import make_model  # noqa: PLC0415
    from corpusguard.gate.skill.evaluate import evaluate, skill_record  # noqa: PLC0415

    settings = load_judging(here.config)
    spec = judge_named(settings.judges, judge or settings.gate.cheap, settings.file, "the skill")
    found = asyncio.run(evaluate(make_model(spec, settings.root)))
    rates = [(name, found.rate(wanted=name == "fires")) for name in ("fires", "quiet")]
    if fmt is PlainFormat.JSON:
        here.output.data(dump(skill_record(found), indent=2) + "\n")
    else:
        rows = [
            (name, f"{rate.right} of {rate.total}", f"{rate.share:.0%}", str(rate.errors))
            for name, rate in rates
        ]
        here.output.page(table(("Should", "Right", "Share", "Errors"), rows))
        for one in found.answers:
            if not one.right:
                did = "error" if one.used is None else "fired" if one.used else "quiet"
                here.output.remark(f"{did}: {one.message} {one.error}".rstrip())
    errors = sum(rate.errors for _, rate in rates)
    if not found.measured:
        here.output.error(
            f"nothing was measured: each of {errors} calls ended in an error, the first: "
            f"{found.answers[0].error}\n"
            '  next: see whether the [[judge]] answers and replies {"use": true} or {"use": false}'
        )
        raise typer.Exit(UNVERIFIED)
    if any(rate.share < bar for _, rate in rates):
        raise typer.Exit(FINDINGS)
