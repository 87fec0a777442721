"""Exit codes, streams and help: what every command promises."""

from __future__ import annotations

import errno
import re

import pytest
import typer
from typer.testing import CliRunner

from corpusguard import errors
from corpusguard.cli import app
from corpusguard.cli.base import MEANINGS, guarded
from tests.unit.cli.conftest import call

COMMANDS = [
    [],
    ["demo"],
    ["init"],
    ["inspect"],
    ["fetch"],
    ["passages"],
    ["verify"],
    ["check-corpus"],
    ["keys"],
    ["keys", "new"],
    ["check-answer"],
    ["decisions"],
    ["decisions", "list"],
    ["decisions", "show"],
    ["status"],
    ["report"],
    ["diff"],
    ["explain"],
    ["doctor"],
    ["snapshots"],
    ["snapshots", "list"],
    ["snapshots", "show"],
    ["snapshots", "add"],
    ["findings"],
    ["findings", "list"],
    ["findings", "show"],
    ["findings", "ignore"],
    ["ignores"],
    ["ignores", "list"],
    ["ignores", "prune"],
    ["baseline"],
    ["baseline", "create"],
    ["baseline", "list"],
    ["baseline", "update"],
    ["history"],
    ["history", "list"],
    ["history", "verify"],
    ["history", "head"],
    ["history", "anchor"],
    ["history", "prove"],
    ["labels"],
    ["labels", "check"],
    ["labels", "strip"],
    ["labels", "prompt"],
    ["trace"],
    ["trace", "check"],
    ["trace", "report"],
    ["trace", "label"],
    ["trace", "agree"],
    ["check-claim"],
    ["hook", "skill"],
    ["measure", "skill"],
]


def raising(error):
    """A real command of one function that raises ``error``."""
    app = typer.Typer(pretty_exceptions_enable=False)

    def command() -> None:
        raise error

    app.command()(guarded(command))
    return CliRunner().invoke(app, [])


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_help_states_the_exit_codes(command):
    """Every command and group says what it exits with, on standard output."""
    result = call(*command, "--help")
    assert result.exit_code == 0
    assert "Exit codes:" in result.stdout
    assert "70  " in result.stdout
    assert result.stderr == ""


def _texts(command, path=()):
    """Each text that --help prints, with the command that prints it."""
    for text in (command.help, command.epilog, *(getattr(p, "help", "") for p in command.params)):
        yield " ".join(path), text or ""
    for name, inner in getattr(command, "commands", {}).items():
        yield from _texts(inner, (*path, name))


def _commands(command, path=()):
    """Each command and group, with its words."""
    yield path, command
    for name, inner in getattr(command, "commands", {}).items():
        yield from _commands(inner, (*path, name))


COMMANDS = dict(_commands(typer.main.get_command(app)))
KINDS = re.compile(r"<(?:str|int|float|path|file|text|boolean|uuid)[ a-z]*>", re.IGNORECASE)
"""What typer prints for the value of an option or argument that was given no name."""


@pytest.mark.parametrize("path", COMMANDS, ids=lambda path: " ".join(path) or "corpusguard")
def test_help_names_each_value_and_says_what_it_is_for(path):
    """In words that a person reads: `N`, `FILE`, `<console|json>`, and never `<int range>`."""
    shown = call(*path, "--help").stdout
    assert KINDS.findall(shown) == []
    context = COMMANDS[path].context_class(COMMANDS[path])
    for one in COMMANDS[path].params:
        assert getattr(one, "help", "").strip(), one.name
        name = one.make_metavar(context)
        assert name == "<boolean>" or len(name) > 1 or name == "N", (one.name, name)
        assert name != one.name, name


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (("decisions", "show", "first"), "whole number"),
        (("decisions", "list", "--limit", "few"), "whole number"),
        (("trace", "agree", "a", "b", "--at-least", "much"), "number"),
        # Within every range, and below no bar: it would have passed.
        (("trace", "agree", "a", "b", "--at-least", "nan"), "number"),
        (("trace", "report", "--effect", "NaN"), "number"),
        (("measure", "skill", "--judge", "x", "--bar", "-nan"), "number"),
        (("hook", "memory-check", "--within", "nan"), "number"),
    ],
)
def test_a_value_of_another_kind_is_told_in_words(words, kind):
    """Exit 2, with the value and what it should be."""
    done = call(*words)
    assert done.exit_code == 2
    assert f"{words[-1]!r} is not a valid {kind}." in done.stderr


