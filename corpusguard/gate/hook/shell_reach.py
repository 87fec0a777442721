"""Whether the words of a command name or lead to memory, from wherever it may be by then."""

from __future__ import annotations

import fnmatch
import os
import posixpath
import re
from typing import TYPE_CHECKING, Final

from corpusguard.gate.hook.paths import WILD
from corpusguard.gate.hook.shell_model import Kind, Part, Word
from corpusguard.gate.hook.shell_programs import only_reads, program
from corpusguard.gate.hook.shell_values import DECLARES, Variables, split
from corpusguard.gate.hook.toolcall import Blocked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corpusguard.gate.hook.paths import MemoryFiles
    from corpusguard.gate.hook.shell_model import Command, Script

HINT: Final = (
    "use the Write or Edit tool for a memory file, or one plain command in a call of its own: "
    "`cat >> FILE <<'EOF'` with the text. docs/hook.md says what else is read."
)
_MOVES: Final = frozenset({"cd", "pushd", "popd"})
_SEES_VARIABLES: Final = DECLARES | {"set", "source", ".", "eval", "trap"}
_PLACES: Final = frozenset({"HOME", "PWD", "OLDPWD", "CDPATH"})
_PATH: Final = frozenset({"$PATH", "${PATH}"})
_HOME: Final = Word((Part("$HOME", Kind.EXPANSION),))
_MOST_FOLDERS: Final = 64
_MOST_PIECES: Final = 50
_MOST_WORDS: Final = 20_000
_LONGEST_PATH: Final = 4_096
_PIECES: Final = re.compile(r"[\s,:;|]+")
_WORDS: Final = re.compile(r"(?:[\s'\"`<>|;&(){},=]|\\[nt]?)+")
_DESCRIPTOR: Final = re.compile(
    r"/+dev/(?:stdin|fd/(?![12]$).*)|/+proc/.*/fd/.*|/+(?:dev|proc)/.*[*?\[].*"
)
"""A file that is open already, whichever it is; but not the usual output."""
_CODE: Final = re.compile(r"\$\(([^()]*)|`([^`]*)`")
_SUM: Final = re.compile(r"\$\(\(|\$\{.*@P\}")
_EVALUATED: Final = DECLARES | {"[[", "[", "test", "let", "read", "unset"}
"""They take some of their arguments for sums, in which a substitution is run."""


def unseen(what: str) -> Blocked:
    """Return the refusal of a write whose place or text cannot be worked out."""
    return Blocked(f"Bash: {what}, and what would be written cannot be seen", hint=HINT)


def given_to(command: Command) -> Iterator[Word]:
    """Yield the words of a command and what it is redirected to or from."""
    yield from command.words
    yield from (one.target for one in command.redirections)


