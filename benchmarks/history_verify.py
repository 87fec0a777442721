"""How long `history verify` takes, and what a history grows by.

    python -m benchmarks.history_verify [--runs 50] [--documents 20] [--passages 100]

Invented results: a tenth of the documents changes every night, the others every tenth night, and
findings come and go. Prints one JSON object; times are CPU seconds and wall seconds.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import resource
import sys
import tempfile
import time
from pathlib import Path

from corpusguard.history import History
from corpusguard.model import (
    Coverage,
    DocumentResult,
    Finding,
    Layer,
    PassageState,
    Severity,
    Verdict,
)

LAYERS = ("L1", "L2", "L3")


def digest(text: str) -> str:
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def result(number: int, night: int, passages: int) -> DocumentResult:
    """What a run says of document ``number``; every tenth document has changed since yesterday."""
    document = f"ca-on/statute/19h{number}@en"
    version = night if number % 10 == 0 else night // 10
    findings = tuple(
        Finding(
            rule="CG101",
            severity=Severity.ERROR,
            layer=Layer.L1,
            document=document,
            message="The stored words are not the official words.",
            passage=f"p-{row}",
            row=row,
            fingerprint=f"{number:03}f{row:03}",
        )
        for row in range(3 if version % 2 else 6)
    )
    states = tuple(
        PassageState(
            row,
            f"p-{row}",
            digest(f"{number} {row} {version if row < 9 else 0}"),
            verified=row >= len(findings),
            section="1",
            spans=((0, 9),),
        )
        for row in range(passages)
    )
    return DocumentResult(
        id=document,
        verdict=Verdict.VIOLATED,
        layers=dict.fromkeys(LAYERS, Verdict.VIOLATED),
        findings=findings,
        states=states,
        passages=passages,
        verified_passages=passages - len(findings),
        coverage=Coverage(1000, 900, 950),
        provision_digests={f"sec_{row}": digest(f"{number} {row}") for row in range(passages)},
    )


def write(path: Path, runs: int, documents: int, passages: int) -> None:
    with History.open(path) as history:
        for night in range(runs):
            started = f"2026-{1 + night // 28:02}-{1 + night % 28:02}T02:00:00Z"
            run = history.begin_run(LAYERS, "benchmark", "c", started)
            for number in range(documents):
                history.record_document(run, "corpus", result(number, night, passages))
            history.record_run_findings(run, [])
            history.finish_run(run, Verdict.VIOLATED, started, 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in (("runs", 50), ("documents", 20), ("passages", 100)):
        parser.add_argument(f"--{name}", type=int, default=default)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "history.db"
        write(path, asked.runs, asked.documents, asked.passages)
        with History.open(path) as history:
            wall, processor = time.perf_counter(), time.process_time()
            found = history.verify_all()
            wall, processor = time.perf_counter() - wall, time.process_time() - processor
            sizes = {
                table: int(size)
                for table, size in history._db.execute(
                    "SELECT name, sum(pgsize) FROM dbstat GROUP BY name HAVING sum(pgsize) > 20000"
                )
            }
        figures = {
            **vars(asked),
            "breaks": len(found.breaks),
            "wall_seconds": round(wall, 2),
            "cpu_seconds": round(processor, 2),
            "peak_megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
            "file_bytes": path.stat().st_size,
            "table_bytes": sizes,
        }
    json.dump(figures, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
