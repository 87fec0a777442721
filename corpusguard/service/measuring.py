"""Measuring a gate: preregistration, runs, results, and working them out anew.

Needs no configuration and no history: a fixture, a subject and a folder are enough.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from corpusguard.errors import ConfigError, EvidenceMissing
from corpusguard.measure.gate import page
from corpusguard.measure.gate.fixture import Half, load_fixture
from corpusguard.measure.gate.ledger import Ledger, load_ledger
from corpusguard.measure.gate.prereg import Preregistration, load_preregistration
from corpusguard.measure.gate.run import differences, dump_results, results, run
from corpusguard.measure.gate.subjects import subject_digest
from corpusguard.measure.gate.verdicts import Decision, dump_verdicts, load_verdicts
from corpusguard.report.files import check_target, write_bytes, write_file
from corpusguard.service.gate_files import (
    append,
    ledger_at,
    locked,
    make_folder,
    now,
    read,
    sealing_key,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from corpusguard.evidence.canonical import Value
    from corpusguard.measure.gate.fixture import Fixture
    from corpusguard.measure.gate.subjects import Subject

VERDICTS, RESULTS, MARKDOWN, PAGE = "verdicts.jsonl", "results.json", "results.md", "results.html"


def digests(fixture: Path, subject: Subject) -> tuple[str, str]:
    """Return the digests of fixture and subject, as a preregistration names them."""
    found = load_fixture(read(fixture), str(fixture))
    return found.digest, subject_digest(subject.facts)


def register(
    path: Path, ledger: Path, fixture: Path, subject: Subject
) -> tuple[Preregistration, Ledger]:
    """Enter a preregistration in the ledger.

    Raises:
        ConfigError: It is none, is there already, or names another fixture or subject than these.
        EvidenceMissing: The ledger was changed.
    """
    data = read(path)
    promised = load_preregistration(data, str(path))
    found = load_fixture(read(fixture), str(fixture))
    _check_promise(promised, found, subject)
    with locked(ledger):
        before = ledger_at(ledger)
        if before.registered(promised.digest):
            raise ConfigError(f"{path} is in the ledger already", hint="run it")
        line = before.line(
            "register",
            now(),
            preregistration=promised.digest,
            design=promised.design,
            subject=promised.subject,
            fixture=found.name,
            fixture_digest=found.digest,
        )
        return promised, append(ledger, line)


def _check_promise(promised: Preregistration, fixture: Fixture, subject: Subject) -> None:
    for what, said, there in (
        ("fixture", promised.fixture, fixture.digest),
        ("subject", promised.subject, subject_digest(subject.facts)),
    ):
        if said != there:
            raise ConfigError(
                f"the preregistration names the {what} {said[:20]}, this one is {there}",
                hint="register what is going to be run; a change is a new preregistration",
            )


@dataclass(frozen=True, slots=True)
class Order:
    """A run that is asked for."""

    fixture: Path
    half: Half
    output: Path
    """A folder that is not there yet."""
    preregistration: Path | None = None
    ledger: Path | None = None
    key_file: Path | None = None


def measure(
    order: Order, subject: Subject, progress: Callable[[str, int, int], None] | None = None
) -> dict[str, Any]:
    """Run a subject over a half; write verdicts, results and pages; return the results.

    Raises:
        ConfigError: The fixture, key or preregistration is wrong or missing, or the design has
            used its attempts.
        EvidenceMissing: The ledger or the sealed half was changed.
        StorageError: A file cannot be written; a sealed run counts all the same.
    """
    if order.output.exists():
        raise ConfigError(
            f"{order.output} is there already", hint="results are kept; name another folder"
        )
    check_target(order.output, folder=True)
    sealed = order.half is Half.SEALED
    if not sealed and (order.preregistration or order.ledger):
        raise ConfigError(
            "--preregistration and --ledger belong to a sealed run",
            hint="--half sealed; the dev half is run as often as you like",
        )
    fixture = load_fixture(read(order.fixture), str(order.fixture))
    key = sealing_key(order.key_file) if sealed else ""
    items = fixture.items(order.half, key)
    digest = subject_digest(subject.facts)
    header: dict[str, Value] = {
        "fixture": fixture.name,
        "fixture_version": fixture.version,
        "fixture_digest": fixture.digest,
        "half": str(order.half),
        "half_digest": fixture.half_digest(order.half),
        "subject": dict(subject.facts),
        "subject_digest": digest,
        "tool": version("corpusguard-law"),
        "started": now(),
    }
    if sealed:
        header |= _begin(order, fixture, subject)
    make_folder(order.output)
    decisions: dict[str, Decision] = run(subject, items, progress)
    data = dump_verdicts(header, items, decisions)
    verdicts = load_verdicts(data, VERDICTS)
    found = results(verdicts)
    write_bytes(order.output / VERDICTS, data)
    if sealed and order.ledger:
        with locked(order.ledger):
            before = ledger_at(order.ledger)
            begun: Value = header["ledger_entry"]
            line = before.line("end", now(), begin=begun, verdicts=verdicts.digest)
            append(order.ledger, line)
    write_file(order.output / RESULTS, dump_results(found))
    write_file(order.output / MARKDOWN, page.markdown_page(found))
    write_file(order.output / PAGE, page.html_page(found))
    return found


def _begin(order: Order, fixture: Fixture, subject: Subject) -> dict[str, Value]:
    """Check the promise and write the line that makes the run count, before its first item."""
    if order.preregistration is None or order.ledger is None:
        raise ConfigError(
            "a sealed run needs --preregistration and --ledger",
            hint="docs/measuring-the-gate.md: write the bars down, register them, then run",
        )
    data = read(order.preregistration)
    promised = load_preregistration(data, str(order.preregistration))
    _check_promise(promised, fixture, subject)
    with locked(order.ledger):
        before = ledger_at(order.ledger)
        if before.registered(promised.digest) is None:
            raise ConfigError(
                f"{order.preregistration} is not in the ledger {order.ledger}",
                hint="`corpusguard measure gate ledger register` enters it, before the run",
            )
        facts: dict[str, Value] = {
            "preregistration": promised.digest,
            "design": promised.design,
            "subject": promised.subject,
            "fixture": fixture.name,
            "sealed": fixture.sealed_digest,
        }
        after = append(order.ledger, before.begin(now(), facts))
    entry = after.entries[-1]
    return {
        "design": promised.design,
        "attempt": entry["attempt"],
        "preregistration": data.decode(),
        "preregistration_digest": promised.digest,
        "ledger_entry": entry["number"],
        "ledger_head": after.head,
    }


def recompute(
    verdicts: Path, published: Path | None, fixture: Path | None, ledger: Path | None
) -> tuple[dict[str, Any], list[str]]:
    """Work out every figure from verdicts anew.

    Args:
        verdicts: what was published item by item.
        published: the results to compare with; None: the file beside the verdicts.
        fixture: where given, its kinds, labels and pairs must be those of the verdicts.
        ledger: where given, a sealed run must have begun and ended in it as the verdicts say.

    Returns:
        The results, and the figures that differ from those published: none, where all is well.

    Raises:
        EvidenceMissing: Verdicts, ledger or fixture were changed.
    """
    found = load_verdicts(read(verdicts), str(verdicts))
    if fixture is not None:
        known = load_fixture(read(fixture), str(fixture))
        half = Half(found.header["half"])
        whole = found.header.get("fixture_digest") == known.digest
        if not whole or found.answers != known.half_answers(half):
            raise EvidenceMissing(
                f"{verdicts} does not belong to {fixture}: kinds, labels or pairs differ",
                hint="take both from the commit that published them",
            )
    if ledger is not None and found.header.get("half") == Half.SEALED:
        _check_in_ledger(found.header, found.digest, ledger_at(ledger), ledger)
    computed = _plain(dump_results(results(found)))
    beside = published or verdicts.with_name(RESULTS)
    return computed, differences(_plain(read(beside)), computed)


def _check_in_ledger(header: Mapping[str, Any], digest: str, ledger: Ledger, path: Path) -> None:
    number = header.get("ledger_entry")
    begun = any(
        entry["entry"] == "begin"
        and entry["number"] == number
        and entry["preregistration"] == header.get("preregistration_digest")
        for entry in ledger.entries
    )
    ended = any(
        entry["entry"] == "end" and entry["begin"] == number and entry["verdicts"] == digest
        for entry in ledger.entries
    )
    if not (begun and ended):
        raise EvidenceMissing(
            f"the ledger {path} knows no sealed run with these verdicts",
            hint="take ledger and verdicts from the commit that published them",
        )


def _plain(text: str | bytes) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise EvidenceMissing("the published results are not JSON", hint="restore them") from error
    return found if isinstance(found, dict) else {}


def read_ledger(path: Path) -> Ledger:
    """Return a ledger whose chain holds.

    Raises:
        ConfigError: There is none.
        EvidenceMissing: It was changed.
    """
    return load_ledger(read(path), str(path))
