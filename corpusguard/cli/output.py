"""The two streams: data to standard output, words for a person to standard error.

A reader that goes away (``corpusguard findings list | head``) is not an error: the rest is
dropped quietly and the command keeps the exit code that its work earned. A full disk behind
standard output is one: the result was not stored. So is a standard output that was closed before
the command began (``>&-``), but for the commands whose exit code is the answer (``code_tells``):
a scheduler that closes both streams still learns how the corpus stands.
"""

import errno
import io
import os
import sys
from dataclasses import dataclass, field
from typing import TextIO

from rich.console import Console, RenderableType

from corpusguard.errors import StorageError
from corpusguard.report.console import WIDTH, View, to_text
from corpusguard.report.files import encode
from corpusguard.report.text import inert, safe


@dataclass(frozen=True, slots=True)
class Output:
    """Where a command writes."""

    quiet: bool = False
    """No progress and no remarks; errors and data are still written."""
    code_tells: bool = False
    """Whether the exit code answers by itself, so that a scheduler may close standard output."""
    _out: TextIO | None = field(default_factory=lambda: sys.stdout)
    _err: TextIO | None = field(default_factory=lambda: sys.stderr)

    def data(self, text: str) -> bool:
        """Write ``text`` to standard output as UTF-8.

        Returns:
            Whether someone still reads; where not, a command that streams may stop.

        Raises:
            StorageError: The text could not be written, as where a disk is full; or standard output
                is closed, and the exit code does not tell what the text would have.
        """
        return self.binary(encode(text))

    def binary(self, data: bytes) -> bool:
        """Write bytes to standard output; returns and raises as :meth:`data`."""
        if self._out is None:  # closed by the caller: ``>&-``
            if self.code_tells or not data:
                return False
            raise StorageError(
                "standard output is closed, so what was asked for is lost",
                hint="Open it, or name a file with --output where the command has one.",
            )
        try:
            self._out.flush()
            self._out.buffer.write(data)
            self._out.buffer.flush()
        except OSError as error:
            # From here on nothing is written, or the interpreter would try again at its exit.
            _silence(self._out)
            if error.errno == errno.EPIPE:
                return False
            raise StorageError(
                f"could not write to standard output: {error.strerror}",
                hint="Free some space, or name another place with --output.",
            ) from error
        return True

    def page(self, content: RenderableType) -> bool:
        """Write something that a person reads to standard output, at the terminal's width."""
        return self.data(to_text(content, self.view()))

    def view(self, *, each: int | None = None) -> View:
        """Return what standard output can show; ``each`` is findings per rule."""
        # rich itself reads NO_COLOR, FORCE_COLOR, COLUMNS and TERM=dumb.
        console = Console(file=self._out or io.StringIO())
        return View(
            width=console.width if console.is_terminal or os.environ.get("COLUMNS") else WIDTH,
            color=self.is_terminal() and console.color_system is not None and not console.no_color,
            each=each,
        )

    def is_terminal(self) -> bool:
        """Say whether a person reads standard output directly."""
        return self._out is not None and Console(file=self._out).is_terminal

    def remark(self, text: str) -> None:
        """Write a line to standard error, unless quiet."""
        if not self.quiet:
            self.error(text)

    def remark_page(self, content: RenderableType) -> None:
        """Write something that a person reads to standard error, unless quiet."""
        console = self.error_console()
        width = console.width if console.is_terminal or os.environ.get("COLUMNS") else WIDTH
        self.remark(to_text(content, View(width=width)).rstrip("\n"))

    def error(self, text: str) -> None:
        """Write a line to standard error; foreign text in it is made safe."""
        if self._err is None:
            return
        try:
            lines = safe(text, multiline=True).split("\n")
            self._err.write("".join(f"{inert(line)}\n" for line in lines))
            self._err.flush()
        except OSError:  # nobody listens; the exit code still tells
            _silence(self._err)

    def error_console(self) -> Console:
        """Return a console on standard error, for progress."""
        return Console(file=self._err or io.StringIO(), highlight=False, markup=False, emoji=False)


def _silence(stream: TextIO) -> None:
    """Point the stream's descriptor at nothing."""
    try:
        descriptor = stream.fileno()
    except (OSError, ValueError):  # not a real file, as in tests
        return
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, descriptor)
    os.close(sink)
