"""What can be measured: anything that decides on a sentence and the passages that it cites."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias, runtime_checkable

from corpusguard.errors import CorpusguardError
from corpusguard.evidence.canonical import canonical, sha256_hex
from corpusguard.measure.gate.outcomes import Decision, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from corpusguard.evidence.canonical import Value


class SubjectError(CorpusguardError):
    """A subject gave no decision."""

    exit_code = 3


class Subject(Protocol):
    """Something that decides."""

    @property
    def facts(self) -> Mapping[str, str]:
        """Say what it is: name, versions, judge, prompt or rules, splitter. Hashed, published."""

    def decide(self, sentence: str, passages: Sequence[tuple[str, str]]) -> str:
        """Return ``ships``, ``stripped`` or ``error``; anything else, raised too, is an error."""


@runtime_checkable
class JudgedSubject(Protocol):
    """A gate that asks a judge: slow, costly, several items at once."""

    at_once: int
    """Items that are decided side by side."""

    @property
    def facts(self) -> Mapping[str, str]:
        """As of ``Subject``."""

    @property
    def judge(self) -> Mapping[str, str]:
        """Say of the judge what is no part of its identity, for the record: name, prices."""

    async def outcome(self, sentence: str, passages: Sequence[tuple[str, str]]) -> Outcome:
        """Return the decision and each call; whatever goes wrong in the judge is an error."""


@runtime_checkable
class ReasonedSubject(Protocol):
    """A subject that says why, in a word that may be published."""

    def reasoned(self, sentence: str, passages: Sequence[tuple[str, str]]) -> tuple[str, str]:
        """Return what ``decide`` does, and the word."""


AnySubject: TypeAlias = Subject | JudgedSubject


def subject_digest(facts: Mapping[str, str]) -> str:
    """Return the SHA-256, in hex, of what a subject is."""
    plain: dict[str, Value] = dict(facts)
    return sha256_hex(canonical(plain))


def outcome_of(subject: Subject, sentence: str, passages: Sequence[tuple[str, str]]) -> Outcome:
    """Return what a subject decides; whatever goes wrong in it is an error, never a pass."""
    code = ""
    try:
        if isinstance(subject, ReasonedSubject):
            answer, code = subject.reasoned(sentence, passages)
        else:
            answer = subject.decide(sentence, passages)
    except SubjectError as error:
        return Outcome(Decision.ERROR, reason=error.message, hint=error.hint)
    except Exception as error:  # noqa: BLE001 - the subject is foreign code; its failure is a result
        return Outcome(Decision.ERROR, reason=f"{type(error).__name__}: {error}".rstrip(": "))
    if isinstance(answer, str) and answer in set(Decision):
        return Outcome(Decision(answer), code=code)
    return Outcome(Decision.ERROR, reason=f"{answer!r} is neither ships, stripped nor error")


@dataclass(frozen=True, slots=True)
class Function:
    """A plain function as a subject."""

    name: str
    function: Callable[[str, Sequence[tuple[str, str]]], str]

    @property
    def facts(self) -> Mapping[str, str]:
        """Name and version."""
        return {"subject": self.name, "corpusguard": version("corpusguard-law")}

    def decide(self, sentence: str, passages: Sequence[tuple[str, str]]) -> str:
        """Call the function."""
        return self.function(sentence, passages)


def _always_pass(_sentence: str, _passages: Sequence[tuple[str, str]]) -> str:
    return Decision.SHIPS


def _always_strip(_sentence: str, _passages: Sequence[tuple[str, str]]) -> str:
    return Decision.STRIPPED


def _always_raise(_sentence: str, _passages: Sequence[tuple[str, str]]) -> str:
    raise RuntimeError("this subject always raises")


def _substring(sentence: str, passages: Sequence[tuple[str, str]]) -> str:
    """Quoting as it is often done: the sentence, but for its full stop, is somewhere in the text.

    White space and case are folded; nothing else.
    """
    wanted = _folded(sentence).rstrip(".")
    found = bool(wanted) and any(wanted in _folded(text) for _, text in passages)
    return Decision.SHIPS if found else Decision.STRIPPED


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


BUILT_IN: Final[Mapping[str, Subject]] = {
    "always-pass": Function("always-pass", _always_pass),
    "always-strip": Function("always-strip", _always_strip),
    "always-raise": Function("always-raise", _always_raise),
    "substring": Function("substring", _substring),
}
"""Subjects that need nothing: three that prove the harness, and the usual quoting."""
