"""Where a command may put its output: never over what the configuration names.

A report that replaces the history, a corpus or a source file destroys the very thing that it
reports on. Every command that writes to a place which the user names asks here, before any work.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import TYPE_CHECKING, BinaryIO, Final

from corpusguard.errors import ConfigError
from corpusguard.report.files import check_target, real

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from corpusguard.config import Config

_BESIDE: Final = (
    *(".lock", ".lock.holder", ".schedule.lock", ".schedule.lock.holder", ".told.json"),
    # A file of one of these names, whatever is in it, SQLite takes for a part of the database:
    # it would roll "back" a foreign journal. https://www.sqlite.org/tempfiles.html
    *("-journal", "-wal", "-shm"),
    # What `keys new` puts beside a private key.
    *(".holder", ".pub"),
)
"""What stands beside a file under its name: beside the history, a database of passages, a key."""
_MOST: Final = 64 * 2**20
"""Bytes of a target that are looked at: more than any attestation or line of a list has."""
_LINE: Final = frozenset(
    {
        *("corpus", "document", "id", "occurrence", "digest"),
        *("section", "subsection", "heading", "status", "ordinal"),
    }
)


def check_output(  # noqa: PLR0913 - what a command says of its output
    config: Config,
    target: Path,
    option: str = "--output",
    *,
    folder: bool = False,
    names: Iterable[str] = (),
    inputs: Iterable[Path] = (),
    earlier: Callable[[BinaryIO], bool] | None = None,
) -> None:
    """Refuse, before any work, a place where output could not be written, or would destroy.

    Args:
        config: Says what must stay: the history and what stands beside it, snapshots, the
            configuration itself, sources, schedules, ignores, baseline, corpora, head and metrics.
        target: A file, or a folder that may yet have to be made.
        option: What named it, for messages.
        folder: Whether ``target`` is to be a folder.
        names: The files that will be written into the folder.
        inputs: Further files that the command only reads.
        earlier: Tells whether what is there is an earlier answer of the kind, which alone may be
            replaced, as an empty file may. None: any file may be, or the caller looks itself.

    Raises:
        ConfigError: It is such a place; the message names what would be lost.
    """
    check_target(target, folder=folder, option=option)
    kept = [
        (beside, there)
        for path in (*_kept(config), *inputs)
        for beside in (path.with_name(path.name + end) for end in ("", *_BESIDE))
        for there in _where(beside)
    ]
    for place in [target / name for name in names] or [target]:
        if names:
            check_target(place, folder=False, option=option, parent=target.is_dir())
        for path, there in kept:
            _spare(place, real(place, option), path, there, option)
        if earlier is not None:
            _require_earlier(real(place, option), place, option, earlier)


def _spare(place: Path, resolved: Path, kept: Path, there: Path, option: str) -> None:
    try:
        same = resolved.samefile(there)  # other names of one file: hard links, letter case
    except OSError:  # one of them is not there
        same = False
    if same or resolved == there or there in resolved.parents:
        raise ConfigError(f"{option} {place} would overwrite {kept}", hint="name another place")


def _require_earlier(
    there: Path, place: Path, option: str, earlier: Callable[[BinaryIO], bool]
) -> None:
    try:
        if not os.path.lexists(there):
            return
        with there.open("rb") as stream:
            ours = not os.fstat(stream.fileno()).st_size or earlier(stream)
    except OSError as error:
        raise ConfigError(
            f"{option} {place} cannot be looked at before it is replaced: "
            f"{error.strerror or error}",
            hint="name another file",
        ) from error
    if not ours:
        raise ConfigError(
            f"{option} {place} would overwrite a file that this command did not write",
            hint="name another file, or remove this one by hand",
        )


def is_list(stream: BinaryIO) -> bool:
    """Tell by its first line whether a file is a list of passages."""
    value = _json(stream.readline(_MOST))
    return isinstance(value, dict) and value.keys() == _LINE


def is_envelope(stream: BinaryIO) -> bool:
    """Tell whether a file is an attestation."""
    value = _json(stream.read(_MOST))
    return isinstance(value, dict) and value.keys() == {"payload", "payloadType", "signatures"}


def _json(data: bytes) -> object:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def _where(path: Path) -> Iterator[Path]:
    """Yield where a kept path leads; nothing where it leads nowhere, as no output does then."""
    with suppress(ConfigError):
        yield real(path)


def _kept(config: Config) -> Iterator[Path]:
    """Yield every file and folder that the configuration names."""
    yield config.file
    yield config.history
    yield config.snapshots
    yield config.root / config.ignore_file
    yield config.root / config.baseline_file
    yield from config.schedule_files
    yield from (config.root / source.path for source in config.sources)
    yield from (config.root / corpus.path for corpus in config.corpora if corpus.path)
    if config.head_file is not None:
        yield config.head_file
    if config.metrics is not None:
        yield config.metrics.path
