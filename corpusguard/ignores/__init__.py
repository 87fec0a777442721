"""Ignores and the baseline: which findings count, and which a person has taken on.

Pure: no file, no clock. ``config.ignores`` reads the two files, ``service.ignoring`` writes them.

An ignore and a baseline take findings out of the *exit code*, and every report shows them as
ignored or known. They change no verdict, no passage and no coverage: what is not verified stays
unverified, and the gate lets nothing through on their account. See ``docs/adr/0007``.
"""

from corpusguard.ignores.apply import Applied, Looked, applied_in, apply, looked_for, moved, problem
from corpusguard.ignores.baseline import baseline_from, baseline_text, dropped, entry_of
from corpusguard.ignores.entries import (
    NO_LISTS,
    Baseline,
    Entry,
    Ignore,
    IgnoreFile,
    Lists,
    shown,
    why_not,
)
from corpusguard.ignores.judge import accepted, counting, exit_code, layer_accepted
from corpusguard.ignores.text import append_ignore, ignore_table, without

__all__ = [
    "NO_LISTS",
    "Applied",
    "Baseline",
    "Entry",
    "Ignore",
    "IgnoreFile",
    "Lists",
    "Looked",
    "accepted",
    "append_ignore",
    "applied_in",
    "apply",
    "baseline_from",
    "baseline_text",
    "counting",
    "dropped",
    "entry_of",
    "exit_code",
    "ignore_table",
    "layer_accepted",
    "looked_for",
    "moved",
    "problem",
    "shown",
    "why_not",
    "without",
]
