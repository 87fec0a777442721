"""The ledger of sealed runs: JSON lines, each naming the SHA-256 of the one before.

Three kinds of entry: ``register`` (a preregistration), ``begin`` (a sealed run, written before its
first item, so that a run that was stopped counts) and ``end`` (its verdicts' digest). A changed
or removed line breaks the chain; lines cut off at the end do not, which is why published results
carry the number and the head that they had.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from corpusguard.errors import ConfigError, EvidenceMissing
from corpusguard.evidence.canonical import canonical, sha256_hex

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corpusguard.evidence.canonical import Value

ATTEMPTS: Final = 2
"""Sealed runs that a design has."""
GENESIS: Final = "0" * 64
MAX_BYTES: Final = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Ledger:
    """A ledger that was checked from its first line."""

    entries: tuple[Mapping[str, Any], ...] = ()
    head: str = GENESIS
    """SHA-256, in hex, of the last line."""

    def attempts(self, fixture: str, sealed: str, design: str, subject: str) -> int:
        """Return how many sealed runs a design has begun on a fixture, whatever its version.

        Another name for the same subject is the same design, and another name for a fixture with
        the same sealed half (``sealed`` is its digest) is the same fixture.
        """
        return sum(
            entry["entry"] == "begin"
            and (entry["fixture"] == fixture or entry.get("sealed") == sealed)
            and (entry["design"] == design or entry["subject"] == subject)
            for entry in self.entries
        )

    def registered(self, preregistration: str) -> Mapping[str, Any] | None:
        """Return the entry of a preregistration by its digest, or None."""
        return next(
            (
                entry
                for entry in self.entries
                if entry["entry"] == "register" and entry["preregistration"] == preregistration
            ),
            None,
        )

    def line(self, entry: str, moment: str, **facts: Value) -> bytes:
        """Return the next line, with its line end."""
        return (
            canonical(
                {
                    "number": len(self.entries) + 1,
                    "previous": self.head,
                    "entry": entry,
                    "at": moment,
                    **facts,
                }
            )
            + b"\n"
        )

    def begin(self, moment: str, facts: Mapping[str, Value]) -> bytes:
        """Return the line that begins a sealed run.

        Raises:
            ConfigError: The design has used its attempts.
        """
        design = str(facts["design"])
        fixture, sealed = str(facts["fixture"]), str(facts["sealed"])
        used = self.attempts(fixture, sealed, design, str(facts["subject"]))
        if used >= ATTEMPTS:
            raise ConfigError(
                f"the design {design!r} has had its {ATTEMPTS} sealed runs on {facts['fixture']}",
                hint="a third would be tuning on the sealed half; work on --half dev, or build "
                "a fixture with another sealed half",
            )
        return self.line("begin", moment, attempt=used + 1, **facts)


_NEEDED: Final[Mapping[str, frozenset[str]]] = {
    "register": frozenset({"preregistration", "design", "subject", "fixture", "fixture_digest"}),
    "begin": frozenset({"preregistration", "design", "subject", "fixture", "attempt"}),
    "end": frozenset({"begin", "verdicts"}),
}


def load_ledger(data: bytes, where: str) -> Ledger:
    """Read a ledger and check its chain; no bytes are an empty ledger.

    Raises:
        EvidenceMissing: A line is not what was written, or one is missing before the end.
    """
    if len(data) > MAX_BYTES:
        raise EvidenceMissing(f"the ledger {where} is larger than {MAX_BYTES} bytes")
    entries: list[Mapping[str, Any]] = []
    head = GENESIS
    lines = data.split(b"\n")
    if lines.pop() != b"":
        raise _broken(where, len(lines) + 1, "does not end with its line")
    for number, line in enumerate(lines, 1):
        try:
            entry = json.loads(line)
            same = canonical(entry) == line
        except (ValueError, RecursionError) as error:
            raise _broken(where, number, "is not canonical JSON") from error
        if not same or not isinstance(entry, dict):
            raise _broken(where, number, "is not canonical JSON")
        if entry.get("number") != number or entry.get("previous") != head:
            raise _broken(where, number, "does not follow from the line before")
        if not entry.keys() >= _NEEDED.get(str(entry.get("entry")), frozenset({"no such entry"})):
            raise _broken(where, number, "is of no known kind")
        entries.append(entry)
        head = sha256_hex(line)
    return Ledger(tuple(entries), head)


def _broken(where: str, number: int, what: str) -> EvidenceMissing:
    return EvidenceMissing(
        f"the ledger {where} was changed: line {number} {what}",
        hint="restore it from version control; it is only ever appended to",
    )
