"""What can be measured: anything that decides on a sentence and the passages that it cites."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Final, Protocol

from corpusguard.evidence.canonical import canonical, sha256_hex
from corpusguard.measure.gate.verdicts import Decision

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from corpusguard.evidence.canonical import Value


class Subject(Protocol):
    """Something that decides."""

    @property
    def facts(self) -> Mapping[str, str]:
        """Say what it is: name, versions, judge, prompt or rules, splitter. Hashed, published."""

    def decide(self, sentence: str, passages: Sequence[tuple[str, str]]) -> str:
        """Return ``ships``, ``stripped`` or ``error``; anything else, raised too, is an error."""


def subject_digest(facts: Mapping[str, str]) -> str:
    """Return the SHA-256, in hex, of what a subject is."""
    plain: dict[str, Value] = dict(facts)
    return sha256_hex(canonical(plain))


def decided(subject: Subject, sentence: str, passages: Sequence[tuple[str, str]]) -> Decision:
    """Return the decision of a subject; whatever goes wrong in it is an error, never a pass."""
    try:
        answer = subject.decide(sentence, passages)
    except Exception:  # noqa: BLE001 - the subject is foreign code, and its failure is a result
        return Decision.ERROR
    known = isinstance(answer, str) and answer in set(Decision)
    return Decision(answer) if known else Decision.ERROR


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
