"""``corpusguard check-answer``: may this answer be shown?"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from corpusguard.cli.base import FINDINGS, UNVERIFIED, VERIFIED, ConfigOption, session
from corpusguard.cli.decisions import left, mark, meanings
from corpusguard.cli.inputs import tell_terminal
from corpusguard.cli.tables import FormatOption, PlainFormat
from corpusguard.errors import ConfigError
from corpusguard.report.records import dump
from corpusguard.report.text import clip, safe

if TYPE_CHECKING:
    from corpusguard.gate import Decision

LARGEST: Final = 20_000_000
"""Bytes read of a request: an answer and the passages that it cites."""


def check_answer(  # noqa: PLR0913 (a command's options are its arguments)
    *,
    ctx: typer.Context,
    source: Annotated[
        str, typer.Argument(metavar="FILE", help="JSON, or text with markers; - is standard input.")
    ] = "-",
    corpus: Annotated[
        list[str] | None,
        typer.Option("--corpus", metavar="NAME", help="A corpus that counts; default: all."),
    ] = None,
    shadow: Annotated[
        bool, typer.Option("--shadow", help="Decide and store, but let the answer through.")
    ] = False,
    no_judge: Annotated[
        bool,
        typer.Option("--no-judge", help="Ask no judge, whatever \\[gate] names."),
    ] = False,
    fmt: FormatOption = PlainFormat.CONSOLE,
    config: ConfigOption = None,
) -> None:
    """Check each sentence of an answer against the verified passages that it cites."""
    here = session(ctx, config)
    # Here, not above: --help needs no sentence model and no reader.
    from corpusguard.gate import Gate  # noqa: PLC0415
    from corpusguard.gate.record import decision_record  # noqa: PLC0415
    from corpusguard.gate.request import parse_request  # noqa: PLC0415

    if source == "-":
        tell_terminal(here.output, "the answer")
    answer, citations = parse_request(_read(source))
    with Gate.open(
        here.config,
        corpora=corpus or (),
        judge=None if no_judge else "configured",
        shadow=shadow,
    ) as gate:
        decision = gate.check(answer, citations)
    if fmt is PlainFormat.JSON:
        here.output.data(dump(decision_record(decision), indent=2) + "\n")
    else:
        here.output.page(Group(*_shown(decision)))
        here.output.remark(f"next: corpusguard decisions show {decision.number}")
    code = _code(decision)
    if code:
        raise typer.Exit(code)


def _code(decision: "Decision") -> int:
    if decision.shadow:
        return VERIFIED
    if decision.ships:
        return VERIFIED
    return UNVERIFIED if decision.unchecked and not _refused(decision) else FINDINGS


def _refused(decision: "Decision") -> bool:
    """Whether a removed sentence cites a passage that counts for nothing, whatever its age.

    A sentence has the reason of the first passage refused; the exit code must not depend on which
    of two it cites first.
    """
    cited = {name for one in decision.removed for name in one.citations}
    return any(
        one.id in cited and one.refusal is not None and one.refusal.value != "too_old"
        for one in decision.evidence
    )


def _read(source: str) -> str:
    """Return the request.

    Raises:
        ConfigError: It cannot be read, is too large or not UTF-8.
    """
    try:
        if source == "-":
            data = sys.stdin.buffer.read(LARGEST + 1)
        else:
            with Path(source).open("rb") as stream:
                data = stream.read(LARGEST + 1)
    except OSError as error:
        raise ConfigError(
            f"cannot read {source}: {error.strerror}", hint="name a file, or - for standard input"
        ) from error
    if len(data) > LARGEST:
        raise ConfigError(
            f"the request is over the limit of {LARGEST} bytes",
            hint="check the answer in parts, each with the passages that it cites",
        )
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ConfigError(f"the request is not UTF-8: {error}", hint="convert it first") from error


def _shown(decision: "Decision") -> list[RenderableType]:
    """Return the decision for a person: each sentence, the passages, and last what may be shown."""
    from corpusguard.service.age import span  # noqa: PLC0415 - as above

    head = Text(decision.outcome.value, style="bold")
    if decision.reason:
        head.append(f" · {decision.reason.value}: {safe(decision.detail)}")
    if decision.judge:
        head.append(f" · judge: {safe(decision.judge)}")
    if decision.shadow:
        head.append(" · shadow mode: the answer goes through unchanged")
    parts: list[RenderableType] = [head]
    for one in decision.sentences:
        shown = mark(ships=one.ships, left=decision.text, shadow=decision.shadow)
        line = Text(f"{shown} · {one.door.value} · {one.reason.value}", style="bold")
        parts += [line, Padding(Text(safe(clip(one.text, 600))), (0, 0, 0, 2))]
        cited = f"cites {', '.join(one.citations)}" if one.citations else "cites no passage"
        parts += [
            Padding(Text(safe(said)), (0, 0, 0, 4))
            for said in (clip(one.detail, 400), cited)
            if said
        ]
    if decision.evidence:
        parts.append(Text("\npassages:", style="bold"))
    for passage in decision.evidence:
        parts.append(Padding(Text(safe(passage.id)), (0, 0, 0, 2)))
        if passage.refusal is None:
            asked = f"source asked {span(passage.age_seconds)} ago"
            said = f"verified in run {passage.run} · {asked} · root {passage.corpus_root[:12]}"
        else:
            said = f"{passage.refusal.value}: {safe(clip(passage.detail, 400))}"
        parts.append(Padding(Text(said), (0, 0, 0, 4)))
    codes = [*([decision.reason] if decision.reason else ()), *(r.reason for r in decision.removed)]
    return [*parts, *meanings(codes), *left(decision.text)]
