"""The commands by their names, and the way in."""

import signal
from types import FrameType
from typing import Annotated

import typer

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
    measure,
    measure_verifier,
    official,
    report,
    results,
    schedule,
    serve,
    skill,
    trace,
    verify,
)
from corpusguard.cli.base import (
    TERMINATED,
    ConfigOption,
    LogFormatOption,
    QuietOption,
    Session,
    exit_codes,
    guarded,
)
from corpusguard.cli.output import Output

app = typer.Typer(
    name="corpusguard",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
_snapshots = typer.Typer(no_args_is_help=True, help="Captured official renditions.")
_findings = typer.Typer(no_args_is_help=True, help="Findings, as history knows them.")
_ignores = typer.Typer(no_args_is_help=True, help="Findings that do not count, for a time.")
_baseline = typer.Typer(no_args_is_help=True, help="Findings known when a corpus was adopted.")
_history = typer.Typer(no_args_is_help=True, help="The evidence of runs, sealed in a chain.")
_labels = typer.Typer(
    no_args_is_help=True, help="Labels in a sentence: given, measured or guessed."
)
_trace = typer.Typer(
    no_args_is_help=True, help="Which claims an answer cites, and why it drops the others."
)
_keys = typer.Typer(no_args_is_help=True, help="Keys that sign attestations.")
_decisions = typer.Typer(no_args_is_help=True, help="What the sentence gate decided.")
_hook = typer.Typer(no_args_is_help=True, help="What an agent calls before it acts.")
_schedule = typer.Typer(no_args_is_help=True, help="Runs by the clock.")
_measure = typer.Typer(no_args_is_help=True, help="Error rates.")
_measure_gate = typer.Typer(no_args_is_help=True, help="Error rates of a sentence gate.")
_label = typer.Typer(no_args_is_help=True, help="Blind labels of a fixture's sentences.")
_ledger = typer.Typer(no_args_is_help=True, help="Promises and sealed runs, in a chain.")

_READS = exit_codes(
    c0="done", c1="", c3="a document, snapshot or stored passage cannot be read", c75="", c4=""
)
"""Commands that only read: they neither judge nor store."""


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
app.command("inspect", epilog=_READS)(guarded(corpus.inspect))
app.command(
    "fetch",
    epilog=exit_codes(
        c0="every document in scope was captured or is unchanged",
        c1="",
        c3="a document could not be captured, or none is in scope",
    ),
)(guarded(official.fetch))
app.command("passages", epilog=_READS)(guarded(corpus.passages))
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
        c3="it could not be checked: no run yet, or none for too long, a corpus that cannot be "
        "read, an answer over a limit, a judge that failed",
        c4="history cannot be read, or the decision could not be stored",
        c75="",
    ),
)(guarded(check_answer.check_answer))
_SERVES = exit_codes(
    c0="stopped by a signal, and every request had been answered",
    c1="",
    c2="usage or configuration error: an address in use, no token where one is needed, an extra "
    "that is not installed",
    c3="",
    c4="",
    c75="",
)
app.command("serve", epilog=_SERVES)(guarded(serve.serve))
app.command("mcp", epilog=_SERVES)(guarded(serve.mcp))
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
app.command("diff", epilog=_READS)(guarded(results.diff))
app.command(
    "explain",
    epilog=exit_codes(
        c0="shown",
        c1="",
        c2="no such rule",
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
_snapshots.command("list", epilog=_READS)(guarded(official.list_snapshots))
_snapshots.command("show", epilog=_READS)(guarded(official.show_snapshot))
_snapshots.command(
    "add",
    epilog=exit_codes(
        c0="stored",
        c1="",
        c3="the file cannot be read, or is not that document",
    ),
)(guarded(official.add_snapshot))
_snapshots.command(
    "verify",
    epilog=exit_codes(
        c0="every record and every object is whole, and there is at least one",
        c1="",
        c3="no snapshot is stored",
        c4="a snapshot or record is gone or altered (CG701)",
        c75="",
    ),
)(guarded(keeping.verify_snapshots))
_snapshots.command(
    "prune",
    epilog=exit_codes(
        c0="deleted, or shown what would be",
        c1="",
        c3="",
        c4="the store or history is damaged, or a file could not be deleted",
    ),
)(guarded(keeping.prune_snapshots))
_snapshots.command(
    "export",
    epilog=exit_codes(
        c0="written",
        c1="",
        c3="",
        c4="a snapshot is gone or altered, or the file could not be written",
        c75="",
    ),
)(guarded(keeping.export_snapshots))
_snapshots.command(
    "import",
    epilog=exit_codes(
        c0="every capture of the file is in the store",
        c1="",
        c3="bytes are not the document that their record names",
        c4="the file is damaged, or a capture could not be stored",
    ),
)(guarded(keeping.import_snapshots))
_findings.command("list", epilog=_READS)(guarded(results.list_findings))
_findings.command("show", epilog=_READS)(guarded(results.show_finding))
_findings.command(
    "ignore",
    epilog=exit_codes(
        c0="written",
        c1="",
        c2="usage error, no such finding, or one that can never be ignored",
        c3="",
        c4="the file could not be written",
    ),
)(guarded(ignores.ignore))
_OF_LISTS = exit_codes(c0="done", c1="", c3="", c4="a file could not be written")
_ignores.command("list", epilog=_READS)(guarded(ignores.list_ignores))
_ignores.command("prune", epilog=_OF_LISTS)(guarded(ignores.prune_ignores))
_baseline.command(
    "create",
    epilog=exit_codes(
        c0="written",
        c1="",
        c2="usage error, a baseline is there already, or there is nothing to put into one",
        c3="",
        c4="the file could not be written",
    ),
)(guarded(ignores.create_baseline))
_baseline.command("list", epilog=_READS)(guarded(ignores.list_baseline))
_baseline.command("update", epilog=_OF_LISTS)(guarded(ignores.update_baseline))
_OF_DECISIONS = exit_codes(
    c0="shown",
    c1="",
    c2="usage error, or no such decision",
    c3="",
    c4="history is not what it was, or cannot be read",
    c75="",
)
_decisions.command("list", epilog=_OF_DECISIONS)(guarded(decisions.list_decisions))
_decisions.command("show", epilog=_OF_DECISIONS)(guarded(decisions.show_decision))
_schedule.command("list", epilog=_READS)(guarded(schedule.list_schedules))
_schedule.command("next", epilog=_READS)(guarded(schedule.next_runs))
_schedule.command(
    "run",
    epilog=exit_codes(
        c0="stopped while nothing was under way; --once: all that was due was verified, or nothing "
        "was due",
        c75="another run holds the lock, or another `schedule run` serves this history",
    ),
)(guarded(schedule.run))
_schedule.command(
    "export",
    epilog=exit_codes(c0="written", c1="", c3="", c4="a file could not be written", c75=""),
)(guarded(schedule.export))
_history.command(
    "verify",
    epilog=exit_codes(
        c0="all is as it was sealed, and at least one run is",
        c1="",
        c3="no run has been sealed",
        c4="history or its evidence is not what it was (CG702, CG701), or cannot be read",
    ),
)(guarded(history.verify))
_OF_HISTORY = exit_codes(
    c0="done",
    c1="",
    c2="usage error, or no such run, document or passage",
    c3="",
    c4="history is not what it was, or cannot be read",
    c75="",
)
_history.command("head", epilog=_OF_HISTORY)(guarded(history.head))
_history.command(
    "anchor",
    epilog=exit_codes(
        c0="done",
        c1="",
        c2="usage error, or git refused",
        c3="",
        c4="git cannot be run, or no usable timestamp came",
        c75="",
    ),
)(guarded(history.anchor))
_history.command("prove", epilog=_OF_HISTORY)(guarded(history.prove))
_MAKES = exit_codes(
    c0="written",
    c1="",
    c2="usage error, or a law, draft, sheet or fixture that cannot be used",
    c3="",
    c4="a file could not be written",
    c75="another process is changing the same file",
)
"""Commands that make a fixture."""
_measure_gate.command("build", epilog=_MAKES)(guarded(measure.build))
_measure_gate.command("seal", epilog=_MAKES)(guarded(measure.seal))
_label.command("export", epilog=_MAKES)(guarded(measure.export_labels))
_label.command("import", epilog=_MAKES)(guarded(measure.import_labels))
_label.command("audit", epilog=_MAKES)(guarded(measure.import_audit))
_label.command("agreement", epilog=_MAKES)(guarded(measure.show_agreement))
_measure_gate.command(
    "run",
    epilog=exit_codes(
        c0="measured, and every bar held",
        c1="measured, and a bar is broken",
        c2="usage error; a fixture, key or preregistration is wrong or missing; or the design has "
        "had its sealed runs",
        c3="nothing was measured: every decision was an error",
        c4="ledger or sealed half were changed, or results could not be written",
        c75="another process is changing the ledger",
    ),
)(guarded(measure.run))
_measure_gate.command(
    "recompute",
    epilog=exit_codes(
        c0="every published figure follows from the verdicts",
        c1="a published figure does not",
        c3="",
        c4="verdicts, fixture or ledger are not what was published",
        c75="",
    ),
)(guarded(measure.recompute))
_OF_LEDGER = exit_codes(
    c0="done",
    c1="",
    c3="the ledger is empty",
    c4="the ledger is not what was written",
    c75="another process is changing the ledger",
)
_ledger.command("propose", epilog=_OF_LEDGER)(guarded(measure.propose))
_ledger.command("register", epilog=_OF_LEDGER)(guarded(measure.register))
_ledger.command("show", epilog=_OF_LEDGER)(guarded(measure.show_ledger))
_measure_gate.add_typer(_label, name="label", epilog=_MAKES)
_measure_gate.add_typer(_ledger, name="ledger", epilog=_OF_LEDGER)
_measure.add_typer(_measure_gate, name="gate", epilog=exit_codes())
_measure.command(
    "verifier",
    epilog=exit_codes(
        c0="measured",
        c1="",
        c3="no row verifies, or rows or official text cannot be read",
        c4="--recompute: the record is not what it was; --output: it could not be written",
        c75="",
    ),
)(guarded(measure_verifier.verifier))
_measure.command(
    "skill",
    epilog=exit_codes(
        c0="measured, and both lists reach the bar",
        c1="measured, and a list is below the bar",
        c3="nothing was measured: every call was an error",
        c4="",
        c75="",
    ),
)(guarded(skill.measure_skill))
app.add_typer(_measure, name="measure", epilog=exit_codes())
_OF_LABELS = exit_codes(
    c0="every sentence has a label that counts, and there is at least one",
    c1="held: a guess, words without a label, or something wrong with a label",
    c3="there is no sentence in it",
    c75="",
)
_labels.command("check", epilog=_OF_LABELS)(guarded(labels.check))
_labels.command(
    "strip",
    epilog=exit_codes(
        c0="printed", c1="something is wrong with a label; nothing printed", c3="no text", c75=""
    ),
)(guarded(labels.strip))
_labels.command("prompt", epilog=exit_codes(c0="printed", c1="", c3="", c75=""))(
    guarded(labels.prompt)
)
_OF_TRACE = exit_codes(
    c0="every claim of every run is cited or dropped for a reason, and there is at least one",
    c1="a claim is unaccounted for, or a marker or a drop is wrong",
    c3="no run, or a run that no claim entered",
    c75="",
)
_trace.command("check", epilog=_OF_TRACE)(guarded(trace.check))
_trace.command("report", epilog=_OF_TRACE)(guarded(trace.report))
_trace.command(
    "label",
    epilog=exit_codes(
        c0="written", c1="", c3="no claim", c4="the sheet could not be written", c75=""
    ),
)(guarded(trace.label))
_trace.command(
    "agree",
    epilog=exit_codes(
        c0="kappa is known, and not below --at-least",
        c1="kappa is below --at-least",
        c3="kappa is undefined: no shared item, or one label throughout",
        c75="",
    ),
)(guarded(trace.agree))
app.add_typer(_trace, name="trace", epilog=_OF_TRACE)
app.add_typer(_labels, name="labels", epilog=_OF_LABELS)
_KEYS = exit_codes(
    c0="written", c1="", c2="usage error, or the file is there already", c3="", c75=""
)
_keys.command("new", epilog=_KEYS)(guarded(keys.new))
app.add_typer(_keys, name="keys", epilog=_KEYS)
_OF_HOOK = exit_codes(
    c0="the write may go on to the user's own prompts",
    c1="",
    c2="blocked: a claim is not verified, or anything went wrong; no other code is ever returned",
    c3="",
    c4="",
    c70="",
    c75="",
    c130="",
)
_hook.command("memory-write", epilog=_OF_HOOK)(hook.blocking(hook.memory_write))
_hook.command("skill", epilog=exit_codes(c0="printed", c1="", c2="usage error", c3="", c75=""))(
    guarded(skill.print_skill)
)
app.add_typer(_hook, name="hook", epilog=_OF_HOOK)
app.add_typer(_history, name="history", epilog=_OF_HISTORY)
app.add_typer(_snapshots, name="snapshots", epilog=_READS)
app.add_typer(_decisions, name="decisions", epilog=_OF_DECISIONS)
app.add_typer(_findings, name="findings", epilog=_READS)
app.add_typer(_ignores, name="ignores", epilog=_OF_LISTS)
app.add_typer(_baseline, name="baseline", epilog=_OF_LISTS)
app.add_typer(_schedule, name="schedule", epilog=exit_codes())


def run() -> None:
    """Run the command that the arguments name, and exit with its code."""
    signal.signal(signal.SIGTERM, _terminated)
    app()


class Terminated(SystemExit):
    """SIGTERM, as an exception: the run must still be marked as aborted, and locks let go."""

    exit_code = TERMINATED
    """What history records for the run."""


def _terminated(_number: int, _frame: FrameType | None) -> None:
    raise Terminated(TERMINATED)
