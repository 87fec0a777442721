"""Hostile texts take bounded time: a pattern that runs for minutes is a hook that is timed out."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

import pytest

from corpusguard.config.gate import MEMORY_FILES
from corpusguard.gate.hook.paths import MemoryFiles
from corpusguard.gate.hook.said import newly_said
from corpusguard.gate.hook.shell import shell_changes
from corpusguard.gate.hook.statements import is_claim, statements, unreadable_characters
from corpusguard.gate.hook.toolcall import Blocked
from corpusguard.gate.judges.prompt import addresses_the_judge
from corpusguard.gate.splitter import split

MEMORY = MemoryFiles(MEMORY_FILES, Path("/project"))
UNITS = [
    "a", "1.", "1-", "1 ", " ", "\n", "\t", "#", "- ", "> ", "* [ ] ", "`", "**", "(", "$(", "'",
    '"', "\\", "answer:", "answer a ", "ignore all ", "ignore a ", "system ", "\n system", '" ',
    "|", "s. ", "that ", "if ", "; ", "a. ", "x=", "${", "<<a\n", "> a ", "[", "{", "memory/", "é",
]  # fmt: skip


@pytest.mark.parametrize("unit", UNITS)
def test_texts_of_100_000_characters(unit):
    """Each reader of foreign text, on the same few characters over and over."""
    text = unit * (100_000 // len(unit))
    begun = time.process_time()
    said = (part for block, parts in newly_said("", text) for part in (block.text, *parts))
    for one in {*statements(text), *said}:
        is_claim(one)
        is_claim(one[:4_000])
        unreadable_characters(one)
    addresses_the_judge(text)
    for command in (text, f"echo {text} > CLAUDE.md", f"sed -i s/{text}/b/ CLAUDE.md"):
        with contextlib.suppress(Blocked):
            shell_changes(command, "/project", MEMORY, lambda _path, _cwd: "")
    assert time.process_time() - begun < 30  # three on a quiet core


ANSWERS = [".", "!", "…", ".)", '."', ". ", ".) ", "[", "]", "[1]", "“", "”", '"', "(", ")", "(a) ", "\n- ", "a.", "s. 5 "]  # fmt: skip


@pytest.mark.parametrize("unit", ANSWERS)
def test_an_answer_of_the_longest_kind_is_split(unit):
    """One request must not stop a server: a pattern in C lets no other thread run meanwhile."""
    text = unit * (200_000 // len(unit))
    begun = time.process_time()
    split(text, str.isdigit)
    split(f"a{text} A ferry may sail.", str.isdigit)
    assert time.process_time() - begun < 30
