"""``corpusguard check-corpus``: the gate before reindexing."""

from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from corpusguard.cli.base import ConfigOption, LogFormatOption, QuietOption, Session, session
from corpusguard.cli.progress import progress
from corpusguard.cli.tables import FormatOption, PlainFormat
from corpusguard.errors import ConfigError
from corpusguard.model import Severity
from corpusguard.report.records import dump
from corpusguard.report.summary import plural
from corpusguard.report.text import safe

if TYPE_CHECKING:
    from corpusguard.attest import Refusal
    from corpusguard.service import Asked, Checked, Service

_SCHEMA: Final = "corpusguard/check-corpus/1"
_MOST_SHOWN: Final = 20
_MAX_AGE: Final = 3_650 * 86_400


class FailOn(StrEnum):
    """From which severity on findings refuse the corpus."""

    ERROR = "error"
    WARNING = "warning"


def check_corpus(  # noqa: PLR0913 (a command's options are its arguments)
    *,
    ctx: typer.Context,
    max_age: Annotated[
        str,
        typer.Option(
            "--max-age",
            metavar="36h",
            help="Oldest run that still counts; default: `max_age` of each corpus.",
        ),
    ] = "",
    fail_on: Annotated[
        FailOn, typer.Option("--fail-on", help="Severity from which on the corpus is refused.")
    ] = FailOn.ERROR,
    partial: Annotated[
        bool,
        typer.Option(
            "--partial", help="Let documents that stand well through, although others do not."
        ),
    ] = False,
    passages: Annotated[
        Path | None,
        typer.Option(
            "--passages", metavar="FILE", help="Write the passages that may be indexed (JSONL)."
        ),
    ] = None,
    attestation: Annotated[
        Path | None,
        typer.Option(
            "--attestation", metavar="FILE", help="Judge by this attestation, not by the history."
        ),
    ] = None,
    key: Annotated[
        list[Path] | None,
        typer.Option(
            "--key", metavar="PUB", help="Public key of an allowed signer; may be repeated."
        ),
    ] = None,
    seen: Annotated[
        Path | None,
        typer.Option(
            "--seen", metavar="FILE", help="Remember the last run here; refuse an older one."
        ),
    ] = None,
    verify: Annotated[
        bool, typer.Option("--verify", help="Verify all documents now, then decide.")
    ] = False,
    offline: Annotated[
        bool, typer.Option("--offline", help="With --verify: use the newest snapshots.")
    ] = False,
    jobs: Annotated[
        int,
        typer.Option(
            "--jobs", "-j", metavar="N", min=1, max=64, help="With --verify: documents at a time."
        ),
    ] = 1,
    fmt: FormatOption = PlainFormat.CONSOLE,
    config: ConfigOption = None,
    quiet: QuietOption = False,
    log_format: LogFormatOption = None,
) -> None:
    """Let the corpus be indexed only if a run verified exactly these rows.

    The run must have ended no longer ago than --max-age, by the clock of this machine.
    """
    here = session(ctx, config, quiet=quiet, log_format=log_format, code_tells=True)
    if offline and not verify:
        raise ConfigError("--offline is about --verify", hint="Add --verify, or leave it out.")
    if verify and attestation is not None:
        raise ConfigError(
            "--verify and --attestation contradict each other", hint="Leave out one of them."
        )
    age = _seconds(max_age) if max_age else 0
    service = here.service()
    if verify:
        _verify(here, service, Severity(fail_on), offline=offline, jobs=jobs)
    from corpusguard.service import Asked  # noqa: PLC0415 - heavy: see Session.service

    asked = Asked(
        max_age=age,
        fail_on=Severity(fail_on),
        partial=partial,
        passages=passages,
        attestation=attestation,
        keys=tuple(key or ()),
        seen=seen,
    )
    found = service.gate.check(asked)
    if fmt is PlainFormat.JSON:
        here.output.data(dump(_record(found, asked), indent=2) + "\n")
    else:
        here.output.data(_page(found))
    _remark(here, found, asked)
    raise typer.Exit(found.exit_code)


