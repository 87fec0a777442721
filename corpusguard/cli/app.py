"""The commands by their names, and the way in; groups add themselves (`add_to` of a module)."""

import copy
import math
import signal
import sys
from types import FrameType
from typing import Annotated, Any, Final

import typer
from typer.core import TyperArgument, TyperGroup

from corpusguard import __version__
from corpusguard.cli import (
    check_answer,
    check_claim,
    check_corpus,
    corpus,
    decisions,
    demo,
    doctor,
    explain,
    history,
    hook,
    ignores,
    keeping,
    keys,
    labels,
    measure_group,
    official,
    report,
    results,
    schedule,
    serve,
    stopping,
    trace,
    verify,
)
from corpusguard.cli.base import (
    READS,
    TERMINATED,
    ConfigOption,
    LogFormatOption,
    QuietOption,
    Session,
    exit_codes,
    guarded,
)
from corpusguard.cli.output import Output


class _Root(TyperGroup):
    """All commands; values are called by the names that we gave them, or by words of a person.

    Typer prints the kind of an argument beside its name, ``NUMBER <int range>``, and says of a
    wrong one that it "is not a valid int range".
    """

    def __init__(self, **settings: Any) -> None:  # noqa: ANN401 - those of typer
        super().__init__(**settings)
        _name_values(self)


_KINDS: Final = {
    "int": "whole number",
    "int range": "whole number",
    "float": "number",
    "float range": "number",
}


def _numbers_only(kind: Any) -> None:  # noqa: ANN401
    """Refuse "nan", which Python reads as a number: it is within every range, and below no bar."""
    convert = kind.convert

    def converted(value: Any, param: Any, ctx: Any) -> float:  # noqa: ANN401
        found: float = convert(value, param, ctx)
        if math.isnan(found):
            kind.fail(f"{value!r} is not a valid number.", param, ctx)
        return found

    kind.convert = converted


def _name_values(command: Any) -> None:  # noqa: ANN401 - typer has a click of its own, private
    for one in command.params:
        one.type = copy.copy(one.type)  # shared with other values
        if one.type.name.startswith("float"):
            _numbers_only(one.type)
        one.type.name = _KINDS.get(one.type.name, one.type.name)
        if isinstance(one, TyperArgument) and one.metavar:
            one.type.get_metavar = lambda **_: ""
    for inner in getattr(command, "commands", {}).values():
        _name_values(inner)


app = typer.Typer(
    name="corpusguard",
    cls=_Root,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(asked: bool) -> None:  # noqa: FBT001 (called by typer)
    if asked:
        Output().data(f"corpusguard {__version__}\n")
        raise typer.Exit


@app.callback(epilog=exit_codes())
def root(
    *,
    ctx: typer.Context,
    config: ConfigOption = None,
    quiet: QuietOption = False,
    log_format: LogFormatOption = None,
    _version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version.", callback=_print_version, is_eager=True
        ),
    ] = False,
) -> None:
    """Prove that a stored legal corpus still says what the official source says."""
    ctx.obj = Session(config, Output(quiet=quiet), log_format)


