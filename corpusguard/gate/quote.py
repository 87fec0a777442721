"""Is a sentence the law's own words, and all of the clause that they belong to?

"An increase in rent is void." can be an exact substring of a statute and a false statement of the
law, where the statute goes on with "unless". So a sentence is compared with whole clauses only (see
``clauses``). What may differ is what ``words`` folds, the letter case of its first letter, its last
mark, printed numbers of provisions, and a lead-in such as "Section 5(2) provides that", which is
checked against the passage's own section.

A provision that says "subject to subsection (3)" is quoted with these words, and is then true as it
stands: it tells its reader that there is more. Where the limit is in another subsection of the same
passage ("Despite subsection (1), …"), the quoted provision does not tell, so it must be attributed
("Section 5(1) provides that …"). So must one from which another subsection of its section takes
something, which the passage need not hold (``limits.excepted``), and one from which another section
takes by its number (``derogations``).
"""

from __future__ import annotations

import itertools
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from corpusguard.gate.clauses import Clause, Word, clauses, is_english, lines
from corpusguard.gate.derogations import taken
from corpusguard.gate.equivalents import Alignment, align
from corpusguard.gate.limits import excepted
from corpusguard.gate.model import Objection, Reason, Span
from corpusguard.gate.words import Token, composed, tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from corpusguard.gate.model import Evidence

_NUMBER: Final = r"(?P<section>\d{1,5}[A-Za-z]{0,2}(?:\.\d{1,4}[A-Za-z]{0,2}){0,6})?"
_INSIDE: Final = r"(?P<inside>(?:\s*\([0-9A-Za-z.]{1,6}\)){0,5})"
_KIND: Final = r"(?:section|subsection|clause|paragraph|subclause|s\.|ss\.|cl\.)"
_OF: Final = r"(?: of (?P<title>[^:\"“”]{2,120}?(?:, [12]\d{3})?))?"
_LEADS: Final = (
    re.compile(
        r"(?:under|according to|as provided (?:by|in)|pursuant to) "
        # The comma before the year of a title does not end the lead-in.
        rf"{_KIND}\s*{_NUMBER}{_INSIDE}{_OF}, (?![12]\d{{3}}\b)",
        re.IGNORECASE,
    ),
    re.compile(
        rf"{_KIND}\s*{_NUMBER}{_INSIDE}{_OF} (?:provides|states|says|reads|stipulates)"
        r"(?: that|,|:)? ",
        re.IGNORECASE,
    ),
    re.compile(rf"{_KIND}\s*{_NUMBER}{_INSIDE}{_OF}: ?", re.IGNORECASE),
)
_TRAIL: Final = re.compile(rf"\s*\({_KIND}\s*{_NUMBER}{_INSIDE}{_OF}\)\.?$", re.IGNORECASE)
"""A citation behind: "… its own costs (s. 42)."."""
_READS: Final = re.compile(r"\breads\b", re.IGNORECASE)
"""A lead-in that announces the very words."""
_TOLD: Final = 100
"""Code points of what is missing that are shown, on either side."""
_SHORTEST_PART: Final = 4
"""Words that a run must have to be called a truncation and not a coincidence."""


class Lead(NamedTuple):
    """What names a provision before or behind a quotation, and where the quotation is."""

    section: str
    inside: tuple[str, ...]
    title: str
    end: int
    """Where the quotation begins."""
    until: int | None = None
    """Where it ends, if the provision is named behind it; that says less: see ``_attributes``."""


def quote(sentence: str, evidence: Sequence[Evidence]) -> tuple[Span, ...] | Objection:
    """Return where the words of ``sentence`` stand, or why they are no quotation.

    Args:
        sentence: Without citation markers.
        evidence: The verified passages that it cites.

    Returns:
        One span for each passage that holds it as a complete clause.
    """
    found = _found(sentence, evidence, _matches)
    return found if isinstance(found, Objection) else tuple(found)


def equivalent(
    sentence: str, evidence: Sequence[Evidence]
) -> tuple[tuple[Span, ...], tuple[tuple[str, str], ...]] | Objection:
    """Return where the law says what ``sentence`` says in equivalent words, or why it does not.

    Args:
        sentence: Without citation markers.
        evidence: The verified passages that it cites.

    Returns:
        One span for each passage that says it, and the words of the first that others stand for:
        (the law's, the sentence's). See ``equivalents``.
    """
    text = composed(sentence)
    lead = lead_in(text)
    said = [token.text for token in tokens(text[lead.end if lead else 0 :]) if token.text != "."]
    if said[:1] == ['"'] == said[-1:] or (lead and _READS.search(text[: lead.end])):
        return Objection(Reason.NOT_QUOTED, "in quotation marks, but not the law's own words")
    english = [
        one
        for one in evidence
        if not one.document.endswith("@fr") and is_english(composed(one.text))
    ]
    found = _found(sentence, english, align)
    if isinstance(found, Objection):
        return found
    return tuple(found), next(iter(found.values())).swaps


