"""How long one check takes: 20 sentences, 10 cited passages, quote mode, after warm-up.

    python -m benchmarks.gate_speed [ROUNDS]

Two figures: the decision alone (pure), and ``Gate.check`` as callers see it, with the look-up in
history and the durable storing of the decision. The answers are the sample's own clauses.
"""

from __future__ import annotations

import json
import re
import shutil
import statistics
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

import time_machine

from corpusguard.cli.bundled import sample_folder, snapshots_folder, sources_folder
from corpusguard.config import load_config
from corpusguard.gate import Citation, Gate, Rules
from corpusguard.gate.clauses import clauses
from corpusguard.gate.core import conclude, examine, read
from corpusguard.gate.model import Evidence
from corpusguard.service import Service

NIGHT = datetime(2026, 2, 10, 3, tzinfo=UTC)
SENTENCES, PASSAGES = 20, 10
SEVERAL = re.compile(r"[a-z]\. ?\s*(?:\d+\. )?[A-Z]")
LIMITED = {"ca-on/statute/19h31@en#sec_3__subsec_1"}


def main(rounds: int) -> None:
    with tempfile.TemporaryDirectory() as name, time_machine.travel(NIGHT, tick=True):
        folder = project(Path(name))
        rows = passages(folder)
        answer = written(rows)
        texts = {row["id"]: row["text"] for row in rows}
        with Gate.open(folder / "corpusguard-clean.toml") as gate:
            first = gate.check(answer, texts)
            assert len(first.sentences) == SENTENCES, len(first.sentences)
            assert first.ships, [one.detail for one in first.removed]
            assert len(first.evidence) == PASSAGES
            whole = [timed(lambda: gate.check(answer, texts)) for _ in range(rounds)]
        held = {
            one.id: Evidence(one.id, None, text=texts[one.id], section=one.section, title=one.title)
            for one in first.evidence
        }
        cited = [Citation(name, text) for name, text in texts.items()]
        pure = [timed(lambda: decided(answer, cited, held)) for _ in range(rounds)]
    told("decision alone", pure)
    told("Gate.check, history and all", whole)


def decided(answer, cited, held):
    plan = read(answer, cited, Rules())
    assert conclude(plan, examine(plan, held), {}).ships


def project(folder: Path) -> Path:
    shutil.copytree(sample_folder(), folder / "p", ignore=shutil.ignore_patterns("law", "*.py"))
    shutil.copytree(snapshots_folder(), folder / "p" / "snapshots", dirs_exist_ok=True)
    shutil.copytree(sources_folder(), folder / "p" / "sources", dirs_exist_ok=True)
    config = load_config(folder / "p" / "corpusguard-clean.toml")
    assert str(Service(config).verify(offline=True).verdict) == "verified"
    return folder / "p"


def passages(folder: Path):
    """Ten passages with at least two clauses or long ones, in printed order."""
    lines = (folder / "clean.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    # One sentence each, and none that another subsection takes from.
    rows = [row for row in rows if not SEVERAL.search(row["text"]) and row["id"] not in LIMITED]
    rich = [row for row in rows if len(clauses(row["text"])) > 2 and "In this" not in row["text"]]
    plain = [row for row in rows if len(clauses(row["text"])) == 1 and len(row["text"]) > 150]
    return (rich + plain)[:PASSAGES]


def written(rows) -> str:
    """Twenty sentences that quote them, each with its marker."""
    found = []
    for turn in range(SENTENCES):
        row = rows[turn % len(rows)]
        known = clauses(row["text"])
        clause = known[(turn // len(rows)) % len(known)]
        first, last = clause.words[0].start, clause.words[-1].end
        words = [word for word in clause.words if not word.optional]
        whole = " ".join(row["text"][first:last].split())
        pieces = "".join(
            (
                " "
                if index
                and row["text"][words[index - 1].end : word.start].strip(" \n") == ""
                and row["text"][words[index - 1].end : word.start]
                else " "
                if index and words[index - 1].end != word.start
                else ""
            )
            + row["text"][word.start : word.end]
            for index, word in enumerate(words)
        )
        found.append(f"{pieces or whole}. [{row['id']}]")
    return "\n".join(f"- {one}" for one in found)


def timed(call) -> float:
    began = time.perf_counter()
    call()
    return (time.perf_counter() - began) * 1000


def told(what: str, times: list[float]) -> None:
    ordered = sorted(times)
    p99 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    print(f"{what}: p50 {statistics.median(ordered):.2f} ms, p99 {p99:.2f} ms, n {len(times)}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
