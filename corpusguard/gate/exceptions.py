"""The words by which a sentence takes from a provision that it names.

A sentence is asked about one place in it, where provisions are named. It comes as two strings of
case-folded tokens, before and after that place, in which ``@`` stands for every other place where
provisions are named. So the forms are those of grammar, not of numbers:

* an object: "despite @", "exempt a raft from the requirements of @", "need not comply with @";
* a subject: "@ does not apply", "the duty under @ is suspended", "@ applies only to a ferry";
* either part of an exception: "this Act, except @, applies", "neither @ nor @ applies";
* the lead of a list: "The following provisions do not apply: @; @".

In doubt it is an exception. What is *done* under a provision is not the provision: "an order under
@ does not ..." takes nothing from it, "the prohibition in @ does not ..." does.

English forms are those of Ontario's and Canada's statutes ("despite", "notwithstanding": Justice
Canada, Legistics), French ones those of their French versions.
"""

from __future__ import annotations

import re
from typing import Final

_DETERMINERS: Final = (
    r"the|any|all|or|and|a|an|one|more|other|every|each|de|du|des|les?|la|toutes?|une?|aux?|à"
)
_NOUNS: Final = (
    r"provisions?|requirements?|prohibitions?|obligations?|dut(?:y|ies)|rights?|rules?"
    r"|restrictions?|limits?|limitations?|conditions?|operation|effects?|scope|compliance"
    r"|(?<!en )application(?= (?:of|de|du|des|à|aux?)\b)|exemptions?|exceptions?"
    r"|presumptions?|times?"
    r"|notices?(?= (?:required|prescribed)\b)|periods?|amounts?|powers?|anything|everything|part"
    r"|dispositions?|exigences?|interdictions?|règles?|observation|effet|délais?|conformité"
)
_LINKS: Final = (
    r"of|in|under|by|from|with|to|set|out|imposed|conferred|contained|created|established"
    r"|prescribed|provided|specified|required|mentioned|referred|described|contrary|for"
    r"|prévue?s?|énoncée?s?|imposée?s?|visée?s?|en vertu"
)
_PART: Final = (
    rf"(?: (?:{_DETERMINERS}|of|with|to))*"
    rf"(?: (?:{_NOUNS})(?: (?:{_NOUNS}|{_DETERMINERS}|{_LINKS}))*)?"
)
"""The provision itself, or what it consists of: "the requirements set out in @"."""
_WORD: Final = (
    r" (?!(?:if|where|when|unless|who|whom|whose|because|until|after|before|shall|may|must|will|can"
    r"|si|lorsque|quand|peut|peuvent|doit|doivent)\b)[^\s,.;:@]+"
)
_LISTED: Final = (
    r"(?:(?: ,)?(?: and| or| et| ou)?"
    r" (?:this \w+|the regulations|(?:part|schedule)s? \w+|la présente loi|@))*"
)
_DO: Final = (
    r"(?:do|does|did|is|are|was|were|shall|may|must|will|would|should|can|could|has|have|need)"
)
_NOT_NEEDED: Final = (
    r"need not|not (?:be )?(?:required|obliged|obligated|bound|needed|necessary|require|need)"
)

