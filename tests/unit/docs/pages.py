"""The examples of a page, as a reader would copy them: blocks, what is done with each, and how.

Before a block may stand a comment that a reader does not see:

* ``<!-- file: NAME -->``: the block is the text of this file;
* ``<!-- output -->``: the block is what the one before it prints;
* ``<!-- server -->``: the block starts a server on port 8765, which goes on to the end of the page;
* ``<!-- not run: REASON -->``: it needs what a test has not.

Of all others, ``console`` and ``python`` are run. In ``console`` a line that begins with ``$`` is a
command (with the lines that it goes on in, after a backslash or within quotes) and the lines below it, if any, are all
that it prints; ``…`` stands for anything. A command exits 0, unless its comment says "exits N".
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"
NIGHT = "2026-06-01T12:00:00Z"
"""Some months after the sample was captured, as for a reader."""
_BLOCK = re.compile(
    r"(?:^[ ]*<!-- (?P<role>[^\n]*?) -->\n\n?)?"
    r"^(?P<indent>[ ]*)```(?P<language>\w*)[^\n]*\n(?P<text>.*?)^(?P=indent)```$",
    re.MULTILINE | re.DOTALL,
)
_EXITS = re.compile(r"#.*\bexits (\d+)")


@dataclass(frozen=True)
class Block:
    """One fenced block."""

    language: str
    role: str
    text: str
    line: int


@dataclass(frozen=True)
class Command:
    """One command of a console block, and what the page says that it does."""

    text: str
    printed: str
    code: int


def blocks(page):
    """The fenced blocks of a page, in order."""
    text = page.read_text("utf-8")
    found = []
    for one in _BLOCK.finditer(text):
        inner = re.sub(rf"^{one['indent']}", "", one["text"], flags=re.MULTILINE)
        line = text.count("\n", 0, one.start("language")) + 1
        found.append(Block(one["language"], one["role"] or "", inner, line))
    assert len(found) == len(re.findall(r"^ *```", text, re.MULTILINE)) / 2
    return found


def commands(block):
    """The commands of a console block."""
    found, lines = [], block.text.splitlines()
    while lines:
        line = lines.pop(0)
        assert line.startswith("$ "), f"line {block.line}: output without a command: {line}"
        told = [line[2:]]
        while told[-1].endswith("\\") or _is_open("\n".join(told)):
            told.append(lines.pop(0))
        printed = []
        while lines and not lines[0].startswith("$ "):
            printed.append(lines.pop(0))
        text = "\n".join(told)
        exits = _EXITS.search(text)
        found.append(Command(text, "\n".join(printed), int(exits[1]) if exits else 0))
    return found


def _is_open(text):
    """Whether a quotation mark of the shell is not closed yet."""
    try:
        shlex.split(text, comments=True)
    except ValueError:
        return True
    return False


class Reader:
    """Somebody who goes through a page in a folder."""

    def __init__(self, folder, tools):
        self.folder = folder
        self._printed = ""
        self._port = None
        self._server = None
        self._environment = {
            **os.environ,
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": f"{tools}{os.pathsep}{ROOT}",
            "COLUMNS": "100",
            "NO_COLOR": "1",
            "TERM": "dumb",
        }

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._server:
            self._server.send_signal(signal.SIGTERM)
            self._server.wait(60)
            self._rest.join(60)
            self._server.stderr.close()

    def read(self, page):
        """Do what each block of a page says."""
        for block in blocks(page):
            role, _, name = block.role.partition(": ")
            if role == "not run":
                assert len(name) > 10, f"{page.name}:{block.line}: no reason"
            elif role == "file":
                (self.folder / name).write_text(block.text, "utf-8")
            elif role == "output":
                self._compare(f"{page.name}:{block.line}", block.text, self._printed)
            elif role == "server":
                self._serve(block)
            elif block.language == "console":
                for command in commands(block):
                    self._run(f"{page.name}:{block.line}", command)
            elif block.language == "python":
                path = self.folder / "example.py"
                path.write_text(block.text, "utf-8")
                self._run(f"{page.name}:{block.line}", Command("python example.py", "", 0))
                path.unlink()

    def _run(self, where, command):
        text = command.text
        if self._port:
            text = text.replace(":8765", f":{self._port}")
        told = self.folder.parent / "cwd"
        done = subprocess.run(
            ["bash", "-c", f"{text}\ncode=$?\npwd > '{told}'\nexit $code"],
            cwd=self.folder,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == command.code, f"{where}: {text}\n{done.stdout}"
        self.folder = Path(told.read_text().strip())
        self._printed = done.stdout
        if command.printed:
            self._compare(where, command.printed, done.stdout)

    def _compare(self, where, told, printed):
        """What wraps with the width of a terminal is compared without its line breaks."""
        pattern = ".*?".join(map(re.escape, " ".join(told.split()).split("…")))
        said = " ".join(printed.split())
        assert re.fullmatch(pattern, said), f"{where}:\n{said}\n  is not\n{' '.join(told.split())}"

    def _serve(self, block):
        [command] = commands(block)
        text = command.text.split("#")[0].strip()
        self._server = subprocess.Popen(
            ["bash", "-c", f"exec {text} --port 0"],
            cwd=self.folder,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        said = []
        for line in self._server.stderr:
            said.append(line)
            if found := re.search(r"http://127\.0\.0\.1:(\d+)", line):
                self._port = found[1]
                break
        assert self._port, said
        # Read on, so that it never waits for somebody to read what it says.
        self._rest = threading.Thread(target=self._server.stderr.read, daemon=True)
        self._rest.start()


def tools(folder):
    """A folder that sets the clock of each Python that has it on its path."""
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(
        f"import time_machine\ntime_machine.travel({NIGHT!r}, tick=True).start()\n"
    )
    return folder


def copied(project, target):
    """A copy of the project that a page made."""
    shutil.copytree(project, target)
    return target
