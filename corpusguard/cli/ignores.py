"""``corpusguard findings ignore``, ``ignores`` and ``baseline``: what does not count, and why."""

from dataclasses import asdict
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any

import typer

from corpusguard.cli.base import (
    EACH,
    READS,
    ConfigOption,
    QuietOption,
    RunOption,
    config_option,
    exit_codes,
    guarded,
    session,
)
from corpusguard.cli.tables import FormatOption, PlainFormat, table
from corpusguard.errors import ConfigError
from corpusguard.report.records import dump
from corpusguard.report.summary import plural
from corpusguard.report.text import clip

if TYPE_CHECKING:
    from corpusguard.ignores import Entry
    from corpusguard.service.ignoring import KnownEntry, Listed

_SHOWN = 400
"""Code points of a reason in a table."""

WriteOption = Annotated[
    bool, typer.Option("--yes", help="Change the file; without it, only say what would go.")
]


def ignore(  # noqa: PLR0913 (a command's options are its arguments)
    *,
    ctx: typer.Context,
    fingerprint: Annotated[
        str, typer.Argument(metavar="FINGERPRINT", help="A fingerprint, or its beginning.")
    ],
    reason: Annotated[
        str, typer.Option("--reason", metavar="TEXT", help="Why the finding may stand.")
    ],
    owner: Annotated[str, typer.Option("--owner", metavar="NAME", help="Who answers for that.")],
    expires: Annotated[
        str | None,
        typer.Option(
            "--expires",
            metavar="YYYY-MM-DD",
            help="Last day on which it applies, UTC; default and limit: `ignore_days` from today.",
        ),
    ] = None,
    config: ConfigOption = None,
    quiet: QuietOption = False,
) -> None:
    """Take a finding out of the exit code, for a time; nothing is verified on its account."""
    here = session(ctx, config, quiet=quiet)
    service = here.service()
    found, renewed = service.ignoring.ignore(fingerprint, reason, owner, _day(expires))
    here.output.data(f"{found.entry.fingerprint}\n")
    did = "renewed" if renewed else "ignored"
    here.output.remark(
        f"{found.entry.rule} of {found.entry.document} is {did} until {found.expires}, or until "
        f"either text moves; written to {service.config.ignore_file}"
    )
    here.output.remark(f"next: corpusguard verify{config_option(here.config)}")


def list_ignores(
    *,
    ctx: typer.Context,
    fmt: FormatOption = PlainFormat.CONSOLE,
    config: ConfigOption = None,
) -> None:
    """List the ignores, and how each stands against the newest results."""
    here = session(ctx, config)
    listed = here.service().ignoring.ignores()
    if fmt is PlainFormat.JSON:
        records = [_ignore_record(one) for one in listed]
        text = dump({"schema": "corpusguard/ignores/1", "ignores": records}, indent=2)
        here.output.data(text + "\n")
        return
    heads = ("Fingerprint", "Finding", "Until", "Owner, reason", "State")
    rows = [
        (
            one.ignore.entry.fingerprint,
            _about(one.ignore.entry),
            one.ignore.expires,
            (one.ignore.owner, clip(one.ignore.reason, _SHOWN)),
            _state(one),
        )
        for one in listed
    ]
    here.output.page(table(heads, rows) if rows else "Nothing is ignored.")


def prune_ignores(
    *,
    ctx: typer.Context,
    yes: WriteOption = False,
    fmt: FormatOption = PlainFormat.CONSOLE,
    config: ConfigOption = None,
    quiet: QuietOption = False,
) -> None:
    """Take out ignores that expired, match no finding, or whose texts have moved."""
    here = session(ctx, config, quiet=quiet)
    service = here.service()
    gone = service.ignoring.prune(write=yes)
    if fmt is PlainFormat.JSON:
        records = [_ignore_record(one) for one in gone]
        here.output.data(dump({"schema": "corpusguard/ignores/1", "ignores": records}) + "\n")
    else:
        lines = [f"{one.ignore.entry.fingerprint}  {one.why}\n" for one in gone]
        here.output.data("".join(lines))
    here.output.remark(f"{plural(len(gone), 'ignore')} {_did(write=yes)}")
    if yes and gone and not service.ignoring.ignores():
        file = service.config.ignore_file
        left = "holds comments alone and was kept" if file.exists() else "was removed"
        here.output.remark(f"nothing is ignored any more: {file} {left}")


def create_baseline(
    *,
    ctx: typer.Context,
    run: RunOption = None,
    config: ConfigOption = None,
    quiet: QuietOption = False,
) -> None:
    """Take note of all that is wrong today; from then on only what is new fails."""
    here = session(ctx, config, quiet=quiet)
    service = here.service()
    created = service.ignoring.create_baseline(run)
    baseline = created.baseline
    here.output.data(f"{service.config.baseline_file}\n")
    here.output.remark(
        f"{plural(len(baseline.entries), 'finding')} of run {baseline.run} known; none of their "
        "passages is verified, and the gate lets none through"
    )
    for finding, why in created.left_out[:5]:
        here.output.remark(f"left out: {finding.rule} {clip(finding.message, 120)}: {why}")
    if len(created.left_out) > 5:
        here.output.remark(f"and {len(created.left_out) - 5} more left out")
    here.output.remark("next: read the file, let it be reviewed, and commit it")


