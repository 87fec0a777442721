"""The examples of docs/labels.md, docs/trace.md and docs/grounding.md do what they say."""

from __future__ import annotations

import json
import re
from pathlib import Path

from corpusguard.gate import labels, trace
from corpusguard.gate.citing import malformed, markers
from corpusguard.gate.evidence import EvidenceKind, Outcome, SpanStatus, Treatment

DOCS = Path(__file__).parents[3] / "docs"


def test_the_runs_of_the_trace_page_are_whole():
    """They can be copied into files and checked."""
    page = (DOCS / "trace.md").read_text("utf-8")
    examples = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    assert len(examples) == 2
    for example in examples:
        assert trace.check(trace.records.selection(json.loads(example), "example")).whole


def test_what_the_trace_page_says_of_markers():
    """Each example that it calls a marker is one, each other is none, each nearly one is a fault."""
    page = (DOCS / "trace.md").read_text("utf-8")
    section = page.split("## What is a marker\n")[1].split("\n## ")[0]
    kinds = re.split(r"^\* \*\*|\n\n(?!\*)", section, flags=re.MULTILINE)
    seen = dict.fromkeys(("A marker is", "Wherever", "Without", "Nearly"), 0)
    for kind in kinds:
        begins = next((one for one in seen if kind.strip().startswith(one)), "")
        for example in re.findall(r"`([^`]*c[ _]?[0-9][^`]*|\[\w[^`]*\])`", kind):
            counts, faults = bool(markers(example)), bool(malformed(example))
            assert counts == (begins in {"A marker is", "Wherever"}), example
            assert faults == (begins == "Nearly"), example
            seen[begins] += 1
    assert min(seen.values()) >= 2


def test_the_pages_name_every_reason_kind_and_outcome():
    """As the code has them, so that none is added without a word about it."""
    trace_page, labels_page, grounding = (
        (DOCS / name).read_text("utf-8") for name in ("trace.md", "labels.md", "grounding.md")
    )
    for word in [*trace.DropReason, *trace.Relevance]:
        assert f"`{word}`" in trace_page
    for reason in labels.Reason:
        assert f"`{reason}`" in labels_page
    for word in [*EvidenceKind, *(one.upper() for one in [*Treatment, *SpanStatus])]:
        assert f"`{word}`" in grounding
    assert f"`{Outcome.EMPTY.upper()}`" in grounding


def test_the_example_of_the_labels_page():
    """Quoted by the gate, passed, and shown without labels."""
    text = "(m)A boat must carry a lamp. (/m: me, today)(u)So says the log.(/u: log)"
    plain = labels.parse(text).plain
    quoted = [labels.Quoted(0, plain.index("So") - 1, "act-s4", "2026-03-01")]
    assert labels.check(text).held
    assert not labels.check(text, quoted=quoted).held
    assert "(/m: act-s4, 2026-03-01)" in labels.assign(text, quoted)
