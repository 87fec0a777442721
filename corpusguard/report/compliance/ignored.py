"""What a run ignored, as the report lists it: each ignore, and the baseline as one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpusguard.model import SuppressionKind
from corpusguard.report.compliance.facts import IgnoreRecord
from corpusguard.report.summary import plural

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corpusguard.model import Suppression


def ignore_records(
    suppressed: Iterable[tuple[str, str, str, Suppression]],
) -> tuple[IgnoreRecord, ...]:
    """Return the lines of the report.

    Args:
        suppressed: Fingerprint, rule, section, and why the finding does not count.
    """
    records = []
    known = []
    for fingerprint, rule, section, why in suppressed:
        if why.kind is SuppressionKind.BASELINE:
            known.append(why)
        else:
            records.append(
                IgnoreRecord(fingerprint, rule, section, why.reason, why.owner, why.expires)
            )
    if known:
        # Hundreds on the day that a corpus is adopted; they share reason and date.
        count = plural(len(known), "finding")
        records.append(IgnoreRecord("baseline", count, "", known[0].reason, "", ""))
    return tuple(records)
