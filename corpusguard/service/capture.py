"""Capturing official renditions: fetch, accept, store; or take what is stored.

What is stored stands in for a fetch in an offline run, and where the publisher's own word says that
nothing changed (see ``refetch``). Such a word is never taken for a capture: the result keeps the
time at which the bytes were captured, and says why they were not fetched again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from corpusguard.errors import BodyTruncated, SourceError, SourceUnreachable
from corpusguard.fetch import Answer, Fetcher, Validators
from corpusguard.layers.draft import (
    CLOCK_DIFFERS,
    CURRENCY_UNKNOWN,
    CURRENCY_WENT_BACK,
    NOT_STORED,
    VERSIONS_DISAGREE,
    VERSIONS_UNKNOWN,
    draft,
)
from corpusguard.model import Rendition, Severity
from corpusguard.official import publisher_of
from corpusguard.service.refetch import (
    begins,
    known_date,
    must_fetch,
    still_current,
    versions_digest,
)
from corpusguard.snapshots import by_consolidation, newest_consolidation

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from corpusguard.model import Finding, Snapshot, SourceSpec
    from corpusguard.official import Accepted, Version
    from corpusguard.service.scope import Known
    from corpusguard.snapshots import SnapshotStore

PRIMARY: Final = (Rendition.PAYLOAD, Rendition.CONTENT, Rendition.PAGE, Rendition.DOCX)
"""Renditions that the first reader reads, the best first."""
SECONDARY: Final = (Rendition.DOCX, Rendition.PDF)
_SKEW: Final = 300.0


def now() -> str:
    """The time, UTC, ISO 8601, ``Z``."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass(slots=True)
class Captured:
    """The official side of one document in one run."""

    primary: Snapshot | None = None
    others: list[Snapshot] = field(default_factory=list)
    currency_date: str = ""
    findings: list[Finding] = field(default_factory=list)
    unchanged: bool = False
    not_refetched: str = ""
    """Why the newest capture stood in for a fetch; empty where it was fetched."""
    older: list[Snapshot] = field(default_factory=list)
    """Earlier captures of the main rendition with other bytes, newest first."""


def stored(store: SnapshotStore, document: str) -> Captured:
    """The newest texts in the store: the newest consolidation, and its last capture."""
    return _newest(store.list(document), document)


def _newest(everything: Sequence[Snapshot], document: str) -> Captured:
    captured = Captured()
    readable = [snapshot for snapshot in everything if snapshot.rendition in PRIMARY]
    newest = newest_consolidation(readable)
    for rendition in PRIMARY:
        found = _of(readable, rendition)
        # An older consolidation is no newer text for being in a better form.
        if found and (found[-1].identity.consolidated_from or newest) >= newest:
            captured.primary = found[-1]
            break
    if captured.primary is None:
        captured.findings.append(
            draft(
                "CG501",
                document,
                f"{NOT_STORED}: run `corpusguard fetch`, or `snapshots add` a file",
            )
        )
        return captured
    captured.currency_date = captured.primary.currency_date
    for rendition in SECONDARY:
        found = _of(everything, rendition)
        if found and rendition is not captured.primary.rendition:
            captured.others.append(found[-1])
    captured.older = _earlier(everything, captured.primary)
    captured.findings += _went_back(readable, document)
    return captured


def _of(everything: Sequence[Snapshot], rendition: Rendition) -> list[Snapshot]:
    """Captures of one rendition, the oldest consolidation first."""
    return by_consolidation(one for one in everything if one.rendition is rendition)


def _went_back(readable: Sequence[Snapshot], document: str) -> list[Finding]:
    """Say that the last capture is of an older consolidation than one before it.

    A warning: what is compared is the newest consolidation all the same. The finding stays until
    the source is asked, or until a text as new as that is captured.
    """
    dated = [one for one in readable if one.identity.consolidated_from]
    newest = newest_consolidation(dated)
    if not dated or dated[-1].identity.consolidated_from >= newest:
        return []
    last = dated[-1]
    message = (
        f"the last capture ({last.url.partition('?')[0]}) is the consolidation from"
        f" {last.identity.consolidated_from}, after that from {newest} was captured: the text"
        f" compared is the one from {newest}"
    )
    return [draft("CG509", document, message, severity=Severity.WARNING)]


def older(store: SnapshotStore, document: str, primary: Snapshot) -> list[Snapshot]:
    """Earlier snapshots of the primary rendition with other bytes, newest first."""
    return _earlier(store.list(document), primary)


def _earlier(everything: Sequence[Snapshot], primary: Snapshot) -> list[Snapshot]:
    seen = {primary.digest}
    found = []
    for snapshot in reversed(_of(everything, primary.rendition)):
        if snapshot.digest not in seen:
            seen.add(snapshot.digest)
            found.append(snapshot)
    return found


def _last(everything: Sequence[Snapshot], rendition: Rendition) -> Snapshot | None:
    found = _of(everything, rendition)
    return found[-1] if found else None


@dataclass(frozen=True, slots=True)
class _Listed:
    """The publisher's list of versions, as it came tonight."""

    versions: tuple[Version, ...]
    answer: Answer


