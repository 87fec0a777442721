"""What a night costs: requests, bytes, CPU and memory, first night against the nights after it.

    python benchmarks/nightly_cost.py [--documents 500] [--memory 100,1000] [--work DIR]

A loopback e-Laws in a process of its own publishes invented laws of 20 to 600 kB; each night is a
``corpusguard verify`` in a process of its own, whose CPU seconds and peak memory the operating
system counts. The source sends no validators, as nothing says that the real one does. Prints one
JSON object.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import math
import multiprocessing
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from corpusguard.corpora import emit, rebuild  # noqa: E402
from corpusguard.first_reader import read  # noqa: E402
from corpusguard.model import CorpusSpec, DocumentSpec, Rendition  # noqa: E402
from tests.replica.faults import as_json  # noqa: E402
from tests.replica.law import Law  # noqa: E402
from tests.replica.replica import Replica  # noqa: E402

UNCHANGED, AGAIN = "unchanged", "everything fetched again"
SMALLEST, LARGEST = 20_000, 600_000
# A child begins with its parent's peak of memory, so a small process must be the parent.
COUNT = (
    "import json, os, sys; pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ);"
    " _, status, use = os.wait4(pid, 0); print(json.dumps([os.waitstatus_to_exitcode(status),"
    " use.ru_utime + use.ru_stime, use.ru_maxrss]))"
)
WORDS = (
    "lamp keeper harbour warden shall may not before after notice permit vessel pilot toll ledger"
    " inspector minister order regulation person owner tide anchor berth cargo licence fee appeal"
    " tribunal hearing record report day month year written signed lawful duty power subject to"
    " under the of a in and or every any such that where if unless except for by with from"
).split()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=500)
    parser.add_argument("--memory", default="100,1000")
    parser.add_argument("--largest", type=int, default=LARGEST)
    parser.add_argument("--memory-largest", type=int, default=60_000)
    parser.add_argument("--work", type=Path, default=None)
    asked = parser.parse_args()
    work = asked.work or Path(tempfile.mkdtemp(prefix="nightly-cost-"))
    work.mkdir(parents=True, exist_ok=True)
    figures: dict[str, object] = {"documents": asked.documents}
    if asked.documents:
        figures["cost"] = cost(work, asked.documents, asked.largest)
    figures["memory"] = [
        memory(work, int(number), asked.memory_largest)
        for number in asked.memory.split(",")
        if number
    ]
    print(json.dumps(figures, indent=1))
    if asked.work is None:
        shutil.rmtree(work)


def cost(work: Path, documents: int, largest: int) -> dict[str, object]:
    """The first night, nights without a change, a night after 1% changed, and all of that again."""
    laws = [law(number, largest) for number in range(documents)]
    folder = project(work / "cost", laws)
    found: dict[str, object] = {"payload_bytes": sum(len(as_json(one.payload())) for one in laws)}
    with source(laws, folder) as ask:
        found["first"] = night(folder, ask)
        found[UNCHANGED] = night(folder, ask)
        ask("days_on")
        found["date moved, nothing changed"] = night(folder, ask)
        found["the night after"] = night(folder, ask)
        changed = max(1, documents // 100)
        for number in random.Random(7).sample(range(documents), changed):
            ask("amend", number)
        found["1% changed"] = night(folder, ask)
        found[AGAIN] = night(folder, ask, "--refetch")
    first = found["first"]
    for one in found.values():
        if isinstance(one, dict):
            one["cpu_of_first"] = round(one["cpu_seconds"] / first["cpu_seconds"], 4)
    # All nights of the benchmark lie on one day, on which nothing has its turn twice.
    still, all_of_it = (found[name]["cpu_of_first"] for name in (UNCHANGED, AGAIN))
    found["unchanged, with a seventh fetched again (computed)"] = round(
        still + (all_of_it - still) / 7, 4
    )
    shutil.rmtree(folder)
    return found


def memory(work: Path, documents: int, largest: int) -> dict[str, object]:
    """Peak memory of a first night and of an unchanged one."""
    laws = [law(number, largest) for number in range(documents)]
    folder = project(work / f"memory-{documents}", laws)
    with source(laws, folder) as ask:
        nights = [night(folder, ask), night(folder, ask)]
    shutil.rmtree(folder)
    return {"documents": documents, "peak_mb": [one["peak_mb"] for one in nights]}


def law(number: int, largest: int) -> Law:
    """An invented Act; its size is spread evenly over the magnitudes between the two bounds."""
    dice = random.Random(number)
    size = int(math.exp(dice.uniform(math.log(SMALLEST), math.log(largest))))
    paragraphs: list[tuple[str, str]] = []
    section = written = 0
    while written < size:
        section += 1
        fresh = [("headnote", " ".join(dice.choices(WORDS, k=4)).capitalize())]
        cite = f' <span class="citation">2026, c. {number + 100}, s. {section}.</span>'
        for sub in range(1, dice.randint(2, 5)):
            lead = f"<b>{section} </b>(1) " if sub == 1 else f"({sub}) "
            kind = "section" if sub == 1 else "subsection"
            fresh.append((kind, f"{lead}{sentence(dice)}{cite}"))
            if dice.random() < 0.3:
                fresh += [("clause", f"({letter}) {sentence(dice)}") for letter in "abc"]
        fresh.append(("footnoteLeft", f"Section Amendments: 2026, c. {number + 100}, s. {section}"))
        written += sum(len(name) + len(text) + 20 for name, text in fresh)
        paragraphs += fresh
    title = f"Harbour Wardens Act No. {number}, 2026"
    return Law(
        kind="statute",
        code=f"26h{number:04d}",
        title=title,
        number=f"S.O. 2026, c. {number + 100}",
        paragraphs=tuple(paragraphs),
    )


def sentence(dice: random.Random) -> str:
    text = " ".join(dice.choices(WORDS, k=dice.randint(18, 45)))
    return f"{text.capitalize()} {dice.randint(1, 9_999)}."


def amended(one: Law) -> Law:
    paragraphs = list(one.paragraphs)
    place = len(paragraphs) // 2
    while paragraphs[place][0] != "section":
        place += 1
    name, text = paragraphs[place]
    paragraphs[place] = (name, text.replace(".", ", as amended.", 1))
    return dataclasses.replace(one, paragraphs=tuple(paragraphs), consolidated_from="2026-06-01")


def project(folder: Path, laws: list[Law]) -> Path:
    """Configuration and corpus; the passages are what ingestion would store."""
    folder.mkdir(parents=True)
    with (folder / "corpus.jsonl").open("w", encoding="utf-8") as stream:
        for one in laws:
            spec = DocumentSpec(one.id, one.title)
            reading = read(as_json(one.payload()), Rendition.PAYLOAD)
            corpus = CorpusSpec(name="all", reader="jsonl", recipe="section")
            for line in emit(rebuild(reading, corpus, spec)):
                row = json.loads(line)
                row["id"] = f"{one.code}:{row['id']}"
                stream.write(json.dumps(row) + "\n")
    (folder / "corpusguard.toml").write_text(
        '[corpusguard]\nsources = ["source.toml"]\n[[corpus]]\nname = "all"\nreader = "jsonl"\n'
        'path = "corpus.jsonl"\ndocument = { field = "document" }\nrecipe = "section"\n',
        encoding="utf-8",
    )
    return folder


@contextmanager
def source(laws: list[Law], folder: Path):
    """A source in a process of its own; yields a function that asks it things."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=serve, args=(laws, theirs), daemon=True)
    process.start()
    documents = "".join(f'[[document]]\nid = "{one.id}"\ntitle = "{one.title}"\n' for one in laws)
    (folder / "source.toml").write_text(
        f'[source]\npublisher = "ontario-elaws"\nbase_url = "{ours.recv()}"\n'
        f"min_delay_seconds = 0\nfrozen_after_days = 3650\ndaily_request_budget = 1000000\n"
        f"{documents}",
        encoding="utf-8",
    )

    def ask(*question):
        ours.send(question)
        return ours.recv()

    yield ask
    ask("stop")
    process.join(10)