def test_no_help_loses_words_in_brackets():
    """Square brackets in it are markup unless they are escaped, and would vanish with the words."""
    lost = [
        (name, found[0])
        for name, text in _texts(typer.main.get_command(app))
        for found in re.finditer(r"(?<!\\)\[/?[a-z#@][^\[\]]*\]", text)
        if found[0] not in {"[red]", "[/red]"}
    ]
    assert lost == []
    assert '"A. [c_1]"' in call("trace", "check", "--help").stdout


def test_verify_help_states_every_code():
    """The command that can end in all ways names all of them."""
    text = call("verify", "--help").stdout
    for code in MEANINGS:
        assert f"\n {code}  " in text, code


def test_version():
    """The version is data."""
    result = call("--version")
    assert result.exit_code == 0
    assert result.stdout.startswith("corpusguard ")


@pytest.mark.parametrize(
    "arguments",
    [
        ["no-such-command"],
        ["verify", "--no-such-option"],
        ["verify", "--jobs", "0"],
        ["verify", "--fail-on", "note"],
        ["verify", "--layer", "L4"],
        ["verify", "--format", "html"],
        ["explain"],
        ["explain", "CG999"],
        ["findings", "list", "--rule", "nonsense"],
        ["inspect", "/no/such/store"],
        ["verify", "-c", "/no/such/corpusguard.toml"],
        ["fetch", "-c", "/no/such/corpusguard.toml"],
    ],
    ids=" ".join,
)
def test_usage_errors_exit_2(arguments):
    """What is wrong with the call is said on standard error, and nothing on standard output."""
    result = call(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr


def test_an_unknown_format_lists_those_there_are():
    """A format that comes later is refused with what exists."""
    stderr = call("verify", "--format", "docx").stderr
    assert "console, json, jsonl, junit, sarif, markdown, html, github" in stderr


def test_a_near_miss_is_named():
    """A slip in a format's name is answered with the name that was meant."""
    assert "Did you mean markdown?" in call("verify", "--format", "markdwn").stderr


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.ConfigError("m", hint="h"), 2),
        (errors.CorpusUnreadable("m", hint="h"), 3),
        (errors.NotTheDocument("m", hint="h"), 3),
        (errors.StorageError("m", hint="h"), 4),
        (errors.LockHeld("m", hint="h"), 75),
    ],
)
def test_known_errors_have_a_message_a_hint_and_their_code(error, code):
    """Our own errors are explained without a traceback."""
    result = raising(error)
    assert result.exit_code == code
    assert result.stdout == ""
    assert result.stderr.startswith("corpusguard: m")
    assert "next: h" in result.stderr
    assert "Traceback" not in result.stderr


def test_a_source_error_names_its_rule():
    """The rule id leads to the page that explains it."""
    assert "(CG503)" in raising(errors.NotTheDocument("shell")).stderr


def test_a_traceback_is_never_mistaken_for_findings():
    """Whatever else is raised gives 70 and a traceback on standard error, made safe."""
    result = raising(ValueError("bad \x1b[2J row"))
    assert result.exit_code == 70
    assert result.stdout == ""
    assert "Traceback" in result.stderr
    assert "\x1b" not in result.stderr


def test_a_full_disk_is_a_storage_failure():
    """ENOSPC from anywhere means that the result is not stored."""
    assert raising(OSError(errno.ENOSPC, "No space left on device")).exit_code == 4


def test_an_interrupt_is_130():
    """Ctrl-C is no finding."""
    assert raising(KeyboardInterrupt()).exit_code == 130


def test_hostile_messages_are_made_safe():
    """A file name in an error cannot move the cursor."""
    assert "\x1b" not in raising(errors.ConfigError("a\x1b[31mb", hint="c\x9bd")).stderr
