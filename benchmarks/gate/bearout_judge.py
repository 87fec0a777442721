"""bearout 0.0.3 (https://pypi.org/project/bearout/) as a subject of `measure gate run --command`.

bearout's gate asks a language model; here a script answers in its place, so that what is measured
is the gate around the judge, not a model:

    quote      SUPPORTED where the sentence stands in the sources word for word, else UNSUPPORTED
    hedged     as quote, but as models write: "SUPPORTED? No, ..." where it is not
    oracle-no  UNSUPPORTED, always

Run it with the interpreter of an environment of its own, where bearout is installed:

    corpusguard measure gate run --fixture FILE -o out \
      --command "/path/to/venv/bin/python benchmarks/gate/bearout_judge.py quote"
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from bearout import validate_grounding


class Scripted:
    """A judge whose replies follow from the text alone."""

    def __init__(self, script: str) -> None:
        self.script = script

    async def chat(
        self, *, user_message: str, cache_prefix: str | None = None, **_: object
    ) -> dict[str, Any]:
        sentence = user_message.removeprefix("SENTENCE:\n")
        found = fold(sentence).rstrip(".") in fold(cache_prefix or "")
        if self.script == "quote":
            return {"content": "SUPPORTED" if found else "UNSUPPORTED"}
        if self.script == "hedged":
            said = "SUPPORTED" if found else "SUPPORTED? No. The sources do not say so."
            return {"content": said}
        return {"content": "UNSUPPORTED"}


def fold(text: str) -> str:
    return " ".join(text.casefold().split())


def main() -> None:
    judge = Scripted(sys.argv[1])
    for line in sys.stdin:
        asked = json.loads(line)
        sources = "\n\n".join(f"[{p['id']}] {p['text']}" for p in asked["passages"])
        outcome = asyncio.run(validate_grounding(asked["sentence"], sources, llm=judge))
        whole = outcome.grounded and not outcome.removed
        print(json.dumps({"decision": "ships" if whole else "stripped"}), flush=True)


if __name__ == "__main__":
    main()
