"""A law becomes sentences of every kind, each with the passage it cites and a sound counterpart."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from corpusguard.errors import ConfigError
from corpusguard.measure.gate.build import Plan, build
from corpusguard.measure.gate.draft import load_draft, make_draft
from corpusguard.measure.gate.items import Kind, Label, Origin, Tier
from corpusguard.measure.gate.law import read_law
from corpusguard.measure.gate.perturb import RULES, Around


@pytest.fixture(scope="module")
def items():
    law = Path(__file__).parents[4] / "benchmarks/gate/dev.law.txt"
    return build(read_law(law.read_bytes(), "dev"), Plan(7, 6, 12))


def test_every_kind_and_tier_is_there(items):
    """The dev half has both origins of each kind, and at least ten of each class."""
    counts = Counter(item.klass for item in items)
    assert set(counts) == {*Kind, *Tier}
    assert min(counts.values()) >= 10
    both = {(item.klass, item.origin) for item in items}
    for kind in Kind:
        assert {(kind, Origin.NATURAL), (kind, Origin.CONSTRUCTED)} <= both


def test_the_same_law_and_seed_give_the_same_items(items):
    """A fixture can be built again, and another seed builds another."""
    law = "! A | An Act\n@ 1 | Oil\n" + "\n".join(
        f"A keeper shall draw {n} litres of oil within {n + 20} days, unless it rains."
        for n in range(2, 12)
    )
    sections = read_law(law.encode(), "law")
    one, other = build(sections, Plan(1)), build(sections, Plan(1))
    assert [item.record() for item in one] == [item.record() for item in other]
    assert {item.sentence for item in one} != {item.sentence for item in build(sections, Plan(2))}


def test_ids_tell_nothing_and_pairs_are_sound(items):
    """Labellers see ids; whoever sees a pair's id finds a supported sentence of the family."""
    by_id = {item.id: item for item in items}
    assert all(re.fullmatch(r"i[0-9a-f]{11}", item.id) for item in items)
    for item in items:
        if item.intended is Label.UNSUPPORTED:
            pair = by_id[item.pair]
            assert pair.intended is Label.SUPPORTED
            assert pair.family == item.family
        else:
            assert item.pair == ""


def test_verbatim_sentences_stand_in_their_source(items):
    """But for line breaks and a subsection's number."""
    quoted = [i for i in items if i.klass is Tier.VERBATIM and i.origin is Origin.CONSTRUCTED]
    assert len(quoted) >= 20
    for item in quoted:
        assert item.sentence in " ".join(item.source.split())


def test_no_unsupported_sentence_is_a_whole_sentence_of_its_law(items):
    """A rule that changed nothing would plant an item whose label is wrong."""
    bases = {item.sentence for item in items if item.klass is Tier.VERBATIM}
    for item in items:
        if item.intended is Label.UNSUPPORTED:
            assert item.sentence not in bases


SENTENCE = "A keeper shall sell oil within 5 days, and may ask 40 crowns, if it rains."


@pytest.mark.parametrize(
    ("kind", "sentence", "pattern"),
    [
        (Kind.WRONG_NUMBER, SENTENCE, r"within (?!5\b)\d+ days|ask (?!40\b)\d+ crowns"),
        (Kind.WRONG_SECTION, SENTENCE, r"[Ss]ection 9\b"),
        (Kind.INVERTED_CONDITION, SENTENCE, r"unless it rains"),
        (Kind.ADDED_QUALIFIER, SENTENCE, r"rains, but only .*\.$"),
        (Kind.WRONG_ACTOR, SENTENCE, r"^An owner shall"),
        (Kind.WRONG_OUTCOME, "The sale is void.", r"^The sale is valid\.$"),
        (Kind.DROPPED_CONDITION, SENTENCE, r"ask 40 crowns\.$"),
        (Kind.MODAL_SHIFT, SENTENCE, r"keeper may sell|and shall ask"),
        (Kind.VALUE_SWAP, SENTENCE, r"within 40 days, and may ask 5 crowns"),
        (Kind.VERSION_SWAP, SENTENCE, r"within 6 days"),
        (Kind.UNSUPPORTED_PLAUSIBLE, SENTENCE, r"section 4|interest|Council"),
    ],
)
def test_each_rule_makes_its_kind(kind, sentence, pattern):
    """One change, of the kind that the rule is for, under any seed."""
    law = f"! A | An Act\n@ 4 | Oil\n{sentence}\n"
    law += "< 5 days => 6 days\n" if "5 days" in sentence else ""
    section = read_law(law.encode(), "law")[0]
    around = Around(["4", "9"], ["keeper", "owner"])
    for seed in range(20):
        made = RULES[kind](section, section.bases[0], around, Random(seed))
        assert made is not None
        assert made != sentence
        assert re.search(pattern, made), made


