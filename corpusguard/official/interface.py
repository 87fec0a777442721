"""What a publisher must be able to say; bytes in, verified object or exception out.

Invariants
----------
* Nothing here opens a socket, reads a clock or touches the disk.
* What ``accept`` returns is a rendition of the very document that was asked for. Whatever is not
  raises the :class:`~corpusguard.errors.SourceError` that names the reason, so that a caller
  that stores only what was accepted never stores an error page.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from corpusguard.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from corpusguard.model import DocumentSpec, Finding, Identity, Rendition, Snapshot, SourceSpec


class WentBackwards(SourceError):
    """The source serves an older consolidation than it served before (CG509).

    Raised rather than returned: were the older text stored, it would be tomorrow's yardstick and
    the step back would be forgotten.
    """

    rule = "CG509"


class OfficialAnswer(Protocol):
    """The part of a fetched answer that a publisher looks at."""

    @property
    def status(self) -> int:
        """HTTP status."""

    @property
    def headers(self) -> Mapping[str, str]:
        """Answer headers, names in lower case."""

    @property
    def body(self) -> bytes:
        """The whole decoded body."""

    @property
    def url(self) -> str:
        """The address that answered, after redirects."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """An official rendition that passed every check."""

    rendition: Rendition
    data: bytes
    """The bytes to store, untouched."""
    identity: Identity
    identity_known: bool
    """False where the rendition names neither title, number nor alias (a bare content fragment,
    a PDF, a binary Word file): accepted on the word of whoever named the document."""
    findings: tuple[Finding, ...] = ()
    """Worth knowing, but no reason to refuse: keys that the payload did not have before."""


@dataclass(frozen=True, slots=True)
class Version:
    """One point in time of a law, from the publisher's list of versions."""

    alias: str
    """``statute/00e41/v83``; the current version has no suffix."""
    state: str
    """``current`` or ``historical``."""
    title: str
    date_from: str
    """ISO date, the publisher's local day."""
    date_to: str
    """ISO date of the last day, or empty for the current version."""
    number: int
    """0 for the current version."""


class Publisher(Protocol):
    """One publisher of law."""

    @property
    def name(self) -> str:
        """The ``publisher`` of ``sources/*.toml``."""

    def document_addresses(self, source: SourceSpec, spec: DocumentSpec) -> tuple[str, ...]:
        """Addresses of the document, to be tried in order while the one before is absent."""

    def word_addresses(self, source: SourceSpec, spec: DocumentSpec) -> tuple[str, ...]:
        """Addresses of the second rendition, to be tried in order while absent."""

    def currency_address(self, source: SourceSpec, spec: DocumentSpec) -> str:
        """Address of the publisher's currency date in the document's language."""

    def versions_address(self, source: SourceSpec, spec: DocumentSpec) -> str:
        """Address of the list of the document's versions, or empty where there is none."""

    def is_absent(self, answer: OfficialAnswer) -> bool:
        """Whether the answer says that there is nothing under this address."""

    def accept(
        self,
        answer: OfficialAnswer,
        spec: DocumentSpec,
        previous: Snapshot | None = None,
        *,
        earlier: bytes = b"",
    ) -> Accepted:
        """Check an answer from ``document_addresses``; raise a SourceError if it will not do."""

    def accept_word(
        self,
        answer: OfficialAnswer,
        spec: DocumentSpec,
        previous: Snapshot | None = None,
        *,
        earlier: bytes = b"",
    ) -> Accepted:
        """Check an answer from ``word_addresses``."""

    def accept_import(self, data: bytes, spec: DocumentSpec) -> Accepted:
        """Check bytes that a person brought, of whatever rendition they turn out to be."""

    def accept_currency(self, answer: OfficialAnswer) -> str:
        """Return the currency date as an ISO date."""

    def accept_versions(self, answer: OfficialAnswer, spec: DocumentSpec) -> tuple[Version, ...]:
        """Return the versions of the document; never an empty tuple."""

    def currency_finding(
        self, currency_date: str, today: date, source: SourceSpec, document: str
    ) -> Finding | None:
        """Say whether the currency date stands still, or lies in the future."""
