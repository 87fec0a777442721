"""``corpusguard explain``: the page of a rule."""

from typing import Annotated

import typer
from rich.markdown import Markdown

from corpusguard.cli.base import session
from corpusguard.rules import rule_id, rule_page


def explain(
    *,
    ctx: typer.Context,
    rule: Annotated[str, typer.Argument(metavar="RULE", help="CG101, or its name text_differs.")],
) -> None:
    """Say what a rule means, by an example, why it matters and what to do."""
    output = session(ctx).output
    page = rule_page(rule_id(rule))
    if output.is_terminal():
        output.page(Markdown(page))
    else:
        output.data(page)
