"""How old the text is that passages verified against: what the gate, status and health go by.

It is as old as the last time that the source was asked for it. A run that was offline, or that read
a file from years ago, compares again but makes nothing younger.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corpusguard.history import VerifiedRows
    from corpusguard.service.results import CorpusAge

ASK_AGAIN: Final = (
    "run `corpusguard verify` without --offline, which asks the source; or raise max_age of the "
    "corpus where a text of that age will do"
)
_SKEW_SECONDS: Final = 60
"""How far in the future a time may lie before it is not believed."""


def age(moment: str, now: datetime) -> int | None:
    """Return the seconds since a recorded time; None where it is none, or in the future."""
    if not moment:
        return None
    seconds = (now - datetime.fromisoformat(moment)).total_seconds()
    return max(int(seconds), 0) if seconds > -_SKEW_SECONDS else None


def is_too_old(moment: str, most: int, now: datetime) -> bool:
    """Whether what was asked at ``moment`` may not be relied on: fails closed.

    Args:
        moment: See ``history.asked_at``.
        most: ``max_age`` of the corpus, in seconds.
        now: Aware.
    """
    seconds = age(moment, now)
    return seconds is None or seconds > most


def span(seconds: float) -> str:
    """Return an age or its limit in words; rounded to whole days the two could look equal."""
    return f"{seconds / 86_400:.1f} days" if seconds > 172_800 else f"{seconds / 3600:.1f} hours"


def refused_for_age(corpus: CorpusAge) -> str:
    """Say how many passages of a corpus the gate refuses for their age, and why."""
    count, every = corpus.too_old_passages, corpus.verified_passages
    which = f"all {count:,}" if count == every else f"{count:,} of {every:,}"
    ago = "" if corpus.text_age_seconds is None else f", {span(corpus.text_age_seconds)} ago"
    return (
        f"the gate refuses {which} verified passages as too old: the source was last asked for "
        f"their text at {corpus.text_asked or 'no known time'}{ago}, and max_age is "
        f"{span(corpus.max_age_seconds)}"
    )


@dataclass(frozen=True, slots=True)
class TextAge:
    """Of the passages that are marked verified: how old their text is, and how many are too old."""

    asked: str = ""
    """When the source was asked for the oldest text among them; empty: none is marked verified."""
    age_seconds: int | None = None
    """None: nothing is marked verified, or that time cannot be believed."""
    passages: int = 0
    too_old: int = 0
    """Those that the gate refuses for their age."""


def text_age(rows: Iterable[VerifiedRows], most: int, now: datetime | None = None) -> TextAge:
    """Return the age of the text that ``rows`` verified against."""
    found = list(rows)
    if not found:
        return TextAge()
    moment = now or datetime.now(UTC)
    asked = min(one.asked for one in found)
    return TextAge(
        asked,
        age(asked, moment),
        sum(one.rows for one in found),
        sum(one.rows for one in found if is_too_old(one.asked, most, moment)),
    )
