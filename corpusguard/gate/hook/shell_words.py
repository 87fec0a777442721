"""The words of a shell command: quotes, escapes, expansions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from corpusguard.gate.hook.shell_model import Kind, Part, Unreadable, Word

if TYPE_CHECKING:
    from corpusguard.gate.hook.shell_model import Script

_OPERATOR: Final = re.compile(
    r"&>>|<<<|<<-|;;&|&&|\|\||;;|;&|\|&|&>|>>|>\||>&|<<|<&|<>|[;&|()<>\n]"
)
_SKIPPED: Final = re.compile(r"(?:[ \t]|\\\n)*")
_PLAIN: Final = re.compile(r"[^ \t\n;&|()<>\\'\"$`]+")
_NAMED: Final = re.compile(r"\$(\w+|[?#@*!$-])", re.ASCII)
_SIMPLE: Final = r"[^()$`'\"\\]|\$\w++|\$\{\w+\}"
ARITHMETIC: Final = re.compile(rf"\$?\(\((?:{_SIMPLE}|\((?:{_SIMPLE})*+\))*+\)\)")
_ANSI: Final = re.compile(
    r"\\(?:(?P<known>[abeEfnrtv\\'\"?])|(?P<octal>[0-7]{1,3})|x(?P<hex>[0-9A-Fa-f]{1,2})"
    r"|u(?P<u>[0-9A-Fa-f]{1,4})|U(?P<U>[0-9A-Fa-f]{1,8})|c(?P<control>.))",
    re.DOTALL,
)
_KNOWN: Final = dict(zip("abeEfnrtv", "\a\b\x1b\x1b\f\n\r\t\v", strict=True))


class WordReader:
    """Reads words from ``_at`` on."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def substituted(self) -> Script:
        """Read what a substitution runs, and its closing bracket."""
        raise NotImplementedError

    def quoted_script(self, text: str) -> Script:
        """Read what stands between backticks."""
        raise NotImplementedError

    def spans(self, text: str) -> None:
        """Take note of what a quote or bracket spans."""
        raise NotImplementedError

    def _skip(self) -> None:
        found = _SKIPPED.match(self._text, self._at)
        self._at = found.end() if found else self._at

    def _operator(self) -> str | None:
        found = _OPERATOR.match(self._text, self._at)
        return found[0] if found else None

    def _end_of_line(self) -> int:
        end = self._text.find("\n", self._at)
        return len(self._text) if end < 0 else end

    def _word(self) -> Word:
        parts: list[Part] = []
        begun = self._at
        while self._at < len(self._text):
            character = self._text[self._at]
            pair = self._text[self._at : self._at + 2]
            if pair in {"<(", ">("} and self._at == begun:
                self._at += 2
                script = self.substituted()
                parts.append(Part(self._text[begun : self._at], Kind.EXPANSION, script))
            elif character in " \t\n;&|()<>":
                break
            elif pair == "\\\n":
                self._at += 2
            elif character == "\\":
                parts.append(Part(pair[1:], Kind.QUOTED))
                self._at += 2
            elif character == "'":
                parts.append(Part(self._until("'"), Kind.QUOTED))
            elif character == '"':
                self._at += 1
                parts += self._double('"')
            elif character in "$`":
                parts.append(self._expansion(quoted=False))
            else:
                end = _PLAIN.match(self._text, self._at)
                stop = end.end() if end else self._at + 1
                parts.append(Part(self._text[self._at : stop], Kind.PLAIN))
                self._at = stop
        if self._at == begun:
            raise Unreadable("a word is missing")
        last = parts[-1] if parts else None
        extended = last and last.kind is Kind.PLAIN and last.text[-1] in "?*+@!"
        if extended and self._text.startswith("(", self._at):
            raise Unreadable("an extended pattern is not read here")
        return Word(tuple(parts))

    def _until(self, mark: str) -> str:
        end = self._text.find(mark, self._at + 1)
        if end < 0:
            raise Unreadable("a quote does not end")
        found = self._text[self._at + 1 : end]
        self._at = end + 1
        self.spans(found)
        return found

    def _double(self, closing: str) -> list[Part]:
        """Read to a closing quotation mark; empty: to the end, as a here-document's body."""
        parts: list[Part] = []
        text: list[str] = []
        escapes = {"$", "`", "\\", "\n", closing}

        def flush() -> None:
            parts.append(Part("".join(text), Kind.QUOTED))
            text.clear()

        while self._at < len(self._text):
            character = self._text[self._at]
            following = self._text[self._at + 1 : self._at + 2]
            if character == closing:
                self._at += 1
                flush()
                self.spans("".join(part.text for part in parts))
                return parts
            if character == "\\" and following and following in escapes:
                text.append("" if following == "\n" else following)
                self._at += 2
            elif character in "$`":
                flush()
                parts.append(self._expansion(quoted=True))
            else:
                text.append(character)
                self._at += 1
        if closing:
            raise Unreadable("a quote does not end")
        flush()
        return parts

    def _expansion(self, *, quoted: bool) -> Part:
        begun = self._at
        text = self._text
        if text[begun] == "`":
            return self._backticks()
        following = text[begun + 1 : begun + 2]
        if following == "'" and not quoted:
            return self._ansi()
        if following == '"' and not quoted:
            self._at += 2
            inner = self._double('"')
            if any(part.kind is Kind.EXPANSION for part in inner):
                return Part('$"', Kind.EXPANSION, None)
            return Part("".join(part.text for part in inner), Kind.CODED)
        if sum_ := ARITHMETIC.match(text, begun):
            self._at = sum_.end()
            return Part("$((", Kind.EXPANSION)
        if following == "(":
            self._at += 2
            script = self.substituted()
            return Part(text[begun : self._at], Kind.EXPANSION, script)
        if following == "{":
            self._braced(quoted=quoted)
        elif named := _NAMED.match(text, begun):
            self._at = named.end()
        else:
            self._at += 1
            if following in {"[", "\\"}:
                raise Unreadable("a $ is followed by neither name nor bracket")
            return Part("$", Kind.QUOTED)
        if text.startswith("\\\n", self._at):
            raise Unreadable("a name goes on in the next line")
        return Part(text[begun : self._at], Kind.EXPANSION)

    def _ansi(self) -> Part:
        """Read ``$'…'``."""
        found = re.compile(r"\$'((?:[^'\\]|\\.)*+)'", re.DOTALL).match(self._text, self._at)
        if not found:
            raise Unreadable("a quote does not end")
        self._at = found.end()
        self.spans(found[1])
        plain = all(one["known"] for one in _ANSI.finditer(found[1]))
        # Numbers are bytes, several of which may be one letter; a NUL ends the text.
        data = _ANSI.sub(_decoded, found[1]).encode("utf-8", "surrogateescape")
        text = data.decode("utf-8", "surrogateescape").partition("\0")[0]
        return Part(text, Kind.QUOTED if plain else Kind.CODED)

    def _backticks(self) -> Part:
        found = re.compile(r"`((?:[^`\\]|\\.)*+)`", re.DOTALL).match(self._text, self._at)
        if not found:
            raise Unreadable("a quote does not end")
        self._at = found.end()
        self.spans(found[1])
        script = self.quoted_script(re.sub(r"\\([`\\$])", r"\1", found[1]))
        return Part(found[0], Kind.EXPANSION, script)

    def _braced(self, *, quoted: bool) -> None:
        """Go on to the bracket that closes ``${``."""
        self._at += 2
        if self._text[self._at : self._at + 1] in {" ", "\t", "\n", "|"}:
            raise Unreadable("a substitution in braces is not read here")
        while self._at < len(self._text):
            character = self._text[self._at]
            if character == "}":
                self._at += 1
                return
            if character == "'" and not quoted:
                self._until("'")
            elif character == '"':
                self._at += 1
                self._double('"')
            elif character in "$`":
                self._expansion(quoted=quoted)
            else:
                self._at += 2 if character == "\\" else 1
        raise Unreadable("an expansion does not end")


def _decoded(found: re.Match[str]) -> str:
    if found["known"]:
        return _KNOWN.get(found["known"], found["known"])
    if found["control"]:
        return chr(ord(found["control"]) & 0x1F)
    if found["octal"] or found["hex"]:
        byte = int(found["octal"], 8) & 0xFF if found["octal"] else int(found["hex"], 16)
        return chr(byte if byte < 0x80 else 0xDC00 + byte)
    number = int(found["u"] or found["U"], 16)
    return "\ufffd" if number > 0x10FFFF or 0xD800 <= number < 0xE000 else chr(number)
