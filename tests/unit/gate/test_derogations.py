"""A section that stands anywhere in a law may take from the one that is cited."""

from __future__ import annotations

import pytest

from corpusguard.gate import Reason
from corpusguard.gate.derogations import derogations, taken
from corpusguard.gate.hook.checker import QuoteChecker
from corpusguard.gate.model import Evidence, Objection
from corpusguard.gate.passages import evidence_of
from corpusguard.gate.quote import quote
from corpusguard.service.gate import TrustedPassage
from corpusguard.service.provisions import Law, Whole

SAIL = "A ferry may sail at night."
TITLE = "The Ferry Act, 2026"

TAKES = [
    "Section 12 does not apply to a raft.",
    "Subsection 12 (1) does not apply to a raft.",
    "Sections 9, 12 and 14 do not apply to a raft.",
    "Sections 10 to 14 do not apply to a raft.",
    "Paragraph 3 of subsection 9 (1), clause 12 (1) (a) and sections 13 and 15 do not apply in winter.",
    "Section 12 of this Act does not, in winter, apply; section 12 of this Act does not apply.",
    "Section 12 of the Ferry Act, 2026 does not apply to a raft.",
    "Despite section 12, a raft shall stay in port.",
    "A raft shall, notwithstanding the other requirements of section 12, stay in port.",
    "A raft is exempt from section 12.",
    "A raft is exempted by its licence from the application of sections 11 and 12.",
    "The Warden may grant an exemption from subsection 12 (1).",
    "Nothing in section 12 permits a raft to sail.",
    "A raft may sail without complying with section 12.",
    "The Warden need not comply with the section 12.",
    "The Warden may waive the requirements of section 12.",
    "A raft is not subject to section 12.",
    "Section 12 ceases to apply on May 1.",
    "Section 12 applies only to a ferry that carries a lamp.",
    "Section 12 is repealed on May 1.",
    "Section 12 has no application to a raft.",
    "The Minister may prescribe circumstances in which section 12 would not apply.",
    "Section 12 does not prevent the Warden from closing a port.",
    "Section 12 is subject to section 40.",
    "The following provisions do not apply to a raft: 1. Section 9. 2. Section 12.",
    "A raft is exempt from the following: (a) section 9; and (b) section 12.",
    "A raft is exempt from the following provisions: 1. Section 9. 2. Sections 11 to 13.",
    "The time under section 12 for a raft shall, despite that section, be one hour.",
    "L'article 12 ne s'applique pas aux bacs.",
    "Malgré l’article 12, un bac reste au port.",
    "Un bac est soustrait à l'application du paragraphe 12 (1).",
    "Les articles 10 à 14 ne s'appliquent pas aux bacs.",
]
LEAVES = [
    "A licence under section 12 shall be in writing.",
    "Section 12 applies, with necessary modifications, to a raft.",
    "Subject to section 12, a raft may sail by day.",
    "Except as provided in section 12, a raft may sail by day.",
    "Section 9 does not apply to a raft that section 12 permits to sail.",
    "Subsection 12 (2) does not apply to a raft.",
    "Section 12 of the Lamp Act, 1997 does not apply to a raft.",
    "Section 12.1 does not apply to a raft.",
    "A raft under section 12 shall, despite section 9, carry the lower of the following lamps.",
    "Sections 13 to 20 do not apply to a raft.",
    "Despite subsection (1), a raft shall stay in port.",
    "This section does not apply to a raft.",
    "No ferry shall sail. A person may apply under section 12 for a licence.",
]


def told(words, section="40", subsection="2"):
    return derogations([("12", "1", SAIL), (section, subsection, words)], TITLE)


@pytest.mark.parametrize("words", TAKES)
def test_a_tied_exception_is_told_with_its_place(words):
    said = taken(told(words), "12", "1")
    assert said.startswith("section 40(2): ")
    passage = Evidence("p", None, text=f"12 (1) {SAIL}", section="12", elsewhere=told(words))
    found = quote(SAIL, [passage])
    assert isinstance(found, Objection)
    assert found.reason is Reason.LIMITED_ELSEWHERE
    assert "section 40(2)" in found.detail
    assert not isinstance(
        quote(f"Section 12(1) provides that {SAIL.lower()}", [passage]), Objection
    )


@pytest.mark.parametrize("words", LEAVES)
def test_what_is_tied_to_no_exception_or_to_another_provision_does_not_matter(words):
    assert not taken(told(words), "12", "1")
    passage = Evidence("p", None, text=f"12 (1) {SAIL}", section="12", elsewhere=told(words))
    assert not isinstance(quote(SAIL, [passage]), Objection)


def test_a_section_of_one_piece_is_reached_by_any_of_its_numbers():
    """Where it is quoted whole, what takes from one of its subsections takes from it."""
    found = told("Subsection 12 (2) does not apply to a raft.")
    assert taken(found, "12", "")
    assert taken(found, "12", "2")
    assert not taken(found, "12", "3")


def test_what_its_own_section_says_is_left_to_the_rule_for_sections():
    assert not taken(told("Section 12 does not apply to a raft.", "12", "3"), "12", "1")


def test_without_a_title_another_law_s_section_counts():
    """Nobody can say then whose it is."""
    words = "Section 12 of the Lamp Act, 1997 does not apply to a raft."
    assert taken(derogations([("40", "", words)]), "12", "1").startswith("section 40: ")


def test_a_long_list_is_shown_with_both_ends():
    numbers = ", ".join(str(number) for number in range(12, 200))
    said = taken(told(f"Sections {numbers} do not apply to a raft."), "12", "")
    assert said.startswith("section 40(2): Sections 12, 13, ")
    assert "do not apply to a raft" in said
    assert len(said) < 200


def trusted(text, section, law, sections):
    return TrustedPassage(
        id=f"p{section}", refusal="", text=text, section=section, starts=True, ends=True,
        sections=sections, law=law,
    )  # fmt: skip


def whole(section, subsection, text, *, in_force=True):
    return Whole(section, subsection, ((0, 1),), text, text, in_force)


def test_of_a_law_only_what_is_in_force_and_reaches_the_passage_is_handed_on():
    law = Law(
        "Ferry Act",
        (
            whole("12", "", SAIL),
            whole("13", "", "A raft may sail by day."),
            whole("40", "", "Section 12 does not apply to a raft."),
            whole("41", "", "Section 12 does not apply in winter.", in_force=False),
        ),
    )
    found = evidence_of(trusted(f"12 {SAIL}", "12", law, ("12",)))
    assert [one.place for one in found.elsewhere] == ["40"]
    assert evidence_of(trusted("13 A raft may sail by day.", "13", law, ("13",))).elsewhere == ()
    window = evidence_of(trusted(SAIL, "12", law, ("12", "40")))
    assert [one.place for one in window.elsewhere] == ["40"]
    assert evidence_of(trusted(SAIL, "12", None, ("12",))).elsewhere == ()


def test_memory_keeps_it_with_its_number_only():
    """What the hook lets an agent remember is held to the same rule."""
    law = Law(
        "Ferry Act",
        (whole("12", "", SAIL), whole("40", "", "Section 12 does not apply to a raft.")),
    )
    checker = QuoteChecker([trusted(f"12 {SAIL}", "12", law, ("12",))])
    bare, numbered = checker.objections([SAIL, f"12 {SAIL}"])
    assert "section 40: Section 12 does not apply" in bare
    assert not numbered
