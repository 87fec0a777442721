"""What a shell command would put into memory files; what cannot be seen is blocked.

A command is one of three kinds.

1. It does not reach memory: nothing in it names or leads to a memory file, or whatever does is
   given to a program that only reads.
2. A plain write, whose place and text are both there to be read (``shell_plain``).
3. Any other that may reach memory: blocked.

So what is not understood here is blocked as soon as it could reach a memory file.
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, Final

from corpusguard.gate.hook.shell_model import Unreadable
from corpusguard.gate.hook.shell_plain import Plain, effect, plain_output
from corpusguard.gate.hook.shell_programs import (
    RUN_FROM,
    SHELLS,
    copies_one_file,
    in_place_option,
    listed,
    only_reads,
    outputs,
    program,
    sed_only_edits,
    sed_parts,
    writes_to_names_it_reads,
)
from corpusguard.gate.hook.shell_reach import HINT, Reach, given_to, unseen
from corpusguard.gate.hook.shell_script import parse
from corpusguard.gate.hook.shell_values import DECLARES, split
from corpusguard.gate.hook.toolcall import Blocked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from corpusguard.gate.hook.paths import MemoryFiles
    from corpusguard.gate.hook.shell_model import Command, Redirection, Script, Word

_WRITES: Final = frozenset({">", ">>", ">|", "&>", "&>>", ">&", "<>"})
_DUPLICATE: Final = re.compile(r"\d*-?")
_NOWHERE: Final = frozenset({"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty"})
_UNSETTLING: Final = frozenset(
    "alias enable hash IFS ENV BASH_ENV CDPATH HOME PWD BASH_ALIASES BASH_CMDS".split()
)
"""Programs and variables after which a name or path may mean another."""
_MOST_SCRIPTS: Final = 100
_SOURCES: Final = frozenset({".", "source"})
_INTERPRETERS: Final = re.compile(r"[gm]?awk|perl|python[\d.]*|ruby|node|php")
_SCRIPT: Final = re.compile(r"[\s<>|;&$`]")


def shell_changes(
    command: str, cwd: str, memory: MemoryFiles, read: Callable[[str, str], str]
) -> list[tuple[str, str, str]]:
    """Return (path, before, after) for each state in which ``command`` may leave a memory file.

    Args:
        command: as the shell would get it.
        cwd: where it begins.
        memory: which files count.
        read: returns the present text of a file, by path and folder.

    Raises:
        Blocked: It may write to one, and what cannot be seen; or it cannot be read.
    """
    if "\0" in command:
        raise Blocked("Bash: the command holds a NUL, so what a shell makes of it is not known")
    reading = _Reading(cwd, memory)
    try:
        script = parse(command)
        reading.script(script, plain=script.plain)
    except Unreadable as error:
        raise Blocked(f"Bash: the command cannot be read: {error}", hint=HINT) from error
    except RecursionError as error:
        raise Blocked("Bash: the command is nested too deeply to be read", hint=HINT) from error
    return reading.changes(lambda path: read(path, cwd))


class _Reading:
    """One tool call."""

    def __init__(self, cwd: str, memory: MemoryFiles) -> None:
        self._reach = Reach(cwd, memory)
        self._plain = Plain()
        self._read = 0
        """Scripts, with those that they run."""
        self._trusted = True
        """Whether a program's name means that program."""
        self._functions: set[str] = set()
        self._kept: dict[str, str] = {}
        """What names memory and is left where a program may find it, by file; "": in a variable."""
        self._readers: set[str] = set()
        """Of ``RUN_FROM``, those that are called."""
        self._ran = ""
        """A program that may do anything with what it finds."""
        self._left: dict[str, str | None] = {}
        """Texts that the call puts into files, by name; None: put together by programs."""
        self._disturbed = False
        """Whether a file may be removed or replaced in between."""

    def changes(self, read: Callable[[str], str]) -> list[tuple[str, str, str]]:
        """Return what the plain writes come to.

        Raises:
            Blocked: A program runs to which the name of a memory file was left.
        """
        for place, what in self._kept.items():
            runs = [self._ran] if self._ran else []
            runs += [one for one in self._readers if not place or RUN_FROM[one].fullmatch(place)]
            if runs:
                raise unseen(f"{what} names memory, {runs[0]} runs in the same call")
        return self._plain.changes(read, disturbed=bool(self._ran) or self._disturbed)

    def script(self, script: Script, *, plain: bool) -> None:
        """Read a script and those inside it; ``plain``: a write in it may be a plain one.

        Raises:
            Blocked: It may write to memory, and what cannot be seen.
        """
        self._read += 1
        if self._read > _MOST_SCRIPTS:
            raise Blocked("Bash: it runs too many texts that it is given", hint=HINT)
        scripts = list(_with_inner(script))
        every = [command for one in scripts for command in one.commands]
        self._reach.variables.learn(every)
        for one in scripts:
            self._functions |= one.functions
        for command in every:
            assigned, call = split(command)
            names = {name for name, _ in assigned} | {self._reach.text(one) for one in call[:1]}
            self._trusted = self._trusted and not names & _UNSETTLING
        self._reach.move(every, plain=plain)
        unsettled = any(map(self._reach.variables.assigned, _UNSETTLING)) or self._reach.shadows()
        self._trusted = self._trusted and not unsettled
        if self._reach.misplaced():
            raise unseen("a variable that says where files are names memory")
        if self._reach.evaluates(every):
            raise unseen("a text that may be run names memory")
        if self._reach.feeds_programs(every):
            self._kept.setdefault("", "a variable")
        for one in scripts:
            for command in one.commands:
                self._command(command, plain=plain and one is script)

    def _command(self, command: Command, *, plain: bool) -> None:
        if command.loop or command.chooses:
            return  # its words go into a variable, or choose what comes next
        assigned, words = split(command)
        call = [self._reach.text(word) for word in words]
        name = program(call[0]) if call else ""
        known = self._trusted and name not in self._functions
        targets = _targets(command, words, call)
        hit = [(word, one) for word, one in targets if self._reach.is_memory(word)]
        if hit:
            self._take(command, words, hit, plain=plain and known and not assigned)
            return
        self._disturbed = self._disturbed or name in {"rm", "git"}
        self._readers |= RUN_FROM.keys() & {program(one) for one in call}
        reads = not call or (known and (name in DECLARES | {"tee"} or only_reads(call)))
        if known and name == "sed" and sed_only_edits(call, in_place=True):
            reads = True  # and its files are no memory
        if known and name == "cp" and copies_one_file(call):
            reads = self._reach.is_elsewhere(words[-1])
        text = plain_output(command)
        if targets and (text or any(map(_says, _sources(command)))):
            self._left |= {posixpath.basename(word.text): text for word, _ in targets}
        if not reads or any(value and self._reach.reaches(value) for _, value in assigned if call):
            self._ran = self._ran or name
            self._refuse(command, call, words)
            return
        if any(map(self._reach.reaches, _flow(command))):
            stays = [word.text for word, _ in targets if word.text not in _NOWHERE]
            if name in DECLARES | {"read"} or (command.followed[:1] == "|" and not plain):
                stays.append("")
            for place in stays:
                self._kept.setdefault(place, f"what {name or 'a redirection'} is given")

    def _take(
        self,
        command: Command,
        words: list[Word],
        hit: list[tuple[Word, Redirection | None]],
        *,
        plain: bool,
    ) -> None:
        """Note what a plain command writes.

        Raises:
            Blocked: It is none.
        """
        made = effect(command, words) if plain else None
        for word, redirection in hit:
            places = self._reach.places(word)
            if made is None or places is None:
                raise unseen(f"it writes to {word.text}")
            may_fail = command.joined in {"&&", "||"} or len(places) > 1
            for place in places:
                self._plain.put(place, word.text, made(redirection), may_fail=may_fail)

    def _refuse(self, command: Command, call: list[str], words: list[Word]) -> None:
        """Let a program that may write go on only where nothing leads it to memory.

        Raises:
            Blocked: Something does.
        """
        shown = program(call[0])
        if self._reach.inside():
            raise unseen(f"{shown} may run in a memory folder")
        if any(map(self._reach.reaches, _flow(command))):
            raise unseen(f"{shown} is given the name of memory")
        if self._reach.spells(_flow(command)):
            raise unseen(f"{shown} is given the name of memory in parts")
        for number in outputs(call):
            self._reach.is_memory(words[number])  # it has to be known where that is
        names: list[str] | None = []
        if writes_to_names_it_reads(call):
            source = command.feeds
            names = listed([self._reach.text(one) for one in source.words]) if source else None
        elif shown == "find":
            names = listed(call)
        if names is None or any(map(self._reach.leads, names)):
            raise unseen(f"{shown} may write to any file that it is given")
        shell = bool((SHELLS | _SOURCES) & {program(one) for one in call})
        if "/" in call[0] or shell:
            for one in map(posixpath.basename, call):
                text = self._left.pop(one, "")
                if text is None:
                    raise unseen(f"{one} is run, a text that programs make")
                self.script(parse(text), plain=False)
        if shell:
            self._run(command, call, words)

    def _run(self, command: Command, call: list[str], words: list[Word]) -> None:
        """Read what a shell is told to run.

        Raises:
            Blocked: It is put together by programs.
        """
        texts = [one for one in call[1:] if _SCRIPT.search(one)]
        if call[0] == "eval":
            texts = [" ".join(call[1:])]
        for one in command.redirections:
            if one.operator in {"<<", "<<<"}:
                texts.append(self._reach.text(one.target))
        source = command.feeds
        if source and (text := plain_output(source)) is not None:
            texts.append(text)
        elif source and any(map(_says, _sources(source))):
            raise unseen(f"{call[0]} is given a text that other programs change")
        # What a variable brings from elsewhere may define anything.
        self._trusted = self._trusted and all(map(self._reach.variables.of, words))
        given = [*words, *(one.target for one in command.redirections)]
        named = " ".join(part.text for word in given for part in word.parts)
        given += [word for name, word in self._reach.variables.stored() if name in named]
        for inner in (part.inner for word in given for part in word.parts if part.inner):
            every = [one for script in _with_inner(inner) for one in script.commands]
            if len(every) == 1 and (text := plain_output(every[0])) is not None:
                texts.append(text)
            elif any(map(_says, every)):
                raise unseen(f"{call[0]} is given a text that other programs make")
        for text in texts:
            self.script(parse(text), plain=False)


