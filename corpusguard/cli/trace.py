"""``corpusguard trace``: which claims an answer cites, and why it leaves the others out."""

from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

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
from corpusguard.cli.inputs import InputArgument, read_rows
from corpusguard.cli.output import Output
from corpusguard.errors import ConfigError
from corpusguard.gate import trace
from corpusguard.report.files import check_target, write_file
from corpusguard.report.records import dump
from corpusguard.report.summary import plural
from corpusguard.report.text import clip, safe

FormatOption = Annotated[
    str, typer.Option("--format", metavar="text|json", help="How to print the result.")
]
_SHOWN = 20


def check(*, ctx: typer.Context, file: InputArgument, form: FormatOption = "text") -> None:
    r"""Account for every claim of each run: cited, or dropped for one of five reasons.

    FILE holds a run, an array of runs, or one run a line. A run:

    {"goal": "Who pays?",
    "claims": [{"id": "c_1", "text": "A."}, {"id": "c_2", "text": "B."}],
    "answer": "A. \[c_1]", "dropped": {"c_2": "off_question"}}

    What is wrong is printed with the prompt that asks for it again.
    """
    output = session(ctx).output
    choice(form, ("text", "json"), "--format")
    runs = _checked(file)
    if form == "json":
        _json(output, "trace-check", runs=[_run(run) for run in runs])
    else:
        output.data("".join(_check_text(run) for run in runs) or "no run\n")
    _leave(runs)


def report(  # noqa: PLR0913 - the options of a command
    *,
    ctx: typer.Context,
    file: InputArgument,
    sheet: Annotated[
        Path | None,
        typer.Option("--labels", metavar="FILE", help="A labelling sheet that is filled in."),
    ] = None,
    against: Annotated[
        Path | None,
        typer.Option(
            "--against", metavar="FILE", help="Runs of the baseline to compare with; needs --labels"
        ),
    ] = None,
    effect: Annotated[
        float | None,
        typer.Option(
            "--effect",
            metavar="SHARE",
            help="Difference to plan the sample for, from 0.001 to 1; default: the observed one. "
            "Needs --against.",
        ),
    ] = None,
    form: FormatOption = "text",
) -> None:
    """Show why claims were dropped over many runs and, with labels, recall and precision."""
    output = session(ctx).output
    choice(form, ("text", "json"), "--format")
    if against and not sheet:
        raise ConfigError(
            "--against compares recall and precision, which need labels",
            hint="Write a sheet with `corpusguard trace label` and name it with --labels.",
        )
    if effect is not None and not against:
        raise ConfigError(
            "--effect plans a comparison, and there is none", hint="Name a baseline with --against."
        )
    runs = _checked(file)
    spread = trace.distribution(runs)
    result: dict[str, Any] = {"distribution": asdict(spread)}
    lines = _distribution_text(spread, runs)
    if sheet:
        labels, blank = trace.records.labels(read_rows(sheet))
        found = trace.measure(runs, labels)
        result |= {
            "measure": {
                **asdict(found),
                "recall": found.recall,
                "precision": found.precision,
                "missed": found.missed,
            }
        }
        lines += _measure_text(found, blank)
        if against:
            baseline = _checked(against)
            base = trace.measure(baseline, labels)
            runs = [*runs, *baseline]
            compared = [
                trace.compare("recall", base.recalls, found.recalls, effect),
                trace.compare("precision", base.precisions, found.precisions, effect),
            ]
            result["comparison"] = [
                {**asdict(one), "difference": one.difference, "enough": one.enough}
                for one in compared
            ]
            lines += [line for one in compared for line in _comparison_text(one)]
    if form == "json":
        _json(output, "trace-report", **result)
    else:
        output.data("".join(f"{safe(line)}\n" for line in lines))
    _leave(runs)


def label(
    *,
    ctx: typer.Context,
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE…", help="Runs, of one arm or of several.")
    ],
    seed: Annotated[
        str, typer.Option("--seed", metavar="WORD", help="Another order of the items.")
    ] = "",
    target: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Default: standard output."),
    ] = None,
) -> None:
    """Write a labelling sheet: goals and claims, without answers, runs or drops.

    One JSON object a line. Fill in "label": must_include, useful or irrelevant.
    """
    output = session(ctx).output
    if target:
        check_target(target, folder=False)
    rows = trace.sheet(
        [
            trace.records.selection(value, where)
            for file in files
            for where, value in read_rows(file)
        ],
        seed=seed,
    )
    text = "".join(dump(asdict(row)) + "\n" for row in rows)
    if not rows:
        output.error("corpusguard: no claim to label")
        raise typer.Exit(UNVERIFIED)
    if target:
        write_file(target, text)
        output.remark(f"{len(rows)} items written to {target}")
    else:
        output.data(text)


