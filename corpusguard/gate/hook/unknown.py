"""A call of a tool that nobody has described here: in doubt it writes to memory.

Where any text of its input could name a memory file, all its other texts count as what is written
there: edits applied to what the file says, everything else in its place or behind it.
"""

from __future__ import annotations

import json
import re
import shlex
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from corpusguard.gate.hook import patches, tools, written
from corpusguard.gate.hook.files import Change, current_text, present_text, whole_path
from corpusguard.gate.hook.instructions import PLACE
from corpusguard.gate.hook.moved import moved
from corpusguard.gate.hook.naming import Leaf, leaves, named, spellings
from corpusguard.gate.hook.shell import shell_changes
from corpusguard.gate.hook.shell_reach import Reach
from corpusguard.gate.hook.toolcall import Blocked

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corpusguard.gate.hook.paths import MemoryFiles
    from corpusguard.gate.hook.toolcall import ToolCall

_LINE_KEYS: Final = frozenset("insertline line lineno linenumber afterline".split())
UNNAMED: Final = "the memory of "
"""How the path of a change begins that goes to no file."""
_WRAPPED: Final = 3
_SHELL: Final = re.compile(r"(?:/usr)?(?:/bin/)?(?:ba|z|da)?sh")
_RUNS: Final = re.compile(r"-l?c")
"""``["bash", "-lc", command]``."""
_ELEMENT: Final = re.compile(r"</?[\w:.-]{1,60}>")
_APPENDS: Final = frozenset("append insert add extend concat prepend".split())


def unknown_changes(call: ToolCall, memory: MemoryFiles) -> list[Change]:
    """Return what ``call`` may change in memory files; empty: it names none.

    Raises:
        Blocked: It may write to one, and what cannot be seen.
    """
    verb = call.given.get("command")
    if verb in ("view", "delete") and call.given.keys() <= {"command", "path", "view_range"}:
        return []  # of editors that have one tool for all
    call = replace(call, given=_opened(call.given))
    folder = _folder(call)
    reads = tools.only_reads(call.tool) and (verb in (None, "view") or tools.is_shell(call.tool))
    found = [] if reads and tools.is_shell(call.tool) else _by_commands(call, folder, memory)
    rest = _without(call, {key for key, _ in _commands(call.tool, call.given)})
    if tools.is_shell(call.tool):  # where it works, the command has told
        rest = _without(rest, {key for key in rest.given if not tools.is_file_key(key)})
    for key in call.given:
        if patched := list(_by_patches(_only(call, key), folder, memory)):
            found += patched
            rest = _without(rest, {key})
    names = named(rest.given, folder, memory)
    if reads:
        names = [one for one in names if any(tools.is_destination_key(x.key) for x in one.leaves)]
    elif not names and not found and tools.remembers(call.tool):
        return list(_as_text(call, f"{UNNAMED}{call.tool}", "", set(), folder))
    if tools.moves(call.tool) or verb == "rename":
        return [*found, *moved(call, folder, names, memory)]
    naming = {leaf for one in names for leaf in one.leaves if _is_only_a_path(leaf)}
    for one in names:
        try:
            before = current_text(one.path, folder)
        except Blocked:
            if len(one.leaves) == 1:
                raise
            before = ""  # a guess at how a path is joined: then all of it is new
        if found and not any(written.texts(rest.given, naming, folder)):
            continue  # the patch or the command has told
        found += _as_text(rest, one.path, before, naming, folder)
    return found


def _without(call: ToolCall, keys: set[str]) -> ToolCall:
    return replace(call, given={key: value for key, value in call.given.items() if key not in keys})


def _only(call: ToolCall, key: str) -> ToolCall:
    return replace(call, given={key: call.given[key]})


def _is_only_a_path(leaf: Leaf) -> bool:
    """Whether a text that names a memory file cannot be what is written there."""
    return tools.is_path_key(leaf.key) or PLACE.fullmatch(spellings(leaf.text)[-1]) is not None


def _folder(call: ToolCall) -> str:
    """Return where the tool says that it works."""
    for key, value in call.given.items():
        if isinstance(value, str) and tools.folded(key) in {
            "cwd", "workdir", "workingdirectory", "dirpath", "root", "directory", "workspace",
        }:  # fmt: skip
            return str(whole_path(spellings(value)[-1] if value.strip() else ".", call.cwd))
    return call.cwd


