"""Section locators: what a passage claims, and what the official text has."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corpusguard.model import Provision

_LEAD: Final = re.compile(
    r"^(?:sections?|sect?s?\.|ss?\.|§+|articles?|art\.|r\.|rule)?\s*", re.IGNORECASE
)
_NUMBER: Final = re.compile(r"^\d{1,5}[a-z]{0,2}(?:\.\d{1,4}[a-z]{0,2}){0,6}$", re.IGNORECASE)
_RANGE: Final = re.compile(
    r"^(?P<a>\d{1,5}(?:\.\d{1,4}){0,6})\s*\.?\s*(?:-|–|,|to|and)\s*(?P<b>\d{1,5}(?:\.\d{1,4}){0,6})$"
)
_LIST: Final = re.compile(
    r"^\d{1,5}(?:\.\d{1,4}){0,6}\.?(?:\s?[,–-]\s?\d{1,5}(?:\.\d{1,4}){0,6}\.?){2,20}$"
)
"""``12., 13., 15-17``: three ends or more."""
_SUBSECTION: Final = re.compile(r"\s*\(\s*(\d{1,4}(?:\.\d{1,4}){0,4})\s*\)\s*")
_INSIDE: Final = re.compile(
    r"\(\s*(\d{1,4}(?:\.\d{1,4}){0,4})\s*\)(?:\s*\(\s*[0-9A-Za-z.]{1,6}\s*\)){0,4}"
)
"""``(2)``, ``(2) (a) (i)``: what may follow a section's number, and nothing else."""
_CONTAINER: Final = re.compile(
    r"^(?P<kind>sched(?:ule)?|form|table|app(?:endix)?)\b\.?\s*(?P<number>[0-9A-Za-z.]{0,8}?)\.?$",
    re.IGNORECASE,
)
_DUPLICATE: Final = re.compile(r"(?<=[\w.])~\d{1,3}(?=,|\(|$)")
"""``10~2``, as the readers name the second opener of one number."""
_LONGEST: Final = 80


class Claim(NamedTuple):
    """A locator that could be read."""

    section: str
    """Normal form, comparable with ``normal_form(provision.section)``."""
    subsection: str


@lru_cache(maxsize=8192)  # a document's few hundred locators are compared again and again
def normal_form(locator: str) -> str:
    """A locator in the form used for comparison: ``12-13`` for ``12., 13``, no ``~2``."""
    parts = [_normal_part(part.strip()) for part in _split(_DUPLICATE.sub("", locator))]
    return ", ".join(part for part in parts if part)


def _split(locator: str) -> list[str]:
    # "12., 13" is one range; "Sched. 2, 3" is a place inside a place.
    if _CONTAINER.match(locator.split(",", maxsplit=1)[0].strip()):
        return locator.split(",", maxsplit=3)
    return [locator]


def _normal_part(part: str) -> str:
    container = _CONTAINER.match(part)
    if container:
        kind = container["kind"][:4].casefold()
        name = {"sche": "sched", "appe": "app"}.get(kind, kind)
        return f"{name} {container['number'].casefold()}".strip()
    text = " ".join(part.split()).rstrip(".")
    both = _RANGE.match(text)
    if both:
        return f"{both['a']}-{both['b']}"
    if _LIST.match(text):
        return "-".join(number.strip().rstrip(".") for number in re.split("[,–-]", text))
    return text.casefold()


def read_claim(section: str, subsection: str | None) -> Claim | None:
    """Read the locator that a passage claims; None when it cannot be read as a number."""
    text = " ".join(section.split())
    if not text or len(text) > _LONGEST:
        return None
    text = _DUPLICATE.sub("", text)
    inner = ""
    if "(" in text and not text.startswith("("):
        head, _, tail = text.partition("(")
        found = _INSIDE.fullmatch("(" + tail)
        if found is None:
            return None
        text, inner = head.strip(), found[1]
    parts = _split(text)
    if len(parts) == 1 and not _CONTAINER.match(text):
        text = _LEAD.sub("", text, count=1).strip().rstrip(".")
        known = (
            _NUMBER.match(text)
            or _RANGE.match(text)
            or _LIST.match(text)
            or text.casefold() == "preamble"
        )
        if not known:
            return None
        parts = [text]
    claimed = _inner(subsection, inner)
    if inner and claimed != inner:
        # "43(1)" with a subsection field of 2 claims two places.
        return None
    return Claim(", ".join(_normal_part(part.strip()) for part in parts), claimed)


def _inner(subsection: str | None, fallback: str) -> str:
    text = (subsection or "").strip()
    found = _SUBSECTION.fullmatch(text)
    if found:
        return found[1]
    text = text.strip("().").strip()
    known = _NUMBER.match(text) or _RANGE.match(text) or _LIST.match(text)
    return text if known else fallback


class Inventory:
    """The section-level units of the official text."""

    def __init__(self, provisions: Iterable[Provision]) -> None:
        """Collect locators, the numbers that ranges stand for, and their unknown middles."""
        self.locators: dict[str, list[str]] = {}
        self.covers: dict[str, str] = {}
        self.unknown: list[tuple[tuple[int, ...], tuple[int, ...], str]] = []
        for node in provisions:
            if not node.section:
                continue
            known = self.locators.setdefault(normal_form(node.section), [])
            if node.section not in known:
                known.append(node.section)
            if node.kind.value != "section":
                continue
            # A range inside a schedule covers the schedule's numbers, not the body's.
            prefix = normal_form(node.section.rpartition(",")[0]) if node.context != "body" else ""
            for number in node.covers:
                key = f"{prefix}, {number}" if prefix else number
                self.covers.setdefault(key.casefold(), node.section)
            if node.covers_unknown and not prefix:
                low, high = (_key(end) for end in node.covers_unknown)
                if low and high:
                    self.unknown.append((low, high, node.section))

    def find(self, section: str) -> list[str]:
        """Locators that a claim may mean: its own, its duplicates', or the range over it."""
        found = self.locators.get(section)
        if found:
            return found
        covering = self.covers.get(section)
        return [covering] if covering else []

    def in_unknown_range(self, section: str) -> str:
        """Locator of a decimal range whose unknown middle holds the number, or empty."""
        key = _key(section)
        if key:
            for low, high, locator in self.unknown:
                if low < key < high:
                    return locator
        return ""


def _key(number: str) -> tuple[int, ...] | None:
    parts = number.split(".")
    return tuple(int(part) for part in parts) if all(p.isdecimal() for p in parts) else None
