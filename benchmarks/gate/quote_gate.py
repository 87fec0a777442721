"""The project's own default gate as a subject of `measure gate run --command`.

What a run measures is the rules: each passage is taken to have verified, and no judge is asked.

    corpusguard measure gate run --fixture FILE -o out \
      --command "python benchmarks/gate/quote_gate.py"

With ``yes`` as argument a judge that says SUPPORTED to whatever it is asked stands behind the
vetoes: its false passes are those that the vetoes alone do not stop.
"""

from __future__ import annotations

import json
import sys

from corpusguard.gate import Citation, Door, Evidence, Rules
from corpusguard.gate.core import conclude, examine, read


def decision(sentence: str, passages: list[dict[str, str]], reply: str) -> str:
    texts = {one["id"]: one["text"] for one in passages}
    plan = read(sentence, [Citation(name) for name in texts], Rules())
    held = {
        name: Evidence(name, None, text=text, section=text.split(maxsplit=1)[0].rstrip("."))
        for name, text in texts.items()
    }
    examined = examine(plan, held)
    replies = dict.fromkeys(examined.questions, reply) if reply else {}
    found = conclude(plan, examined, replies)
    if any(one.door is Door.ERROR for one in found.sentences):
        return "error"
    return "ships" if found.ships else "stripped"


def main() -> None:
    reply = "SUPPORTED" if sys.argv[1:] == ["yes"] else ""
    for line in sys.stdin:
        asked = json.loads(line)
        said = decision(asked["sentence"], asked["passages"], reply)
        print(json.dumps({"decision": said}), flush=True)


if __name__ == "__main__":
    main()
