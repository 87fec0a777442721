"""What a law takes from one of its provisions in another section.

``Section 12 does not apply to a raft`` may stand in section 3 or in section 190, and a reader of
section 12 is not told. Within a passage and within a section nearly any word may mean the provision
beside it (``limits``); a whole law has too many for that. So across sections a provision derogates
only where an exception is tied to the number that it names: "Despite section 12", "exempt from
sections 10 to 14", "Sections 10, 11 and 12 do not apply", "nothing in subsection 12 (1) limits".

What a law says of all of itself ("This Act does not apply to ...") is not among them: it would be
said of every sentence, and a reader expects it in the first sections.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from corpusguard.gate.references import Mention, Reference, covers, mentions
from corpusguard.gate.words import composed, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corpusguard.gate.words import Token

_JOINTS: Final = frozenset({",", "and", "or", "et", "ou"})
_LEADS: Final = 8
"""Words before a number in which an exception is looked for."""
_FOLLOWS: Final = 16
"""Words after it."""
_SHOWN: Final = 80
"""Characters of each end of a derogation's words; they end half as many words after the number."""

_BEFORE: Final = re.compile(
    r"\b(?:(?:despite|notwithstanding|malgré|nonobstant)(?: \w+){0,5}"
    r"|(?:exempt\w*|excepted|exempté\w*|dispensé\w*|soustrait\w*|excluded|relieved|dispensed|free)"
    r"(?: \w+){0,3} (?:from|of|à|aux?|de|du|des)(?: the)?(?: \w+ (?:of|de|du|des))?"
    r"|(?:exceptions?|exemptions?|dérogations?) (?:from|to|à|aux?)(?: the)?"
    r"|nothing in|without regard to|par dérogation (?:à|aux?)"
    r"|not (?:subject to|bound by|affected by|limited by|contravene|in contravention of)"
    r"|(?:need not|not (?:required|obliged|bound|need) to|without) comply(?:ing)? with(?: the)?"
    r"|waive[sd]?(?: the)?(?: \w+ of)?"
    r")(?: the| les?| la| du| des)?$"
)
_AFTER: Final = re.compile(
    r"^[^.;:]*?\b(?:(?:do|does|did|shall|may|must|will|would|should) not"
    r" (?:apply(?! for)|extend|bind|have effect|affect|limit|prevent|prohibit|preclude|restrict"
    r"|require|operate)"
    r"|ha(?:s|ve) no (?:further )?(?:application|effect|force)"
    r"|(?:is|are) (?:inapplicable|inoperative|repealed|suspended|waived|not applicable"
    r"|of no (?:force|effect)|disregarded)"
    r"|no longer appl(?:y|ies)|ceases? to (?:apply|have)|appl(?:y|ies) only"
    r"|ne s'appliqu\w+|ne vise\w* (?:pas|que)|cessent? de s'appliquer"
    r"|(?:est|sont) (?:abrogé\w*|suspendu\w*|inapplicables?))"
)
_SUBJECT: Final = re.compile(r"^(?:of this \w+ )?(?:is|are) subject to\b")
"""Of a list that begins a sentence: "Section 12 is subject to section 40"."""
_ALL: Final = re.compile(
    r"\bfollowing (?:\w+ ){0,3}(?:provision|section|subsection|clause|paragraph)s?\b[^.;]{0,80}"
    r"\b(?:not apply|inapplicable|no application)\b"
    r"|\b(?:not apply|exempt\w*|despite|notwithstanding|excluded|relieved)\b[^.;]{0,80}\bfollowing"
    r"(?: \w+){0,3} ?(?:provisions?|sections?|subsections?|clauses?|paragraphs?|:)"
    r"|\b(?:despite|notwithstanding) (?:that|those) (?:sub)?(?:section|provision|clause|paragraph)"
    r"|\b(?:articles?|dispositions?|paragraphes?) suivant(?:e?s)?\b[^.;]{0,80}\bs'appliqu\w+ pas\b"
    r"|\b(?:malgré|nonobstant) (?:cet|ces|cette) (?:article|disposition|paragraphe)"
)
"""Where every provision that is named counts: the words before a list ("The following provisions do
not apply: 1. Section 9 ..."), or what points back ("under section 9 ... despite that section")."""
_ELIDED: Final = re.compile(r"^[ld]'(?=\w)")
_LAW_NAMED: Final = re.compile(r"\b(?:of|du|de) (that\b|(?:the|la|le) .*)")
_YEAR: Final = re.compile(r"\W*\b\d{4}\W*$")


