"""What all commands share: options, the way to the service, and how errors become exit codes."""

import difflib
import errno
import functools
import logging
import os
import shlex
import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, ParamSpec

import typer

from corpusguard import logs
from corpusguard.cli.output import Output
from corpusguard.errors import ConfigError, CorpusguardError, SourceError, StorageError

if TYPE_CHECKING:
    from corpusguard.service import Service

P = ParamSpec("P")

VERIFIED, FINDINGS, USAGE, UNVERIFIED, NOT_STORED = 0, 1, 2, 3, 4
INTERNAL, LOCKED, INTERRUPTED, TERMINATED = 70, 75, 130, 143

MEANINGS: Final[Mapping[int, str]] = {
    VERIFIED: "every document in scope verified by every requested layer, and at least one",
    FINDINGS: "findings at or above --fail-on",
    USAGE: "usage or configuration error",
    UNVERIFIED: "not verified: source unreachable or not what it should be, unreadable, too old, "
    "nothing in scope",
    NOT_STORED: "the result could not be stored durably",
    INTERNAL: "internal error",
    LOCKED: "another run holds the lock",
    INTERRUPTED: "interrupted (143: terminated)",
}
"""Exit code -> what it means for a run."""

_NO_SPACE: Final = frozenset({errno.ENOSPC, errno.EDQUOT})

ConfigOption = Annotated[
    Path | None,
    typer.Option(
        "--config",
        "-c",
        metavar="FILE",
        help="Configuration; default: corpusguard.toml, looked for upward from here.",
    ),
]
QuietOption = Annotated[
    bool, typer.Option("--quiet", "-q", help="No progress and no remarks on standard error.")
]
LogFormatOption = Annotated[
    str | None,
    typer.Option(
        "--log-format",
        metavar="console|json",
        help="Log what is done to standard error, in this form; default: CORPUSGUARD_LOG_FORMAT, "
        "and console where no person watches.",
    ),
]
DocOption = Annotated[
    list[str] | None,
    typer.Option("--doc", "-d", metavar="ID", help="A document; may be given several times."),
]


SQLITE_MAX: Final = 2**63 - 1
"""The largest integer that SQLite holds (https://www.sqlite.org/datatype3.html): a larger number
of a run, a decision or a limit is a mistake in the command line, not an error inside."""

RunOption = Annotated[
    int | None,
    typer.Option(
        "--run",
        "-r",
        min=1,
        max=SQLITE_MAX,
        metavar="N",
        help="A run; default: the newest that finished.",
    ),
]
LimitOption = Annotated[
    int, typer.Option("--limit", min=1, max=SQLITE_MAX, metavar="N", help="Most that are listed.")
]

_UNUSABLE: Final = frozenset(
    {errno.ENAMETOOLONG, errno.ELOOP, errno.EACCES, errno.EPERM, errno.ENOTDIR, errno.EISDIR}
)
"""What the system says of a path that cannot be used as it is."""
_LOOP: Final = "Symlink loop"
"""How the ``RuntimeError`` begins that ``Path.resolve`` raises up to Python 3.12."""


@dataclass(frozen=True, slots=True)
class Session:
    """One call of the command line."""

    config: Path | None
    output: Output
    log_format: str | None = None

    def log(self) -> bool:
        """Set up the log of a run; return whether it, and it alone, goes to standard error.

        A person at a terminal sees a progress bar, and the log only where a form was asked for.

        Raises:
            ConfigError: There is no such form.
        """
        asked = self.log_format or os.environ.get(logs.VARIABLE)
        form = logs.Format(choice(asked, logs.Format, "--log-format")) if asked else None
        watched = not asked and self.output.error_console().is_terminal
        level = logging.WARNING if watched or self.output.quiet else logging.INFO
        logs.configure(form, level=level)
        return form is logs.Format.JSON

    def service(self) -> "Service":
        """Open the service on the configuration.

        Raises:
            ConfigError: There is no configuration, or it is wrong.
        """
        # Here, not above: --help, --version and explain need no reader and no network client.
        from corpusguard.config import load_config  # noqa: PLC0415
        from corpusguard.service import Service  # noqa: PLC0415

        return Service(load_config(self.config))


def config_option(config: Path | None) -> str:
    """Return `` -c FILE`` for a command that a person can copy, or nothing."""
    return f" -c {shlex.quote(str(config))}" if config else ""


def session(
    ctx: typer.Context,
    config: Path | None = None,
    *,
    quiet: bool = False,
    log_format: str | None = None,
    code_tells: bool = False,
) -> Session:
    """Return the session; a command's own options win over those before its name.

    ``code_tells``: the exit code is the command's answer; see ``Output``.
    """
    root = ctx.find_root().obj
    before = root if isinstance(root, Session) else Session(None, Output())
    return Session(
        config or before.config,
        Output(quiet=quiet or before.output.quiet, code_tells=code_tells),
        log_format or before.log_format,
    )


