"""``corpusguard demo``: the bundled sample, verified offline, and what was found in it."""

import json
import shutil
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from corpusguard.cli.base import INTERNAL, QuietOption, Session, config_option, session
from corpusguard.cli.bundled import sample_folder, snapshots_folder, sources_folder
from corpusguard.cli.output import Output
from corpusguard.cli.tables import table
from corpusguard.errors import ConfigError, StorageError
from corpusguard.model import Finding, Verdict
from corpusguard.report import console
from corpusguard.report.summary import SIGN, all_findings
from corpusguard.rules import RULES

if TYPE_CHECKING:
    from corpusguard.model import RunResult

_FAULTY: Final = "corpusguard.toml"
_CLEAN: Final = "corpusguard-clean.toml"
_EACH: Final = 1
"""Findings shown of each rule: the demo is an overview."""


@dataclass(frozen=True, slots=True)
class Plant:
    """A fault that was put into the sample on purpose."""

    kind: str
    document: str
    passage: str
    section: str
    rules: tuple[str, ...]
    """Rules of which at least one must report it."""
    explanation: str


def demo(
    *,
    ctx: typer.Context,
    to: Annotated[
        Path | None,
        typer.Option("--to", metavar="FOLDER", help="New folder; default: ./corpusguard-demo."),
    ] = None,
    quiet: QuietOption = False,
) -> None:
    """Verify the bundled sample, offline, and show what was planted and what was found."""
    output = session(ctx, quiet=quiet).output
    folder = _new_folder(to)
    _copy(folder)
    output.remark(f"copied the sample to {folder}")
    result = _verify(folder / _FAULTY, output)
    view = replace(output.view(each=_EACH), options=config_option(folder / _FAULTY))
    output.data(console.render(result, view))
    missed = _show_plants(output, plants(folder / "plants.json"), all_findings(result))
    clean = _verify(folder / _CLEAN, output)
    word = f"{SIGN[clean.verdict]} {clean.verdict}"
    output.data(f"The same corpus without the faults: {word}.\n\n{_next_steps(folder)}")
    if missed or clean.verdict is not Verdict.VERIFIED:
        output.error("corpusguard: the demo did not find what it should; please report this")
        raise typer.Exit(INTERNAL)


def plants(path: Path) -> tuple[Plant, ...]:
    """Read the list of planted faults."""
    rows = json.loads(path.read_text("utf-8"))
    return tuple(
        Plant(
            kind=row["kind"],
            document=row["document"],
            passage=row["passage"],
            section=row["section"],
            rules=tuple(row["rules"]),
            explanation=row["explanation"],
        )
        for row in rows
    )


def found_by(plant: Plant, findings: Iterable[Finding]) -> tuple[str, ...]:
    """Return the expected rules that reported the plant, by its passage or its section."""
    reported = {
        finding.rule
        for finding in findings
        if finding.document == plant.document
        and (
            (plant.passage and finding.passage == plant.passage)
            or (plant.section and finding.section == plant.section)
        )
    }
    return tuple(rule for rule in plant.rules if rule in reported)


def _show_plants(output: Output, planted: Iterable[Plant], findings: list[Finding]) -> int:
    rows, missed = [], 0
    for plant in planted:
        found = found_by(plant, findings)
        missed += not found
        named = ", ".join(f"{rule} {RULES[rule].name}" for rule in found or plant.rules)
        rows.append((plant.explanation, named, "✓ found" if found else "✗ missed"))
    output.data("\n")
    output.page(table(("What was planted", "Rule", "Result"), rows))
    return missed


def _verify(config: Path, output: Output) -> "RunResult":
    return Session(config, output).service().verify(offline=True)


def _new_folder(wanted: Path | None) -> Path:
    """Make and return a folder that was not there: the named one, or the next free number."""
    if wanted is not None:
        candidates: Iterable[Path] = [wanted]
    else:
        numbered = (Path(f"corpusguard-demo-{number}") for number in count(2))
        candidates = (path for source in ([Path("corpusguard-demo")], numbered) for path in source)
    for path in candidates:
        try:
            path.mkdir()
        except FileExistsError:
            continue
        except OSError as error:
            raise StorageError(
                f"could not make {path}: {error.strerror}", hint="Name a folder with --to."
            ) from error
        return path
    raise ConfigError(f"{wanted} is there already", hint="Name a folder that is not.")


def _copy(folder: Path) -> None:
    try:
        for source in sample_folder().iterdir():
            if source.is_file() and source.suffix in {".toml", ".json", ".jsonl"}:
                shutil.copyfile(source, folder / source.name)
        shutil.copytree(snapshots_folder(), folder / "snapshots", copy_function=shutil.copyfile)
        shutil.copytree(sources_folder(), folder / "sources", copy_function=shutil.copyfile)
    except OSError as error:  # shutil.Error, which gathers them, among them
        raise StorageError(f"could not copy the sample to {folder}: {error}") from error


def _next_steps(folder: Path) -> str:
    option = config_option(folder / _FAULTY)
    return (
        "How to go on:\n"
        f"  corpusguard verify --offline --all{option}\n"
        f"  corpusguard findings list{option}\n"
        "  corpusguard explain CG203\n"
        "  corpusguard init --from YOUR-STORE\n"
    )
