"""A model behind a command of the user's: JSON on standard input, the reply on standard output.

The command gets one JSON object, ``{"schema": "corpusguard/question/1", "task", "system", "user",
"data"}``: a wrapper around a model sends ``system`` and ``user`` as they are, a program of rules
reads ``data``. What it prints is the reply. It runs without a shell, in a session of its own that
is killed as a whole when the time is over, and with a scrubbed environment: a judge has no need
of the keys of others.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from corpusguard.gate.judges.model import MAX_TEXT, Completion, ModelError, estimated
from corpusguard.gate.judges.process import Child, run
from corpusguard.gate.judges.prompt import Prompt, render
from corpusguard.logs import keep_secrets_of, without_secrets

if TYPE_CHECKING:
    from corpusguard.config.gate import JudgeSpec


class Command:
    """Completes prompts by a command.

    Args:
        spec: a ``[[judge]]`` of kind ``command``.
        root: the folder in which it runs: that of the configuration.
    """

    def __init__(self, spec: JudgeSpec, root: Path) -> None:
        self.label = spec.label
        self._name = spec.name
        self._child = Child(
            name=f"{spec.name}: {Path(spec.command[0]).name}",
            arguments=spec.command,
            folder=root,
            environment=spec.environment,
            timeout_seconds=spec.timeout_seconds,
            max_output=4 * MAX_TEXT,  # a code point of UTF-8 has at most four bytes
        )

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
        keep_secrets_of(self._child.environment)
        output, pid = await run(self._child, question.encode("ascii"))
        try:
            text = output.decode("utf-8")
        except UnicodeDecodeError as error:
            raise ModelError(f"{self._name}: the reply is not UTF-8") from error
        if len(text) > MAX_TEXT:
            raise ModelError(f"{self._name}: the reply has over {MAX_TEXT} characters")
        asked = estimated(messages.system + messages.user)
        # A reply is quoted in decisions and traces: a key that it was given has no place there.
        shown = without_secrets(text)
        return Completion(shown, asked, estimated(text), counted=False, pid=pid)
