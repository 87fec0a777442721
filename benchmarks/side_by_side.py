"""corpusguard and bearout on the same documents, in one process: `make bench`.

Cost first (CPU seconds, medians of alternating rounds), then what each tool reports. The real
documents are taken from ../shared/data; without them the bundled sample stands in, and says so.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import costs, documents, found
from benchmarks.rival import Rival


def measure(rounds: int, seeds: int) -> dict[str, Any]:
    """All figures, by name."""
    act = documents.act()
    document = act or documents.sample_act()
    rival = Rival(document.payload, document.spec.id, document.spec.title)
    figures: dict[str, Any] = {
        "date": datetime.now(UTC).date().isoformat(),
        "python": platform.python_version(),
        "document": document.spec.title,
        "memory_mib": costs.memory(),
        "cold": costs.cold(document, rival, rounds),
    }
    figures["repeat"] = costs.repeat(document, rounds)
    figures["clean"] = found.clean(document)
    if act is not None:
        figures["broken"] = found.broken(act)
    figures["sample"] = found.sample()
    if seeds:
        table = found.mutants(documents.sample_act(), seeds)
        figures["mutants"] = {
            kind: {tool: asdict(score) for tool, score in scores.items()}
            for kind, scores in table.items()
        }
    return figures


def show(figures: dict[str, Any]) -> None:
    """Print the tables."""
    cold, repeat = figures["cold"], figures["repeat"]
    print(f"{figures['document']}, Python {figures['python']}, {figures['date']}\n")
    print("cost                                        corpusguard    bearout    ratio     bar")
    print(
        f"cold verification, CPU seconds                   {cold['corpusguard_seconds']:6.3f}"
        f"     {cold['bearout_seconds']:6.3f}    {cold['ratio']:5.2f}    <= 2"
    )
    print(f"first run through the service, writes apart      {repeat['first_run_seconds']:6.3f}")
    print(
        f"repeat, nothing changed, writes apart            {repeat['repeat_seconds']:6.3f}"
        f"               {repeat['share_of_first']:6.1%}    < 5% of the first"
    )
    writes = repeat["repeat_with_writes_seconds"]
    print(f"the same with the writes                         {writes:6.3f}")
    print(
        f"peak memory of a fresh process, MiB              {figures['memory_mib']:6.0f}"
        "                         < 300\n"
    )
    for title, name in (
        ("sound corpora", "clean"),
        ("the real broken corpus", "broken"),
        ("the bundled faulty sample", "sample"),
    ):
        if name in figures:
            print(title)
            for about, value in figures[name].items():
                print(f"  {about:40} {value if isinstance(value, int) else json.dumps(value)}")
            print()
    if "broken" not in figures:
        print("../shared/data is absent: the bundled sample stood in, no broken corpus was read\n")
    if "mutants" in figures:
        print(f"{'planted faults: seen/in place/planted':42}{'corpusguard':>16}{'bearout':>16}")
        for kind, scores in figures["mutants"].items():
            cells = [
                f"{s['seen']}/{s['placed']}/{s['planted']}" if s["planted"] else "-"
                for s in (scores["corpusguard"], scores["bearout"])
            ]
            print(f"  {kind:40}{cells[0]:>16}{cells[1]:>16}")


def main() -> int:
    """Measure, print, and write the figures where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, help="write the figures to this file too")
    parser.add_argument("--rounds", type=int, default=9, help="timed rounds (default 9)")
    parser.add_argument("--seeds", type=int, default=20, help="mutants of each kind (default 20)")
    options = parser.parse_args()
    figures = measure(max(options.rounds, 7), options.seeds)
    show(figures)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1, sort_keys=True) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