def _found(
    sentence: str,
    evidence: Sequence[Evidence],
    match: Callable[[Sequence[Word], Sequence[Token]], Alignment | None],
) -> dict[Span, Alignment] | Objection:
    text = composed(sentence)
    lead = lead_in(text) or _trailing(text)
    if lead is None:
        return _searched(text, None, evidence, match)
    found = _searched(text[lead.end : lead.until], lead, evidence, match)
    if isinstance(found, Objection):
        # The law, too, begins with "Under section 5,".
        whole = _searched(text, None, evidence, match)
        return found if isinstance(whole, Objection) else whole
    return found


def _searched(
    text: str,
    lead: Lead | None,
    evidence: Sequence[Evidence],
    match: Callable[[Sequence[Word], Sequence[Token]], Alignment | None],
) -> dict[Span, Alignment] | Objection:
    asked = _asked(text)
    spans: dict[Span, Alignment] = {}
    objections: list[Objection] = []
    for passage in evidence:
        found = _in_passage(asked, lead, passage, match)
        if isinstance(found, Objection):
            objections.append(found)
        else:
            spans[Span(passage.id, found.start, found.end)] = found
    if spans:
        return spans
    order = (Reason.LIMITED_ELSEWHERE, Reason.WRONG_SECTION, Reason.TRUNCATED)
    for reason in order:
        for objection in objections:
            if objection.reason is reason:
                return objection
    return Objection(Reason.NOT_QUOTED, "no cited passage has these words as a complete clause")


def lead_in(sentence: str) -> Lead | None:
    """Return the lead-in of composed ``sentence``, if it has one that names a provision."""
    start = " ".join(sentence[:300].split(" ")).replace("\u00a0", " ")
    for pattern in _LEADS:
        found = pattern.match(start)
        if found and (found["section"] or found["inside"].strip()):
            inside = tuple(re.findall(r"\(([^)]+)\)", found["inside"]))
            title = (found["title"] or "").strip()
            return Lead((found["section"] or "").casefold(), inside, title, found.end())
    return None


def _trailing(sentence: str) -> Lead | None:
    found = _TRAIL.search(sentence[-300:].replace("\u00a0", " "))
    if not found or not (found["section"] or found["inside"].strip()):
        return None
    inside = tuple(re.findall(r"\(([^)]+)\)", found["inside"]))
    end = max(len(sentence) - 300, 0) + found.start()
    return Lead((found["section"] or "").casefold(), inside, (found["title"] or "").strip(), 0, end)


def _asked(text: str) -> list[Token]:
    """Return the tokens to be found: without the last mark, and what only frames them.

    That is emphasis, or quotation marks, around them all.
    """
    found = whole = _without_mark(tokens(text))
    while len(found) > 2 and found[0].text == found[-1].text == "*":
        found = _without_mark(found[1:-1])
    if any(token.text == "*" for token in found):
        found = whole
    if len(found) > 2 and found[0].text == found[-1].text == '"':
        inner = found[1:-1]
        if not any(token.text == '"' for token in inner):
            found = _without_mark(inner)
    return found


def _without_mark(found: list[Token]) -> list[Token]:
    end = len(found)
    while end and found[end - 1].text in {".", ";", ","}:
        end -= 1
    return found[:end]


def _in_passage(
    asked: list[Token],
    lead: Lead | None,
    passage: Evidence,
    match: Callable[[Sequence[Word], Sequence[Token]], Alignment | None],
) -> Alignment | Objection:
    text = composed(passage.text)
    misplaced: Objection | None = None
    english = not passage.document.endswith("@fr")
    for clause in clauses(text, starts=passage.starts, ends=passage.ends, parts=english):
        if not (matched := match(clause.words, asked)):
            continue
        if lead is not None and (wrong := _misattributed(lead, clause, passage)):
            misplaced = misplaced or wrong
        elif not (lead and _attributes(lead, clause)) and (said := _limited(clause, passage)):
            misplaced = Objection(
                Reason.LIMITED_ELSEWHERE,
                f'only with "Section … provides that": other words limit it: {said!r}',
                passage.id,
            )
        else:
            return matched
    return misplaced or _part(asked, text, passage)


def _matches(words: Sequence[Word], asked: Sequence[Token]) -> Alignment | None:
    """Return the slice that ``asked`` is a quotation of, or None."""
    # A clause never ends in a word that may be left out: most are told apart by their last one.
    if not 1 < len(asked) <= len(words) or asked[-1].text != words[-1].text:
        return None
    here = 0
    first = last = -1
    for word in words:
        same = here < len(asked) and _same(word, asked[here], initial=here == 0)
        if same:
            first = word.start if first < 0 else first
            last = word.end
            here += 1
        elif not word.optional:
            return None
    return Alignment(first, last) if here == len(asked) else None


def _same(word: Word | Token, token: Token, *, initial: bool) -> bool:
    if word.text == token.text:
        return True
    return (
        initial
        and word.text[1:] == token.text[1:]
        and word.text[:1].casefold() == token.text[:1].casefold()
    )


def _limited(clause: Clause, passage: Evidence) -> str:
    """Return the words that limit a clause, in its passage or elsewhere in its law."""
    if clause.limited:
        return clause.limited
    subsection = next((one for one in clause.inside[:1] if one[:1].isdigit()), "")
    return limited_elsewhere(passage, clause.section or passage.section, subsection)