def _verify(
    here: Session, service: "Service", fail_on: Severity, *, offline: bool, jobs: int
) -> None:
    """Make a run; what it says, the gate reads from history like that of any other."""
    if here.log():
        here = replace(here, output=replace(here.output, quiet=True))
    with service.telling() as told:
        with progress(here.output, "verifying") as step:
            result = service.verify(offline=offline, jobs=jobs, progress=step)
        told.ended(result, service.exit_code(result, fail_on))
    for problem in told.problems:
        here.output.remark(f"corpusguard: could not tell: {problem}")


def _seconds(text: str) -> int:
    from corpusguard.config.table import DURATION, seconds  # noqa: PLC0415 - heavy

    found = seconds(text, _MAX_AGE)
    if not found:
        raise ConfigError(
            f"--max-age {text[:40]!r} is not {DURATION}", hint="Up to 3650d; as in --max-age 36h."
        )
    return found


def _page(found: "Checked") -> str:
    """Return the answer for a person: what it comes to, the root, and every reason."""
    mark = {"pass": "✓ pass", "partial": "! partial", "refused": "✗ refused"}[found.outcome]
    lines = [f"{mark}: {plural(found.rows, 'row')} in {plural(found.documents, 'document')}"]
    lines.append(f"  root {found.root}")
    if found.run:
        role = "verified" if found.outcome == "pass" else "judged"
        lines.append(
            f"  {role} by run {found.run}, finished {safe(found.finished)}, head {found.head}"
        )
    if found.passing and found.all_refusals:
        lines.append(f"  passing: {plural(len(found.passing), 'document')}")
    refusals = found.all_refusals
    for one in refusals[:_MOST_SHOWN]:
        about = ": ".join(safe(name) for name in (one.corpus, one.document) if name)
        lines.append(f"  {one.reason}{f' ({about})' if about else ''}: {safe(one.message)}")
        if one.hint:
            lines.append(f"    next: {safe(one.hint)}")
    if len(refusals) > _MOST_SHOWN:
        lines.append(f"  and {len(refusals) - _MOST_SHOWN} more; --format json has all of them")
    return "\n".join(lines) + "\n"


def _record(found: "Checked", asked: "Asked") -> dict[str, Any]:
    passing = {one.held.pair for one in found.passing}
    return {
        "schema": _SCHEMA,
        "outcome": found.outcome,
        "exit_code": found.exit_code,
        "root": found.root,
        "rows": found.rows,
        "run": found.run,
        "finished": found.finished,
        "head": found.head,
        "signers": list(found.signers),
        "reasons": [_reason(one) for one in found.all_refusals],
        "documents": [
            {
                "corpus": one.held.corpus,
                "document": one.held.document,
                "rows": one.held.rows,
                "digest": one.held.digest,
                "passes": one.held.pair in passing,
                "run": one.run,
                "captured": one.claim.captured if one.claim else "",
                "asked_source": one.claim.asked_source if one.claim else False,
                "reasons": [str(refusal.reason) for refusal in one.refusals],
            }
            for one in found.standings
        ],
        "not_stored": list(found.unstored),
        "passages": None
        if found.listed is None
        else {"file": str(asked.passages), "listed": found.listed},
    }


def _reason(one: "Refusal") -> dict[str, str]:
    return {
        "reason": str(one.reason),
        "corpus": one.corpus,
        "document": one.document,
        "message": one.message,
        "next": one.hint,
    }


def _remark(here: Session, found: "Checked", asked: "Asked") -> None:
    """Say on standard error what the answer rests on, where that is less than it may seem."""
    offline = [one.claim for one in found.passing if one.claim and not one.claim.asked_source]
    if offline:
        oldest = min(one.captured for one in offline)
        here.output.remark(
            f"the source of {plural(len(offline), 'document')} was not asked; its text is that of "
            f"{oldest}"
        )
    if found.unstored:
        here.output.remark(
            f"{plural(len(found.unstored), 'listed document')} not stored in any corpus: "
            f"{', '.join(safe(one) for one in found.unstored[:_MOST_SHOWN])}"
            f"{', …' if len(found.unstored) > _MOST_SHOWN else ''}"
        )
    if found.listed is not None:
        here.output.remark(f"{plural(found.listed, 'passage')} listed in {asked.passages}")
    elif asked.passages is not None:
        here.output.remark(f"nothing passes, so {asked.passages} was not written")
