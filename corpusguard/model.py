r"""The words of the project as frozen dataclasses and enums. No functions live here.

A function in this module would be code that both readers could share; a test forbids it.

Invariants
----------
* ``Reading.text`` is the whole visible text of a document in canonical form (NFC, runs of white
  space to one space, zero-width characters and soft hyphens removed; quotes, dashes and case as
  printed). Blocks (printed paragraphs, table cells) are joined by ``"\n"``, segments inside a
  block by ``" "``.
* ``Reading.segments`` are in document order, do not overlap, and together hold every character
  of ``text`` but the separators: every visible word is placed exactly once.
* Offsets are code points into ``Reading.text``; spans are half open, ``[start, end)``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class Status(StrEnum):
    """The legal status of a provision's text."""

    IN_FORCE = "in_force"
    NOT_IN_FORCE = "not_in_force"
    REPEALED = "repealed"
    REVOKED = "revoked"
    OMITTED = "omitted"
    SPENT = "spent"


class Context(StrEnum):
    """Where in the document a provision stands; numbering restarts with each context."""

    BODY = "body"
    SCHEDULE = "schedule"
    FORM = "form"
    TABLE = "table"
    NOTE = "note"


class Kind(StrEnum):
    """What a provision is. Ontario's terms: (a) clause, 1. paragraph, (i) subclause, i. subpara."""

    PREAMBLE = "preamble"
    PART = "part"
    HEADING = "heading"
    SECTION = "section"
    SUBSECTION = "subsection"
    CLAUSE = "clause"
    PARAGRAPH = "paragraph"
    SUBCLAUSE = "subclause"
    SUBPARAGRAPH = "subparagraph"
    SUBSUBCLAUSE = "subsubclause"
    SUBSUBPARAGRAPH = "subsubparagraph"
    DEFINITION = "definition"
    FLUSH = "flush"
    EQUATION = "equation"
    SCHEDULE = "schedule"
    FORM = "form"
    TABLE = "table"
    ROW = "row"
    IMAGE = "image"


class Channel(StrEnum):
    """What a segment of text is for; each channel is compared at its own severity."""

    BODY = "body"
    """Words of the law, table cells included."""
    MARKER = "marker"
    """A printed number: ``36.1``, ``(2)``, ``(a)``, ``i.``."""
    HEADING = "heading"
    """Part, group, schedule, form and table titles."""
    HEADNOTE = "headnote"
    """The marginal note of a section or subsection."""
    HISTORY = "history"
    """Amendment-history citations and the "Section Amendments" notes."""
    NOTE = "note"
    """Editorial notes: ``Pnote`` lead-ins, text alternatives."""
    PLACEHOLDER = "placeholder"
    """Stands for an image or equation: ``[image: alternative text]``."""
    CONTENTS = "contents"
    """The publisher's table of contents."""
    FRONT = "front"
    """Title, chapter, consolidation period, legislative history, links, rules."""


class Layer(StrEnum):
    """The three layers."""

    L1 = "L1"
    L2 = "L2"
    L3 = "L3"


class Severity(StrEnum):
    """How bad a finding is."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Verdict(StrEnum):
    """The answer for a document or a layer. Unverifiable is never a pass."""

    VERIFIED = "verified"
    VIOLATED = "violated"
    UNVERIFIABLE = "unverifiable"


class Cause(StrEnum):
    """Why stored and official text differ."""

    SOURCE_AMENDED = "source_amended"
    CORPUS_ALTERED = "corpus_altered"
    READER_CHANGED = "reader_changed"
    INGESTED_WRONG = "ingested_wrong"
    UNKNOWN_NO_BASELINE = "unknown_no_baseline"


class Difference(StrEnum):
    """The class of a textual difference; the last six are kinds of wording."""

    TYPOGRAPHIC = "typographic"
    NUMBERING = "numbering"
    HISTORY_NOTE = "history_note"
    HEADING = "heading"
    WORDING = "wording"
    NUMBER = "number"
    DATE = "date"
    MONEY = "money"
    NEGATION = "negation"
    MODAL = "modal"
    EXCEPTION = "exception"


class Rendition(StrEnum):
    """The forms in which a publisher offers a document."""

    PAYLOAD = "payload"
    """The API's JSON document."""
    CONTENT = "content"
    """The ``content`` field alone, as HTML."""
    PAGE = "page"
    """The prerendered page."""
    DOCX = "docx"
    """The Word download (zip)."""
    DOC = "doc"
    """The binary Word download, which we cannot read."""
    PDF = "pdf"
    """An official PDF."""


