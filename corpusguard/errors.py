"""What can go wrong, as one tree.

* CorpusguardError
    * ConfigError               exit 2   usage or configuration
    * CorpusUnreadable          exit 3   the user's store cannot be read
    * NothingVerified           exit 3   no run has verified anything that an answer could rest on
    * SourceError               exit 3   an official answer cannot be used; carries a rule id
        * SourceUnreachable     CG501    no answer, or an answer that says "not now"
        * WrongDocument         CG502    a law, but another one
        * NotTheDocument        CG503    shell, error page or firewall page with status 200
        * ShapeChanged          CG504    the publisher's format is not the one we know
        * BodyTruncated         CG506    the body ends before it should
        * Unreadable            CG507    bytes that no reader can turn into text
        * Mojibake              CG511    text decoded with the wrong character set
    * StorageError              exit 4   a result could not be stored durably
        * EvidenceMissing       CG701    a snapshot that history names is gone or altered
        * HistoryBroken         CG702    the history file is not what it was
    * LockHeld                  exit 75  another run holds the lock

Every error has a short message for code and logs and an optional ``hint``: the next step for a
person.
"""

from __future__ import annotations

from typing import ClassVar


class CorpusguardError(Exception):
    """Base of all errors that corpusguard raises on purpose."""

    exit_code: ClassVar[int] = 70

    def __init__(self, message: str, *, hint: str = "") -> None:
        """Keep ``message`` for logs and ``hint``, the next step, for a person."""
        super().__init__(message)
        self.message = message
        self.hint = hint


class ConfigError(CorpusguardError):
    """The command line or the configuration is wrong."""

    exit_code = 2


class CorpusUnreadable(CorpusguardError):
    """The user's corpus store cannot be read."""

    exit_code = 3


class NothingVerified(CorpusguardError):
    """No run has verified anything that an answer could rest on."""

    exit_code = 3


class SourceError(CorpusguardError):
    """An official answer cannot be used; ``rule`` says why."""

    exit_code = 3
    rule: ClassVar[str] = "CG501"


class SourceUnreachable(SourceError):
    """No usable answer: network failure, refusal, 4xx/5xx, off-host redirect."""

    rule = "CG501"


class WrongDocument(SourceError):
    """The answer is a law, but not the one that was asked for."""

    rule = "CG502"


class NotTheDocument(SourceError):
    """JavaScript shell, error page or firewall page, often with status 200."""

    rule = "CG503"


class ShapeChanged(SourceError):
    """The publisher's answer has an unknown shape."""

    rule = "CG504"


class BodyTruncated(SourceError):
    """The body ends early, or shrank so much that it is not believed."""

    rule = "CG506"


class Unreadable(SourceError):
    """The bytes cannot be turned into text (encrypted, image only, broken, over a limit)."""

    rule = "CG507"


class Mojibake(SourceError):
    """The text was decoded with the wrong character set."""

    rule = "CG511"


class StorageError(CorpusguardError):
    """A result could not be stored durably."""

    exit_code = 4


class EvidenceMissing(StorageError):
    """A snapshot named by history is gone, or its bytes are not those that were stored."""


class HistoryBroken(StorageError):
    """The history file is damaged, or is not a corpusguard history."""


class LockHeld(CorpusguardError):
    """Another run holds the lock."""

    exit_code = 75
