"""``corpusguard hook``: commands that an agent calls.

They do not share the exit codes of the others. To an agent 0 means go on, 2 means stop, and every
other code means that the hook is broken and the write goes ahead: so here 2 stands for whatever is
not a pass, and nothing but 0 and 2 is ever returned.
"""

import functools
import os
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Annotated, ParamSpec

import typer

from corpusguard.cli.base import (
    ConfigOption,
    exit_codes,
    guarded,
    session,
)
from corpusguard.cli.inputs import tell_terminal
from corpusguard.cli.output import Output
from corpusguard.cli.skill import print_skill
from corpusguard.cli.stopping import BLOCKS, end_after
from corpusguard.errors import ConfigError, CorpusguardError

P = ParamSpec("P")
SECONDS = 50.0
"""Agents give a hook a minute, and take one that needs longer for broken: the write goes ahead."""
WithinOption = Annotated[
    float,
    typer.Option(
        metavar="SECONDS",
        min=0.1,
        max=3600,
        help="Seconds after which it blocks; less than the agent waits.",
    ),
]
_QUIET, _LONGEST_DRAIN = 0.1, 3.0
"""Seconds without input, and of reading it."""


class OutOfTime(BaseException):
    """The time is over. No ``TimeoutError``: as an ``OSError`` it would be taken for a file's."""


def blocking(command: Callable[P, None], outcome: str = "blocked") -> Callable[P, None]:
    """Let ``command`` end with 0 or 2, whatever happens in it; ``outcome`` is what 2 is called."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
        except CorpusguardError as error:
            Output().error(f"corpusguard: {outcome}: {error.message}")
            if error.hint:
                Output().error(f"  next: {error.hint}")
            raise typer.Exit(BLOCKS) from error
        except OutOfTime as error:
            Output().error(f"corpusguard: {outcome}: {error}")
            Output().error("  next: give it more time by --within, or less to check")
            raise typer.Exit(BLOCKS) from error
        except BaseException as error:
            # KeyboardInterrupt, SystemExit and MemoryError are no pass either.
            last = traceback.format_exception_only(error)[-1].strip()
            Output().error(f"corpusguard: {outcome}: the check itself failed: {last}")
            raise typer.Exit(BLOCKS) from error

    return run


def memory_write(
    *,
    ctx: typer.Context,
    within: WithinOption = SECONDS,
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
        tell_terminal(here.output, "an agent's tool call, as in docs/hook.md,")
        check_memory_write(sys.stdin.buffer.read(MAX_INPUT + 1) or b"", here.config)


def memory_check(
    *,
    ctx: typer.Context,
    accept: Annotated[
        bool,
        typer.Option(
            "--accept",
            help="A person's step: take what the files say as accepted, and list what the corpus "
            "does not bear out.",
        ),
    ] = False,
    every: Annotated[
        bool,
        typer.Option(
            "--all",
            help="Judge everything that the files say, whether accepted or not, and accept "
            "nothing: for CI, and for each night after the law was verified.",
        ),
    ] = False,
    within: WithinOption = SECONDS,
    config: ConfigOption = None,
) -> None:
    """Say what the memory files newly claim that is not verified, whoever wrote it.

    Compares each with what it said when it was last accepted. Where all that is new is verified,
    it is accepted. An agent calls this after each of its tools; standard input is not needed.
    """
    with _limited(within):
        _drain()
        if accept and every:
            raise ConfigError("--accept and --all exclude each other", hint="leave one out")
        here = session(ctx, config)
        # Here, not above: an import that fails must block as well.
        from corpusguard.gate.hook import afterwards  # noqa: PLC0415

        if accept or every:
            told = (afterwards.accept_memory if accept else afterwards.check_all)(here.config)
            here.output.error(told)
        else:
            afterwards.check_memory(here.config)


def _drain() -> None:
    """Take what an agent writes on standard input: one whose pipe breaks calls the hook broken.

    (https://github.com/openai/codex/issues/32667.) Nothing in it matters here. A terminal, a pipe
    in which nobody writes, and one that never ends hold nobody up.
    """
    with suppress(AttributeError, OSError, ValueError):  # closed, or not a file
        descriptor = sys.stdin.fileno()
        until = time.monotonic() + _LONGEST_DRAIN
        while time.monotonic() < until:
            if os.isatty(descriptor) or not select.select([descriptor], [], [], _QUIET)[0]:
                return
            if not os.read(descriptor, 1 << 20):
                return


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Raise OutOfTime when the time is over, whatever is being done."""

    def over(_number: int, _frame: object) -> None:
        raise OutOfTime(f"not decided within {seconds:g} s")

    end_after(seconds)
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

_OF_CHECK = exit_codes(
    c0="all that is new is verified; --all: all that the files say; --accept: it is accepted",
    c1="",
    c2="a claim is not verified, or anything went wrong, and nothing is accepted; no other code "
    "is ever returned",
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
    # Not "blocked": the tool has run, and what it wrote is there.
    group.command("memory-check", epilog=_OF_CHECK)(blocking(memory_check, "memory-check failed"))
    group.command("skill", epilog=exit_codes(c0="printed", c1="", c2="usage error", c3="", c75=""))(
        guarded(print_skill)
    )
    app.add_typer(group, name="hook", epilog=_OF_HOOK)