def exit_codes(**changed: str) -> str:
    """Return the exit codes for a command's help.

    Args:
        changed: ``c0="…"``: what a code means for this command; empty where it does not occur.
    """
    meanings = {code: changed.get(f"c{code}", text) for code, text in MEANINGS.items()}
    lines = [f"{code}  {text}" for code, text in meanings.items() if text]
    return "\n".join(["Exit codes:", *lines])


def guarded(command: Callable[P, None]) -> Callable[P, None]:
    """Turn what goes wrong in ``command`` into a message on standard error and an exit code."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            _check_text(kwargs)
            command(*args, **kwargs)
        except (typer.Exit, typer.Abort, typer.TyperException):
            raise
        except CorpusguardError as error:
            raise typer.Exit(_explained(error)) from error
        except KeyboardInterrupt as error:
            Output().error("interrupted")
            raise typer.Exit(INTERRUPTED) from error
        except Exception as error:
            told = _of_a_path(error, _paths(kwargs.values()))
            if told is not None:
                raise typer.Exit(_explained(told)) from error
            # A traceback must never look like findings (1), whatever raised it.
            Output().error(traceback.format_exc().rstrip())
            full = isinstance(error, OSError) and error.errno in _NO_SPACE
            raise typer.Exit(NOT_STORED if full else INTERNAL) from error

    return run


def _check_text(options: Mapping[str, object]) -> None:
    """Refuse words that are not UTF-8: no record, database or answer could hold them.

    Python hands such bytes on as lone surrogates (PEP 383). Names of files may hold them.

    Raises:
        ConfigError: A word is such.
    """
    for name, value in options.items():
        for word in value if isinstance(value, list | tuple) else [value]:
            if isinstance(word, str) and not word.isascii():
                try:
                    word.encode()
                except UnicodeEncodeError as error:
                    raise ConfigError(
                        f"{name.replace('_', '-')} is not UTF-8: {word[:80]!r}",
                        hint="write it in UTF-8",
                    ) from error


def _paths(values: Iterable[object]) -> list[Path]:
    """Return the paths among the values of a command's options."""
    found: list[Path] = []
    for value in values:
        several = value if isinstance(value, list | tuple) else [value]
        found += [one.absolute() for one in several if isinstance(one, Path)]
    return found


def _of_a_path(error: Exception, given: list[Path]) -> CorpusguardError | None:
    """Return what to tell of a path that the system refuses; None: the error is another one.

    Whatever the command line named is a usage error. Any other path belongs to what is stored.
    """
    if isinstance(error, RuntimeError) and str(error).startswith(_LOOP):
        return ConfigError(
            f"a link leads to itself: {error}"[:400], hint="remove the link, or name another path"
        )
    if not (isinstance(error, OSError) and error.errno in _UNUSABLE and error.filename):
        return None
    if not isinstance(error.filename, str | bytes):  # the number of an open file
        return None
    path = Path(os.fsdecode(error.filename)).absolute()
    message = f"cannot use {str(path)[:200]}: {error.strerror}"
    if any(path == one or one in path.parents or path in one.parents for one in given):
        return ConfigError(message, hint="name another path, or change its permissions")
    return StorageError(message, hint="check the path and its permissions; nothing was changed")


def _explained(error: CorpusguardError) -> int:
    rule = f" ({error.rule})" if isinstance(error, SourceError) else ""
    Output().error(f"corpusguard: {error.message}{rule}")
    if error.hint:
        Output().error(f"  next: {error.hint}")
    return error.exit_code


def choice(value: str, known: Iterable[str], option: str) -> str:
    """Return ``value`` where it is one of ``known``.

    Raises:
        ConfigError: It is not; the message lists what there is, and the hint the nearest.
    """
    names = list(known)
    if value in names:
        return value
    near = difflib.get_close_matches(value, names, n=1)
    raise ConfigError(
        f"{option} {value!r} is unknown; there are: {', '.join(names)}",
        hint=f"Did you mean {near[0]}?"
        if near
        else f"the command's own --help tells about {option}",
    )


EACH: Final = exit_codes(
    c0="done; what that takes, the --help of each command says, and its other codes",
    c1="",
    c3="",
    c4="",
    c75="",
)
"""Of a group whose commands do different things: what is true of all."""
READS: Final = exit_codes(
    c0="done", c1="", c3="a document, snapshot or stored passage cannot be read", c75="", c4=""
)
"""Commands that only read: they neither judge nor store."""
