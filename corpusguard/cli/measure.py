"""``corpusguard measure gate``: how often a gate passes what is wrong and strips what is right."""

from pathlib import Path
from typing import Annotated, Any

import typer

from corpusguard.cli.base import (
    FINDINGS,
    UNVERIFIED,
    ConfigOption,
    QuietOption,
    choice,
    session,
)
from corpusguard.cli.measure_options import (
    CommandOption,
    DraftArgument,
    FixtureOption,
    JudgeOption,
    KeyOption,
    LedgerOption,
    SubjectOption,
    TimeoutOption,
)
from corpusguard.cli.measured import (
    Asked,
    chosen_subject,
    told_of_errors,
    told_of_gaps,
    told_of_judge,
)
from corpusguard.cli.progress import progress
from corpusguard.cli.tables import table
from corpusguard.measure.gate.build import Plan
from corpusguard.measure.gate.fixture import Half
from corpusguard.measure.gate.prereg import proposal
from corpusguard.report.records import dump


def _items(flag: str, told: str) -> Any:  # noqa: ANN401 - what typer makes of an option
    return typer.Option(flag, metavar="N", min=0, max=1000, help=told)


def build(  # noqa: PLR0913 (a command's options are its arguments)
    *,
    ctx: typer.Context,
    dev: Annotated[list[Path], typer.Option("--dev", metavar="LAW", help="A law of the dev half.")],
    sealed: Annotated[
        list[Path], typer.Option("--sealed", metavar="LAW", help="A law of the sealed half.")
    ],
    target: Annotated[
        Path, typer.Option("--output", "-o", metavar="DRAFT", help="The draft to make.")
    ],
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="Name of the fixture.")],
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="The sealed half's is secret.")],
    constructed: Annotated[
        int, _items("--constructed", "Constructed items of a kind or tier.")
    ] = 10,
    at_least: Annotated[int, _items("--at-least", "Items of a kind, with more of these.")] = 32,
    dev_constructed: Annotated[int, _items("--dev-constructed", "As --constructed, for dev.")] = 6,
    dev_at_least: Annotated[int, _items("--dev-at-least", "As --at-least, for dev.")] = 12,
    fixture_version: Annotated[
        int,
        typer.Option(
            "--fixture-version", metavar="N", min=1, help="A changed label is a new version."
        ),
    ] = 1,
    quiet: QuietOption = False,
) -> None:
    """Build a fixture's draft from laws: workbooks, or what `corpusguard passages` emits."""
    from corpusguard.service.gate_fixtures import build_draft  # noqa: PLC0415 - loads the service

    plans = Plan(seed, dev_constructed, dev_at_least), Plan(seed, constructed, at_least)
    draft = build_draft((dev, sealed), plans, target, name, fixture_version)
    session(ctx, quiet=quiet).output.remark(
        f"{target}: {len(draft.dev)} items to develop with, {len(draft.sealed)} to seal. "
        "It holds the sealed sentences: keep it out of any repository.\n"
        "next: corpusguard measure gate label export"
    )


def export_labels(
    *,
    ctx: typer.Context,
    draft: DraftArgument,
    labeller: Annotated[
        list[str], typer.Option("--labeller", metavar="NAME", help="One of at least three.")
    ],
    folder: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="Where the sheets go.")
    ],
    quiet: QuietOption = False,
) -> None:
    """Write the sheets that labellers answer: source and sentence, and nothing else."""
    from corpusguard.service.gate_fixtures import export_sheets  # noqa: PLC0415

    number = export_sheets(draft, labeller, folder)
    session(ctx, quiet=quiet).output.remark(f"{folder}: {number} sheets and INSTRUCTIONS.md")


def import_labels(
    *,
    ctx: typer.Context,
    draft: DraftArgument,
    files: Annotated[list[Path], typer.Argument(metavar="ANSWERS…", help="All of one labeller.")],
    labeller: Annotated[str, typer.Option("--labeller", metavar="NAME", help="Who answered.")],
    quiet: QuietOption = False,
) -> None:
    """Add one labeller's answers to the draft: all of them, or none."""
    from corpusguard.service.gate_fixtures import import_votes  # noqa: PLC0415

    changed = import_votes(draft, labeller, files)
    session(ctx, quiet=quiet).output.remark(
        f"{draft}: {len(changed.items)} answers of {labeller} added"
    )


def import_audit(
    *,
    ctx: typer.Context,
    draft: DraftArgument,
    files: Annotated[list[Path], typer.Argument(metavar="VERDICTS…", help="All of the audit.")],
    quiet: QuietOption = False,
) -> None:
    """Set aside what a second pass over all labels disputes: all of its verdicts, or none."""
    from corpusguard.service import gate_fixtures  # noqa: PLC0415

    changed = gate_fixtures.import_audit(draft, files)
    disputed = sum(bool(item.disputed) for item in changed.items)
    session(ctx, quiet=quiet).output.remark(
        f"{draft}: {disputed} of {len(changed.items)} items are disputed and set aside"
    )


