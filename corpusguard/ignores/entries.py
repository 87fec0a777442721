"""What is on the two lists, and what may never be."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from corpusguard.layers.draft import leaves_open

if TYPE_CHECKING:
    from corpusguard.model import Finding

MAX_SHOWN: Final = 200
"""Code points of a section or passage id that an entry repeats."""
INVISIBLE: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Unicode categories of what a reader cannot see, or of what moves other text."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A finding as a list names it: what it is about, and both texts by digest."""

    fingerprint: str
    """16 hex digits."""
    rule: str
    corpus: str
    document: str
    section: str
    """As ``shown`` gives it, and so is ``passage``: for the reader of the list."""
    passage: str
    official: str
    """``sha256:…`` of the official side when the entry was written."""
    stored: str
    """``sha256:…`` of the stored side."""


@dataclass(frozen=True, slots=True)
class Ignore:
    """One ``[[ignore]]``."""

    entry: Entry
    reason: str
    owner: str
    written: str
    """ISO date, UTC."""
    expires: str
    """ISO date: the last day on which it applies, UTC."""


@dataclass(frozen=True, slots=True)
class IgnoreFile:
    """``corpusguard-ignore.toml``."""

    ignores: tuple[Ignore, ...] = ()
    digest: str = ""
    """``sha256:…`` of the file's bytes; empty where there is no file."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """``corpusguard-baseline.json``."""

    run: int = 0
    """The run that it was made of."""
    head: str = ""
    """Head of the chain after that run, so that the list can be traced to its evidence."""
    finished: str = ""
    """When that run ended: UTC, ISO 8601, ``Z``."""
    entries: tuple[Entry, ...] = ()
    digest: str = ""
    """``sha256:…`` of the file's bytes; empty where there is no file."""


@dataclass(frozen=True, slots=True)
class Lists:
    """Both lists, as a run uses them."""

    ignores: IgnoreFile = field(default_factory=IgnoreFile)
    baseline: Baseline = field(default_factory=Baseline)

    @property
    def any(self) -> bool:
        """Whether there is a list at all, an empty one included."""
        return bool(self.ignores.digest or self.baseline.digest)


NO_LISTS: Final = Lists()


def why_not(finding: Finding) -> str:
    """Return why a finding can be neither ignored nor taken into a baseline; empty: it can.

    What says that something could *not* be verified is no fault to be accepted: an error of the
    source, of the evidence or of age, and a finding that leaves its layer without a verdict.
    """
    if leaves_open(finding):
        return "it says that something cannot be told, and what cannot be told is never a pass"
    if finding.rule.startswith("CG7"):
        return "it says that evidence is missing or altered"
    if finding.rule.startswith("CG6"):
        return "it is about an age or a list, not about a text"
    if finding.layer is None and finding.rule != "CG508":
        return "it is about the source, not about the corpus: nothing was verified"
    if not finding.document:
        return "it is about the run as a whole, not about one text"
    if not (finding.official_digest and finding.stored_digest):
        return "it has no official and stored text that could be seen to move"
    return ""


def shown(text: str) -> str:
    """Return a name as a list repeats it: on one line, nothing invisible, not too long.

    TOML can hold neither NUL nor a lone surrogate, and whoever reviews a list must see what it
    says.
    """
    visible = "".join(
        f"<U+{ord(char):04X}>" if unicodedata.category(char) in INVISIBLE else char
        for char in text[: MAX_SHOWN + 1]
    )
    return visible if len(visible) <= MAX_SHOWN else f"{visible[: MAX_SHOWN - 1]}…"