class Capture:
    """Captures the documents of one source over one connection pool."""

    def __init__(
        self,
        source: SourceSpec,
        store: SnapshotStore,
        make_fetcher: Callable[[SourceSpec], Fetcher] = Fetcher,
    ) -> None:
        """``make_fetcher`` lets tests shorten pauses; it must return a real Fetcher."""
        self._source = source
        self._store = store
        self._publisher = publisher_of(source.publisher)
        self._fetcher = make_fetcher(source)
        self._fetcher.count_in(store.root / "requests")
        self._currency: dict[str, str | SourceError] = {}

    def close(self) -> None:
        """Close connections."""
        self._fetcher.close()

    def document(self, known: Known, *, refetch: bool = False, doubted: bool = False) -> Captured:
        """Fetch, accept and store the renditions of one document, or let the newest stand.

        A failure of the main rendition is its finding; the snapshot is then None. A second
        rendition that is not offered is a note, one that fails a warning.

        Args:
            known: The document.
            refetch: Fetch it whatever the publisher says.
            doubted: A fetch went wrong before: fetch it, and hear what the list of versions says.
        """
        captured = Captured()
        spec = known.document
        try:
            captured.currency_date = self._currency_date(known, captured)
            held = self._store.list(spec.id)
            before = _last(held, Rendition.PAYLOAD)
            listed = None
            if doubted and before is not None:
                listed = self._versions(known, captured)
            elif not refetch and not self._lacks_second(known, before, held):
                listed = self._ask_what_changed(known, before, captured)
            if before is not None and captured.not_refetched:
                return self._standing(before, held, captured)
            snapshot, captured.unchanged = self._main(known, before, captured)
        except SourceError as error:
            captured.findings.append(self._finding(spec.id, error))
            return captured
        captured.primary = snapshot
        if listed is not None:
            self._witness(snapshot, listed, captured)
        if spec.second_rendition == Rendition.DOCX.value:
            self._word(known, held, captured)
        everything = self._store.list(spec.id)
        for other in _newest(everything, spec.id).others:
            if other.digest not in {one.digest for one in captured.others}:
                captured.others.append(other)
        captured.older = _earlier(everything, snapshot)
        return captured

    def _lacks_second(
        self, known: Known, before: Snapshot | None, held: Sequence[Snapshot]
    ) -> bool:
        """Say whether a second rendition is wanted and none that can be read is stored."""
        wanted = known.document.second_rendition
        if before is None or wanted not in {form.value for form in SECONDARY}:
            return False
        return _last(held, Rendition(wanted)) is None

    def _ask_what_changed(
        self, known: Known, before: Snapshot | None, captured: Captured
    ) -> _Listed | None:
        """Say in ``captured.not_refetched`` why ``before`` may stand, if it may.

        Returns:
            The list of versions, where it was asked for.
        """
        today = captured.currency_date
        if before is None or not today or must_fetch(before, self._source, datetime.now(UTC)):
            return None
        confirmed = self._store.confirmation(before)
        stood = known_date(before, confirmed)
        if today == stood:
            captured.not_refetched = f"the source's currency date is still {today}"
            return None
        if today < stood:
            message = f"{CURRENCY_WENT_BACK} from {stood} to {today}"
            captured.findings.append(
                draft("CG509", before.document, message, severity=Severity.WARNING)
            )
            return None
        listed = self._versions(known, captured)
        if listed is not None and still_current(before, confirmed, listed.versions):
            self._confirm(before, listed, captured)
            captured.not_refetched = (
                f"the source's list of versions of {today} still names the consolidation from "
                f"{before.identity.consolidated_from} as the current one"
            )
        return listed

    def _versions(self, known: Known, captured: Captured) -> _Listed | None:
        """The list of versions. That it cannot be had never means that nothing changed."""
        url = self._publisher.versions_address(self._source, known.document)
        if not url:
            return None
        try:
            answer = self._fetcher.get(url)
            return _Listed(self._publisher.accept_versions(answer, known.document), answer)
        except SourceError as error:
            message = f"{VERSIONS_UNKNOWN}: {error.message}"
            captured.findings.append(
                draft(error.rule, known.document.id, message, severity=Severity.WARNING)
            )
            return None

    def _witness(self, snapshot: Snapshot, listed: _Listed, captured: Captured) -> None:
        """Hold the list of versions against the payload: two statements of one publisher."""
        says, serves = begins(listed.versions), snapshot.identity.consolidated_from
        if says == serves:
            self._confirm(snapshot, listed, captured)
            return
        message = (
            f"{VERSIONS_DISAGREE} on {says or 'no day'},"
            f" the text that it serves is the consolidation from {serves or 'no day'}"
        )
        captured.findings.append(
            draft("CG509", snapshot.document, message, severity=Severity.WARNING)
        )

    def _confirm(self, snapshot: Snapshot, listed: _Listed, captured: Captured) -> None:
        self._store.confirm_unchanged(
            snapshot,
            checked=listed.answer.finished,
            currency_date=captured.currency_date,
            versions=versions_digest(listed.versions),
            evidence=listed.answer.evidence(),
        )

    def _standing(
        self, before: Snapshot, everything: Sequence[Snapshot], captured: Captured
    ) -> Captured:
        captured.primary = before
        captured.others = _newest(everything, before.document).others
        captured.older = _earlier(everything, before)
        captured.unchanged = True
        return captured

    def _finding(self, document: str, error: SourceError) -> Finding:
        hint = f" ({error.hint})" if error.hint else ""
        return draft(error.rule, document, f"{error.message}{hint}")

    def _main(
        self, known: Known, before: Snapshot | None, captured: Captured
    ) -> tuple[Snapshot, bool]:
        spec = known.document
        validators = Validators(before.etag, before.last_modified) if before else None
        answer = self._first_present(
            self._publisher.document_addresses(self._source, spec), validators, "application/json"
        )
        if answer is None:
            raise SourceUnreachable(
                f"the source has no document {spec.id}",
                hint="check its id against the address of the law on the publisher's site",
            )
        self._skew(spec.id, answer, captured)
        if answer.not_modified and before is not None:
            return (
                self._store.confirm(
                    before,
                    captured=answer.finished,
                    currency_date=captured.currency_date,
                    extra=answer.evidence(),
                ),
                True,
            )
        try:
            accepted = self._publisher.accept(answer, spec, before)
        except BodyTruncated:
            # Half a law gone is believed only when a second fetch says the same.
            again = self._fetcher.get(answer.requested)
            accepted = self._publisher.accept(again, spec, before, earlier=answer.body)
            answer = again
        captured.findings += accepted.findings
        snapshot = self._keep(known, accepted, answer, captured.currency_date)
        return snapshot, before is not None and before.digest == snapshot.digest

    def _word(self, known: Known, held: Sequence[Snapshot], captured: Captured) -> None:
        spec = known.document
        before = _last(held, Rendition.DOCX)
        validators = Validators(before.etag, before.last_modified) if before else None
        try:
            answer = self._first_present(
                self._publisher.word_addresses(self._source, spec), validators, "*/*"
            )
            if answer is None:
                captured.findings.append(
                    draft(
                        "CG205",
                        spec.id,
                        "the publisher offers no Word file of this document",
                        severity=Severity.NOTE,
                    )
                )
                return
            if answer.not_modified and before is not None:
                captured.others.append(before)
                return
            accepted = self._publisher.accept_word(answer, spec, before)
        except SourceError as error:
            finding = self._finding(spec.id, error)
            captured.findings.append(
                draft(finding.rule, spec.id, finding.message, severity=Severity.WARNING)
            )
            return
        snapshot = self._keep(known, accepted, answer, captured.currency_date)
        if snapshot.rendition is Rendition.DOC:
            captured.findings.append(
                draft(
                    "CG205",
                    spec.id,
                    "the second rendition is a binary Word file, which cannot be read",
                    severity=Severity.NOTE,
                )
            )
            return
        captured.others.append(snapshot)

    def _first_present(
        self, urls: tuple[str, ...], validators: Validators | None, accept: str
    ) -> Answer | None:
        answer = None
        for url in urls:
            answer = self._fetcher.get(url, accept=accept, validators=validators)
            if not self._publisher.is_absent(answer):
                return answer
        return None

    def _keep(
        self, known: Known, accepted: Accepted, answer: Answer, currency_date: str
    ) -> Snapshot:
        return self._store.add(
            accepted.data,
            document=known.document.id,
            rendition=accepted.rendition,
            url=answer.requested,
            identity=accepted.identity,
            captured=answer.finished,
            currency_date=currency_date,
            etag=answer.etag,
            last_modified=answer.last_modified,
            extra=answer.evidence(),
        )

    def _currency_date(self, known: Known, captured: Captured) -> str:
        """Once a run and language; that it cannot be had is worth a warning, no more."""
        url = self._publisher.currency_address(self._source, known.document)
        if url not in self._currency:
            try:
                answer = self._fetcher.get(url, accept="text/plain, */*")
                self._currency[url] = self._publisher.accept_currency(answer)
            except SourceError as error:
                self._currency[url] = error
        found = self._currency[url]
        if isinstance(found, SourceError):
            message = f"{CURRENCY_UNKNOWN}: {found.message}"
            captured.findings.append(
                draft(found.rule, known.document.id, message, severity=Severity.WARNING)
            )
            return ""
        today = datetime.now(UTC).date()
        frozen = self._publisher.currency_finding(found, today, self._source, known.document.id)
        if frozen is not None:
            captured.findings.append(frozen)
        return found

    def _skew(self, document: str, answer: Answer, captured: Captured) -> None:
        skew = answer.clock_skew_seconds
        if skew is not None and abs(skew) > _SKEW:
            side = "ahead of" if skew > 0 else "behind"
            captured.findings.append(
                draft(
                    "CG510",
                    document,
                    f"{CLOCK_DIFFERS} {abs(skew):.0f} seconds {side} the publisher's",
                )
            )
