"""How fast, and in how much memory, `corpusguard serve` decides: 50 clients at once, real sockets.

    .venv/bin/python benchmarks/serve.py [CONFIG]

Without a configuration, the bundled sample is verified in a temporary folder. Prints one JSON
object: seconds at p50 and p99 with one and with 50 clients, answers a second, resident memory after
the first answers and at the end, and how many responses were not 200.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx

from corpusguard.cli.bundled import sample_folder, snapshots_folder, sources_folder

COMMAND = [sys.executable, "-c", "from corpusguard.cli import main; main()"]
SENTENCE = (
    "Quay dues shall be paid before the closing bell. [ca-on/regulation/190902@en#sec_9__subsec_1]"
)
ANSWER = " ".join([SENTENCE] * 20)
CLIENTS, EACH = 50, 20


def sample(folder: Path) -> Path:
    config = (sample_folder() / "corpusguard-clean.toml").read_text(encoding="utf-8")
    (folder / "corpusguard.toml").write_text(config + 'max_age = "3650d"\n', encoding="utf-8")
    shutil.copyfile(sample_folder() / "clean.jsonl", folder / "clean.jsonl")
    shutil.copytree(snapshots_folder(), folder / "snapshots")
    shutil.copytree(sources_folder(), folder / "sources")
    path = folder / "corpusguard.toml"
    subprocess.run(
        [*COMMAND, "verify", "--offline", "-q", "-c", path], check=True, stdout=subprocess.DEVNULL
    )
    return path


def resident(pid: int) -> int:
    pages = Path(f"/proc/{pid}/statm").read_text().split()[1]
    return int(pages) * os.sysconf("SC_PAGESIZE")


def quantiles(seconds):
    cuts = statistics.quantiles(seconds, n=100)
    return {"p50": round(cuts[49], 4), "p99": round(cuts[98], 4)}


def measure(config: Path) -> dict:
    arguments = ["serve", "--port", "0", "--per-minute", "1000000", "-c", str(config)]
    process = subprocess.Popen([*COMMAND, *arguments], stderr=subprocess.PIPE, text=True)
    try:
        url = re.search(r"url=(\S+)", process.stderr.readline())[1]
        drain = ThreadPoolExecutor(1)
        drain.submit(process.stderr.read)

        def client(count):
            found = []
            with httpx.Client(base_url=url, timeout=120, trust_env=False) as own:
                for _ in range(count):
                    began = time.perf_counter()
                    status = own.post("/v1/check", json={"answer": ANSWER}).status_code
                    found.append((time.perf_counter() - began, status))
            return found

        client(20)
        before = resident(process.pid)
        alone = client(200)
        began = time.perf_counter()
        with ThreadPoolExecutor(CLIENTS) as pool:
            together = [one for found in pool.map(client, [EACH] * CLIENTS) for one in found]
        took = time.perf_counter() - began
        return {
            "sentences": 20,
            "one_client_seconds": quantiles([seconds for seconds, _ in alone]),
            "fifty_clients_seconds": quantiles([seconds for seconds, _ in together]),
            "answers_a_second": round(len(together) / took, 1),
            "not_200": sum(status != 200 for _, status in alone + together),
            "resident_mb": [round(before / 1e6), round(resident(process.pid) / 1e6)],
        }
    finally:
        process.terminate()
        process.wait(60)


def main() -> None:
    if len(sys.argv) > 1:
        print(json.dumps(measure(Path(sys.argv[1])), indent=2))
        return
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(measure(sample(Path(folder))), indent=2))


if __name__ == "__main__":
    main()
