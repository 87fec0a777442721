"""The decision on a write into an agent's memory: nothing is returned, or ``Blocked`` is raised."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from corpusguard.config import load_config
from corpusguard.gate.hook.paths import MemoryFiles
from corpusguard.gate.hook.said import newly_said
from corpusguard.gate.hook.statements import is_claim, unreadable_characters
from corpusguard.gate.hook.toolcall import Blocked, parse
from corpusguard.gate.hook.writes import changes
from corpusguard.report.text import clip, safe

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from corpusguard.gate.hook.checker import Checker
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
    # Where several readings of one call say the same, it is checked once.
    claimed = list(
        dict.fromkeys(one for change in found for one in _claimed(change, gate.memory_claims))
    )
    count = sum(len(one.claims) for one in claimed)
    if not count:
        return 0
    if count > _MOST:
        raise Blocked(f"the write makes {count} claims, over the limit of {_MOST}")
    # Here, not above: nearly every call of an agent writes no claim, and needs no reader.
    from corpusguard.gate.hook.checker import checkers  # noqa: PLC0415
    from corpusguard.service import Service  # noqa: PLC0415

    _refuse(claimed, checkers(Service(settings)))
    return count


@dataclass(frozen=True, slots=True)
class _Claimed:
    """A paragraph or item that the write adds or changes."""

    path: str
    block: str
    claims: tuple[str, ...]
    """Those of its statements that are claims and were not there before."""


def _claimed(change: Change, scope: str) -> list[_Claimed]:
    """Return what a change newly claims.

    Raises:
        Blocked: The new text may not read as it looks, or speaks to a model.
    """
    if len(change.after) > _LONGEST:
        raise Blocked(f"{change.path}: it would have more than {_LONGEST} characters")
    found: list[_Claimed] = []
    for block, new in newly_said(change.before, change.after):
        for one in new:
            if why := unreadable_characters(one):
                raise Blocked(f"{change.path}: {why}: {_shown(one)}", hint="Write plain text.")
        claims = tuple(one for one in new if is_claim(one, scope=scope))
        if claims:
            # Here, not above: it brings all that asks models, and nearly no call writes a claim.
            from corpusguard.gate.judges.prompt import addresses_the_judge  # noqa: PLC0415
        for one in claims:
            if said := addresses_the_judge(one):
                raise Blocked(f"{change.path}: the claim speaks to a model ({said!r})")
        if claims:
            found.append(_Claimed(change.path, block.text, claims))
    return found


def _refuse(claimed: Sequence[_Claimed], ways: Sequence[Checker]) -> None:
    """Try every way on what is still open: first quotation, of whole blocks and then of claims.

    Raises:
        Blocked: Something stays open.
    """
    whole = ways[0].objections([one.block for one in claimed])
    left = [
        (one.path, claim, "")
        for one, why in zip(claimed, whole, strict=True)
        if why
        for claim in one.claims
    ]
    for way in ways:
        if not left:
            return
        objections = way.objections([claim for _, claim, _ in left])
        left = [
            (path, claim, why)
            for (path, claim, _), why in zip(left, objections, strict=True)
            if why
        ]
    if left:
        lines = [f"{path}: {_shown(claim)}: {why}" for path, claim, why in left[:_SHOWN]]
        more = f"\n  and {len(left) - _SHOWN} more" if len(left) > _SHOWN else ""
        raise Blocked(
            "not verified, so not to be remembered:\n  " + "\n  ".join(lines) + more, hint=_HINT
        )


def _shown(text: str) -> str:
    return f'"{clip(safe(text), 160)}"'
