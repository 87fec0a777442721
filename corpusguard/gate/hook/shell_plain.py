"""Plain writes: what a memory file says after them can be worked out without running anything.

``echo``, ``printf``, here-documents and here-strings into a redirection or ``tee``, and
``sed -i s/old/new/`` with plain words, all of it literal.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from corpusguard.gate.hook.shell_programs import program
from corpusguard.gate.hook.shell_text import echoed, printed, substitution
from corpusguard.gate.hook.toolcall import Blocked

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from corpusguard.gate.hook.shell_model import Command, Redirection, Word

    Apply = Callable[[str], str]

STDOUT: Final = frozenset({">", ">>", ">|", "&>", "&>>"})
_APPENDS: Final = frozenset({">>", "&>>"})
_TEE_APPENDS: Final = frozenset({"-a", "--append"})
_MOST_STATES: Final = 64
_MOST_WRITES: Final = 50


@dataclass(slots=True)
class _File:
    shown: str
    writes: list[tuple[bool, Apply]] = field(default_factory=list)
    """(whether it may be left out, what it makes of the text)."""


class Plain:
    """The plain writes of one call, by file."""

    def __init__(self) -> None:
        self._files: dict[str, _File] = {}

    def put(self, path: str, shown: str, apply: Apply, *, may_fail: bool) -> None:
        """Add a write.

        Args:
            path: of the file itself, whichever way it is spelled.
            shown: as the command spells it; a file spelled in two ways may be written in one only.
            apply: what it makes of the file's text.
            may_fail: whether the command goes on without it.
        """
        file = self._files.setdefault(path, _File(shown))
        file.writes.append((may_fail or shown != file.shown, apply))

    def changes(self, read: Callable[[str], str], *, disturbed: bool) -> list[tuple[str, str, str]]:
        """Return (path, before, after) for each state in which a file may be left.

        Each write sees what the ones before it made: a claim cut in pieces is put together here.

        Args:
            read: returns a file's present text.
            disturbed: whether something else in the call may change or remove a file.

        Raises:
            Blocked: There are too many.
        """
        found = []
        for path, file in self._files.items():
            before = read(path)
            states = list(dict.fromkeys([before, ""] if disturbed else [before]))
            seen: list[str] = []
            for may_fail, apply in file.writes:
                made = [apply(state) for state in states]
                seen += made
                states = list(dict.fromkeys([*states, *made] if may_fail else made))
                if len(states) > _MOST_STATES or len(file.writes) > _MOST_WRITES:
                    raise Blocked(
                        f"Bash: it writes to {file.shown} in too many pieces",
                        hint="Write it in one here-document, or with the Write tool.",
                    )
            found += [(file.shown, before, after) for after in dict.fromkeys(seen)]
        return found


def effect(command: Command, words: Sequence[Word]) -> Callable[[Redirection | None], Apply] | None:
    """Return what a plain command makes of a target: a redirection's, or an operand (None).

    None: it cannot be seen.

    Args:
        command: with its redirections and what it reads from.
        words: program and arguments, without assignments.
    """
    name = program(words[0].text) if words else ""
    if name == "sed":
        literal = all(word.literal for word in words) and not command.redirections
        made = _edited([word.text for word in words[1:]]) if literal else None
        return (lambda _: made) if made else None
    text = _teed(command, words) if name == "tee" else plain_output(command)
    if text is None:
        return None
    adds = any(word.text in _TEE_APPENDS for word in words)

    def of(target: Redirection | None) -> Apply:
        appends = target.operator in _APPENDS if target else adds
        return lambda before: before + text if appends else text

    return of


def _edited(words: list[str]) -> Apply | None:
    """Return what ``sed -i s/old/new/ FILE…`` makes of a text, where the words are plain."""
    operands = [word for word in words if not word.startswith("-")]
    found = substitution(operands[0]) if operands and len(words) == len(operands) + 1 else None
    if not found or words[0] != "-i":
        return None
    old, new, count = found
    return lambda text: "\n".join(line.replace(old, new, count) for line in text.split("\n"))


def plain_output(command: Command) -> str | None:
    """Return what a plain command prints.

    A variable in it is never taken for seen: what it holds by then may come from anywhere.
    """
    words = command.words
    given = _given(command)
    if given is None or command.feeds or not all(word.literal for word in words):
        return None
    name = program(words[0].text) if words else ""
    arguments = [word.text for word in words[1:]]
    if name == "cat":
        return _body(given) if set(arguments) <= {"-"} else None
    if given:
        return None
    if name in {"", ":", "true"}:
        return ""
    printer = {"echo": echoed, "printf": printed}.get(name)
    return printer(arguments) if printer else None


def _teed(command: Command, words: Sequence[Word]) -> str | None:
    given, source = _given(command), command.feeds
    options = {word.text for word in words if word.text.startswith("-")}
    if given is None or options - _TEE_APPENDS:
        return None
    if source is None:
        return _body(given)
    named = program(source.words[0].text) if source.words else ""
    printing = named in {"echo", "printf", "cat"} and not any(
        one.operator in STDOUT and one.descriptor != "2" for one in source.redirections
    )
    return plain_output(source) if printing and not given else None


def _given(command: Command) -> list[Redirection] | None:
    """Return what is put on standard input; None where redirections do anything out of the way."""
    given = [one for one in command.redirections if one.operator in {"<<", "<<<"}]
    for one in command.redirections:
        to_file = one.operator in STDOUT and one.descriptor in {"", "1"}
        silent = one.descriptor == "2" and (
            (one.operator in STDOUT and one.target.text == "/dev/null")
            or (one.operator == ">&" and one.target.text == "1")
        )
        if one not in given and not to_file and not silent:
            return None
    return given


def _body(given: list[Redirection]) -> str | None:
    """Return the one text on standard input, where nothing in it is expanded."""
    if len(given) != 1 or given[0].descriptor not in {"", "0"} or not given[0].target.literal:
        return None
    return given[0].target.text + ("\n" if given[0].operator == "<<<" else "")
