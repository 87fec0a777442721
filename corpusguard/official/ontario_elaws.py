"""Ontario's e-Laws: its addresses, its answers and what makes one acceptable.

An answer is accepted when (1) its status is 200; (2) it is of the expected media type; (3) it is
whole and of the known shape; (4) its characters were decoded as they were encoded; (5) it is the
law that was asked for, in the language and state asked for; (6) it carries provisions; (7) it is
not older than what was accepted before; (8) it did not shrink beyond belief.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Final

from corpusguard.errors import (
    BodyTruncated,
    NotTheDocument,
    ShapeChanged,
    SourceUnreachable,
)
from corpusguard.model import Finding, Identity, Rendition, Severity
from corpusguard.official.addresses import addresses, law_id
from corpusguard.official.dates import long_date
from corpusguard.official.identity import printed_front, refuse_another, says_something
from corpusguard.official.interface import Accepted, WentBackwards
from corpusguard.official.payload import check_payload
from corpusguard.official.recognise import markup, recognise
from corpusguard.official.sanity import NOTHING_STORED, foreign_page, refuse_empty, refuse_mojibake
from corpusguard.official.schema import load_json
from corpusguard.official.versions import read_versions
from corpusguard.official.word import word_front

if TYPE_CHECKING:
    from corpusguard.model import DocumentSpec, Snapshot, SourceSpec
    from corpusguard.official.interface import OfficialAnswer, Version

MAX_SHRINK: Final = 0.40
"""Share of its size that a rendition may lose before a second fetch must confirm it."""
_ABSENT: Final = frozenset({404, 410})
_ABSENT_FILE: Final = frozenset({403, 404, 410})
_WORD: Final = frozenset({Rendition.DOCX, Rendition.DOC})


class OntarioELaws:
    """The publisher ``ontario-elaws``."""

    name: Final = "ontario-elaws"

    def document_addresses(self, source: SourceSpec, spec: DocumentSpec) -> tuple[str, ...]:
        """Addresses of the payload; a lettered id has a second one, to be tried after a 404."""
        return addresses(source, spec, "document")

    def word_addresses(self, source: SourceSpec, spec: DocumentSpec) -> tuple[str, ...]:
        """Addresses of the Word download, to be tried in order while absent."""
        return addresses(source, spec, "word")

    def currency_address(self, source: SourceSpec, spec: DocumentSpec) -> str:
        """Address of the currency date, a separate fact from a law's consolidation date."""
        return addresses(source, spec, "currency")[0]

    def versions_address(self, source: SourceSpec, spec: DocumentSpec) -> str:
        """Address of the list of versions; none for law as enacted, which is not consolidated."""
        if law_id(spec.id).source_law:
            return ""
        return addresses(source, spec, "versions")[0]

    def is_absent(self, answer: OfficialAnswer) -> bool:
        """Whether there is nothing here; files that do not exist answer 403, not 404."""
        return answer.status in (_ABSENT_FILE if "/docs/" in answer.url else _ABSENT)

    def accept(
        self,
        answer: OfficialAnswer,
        spec: DocumentSpec,
        previous: Snapshot | None = None,
        *,
        earlier: bytes = b"",
    ) -> Accepted:
        """Accept a payload, or say what is wrong with it.

        Args:
            answer: What came from one of :meth:`document_addresses`.
            spec: The document asked for.
            previous: The newest accepted snapshot of the same document and rendition.
            earlier: The body that was refused with CG506 for shrinking, when this is the second
                fetch that may confirm it.

        Raises:
            SourceError: One of the reasons in the module's list; nothing may be stored then.
        """
        _check_status(answer)
        _check_media_type(answer)
        payload = load_json(answer.body, "the payload")
        identity, findings = check_payload(payload, spec)
        accepted = Accepted(Rendition.PAYLOAD, answer.body, identity, True, findings)  # noqa: FBT003
        _compare(accepted, previous, earlier)
        return accepted

    def accept_word(
        self,
        answer: OfficialAnswer,
        spec: DocumentSpec,
        previous: Snapshot | None = None,
        *,
        earlier: bytes = b"",
    ) -> Accepted:
        """Accept a Word download; a binary one is accepted, and known to be unreadable.

        Raises:
            SourceError: As for :meth:`accept`.
        """
        _check_status(answer)
        if answer.body.lstrip()[:1] in {b"<", b""}:
            page = foreign_page(answer.body.decode("utf-8", "replace"))
            raise NotTheDocument(
                f"{answer.url} is {page or 'a page or nothing'}, not a Word file",
                hint=NOTHING_STORED,
            )
        rendition = recognise(answer.body)
        if rendition not in _WORD:
            raise NotTheDocument(
                f"{answer.url} is a {rendition} file, not a Word file", hint=NOTHING_STORED
            )
        accepted = _accept_file(answer.body, rendition, spec)
        _compare(accepted, previous, earlier)
        return accepted

    def accept_import(self, data: bytes, spec: DocumentSpec) -> Accepted:
        """Accept a file that a person brought.

        It is recognised by its bytes and checked against the document as far as it names itself.

        Raises:
            SourceError: It is no rendition of this document.
        """
        rendition = recognise(data)
        if rendition is Rendition.PAYLOAD:
            identity, findings = check_payload(load_json(data, "the payload"), spec)
            return Accepted(rendition, data, identity, True, findings)  # noqa: FBT003
        return _accept_file(data, rendition, spec)

    def accept_currency(self, answer: OfficialAnswer) -> str:
        """Return the currency date, ``August 28, 2026`` plus line end, as ``2026-08-28``.

        The media type is not looked at: a body that is a date and nothing else is no shell.

        Raises:
            NotTheDocument: A page, or nothing, came.
            ShapeChanged: Some other text came.
            SourceUnreachable: The status says so.
        """
        _check_status(answer)
        text = markup(answer.body, "the currency date")
        if found := long_date(text[:80]) if len(text) <= 80 else "":
            return found
        if not text.strip() or text.lstrip().startswith("<"):
            kind = foreign_page(text) or ("a page" if text.strip() else "empty")
            raise NotTheDocument(f"the currency date is {kind}", hint=NOTHING_STORED)
        raise ShapeChanged(
            f"the currency date is {text[:60]!r}, not like 'August 28, 2026'",
            hint="the publisher's format changed: update corpusguard, or report this message",
        )

    def accept_versions(self, answer: OfficialAnswer, spec: DocumentSpec) -> tuple[Version, ...]:
        """Return the versions of the law, the current one first; never an empty tuple.

        Raises:
            SourceError: See :func:`corpusguard.official.versions.read_versions`.
        """
        _check_status(answer)
        _check_media_type(answer)
        return read_versions(load_json(answer.body, "the list of versions"), law_id(spec.id))

    def currency_finding(
        self, currency_date: str, today: date, source: SourceSpec, document: str
    ) -> Finding | None:
        """Return CG505 if the currency date stands still, CG510 if it lies in the future.

        A consolidation date later than the currency date is legitimate and not looked at.

        Args:
            currency_date: ISO date, as :meth:`accept_currency` returns it.
            today: The day of the run.
            source: Says after how many days the date counts as frozen.
            document: The document that the finding is about, or empty for the whole run.
        """
        age = (today - date.fromisoformat(currency_date)).days
        if age > source.frozen_after_days:
            # Without the age, which would make an old finding look new every night.
            rule, message = (
                "CG505",
                (
                    f"the source's currency date {currency_date} is more than"
                    f" {source.frozen_after_days} days old: it may have stopped consolidating"
                ),
            )
        elif age < -1:
            rule, message = (
                "CG510",
                (
                    f"the source's currency date {currency_date} is {-age} days in the future:"
                    " the local clock is behind"
                ),
            )
        else:
            return None
        # A frozen source may be weeks behind the law: equal to it is not current. A wrong local
        # clock says nothing of the text.
        severity = Severity.ERROR if rule == "CG505" else Severity.WARNING
        return Finding(rule, severity, None, document, message)


