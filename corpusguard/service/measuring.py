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
from corpusguard.measure.gate.outcomes import Decision
from corpusguard.measure.gate.prereg import load_preregistration
from corpusguard.measure.gate.run import SCHEMA as RESULTS_SCHEMA
from corpusguard.measure.gate.run import differences, dump_results, results, run
from corpusguard.measure.gate.subjects import JudgedSubject, subject_digest
from corpusguard.measure.gate.verdicts import dump_verdicts, load_verdicts
from corpusguard.report.files import check_target, write_bytes, write_file
from corpusguard.service import gate_sealed as sealed_runs
from corpusguard.service.gate_files import (
    append,
    ledger_at,
    locked,
    make_folder,
    now,
    read,
    sealing_key,
)
from corpusguard.service.gate_journal import JOURNAL, Journal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from corpusguard.evidence.canonical import Value
    from corpusguard.measure.gate.items import Item
    from corpusguard.measure.gate.outcomes import Outcome
    from corpusguard.measure.gate.prereg import Preregistration
    from corpusguard.measure.gate.subjects import AnySubject

VERDICTS, RESULTS, MARKDOWN, PAGE = "verdicts.jsonl", "results.json", "results.md", "results.html"


def digests(fixture: Path, subject: AnySubject) -> tuple[str, str]:
    """Return the digests of fixture and subject, as a preregistration names them."""
    found = load_fixture(read(fixture), str(fixture))
    return found.digest, subject_digest(subject.facts)


def register(
    path: Path, ledger: Path, fixture: Path, subject: AnySubject
) -> tuple[Preregistration, Ledger]:
    """Enter a preregistration in the ledger.

    Raises:
        ConfigError: It is none, is there already, or names another fixture or subject than these.
        EvidenceMissing: The ledger was changed.
    """
    data = read(path)
    promised = load_preregistration(data, str(path))
    found = load_fixture(read(fixture), str(fixture))
    sealed_runs.check_promise(promised, found, subject)
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


@dataclass(frozen=True, slots=True)
class Measured:
    """A run that has ended."""

    results: dict[str, Any]
    errors: tuple[Outcome, ...]
    """Those of this process: their reasons are for whoever runs it, and are not published."""


def measure(
    order: Order,
    subject: AnySubject,
    progress: Callable[[str, int, int], None] | None = None,
) -> Measured:
    """Run a subject over a half; write verdicts, results and pages.

    Outcomes are kept as they come. Where the folder holds a run of the same subject on the same
    half that was stopped, it goes on.

    Raises:
        ConfigError: The fixture, key or preregistration is wrong or missing, the design has
            used its attempts, or the folder holds another run.
        EvidenceMissing: The ledger, the sealed half or the unfinished run was changed.
        LockHeld: Another process is at this run.
        NothingMeasured: The judge does not answer.
        StorageError: A file cannot be written; a sealed run counts all the same.
    """
    unfinished = order.output / JOURNAL
    going_on = unfinished.is_file()
    if order.output.exists() and not going_on:
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
    header: dict[str, Value] = {
        "fixture": fixture.name,
        "fixture_version": fixture.version,
        "fixture_digest": fixture.digest,
        "half": str(order.half),
        "half_digest": fixture.half_digest(order.half),
        "subject": dict(subject.facts),
        "subject_digest": subject_digest(subject.facts),
        "tool": version("corpusguard-law"),
        "started": now(),
    }
    if isinstance(subject, JudgedSubject):
        header["judge"] = dict(subject.judge)
    if sealed and not going_on:
        header |= sealed_runs.begin(order.preregistration, order.ledger, fixture, subject)
    make_folder(order.output)
    with Journal(unfinished) as journal:
        if journal.header is None:
            if sealed and going_on:
                raise ConfigError(
                    f"{unfinished} does not say which run it is of",
                    hint="name another folder; the attempt that began it stays used",
                )
            journal.begin(header)
        else:
            _check_same(order, header, journal.header)
            header = dict(journal.header)
        missing = sum(not one.contested and one.id not in journal.outcomes for one in items)
        if not _has_ended(order, header, missing):
            run(subject, items, journal, progress)
        found = _publish(order, header, items, journal.outcomes)
        journal.remove()
    errors = [one for one in journal.outcomes.values() if one.decision is Decision.ERROR]
    return Measured(found, tuple(one for one in errors if one.reason))


