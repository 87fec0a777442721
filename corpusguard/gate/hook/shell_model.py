"""What a shell command consists of, as ``shell_script`` reads it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final

_LOOPS: Final = frozenset({"for", "select"})
_STRIPPED: Final = frozenset(
    "if then elif else fi do done while until { } ! time esac function".split()
)
_EXPANDED: Final = frozenset("*?[{~")
KEYWORDS: Final = _STRIPPED | _LOOPS | {"case", "coproc", "[["}


class Unreadable(ValueError):
    """It does not end where it should, or could be read in two ways."""


class Kind(Enum):
    """How a piece of a word is written."""

    PLAIN = auto()
    QUOTED = auto()
    CODED = auto()
    """``$'…'`` with letters given by number, ``$"…"``: a text that nobody has read as such."""
    EXPANSION = auto()


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a word."""

    text: str
    """What it stands for; of an expansion, its source."""
    kind: Kind
    inner: Script | None = None
    """What ``$(…)`` runs."""


@dataclass(frozen=True, slots=True)
class Word:
    """One word."""

    parts: tuple[Part, ...] = ()

    @property
    def text(self) -> str:
        """The word with its quotes taken off."""
        return "".join(part.text for part in self.parts)

    @property
    def literal(self) -> bool:
        """Whether the shell would use ``text`` as it is, and it reads as it is written."""
        return all(
            part.kind is Kind.QUOTED or (part.kind is Kind.PLAIN and not set(part.text) & _EXPANDED)
            for part in self.parts
        )

    @property
    def bare(self) -> bool:
        """Whether nothing in it is quoted or expanded, as a keyword must be."""
        return all(part.kind is Kind.PLAIN for part in self.parts)


@dataclass(frozen=True, slots=True)
class Redirection:
    """``2>errors``: file descriptor (empty: not given), operator, target."""

    descriptor: str
    operator: str
    target: Word


@dataclass(slots=True)
class Command:
    """One simple command."""

    words: list[Word] = field(default_factory=list)
    redirections: list[Redirection] = field(default_factory=list)
    arrays: list[tuple[str, list[Word]]] = field(default_factory=list)
    """``NAME=(…)``."""
    feeds: Command | None = None
    """The command whose output it reads."""
    behind: int = 0
    """How many there are before it in its pipeline."""
    joined: str = ""
    """The operator in front of it."""
    followed: str = ""
    """The operator behind it."""

    keywords: int = 0
    """How many keywords stand in front."""

    def add(self, word: Word) -> bool:
        """Add a word; return whether only keywords stand before it."""
        first = len(self.words) == self.keywords
        self.words.append(word)
        if first and word.bare and word.text in _STRIPPED:
            self.keywords += 1
        return first

    def stripped(self) -> list[Word]:
        """Return the words without keywords in front."""
        return self.words[self.keywords :]

    @property
    def heads(self) -> bool:
        """Whether it is ``for NAME`` or ``[[ … ]]``: "do" may follow without a mark between."""
        count = len(self.words) - self.keywords
        if count < 2:
            return False
        first, last = self.words[self.keywords], self.words[-1]
        tested = first.text == "[[" and last.bare and last.text == "]]"
        return first.bare and (tested or (count == 2 and first.text in _LOOPS))

    @property
    def loop(self) -> tuple[str, list[Word]] | None:
        """The variable of a ``for`` and what it goes through."""
        words = self.stripped()
        if len(words) > 1 and words[0].bare and words[0].text in _LOOPS:
            return words[1].text, words[3:]
        return None

    @property
    def chooses(self) -> bool:
        """Whether it is the head of a ``case``."""
        words = self.stripped()
        return bool(words) and words[0].bare and words[0].text == "case"


@dataclass(slots=True)
class Script:
    """All commands of a text."""

    commands: list[Command] = field(default_factory=list)
    inner: list[Script] = field(default_factory=list)
    """Substitutions anywhere in it."""
    plain: bool = True
    """Simple commands one after the other: no loop, group, function, job or keyword."""
    functions: set[str] = field(default_factory=set)
