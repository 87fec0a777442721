"""Checkers that need no model and no network, as subjects of `measure gate run --command`.

    ancora        ancora-rag 0.1.1: weighted word overlap and a guard on numbers
    corroborate   corroborate 0.1.0: numbers, dates and quotations
    grounded      grounded-check 0.1.2: numbers, names, quotations and, here, sentences

Each is called as its own README shows, with its own defaults. Install them in an environment of
their own and run this file with its interpreter; docs/measuring-the-gate.md has the commands.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

Passages = list[dict[str, str]]


def ancora(sentence: str, passages: Passages) -> bool:
    from ancora import Chunk, GroundingChecker  # noqa: PLC0415 - one peer at a time

    chunks = [Chunk(p["id"], p["id"], p["text"], 0, len(p["text"])) for p in passages]
    checks = GroundingChecker().check_answer(sentence, chunks)
    return bool(checks) and all(check.supported for check in checks)


def corroborate(sentence: str, passages: Passages) -> bool:
    from corroborate import check_answer  # noqa: PLC0415 - one peer at a time

    return bool(check_answer("", [p["text"] for p in passages], sentence).ok())


def grounded(sentence: str, passages: Passages) -> bool:
    from grounded import check  # noqa: PLC0415 - one peer at a time

    with tempfile.TemporaryDirectory() as folder:
        for number, passage in enumerate(passages):
            Path(folder, f"{number}.txt").write_text(passage["text"], encoding="utf-8")
        return bool(check(sentence, [folder], sentences=True).passed)


PEERS: dict[str, Any] = {"ancora": ancora, "corroborate": corroborate, "grounded": grounded}


def main() -> None:
    peer = PEERS[sys.argv[1]]
    for line in sys.stdin:
        asked = json.loads(line)
        ships = peer(asked["sentence"], asked["passages"])
        print(json.dumps({"decision": "ships" if ships else "stripped"}), flush=True)


if __name__ == "__main__":
    main()
