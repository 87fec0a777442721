"""A model behind a command of the user's: JSON on standard input, the reply on standard output.

The command gets one JSON object, ``{"schema": "corpusguard/question/1", "task", "system", "user",
"data"}``: a wrapper around a model sends ``system`` and ``user`` as they are, a program of rules
reads ``data``. What it prints is the reply. It runs without a shell, in a session of its own that
is killed as a whole when the time is over, and with a scrubbed environment: a judge has no need
of the keys of others.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Final

from corpusguard.gate.judges.model import MAX_TEXT, Completion, ModelError, estimated
from corpusguard.gate.judges.prompt import Prompt, render
from corpusguard.logs import redacted
from corpusguard.report.text import clip, safe

if TYPE_CHECKING:
    from corpusguard.config.gate import JudgeSpec

_KEPT: Final = ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "SYSTEMROOT")
_MAX_OUTPUT: Final = 4 * MAX_TEXT
"""Bytes; a code point of UTF-8 has at most four."""
_MAX_ERRORS: Final = 4_000


class Command:
    """Completes prompts by a command.

    Args:
        spec: a ``[[judge]]`` of kind ``command``.
        root: the folder in which it runs: that of the configuration.
    """

    def __init__(self, spec: JudgeSpec, root: Path) -> None:
        self.label = spec.label
        self._spec = spec
        self._root = root

    async def complete(self, prompt: Prompt) -> Completion:
        """Run the command once.

        Raises:
            ModelError: It cannot start, fails, takes too long, or prints too much or no text.
        """
        messages = render(prompt)
        question = json.dumps(
            {
                "schema": "corpusguard/question/1",
                "task": prompt.task,
                "system": messages.system,
                "user": messages.user,
                "data": prompt.data,
            },
            ensure_ascii=True,
        )
        output = await self._run(question.encode("ascii"))
        try:
            text = output.decode("utf-8")
        except UnicodeDecodeError as error:
            raise ModelError(f"{self._spec.name}: the reply is not UTF-8") from error
        if len(text) > MAX_TEXT:
            raise ModelError(f"{self._spec.name}: the reply has over {MAX_TEXT} characters")
        asked = estimated(messages.system + messages.user)
        return Completion(text, asked, estimated(text), counted=False)

    async def _run(self, question: bytes) -> bytes:
        name = self._spec.name
        # The arguments may hold what nobody should see; only the program is ever named.
        program = Path(self._spec.command[0]).name
        try:
            process = await asyncio.create_subprocess_exec(
                *self._spec.command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                cwd=self._root,
                env=self._environment(),
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or "bad argument"
            raise ModelError(
                f"{name}: {program} cannot be started: {why}",
                hint=f"Check `command` of the [[judge]]; it runs in {self._root}.",
            ) from error
        try:
            async with asyncio.timeout(self._spec.timeout_seconds):
                output, errors, _ = await asyncio.gather(
                    _capped(process.stdout, _MAX_OUTPUT, f"{name}: {program}"),
                    _tail(process.stderr),
                    _feed(process.stdin, question),
                )
                code = await process.wait()
        except TimeoutError as error:
            raise ModelError(
                f"{name}: {program} ran for more than {self._spec.timeout_seconds:g} s",
                hint="raise `timeout` of the [[judge]], or make the command faster",
            ) from error
        finally:
            await _kill(process)
        if code != 0:
            said = clip(safe(redacted(errors.decode("utf-8", "replace").strip())), 200)
            told = f"; it said: {said}" if said else ""
            raise ModelError(f"{name}: {program} ended with exit code {code}{told}")
        return output

    def _environment(self) -> dict[str, str]:
        names = (*_KEPT, *self._spec.environment)
        return {name: os.environ[name] for name in names if name in os.environ}


async def _capped(stream: asyncio.StreamReader | None, limit: int, who: str) -> bytes:
    found = bytearray()
    while stream and (chunk := await stream.read(65_536)):
        found += chunk
        if len(found) > limit:
            raise ModelError(f"{who} printed more than {limit} bytes")
    return bytes(found)


async def _tail(stream: asyncio.StreamReader | None) -> bytes:
    found = b""
    while stream and (chunk := await stream.read(65_536)):
        found = (found + chunk)[-_MAX_ERRORS:]
    return found


async def _feed(stream: asyncio.StreamWriter | None, question: bytes) -> None:
    if stream is None:
        return
    # A command that answers without having read everything has still answered.
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        stream.write(question)
        await stream.drain()
    stream.close()


async def _kill(process: asyncio.subprocess.Process) -> None:
    """End whatever is left of the command's session."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()
