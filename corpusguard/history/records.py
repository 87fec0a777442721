"""What history hands out: frozen records, and the words for their states."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from corpusguard.model import DocumentResult, Finding, Verdict

PassageKey = tuple[str, int]
"""Native id and occurrence number: the first row of an id is 0, its duplicates 1, 2, …"""


class RunState(StrEnum):
    """How far a run came."""

    RUNNING = "running"
    FINISHED = "finished"
    ABORTED = "aborted"


class FindingState(StrEnum):
    """Where a finding stands in its life."""

    NEW = "new"
    """First seen by this run."""
    OPEN = "open"
    """Seen before, and still there."""
    RESOLVED = "resolved"
    """Looked for by a later run, and not there any more."""
    REGRESSED = "regressed"
    """Was resolved, and is back."""


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One run; runs are ordered by number, never by the clock."""

    run: int
    started: str
    finished: str
    """Empty while it runs, and for a run that died."""
    state: RunState
    verdict: Verdict | None
    layers: tuple[str, ...]
    tool: str
    config_digest: str
    exit_code: int | None
    schedule: str = ""
    """Name of the schedule that it ran for; empty for one that a person began."""


@dataclass(frozen=True, slots=True)
class StoredResult:
    """The result of one document of one corpus in one run."""

    run: int
    corpus: str
    input_key: str
    result: DocumentResult
    asked_source: bool
    """Whether that run asked the source, or was offline."""


def asked_at(*, began: str, captured: str, asked_source: bool) -> str:
    """Return when the source was asked for the text that a run compared with, or empty.

    Args:
        began: When the run began, UTC, ISO 8601.
        captured: When the snapshot was captured that it rested on; empty: that is not known.
        asked_source: Whether the run asked the source. One that was offline makes no text younger.
    """
    return began if asked_source else min(captured, began)


@dataclass(frozen=True, slots=True)
class LastGood:
    """The last finished run that verified a document by all the layers asked for."""

    run: int
    finished: str
    captured: str
    """When the snapshot that it rested on was captured: an offline run may be young and rest on
    an old one."""
    asked: str
    """See ``asked_at``."""


@dataclass(frozen=True, slots=True)
class VerifiedRows:
    """Rows of one document of one corpus that are marked verified, by the run that last did so."""

    document: str
    corpus: str
    rows: int
    asked: str
    """See ``asked_at``."""


@dataclass(frozen=True, slots=True)
class PassageBaseline:
    """What a passage said when it last verified."""

    digest: str
    """``sha256:…`` of the stored text that verified."""
    since: str
    """Start of the run from which on it has verified without a break."""
    since_run: int
    last: str
    """Start of the last run that verified it."""
    last_run: int
    current: bool
    """Whether it still counts as verified: no decided run since has said otherwise."""
    asked: str = ""
    """When the source was asked for the text that ``last_run`` compared with: the start of that
    run, or for an offline one the capture of its snapshot; empty where history has no result."""


@dataclass(frozen=True, slots=True)
class PassageStanding:
    """Where one row of a corpus stands, for the gate."""

    id: str
    occurrence: int
    document: str
    corpus: str
    digest: str
    """``sha256:…`` of the stored text that last verified."""
    state: str
    """``verified``, ``violated`` or ``gone``: what the newest decided run says."""
    last_run: int
    """The last run that verified it; the fields below are that run's."""
    checked: str
    """When it began."""
    captured: str
    """When the snapshot was captured that it rested on."""
    asked_source: bool
    """Whether that run asked the source, or was offline."""
    snapshot: str
    consolidated_from: str
    currency_date: str
    corpus_digest: str
    corpus_root: str
    payload: str
    """Digest of the result's payload, which holds section and spans."""

    @property
    def asked(self) -> str:
        """When the source was asked for the text that it verified against; see ``asked_at``."""
        return asked_at(began=self.checked, captured=self.captured, asked_source=self.asked_source)


@dataclass(frozen=True, slots=True)
class DecisionRecord:
    """One decision of the gate."""

    number: int
    checked: str
    """When, UTC."""
    outcome: str
    reason: str
    """Why it was withheld, or empty."""
    run: int
    """The newest run at that time; 0: there was none."""
    head: str
    """Hash over this decision and the head of the one before it."""
    body: Mapping[str, Any]
    """The decision as the gate wrote it."""


@dataclass(frozen=True, slots=True)
class ReadingRecord:
    """How a snapshot was read, and by which version of the reader."""

    snapshot: str
    document: str
    captured: str
    reading_digest: str
    reader: str


@dataclass(frozen=True, slots=True)
class FindingRecord:
    """A finding with its life."""

    finding: Finding
    corpus: str
    """Name of the corpus, empty for findings of a run as a whole."""
    state: FindingState
    """As of the run asked for, or as of now."""
    first_run: int
    last_run: int
    resolved_run: int | None


@dataclass(frozen=True, slots=True)
class Break:
    """One thing that is not as it was sealed."""

    run: int
    """The run that it belongs to; 0 for the file as a whole."""
    table: str
    """Table, or ``file``, ``snapshots``, ``records``."""
    what: str
    rule: str = "CG702"
    """CG702 history_broken, or CG701 evidence_missing."""


@dataclass(frozen=True, slots=True)
class Audit:
    """What checking a whole history found."""

    breaks: tuple[Break, ...]
    """The first break first: the file, then run by run."""
    heads: tuple[tuple[int, str], ...]
    """(run, head as computed again) of every record, in order."""
    snapshots: int
    """Snapshots and capture records that were read and hashed."""
    unsealed: tuple[int, ...]
    """Runs that are running, or died and were not yet sealed by the next one."""
    decisions: int
    """Decisions of the gate whose hash was computed again."""