def _check_same(order: Order, asked: Mapping[str, Value], there: Mapping[str, Any]) -> None:
    """Refuse to go on with a run that was another one.

    Raises:
        ConfigError: Fixture, half, subject, version or promise is another, or what it says of
            itself is not what the ledger has.
    """
    said = dict(asked)
    other = []
    if order.half is Half.SEALED:
        promise, path = sealed_runs.both(order.preregistration, order.ledger)
        facts = sealed_runs.begun(there, ledger_at(path), read(promise).decode("utf-8", "replace"))
        if there.get("preregistration_digest") != load_preregistration(read(promise), "").digest:
            other.append("preregistration")
        elif facts is None or not facts.items() <= there.items():
            other.append("ledger")
        said |= facts or {}
    # Named in the order in which a person would look.
    for key in ("fixture_digest", "half", "half_digest", "subject_digest", "tool", *said):
        may_differ = key in {"started", "judge"} and key in there
        if not may_differ and said[key] != there.get(key):
            other.append(key)
    other += sorted(there.keys() - said.keys() - {"schema"}) if not other else []
    if other:
        raise ConfigError(
            f"{order.output} holds an unfinished run with another {other[0].replace('_', ' ')}",
            hint="go on with the command that began it, or name another folder",
        )


def _has_ended(order: Order, header: Mapping[str, Any], missing: int) -> bool:
    """Tell whether a sealed run that is taken up again has ended: then nothing is asked any more.

    Raises:
        ConfigError: It has, and not all of its outcomes are here.
    """
    if order.half is not Half.SEALED or order.ledger is None:
        return False
    number = header["ledger_entry"]
    if not sealed_runs.ended(ledger_at(order.ledger), number):
        return False
    if missing:
        raise sealed_runs.has_ended(order.ledger, number)
    return True


def _publish(
    order: Order,
    header: Mapping[str, Value],
    items: Sequence[Item],
    outcomes: Mapping[str, Outcome],
) -> dict[str, Any]:
    data = dump_verdicts(header, items, outcomes)
    verdicts = load_verdicts(data, VERDICTS)
    found = results(verdicts)
    if order.half is Half.SEALED and order.ledger:
        number: Value = header["ledger_entry"]
        if sealed_runs.ended(ledger_at(order.ledger), number) not in {"", verdicts.digest}:
            raise sealed_runs.has_ended(order.ledger, number)
        write_bytes(order.output / VERDICTS, data)
        sealed_runs.end(order.ledger, number, verdicts.digest)
    else:
        write_bytes(order.output / VERDICTS, data)
    write_file(order.output / RESULTS, dump_results(found))
    write_file(order.output / MARKDOWN, page.markdown_page(found))
    write_file(order.output / PAGE, page.html_page(found))
    return found


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
        sealed_runs.check_in_ledger(found.header, found.digest, read_ledger(ledger), ledger)
    computed = _plain(dump_results(results(found)))
    beside = published or verdicts.with_name(RESULTS)
    if published is None and not beside.is_file():
        raise ConfigError(
            f"there is no {RESULTS} beside {verdicts} to compare with",
            hint="name the published results with --results",
        )
    told = _plain(read(beside))
    if "wrong" not in told:  # results had no list of items before there was one
        computed.pop("wrong", None)
    return computed, differences(told, computed)


def _plain(text: str | bytes) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise EvidenceMissing(
            "the published results are not JSON",
            hint=f"restore {RESULTS}, or name it with --results",
        ) from error
    if not isinstance(found, dict) or found.get("schema") != RESULTS_SCHEMA:
        raise EvidenceMissing(
            "the published results are none of a gate's measurement",
            hint=f"name the {RESULTS} of a run with --results",
        )
    return found


def read_ledger(path: Path) -> Ledger:
    """Return a ledger whose chain holds.

    Raises:
        ConfigError: There is none.
        EvidenceMissing: It was changed.
    """
    return load_ledger(read(path), str(path))
