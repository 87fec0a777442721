"""Sealed runs: promised before they begin, entered in the ledger, and published once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corpusguard.errors import ConfigError, EvidenceMissing
from corpusguard.evidence.canonical import canonical, sha256_hex
from corpusguard.measure.gate.prereg import load_preregistration
from corpusguard.measure.gate.subjects import subject_digest
from corpusguard.service.gate_files import append, ledger_at, locked, now, read

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from corpusguard.evidence.canonical import Value
    from corpusguard.measure.gate.fixture import Fixture
    from corpusguard.measure.gate.ledger import Ledger
    from corpusguard.measure.gate.prereg import Preregistration
    from corpusguard.measure.gate.subjects import AnySubject


def check_promise(promised: Preregistration, fixture: Fixture, subject: AnySubject) -> None:
    """Refuse a preregistration of another fixture or subject.

    Raises:
        ConfigError: It is one.
    """
    for what, said, there in (
        ("fixture", promised.fixture, fixture.digest),
        ("subject", promised.subject, subject_digest(subject.facts)),
    ):
        if said != there:
            raise ConfigError(
                f"the preregistration names the {what} {said[:20]}, this one is {there}",
                hint="register what is going to be run; a change is a new preregistration",
            )


def begin(
    preregistration: Path | None, ledger: Path | None, fixture: Fixture, subject: AnySubject
) -> dict[str, Value]:
    """Check the promise and write the line that makes the run count, before its first item.

    Returns:
        What the header of its verdicts says of it.
    """
    file, path = both(preregistration, ledger)
    data = read(file)
    promised = load_preregistration(data, str(file))
    check_promise(promised, fixture, subject)
    with locked(path):
        before = ledger_at(path)
        if before.registered(promised.digest) is None:
            raise ConfigError(
                f"{file} is not in the ledger {path}",
                hint="`corpusguard measure gate ledger register` enters it, before the run",
            )
        facts: dict[str, Value] = {
            "preregistration": promised.digest,
            "design": promised.design,
            "subject": promised.subject,
            "fixture": fixture.name,
            "sealed": fixture.sealed_digest,
        }
        after = append(path, before.begin(now(), facts))
    return _facts(after.entries[-1], data.decode())


def both(preregistration: Path | None, ledger: Path | None) -> tuple[Path, Path]:
    """Return the two files that a sealed run needs.

    Raises:
        ConfigError: One of them is missing.
    """
    if preregistration is None or ledger is None:
        raise ConfigError(
            "a sealed run needs --preregistration and --ledger",
            hint="docs/measuring-the-gate.md: write the bars down, register them, then run",
        )
    return preregistration, ledger


def begun(header: Mapping[str, Any], ledger: Ledger, promise: str) -> dict[str, Value] | None:
    """Return what a header must say of the sealed run that it names; None: there is no such run.

    Args:
        header: Of verdicts, or of a run that was stopped.
        ledger: Where it must have begun.
        promise: The text of its preregistration.
    """
    number = header.get("ledger_entry")
    for entry in ledger.entries:
        if entry["entry"] == "begin" and entry["number"] == number:
            same = (
                entry["preregistration"] == sha256_hex(promise.encode())
                and entry["fixture"] == header.get("fixture")
                and entry["subject"] == header.get("subject_digest")
            )
            return _facts(entry, promise) if same else None
    return None


def _facts(entry: Mapping[str, Any], promise: str) -> dict[str, Value]:
    return {
        "design": entry["design"],
        "attempt": entry["attempt"],
        "preregistration": promise,
        "preregistration_digest": entry["preregistration"],
        "ledger_entry": entry["number"],
        "ledger_head": sha256_hex(canonical(dict(entry))),
    }


def ended(ledger: Ledger, number: object) -> str:
    """Return the digest of the verdicts that a sealed run ended with; empty: it has not ended."""
    ends = (one for one in ledger.entries if one["entry"] == "end" and one["begin"] == number)
    return next((str(one["verdicts"]) for one in ends), "")


def end(path: Path, number: Value, digest: str) -> None:
    """Enter the end of a sealed run, unless that is there already.

    Raises:
        ConfigError: It has ended, with other verdicts: an attempt has one result.
    """
    with locked(path):
        before = ledger_at(path)
        known = ended(before, number)
        if known and known != digest:
            raise has_ended(path, number)
        if not known:
            append(path, before.line("end", now(), begin=number, verdicts=digest))


def has_ended(path: Path, number: object) -> ConfigError:
    """Return the refusal of a second result."""
    return ConfigError(
        f"the sealed run of entry {number} in {path} has ended, with other verdicts than these",
        hint="an attempt has one result; what was published of it stands",
    )


def check_in_ledger(header: Mapping[str, Any], digest: str, ledger: Ledger, path: Path) -> None:
    """Hold published verdicts to the ledger.

    Raises:
        EvidenceMissing: It knows no such run, or one with other verdicts.
    """
    facts = begun(header, ledger, str(header.get("preregistration", "")))
    said = facts is not None and facts.items() <= header.items()
    if not said or ended(ledger, header.get("ledger_entry")) != digest:
        raise EvidenceMissing(
            f"the ledger {path} knows no sealed run with these verdicts",
            hint="take ledger and verdicts from the commit that published them",
        )