def serve(laws: list[Law], pipe) -> None:
    with Replica(*laws, etags=False) as replica:
        pipe.send(replica.base_url)
        while True:
            what, *rest = pipe.recv()
            if what == "requests":
                paths = [seen.path.split("/")[6] for seen in replica.requests]
                replica.requests.clear()
                pipe.send({name: paths.count(name) for name in sorted(set(paths))})
                continue
            if what == "days_on":
                replica.days_on()
            elif what == "amend":
                replica.publish(amended(laws[rest[0]]))
            pipe.send(None)
            if what == "stop":
                return


def night(folder: Path, ask, *options: str) -> dict[str, object]:
    """One run, counted by the operating system."""
    ask("requests")
    stored = size_of(folder / "snapshots")
    command = [sys.executable, "-m", "corpusguard", "verify", "--quiet", "--format", "json"]
    command += ["--config", str(folder / "corpusguard.toml"), "--output", str(folder / "out.json")]
    began = time.monotonic()
    counted = subprocess.run(
        [sys.executable, "-S", "-c", COUNT, *command, *options],
        env={**os.environ, "NO_COLOR": "1"},
        stdout=subprocess.PIPE,
        check=True,
    )
    seconds = time.monotonic() - began
    code, cpu, peak = json.loads(counted.stdout)
    report = json.loads((folder / "out.json").read_text(encoding="utf-8"))
    return {
        "exit": code,
        "verdict": report["verdict"],
        "not_verified": sum(one["verdict"] != "verified" for one in report["documents"]),
        "requests": ask("requests"),
        "new_snapshot_bytes": size_of(folder / "snapshots") - stored,
        "cpu_seconds": round(cpu, 2),
        "seconds": round(seconds, 1),
        "peak_mb": round(peak / 1024, 1),
    }


def size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


if __name__ == "__main__":
    main()
