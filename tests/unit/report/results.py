"""Hand-built results of invented law for the report tests."""

from __future__ import annotations

from corpusguard.model import (
    Cause,
    Coverage,
    Difference,
    DocumentResult,
    Finding,
    Layer,
    RunResult,
    Severity,
    Verdict,
)

DOC = "ca-on/statute/19h31@en"
ALL = ("L1", "L2", "L3")


def finding(rule="CG101", **changed):
    """A finding about a number that was changed in the stored text."""
    values = {
        "rule": rule,
        "severity": Severity.ERROR,
        "layer": Layer.L1,
        "document": DOC,
        "message": "a number differs",
        "provision": "sec_7__subsec_2",
        "section": "7",
        "passage": "p-7-2",
        "row": 11,
        "where": "store/market.jsonl:12",
        "cause": Cause.CORPUS_ALTERED,
        "differences": (Difference.NUMBER,),
        "official": "A stall licence lasts 30 days.",
        "stored": "A stall licence lasts 90 days.",
        "diff": "A stall licence lasts [-30-]{+90+} days.",
        "fingerprint": "f00dfeed0001",
        "evidence": ("sha256:" + "a" * 64,),
    }
    return Finding(**(values | changed))


def document(*findings, **changed):
    """A violated document whose coverage is 24 % under its labels."""
    values = {
        "id": DOC,
        "verdict": Verdict.VIOLATED,
        "layers": {"L1": Verdict.VIOLATED, "L2": Verdict.VERIFIED, "L3": Verdict.UNVERIFIABLE},
        "findings": findings,
        "snapshot": "sha256:" + "b" * 64,
        "consolidated_from": "2026-01-01",
        "currency_date": "2026-11-27",
        "provisions": 307,
        "passages": 732,
        "verified_passages": 540,
        "coverage": Coverage(words=10_000, covered=2_400, covered_any_label=5_800),
        "captured": "2026-11-29T00:00:00Z",
    }
    return DocumentResult(**(values | changed))


def clean(**changed):
    """A document without a fault."""
    layers = dict.fromkeys(ALL, Verdict.VERIFIED)
    covered = Coverage(words=500, covered=500, covered_any_label=500)
    return document(
        verdict=Verdict.VERIFIED, layers=layers, passages=9, verified_passages=9, coverage=covered
    )


def run(*documents, **changed):
    """A run of three layers that took 2.5 seconds."""
    values = {
        "run": 12,
        "verdict": Verdict.VIOLATED,
        "started": "2026-11-29T03:00:00.000Z",
        "finished": "2026-11-29T03:00:02.500Z",
        "tool": "corpusguard 0.1.0",
        "layers": ALL,
        "documents": documents,
        "states": {"f00dfeed0001": "open"},
    }
    return RunResult(**(values | changed))


HOSTILE = "\x1b[2J\x1b]0;owned\x07\x9b31m\u202egnp.exe\u2066[red]x[/red]\n::error::planted\ud800"
"""ANSI, an OSC title, a C1 control, bidi overrides, rich markup, a workflow command, a surrogate."""
