"""``corpusguard explain``: the page of a rule, or what a reason of the gate means."""

from typing import Annotated

import typer
from rich.markdown import Markdown

from corpusguard.cli.base import session


def explain(
    *,
    ctx: typer.Context,
    rule: Annotated[
        str,
        typer.Argument(
            metavar="RULE|REASON",
            help="A rule (CG101 or text_differs), or a reason of the sentence gate (truncated).",
        ),
    ],
) -> None:
    """Say what a rule means, by an example, why it matters and what to do; or a gate's reason."""
    output = session(ctx).output
    from corpusguard.gate.reasons import look_up  # noqa: PLC0415 - other commands do not need it

    page = look_up(rule).page
    if output.is_terminal():
        output.page(Markdown(page))
    else:
        output.data(page)