@dataclass(frozen=True, slots=True)
class Segment:
    """One run of text with one purpose."""

    start: int
    """First code point in ``Reading.text``."""
    end: int
    """One past the last code point."""
    channel: Channel
    provision: int
    """Index into ``Reading.provisions``; -1 for contents, front matter and notes before it all."""
    status: Status
    block: int
    """Ordinal of the printed paragraph or cell that holds it."""


@dataclass(frozen=True, slots=True)
class Provision:
    """A node of the official text."""

    pid: str
    """Akoma Ntoso eId style: ``sec_4.1__subsec_2__para_a``; a duplicate gets ``~2``."""
    kind: Kind
    number: str
    """The number without punctuation: ``36.1``, ``2``, ``a``; ranges as printed: ``22.1-25``."""
    label: str
    """The number as printed: ``36.1``, ``(2)``, ``(a)``, ``12., 13.``."""
    parent: int
    """Index of the enclosing provision, -1 at the top."""
    section: str
    """Locator of the enclosing section-level unit: ``36.1``; in schedules, forms and tables
    ``Sched. 2``, ``Sched. 2, 3``, ``Form 1``, ``Table 1``; ``Preamble`` before the first section;
    empty for parts and group headings."""
    subsection: str
    """Number of the enclosing subsection without brackets, or empty."""
    heading: str
    """Headnotes bound to this provision, in order, joined by ``" / "``; a part's or schedule's
    own title."""
    text: str
    """Its own words (markers and body, not history, notes or headings), without descendants."""
    status: Status
    context: Context
    start: int
    """Where it and its descendants begin in ``Reading.text`` (headnotes before it included)."""
    end: int
    """Where it and its descendants end."""
    covers: tuple[str, ...] = ()
    """For an opener that stands for several numbers, those it certainly stands for: ``("12",
    "13")``; for ``101-142`` all 42; for ``22.1-25`` the ends and the integers between."""
    covers_unknown: tuple[str, str] | None = None
    """For a range with decimals, its printed ends: which numbers lie between is unknown."""


@dataclass(frozen=True, slots=True)
class Anomaly:
    """Something the first reader could not place with confidence; never skipped in silence."""

    kind: str
    """A stable word: ``unknown_class``, ``unknown_element``, ``unmatched_opener``,
    ``duplicate_number``, ``text_outside_paragraph``, ``pending_headnote``, ``parser_error``, …"""
    message: str
    block: int
    excerpt: str = ""
    """At most 200 code points of the text concerned."""
    kept_with: str = ""
    """pid that holds the text all the same."""


@dataclass(frozen=True, slots=True)
class ContentsEntry:
    """A row of the publisher's own table of contents: a further, knowingly incomplete, oracle."""

    number: str
    title: str
    in_force: bool


@dataclass(frozen=True, slots=True)
class Identity:
    """What a rendition says of itself; empty strings where it says nothing."""

    title: str = ""
    code: str = ""
    """Chapter or regulation number as printed: ``S.O. 2006, chapter 17``, ``O. Reg. 163/24``."""
    alias: str = ""
    """``statute/06r17``."""
    state: str = ""
    """``current``, ``historical``, ``source``."""
    consolidated_from: str = ""
    """ISO date, the publisher's local day (Toronto)."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What the first reader made of one rendition."""

    rendition: Rendition
    identity: Identity
    text: str
    segments: tuple[Segment, ...]
    provisions: tuple[Provision, ...]
    contents: tuple[ContentsEntry, ...]
    anomalies: tuple[Anomaly, ...]


