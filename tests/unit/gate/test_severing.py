"""Less than a provision stands alone only where no other word of it can reach the words left."""

from __future__ import annotations

import time

import pytest

from corpusguard.gate.clauses import clauses
from corpusguard.gate.core import examine, read
from corpusguard.gate.model import Citation, Door, Objection, Rules
from corpusguard.gate.quote import quote
from tests.unit.gate.law import evidence

SENTENCES = [
    ("30 A ferry may sail at night. The consent of the Board is required.", "A ferry may sail at night."),
    ("30 Every vessel shall pay a toll. Canoes are exempt.", "Every vessel shall pay a toll."),
    ("30 A ferry may sail. Sailing in a storm is prohibited.", "A ferry may sail."),
    ("30 A ferry may sail. Ferries carrying livestock are excluded.", "A ferry may sail."),
    ("30 The toll is $50. Canoes pay half.", "The toll is $50."),
    ("30 An increase in a mooring fee is void. Increases approved by the Board are valid.", "An increase in a mooring fee is void."),
    ("30 (1) A raft may land. Night landings need a lamp.", "A raft may land."),
    # An abbreviation ends no sentence.
    ("31 The fee is payable to Dr. Moor of the harbour and a fine to the Board.", "The fee is payable to Dr."),
    ("31 A permit is issued to Harbour Inc. Directors may not sail. The fee is $5.", "Section 31 provides that a permit is issued to Harbour Inc."),
    ("31 A permit of Quay Ltd. Owners ends in May. The fee is $5.", "Section 31 provides that a permit of Quay Ltd."),
    ("31 A raft may land before Sept. Owners pay $5. The quay is open.", "Section 31 provides that a raft may land before Sept."),
]  # fmt: skip
LIMBS = [
    # All limbs begin with a condition: each is enough only where they are alternatives.
    ("5 A licence shall be issued,\n(a) if the applicant is an adult; and\n(b) if the applicant has paid the fee.", "A licence shall be issued if the applicant is an adult."),
    ("5 A berth is free,\n(a) when the lamp is lit; and\n(b) when the flag is up.", "A berth is free when the lamp is lit."),
    ("5 A licence shall be issued save,\n(a) where the applicant is a minor; or\n(b) where the fee is unpaid.", "A licence shall be issued save where the fee is unpaid."),
    ("5 A raft may land,\n(a) if it is lit;\n(b) if it is paid for.", "A raft may land if it is lit."),
    # Words at the end of the last limb, or in a sibling, that reach across.
    ("5 The Board may,\n(a) close a quay; and\n(b) open a quay, unless in either case the Minister objects.", "The Board may close a quay."),
    ("5 No person shall,\n(a) moor at a pontoon; or\n(b) moor at a quay at night without a lamp.", "No person shall moor at a pontoon."),
    ("5 The Board may,\n(a) close a quay; and\n(b) despite clause (a), keep a quay open for rafts.", "The Board may close a quay."),
    ("5 The master shall,\n(a) sail at noon; and\n(b) in every other case, stay moored.", "The master shall sail at noon."),
    ("5 The master shall,\n(a) tell the Board; and\n(b) thereafter sail.", "The master shall thereafter sail."),
    ("5 The Board may,\n(a) sell a wreck; and\n(b) give notice before it does so.", "The Board may sell a wreck."),
    ("5 The Board may,\n(a) sell a wreck; and\n(b) keep the price, if the owner is unknown.", "The Board may sell a wreck."),
    ("5 The Board may,\n(a) sell a wreck\n(b) burn a wreck\nafter notice to its owner.", "The Board may sell a wreck."),
    (
        "5 No person shall,\n(a) cast off; or\n(b) light a fire, at night.",
        "No person shall cast off.",
    ),
    # A negation that is not of the modal forbids nothing.
    ("6 An owner who does not hold a licence shall,\n(a) obtain a licence; or\n(b) remove the vessel.", "An owner who does not hold a licence shall remove the vessel."),
    ("6 A vessel without lamps and not under way shall,\n(a) moor; or\n(b) land.", "A vessel without lamps and not under way shall land."),
    ("6 No later than May 1, the owner shall,\n(a) obtain a licence; or\n(b) remove the vessel.", "No later than May 1, the owner shall remove the vessel."),
    ("6 The master shall in no case,\n(a) drink; and\n(b) steer.", "The master shall in no case drink."),
    # A relative clause says what somebody is.
    ("7 The Board may license a person who, on the day of the application, may,\n(a) sail; and\n(b) swim.", "The Board may license a person who, on the day of the application, may swim."),
    ("7 The Board is a body that in any harbour of the line may,\n(a) buy; and\n(b) sell.", "The Board is a body that in any harbour of the line may buy."),
    ("7 A pilot is one whose mate, being of age, must,\n(a) steer; and\n(b) row.", "A pilot is one whose mate, being of age, must row."),
    # Exclusive words and negations without "not".
    ("8 A raft may land solely if the raft,\n(a) is lit; or\n(b) is towed.", "A raft may land solely if the raft is lit."),
    ("8 The quay is exclusively used if a ferry,\n(a) lands; or\n(b) sails.", "The quay is exclusively used if a ferry lands."),
    ("8 A berth is kept save if the vessel,\n(a) sinks; or\n(b) burns.", "A berth is kept save if the vessel sinks."),
    ("8 A fee is waived if the vessel is free of,\n(a) rust; or\n(b) rats.", "A fee is waived if the vessel is free of rust."),
    ("8 A fee is waived if the vessel lacks,\n(a) a sail; or\n(b) a motor.", "A fee is waived if the vessel lacks a sail."),
    ("8 A fee is waived if the owner refrains from,\n(a) fishing; or\n(b) trading.", "A fee is waived if the owner refrains from fishing."),
    # Limbs that are meant together.
    ("9 Instead of a fine, the Board may,\n(a) close the berth; and\n(b) sell the vessel.", "Instead of a fine, the Board may close the berth."),
    ("9 In lieu of a toll, the owner shall,\n(a) row; and\n(b) bail.", "In lieu of a toll, the owner shall row."),
    # A list within a list has the opening words of both.
    ("10 No person shall,\n(a) sail a ferry; or\n(b) on a Sunday may,\n(i) row; and\n(ii) swim.", "No person shall on a Sunday may row."),
    ("10 A fee is due unless the owner,\n(a) is a minor; or\n(b) shall,\n(i) row; and\n(ii) bail.", "A fee is due unless the owner shall row."),
    ("10 An owner who holds a permit shall,\n(a) pay; and\n(b) on request shall,\n(i) row; and\n(ii) bail.", "An owner who holds a permit shall on request shall row."),
]  # fmt: skip
STANDS = [
    ("5 A raft may land,\n(a) if it is lit; or\n(b) if it is towed.", "A raft may land if it is lit."),
    ("5 The Board may,\n(a) sell a wreck; and\n(b) keep the price, if the owner is unknown.", "The Board may keep the price, if the owner is unknown."),
    ("5 A person shall not,\n(a) drink; or\n(b) steer.", "A person shall not drink."),
    ("30 A ferry may sail at night. The consent of the Board is required.", "Section 30 provides that a ferry may sail at night."),
    ("30 (1) The toll is $50. Canoes pay half.", "Section 30(1) provides that the toll is $50."),
    ("31 The fee is payable to Dr. Moor of the harbour.", "The fee is payable to Dr. Moor of the harbour."),
]  # fmt: skip


