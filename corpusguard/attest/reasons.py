"""Why a corpus is refused.

Every reason has a code that never changes its meaning, and an exit code by the contract: 1 for
findings, 3 for what is not verified (any more, or yet), 4 for evidence that is not what it should
be.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable


class Reason(StrEnum):
    """Why a corpus is refused."""

    NOTHING_IN_SCOPE = "nothing_in_scope"
    NO_RUN = "no_run"
    UNLISTED_DOCUMENT = "unlisted_document"
    PARTIAL_SCOPE = "partial_scope"
    CORPUS_CHANGED = "corpus_changed"
    NO_SINGLE_RUN = "no_single_run"
    PASSAGES_UNKNOWN = "passages_unknown"
    MISSING_LAYERS = "missing_layers"
    VIOLATED = "violated"
    UNVERIFIABLE = "unverifiable"
    FINDINGS = "findings"
    TOO_OLD = "too_old"
    FROM_THE_FUTURE = "from_the_future"
    UNFINISHED_RUN = "unfinished_run"
    EVIDENCE_BROKEN = "evidence_broken"
    TOO_LARGE = "too_large"
    NOT_JSON = "not_json"
    DUPLICATE_KEY = "duplicate_key"
    MALFORMED_ENVELOPE = "malformed_envelope"
    BAD_BASE64 = "bad_base64"
    WRONG_PAYLOAD_TYPE = "wrong_payload_type"
    NO_SIGNATURE = "no_signature"
    UNKNOWN_SIGNER = "unknown_signer"
    BAD_SIGNATURE = "bad_signature"
    MALFORMED_STATEMENT = "malformed_statement"
    WRONG_STATEMENT_TYPE = "wrong_statement_type"
    WRONG_PREDICATE_TYPE = "wrong_predicate_type"
    NO_SUBJECT = "no_subject"
    SEVERAL_SUBJECTS = "several_subjects"
    INCONSISTENT = "inconsistent"
    OLDER_RUN = "older_run"
    OTHER_HISTORY = "other_history"


_WHOLE: Final = frozenset(
    {
        Reason.NO_RUN,
        Reason.OLDER_RUN,
        Reason.OTHER_HISTORY,
    }
)
"""What speaks against every document where it is said of the corpus as a whole."""
_FINDINGS: Final = frozenset({Reason.VIOLATED, Reason.FINDINGS})
_BROKEN: Final = frozenset(
    {
        Reason.EVIDENCE_BROKEN,
        Reason.TOO_LARGE,
        Reason.NOT_JSON,
        Reason.DUPLICATE_KEY,
        Reason.MALFORMED_ENVELOPE,
        Reason.BAD_BASE64,
        Reason.WRONG_PAYLOAD_TYPE,
        Reason.NO_SIGNATURE,
        Reason.UNKNOWN_SIGNER,
        Reason.BAD_SIGNATURE,
        Reason.MALFORMED_STATEMENT,
        Reason.WRONG_STATEMENT_TYPE,
        Reason.WRONG_PREDICATE_TYPE,
        Reason.NO_SUBJECT,
        Reason.SEVERAL_SUBJECTS,
        Reason.INCONSISTENT,
    }
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """One reason against a corpus, or against one document of it."""

    reason: Reason
    message: str
    hint: str = ""
    corpus: str = ""
    document: str = ""
    """Empty: the reason is about the corpus as a whole."""

    @property
    def exit_code(self) -> int:
        """What it comes to by the contract: 1, 3 or 4."""
        if self.reason in _BROKEN:
            return 4
        return 1 if self.reason in _FINDINGS else 3

    @property
    def blocks_all(self) -> bool:
        """Whether not even a document that stands well may pass."""
        return self.reason in _BROKEN or (self.reason in _WHOLE and not self.document)


class Refused(Exception):
    """An attestation that is refused before anything in it is believed."""

    def __init__(self, reason: Reason, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.refusal = Refusal(reason, message, hint)


def exit_code(refusals: Iterable[Refusal]) -> int:
    """Return the exit code of several reasons: 4 before 1 before 3; 0 where there is none."""
    found = {one.exit_code for one in refusals}
    return next((code for code in (4, 1, 3) if code in found), 0)
