"""The documents of one run: ids exist because something was retrieved, and for no other reason."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from corpusguard.errors import ConfigError
from corpusguard.gate.evidence.canonical import Canonical
from corpusguard.gate.evidence.model import (
    Document,
    Evidence,
    EvidenceKind,
    Refused,
    SpanCheck,
    SpanStatus,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from corpusguard.gate.evidence.model import VerifiedPassages

MAX_SPAN = 20_000
MAX_TEXT = 2_000_000


class DocumentCache:
    """Retrieves passages from the verified corpus and mints their ids.

    An id is a digest over the run, the passage and its verified text. It cannot be guessed from
    another, means nothing in another run, and changes with the text. One passage has one id,
    however many workers fetch it. Not for use by several threads at once.

    Args:
        passages: The verified corpus.
        run: Name of this run, unlike that of any other.
        clock: Returns the time, as the claims are to repeat it (UTC, ISO 8601).
    """

    def __init__(self, passages: VerifiedPassages, run: str, clock: Callable[[], str]) -> None:
        if not run:
            raise ConfigError("a run without a name", hint="Name it, for instance by its UUID.")
        self._passages = passages
        self._run = run
        self._clock = clock
        self._documents: dict[str, Document] = {}
        self._folded: dict[str, Canonical] = {}
        self._places: dict[tuple[str, str], tuple[int, int] | None] = {}
        self._times: dict[str, set[str]] = {}
        self._reach: dict[str, set[str]] = {}
        self.refused: list[Refused] = []
        """What was asked for and may not be relied on, in order."""

    @property
    def documents(self) -> Mapping[str, Document]:
        """Id -> document, in the order of their first retrieval."""
        return self._documents

    @property
    def reach(self) -> Mapping[str, int]:
        """Worker -> how many distinct documents it retrieved."""
        return {worker: len(found) for worker, found in self._reach.items()}

    def fetch(self, passage: str, worker: str) -> tuple[Document, str] | Refused:
        """Retrieve a passage for a worker.

        Args:
            passage: Native id, hostile.
            worker: Who asks.

        Returns:
            The document and the time of this retrieval; or why there is none. A passage that has
            not verified is never minted.

        Raises:
            CorpusguardError: The corpus or history cannot be read.
        """
        self._reach.setdefault(worker, set())
        found = self._passages.look_up({passage: None}).get(passage)
        if found is None:
            return self._refuse(passage, "unknown_passage", "the corpus does not have it")
        if found.refusal:
            return self._refuse(passage, str(found.refusal), found.detail)
        if not found.text.strip():
            return self._refuse(passage, "no_text", "it has no text")
        if len(found.text) > MAX_TEXT:
            return self._refuse(passage, "too_long", f"{len(found.text):,} characters")
        doc_id = self._minted(passage, found.document, found.text)
        if doc_id not in self._documents:
            self._documents[doc_id] = Document(
                doc_id,
                passage,
                found.document,
                found.title,
                found.section,
                found.text,
                found.digest,
                found.run,
            )
        at = self._clock()
        self._times.setdefault(doc_id, set()).add(at)
        self._reach[worker].add(doc_id)
        return self._documents[doc_id], at

    def check_span(self, doc_id: str, span: str) -> SpanCheck:
        """Say whether a document of this run holds the words of ``span``.

        Both are compared in canonical form (see ``evidence.canonical``), at the edges of words.
        """
        document = self._documents.get(doc_id)
        if document is None:
            return SpanCheck(SpanStatus.UNKNOWN_DOC)
        if len(span) > MAX_SPAN:
            return SpanCheck(SpanStatus.NOT_FOUND)
        key = (doc_id, span)
        if key not in self._places:
            self._places[key] = self.folded(doc_id).find(Canonical(span))
        place = self._places[key]
        if place is None:
            return SpanCheck(SpanStatus.NOT_FOUND)
        return SpanCheck(SpanStatus.VERBATIM, *place)

    def folded(self, doc_id: str) -> Canonical:
        """Return the text of a document of this run in canonical form."""
        if doc_id not in self._folded:
            self._folded[doc_id] = Canonical(self._documents[doc_id].text)
        return self._folded[doc_id]

    def check(self, evidence: Evidence) -> SpanCheck:
        """Check one evidence: its span, and that its document was fetched when it says.

        An inference from the whole of a document (an empty span) is VERBATIM as far as this goes;
        whether the document bears it is for the judge.
        """
        if evidence.retrieved_at not in self._times.get(evidence.doc_id, set()):
            return SpanCheck(SpanStatus.UNKNOWN_DOC)
        if evidence.kind is EvidenceKind.INFERENCE and not evidence.span.strip():
            return SpanCheck(SpanStatus.VERBATIM, 0, len(self._documents[evidence.doc_id].text))
        return self.check_span(evidence.doc_id, evidence.span)

    def _refuse(self, passage: str, reason: str, detail: str) -> Refused:
        self.refused.append(Refused(passage, reason, detail))
        return self.refused[-1]

    def _minted(self, passage: str, document: str, text: str) -> str:
        parts = "\0".join((str(len(self._run)), self._run, document, passage, text))
        digest = hashlib.sha256(parts.encode("utf-8", "backslashreplace")).hexdigest()
        return f"d_{digest[:16]}"
