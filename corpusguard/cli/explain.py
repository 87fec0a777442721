"""``corpusguard explain``: the page of a rule, or what a reason or an outcome means."""

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
            metavar="RULE|REASON|OUTCOME",
            help="A rule (CG101 or text_differs), a reason of the sentence gate (truncated), or an "
            "outcome of check-claim (escalated).",
        ),
    ],
) -> None:
    """Say what a rule, a reason of the gate or an outcome means, and what to do."""
    output = session(ctx).output
    from corpusguard.gate.reasons import look_up  # noqa: PLC0415 - other commands do not need it

    page = look_up(rule).page
    if output.is_terminal():
        output.page(Markdown(page))
    else:
        output.data(page)
