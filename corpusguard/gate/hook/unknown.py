"""A call of a tool that nobody has described here: in doubt it writes to memory.

Where any text of its input could name a memory file, all its other texts count as what is written
there: edits applied to what the file says, everything else both in its place and behind it.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from corpusguard.gate.hook import patches, tools
from corpusguard.gate.hook.files import Change, current_text, whole_path
from corpusguard.gate.hook.instructions import PLACE
from corpusguard.gate.hook.naming import Leaf, leaves, named, spellings
from corpusguard.gate.hook.shell import shell_changes
from corpusguard.gate.hook.toolcall import Blocked

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corpusguard.gate.hook.naming import Named
    from corpusguard.gate.hook.paths import MemoryFiles
    from corpusguard.gate.hook.toolcall import ToolCall

_OLD_KEYS: Final = frozenset(
    "oldstring oldtext oldstr old search searchtext find findtext targetcontent original oldcontent "
    "originaltext before pattern oldsource".split()
)
_NEW_KEYS: Final = frozenset(
    "newstring newtext newstr new replace replacement replacetext replacementtext replacementcontent "
    "replacewith newcontent updated after newsource".split()
)
_LINE_KEYS: Final = frozenset("insertline line lineno linenumber afterline".split())
_COUNTS: Final = re.compile(
    r"\w*(?:line|offset|start|end|limit|count|time|timeout|index|position|pos|column|row|size|max|min|"
    r"length|depth|head|tail|id|version|replacements|mode|ms|seconds|permissions|number)"
)
"""Keys whose numbers are about the call, not in the text."""
_SETTINGS: Final = frozenset(
    "append overwrite create recursive force background dryrun encoding mode action operation type "
    "language celltype editmode branch owner repo sha newline permissions".split()
)
"""Keys whose values say how the tool works, in a word or for the user, and are not written."""
_SETTING: Final = re.compile(r"[\w./-]{1,40}")
_APPENDS: Final = frozenset("append insert add extend concat prepend".split())


def unknown_changes(call: ToolCall, memory: MemoryFiles) -> list[Change]:
    """Return what ``call`` may change in memory files; empty: it names none.

    Raises:
        Blocked: It may write to one, and what cannot be seen.
    """
    if call.given.get("command") in {"view", "delete"}:
        return []  # of editors that have one tool for all
    folder = _folder(call)
    found = _by_commands(call, folder, memory)
    patched = list(_by_patches(call, folder, memory))
    if patched:
        return [*found, *patched]
    commands = {key for key, _ in _commands(call)}
    rest = {key: value for key, value in call.given.items() if key not in commands}
    names = named(rest, folder, memory)
    if tools.only_reads(call.tool):
        names = [one for one in names if any(tools.is_destination_key(x.key) for x in one.leaves)]
    elif not names and tools.remembers(call.tool):
        return [*found, *_as_text(call, f"the memory of {call.tool}", "", set(), folder)]
    if tools.moves(call.tool) or call.given.get("command") == "rename":
        return [*found, *_moved(call, folder, names, memory)]
    naming = {leaf for one in names for leaf in one.leaves}
    for one in names:
        found += _as_text(call, one.path, current_text(one.path, folder), naming, folder)
    return found


def _folder(call: ToolCall) -> str:
    """Return where the tool says that it works."""
    for key, value in call.given.items():
        if isinstance(value, str) and tools.folded(key) in {
            "cwd", "workdir", "workingdirectory", "dirpath", "root", "directory", "workspace",
        }:  # fmt: skip
            return str(whole_path(spellings(value)[-1] if value.strip() else ".", call.cwd))
    return call.cwd


def _commands(call: ToolCall) -> Iterator[tuple[str, str]]:
    for key, value in call.given.items():
        if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
            text = shlex.join(value)
        elif isinstance(value, str):
            text = value
        else:
            continue
        if tools.is_command_key(call.tool, key, text):
            yield key, text


def _by_commands(call: ToolCall, folder: str, memory: MemoryFiles) -> list[Change]:
    found: list[Change] = []
    for key, text in _commands(call):
        if any(True for _ in patches.sections(text)):
            continue
        if tools.runs_other_language(call.tool):
            if memory.mentions(text):
                raise Blocked(
                    f"{call.tool}: `{key}` names a memory file, and what it would write there cannot"
                    " be seen",
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
                    yield Change(path, current_text(path, folder), text)
                continue
            before = _present(path, folder, memory)
            last = path
            text = "" if section.verb == "delete" else patches.patched(before, section.body)
            if section.verb != "delete" and memory.holds(path, folder):
                yield Change(path, before, text)


def _present(path: str, folder: str, memory: MemoryFiles) -> str:
    """Return what the file of a patch says; of no interest where it is no memory and no text."""
    bare = re.sub(r"^[ab]/", "", path)
    one = path if whole_path(path, folder).exists() else bare
    try:
        return current_text(one, folder)
    except Blocked:
        if memory.holds(path, folder):
            raise
        return ""


def _moved(call: ToolCall, folder: str, names: list[Named], memory: MemoryFiles) -> list[Change]:
    """What a move or a copy brings into a memory file: the text of its source."""
    paths = [
        leaf
        for leaf in leaves(call.given)
        if not leaf.is_key and leaf.text.strip() and "\n" not in leaf.text
    ]
    to = [leaf for leaf in paths if tools.is_destination_key(leaf.key)]
    sources = [leaf for leaf in paths if leaf not in to and tools.is_path_key(leaf.key)]
    if not to:
        # Which of its paths is the source nobody knows, so it may be any.
        to, sources = paths, paths
    found: list[Change] = []
    targets = {
        path: one
        for one in to
        for text in spellings(one.text)
        for path in (text, *(f"{text}/{Path(source.text).name}" for source in sources))
        if memory.holds(path, folder) and not (one in sources and path != text)
    }
    targets |= {name.path: leaf for name in names for leaf in name.leaves if leaf in to}
    for path, leaf in targets.items():
        others = [one for one in sources if one != leaf and not tools.is_folder_key(one.key)]
        if not others:
            raise Blocked(f"{call.tool}: it writes to {path}, and what cannot be seen")
        for one in others:
            found.append(Change(path, _present(path, folder, memory), _source(one, folder)))
    return found


def _source(leaf: Leaf, folder: str) -> str:
    path = whole_path(spellings(leaf.text)[-1], folder)
    if not path.is_file():
        raise Blocked(
            f"{leaf.text[:200]} is no file that can be read, so what would be written is not known",
            hint="Write the text itself.",
        )
    return current_text(str(path), folder)


def _as_text(
    call: ToolCall, path: str, before: str, names: set[Leaf], folder: str
) -> Iterator[Change]:
    """Yield every plausible reading of what is written to ``path``."""
    edited, edits = _edited(call, before)
    written = [*_written(call.given, names, folder)]
    if edits:
        yield Change(path, before, "\n\n".join([edited, *written]))
        return
    if not written:
        raise Blocked(
            f"{call.tool}: it names {path}, and what it would write there cannot be seen",
            hint="docs/hook.md lists the tools that are known to read only.",
        )
    for text in dict.fromkeys(
        ["\n\n".join(written), "\n\n".join(_as_characters(call.given, written))]
    ):
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


def _edited(call: ToolCall, before: str) -> tuple[str, bool]:
    """Apply the edits of an input, wherever they stand in it."""
    after, found = before, False
    for edit in _objects(call.given):
        keys = {tools.folded(key): key for key in edit}
        old = [keys[key] for key in keys if key in _OLD_KEYS and isinstance(edit[keys[key]], str)]
        new = [keys[key] for key in keys if key in _NEW_KEYS and isinstance(edit[keys[key]], str)]
        pairs = [(edit[old[0]], edit[new[0]])] if len(old) == len(new) == 1 else []
        for value in edit.values():
            if isinstance(value, str):
                pairs += patches.searches(value)
        for one, other in pairs:
            everywhere = edit.get(keys.get("replaceall", "")) is True
            after, found = patches.replaced(after, one, other, everywhere=everywhere), True
    return after, found


def _objects(value: Any) -> Iterator[Mapping[str, Any]]:  # noqa: ANN401
    if isinstance(value, dict):
        yield value
        for item in value.values():
            yield from _objects(item)
    elif isinstance(value, list):
        for item in value:
            yield from _objects(item)


def _written(given: Mapping[str, Any], names: set[Leaf], folder: str) -> Iterator[str]:
    """Yield the texts of an input that name no memory file and are no edits, as they stand."""
    for key, value in given.items():
        name = tools.folded(key)
        if _is_pair(given, name) or (isinstance(value, str) and patches.searches(value)):
            continue
        if any(mark.isspace() for mark in key.strip()) and Leaf("", key, is_key=True) not in names:
            yield key
        if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
            lines = [one for one in value if Leaf(key, one) not in names]
            if lines:
                yield "\n".join(lines)
        elif isinstance(value, list):
            for item in value:
                yield from _written(item if isinstance(item, dict) else {key: item}, names, folder)
        elif isinstance(value, dict):
            values_name = any(leaf in names and not leaf.is_key for leaf in leaves(value))
            yield from (
                _written(value, names, folder) if values_name else _object_text(value, names)
            )
        elif isinstance(value, str):
            if Leaf(key, value) in names or not value.strip() or _is_setting(name, value, folder):
                continue
            if tools.is_path_key(key):
                path = spellings(value)[-1]
                if PLACE.fullmatch(path) or whole_path(path, folder).is_file():
                    yield _source(Leaf(key, value), folder)
                    continue
            yield value
        elif value is not None and not isinstance(value, bool) and not _COUNTS.fullmatch(name):
            yield str(value)


def _is_pair(given: Mapping[str, Any], name: str) -> bool:
    keys = [tools.folded(key) for key in given]
    old = [key for key in keys if key in _OLD_KEYS]
    new = [key for key in keys if key in _NEW_KEYS]
    return len(old) == len(new) == 1 and name in {*old, *new}


def _is_setting(name: str, value: str, folder: str) -> bool:
    if name in tools.FOR_THE_USER or (name == "command" and value in tools.EDITOR_COMMANDS):
        return True
    if name in _SETTINGS and _SETTING.fullmatch(value):
        return True
    return tools.is_folder_key(name) and whole_path(spellings(value)[-1], folder).is_dir()


def _object_text(value: Mapping[str, Any], names: set[Leaf]) -> Iterator[str]:
    """Yield an object as the text of a file: its keys are words, too."""
    for key, item in value.items():
        known = Leaf("", key, is_key=True) in names or any(
            name.is_key and name.text == key for name in names
        )
        if isinstance(item, dict):
            if not known:
                yield key
            yield from _object_text(item, names)
        elif isinstance(item, list):
            if not known:
                yield key
            for one in item:
                yield from _object_text(one, names) if isinstance(one, dict) else [str(one)]
        else:
            yield str(item) if known else f"{key}: {item}"


def _as_characters(given: Mapping[str, Any], written: list[str]) -> list[str]:
    """Return what is written with lists of pieces joined without a space."""
    pieces = {
        "\n".join(value): "".join(value)
        for one in _objects(given)
        for value in one.values()
        if isinstance(value, list) and value and all(isinstance(each, str) for each in value)
        if all(each.endswith("\n") for each in value) or sum(map(len, value)) < 4 * len(value)
    }
    return [pieces.get(text, text) for text in written]
