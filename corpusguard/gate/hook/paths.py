"""Which files are an agent's memory, however they are spelled."""

from __future__ import annotations

import fnmatch
import os
import re
import unicodedata
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from corpusguard.gate.hook.disk import Exhausted, matches, same_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

WILD: Final = frozenset("*?[")
_LONGEST: Final = 4_096
"""Characters of a path; a system takes no longer one."""
_FOLDED_TAIL: Final = re.compile(r"(?:[.\s]|[\x00-\x1f\x7f])+(?=/|$)")
_GOING: Final = "chdir|cd|pushd|cp|install|ln|mv|rsync|tar|unzip"
"""Words of code after which the bare name of a folder is a place."""
_JOINED: Final = re.compile(r"(['\"])\s*[+.]?\s*\1")
"""Where code puts two texts together."""
_ANY: Final = "\ue000"
"""Stands for a wildcard: a letter of nobody's names (private use), which no other pattern means."""
_URI: Final = re.compile(r"file:(?://[^/]*)?(?=/)", re.IGNORECASE)


class MemoryFiles:
    """Paths that match any of ``globs``.

    A pattern matches from the start of any path component, in whatever case and Unicode form:
    ``CLAUDE.md`` is also ``docs/claude.md`` (file systems that fold would open the same file),
    ``memory/**`` is everything below any folder of that name. Links are followed. Of a path below
    ``root`` only the rest counts: a project that lies in a folder named "memory" is not one large
    memory.
    """

    def __init__(self, globs: Sequence[str], root: Path) -> None:
        self._roots = _roots(root)
        folded = [_folded(glob).strip("/") for glob in globs]
        self._pattern = re.compile("(?:^|/)(?:" + "|".join(map(_regex, folded)) + ")$", re.DOTALL)
        self._folders = [
            parts
            for glob in folded
            if (parts := [part for part in glob.split("/")[:-1] if part.strip("*")])
        ]
        self._names = [
            name
            for glob in folded
            if not set(name := glob.rpartition("/")[2]) & WILD or "/" not in glob
        ]
        name = "|".join(map(_regex, self._names)) or "(?!)"
        folder = "|".join(_regex("/".join(parts)) for parts in self._folders) or "(?!)"
        self._in_text = re.compile(
            rf"{name}|(?<![\w.-])(?:{folder})/|/(?:{folder})(?![\w.-])"
            rf"|['\"`](?:{folder})['\"`]"
            rf"|\b(?:{_GOING})\b[^\n;|&]{{0,300}}?[\s='\"(](?:{folder})(?![\w.-])"
        )
        stems = [re.escape(stem) for one in map(_last, globs) if (stem := one.rpartition(".")[0])]
        endings = {re.escape(_last(one).rpartition(".")[2]) for one in globs if "." in _last(one)}
        self._stems = re.compile(rf"(?<![\w.-])(?:{'|'.join(stems) or '(?!)'})(?![\w.-])")
        self._endings = re.compile(rf"(?:\.|(?<!\w))(?:{'|'.join(endings) or '(?!)'})(?!\w)")
        ways = [
            glob.replace("?", _ANY).replace("**", "*").replace("*", _ANY * 2).split("/")
            for glob in folded
        ]
        ends = {"/".join(way[at:]) for way in ways for at in range(1, len(way))}
        self._ends = sorted(one for one in ends if not self._pattern.search(one))
        """Ends of paths that are memory or not by the folder in front."""
        # Not ":memory:", which is what SQLite calls a database without a file.
        self._in_word = re.compile(
            rf"{name}|(?:^-\w|^|[^\w.-])(?<!:)(?:{folder})(?:$|[^\w.-])"
            rf"|:(?:{folder})(?:$|[^\w.:-])"
        )

    def holds(self, path: str, cwd: str) -> bool:
        """Tell whether ``path``, as written or through links, is a memory file."""
        if "\0" in path or len(path) > _LONGEST:
            return True  # no path at all: nothing can be said
        for spelling in _spellings(path):
            whole = os.path.join(cwd, spelling)  # noqa: PTH118
            # A shell's `cd` takes ".." off the text, the system off what a link points to.
            real = os.path.realpath(whole)
            if self._matches(os.path.normpath(whole)) or self._matches(real):
                return True
            if any(same_file(real, known) for known in self._known(real)):
                return True
        return False

    def names(self, whole: str) -> bool:
        """Tell whether an absolute path matches as it is written, links and second names apart."""
        return self._matches(whole)

    def light(self, folder: str) -> tuple[bool, ...]:
        """Return which patterns a folder's path has begun to match.

        Below two paths for which that is the same, the same files are memory.
        """
        return tuple(self._matches(f"{folder}/{end}") for end in self._ends)

    def may_hold(self, pattern: str, cwd: str, *, more: bool = False) -> bool:
        """The same for a word that a shell would still expand: any way that leads to one counts.

        Where the folder exists in which the wildcards begin, its files decide, unless there may
        be ``more`` of them by then.
        """
        if self.holds(pattern, cwd):
            return True
        if not set(pattern) & WILD:
            return False
        parts = [
            _loosened(part) if part.strip("*?") else ""
            for part in _folded(self._within(pattern)).split("/")
            if part not in {"", "."}
        ]
        plain = pattern[: next(at for at, one in enumerate(pattern) if one in WILD)]
        if more or not os.path.isdir(os.path.join(cwd, plain.rpartition("/")[0])):  # noqa: PTH112, PTH118
            named = any(fnmatch.fnmatchcase(name, parts[-1]) for name in self._names)
            if named or any(_runs_through(parts, folder) for folder in self._folders):
                return True
        try:
            found = matches(_loosened(pattern), cwd)
            return any(self.holds(one, cwd) or self.contains(one, cwd) for one in found)
        except Exhausted:
            return True

    def contains(self, path: str, cwd: str) -> bool:
        """Tell whether a path is a folder whose files are memory."""
        return self.holds(f"{path}/x", cwd)

    def mentions(self, text: str) -> bool:
        """Tell whether code or prose names a memory file, or a memory folder in a path."""
        folded = _folded(text)
        return any(
            self._in_text.search(one)
            for one in (folded, re.sub(r"[\\'\"]", "", folded), _JOINED.sub("", folded))
        )

    def in_parts(self, text: str) -> bool:
        """Tell whether a file's name stands in a text without its ending, and the ending, too."""
        return bool(self._stems.search(text) and self._endings.search(text))

    def mentioned_in(self, word: str) -> bool:
        """The same for an argument, in which the folder's name alone is a path, too."""
        return self._in_word.search(_folded(word)) is not None or self.mentions(word)

    def _matches(self, path: str) -> bool:
        return self._pattern.search(_folded(self._within(path))) is not None

    def _within(self, path: str) -> str:
        """Return what counts of an absolute path or pattern."""
        return _within(path, self._roots)

    def _known(self, real: str) -> Iterator[str]:
        """Yield memory files that exist, for a file that has a second name (a hard link)."""
        try:
            if os.stat(real).st_nlink < 2 or not os.path.isfile(real):  # noqa: PTH113, PTH116
                return
        except OSError:
            return
        for folder in {*self._roots, os.path.dirname(real)}:  # noqa: PTH120
            try:
                found = list(matches("**/*", folder))
            except Exhausted:
                yield real  # too many to compare: it may be one
                return
            yield from (
                whole
                for one in found
                if self._matches(whole := os.path.join(folder, one))  # noqa: PTH118
            )


