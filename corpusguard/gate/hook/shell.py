"""What a shell command would put into memory files, where that can be seen.

Seen: ``echo``, ``printf``, here-documents and here-strings into a redirection or ``tee``, and
``sed -i`` with a plain substitution. A command that writes to a memory file in any other way, or
names one and is not known to only read, is blocked: what it would write cannot be checked. Not
seen at all: a name that only comes about at run time, or in a script that is run.
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, Final

from corpusguard.gate.hook.shell_words import Unreadable, Word, pipelines
from corpusguard.gate.hook.toolcall import Blocked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from corpusguard.gate.hook.paths import MemoryFiles
    from corpusguard.gate.hook.shell_words import Command

    Changes = Iterator[tuple[str, str, str]]
    """(path, before, after)."""

_ONLY_READS: Final = frozenset(
    "[ basename cat cd chmod cmp comm cut df diff dirname du echo egrep false fgrep file find fold "
    "grep head jq less ls md5sum mkdir more nl printf pushd pwd readlink realpath rg rm sha256sum "
    "sort stat tac tail test touch tr tree true type uniq wc which :".split()
)
_UNLESS: Final[dict[str, re.Pattern[str]]] = {
    "find": re.compile(r"-(?:exec|ok|delete|fprint|fls)"),
    "sort": re.compile(r"-\w*o|--output"),
    "less": re.compile(r"-[oO]|--log-file"),
    "tree": re.compile(r"-o"),
    "uniq": re.compile(r"[^-].*"),  # its second operand is written to
}
"""Arguments with which a reading command writes."""
_GIT_READS: Final = frozenset(
    "add blame branch commit diff fetch grep log ls-files push rev-parse show status".split()
)
_WRITERS: Final = frozenset(
    "awk bash builtin command cp csplit curl dash dd doas ed emacs env eval ex exec gawk git "
    "install ksh ln mv nano nice nohup nvim patch rsync sed setsid sh source split stdbuf su sudo "
    "tar tee time timeout unzip vi vim wget xargs zsh .".split()
)
"""What can write into a folder that it names; whatever else names one only works there."""
_INTERPRETER: Final = re.compile(r"(?:python|node|ruby|perl|php|deno|bun)[\d.]*")
_SED_READS: Final = re.compile(r"(?:\d+|\$|/[^/]*/)(?:,(?:\d+|\$|/[^/]*/))?[pq]|-[nEr]+")
_REDEFINED: Final = re.compile(r"\b(?:alias|function)\s|\b(?:echo|printf|cat|tee|true)\s*\(\s*\)")
_ESCAPE: Final = re.compile(r"\\([\\nt\"'])")
_SUBSTITUTION: Final = re.compile(r"s([/|#,@])((?:(?!\1).)*)\1((?:(?!\1).)*)\1(g?)", re.DOTALL)
_SPECIAL: Final = re.compile(r"[\\.*^$\[\]&+?(){}\n]")
_UNSEEN: Final = "what it would write there cannot be seen"


def shell_changes(
    command: str, cwd: str, memory: MemoryFiles, read: Callable[[str, str], str]
) -> list[tuple[str, str, str]]:
    """Return (path, before, after) for each memory file that ``command`` would write to.

    Args:
        command: as the shell would get it.
        cwd: where it begins.
        memory: which files count.
        read: returns the present text of a file, by path and folder.

    Raises:
        Blocked: It would write to one, and what cannot be seen.
    """
    try:
        lines = pipelines(command)
    except Unreadable as error:
        if memory.mentions(command):
            raise Blocked(f"Bash: the command names a memory file and {error}") from error
        return []
    except RecursionError as error:
        raise Blocked("Bash: the command is nested too deeply to be read") from error
    return list(_Reading(command, cwd, memory, read).changes(lines))


class _Reading:
    """One command line, read from left to right."""

    def __init__(
        self, source: str, cwd: str, memory: MemoryFiles, read: Callable[[str, str], str]
    ) -> None:
        self._cwd = cwd
        self._memory = memory
        self._read = read
        self._known: dict[str, str] = {}
        self._trusts_names = not _REDEFINED.search(source)

    def changes(self, lines: list[list[Command]]) -> Changes:
        for line in lines:
            for number, command in enumerate(line):
                yield from self._command(command, line[number - 1] if number else None)
            for command in line:
                self._remember(command)

    def _command(self, command: Command, before: Command | None) -> Changes:
        targets = [(op, self._resolved(word)) for op, word in command.writes]
        call = [self._resolved(word) for word in command.call]
        name = posixpath.basename(call[0].text) if call else ""
        if name == "tee":
            operator = ">>" if any(word.text in {"-a", "--append"} for word in call) else ">"
            targets += [(operator, word) for word in call[1:] if not word.text.startswith("-")]
        hit = [(op, word) for op, word in targets if self._is_memory(word)]
        for operator, word in hit:
            text = self._output(command, name, before)
            if text is None:
                raise Blocked(f"Bash: it writes to {word.text}, and {_UNSEEN}")
            present = self._read(word.text, self._cwd) if word.literal else ""
            yield word.text, present, present + text if operator in {">>", "&>>"} else text
        if name == "sed" and any(_in_place(word.text) for word in call[1:]):
            yield from self._sed(call)
        elif not hit or name not in {"echo", "printf", "cat", "tee"}:
            self._refuse_the_unseen(command, name, call, seen=bool(targets))

    def _is_memory(self, word: Word) -> bool:
        if word.pattern or not word.literal:
            return self._memory.may_hold(word.text, self._cwd)
        return self._memory.holds(word.text, self._cwd)

    def _output(self, command: Command, name: str, before: Command | None) -> str | None:
        """Return what a command prints; None: it cannot be seen.

        A variable in it is never taken for seen: what it holds by then may come from anywhere.
        """
        call = command.call
        if not self._trusts_names or command.closes or not all(word.literal for word in call):
            return None
        arguments = [word.text for word in call[1:]]
        if name == "tee":
            return self._teed(command, before)
        if name in {"", ":", "true"}:
            return "" if before is None and not command.given else None
        if name == "cat" and before is None and set(arguments) <= {"-"}:
            return _only(command.given)
        printer = {"echo": _echoed, "printf": _printed}.get(name)
        return printer(arguments) if printer else None

    def _teed(self, command: Command, before: Command | None) -> str | None:
        if command.given:
            return _only(command.given)
        if before is None or before.writes or not before.call:
            return None
        name = posixpath.basename(before.call[0].text)
        return None if name == "tee" else self._output(before, name, None)

    def _sed(self, call: list[Word]) -> Changes:
        """``sed -i 's/plain/words/'``: done here as sed would; anything else is not seen."""
        words = [word.text for word in call[1:]]
        operands = [word for word in words if not word.startswith("-")]
        files = [word for word in operands[1:] if self._memory.may_hold(word, self._cwd)]
        if not files and not any(map(self._mentioned, set(words))):
            return
        match = _SUBSTITUTION.fullmatch(operands[0]) if operands else None
        plain = match is not None and not _SPECIAL.search(match[2] + match[3])
        options = [word for word in words if word.startswith("-")]
        simple = len(options) == 1 and all(word.literal and not word.pattern for word in call)
        if match is None or not plain or not simple or not match[2]:
            raise Blocked(f"Bash: sed changes a memory file, and {_UNSEEN}")
        for path in files:
            before = self._read(path, self._cwd)
            count = -1 if match[4] else 1
            after = "\n".join(
                line.replace(match[2], match[3], count) for line in before.split("\n")
            )
            yield path, before, after

    def _refuse_the_unseen(
        self, command: Command, name: str, call: list[Word], *, seen: bool
    ) -> None:
        """Block a command that names a memory file and is not known to only read."""
        parts = [word.text for word in call]
        parts += [
            word.text
            for word in command.given
            if name not in {"cat", "tee"} or not seen or not word.literal
        ]
        # A plain assignment is followed to where it is used, by ``_resolved``.
        parts += [value.text for _, value in command.assignments if name or not value.literal]
        if not any(map(self._mentioned, set(parts))):
            return
        if self._only_reads(name, parts[1:]):
            return
        inline = _INTERPRETER.fullmatch(name) and (
            bool(command.given) or any(re.match(r"--?\w*[ceip]\b|-$", word) for word in parts[1:])
        )
        named = any(map(self._memory.names, parts))
        if not name or named or inline or name in _WRITERS or name in _ONLY_READS:
            shown = name or "an assignment"
            raise Blocked(f"Bash: {shown} is given the name of a memory file, and {_UNSEEN}")

    def _mentioned(self, text: str) -> bool:
        if self._memory.mentions(text):
            return True
        short = len(text) < 4_096 and "\n" not in text
        return short and (
            self._memory.holds(text, self._cwd)
            or self._memory.holds(text.rstrip("/") + "/x", self._cwd)
        )

    def _only_reads(self, name: str, arguments: list[str]) -> bool:
        if not self._trusts_names:
            return False
        if name == "git":
            verb = next((word for word in arguments if not word.startswith("-")), "")
            writes = any(word.startswith(("--output", "-o")) for word in arguments)
            return verb in _GIT_READS and not writes
        if name == "sed":
            return len(arguments) > 1 and all(map(_SED_READS.fullmatch, arguments[:-1]))
        if name not in _ONLY_READS:
            return False
        unless = _UNLESS.get(name)
        operands = arguments[1:] if name == "uniq" else arguments
        inner = any("$(" in word or "`" in word for word in arguments)
        return not inner and not (unless and any(unless.match(word) for word in operands))

    def _remember(self, command: Command) -> None:
        """Follow ``cd`` and plain assignments."""
        if not command.call:
            for name, value in command.assignments:
                if value.literal:
                    self._known[name] = value.text
        elif command.call[0].text in {"cd", "pushd"} and len(command.call) > 1:
            self._cwd = posixpath.join(self._cwd, self._resolved(command.call[-1]).text)

    def _resolved(self, word: Word) -> Word:
        """Put in what this command line itself has assigned."""
        if word.literal or not self._known:
            return word
        missing = False

        def value(match: re.Match[str]) -> str:
            nonlocal missing
            name = match[1] or match[2]
            missing = missing or name not in self._known
            return self._known.get(name, match[0])

        text = re.sub(r"\$(?:(\w+)|\{(\w+)\})", value, word.text)
        return Word(text, literal=not missing and "$" not in text and "`" not in text)


def _in_place(argument: str) -> bool:
    return argument.startswith("--in-place") or (
        argument.startswith("-") and not argument.startswith("--") and "i" in argument[1:]
    )


def _only(given: list[Word]) -> str | None:
    """Return the one text on standard input, where nothing in it is expanded."""
    return given[0].text if len(given) == 1 and given[0].literal else None


def _echoed(arguments: list[str]) -> str | None:
    options = 0
    while options < len(arguments) and re.fullmatch(r"-[neE]+", arguments[options]):
        options += 1
    return _unescaped(" ".join(arguments[options:]) + "\n")


def _printed(arguments: list[str]) -> str | None:
    """Return what ``printf`` prints, for formats of ``%s``, ``%b`` and ``%%``."""
    if arguments[:1] == ["--"]:
        arguments = arguments[1:]
    if not arguments:
        return None
    form, *values = arguments
    plain = re.sub(r"%[sb%]", "", form)
    holes = len(re.findall(r"%[sb]", form))
    if "%" in plain or (values and not holes) or len(values) > 1_000:
        return None
    rest = list(values)
    printed: list[str] = []
    while True:
        printed.append(
            re.sub(
                r"%([sb%])",
                lambda hole: "%" if hole[1] == "%" else (rest.pop(0) if rest else ""),
                form,
            )
        )
        if not rest:
            break
    return _unescaped("".join(printed))


def _unescaped(text: str) -> str | None:
    """Take the usual escapes as what they stand for (whether or not this shell would).

    None where there are others: a letter given by its number is a letter that nobody has read.
    """
    left = _ESCAPE.sub("", text)
    if "\\" in left:
        return None
    known = {"n": "\n", "t": "\t"}
    return _ESCAPE.sub(lambda match: known.get(match[1], match[1]), text)
