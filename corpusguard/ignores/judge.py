"""Which findings still count, and the exit code that follows.

The one place that says so: for `verify`, schedules, `status`, reports and the gates in CI.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpusguard.layers.draft import leaves_open
from corpusguard.model import Severity, Verdict

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from corpusguard.model import DocumentResult, Finding, RunResult

_DECISIVE = frozenset({Severity.ERROR, Severity.WARNING})


def counting(
    findings: Iterable[Finding], suppressed: Collection[str], fail_on: Severity
) -> list[Finding]:
    """Return the findings that make the exit code 1, in their order.

    Args:
        findings: Of a run, or of a part of it.
        suppressed: Fingerprints that are ignored or in the baseline: the keys of
            ``RunResult.suppressions``.
        fail_on: The least severity that counts.

    An error of no layer (CG5xx) says "could not be verified", which is exit code 3; it is not a
    finding about the corpus.
    """
    bad = {Severity.ERROR} if fail_on is Severity.ERROR else _DECISIVE
    return [
        finding
        for finding in findings
        if finding.severity in bad
        and finding.fingerprint not in suppressed
        and not (finding.layer is None and finding.severity is Severity.ERROR)
    ]


def layer_accepted(document: DocumentResult, layer: str, suppressed: Collection[str]) -> bool:
    """Tell whether nothing but suppressed errors kept a layer from verifying a document.

    True for a verified layer. Never for one that is unverifiable, nor where a finding leaves the
    layer open beside the errors: without them it would be unverifiable.
    """
    verdict = document.layers.get(layer, Verdict.UNVERIFIABLE)
    if verdict is not Verdict.VIOLATED:
        return verdict is Verdict.VERIFIED
    found = [finding for finding in document.findings if finding.layer == layer]
    errors = [finding for finding in found if finding.severity is Severity.ERROR]
    return (
        bool(errors)
        and all(error.fingerprint in suppressed for error in errors)
        and not any(leaves_open(finding) for finding in found)
    )


def accepted(document: DocumentResult, suppressed: Collection[str]) -> bool:
    """Tell whether nothing but suppressed errors kept a document from verifying.

    Such a document is *not* verified; only the exit code is 0. Without a passage or a provision
    there is nothing that could be accepted.
    """
    if document.verdict is not Verdict.VIOLATED:
        return document.verdict is Verdict.VERIFIED
    return (
        document.passages > 0
        and document.provisions > 0
        # The verdict must follow from a layer: what nothing explains is accepted by nobody.
        and Verdict.VIOLATED in document.layers.values()
        and all(layer_accepted(document, layer, suppressed) for layer in document.layers)
        and not any(
            finding.severity is Severity.ERROR and finding.fingerprint not in suppressed
            for finding in document.findings
        )
    )


def exit_code(result: RunResult, fail_on: Severity) -> int:
    """Return 0, 1 or 3 by the contract: findings that count first, then what was not verified."""
    suppressed = result.suppressions
    everything = [*result.findings, *(f for d in result.documents for f in d.findings)]
    if counting(everything, suppressed, fail_on):
        return 1
    good = (
        bool(result.documents)
        and not any(finding.severity is Severity.ERROR for finding in result.findings)
        and all(accepted(document, suppressed) for document in result.documents)
    )
    return 0 if result.verdict is Verdict.VERIFIED or good else 3
