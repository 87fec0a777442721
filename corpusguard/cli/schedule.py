"""``corpusguard schedule``: what runs when, the process that runs it, and files for others."""

import os
import shlex
import shutil
import sys
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from corpusguard import logs
from corpusguard.cli.base import (
    EACH,
    READS,
    ConfigOption,
    LogFormatOption,
    QuietOption,
    Session,
    choice,
    exit_codes,
    guarded,
    session,
)
from corpusguard.cli.tables import FormatOption, PlainFormat, table
from corpusguard.errors import ConfigError
from corpusguard.report.files import write_folder
from corpusguard.report.records import dump
from corpusguard.report.summary import span
from corpusguard.schedule import TARGETS, After, CatchUp, Place

if TYPE_CHECKING:
    from corpusguard.config import Config
    from corpusguard.schedule import Schedule
    from corpusguard.service.schedules import Plan, Schedules

NameOption = Annotated[
    list[str] | None,
    typer.Option("--name", metavar="NAME", help="A schedule; default: all."),
]


def list_schedules(
    *,
    ctx: typer.Context,
    fmt: FormatOption = PlainFormat.CONSOLE,
    config: ConfigOption = None,
) -> None:
    """List the schedules: when they run, when they last ran, when they run next."""
    here = session(ctx, config)
    plans = _schedules(here).plans()
    if fmt is PlainFormat.JSON:
        records = [_record(plan) for plan in plans]
        document = {"schema": "corpusguard/schedules/1", "schedules": records}
        here.output.data(dump(document, indent=2) + "\n")
        return
    if not plans:
        here.output.remark('none; add schedules = ["schedules/nightly.toml"] to [corpusguard]')
        return
    heads = ("Schedule", "When", "Missed run", "Last run, UTC", "Next run")
    here.output.page(table(heads, [_row(plan) for plan in plans]))


def next_runs(
    *,
    ctx: typer.Context,
    name: NameOption = None,
    count: Annotated[
        int,
        typer.Option("--count", "-n", metavar="N", min=1, max=1000, help="Runs of each schedule."),
    ] = 5,
    fmt: FormatOption = PlainFormat.CONSOLE,
    config: ConfigOption = None,
) -> None:
    """Show when the next runs begin, with their jitter, in local time and in UTC."""
    here = session(ctx, config)
    schedules = _schedules(here)
    schedules.required(name or ())
    runs = sorted(
        (moment, plan.schedule)
        for plan in schedules.plans(name or (), count)
        for moment in plan.following
    )
    if fmt is PlainFormat.JSON:
        records = [{"schedule": one.name, "begins": _iso(moment)} for moment, one in runs]
        here.output.data(dump({"schema": "corpusguard/next/1", "runs": records}, indent=2) + "\n")
        return
    rows = [(one.name, _local(one, moment), _iso(moment)) for moment, one in runs]
    here.output.page(table(("Schedule", "Begins", "UTC"), rows))


def run(  # noqa: PLR0913 (a command's options are its arguments)
    *,
    ctx: typer.Context,
    once: Annotated[
        bool, typer.Option("--once", help="Run what is due now, then exit with the worst code.")
    ] = False,
    now: Annotated[
        bool,
        typer.Option("--now", help="Run once whether due or not: for an outside scheduler."),
    ] = False,
    name: NameOption = None,
    log_format: LogFormatOption = None,
    config: ConfigOption = None,
    quiet: QuietOption = False,
) -> None:
    """Run schedules when they are due, until stopped; a run missed before is made up for."""
    from corpusguard.service.daemon import Daemon  # noqa: PLC0415 - loads APScheduler

    # Also at a terminal: what a daemon does is all that there is to see of it.
    form = log_format or os.environ.get(logs.VARIABLE) or logs.Format.CONSOLE
    here = session(ctx, config, quiet=quiet, log_format=form)
    here.log()
    schedules = _schedules(here)
    chosen = schedules.required(name or ())
    if once or now:
        raise typer.Exit(schedules.run_once(name or (), forced=now))
    daemon = Daemon(schedules, chosen)
    try:
        daemon.serve()
    except (SystemExit, KeyboardInterrupt):
        if daemon.busy:
            raise
        # Nothing was under way, so nothing was lost: a clean stop.
        logs.get_logger().info("stopped")


def export(  # noqa: PLR0913 (a command's options are its arguments)
    *,
    ctx: typer.Context,
    tool: Annotated[str, typer.Argument(metavar="|".join(TARGETS), help="Whom to write for.")],
    name: NameOption = None,
    target: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FOLDER", help="Write the files there; made if it is new."
        ),
    ] = None,
    program: Annotated[
        str | None,
        typer.Option(
            "--program", metavar="COMMAND", help="What starts corpusguard there; default: as here."
        ),
    ] = None,
    data: Annotated[
        str | None,
        typer.Option(
            "--data", metavar="FOLDER", help="Folder of corpusguard.toml there; default: as here."
        ),
    ] = None,
    image: Annotated[
        str, typer.Option("--image", metavar="IMAGE", help="Kubernetes: the container image.")
    ] = "corpusguard:latest",
    config: ConfigOption = None,
    quiet: QuietOption = False,
) -> None:
    """Print the files that make cron, systemd, Kubernetes or GitHub Actions start the runs."""
    here = session(ctx, config, quiet=quiet)
    from corpusguard.service import check_output  # noqa: PLC0415 - as Session.service

    render = TARGETS[choice(tool, TARGETS, "export")]
    schedules = _schedules(here)
    chosen = schedules.required(name or ())
    root, words = _there(schedules.config, tool, program, data)
    files: dict[str, str] = {}
    for schedule in chosen:
        files |= render(schedule, _place(schedules.config, schedule, root, words, image))
    if target is None:
        # "#" begins a comment in each of these formats.
        here.output.data("".join(f"# file: {each}\n{text}\n" for each, text in files.items()))
        return
    check_output(schedules.config, target, folder=True, names=files)
    write_folder(target, files)
    for each in files:
        here.output.remark(f"written: {target / each}")