class Reach:
    """What one tool call can get at."""

    def __init__(self, cwd: str, memory: MemoryFiles) -> None:
        self._memory = memory
        self._folders = [cwd]
        """Wherever it may be when it writes."""
        self._lost = False
        """Whether it may be somewhere else, too."""
        self._in_memory = False
        self._more = False
        """Whether a command may make files for the patterns of others."""
        self._touched: dict[tuple[str, int], bool] = {}
        self._led: dict[tuple[str, int], bool] = {}
        """What has been found out, by text and how many folders there were."""
        self._listings: dict[str, list[str]] = {}
        self.variables = Variables(self._folders)

    def move(self, commands: Sequence[Command], *, plain: bool) -> None:
        """Follow ``cd``: each may happen or fail, so every folder on the way counts."""
        calls = [(command, split(command)[1]) for command in commands]
        moves = [
            (command, call) for command, call in calls if call and self.text(call[0]) in _MOVES
        ]
        self._more = self._more or any(map(self._makes_files, commands))
        self._lost = self._lost or any(map(self._may_move, (call for _, call in calls)))
        for number, (command, call) in enumerate(moves):
            operands = [one for one in call[1:] if one.text == "-" or one.text[:1] != "-"]
            back = self.text(call[0]) == "popd" or (operands and operands[0].text == "-")
            if not operands and not back:
                operands = [_HOME]
            values = self.variables.of(operands[0]) if operands else None
            self._in_memory = self._in_memory or any(map(self.reaches, operands))
            if back or values is None or len(self._folders) > _MOST_FOLDERS:
                self._lost = self._lost or not back or not number
                continue
            reached = [
                posixpath.join(folder, posixpath.expanduser(text))
                for folder in self._folders
                for text in values.texts
            ]
            # A first `cd` into a folder that is there, with all the rest after `&&`.
            surely = plain and command is commands[0] and len(moves) == 1 and len(reached) == 1
            if surely and command.followed == "&&" and os.path.isdir(reached[0]):  # noqa: PTH112
                self._folders.clear()
            self._folders.extend(one for one in reached if one not in self._folders)
        self._touched.clear()
        self._led.clear()

    def inside(self) -> bool:
        """Tell whether it may be in a memory folder."""
        return self._in_memory or self.leads("x/..")

    def text(self, word: Word) -> str:
        """Return what a word stands for where that is one thing, else its source."""
        values = self.variables.of(word)
        return values.texts[0] if values and len(values.texts) == 1 else word.text

    def is_memory(self, word: Word) -> bool:
        """Tell whether what is written to a place may go into memory.

        Raises:
            Blocked: It is not known where it goes.
        """
        values = self.variables.of(word)
        if values is None:
            raise unseen(f"where {word.text!r} leads is only known when it runs")
        whole = [posixpath.join(one, text) for one in self._folders for text in values.texts]
        if any(_DESCRIPTOR.fullmatch(posixpath.normpath(one)) for one in whole):
            raise unseen(f"{word.text!r} may be any file that is open")
        if self._lost and any(not text.startswith(("/", "~")) for text in values.texts):
            raise unseen(f"the folder of {word.text!r} is only known when it runs")
        return any(map(self.leads, self._pieces(word)))

    def is_elsewhere(self, word: Word) -> bool:
        """Tell whether a word is no memory file and no folder, so that a copy keeps no name.

        Raises:
            Blocked: It is not known.
        """
        values = self.variables.of(word)
        return not self.is_memory(word) and not any(
            one.endswith(("/", ".")) or os.path.isdir(posixpath.join(folder, one))  # noqa: PTH112
            for one in (values.texts if values else ())
            for folder in self._folders
        )

    def evaluates(self, commands: Sequence[Command]) -> bool:
        """Tell whether a text that a sum or a prompt may run names memory: ``x='a[$(…)]'``."""
        words = [word for _, word in self.variables.stored()]
        given = [word for command in commands for word in given_to(command)]
        heads = {call[0].text for command in commands if (call := split(command)[1])}
        if heads & _EVALUATED or any(_SUM.match(part.text) for one in given for part in one.parts):
            words += given
        return any(
            self.touches(code[1] or code[2] or "")
            for word in words
            for part in word.parts
            if part.kind is not Kind.EXPANSION
            for code in _CODE.finditer(part.text)
        )

    def shadows(self) -> bool:
        """Tell whether PATH may come to hold a folder in which a command has put programs."""
        for word in self.variables.assigned("PATH"):
            parts = (one for one in (word.parts if word else ()) if one.text not in _PATH)
            values = self.variables.of(Word(tuple(parts))) if word else None
            added = ":".join(values.texts).split(":") if values else ["."]
            if not all(self._is_elsewhere(one) for one in added if one):
                return True
        return False

    def _is_elsewhere(self, folder: str) -> bool:
        whole = posixpath.expanduser(folder)
        return posixpath.isabs(whole) and not any(
            f"{whole}/".startswith(f"{one}/") for one in self._folders
        )

    def _makes_files(self, command: Command) -> bool:
        call = split(command)[1]
        texts = list(map(self.text, call))
        name = program(texts[0]) if texts else ""
        made = [one.target for one in command.redirections if one.operator[:1] in {">", "&"}]
        if name in {"touch", "mkdir", "ln", "tee"}:
            made += call
        brings = name in {"tar", "unzip", "7z"} or (name == "git" and not only_reads(texts))
        return brings or any(map(self.reaches, made))

    def _may_move(self, call: Sequence[Word]) -> bool:
        """Tell whether a program that nobody knows may be ``cd``."""
        if len(call) != 2 or call[1].text.startswith("-") or self.variables.of(call[0]):
            return False
        return all(
            one.kind is Kind.EXPANSION and "$(which " not in one.text for one in call[0].parts
        )

    def misplaced(self) -> bool:
        """Tell whether a variable that says where files are is set to memory."""
        return any(name in _PLACES and self.reaches(word) for name, word in self.variables.stored())

    def spells(self, words: Iterable[Word]) -> bool:
        """Tell whether a memory file's name is there in two parts: ``-S .md CLAUDE``."""
        return self._memory.in_parts(" ".join(map(self.text, words)))

    def places(self, word: Word) -> list[str] | None:
        """Return the memory files that a word names; None: it may name others."""
        values = self.variables.of(word)
        if values is None or not values.exact or self._lost:
            return None
        found = []
        for text in values.texts:
            for folder in self._folders:
                if self._memory.holds(text, folder):
                    found.append(posixpath.join(folder, posixpath.expanduser(text)))
                elif self._leads_from(folder, text):
                    return None
        return found

    def reaches(self, word: Word) -> bool:
        """Tell whether an argument names or leads to memory."""
        return (
            self.touches(word.text)
            or any(self.touches(text) for text in self._pieces(word))
            or any(part.inner and self._gets(part.inner) for part in word.parts)
        )

    def touches(self, text: str) -> bool:
        """Tell whether a text names memory, or is a path or pattern that leads there."""
        key = (text, len(self._folders))
        if key not in self._touched:
            self._touched[key] = self._touches(text)
        return self._touched[key]

    def _touches(self, text: str) -> bool:
        if self._memory.mentions(text):
            return True
        if _WORDS.search(text) and any(map(self._names, set(_WORDS.split(text)[:_MOST_WORDS]))):
            return True
        if len(text) > _LONGEST_PATH or any(one.isspace() for one in text):
            return False
        forms = {text, text.rpartition("=")[2]} | ({text[2:]} if re.match("-[^-]", text) else set())
        return self._memory.mentioned_in(text) or any(self.leads(one) for one in forms if one)

    def leads(self, text: str) -> bool:
        """Tell whether a path or pattern is, or may be, a memory file or folder."""
        key = (text, len(self._folders))
        if key not in self._led:
            self._led[key] = any(self._leads_from(folder, text) for folder in self._folders)
        return self._led[key]

    def feeds_programs(self, commands: Sequence[Command]) -> bool:
        """Tell whether a variable with the name of memory is handed on."""
        calls = [call for command in commands if (call := split(command)[1])]
        handed = any(self.text(call[0]) in _SEES_VARIABLES for call in calls)
        return any(
            self.reaches(word)
            for name, word in self.variables.stored()
            if handed or name in os.environ
        )

    def _gets(self, script: Script) -> bool:
        """Tell whether a substitution's commands are given the name of memory."""
        return any(self.reaches(word) for one in script.commands for word in given_to(one))

    def _names(self, piece: str) -> bool:
        """Tell whether a word of code or prose leads to memory."""
        plain = piece.strip("*?./")
        if not plain or len(piece) > _LONGEST_PATH:
            return False
        if "/" in piece or ("." in piece and set(piece) & {"*", "?"}):
            return self.leads(piece)
        if set(piece) & {"*", "?"} and piece[0].isalnum():
            return any(
                self._memory.holds(name, folder) or self._memory.contains(name, folder)
                for folder in self._folders
                for name in fnmatch.filter(self._listed(folder), piece)
            )
        # A folder's bare name is a word like others; a link's is none.
        return any(
            self._memory.holds(piece, one)
            or (os.path.islink(posixpath.join(one, piece)) and self._memory.contains(piece, one))  # noqa: PTH114
            for one in self._folders
        )

    def _listed(self, folder: str) -> list[str]:
        if folder not in self._listings:
            try:
                self._listings[folder] = os.listdir(folder)  # noqa: PTH208
            except OSError:
                self._listings[folder] = []
        return self._listings[folder]

    def _leads_from(self, folder: str, text: str) -> bool:
        if set(folder) & WILD:
            folder, text = "/", posixpath.join(folder, text)
        return self._memory.may_hold(text, folder, more=self._more) or self._memory.contains(
            text, folder
        )

    @staticmethod
    def _compatible(word: Word) -> Iterator[str]:
        """Yield a pattern for a word of which a part is not known, if the rest says something."""
        text = "".join("*" if one.kind is Kind.EXPANSION else one.text for one in word.parts)
        pattern = text.rpartition("=")[2]
        if pattern.rpartition("/")[2].strip("*"):
            yield pattern

    def _pieces(self, word: Word) -> Iterator[str]:
        """Yield what a word stands for, and what a shell would split it into."""
        values = self.variables.of(word)
        expanded = any(part.kind is Kind.EXPANSION for part in word.parts)
        if values is None:
            yield from self._compatible(word)
        for text in values.texts if values else ():
            yield text
            if expanded:
                pieces = _PIECES.split(text)
                yield from pieces[:_MOST_PIECES] if len(pieces) > 1 else ()
