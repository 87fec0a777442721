"""The run as JSON lines: ``run``, then ``document`` and ``finding`` lines, then ``summary``.

The verdict stands in the last line alone, so that a file which was cut short has none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpusguard.report.records import dump, run_record

if TYPE_CHECKING:
    from corpusguard.model import RunResult


def render(result: RunResult) -> str:
    """Return one JSON object a line, each with its ``type``."""
    record = run_record(result)
    documents, findings = record.pop("documents"), record.pop("findings")
    summary = {key: record.pop(key) for key in ("verdict", "finished", "counts", "suppressed")}
    lines = [
        {"type": "run", **record},
        *({"type": "document", **document} for document in documents),
        *({"type": "finding", **finding} for finding in findings),
        {"type": "summary", "run": result.run, **summary},
    ]
    return "".join(dump(line) + "\n" for line in lines)
