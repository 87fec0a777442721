"""A subject of the user's own: a program that answers JSON lines.

It is started once, without a shell. Each question is one line,
``{"sentence": "…", "passages": [{"id": "…", "text": "…"}]}``; each answer one line,
``{"decision": "ships"}``, ``stripped`` or ``error``. A program that is silent too long, ends, or
answers anything else has made an error, and is started anew for the next question. It never sees
the key of the sealed half, nor kind, label or id of an item.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from corpusguard.errors import ConfigError
from corpusguard.evidence.canonical import sha256_hex
from corpusguard.measure.gate.outcomes import Decision
from corpusguard.measure.gate.sealing import KEY_VARIABLE
from corpusguard.measure.gate.subjects import SubjectError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_HINT: Final = 'each answer is one line: {"decision": "ships"}, "stripped" or "error"'
_LAST_SECONDS: Final = 0.5
"""For a program that has closed its pipes to have ended, so that its exit code can be told."""
_MAX_REPLY: Final = 64 * 1024
_HASHED: Final = 4 * 1024 * 1024
"""Bytes of an argument's file that are hashed as part of what the subject is; larger ones by
size."""


class CommandSubject:
    """A program that decides, kept running between questions."""

    def __init__(self, words: Sequence[str], timeout: float = 60.0) -> None:
        """``timeout`` is in seconds, per question."""
        if not words:
            raise ConfigError("--command names no program", hint='--command "python judge.py"')
        self._words = tuple(words)
        self._timeout = timeout
        self._process: subprocess.Popen[bytes] | None = None
        self._rest = b""

    def __enter__(self) -> Self:
        """Start the program now, so that one which cannot be started is told at once.

        Raises:
            ConfigError: It cannot be started.
        """
        self._start()
        return self

    def __exit__(self, *_exception: object) -> None:
        """End the program."""
        self._stop()

    @property
    def facts(self) -> Mapping[str, str]:
        """The words of the command, and the digest of each that is a file."""
        found = {"subject": "command", "command": json.dumps(self._words)}
        return found | file_digests(self._words[1:], Path())

    def decide(self, sentence: str, passages: Sequence[tuple[str, str]]) -> str:
        """Ask the program; an answer that is none stops it."""
        question = {
            "sentence": sentence,
            "passages": [{"id": name, "text": text} for name, text in passages],
        }
        try:
            return _decision(self._asked(json.dumps(question).encode("ascii") + b"\n"))
        except BaseException:
            self._stop()
            raise

    def _start(self) -> subprocess.Popen[bytes]:
        clean = {name: value for name, value in os.environ.items() if not _secret(name)}
        try:
            process = subprocess.Popen(
                self._words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=sys.stderr if _has_descriptor() else subprocess.DEVNULL,
                env=clean,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise ConfigError(
                f"cannot start {self._words[0]!r}: {error}", hint='--command "python judge.py"'
            ) from error
        self._process, self._rest = process, b""
        return process

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        # What it has started ends with it: a shell around the judge is killed, and its child, too.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream:
                with suppress(OSError):
                    stream.close()

    def _asked(self, line: bytes) -> bytes:
        """Write the question and read one line, both before one deadline.

        Neither end may block: a question can be larger than a pipe holds, and a program may
        write before it has read.
        """
        process = self._process or self._start()
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("the program has no pipes")
        into, out = process.stdin.fileno(), process.stdout.fileno()
        os.set_blocking(into, False)
        os.set_blocking(out, False)
        deadline = time.monotonic() + self._timeout
        with selectors.DefaultSelector() as ready:
            ready.register(into, selectors.EVENT_WRITE)
            ready.register(out, selectors.EVENT_READ)
            while b"\n" not in self._rest or line:
                left = deadline - time.monotonic()
                events = ready.select(left) if left > 0 else []
                if not events:
                    raise SubjectError(
                        f"the program gave no answer within {self._timeout:g} seconds",
                        hint="raise --timeout, or see whether it flushes each line that it prints",
                    )
                for key, _ in events:
                    if key.fd == into:
                        line = self._written(into, line)
                        if not line:
                            ready.unregister(into)
                    else:
                        self._read(out)
        reply, _, self._rest = self._rest.partition(b"\n")
        if self._rest:
            raise SubjectError("the program gave more than one answer to a question", hint=_HINT)
        return reply

    def _read(self, descriptor: int) -> None:
        data = os.read(descriptor, 65536)
        if not data:
            raise self._ended()
        self._rest += data
        if len(self._rest) > _MAX_REPLY:
            raise SubjectError(
                f"the program's answer is longer than {_MAX_REPLY} bytes", hint=_HINT
            )

    def _written(self, descriptor: int, line: bytes) -> bytes:
        """Write as much as goes, and return the rest."""
        try:
            return line[os.write(descriptor, line[:65536]) :]
        except BrokenPipeError as error:
            raise self._ended() from error

    def _ended(self) -> SubjectError:
        """Return what to say of a program that has closed its end of a pipe."""
        how = "closed its input or output"
        if self._process is not None:
            with suppress(subprocess.TimeoutExpired):
                how = f"ended with exit code {self._process.wait(_LAST_SECONDS)}"
        return SubjectError(
            f"the program {how} before it had answered",
            hint="it must read and answer line by line until its input ends; what it says on "
            "standard error stands above",
        )


def file_digests(words: Sequence[str], folder: Path) -> dict[str, str]:
    """Return the SHA-256 of each word of a command that is a file, seen from ``folder``."""
    found = {}
    for word in words:
        path = folder / word
        with suppress(OSError, ValueError):
            if path.is_file():
                size = path.stat().st_size
                data = path.read_bytes() if size <= _HASHED else str(size).encode()
                found[f"sha256 of {path.name}"] = sha256_hex(data)
    return found


def _decision(line: bytes) -> str:
    with suppress(ValueError, RecursionError):
        reply = json.loads(line)
        if isinstance(reply, dict) and reply.keys() == {"decision"}:
            return Decision(reply["decision"])
    shown = line[:80].decode("utf-8", "replace")
    raise SubjectError(f"the program's answer is no decision: {shown!r}", hint=_HINT)


def _secret(name: str) -> bool:
    return name.startswith(KEY_VARIABLE)


def _has_descriptor() -> bool:
    try:
        sys.stderr.fileno()
    except (OSError, ValueError, AttributeError):
        return False
    return True
