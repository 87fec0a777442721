"""Lists for a person, and the option that asks for them as JSON."""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from corpusguard.report.text import safe


class PlainFormat(StrEnum):
    """For a person, or for a program."""

    CONSOLE = "console"
    JSON = "json"


FormatOption = Annotated[PlainFormat, typer.Option("--format", "-f", help="Form of the answer.")]


def table(heads: Sequence[str], rows: Iterable[Sequence[str | tuple[str, ...]]]) -> Table:
    """Return a table of foreign text, made safe; long cells fold, none is cut off.

    Args:
        heads: One a column.
        rows: Cells; a tuple is the lines of one cell.
    """
    shown = Table(box=SIMPLE_HEAD, pad_edge=False)
    for head in heads:
        shown.add_column(head, overflow="fold")
    for row in rows:
        lines = [(cell,) if isinstance(cell, str) else cell for cell in row]
        shown.add_row(*(Text("\n".join(safe(line) for line in cell if line)) for cell in lines))
    return shown
