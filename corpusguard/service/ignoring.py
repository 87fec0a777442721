"""Ignores and the baseline: what the commands `findings ignore`, `ignores …`, `baseline …` call.

A person takes findings out of the exit code here; `corpusguard.ignores` says what that does. Every
change holds the lock of the history, so that no run reads a list while it is replaced.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Final

from corpusguard.config.ignores import (
    check_days,
    checked_words,
    ignores_from,
    load_baseline,
    load_lists,
    read,
)
from corpusguard.config.table import Table
from corpusguard.errors import ConfigError, StorageError
from corpusguard.evidence import head_of
from corpusguard.history import History, RunState
from corpusguard.ignores import (
    Baseline,
    Entry,
    Ignore,
    IgnoreFile,
    append_ignore,
    baseline_text,
    dropped,
    entry_of,
    problem,
    why_not,
    without,
)
from corpusguard.ignores.text import HEADER
from corpusguard.locking import RunLock
from corpusguard.model import Severity
from corpusguard.report.files import write_file
from corpusguard.service.newest import newest
from corpusguard.service.opening import has_history, open_history
from corpusguard.service.scope import looked_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from corpusguard.config import Config
    from corpusguard.ignores import Looked
    from corpusguard.model import DocumentResult, Finding

MIN_PREFIX: Final = 4
"""Hex digits of a fingerprint that name a finding at least: fewer are a slip of the hand."""
_TAKEN: Final = frozenset({Severity.ERROR, Severity.WARNING})
_VERIFY_FIRST: Final = "`corpusguard verify` finds what could be ignored"


@dataclass(frozen=True, slots=True)
class Listed:
    """One ignore, and how it stands against the newest results."""

    ignore: Ignore
    applies: bool
    dead: bool
    """It does not apply, and never will again; neither: no run has looked for it yet."""
    why: str = ""
    """Why it is dead."""


@dataclass(frozen=True, slots=True)
class KnownEntry:
    """One entry of the baseline, and how it stands against the newest results."""

    entry: Entry
    why: str
    """Why it is to go; empty: it still applies, or was not looked for."""


@dataclass(frozen=True, slots=True)
class Created:
    """A baseline that was made."""

    baseline: Baseline
    left_out: tuple[tuple[Finding, str], ...]
    """Findings that it can not hold, each with why."""


class Ignoring:
    """The lists of one configuration.

    Args:
        config: The configuration.
        lock: The lock that runs hold.
    """

    def __init__(self, config: Config, lock: Path) -> None:
        self._config = config
        self._lock = lock

    # Ignores

    def ignore(
        self, prefix: str, reason: str, owner: str, expires: date | None = None
    ) -> tuple[Ignore, bool]:
        """Add an ignore of a finding that is there now; renew it where there is one.

        Args:
            prefix: Fingerprint of the finding, or its beginning.
            reason: Why it may stand, for a person who reads it in a year.
            owner: Who answers for that.
            expires: Last day on which it applies; default: the latest that is allowed.

        Returns:
            The entry, and whether it took the place of an older one.

        Raises:
            ConfigError: No such finding, one that can never be ignored, or a wrong text or day.
            StorageError: The file cannot be written; it is as it was.
        """
        config, path = self._config, self._config.ignore_file
        today = _today()
        written = today.isoformat()
        last = (expires or today + timedelta(days=config.ignore_days)).isoformat()
        given = Table({}, path, "the new entry")
        checked_words(given, reason, owner)
        check_days(given, written, last, config.ignore_days)
        with RunLock(self._lock):
            corpus, finding = self._present(prefix)
            refusal = why_not(finding)
            if refusal:
                raise ConfigError(
                    f"{finding.rule} {finding.fingerprint} can never be ignored: {refusal}",
                    hint=f"`corpusguard explain {finding.rule}` says what to do about it",
                )
            entry = entry_of(finding, corpus)
            ignore = Ignore(entry, reason.strip(), owner.strip(), written, last)
            text, known = self._ignore_text()
            others = [one for one in known if one.entry.fingerprint != entry.fingerprint]
            again = [number for number, one in enumerate(known) if one not in others]
            self._write(append_ignore(without(text, again), ignore), [*others, ignore])
        return ignore, bool(again)

    def ignores(self) -> list[Listed]:
        """Return all ignores, and how each stands against the newest results."""
        known = load_lists(self._config).ignores.ignores
        looked = self._looked()
        return [_listed(one, looked) for one in known]

    def prune(self, *, write: bool) -> list[Listed]:
        """Take out the ignores that do not apply any more; return them.

        A file in which nothing is left is removed; one with comments of its own stays.
        One that no run has looked for since it was written stays.

        Args:
            write: False: only say which.

        Raises:
            ConfigError: The file holds something that cannot be edited by a program.
            StorageError: It cannot be written; it is as it was.
        """
        with RunLock(self._lock):
            text, known = self._ignore_text()
            looked = self._looked()
            listed = [_listed(one, looked) for one in known]
            doomed = [number for number, one in enumerate(listed) if one.dead]
            if doomed and write:
                kept = [one for number, one in enumerate(known) if number not in doomed]
                rest = without(text, doomed)
                # What people wrote above the first entry is theirs; our own heading is not.
                bare = not kept and rest.strip() in {"", HEADER.strip()}
                self._write("" if bare else rest, kept)
        return [listed[number] for number in doomed]

    # The baseline

    def create_baseline(self, run: int | None = None) -> Created:
        """Make the baseline of what a run found.

        Args:
            run: Number of a finished run; default: the newest.

        Raises:
            ConfigError: There is a baseline already, no such run, or nothing to put into one.
            StorageError: The file cannot be written.
        """
        path = self._config.baseline_file
        with RunLock(self._lock):
            if path.exists() or path.is_symlink():
                raise ConfigError(
                    f"{path} is there already",
                    hint="`corpusguard baseline update` takes out what is resolved; to accept "
                    "more, move the file away and let the new one be reviewed",
                )
            with self._history() as history:
                record = history.run(run) if run is not None else history.last_run()
                if record is None or record.state is not RunState.FINISHED:
                    which = "no run has" if run is None else f"there is no run {run} that has"
                    raise ConfigError(f"{which} finished", hint=_VERIFY_FIRST)
                results = history.document_results(record.run)
                head = head_of(history.record(record.run))
            looked = looked_of(
                self._config, {(one.corpus, one.result.id): one.result for one in results}
            )
            ignored = {
                one.entry.fingerprint
                for one in load_lists(self._config).ignores.ignores
                if problem(one, looked, _today()) is None
            }
            entries: list[Entry] = []
            left_out: list[tuple[Finding, str]] = []
            for one in results:
                for finding in one.result.findings:
                    refusal = why_not(finding)
                    if finding.severity not in _TAKEN or finding.fingerprint in ignored:
                        continue
                    if refusal:
                        left_out.append((finding, refusal))
                    else:
                        entries.append(entry_of(finding, one.corpus))
            if not entries:
                raise ConfigError(
                    f"run {record.run} found nothing that a baseline could hold",
                    hint="there is nothing to be known of before: no baseline is needed",
                )
            baseline = Baseline(record.run, head, record.finished, tuple(entries))
            _write_list(path, baseline_text(baseline))
        return Created(baseline, tuple(left_out))

    def baseline(self) -> list[KnownEntry]:
        """Return the entries of the baseline, and how each stands against the newest results.

        Raises:
            ConfigError: There is no baseline.
        """
        baseline = self._required()
        gone = dict(self._gone(baseline))
        return [KnownEntry(entry, gone.get(entry, "")) for entry in baseline.entries]

    def update_baseline(self, *, write: bool) -> tuple[list[KnownEntry], int]:
        """Take out what is resolved or has moved; never add. A file with nothing left is removed.

        Args:
            write: False: only say which.

        Returns:
            What went, and how many entries are left.

        Raises:
            ConfigError: There is no baseline.
            StorageError: The file cannot be written; it is as it was.
        """
        with RunLock(self._lock):
            baseline = self._required()
            gone = self._gone(baseline)
            out = {entry.fingerprint for entry, _ in gone}
            kept = tuple(one for one in baseline.entries if one.fingerprint not in out)
            if write and (gone or not kept):
                text = baseline_text(replace(baseline, entries=kept)) if kept else ""
                _write_list(self._config.baseline_file, text)
        return [KnownEntry(entry, why) for entry, why in gone], len(kept)

    # Inside

    def _required(self) -> Baseline:
        baseline = load_baseline(self._config.baseline_file)
        if not baseline.digest:
            raise ConfigError(
                f"there is no baseline at {self._config.baseline_file}",
                hint="`corpusguard baseline create` makes one of the newest run",
            )
        return baseline

    def _gone(self, baseline: Baseline) -> list[tuple[Entry, str]]:
        looked = self._looked()
        return dropped(baseline, looked)

    def _present(self, prefix: str) -> tuple[str, Finding]:
        """Return the corpus and the finding that ``prefix`` names, of what is there now."""
        wanted = prefix.strip().lower()
        found = {
            finding.fingerprint: (corpus, finding)
            for (corpus, _), result in self._looked(required=True).results.items()
            for finding in result.findings
            if len(wanted) >= MIN_PREFIX and finding.fingerprint.startswith(wanted)
        }
        if len(found) != 1:
            how_many = "no finding" if not found else f"{len(found)} findings"
            raise ConfigError(
                f"{how_many} of the newest results begins with {prefix[:80]!r}",
                hint=f"give at least {MIN_PREFIX} digits of a fingerprint that `corpusguard "
                "findings list` prints",
            )
        return next(iter(found.values()))

    def _looked(self, *, required: bool = False) -> Looked:
        """What is known of now; nothing, where no run has ended yet and none is required."""
        results: Mapping[tuple[str, str], DocumentResult] = {}
        if required or has_history(self._config):
            with self._history() as history:
                found = newest(self._config, history).results
            known = looked_of(self._config, {})
            results = {
                (corpus, document): stored.result
                for (corpus, document), stored in found.items()
                if corpus in known.corpora and document in known.documents
            }
        return looked_of(self._config, results)

    def _history(self) -> History:
        if not has_history(self._config):
            raise ConfigError(
                f"there is no history at {self._config.history} yet", hint=_VERIFY_FIRST
            )
        return open_history(self._config)

    def _ignore_text(self) -> tuple[str, tuple[Ignore, ...]]:
        path = self._config.ignore_file
        data = read(path)
        known = ignores_from(path, data, self._config.ignore_days).ignores
        return (data or b"").decode("utf-8-sig"), known

    def _write(self, text: str, expected: list[Ignore]) -> None:
        """Replace the ignores, if the new text says what it should and nothing else."""
        path = self._config.ignore_file
        if "\r\n" in text:
            text = text.replace("\r\n", "\n").replace("\n", "\r\n")
        found: IgnoreFile | None
        try:
            found = ignores_from(path, text.encode("utf-8"), self._config.ignore_days)
        except ConfigError:
            found = None
        if found is None or list(found.ignores) != expected:
            raise ConfigError(
                f"{path} is written in a way that cannot be edited without harm",
                hint="write each entry as a table of its own, [[ignore]], or edit the file by hand",
            )
        _write_list(path, text)


def _listed(ignore: Ignore, looked: Looked) -> Listed:
    found = problem(ignore, looked, _today())
    applies = found is None and ignore.entry.fingerprint in looked.found
    # One that seems to be of the future stays on the list: it may be this clock that is wrong.
    dead = found is not None and date.fromisoformat(ignore.written) <= _today() + timedelta(days=1)
    return Listed(ignore, applies, dead, found[1] if found else "")


def _today() -> date:
    return datetime.now(UTC).date()


def _write_list(path: Path, text: str) -> None:
    """Put the text of a list at ``path``; no text removes the file."""
    hint = "free some space or check permissions; the list is as it was"
    try:
        if text:
            write_file(path, text)
        else:
            path.resolve().unlink()  # through a link, as write_file writes
    except StorageError as error:
        raise StorageError(error.message, hint=hint) from error
    except OSError as error:
        raise StorageError(
            f"could not remove {path}: {error.strerror or error}", hint=hint
        ) from error
