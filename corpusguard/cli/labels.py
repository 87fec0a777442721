"""``corpusguard labels``: given, measured or guessed, sentence by sentence."""

from dataclasses import asdict
from typing import Annotated

import typer

from corpusguard.cli.base import (
    EACH,
    FINDINGS,
    UNVERIFIED,
    choice,
    exit_codes,
    guarded,
    session,
)
from corpusguard.cli.inputs import InputArgument, read_text
from corpusguard.gate import labels
from corpusguard.report.records import dump
from corpusguard.report.summary import plural
from corpusguard.report.text import safe

FormatOption = Annotated[
    str, typer.Option("--format", metavar="text|json", help="How to print the result.")
]


def check(
    *,
    ctx: typer.Context,
    file: InputArgument,
    allow_guesses: Annotated[
        bool, typer.Option("--allow-guesses", help="Do not hold for words labelled (g).")
    ] = False,
    form: FormatOption = "text",
) -> None:
    """Hold a text whose sentences do not all say how they are known.

    It is held on any guess, on words without a label and on anything wrong with a label. An (m)
    that comes with the text counts for nothing: only the sentence gate assigns it.
    """
    output = session(ctx).output
    choice(form, ("text", "json"), "--format")
    decision = labels.check(read_text(file), allow_guesses=allow_guesses)
    if form == "json":
        record = {"schema": "corpusguard/labels/1", **asdict(decision)}
        output.data(dump(record, indent=1) + "\n")
    else:
        output.data(_shown(decision))
    if labels.Reason.EMPTY in decision.reasons:
        raise typer.Exit(UNVERIFIED)
    if decision.held:
        raise typer.Exit(FINDINGS)


def strip(*, ctx: typer.Context, file: InputArgument) -> None:
    """Print a text without its labels; nothing, where anything is wrong with one."""
    output = session(ctx).output
    read = labels.parse(read_text(file))
    if read.problems:
        for problem in read.problems[:_SHOWN]:
            output.error(f"corpusguard: {problem.fault} at {problem.start}: {problem.message}")
        output.error("  next: correct the labels; stripped as it is, a guess could lose its label")
        raise typer.Exit(FINDINGS)
    if not read.plain.strip():
        output.error("corpusguard: there is no text")
        raise typer.Exit(UNVERIFIED)
    output.data(read.plain)


def prompt(*, ctx: typer.Context) -> None:
    """Print the system prompt that asks a model for these labels."""
    session(ctx).output.data(labels.prompt())


_SHOWN = 20


def _shown(decision: labels.Decision) -> str:
    lines = [
        f"{'held: ' + ', '.join(decision.reasons) if decision.held else 'passes'}"
        f" · {plural(decision.sentences, 'sentence')}"
        + "".join(
            f" · ({kind}) {decision.opened[kind]} opened, {decision.closed[kind]} closed"
            for kind in labels.Kind
        )
    ]
    lines += [
        f"{problem.fault} at {problem.start}: {problem.message}"
        for problem in decision.problems[:_SHOWN]
    ]
    lines += [f"guess: {words}" for words in decision.guesses[:_SHOWN]]
    lines += [f"{one.reason}: {one.words}" for one in decision.bare[:_SHOWN]]
    left = sum(
        max(0, len(many) - _SHOWN) for many in (decision.problems, decision.guesses, decision.bare)
    )
    if left:
        lines.append(f"and {left} more: --format json shows all")
    return "".join(f"{safe(line)}\n" for line in lines)


_OF_LABELS = exit_codes(
    c0="every sentence has a label that counts, and there is at least one",
    c1="held: a guess, words without a label, or something wrong with a label",
    c3="there is no sentence in it",
    c75="",
)


def add_to(app: typer.Typer) -> None:
    """Add the group ``labels``."""
    group = typer.Typer(
        no_args_is_help=True, help="Labels in a sentence: given, measured or guessed."
    )
    group.command("check", epilog=_OF_LABELS)(guarded(check))
    group.command(
        "strip",
        epilog=exit_codes(
            c0="printed",
            c1="something is wrong with a label; nothing printed",
            c3="no text",
            c75="",
        ),
    )(guarded(strip))
    group.command("prompt", epilog=exit_codes(c0="printed", c1="", c3="", c75=""))(guarded(prompt))
    app.add_typer(group, name="labels", epilog=EACH)
