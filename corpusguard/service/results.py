"""What the service hands to the command line, beside the model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corpusguard.model import Snapshot


@dataclass(frozen=True, slots=True)
class FetchOutcome:
    """What came of capturing one rendition of one document."""

    document: str
    snapshot: Snapshot | None
    """None when nothing could be accepted."""
    rule: str = ""
    """CG5xx, when nothing could be accepted."""
    message: str = ""
    unchanged: bool = False
    """The same bytes as before."""


@dataclass(frozen=True, slots=True)
class DocumentStatus:
    """Where one document of one corpus stands, as history knows it."""

    document: str
    corpus: str
    verdict: str
    """Of the last run that looked at it; empty when none has."""
    last_run: int
    finished: str
    last_good_run: int
    last_good: str
    """When the last run that verified it finished, or empty."""
    max_age_seconds: int
    too_old: bool
    """Never verified, or the text that the last good run verified against was asked of the source
    longer ago than ``max_age_seconds``: a run that was offline is as old as its capture."""
    words: int | None = None
    covered: int | None = None
    open_errors: int = 0
    open_warnings: int = 0
    """Open findings that count; those of a list stand in ``suppressed``."""
    awaiting_errors: int = 0
    """Of the open errors, those of an earlier run that only asking the source can settle: the last
    run did not see them, and could not have. An offline run leaves them open."""
    awaiting_warnings: int = 0
    """Of the open warnings, in the same way."""
    accepted: bool = False
    """Violated by nothing but findings that are ignored or in the baseline: not verified, and no
    reason for exit code 1."""
    accepted_too_old: bool = False
    """Accepted by a run of fewer layers than three, or on a text older than allowed. ``too_old`` is
    about verification alone, and so stays true of what was never verified."""
    suppressed: int = 0
    """Open findings that are ignored or in the baseline."""
    text_asked: str = ""
    """When the source was asked for the text that its passages verified against, of several texts
    the oldest; empty: none of its passages is marked verified."""
    text_age_seconds: int | None = None
    verified_passages: int = 0
    """Passages that are marked verified now."""
    too_old_passages: int = 0
    """Of these, those that the gate refuses for their age."""


@dataclass(frozen=True, slots=True)
class CorpusAge:
    """How old the text of one corpus is, as the gate counts it; the fields as of a document."""

    corpus: str
    max_age_seconds: int
    text_asked: str
    text_age_seconds: int | None
    verified_passages: int
    too_old_passages: int


@dataclass(frozen=True, slots=True)
class RunError:
    """An error of the newest run as a whole, such as rows of a document that no source lists."""

    run: int
    rule: str
    layer: str
    """``L1`` to ``L3``; empty: something could not be verified at all."""
    message: str


@dataclass(frozen=True, slots=True)
class CorpusStatus:
    """Where everything stands, as history knows it."""

    documents: tuple[DocumentStatus, ...] = ()
    errors: tuple[RunError, ...] = ()
    corpora: tuple[CorpusAge, ...] = ()


@dataclass(frozen=True, slots=True)
class ProvisionChange:
    """How one provision differs between two snapshots."""

    pid: str
    section: str
    kind: str
    """``added``, ``removed``, ``changed`` or ``status``."""
    before: str
    after: str
    diff: str


@dataclass(frozen=True, slots=True)
class Check:
    """One check of ``corpusguard doctor``."""

    name: str
    ok: bool | None
    """None: a warning."""
    detail: str
    hint: str = ""
