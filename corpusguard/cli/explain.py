"""``corpusguard explain``: the page of a rule."""

import difflib
from importlib import resources
from typing import Annotated

import typer
from rich.markdown import Markdown

from corpusguard.cli.base import session
from corpusguard.errors import ConfigError
from corpusguard.rules import RULES


def rule_id(text: str) -> str:
    """Return the id of a rule given by id or by name, in any case.

    Raises:
        ConfigError: There is none; the hint names the nearest.
    """
    known = {rule.id.lower(): rule.id for rule in RULES.values()}
    known |= {rule.name: rule.id for rule in RULES.values()}
    wanted = text.strip().lower().replace("-", "_")
    if wanted in known:
        return known[wanted]
    near = difflib.get_close_matches(wanted, known, n=3, cutoff=0.5)
    names = [f"{known[name]} {RULES[known[name]].name}" for name in near]
    raise ConfigError(
        f"there is no rule {text!r}",
        hint=f"Nearest: {', '.join(names)}." if names else "Rules look like CG101 or text_differs.",
    )


def explain(
    *,
    ctx: typer.Context,
    rule: Annotated[str, typer.Argument(metavar="RULE", help="CG101, or its name text_differs.")],
) -> None:
    """Say what a rule means, by an example, why it matters and what to do."""
    output = session(ctx).output
    name = f"{rule_id(rule)}.md"
    page = resources.files("corpusguard").joinpath("rule_pages", name).read_text("utf-8")
    if output.is_terminal():
        output.page(Markdown(page))
    else:
        output.data(page)
