"""What the gate may rest on: passages whose last verified state holds, today, for this very text.

A passage counts if every row of a configured corpus that has its id

* is marked verified by a result for which all three layers ran (see ``history.verified``),
* was so less than the corpus's ``max_age`` ago; an offline run is as old as its snapshot, and
* verified with exactly the text that is presented, by its digest.

And its id is one row's alone: where two rows have it, in one corpus or in two, nobody can tell
which of them an answer means, though both may say the same today.

Of a passage that was cut without regard to the law's units, the gate gets the provisions that lie
in it whole (see ``service.provisions``).

Everything else is refused with a reason, and what history knows of it: an amendment, for instance,
with the consolidation since when the stored text is stale.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, Self

from corpusguard import first_reader
from corpusguard.errors import ConfigError, EvidenceMissing, NothingVerified
from corpusguard.layers.document import text_digest
from corpusguard.model import Rendition
from corpusguard.service.age import age, is_too_old, span
from corpusguard.service.opening import has_history, open_history
from corpusguard.service.provisions import Law, held_whole, touched, whole_provisions
from corpusguard.service.refusing import found_against, why_not
from corpusguard.service.scope import known_documents, prefixes
from corpusguard.service.stored_rows import StoredRows
from corpusguard.snapshots import SnapshotStore

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from typing import Any

    from corpusguard.config import Config
    from corpusguard.history import PassageStanding
    from corpusguard.model import Passage, PassageState

_RESULTS_KEPT: Final = 64
_READINGS_KEPT: Final = 64
_WHOLE_RECIPES: Final = frozenset({"section", "subsection"})
"""Recipes whose passages are whole provisions, in the lines of the law."""


@dataclass(frozen=True, slots=True)
class TrustedPassage:
    """One cited id: what history says of it, and the text if it may be relied on."""

    id: str
    refusal: str
    """Empty: it counts. Else ``unknown_passage``, ``never_verified``, ``violated``, ``amended``,
    ``altered``, ``gone``, ``too_old``, ``text_differs`` or ``ambiguous_id``."""
    detail: str = ""
    text: str = ""
    """Of a passage built by section or subsection the stored text, labels that ingestion put before
    it as blanks; else the whole provisions that it holds, in the lines of the official text. Where
    it holds none, the stored text, and ``starts`` and ``ends`` are false."""
    around: tuple[tuple[str, str, str], ...] = ()
    """(section, subsection, words) of each subsection in force of the sections that it lies in."""
    sections: tuple[str, ...] = ()
    """Locators of these sections."""
    law: Law | None = field(default=None, repr=False, compare=False)
    """All of the official text that it verified against, unless refused."""
    document: str = ""
    title: str = ""
    corpus: str = ""
    section: str = ""
    """The official locator that its words were found under."""
    heading: str = ""
    """As stored, where the stored row was read; no layer has verified it."""
    starts: bool = False
    ends: bool = False
    digest: str = ""
    """``sha256:…`` of the stored text, label and all."""
    run: int = 0
    verified: str = ""
    age_seconds: int = -1
    corpus_root: str = ""
    corpus_digest: str = ""
    snapshot: str = ""
    consolidated_from: str = ""
    currency_date: str = ""


class GateDesk:
    """The gate's way to history, corpora and snapshots; belongs to the thread that made it.

    Args:
        config: The configuration.
        corpora: Names of the corpora that count; all, when none is named.

    Raises:
        ConfigError: There is no such corpus.
        NothingVerified: No history is there yet.
        StorageError: See ``History.open``.
    """

    def __init__(self, config: Config, corpora: Collection[str] = ()) -> None:
        known = {corpus.name: corpus for corpus in config.corpora}
        for name in corpora:
            if name not in known:
                raise ConfigError(
                    f"there is no corpus {name!r}", hint=f"there are: {', '.join(known) or 'none'}"
                )
        self._config = config
        self._corpora = {name: known[name] for name in (corpora or known)}
        self._documents = known_documents(config)
        if not has_history(config):
            raise NothingVerified(
                f"there is no history at {config.history} yet, so no passage has verified",
                hint="`corpusguard verify` writes it",
            )
        self._history = open_history(config)
        self._snapshots = SnapshotStore(config.snapshots)
        self._rows = StoredRows(config.root)
        self._states: OrderedDict[str, dict[tuple[str, str], list[PassageState]]] = OrderedDict()
        self._laws: OrderedDict[str, Law] = OrderedDict()

    def close(self) -> None:
        """Close history."""
        self._history.close()

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close history."""
        self.close()

    # Passages

    def look_up(
        self, wanted: Mapping[str, str | None], now: datetime | None = None
    ) -> dict[str, TrustedPassage]:
        """Return what may be relied on of each passage.

        Args:
            wanted: Native id -> the text presented, or None: the stored text is read.
            now: The time; default: the clock's.

        Raises:
            CorpusUnreadable: A store whose text is asked for cannot be read.
            StorageError: History cannot be read, or its evidence is gone.
        """
        moment = now or datetime.now(UTC)
        found = self._standing(list(wanted))
        self._load(wanted, found)
        passages = {
            name: self._passage(name, text, found.get(name, []), moment)
            for name, text in wanted.items()
        }
        self._rows.trim()
        return passages

    def verified(self, now: datetime | None = None) -> list[TrustedPassage]:
        """Return every stored passage that may be relied on, by document and id.

        The stores are read whole, so here an id also refuses that another row has which history
        does not know yet, in whatever corpus that counts.

        Raises:
            CorpusUnreadable: A store cannot be read to its end.
            StorageError: History cannot be read, or its evidence is gone.
        """
        moment = now or datetime.now(UTC)
        names: set[str] = set()
        for corpus in self._corpora.values():
            names |= self._rows.read_all(corpus)
        found = [
            self._passage(name, None, rows, moment)
            for name, rows in sorted(
                self._standing(sorted(names)).items(), key=lambda one: (one[1][0].payload, one[0])
            )
            # Why another does not count is nobody's question here, and takes time to answer.
            if all(row.state == "verified" for row in rows) and self._stored_once(name)
        ]
        self._rows.trim()
        return sorted(
            (one for one in found if not one.refusal), key=lambda one: (one.document, one.id)
        )

    def _standing(self, names: list[str]) -> dict[str, list[PassageStanding]]:
        """Return the rows with these ids that stand, or, where none does, those that are gone."""
        found: dict[str, list[PassageStanding]] = {}
        for row in self._history.standing_of(names):
            if row.corpus in self._corpora and row.document in self._documents:
                found.setdefault(row.id, []).append(row)
        return {
            name: [row for row in rows if row.state != "gone"] or rows
            for name, rows in found.items()
        }

    def _stored_once(self, name: str) -> bool:
        return sum(len(self._rows.of(corpus, name)) for corpus in self._corpora) == 1

    def _passage(
        self, name: str, text: str | None, rows: list[PassageStanding], now: datetime
    ) -> TrustedPassage:
        if not rows:
            return self._without_standing(name)
        found = [self._row(name, text, row, now) for row in rows]
        # Of several rows with one id, none may be wrong.
        refused = next((one for one in found if one.refusal), None)
        if refused is not None:
            return refused
        if len(found) > 1:
            corpora = ", ".join(sorted({one.corpus for one in found}))
            return replace(
                found[0],
                refusal="ambiguous_id",
                detail=f"{len(found)} rows have the id, in {corpora}: name one corpus, or give "
                "each row an id of its own",
                text="",
            )
        return found[0]

    def _row(
        self, name: str, text: str | None, row: PassageStanding, now: datetime
    ) -> TrustedPassage:
        """Return what may be relied on of one row."""
        origin = row.asked
        seconds = age(origin, now)
        known = TrustedPassage(
            id=name,
            refusal="",
            document=row.document,
            title=self._documents[row.document].document.title,
            corpus=row.corpus,
            digest=row.digest,
            run=row.last_run,
            verified=row.checked,
            age_seconds=seconds if seconds is not None else -1,
            corpus_root=row.corpus_root,
            corpus_digest=row.corpus_digest,
            snapshot=row.snapshot,
            consolidated_from=row.consolidated_from,
            currency_date=row.currency_date,
        )
        if row.state != "verified":
            refusal, detail = why_not(self._history, name, row)
            return replace(known, refusal=refusal, detail=detail)
        limit = self._corpora[row.corpus].max_age_seconds
        if is_too_old(origin, limit, now):
            ago = "in the future" if seconds is None else f"{span(seconds)} ago"
            what = (
                f"it last verified {ago} (run {row.last_run})"
                if origin == row.checked
                else f"the official text that it verified against was captured {ago} (run "
                f"{row.last_run} was offline and did not ask the source again)"
            )
            return replace(
                known,
                refusal="too_old",
                detail=f"{what}; corpus {row.corpus} allows {span(limit)}",
            )
        return self._with_text(known, text, row)

    def _with_text(
        self, known: TrustedPassage, text: str | None, row: PassageStanding
    ) -> TrustedPassage:
        stored = self._rows.of(row.corpus, row.id)
        # Without the row nobody can say where its label ends and the law begins.
        if text is None or self._corpora[row.corpus].strip_prefix:
            if len(stored) != 1 or stored[0].document != row.document:
                times = f"{len(stored)} rows" if stored else "no row"
                return replace(
                    known,
                    refusal="ambiguous_id" if len(stored) > 1 else "gone",
                    detail=f"corpus {row.corpus} has {times} with this id in {row.document}",
                )
            text = stored[0].text if text is None else text
        if text_digest(text) != row.digest:
            return replace(
                known,
                refusal="text_differs",
                detail=f"the text presented is not what verified in run {row.last_run}",
            )
        label = self._label(row, stored)
        if not text.startswith(label):
            return replace(known, refusal="text_differs", detail="it does not begin with its label")
        blank = "".join("\n" if letter == "\n" else " " for letter in label)
        state = next(iter(self._states_of(row.payload).get((row.id, row.digest), [])), None)
        if state is None:
            return replace(
                known, refusal="text_differs", detail=f"run {row.last_run} has no such text"
            )
        heading = (stored[0].heading or "") if stored else ""
        law = self._law_of(known.document, row.snapshot)
        sections = touched(law.provisions, state.spans)
        known = replace(
            known,
            section=state.section,
            heading=heading,
            around=law.around(sections),
            sections=sections,
            law=law,
        )
        if self._corpora[row.corpus].recipe in _WHOLE_RECIPES:
            return replace(known, text=blank + text[len(label) :], starts=True, ends=True)
        whole = held_whole(law.provisions, state.spans)
        if whole:
            return replace(known, text=whole, starts=True, ends=True)
        return replace(known, text=blank + text[len(label) :])

    def _label(self, row: PassageStanding, stored: Sequence[Passage]) -> str:
        """Return the label that ingestion put before the text of a row."""
        corpus = self._corpora[row.corpus]
        if not corpus.strip_prefix:
            return ""
        document = self._documents[row.document].document
        return prefixes(corpus, document, list(stored))[stored[0].row]

    def _without_standing(self, name: str) -> TrustedPassage:
        found = found_against(self._history, name, self._corpora, self._documents)
        if found is not None:
            document, corpus, told = found
            return TrustedPassage(name, "never_verified", told, document=document, corpus=corpus)
        return TrustedPassage(
            name,
            "unknown_passage",
            f"history knows no passage {name[:120]!r} of a configured corpus",
        )

    # Text and place

    def _load(
        self, wanted: Mapping[str, str | None], found: Mapping[str, list[PassageStanding]]
    ) -> None:
        """Read from the stores what was not presented, and what has a label before it."""
        missing: dict[str, set[str]] = {}
        for name, rows in found.items():
            for row in rows:
                labelled = bool(self._corpora[row.corpus].strip_prefix)
                if row.state == "verified" and (wanted[name] is None or labelled):
                    missing.setdefault(row.corpus, set()).add(name)
        for corpus, names in missing.items():
            self._rows.read(self._corpora[corpus], names)

    def _states_of(self, payload: str) -> dict[tuple[str, str], list[PassageState]]:
        if payload not in self._states:
            found: dict[tuple[str, str], list[PassageState]] = {}
            for state in self._history.states_of(payload):
                if state.verified:
                    found.setdefault((state.id, state.digest), []).append(state)
            self._states[payload] = found
        self._states.move_to_end(payload)
        while len(self._states) > _RESULTS_KEPT:
            self._states.popitem(last=False)
        return self._states[payload]

    def _law_of(self, document: str, snapshot: str) -> Law:
        """Return the official text that a run rested on."""
        if snapshot not in self._laws:
            found = [one for one in self._snapshots.list(document) if one.digest == snapshot]
            if not found:
                raise EvidenceMissing(
                    f"the store has no snapshot {snapshot} of {document}, on which it verified",
                    hint="`corpusguard snapshots verify` says what else is missing",
                )
            data = self._snapshots.read(snapshot)
            reading = first_reader.read(data, Rendition(found[0].rendition))
            self._laws[snapshot] = Law(
                self._documents[document].document.title, whole_provisions(reading)
            )
        self._laws.move_to_end(snapshot)
        while len(self._laws) > _READINGS_KEPT:
            self._laws.popitem(last=False)
        return self._laws[snapshot]

    # Decisions

    def try_storing(self) -> None:
        """Make sure that a decision could be stored now; see ``History.try_storing``.

        Raises:
            StorageError: It could not.
        """
        self._history.try_storing()

    def record(self, *, checked: str, outcome: str, reason: str, body: Mapping[str, Any]) -> int:
        """Store a decision, and return its number.

        Raises:
            StorageError: It could not be stored durably.
        """
        return self._history.record_decision(
            checked=checked, outcome=outcome, reason=reason, body=body
        )
