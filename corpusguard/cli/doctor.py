"""``corpusguard doctor``."""

import typer

from corpusguard.cli.base import UNVERIFIED, ConfigOption, session
from corpusguard.cli.tables import FormatOption, PlainFormat, table
from corpusguard.report.records import dump

_SIGNS = {True: "✓ ok", False: "✗ failed", None: "! warning"}


def doctor(
    *,
    ctx: typer.Context,
    fmt: FormatOption = PlainFormat.CONSOLE,
    config: ConfigOption = None,
) -> None:
    """Check all that a run needs: configuration, history, snapshots, libraries, disk, clock."""
    here = session(ctx, config, code_tells=True)
    checks = here.service().doctor()
    if fmt is PlainFormat.JSON:
        records = [
            {"name": check.name, "ok": check.ok, "detail": check.detail, "hint": check.hint}
            for check in checks
        ]
        document = {"schema": "corpusguard/doctor/1", "checks": records}
        here.output.data(dump(document, indent=2) + "\n")
    else:
        rows = [(check.name, _SIGNS[check.ok], check.detail, check.hint) for check in checks]
        here.output.page(table(("Check", "Result", "Found", "Next step"), rows))
    if any(check.ok is False for check in checks):
        raise typer.Exit(UNVERIFIED)
