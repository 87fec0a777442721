"""Building findings: caps, usual severities, fingerprints."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from corpusguard.model import Difference, Finding, Layer, Severity
from corpusguard.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corpusguard.model import Cause

SHOWN: Final = 1_200
"""Most code points of official or stored text that a finding carries."""
NOT_STORED: Final = "no snapshot is stored"
CURRENCY_UNKNOWN: Final = "the currency date could not be had"
VERSIONS_UNKNOWN: Final = "the list of versions could not be had"
CURRENCY_WENT_BACK: Final = "the source's currency date went back"
VERSIONS_DISAGREE: Final = "the source's list of versions has the current version begin"
NEW_KEY: Final = "the payload has a key that was not known before"
CLOCK_DIFFERS: Final = "the local clock is"
_KINDS: Final = (
    NOT_STORED,
    CURRENCY_UNKNOWN,
    VERSIONS_UNKNOWN,
    CURRENCY_WENT_BACK,
    VERSIONS_DISAGREE,
    NEW_KEY,
    CLOCK_DIFFERS,
)
"""How messages open that share a rule and a document with others and are about something else.

What follows the opening (a time, a number, what a server answered) changes from night to night.
"""


def clip(text: str, most: int = SHOWN) -> str:
    """Cut text for a finding; what is cut is said."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def whole(text: str) -> str:
    """``sha256:…`` of a text before it is cut; JSON's escapes hold what UTF-8 cannot."""
    return "sha256:" + hashlib.sha256(json.dumps(text).encode("ascii")).hexdigest()


def counted(number: int, thing: str = "word") -> str:
    """``1 word``, ``2 words``."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def draft(  # noqa: PLR0913 - one keyword per field of a finding
    rule: str,
    document: str,
    message: str,
    *,
    severity: Severity | None = None,
    section: str = "",
    provision: str = "",
    passage: str = "",
    row: int = -1,
    where: str = "",
    cause: Cause | None = None,
    differences: Iterable[Difference] = (),
    official: str = "",
    stored: str = "",
    diff: str = "",
) -> Finding:
    """A finding with its rule's usual severity and layer, and its texts capped.

    A text that is cut leaves its digest in the finding: ``sides`` takes that for the text.
    """
    known = RULES[rule]
    return Finding(
        rule=rule,
        severity=severity or known.severity,
        layer=known.layer,
        document=document,
        message=message,
        section=section,
        provision=provision,
        passage=passage,
        row=row,
        where=where,
        cause=cause,
        differences=tuple(sorted(set(differences))),
        official=clip(official),
        stored=clip(stored),
        diff=clip(diff),
        official_digest=whole(official) if len(official) > SHOWN else "",
        stored_digest=whole(stored) if len(stored) > SHOWN else "",
    )


def with_fingerprints(
    findings: Iterable[Finding], corpus: str, evidence: tuple[str, ...]
) -> tuple[Finding, ...]:
    """Give each finding the identity that its lifecycle follows from run to run.

    It is made of what the finding is about (rule, document, corpus, section, provision, passage),
    never of its texts or its row number: those may move while the fault stays the same. Several
    findings about one thing are told apart by their order.

    A fault of the source names no provision: the kind of its message, by how it opens, tells "the
    currency date could not be had" from "no snapshot is stored". A source that gives no usable
    answer has no kind: tonight's time-out and tomorrow's status 503 are one fault.
    """
    seen: dict[str, int] = {}
    done = []
    for finding in findings:
        about = (
            f"{finding.rule}\x1f{finding.document}\x1f{corpus}\x1f{finding.section}\x1f"
            f"{finding.provision}\x1f{finding.passage}{_kind(finding)}"
        )
        number = seen.get(about, 0)
        seen[about] = number + 1
        # An id may hold a lone surrogate: JSON can write one, UTF-8 cannot.
        key = f"{about}\x1f{number}".encode("utf-8", "surrogatepass")
        digest = hashlib.sha256(key).hexdigest()[:16]
        done.append(replace(finding, fingerprint=digest, evidence=evidence))
    return tuple(done)


def _kind(finding: Finding) -> str:
    """Return what to add to the identity of a fault of the source; empty for all other findings."""
    if finding.layer is not None or not finding.rule.startswith("CG5"):
        return ""
    return next((f"\x1f{kind}" for kind in _KINDS if finding.message.startswith(kind)), "")


def leaves_open(finding: Finding) -> bool:
    """Tell whether a finding means "cannot be told": it leaves its layer without a verdict.

    An unknown range of section numbers, or a PDF that could not confirm.
    """
    if finding.severity is not Severity.WARNING:
        return False
    return (finding.rule, finding.layer) in {("CG302", Layer.L3), ("CG205", Layer.L2)}


def worst_first(finding: Finding) -> tuple[int, str]:
    """Sort key: errors, warnings, notes; then by rule."""
    order = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.NOTE: 2}
    return order[finding.severity], finding.rule
