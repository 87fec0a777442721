"""Whether a text only instructs, wishes, asks or names: pure, and in doubt it does not.

The head decides what a text is: a verb of ``vocabulary.VERBS`` begins an instruction, "the user
prefers" a wish. Then comes what could be a statement in disguise: whatever follows a dash, colon,
comma, bracket or conjunction must itself be an instruction or a plain name of things, in the
closed vocabulary. One word that is not in it may stand where only a name can stand ("Call Ann");
a second one, or one in the place of a verb, makes the text a claim.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from corpusguard.gate.hook.vocabulary import (
    ADVERBS,
    DETERMINERS,
    IN_CLAUSES,
    KNOWN,
    NAMES,
    NOUNS,
    OFTEN_VERBS,
    PREPOSITIONS,
    QUALITIES,
    TELLING,
    TOOLS,
    TOPICS,
    VERBS,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

_BREAK: Final = re.compile(
    r"\s+[-–—]+>?\s+|\s*(?:—|→|[=-]>|[:,;()\[\]{}|<>=])+(?=\s|$|[\w\"'`*])|(?<=\s)[(\[{<]"
    r"|\s+/\s+|\s+(?:and|but|so|or|then|nor|yet|while|whereas|&|\+)\s+",
    re.IGNORECASE,
)
"""Where in a text a second statement may begin."""
_REASON: Final = re.compile(
    r"\b(?:because|since|as\s+(?:the|it|they|he|she|we|there|this|that)|for\s+the\s+reason|given\s+that|"
    r"who|whom|whose|therefore|hence|thus|in\s+mind|aware|recall|fyi|know\s+that|the\s+fact)\b"
    r"|,\s*which\b",
    re.IGNORECASE,
)
"""What gives a reason or tells something of a thing is a statement, whatever it hangs on."""
_CLAUSE: Final = re.compile(
    r"\b(?:if|when|where|before|after|until|unless|once|while|whatever|whichever|how|what|whether|"
    r"whenever|wherever|that|so\s+that|in\s+case|as\s+long\s+as|as\s+soon\s+as)\b",
    re.IGNORECASE,
)
_LINK: Final = re.compile(r"\[([^\[\]]*)\]\(([^\s()]*)\)")
_CODE: Final = re.compile(r"`([^`]*)`")
PLACE: Final = re.compile(
    r"https?://[^\s|<>]+|(?:\.{0,2}|~)/[\w./~*-]+|[\w.*~-]+(?:/[\w.*~-]*)+|[\w*-]*\.\w{1,5}"
)
"""A path, a file's name, an address."""
_OPTION: Final = re.compile(r"--?[A-Za-z][\w-]*(?:=[\w./-]*)?")
_WORD: Final = re.compile(r"[^\s,;:()\[\]{}|<>\"“”=]+")
_PARTS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z']+|[^\W_]+")
_SOFTENERS: Final = frozenset(
    "please always never just also then first finally don't dont only kindly generally "
    "usually ideally must should not".split()
)
_WISH: Final = re.compile(
    r"(?:i|we|(?:(?:the|our|my)\s)?(?:users?|client|team|boss|manager|colleagues?))\s?(?:\w+ly\s)?"
    r"(?:do(?:es)?(?:\snot|n't)\s)?(?:prefers?|likes?|wants?|would\slike|(?:would|'d)\srather|dislikes?|"
    r"hates?|loves?|enjoys?|wish(?:es)?)\b",
    re.IGNORECASE,
)
_ASKS: Final = re.compile(
    r"(?:should|shall|do|does|did|can|could|may|is|are|what|which|where|when|how)\b", re.IGNORECASE
)
_PRESUMES: Final = re.compile(
    r"n't\b|n’t\b|\b(?:know|aware|remember|realise|realize|why|that|true|heard)\b", re.IGNORECASE
)
_BE: Final = re.compile(
    r"(?:(?:please|always|never|just|also|don't|do\s+not)\s+)*be\s+(?!it\b|there\b)", re.IGNORECASE
)
_DEMAND: Final = re.compile(
    r"\s*(?:please\s+|always\s+)?(?:make\s+sure|ensure|verify|check|confirm)\s+(?:that\s+)?(?!with\b)",
    re.IGNORECASE,
)
_OPENING: Final = re.compile(
    r"(?P<clause>(?:if|when|before|after|unless|whenever|once|for|in|during|on|while)\b[^,]*),\s*(?P<rest>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_IN_COMMANDS: Final = KNOWN | VERBS
_IN_QUESTIONS: Final = IN_CLAUSES | {"left", "does", "did", "do"}
_WHOLE: Final = _IN_COMMANDS | _SOFTENERS
"""Words that are not taken apart."""
_STYLES: Final = frozenset(
    "tone style format length language spelling theme voice mode level case wording verbosity "
    "quotes indentation preference preferences output detail answers responses summaries "
    "comments".split()
)
"""What the user wants to be plain, short or British."""
_BEFORE_NOUNS: Final = PREPOSITIONS | DETERMINERS
"""After these a verb's base form is a noun: "in sync", "on save"."""
_NEGATIONS: Final = frozenset({"no", "not", "never"})
_SAID_OF: Final = (QUALITIES | ADVERBS) - VERBS - NAMES
_LONGEST_NAME: Final = 6
"""Words of an item or heading; a label with its rest, too."""
_LONGEST_WORD: Final = 20
_U: Final = "?"
"""A word that is not known."""
_N, _V, _F, _Q = "noun", "verb", "function", "quality"


def instructs(text: str) -> bool:
    """Tell whether ``text`` is an instruction, a wish or a question, and nothing besides."""
    text = _plain(text)
    if _REASON.search(text):
        return False
    if text.endswith("?"):
        return _is_question(text)
    text = text.rstrip(".! ")
    if wish := _WISH.match(text):
        return _segments_pass(text[wish.end() :], first_is_object=True)
    if opening := _OPENING.fullmatch(text):
        clause, rest = opening["clause"], opening["rest"]
        return _only(IN_CLAUSES, clause) and _begins_order(rest) and _segments_pass(rest)
    return _segments_pass(text) if _begins_order(text) or _is_command(text) else False


def names(text: str, *, heading: bool = False) -> bool:
    """Tell whether ``text`` only names things: a heading, an item, a label with its value.

    A heading may hold one word that is not known, alone or before a known noun ("Harbour rules").
    """
    text = _plain(text).rstrip(":")
    label, colon, value = text.partition(":")
    if colon and not value.startswith("//"):
        value = value.strip()
        labels, of_value = _words(label), {_kind(word) for word in _broken(value)}
        if of_value <= {_Q, _F} and labels and labels[-1] not in _STYLES:
            return False  # "Tone: plain" is a wish, "Client: safe" a statement
        return names(label) and (names(value) or instructs(value))
    words = _broken(text)
    if not 0 < len(words) <= _LONGEST_NAME:
        return False
    kinds = [_N if heading and word in TOPICS else _kind(word) for word in words]
    return _names_things(words, kinds, heading=heading)


def _broken(text: str) -> list[str]:
    return [word for part in _BREAK.split(text) for word in _words(part)]


def _names_things(words: list[str], kinds: list[str], *, heading: bool) -> bool:
    if heading and words[:2] == ["do", "not"]:
        return _U not in kinds
    if any(kind == _V and last != "to" for last, kind in zip(["", *words], kinds, strict=False)):
        return heading and kinds == [_V] and words[0] in VERBS
    if _NEGATIONS & set(
        words[1:] if words[0] == "no" and len(words) > 1 and _U not in kinds else words
    ):
        return False  # but "no emojis" is a wish, of things that only work knows
    ends = zip(kinds, kinds[1:], [*kinds[2:], _F], strict=False)
    if (_N, _Q, _F) in ends:
        return (
            False  # "tests stable", "keys safe to share": a quality behind its thing is said of it
        )
    if _U not in kinds:
        return True
    if not heading or kinds.count(_U) > 1 or not _is_name(words[kinds.index(_U)]):
        return False
    return len(words) == 1 or (kinds[-1] == _N and _F not in kinds)


def _is_question(text: str) -> bool:
    if not _ASKS.match(text) or _PRESUMES.search(text):
        return False
    words = _words(text)
    if words[0] in {"should", "shall", "do", "does", "can", "could", "may", "is", "are"}:
        return _BREAK.search(text) is None or _only(IN_CLAUSES, text)
    return _only(_IN_QUESTIONS, text)


def _begins_order(text: str) -> bool:
    return _head(_words(text)) is not None or _BE.match(text) is not None


def _head(words: Sequence[str]) -> int | None:
    """Return where the verb of an instruction stands."""
    at = 0
    while at < len(words) and (
        words[at] in _SOFTENERS or words[at : at + 2] in (["do", "not"], ["not"])
    ):
        at += 2 if words[at : at + 2] == ["do", "not"] else 1
    return at if at < len(words) and words[at] in VERBS else None


def _is_command(text: str) -> bool:
    """``npm run build``: a tool, and what it is given."""
    words = _words(text)
    told = len(words) > 1 and words[0] in TOOLS and _only(_IN_COMMANDS, text)
    return told and words[1] not in _SAID_OF  # "CI broken"


def _segments_pass(text: str, *, first_is_object: bool = False) -> bool:
    """Judge an instruction or the object of a wish piece by piece."""
    if _is_command(text):
        return True
    unknown, answered = 0, False
    for number, segment in enumerate(part for part in _BREAK.split(text) if part.strip()):
        words = _words(segment)
        if not words:
            continue
        head = _head(words)
        if number == 0:
            answered = len(words) == 1 and words[0] in TELLING  # "Answer: safe"
        if number == 0 and first_is_object:
            bare = words[1:] if words[0] in VERBS - NAMES else words  # "would rather see"
            found = _unknown_in_object(["prefer", *bare], 1, segment)
        elif head is not None and not (number and words[head] in NOUNS and unknown):
            found = _unknown_in_object(words, head + 1, segment)
        elif number == 0 and (be := _BE.match(segment)):
            found = 0 if _only(KNOWN, segment[be.end() :]) else None
        elif _CLAUSE.match(segment) or words[0] in {"not", "never", "nor"}:
            found = 0 if _only(IN_CLAUSES, segment) and not unknown else None
        elif (number == 1 and answered) or _says_how(words):
            found = None
        else:
            # After a word that is not known, "Quist, head of the team" says what Quist is.
            found = None if unknown or not _only(KNOWN, segment) else 0
        if found is None:
            return False
        unknown += found
    return unknown <= 1


def _says_how(words: Sequence[str]) -> bool:
    """``broken on Windows``: a quality, and where or for whom, is said of what stands before."""
    return (
        len(words) > 1
        and words[0] in QUALITIES
        and words[0] in _SAID_OF
        and words[1] in PREPOSITIONS
    )


def _unknown_in_object(words: Sequence[str], start: int, segment: str) -> int | None:
    """Return how many unknown words an instruction's object holds; None: it may state something."""
    if demand := _DEMAND.match(segment):
        return 0 if _only(IN_CLAUSES, segment[demand.end() :]) else None
    head = words[start - 1]
    rest = list(words[start:])
    clause = _CLAUSE.search(segment, len(segment.split(maxsplit=1)[0]) if segment.strip() else 0)
    if clause:
        if not _only(IN_CLAUSES, segment[clause.start() :]):
            return None
        told = clause.group().lower() == "that" and head in TELLING
        if told and (
            head != "write" or segment[: clause.start()].lower().split()[-1:] == ["write"]
        ):
            return None
        cut = len(_words(segment[: clause.start()])) + (len(words) - len(_words(segment)))
        rest = list(words[start : max(cut, start)])
    if rest[:1] == ["to"] and head in {"remember", "try", "prefer", "ask", "want", "wait"} | VERBS:
        rest = rest[1:]
        if rest and rest[0] not in VERBS:
            return None if head == "prefer" else _count(["to", *rest], head)
        rest = rest[1:]
    return _count(rest, head)


def _count(rest: Sequence[str], head: str) -> int | None:
    kinds = [_kind(word) for word in rest]
    before = ["verb", *kinds]
    for (last, kind), word, previous in zip(pairwise(before), rest, [head, *rest], strict=False):
        noun = word in VERBS and previous in _BEFORE_NOUNS
        if kind == _V and previous not in {"to", "not", "let"} and not noun:
            return None
        if kind == _U and (last in {_N, _U} or not _is_name(word)):
            return None
    # "Tell Ann tests": who is told, and then a thing, may be a statement.
    if head in TELLING and _U in kinds and len(rest) > 1 + kinds.index(_U):
        following = rest[kinds.index(_U) + 1]
        if following not in PREPOSITIONS:
            return None
    return kinds.count(_U)


def _only(vocabulary: frozenset[str], text: str) -> bool:
    return all(word in vocabulary or _is_code(word) for word in _words(text))


def _kind(word: str) -> str:
    if word in OFTEN_VERBS:
        return _V
    if word in NAMES or _is_code(word):
        return _N
    if word in DETERMINERS or word in PREPOSITIONS:
        return _F
    if word in QUALITIES or word in ADVERBS:
        return _Q
    if word in KNOWN:
        return _F
    if word in VERBS or _is_form(word):
        return _V
    return _U


def _is_form(word: str) -> bool:
    """``decides``, ``decided``: a form of a verb, known or not, where it is no known noun."""
    return word in IN_CLAUSES or word in _IRREGULAR or bool(
        re.fullmatch(r"[a-z]{2,}ed|(?:[a-z]+n't)", word)
    ) or (word.endswith("s") and (word[:-1] in VERBS or word[:-2] in VERBS))  # fmt: skip


_IRREGULAR: Final = frozenset(
    "ate became began bent bought brought built came caught chose cost cut did does drew "
    "drove fell felt fled flew forbade forbids fought found froze frozen gave gone got grew "
    "had held hit hurt kept knew laid lays led lent lets lies lost made means meant met must "
    "ought paid pays put quit ran rang reads rises rose said sang sank sat saw says sells "
    "sent shut slept sold spent spoke stood stole struck stuck swam swore taught threw "
    "thought told took understood went were will win wins won wore wrote will would shall may "
    "might can could cannot must has have had is are was were be been am does pays pay sell "
    "buy buys owe owes rise rules dies die lives live lose loses decide decides vote votes "
    "remain remains enter enters rise govern governs forbid matter matters count counts cover "
    "covers belong belongs happen happens seem seems need needs".split()
)
_DECISIVE: Final = frozenset(
    "free void valid invalid none nothing nobody everybody everyone yes no never true false "
    "right zero unlimited optional mandatory compulsory obligatory binding voluntary legal "
    "illegal lawful allowed banned forbidden open shut closed welcome exempt liable guilty "
    "innocent impossible always gone over final annulled cancelled wrong unfair fair gratis "
    "unenforceable moot null myth myths outdated obsolete".split()
)


def _is_name(word: str) -> bool:
    """Whether an unknown word can be a name.

    Not one that alone says how things stand ("free", "void", "abolished"), and none of a script
    that writes whole sentences without a space.
    """
    latin = len(word) <= _LONGEST_WORD and all(
        not letter.isalpha() or unicodedata.name(letter, "").startswith("LATIN") for letter in word
    )
    return latin and word not in _DECISIVE and not _is_form(word)


def _is_code(word: str) -> bool:
    return bool(PLACE.fullmatch(word) or _OPTION.fullmatch(word)) or not any(map(str.isalpha, word))


def _plain(text: str) -> str:
    """Take off links and code marks; one word in code stands for itself."""
    text = _LINK.sub(
        lambda link: (
            f"{link[1]} " if PLACE.fullmatch(link[2]) or link[2].startswith("#") else link[0]
        ),
        text,
    )
    text = _CODE.sub(lambda code: " ./ " if _is_command(code[1]) else f" {code[1]} ", text)
    return " ".join(text.replace("’", "'").split())


def _words(text: str) -> list[str]:
    """Return the words of a text in lower case; names such as ``snake_case`` in their parts."""
    found: list[str] = []
    for raw in _WORD.findall(text):
        word = raw.strip("*_\"'.!?“”‘’").removesuffix("'s")
        if not word:
            continue
        if is_place(word):
            found.append("./")
        elif _OPTION.fullmatch(word) or word.lower() in _WHOLE:
            found.append(word.lower())
        else:
            found += [part.lower() for part in _PARTS.findall(word)]
    return found


def is_place(word: str) -> bool:
    """Tell whether a word is a path, a file's name or an address.

    ``boats/dock/free`` could be a sentence; ``src/a.py``, ``docs/`` and addresses are none.
    """
    if not PLACE.fullmatch(word):
        return False
    return "." in word or word[0] in "/~" or word.endswith("/") or _only_known(word.split("/"))


def _only_known(parts: Sequence[str]) -> bool:
    return sum(part.lower() not in _IN_COMMANDS for part in parts) <= 1
