"""The gate on a real Act: what may be quoted whole, and every mechanical way to cut it short."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from corpusguard import first_reader
from corpusguard.corpora import rebuild
from corpusguard.gate.core import conclude, examine, read
from corpusguard.gate.model import Citation, Evidence, Objection, Outcome, Rules
from corpusguard.gate.quote import quote
from corpusguard.model import CorpusSpec, DocumentSpec, Rendition

pytestmark = pytest.mark.real_data
PAYLOAD = Path(__file__).parents[2].parent / "shared" / "data" / "elaws" / "statute-06r17.json"
LEAD = re.compile(r"^\s*(?:\d+[\w.]*\.?\s+)?(?:\([\d.]+\)\s+)?")
CUTS = re.compile(
    r"\b(?:if|unless|except|despite|subject to|other than|only|until|where|without|but|provided|"
    r"as long as|for the purposes? of|and|or|within|not less than)\b",
    re.IGNORECASE,
)


@pytest.fixture(scope="module")
def subsections():
    """(passage, its words without its number) of each subsection in force."""
    if not PAYLOAD.exists():
        pytest.skip("the official document statute-06r17.json is not in ../shared/data/elaws")
    reading = first_reader.read(PAYLOAD.read_bytes(), Rendition.PAYLOAD)
    spec = CorpusSpec(name="act", reader="jsonl", recipe="subsection")
    found = []
    for row in rebuild(reading, spec, DocumentSpec(id="act", title="An Act")):
        words = LEAD.sub("", row.text, count=1)
        if words.rstrip().endswith(".") and not words.startswith(("Repealed", "Omitted", "Spent")):
            found.append((Evidence("p-1", None, text=row.text, section=row.section or ""), words))
    assert len(found) > 900
    return found


def test_nearly_every_subsection_ships_when_it_is_quoted_whole(subsections):
    """All but those with a numbered list, whose items are sentences of their own."""
    lost = []
    for passage, words in subsections:
        plan = read(f"{words} [p-1]", [Citation("p-1")], Rules())
        decision = conclude(plan, examine(plan, {"p-1": passage}), {})
        if decision.outcome is not Outcome.SHIPPED:
            lost.append(words)
    assert len(lost) / len(subsections) < 0.07
    unlisted = [words for words in lost if not re.search(r"\n1\.", words)]
    assert len(unlisted) / len(subsections) < 0.01, unlisted


def test_no_cut_of_a_subsection_ships_but_a_whole_limb_or_definition(subsections):
    """Every beginning up to a connective or comma, every rest after one, every line left out."""
    tried, passed = 0, []
    for passage, words in subsections:
        for cut in cuts_of(words):
            tried += 1
            if not isinstance(quote(cut, [passage]), Objection):
                passed.append((cut, words))
    assert tried > 8_000
    assert len(passed) < 60
    for cut, words in passed:
        # What passes is a list with lines left out, never part of a line.
        kept = set(cut.removesuffix(".").split("\n"))
        held = {trimmed for line in words.split("\n") for trimmed in (line, line.rstrip(" ;,."))}
        held |= {re.sub(r"; (?:and|or)$", "", line) for line in words.split("\n")}
        assert kept <= held, cut
        assert "\n" in cut, cut


def cuts_of(words):
    found = set()
    for connective in CUTS.finditer(words):
        found.add(words[: connective.start()].rstrip(" ,;\n") + ".")
    for comma in re.finditer(", ", words):
        found.add(words[: comma.start()] + ".")
        rest = words[comma.end() :]
        found.add(rest[:1].upper() + rest[1:])
    lines = words.split("\n")
    if len(lines) > 1:
        found |= {"\n".join(lines[:at] + lines[at + 1 :]) for at in range(len(lines))}
    whole = words.strip(" .;,")
    return {cut for cut in found if len(cut.split()) > 3 and cut.strip(" .;,") != whole}