@dataclass(frozen=True, slots=True)
class Passage:
    """One row of the user's corpus. Rows keep their multiplicity."""

    row: int
    """Position in the store, from 0."""
    id: str
    """Native id as stored (converted to text)."""
    document: str
    """``ca-on/statute/06r17@en``."""
    text: str
    """As stored, untouched."""
    section: str | None = None
    """Claimed locator; None: no such field is mapped; empty: mapped, but not filled."""
    subsection: str | None = None
    heading: str | None = None
    ordinal: int | None = None
    status: str | None = None
    """The passage's own status field, as stored."""
    where: str = ""
    """A place a person can open: ``file:line``, ``table rowid 7``."""


@dataclass(frozen=True, slots=True)
class DocumentSpec:
    """One document in scope, from ``sources/*.toml``."""

    id: str
    """``ca-on/statute/06r17@en``."""
    title: str
    code: str = ""
    """Chapter or regulation number, checked when given."""
    publisher: str = "ontario-elaws"
    second_rendition: str = ""
    """``docx``, ``pdf`` or empty: fetched and compared when given."""


@dataclass(frozen=True, slots=True)
class SourceSpec:
    """One ``sources/*.toml``."""

    path: str
    publisher: str
    base_url: str
    documents: tuple[DocumentSpec, ...]
    min_delay_seconds: float = 1.0
    hosts: tuple[str, ...] = ()
    """Extra hosts that redirects may lead to."""
    max_wire_bytes: int = 40_000_000
    max_decoded_bytes: int = 120_000_000
    max_ratio: float = 60.0
    connect_timeout_seconds: float = 10.0
    read_timeout_seconds: float = 30.0
    total_timeout_seconds: float = 180.0
    attempts: int = 3
    daily_request_budget: int = 5_000
    user_agent_contact: str = ""
    paths: Mapping[str, str] = field(default_factory=dict)
    """Overrides of path templates, such as the French ones, which no one has documented."""
    licence: str = ""
    acknowledgement: str = ""
    frozen_after_days: int = 14
    refetch_share: float = 0.15
    """Share of the documents that is fetched again each night although nothing seems to have
    changed: editorial changes leave the currency date alone."""
    refetch_within_seconds: int = 604_800
    """A snapshot older than this never stands in for a fetch."""


@dataclass(frozen=True, slots=True)
class CorpusSpec:
    """One ``[[corpus]]`` table of the configuration."""

    name: str
    reader: str
    """``jsonl``, ``json``, ``csv``, ``sqlite``, ``markdown``, ``exec``."""
    path: str = ""
    rows: str = ""
    """json: dotted path to the array."""
    query: str = ""
    """sqlite: a SELECT."""
    command: tuple[str, ...] = ()
    """exec: argument vector of a command that prints JSONL."""
    document: str = ""
    """A fixed document id, or empty when ``document_field`` is given."""
    document_field: str = ""
    recipe: str = "anchored"
    template: str = ""
    """Text template of a rebuilding recipe: ``{heading}\\n\\n{text}``."""
    fields: Mapping[str, str] = field(default_factory=dict)
    """Ours -> dotted path in the row: id, text, section, subsection, heading, ordinal."""
    status_field: str = ""
    as_of: str = ""
    max_age_seconds: int = 129_600
    strip_prefix: str = ""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One capture of one official rendition of a document."""

    digest: str
    """``sha256:…`` of the bytes."""
    document: str
    rendition: Rendition
    size: int
    captured: str
    """UTC, ISO 8601, ``Z``."""
    url: str
    """Address asked, or ``file:NAME`` for an import by hand."""
    identity: Identity
    currency_date: str = ""
    """ISO date the publisher gave in its separate answer, or empty."""
    etag: str = ""
    last_modified: str = ""
    record: str = ""
    """Name of the capture record beside the bytes."""
    sequence: int = 0
    """Order of capture in the store; not the clock."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong or worth knowing."""

    rule: str
    severity: Severity
    layer: Layer | None
    """None for CG5xx and CG6xx, which belong to no layer."""
    document: str
    message: str
    provision: str = ""
    """pid, or empty."""
    section: str = ""
    """Locator of the section concerned."""
    passage: str = ""
    """Native id, or empty."""
    row: int = -1
    where: str = ""
    cause: Cause | None = None
    differences: tuple[Difference, ...] = ()
    official: str = ""
    stored: str = ""
    diff: str = ""
    """Word diff: ``[-official-]{+stored+}`` marks inside context; capped."""
    fingerprint: str = ""
    evidence: tuple[str, ...] = ()
    official_digest: str = ""
    """``sha256:…`` of the official text concerned, whole; empty where the finding is about none.
    ``official`` is cut for display, so only the digest tells whether that text has moved."""
    stored_digest: str = ""
    """``sha256:…`` of the stored rows concerned, with their labels."""