class Folders:
    """Folders that match any of ``globs``, from the start of any component, as they are spelled.

    What is left out by them is not looked at. So another case or Unicode form is another folder,
    which it is on most file systems.
    """

    def __init__(self, globs: Sequence[str], root: Path) -> None:
        self._roots = _roots(root)
        names = "|".join(_regex(glob.strip("/")) for glob in globs)
        self._pattern = re.compile(rf"(?:^|/)(?:{names})\Z", re.DOTALL)

    def names(self, whole: str) -> bool:
        """Tell whether an absolute path is one of them."""
        return self._pattern.search(_within(whole, self._roots)) is not None


def _roots(root: Path) -> set[str]:
    return {f"{one}/" for one in (root.absolute(), root.resolve())}


def _within(path: str, roots: set[str]) -> str:
    root = next((one for one in roots if f"{path}/".startswith(one)), "")
    return path[len(root) :]


def _spellings(path: str) -> Iterator[str]:
    """Yield a path as written and as what different programs take it for."""
    found = {path, path.replace("\\", "/")}
    for one in list(found):
        if uri := _URI.match(one):
            found |= {one[uri.end() :], unquote(one[uri.end() :])}
        found.add(unquote(one))
        found.add(os.path.expanduser(one))  # noqa: PTH111 (a "~" that is no user stays as it is)
    return (one for one in found if "\0" not in one)


def _folded(text: str) -> str:
    """Fold case and Unicode forms, what is invisible, and ends that some systems ignore."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    if not folded.isascii():
        folded = "".join(one for one in folded if unicodedata.category(one) != "Cf")
    return _FOLDED_TAIL.sub("", folded)


def _loosened(pattern: str) -> str:
    """Return a wider pattern of "*" and "?" alone: brackets and extended groups are not read."""
    wide = re.sub(r"\[[!^]?\]?(?:\[[:.=][^\[\]]*\]|[^\[\]])*+\]", "?", pattern)
    return re.sub(r"[?*+@!]\([^()]*\)", "*", wide).replace("[", "*")


def _last(glob: str) -> str:
    return glob.rpartition("/")[2]


def _runs_through(parts: Sequence[str], folder: Sequence[str]) -> bool:
    """Tell whether ``folder``'s components can stand in a row in a pattern's."""
    return any(
        all(map(fnmatch.fnmatchcase, folder, parts[at:]))
        for at in range(len(parts) - len(folder) + 1)
    )


def _regex(glob: str) -> str:
    """Translate a glob in which ``*`` stays within a component and ``**`` does not."""
    parts = re.split(r"(\*\*/?|\*|\?)", glob)
    known = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return "".join(known.get(part, re.escape(part)) for part in parts)