def list_baseline(
    *,
    ctx: typer.Context,
    fmt: FormatOption = PlainFormat.CONSOLE,
    config: ConfigOption = None,
) -> None:
    """List the baseline, and what of it is resolved by the newest results."""
    here = session(ctx, config)
    entries = here.service().ignoring.baseline()
    gone = [one for one in entries if one.why]
    if fmt is PlainFormat.JSON:
        records = [_entry_record(one) for one in entries]
        text = dump({"schema": "corpusguard/baseline-state/1", "findings": records}, indent=2)
        here.output.data(text + "\n")
    else:
        heads = ("Fingerprint", "Finding", "State")
        rows = [
            (one.entry.fingerprint, _about(one.entry), one.why or "known")
            for one in sorted(entries, key=lambda one: not one.why)
        ]
        here.output.page(table(heads, rows) if rows else "The baseline is empty.")
    here.output.remark(
        f"{len(entries) - len(gone):,} known, {len(gone):,} that `corpusguard baseline update` "
        "would take out"
    )


def update_baseline(
    *,
    ctx: typer.Context,
    yes: WriteOption = False,
    fmt: FormatOption = PlainFormat.CONSOLE,
    config: ConfigOption = None,
    quiet: QuietOption = False,
) -> None:
    """Take out of the baseline what is resolved, or has moved; nothing is ever added."""
    here = session(ctx, config, quiet=quiet)
    service = here.service()
    gone, left = service.ignoring.update_baseline(write=yes)
    if fmt is PlainFormat.JSON:
        records = [_entry_record(one) for one in gone]
        record: dict[str, Any] = {"schema": "corpusguard/baseline-state/1", "findings": records}
        here.output.data(dump(record | {"left": left if yes else left + len(gone)}) + "\n")
    else:
        lines = [f"{one.entry.fingerprint}  {one.entry.rule}  {one.why}\n" for one in gone]
        here.output.data("".join(lines))
    here.output.remark(f"{plural(len(gone), 'finding')} {_did(write=yes)}, {left:,} left")
    if yes and not left:
        file = service.config.baseline_file
        here.output.remark(f"nothing is known of before any more: {file} was removed")


def _did(*, write: bool) -> str:
    return "taken out" if write else "would be taken out (--yes does)"


def _day(text: str | None) -> date | None:
    if text is None:
        return None
    try:
        if len(text) == len("2026-01-31"):
            return date.fromisoformat(text)
    except ValueError:
        pass
    raise ConfigError(f"--expires {text[:40]!r} is no day", hint="Write it as 2026-01-31.")


def _about(entry: "Entry") -> tuple[str, ...]:
    section = f"s. {entry.section}" if entry.section else ""
    return (f"{entry.rule} {entry.document}", " ".join(filter(None, (section, entry.passage))))


def _state(one: "Listed") -> str:
    if one.applies:
        return "applies"
    return one.why or "not looked for yet"


def _ignore_record(one: "Listed") -> dict[str, Any]:
    """Return an ignore as JSON: the keys of the file, and how it stands."""
    ignore = one.ignore
    return {
        **asdict(ignore.entry),
        "reason": ignore.reason,
        "owner": ignore.owner,
        "written": ignore.written,
        "expires": ignore.expires,
        "applies": one.applies,
        "why": one.why,
    }


def _entry_record(one: "KnownEntry") -> dict[str, Any]:
    return {**asdict(one.entry), "known": not one.why, "why": one.why}


_OF_LISTS = exit_codes(c0="done", c1="", c3="", c4="a file could not be written")


def add_to(app: typer.Typer, findings: typer.Typer) -> None:
    """Add ``findings ignore`` and the groups ``ignores`` and ``baseline``."""
    group = typer.Typer(no_args_is_help=True, help="Findings that do not count, for a time.")
    baseline = typer.Typer(no_args_is_help=True, help="Findings known when a corpus was adopted.")
    findings.command(
        "ignore",
        epilog=exit_codes(
            c0="written",
            c1="",
            c2="usage error, no such finding, or one that can never be ignored",
            c3="",
            c4="the file could not be written",
        ),
    )(guarded(ignore))
    group.command("list", epilog=READS)(guarded(list_ignores))
    group.command("prune", epilog=_OF_LISTS)(guarded(prune_ignores))
    baseline.command(
        "create",
        epilog=exit_codes(
            c0="written",
            c1="",
            c2="usage error, a baseline is there already, or there is nothing to put into one",
            c3="",
            c4="the file could not be written",
        ),
    )(guarded(create_baseline))
    baseline.command("list", epilog=READS)(guarded(list_baseline))
    baseline.command("update", epilog=_OF_LISTS)(guarded(update_baseline))
    app.add_typer(group, name="ignores", epilog=EACH)
    app.add_typer(baseline, name="baseline", epilog=EACH)
