"""Canonical text, and the grammar of printed numbers, stubs and citations.

Implements the contract of docs/reading-elaws.md for the second reader alone. All patterns are
anchored or bounded, so that none backtracks over a long paragraph.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final, NamedTuple

_ZERO_WIDTH: Final = re.compile("[\u00ad\u200b\u200c\u200d\u2060\ufeff]")
_CONTROLS: Final = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f]")
_MOJIBAKE: Final = re.compile("[ÃÂ][\u0080-\u00bf]|â€|â‚¬|Ã¢|ï»¿")
SURROGATE: Final = re.compile("[\ud800-\udfff]")

_NUM: Final = r"\d{1,4}(?:\.\d{1,4}){0,5}[A-Z]{0,2}"
_JOIN: Final = r"(?:\s?[,\u2013-]\s?|\s(?:and|to|et|à)\s)"
_SECTION: Final = re.compile(rf"{_NUM}\.?(?:\s?[,\u2013-]\s?{_NUM}\.?){{0,60}}(?=$|[\s(:—“‘«])")
_BOLD_SECTION: Final = re.compile(rf"{_NUM}\.?(?:{_JOIN}{_NUM}\.?){{0,60}}")
_SUB: Final = r"\(\d{1,4}(?:\.\d{1,4}){0,4}\)"
_SUBSECTION: Final = re.compile(rf"{_SUB}(?:{_JOIN}{_SUB}){{0,60}}")
_ROMAN: Final = r"(?=[ivxlc])c{0,3}(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})"
_CAPITAL_ROMAN: Final = r"(?=[IVXLC])C{0,3}(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})"
_LET: Final = rf"\((?:[a-z]{{1,2}}|[A-Z]{{1,2}}|{_ROMAN}|{_CAPITAL_ROMAN})(?:\.\d{{1,3}}){{0,4}}\)"
_LETTER: Final = re.compile(rf"{_LET}(?:{_JOIN}{_LET}){{0,60}}")
_CHAINED: Final = re.compile(
    rf"\((?:([a-z])\1?|([A-Z])\2?|{_ROMAN}|{_CAPITAL_ROMAN})(?:\.\d{{1,3}}){{0,4}}\)(?=\s|$)"
)
_DOT: Final = rf"(?:\d{{1,4}}|{_ROMAN}|[A-Z])(?:\.\d{{1,3}}){{0,4}}"
_DOTTED: Final = re.compile(
    # "1." and "1.1": a whole number needs its period, a decimal stands without one
    rf"(?:{_DOT}\.?(?:{_JOIN}{_DOT}\.?){{1,60}}|{_DOT}\.|(?:\d{{1,4}}|{_ROMAN}|[A-Z])"
    r"(?:\.\d{1,3}){1,4})(?=\s|$)"
)
_STUB: Final = re.compile(
    r"(?:(?:Repealed|REPEALED|Revoked|REVOKED|Omitted|OMITTED|Spent|SPENT|Abrogée?s?|Omise?s?"
    r"|Périmée?s?))(?=\s?(?:$|[:.(\[]|\d{4}, (?:c|chap)\.|O\. Reg|[RS]\.[RS]?\.?O))"
)
_SMALL_STUB: Final = re.compile(rf"(?i:{_STUB.pattern})")
_GONE_TITLE: Final = re.compile(
    r"(?:(?:schedule|annexe|form|formule|table|tableau|part|partie)\b\.?"
    r"(?:\s(?:\d{1,4}(?:\.\d{1,4}){0,4}[A-Z]?|[IVXLC]{1,7}(?:\.\d{1,4}){0,4}|[A-Z]{1,2})\b)?"
    r"[ :.\u2013\u2014-]{0,4})?"
    r"\(?(?:repealed|revoked|omitted|spent|abrogée?s?|omise?s?|périmée?s?)"
    r"(?=\)?\s?(?:$|[:.(\[]|\d{4}, (?:c|chap)\.|O\. Reg|[RS]\.[RS]?\.?O))\)?\s?:?\s?",
    re.IGNORECASE,
)
_HEAD_TEXT: Final = (
    r"(?:(?:R\.S\.O\.|S\.O\.|L\.R\.O\.|L\.O\.) )?\d{4}, (?:c|chap)\. ?"
    r"|O\. ?Reg\. ?\d|R\.R\.O\. \d{4}, (?:O\. )?Reg\. ?\d|Règl\. de l[’']Ont\. \d"
    r"|R\.R\.O\. \d{4}, Règl\. ?\d"
)
_HEAD: Final = re.compile(_HEAD_TEXT)
# Begins with a set of characters, which lets the engine skip to the few places that qualify.
_AFTER_LAW: Final = re.compile(rf"[.:)”»] (?:{_HEAD_TEXT})")
_TOKEN: Final = re.compile(
    r"(?:ss?|arts?|pars?|paras?|c|chap|Scheds?|Schedules?|annexes?|ann|Tables?|tabl|Forms?|Formule"
    r"|Appendix|Parts?|Pt|cl|cls|subss?|Regs?|Items?|items?|Note|Erratum|and|et|part|in|to|al|disp"
    r"|preamble|Preamble|title)\.?"
    r"|\(?[ivxlcdm]{1,7}\)?\.?"
    r"|[(\[]?[A-Z]{1,2}(?:[.-]?\d{1,4}){0,4}[a-z]{0,2}[)\]]?\.?"
    r"|[(\[]?(?:\d{1,6}(?:\.\d{1,4}){0,5}[A-Za-z]{0,2}|[a-z](?:\.\d{1,3})?)[)\]]?"
    r"(?:[/\u2013-][(\[]?(?:\d{1,6}(?:\.\d{1,4}){0,5}[A-Za-z]{0,2}|[a-z])[)\]]?)?\.?"
    r"|[\u2013-]"
)
_WORD: Final = re.compile(r"[^\s,;]+")
_HEAD_WORDS: Final = frozenset(
    "R.S.O. S.O. L.R.O. L.O. O. O.Reg. R.R.O. Reg. Règl. de l’Ont. l'Ont.".split()
)
_ABBREVIATED: Final = re.compile(
    r"(?:^|[\s(])(?:ss?|c|chap|arts?|Scheds?|Reg|Regs|No|Nos|subss?|cls?|paras?|O|S\.O|R\.S\.O"
    r"|R\.R\.O|v|Pt|e\.g|i\.e)\.$"
)
_PARTS: Final = re.compile(r"(\d{1,4})(?:\.\d{1,4})*[A-Z]{0,2}")
_RANGE: Final = re.compile(rf"({_NUM})\.?(\s?[,\u2013-]\s?|\s(?:and|to|et|à)\s)?")
_MAX_RANGE: Final = 2000


class Lead(NamedTuple):
    """What is printed at the head of a block."""

    markers: tuple[tuple[int, int], ...]
    """Spans of the marker runs."""
    section: str
    """The section number as printed, or empty."""
    rest: int
    """Where the words begin."""
    subsection: bool
    """Whether one of the markers is a subsection number."""


def canon(raw: str) -> str:
    """Returns the canonical form: no zero-width characters, NFC, single spaces, trimmed."""
    if not raw.isascii():
        raw = unicodedata.normalize("NFC", _ZERO_WIDTH.sub("", raw))
    return " ".join(raw.split())


def suspicious(raw: str) -> list[str]:
    """Names the signs of broken bytes in a text: U+FFFD, controls, mojibake."""
    found: list[str] = []
    if raw.isascii() and raw.isprintable():
        return found
    if count := raw.count("\ufffd"):
        found.append(f"U+FFFD replacement character, {count} times")
    # Finding the few letters that begin mojibake costs far less than the search for its pairs.
    broken = any(letter in raw for letter in "ÃÂâï")
    for pattern, name in (
        (_CONTROLS, "control character"),
        *([(_MOJIBAKE, "mojibake")] if broken else []),
    ):
        if hit := pattern.search(raw):
            found.append(f"{name} {hit[0]!a} in {raw[hit.start() : hit.end() + 20]!a}")
    return found


def lead(text: str, bold: str, *, opens: bool, items: bool) -> Lead:
    """Reads the markers at the head of a block.

    Args:
        text: The block's canonical text.
        bold: Its leading bold words in canonical form, or empty.
        opens: Whether the block's class may open a section.
        items: Whether its class may carry paragraph and clause numbers.

    Returns:
        The markers found; a block that opens nothing has none.
    """
    at = 0
    markers: list[tuple[int, int]] = []
    section = _section_number(text, bold) if opens else ""
    if section:
        at = len(section)
        markers.append((0, at))
        at = _skip(text, at)
    subsection = _SUBSECTION.match(text, at)
    if subsection and (opens or items):
        markers.append(subsection.span())
        at = _skip(text, subsection.end())
    elif items and not section:
        item = _LETTER.match(text, at) or _DOTTED.match(text, at)
        if item:
            markers.append(item.span())
            at = _skip(text, item.end())
    while markers and len(markers) < 5 and (more := _CHAINED.match(text, at)):
        markers.append(more.span())
        at = _skip(text, more.end())
    return Lead(tuple(markers), section, at, subsection is not None)


def _skip(text: str, at: int) -> int:
    return at + 1 if text[at : at + 1] == " " else at


def _section_number(text: str, bold: str) -> str:
    """The section number at the head, or empty.

    A number in bold is a number whatever follows it. One that is not bold must end with a period
    or stand before a subsection number or a stub's word: "2 persons or more" goes on with a
    sentence.
    """
    inked = bold if bold and _BOLD_SECTION.fullmatch(bold) else ""
    plain = _SECTION.match(text)
    if plain and not bold and not _starts_provision(text, plain):
        plain = None
    if not plain:
        return inked
    return inked if len(inked) >= len(plain[0]) or inked.endswith(".") else plain[0]


def _starts_provision(text: str, number: re.Match[str]) -> bool:
    after = _skip(text, number.end())
    return (
        number[0].endswith(".")
        or _SUBSECTION.match(text, after) is not None
        or stub(text, after, opener=True) is not None
    )


def stub(text: str, at: int, *, opener: bool = False) -> re.Match[str] | None:
    """Matches "Repealed", "Revoked", "Omitted" or "Spent" standing alone at a position.

    After the number of a section also in small letters, which small capitals are in the text.
    """
    return _STUB.match(text, at) or (_SMALL_STUB.match(text, at) if opener else None)


def gone_title(text: str) -> bool:
    """Whether a title says no more than that what it names is gone: "PART IX Repealed: …"."""
    return _GONE_TITLE.match(text) is not None


def title_citation_start(text: str, *, marked: int = -1) -> int:
    """Finds where the trailing citation of a title begins, or ``len(text)``.

    A title is no sentence, so that the publisher's own mark-up needs no end of one before it.
    """
    if marked >= 0:
        return marked
    gone = _GONE_TITLE.match(text)
    if gone and is_citation_list(text[gone.end() :]):
        return gone.end()
    return citation_start(text, 0)


def citation_start(text: str, floor: int, *, marked: int = -1) -> int:
    """Finds where the trailing amendment citation of a block begins.

    Args:
        text: Canonical text.
        floor: Where the words of law begin, after the markers.
        marked: Where the publisher's own citation mark-up at the tail begins, or -1.

    Returns:
        The offset, or ``len(text)`` where there is none. In doubt there is none.
    """
    start = _printed_citation(text, floor)
    if marked >= floor and marked < start and (marked == floor or _ends_law(text, floor, marked)):
        return marked
    return start


def _printed_citation(text: str, floor: int) -> int:
    """Where the tail reads as citations by its form alone, or ``len(text)``."""
    gone = _STUB.match(text, floor)
    if gone and is_citation_list(text[gone.end() :].lstrip()):
        return gone.end() + 1
    first = _AFTER_LAW.search(text, floor)
    if not first:
        return len(text)
    # Every token of the list must be a citation's, and every piece after a ";" a citation: both
    # limits are found once, from the right, so that many candidates cost no more than one.
    words_from = first.start() + 2
    for word in _WORD.finditer(text, words_from):
        if not _TOKEN.fullmatch(word[0]) and word[0] not in _HEAD_WORDS:
            words_from = word.end()
    pieces_from = len(text)
    for piece in reversed(text[words_from:].rstrip(" .").split(";")[1:]):
        if not _is_citation(piece.strip()):
            break
        pieces_from = text.rindex(";", words_from, pieces_from)
    bad_piece = text.rfind(";", 0, pieces_from)
    for found in _AFTER_LAW.finditer(text, first.start()):
        start = found.start() + 2
        if start >= words_from and start > bad_piece and _ends_law(text, floor, start):
            return start
    return len(text)


def is_citation_list(text: str) -> bool:
    """Whether a text is nothing but citations joined by ``;``."""
    return all(_is_citation(piece.strip()) for piece in text.rstrip(" .").split(";"))


def _is_citation(piece: str) -> bool:
    head = _HEAD.match(piece)
    if not head:
        return False
    end = head.end() - 1 if piece[head.end() - 1].isdigit() else head.end()
    return all(_TOKEN.fullmatch(token) for token in piece[end:].replace(",", " ").split())


def _ends_law(text: str, floor: int, start: int) -> bool:
    """Whether what stands before a citation is the end of a sentence of law, or a stub."""
    before = text[max(floor, start - 40) : start].rstrip()
    if not before:
        return False
    if before[-1] in ":”»":
        return True
    if before[-1] == ".":
        return not _ABBREVIATED.search(before[-12:])
    return before[-1] == ")" and (before[-2:-1] in ("”", "»") or stub(text, floor) is not None)


class Cover(NamedTuple):
    """What an opener's number covers."""

    numbers: list[str]
    unknown: list[str] | None
    """Both ends of a range between which other decimals may lie."""


def covered(printed: str) -> Cover:
    """Expands ``12., 13.``, ``101-142`` and ``22.1-25`` by the rules of docs/reading-elaws.md."""
    pieces = _RANGE.findall(printed)
    numbers: list[str] = []
    unknown: list[str] | None = None
    previous, join = "", ""
    for number, following in pieces:
        if join.strip() in {"-", "–", "to", "à"}:
            low, high = whole(previous), whole(number)
            if high - low <= _MAX_RANGE:
                numbers.extend(str(n) for n in range(low + 1, high))
            if previous != str(low) or number != str(high) or high - low > _MAX_RANGE:
                unknown = [previous, number]
        numbers.append(number)
        previous, join = number, following
    return Cover(numbers, unknown)


def whole(number: str) -> int:
    """The whole number at the head of a section number: 22 for ``22.1``."""
    found = _PARTS.match(number)
    return int(found[1]) if found else 0


def ordered(number: str) -> tuple[int, ...]:
    """A section number as it sorts: 22.1 after 22, before 23."""
    return tuple(int(digits) for digits in re.findall(r"\d+", number))
