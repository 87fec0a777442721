"""The evidence of runs: check it, prove from it, and put its head where history cannot reach it."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from corpusguard import timestamp
from corpusguard.errors import ConfigError, HistoryBroken, StorageError
from corpusguard.evidence import parse_head
from corpusguard.history import Audit, Break, History
from corpusguard.locking import RunLock
from corpusguard.report.files import write_bytes, write_file
from corpusguard.service.opening import has_history, open_history
from corpusguard.service.outputs import check_output

if TYPE_CHECKING:
    from pathlib import Path

    from corpusguard.config import Config
    from corpusguard.history import RunRecord
    from corpusguard.service.attestations import Signing
    from corpusguard.snapshots import SnapshotStore

_NOT_YET: Final = "`corpusguard verify` writes the first record"
_GIT_SECONDS: Final = 60


@dataclass(frozen=True, slots=True)
class Verified:
    """What `history verify` found."""

    breaks: tuple[Break, ...]
    """The first break first; empty: all holds."""
    records: int
    """Runs with a record."""
    head: str
    """The newest record's head, computed again; empty where there is none."""
    run: int
    """The run that it belongs to, 0 where there is none."""
    evidence: int
    """Snapshots and capture records that were read and hashed."""
    unsealed: tuple[int, ...]
    """Runs that died and that the next one will seal."""
    decisions: int = 0
    """Decisions of the gate whose hash was computed again."""
    matched: int = 0
    """The run whose head was asked for; 0 where none was, or where it is not in the chain."""
    hint: str = ""
    """The next step, where the file itself is what is wrong."""

    @property
    def empty(self) -> bool:
        """Whether nothing was there to check, which is no pass."""
        return not self.records and not self.breaks


def publish_head(config: Config, head: str) -> None:
    """Write the head to the configured file, if any: the old one or the whole new one is there.

    Raises:
        StorageError: It cannot be written.
    """
    if config.head_file is not None:
        write_file(config.head_file, f"{head}\n")


@dataclass(frozen=True, slots=True)
class Listed:
    """A run, as `history list` shows it."""

    record: RunRecord
    head: str
    """Of the chain after the run, as stored; empty while it runs, and where it is not sealed."""


