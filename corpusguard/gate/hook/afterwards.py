"""The second net: what the memory files say, whichever way it got there.

``memory`` reads a call before it is made, and cannot see what a program will do. Here nothing is
guessed: the files are read, and what they newly say is judged by the same rules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from corpusguard.config import load_config
from corpusguard.gate.hook import accepted
from corpusguard.gate.hook.files import Change
from corpusguard.gate.hook.memory import newly_claimed, next_step, refusals
from corpusguard.gate.hook.present import Said, present
from corpusguard.gate.hook.toolcall import Blocked
from corpusguard.report.text import safe

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from corpusguard.config import Config

_SHOWN: Final = 20
_SHOWN_TO_ACCEPT: Final = 500
"""A person is to see what they accept."""
_ACCEPT: Final = (
    "take it out of the file, where it still stands, or write the law's own words, a whole "
    "provision at a time. What is to stay all the same a person accepts: "
    "`corpusguard hook memory-check --accept`."
)
_ALL: Final = (
    'take it out, or write what the law says now in its own words; with `memory_claims = "legal"` '
    "only what speaks of law has to be borne out."
)


def check_memory(config: Path | None) -> None:
    """Compare the memory files with what was accepted, and accept what is new if it is verified.

    Args:
        config: the configuration's file; None: looked for upward from here.

    Raises:
        Blocked: They newly say what is not verified; or nothing was accepted yet, or it cannot be
            told. Nothing is accepted then.
        CorpusguardError: Configuration, history or corpus cannot be read.
    """
    settings = load_config(config)
    place = accepted.place(settings)
    with accepted.locked(place):
        before = accepted.load(place)
        now = present(settings.gate, settings.root)
        _, open_ = _judged(settings, before, now)
        if open_:
            raise Blocked(
                f"memory says what is not verified:\n{_listed(open_)}",
                hint=next_step(open_, _ACCEPT),
            )
        if now != before:
            accepted.save(place, now)


def check_all(config: Path | None) -> str:
    """Judge everything that the memory files say, whether it was accepted or not.

    Returns:
        How much that was.

    Raises:
        Blocked: Something is not verified, or there is no memory file.
        CorpusguardError: As for ``check_memory``.
    """
    settings = load_config(config)
    now = present(settings.gate, settings.root)
    if not now:
        raise Blocked(
            f"there is no memory file below {settings.root}, so nothing was checked",
            hint="see `[gate] memory_files`",
        )
    claims, open_ = _judged(settings, {}, now, every=True)
    if open_:
        raise Blocked(
            f"memory says what is not verified:\n{_listed(open_)}", hint=next_step(open_, _ALL)
        )
    return f"every claim is borne out: {_counted(len(now), claims)}"


def accept_memory(config: Path | None) -> str:
    """Take what the memory files say as accepted: a person's step.

    Returns:
        What that was, and what of it the corpus does not bear out.

    Raises:
        Blocked: A file cannot be read, or the texts cannot be kept.
        CorpusguardError: As for ``check_memory``.
    """
    settings = load_config(config)
    place = accepted.place(settings)
    with accepted.locked(place):
        now = present(settings.gate, settings.root)
        claims, open_ = _judged(settings, {}, now)
        accepted.save(place, now)
    told = f"accepted: {_counted(len(now), claims)}"
    if open_:
        told += f"; the corpus does not bear out:\n{_listed(open_, _SHOWN_TO_ACCEPT)}"
    return told


def _judged(
    settings: Config, before: Mapping[str, Said], now: Mapping[str, Said], *, every: bool = False
) -> tuple[int, list[str]]:
    """Return how many claims are new, and a line for each thing that is not verified."""
    claimed, faults = [], []
    for path, said in now.items():
        old = before.get(path, Said())
        if said == old:
            continue
        if said.digest:
            faults.append(f"{safe(path)}: it is not UTF-8, so nobody can tell what it says")
            continue
        try:
            claimed += newly_claimed(
                Change(safe(path), old.text, said.text), settings.gate.memory_claims, lined=True
            )
        except Blocked as error:
            faults.append(error.message)
    try:
        faults += refusals(claimed, settings, every=every)
    except Blocked as error:
        faults.append(error.message)
    return sum(len(one.claims) for one in claimed), faults


def _listed(lines: list[str], most: int = _SHOWN) -> str:
    more = [f"and {len(lines) - most} more"] if len(lines) > most else []
    return "\n".join(f"  {one}" for one in [*lines[:most], *more])


def _counted(files: int, claims: int) -> str:
    return f"{files} memory file{'s' * (files != 1)}, {claims} claim{'s' * (claims != 1)}"