def _with_inner(script: Script) -> Iterator[Script]:
    yield script
    for one in script.inner:
        yield from _with_inner(one)


def _targets(
    command: Command, words: list[Word], call: list[str]
) -> list[tuple[Word, Redirection | None]]:
    """Return where a command writes, as far as its grammar says: by redirections and operands."""
    found: list[tuple[Word, Redirection | None]] = [
        (one.target, one)
        for one in command.redirections
        if (one.operator in _WRITES or (one.operator == "<" and one.descriptor in {"1", "2"}))
        and not (one.operator == ">&" and _DUPLICATE.fullmatch(one.target.text))
    ]
    name = program(call[0]) if call else ""
    if name == "tee":
        found += [(word, None) for word in words[1:]]
    if name == "sed" and any(map(in_place_option, call[1:])):
        found += [(words[number], None) for number in sed_parts(call)[1]]
    return found


def _sources(command: Command) -> Iterator[Command]:
    """Yield a command and those that it reads from."""
    source: Command | None = command
    while source is not None:
        yield source
        source = source.feeds


def _flow(command: Command) -> Iterator[Word]:
    """Yield the words that a command gets, and those of the commands that it reads from."""
    for source in _sources(command):
        yield from given_to(source)


def _says(command: Command) -> bool:
    """Tell whether it brings in a text of its own."""
    call = split(command)[1]
    name = program(call[0].text) if call else ""
    return (
        name in {"echo", "printf"}
        or any(one.operator in {"<<", "<<<"} for one in command.redirections)
        or (bool(_INTERPRETERS.fullmatch(name)) and any(_SCRIPT.search(one.text) for one in call))
    )