def agree(
    *,
    ctx: typer.Context,
    first: Annotated[Path, typer.Argument(metavar="FIRST", help="One labeller's sheet.")],
    second: Annotated[Path, typer.Argument(metavar="SECOND", help="The other's.")],
    at_least: Annotated[
        float | None,
        typer.Option(
            "--at-least", metavar="KAPPA", min=-1, max=1, help="Exit 1 where kappa is below this."
        ),
    ] = None,
    form: FormatOption = "text",
) -> None:
    """Show how far two labellers agree beyond chance: Cohen's kappa."""
    output = session(ctx).output
    choice(form, ("text", "json"), "--format")
    (one, blank_one), (other, blank_other) = (
        trace.records.labels(read_rows(path)) for path in (first, second)
    )
    found = trace.agree(one, other)
    if form == "json":
        _json(output, "trace-agreement", **asdict(found), blank=[blank_one, blank_other])
    else:
        output.data(_agreement_text(found, blank_one, blank_other))
    if found.kappa is None:
        output.error("corpusguard: kappa is undefined: no shared item, or one label throughout")
        raise typer.Exit(UNVERIFIED)
    if at_least is not None and found.kappa < at_least:
        raise typer.Exit(FINDINGS)


def _checked(file: Path) -> list[trace.Checked]:
    return [trace.check(trace.records.selection(value, where)) for where, value in read_rows(file)]


def _leave(runs: list[trace.Checked]) -> None:
    """Exit by what became of the runs; a run that nothing entered proves nothing."""
    if any(run.problems for run in runs):
        raise typer.Exit(FINDINGS)
    if not runs or not all(run.whole for run in runs):
        raise typer.Exit(UNVERIFIED)


def _json(output: Output, schema: str, **record: Any) -> None:  # noqa: ANN401
    text = dump({"schema": f"corpusguard/{schema}/1", **record}, indent=1)
    output.data(text + "\n")


def _run(run: trace.Checked) -> dict[str, Any]:
    return {
        "run": run.selection.run,
        "whole": run.whole,
        "cited": run.cited,
        "dropped": run.dropped,
        "unaccounted": run.unaccounted,
        "problems": [asdict(problem) for problem in run.problems],
        "unattributed": [asdict(one) for one in run.unattributed],
        "sentences": len(run.sentences),
        "reprompt": run.reprompt,
    }


def _check_text(run: trace.Checked) -> str:
    name = f"{run.selection.run}: " if run.selection.run else ""
    state = "whole" if run.whole else "faulty" if run.problems else "no claim entered"
    lines = [
        (
            f"{name}{state} · {plural(len(run.selection.claims), 'claim')} · "
            f"{len(run.cited)} cited · {len(run.dropped)} dropped · {len(run.unattributed)} of "
            f"{plural(len(run.sentences), 'sentence')} without a marker"
        )
    ]
    lines += [
        f"  {problem.fault}: {clip(problem.what, 80)} {problem.detail}".rstrip()
        for problem in run.problems[:_SHOWN]
    ]
    if len(run.problems) > _SHOWN:
        lines.append(f"  and {len(run.problems) - _SHOWN} more: --format json shows all")
    text = "".join(f"{safe(line)}\n" for line in lines)
    return f"{text}\n{run.reprompt}\n" if run.reprompt else text


def _distribution_text(spread: trace.Distribution, runs: list[trace.Checked]) -> list[str]:
    lines = [
        (
            f"{plural(spread.runs, 'run')}, {spread.whole} whole · "
            f"{plural(spread.entered, 'claim')} entered · "
            f"{spread.cited} cited · {sum(spread.dropped.values())} dropped"
        ),
    ]
    lines += [
        f"  {reason:<20} {count:>6} {_percent(spread.share(reason))}"
        for reason, count in spread.dropped.items()
    ]
    sentences = plural(spread.sentences, "sentence")
    lines.append(f"{spread.unattributed} of {sentences} without a marker")
    bare = [one.text for run in runs for one in run.unattributed]
    lines += [f"  {clip(text, 120)}" for text in bare[:_SHOWN]]
    if len(bare) > _SHOWN:
        lines.append(f"  and {len(bare) - _SHOWN} more: `trace check --format json` shows all")
    return lines