def test_a_rule_without_a_place_makes_nothing():
    """Rather than something of another kind."""
    section = read_law(b"! A | An Act\n@ 4 | Oil\nOil burns.\n", "law")[0]
    around = Around(["4"], [])
    silent = set(Kind) - {Kind.ADDED_QUALIFIER, Kind.UNSUPPORTED_PLAUSIBLE}
    for kind in silent:
        assert RULES[kind](section, section.bases[0], around, Random(1)) is None, kind


def test_an_alternative_is_no_condition_to_drop():
    """Without its clause, "or within 2 days if it burns" is another right, not a missing one."""
    law = "! A | An Act\n@ 4 | Oil\nOil is sold within 9 days, or within 2 days if it burns.\n"
    section = read_law(law.encode(), "law")[0]
    rule = RULES[Kind.DROPPED_CONDITION]
    assert rule(section, section.bases[0], Around(["4"], []), Random(1)) is None


def test_limbs_and_subsections_are_printed_as_a_statute_prints_them():
    """The source has their lines; the sentence to quote has none."""
    law = "! A | An Act\n@ 4 | Oil\n(1) Oil is:¶(a) thin; or¶(b) thick.\n(2) Oil burns.\n"
    section = read_law(law.encode(), "law")[0]
    assert section.source == "Oil\n4 (1) Oil is:\n(a) thin; or\n(b) thick.\n(2) Oil burns."
    assert [base.text for base in section.bases] == [
        "Oil is: (a) thin; or (b) thick.",
        "Oil burns.",
    ]


def test_passages_of_any_corpus_are_a_law_too():
    """What `corpusguard passages` emits can be built from."""
    sample = Path(__file__).parents[4] / "corpusguard/sample/clean.jsonl"
    sections = read_law(sample.read_bytes(), "clean.jsonl")
    made = build(sections, Plan(3, 8, 8))
    kinds = Counter(item.klass for item in made)
    assert len(sections) > 100
    assert kinds[Kind.DROPPED_CONDITION] == 8
    assert kinds[Kind.WRONG_NUMBER] == 8
    assert {item.source for item in made} <= {section.source for section in sections}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "holds no sentence of law"),
        ("A sentence.", "before any section"),
        ("@ 1 | Oil\nOil burns.", "without law"),
        ("! A | An Act\n@ 1 | Oil\n+P Oil.", "before any sentence"),
        ("! A | An Act\n@ 1 | Oil\nOil burns.\n-zz Oil.", "no kind or tier"),
        ("! A | An Act\n@ 1 | Oil\nOil burns.\n< water => oil", "exactly once"),
        ("! A | An Act\n@ 1 | Oil\nOil burns.\n@ 1 | Oil\nOil burns.", "two provisions A-1"),
        ("! A | An Act\n@ 1 | Oil\n@ 2 | Oil\nOil burns.", "A-1 has no sentence"),
        ("! A | An Act\n@ 1 | Oil\n" + "x" * 5000, "longer than"),
        ("! ../x | An Act\n@ 1 | Oil\nOil burns.", "no short name"),
        ('{"id": "1"}', "needs id, section and text"),
        ("{" * 100_000, "is not JSON"),
        ("! A | An Act\n@ 1\nOil.", "both sides"),
    ],
)
def test_a_law_that_cannot_be_read_is_refused(text, said):
    """With the line, or the section, and what is wrong with it."""
    with pytest.raises(ConfigError, match=re.escape(said)):
        read_law(text.encode(), "law.txt")


def test_halves_share_no_section(items):
    """What was tuned on one half must not show in the other."""
    with pytest.raises(ConfigError, match="both halves"):
        make_draft("twice", 1, items, items)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"id": "../../etc"}, "is not a name"),
        ({"sentence": ""}, "sentence is not a text"),
        ({"sentence": "x" * 4001}, "sentence is not a text"),
        ({"sentence": "\ud800"}, "surrogate"),
        ({"kind": "typo"}, "kind 'typo'"),
        ({"kind": "wrong_number", "tier": "verbatim"}, "either a kind or a tier"),
        ({"pair": "i-nowhere"}, "is no supported item"),
        ({"votes": {"a": "maybe"}}, "vote of a"),
        ({"votes": []}, "votes is not an object"),
        ({"label": "supported", "kind": "wrong_number", "tier": ""}, "is not what its kind"),
        ({"extra": 1}, "unknown field"),
    ],
)
def test_a_draft_with_a_wrong_item_is_refused(change, said, draft):
    """The message names the item and what is wrong."""
    found = json.loads(draft.dump())
    found["dev"][0] |= change
    with pytest.raises(ConfigError, match=re.escape(said)):
        load_draft(json.dumps(found).encode(), "draft.json")


def test_a_draft_reads_back(labelled):
    """With every vote."""
    assert load_draft(labelled.dump(), "draft.json") == labelled
