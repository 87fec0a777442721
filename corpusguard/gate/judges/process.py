"""One child process: bytes in, bytes out, under caps, with nothing of it left behind that we find.

It runs in a session of its own, which is killed as a whole. A process that left the session
(``setsid``) and still holds the child's output is found on Linux, by that pipe, and killed too; on
other systems, and where it has let go of the pipe, it is out of reach. Nothing waits for it.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from corpusguard.gate.judges.holders import kill_holders
from corpusguard.gate.judges.model import Fault, ModelError
from corpusguard.logs import redacted
from corpusguard.report.text import clip, safe

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

KEPT: Final = ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "SYSTEMROOT")
"""What a child gets of our environment; keys and tokens are not among it."""
_MAX_ERRORS: Final = 4_000
GRACE_SECONDS: Final = 1.0
"""For the output of a process that has ended to end as well, and for a killed one to be gone."""


@dataclass(frozen=True, slots=True)
class Child:
    """How a process is run."""

    name: str
    """Who it is, in messages: arguments may hold what nobody should see."""
    arguments: Sequence[str]
    folder: Path
    environment: Sequence[str]
    """Names of variables that it gets besides ``KEPT``."""
    timeout_seconds: float
    max_output: int
    """Bytes."""


async def run(child: Child, question: bytes) -> tuple[bytes, int]:
    """Run ``child`` without a shell, in a session of its own, and return its output and pid.

    Returns or raises within the timeout and twice ``GRACE_SECONDS``, whatever the child does.

    Raises:
        ModelError: It cannot start, ends with another code than 0, takes too long, prints too
            much, or ends while something that it started holds its output open. In each case its
            session has been killed.
    """
    loop = asyncio.get_running_loop()
    try:
        transport, talk = await loop.subprocess_exec(
            lambda: _Talk(child.max_output),
            *child.arguments,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd=child.folder,
            env={
                name: os.environ[name] for name in (*KEPT, *child.environment) if name in os.environ
            },
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "bad argument"
        raise ModelError(
            f"{child.name} cannot be started: {why}",
            hint=f"Check `command` of the [[judge]]; it runs in {child.folder}.",
            fault=Fault.UNREACHABLE,
        ) from error
    try:
        _feed(transport, question)
        async with asyncio.timeout(child.timeout_seconds):
            await talk.ended.wait()
            if talk.over:
                raise ModelError(f"{child.name} printed more than {child.max_output} bytes")
            await _closed(child, talk)
    except TimeoutError as error:
        raise ModelError(
            f"{child.name} ran for more than {child.timeout_seconds:g} s",
            hint="raise `timeout` of the [[judge]], or make it faster",
            fault=Fault.TIMEOUT,
        ) from error
    finally:
        await _end(transport, talk)
    code = transport.get_returncode()
    if code != 0:
        said = clip(safe(redacted(talk.said())), 200)
        told = f"; it said: {said}" if said else ""
        raise ModelError(
            f"{child.name} ended with exit code {code}{told}",
            hint="run `command` of the [[judge]] by hand; docs/check-claim.md shows what it reads",
        )
    return bytes(talk.output), transport.get_pid()


class _Talk(asyncio.SubprocessProtocol):
    """What comes out of a child, under its caps, and how far it is at its end."""

    def __init__(self, most: int) -> None:
        self.output = bytearray()
        self.errors = b""
        self._cut = False
        """Whether ``errors`` is only the end of what came."""
        self.over = False
        """It printed more than it may."""
        self.ended = asyncio.Event()
        """The process has ended, or must be."""
        self.closed = asyncio.Event()
        """The process has ended, and nothing holds its pipes any more."""
        self.open = {0, 1, 2}
        self._most = most

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd != 1:
            self.errors += data
            if len(self.errors) > _MAX_ERRORS:
                self.errors, self._cut = self.errors[-_MAX_ERRORS:], True
            return
        self.output += data
        if len(self.output) > self._most:
            del self.output[self._most :]
            self.over = True
            self.ended.set()

    def said(self) -> str:
        """Return what it said on standard error.

        Of a word that was cut nothing: half a key is one that nobody knows to hide.
        """
        told = self.errors.decode("utf-8", "replace")
        first = re.search(r"\s", told) if self._cut else None
        return told[first.end() if first else len(told) * self._cut :].strip()

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:  # noqa: ARG002
        self.open.discard(fd)

    def process_exited(self) -> None:
        self.ended.set()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        self.closed.set()


def _feed(transport: asyncio.SubprocessTransport, question: bytes) -> None:
    """Hand over the question; a process that answers without reading it has still answered."""
    stdin = transport.get_pipe_transport(0)
    if isinstance(stdin, asyncio.WriteTransport):
        stdin.write(question)
        stdin.write_eof()


async def _closed(child: Child, talk: _Talk) -> None:
    try:
        async with asyncio.timeout(GRACE_SECONDS):
            await talk.closed.wait()
    except TimeoutError as error:
        raise ModelError(
            f"{child.name} ended, but something that it started holds its output open",
            hint="let the command wait for what it starts, or redirect the output of that",
        ) from error


async def _end(transport: asyncio.SubprocessTransport, talk: _Talk) -> None:
    """Kill what is left, and close our ends of the pipes, whoever holds the others.

    The transport is closed last: it would itself look whether the process has ended, and take the
    exit code away from the watcher that waits for it.
    """
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(transport.get_pid(), signal.SIGKILL)
    pipes = {number: transport.get_pipe_transport(number) for number in talk.open}
    ours = {number: one for number, one in pipes.items() if one}
    kill_holders([one.get_extra_info("pipe") for number, one in ours.items() if number])
    for one in ours.values():
        # close() of the pipe that we write to would first write what it still holds.
        one.abort() if isinstance(one, asyncio.WriteTransport) else one.close()
    try:
        async with asyncio.timeout(GRACE_SECONDS):
            await talk.closed.wait()
    except TimeoutError:  # stuck in the kernel: nobody can end it
        pass
    finally:
        transport.close()