def passage(text: str):
    return evidence("plain", text=text, section=text.split(maxsplit=1)[0])


@pytest.mark.parametrize(("text", "sentence"), SENTENCES + LIMBS)
def test_a_part_that_other_words_reach_does_not_stand_alone(text, sentence):
    """A sentence of several needs its number; a limb of a list needs the others."""
    assert isinstance(quote(sentence, [passage(text)]), Objection)
    assert not isinstance(quote(text, [passage(text)]), Objection)


@pytest.mark.parametrize(("text", "sentence"), STANDS)
def test_a_part_that_no_other_word_reaches_stands(text, sentence):
    """The rules refuse for a reason, and not everything."""
    found = quote(sentence, [passage(text)])
    assert not isinstance(found, Objection), found


@pytest.mark.parametrize("document", ["", "laws/26f92", "ca-on/statute/26f92@fr"])
def test_french_is_not_cut_by_english_rules_whatever_its_id(document):
    """An id need not say the language: the words do."""
    text = "5 Le droit est de 5 $. Le radeau est gratuit pour les enfants."
    held = evidence("plain", text=text, section="5", document=document)
    assert isinstance(quote("Le droit est de 5 $.", [held]), Objection)
    assert isinstance(quote("Section 5 provides that le droit est de 5 $.", [held]), Objection)
    assert not isinstance(quote(text, [held]), Objection)


