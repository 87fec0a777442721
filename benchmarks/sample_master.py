"""The masters of the bundled sample: parse the one-paragraph-a-line text that people write.

The grammar stands in the head of each master. A master holds two consolidations at once, so that
an amendment is visible as what it is: lines that go and lines that come.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

LAW = Path(__file__).resolve().parents[1] / "corpusguard" / "sample" / "law"

NUMBER = re.compile(r"^(?P<number>[0-9][0-9.]*(?:-[0-9.]+|, [0-9.]+)?)(?: (?P<rest>\(.+))?$")
"""A section opener's marker: ``1 (1)``, ``12, 13``, ``22.1-25``, ``52 (1)-(3)``, ``9.1-12.``."""


class Edition(StrEnum):
    """Which consolidation of a document."""

    OLDER = "-"
    NEWER = "+"


@dataclass(frozen=True, slots=True)
class Line:
    """One printed paragraph, or one row or limit of a table."""

    cls: str
    marker: str
    text: str
    cites: tuple[str, ...]

    @property
    def number(self) -> str:
        """The section number of an opener as printed, its period included; else empty."""
        match = NUMBER.match(self.marker)
        return match["number"] if match else ""

    @property
    def rest(self) -> str:
        """What follows the number in an opener's marker: ``(1)``; else empty."""
        match = NUMBER.match(self.marker)
        return (match["rest"] or "") if match else ""

    @property
    def is_stub(self) -> bool:
        """Whether the whole paragraph says only that something is gone."""
        return self.text.startswith(("[Repealed", "[Revoked", "[Omitted"))

    @property
    def is_future(self) -> bool:
        """Whether the paragraph is not yet in force."""
        return self.cls.startswith("Y")


@dataclass(frozen=True, slots=True)
class Macros:
    """What ``@``, ``$`` and ``%`` mean at the head of a citation, ``~`` being a no-break space."""

    own: str
    first: str
    second: str

    def expand(self, cite: str) -> str:
        """Spell out one citation; ``@ Sched. 1`` cites the schedule, not a section of it."""
        for sign, meaning in zip("@$%", (self.own, self.first, self.second), strict=True):
            if cite.startswith(f"{sign} "):
                tail = cite[2:].replace(" ", "~")
                if not tail[0].isdigit():
                    return f"{meaning.removesuffix(' s.')} {cite[2:]}"
                plural = "ss." if re.match(r"[0-9]+-[0-9]", tail) else "s."
                return f"{meaning.removesuffix('s.')}{plural}~{tail}"
        return cite


ACT = Macros("2019, c.~31, s.", "2022, c.~47, Sched.~2, s.", "2025, c.~44, s.")
REGULATION = Macros("O. Reg. 902/19, s.", "O. Reg. 961/22, s.", "")


def read_master(name: str, macros: Macros, edition: Edition) -> list[Line]:
    """Return the paragraphs of one consolidation, with citations spelled out."""
    lines: list[Line] = []
    for raw in (LAW / name).read_text(encoding="utf-8").splitlines():
        if not raw or raw.startswith("#"):
            continue
        text = raw
        if raw[0] in "-+":
            if raw[0] != edition:
                continue
            text = raw[1:]
        cells = [cell.strip() for cell in text.split("|")]
        if cells[0] in {"row", "table", "empty"}:
            lines.append(Line(cells[0], "", cells[1], ()))
            continue
        cells += [""] * (4 - len(cells))
        cites = tuple(macros.expand(cite.strip()) for cite in cells[3].split(";") if cite.strip())
        if cells[0] == "amendments":
            act, _, day = cells[2].partition(" - ")
            lines.append(Line("amendments", "", f"- {day}", (macros.expand(act),)))
        else:
            lines.append(Line(cells[0], cells[1], cells[2], cites))
    return lines
