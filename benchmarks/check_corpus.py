"""How long `check-corpus` takes, and how much memory, on stores of several sizes.

    python -m benchmarks.check_corpus [--rows 25000 100000] [--nights 20] [--readers jsonl csv …]

Real stores of invented law (laws of a thousand passages of some 300 characters), a real history in
which every night recorded each law as verified, with snapshots of 300 kB; then the real command
line in a process of its own. Writing all that takes longer than checking it. Prints a JSON object;
``seconds`` are wall seconds of the whole process, start of Python included, the best of three.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from corpusguard.config import load_config
from corpusguard.history import History, capture_of
from corpusguard.model import Coverage, DocumentResult, Identity, PassageState, Rendition, Verdict
from corpusguard.service.rows import Rows
from corpusguard.snapshots import SnapshotStore

LAYERS = ("L1", "L2", "L3")
PER_LAW = 1000
WORDS = "The warden of every lighthouse shall keep the lamp lit from dusk to dawn and shall write "
PLACES = {
    "jsonl": 'path = "c.jsonl"',
    "csv": 'path = "c.csv"',
    "sqlite": 'path = "c.db"\nquery = "SELECT * FROM rows ORDER BY rowid"',
}


def law(number: int) -> str:
    return f"ca-on/statute/26a{number:04}@en"


def rows(count: int):
    for number in range(count):
        yield {
            "document": law(number // PER_LAW),
            "id": f"p-{number}",
            "section": str(number % PER_LAW),
            "text": f"{number % PER_LAW} {WORDS * 3}number {number}.",
        }


def write_store(folder: Path, reader: str, count: int) -> None:
    if reader == "jsonl":
        with (folder / "c.jsonl").open("w") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows(count))
    elif reader == "csv":
        with (folder / "c.csv").open("w", newline="") as file:
            writer = csv.DictWriter(file, ("document", "id", "section", "text"))
            writer.writeheader()
            writer.writerows(rows(count))
    else:
        with closing(sqlite3.connect(folder / "c.db")) as db:
            db.execute("CREATE TABLE rows (document, id, section, text)")
            db.executemany("INSERT INTO rows VALUES (:document, :id, :section, :text)", rows(count))
            db.commit()


def write_history(config_file: Path, nights: int) -> None:
    """Record, for each night, that every law verified; the first night in full."""
    config = load_config(config_file)
    store = SnapshotStore(config.snapshots)
    moment = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    with Rows(config.corpora[0], config.root) as held, History.open(config.history) as history:
        snapshots = {
            document: store.add(
                (document * 12_000).encode(),
                document=document,
                rendition=Rendition.PAYLOAD,
                url="file:benchmark",
                identity=Identity(),
                captured=moment,
            )
            for document in held.documents()
        }
        for night in range(nights):
            run = history.begin_run(LAYERS, "benchmark", "c" * 64, moment)
            history.set_scope(run, [(config.corpora[0].name, one) for one in held.documents()])
            for document in held.documents():
                found = result(held, document, snapshots[document].digest)
                facts = {
                    "input_key": "same",
                    "captures": [capture_of(config.snapshots, snapshots[document])],
                }
                if night:
                    plain = replace(found, states=())
                    history.record_standing(
                        run, config.corpora[0].name, plain, of_run=run - 1, **facts
                    )
                else:
                    history.record_document(run, config.corpora[0].name, found, **facts)
            history.record_run_findings(run, [])
            history.finish_run(run, Verdict.VERIFIED, moment, 0)


def result(held: Rows, document: str, snapshot: str) -> DocumentResult:
    states = tuple(
        PassageState(
            one.row,
            one.id,
            "sha256:" + hashlib.sha256(one.text.encode()).hexdigest(),
            verified=True,
            section=one.section or "",
        )
        for one in held.stream(document)
    )
    return DocumentResult(
        id=document,
        verdict=Verdict.VERIFIED,
        layers=dict.fromkeys(LAYERS, Verdict.VERIFIED),
        findings=(),
        snapshot=snapshot,
        snapshots=(snapshot,),
        passages=len(states),
        verified_passages=len(states),
        coverage=Coverage(1000, 1000, 1000),
        states=states,
        corpus_digest=held.digest(document),
    )


def make(folder: Path, reader: str, count: int, nights: int) -> Path:
    folder.mkdir()
    documents = "".join(
        f'[[document]]\nid = "{law(number)}"\ntitle = "Law {number}"\n'
        for number in range(-(-count // PER_LAW))
    )
    (folder / "law.toml").write_text(
        f'[source]\npublisher = "ontario-elaws"\nbase_url = "http://127.0.0.1:9"\n{documents}'
    )
    config = folder / "corpusguard.toml"
    config.write_text(
        '[corpusguard]\nsources = ["law.toml"]\n[[corpus]]\nname = "c"\n'
        f'reader = "{reader}"\n{PLACES[reader]}\ndocument = {{ field = "document" }}\n'
    )
    write_store(folder, reader, count)
    write_history(config, nights)
    return config


def measure(config: Path, *options: str) -> tuple[float, float, int]:
    """Wall seconds, CPU seconds and peak megabytes of one check that must pass."""
    command = [sys.executable, "-c", "from corpusguard.cli import main; main()"]
    command += ["check-corpus", "-q", "-f", "json", "-c", str(config), *options]
    begun = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        said = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    took = time.perf_counter() - begun
    assert process.returncode == 0, said
    assert json.loads(said)["outcome"] == "pass"
    return took, used.ru_utime + used.ru_stime, used.ru_maxrss // 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=[25_000, 100_000])
    parser.add_argument("--nights", type=int, default=20)
    parser.add_argument("--readers", nargs="+", choices=PLACES, default=list(PLACES))
    asked = parser.parse_args()
    found = []
    with tempfile.TemporaryDirectory() as name:
        for reader in asked.readers:
            for count in asked.rows:
                config = make(Path(name) / f"{reader}-{count}", reader, count, asked.nights)
                for options in ((), ("--passages", str(Path(name) / "list"))):
                    runs = [measure(config, *options) for _ in range(3)]
                    found.append(
                        {
                            "reader": reader,
                            "rows": count,
                            "documents": count // PER_LAW,
                            "list": bool(options),
                            "seconds": round(min(took for took, _, _ in runs), 2),
                            "cpu_seconds": round(min(cpu for _, cpu, _ in runs), 2),
                            "peak_megabytes": max(peak for _, _, peak in runs),
                        }
                    )
                    print(found[-1], file=sys.stderr)
    json.dump({"nights": asked.nights, "checks": found}, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
