"""Time and memory: a cold verification, a repeat with nothing changed, a fresh process."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.documents import ROOT
from corpusguard.config import load_config
from corpusguard.history import History
from corpusguard.model import Verdict
from corpusguard.service import Service

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.documents import Document
    from benchmarks.rival import Rival

_WRITES = ("begin_run", "record_document", "record_run_findings", "set_reading", "finish_run")
_CONFIG = """\
[corpusguard]
history = "history.db"
snapshots = "snapshots"
sources = ["source.toml"]

[[corpus]]
name = "bench"
reader = "jsonl"
path = "corpus.jsonl"
document = "{id}"
recipe = "section"
"""
_SOURCE = """\
[source]
publisher = "ontario-elaws"
base_url = "https://www.ontario.ca"

[[document]]
id = "{id}"
title = "{title}"
"""
_FRESH = """\
import resource, sys
sys.path.insert(0, {root!r})
from benchmarks.documents import act, sample_act
(act() or sample_act()).cold()
try:
    status = open("/proc/self/status").read()
    print(int(status.split("VmHWM:")[1].split()[0]) / 1024)
except OSError:
    scale = 2**20 if sys.platform == "darwin" else 1024
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / scale)
"""


def cpu(work: Callable[[], object]) -> float:
    """CPU seconds of one call."""
    start = time.process_time()
    work()
    return time.process_time() - start


def cold(document: Document, rival: Rival, rounds: int) -> dict[str, float]:
    """Medians over alternating rounds, after one round to warm up; no printing in between."""
    ours, theirs = [], []
    for number in range(rounds + 1):
        pair = (cpu(document.cold), cpu(rival.verify))
        if number:
            ours.append(pair[0])
            theirs.append(pair[1])
    mine, other = statistics.median(ours), statistics.median(theirs)
    return {
        "corpusguard_seconds": mine,
        "bearout_seconds": other,
        "ratio": mine / other,
        "ratio_of_the_best_rounds": min(ours) / min(theirs),
    }


@contextmanager
def _writes_timed() -> Iterator[list[float]]:
    """Collects the CPU seconds spent in writing to history, which is durable on purpose."""
    spent: list[float] = []
    before = {name: getattr(History, name) for name in _WRITES}

    def timed(method: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            start = time.process_time()
            try:
                return method(*arguments, **named)
            finally:
                spent.append(time.process_time() - start)

        return call

    for name, method in before.items():
        setattr(History, name, timed(method))
    try:
        yield spent
    finally:
        for name, method in before.items():
            setattr(History, name, method)


def repeat(document: Document, rounds: int) -> dict[str, float]:
    """A run through the service whose inputs are all equal to the last run's, and a first run.

    CPU seconds, what is spent in writing history apart: it is durable on purpose.
    """
    first, whole, apart = [], [], []
    for number in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            service = _service(document, Path(folder))
            fresh = _run(service, reused=False)
            again = _run(service, reused=True)
        if number:
            first.append(fresh[1])
            whole.append(again[0])
            apart.append(again[1])
    return {
        "first_run_seconds": statistics.median(first),
        "repeat_seconds": statistics.median(apart),
        "repeat_with_writes_seconds": statistics.median(whole),
        "share_of_first": statistics.median(apart) / statistics.median(first),
    }


def _service(document: Document, place: Path) -> Service:
    facts = {"id": document.spec.id, "title": document.spec.title}
    (place / "corpusguard.toml").write_text(_CONFIG.format(**facts))
    (place / "source.toml").write_text(_SOURCE.format(**facts))
    (place / "payload.json").write_bytes(document.payload)
    service = Service(load_config(place / "corpusguard.toml"))
    service.add_snapshot(document.spec.id, place / "payload.json")
    with (place / "corpus.jsonl").open("w", encoding="utf-8") as lines:
        for line in service.passages(document.spec.id, "section", accept_anomalies=True):
            lines.write(line.rstrip("\n") + "\n")
    return service


def _run(service: Service, *, reused: bool) -> tuple[float, float]:
    """CPU seconds of one run, with and without the writes."""
    with _writes_timed() as writes:
        seconds = cpu(lambda: _verified(service, reused=reused))
    return seconds, seconds - sum(writes)


def _verified(service: Service, *, reused: bool) -> None:
    result = service.verify(offline=True)
    if result.verdict is not Verdict.VERIFIED:
        raise AssertionError(f"the sound corpus is {result.verdict.value}: {result.documents}")
    if any(bool(one.reused_from) != reused for one in result.documents):
        raise AssertionError("a result was reused where it must not be, or not where it must")


def memory() -> float:
    """Peak resident MiB of a fresh process that verifies the document once."""
    program = _FRESH.format(root=str(ROOT))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    return float(json.loads(done.stdout))
