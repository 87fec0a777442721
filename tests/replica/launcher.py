"""Starts `corpusguard` again and again without importing it each time, to be killed.

One thread, so that forking is safe. A line of stdin is a JSON list: folder, file for the output,
arguments, and after how many documents done the child kills itself (null: it does not); it answers
with the child's pid. An empty line waits for that child, and answers with
its return code as ``subprocess`` gives it: until then the pid stays taken, and can be killed
without meeting a stranger. The child is what a shell would have started: its own session, the real
command line, all of it.
"""

from __future__ import annotations

import io
import json
import os
import signal
import sys

from corpusguard import cli


class Deadly(io.TextIOWrapper):
    """Standard error of a process that is gone once it has said so many times "document done"."""

    def __init__(self, documents):
        super().__init__(io.FileIO(2, "wb", closefd=False), write_through=True)
        self._left = documents

    def write(self, text):
        if not self._left:
            os.kill(os.getpid(), signal.SIGKILL)
        written = super().write(text)
        self._left -= text.count('"document done"')
        return written


def serve() -> None:
    pid = 0
    for line in sys.stdin:
        if not line.strip():
            _, status = os.waitpid(pid, 0)
            print(os.waitstatus_to_exitcode(status), flush=True)
            continue
        folder, log, arguments, documents = json.loads(line)
        pid = os.fork()
        if not pid:
            os.setsid()
            os.chdir(folder)
            out = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            os.dup2(out, 1)
            os.dup2(out, 2)
            if documents is not None:
                sys.stderr = Deadly(documents)
            sys.argv = ["corpusguard", *arguments]
            cli.main()
            os._exit(0)  # typer exits; it never comes to this
        print(pid, flush=True)


if __name__ == "__main__":
    serve()
