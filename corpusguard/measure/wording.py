"""Faults inside the text of one passage: what parsers, cleaners and hands do to words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from corpusguard.measure.planting import Mutant, Shape, has_law, spot, substitute
from corpusguard.model import Status

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from corpusguard.measure.planting import Sound

_NEXT_DIGIT: Final = str.maketrans("0123456789", "1234567890")
_SPELLED: Final = "one two three four five six seven eight nine ten".split()
_OTHER_WORD: Final = {"and": "or", "or": "and", "if": "unless", "unless": "if"}


def _next_digits(found: str) -> str:
    return found.translate(_NEXT_DIGIT)


def _next_spelled(found: str) -> str:
    return _SPELLED[(_SPELLED.index(found) + 1) % len(_SPELLED)]


def _other_modal(found: str) -> str:
    return "may" if found != "may" else "shall"


def _next_marker(found: str) -> str:
    return found[:-2] + chr(ord(found[-2]) + 1) + found[-1]


def _spaced(sound: Sound, words: int) -> list[int]:
    """Indexes of passages with so many words between spaces; a line end is no space."""
    return [i for i, p in enumerate(sound.passages) if p.text.count(" ") >= words]


def _modal_at_edge(sound: Sound, random: Random) -> Mutant | None:
    """Changes a modal among the first or the last five whole words."""
    usable = [
        (index, spot)
        for index, passage in enumerate(sound.passages)
        for words in [passage.text.split(" ")]
        for spot in (*range(1, 5), *range(len(words) - 5, len(words) - 1))
        if len(words) > 12 and words[spot] in ("shall", "may", "must")
    ]
    if not usable:
        return None
    index, spot = random.choice(usable)
    words = sound.passages[index].text.split(" ")
    before, words[spot] = words[spot], _other_modal(words[spot])
    what = f"{before!r} became {words[spot]!r} at the edge of {sound.passages[index].id}"
    return sound.edited("modal_at_edge", index, " ".join(words), {"CG101"}, what)


def _dropped_tail(sound: Sound, random: Random) -> Mutant | None:
    usable = sound.long(14)
    if not usable:
        return None
    index = random.choice(usable)
    text = sound.passages[index].text
    cut = len(text) - random.randint(len(text) // 5, len(text) // 2)
    return _cut_off("dropped_tail", sound, index, text[: text.rfind(" ", 0, cut)].rstrip())


def _dropped_clause(sound: Sound, random: Random) -> Mutant | None:
    usable = [i for i in sound.long(14) if len(sound.passages[i].text.splitlines()) >= 2]
    if not usable:
        return None
    index = random.choice(usable)
    lines = sound.passages[index].text.splitlines()
    return _cut_off(
        "dropped_tail_at_clause", sound, index, "\n".join(lines[: random.randrange(1, len(lines))])
    )


def _cut_off(kind: str, sound: Sound, index: int, kept: str) -> Mutant | None:
    passage = sound.passages[index]
    gone = passage.text[len(kept) :].strip()
    if not any(has_law(line) for line in gone.splitlines()):
        return None
    what = f"{len(gone)} characters cut off {passage.id}"
    if sound.shape is Shape.LABELLED:
        return sound.edited(kind, index, kept, {"CG307"}, what)
    # What another window repeats is not lost; and a window ends anywhere: what is lost is a gap.
    lost = sound.lost_lines(gone, index)
    sections = sound.sections_of(lost[-1]) if lost else frozenset()
    if not sections:
        return None
    passages = sound.with_text(index, kept)
    return Mutant(kind, passages, frozenset({"CG301", "CG306", "CG307"}), sections, what)


def _dropped_head(sound: Sound, random: Random) -> Mutant | None:
    usable = _spaced(sound, 20)
    if sound.shape is Shape.WINDOWS or not usable:
        return None
    index = random.choice(usable)
    words = sound.passages[index].text.split(" ")
    size = random.randint(6, len(words) // 2)
    if not has_law(" ".join(words[:size])):
        return None
    return sound.edited(
        "dropped_head",
        index,
        " ".join(words[size:]),
        # A recipe promises the words; without one they are a gap.
        {"CG101", "CG306"},
        f"{size} words dropped at the start of {sound.passages[index].id}",
    )


def _dropped_middle(sound: Sound, random: Random) -> Mutant | None:
    usable = _spaced(sound, 26)
    if not usable:
        return None
    index = random.choice(usable)
    words = sound.passages[index].text.split(" ")
    size = random.randint(3, max(3, len(words) // 4))
    start = random.randint(8, len(words) - size - 8) if len(words) - size > 16 else 8
    kept = words[:start] + words[start + size :]
    what = f"{size} words dropped from the middle of {sound.passages[index].id}"
    return sound.edited("dropped_middle", index, " ".join(kept), {"CG101"}, what)


def _dropped_line(sound: Sound, random: Random) -> Mutant | None:
    usable = [i for i, p in enumerate(sound.passages) if len(p.text.splitlines()) >= 3]
    if not usable:
        return None
    index = random.choice(usable)
    lines = sound.passages[index].text.splitlines()
    spot = random.randint(1, len(lines) - 2)
    if not has_law(lines[spot]):
        return None
    del lines[spot]
    what = f"line {spot + 1} of {sound.passages[index].id} dropped"
    return sound.edited("dropped_middle_line", index, "\n".join(lines), {"CG101"}, what)


def _dropped_row(sound: Sound, random: Random) -> Mutant | None:
    rows = [
        " ".join(node.text.split())
        for node in sound.reading.provisions
        if node.kind.value == "row" and node.status is Status.IN_FORCE
    ]
    squeezed = [" ".join(passage.text.split()) for passage in sound.passages]
    usable = [
        (index, row)
        for index, text in enumerate(squeezed)
        for row in rows
        if text.find(row) > 0 and not text.endswith(row)
    ]
    if not usable:
        return None
    index, row = random.choice(usable)
    kept = squeezed[index].replace(row + " ", "", 1)
    what = f"a table row dropped from {sound.passages[index].id}"
    return sound.edited("dropped_table_row", index, kept, {"CG101"}, what)


def _case_changed(sound: Sound, random: Random) -> Mutant | None:
    long = sound.long(10)
    if not long:
        return None
    index = random.choice(long)
    words = sound.passages[index].text.split(" ")
    usable = [n for n, w in enumerate(words[2:-2], 2) if w.isalpha() and w.upper() != w]
    if not usable:
        return None
    spot = random.choice(usable)
    before, words[spot] = words[spot], words[spot].swapcase()
    what = f"{before!r} became {words[spot]!r} in {sound.passages[index].id}"
    return sound.edited("case_changed", index, " ".join(words), {"CG104"}, what)


def _order_changed(sound: Sound, random: Random) -> Mutant | None:
    usable = [i for i, p in enumerate(sound.passages) if len(p.text.splitlines()) >= 3]
    random.shuffle(usable)
    for index in usable:
        lines = sound.passages[index].text.splitlines()
        spot = random.randint(1, len(lines) - 2)
        if lines[spot].split() == lines[spot + 1].split():
            continue
        lines[spot], lines[spot + 1] = lines[spot + 1], lines[spot]
        what = f"two lines of {sound.passages[index].id} swapped"
        return sound.edited("order_changed", index, "\n".join(lines), {"CG202"}, what)
    return None


def _whole(
    kind: str, rule: str, change: Callable[[str], str]
) -> Callable[[Sound, Random], Mutant | None]:
    """A planter that changes the text of one passage as a whole."""

    def plant_it(sound: Sound, random: Random) -> Mutant | None:
        usable = [
            index
            for index in sound.long(8)
            if change(sound.passages[index].text) != sound.passages[index].text
        ]
        if not usable:
            return None
        index = random.choice(usable)
        passage = sound.passages[index]
        what = f"{kind.replace('_', ' ')}: {passage.id}"
        return sound.edited(kind, index, change(passage.text), {rule}, what)

    return plant_it


def _inserted(kind: str, what: str) -> Callable[[Sound, Random], Mutant | None]:
    """A planter that puts something between two words of a passage."""

    def plant_it(sound: Sound, random: Random) -> Mutant | None:
        spaced = _spaced(sound, 14)
        if not spaced:
            return None
        index = random.choice(spaced)
        words = sound.passages[index].text.split(" ")
        spot = random.randint(6, len(words) - 6)
        text = " ".join([*words[:spot], what, *words[spot:]])
        return sound.edited(
            kind, index, text, {"CG101"}, f"{what!r} put into {sound.passages[index].id}"
        )

    return plant_it


def _repeated(sound: Sound, random: Random) -> Mutant | None:
    spaced = _spaced(sound, 24)
    if not spaced:
        return None
    index = random.choice(spaced)
    words = sound.passages[index].text.split(" ")
    spot = random.randint(6, len(words) - 14)
    text = " ".join([*words[: spot + 8], *words[spot:]])
    what = f"eight words of {sound.passages[index].id} stand twice"
    return sound.edited("words_repeated", index, text, {"CG101"}, what)


def _repeated_at_line_end(sound: Sound, random: Random) -> Mutant | None:
    """Where a heading is left out, words of law too many must not be taken for another heading."""
    usable = [
        (index, spot)
        for index, passage in enumerate(sound.passages)
        for spot, line in enumerate(passage.text.splitlines()[:-1])
        if len(line.split()) >= 12
    ]
    if not usable:
        return None
    index, spot = random.choice(usable)
    lines = sound.passages[index].text.splitlines()
    lines[spot] += "\n" + " ".join(lines[spot].split()[3:9])
    what = f"six words of {sound.passages[index].id} stand again at the end of their line"
    return sound.edited("words_repeated_at_line_end", index, "\n".join(lines), {"CG101"}, what)


def _mojibake(sound: Sound, random: Random) -> Mutant | None:
    found = spot(sound, re.compile("[“”’]"), random)
    if found is None:
        return None
    index, _ = found
    wrong = sound.passages[index].text.encode("utf-8").decode("cp1252", "replace")
    what = f"{sound.passages[index].id} decoded with the wrong character set"
    return sound.edited("mojibake", index, wrong, {"CG101"}, what)


def _wrong_document(sound: Sound, random: Random) -> Mutant | None:
    usable = [i for i in range(len(sound.passages)) if sound.in_force(i)]
    index = random.choice(usable or range(len(sound.passages)))
    what = f"{sound.passages[index].id} holds text of another law"
    return sound.edited("wrong_document", index, sound.other_law, {"CG101"}, what)


def _plain_quotes(text: str) -> str:
    return text.translate(str.maketrans("“”‘’", "\"\"''"))


WORDING: Final[dict[str, Callable[[Sound, Random], Mutant | None]]] = {
    "number": substitute("number", r"(?<![\w.(,])\d{1,4}(?![\w.)])", _next_digits),
    "number_in_word": substitute("number_in_word", r"\b\d{1,3}(?=[-\u2011][a-z])", _next_digits),
    "number_spelled": substitute("number_spelled", rf"\b(?:{'|'.join(_SPELLED)})\b", _next_spelled),
    "number_in_reference": substitute(
        "number_in_reference", r"(?<=section )\(?\d{1,3}(?:\.\d)?\)?", _next_digits
    ),
    "negation": substitute("negation", r"\bnot ", lambda _: ""),
    "negation_added": substitute("negation_added", r"\b(?:shall|may) (?!not)", "{}not ".format),
    "modal": substitute("modal", r"\b(?:shall|may|must)\b", _other_modal),
    "modal_at_edge": _modal_at_edge,
    "connective": substitute("connective", r"\b(?:and|or|if|unless)\b", _OTHER_WORD.__getitem__),
    "letter_changed": substitute(
        "letter_changed", r"\b[a-z]{5,}\b", lambda word: word[:2] + "q" + word[3:]
    ),
    "look_alike_letter": substitute(
        "look_alike_letter", r"\b[a-z]*a[a-z]+\b", lambda word: word.replace("a", "\u0430")
    ),
    "words_joined": substitute(
        "words_joined", r"\b[a-z]+ [a-z]+\b", lambda two: two.replace(" ", "")
    ),
    "marker_changed": substitute("marker_changed", r"(?<=\n)\([a-y]\)", _next_marker),
    "dropped_tail": _dropped_tail,
    "dropped_tail_at_clause": _dropped_clause,
    "dropped_head": _dropped_head,
    "dropped_middle": _dropped_middle,
    "dropped_middle_line": _dropped_line,
    "dropped_table_row": _dropped_row,
    "words_repeated": _repeated,
    "words_repeated_at_line_end": _repeated_at_line_end,
    "year_added": _inserted("year_added", "2019,"),
    "case_changed": _case_changed,
    "upper_case": _whole("upper_case", "CG104", str.upper),
    "quotes_replaced": substitute(
        "quotes_replaced", "[“”’]", lambda found: "'" if found == "’" else '"', "CG104"
    ),
    "all_quotes_replaced": _whole("all_quotes_replaced", "CG104", _plain_quotes),
    "dashes_replaced": substitute("dashes_replaced", "[–—]", lambda _: "-", "CG104"),
    "lost_non_breaking_hyphen": substitute("lost_non_breaking_hyphen", "\u2011", lambda _: ""),
    "order_changed": _order_changed,
    "mojibake": _mojibake,
    "footnote_mark": _inserted("footnote_mark", "[^1]"),
    "tag_left_in": _inserted("tag_left_in", "<p>"),
    "entity_left_in": _inserted("entity_left_in", "&nbsp;"),
    "wrong_document": _wrong_document,
}
"""Kind -> planter; None where the kind does not exist in this corpus or can't be seen in it."""
