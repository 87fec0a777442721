"""A site on disk: file by file, each whole or not at all, never over what is not ours."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Final

from corpusguard.errors import ConfigError, StorageError
from corpusguard.report.files import check_target, write_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from corpusguard.report.compliance.site import File

_MARK: Final = ".corpusguard-site"
_MARK_TEXT: Final = b"corpusguard/site/1\nWritten by `corpusguard report --site`, and again.\n"
"""Name and content of the file which says that a folder is a site of ours, to be written again. A
file of that name alone says nothing: anybody's `touch` would give their pages away."""
_NO_JEKYLL: Final = ".nojekyll"
"""GitHub Pages serves a folder that holds it as it is."""


@dataclass(frozen=True, slots=True)
class Site:
    """What writing a site did."""

    files: int
    written: int
    """Those that were not there yet, or were different."""


def check_site(folder: Path) -> None:
    """Refuse a folder that a site must not be written to.

    Raises:
        ConfigError: It is a file, holds what is not ours or leads elsewhere, or its parent is not
            there.
    """
    check_target(folder, folder=True, option="--site")
    try:
        if not folder.is_dir() or not any(folder.iterdir()):
            return
        ours = _is_marked(folder)
        linked = next((path for path in _below(folder) if path.is_symlink()), None)
    except OSError as error:
        raise ConfigError(
            f"--site {folder} cannot be looked into: {error.strerror or error}",
            hint="name a new folder",
        ) from error
    if not ours:
        raise ConfigError(
            f"--site {folder} holds files that are not of a site of runs",
            hint="name a new folder: pages there would be overwritten",
        )
    if linked is not None:
        raise _leads_away(linked)


def _is_marked(folder: Path) -> bool:
    mark = folder / _MARK
    if mark.is_symlink() or not mark.is_file():
        return False
    with mark.open("rb") as stream:
        return stream.read(len(_MARK_TEXT) + 1) == _MARK_TEXT


def _below(folder: Path) -> Iterator[Path]:
    """Yield all that is in ``folder``; links are not followed."""
    for path in folder.iterdir():
        yield path
        if path.is_dir() and not path.is_symlink():
            yield from _below(path)


def _leads_away(link: Path) -> ConfigError:
    return ConfigError(
        f"{link} is a link: pages would be written through it, out of the folder of --site",
        hint="remove the link, or name a new folder",
    )


def _link_on_the_way(folder: Path, name: str) -> Path | None:
    way = folder
    for part in name.split("/"):
        way = way / part
        if way.is_symlink():
            return way
    return None


def write_site(folder: Path, files: Iterable[File]) -> Site:
    """Write the files of a site, and its marks.

    Raises:
        ConfigError: Since the folder was checked, a link came to stand where a page goes.
        StorageError: A file or folder cannot be made; what was there is still there.
    """
    number = written = 0
    for name, data in chain(((_MARK, _MARK_TEXT), (_NO_JEKYLL, b"")), files):
        path = folder.joinpath(*name.split("/"))
        link = _link_on_the_way(folder, name)
        if link is not None:
            raise _leads_away(link)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            equal = path.is_file() and path.read_bytes() == data
        except OSError as error:
            raise StorageError(
                f"could not write {path}: {error.strerror or error}",
                hint="free some space or choose another --site; nothing there was removed",
            ) from error
        number += 1
        if not equal:
            write_bytes(path, data)
            written += 1
    return Site(number, written)
