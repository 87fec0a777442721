"""A section that stands anywhere in a law may take from the one that is cited."""

from __future__ import annotations

import gc
import time
import weakref
from dataclasses import replace

import pytest

from corpusguard.gate import Reason
from corpusguard.gate.derogations import derogations, taken
from corpusguard.gate.hook.checker import QuoteChecker
from corpusguard.gate.model import Evidence, Objection
from corpusguard.gate.passages import evidence_of
from corpusguard.gate.quote import quote
from corpusguard.service.gate import TrustedPassage
from corpusguard.service.provisions import Law, Whole
from tests.unit.gate.elsewhere import LEAVES, OTHERS, TAKES

SAIL = "A ferry may sail at night."
TITLE = "The Ferry Act, 2026"


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


@pytest.mark.parametrize(("words", "section", "subsection"), OTHERS)
def test_decimals_letters_and_ranges_reach_the_provision_that_they_mean(words, section, subsection):
    assert taken(told(words), section, subsection)
    assert not taken(told(words), "77", subsection)


REGULATION = "Sections 9 and 12 of the Act do not apply to a raft."


def test_a_regulation_that_speaks_of_the_act_takes_nothing_from_its_own_sections():
    said = [("12", "", SAIL), ("40", "", REGULATION)]
    assert taken(derogations(said, "Rafts"), "12", "")
    assert not taken(derogations(said, "Rafts", subordinate=True), "12", "")
    own = [("40", "", "Section 12 of this Regulation does not apply to a raft.")]
    assert taken(derogations(own, "Rafts", subordinate=True), "12", "")


@pytest.mark.parametrize(
    ("document", "told_of"),
    [("ca-on/statute/26f10@en", 1), ("ca-on/regulation/260910@en", 0)],
)
def test_whether_a_law_is_a_regulation_is_known_by_its_document(document, told_of):
    law = Law("Rafts", (whole("12", "", SAIL), whole("40", "", REGULATION)))
    passage = replace(trusted(f"12 {SAIL}", "12", law, ("12",)), document=document)
    assert len(evidence_of(passage).elsewhere) == told_of


@pytest.mark.parametrize(
    ("title", "named"),
    [
        ("The Ferry Act, 2026", "the Ferry Act"),
        ("Ferry Act, 2026, S.O. 2026, c. 10", "the Ferry Act, 2026"),
        ("FA", "the Ferry Act, 2026"),
        ("", "the Ferry Act, 2026"),
    ],
)
def test_a_law_that_names_itself_is_itself(title, named):
    """A short name cannot be compared, so its section may be meant."""
    words = f"Section 12 of {named} does not apply to a raft."
    assert taken(derogations([("40", "", words)], title), "12", "1")


def test_a_french_law_is_told_apart_by_its_title():
    def of(title):
        words = "L’article 12 de la Loi sur les lampes ne s’applique pas aux bacs."
        return taken(derogations([("40", "", words)], title), "12", "1")

    assert of("Loi sur les lampes")
    assert of("Lamp Act")
    assert not of("Loi de 2026 sur les bacs")


@pytest.mark.parametrize(
    "unit",
    [
        "section 1 of ", "section 1, section 2, ", "section 1 and ", "(section 1) ", "(", "despite ",
        "exempt the section 1 ", "following: ", "not required ", "may ", "except section 1 : ", "x",
    ],
)  # fmt: skip
def test_a_hostile_section_is_read_in_linear_time(unit):
    """A chain of references is deep, too: it once ended in a recursion without end."""

    def spent(characters):
        words = unit * (characters // len(unit)) + " section 12 does not apply."
        begun = time.process_time()
        found = derogations([("40", "", words)], TITLE)
        assert taken(found, "12", "")
        return time.process_time() - begun

    short = spent(25_000)
    # Eight times as much: quadratic time would be 64 times as long.
    assert min(spent(200_000), spent(200_000)) < 32 * max(short, 0.03)


def test_what_was_read_of_a_law_goes_when_the_law_goes():
    """A server that sees thousands of laws keeps those that the service keeps."""
    for _ in range(5):
        law = Law("Ferry Act", (whole("12", "", SAIL), whole("40", "", REGULATION)))
        assert evidence_of(trusted(f"12 {SAIL}", "12", law, ("12",))).elsewhere
    gone = weakref.ref(law)
    del law
    gc.collect()
    assert gone() is None


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