_OBJECTS: Final = (
    # "despite section 9, the regulations and @", "notwithstanding any provision, including @"
    (
        r"(?:despite|notwithstanding|regardless of|irrespective of|in spite of|without regard to"
        r"|malgré|nonobstant|en dépit (?:de|du|des)|sans égard (?:à|aux?)"
        r"|par dérogation (?:à|aux?))"
        rf"{_LISTED}(?:{_WORD}){{0,14}}(?:(?: ,)?(?: and)? (?:including|in particular|notamment))?"
        rf"{_PART}"
    ),
    # "exempt a raft, on conditions, from any fee under @"; no "exempt from this Act under @"
    (
        r"(?<!not )(?:exempt\w*|exclud\w+|reliev\w+|releas\w+|excus\w+|free|immune|dispens\w+)\b"
        rf"[^.;:]{{0,160}}? from(?! this \w+ (?:under|by))(?:{_WORD}){{0,10}}"
    ),
    rf"(?:reliev\w+|exempted)\b[^.;:]{{0,80}}? of{_PART}",
    (
        r"(?:soustra\w+|exclu\w*|dispens\w+|exempt\w*|exonér\w+)\b[^.;:]{0,160}?"
        rf" (?:à|aux?|de|du|des)(?:{_WORD}){{0,8}}"
    ),
    rf"(?:exemptions?|exceptions?|dérogations?|déroge\w*|dérogée?) (?:from|to|à|aux?){_PART}",
    # "nothing in this section or @", "neither @ nor", "no requirement of @"
    (
        r"(?:nothing(?: contained| set out| provided)? in|none of|neither|rien (?:à|dans|aux?)"
        r"|aucune disposition (?:de|du|des))"
        rf"(?: (?:this|that) \w+ (?:or|and)(?: in)?)?{_PART}"
    ),
    (
        r"no (?:provision|requirement|prohibition|obligation|duty|rule|restriction|limit|limitation"
        rf"|condition)s? (?:{_LINKS}){_PART}"
    ),
    # "not subject to @", "not in breach of @", "no person is guilty of an offence under @"
    (
        r"not(?: be)? (?:subject to|(?:bound|affected|governed|limited|restricted) by|contravene"
        r"|in (?:contravention|breach|violation) of|a (?:contravention|breach|violation) of"
        rf"|(?:guilty of|commit) an offence under|liable under){_PART}"
    ),
    rf"no (?:contravention|breach|violation) of{_PART}",
    r"no (?:person|one) is guilty of an offence under",
    rf"defence(?:{_WORD}){{1,6}}",
    (
        r"(?:n'est|ne sont|n'était) pas (?:assujetti|soumis|visé|tenu|lié|régi|obligé)\w*"
        rf"(?:{_WORD}){{0,8}}"
    ),
    # "need not give the notice of @", "not required to publish all, or part, of what @ mentions"
    rf"(?:{_NOT_NEEDED})(?:{_WORD}){{0,12}}",
    (
        rf"(?:{_NOT_NEEDED}|n'est pas tenue?)(?:(?! (?:if|where|when|unless|si)\b)[^.;:]){{0,260}}?"
        r" (?:referred to|mentioned|described|set out|specified|required|provided for|visée?s?"
        rf"|prévue?s?) (?:in|by|under|à|aux?){_PART}(?: un ou autre des)?"
    ),
    rf"no(?: \w+){{1,5}} (?:is|are) (?:required|necessary)(?:{_WORD}){{0,8}}",
    # "would otherwise be void under @", "instead of what is required by @"
    rf"would otherwise(?:{_WORD}){{1,8}}",
    rf"(?:instead|in lieu) of(?:{_WORD}){{1,8}} required (?:by|under)",
    # "deemed to comply with @"; "may sail without a licence under @", but "no person may ..."
    (
        r"(?:deemed|excus\w+|dispens\w+|although|even (?:though|if))\b[^.;:]{0,80}?"
        r" (?:(?:comply|complying|complied|compliance) with|meet|meeting|met|satisf(?:y|ied|ying))"
        rf"{_PART}"
    ),
    r"(?:even (?:though|if)|although)",
    rf"(?<!person )(?<!one )may\b(?! not)[^.;:]{{0,80}} without(?:{_WORD}){{1,6}}",
    # "prevails over @", "in place of @", "suspend the operation of @"
    rf"(?:prevails?|precedence|emporte\w*|prévau\w+|prévalent) (?:over|sur){_PART}",
    rf"(?:overrid\w+|supersed\w+|replaces?|(?:in place|instead|in lieu) of|au lieu de){_PART}",
    (
        r"(?:waiv(?:e|es|ed|ing)|suspend\w*|disregard\w*|modif(?:y|ies|ied|ying)|dispens\w+ with"
        rf"|var(?:y|ying)|extend|shorten|abridge){_PART}"
    ),
    # "Ne s'appliquent pas aux bacs les @"
    r"ne (?:s'appliqu\w+ pas|sont pas applicables)[^.;:]{0,80}? (?:les?|la)",
)
_OBJECT: Final = re.compile(rf"\b(?:{'|'.join(_OBJECTS)})$")
"""Directly before the place: what takes has it as its object."""

_EXCEPT: Final = re.compile(
    r"\b(?:except|excepting|other than|save|excluding|but not|and not|apart from"
    r"|(?:with the )?exception of|sauf|(?:exception|exclusion) (?:de|du|des)"
    rf"|exception faite (?:de|du|des))(?: for)?(?: the following)?{_PART}$"
)
_APPLIES: Final = re.compile(
    r"\b(?:appl(?:y|ies|ied)|s'appliqu\w+|binds?|governs?|subject to|lien?t?)\b"
)
_APPLIES_NOT: Final = re.compile(r"\bnot (?:apply|applied|bind|govern|subject)\b|\bne s'appliqu\w+")
"""Of "Part II, except @, does not apply", Part II loses, and @ does not."""

