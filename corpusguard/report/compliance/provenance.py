"""Where an official text comes from, in words: whether the source was asked, and who brought it.

A run may verify a corpus to the last word against a text that is a year old. Whether the source has
changed since is then not known, and the report never answers as if it were.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from corpusguard.report.summary import plural, seconds_between
from corpusguard.report.text import safe

if TYPE_CHECKING:
    from corpusguard.report.compliance.facts import DocumentFacts, Facts

_DAY: Final = 86_400


def age(captured: str, started: str) -> str:
    """Return ``2 days before the run`` of two ISO times; empty where either is none."""
    seconds = seconds_between(captured, started)
    if seconds is None:
        return ""
    if seconds < 0:
        return "after the run began, by the clocks of both"
    days = int(seconds // _DAY)
    return f"{plural(days, 'day')} before the run" if days else "less than a day before the run"


def provenance(one: DocumentFacts, started: str) -> str:
    """Return what qualifies a document's answer; empty where the source itself was asked."""
    said = []
    if one.asked is False:
        said.append("the source was not asked in this run")
    captured = one.result.captured
    if captured and (one.asked is False or one.imported):
        old = age(captured, started)
        said.append(f"text captured on {safe(captured)}" + (f", {old}" if old else ""))
    if one.imported:
        said.append("imported by hand from a file, on the word of the person who brought it")
    return "; ".join(said)


def question(one: DocumentFacts) -> str:
    """Return what layer 1 answers of a text whose source was not asked."""
    day = safe(one.result.captured)[:10] or "an unknown day"
    return f"Is it the official text captured on {day}? Whether the source changed was not asked"


def qualified(facts: Facts) -> str:
    """Return the sentences that qualify the answer of a whole run, each after a space."""
    unasked = [one for one in facts.documents if one.asked is False]
    imported = sum(one.imported for one in facts.documents)
    total = len(facts.documents)
    said = ""
    if unasked:
        some = "" if len(unasked) == total else f" for {len(unasked):,} of {total:,} documents"
        said = f" The source was not asked in this run{some}: whether it has changed is not known"
        dates = sorted(one.result.captured for one in unasked if one.result.captured)
        if dates:
            old = age(dates[0], facts.started)
            oldest = "the oldest text was" if len(dates) > 1 else "the text was"
            said += f"; {oldest} captured on {safe(dates[0])}" + (f", {old}" if old else "")
        said += "."
    if imported:
        said += f" {plural(imported, 'official text')} came from a file imported by hand."
    return said
