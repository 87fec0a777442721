"""Laws to build a fixture from: a workbook, or passages as ``corpusguard passages`` emits them.

A workbook is one law text with hand-written sentences under each sentence of law::

    ! LA | Lodgings Act                 a law: its short name and its title
    @ 4 | Raising the price             a section: its number and its heading
    An increase in price is void ...    a sentence of law, on one line; the base of a family
    (2) The warden shall:¶(a) ...       the same with a subsection's number; ¶ is a line break
    < 30 days => 60 days                its former version: words of it, and what stood there before
    +P A price increase only counts ... a supported sentence, by tier: V L P C R
    -dc Any increase is void.           an unsupported one, by kind: wn ws ic aq wa wo dc ms vs ...
    # a remark
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from corpusguard.errors import ConfigError
from corpusguard.measure.gate.items import MAX_SENTENCE, MAX_SOURCE, Kind, Tier

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_LAW_BYTES: Final = 8 * 1024 * 1024

CODES: Final[Mapping[str, Kind | Tier]] = {
    "+V": Tier.VERBATIM,
    "+L": Tier.LIGHT_PARAPHRASE,
    "+P": Tier.PLAIN_LANGUAGE,
    "+C": Tier.CONNECTIVE,
    "+R": Tier.CORRECT_REFUSAL,
    "-wn": Kind.WRONG_NUMBER,
    "-ws": Kind.WRONG_SECTION,
    "-ic": Kind.INVERTED_CONDITION,
    "-aq": Kind.ADDED_QUALIFIER,
    "-wa": Kind.WRONG_ACTOR,
    "-wo": Kind.WRONG_OUTCOME,
    "-dc": Kind.DROPPED_CONDITION,
    "-ms": Kind.MODAL_SHIFT,
    "-vs": Kind.VALUE_SWAP,
    "-vx": Kind.VERSION_SWAP,
    "-up": Kind.UNSUPPORTED_PLAUSIBLE,
}


_SUBSECTION: Final = re.compile(r"\(\d+(?:\.\d+)*\) ")


@dataclass(slots=True)
class Base:
    """A sentence of law, and what was written about it by hand."""

    text: str
    """Without the subsection's number, in one line."""
    printed: str = ""
    """As the provision prints it, with number and line breaks."""
    former: str = ""
    natural: list[tuple[Kind | Tier, str]] = field(default_factory=list)


@dataclass(slots=True)
class Section:
    """A provision."""

    law: str
    number: str
    heading: str
    bases: list[Base] = field(default_factory=list)
    given: str = ""
    """The passage as its corpus has it; empty: made of heading, number and sentences."""
    given_id: str = ""

    @property
    def id(self) -> str:
        """Its name in a fixture."""
        return self.given_id or f"{self.law}-{self.number}"

    @property
    def source(self) -> str:
        """The passage that a sentence about this provision cites."""
        if self.given:
            return self.given
        first, *others = (base.printed for base in self.bases)
        text = f"{self.heading}\n{self.number} {first}"
        for printed in others:
            text += f"\n{printed}" if _SUBSECTION.match(printed) else f" {printed}"
        return text


