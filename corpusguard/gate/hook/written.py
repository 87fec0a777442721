"""What a tool's input would write: its texts, joined in every way that a tool may join them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from corpusguard.gate.hook import patches, tools
from corpusguard.gate.hook.files import current_text, whole_path
from corpusguard.gate.hook.instructions import PLACE
from corpusguard.gate.hook.naming import Leaf, leaves, spellings
from corpusguard.gate.hook.toolcall import Blocked
from corpusguard.gate.hook.vocabulary import IN_CLAUSES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_OLD_KEYS: Final = frozenset(
    "oldstring oldtext oldstr old search searchtext find findtext targetcontent original "
    "oldcontent originaltext before pattern oldsource needle".split()
)
_NEW_KEYS: Final = frozenset(
    "newstring newtext newstr new replace replacement replacetext replacementtext "
    "replacementcontent replacewith newcontent updated after newsource repl".split()
)
_COUNTS: Final = re.compile(
    r"\w*(?:line|offset|start|end|limit|count|time|timeout|index|position|pos|column|row|size|max|"
    r"min|length|depth|head|tail|id|version|replacements|mode|ms|seconds|permissions|number)"
)
"""Keys whose numbers are about the call, not in the text."""
_SETTINGS: Final = frozenset(
    "append overwrite create recursive force background dryrun encoding mode action operation "
    "type language celltype editmode branch owner repo sha newline permissions".split()
)
"""Keys whose values say how the tool works, in a word or for the user, and are not written."""
_PIECE: Final = 4
"""Letters: shorter texts of a list may be parts of words."""
_SETTING: Final = re.compile(r"[\w./-]{1,40}")


def edited(given: Mapping[str, Any], before: str) -> tuple[str, bool]:
    """Apply the edits of an input, wherever they stand in it; also return whether there are any."""
    after, found = before, False
    for edit in _objects(given):
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


def texts(given: Mapping[str, Any], names: set[Leaf], folder: str) -> Iterator[str]:
    """Yield the texts of an input that are no edits.

    Args:
        given: a tool's input.
        names: what of it names memory files.
        folder: where relative paths begin; of a file that the input names, the text counts.

    Raises:
        Blocked: It names a source that cannot be read.
    """
    for key, value in given.items():
        name = tools.folded(key)
        if _is_pair(given, name) or (isinstance(value, str) and patches.searches(value)):
            continue
        if any(mark.isspace() for mark in key.strip()) and Leaf("", key, is_key=True) not in names:
            yield key
        if isinstance(value, list):
            yield from _of_list(key, value, names, folder)
        elif isinstance(value, dict):
            values_name = any(leaf in names and not leaf.is_key for leaf in leaves(value))
            yield from texts(value, names, folder) if values_name else _object_text(value, names)
        elif isinstance(value, str):
            if Leaf(key, value) not in names:
                yield from _of_string(key, value, folder)
        elif isinstance(value, bool):
            if not IN_CLAUSES.issuperset(tools.words_of(key)) and name not in _SETTINGS:
                yield f"{key}: {value}"
        elif value is not None and not _COUNTS.fullmatch(name):
            yield str(value)


def _of_list(key: str, value: list[Any], names: set[Leaf], folder: str) -> Iterator[str]:
    if all(isinstance(one, str) for one in value):
        lines = [one for one in value if Leaf(key, one) not in names]
        if lines:
            yield "\n".join(lines)
        return
    for item in value:
        yield from texts(item if isinstance(item, dict) else {key: item}, names, folder)


def _of_string(key: str, value: str, folder: str) -> Iterator[str]:
    if not value.strip() or _is_setting(tools.folded(key), value, folder):
        return
    path = spellings(value)[-1]
    if (tools.is_source_key(key) and len(value.split()) == 1) or (
        tools.is_path_key(key)
        and (PLACE.fullmatch(path) or whole_path(path[:4_096].partition("\n")[0], folder).is_file())
    ):
        yield source(value, folder)
    else:
        yield value


def source(text: str, folder: str) -> str:
    """Return what the file says that ``text`` names.

    Raises:
        Blocked: There is none that can be read.
    """
    path = whole_path(spellings(text)[-1], folder)
    if not path.is_file():
        raise Blocked(
            f"{text[:200]} is no file that can be read, so what would be written is not known",
            hint="Write the text itself.",
        )
    return current_text(str(path), folder)


def readings(given: Mapping[str, Any], written: list[str]) -> list[str]:
    """Return what is written, lists of lines, pieces and letters joined as each of them may be."""
    lines, pieces = list(written), list(written)
    for value in (value for one in _objects(given) for value in one.values()):
        if not (isinstance(value, list) and value and all(isinstance(one, str) for one in value)):
            continue
        apart, joined = "\n".join(value), "".join(value)
        whole = all(len(one) <= 1 or one.endswith("\n") for one in value)
        if whole or len(joined) < _PIECE * len(value):
            pieces = [joined if one == apart else one for one in pieces]
        if whole:
            lines = [joined if one == apart else one for one in lines]
    return list(dict.fromkeys(["\n\n".join(lines), "\n\n".join(pieces)]))


def _objects(value: Any) -> Iterator[Mapping[str, Any]]:  # noqa: ANN401
    if isinstance(value, dict):
        yield value
        for item in value.values():
            yield from _objects(item)
    elif isinstance(value, list):
        for item in value:
            yield from _objects(item)


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