def show_agreement(*, ctx: typer.Context, draft: DraftArgument) -> None:
    """Show how far labellers agree, and how many items are contested and set aside."""
    from corpusguard.service.gate_fixtures import label_agreement  # noqa: PLC0415

    halves = zip(("dev", "sealed"), label_agreement(draft), strict=True)
    found = {
        half: {
            "labellers": list(one.labellers),
            "items": one.items,
            "split": one.split,
            "set_aside": one.contested,
            "cohen": {pair: _rounded(value) for pair, value in one.cohen.items()},
            "fleiss": _rounded(one.fleiss),
        }
        for half, one in halves
    }
    session(ctx).output.data(dump(found, indent=2) + "\n")


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def seal(
    *,
    ctx: typer.Context,
    draft: DraftArgument,
    target: Annotated[
        Path, typer.Option("--output", "-o", metavar="FIXTURE", help="What may be published.")
    ],
    key_file: Annotated[
        Path,
        typer.Option("--key-file", metavar="FILE", help="The key; made where it is not there."),
    ],
    quiet: QuietOption = False,
) -> None:
    """Publish a labelled draft: the dev half in the clear, the sealed half as digest and cipher."""
    from corpusguard.service.gate_fixtures import seal_draft  # noqa: PLC0415

    fixture = seal_draft(draft, target, key_file)
    session(ctx, quiet=quiet).output.remark(
        f"{target}: {fixture.name} version {fixture.version}, digest {fixture.digest}\n"
        f"The key is in {key_file}: keep it out of any repository, and do not lose it."
    )


def run(  # noqa: PLR0913 (a command's options are its arguments)
    *,
    ctx: typer.Context,
    fixture: FixtureOption,
    folder: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="A new folder for results.")
    ],
    half: Annotated[
        str,
        typer.Option(
            "--half",
            metavar="dev|sealed",
            help="dev: as often as you like; sealed: twice for each design, and only with "
            "--preregistration, --ledger and its key.",
        ),
    ] = "dev",
    subject: SubjectOption = None,
    command: CommandOption = None,
    judge: JudgeOption = None,
    config: ConfigOption = None,
    timeout: TimeoutOption = 60.0,
    preregistration: Annotated[
        Path | None,
        typer.Option("--preregistration", metavar="FILE", help="The bars of a sealed run."),
    ] = None,
    ledger: LedgerOption = None,
    key_file: KeyOption = None,
    quiet: QuietOption = False,
) -> None:
    """Measure a gate: verdicts item by item, figures with intervals, and a page to read."""
    from corpusguard.measure.gate.judge_figures import no_result  # noqa: PLC0415
    from corpusguard.measure.gate.run import NothingMeasured  # noqa: PLC0415
    from corpusguard.service.gate_journal import JOURNAL  # noqa: PLC0415
    from corpusguard.service.measuring import MARKDOWN, Order, measure  # noqa: PLC0415

    here = session(ctx, config, quiet=quiet)
    which = Half(choice(half, Half, "--half"))
    order = Order(fixture, which, folder, preregistration, ledger, key_file)
    asked = Asked(subject, command, judge, here.config, timeout)
    try:
        with chosen_subject(asked) as chosen, progress(here.output, "deciding") as step:
            done = measure(order, chosen, step)
    except (KeyboardInterrupt, NothingMeasured):
        if (folder / JOURNAL).is_file():
            here.output.remark(
                f"what was decided is kept in {folder / JOURNAL}; the same command goes on"
            )
        raise
    found = done.results
    here.output.page(table(("", "Rate", "Cases", "95% (Wilson)", "Bound"), _summary(found)))
    nothing = no_result(found)
    for line in told_of_judge(found):
        here.output.remark(line)
    # Where they are why there is no result, --quiet does not hide the reasons.
    tell = here.output.error if nothing else here.output.remark
    for line in told_of_errors(done.errors):
        tell(line)
    for bar in found["bars"]:
        held = "held" if bar["held"] else "BROKEN"
        here.output.remark(f"bar on {bar['figure']}: {bar['came']} of {bar['at_most']}: {held}")
    here.output.remark(f"results: {folder / MARKDOWN} and, beside it, HTML, JSON and verdicts")
    for line in told_of_gaps(found):
        here.output.remark(line)
    if nothing:
        here.output.error(f"this is no result: {nothing}\n  next: {_after_nothing(found, folder)}")
        raise typer.Exit(UNVERIFIED)
    if not all(bar["held"] for bar in found["bars"]):
        raise typer.Exit(FINDINGS)


