"""A shell command taken apart: commands, redirections, here-documents, commands inside commands.

This reads the part of bash's grammar (https://www.gnu.org/software/bash/manual/bash.html) that
says what runs with which words and files. It runs and expands nothing. Loops, groups, functions
and substitutions are not kept as such: their commands are listed, and ``Script.plain`` says that
there were some. What could be read in two ways is refused; a parser that guesses would let a
write through that bash then makes.
"""

from __future__ import annotations

import re
from typing import Final

from corpusguard.gate.hook.shell_model import (
    KEYWORDS,
    Command,
    Kind,
    Part,
    Redirection,
    Script,
    Unreadable,
    Word,
)
from corpusguard.gate.hook.shell_words import ARITHMETIC, WordReader

_LONGEST_PIPELINE: Final = 50
_TWO_WORDS: Final = re.compile(r"[\w$}]\s+[\w$]")
"""In what looks like arithmetic: a command and its argument, so it is a group in a group."""


def parse(text: str) -> Script:
    """Take a command line apart.

    Raises:
        Unreadable: It cannot be.
        RecursionError: It is nested too deeply.
    """
    return _Reader(text).script("")


class _Reader(WordReader):
    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._open: list[Script] = []
        self._command = Command()
        self._ended = -1
        """Where the last word of the command ended."""
        self._pending: list[tuple[Command, str, Word, str]] = []
        """Here-documents whose line has not ended."""

    def script(self, closing: str) -> Script:
        """Read commands to the end, or to the bracket that closes a substitution."""
        script, waiting = Script(), self._pending
        self._open.append(script)
        self._pending = []
        self._command = Command()
        opened: list[str] = []
        while True:
            self._skip()
            if self._at >= len(self._text):
                if closing:
                    raise Unreadable("a substitution does not end")
                break
            if self._text[self._at] == "#":
                self._at = self._end_of_line()
                continue
            found = None if self._text.startswith(("<(", ">("), self._at) else self._operator()
            if found is None:
                self._take_word(script, opened)
            elif found == ")" and closing and not opened:
                self._at += 1
                break
            elif found in {"(", ")"}:
                script.plain = False
                self._bracket(script, found, opened)
            elif found[0] in "<>" or found.startswith("&>"):
                self._redirect(found)
            else:
                script.plain = script.plain and found in {"\n", ";", "&&", "||", "|"}
                self._at += len(found)
                if found == "\n" and waiting:
                    raise Unreadable("a here-document begins inside another line")
                self._finish(script, found)
                if found == "\n":
                    self._bodies()
        self._finish(script, "")
        if closing and self._pending:
            raise Unreadable("a here-document does not end")
        self._bodies()
        self._pending = waiting
        self._open.pop()
        return script

    def substituted(self) -> Script:
        """See ``WordReader``; it comes back to the command in which the substitution stands."""
        command, ended = self._command, self._ended
        inner = self.script(")")
        self._command, self._ended = command, ended
        self._open[-1].inner.append(inner)
        return inner

    def quoted_script(self, text: str) -> Script:
        """See ``WordReader``."""
        inner = parse(text)
        self._open[-1].inner.append(inner)
        return inner

    def spans(self, text: str) -> None:
        """See ``WordReader``: shells differ on where a here-document begins after such a line."""
        if self._pending and "\n" in text:
            raise Unreadable("a here-document begins on a line that ends in a quote")

    def _bracket(self, script: Script, bracket: str, opened: list[str]) -> None:
        """Take a bracket of arithmetic, of ``name()``, of a group or of a pattern of ``case``."""
        if bracket == "(":
            number = ARITHMETIC.match(self._text, self._at)
            if number and not _TWO_WORDS.search(number[0]):
                self._at = number.end()
                if [word.text for word in self._command.stripped()] == ["for"]:
                    script.plain = False
                    self._command = Command(joined=self._command.joined)  # "do" may follow at once
                return
            if self._defines(script):
                return
            opened.append("(")
        elif opened and opened[-1] == "(":
            opened.pop()
        elif opened and not self._command.redirections:
            self._command = Command()  # it was a pattern of a case
        self._at += 1
        self._finish(script, bracket)

    def _finish(self, script: Script, operator: str) -> None:
        command = self._command
        following = Command(joined=operator)
        if command.words or command.redirections or command.arrays:
            command.followed = operator
            script.commands.append(command)
            if operator in {"|", "|&"}:
                following.feeds, following.behind = command, command.behind + 1
                if following.behind > _LONGEST_PIPELINE:
                    raise Unreadable("a pipeline is too long")
            script.plain = script.plain and not (
                command.words and command.words[0].bare and command.words[0].text in KEYWORDS
            )
        elif operator == "\n":
            following.joined, following.feeds = command.joined or operator, command.feeds
            following.behind = command.behind
        self._command = following

    def _take_word(self, script: Script, opened: list[str]) -> None:
        word = self._word()
        if (
            self._command.heads
            and word.bare
            and word.text in {"do", "then", "{", "}", "fi", "done"}
        ):
            self._finish(script, ";")
        first = self._command.add(word)
        self._ended = self._at
        named = re.fullmatch(r"(\w+)\+?=", word.text)
        if named and word.bare and self._text.startswith("(", self._at):
            self._command.arrays.append((named[1], self._listed()))
        elif not word.bare:
            return
        elif word.text == "function":
            self._skip()
            script.functions.add(self._word().text)
            script.plain = False
        elif first and word.text == "[[":
            self._condition()
        elif first and word.text == "case":
            opened.append("case")
        elif first and word.text == "esac" and opened and opened[-1] == "case":
            opened.pop()

    def _listed(self) -> list[Word]:
        """Read the words of an array."""
        self._at += 1
        words: list[Word] = []
        while True:
            self._skip()
            found = self._operator()
            if found == ")":
                self._at += 1
                return words
            if found == "\n":
                self._at += 1
            elif self._text.startswith("#", self._at):
                self._at = self._end_of_line()
            else:
                words.append(self._word())

    def _condition(self) -> None:
        """Read to ``]]``; what is an operator elsewhere compares here."""
        while True:
            self._skip()
            if self._operator():
                self._at += 1
                continue
            word = self._word()
            self._command.words.append(word)
            if word.bare and word.text == "]]":
                return

    def _defines(self, script: Script) -> bool:
        """Take the brackets of ``name()``."""
        brackets = re.compile(r"\([ \t]*\)").match(self._text, self._at)
        words = self._command.stripped()
        if not brackets or len(words) != 1:
            return False
        script.functions.add(words[0].text)
        self._at = brackets.end()
        self._command = Command()
        return True

    def _redirect(self, operator: str) -> None:
        words = self._command.words
        descriptor = ""
        if words and self._ended == self._at and words[-1].bare and operator[0] != "&":
            last = words[-1].text
            if last.isdigit() or re.fullmatch(r"\{\w+\}", last):
                descriptor = words.pop().text
        self._at += len(operator)
        self._skip()
        target = self._word()
        if target.bare and target.text == "!":
            raise Unreadable(f"shells differ on what {operator}! writes to")
        if operator == "<&" and descriptor.strip("0"):
            raise Unreadable("input is copied to a number of its own")
        if operator in {"<<", "<<-"}:
            if any(part.kind is Kind.EXPANSION for part in target.parts):
                raise Unreadable("the end of a here-document is not plain")
            self._pending.append((self._command, descriptor, target, operator))
        else:
            self._command.redirections.append(Redirection(descriptor, operator, target))

    def _bodies(self) -> None:
        """Read the here-documents that begin on the line that has just ended."""
        pending, self._pending = self._pending, []
        for command, descriptor, mark, operator in pending:
            quoted = not mark.bare
            lines: list[str] = []
            while (line := self._line(joined=not quoted)) is not None:
                line = re.sub(r"(?m)^\t+", "", line) if operator == "<<-" else line
                if line.removesuffix("\n") == mark.text:
                    break
                lines.append(line)
            else:
                raise Unreadable("a here-document does not end")
            body = "".join(lines)
            parts = [Part(body, Kind.QUOTED)] if quoted else self._expanded(body)
            command.redirections.append(Redirection(descriptor, "<<", Word(tuple(parts))))

    def _line(self, *, joined: bool) -> str | None:
        """Return the next line; ``joined``: with those that a backslash at its end adds."""
        begun = self._at
        while self._at < len(self._text):
            end = self._end_of_line()
            line = self._text[self._at : end]
            self._at = min(end + 1, len(self._text))
            if not joined or (len(line) - len(line.rstrip("\\"))) % 2 == 0:
                break
        return self._text[begun : self._at] or None

    def _expanded(self, body: str) -> list[Part]:
        inner = _Reader(body)
        inner._open = self._open
        return inner._double("")