class Evidence:
    """What the commands `history …` call."""

    def __init__(self, config: Config, store: SnapshotStore) -> None:
        self._config = config
        self._store = store

    def verify(self, head: str = "") -> Verified:
        """Check the whole history, and that ``head`` is in its chain.

        A history that cannot be opened is a break, not an error: the caller reports both alike.

        Args:
            head: A head that was kept elsewhere, or empty.

        Raises:
            ConfigError: ``head`` is none.
            LockHeld: A run is under way; its rows would be taken for another's.
        """
        wanted = _head(head) if head else ""
        path = self._config.history
        try:
            there = has_history(self._config)
        except HistoryBroken as error:
            return _unopened(error)
        if not there:
            breaks = (_absent(wanted, "there is no history"),) if wanted else ()
            return Verified(breaks, 0, "", 0, 0, ())
        with RunLock(path.with_name(path.name + ".lock")):
            try:
                with open_history(self._config) as history:
                    audit = history.verify_all(self._store)
            except HistoryBroken as error:
                return _unopened(error)
        return _verified(audit, wanted)

    def runs(self, limit: int) -> list[Listed]:
        """Return the newest runs of any state, newest first.

        Raises:
            ConfigError: There is no history yet.
        """
        with self._history() as history:
            found = history.runs(limit)
            heads = history.heads(found[-1].run) if found else {}
        return [Listed(one, heads.get(one.run, "")) for one in found]

    def head(self) -> tuple[str, int]:
        """Return the newest head, as stored, and its run.

        Raises:
            ConfigError: No run has ended yet.
        """
        with self._history() as history:
            found = history.head()
        if found is None:
            raise ConfigError("no run has ended yet, so there is no head", hint=_NOT_YET)
        return found

    def prove(
        self, run: int, document: str, passage: str, *, corpus: str = "", occurrence: int = 0
    ) -> dict[str, Any]:
        """Return the inclusion proof of one passage in one run; see ``History.proof``."""
        with self._history() as history:
            return history.proof(run, document, passage, corpus=corpus, occurrence=occurrence)

    def attest(self, run: int, signing: Signing, target: Path) -> None:
        """Sign what a run found, and write the attestation to ``target``, whole or not at all.

        Raises:
            ConfigError: There is no such run.
            StorageError: It cannot be written.
        """
        with self._history() as history:
            record = history.record(run)
        signing.write(record, target)

    def tag(self, name: str) -> tuple[str, int]:
        """Put the head into an annotated tag of the git repository around the configuration.

        Raises:
            ConfigError: git refuses: no repository, no such name, or the tag is there already.
        """
        head, run = self.head()
        _git(self._config.root, name, f"corpusguard head {head} (run {run})")
        return head, run

    def stamp(self, url: str, target: Path, roots: Path) -> tuple[str, int]:
        """Have the head stamped by an authority, and write its token to ``target``.

        Args:
            url: Address of the authority.
            target: Where the token goes; an older one is replaced.
            roots: PEM file of the certificates that the authority's chain must lead to.

        Raises:
            ConfigError: An address or a file is wrong, or the extra is not installed.
            StorageError: No usable token came, or it cannot be written.
        """
        check_output(self._config, target, "--token", inputs=[roots])
        with self._history() as history:
            found = history.head()
            record = history.record(found[1]) if found else b""
        if found is None:
            raise ConfigError("no run has ended yet, so there is no head", hint=_NOT_YET)
        write_bytes(target, timestamp.stamp(url, record, _small(roots)))
        return found

    def stamped(self, token: Path, roots: Path) -> timestamp.Stamp:
        """Return which head a token stamps, and when.

        Raises:
            ConfigError: A file cannot be read, or the extra is not installed.
            HistoryBroken: The token proves nothing.
        """
        return timestamp.read(_small(token), _small(roots))

    def _history(self) -> History:
        if not has_history(self._config):
            raise ConfigError(f"there is no history at {self._config.history}", hint=_NOT_YET)
        return open_history(self._config)


def _unopened(error: HistoryBroken) -> Verified:
    return Verified((Break(0, "file", error.message),), 0, "", 0, 0, (), hint=error.hint)


def _verified(audit: Audit, wanted: str) -> Verified:
    run, head = audit.heads[-1] if audit.heads else (0, "")
    matched = next((number for number, found in audit.heads if found == wanted), 0)
    breaks = audit.breaks
    if wanted and not matched:
        breaks = (*breaks, _absent(wanted, f"the chain has {len(audit.heads)} records"))
    return Verified(
        breaks=breaks,
        records=len(audit.heads),
        head=head,
        run=run,
        evidence=audit.snapshots,
        unsealed=audit.unsealed,
        decisions=audit.decisions,
        matched=matched,
    )


def _small(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            return stream.read(timestamp.MAX_TOKEN_BYTES)
    except OSError as error:
        raise ConfigError(
            f"cannot read {path}: {error.strerror}", hint="check the name of the file"
        ) from error


def _absent(head: str, why: str) -> Break:
    what = f"{head} is not in the chain ({why}): its end was cut off, or it is another history"
    return Break(0, "chain", what)


def _head(text: str) -> str:
    try:
        return parse_head(text)
    except ValueError as error:
        raise ConfigError(
            str(error), hint="a head is `sha256:` and 64 hex digits, as `history head` prints it"
        ) from error


def _git(folder: Path, tag: str, message: str) -> None:
    # "--" ends the options: a tag that begins with a dash must not become one.
    command = ["git", "-C", str(folder), "tag", "--annotate", "--message", message, "--", tag]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_GIT_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise StorageError(
            f"could not run git: {error}", hint="install git, or keep the head in another place"
        ) from error
    if done.returncode != 0:
        said = done.stderr.strip().splitlines()
        raise ConfigError(
            f"git did not make the tag {tag!r}: {said[-1] if said else done.returncode}",
            hint="name a tag that is not there yet, in a repository that holds the configuration",
        )
