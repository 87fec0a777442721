"""Verdicts, item by item, without text: what is published of a run, and what figures come from.

JSON lines. The first is the header (fixture, half, subject, design, attempt), the last a seal: the
number of items, and the SHA-256 of all bytes before it. Where the header names a judge, each line
has its calls: digests, tokens and faults, and no word of question or reply.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from corpusguard.errors import EvidenceMissing
from corpusguard.evidence.canonical import canonical, sha256_hex
from corpusguard.measure.gate.fixture import answer, answers_digest
from corpusguard.measure.gate.items import MAX_ITEMS, Kind, Label, Origin, Tier
from corpusguard.measure.gate.outcomes import CODE, Call, Decision, read_call

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corpusguard.evidence.canonical import Value
    from corpusguard.measure.gate.items import Item
    from corpusguard.measure.gate.outcomes import Outcome

SCHEMA: Final = "corpusguard/gate-verdicts/1"
MAX_BYTES: Final = 64 * 1024 * 1024
_DECIDED: Final = frozenset({"decision", "calls", "tries", "reason"})
"""What a run adds to an item."""


@dataclass(frozen=True, slots=True)
class Row:
    """The verdict on one item."""

    id: str
    family: str
    section: str
    klass: str
    """Kind or tier."""
    origin: str
    label: str
    pair: str
    split: bool
    set_aside: bool
    decision: str
    """Empty where the item is set aside: it was not run."""
    calls: tuple[Call, ...] = ()
    """Questions to a judge; none where the gate decided without one."""
    tries: int = 1
    reason: str = ""
    """Why it does not ship, in the gate's word; empty where a subject gives none."""

    @property
    def unsupported(self) -> bool:
        """Whether a gate should have stopped it."""
        return self.label == Label.UNSUPPORTED


@dataclass(frozen=True, slots=True)
class Verdicts:
    """A verdicts file that was checked against its own seal."""

    header: Mapping[str, Any]
    rows: tuple[Row, ...]
    answers: str
    """SHA-256, in hex, of the rows without decisions: equal to the fixture's ``answers``."""
    digest: str
    """SHA-256, in hex, of the file."""


def dump_verdicts(
    header: Mapping[str, Value], items: Sequence[Item], outcomes: Mapping[str, Outcome]
) -> bytes:
    """Return a verdicts file; an item without outcome must be one that is set aside."""
    lines = [canonical({"schema": SCHEMA, **header})]
    for item in sorted(items, key=lambda one: one.id):
        line: dict[str, Value] = {**answer(item), "decision": ""}
        if not item.contested:
            outcome = outcomes[item.id]
            line["decision"] = str(outcome.decision)
            if outcome.code:
                line["reason"] = outcome.code
            if "judge" in header:
                line["calls"] = [call.record() for call in outcome.calls]
                line["tries"] = outcome.tries
        lines.append(canonical(line))
    body = b"".join(line + b"\n" for line in lines)
    return body + canonical({"items": len(items), "sha256": sha256_hex(body)}) + b"\n"


def load_verdicts(data: bytes, where: str) -> Verdicts:
    """Read what :func:`dump_verdicts` wrote.

    Raises:
        EvidenceMissing: It is not, or not any more.
    """
    if len(data) > MAX_BYTES:
        raise EvidenceMissing(f"{where} is larger than {MAX_BYTES} bytes")
    lines = data.split(b"\n")
    if len(lines) < 4 or len(lines) > MAX_ITEMS + 3 or lines.pop() != b"":
        raise EvidenceMissing(
            f"{where} is no verdicts file, or was cut off",
            hint="name the verdicts.jsonl of a run, or restore it as it was published",
        )
    try:
        records = [json.loads(line) for line in lines]
        header, *found, seal = records
        if any(not isinstance(record, dict) for record in records):
            raise _changed(where, "a line is no object")
        body = data[: len(data) - len(lines[-1]) - 1]
        if seal != {"items": len(found), "sha256": sha256_hex(body)}:
            raise _changed(where, "its seal does not fit")
        if header.get("schema") != SCHEMA:
            raise _changed(where, f"it is not a {SCHEMA}")
        rows = tuple(_row(record) for record in found)
        plain = [{k: v for k, v in record.items() if k not in _DECIDED} for record in found]
        answers = answers_digest(plain)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise _changed(where, f"a line is not what was written ({error})") from error
    if len({row.id for row in rows}) != len(rows):
        raise _changed(where, "an item has two verdicts")
    return Verdicts(header, rows, answers, sha256_hex(data))


def _row(record: Mapping[str, Any]) -> Row:
    kind, tier = record["kind"], record["tier"]
    klass = Kind(kind) if kind else Tier(tier)
    label = Label(record["label"])
    aside = record["set_aside"] is True
    decision = record["decision"]
    calls = tuple(read_call(one) for one in record.get("calls", ()))
    tries = record.get("tries", 1)
    if type(tries) is not int or tries < 1:
        raise ValueError(f"{record['id']}: tries is not what it should be")
    reason = record.get("reason", "")
    if not isinstance(reason, str) or not CODE.fullmatch(reason):
        raise ValueError(f"{record['id']}: its reason is no word of a gate")
    if any(call.fault for call in calls) and decision != Decision.ERROR:
        raise ValueError(f"{record['id']}: a call without a verdict is no decision")
    if not aside:
        decision = Decision(decision)
        if (label is Label.UNSUPPORTED) is not isinstance(klass, Kind):
            raise ValueError(f"{record['id']}: the label does not fit")
    return Row(
        id=str(record["id"]),
        family=str(record["family"]),
        section=str(record["section"]),
        klass=str(klass),
        origin=str(Origin(record["origin"])),
        label=str(label),
        pair=str(record["pair"]),
        split=record["split"] is True,
        set_aside=aside,
        decision="" if aside else str(decision),
        calls=calls,
        tries=tries,
        reason=reason,
    )


def _changed(where: str, what: str) -> EvidenceMissing:
    return EvidenceMissing(
        f"the verdicts {where} were changed: {what}", hint="restore the file that was published"
    )
