"""Attestations and keys on disk, and the number of the run that was seen last."""

from __future__ import annotations

import json
import os
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from corpusguard import attest
from corpusguard.attest import Reason, Refusal
from corpusguard.errors import ConfigError, StorageError
from corpusguard.report.files import write_bytes, write_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from corpusguard.attest import Claim

_MAX_KEY_BYTES: Final = 65_536
_MAX_SEEN_BYTES: Final = 65_536
SEEN_SCHEMA: Final = "corpusguard/seen/1"


class Signing:
    """A private key, read and checked before a run begins, so that none is made in vain.

    Args:
        key: File with an Ed25519 private key (PEM, PKCS #8) that its owner alone can read.

    Raises:
        ConfigError: It cannot be read, others can read it, it is no such key, or the extra
            ``attest`` is not installed.
    """

    def __init__(self, key: Path) -> None:
        self._signer = attest.load_private(_private(key), str(key))

    @property
    def keyid(self) -> str:
        """Return the id of the key."""
        return str(self._signer.public_key.keyid)

    def write(self, record: bytes, target: Path) -> None:
        """Sign a run's record and put the attestation at ``target``, whole or not at all.

        Raises:
            StorageError: It cannot be written.
        """
        write_bytes(target, attest.sign(attest.statement(record), self._signer))


def new_keys(path: Path) -> str:
    """Write a new pair: the private key at ``path`` (mode 0600), the public at ``path`` + .pub.

    Returns:
        The id of the key.

    Raises:
        ConfigError: One of the files is there already, or the extra is not installed.
        StorageError: They cannot be written; neither is left behind.
    """
    private, public, keyid = attest.new_pair()
    beside = path.with_name(path.name + ".pub")
    if os.path.lexists(beside):
        raise ConfigError(f"{beside} is there already", hint="name another file; keys are kept")
    try:
        # The mode is set as the file is made: at no moment can another read the key.
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as error:
        raise ConfigError(
            f"{path} is there already", hint="name another file; keys are kept"
        ) from error
    except OSError as error:
        raise StorageError(
            f"could not write {path}: {error.strerror or error}", hint="name another folder"
        ) from error
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(private)
            stream.flush()
            os.fsync(stream.fileno())
        write_bytes(beside, public)
    except BaseException as error:
        path.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise StorageError(
                f"could not write {path}: {error.strerror or error}", hint="free some space"
            ) from error
        raise
    return keyid


def read_attestation(path: Path, keys: Sequence[Path]) -> tuple[Claim, tuple[str, ...]]:
    """Return what an attestation claims, and the ids of the keys that signed it.

    Args:
        path: The file.
        keys: Files with the public keys of the allowed signers.

    Raises:
        ConfigError: A file cannot be read, no key is given, or one is none.
        Refused: The attestation proves nothing; the refusal says why.
    """
    if not keys:
        raise ConfigError(
            "an attestation is checked against the keys of its allowed signers",
            hint="name the file of a public key with --key; may be given several times",
        )
    allowed = [attest.load_public(_read(key, _MAX_KEY_BYTES), str(key)) for key in keys]
    payload, signers = attest.unwrap(_read(path, attest.MAX_BYTES + 1), allowed)
    return attest.read_statement(payload), signers


@dataclass(frozen=True, slots=True)
class Seen:
    """The last attested run that let this corpus through, remembered between checks."""

    run: int = 0
    head: str = ""

    def against(self, claim: Claim) -> Iterator[Refusal]:
        """Yield whether a run is older than the one remembered, or of another history."""
        if claim.run < self.run:
            yield Refusal(
                Reason.OLDER_RUN,
                f"the attestation is of run {claim.run}; run {self.run} was seen before",
                "take the newest attestation; an older one may hide what was found since",
            )
        elif claim.run == self.run and claim.head != self.head:
            yield Refusal(
                Reason.OTHER_HISTORY,
                f"another run {claim.run} was seen before, with head {self.head}",
                "if the history was begun anew, remove the file of --seen by hand",
            )


def read_seen(path: Path) -> Seen:
    """Return what is remembered; nothing where the file is not there yet.

    Raises:
        ConfigError: It cannot be read, or is not such a file: what was seen is then unknown.
    """
    if not os.path.lexists(path):
        return Seen()
    hint = "restore it, or remove it by hand to begin anew"
    try:
        value: Any = json.loads(_read(path, _MAX_SEEN_BYTES))
        schema, run, head = value["schema"], value["run"], value["head"]
    except (ValueError, TypeError, LookupError, RecursionError) as error:
        raise ConfigError(
            f"{path} does not say what was seen: {error!r:.100}", hint=hint
        ) from error
    sound = schema == SEEN_SCHEMA and type(run) is int and run > 0 and isinstance(head, str)
    if not sound:
        raise ConfigError(f"{path} does not say what was seen", hint=hint)
    return Seen(run, head)


def write_seen(path: Path, claim: Claim) -> None:
    """Remember a run, whole or not at all.

    Raises:
        StorageError: It cannot be written; what was remembered still is.
    """
    value = {"schema": SEEN_SCHEMA, "run": claim.run, "head": claim.head}
    write_file(path, json.dumps(value) + "\n")


def _private(path: Path) -> bytes:
    """Return a private key file, unless others may read it, as ssh does it."""
    try:
        if path.exists() and not path.is_file():
            raise ConfigError(
                f"{path} is not a regular file", hint="put the key into a file of mode 0600"
            )
        with path.open("rb") as stream:
            # Of the open file, not of the name: what is checked is what is read.
            mode = os.fstat(stream.fileno()).st_mode
            data = stream.read(_MAX_KEY_BYTES)
    except FileNotFoundError as error:
        raise ConfigError(
            f"there is no key {path}",
            hint=f"check its name, or make it: `corpusguard keys new {path}`",
        ) from error
    except OSError as error:
        raise ConfigError(
            f"cannot read {path}: {error.strerror or error}", hint="check the name of the file"
        ) from error
    if os.name == "posix" and stat.S_IMODE(mode) & 0o077:
        raise ConfigError(
            f"others can read or change the private key {path} (mode {stat.S_IMODE(mode):04o})",
            hint=f"chmod 600 {path}; if it was ever shared, make a new pair",
        )
    return data


def _read(path: Path, most: int) -> bytes:
    """Return at most ``most`` bytes of a regular file."""
    try:
        if path.exists() and not path.is_file():
            raise ConfigError(f"{path} is not a regular file", hint="check the name of the file")
        with path.open("rb") as stream:
            return stream.read(most)
    except OSError as error:
        raise ConfigError(
            f"cannot read {path}: {error.strerror or error}", hint="check the name of the file"
        ) from error
