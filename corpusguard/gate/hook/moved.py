"""What a move, a copy or a link brings into a memory file: the text of its source."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from corpusguard.gate.hook import tools, written
from corpusguard.gate.hook.files import Change, present_text, whole_path
from corpusguard.gate.hook.instructions import PLACE
from corpusguard.gate.hook.naming import Leaf, leaves, spellings
from corpusguard.gate.hook.toolcall import Blocked

if TYPE_CHECKING:
    from corpusguard.gate.hook.naming import Named
    from corpusguard.gate.hook.paths import MemoryFiles
    from corpusguard.gate.hook.toolcall import ToolCall

_LINKS: Final = frozenset({"link", "symlink"})


def moved(call: ToolCall, folder: str, names: list[Named], memory: MemoryFiles) -> list[Change]:
    """Return what a move or a copy brings into memory files.

    Raises:
        Blocked: Its source cannot be read.
    """
    paths = [
        leaf
        for leaf in leaves(call.given)
        if not leaf.is_key and leaf.text.strip() and "\n" not in leaf.text
    ]
    to = [leaf for leaf in paths if tools.is_destination_key(leaf.key)]
    sources = [leaf for leaf in paths if leaf not in to and tools.is_path_key(leaf.key)]
    if not to or not _LINKS.isdisjoint(tools.words_of(tools.own(call.tool))):
        # Which of its paths is the source nobody knows, so it may be any.
        to, sources = paths, paths
    targets = {
        path: one
        for one in to
        for text in spellings(one.text)
        for path in (text, *(_inside(text, source, folder) for source in sources))
        if memory.holds(path, folder) and not (one in sources and path != text)
    }
    targets |= {name.path: leaf for name in names for leaf in name.leaves if leaf in to}
    given = {key: value for key, value in call.given.items() if not tools.is_path_key(key)}
    named_only = {leaf for leaf in paths if PLACE.fullmatch(leaf.text)}
    besides = "\n\n".join(written.texts(given, named_only, folder))
    found: list[Change] = []
    for path, leaf in targets.items():
        others = [one for one in sources if one != leaf and not tools.is_folder_key(one.key)]
        if not others:
            raise Blocked(f"{call.tool}: it writes to {path}, and what cannot be seen")
        before = present_text(path, folder, needed=True)
        found += [Change(path, before, written.source(one.text, folder)) for one in others]
        found += [Change(path, before, besides)] if besides else []
    return found


def _inside(path: str, source: Leaf, folder: str) -> str:
    """Return where a file ends up that is moved to ``path``, if that is a folder."""
    is_folder = not Path(path).suffix or whole_path(path, folder).is_dir()
    return f"{path}/{Path(source.text).name}" if is_folder else path
