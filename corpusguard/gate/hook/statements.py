r"""Which statements of a text are claims: pure, and in doubt a claim.

What agents write into memory is of three kinds. Wishes and instructions ("Use tabs", "I prefer
short answers"), plans ("- [ ] call the client") and layout say nothing that could be false. All
else states something, and is a claim. So the rules below describe what is *not* one; a statement
that no rule knows, in whatever language, is. And none of the rules holds where a statement speaks
of law, money, time limits or amounts: "Remember that rent may rise by 2.5%" is no instruction.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final

from corpusguard.gate.hook.instructions import instructs, is_place, names

if TYPE_CHECKING:
    from collections.abc import Iterator

_FENCE: Final = re.compile(r"[ \t]*(?:```+|~~~+)")
_RULER: Final = re.compile(r"[\s|:=_*+\-–—#>~`<!.]*")
_LEAD: Final = re.compile(
    r"[ \t]*(?:(?:>|[-*+•‣]|\d{1,3}[.)]|\#{1,6}|<!--|\|)[ \t]*)*(?P<box>\[[ xX~-]\][ \t]+)?"
)
_TODO: Final = re.compile(r"(?:TODO|FIXME|TBD|todo|to do)\b[ :\-–—]*")
_MARKS: Final = re.compile(r"\*+|(?<!\w)_+|_+(?!\w)|<!--|-->")
_IMPORT: Final = re.compile(r"(?<![\w.`])@[\w~./]")
"""``@notes.txt``: agents that read this file read that one as well, and nobody has checked it."""
_ENDS: Final = re.compile(r"(?<=[.!?;])[\"”’')\]*_`]*\s+(?=\S)")

_LAW: Final = re.compile(
    r"""\b(?:
        acts?|appeals?|arrears|bound|by-?laws?|charter|codes?\sof|compensat\w*|constitution\w*|
        consolidat\w*|contracts?|convict\w*|courts?|damages|deadlines?|deposits?|duty|duties|
        enacted|entitle[ds]?|entitlement|evict\w*|exempt\w*|expir\w*|fees?|fines?|forbid\w*|
        guilty|hearings?|held|illegal\w*|in\sforce|judgments?|jurisdiction\w*|landlords?|lawful\w*|
        laws?|leases?|legal\w*|legislation|liabl\w*|liability|licen[cs]\w*|limitation|minister|
        must\snot|may\snot|notice\speriod|oblig\w*|offen[cs]es?|ordinances?|owed|owes|payable|
        penalt\w*|permit\w*|precedents?|prohibit\w*|provisions?|regulations?|rents?|repeal\w*|
        requires?|rights|ruled|rulings?|shall|statut\w*|subsections?|sued?|tax\w*|tenan\w*|
        terminat\w*|tribunals?|unlawful\w*|violat\w*|void\w*|wardens?
    )\b | § | \bss?\.\s*\d | \bv\.\s""",
    re.IGNORECASE | re.VERBOSE,
)
_PREDICATE: Final = re.compile(
    r"\b(?:void\w*|liable|guilty|(?:il|un)?(?:legal|lawful)\w*|exempt\w*|prohibit\w*|forbid\w*|"
    r"permit\w*|repeal\w*|require[sd]?|shall|\w+ed)\b",
    re.IGNORECASE,
)
_AMOUNT: Final = re.compile(
    r"""[$€£¥%‰]|\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|
        forty|fifty|sixty|ninety|hundred|thousand|million|half|third|quarter|twice|double)\b
      | \b(?:per\scent|percent|dollars?|euros?|days?|weeks?|months?|years?|hours?|annual\w*|monthly|
        daily|weekly|yearly|january|february|april|june|july|august|september|october|november|
        december)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_TECHNICAL: Final = re.compile(
    r"""\b\d{1,6}(?:[.-]\d{1,6}){0,3}[\s-]?(?:spaces?|columns?|char(?:acter)?s?|lines?|tabs?|
        bullets?|sentences?|words?|px|ms|[kmg]b|workers?|threads?|cores?|retries|headings?|levels?|examples?)\b
      | \b(?:python|node|version|v|line\slength|width|utf-?|port|level|h|python3|pep|rfc):?\s?
        \d{1,6}(?:\.\d{1,6}){0,3}\b
      | \b(?:each|this|that|another|which|the\s(?:first|last|next|other))\sone\b
      | \bone\s(?:at\sa\stime|by\sone)\b
      | \ba(?:nother|\s(?:new|better|different|similar|good|single|separate))\sone\b
      | \bdouble[\s-](?:quotes?|check\w*|spac\w+) | \bsecond\sperson\b
      | \b(?:one|two|three|four|five)[\s-](?:spaces?|sentences?|bullets?|words?|lines?|examples?|
        modules?|files?|functions?|classes|commits?|steps?|packages?|paragraphs?|tasks?|things?|purpose|concern|
        responsibility|topics?|ideas?|questions?|tests?)\b | \bthird[\s-]part(?:y|ies)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_LONGEST: Final = 4_000
"""Code points of one statement; nobody's instruction is longer."""


def statements(text: str) -> Iterator[str]:
    """Yield the statements of a text, white space folded, its layout taken off.

    A paragraph that runs over several lines is one text; a list item, a heading and a line of code
    are each their own.
    """
    return (said for _, said in placed_statements(text))


def placed_statements(text: str) -> Iterator[tuple[int, str]]:
    """Yield the statements of a text, each with the line where it begins, counted from 1."""
    for line, block in layout_blocks(text):
        begins = 0
        for end in (*_ENDS.finditer(block), None):
            part = block[begins : end.start() if end else None]
            folded = " ".join(part.split())
            if folded:
                yield line, folded
            line += block.count("\n", begins, end.end() if end else None)  # noqa: PLW2901
            begins = end.end() if end else len(block)


def is_claim(statement: str, *, scope: str = "all") -> bool:
    """Tell whether a statement says something that could be false.

    Args:
        statement: one of ``statements``.
        scope: ``all``, or ``legal`` for claims that speak of law, money, amounts or times only.
    """
    if len(statement) > _LONGEST:
        return True
    folded = _MARKS.sub(" ", unicodedata.normalize("NFKC", statement))
    lead = _LEAD.match(folded)
    bare = folded[lead.end() if lead else 0 :].strip()
    todo = bool(lead and lead["box"])
    if found := _TODO.match(bare):
        bare, todo = bare[found.end() :].strip(), True
    if _RULER.fullmatch(bare) or not any(map(str.isalnum, bare)):
        return False
    heading = bool(lead and "#" in lead.group())
    if _AMOUNT.search(_TECHNICAL.sub(" ", bare)):
        return True
    if _LAW.search(bare):
        # "# Tenancy law" only names a subject; "# Stalls void" says something of it.
        return not heading or bool(_PREDICATE.search(bare)) or not names(bare, heading=True)
    if scope == "legal":
        return False
    return bool(_IMPORT.search(bare)) or not _says_nothing(bare, heading=heading, todo=todo)


def unreadable_characters(text: str) -> str:
    """Return why a text may not read as it looks, or nothing: such text is never a pass."""
    for character in text:
        kind = unicodedata.category(character)
        if kind in {"Cf", "Cs", "Co"} or (kind == "Cc" and character not in "\t\n\r"):
            return f"it has the invisible character U+{ord(character):04X}"
    for word in re.findall(r"[^\W\d_]{2,}", text):
        scripts = {unicodedata.name(letter, "?").partition(" ")[0] for letter in word}
        if len(scripts & {"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE"}) > 1:
            return f"the word {word[:40]!r} mixes alphabets"
    return ""


def layout_blocks(text: str) -> Iterator[tuple[int, str]]:
    """Yield paragraphs, items, headings and lines of code as they stand, each with its line."""
    paragraph: list[str] = []
    begins = 0
    fenced = False
    for number, line in enumerate(text.splitlines(), start=1):
        fence = _FENCE.match(line)
        lead = _LEAD.match(line)
        own = fenced or fence or not line.strip() or (lead and lead.group().strip())
        if own and paragraph:
            yield begins, "\n".join(paragraph)
            paragraph = []
        if fence:
            fenced = not fenced
            if len(line[fence.end() :].split()) > 1:  # more than the name of a language
                yield number, line[fence.end() :]
        elif fenced:
            yield number, line
        elif lead and lead.group().strip() and not line.lstrip().startswith("#"):
            paragraph, begins = [line], number  # an item may go on in the next line
        elif own:
            yield number, line
        else:
            begins = begins if paragraph else number
            paragraph.append(line)
    if paragraph:
        yield begins, "\n".join(paragraph)


def _says_nothing(bare: str, *, heading: bool, todo: bool) -> bool:
    if is_place(bare) or instructs(bare):
        return True
    if todo or bare.endswith((".", "!")):
        return False
    cells = [cell.strip() for cell in bare.split("|") if cell.strip()]
    if len(cells) > 1:
        return all(names(cell) or instructs(cell) for cell in cells)
    return names(bare, heading=heading)
