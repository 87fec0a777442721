"""``corpusguard init``, ``inspect`` and ``passages``: the stored side."""

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from corpusguard.cli.base import ConfigOption, QuietOption, session
from corpusguard.cli.bundled import sources_folder
from corpusguard.cli.tables import table
from corpusguard.errors import ConfigError, StorageError
from corpusguard.report.summary import plural

if TYPE_CHECKING:
    from corpusguard.cli.output import Output
    from corpusguard.corpora.inspect import Proposal

_SOURCES: Final = "ontario-elaws.toml"

_Store = Annotated[
    Path, typer.Argument(metavar="STORE", help="A file or folder of stored passages.", exists=True)
]


def init(
    *,
    ctx: typer.Context,
    store: Annotated[
        Path | None,
        typer.Option("--from", metavar="STORE", help="Propose a mapping for it.", exists=True),
    ] = None,
    path: Annotated[Path, typer.Option("--path", metavar="FILE", help="The file to write.")] = Path(
        "corpusguard.toml"
    ),
    quiet: QuietOption = False,
) -> None:
    """Write a configuration to start from; never over one that is there."""
    from corpusguard.config import config_template  # noqa: PLC0415 (as in Session.service)

    named: tuple[str, ...] = ()
    output = session(ctx, quiet=quiet).output
    text = config_template()
    if store is not None:
        proposal = _propose(store)
        _summary(output, proposal)
        named = proposal.documents
        # The example corpus, last in the template, makes way for the real one.
        # Paths are read from where the configuration is, not from where it was written.
        if not store.is_absolute():
            near = os.path.relpath(store.resolve(), path.resolve().parent)
            proposal = replace(proposal, path=near)
        text = text.partition("[[corpus]]")[0] + proposal.to_toml()
    _write_new(path, text)
    output.remark(f"wrote {path}")
    _write_sources(output, path.parent / "sources" / _SOURCES, named)
    output.remark("  next: edit both, then corpusguard fetch and corpusguard verify")


def _write_sources(output: "Output", path: Path, named: tuple[str, ...]) -> None:
    """Write the source file that the configuration names, and would not load without."""
    from corpusguard.config import FILL_IN, listed, source_listing  # noqa: PLC0415

    documents = listed(named)
    if path.exists():
        if documents:
            output.remark(
                f"{path} is there already and stays; it must list: {', '.join(documents)}"
            )
        return
    text = source_listing((sources_folder() / _SOURCES).read_text("utf-8"), documents)
    _write_new(path, text)
    output.remark(f"wrote {path}")
    if documents:
        output.remark(f"  it lists {plural(len(documents), 'document')} that the sample names")
    unfilled = text.count(f'title = "{FILL_IN}"')
    if unfilled:
        output.remark(
            f"  fill in {plural(unfilled, 'title')} there: a fetch compares it with the "
            "publisher's, and is refused (CG502) until they agree"
        )
    if left := len(set(named) - set(documents)):
        output.remark(
            f"warning: {plural(left, 'more document')} named in the sample: not an id of this "
            f"publisher, or too many; add what you store as [[document]] to {path}"
        )


def inspect(*, ctx: typer.Context, store: _Store, quiet: QuietOption = False) -> None:
    """Sample a store and propose its mapping: TOML on standard output, remarks beside it."""
    output = session(ctx, quiet=quiet).output
    proposal = _propose(store)
    _summary(output, proposal)
    output.data(proposal.to_toml().rstrip("\n") + "\n")


def passages(  # noqa: PLR0913 (a command's options are its arguments)
    *,
    ctx: typer.Context,
    document: Annotated[str, typer.Argument(metavar="DOC", help="The document's id.")],
    recipe: Annotated[
        str,
        typer.Option(
            "--recipe",
            "-r",
            metavar="RECIPE",
            help="section, subsection, or package.module:function.",
        ),
    ],
    accept_anomalies: Annotated[
        bool, typer.Option("--accept-anomalies", help="Emit although the reader was unsure.")
    ] = False,
    config: ConfigOption = None,
    quiet: QuietOption = False,
) -> None:
    """Emit the passages that ingestion should store, one JSON object a line."""
    here = session(ctx, config, quiet=quiet)
    for line in here.service().passages(document, recipe, accept_anomalies=accept_anomalies):
        if not here.output.data(line.rstrip("\n") + "\n"):
            return


def _write_new(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as stream:
            stream.write(text)
    except FileExistsError as error:
        raise ConfigError(
            f"{path} is there already and is not overwritten",
            hint="Edit it, or name another with --path.",
        ) from error
    except OSError as error:
        raise StorageError(
            f"could not write {path}: {error.strerror}", hint="Name another place with --path."
        ) from error


def _propose(store: Path) -> "Proposal":
    from corpusguard.corpora.inspect import propose  # noqa: PLC0415 (as in Session.service)

    return propose(store)


def _summary(output: "Output", proposal: "Proposal") -> None:
    """Say on standard error what a proposal rests on, so that a person can check it."""
    taken = {path: ours for ours, path in proposal.fields.items()}
    taken[proposal.status_field] = "status"
    taken[proposal.document_field] = "document"
    rows = []
    for path, share in proposal.filled.items():
        examples = " | ".join(proposal.examples.get(path, ()))
        rows.append((path, taken.get(path, ""), f"{share:.0%}", examples))
    output.remark(f"{proposal.path}: {proposal.reader}, {plural(proposal.sampled, 'row')} sampled")
    output.remark_page(table(("Field", "Taken as", "Filled", "Examples"), rows))
    for ours, paths in proposal.candidates.items():
        if others := [one for one in paths[1:] if one not in taken]:
            output.remark(f"{ours} could also be: {', '.join(others)}")
    for warning in proposal.warnings:
        output.remark(f"warning: {warning}")
