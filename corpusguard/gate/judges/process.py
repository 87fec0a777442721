"""One child process: JSON in, bytes out, under caps, with nothing of it left behind."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from corpusguard.gate.judges.model import ModelError
from corpusguard.logs import redacted
from corpusguard.report.text import clip, safe

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

KEPT: Final = ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "SYSTEMROOT")
"""What a child gets of our environment; keys and tokens are not among it."""
_MAX_ERRORS: Final = 4_000
_LAST_SECONDS: Final = 5.0


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

    Raises:
        ModelError: It cannot start, ends with another code than 0, takes too long or prints too
            much. In each case all of its session has ended.
    """
    try:
        process = await asyncio.create_subprocess_exec(
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
        ) from error
    reading = asyncio.create_task(_capped(process.stdout, child))
    listening = asyncio.create_task(_tail(process.stderr))
    feeding = asyncio.create_task(_feed(process.stdin, question))
    tasks = (reading, listening, feeding)
    try:
        async with asyncio.timeout(child.timeout_seconds):
            await asyncio.gather(*tasks)
            code = await process.wait()
    except TimeoutError as error:
        raise ModelError(
            f"{child.name} ran for more than {child.timeout_seconds:g} s",
            hint="raise `timeout` of the [[judge]], or make it faster",
        ) from error
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await _kill(process)
    if code != 0:
        said = clip(safe(redacted(listening.result().decode("utf-8", "replace").strip())), 200)
        told = f"; it said: {said}" if said else ""
        raise ModelError(f"{child.name} ended with exit code {code}{told}")
    return reading.result(), process.pid


async def _capped(stream: asyncio.StreamReader | None, child: Child) -> bytes:
    found = bytearray()
    while stream and (chunk := await stream.read(65_536)):
        found += chunk
        if len(found) > child.max_output:
            raise ModelError(f"{child.name} printed more than {child.max_output} bytes")
    return bytes(found)


async def _tail(stream: asyncio.StreamReader | None) -> bytes:
    found = b""
    while stream and (chunk := await stream.read(65_536)):
        found = (found + chunk)[-_MAX_ERRORS:]
    return found


async def _feed(stream: asyncio.StreamWriter | None, question: bytes) -> None:
    if stream is None:
        return
    # A process that answers without having read everything has still answered.
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        stream.write(question)
        await stream.drain()
    stream.close()


async def _kill(process: asyncio.subprocess.Process) -> None:
    """End whatever is left of the session.

    asyncio's ``wait`` returns when the pipes have closed, too, and does not look at a pipe whose
    buffer is full: so what is left in them is read and dropped. Only a process that left the
    session can hold them open; it is not waited for.
    """
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_LAST_SECONDS):
            for stream in (process.stdout, process.stderr):
                while stream and await stream.read(65_536):
                    pass
            await process.wait()
