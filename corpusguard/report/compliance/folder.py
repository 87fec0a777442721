"""A site on disk: file by file, each whole or not at all, never over what is not ours."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Final

from corpusguard.errors import ConfigError, StorageError
from corpusguard.report.files import write_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from corpusguard.report.compliance.site import File

_MARK: Final = ".corpusguard-site"
"""Says that a folder is a site of ours and may be written to again."""
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
        ConfigError: It is a file, holds what is not ours, or its parent is not there.
    """
    if not folder.resolve().parent.is_dir():
        raise ConfigError(
            f"the folder {folder.resolve().parent} of --site does not exist",
            hint=f"mkdir -p {folder.resolve().parent}",
        )
    if folder.exists() and not folder.is_dir():
        raise ConfigError(f"--site {folder} is a file", hint="name a folder")
    if folder.is_dir() and not (folder / _MARK).is_file() and any(folder.iterdir()):
        raise ConfigError(
            f"--site {folder} holds files that are not of a site of runs",
            hint="name a new folder: pages there would be overwritten",
        )


def write_site(folder: Path, files: Iterable[File]) -> Site:
    """Write the files of a site, and its marks.

    Raises:
        StorageError: A file or folder cannot be made; what was there is still there.
    """
    number = written = 0
    for name, data in chain(((_MARK, b""), (_NO_JEKYLL, b"")), files):
        path = folder.joinpath(*name.split("/"))
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
