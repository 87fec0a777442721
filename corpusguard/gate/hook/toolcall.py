"""The hook's input: one JSON object on standard input.

The format is that of Claude Code's ``PreToolUse`` event: ``hook_event_name``, ``tool_name``,
``tool_input``, ``cwd`` and fields that do not matter here
(https://code.claude.com/docs/en/hooks#pretooluse). There exit code 2 blocks the call and shows
standard error to the agent; 0 lets it go on to the user's own prompts; any other code is an error
that lets it go on too, which is why this hook never ends with one. Agents with the same fields and
codes name the event in their own way.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from corpusguard import strict_json
from corpusguard.errors import CorpusguardError
from corpusguard.strict_json import Fault, NotStrict

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_INPUT: Final = 8_000_000
"""Bytes; a write into a memory file has some thousand."""

_EVENTS: Final = ("PreToolUse", "preToolUse", "BeforeTool")
"""Of Claude Code, Codex and VS Code; of Cursor; of Gemini CLI."""
_TOLD: Final = "an agent gives its tool call on standard input; docs/hook.md has one to try"


class Blocked(CorpusguardError):
    """The write must not go ahead."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class ToolCall:
    """What an agent is about to do."""

    tool: str
    given: Mapping[str, Any]
    cwd: str

    def text(self, key: str, default: str | None = None) -> str:
        """Return a text of the input.

        Raises:
            Blocked: It is missing or no text: what the tool would write is not known.
        """
        value = self.given.get(key, default)
        if not isinstance(value, str):
            raise Blocked(
                f"{self.tool}: `{key}` is missing or not a string, so what it writes is not known",
                hint="see whether this version knows the agent's tools: docs/hook.md",
            )
        return value


def parse(data: bytes) -> ToolCall:
    """Read the hook's input.

    Raises:
        Blocked: It is not such an object; nothing can be said about the write, so it is stopped.
    """
    try:
        value = strict_json.parse(data, max_size=MAX_INPUT)
    except NotStrict as error:
        large = error.fault is Fault.TOO_LARGE
        raise Blocked(
            f"the hook's input is not one JSON object: {error}",
            hint="Write smaller pieces." if large else _TOLD,
        ) from error
    if not isinstance(value, dict):
        raise Blocked("the hook's input is not one JSON object", hint=_TOLD)
    event = value.get("hook_event_name")
    if not isinstance(event, str) or event not in _EVENTS:
        raise Blocked(
            f"the event is {str(event)[:60]!r}, not 'PreToolUse'",
            hint="register the hook for what comes before a tool call: docs/hook.md",
        )
    tool, given, cwd = (value.get(key) for key in ("tool_name", "tool_input", "cwd"))
    if not isinstance(tool, str) or not tool or not isinstance(given, dict):
        raise Blocked("the hook's input names no tool, or has no tool_input", hint=_TOLD)
    if not isinstance(cwd, str) or not cwd or "\0" in cwd:
        raise Blocked(
            "the hook's input has no cwd, so relative paths cannot be understood", hint=_TOLD
        )
    return ToolCall(tool, given, cwd)
