"""Is it the law that was asked for? Titles and numbers as printed, compared without their dress."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from corpusguard.errors import WrongDocument
from corpusguard.official.addresses import law_id
from corpusguard.official.dates import first_long_date
from corpusguard.official.sanity import plain

if TYPE_CHECKING:
    from corpusguard.model import DocumentSpec, Identity
    from corpusguard.official.addresses import LawId

_QUOTES: Final = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-"})
_CHAPTER_TAIL: Final = re.compile(
    r",?\s*\b(?:R\.?\s?S\.?O|S\.?O|L\.?R\.?O|L\.?O)\.?\s*\d{4}\b.*", re.IGNORECASE
)
_REGULATION_HEAD: Final = re.compile(
    r"(?:O\.|R\.R\.O\.|Ontario|Règl\.|Règlement)[^:]{0,60}\d\s*:\s*", re.IGNORECASE
)
_WORDS: Final = (
    ("ontario regulation", "o reg"),
    ("règlement de l'ontario", "règl de l'ont"),
    ("revised regulations of ontario", "rro"),
    ("revised statutes of ontario", "rso"),
    ("statutes of ontario", "so"),
    ("regulation", "reg"),
    ("règlement", "règl"),
    ("chapter", "c"),
    ("chapitre", "c"),
    ("chap", "c"),
    ("schedule", "sched"),
)
_REGULATION_ID: Final = re.compile(r"r?(\d{2})(\d{3,4})[a-z]?")
_REGULATION_NUMBER: Final = re.compile(r"(\d{1,4})/(\d{4}|\d{2})\b|1990(?:reg|règl)(\d{1,4})")
_NOT_CODE: Final = re.compile(r"[^\w/]|_")
_BLOCK: Final = re.compile(r"<p\b([^<>]*)>", re.IGNORECASE)
_STYLE: Final = re.compile(
    r"\bclass\s*=\s*[\"']?\s*(shorttitle|regtitle|chapter|regnumber|ConsolidationPeriod)\b"
)
_OG_TITLE: Final = re.compile(
    r"<meta\b[^<>]*property=\"og:title\"[^<>]*content=\"([^\"<>]*)\"", re.IGNORECASE
)


def bare_title(title: str) -> str:
    """Return a title without regulation number before it and chapter after it, as printed."""
    words = " ".join(title.split())
    head = _REGULATION_HEAD.match(words)
    if head is not None:
        words = words[head.end() :]
    tail = _CHAPTER_TAIL.search(words)
    return (words[: tail.start()] if tail and tail.start() else words).rstrip(" ,")


def chapter_of(title: str) -> str:
    """Return the chapter or regulation number that a long title carries, or an empty string."""
    words = " ".join(title.split())
    if head := _REGULATION_HEAD.match(words):
        return head.group().rstrip(" :")
    tail = _CHAPTER_TAIL.search(words)
    return tail.group().lstrip(" ,") if tail and tail.start() else ""


def same_title(asked: str, served: str) -> bool:
    """Say whether two titles name one law; case, quotes and the chapter do not count."""
    return _fold(bare_title(asked)) == _fold(bare_title(served))


def same_code(asked: str, served: str) -> bool:
    """Say whether ``S.O. 2006, c. 17`` and ``S.o. 2006, chapter 17`` are one number."""
    return _code(asked) == _code(served)


def refuse_another(
    spec: DocumentSpec, titles: tuple[str, ...], codes: tuple[str, ...], what: str
) -> None:
    """Refuse a rendition whose own title or number is not that of the document asked for.

    Args:
        spec: The document asked for; an empty title or number is not checked.
        titles: All titles that the rendition gives itself, empty strings ignored.
        codes: All numbers that it gives itself, empty strings ignored.
        what: Name of the rendition in messages.

    Raises:
        WrongDocument: It has titles (or numbers), and none is the one asked for.
    """
    law = law_id(spec.id)
    for text in codes:
        if text and _contradicts(law, text):
            raise WrongDocument(
                f"{what} is {text[:120]!r}, which is not {law.kind}/{law.code}",
                hint="check the id in sources/*.toml, and the file or address it came from",
            )
    for asked, served, same in (
        (spec.title, titles, same_title),
        (spec.code, codes, same_code),
    ):
        given = [text for text in served if text.strip()]
        if asked and given and not any(same(asked, text) for text in given):
            raise WrongDocument(
                f"{what} is {given[0][:120]!r}, not {asked[:120]!r} ({spec.id})",
                hint="if the law was renamed, correct the title or code in sources/*.toml;"
                " otherwise the address leads to another law",
            )


def _contradicts(law: LawId, code: str) -> bool:
    """Say whether a printed number cannot belong to this id.

    The id of a regulation is its number: ``120332`` is O. Reg. 332/12, ``900668`` R.R.O. 1990,
    Reg. 668. That of a statute holds the year and, for most, the chapter, but schedules share
    those, so that only the kind is compared.
    """
    folded = _code(code)
    is_regulation = folded.startswith(("oreg", "rro", "règl", "reg"))
    if is_regulation != (law.kind == "regulation"):
        return True
    number = _REGULATION_ID.fullmatch(law.code)
    printed = _REGULATION_NUMBER.search(folded)
    if not is_regulation or number is None or printed is None:
        return False
    year, count = number.group(1), int(number.group(2))
    if printed.group(3):
        return year != "90" or int(printed.group(3)) != count
    return (printed.group(2)[-2:], int(printed.group(1))) != (year, count)


def printed_front(markup: str) -> dict[str, str]:
    """Return the front matter that a page or fragment prints.

    Returns:
        ``title``, ``code`` and ``consolidated_from`` (ISO date), each only where printed. The
        first of each kind wins.
    """
    found: dict[str, str] = {}
    head = markup[:400_000]
    if match := _OG_TITLE.search(head):
        found["title"] = bare_title(plain(match.group(1)))
        if code := chapter_of(plain(match.group(1))):
            found["code"] = code
    openers = list(_BLOCK.finditer(head))
    bounds = [match.start() for match in openers[1:]] + [len(head)] * bool(openers)
    parts = [
        (match.group(1), plain(head[opener.end() : bound]))
        for opener, bound in zip(openers, bounds, strict=True)
        if (match := _STYLE.search(opener.group(1)))
    ]
    regulation = any(style in {"regnumber", "regtitle"} for style, _ in parts)
    for style, text in parts:
        name = front_name(style, regulation=regulation)
        value = first_long_date(text) if name == "consolidated_from" else text
        if name and value:
            found.setdefault(name, value)
    return found


def front_name(style: str, *, regulation: bool) -> str:
    """Return what a front-matter style holds: ``title``, ``code``, ``consolidated_from`` or "".

    In a regulation the short title is that of the Act it was made under, and says nothing of
    the regulation itself.
    """
    if style == "ConsolidationPeriod":
        return "consolidated_from"
    if regulation:
        return {"regtitle": "title", "regnumber": "code"}.get(style, "")
    return {"shorttitle": "title", "chapter": "code"}.get(style, "")


def says_something(identity: Identity) -> bool:
    """Say whether a rendition names itself at all."""
    return bool(identity.title or identity.code or identity.alias)


def _fold(text: str) -> str:
    return " ".join(text.translate(_QUOTES).casefold().split())


def _code(text: str) -> str:
    folded = _fold(text).replace(".", "")
    for long, short in _WORDS:
        folded = folded.replace(long, short)
    return _NOT_CODE.sub("", folded)