def _after_nothing(found: dict[str, Any], folder: Path) -> str:
    if not found["figures"]["shares"]["errors"]["total"]:
        return "look at the labels: every item is contested and set aside"
    return f"mend what the errors above tell of, and measure into another folder than {folder}"


def _summary(found: dict[str, Any]) -> list[tuple[str, ...]]:
    shares = found["figures"]["shares"]
    rows: list[tuple[str, ...]] = []
    for name in ("false_pass", "false_strip", "lost", "errors", "paired"):
        one = shares[name]
        rate = "none" if one["rate"] is None else f"{100 * one['rate']:.1f}%"
        low, high = one["wilson"]
        rows.append(
            (
                name.replace("_", " "),
                rate,
                f"{one['hits']} of {one['total']}",
                f"{100 * low:.1f}% to {100 * high:.1f}%",
                f"{100 * one['upper']:.1f}%",
            )
        )
    return rows


def recompute(  # noqa: PLR0913 (a command's options are its arguments)
    *,
    ctx: typer.Context,
    verdicts: Annotated[Path, typer.Argument(metavar="VERDICTS", help="verdicts.jsonl of a run.")],
    published: Annotated[
        Path | None,
        typer.Option("--results", metavar="FILE", help="Default: results.json beside it."),
    ] = None,
    fixture: Annotated[
        Path | None,
        typer.Option("--fixture", metavar="FILE", help="Check kinds, labels and pairs as well."),
    ] = None,
    ledger: LedgerOption = None,
    quiet: QuietOption = False,
) -> None:
    """Work out every published figure anew from the verdicts, and say where they differ."""
    from corpusguard.service import measuring  # noqa: PLC0415

    here = session(ctx, quiet=quiet)
    found, differing = measuring.recompute(verdicts, published, fixture, ledger)
    here.output.page(table(("", "Rate", "Cases", "95% (Wilson)", "Bound"), _summary(found)))
    for place in differing[:20]:
        here.output.error(f"differs from what was published: {place}")
    if differing:
        here.output.error(
            f"{len(differing)} {'place differs' if len(differing) == 1 else 'places differ'}\n"
            "  next: restore the published results, or publish those that follow from the verdicts"
        )
        raise typer.Exit(FINDINGS)
    here.output.remark("every published figure follows from the verdicts")


def propose(  # noqa: PLR0913 (a command's options are its arguments)
    *,
    ctx: typer.Context,
    fixture: FixtureOption,
    design: Annotated[str, typer.Option("--design", metavar="NAME", help="What will be measured.")],
    subject: SubjectOption = None,
    command: CommandOption = None,
    judge: JudgeOption = None,
    config: ConfigOption = None,
) -> None:
    """Print a preregistration to fill in: bars and reasons are yours."""
    from corpusguard.service.measuring import digests  # noqa: PLC0415

    here = session(ctx, config)
    with chosen_subject(Asked(subject, command, judge, here.config)) as chosen:
        found = digests(fixture, chosen)
    here.output.data(proposal(design, *found))


def register(  # noqa: PLR0913 (a command's options are its arguments)
    *,
    ctx: typer.Context,
    preregistration: Annotated[Path, typer.Argument(metavar="FILE", help="The preregistration.")],
    fixture: FixtureOption,
    ledger: Annotated[
        Path, typer.Option("--ledger", metavar="FILE", help="The ledger; made where there is none.")
    ],
    subject: SubjectOption = None,
    command: CommandOption = None,
    judge: JudgeOption = None,
    config: ConfigOption = None,
    quiet: QuietOption = False,
) -> None:
    """Enter a preregistration in the ledger, before a sealed run."""
    from corpusguard.service import measuring  # noqa: PLC0415

    here = session(ctx, config, quiet=quiet)
    with chosen_subject(Asked(subject, command, judge, here.config)) as chosen:
        promised, after = measuring.register(preregistration, ledger, fixture, chosen)
    here.output.remark(
        f"{ledger}: entry {len(after.entries)}, {promised.design} is registered as "
        f"{promised.digest}\nCommit both files before the run."
    )


def show_ledger(
    *,
    ctx: typer.Context,
    ledger: Annotated[Path, typer.Argument(metavar="LEDGER", help="The ledger of sealed runs.")],
) -> None:
    """Check the ledger's chain and print its entries, as JSON lines."""
    from corpusguard.service.measuring import read_ledger  # noqa: PLC0415

    here = session(ctx)
    found = read_ledger(ledger)
    for entry in found.entries:
        here.output.data(dump(entry) + "\n")
    noun = "entry" if len(found.entries) == 1 else "entries"
    here.output.remark(f"{len(found.entries)} {noun}, head {found.head}")
    if not found.entries:
        here.output.error(
            f"the ledger {ledger} is empty\n"
            "  next: `corpusguard measure gate ledger register` enters a preregistration"
        )
        raise typer.Exit(UNVERIFIED)
