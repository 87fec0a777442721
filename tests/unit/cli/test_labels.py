"""``corpusguard labels`` as a process sees it: streams and exit codes."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from corpusguard.cli import app
from tests.unit.cli.conftest import call

GOOD = "(u)A boat must carry a lamp.(/u: Harbour Act, s. 4)"


def fed(text, *arguments):
    """Call with ``text`` (or bytes) as standard input."""
    return CliRunner().invoke(app, list(arguments), input=text)


@pytest.mark.parametrize(
    ("text", "code", "says"),
    [
        (GOOD, 0, "passes"),
        (GOOD + " It may sink.", 1, "unlabelled: It may sink."),
        (GOOD + " (g)It may sink.(/g: me)", 1, "guess: It may sink."),
        ("(m)Rent is void.(/m: Act, 2024-01-01)", 1, "unproven: Rent is void."),
        ("(u)A boat sails.", 1, "unclosed at 0"),
        ("", 3, "held: empty"),
        ("# Fees\n", 3, "held: empty"),
    ],
)
def test_check(text, code, says):
    """What holds the text is named."""
    result = fed(text, "labels", "check", "-")
    assert (result.exit_code, result.stderr) == (code, "")
    assert says in result.stdout


def test_guesses_may_be_allowed():
    """They alone: nothing else passes with them."""
    guess = "(g)It may sink.(/g: me)"
    assert fed(guess, "labels", "check", "--allow-guesses", "-").exit_code == 0
    assert fed(guess + " x", "labels", "check", "--allow-guesses", "-").exit_code == 1


def test_check_as_json(tmp_path):
    """Every field of the decision, as data, from a file."""
    file = tmp_path / "answer.md"
    file.write_text(GOOD + " And so on.", "utf-8")
    result = call("labels", "check", file, "--format", "json")
    record = json.loads(result.stdout)
    assert result.exit_code == 1
    assert (record["schema"], record["held"]) == ("corpusguard/labels/1", True)
    assert record["reasons"] == ["unlabelled"]
    assert record["bare"][0]["words"] == "And so on."
    assert record["opened"] == {"u": 1, "m": 0, "g": 0}


def test_strip():
    """The words alone; and nothing at all where a guess could lose its label."""
    assert fed(GOOD + "\n", "labels", "strip", "-").stdout == "A boat must carry a lamp.\n"
    broken = fed("(g)It may sink.", "labels", "strip", "-")
    assert (broken.exit_code, broken.stdout) == (1, "")
    assert "unclosed" in broken.stderr
    assert fed(" \n", "labels", "strip", "-").exit_code == 3


def test_the_prompt_is_data():
    """It goes to standard output, to be piped into a request."""
    result = call("labels", "prompt")
    assert result.exit_code == 0
    assert "(u)" in result.stdout
    assert result.stderr == ""


def test_terminal_codes_in_an_answer_are_made_visible():
    """A model cannot move the cursor, and cannot end the line."""
    result = fed("It \x1b[2Jsinks\u202e", "labels", "check", "-")
    assert "\x1b" not in result.stdout
    assert "\u202e" not in result.stdout


@pytest.mark.parametrize("bad", [b"\xff\xfe", b"\xc3("])
def test_input_that_is_no_utf8_is_a_usage_error(bad):
    """Named with the byte, and with what to do."""
    result = fed(bad, "labels", "check", "-")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "UTF-8" in result.stderr
    assert "next:" in result.stderr


@pytest.mark.parametrize("command", [["labels", "check"], ["labels", "strip"], ["trace", "check"]])
def test_a_file_that_is_not_there_is_a_usage_error(command, tmp_path):
    """As is a folder."""
    for path in (tmp_path / "none", tmp_path):
        result = call(*command, path)
        assert (result.exit_code, result.stdout) == (2, "")
        assert str(path.name) in result.stderr


def test_a_text_over_the_limit_is_a_usage_error():
    """Rather than a long wait."""
    assert fed("x" * 2_000_001, "labels", "check", "-").exit_code == 2


def test_as_a_process():
    """Through a real pipe."""
    done = subprocess.run(
        [sys.executable, "-m", "corpusguard", "labels", "check", "-"],
        input=GOOD.encode(),
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"passes")