class SuppressionKind(StrEnum):
    """How a person took a finding out of the exit code."""

    IGNORE = "ignore"
    """An entry of ``corpusguard-ignore.toml``: with a reason, an owner and a last day."""
    BASELINE = "baseline"
    """Known when the corpus was first taken into care: ``corpusguard-baseline.json``."""


@dataclass(frozen=True, slots=True)
class Suppression:
    """Why a finding does not count towards the exit code; it changes no verdict."""

    kind: SuppressionKind
    reason: str = ""
    owner: str = ""
    written: str = ""
    """ISO date; of a baseline, the date of the run that it was made of."""
    expires: str = ""
    """ISO date, the last day on which it applies; empty for a baseline."""


@dataclass(frozen=True, slots=True)
class PassageState:
    """What a run says of one passage."""

    row: int
    id: str
    digest: str
    """``sha256:…`` of the stored text, untouched, as UTF-8."""
    verified: bool
    section: str
    """The official locator that its words were found under, or the claimed one."""
    spans: tuple[tuple[int, int], ...] = ()
    """Where it lies in the official text."""
    skipped: tuple[str, ...] = ()
    """Channels of whole tokens that the stored text leaves out: a note, not a fault."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """Words of in-force law, by exact spans."""

    words: int
    """Words of in-force law in scope."""
    covered: int
    """Those covered by passages verified under their claimed section."""
    covered_any_label: int
    """Those covered by exact text of any passage, whatever its label."""


@dataclass(frozen=True, slots=True)
class DocumentResult:
    """All that one run says of one document."""

    id: str
    verdict: Verdict
    layers: Mapping[str, Verdict]
    findings: tuple[Finding, ...]
    snapshot: str = ""
    snapshots: tuple[str, ...] = ()
    consolidated_from: str = ""
    currency_date: str = ""
    provisions: int = 0
    passages: int = 0
    verified_passages: int = 0
    coverage: Coverage | None = None
    states: tuple[PassageState, ...] = ()
    provision_digests: Mapping[str, str] = field(default_factory=dict)
    """pid -> sha256 of its own text, as read today."""
    corpus_digest: str = ""
    captured: str = ""
    reused_from: int = 0
    """Number of the run whose result stands unchanged, or 0."""
    not_refetched: str = ""
    """Why the snapshot captured at ``captured`` stood in for a fetch; empty: it was fetched, or
    the run was offline."""


@dataclass(frozen=True, slots=True)
class RunResult:
    """One run: what ``verify --format json`` prints."""

    run: int
    verdict: Verdict
    started: str
    finished: str
    tool: str
    layers: tuple[str, ...]
    documents: tuple[DocumentResult, ...]
    findings: tuple[Finding, ...] = ()
    """Findings of the run itself (nothing in scope, clock skew); documents carry their own."""
    states: Mapping[str, str] = field(default_factory=dict)
    """Fingerprint -> new, open, regressed (as history knows it)."""
    suppressions: Mapping[str, Suppression] = field(default_factory=dict)
    """Fingerprint -> why that finding does not count towards the exit code."""
    baseline_gone: int = 0
    """Entries of the baseline that this run looked for and did not find as they were."""