SEVERAL = "30 A ferry may sail at night. The consent of the Board is required."


@pytest.mark.parametrize(
    ("answer", "ships"),
    [
        ("A ferry may sail at night. The consent of the Board is required. [p]", 2),
        ("A ferry may sail at night. [p] The consent of the Board is required. [p]", 2),
        ("“A ferry may sail at night. The consent of the Board is required.” [p]", 1),
        ("Section 30 provides that a ferry may sail at night. The consent of the Board is required. [p]", 2),
        ("A ferry may sail at night. The consent of the Board is needed. [p]", 0),
        ("A ferry may sail at night. [p] Fish swim. [p] The consent of the Board is required. [p]", 0),
        ("A ferry may sail at night. [p] The consent of the Board is required. [q]", 0),
        ("The consent of the Board is required. [p] A ferry may sail at night. [p]", 0),
        ("A ferry may sail at night. The consent of the Board is required.", 0),
    ],
)  # fmt: skip
def test_a_provision_of_several_sentences_ships_sentence_by_sentence(answer, ships):
    """All of them, in order, with nothing between; never one of them."""
    other = evidence("plain", id="q")
    plan = read(answer, [Citation("p"), Citation("q")], Rules())
    held = {"p": evidence("plain", id="p", text=SEVERAL, section="30"), "q": other}
    if "[" not in answer:
        held["p"] = other
    decisions = examine(plan, held).decisions
    assert sum(one.door is Door.QUOTED for one in decisions) == ships


def many(count, limb):
    return "5 The master shall,\n" + "".join(f"({a}) {limb} {a};\n" for a in labels(count))


def labels(count):
    return [
        f"{chr(97 + at // 676 % 26)}{chr(97 + at // 26 % 26)}{chr(97 + at % 26)}"
        for at in range(count)
    ]


@pytest.mark.parametrize(
    "text",
    [
        "5 (1) A raft may land.\n(2) Subsections " + ", ".join(f"({n})" for n in range(1, 27)) + " are void.",
        "5 (1) A raft may land.\n(2) Subsections " + ", ".join(f"({n})" for n in range(1, 9_000)) + " are void.",
        "5 (1) A raft may land.\n(2) " + "section 5 to 6 of section " * 6_000 + ".",
        "5 (1) A raft may land.\n(2) " + "subject to this section despite " * 6_000 + ".",
        "5 " + "If x. " * 30_000,
        "5 " + "The fee is x. " * 14_000,
        many(3_000, "keep a log of lamp") + "and\n(zzz) rest.",
        "".join(f"{n} Sections 1 to {n} do not apply.\n" for n in range(1, 5_000)),
        "5 (1) A raft may land.\n" + "".join(f"({n}) Section {n} is void.\n" for n in range(2, 9_000)),
        "« " * 90_000,
    ],
    ids=lambda text: text[:50],
)  # fmt: skip
def test_hostile_law_takes_bounded_time(text):
    """Nothing in a passage of the longest size makes a thousand sentences slow."""
    held = passage(text[:200_000])
    begun = time.process_time()
    for number in range(1_000):
        quote(f"The master shall keep a log of lamp {labels(1_000)[number]}.", [held])
    assert time.process_time() - begun < 60  # six on a quiet core


def test_limbs_are_dropped_and_the_whole_kept_where_they_would_be_too_many_words():
    """A limb repeats the opening words of its list: a long list is quoted whole or not at all."""
    text = "5 The master shall" + " always" * 200 + ",\n"
    text += "".join(f"({a}) keep lamp {a};\n" for a in labels(700)) + "(zzz) row."
    (whole,) = clauses(text)
    assert whole.words[-1].text == "row"
