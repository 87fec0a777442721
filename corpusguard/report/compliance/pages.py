"""What the package carries for every report: pages of rules, statements, measured figures."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
_ITEM = re.compile(r"^- ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Words:
    """A run of words; ``code`` is something to type or a name."""

    text: str
    code: bool = False


Line = tuple[Words, ...]


@dataclass(frozen=True, slots=True)
class RulePage:
    """What ``corpusguard explain`` says of a rule, in parts."""

    meaning: Line
    why: Line
    steps: tuple[Line, ...]


@cache
def rule_page(rule: str) -> RulePage:
    """Return the page of a rule of ``corpusguard.rules``."""
    page = resources.files("corpusguard").joinpath("rule_pages", f"{rule}.md").read_text("utf-8")
    parts = _HEADING.split(page)
    named = dict(zip(parts[1::2], parts[2::2], strict=True))
    steps = _ITEM.split(named["What to do"])[1:]
    return RulePage(
        meaning=_line(named["What it means"]),
        why=_line(named["Why it matters"]),
        steps=tuple(_line(step) for step in steps),
    )


@cache
def statements() -> dict[str, Any]:
    """Return ``data/statements.toml``: method, independence, limits, not_claimed, duty."""
    return _toml("statements.toml")


@cache
def measured() -> list[dict[str, str]]:
    """Return the figures of ``data/measured.toml``."""
    return list(_toml("measured.toml")["figure"])


def template(name: str) -> str:
    """Return the source of a template or style sheet."""
    return _data("templates", name)


def _toml(name: str) -> dict[str, Any]:
    return tomllib.loads(_data("data", name))


def _data(*names: str) -> str:
    # From the package's root: an installed wheel and a zip have the same paths.
    return resources.files("corpusguard.report.compliance").joinpath(*names).read_text("utf-8")


def _line(text: str) -> Line:
    """Return Markdown of our own pages as runs of words: code between backticks, no emphasis."""
    plain = " ".join(text.split()).replace("**", "")
    pieces = plain.split("`")
    return tuple(Words(piece, number % 2 == 1) for number, piece in enumerate(pieces) if piece)
