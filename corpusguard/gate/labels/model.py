"""Labels in a sentence: what they are, and what can be wrong with them."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class Kind(StrEnum):
    """How the writer knows."""

    GIVEN = "u"
    """It was in the material that the writer was handed; the note says whose claim it is."""
    MEASURED = "m"
    """It was checked against a source, which the note names. Only the gate assigns it."""
    GUESSED = "g"
    """The writer inferred, estimated or guessed it."""


class Fault(StrEnum):
    """What can be wrong with the labels of a text."""

    UNCLOSED = "unclosed"
    UNOPENED = "unopened"
    OVERLAP = "overlap"
    """Two labels cross: neither holds the other."""
    NO_SOURCE = "no_source"
    """A ``(/m: …)`` that names no source."""
    MALFORMED = "malformed"
    """Nearly a closing label: ``(/g note)``, ``(/U: …)``, or without its end."""
    DISGUISED = "disguised"
    """Looks like a label and is not: a look-alike letter, an invisible character or a
    backslash inside."""


class Reason(StrEnum):
    """Why the gate holds a text."""

    GUESS = "guess"
    UNLABELLED = "unlabelled"
    UNPROVEN = "unproven"
    """Only an incoming (m) stands on it, and that counts for nothing."""
    IMBALANCE = "imbalance"
    """At least one fault."""
    EMPTY = "empty"
    """No sentence: there is nothing that could be let through."""


@dataclass(frozen=True, slots=True)
class Label:
    """One label: ``(u)words(/u: note)``. Offsets are code points into the labelled text."""

    kind: Kind
    start: int
    """Of the opening mark."""
    inner_start: int
    inner_end: int
    end: int
    """After the closing mark."""
    note: str = ""
    source: str = ""
    """Of an (m): what stands before the last comma of its note, or all of it."""
    date: str = ""
    """Of an (m): what stands after the last comma of its note, as written."""
    plain_start: int = 0
    """Of its words, in the text without labels."""
    plain_end: int = 0


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault, and where."""

    fault: Fault
    start: int
    end: int
    message: str


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of the plain text under one and the same set of labels."""

    start: int
    end: int
    given: bool = False
    guessed: bool = False
    measured: bool = False


@dataclass(frozen=True, slots=True)
class Labelled:
    """A text, read."""

    text: str
    plain: str
    """The text without its labels."""
    labels: tuple[Label, ...]
    """By their end: an inner one comes before the one that holds it."""
    problems: tuple[Problem, ...]
    stretches: tuple[Stretch, ...]
    """In order; together they are ``plain``."""
    letters: tuple[tuple[int, int], ...] = ()
    """Spans in ``plain`` of ``(g)`` and the like that are list letters, references or units."""
    opened: Mapping[Kind, int] = field(default_factory=dict)
    closed: Mapping[Kind, int] = field(default_factory=dict)

    @property
    def balanced(self) -> bool:
        """Whether every label is whole and nothing is wrong with any."""
        return not self.problems


@dataclass(frozen=True, slots=True)
class Bare:
    """Words of one sentence that no label that counts stands on."""

    words: str
    """Their beginning."""
    sentence: str
    """Its beginning."""
    start: int
    """Of the words, in the plain text."""
    end: int
    reason: Reason
    """UNLABELLED or UNPROVEN."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What the label gate says of a text."""

    held: bool
    reasons: tuple[Reason, ...]
    sentences: int
    guesses: tuple[str, ...]
    """The beginning of the words of every (g)."""
    bare: tuple[Bare, ...]
    problems: tuple[Problem, ...]
    opened: Mapping[Kind, int]
    closed: Mapping[Kind, int]


@dataclass(frozen=True, slots=True)
class Quoted:
    """A stretch of plain text for which the sentence gate's verdict is QUOTED."""

    start: int
    end: int
    source: str
    """The passage that it is quoted from, such as its id."""
    date: str
    """When that passage was verified, as ``YYYY-MM-DD``."""
