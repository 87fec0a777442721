"""What the pages of the gate and its relatives show can be copied, and does what they say."""

from __future__ import annotations

import re
import shlex
import shutil

import click
import pytest
import typer

from corpusguard.cli import app
from tests.unit.docs.pages import DOCS, ROOT, Reader, blocks, commands, copied, tools

FAMILY = [
    "gate",
    "serve",
    "check-claim",
    "hook",
    "labels",
    "trace",
    "grounding",
    "measuring-the-gate",
    "measuring-the-verifier",
]
_MISSING = [name for name in ("bash", "curl", "jq") if not shutil.which(name)]


@pytest.fixture(scope="module")
def clock(tmp_path_factory):
    return tools(tmp_path_factory.mktemp("tools") / "tools")


@pytest.fixture(scope="module")
def after_gate(clock, tmp_path_factory):
    """The folder that the page of the gate makes: where the other pages go on."""
    folder = tmp_path_factory.mktemp("gate") / "empty"
    folder.mkdir()
    with Reader(folder, clock) as reader:
        reader.read(DOCS / "gate.md")
        return reader.folder


@pytest.mark.skipif(bool(_MISSING), reason=f"not installed: {', '.join(_MISSING)}")
@pytest.mark.parametrize("name", FAMILY)
def test_the_examples_of_a_page_run(name, clock, after_gate, tmp_path):
    """From the first to the last, in the folder of the sample; marked ones say why they do not."""
    if name != "gate":
        with Reader(copied(after_gate, tmp_path / "project"), clock) as reader:
            reader.read(DOCS / f"{name}.md")


@pytest.mark.parametrize("name", FAMILY)
def test_every_command_shown_is_in_a_console(name):
    """So that it is run: a block without a language is run by nobody."""
    for block in blocks(DOCS / f"{name}.md"):
        assert block.language, f"{name}.md:{block.line}"
        if block.language != "console":
            assert not re.search(r"^\$ |^corpusguard ", block.text, re.MULTILINE), block.line


PAGES = sorted({*DOCS.glob("*.md"), ROOT / "README.md"})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_exists_with_its_options(page):
    """In blocks and in the text, on all pages: nothing is run here."""
    told = [one[1] for one in re.finditer(r"`(corpusguard [^`\n]+)`", page.read_text("utf-8"))]
    for block in blocks(page):
        if block.language == "console":
            told += [one.text for one in commands(block)]
    for text in told:
        for words in _calls(text):
            _exists(words, f"{page.name}: {text}")


def _calls(text):
    """The arguments of each call of the command line in a command."""
    try:
        words = shlex.split(text, comments=True)
    except ValueError:
        words = text.split()
    calls, at, begins = [], None, True
    for word in words:
        if begins and word == "corpusguard":
            at = []
            calls.append(at)
        begins = word in {"|", "&&", "||", ";"}
        if begins or word in {">", ">>", "<"}:
            at = None
        elif at is not None:
            at.append(word)
    return [one[1:] for one in calls]


def _exists(words, where):
    command = typer.main.get_command(app)
    words = list(words)
    while words and hasattr(command, "commands"):
        name = words[0]
        if name.startswith(("-", "…", "[")) or name.isupper():
            break
        names = name.split("|")
        for one in names:
            assert one in command.commands, f"{where}: no command {one}"
        command = command.commands[names[0]]
        words.pop(0)
    known = {name for one in command.params for name in (*one.opts, *one.secondary_opts)}
    known |= set(command.get_help_option_names(click.Context(command)))
    for word in words:
        if word.startswith("-") and word != "-":
            assert word.split("=")[0] in known, f"{where}: no option {word}"
