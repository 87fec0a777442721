"""What a report says, without a word on how it looks: frozen, plain, and already safe to print.

All text in here went through :func:`corpusguard.report.text.safe`: whatever is invisible or acts on
a terminal is spelt out. Renderers still escape for their own language.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

from corpusguard.evidence import canonical

if TYPE_CHECKING:
    from corpusguard.report.compliance.facts import IgnoreRecord, PastRun, Publisher
    from corpusguard.report.compliance.pages import Line
    from corpusguard.report.compliance.strips import SectionCover
    from corpusguard.report.marks import Piece

SCHEMA: Final = "corpusguard/report/1"


@dataclass(frozen=True, slots=True)
class Answer:
    """The first thing a reader wants to know."""

    verdict: str
    """``verified``, ``violated``, ``unverifiable`` or ``aborted``."""
    short: str
    long: str


@dataclass(frozen=True, slots=True)
class Problem:
    """One kind of thing that is wrong, over all documents."""

    rule: str
    name: str
    summary: str
    severity: str
    """The worst."""
    count: int
    sections: int


@dataclass(frozen=True, slots=True)
class Place:
    """Sections of one document."""

    document: str
    """Its title, or its id."""
    sections: tuple[str, ...]
    """The first ones, by number."""
    more: int
    """Sections beyond those."""


@dataclass(frozen=True, slots=True)
class Action:
    """One thing for somebody to do."""

    who: str
    what: str
    errors: int
    warnings: int
    places: tuple[Place, ...]
    """By document, in the order of the report."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One finding."""

    number: int
    """From 1 within its document; stable for a run."""
    severity: str
    section: str
    provision: str
    passage: str
    where: str
    message: str
    cause: str
    differences: tuple[str, ...]
    state: str
    first_run: int
    """0 where history does not know it."""
    who: str
    what: str
    official: tuple[Piece, ...]
    stored: tuple[Piece, ...]
    fingerprint: str


@dataclass(frozen=True, slots=True)
class SectionFaults:
    """The findings of one rule about one section."""

    section: str
    faults: tuple[Fault, ...]


@dataclass(frozen=True, slots=True)
class RuleFaults:
    """The findings of one rule, by section in the order of the law."""

    rule: str
    name: str
    summary: str
    severity: str
    errors: int
    warnings: int
    notes: int
    meaning: Line
    why: Line
    steps: tuple[Line, ...]
    sections: tuple[SectionFaults, ...]


@dataclass(frozen=True, slots=True)
class LayerAnswer:
    """What one layer says of a document."""

    name: str
    question: str
    verdict: str
    """Empty: not run."""


@dataclass(frozen=True, slots=True)
class Document:
    """One document of one corpus."""

    number: int
    """From 1, in the order of the report."""
    id: str
    title: str
    code: str
    language: str
    """BCP 47, of the law's text."""
    corpus: str
    verdict: str
    layers: tuple[LayerAnswer, ...]
    url: str
    rendition: str
    snapshot: str
    snapshots: tuple[str, ...]
    captured: str
    provenance: str
    """What qualifies the answer: the source was not asked, or the text was imported by hand; empty
    where the source itself gave it in this run."""
    asked_source: bool | None
    """None where that is not known."""
    imported: bool
    not_refetched: str
    reused_from: int
    consolidated_from: str
    currency_date: str
    corpus_digest: str
    corpus_root: str
    provisions: int
    passages: int
    verified_passages: int
    words: int
    """Words of law in force; -1 where they were not measured."""
    covered: int
    covered_any_label: int
    sections: tuple[SectionCover, ...]
    unmeasured: str
    """Why there are no sections; empty where there are."""
    strays: tuple[str, ...]
    """Labels that passages claim and the law does not have."""
    faults: tuple[RuleFaults, ...]
    errors: int
    warnings: int
    notes: int


@dataclass(frozen=True, slots=True)
class RunFacts:
    """The run."""

    number: int
    state: str
    started: str
    finished: str
    tool: str
    versions: tuple[str, ...]
    layers: tuple[str, ...]
    schedule: str
    config_digest: str
    exit_code: int
    """-1 where none was recorded."""
    head: str
    missing: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured figure about the verifier itself."""

    topic: str
    says: str
    date: str
    command: str


@dataclass(frozen=True, slots=True)
class Obligation:
    """A record-keeping duty, and what of this report may serve it."""

    source: str
    asks: str
    here: str


@dataclass(frozen=True, slots=True)
class Step:
    """One step to check the report oneself."""

    says: str
    command: str
    """To be typed as it stands; empty where nothing is."""


@dataclass(frozen=True, slots=True)
class Content:
    """A whole report."""

    schema: str
    made_by: str
    """Name and version of the program that wrote the report, which may be younger than the run."""
    run: RunFacts
    answer: Answer
    problems: tuple[Problem, ...]
    actions: tuple[Action, ...]
    own: tuple[RuleFaults, ...]
    """Findings of the run itself."""
    documents: tuple[Document, ...]
    errors: int
    warnings: int
    notes: int
    trend: tuple[PastRun, ...]
    earlier: int
    ignores: tuple[IgnoreRecord, ...]
    publishers: tuple[Publisher, ...]
    method: tuple[str, ...]
    independence: tuple[str, ...]
    measured: tuple[Figure, ...]
    limits: tuple[str, ...]
    not_claimed: tuple[str, ...]
    duties: tuple[Obligation, ...]
    steps: tuple[Step, ...]


def render_json(content: Content) -> str:
    """Return the report as canonical JSON (RFC 8785), one line."""
    return to_json(asdict(content))


def to_json(value: dict[str, Any]) -> str:
    """Return a part of a report, as plain built-ins, in canonical JSON.

    Canonical JSON has one way to write each text, and none to escape the ``##[`` that a CI runner
    acts on wherever it stands in a line. So the text itself is altered, as in every other form.
    """
    return canonical(_plain(value)).decode() + "\n"


def _plain(value: Any) -> Any:  # noqa: ANN401 - whatever JSON holds
    if isinstance(value, dict):
        return {_inert(str(name)): _plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    # Enumerations are their words; rfc8785 wants plain text.
    return _inert(str(value)) if isinstance(value, str) else value


def _inert(text: str) -> str:
    # One line, which begins with a brace: "::", the other way to command, can begin none.
    return text.replace("##[", "##\\[")
