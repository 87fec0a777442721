"""Progress on standard error: a bar on a terminal, a line now and then elsewhere."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from corpusguard.cli.output import Output
from corpusguard.report.text import clip, safe

Step = Callable[[str, int, int], None]
"""What the service calls: what it is at, how many are done, of how many."""

_INTERVAL: Final = 5.0
"""Seconds between lines where there is no terminal: a log, a CI job."""


@contextmanager
def progress(output: Output, what: str) -> Iterator[Step | None]:
    """Show progress while the block runs.

    Args:
        output: Its ``quiet`` shows nothing.
        what: The activity, as in ``verifying``.

    Yields:
        The function to give to the service, or None where nothing is to be shown.
    """
    console = output.error_console()
    if output.quiet:
        yield None
    elif console.is_terminal and not console.is_dumb_terminal:
        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=30),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
        )
        with Progress(*columns, console=console, transient=True) as bar:
            task = bar.add_task(what, total=None)

            def advance(name: str, done: int, total: int) -> None:
                label = f"{what} {clip(safe(name), 60)}"
                bar.update(task, description=label, completed=done, total=total)

            yield advance
    else:
        yield _Lines(output, what)


class _Lines:
    """Plain lines, the first at once and then at most one an interval."""

    def __init__(self, output: Output, what: str) -> None:
        self._output = output
        self._what = what
        self._next = 0.0

    def __call__(self, name: str, done: int, total: int) -> None:
        """Write a line if the last is long enough ago."""
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _INTERVAL
            self._output.remark(f"{self._what} {safe(name)} ({done} of {total})")