app.command(
    "demo",
    epilog=exit_codes(
        c0="every planted fault was found, and the clean corpus verified",
        c1="",
        c2="the folder to make is there already",
        c3="",
        c70="the demo did not find what it should, or an internal error",
    ),
)(guarded(demo.demo))
app.command(
    "init",
    epilog=exit_codes(
        c0="written",
        c1="",
        c2="usage error, or the file is there already",
        c3="the store cannot be read",
        c4="the file could not be written",
        c75="",
    ),
)(guarded(corpus.init))
app.command("inspect", epilog=READS)(guarded(corpus.inspect))
app.command(
    "fetch",
    epilog=exit_codes(
        c0="every document in scope was captured or is unchanged",
        c1="",
        c3="a document could not be captured, or none is in scope",
    ),
)(guarded(official.fetch))
app.command("passages", epilog=READS)(guarded(corpus.passages))
app.command(
    "verify",
    epilog=exit_codes(
        c0="every document in scope verified by every requested layer, and at least one; or all "
        "that is wrong with it is ignored or in the baseline",
        c1="findings at or above --fail-on that are neither ignored nor in the baseline",
    ),
)(guarded(verify.verify))
app.command(
    "check-corpus",
    epilog=exit_codes(
        c0="the corpus may be indexed; with --partial: the documents that stand well may",
        c1="findings at or above --fail-on, and nothing passes",
        c3="not verified: no run verified exactly this corpus, too old, or nothing in scope",
        c4="the evidence or the attestation is not what it should be, or a file cannot be written",
        c75="a run is under way",
    ),
)(guarded(check_corpus.check_corpus))
app.command(
    "check-answer",
    epilog=exit_codes(
        c0="every sentence may be shown (or shadow mode)",
        c1="sentences were removed, or the answer is withheld",
        c3="it could not be checked: no run yet, a text that is too old, a corpus that cannot be "
        "read, an answer over a limit, a judge that failed",
        c4="history cannot be read, or the decision could not be stored",
        c75="",
    ),
)(guarded(check_answer.check_answer))
app.command(
    "serve",
    epilog=exit_codes(
        c0="stopped by a signal, and every request had been answered",
        c1="",
        c2="usage or configuration error: an address in use, no token where one is needed, an "
        "extra that is not installed",
        c3="",
        c4="",
        c75="",
    ),
)(guarded(serve.serve))
app.command(
    "mcp",
    epilog=exit_codes(
        c0="the client is done, or a signal came, and every message had been answered",
        c1="",
        c2="usage or configuration error: an extra that is not installed",
        c3="",
        c4="an answer could not be written to standard output",
        c75="",
    ),
)(guarded(serve.mcp))
app.command(
    "status",
    epilog=exit_codes(
        c0="every document's last run verified it, or found nothing but what is ignored or in "
        "the baseline, and none is too old",
        c1="the last run of a document found other violations",
        c3="a document is unverifiable, never verified or too old, or none is in scope",
        c75="",
    ),
)(guarded(results.status))
app.command(
    "report",
    epilog=exit_codes(
        c0="the report was written, whatever it says; --check: the file is this report",
        c1="--check: the file is not what the evidence gives",
        c2="usage or configuration error, or no such run",
        c3="",
        c4="the run's evidence does not hold (CG702, CG701), or the report could not be written",
    ),
)(guarded(report.report))
app.command("diff", epilog=READS)(guarded(results.diff))
app.command(
    "explain",
    epilog=exit_codes(
        c0="shown",
        c1="",
        c2="no such rule or reason",
        c3="",
        c4="",
        c75="",
    ),
)(guarded(explain.explain))
app.command(
    "doctor",
    epilog=exit_codes(
        c0="all checks passed, with or without warnings",
        c1="",
        c3="a check failed",
        c75="",
    ),
)(guarded(doctor.doctor))
app.command(
    "check-claim",
    epilog=exit_codes(
        c0="supported by its source of record, with the residual risk written",
        c1="contradicted by its source, or not found in it",
        c3="not decided: no source of record, escalated to a person, or not consequential",
        c4="the trace could not be written",
        c75="",
    ),
)(guarded(check_claim.check_claim))
measure_group.add_to(app)
trace.add_to(app)
labels.add_to(app)
keys.add_to(app)
hook.add_to(app)
history.add_to(app)
keeping.add_to(official.add_to(app))
decisions.add_to(app)
ignores.add_to(app, results.add_to(app))
schedule.add_to(app)


def run() -> None:
    """Run the command that the arguments name, and exit with its code."""
    if stopping.is_hook(sys.argv[1:]):
        stopping.run_blocking(app)
    signal.signal(signal.SIGTERM, _terminated)
    app()


class Terminated(SystemExit):
    """SIGTERM, as an exception: the run must still be marked as aborted, and locks let go."""

    exit_code = TERMINATED
    """What history records for the run."""


def _terminated(_number: int, _frame: FrameType | None) -> None:
    raise Terminated(TERMINATED)