def _schedules(here: Session) -> "Schedules":
    from corpusguard.config import load_config  # noqa: PLC0415 - as in base.Session
    from corpusguard.service.schedules import Schedules  # noqa: PLC0415

    return Schedules(load_config(here.config))


def _there(
    config: "Config", tool: str, program: str | None, data: str | None
) -> tuple[str, tuple[str, ...]]:
    """Return where the configuration's folder is on that machine, and what starts corpusguard."""
    words: tuple[str, ...]
    if tool in _ELSEWHERE:
        usual, words = _ELSEWHERE[tool], ("corpusguard",)
    else:
        found = shutil.which("corpusguard")
        usual, words = (
            str(config.root),
            (found,) if found else (sys.executable, "-m", "corpusguard"),
        )
    if program is not None:
        try:
            words = tuple(shlex.split(program))
        except ValueError as error:
            raise ConfigError(f"--program {program!r}: {error}", hint="close the quotes") from error
    if not words:
        raise ConfigError(
            "--program names nothing", hint="name the program that starts corpusguard"
        )
    return (data or usual), words


def _place(
    config: "Config", schedule: "Schedule", root: str, program: tuple[str, ...], image: str
) -> Place:
    """Return where the exported files will find things: what lies in our root lies in theirs."""
    from corpusguard.notify.told import told_path  # noqa: PLC0415 - it brings history along

    def moved(path: Path) -> str:
        inside = path.is_relative_to(config.root)
        return str(PurePosixPath(root, path.relative_to(config.root))) if inside else str(path)

    written = [config.history.parent, config.snapshots, config.root / schedule.reports]
    if config.metrics is not None:
        written.append(config.metrics.path.parent)
    return Place(
        program=program,
        config=moved(config.file),
        writable=tuple(dict.fromkeys(map(moved, written))),
        # The paths and their order are those of the action's input `state`: a cache is found by
        # them too, and the action's gate must find what these nights kept.
        kept=tuple(map(moved, (config.history, told_path(config.history), config.snapshots))),
        reports=moved(config.root / schedule.reports) if After.REPORT in schedule.after else "",
        variables=_variables(config, schedule),
        extras=("notify",) if config.notify and After.NOTIFY in schedule.after else (),
        image=image,
    )


def _variables(config: "Config", schedule: "Schedule") -> tuple[str, ...]:
    """Return the variables that a run of ``schedule`` reads."""
    from corpusguard.config import run_variables  # noqa: PLC0415 - as in base.Session

    names = [*run_variables(config)]
    if config.notify and After.NOTIFY in schedule.after:
        names += config.notify.channels
    if config.ping and After.PING in schedule.after:
        names.append(config.ping.variable)
    return tuple(dict.fromkeys(names))


def _record(plan: "Plan") -> dict[str, Any]:
    one, last = plan.schedule, plan.last
    return {
        "name": one.name,
        "cron": one.cron,
        "timezone": one.zone.key,
        "corpora": list(one.corpora),
        "documents": list(one.documents),
        "layers": list(one.layers),
        "offline": one.offline,
        "catch_up": str(one.catch_up),
        "catch_up_within_seconds": int(one.catch_up_within.total_seconds()),
        "jitter_seconds": int(one.jitter.total_seconds()),
        "after": [str(action) for action in one.after],
        "due": plan.due is not None,
        "next": _iso(plan.following[0]) if plan.following else None,
        "last": None
        if last is None
        else {
            "run": last.run,
            "state": str(last.state),
            "started": last.started,
            "verdict": None if last.verdict is None else str(last.verdict),
            "exit_code": last.exit_code,
        },
    }


def _row(plan: "Plan") -> tuple[str | tuple[str, ...], ...]:
    one, last = plan.schedule, plan.last
    spread = f"up to {span(one.jitter.total_seconds())} later" if one.jitter else ""
    missed = (
        f"made up for within {span(one.catch_up_within.total_seconds())}"
        if one.catch_up is CatchUp.ONCE
        else "left out"
    )
    following = _local(one, plan.following[0]) if plan.following else "never"
    return (
        (one.name, ", ".join([*one.corpora, *one.documents]) or "everything"),
        (one.cron, one.zone.key, spread),
        missed,
        (last.started[:16].replace("T", " "), f"run {last.run}: {last.verdict or last.state}")
        if last
        else "never",
        ("due now", following) if plan.due else following,
    )


def _local(schedule: "Schedule", moment: datetime) -> str:
    return moment.astimezone(schedule.zone).strftime("%a %Y-%m-%d %H:%M:%S %Z")


def _iso(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


_ELSEWHERE: Final = {"kubernetes": "/corpusguard", "github": "."}
"""Tools whose runs are on other machines -> where the configuration's folder is on them."""


def add_to(app: typer.Typer) -> None:
    """Add the group ``schedule``."""
    group = typer.Typer(no_args_is_help=True, help="Runs by the clock.")
    group.command("list", epilog=READS)(guarded(list_schedules))
    group.command("next", epilog=READS)(guarded(next_runs))
    group.command(
        "run",
        epilog=exit_codes(
            c0="stopped while nothing was under way; --once: all that was due was verified, or "
            "nothing was due",
            c75="another run holds the lock, or another `schedule run` serves this history",
        ),
    )(guarded(run))
    group.command(
        "export",
        epilog=exit_codes(c0="written", c1="", c3="", c4="a file could not be written", c75=""),
    )(guarded(export))
    app.add_typer(group, name="schedule", epilog=EACH)
