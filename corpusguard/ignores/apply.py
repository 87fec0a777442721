"""What the two lists do to the findings of a run.

An ignore applies while the finding it names is there with both texts as they were, and until its
last day. One that has expired is CG602; one that a run looked for and that applies to nothing, or
whose texts have moved, is CG603. An entry of a baseline that applies to nothing is no finding: the
list may only shrink, and ``baseline update`` shrinks it.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, Final

from corpusguard.ignores.entries import shown, why_not
from corpusguard.layers.draft import draft
from corpusguard.model import Suppression, SuppressionKind, Verdict
from corpusguard.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corpusguard.ignores.entries import Entry, Ignore, Lists
    from corpusguard.model import DocumentResult, Finding

SCHEMA: Final = "corpusguard/suppressions/1"
_DECIDED: Final = frozenset({Verdict.VERIFIED, Verdict.VIOLATED})


@dataclass(frozen=True, slots=True)
class Looked:
    """What a run looked at, and what it could have."""

    results: Mapping[tuple[str, str], DocumentResult]
    """(corpus, document) -> result."""
    corpora: frozenset[str]
    """Corpora that are configured."""
    documents: frozenset[str]
    """Documents that a source lists."""
    found: Mapping[str, tuple[str, Finding]] = field(init=False)
    """Fingerprint -> (corpus, finding)."""

    def __post_init__(self) -> None:
        """Index the findings."""
        found = {
            finding.fingerprint: (corpus, finding)
            for (corpus, _), result in self.results.items()
            for finding in result.findings
        }
        object.__setattr__(self, "found", found)


@dataclass(slots=True)
class Applied:
    """What came of it."""

    suppressions: dict[str, Suppression] = field(default_factory=dict)
    """Fingerprint -> why it does not count."""
    findings: list[Finding] = field(default_factory=list)
    """CG602 and CG603, still without fingerprints."""
    gone: list[Entry] = field(default_factory=list)
    """Entries of the baseline that apply to nothing any more."""
    record: dict[str, Any] | None = None
    """What the evidence of the run keeps; None where there is no list."""


def apply(lists: Lists, looked: Looked, today: date, *, same_history: bool = False) -> Applied:
    """Apply both lists to what a run found. An ignore wins over the baseline: it says more.

    Args:
        lists: Both lists.
        looked: What the run found, and where it looked.
        today: Day of the run, UTC.
        same_history: Whether the run that the baseline was made of, with that head, is in the
            history of this run. It need not be, since a CI machine may begin a new one; then the
            reports say so.
    """
    applied = Applied()
    if not lists.any:
        return applied
    used: list[dict[str, Any]] = []
    for ignore in lists.ignores.ignores:
        wrong = problem(ignore, looked, today)
        if wrong:
            applied.findings.append(_finding(wrong[0], ignore, wrong[1]))
        elif ignore.entry.fingerprint in looked.found:
            applied.suppressions[ignore.entry.fingerprint] = Suppression(
                SuppressionKind.IGNORE,
                reason=ignore.reason,
                owner=ignore.owner,
                written=ignore.written,
                expires=ignore.expires,
            )
            used.append(_used(ignore.entry, applied.suppressions[ignore.entry.fingerprint]))
    day = lists.baseline.finished[:10]
    known = Suppression(
        SuppressionKind.BASELINE,
        reason=f"known since run {lists.baseline.run}, of which the baseline was made"
        if same_history
        else f"in the baseline, made on {day} of run {lists.baseline.run} of another history",
        written=day,
    )
    for entry in lists.baseline.entries:
        if entry.fingerprint in applied.suppressions:
            continue
        if _matches(entry, looked):
            applied.suppressions[entry.fingerprint] = known
            used.append(_used(entry, known))
        elif looked_for(entry, looked):
            applied.gone.append(entry)
    applied.record = {
        "schema": SCHEMA,
        "ignore_file": lists.ignores.digest,
        "baseline_file": lists.baseline.digest,
        "baseline_run": lists.baseline.run,
        "baseline_gone": sorted(entry.fingerprint for entry in applied.gone),
        "applied": sorted(used, key=lambda one: str(one["fingerprint"])),
    }
    return applied


def problem(ignore: Ignore, looked: Looked, today: date) -> tuple[str, str] | None:
    """Return the rule that an ignore breaks, and how; None where it applies or is not in question.

    A day's grace for a date in the future: whoever writes one by hand may live east of Greenwich.
    """
    if date.fromisoformat(ignore.expires) < today:
        return "CG602", f"it expired on {ignore.expires}"
    if date.fromisoformat(ignore.written) > today + timedelta(days=1):
        return "CG603", f"it says that it was written on {ignore.written}, which has not come yet"
    there = looked.found.get(ignore.entry.fingerprint)
    if there is not None:
        why = differs(ignore.entry, *there)
        return ("CG603", why) if why else None
    if looked_for(ignore.entry, looked):
        return "CG603", "its finding is gone"
    return None


def moved(entry: Entry, finding: Finding) -> str:
    """Return what has moved since an entry was written; empty: nothing."""
    sides = {
        "official": finding.official_digest != entry.official,
        "stored": finding.stored_digest != entry.stored,
    }
    names = [name for name, differs in sides.items() if differs]
    return f"the {' and the '.join(names)} text has moved since it was written" if names else ""


def looked_for(entry: Entry, looked: Looked) -> bool:
    """Tell whether a run would have seen the finding of an entry, were it still there.

    A run of other documents or layers says nothing about it. What is not configured any more is
    looked for in vain, for ever.
    """
    if entry.corpus not in looked.corpora or entry.document not in looked.documents:
        return True
    result = looked.results.get((entry.corpus, entry.document))
    if result is None or result.verdict not in _DECIDED:
        return False
    layer = RULES[entry.rule].layer
    return layer is None or result.layers.get(str(layer)) in _DECIDED


def _matches(entry: Entry, looked: Looked) -> bool:
    there = looked.found.get(entry.fingerprint)
    return there is not None and not differs(entry, *there)


def differs(entry: Entry, corpus: str, finding: Finding) -> str:
    """Return why an entry does not apply to the finding with its fingerprint."""
    says = (entry.rule, entry.corpus, entry.document, entry.section, entry.passage)
    about = (finding.rule, corpus, finding.document, shown(finding.section), shown(finding.passage))
    if says != about:
        return "it names another rule, document, section or passage than its fingerprint"
    if why := why_not(finding):
        return f"its finding can never be ignored: {why}"
    return moved(entry, finding)


def _finding(rule: str, ignore: Ignore, why: str) -> Finding:
    entry = ignore.entry
    return draft(
        rule,
        entry.document,
        f"the ignore of {entry.rule} {entry.fingerprint} ({ignore.owner}: {ignore.reason}) does "
        f"not apply: {why}",
        section=entry.section,
        passage=entry.passage,
    )


def _used(entry: Entry, why: Suppression) -> dict[str, Any]:
    return {key: str(value) for key, value in {**asdict(entry), **asdict(why)}.items()}


def applied_in(record: Mapping[str, Any]) -> dict[str, Suppression]:
    """Return fingerprint -> why it did not count, of what ``Applied.record`` keeps."""
    return {
        one["fingerprint"]: Suppression(
            SuppressionKind(one["kind"]),
            reason=one["reason"],
            owner=one["owner"],
            written=one["written"],
            expires=one["expires"],
        )
        for one in record["applied"]
    }
