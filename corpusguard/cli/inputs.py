"""What a command is handed: a file or standard input, as text or JSON, in bounds."""

import sys
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from corpusguard import strict_json
from corpusguard.cli.output import Output
from corpusguard.errors import ConfigError
from corpusguard.strict_json import NotStrict

MAX_BYTES: Final = 64_000_000

InputArgument = Annotated[
    Path, typer.Argument(metavar="FILE", help="A file in UTF-8, or - for standard input.")
]


def tell_terminal(output: Output, what: str) -> None:
    """Say what is waited for, where somebody sits before an empty line."""
    if sys.stdin is not None and sys.stdin.isatty():
        output.remark(f"reading {what} from standard input; Ctrl-D on a line of its own ends it")


def read_text(path: Path) -> str:
    """Return the text of a file, or of standard input where ``path`` is ``-``.

    Raises:
        ConfigError: It cannot be read, is no UTF-8 or is over ``MAX_BYTES``.
    """
    name = "standard input" if str(path) == "-" else str(path)
    try:
        if str(path) == "-":
            data = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with path.open("rb") as stream:
                data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise ConfigError(
            f"cannot read {name}: {error.strerror}", hint="Name a file, or - for standard input."
        ) from error
    if len(data) > MAX_BYTES:
        raise ConfigError(f"{name} is over {MAX_BYTES:,} bytes", hint="Give it in parts.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(
            f"{name} is not UTF-8 (byte {error.start})", hint="Convert it, for instance with iconv."
        ) from error


def read_rows(path: Path) -> list[tuple[str, Any]]:
    """Return what a file of JSON lines holds, or of one JSON value: (where, value).

    An array counts as its items.

    Raises:
        ConfigError: As :func:`read_text`, or a line is not JSON, has a key twice or a NaN.
    """
    text = read_text(path)
    name = "standard input" if str(path) == "-" else path.name
    try:
        value = parse_json(text, name)
    except ConfigError:
        # Not splitlines: U+2028 and others may stand raw in a JSON string.
        lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
        if len(lines) < 2:
            raise
        return [
            (f"{name}:{number}", parse_json(line, f"{name}:{number}")) for number, line in lines
        ]
    if isinstance(value, list):
        return [(f"{name}[{index}]", one) for index, one in enumerate(value)]
    return [(name, value)]


def parse_json(text: str, where: str) -> Any:  # noqa: ANN401 - JSON is any of six types
    """Parse one JSON value strictly.

    Raises:
        ConfigError: It is not JSON, or means two things: see :mod:`corpusguard.strict_json`.
    """
    try:
        return strict_json.parse(text, max_size=MAX_BYTES)
    except NotStrict as error:
        raise ConfigError(
            f"{where}: not usable JSON: {error}", hint="Correct this input."
        ) from error
