"""Where a command may write: never over a file of the project, nor over what it did not make."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, BinaryIO, Final

from corpusguard.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from corpusguard.config import Config

_BESIDE: Final = ("-wal", "-shm", "-journal", ".lock", ".lock.holder", ".holder", ".pub")
"""What SQLite, the run lock and ``keys new`` put beside a file, by the ends of its name. To put
something else there is to lose rows that are not in the main file yet, or to stop the next run.

Source: https://www.sqlite.org/tempfiles.html, 2.1 to 2.3.
"""
_MOST: Final = 64 * 2**20
"""Bytes of a target that are looked at: more than any attestation or line of a list has."""
_LINE: Final = frozenset({"corpus", "document", "id", "occurrence", "section", "digest"})


def spare(
    config: Config,
    target: Path,
    option: str,
    inputs: Iterable[Path] = (),
    *,
    earlier: Callable[[BinaryIO], bool] | None,
) -> None:
    """Refuse a target that would destroy something.

    Args:
        config: The project, whose files and what lies beside them are never written over.
        target: Where the answer is to go.
        option: What named it, for messages.
        inputs: Files that the same command reads.
        earlier: Tells whether what is there is an earlier answer of the kind. An empty file may be
            replaced too. None: the caller reads it before it replaces it.

    Raises:
        ConfigError: It is a file of the project, or holds something else than an earlier answer.
    """
    place = target.resolve()
    for path in [*_kept(config), *inputs]:
        own = path.resolve()
        beside = {own.with_name(own.name + end) for end in ("", *_BESIDE)}
        if place in beside or own in place.parents or _same(place, beside):
            raise ConfigError(f"{option} {target} would overwrite {path}", hint="name another file")
    try:
        if earlier is None or not os.path.lexists(place):
            return
        with place.open("rb") as stream:
            ours = not os.fstat(stream.fileno()).st_size or earlier(stream)
    except OSError as error:
        raise ConfigError(
            f"{option} {target} cannot be looked at before it is replaced: "
            f"{error.strerror or error}",
            hint="name another file",
        ) from error
    if not ours:
        raise ConfigError(
            f"{option} {target} would overwrite a file that this command did not write",
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


def _kept(config: Config) -> Iterator[Path]:
    """Yield every file and folder that the configuration names, and itself."""
    yield from (config.root / corpus.path for corpus in config.corpora if corpus.path)
    yield from (config.root / source.path for source in config.sources)
    yield from (config.history, config.snapshots, config.file)
    yield from (config.root / config.ignore_file, config.root / config.baseline_file)
    if config.head_file is not None:
        yield config.head_file
    if config.metrics is not None:
        yield config.metrics.path


def _same(place: Path, others: Iterable[Path]) -> bool:
    """Tell whether a place is one of others under another name, such as a hard link."""
    try:
        return any(place.samefile(other) for other in others if other.exists())
    except OSError:
        return False
