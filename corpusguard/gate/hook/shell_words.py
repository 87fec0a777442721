"""A shell command taken apart: words, operators, redirections and here-documents.

This reads the part of the POSIX shell's grammar (https://pubs.opengroup.org/onlinepubs/9799919799/
utilities/V3_chap02.html) that says what goes into which file. It runs and expands nothing: a word
with an expansion in it keeps its source text and is marked as not literal.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

_OPERATORS: Final = (
    "&>>", "<<<", "<<-", "&&", "||", ";;", "|&", "&>", ">>", ">|", ">&", "<<", "<&", "<>",
    ";", "&", "|", "(", ")", ">", "<", "\n",
)  # fmt: skip
REDIRECTIONS: Final = frozenset({">", ">>", ">|", "&>", "&>>", ">&", "<>"})
_INPUTS: Final = frozenset({"<", "<<<", "<<", "<<-", "<&"})
_SEPARATORS: Final = frozenset({"&&", "||", ";", "&", ";;", "(", ")", "\n"})
_KEYWORDS: Final = frozenset(
    "if then else elif fi do done while until for case esac in { } !".split()
)

_CLOSING: Final = frozenset({"}", "done", "fi", "esac"})


class Unreadable(ValueError):
    """The command does not end where it should: a quote or a here-document is open."""


@dataclass(frozen=True, slots=True)
class Word:
    """One word, quotes taken off."""

    text: str
    literal: bool = True
    """Whether the shell would use it as it is."""
    pattern: bool = False
    """Whether it has unquoted characters of a glob or a brace expansion."""


@dataclass(slots=True)
class Command:
    """One simple command."""

    words: list[Word] = field(default_factory=list)
    writes: list[tuple[str, Word]] = field(default_factory=list)
    """(operator, target)."""
    given: list[Word] = field(default_factory=list)
    """What here-documents and here-strings put on its standard input."""
    reads: list[Word] = field(default_factory=list)
    """Files on its standard input."""
    after_group: bool = False
    """Whether it follows a ``)``: redirections are then those of the whole group."""

    @property
    def assignments(self) -> list[tuple[str, Word]]:
        """Leading ``NAME=value`` words."""
        found = []
        for word in self.words:
            name, sign, value = word.text.partition("=")
            if not sign or not name.isidentifier():
                break
            found.append((name, Word(value, word.literal)))
        return found

    @property
    def call(self) -> list[Word]:
        """The words without assignments and keywords: the program and its arguments."""
        rest = self.words[len(self.assignments) :]
        while rest and rest[0].text in _KEYWORDS:
            rest = rest[1:]
        return rest

    @property
    def closes(self) -> bool:
        """Whether it ends a group or loop, whose output its redirections take."""
        return self.after_group or bool(self.words and self.words[0].text in _CLOSING)


def pipelines(command: str) -> list[list[Command]]:
    """Return the pipelines of a command line, each as its simple commands.

    Raises:
        Unreadable: It cannot be taken apart.
    """
    tokens = _Lexer(command).tokens()
    found: list[list[Command]] = [[Command()]]
    at = 0
    while at < len(tokens):
        piece = tokens[at]
        at += 1
        current = found[-1][-1]
        if isinstance(piece, Word):
            current.words.append(piece)
        elif piece in _SEPARATORS:
            found.append([Command(after_group=piece == ")")])
        elif piece in {"|", "|&"}:
            found[-1].append(Command())
        else:
            target = tokens[at] if at < len(tokens) else None
            if not isinstance(target, Word):
                raise Unreadable(f"nothing follows {piece}")
            at += 1
            _redirect(current, piece, target)
    return [
        kept
        for line in found
        if (kept := [one for one in line if one.words or one.writes or one.given])
    ]


def _redirect(command: Command, operator: str, target: Word) -> None:
    if operator in {"<<<", "<<", "<<-"}:
        command.given.append(target)
    elif operator in _INPUTS:
        command.reads.append(target)
    elif not (operator == ">&" and re.fullmatch(r"\d+|-", target.text)):
        command.writes.append((operator, target))


class _Lexer:
    """Cuts a command into words and operators."""

    def __init__(self, text: str) -> None:
        self._text = text.replace("\\\n", "")
        self._at = 0
        self._found: list[Word | str] = []
        self._pending: list[tuple[int, Word, bool]] = []
        """(index of the token to replace, end mark, whether leading tabs go)."""

    def tokens(self) -> list[Word | str]:
        """Return all of them."""
        while self._at < len(self._text):
            character = self._text[self._at]
            operator = next((one for one in _OPERATORS if self._text.startswith(one, self._at)), "")
            if character in " \t\r":
                self._at += 1
            elif character == "#":
                self._at = self._end_of_line()
            elif operator:
                self._operator(operator)
            else:
                self._found.append(self._word())
        if self._pending:
            self._bodies()
        return self._found

    def _operator(self, operator: str) -> None:
        last = self._found[-1] if self._found else None
        touches = self._at > 0 and self._text[self._at - 1].isdigit()
        if operator[0] in "<>" and touches and isinstance(last, Word) and last.text.isdigit():
            self._found.pop()  # a file descriptor, as in 2>errors; "2 >errors" has none
        self._at += len(operator)
        self._found.append(operator)
        if operator in {"<<", "<<-"}:
            while self._text[self._at : self._at + 1] in {" ", "\t"}:
                self._at += 1
            self._pending.append((len(self._found), self._word(), operator == "<<-"))
            self._found.append(Word(""))
        elif operator == "\n" and self._pending:
            self._bodies()

    def _end_of_line(self) -> int:
        end = self._text.find("\n", self._at)
        return len(self._text) if end < 0 else end

    def _bodies(self) -> None:
        """Read the here-documents that begin on the line that has just ended."""
        for index, mark, tabs in self._pending:
            lines: list[str] = []
            while True:
                if self._at >= len(self._text):
                    raise Unreadable("a here-document does not end")
                end = self._end_of_line()
                line = self._text[self._at : end]
                self._at = min(end + 1, len(self._text))
                line = line.lstrip("\t") if tabs else line
                if line == mark.text:
                    break
                lines.append(line + "\n")
            body = "".join(lines)
            # A quoted end mark (kept in ``pattern`` by _word) means: nothing in it is expanded.
            expanded = not mark.pattern and re.search(r"[$`\\]", body) is not None
            self._found[index] = Word(body, literal=not expanded)
        self._pending = []

    def _word(self) -> Word:
        """Read one word; of an end mark, ``pattern`` says whether any of it was quoted."""
        parts: list[str] = []
        literal, quoted, pattern = True, False, False
        start = self._at
        while self._at < len(self._text):
            character = self._text[self._at]
            if character in " \t\r\n;&|()<>":
                break
            if character == "\\":
                parts.append(self._text[self._at + 1 : self._at + 2])
                quoted = True
                self._at += 2
            elif character == "'":
                parts.append(self._until("'"))
                quoted = True
            elif character == '"':
                inner, plain = self._double()
                parts.append(inner)
                literal, quoted = literal and plain, True
            elif character in "$`":
                parts.append(self._expansion())
                literal = False
            else:
                pattern = pattern or character in "*?[{"
                parts.append(character)
                self._at += 1
        if self._at == start:
            raise Unreadable("a word is missing")
        is_mark = self._found and self._found[-1] in {"<<", "<<-"}
        return Word("".join(parts), literal, quoted if is_mark else pattern)

    def _until(self, mark: str) -> str:
        end = self._text.find(mark, self._at + 1)
        if end < 0:
            raise Unreadable("a quote does not end")
        found = self._text[self._at + 1 : end]
        self._at = end + 1
        return found

    def _double(self) -> tuple[str, bool]:
        parts: list[str] = []
        plain = True
        self._at += 1
        while self._at < len(self._text):
            character = self._text[self._at]
            if character == '"':
                self._at += 1
                return "".join(parts), plain
            if character == "\\" and self._text[self._at + 1 : self._at + 2] in set('$`"\\'):
                parts.append(self._text[self._at + 1])
                self._at += 2
            elif character in "$`":
                parts.append(self._expansion())
                plain = False
            else:
                parts.append(character)
                self._at += 1
        raise Unreadable("a quote does not end")

    def _expansion(self) -> str:
        """Take an expansion as source text: ``$NAME``, ``${…}``, ``$(…)``, `` `…` ``, ``$'…'``."""
        start = self._at
        if self._text[self._at] == "`":
            return f"`{self._until('`')}`"
        following = self._text[self._at + 1 : self._at + 2]
        if following == "'":
            self._at += 1
            return self._until("'")
        if following in {"(", "{"}:
            self._at += 2
            self._nested({"(": ")", "{": "}"}[following])
        else:
            named = re.compile(r"\$(?:\w+|[?#@*!$-])?").match(self._text, self._at)
            self._at = named.end() if named else self._at + 1
        return self._text[start : self._at]

    def _nested(self, closing: str) -> None:
        """Go on to the bracket that closes the one just opened."""
        while self._at < len(self._text):
            character = self._text[self._at]
            if character == closing:
                self._at += 1
                return
            if character == "'":
                self._until("'")
            elif character == '"':
                self._double()
            elif character in "$`":
                self._expansion()
            elif character == "(" and closing == ")":
                self._at += 1
                self._nested(")")
            else:
                self._at += 2 if character == "\\" else 1
        raise Unreadable("an expansion does not end")