_SUBJECT: Final = re.compile(
    r"(?:^|[,(\"]|\b(?:and|or|but|if|where|when|that|because|until|unless|whether|so|et|ou|mais|si"
    rf"|que|lorsque)|\bdefinition of(?:{_WORD}){{1,5}} in"
    rf"|\b(?:{_NOUNS})(?: (?:{_NOUNS}|{_DETERMINERS}|{_LINKS}))*)"
    r"(?:(?:^| )(?:the|les?|la))?$"
)
"""Before the place, where it or what it consists of begins what is said."""
_ASIDE: Final = r"(?: ,[^,.;:]{0,160} ,)?"
_OF_SUBJECT: Final = re.compile(
    rf"^{_ASIDE}(?: of [^,.;:@]{{0,60}}?)? (?:"
    rf"{_DO}(?: so| also)? (?:not|never|no)\b|cannot|\w+n't|never|no longer|ceas\w+|stops?|expires?"
    r"|lapses?|only|not|(?:notwithstanding|excepted)(?: ,|$)"
    r"|(?:is|are|has effect|have effect|appl(?:y|ies)|operates?) subject to"
    r"|(?:is|are|was|were|(?:shall|must|will|may) be)(?: hereby)? (?:repealed|revoked|rescinded"
    r"|inapplicable|inoperative|suspended|superseded|overridden|deemed|replaced"
    r"|spent|disregarded|excluded|waived|excused|amended"
    r"|modified|varied|of no|to be read|read (?:as|without|subject to))"
    r"|appl(?:y|ies)(?: only| [^.;:@]{0,160}?\b(?:except|other than|excluding|but not|only)\b"
    r"| as (?:if|though)\b[^.;:]{0,160}\b(?:not|omitted|deleted|excluded)\b)"
    r"|ne|n'\w+|cess\w+"
    r"|(?:est|sont) (?:abrogé|suspendu|inapplicable|inopérant|subordonné|assujetti)"
    r")"
    r"|^ , as (?:it|they) (?:read|was|were|existed)\b"
)
_OF_ANY: Final = re.compile(
    rf"^{_ASIDE}(?:[^.;:@]*?)\b(?:"
    rf"(?!may\b){_DO}(?: so| also)? not(?: ,[^.;:]{{0,160}}? ,)?(?: be)?"
    r" (?:apply(?! for)|applied|applicable|to apply|bind|have (?:any )?(?:effect|application|force)"
    r"|operate|required|necessary|in force)"
    r"|(?:cannot|doesn't|don't|never) appl\w+|no longer appl\w+|ceases? to (?:apply|have|be)"
    r"|ha(?:s|ve) no (?:further )?(?:application|effect|force)|inapplicable|inoperative"
    r"|of no (?:force|effect)"
    r"|ne s'appliqu\w+|(?:n'est|ne sont) pas applicables?|ne vise\w* (?:pas|que)"
    r"|cessent? de s'appliquer)"
)
"""Whatever stands between: "the provisions of @ on lamps do not apply"."""

_PURPOSE: Final = re.compile(
    rf"(?:\bfor (?:all |the )?purposes? of|^in|\bin applying|\breferences? in"
    rf"|\bpour application (?:de|du|des)|\baux fins (?:de|du|des)){_PART}$"
)
_NEGATES: Final = re.compile(
    r"\b(?:not|never|no account|exclud\w+|(?:be|to be) read|without reference|ne|n'\w+)\b"
)
"""With the former: "For the purposes of @, a raft is deemed not to be a ferry"."""
_CONFLICT: Final = re.compile(r"\b(?:conflict\w*|inconsisten\w+|incompatib\w+)\b")
_PREVAILS: Final = re.compile(r"\b(?:prevails?|governs?|overrides?|no effect|emporte)\b")

_LEAD: Final = re.compile(
    r"\b(?:following|listed|below|suivant\w*)\b(?: \w+){0,6}? (?:"
    rf"{_DO} not(?: ,[^.;:]{{0,160}}? ,)?(?: be)? (?:apply|applied|applicable|bind)"
    r"|ne s'appliqu\w+|ne sont pas applicables|(?:are|is) inapplicable|ha(?:s|ve) no application"
    r"|(?:are|is) (?:repealed|suspended|revoked))"
    r"|\b(?:none|neither|no one) of the following\b"
    r"|\b(?:not apply|exempt\w*|despite|notwithstanding|excluded|relieved)\b[^.;]{0,160}\bfollowing"
    r"(?: \w+){0,3} (?:provision|section|subsection|clause|paragraph|rule)s?\b"
    r"|\b(?:exempt\w*|excluded|relieved) from(?: all of)?(?: the following)?$"
    r"|\b(?:despite|notwithstanding|malgré|nonobstant|except)(?: for)?(?: (?:the|any of))*"
    r"(?: following(?: \w+){0,4})?$"
)
"""Before the colon of a list."""
_BACK: Final = re.compile(
    r"\b(?:despite|notwithstanding|prevails? over) (?:that|those)"
    r" (?:sub)?(?:section|provision|clause|paragraph)"
    r"|\b(?:malgré|nonobstant) (?:cet|ces|cette) (?:article|disposition|paragraphe)"
)


def takes(before: str, after: str) -> bool:
    """Tell whether something is taken from the provisions named between two strings of words.

    Args:
        before: From the beginning of the sentence, or some of it; ends with a word.
        after: To its end, or some of it; begins with a blank, unless it is empty.
    """
    if _EXCEPT.search(before):
        said = before + after
        return _APPLIES.search(said) is not None and _APPLIES_NOT.search(said) is None
    return (
        _OBJECT.search(before) is not None
        or (_OF_SUBJECT.search(after) is not None and _SUBJECT.search(before) is not None)
        or _OF_ANY.search(after) is not None
        or (_PURPOSE.search(before) is not None and _NEGATES.search(before + after) is not None)
        or (
            _CONFLICT.search(before + after) is not None
            and _PREVAILS.search(before + after) is not None
        )
    )


def leads(words: str) -> bool:
    """Tell whether what is said before a colon takes from every provision of the list behind it."""
    return _LEAD.search(words) is not None


def points_back(words: str) -> bool:
    """Tell whether "despite that section" is said, of a provision named before."""
    return _BACK.search(words) is not None