def limited_elsewhere(passage: Evidence, section: str, subsection: str) -> str:
    """Return the words that limit a provision and that stand beside it or in another section."""
    beside = excepted(passage.around, section, subsection) if passage.around else ""
    return beside or taken(passage.elsewhere, section, subsection)


def _attributes(lead: Lead, clause: Clause) -> bool:
    """Tell whether a lead-in names the very provision: its subsection, where it has one.

    "… (s. 5(1))" behind a sentence is a source; it does not say that this is what (1) alone says.
    """
    if lead.until is not None:
        return False
    return bool(lead.inside) if clause.inside[:1] else bool(lead.section)


def _misattributed(lead: Lead, clause: Clause, passage: Evidence) -> Objection | None:
    """Return the objection to a lead-in that names another provision than the clause's own."""
    section = clause.section or passage.section.casefold()
    if lead.section and lead.section != section.rstrip("."):
        return _wrong(lead, section, passage)
    if lead.inside and clause.inside[: len(lead.inside)] != lead.inside:
        return _wrong(lead, section + "".join(f"({one})" for one in clause.inside), passage)
    if lead.title and not _names(lead.title, passage.title):
        return Objection(
            Reason.WRONG_SECTION,
            f"it names {lead.title[:80]!r}; the passage is of {passage.title[:80]!r}",
            passage.id,
        )
    return None


def _wrong(lead: Lead, own: str, passage: Evidence) -> Objection:
    named = lead.section + "".join(f"({one})" for one in lead.inside)
    return Objection(
        Reason.WRONG_SECTION, f"it names section {named}; the words are in {own}", passage.id
    )


def _names(named: str, title: str) -> bool:
    """Tell whether ``named`` is the title, with or without its article and year."""
    bare = re.sub(r"^the ", "", named.strip(), flags=re.IGNORECASE).rstrip(",").casefold()
    whole = title.casefold()
    kind = bare.removeprefix("this ")
    if kind in {"act", "regulation", "code"}:
        # Of the one cited; a regulation that speaks of "the Act" speaks of another law.
        return not title or re.search(rf"\b{kind}\b", whole) is not None
    without_year = re.sub(r",? \d{4}$", "", whole)
    return bool(title) and bare in {whole, without_year}


@lru_cache(maxsize=64)
def _spaced(text: str) -> str:
    """Return the tokens of ``text`` with blanks between: no word is found inside another."""
    return " " + " ".join(token.text for token in tokens(text)) + " "


def _part(asked: list[Token], text: str, passage: Evidence) -> Objection:
    """Say whether words that are no clause are at least a part of the passage."""
    if len(asked) >= _SHORTEST_PART:
        held = _spaced(text)
        wanted = " ".join(token.text for token in asked) + " "
        for first in (wanted[0], wanted[0].swapcase()):
            if f" {first}{wanted[1:]}" in held:
                return Objection(
                    Reason.TRUNCATED,
                    "the words are in the passage, but not the whole clause: "
                    f"{_missing(f'{first}{wanted[1:]}', text, passage)}",
                    passage.id,
                )
        if any(_leaves_lines_out(asked, provision) for provision in lines(text)):
            return Objection(
                Reason.TRUNCATED,
                "items of a list are left out that may not be: words of the list could reach more "
                "than one of them, so it is quoted whole",
                passage.id,
            )
    return Objection(Reason.NOT_QUOTED, "the passage has no clause of these words", passage.id)


def _missing(said: str, text: str, passage: Evidence) -> str:
    """Say what the shortest clause that has the words of ``said`` has before and after them."""
    found = clauses(text, starts=passage.starts, ends=passage.ends)
    for clause in reversed(found):
        own = itertools.dropwhile(lambda word: word.optional, clause.words)
        before, there, after = (" ".join(word.text for word in own) + " ").partition(said)
        if there:
            begins = f"it begins {before.strip()[:_TOLD]!r}" if before.strip() else ""
            goes_on = f"it goes on {after.strip()[:_TOLD]!r}" if after.strip() else ""
            return " and ".join(part for part in (begins, goes_on) if part)
    return "a condition, an exception, the opening words or another limb is missing"


def _leaves_lines_out(asked: list[Token], provision: Sequence[Sequence[Word]]) -> bool:
    """Tell whether ``asked`` is a provision's opening words and some of its lines, in order."""
    opening, *limbs = provision
    reached = _after(opening, asked, 0)
    lacking: set[int] = set()
    """Where one is after at least one line was left out."""
    for limb in limbs:
        lacking |= reached | {end for start in lacking for end in _after(limb, asked, start)}
        reached = {end for start in reached for end in _after(limb, asked, start)}
    return len(asked) in lacking


def _after(line: Sequence[Word], asked: list[Token], start: int) -> set[int]:
    """Return where in ``asked`` the line may end that begins at ``start``: nowhere, or once."""
    here = start
    for word in line:
        if here < len(asked) and _same(word, asked[here], initial=here == 0):
            here += 1
        elif not word.optional:
            return set()
    return {here} if here > start else set()