def _check_status(answer: OfficialAnswer) -> None:
    if answer.status == 200:
        return
    if answer.status in _ABSENT:
        hint = "check the id in sources/*.toml against the address of the law on ontario.ca/laws"
    elif answer.status == 403:
        hint = "the source refuses this client or address; slow down, or ask the publisher"
    else:
        hint = "try again later"
    raise SourceUnreachable(f"{answer.url} answered {answer.status}", hint=hint)


def _check_media_type(answer: OfficialAnswer) -> None:
    media = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
    head = answer.body.lstrip()[:1]
    if not head:
        raise NotTheDocument(f"{answer.url} answered with an empty body", hint=NOTHING_STORED)
    if head == b"<" or media in {"text/html", "application/xhtml+xml"}:
        page = foreign_page(answer.body.decode("utf-8", "replace"))
        raise NotTheDocument(
            f"{answer.url} is {page or 'an HTML page, where JSON was asked for'}",
            hint=NOTHING_STORED,
        )
    if media not in {"application/json", "text/json"} and not media.endswith("+json"):
        raise ShapeChanged(
            f"{answer.url} is of type {media or 'unnamed'!r}, where application/json was expected",
            hint="the publisher's format changed: update corpusguard, or report this message",
        )


def _accept_file(data: bytes, rendition: Rendition, spec: DocumentSpec) -> Accepted:
    """Check a rendition that is not the payload, as far as it can be looked into."""
    what = f"the {rendition} file"
    if rendition is Rendition.DOCX:
        front = word_front(data)
    elif rendition in {Rendition.PAGE, Rendition.CONTENT}:
        text = markup(data, what)
        refuse_empty(text, what)
        refuse_mojibake(text, what)
        front = printed_front(text)
    else:
        front = {}
    for value in front.values():
        refuse_mojibake(value, what)
    identity = Identity(**front)
    refuse_another(spec, (identity.title,), (identity.code,), what)
    return Accepted(rendition, data, identity, says_something(identity))


def _compare(accepted: Accepted, previous: Snapshot | None, earlier: bytes) -> None:
    """Compare with what was accepted before: not older, and not shrunk beyond belief."""
    if previous is None or previous.rendition is not accepted.rendition:
        return
    before, now = previous.identity.consolidated_from, accepted.identity.consolidated_from
    if before and now and now < before:
        raise WentBackwards(
            f"the source serves the consolidation from {now}, after that from {before}",
            hint="an old copy in a cache looks like this; fetch again later. Nothing was"
            " stored, and the newest text captured stays what runs compare with",
        )
    kept = len(accepted.data) / max(previous.size, 1)
    if kept >= 1 - MAX_SHRINK:
        return
    if earlier == accepted.data and now > before:
        return
    raise BodyTruncated(
        f"the answer shrank from {previous.size} to {len(accepted.data)} bytes"
        f" ({1 - kept:.0%} gone) with consolidation {now or 'unknown'}",
        hint="fetch again: it is believed only when a second fetch brings the same bytes under"
        " a newer consolidation date",
    )
