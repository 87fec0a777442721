"""``corpusguard hook``: commands that an agent calls.

They do not share the exit codes of the others. To an agent 0 means go on, 2 means stop, and every
other code means that the hook is broken and the write goes ahead: so here 2 stands for whatever is
not a pass, and nothing but 0 and 2 is ever returned.
"""

import functools
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, ParamSpec

import typer

from corpusguard.cli.base import (
    ConfigOption,
    exit_codes,
    guarded,
    session,
)
from corpusguard.cli.output import Output
from corpusguard.cli.skill import print_skill
from corpusguard.cli.stopping import BLOCKS
from corpusguard.errors import CorpusguardError

P = ParamSpec("P")
SECONDS = 50.0
"""Agents give a hook a minute, and take one that needs longer for broken: the write goes ahead."""


def blocking(command: Callable[P, None]) -> Callable[P, None]:
    """Let ``command`` end with 0 or 2, whatever happens in it."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
        except CorpusguardError as error:
            Output().error(f"corpusguard: blocked: {error.message}")
            if error.hint:
                Output().error(f"  next: {error.hint}")
            raise typer.Exit(BLOCKS) from error
        except BaseException as error:
            # KeyboardInterrupt, SystemExit and MemoryError are no pass either.
            last = traceback.format_exception_only(error)[-1].strip()
            Output().error(f"corpusguard: blocked: the check itself failed: {last}")
            raise typer.Exit(BLOCKS) from error

    return run


def memory_write(
    *,
    ctx: typer.Context,
    within: Annotated[
        float,
        typer.Option(
            metavar="SECONDS",
            min=0.1,
            max=3600,
            help="Seconds after which it blocks; less than the agent waits.",
        ),
    ] = SECONDS,
    config: ConfigOption = None,
) -> None:
    """Stop unverified claims before an agent writes them into its memory files.

    Reads the agent's PreToolUse JSON on standard input. Nothing is printed on standard output:
    an approval there would skip the user's own prompts.
    """
    with _limited(within):
        here = session(ctx, config)
        # Here, not above: an import that fails must block as well.
        from corpusguard.gate.hook.memory import check_memory_write  # noqa: PLC0415
        from corpusguard.gate.hook.toolcall import MAX_INPUT, Blocked  # noqa: PLC0415

        if sys.stdin is None:
            raise Blocked("standard input is closed, so the tool call is not known")
        check_memory_write(sys.stdin.buffer.read(MAX_INPUT + 1) or b"", here.config)


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Raise TimeoutError when the time is over, whatever is being done."""

    def over(_number: int, _frame: object) -> None:
        raise TimeoutError(f"not decided within {seconds:g} s")

    before = signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


_OF_HOOK = exit_codes(
    c0="the write may go on to the user's own prompts",
    c1="",
    c2="blocked: a claim is not verified, or anything went wrong; no other code is ever returned",
    c3="",
    c4="",
    c70="",
    c75="",
    c130="",
)


def add_to(app: typer.Typer) -> None:
    """Add the group ``hook``."""
    group = typer.Typer(no_args_is_help=True, help="What an agent calls before it acts.")
    group.command("memory-write", epilog=_OF_HOOK)(blocking(memory_write))
    group.command("skill", epilog=exit_codes(c0="printed", c1="", c2="usage error", c3="", c75=""))(
        guarded(print_skill)
    )
    app.add_typer(group, name="hook", epilog=_OF_HOOK)
