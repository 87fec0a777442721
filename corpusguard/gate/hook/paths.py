"""Which files are an agent's memory."""

from __future__ import annotations

import fnmatch
import os
import re
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


class MemoryFiles:
    """Paths that match any of ``globs``.

    A pattern matches from the start of any path component, whatever the case: ``CLAUDE.md`` is
    also ``docs/claude.md`` (file systems that fold case would open the same file), ``memory/**``
    is everything below any folder of that name. Links are followed. Of a path below ``root`` only
    the rest counts: a project that lies in a folder named "memory" is not one large memory.
    """

    def __init__(self, globs: Sequence[str], root: Path) -> None:
        self._roots = {root.absolute(), root.resolve()}
        self._globs = [_folded(glob).strip("/") for glob in globs]
        self._pattern = re.compile(
            "(?:^|/)(?:" + "|".join(map(_regex, self._globs)) + ")$", re.DOTALL
        )
        fixed = [glob for glob in self._globs if not set(glob) & set("*?[")]
        folders = [glob.partition("*")[0] for glob in self._globs if "/*" in glob]
        self._names = [glob.rpartition("/")[2] for glob in fixed]
        self._mention = re.compile(
            "|".join(
                [re.escape(name) for name in self._names]
                + [rf"(?:^|[^\w.-]){re.escape(folder)}" for folder in folders if folder]
            )
            or r"(?!)"
        )
        self._name = re.compile("|".join(map(re.escape, self._names)) or r"(?!)")

    def holds(self, path: str, cwd: str) -> bool:
        """Tell whether ``path``, as written or through links, is a memory file."""
        whole = os.path.normpath(os.path.join(cwd, os.path.expanduser(path.replace("\\", "/"))))  # noqa: PTH111, PTH118
        try:
            real = Path(whole).resolve()
        except (OSError, RuntimeError, ValueError):
            return True  # a loop of links, or no path at all: nothing can be said
        return any(self._pattern.search(_folded(self._within(one))) for one in (Path(whole), real))

    def _within(self, path: Path) -> str:
        for root in self._roots:
            if path.is_relative_to(root):
                return path.relative_to(root).as_posix()
        return path.as_posix()

    def may_hold(self, pattern: str, cwd: str) -> bool:
        """The same for a word that a shell would still expand: any way that leads to one counts."""
        if self.holds(pattern, cwd):
            return True
        last = re.sub(r"\{[^{}]*\}", "*", _folded(pattern)).rpartition("/")[2]
        if not set(last) & set("*?["):
            return False
        return any(fnmatch.fnmatchcase(name, last) for name in self._names)

    def mentions(self, text: str) -> bool:
        """Tell whether ``text`` names a memory file or folder anywhere."""
        return self._mention.search(_folded(text)) is not None

    def names(self, text: str) -> bool:
        """Tell whether ``text`` names a memory file by its whole name."""
        return self._name.search(_folded(text)) is not None


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()


def _regex(glob: str) -> str:
    """Translate a glob in which ``*`` stays within a component and ``**`` does not."""
    parts = re.split(r"(\*\*/?|\*|\?)", glob)
    known = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return "".join(known.get(part, re.escape(part)) for part in parts)
