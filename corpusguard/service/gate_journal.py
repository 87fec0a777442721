"""The outcomes of a run as they come, on disk: a run that is stopped goes on where it was.

Canonical JSON, a line each: the header of the verdicts, then item, decision and calls. A last line
that was cut, as by a power failure, is dropped, and its item decided again. With the verdicts
written, the file is removed. While a run lasts, it holds the file locked.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
from dataclasses import replace
from typing import IO, TYPE_CHECKING, Any, Final, Self

from corpusguard.errors import EvidenceMissing, LockHeld, StorageError
from corpusguard.evidence.canonical import canonical
from corpusguard.measure.gate.outcomes import Decision, Outcome, read_call
from corpusguard.measure.gate.verdicts import MAX_BYTES

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from corpusguard.evidence.canonical import Value

JOURNAL: Final = "unfinished.jsonl"
_CODE: Final = re.compile(r"[a-z_]{0,40}", re.ASCII)


class Journal:
    """Keeps outcomes in a file that is open while the run lasts."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.header: Mapping[str, Any] | None = None
        """Of the run that is taken up again; None: this one is new."""
        self.outcomes: dict[str, Outcome] = {}
        """Item id -> its last outcome; the reasons of errors only of this process."""
        self._stream: IO[bytes] | None = None

    def __enter__(self) -> Self:
        """Open the file, and read what an earlier process has left in it.

        Raises:
            LockHeld: Another process is at this run.
            EvidenceMissing: The file is not what was written.
            StorageError: It cannot be opened.
        """
        try:
            self._stream = self.path.open("a+b")
            fcntl.flock(self._stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            self._close()
            raise LockHeld(
                f"another process writes to {self.path.parent}",
                hint="wait until it has ended, or name another folder",
            ) from error
        except OSError as error:
            self._close()
            raise StorageError(
                f"cannot open {self.path}: {error.strerror or error}", hint="name another folder"
            ) from error
        try:
            self._read(self._stream)
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(self, *_exception: object) -> None:
        """Close the file; it stays, unless it was removed."""
        self._close()

    @property
    def done(self) -> Mapping[str, Outcome]:
        """Outcomes that stand: all, but an error of a judge is asked about once more."""
        judged = self.header is not None and "judge" in self.header
        return {
            item: one
            for item, one in self.outcomes.items()
            if not (judged and one.decision is Decision.ERROR)
        }

    def begin(self, header: Mapping[str, Value]) -> None:
        """Write the header of a new run."""
        self._write(dict(header))
        self.header = header

    def add(self, item: str, outcome: Outcome) -> None:
        """Write an outcome.

        Raises:
            StorageError: It could not be written.
        """
        before = self.outcomes.get(item)
        if before is not None:
            outcome = replace(outcome, tries=before.tries + 1)
        self.outcomes[item] = outcome
        self._write(
            {
                "id": item,
                "decision": str(outcome.decision),
                "calls": [call.record() for call in outcome.calls],
                "tries": outcome.tries,
                "code": outcome.code,
            }
        )

    def remove(self) -> None:
        """Remove the file: what it held stands in the verdicts."""
        self.path.unlink(missing_ok=True)

    def _write(self, record: dict[str, Value]) -> None:
        if self._stream is None:
            raise RuntimeError("the journal is not open")
        try:
            self._stream.write(canonical(record) + b"\n")
            self._stream.flush()
        except OSError as error:
            raise StorageError(
                f"could not write {self.path}: {error.strerror or error}",
                hint="free some space and run the same command again: it goes on where it stopped",
            ) from error

    def _read(self, stream: IO[bytes]) -> None:
        stream.seek(0)
        data = stream.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise _changed(self.path, "it is too large")
        lines = data.split(b"\n")
        if lines.pop() != b"":  # cut while it was written
            os.ftruncate(stream.fileno(), data.rfind(b"\n") + 1)
        for number, line in enumerate(lines, 1):
            try:
                record = json.loads(line)
                if number == 1:
                    self.header = {**record}
                    continue
                self.outcomes[str(record["id"])] = _outcome(record)
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                raise _changed(self.path, f"line {number} is not what was written") from error

    def _close(self) -> None:
        stream, self._stream = self._stream, None
        if stream is not None:
            stream.close()


def _outcome(record: Mapping[str, Any]) -> Outcome:
    """Read an outcome, and hold it to what verdicts may say: else none could be published."""
    decision, tries = Decision(record["decision"]), record["tries"]
    calls = tuple(read_call(call) for call in record["calls"])
    if type(tries) is not int or tries < 1:
        raise ValueError("tries is no number of tries")
    if any(call.fault for call in calls) and decision is not Decision.ERROR:
        raise ValueError("a call without a verdict is no decision")
    code = record.get("code", "")
    if not isinstance(code, str) or not _CODE.fullmatch(code):
        raise ValueError("code is no reason's code")
    return Outcome(decision, calls, code=code, tries=tries)


def _changed(path: Path, what: str) -> EvidenceMissing:
    return EvidenceMissing(
        f"the unfinished run {path} cannot be taken up again: {what}",
        hint="name another folder; a sealed run has used its attempt",
    )