def read_law(data: bytes, where: str) -> list[Section]:
    """Read a workbook, or JSON lines of passages where the first character is a brace.

    Raises:
        ConfigError: It is neither; the message names the line.
    """
    if len(data) > MAX_LAW_BYTES:
        raise ConfigError(
            f"{where} is larger than {MAX_LAW_BYTES} bytes", hint="build from a part of the law"
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{where} is not UTF-8: {error}", hint="save it as UTF-8") from error
    lines = [(n, line.strip()) for n, line in enumerate(text.split("\n"), 1) if line.strip()]
    passages = bool(lines) and lines[0][1].startswith("{")
    sections = _passages(lines, where) if passages else _workbook(lines, where)
    ids = [section.id for section in sections]
    twice = next((one for one in ids if ids.count(one) > 1), None)
    if twice is not None:
        raise ConfigError(f"{where} has two provisions {twice}", hint="give each its own id")
    bare = next((section.id for section in sections if not section.bases), None)
    if bare is not None and not passages:
        raise ConfigError(f"{where}: section {bare} has no sentence of law", hint=_HINT)
    if not any(section.bases for section in sections):
        raise ConfigError(f"{where} holds no sentence of law", hint=_HINT)
    return sections


_HINT: Final = "docs/measuring-the-gate.md shows a workbook"


def _workbook(lines: list[tuple[int, str]], where: str) -> list[Section]:
    sections: list[Section] = []
    law = ""
    for number, line in lines:
        place = f"{where}, line {number}"
        if len(line) > MAX_SENTENCE:
            raise ConfigError(f"{place} is longer than {MAX_SENTENCE} characters", hint=_HINT)
        if line.startswith("#"):
            continue
        if line.startswith("!"):
            law = _two(line[1:], "|", place)[0]
            if not re.fullmatch(r"[A-Za-z0-9]{1,20}", law):
                raise ConfigError(f"{place}: {law!r} is no short name of a law", hint=_HINT)
        elif line.startswith("@"):
            at, heading = _two(line[1:], "|", place)
            if not law or not re.fullmatch(r"[0-9A-Za-z.]{1,20}", at):
                raise ConfigError(f"{place}: a section without law or number", hint=_HINT)
            sections.append(Section(law, at, heading))
        elif not sections:
            raise ConfigError(f"{place} stands before any section", hint=_HINT)
        else:
            _line(sections[-1], line, place)
    return sections


def _line(section: Section, line: str, place: str) -> None:
    if line[0] not in "<+-":
        printed = "\n".join(part.strip() for part in line.split("¶"))
        section.bases.append(Base(" ".join(_SUBSECTION.sub("", printed, count=1).split()), printed))
        return
    if not section.bases:
        raise ConfigError(f"{place} stands before any sentence of law", hint=_HINT)
    base = section.bases[-1]
    if line[0] == "<":
        new, old = _two(line[1:], "=>", place)
        if base.text.count(new) != 1 or new == old:
            raise ConfigError(
                f"{place}: {new!r} is not in the sentence above exactly once", hint=_HINT
            )
        base.former = base.text.replace(new, old)
        return
    code, _, sentence = line.partition(" ")
    if code not in CODES or not sentence.strip():
        raise ConfigError(f"{place}: {code!r} is no kind or tier with a sentence", hint=_HINT)
    base.natural.append((CODES[code], sentence.strip()))


def _two(text: str, mark: str, place: str) -> tuple[str, str]:
    left, found, right = text.partition(mark)
    if not found or not left.strip() or not right.strip():
        raise ConfigError(f"{place}: needs something on both sides of {mark}", hint=_HINT)
    return left.strip(), right.strip()


_MARKER: Final = re.compile(r"^(?:\d+(?:\.\d+)*[a-z]?\s+)?(?:\(\d+(?:\.\d+)*\)\s*)?")
_END: Final = re.compile(r"(?<=[a-z”)]\.)\s+(?=[A-Z“(])")


def _passages(lines: list[tuple[int, str]], where: str) -> list[Section]:
    sections = []
    for number, line in lines:
        place = f"{where}, line {number}"
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise ConfigError(f"{place} is not JSON: {error}", hint=_HINT) from error
        known = isinstance(row, dict) and all(
            isinstance(row.get(key), str) for key in ("id", "section", "text")
        )
        if not known or len(row["text"]) > MAX_SOURCE:
            raise ConfigError(
                f"{place}: needs id, section and text, of at most {MAX_SOURCE} characters",
                hint="`corpusguard passages DOC --recipe section` writes such lines",
            )
        heading = row.get("heading") or ""
        section = Section("", row["section"], str(heading), given=row["text"], given_id=row["id"])
        body = _MARKER.sub("", row["text"], count=1)
        # A sentence with limbs runs over lines; one without ends with its line.
        for sentence in _END.split(" ".join(body.split())):
            if len(sentence.split()) >= 6 and len(sentence) <= MAX_SENTENCE:
                section.bases.append(Base(sentence, sentence))
        sections.append(section)
    return sections
