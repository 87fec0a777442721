"""The project's own default gate as a program, for `measure gate run --command`.

It is what `--subject corpusguard` measures, behind the protocol that any other gate speaks:

    corpusguard measure gate run --fixture FILE -o out \
      --command "python benchmarks/gate/quote_gate.py"

With ``yes`` as argument a judge that says SUPPORTED to whatever it is asked stands behind the
vetoes: its false passes are those that the vetoes alone do not stop.
"""

from __future__ import annotations

import json
import sys

from corpusguard.gate.measured import DEFAULT_GATE, SUBJECTS, VETOES_ALONE


def main() -> None:
    gate = SUBJECTS[VETOES_ALONE if sys.argv[1:] == ["yes"] else DEFAULT_GATE]
    for line in sys.stdin:
        asked = json.loads(line)
        passages = [(one["id"], one["text"]) for one in asked["passages"]]
        print(json.dumps({"decision": gate.decide(asked["sentence"], passages)}), flush=True)


if __name__ == "__main__":
    main()
