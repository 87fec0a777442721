"""What the gate found: which documents may be indexed, and what speaks against the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpusguard.attest import exit_code

if TYPE_CHECKING:
    from corpusguard.attest import Refusal, Standing


@dataclass(frozen=True, slots=True)
class Checked:
    """What the gate found."""

    root: str
    """``sha256:…`` of the corpus as it is loaded."""
    rows: int
    documents: int
    """Pairs of corpus and document that are loaded."""
    standings: tuple[Standing, ...]
    """Where each stands; none where no run and no attestation can be believed."""
    refusals: tuple[Refusal, ...]
    """About the corpus as a whole."""
    partial: bool
    """Documents that stand well were let through one by one."""
    run: int = 0
    """The run that was judged by; 0: none."""
    finished: str = ""
    head: str = ""
    signers: tuple[str, ...] = ()
    unstored: tuple[str, ...] = ()
    """Documents that a source lists and of which no corpus holds a row: not indexed, and no reason
    against what is."""
    listed: int | None = None
    """Passages in the list that was written; None: none was."""

    @property
    def all_refusals(self) -> tuple[Refusal, ...]:
        """Everything that speaks against the corpus; first what is about all of it."""
        return (*self.refusals, *(found for one in self.standings for found in one.refusals))

    @property
    def passing(self) -> tuple[Standing, ...]:
        """The documents that may be indexed."""
        blocked = bool(self.all_refusals) and not self.partial
        if blocked or self.listed == 0 or any(one.blocks_all for one in self.refusals):
            return ()
        return tuple(one for one in self.standings if not one.refusals)

    @property
    def outcome(self) -> str:
        """What it comes to: ``pass``, ``partial`` or ``refused``."""
        if self.passing:
            return "partial" if self.all_refusals else "pass"
        return "refused"

    @property
    def exit_code(self) -> int:
        """0 where something may be indexed, else 1, 3 or 4."""
        return 0 if self.passing else exit_code(self.all_refusals) or 3
