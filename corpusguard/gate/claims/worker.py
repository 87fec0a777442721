"""The process of one call: ``python -I -m corpusguard.gate.claims.worker``.

It gets its role, its judge and its inputs on standard input, asks with an HTTP client of its own,
prints what came and ends. It shares no memory, no connection and no conversation with any other
call, and its environment holds no key but that of its judge.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from dataclasses import asdict
from typing import Any

from corpusguard.config.gate import JudgeSpec
from corpusguard.gate.claims.model import Role
from corpusguard.gate.claims.roles import prompt_of
from corpusguard.gate.judges.endpoint import Endpoint
from corpusguard.gate.judges.model import ModelError


def main() -> None:
    """Answer the one question on standard input."""
    question = json.load(sys.stdin)
    print(json.dumps(_answer(question) | {"pid": os.getpid(), "ppid": os.getppid()}))  # noqa: T201


def _answer(question: dict[str, Any]) -> dict[str, Any]:
    judge = question["judge"]
    judge["parameters"] = tuple(map(tuple, judge["parameters"]))
    prompt = prompt_of(Role(question["role"]), question["inputs"])
    try:
        found = asyncio.run(Endpoint(JudgeSpec(**judge)).complete(prompt))
    except (ModelError, ValueError) as error:
        return {"error": str(error), "hint": getattr(error, "hint", "")}
    return {"completion": asdict(found)}


if __name__ == "__main__":
    main()
