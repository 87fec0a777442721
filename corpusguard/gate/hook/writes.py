"""What a tool call would put into which memory file."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from corpusguard.gate.hook.shell import shell_changes
from corpusguard.gate.hook.toolcall import Blocked, ToolCall

if TYPE_CHECKING:
    from collections.abc import Callable

    from corpusguard.gate.hook.paths import MemoryFiles

_MAX_FILE: Final = 8_000_000
_READ_ONLY: Final = frozenset(
    "Read Grep Glob LS NotebookRead WebFetch WebSearch TodoWrite TodoRead Task Agent BashOutput "
    "KillShell KillBash AskUserQuestion ExitPlanMode EnterPlanMode Skill ToolSearch".split()
)
_PATH_KEYS: Final = ("path", "file", "filename", "uri", "destination", "target")
_DEEPEST: Final = 20


@dataclass(frozen=True, slots=True)
class Change:
    """One memory file, before and after."""

    path: str
    before: str
    after: str


def changes(call: ToolCall, memory: MemoryFiles) -> list[Change]:
    """Return what ``call`` would change in memory files; empty: it writes to none.

    Raises:
        Blocked: It would write to one, and what cannot be seen.
    """
    reader = _READERS.get(call.tool)
    if reader is not None:
        return reader(call, memory)
    if call.tool in _READ_ONLY:
        return []
    return _unknown(call, memory)


def current_text(path: str, cwd: str) -> str:
    """Return what a file holds now; empty where there is none.

    Raises:
        Blocked: It cannot be read as text, so what a change makes of it is not known.
    """
    whole = Path(os.path.expanduser(path))  # noqa: PTH111 (a "~" that is no user stays as it is)
    whole = whole if whole.is_absolute() else Path(cwd) / whole
    try:
        descriptor = os.open(whole, os.O_RDONLY | os.O_NONBLOCK)
    except FileNotFoundError:
        return ""
    except (OSError, ValueError) as error:
        raise Blocked(f"{path} cannot be read: {getattr(error, 'strerror', error)}") from error
    with os.fdopen(descriptor, "rb") as stream:
        if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            raise Blocked(f"{path} is not a regular file")
        data = stream.read(_MAX_FILE + 1)
    if len(data) > _MAX_FILE:
        raise Blocked(f"{path} has more than {_MAX_FILE} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Blocked(f"{path} is not UTF-8", hint="Convert it first.") from error


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
        raise Blocked("MultiEdit: `edits` is no list, so what it writes is not known")
    before = after = current_text(path, call.cwd)
    for edit in edits:
        if not isinstance(edit, Mapping):
            raise Blocked("MultiEdit: an edit is no object, so what it writes is not known")
        after = _replaced(after, ToolCall(call.tool, edit, call.cwd))
    return [Change(path, before, after)]


def _replaced(before: str, edit: ToolCall) -> str:
    old, new = edit.text("old_string"), edit.text("new_string")
    if not old or old not in before:
        # A new file, or an edit that the tool will refuse; either way this is all it can add.
        return f"{before}\n\n{new}"
    return before.replace(old, new, -1 if edit.given.get("replace_all") is True else 1)


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


def _unknown(call: ToolCall, memory: MemoryFiles) -> list[Change]:
    """A tool that nobody has described here: any text in a call that names a memory file counts."""
    texts = list(_texts(call.given))
    paths = [
        text
        for key, text in texts
        if len(text) < 4_096
        and "\n" not in text
        and ("path" in key.lower() or key.lower() in _PATH_KEYS)
        and memory.holds(text.removeprefix("file://"), call.cwd)
    ]
    if not paths:
        return []
    return [Change(paths[0], "", "\n\n".join(text for _, text in texts if text not in paths))]


def _texts(value: Any, key: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:  # noqa: ANN401
    if depth > _DEEPEST:
        raise Blocked("the tool's input is nested too deeply to be read")
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, Mapping):
        for name, item in value.items():
            yield from _texts(item, name, depth + 1)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item, key, depth + 1)


_READERS: Final[Mapping[str, Callable[[ToolCall, MemoryFiles], list[Change]]]] = {
    "Write": _write,
    "Edit": _edit,
    "MultiEdit": _multi_edit,
    "NotebookEdit": _notebook,
    "Bash": _bash,
}