def _opened(value: Any, key: str = "") -> Any:  # noqa: ANN401
    """Return an input with the calls in it that are coded as text: JSON, or elements of XML."""
    if isinstance(value, dict):
        return {name: _opened(item, name) for name, item in value.items()}
    if isinstance(value, list):
        return [_opened(item, key) for item in value]
    if not isinstance(value, str) or not tools.is_carrier_key(key):
        return value
    with suppress(ValueError, RecursionError):
        inner = json.loads(value)
        return _opened(inner) if isinstance(inner, dict | list) else value
    if _ELEMENT.search(value):
        return [piece for piece in _ELEMENT.split(value) if piece.strip()]
    return value


def _commands(tool: str, given: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key, value in given.items():
        if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
            inner = (
                len(value) == _WRAPPED and _SHELL.fullmatch(value[0]) and _RUNS.fullmatch(value[1])
            )
            text = value[2] if inner else shlex.join(value)
        elif isinstance(value, str):
            text = value
        else:
            continue
        if tools.is_command_key(tool, key, text):
            yield key, text


def commands(call: ToolCall) -> Iterator[str]:
    """Yield every command line, or piece of code, that a call gives to something that runs it."""
    yield from (text for _, text in _all_commands(call.tool, _opened(call.given)))


def _all_commands(tool: str, value: Any) -> Iterator[tuple[str, str]]:  # noqa: ANN401
    """Yield the commands of an input and of the calls in it."""
    if isinstance(value, dict):
        yield from _commands(tool, value)
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _all_commands(tool, item)


def _by_commands(call: ToolCall, folder: str, memory: MemoryFiles) -> list[Change]:
    found: list[Change] = []
    for key, text in _all_commands(call.tool, call.given):
        if "patch" in tools.words_of(tools.own(call.tool)):
            continue  # read below
        if tools.runs_other_language(call.tool):
            if Reach(folder, memory).touches(text):
                raise Blocked(
                    f"{call.tool}: `{key}` names a memory file, and what it would write there"
                    " cannot be seen",
                    hint="Write to memory with the agent's own tool for files.",
                )
        else:
            found += [Change(*one) for one in shell_changes(text, folder, memory, current_text)]
    return found


def _by_patches(call: ToolCall, folder: str, memory: MemoryFiles) -> Iterator[Change]:
    """Yield what patches in the input make of memory files."""
    for leaf in leaves(call.given):
        last, text = "", ""
        for section in patches.sections(leaf.text):
            path = section.path
            if section.verb == "move":
                if memory.holds(path, folder):
                    if not last:
                        raise Blocked(f"{call.tool}: a patch moves a file to {path}, unseen")
                    text = patches.patched(text, section.body)
                    yield Change(path, current_text(path, folder), text)
                continue
            before = present_text(path, folder, needed=memory.holds(path, folder))
            last = path
            text = "" if section.verb == "delete" else patches.patched(before, section.body)
            if section.verb != "delete" and memory.holds(path, folder):
                yield Change(path, before, text)


def _as_text(
    call: ToolCall, path: str, before: str, names: set[Leaf], folder: str
) -> Iterator[Change]:
    """Yield every plausible reading of what is written to ``path``."""
    after, edits = written.edited(call.given, before)
    texts = [*written.texts(call.given, names, folder)]
    if edits:
        yield Change(path, before, "\n\n".join([after, *texts]))
        return
    if not texts:
        raise Blocked(
            f"{call.tool}: it names {path}, and what it would write there cannot be seen",
            hint="docs/hook.md lists the tools that are known to read only.",
        )
    for text in written.readings(call.given, texts):
        yield Change(path, before, text)
        at = next(
            (value for key, value in call.given.items()
             if tools.folded(key) in _LINE_KEYS and type(value) is int), None,
        )  # fmt: skip
        if before and at is not None and at >= 0:
            lines = before.split("\n")
            yield Change(path, before, "\n".join([*lines[:at], text, *lines[at:]]))
        elif before and _appends(call):
            yield Change(path, before, before + text)


def _appends(call: ToolCall) -> bool:
    words = tools.words_of(tools.own(call.tool))
    modes = [str(value).lower() for value in call.given.values() if isinstance(value, str)]
    return not _APPENDS.isdisjoint([*words, *modes]) or call.given.get("append") is True
