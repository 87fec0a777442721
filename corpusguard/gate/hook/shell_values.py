"""What the words of a command may stand for once a shell has expanded them.

A variable stands for everything that the command assigns to it anywhere, in whatever order: that
covers loops, functions and traps without following them. One that it assigns nowhere comes from
the environment, which this process shares with the agent's shell; where it is not set, it is
empty. What comes from elsewhere (a command's output, an argument of a function, ``read``) is not
known, unless the output can be no name of a memory file: a number, a date, a temporary file.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Final

from corpusguard.gate.hook.shell_model import Command, Kind, Part, Word

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from corpusguard.gate.hook.shell_model import Script

_MOST: Final = 64
"""Values of one word; more is not known."""
_DEEPEST: Final = 8
_ASSIGNED: Final = re.compile(r"(?P<name>[^\W\d]\w*)(?:\[[^\]]*\])?(?P<adds>\+?)=", re.ASCII)
_REFERENCE: Final = re.compile(
    r"\$(?:(?P<plain>\w+)|\{(?P<name>\w+)(?:\[[@\d]+\])?"
    r"(?:(?P<operator>:?[-+]|%%?|\#\#?)(?P<operand>[^$`'\"\\{}*?\[\]]*))?\})",
    re.ASCII,
)
DECLARES: Final = frozenset({"declare", "typeset", "local", "export", "readonly"})
_READS: Final = frozenset(
    {"read", "mapfile", "readarray", "getopts", "printf", "let", "unset", "wait"}
)
_AT_RUN_TIME: Final = re.compile(
    r"\d+|_|BASH_.*|COPROC|DIRSTACK|FUNCNAME|MAPFILE|OLDPWD|OPTARG|REPLY", re.ASCII
)
_PREFIXES: Final = frozenset({"builtin", "command"})
_NUMBERS: Final = re.compile(r"\$(?:[?#$!]|\(\(|\{#\w+(?:\[[@*]\])?\}|RANDOM|SECONDS|LINENO)")
_SETS: Final = re.compile(r"\$\{(\w+):?=")
_LAST: Final = re.compile(r"\$\{(\w+)##\*/\}")
ANY: Final = "[a-z]*"
"""Stands for one component of a path, whichever."""
_HARMLESS: Final[Mapping[str, re.Pattern[str]]] = {
    "mktemp": re.compile(r"-[dqut]+|[\w./-]*X{3,}[\w.]*"),
    "date": re.compile(r"-u|-I\w*|\+(?:%[YmdHMSsFTNjyuV]|[-_.:T])+"),
    "seq": re.compile(r"\d+"),
    "nproc": re.compile(r""),
    "pwd": re.compile(r"-[LP]"),
    "id": re.compile(r"-[ug]"),
    "git": re.compile(r"rev-parse|--show-toplevel|--short|HEAD"),
    "basename": re.compile(r".*", re.DOTALL),
}
"""Programs whose output can be no memory file by itself, with arguments of this form."""
_LIST: Final = re.compile(r"\{([^{}]*,[^{}]*)\}")
_RANGE: Final = re.compile(r"\{\w+\.\.\w+(?:\.\.\d+)?\}")


@dataclass(frozen=True, slots=True)
class Values:
    """What a word may stand for."""

    texts: tuple[str, ...]
    """Each may still hold the wildcards of a pattern."""
    exact: bool
    """Whether these are the very texts, and not what stands in for numbers and patterns."""


class Variables:
    """What a command assigns."""

    def __init__(self, folders: Sequence[str]) -> None:
        self._folders = folders
        self._assigned: dict[str, list[Word | None]] = {}

    def learn(self, commands: Iterable[Command]) -> None:
        """Take note of all that they assign."""
        for command in commands:
            self._learn(command)

    def assigned(self, name: str) -> Sequence[Word | None]:
        """Return what is assigned to a variable; None for what is not known."""
        return self._assigned.get(name, [])

    def stored(self) -> Iterable[tuple[str, Word]]:
        """Return every variable with each value that is assigned and readable."""
        return [(name, one) for name, words in self._assigned.items() for one in words if one]

    def of(self, word: Word, depth: int = 0) -> Values | None:
        """Return what a word may stand for; None: not known."""
        exact = True
        choices: list[tuple[str, ...]] = []
        for part in word.parts:
            values = self._of_part(part, depth)
            if values is None:
                return None
            choices.append(values.texts)
            exact = exact and values.exact
            if len(values.texts) > _MOST:
                return None
        texts = [""]
        for choice in choices:
            texts = [one + other for one, other in product(texts, choice)]
            if len(texts) > _MOST:
                return None
        plain = "".join(part.text for part in word.parts if part.kind is Kind.PLAIN)
        if re.match(r"~[+\-\d]", plain):
            return None
        if "{" in plain:
            expanded = [some for text in texts for some in _braces(text)]
            return Values(tuple(expanded), exact=False) if len(expanded) <= _MOST else None
        return Values(tuple(texts), exact and not set(plain) & set("*?["))

    def _learn(self, command: Command) -> None:
        for name, words in command.arrays:
            self._assigned.setdefault(name, []).extend(words)
        if loop := command.loop:
            name, words = loop
            self._assigned.setdefault(name, []).extend(words or [None])
        words = [*command.words, *(one.target for one in command.redirections)]
        for part in (part for word in words for part in word.parts):
            for set_ in _SETS.finditer(part.text):
                self._assigned.setdefault(set_[1], []).append(None)
        assigned, call = split(command)
        for name, value in assigned:
            self._assigned.setdefault(name, []).append(value)
        # A program that a variable names may be one that assigns.
        hidden = bool(call) and any(part.kind is Kind.EXPANSION for part in call[0].parts)
        program = call[0].text if call else ""
        for word in call[1:]:
            found = _ASSIGNED.match(word.text) if hidden or program in DECLARES else None
            if found and any("n" in one.text for one in call[1:] if one.text.startswith("-")):
                self._assigned.setdefault(found["name"], []).append(None)
            elif found:
                self._assigned.setdefault(found["name"], []).append(_value(word, found))
            elif (hidden or program in _READS) and word.text.isidentifier():
                self._assigned.setdefault(word.text, []).append(None)

    def _of_part(self, part: Part, depth: int) -> Values | None:
        if part.kind is not Kind.EXPANSION:
            return Values((part.text,), exact=True)
        if _NUMBERS.fullmatch(part.text) and part.text[1:] not in self._assigned:
            return Values(("0",), exact=False)
        if part.inner is not None:
            return _printed(part.inner)
        return self._of_reference(part.text, depth)

    def _of_reference(self, text: str, depth: int) -> Values | None:
        if last := _LAST.fullmatch(text):
            values = self._of_variable(last[1], depth)
            texts = {one.rpartition("/")[2] for one in values.texts} if values else {ANY}
            return Values(tuple(texts), exact=False)
        found = _REFERENCE.fullmatch(text)
        if not found or depth > _DEEPEST:
            return None
        values = self._of_variable(found["plain"] or found["name"], depth)
        if values is None or not found["operator"]:
            return values
        operator, operand = found["operator"], found["operand"]
        if operator[0] == "%":
            return Values(tuple(one.removesuffix(operand) for one in values.texts), values.exact)
        if operator[0] == "#":
            return Values(tuple(one.removeprefix(operand) for one in values.texts), values.exact)
        return Values((*values.texts, operand), exact=False)

    def _of_variable(self, name: str, depth: int) -> Values | None:
        if _AT_RUN_TIME.fullmatch(name):
            return None
        there = os.environ.get(name)
        if name == "PWD":
            return Values(tuple(self._folders), exact=False)
        if name not in self._assigned:
            return Values((there or "",), exact=there is not None)
        texts, exact = [there] if there else [], not there
        for word in self._assigned[name]:
            values = self.of(word, depth + 1) if word else None
            if values is None or len(texts) > _MOST:
                return None
            texts += values.texts
            exact = exact and values.exact
        return Values(tuple(dict.fromkeys(texts)), exact)


def split(command: Command) -> tuple[list[tuple[str, Word | None]], list[Word]]:
    """Return the assignments in front of a command, and its program with arguments.

    A value is None where it is not known what it adds to.
    """
    words = command.stripped()
    assigned: list[tuple[str, Word | None]] = []
    while words and words[0].parts and words[0].parts[0].kind is Kind.PLAIN:
        found = _ASSIGNED.match(words[0].parts[0].text)
        if not found:
            break
        assigned.append((found["name"], _value(words[0], found)))
        words = words[1:]
    while len(words) > 1 and words[0].text in _PREFIXES and not words[1].text.startswith("-"):
        words = words[1:]
    return assigned, words


def _value(word: Word, assigned: re.Match[str]) -> Word | None:
    if assigned["adds"]:
        return None
    first, *rest = word.parts
    return Word((Part(first.text[assigned.end() :], first.kind), *rest))


def _printed(script: Script) -> Values | None:
    """Return what stands for the output of a substitution."""
    if len(script.commands) != 1 or script.commands[0].redirections:
        return None
    assigned, call = split(script.commands[0])
    form = _HARMLESS.get(call[0].text) if call and not assigned else None
    if form is None or not all(map(form.fullmatch, (word.text for word in call[1:]))):
        return None
    name = call[0].text
    if name == "basename":  # one component, whichever
        return Values((ANY,), exact=False)
    return Values(("." if name in {"pwd", "git"} else "0",), exact=False)


def _braces(text: str) -> list[str]:
    """Return what a brace expansion makes of a text; ranges are left as a wildcard."""
    found = [_RANGE.sub("*", text)]
    for _ in range(_MOST):
        group = next((match for one in found if (match := _LIST.search(one))), None)
        if group is None or len(found) > _MOST:
            break
        head, tail = group.string[: group.start()], group.string[group.end() :]
        found.remove(group.string)
        found += [head + choice + tail for choice in group[1].split(",")]
    return found
