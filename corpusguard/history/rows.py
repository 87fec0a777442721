"""Between rows and the words of the model: what every part of history needs to store or read."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from corpusguard.history.payload import unpack
from corpusguard.history.records import RunRecord, RunState, StoredResult
from corpusguard.model import Coverage, DocumentResult, Layer, Verdict

if TYPE_CHECKING:
    from corpusguard.history.payload import Packed, Unpacked

ALL_LAYERS: Final = frozenset(Layer)
"""What it takes to verify; a run of fewer layers says less."""

_DECIDED: Final = frozenset({Verdict.VERIFIED, Verdict.VIOLATED})


@dataclass(frozen=True, slots=True)
class Scope:
    """What one call to record is about."""

    run: int
    corpus: str
    document: str


def storable(text: str) -> str:
    r"""Return ``text`` as SQLite can hold it: lone surrogates as ``\udXXX``, NUL as ``\x00``."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8").replace("\x00", r"\x00")


def decided_layers(result: DocumentResult) -> frozenset[str]:
    """Return the layers that reached a verdict; none where the document as a whole has none."""
    if result.verdict not in _DECIDED:
        return frozenset()
    return frozenset(name for name, verdict in result.layers.items() if verdict in _DECIDED)


def ran_in_full(result: DocumentResult) -> bool:
    """Tell whether all three layers ran and each reached a verdict."""
    return decided_layers(result) == ALL_LAYERS == set(result.layers)


def result_row(
    scope: Scope, result: DocumentResult, key: str, packed: Packed, sealed: dict[str, Any]
) -> dict[str, Any]:
    """Return the row of ``results``; ``sealed`` is what only the run's record needs."""
    coverage = result.coverage
    return sealed | {
        "run": scope.run,
        "corpus": scope.corpus,
        "document": scope.document,
        "verdict": str(result.verdict),
        "layers": json.dumps({name: str(word) for name, word in sorted(result.layers.items())}),
        "snapshot": result.snapshot,
        "snapshots": json.dumps(result.snapshots),
        "consolidated_from": result.consolidated_from,
        "currency_date": result.currency_date,
        "captured": result.captured,
        "provisions": result.provisions,
        "passages": result.passages,
        "verified_passages": result.verified_passages,
        "words": coverage.words if coverage else None,
        "covered": coverage.covered if coverage else None,
        "covered_any_label": coverage.covered_any_label if coverage else None,
        "corpus_digest": result.corpus_digest,
        "input_key": storable(key),
        "reused_from": result.reused_from,
        "not_refetched": storable(result.not_refetched),
        "payload": packed.digest,
    }


def stored_result(row: dict[str, Any], body: Unpacked | None = None) -> StoredResult:
    """Return the result of a row of ``results`` joined with its ``payloads`` row.

    Args:
        row: The row.
        body: Its payload, where that was unpacked already.

    Raises:
        HistoryBroken: The body is not the one that was stored.
    """
    body = body or unpack(row["payload"], row["size"], row["body"])
    coverage = None
    if row["words"] is not None:
        coverage = Coverage(row["words"], row["covered"], row["covered_any_label"])
    layers = {name: Verdict(word) for name, word in json.loads(row["layers"]).items()}
    result = DocumentResult(
        id=row["document"],
        verdict=Verdict(row["verdict"]),
        layers=layers,
        findings=body.findings,
        snapshot=row["snapshot"],
        snapshots=tuple(json.loads(row["snapshots"])),
        consolidated_from=row["consolidated_from"],
        currency_date=row["currency_date"],
        provisions=row["provisions"],
        passages=row["passages"],
        verified_passages=row["verified_passages"],
        coverage=coverage,
        states=body.states,
        provision_digests=body.provision_digests,
        corpus_digest=row["corpus_digest"],
        captured=moment(row["captured"]),
        reused_from=row["reused_from"],
        not_refetched=row["not_refetched"],
    )
    asked = bool(row["asked_source"])
    return StoredResult(row["run"], row["corpus"], row["input_key"], result, asked)


def moment(text: str) -> str:
    """Return a time as it is stored, if it is one: ISO 8601 with a zone, or empty.

    Raises:
        ValueError: It is none: whoever reckons with it would fail far from here.
    """
    if text and datetime.fromisoformat(text).tzinfo is None:
        raise ValueError(f"{text[:40]!r} has no zone")
    return text


def run_record(row: dict[str, Any]) -> RunRecord:
    """Return the record of a row of ``runs``.

    Raises:
        ValueError, TypeError: The row is not such as a run writes.
    """
    layers = json.loads(row["layers"])
    if not isinstance(layers, list) or not all(isinstance(name, str) for name in layers):
        raise ValueError(f"the layers of run {row['run']} are {row['layers'][:80]!r}")
    return RunRecord(
        run=row["run"],
        started=moment(row["started"]),
        finished=moment(row["finished"]),
        state=RunState(row["state"]),
        verdict=None if row["verdict"] is None else Verdict(row["verdict"]),
        layers=tuple(layers),
        tool=row["tool"],
        config_digest=row["config_digest"],
        exit_code=row["exit_code"],
        schedule=row["schedule"],
    )