def _measure_text(found: trace.Measure, blank: int) -> list[str]:
    fates = "".join(f"  {fate}" for fate in trace.FATES)
    lines = [
        (
            f"recall {_percent(found.recall)} (cited share of must_include) · precision "
            f"{_percent(found.precision)} (share of cited that is not irrelevant)"
        ),
        (
            f"{plural(found.unlabelled, 'claim')} without a label, "
            f"{plural(blank, 'row')} of the sheet left empty"
        ),
        f"{'':<14}{fates}",
    ]
    lines += [
        f"{relevance:<14}" + "".join(f"  {row[fate]:>{len(fate)}}" for fate in trace.FATES)
        for relevance, row in found.matrix.items()
    ]
    missed = [f"{fate} {count}" for fate, count in found.missed.items() if count]
    lines.append(f"must_include and not cited: {', '.join(missed) or 'none'}")
    return lines


def _comparison_text(one: trace.Comparison) -> Iterable[str]:
    sd = "unknown" if one.sd is None else f"{one.sd:.3f}"
    yield (
        f"{one.name} per run: baseline {one.means[0]:.3f} ({plural(one.runs[0], 'run')}), these "
        f"{one.means[1]:.3f} ({plural(one.runs[1], 'run')}), "
        f"difference {one.difference:+.3f}, sd {sd}"
    )
    if one.needed is None:
        if one.sd is None:
            why = "the deviation takes two runs or more in each arm"
        elif one.sd == 0:
            why = "all runs of an arm are alike, so there is no deviation"
        else:
            why = "there is no difference; plan one with --effect"
        yield f"  sample size unknown: {why}"
    else:
        which = "planned" if one.planned else "observed"
        runs = plural(one.needed, "run")
        word = "enough" if one.enough else f"NOT enough: {min(one.runs)} in the smaller arm"
        yield (
            f"  the {which} difference, {one.effect:.3g}, needs {runs} per arm "
            f"(16·(sd/effect)²): {word}"
        )


def _agreement_text(found: trace.Agreement, *blank: int) -> str:
    kappa = "undefined" if found.kappa is None else f"{found.kappa:.3f}"
    interval = "" if found.low is None else f" (95%: {found.low:.3f} to {found.high:.3f})"
    lines = [
        (
            f"kappa {kappa}{interval} · {found.agreed} of {found.items} items agreed on · "
            f"by chance {_percent(found.expected)}"
        ),
        (
            f"labelled by one only: {found.only_first} and {found.only_second} · left empty: "
            f"{blank[0]} and {blank[1]}"
        ),
    ]
    lines += [
        f"  {one} / {other}: {count}"
        for one, row in found.matrix.items()
        for other, count in row.items()
        if count and one is not other
    ]
    return "".join(f"{safe(line)}\n" for line in lines)


def _percent(share: float | None) -> str:
    return "undefined" if share is None else f"{share:.1%}"


_OF_TRACE = exit_codes(
    c0="every claim of every run is cited or dropped for a reason, and there is at least one",
    c1="a claim is unaccounted for, or a marker or a drop is wrong",
    c3="no run, or a run that no claim entered",
    c75="",
)


def add_to(app: typer.Typer) -> None:
    """Add the group ``trace``."""
    group = typer.Typer(
        no_args_is_help=True, help="Which claims an answer cites, and why it drops the others."
    )
    group.command("check", epilog=_OF_TRACE)(guarded(check))
    group.command("report", epilog=_OF_TRACE)(guarded(report))
    group.command(
        "label",
        epilog=exit_codes(
            c0="written", c1="", c3="no claim", c4="the sheet could not be written", c75=""
        ),
    )(guarded(label))
    group.command(
        "agree",
        epilog=exit_codes(
            c0="kappa is known, and not below --at-least",
            c1="kappa is below --at-least",
            c3="kappa is undefined: no shared item, or one label throughout",
            c75="",
        ),
    )(guarded(agree))
    app.add_typer(group, name="trace", epilog=EACH)
