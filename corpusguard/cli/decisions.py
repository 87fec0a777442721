"""``corpusguard decisions``: what the gate decided, and why."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from corpusguard.cli.base import (
    SQLITE_MAX,
    ConfigOption,
    LimitOption,
    exit_codes,
    guarded,
    session,
)
from corpusguard.cli.tables import FormatOption, PlainFormat, table
from corpusguard.report.records import dump
from corpusguard.report.text import clip, safe

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class OutcomeName(StrEnum):
    """What became of an answer."""

    SHIPPED = "shipped"
    ALTERED = "altered"
    WITHHELD = "withheld"


def list_decisions(
    *,
    ctx: typer.Context,
    outcome: Annotated[OutcomeName | None, typer.Option("--outcome", help="Only these.")] = None,
    limit: LimitOption = 50,
    fmt: FormatOption = PlainFormat.CONSOLE,
    config: ConfigOption = None,
) -> None:
    """List what the gate decided, newest first."""
    here = session(ctx, config)
    found = here.service().decisions(limit, outcome.value if outcome else None)
    if fmt is PlainFormat.JSON:
        text = dump({"schema": "corpusguard/decisions/1", "decisions": found}, indent=2)
        here.output.data(text + "\n")
        return
    rows = [
        (
            str(one["decision"]),
            one["checked"],
            one["outcome"] + (" (shadow)" if one["shadow"] else ""),
            one["reason"],
            _kept(one),
            clip(_first(one), 60),
        )
        for one in found
    ]
    here.output.page(table(("No.", "UTC", "Outcome", "Reason", "Kept", "First sentence"), rows))
    if len(found) == limit:
        here.output.remark(f"at most {limit} are listed; --limit N lists more")


def show_decision(
    *,
    ctx: typer.Context,
    number: Annotated[
        int, typer.Argument(metavar="NUMBER", min=1, max=SQLITE_MAX, help="Of `decisions list`.")
    ],
    fmt: FormatOption = PlainFormat.CONSOLE,
    config: ConfigOption = None,
) -> None:
    """Show one decision: each sentence with its reason, and the passages that it rested on."""
    here = session(ctx, config)
    body = here.service().decision(number)
    if fmt is PlainFormat.JSON:
        here.output.data(dump(body, indent=2) + "\n")
        return
    head = Text(f"decision {number} · {body['checked']} · {body['outcome']}", style="bold")
    parts: list[RenderableType] = [head]
    facts = {
        "reason": f"{body['reason']} {body['detail']}".strip(),
        "answer": body["answer_digest"],
        "judge": body["judge"] or "none",
        "newest run": body["newest_run"],
        "head": body["head"],
    }
    parts += [Text(f"  {name}: {safe(str(value))}") for name, value in facts.items() if value]
    for place, sentence in enumerate(body["sentences"], 1):
        shown = mark(ships=sentence["ships"], left=body["text"], shadow=body["shadow"])
        door = f"{shown} · {sentence['door']} · {sentence['reason']}"
        line = Text(f"{place}. {door}", style="bold")
        line.append(f" · {safe(sentence['detail'])}")
        parts += [line, Padding(Text(safe(sentence["text"])), (0, 0, 0, 3))]
        parts += [
            Text(f"   {safe(span['passage'])} from {span['start']} to {span['end']}")
            for span in sentence["spans"]
        ]
        # Decisions made before replies were recorded have none.
        if reply := sentence.get("reply"):
            parts.append(Text(f"   the judge's reply: {reply}"))
    parts += [_passage(passage) for passage in body["passages"]]
    codes = [one["reason"] for one in body["sentences"] if not one["ships"]]
    here.output.page(Group(*parts, *meanings([body["reason"], *codes]), *left(body["text"])))


def mark(*, ships: bool, left: str, shadow: bool) -> str:
    """Return what became of a sentence of an answer of which ``left`` may be shown."""
    if shadow:
        return "✓ shown" if ships else "✗ shown, would be removed"
    if ships:
        return "✓ shown" if left else "✓ kept, not shown"
    return "✗ removed"


def left(text: str) -> list[RenderableType]:
    """Return what may be shown of an answer, set off, for the end of a page."""
    if not text:
        return [Text("\n── nothing may be shown: the answer is withheld ──", style="bold")]
    shown = Padding(Text(safe(text, multiline=True)), (0, 0, 0, 2))
    return [Text("\n── what may be shown ──", style="bold"), shown]


def meanings(codes: "Iterable[str]") -> list[RenderableType]:
    """Return what each reason means and what to do, for the end of a page."""
    from corpusguard.gate.reasons import legend  # noqa: PLC0415 - only where one is shown

    lines = legend(code for code in codes if code)
    heading = [Text("\nwhat the reasons mean, and what to do:", style="bold")] if lines else []
    return [*heading, *(Padding(Text(line), (0, 0, 0, 2)) for line in lines)]


def _passage(passage: dict[str, Any]) -> RenderableType:
    from corpusguard.service.age import span  # noqa: PLC0415 - --help needs no service

    line = Text(safe(passage["id"]), style="bold")
    if not passage["verified"]:
        line.append(f" · refused: {passage['reason']}: {safe(passage['detail'])}")
        return line
    age = f"{span(passage['age_seconds'])} old"
    line.append(f" · s. {safe(passage['section'])} of {safe(passage['document'])}, {age}\n")
    line.append(
        f"   run {passage['run']}, consolidated {safe(passage['consolidated_from'])}, text "
        f"{passage['digest']}, corpus {passage['corpus_digest']}, root {passage['corpus_root']}"
    )
    return line


def _kept(body: "Mapping[str, Any]") -> str:
    sentences = body.get("sentences", [])
    return f"{sum(bool(one['ships']) for one in sentences)} of {len(sentences)}"


def _first(body: "Mapping[str, Any]") -> str:
    sentences = body.get("sentences", [])
    return " ".join(sentences[0]["text"].split()) if sentences else ""


_OF_DECISIONS = exit_codes(
    c0="shown",
    c1="",
    c2="usage error, or no such decision",
    c3="",
    c4="history is not what it was, or cannot be read",
    c75="",
)


def add_to(app: typer.Typer) -> None:
    """Add the group ``decisions``."""
    group = typer.Typer(no_args_is_help=True, help="What the sentence gate decided.")
    group.command("list", epilog=_OF_DECISIONS)(guarded(list_decisions))
    group.command("show", epilog=_OF_DECISIONS)(guarded(show_decision))
    app.add_typer(group, name="decisions", epilog=_OF_DECISIONS)
