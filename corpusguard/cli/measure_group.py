"""The group ``measure``: error rates of the verifier, of a sentence gate and of the skill."""

import typer

from corpusguard.cli import measure, measure_verifier, skill
from corpusguard.cli.base import EACH, exit_codes, guarded

_MAKES = exit_codes(
    c0="written",
    c1="",
    c2="usage error, or a law, draft, sheet or fixture that cannot be used",
    c3="",
    c4="a file could not be written",
    c75="another process is changing the same file",
)
"""Commands that make a fixture."""
_OF_LEDGER = exit_codes(
    c0="done",
    c1="",
    c3="the ledger is empty",
    c4="the ledger is not what was written",
    c75="another process is changing the ledger",
)


def add_to(app: typer.Typer) -> None:
    """Add the group ``measure``."""
    group = typer.Typer(no_args_is_help=True, help="Error rates.")
    gate = typer.Typer(no_args_is_help=True, help="Error rates of a sentence gate.")
    label = typer.Typer(no_args_is_help=True, help="Blind labels of a fixture's sentences.")
    ledger = typer.Typer(no_args_is_help=True, help="Promises and sealed runs, in a chain.")
    gate.command("build", epilog=_MAKES)(guarded(measure.build))
    gate.command("seal", epilog=_MAKES)(guarded(measure.seal))
    label.command("export", epilog=_MAKES)(guarded(measure.export_labels))
    label.command("import", epilog=_MAKES)(guarded(measure.import_labels))
    label.command("audit", epilog=_MAKES)(guarded(measure.import_audit))
    label.command("agreement", epilog=_MAKES)(guarded(measure.show_agreement))
    gate.command(
        "run",
        epilog=exit_codes(
            c0="measured, and every bar held",
            c1="measured, and a bar is broken",
            c2="usage error; a fixture, key, judge or preregistration is wrong or missing; the "
            "folder holds another run; or the design has had its sealed runs",
            c3="no result: most of what was asked ended in an error, or the judge is out of reach",
            c4="ledger or sealed half were changed, or results could not be written",
            c75="another process is at this run, or is changing the ledger",
        ),
    )(guarded(measure.run))
    gate.command(
        "recompute",
        epilog=exit_codes(
            c0="every published figure follows from the verdicts",
            c1="a published figure does not",
            c3="",
            c4="verdicts, fixture or ledger are not what was published",
            c75="",
        ),
    )(guarded(measure.recompute))
    ledger.command("propose", epilog=_OF_LEDGER)(guarded(measure.propose))
    ledger.command("register", epilog=_OF_LEDGER)(guarded(measure.register))
    ledger.command("show", epilog=_OF_LEDGER)(guarded(measure.show_ledger))
    gate.add_typer(label, name="label", epilog=_MAKES)
    gate.add_typer(ledger, name="ledger", epilog=_OF_LEDGER)
    group.add_typer(gate, name="gate", epilog=EACH)
    app.add_typer(group, name="measure", epilog=EACH)
    group.command(
        "verifier",
        epilog=exit_codes(
            c0="measured",
            c1="",
            c3="no row verifies, or rows or official text cannot be read",
            c4="--recompute: the record is not what it was; --output: it could not be written",
            c75="",
        ),
    )(guarded(measure_verifier.verifier))
    group.command(
        "skill",
        epilog=exit_codes(
            c0="measured, and both lists reach the bar",
            c1="measured, and a list is below the bar",
            c3="nothing was measured: every call was an error",
            c4="",
            c75="",
        ),
    )(guarded(skill.measure_skill))
