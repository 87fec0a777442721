"""Reader ``exec``: a command of the user's that prints JSONL; how any other store is read."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from corpusguard.corpora.interface import LIMITS, Limits, Row
from corpusguard.corpora.jsonl import parse_lines
from corpusguard.errors import CorpusUnreadable

if TYPE_CHECKING:
    from collections.abc import Generator

    from corpusguard.model import CorpusSpec

_CHUNK: Final = 64 * 2**10
_POLL_SECONDS: Final = 0.02
_LAST_LINES: Final = 5


def read(spec: CorpusSpec, root: Path) -> Generator[Row, None, None]:
    """Run ``spec.command`` in ``root``, without a shell, and yield the rows that it prints.

    Only a run that ends with exit code 0 is complete: the error for any other comes after the
    last row, so a caller that stops early has not read the corpus.

    Raises:
        CorpusUnreadable: the command cannot start, fails, takes too long, prints too much, or
            prints something that is not JSONL.
    """
    # The arguments may hold secrets from the environment; only the program is ever named.
    name = Path(spec.command[0]).name
    try:
        # Its own session, so that stopping it also stops what it started.
        process = subprocess.Popen(
            spec.command,
            cwd=root,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            bufsize=0,
        )
    except (OSError, ValueError) as error:
        raise CorpusUnreadable(
            f"{name}: cannot be started: {getattr(error, 'strerror', None) or 'bad argument'}",
            hint=f'Check `command` of [[corpus]] "{spec.name}"; it runs in {root}.',
        ) from error
    with process:
        run = Run(process, name, LIMITS)
        try:
            yield from parse_lines(run.readline, f"{name} output")
            run.finish()
        finally:
            run.close()
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


class Run:
    """One run of a command: its output line by line, the tail of its stderr, its deadline.

    Both pipes are read in one loop: a command that fills a stderr pipe nobody reads stops for
    ever, and a blocking read of stdout would outlive any deadline.
    """

    def __init__(self, process: subprocess.Popen[bytes], name: str, limits: Limits) -> None:
        self._process = process
        self._name = name
        self._limits = limits
        self._end = time.monotonic() + limits.exec_seconds
        self._buffer = bytearray()
        self._errors = b""
        self._size = 0
        self._is_open = True
        self._selector = selectors.DefaultSelector()
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                self._selector.register(stream, selectors.EVENT_READ, stream is process.stdout)

    def readline(self, limit: int) -> bytes:
        """Return the next line with its end, at most ``limit`` bytes of it, empty at the end."""
        searched = 0
        while (end := self._buffer.find(b"\n", searched)) < 0:
            searched = len(self._buffer)
            if not self._is_open or searched >= limit:
                end = searched - 1
                break
            self._read_some(max(0.0, self._end - time.monotonic()))
        line = bytes(self._buffer[: min(end + 1, limit)])
        del self._buffer[: len(line)]
        return line

    def finish(self) -> None:
        """Wait for the exit code.

        Raises:
            CorpusUnreadable: it is not 0, or does not come in time.
        """
        while (code := self._process.poll()) is None:
            self._read_some(_POLL_SECONDS)
        self._drain()
        if code != 0:
            raise CorpusUnreadable(
                f"{self._name}: ended with exit code {code}{self._tail()}",
                hint="Run the command by hand; rows from a failed run are not used.",
            )

    def close(self) -> None:
        """Release the selector; the pipes belong to the process."""
        self._selector.close()

    def _read_some(self, wait: float) -> None:
        for key, _ in self._selector.select(wait):
            data = os.read(key.fd, _CHUNK)
            if not data:
                self._selector.unregister(key.fileobj)
                self._is_open = self._is_open and not key.data
            elif key.data:
                self._buffer += data
                self._size += len(data)
            else:
                self._errors = (self._errors + data)[-self._limits.exec_stderr :]
        if self._size > self._limits.exec_output:
            raise CorpusUnreadable(
                f"{self._name}: printed more than {self._limits.exec_output} bytes",
                hint="Print the passages of the documents in scope only.",
            )
        if time.monotonic() > self._end:
            raise CorpusUnreadable(
                f"{self._name}: ran for more than {self._limits.exec_seconds:g} s{self._tail()}",
                hint="Make the export faster, or run it beforehand and read its file.",
            )
        if not self._selector.get_map():
            # Both pipes are closed and the command still runs: select() would return at once.
            time.sleep(min(wait, _POLL_SECONDS))

    def _drain(self) -> None:
        """Take what the ended command left in the stderr pipe."""
        while self._selector.select(0):
            self._read_some(0)

    def _tail(self) -> str:
        lines = self._errors.decode("utf-8", "replace").splitlines()[-_LAST_LINES:]
        shown = " | ".join(line.strip() for line in lines if line.strip())
        return f"; it said: {shown}" if shown else ""