class Derogation(NamedTuple):
    """One exception from a provision of another section."""

    place: str
    """Where it is said: ``6.1`` or ``6.1(2)``."""
    section: str
    """Its section's locator, case-folded."""
    named: Reference
    """From what it takes."""
    words: str
    """As printed; a long list of numbers without its middle."""


def derogations(
    provisions: Iterable[tuple[str, str, str]], title: str = ""
) -> tuple[Derogation, ...]:
    """Return what the provisions of one law take from provisions of other sections.

    Args:
        provisions: (section, subsection, words) of each that is in force.
        title: Of the law; "section 12 of the Lamp Act" is this law's where it is the Lamp Act.
    """
    own = _YEAR.sub("", title.casefold()).removeprefix("the ").strip()
    return tuple(
        Derogation(section + (f"({number})" if number else ""), section.casefold(), named, words)
        for section, number, text in provisions
        for named, words in _of(text, own)
        if named.until or named.section != section.casefold()
    )


def taken(found: Iterable[Derogation], section: str, subsection: str) -> str:
    """Return the words that take from a provision and where they stand, or nothing.

    Args:
        found: Of its law.
        section: Its section; what is said in this section itself is not told here.
        subsection: Its number; empty: all of the section.
    """
    own = section.casefold()
    for one in found:
        if one.section != own and covers(one.named, own, subsection.casefold(), one.section):
            return f"section {one.place}: {one.words}"
    return ""


def _of(text: str, title: str) -> Iterator[tuple[Reference, str]]:
    text = composed(text)
    printed = tokens(text)
    low = [_ELIDED.sub("", one.text.casefold()) for one in printed]
    every = _ALL.search(" ".join(low)) is not None
    for group in _groups(low):
        start, end = group[0].start, group[-1].end
        before = " ".join(low[max(0, start - _LEADS) : start])
        after = " ".join(low[end : _until(low, end)])
        begins = start == 0 or low[start - 1] in {".", ";"}
        if not (
            every
            or _BEFORE.search(before)
            or _AFTER.search(after)
            or (begins and _SUBJECT.search(after))
        ):
            continue
        words = _shown(text, printed, start, end)
        for mention in group:
            if not _of_another(" ".join(low[mention.start : mention.end]), title):
                for named in mention.references:
                    if named.section:
                        yield named, words


def _groups(low: Sequence[str]) -> Iterator[list[Mention]]:
    """Yield the mentions that are one list: "subsection 4 (1), section 9 and clause 12 (a)"."""
    group: list[Mention] = []
    for mention in mentions(low):
        if group and not all(one in _JOINTS for one in low[group[-1].end : mention.start]):
            yield group
            group = []
        group.append(mention)
    if group:
        yield group


def _until(low: Sequence[str], end: int) -> int:
    """Return where what is said of a list ends: at the next one, which has its own."""
    last = min(len(low), end + _FOLLOWS)
    following = next(iter(mentions(low[end:last])), None)
    return end + following.start if following else last


def _of_another(named: str, title: str) -> bool:
    found = _LAW_NAMED.search(named)
    return bool(found and title and title not in found[1])


def _shown(text: str, printed: Sequence[Token], start: int, end: int) -> str:
    first = printed[max(0, start - _LEADS)].start
    last = printed[min(len(printed), end + _FOLLOWS // 2) - 1].end
    words = " ".join(text[first:last].split())
    if len(words) <= 2 * _SHOWN:
        return words
    return f"{words[:_SHOWN]} … {words[-_SHOWN:]}"
