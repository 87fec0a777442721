"""Commands that bash carries out in ways of its own: sums, prompts, open files, texts that are made.

Each once let a claim through. One command a line, ``␤`` for a new line.
"""

from __future__ import annotations

import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from corpusguard.config.gate import MEMORY_FILES
from corpusguard.gate.hook.paths import MemoryFiles
from corpusguard.gate.hook.toolcall import Blocked, ToolCall
from corpusguard.gate.hook.writes import changes
from tests.unit.gate.hook.test_red_team import fill, passes, really_writes

COMMANDS = [
    line.replace("␤", "\n")
    for line in (Path(__file__).parent / "more_attacks.txt")
    .read_text(encoding="utf-8")
    .splitlines()
]


def fill_more(folder):
    """What these commands need besides."""
    (folder / "n").write_text("memory\n")
    (folder / "m").write_text("CLAUDE.md\n")
    (folder / "src").mkdir()
    (folder / "src/a.py").write_text("x = 1\n")
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    for arguments in (["init", "-q"], ["add", "-A"], [*who, "commit", "-qm", "x"]):
        subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True)


def test_what_bash_makes_of_it_never_passes(tmp_path, monkeypatch):
    """Which of them write is seen by running them; none of the list passes, whether it does or not."""
    ready = tmp_path / "ready"
    fill(ready)
    fill_more(ready)
    monkeypatch.setenv("HOME", str(ready))
    folders = [tmp_path / str(number) for number in range(len(COMMANDS))]
    with ThreadPoolExecutor(4) as pool:
        wrote = list(pool.map(lambda *one: really_writes(*one, more=fill_more), COMMANDS, folders))
    assert sum(wrote) > 150
    assert [command for command in COMMANDS if passes(command, ready)] == []


@pytest.mark.parametrize(
    "command",
    [
        "a|" * 60 + "b",
        "eval " * 200 + "'x y'",
        "if [[ a ]] then cp x CLAUDE.md; fi",
        "cat x 2<CLAUDE.md >&2",
    ],
)
def test_what_has_no_end_or_no_mark_blocks(tmp_path, command):
    """Long pipelines, texts within texts, and keywords that need no ``;`` in front."""
    known = MemoryFiles(MEMORY_FILES, tmp_path)
    with pytest.raises(Blocked):
        changes(ToolCall("Bash", {"command": command}, str(tmp_path)), known)


EDITS = {
    "straight for curly quotes": ("It's not", "It's"),
    "another amount of white space": ("may  not", "may"),
    "a text that is not there": ("never", "always"),
}


@pytest.mark.parametrize(("old", "new"), EDITS.values(), ids=EDITS)
def test_an_edit_of_what_is_not_there_blocks(tmp_path, old, new):
    """The agent's tool may look less closely, and take a "not" away."""
    (tmp_path / "CLAUDE.md").write_text("It’s not void. A stall may not open.\n", encoding="utf-8")
    given = {"file_path": "CLAUDE.md", "old_string": old, "new_string": new}
    with pytest.raises(Blocked, match="not in the file"):
        changes(ToolCall("Edit", given, str(tmp_path)), MemoryFiles(MEMORY_FILES, tmp_path))


def test_ends_of_lines_do_not_matter(tmp_path):
    """An agent writes "\\n" where the file has "\\r\\n"."""
    (tmp_path / "CLAUDE.md").write_bytes(b"A stall may\r\nnot open.\r\n")
    given = {"file_path": "CLAUDE.md", "old_string": "may\nnot", "new_string": "may"}
    (change,) = changes(ToolCall("Edit", given, str(tmp_path)), MemoryFiles(MEMORY_FILES, tmp_path))
    assert "A stall may open." in change.after


def test_edits_that_grow_without_bounds_block(tmp_path):
    """Before they take the machine's memory."""
    (tmp_path / "CLAUDE.md").write_text("o", encoding="utf-8")
    edits = [{"old_string": "o", "new_string": "o" * 3000, "replace_all": True}] * 3
    with pytest.raises(Blocked, match="more than"):
        changes(
            ToolCall("MultiEdit", {"file_path": "CLAUDE.md", "edits": edits}, str(tmp_path)),
            MemoryFiles(MEMORY_FILES, tmp_path),
        )
