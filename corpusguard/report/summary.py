"""Counts, shares and order: the figures that all reports share."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import TYPE_CHECKING, Final

from corpusguard.model import Cause, Severity, SuppressionKind, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corpusguard.model import Finding, RunResult, Suppression

RANK: Final = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.NOTE: 2}
"""Worst first."""
SIGN: Final = {Verdict.VERIFIED: "✓", Verdict.VIOLATED: "✗", Verdict.UNVERIFIABLE: "?"}
"""Always printed beside the word: a sign or a colour alone says too little."""
WHOLE_RUN: Final = "the run as a whole"
"""Stands where a finding names no document, section or passage: no reader shows an empty place."""


def all_findings(result: RunResult) -> list[Finding]:
    """Return the run's own findings, then each document's, in the order of the result."""
    found = list(result.findings)
    for document in result.documents:
        found.extend(document.findings)
    return found


def counts(findings: Iterable[Finding]) -> dict[str, int]:
    """Count findings by severity; every severity is a key, worst first."""
    tally = Counter(finding.severity for finding in findings)
    return {str(severity): tally[severity] for severity in RANK}


def suppressed_counts(result: RunResult) -> dict[str, int]:
    """Count the findings that do not count towards the exit code, by the list they are on.

    ``baseline_gone`` counts entries of the baseline that were looked for and not found.
    """
    tally = Counter(
        why.kind
        for finding in all_findings(result)
        if (why := result.suppressions.get(finding.fingerprint))
    )
    return {
        **{str(kind): tally[kind] for kind in SuppressionKind},
        "baseline_gone": result.baseline_gone,
    }


def split(result: RunResult) -> tuple[list[Finding], list[Finding]]:
    """Return the findings that count, and those that are ignored or known, each in order."""
    found = all_findings(result)
    return (
        [finding for finding in found if finding.fingerprint not in result.suppressions],
        [finding for finding in found if finding.fingerprint in result.suppressions],
    )


def suppressed_words(result: RunResult) -> str:
    """Return ``2 ignored, 700 known``, and what of the baseline is gone; empty where none is."""
    found = suppressed_counts(result)
    words = {"ignored": found["ignore"], "known": found["baseline"]}
    parts = [f"{number:,} {word}" for word, number in words.items() if number]
    if result.baseline_gone:
        parts.append(f"{result.baseline_gone:,} of the baseline gone")
    return ", ".join(parts)


def why_suppressed(suppression: Suppression) -> str:
    """Return in one line why a finding does not count, reason and owner as they were given."""
    if suppression.kind is SuppressionKind.BASELINE:
        return suppression.reason
    return (
        f"ignored until {suppression.expires} by {suppression.owner} "
        f"(since {suppression.written}): {suppression.reason}"
    )


def by_rule(findings: Iterable[Finding]) -> list[tuple[str, list[Finding]]]:
    """Group findings by rule, worst rule first, then the most frequent; worst first within."""
    groups: dict[str, list[Finding]] = {}
    for finding in findings:
        groups.setdefault(finding.rule, []).append(finding)
    for group in groups.values():
        group.sort(key=lambda finding: RANK[finding.severity])
    return sorted(
        groups.items(), key=lambda item: (RANK[item[1][0].severity], -len(item[1]), item[0])
    )


def state_of(result: RunResult, finding: Finding) -> str:
    """Return the finding's life-cycle state; what history does not know is new."""
    return result.states.get(finding.fingerprint, "new")


def cause_words(cause: Cause) -> str:
    """Return a cause for a reader; JSON and SARIF have its id.

    The one id that says "baseline" has nothing to do with ``corpusguard-baseline.json``.
    """
    if cause is Cause.UNKNOWN_NO_BASELINE:
        return "unknown: no verified state to compare with"
    return str(cause).replace("_", " ")


def fraction(part: int, whole: int) -> float | None:
    """Return ``part / whole`` to four digits, or None where there is nothing to divide by.

    Rounding never claims all or nothing: 99,999 of 100,000 is 0.9999, and 1 of 100,000 is 0.0001.
    """
    if whole <= 0:
        return None
    if part in {0, whole}:
        return float(part == whole)
    return min(max(round(part / whole, 4), 0.0001), 0.9999)


def percent(part: int, whole: int) -> str:
    """Return the share as ``24.0 %`` (never 100.0 % unless it is all), or ``unmeasured``."""
    if whole <= 0:
        return "unmeasured"
    if part in {0, whole}:
        return "100 %" if part else "0 %"
    return f"{min(max(100 * part / whole, 0.1), 99.9):.1f} %"


def seconds_between(start: str, end: str) -> float | None:
    """Return seconds from one ISO 8601 time to another, or None where either is not one."""
    try:
        return (datetime.fromisoformat(end) - datetime.fromisoformat(start)).total_seconds()
    except (ValueError, TypeError):  # empty, malformed, or one with and one without a zone
        return None


def span(seconds: float) -> str:
    """Return a duration in the unit a person would use: ``2.3 s``, ``4 min``, ``3 h``, ``12 d``."""
    for size, unit in ((172_800, "d"), (7_200, "h"), (120, "min")):
        if seconds >= size:
            return f"{seconds / {'d': 86_400, 'h': 3_600, 'min': 60}[unit]:.0f} {unit}"
    if seconds < 1:
        return "under 1 s"
    return f"{seconds:.1f}".removesuffix(".0") + " s"


def plural(number: int, noun: str) -> str:
    """Return ``1 finding``, ``2 findings``, ``1,200 findings``."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def tally(findings: Iterable[Finding]) -> str:
    """Return ``2 errors, 1 warning, 0 notes``."""
    return ", ".join(plural(number, name) for name, number in counts(findings).items())
