"""Files of a gate's measurement: read with a limit, replaced whole, the ledger under its lock."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from corpusguard.errors import ConfigError, StorageError
from corpusguard.locking import RunLock
from corpusguard.measure.gate.fixture import MAX_BYTES
from corpusguard.measure.gate.ledger import Ledger, load_ledger
from corpusguard.measure.gate.sealing import KEY_VARIABLE
from corpusguard.report.files import write_bytes


def sealing_key(key_file: Path | None) -> str:
    """Return the key of the sealed half, from the file or from the environment.

    Raises:
        ConfigError: There is none.
    """
    if key_file is not None:
        return key_in(key_file)
    key = os.environ.get(KEY_VARIABLE, "").strip()
    if not key:
        raise ConfigError(
            "the sealed half needs its key",
            hint=f"set {KEY_VARIABLE}, or name a file with --key-file; it is in no repository",
        )
    return key


def key_in(path: Path) -> str:
    """Return the key that a file holds."""
    return read(path, most=1024).decode("ascii", "replace").strip()


def read(path: Path, most: int = MAX_BYTES) -> bytes:
    """Return the bytes of a file.

    Raises:
        ConfigError: It cannot be read, or holds more than ``most`` bytes.
    """
    try:
        with path.open("rb") as stream:
            data = stream.read(most + 1)
    except OSError as error:
        raise ConfigError(
            f"cannot read {path}: {error.strerror or error}", hint="name a file that is there"
        ) from error
    if len(data) > most:
        raise ConfigError(f"{path} is larger than {most} bytes", hint="name the right file")
    return data


def ledger_at(path: Path) -> Ledger:
    """Return the ledger at a path; an empty one where there is none yet.

    Raises:
        EvidenceMissing: It was changed.
    """
    return load_ledger(read(path) if path.exists() else b"", str(path))


def append(path: Path, line: bytes) -> Ledger:
    """Add a line to a ledger whose lock is held, and return the ledger."""
    data = (read(path) if path.exists() else b"") + line
    write_bytes(path, data)
    return load_ledger(data, str(path))


def locked(path: Path) -> RunLock:
    """Return the lock of a file that is about to be changed."""
    return RunLock(path.with_name(path.name + ".lock"))


def now() -> str:
    """Return the moment, in UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def write_private(path: Path, data: bytes) -> None:
    """Write what only the builder of a fixture may read: sealed sentences, or their key.

    Raises:
        StorageError: It cannot be written; what was at ``path`` is still there.
    """
    target = path.resolve()
    temporary = ""
    try:
        # mkstemp makes a file that nobody else can open, from its first moment.
        descriptor, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        Path(temporary).replace(target)
    except OSError as error:
        with suppress(OSError):
            Path(temporary).unlink(missing_ok=True)
        raise StorageError(
            f"could not write {path}: {error.strerror or error}",
            hint="Free some space or choose another place; nothing there was changed.",
        ) from error


def make_folder(path: Path) -> None:
    """Make a folder, and those above it.

    Raises:
        StorageError: It cannot be made.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(
            f"cannot make the folder {path}: {error.strerror or error}", hint="name another"
        ) from error
