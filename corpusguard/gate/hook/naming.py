"""Which texts of a tool's input name a memory file, however the tool takes its paths apart.

A path may be a value or a key, alone or to be joined with a folder, a name or an ending that
stands elsewhere in the input; it may be an address, and coded with per cent signs.
"""

from __future__ import annotations

import re
from itertools import permutations
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import unquote

from corpusguard.gate.hook.toolcall import Blocked
from corpusguard.gate.hook.tools import is_folder_key, is_path_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from corpusguard.gate.hook.paths import MemoryFiles

_LONGEST_PATH: Final = 4_096
_MOST_JOINED: Final = 30
"""Short texts of which every two are joined; an ordinary call has five."""
_SHORT: Final = 300
_DEEPEST: Final = 20
_MOST_WORDS: Final = 8
"""Words of a path; more are prose."""
_SEVERAL: Final = re.compile(r"[\n,;|]")
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:/*(?:/[^/]*(?=/))?", re.IGNORECASE)


class Leaf(NamedTuple):
    """One text of a tool's input."""

    key: str
    """The nearest key above it."""
    text: str
    is_key: bool = False


class Named(NamedTuple):
    """A memory file, and the leaves that name it."""

    path: str
    leaves: tuple[Leaf, ...]


def leaves(value: Any, key: str = "", depth: int = 0) -> Iterator[Leaf]:  # noqa: ANN401
    """Yield all texts of an input in order, keys included.

    Raises:
        Blocked: It is nested too deeply.
    """
    if depth > _DEEPEST:
        raise Blocked("the tool's input is nested too deeply to be read")
    if isinstance(value, str):
        yield Leaf(key, value)
    elif isinstance(value, dict):
        for name, item in value.items():
            yield Leaf(key, name, is_key=True)
            yield from leaves(item, name, depth + 1)
    elif isinstance(value, list):
        for item in value:
            yield from leaves(item, key, depth + 1)


def named(given: Mapping[str, Any], cwd: str, memory: MemoryFiles) -> list[Named]:
    """Return the memory files that an input could name, each once.

    Args:
        given: the tool's input.
        cwd: where relative paths begin.
        memory: which files count.
    """
    short = [
        leaf
        for leaf in dict.fromkeys(leaves(given))
        if len(leaf.text) < _LONGEST_PATH
        and "\n" not in leaf.text.strip()
        and 0 < len(leaf.text.split()) <= _MOST_WORDS
        # In a folder of memories every word would name a file; the keys of a tool are words.
        and not (leaf.is_key and not set(leaf.text) & set("./\\%"))
    ]
    found: dict[str, Named] = {}

    def look(path: str, *by: Leaf) -> bool:
        if "\0" in path or memory.holds(path, cwd):
            found.setdefault(path, Named(path, by))
            return True
        return False

    left = [leaf for leaf in short if not any(look(path, leaf) for path in spellings(leaf.text))]
    for leaf in leaves(given):
        if not leaf.is_key and is_path_key(leaf.key) and len(leaf.text) < _LONGEST_PATH:
            for part in _SEVERAL.split(leaf.text)[:_MOST_JOINED]:
                if part.strip() and part != leaf.text:
                    for path in spellings(part):
                        look(path, leaf)
    for one, other in permutations(_joinable(left), 2):
        folder_like = is_path_key(one.key) or bool(set(one.text) & set("/\\"))
        if folder_like or memory.holds(f"{one.text}/x", cwd):
            look(f"{spellings(one.text)[-1]}/{spellings(other.text)[-1]}", one, other)
        ending = other.text.lstrip(".")
        if re.fullmatch(r"\w{1,9}", ending):
            look(f"{one.text}.{ending}", one, other)
    folders = [leaf for leaf in left if not leaf.is_key and is_path_key(leaf.key)][:8]
    for root, folder, name in permutations(folders, 3):
        if is_folder_key(root.key) or is_folder_key(folder.key):
            look(f"{root.text}/{folder.text}/{name.text}", root, folder, name)
    return list(found.values())


def spellings(text: str) -> list[str]:
    """Return a path as written and as decoded from an address."""
    plain = text.strip().strip("\"'`<>")
    decoded = plain
    for _ in range(3):
        decoded = unquote(decoded)
    found = [plain, decoded]
    for one in (plain, decoded):
        if scheme := _SCHEME.match(one):
            found += [one[scheme.end() :], re.split(r"[?#]", one[scheme.end() :])[0]]
    return [one for one in dict.fromkeys(found) if one.strip()]


def _joinable(short: list[Leaf]) -> list[Leaf]:
    first = [leaf for leaf in short if not leaf.is_key and is_path_key(leaf.key)]
    rest = [
        leaf for leaf in short if not leaf.is_key and leaf not in first and len(leaf.text) < _SHORT
    ]
    return [*first, *rest][:_MOST_JOINED]
