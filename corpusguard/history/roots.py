"""The leaves of a run's Merkle trees: its passages and its findings.

A leaf is canonical JSON. Text that neither UTF-8 nor SQLite can hold is written as ``storable``
writes it, so that leaves can be built again from the tables.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from corpusguard.evidence import canonical, root
from corpusguard.history.rows import storable
from corpusguard.history.verified import passage_keys
from corpusguard.model import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from corpusguard.history.records import FindingState
    from corpusguard.history.rows import Scope
    from corpusguard.model import Finding, PassageState


def passage_leaves(document: str, states: Sequence[PassageState]) -> list[bytes]:
    """Return one leaf a passage of a document, in the order of its rows.

    A leaf says nothing of the run: nights on which nothing changed share one root.
    """
    keys = passage_keys(states)
    return [
        canonical(
            {
                "document": storable(document),
                "id": keys[state.row][0],
                "occurrence": keys[state.row][1],
                "section": storable(state.section),
                "digest": storable(state.digest),
                "verified": state.verified,
            }
        )
        for state in sorted(states, key=lambda state: state.row)
    ]


def finding_leaves(
    scope: Scope, findings: Iterable[Finding], states: Mapping[str, FindingState]
) -> list[bytes]:
    """Return one leaf a finding, in the order of the result, in the state that the run gave it.

    Its texts are bound by the digest of the payload, which stands in the record beside the root.
    """
    return [
        canonical(
            {
                "corpus": scope.corpus,
                "document": scope.document,
                "fingerprint": storable(finding.fingerprint),
                "rule": finding.rule,
                "severity": str(finding.severity),
                "layer": str(finding.layer or ""),
                "section": storable(finding.section),
                "provision": storable(finding.provision),
                "passage": storable(finding.passage),
                "cause": str(finding.cause or ""),
                "state": str(states[finding.fingerprint]),
            }
        )
        for finding in findings
    ]


def findings_root(
    scope: Scope, findings: Iterable[Finding], states: Mapping[str, FindingState]
) -> str:
    """Return the root over ``finding_leaves``."""
    return root(finding_leaves(scope, findings, states))


def counts(findings: Iterable[Finding]) -> dict[str, Any]:
    """Return how many findings there are of each severity."""
    tally = Counter(str(finding.severity) for finding in findings)
    return {str(severity): tally[str(severity)] for severity in Severity}
