"""The decision on a write into an agent's memory: nothing is returned, or ``Blocked`` is raised."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from corpusguard.config import load_config
from corpusguard.gate.hook.accepted import refuse_tampering
from corpusguard.gate.hook.paths import MemoryFiles
from corpusguard.gate.hook.said import newly_said
from corpusguard.gate.hook.statements import is_claim, unreadable_characters
from corpusguard.gate.hook.toolcall import Blocked, parse
from corpusguard.gate.hook.writes import changes
from corpusguard.report.text import clip, safe

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from corpusguard.config import Config
    from corpusguard.gate.hook.files import Change

_SHOWN: Final = 10
_MOST: Final = 2_000
"""Claims of one write."""
_LONGEST: Final = 500_000
"""Code points of a memory file; an agent reads it whole each time."""
_HINT: Final = (
    "Write the law's own words, a whole provision at a time, or leave the claim out; a wish or an "
    "instruction needs no source. docs/hook.md says what counts as a claim."
)
_VERIFY: Final = (
    "once `corpusguard verify` has succeeded, the law's own words can be borne out again; until "
    "then leave new claims out, and tell the user."
)


def check_memory_write(data: bytes, config: Path | None) -> int:
    """Decide on the tool call that ``data`` describes.

    Args:
        data: the hook's input.
        config: the configuration's file; None: looked for upward from here. It is read for every
            call, since it says which files are memory: a hook without one blocks, rather than
            guess.

    Returns:
        How many claims were checked and borne out; 0 where the call writes none to memory.

    Raises:
        Blocked: It may not go ahead.
        CorpusguardError: Configuration, history or corpus cannot be read; it may not either.
    """
    call = parse(data)
    settings = load_config(config)
    gate = settings.gate
    found = changes(call, MemoryFiles(gate.memory_files, settings.root))
    refuse_tampering(call, settings)
    # Where several readings of one call say the same, it is checked once.
    claimed = list(
        dict.fromkeys(one for change in found for one in newly_claimed(change, gate.memory_claims))
    )
    lines = refusals(claimed, settings)
    if lines:
        more = f"\n  and {len(lines) - _SHOWN} more" if len(lines) > _SHOWN else ""
        raise Blocked(
            "not verified, so not to be remembered:\n  " + "\n  ".join(lines[:_SHOWN]) + more,
            hint=next_step(lines, _HINT),
        )
    return sum(len(one.claims) for one in claimed)


@dataclass(frozen=True, slots=True)
class Claimed:
    """A paragraph or item that is new or changed, with claims in it."""

    block: str
    claims: tuple[str, ...]
    """Those of its statements that are claims and were not there before."""
    where: tuple[str, ...]
    """The file of each, and the line where it was asked for."""


def newly_claimed(change: Change, scope: str, *, lined: bool = False) -> list[Claimed]:
    """Return what a change newly claims.

    Args:
        change: of one file.
        scope: as for ``is_claim``.
        lined: say the lines, for a text that stands in the file.

    Raises:
        Blocked: The new text may not read as it looks, or speaks to a model.
    """
    if len(change.after) > _LONGEST:
        raise Blocked(f"{change.path}: it would have more than {_LONGEST} characters")
    found: list[Claimed] = []
    for block, new in newly_said(change.before, change.after):
        # Of what is said twice, the first.
        lines = dict(zip(reversed(block.statements), reversed(block.lines), strict=True))
        where = {one: f"{change.path}:{lines[one]}" if lined else change.path for one in new}
        for one in new:
            if why := unreadable_characters(one):
                raise Blocked(f"{where[one]}: {why}: {_shown(one)}", hint="Write plain text.")
        claims = tuple(one for one in new if is_claim(one, scope=scope))
        if claims:
            # Here, not above: it brings all that asks models, and nearly no call writes a claim.
            from corpusguard.gate.judges.prompt import addresses_the_judge  # noqa: PLC0415
        for one in claims:
            if said := addresses_the_judge(one):
                raise Blocked(f"{where[one]}: the claim speaks to a model ({said!r})")
        if claims:
            found.append(Claimed(block.text, claims, tuple(where[one] for one in claims)))
    return found


def refusals(claimed: Sequence[Claimed], settings: Config, *, every: bool = False) -> list[str]:
    """Return a line for each claim that the corpus does not bear out, in order.

    Every way is tried on what is still open: first quotation, of whole blocks and then of claims.

    Args:
        claimed: what is to be checked.
        settings: the whole configuration.
        every: ask models about each claim, not of the first few only.

    Raises:
        Blocked: There are too many.
        CorpusguardError: History or corpus cannot be read.
    """
    count = sum(len(one.claims) for one in claimed)
    if not count:
        return []
    if count > _MOST:
        raise Blocked(f"{count} claims at once, over the limit of {_MOST}")
    # Here, not above: nearly every call of an agent writes no claim, and needs no reader.
    from corpusguard.gate.hook.checker import MOST_ASKED, checkers  # noqa: PLC0415
    from corpusguard.service import Service  # noqa: PLC0415

    ways = checkers(Service(settings), asked=_MOST if every else MOST_ASKED)
    whole = ways[0].objections([one.block for one in claimed])
    left = [
        (where, claim, "")
        for one, why in zip(claimed, whole, strict=True)
        if why
        for where, claim in zip(one.where, one.claims, strict=True)
    ]
    for way in ways:
        if not left:
            break
        objections = way.objections([claim for _, claim, _ in left])
        left = [
            (where, claim, why)
            for (where, claim, _), why in zip(left, objections, strict=True)
            if why
        ]
    return [f"{where}: {_shown(claim)}: {why}" for where, claim, why in left]


def next_step(lines: Sequence[str], otherwise: str) -> str:
    """Return what to do about lines of ``refusals``.

    Args:
        lines: at least one.
        otherwise: what, unless no passage is verified now: then the claims are not what is wrong.
    """
    from corpusguard.gate.hook.checker import NOTHING_VERIFIED  # noqa: PLC0415

    return _VERIFY if any(one.endswith(NOTHING_VERIFIED) for one in lines) else otherwise


def _shown(text: str) -> str:
    return f'"{clip(safe(text), 160)}"'
