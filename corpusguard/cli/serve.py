"""``corpusguard serve`` and ``mcp``: the sentence gate for other programs."""

import os
from typing import TYPE_CHECKING, Annotated

import typer

from corpusguard import logs
from corpusguard.cli.base import ConfigOption, LogFormatOption, QuietOption, Session, session
from corpusguard.errors import ConfigError

if TYPE_CHECKING:
    from corpusguard.serve.desk import Desk

CorporaOption = Annotated[
    list[str] | None,
    typer.Option("--corpus", metavar="NAME", help="A corpus that counts; default: all."),
]


def serve(  # noqa: PLR0913 (a command's options are its arguments)
    *,
    ctx: typer.Context,
    host: Annotated[
        str, typer.Option("--host", metavar="ADDRESS", help="Any but loopback needs a token.")
    ] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option(
            "--port", metavar="N", min=0, max=65535, help="0: any that is free; the log says it."
        ),
    ] = 8765,
    token_env: Annotated[
        str | None,
        typer.Option(
            "--token-env", metavar="NAME", help="The variable with the token that clients show."
        ),
    ] = None,
    server_name: Annotated[
        list[str] | None,
        typer.Option(
            "--server-name",
            metavar="NAME",
            help="A name that clients may call it by, besides those of this machine.",
        ),
    ] = None,
    per_minute: Annotated[
        int,
        typer.Option("--per-minute", metavar="N", min=1, help="Requests that one client may make."),
    ] = 1200,
    corpus: CorporaOption = None,
    log_format: LogFormatOption = None,
    config: ConfigOption = None,
    quiet: QuietOption = False,
) -> None:
    """Serve the sentence gate over HTTP, until stopped; /openapi.json describes it."""
    here = _logging(session(ctx, config, quiet=quiet, log_format=log_format))
    try:
        from corpusguard.serve.server import read_names, read_token  # noqa: PLC0415 - an extra
        from corpusguard.serve.server import serve as run  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise _missing("serve", error) from error
    from corpusguard.serve.limits import Limits  # noqa: PLC0415

    token = read_token(token_env) if token_env else ""
    names = read_names(server_name or ())
    limits = Limits(per_minute=per_minute)
    run(_desk(here, corpus), host, port, token=token, names=names, limits=limits)


def mcp(
    *,
    ctx: typer.Context,
    corpus: CorporaOption = None,
    log_format: LogFormatOption = None,
    config: ConfigOption = None,
    quiet: QuietOption = False,
) -> None:
    """Serve the sentence gate to a model as MCP tools, over standard input and output."""
    here = _logging(session(ctx, config, quiet=quiet, log_format=log_format))
    try:
        from corpusguard.serve.stdio import serve as run  # noqa: PLC0415 - an extra
    except ModuleNotFoundError as error:
        raise _missing("mcp", error) from error
    run(_desk(here, corpus))


def _logging(here: Session) -> Session:
    # Also at a terminal: what a server does is all that there is to see of it.
    form = here.log_format or os.environ.get(logs.VARIABLE) or logs.Format.CONSOLE
    shown = Session(here.config, here.output, form)
    shown.log()
    return shown


def _desk(here: Session, corpora: list[str] | None) -> "Desk":
    from corpusguard.config import load_config  # noqa: PLC0415 - as in base.Session
    from corpusguard.serve.desk import Desk  # noqa: PLC0415

    config = load_config(here.config)
    desk = Desk(config, corpora or ())
    if config.gate.judge:
        logs.get_logger().warning(
            "no judge is asked here: [gate] judge is for check-answer and Gate.open",
            judge=config.gate.judge,
        )
    return desk


def _missing(extra: str, error: ModuleNotFoundError) -> ConfigError:
    return ConfigError(
        f"this needs {error.name}, of the extra {extra!r}",
        hint=f"pip install 'corpusguard-law[{extra}]'",
    )
