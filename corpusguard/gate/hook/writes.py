"""What a tool call would put into which memory file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from corpusguard.gate.hook.files import Change, current_text
from corpusguard.gate.hook.patches import replaced
from corpusguard.gate.hook.shell import shell_changes
from corpusguard.gate.hook.toolcall import Blocked, ToolCall
from corpusguard.gate.hook.unknown import unknown_changes

if TYPE_CHECKING:
    from collections.abc import Callable

    from corpusguard.gate.hook.paths import MemoryFiles


def changes(call: ToolCall, memory: MemoryFiles) -> list[Change]:
    """Return what ``call`` would change in memory files; empty: it writes to none.

    A tool counts as one of those described below only with the keys that are described: under
    the same name another agent may have a tool that reads others.

    Raises:
        Blocked: It would write to one, and what cannot be seen.
    """
    known = _KNOWN.get(call.tool)
    if known is not None and call.given.keys() <= known[1]:
        return known[0](call, memory)
    return unknown_changes(call, memory)


def _write(call: ToolCall, memory: MemoryFiles) -> list[Change]:
    path = call.text("file_path")
    if not memory.holds(path, call.cwd):
        return []
    return [Change(path, current_text(path, call.cwd), call.text("content"))]


def _edit(call: ToolCall, memory: MemoryFiles) -> list[Change]:
    path = call.text("file_path")
    if not memory.holds(path, call.cwd):
        return []
    before = current_text(path, call.cwd)
    return [Change(path, before, _replaced(before, call))]


def _multi_edit(call: ToolCall, memory: MemoryFiles) -> list[Change]:
    path = call.text("file_path")
    if not memory.holds(path, call.cwd):
        return []
    edits = call.given.get("edits")
    if not isinstance(edits, list) or not edits:
        raise Blocked("MultiEdit: `edits` is not a list, so what it writes is not known")
    before = after = current_text(path, call.cwd)
    for edit in edits:
        if not isinstance(edit, Mapping):
            raise Blocked("MultiEdit: an edit is not an object, so what it writes is not known")
        after = _replaced(after, ToolCall(call.tool, edit, call.cwd))
    return [Change(path, before, after)]


def _replaced(before: str, edit: ToolCall) -> str:
    old, new = edit.text("old_string"), edit.text("new_string")
    return replaced(before, old, new, everywhere=edit.given.get("replace_all") is True)


def _notebook(call: ToolCall, memory: MemoryFiles) -> list[Change]:
    path = call.text("notebook_path")
    if not memory.holds(path, call.cwd) or call.given.get("edit_mode") == "delete":
        return []
    return [Change(path, "", call.text("new_source"))]


def _bash(call: ToolCall, memory: MemoryFiles) -> list[Change]:
    command = call.text("command")
    return [
        Change(path, before, after)
        for path, before, after in shell_changes(command, call.cwd, memory, current_text)
    ]


_KNOWN: Final[
    Mapping[str, tuple[Callable[[ToolCall, MemoryFiles], list[Change]], frozenset[str]]]
] = {
    "Write": (_write, frozenset({"file_path", "content"})),
    "Edit": (_edit, frozenset({"file_path", "old_string", "new_string", "replace_all"})),
    "MultiEdit": (_multi_edit, frozenset({"file_path", "edits"})),
    "NotebookEdit": (
        _notebook,
        frozenset({"notebook_path", "new_source", "cell_id", "cell_type", "edit_mode"}),
    ),
    "Bash": (
        _bash,
        frozenset(
            {"command", "description", "timeout", "run_in_background", "dangerouslyDisableSandbox"}
        ),
    ),
}
"""Claude Code's tools that write, each with the keys of its input."""
