"""A whole clause in equivalent words ships, and nothing that such words could make false."""

from __future__ import annotations

import pytest

from corpusguard.gate.core import conclude, examine, read
from corpusguard.gate.model import Citation, Door, Evidence, Reason, Rules, SentenceDecision
from corpusguard.gate.words import composed

SAME = [
    ("A pilot shall ring the bell.", "A pilot must ring the bell."),
    ("A pilot must ring the bell.", "A pilot shall ring the bell."),
    ("A pilot shall ring the bell.", "A pilot is required to ring the bell."),
    ("Pilots shall ring the bell.", "Pilots have to ring the bell."),
    ("A pilot shall not ring the bell.", "A pilot must not ring the bell."),
    ("A pilot shall not ring the bell.", "A pilot mustn't ring the bell."),
    ("No pilot shall ring the bell.", "No pilot may ring the bell."),
    ("No person who holds a licence shall ring the bell.", "No person who holds a licence may ring the bell."),
    ("A pilot may ring the bell.", "A pilot can ring the bell."),
    ("A pilot may not ring the bell.", "A pilot cannot ring the bell."),
    ("A pilot shall ring the bell, unless it is cracked.", "A pilot must ring the bell, except if it is cracked."),
    ("A pilot shall ring the bell, unless it is cracked.", "A pilot must ring the bell, except where it is cracked."),
    ("A pilot may leave if the bell is cracked.", "A pilot may leave where the bell is cracked."),
    ("Where a bell is cracked, the pilot shall stop.", "If a bell is cracked, the pilot must stop."),
    ("The fine is not more than 80 crowns.", "The fine is at most 80 crowns."),
    ("The fine is not more than $80.", "The fine is no more than $80."),
    ("The fine is not exceeding 80 crowns.", "The fine is up to 80 crowns."),
    ("The crew is not less than 3 sailors.", "The crew is at least three sailors."),
    ("The notice is given not later than May 3.", "The notice is given no later than May 3."),
    ("The notice is given prior to the hearing.", "The notice is given before the hearing."),
    ("Pursuant to section 4, a pilot shall ring.", "Under section 4, a pilot must ring."),
    ("Notwithstanding the fog, a pilot shall ring.", "Despite the fog, a pilot must ring."),
    ("Every pilot shall ring the bell.", "Each pilot must ring the bell."),
    ("The rate is 3 per cent a year.", "The rate is 3% a year."),
    ("The bell is rung within 30 days.", "The bell is rung within thirty days."),
    ("The bell is rung within twenty-one days.", "The bell is rung within 21 days."),
    ("A pilot does not ring at night.", "A pilot doesn’t ring at night."),
    ("A buoy stands 20 metres from the neighbouring quay.", "A buoy stands 20 meters from the neighboring quay."),
]  # fmt: skip

OTHER = [
    # A duty made a choice or a prohibition, or the reverse.
    ("A pilot shall ring the bell.", "A pilot may ring the bell."),
    ("A pilot shall ring the bell.", "A pilot can ring the bell."),
    ("A pilot shall ring the bell.", "A pilot should ring the bell."),
    ("A pilot may ring the bell.", "A pilot must ring the bell."),
    ("A pilot may not ring the bell.", "A pilot is not required to ring the bell."),
    ("A pilot shall not ring the bell.", "A pilot is not required to ring the bell."),
    ("A pilot shall not ring the bell.", "A pilot does not have to ring the bell."),
    ("No pilot shall ring the bell.", "No pilot must ring the bell."),
    ("No pilot shall ring the bell.", "No pilot is required to ring the bell."),
    ("No pilot shall ring the bell.", "No pilot has to ring the bell."),
    ("Nothing in this Act shall silence a bell.", "Nothing in this Act must silence a bell."),
    ("Neither pilot nor mate shall ring the bell.", "Neither pilot nor mate is required to ring the bell."),
    # "No" that is no subject of its "shall".
    ("No later than noon the pilot shall ring the bell.", "No later than noon the pilot may ring the bell."),
    ("No fee being due, the pilot shall ring the bell.", "No fee being due, the pilot may ring the bell."),
    ("No fee is due and the pilot shall ring the bell.", "No fee is due and the pilot may ring the bell."),
    ("No pilot may ring the bell or shall be paid.", "No pilot may ring the bell or may be paid."),
    ("A pilot shall have a rest of 30 minutes.", "A pilot is required to have a rest of 30 minutes."),
    # Comparisons that the word before negates, or that compare no number.
    ("A pilot shall not more than twice ring the bell.", "A pilot shall at most twice ring the bell."),
    ("A bell is not not less than 3 feet wide.", "A bell is not at least 3 feet wide."),
    ("The fine is not more than 80 crowns.", "The fine is not less than 80 crowns."),
    ("The fine is not more than 80 crowns.", "The fine is at least 80 crowns."),
    ("The fine is not more than 80 crowns.", "The fine is more than 80 crowns."),
    ("A whistle is not more than a nuisance.", "A whistle is at most a nuisance."),
    # "Where" that is a place, "if" that is a question.
    ("A pilot shall stop where a bell hangs.", "A pilot shall stop if a bell hangs."),
    ("No person shall swim except where a guard stands.", "No person shall swim unless a guard stands."),
    ("A pilot shall tell the owner if the ship lies in harbour.", "A pilot shall tell the owner where the ship lies in harbour."),
    ("A pilot shall ask if the ship is leaking.", "A pilot shall ask where the ship is leaking."),
    ("A pilot shall act as if the bell rang.", "A pilot shall act as where the bell rang."),
    # Words that mean two things.
    ("Bells are rung every other day.", "Bells are rung each other day."),
    ("Pilots shall help each other.", "Pilots shall help every other."),
    ("Bells are rung every third day.", "Bells are rung each third day."),
    ("The one shall ring the bell.", "The 1 shall ring the bell."),
    ("A pilot who was licensed may ring the bell.", "A pilot licensed may ring the bell."),
    # Numbers, names and conditions are the law's own.
    ("The bell is rung within 30 days.", "The bell is rung within thirteen days."),
    ("The bell is rung within twenty-one days.", "The bell is rung within 22 days."),
    ("The bell is rung within 3 months.", "The bell is rung within three weeks."),
    ("A pilot shall ring the bell, unless it is cracked.", "A pilot must ring the bell, if it is cracked."),
    ("A pilot shall ring the bell, unless it is cracked.", "A pilot must ring the bell."),
    ("A pilot shall ring the bell, unless it is cracked.", "A pilot must ring the bell unless it is not cracked."),
    ("A pilot shall ring the bell.", "A mate must ring the bell."),
    ("A pilot shall ring the bell and the gong.", "A pilot must ring the bell or the gong."),
    ("A pilot shall ring the bell.", "A pilot must ring the bell twice."),
    ("A pilot shall ring the bell.", "It is a myth that a pilot must ring the bell."),
]  # fmt: skip

LIST = "4 The pilot shall,\n(a) ring the bell; and\n(b) light a lamp."
CHOICE = "4 The owner of a wreck shall,\n(a) remove it; or\n(b) pay the cost."
LIMITED = "4 (1) A pilot shall ring the bell.\n(2) Subsection (1) does not apply at night."


def decide(law: str, sentence: str, rules: Rules | None = None) -> SentenceDecision:
    plan = read(sentence, [Citation("p")], rules or Rules())
    evidence = Evidence("p", None, text=law, section="4", title="Pilots Act")
    (only,) = conclude(plan, examine(plan, {"p": evidence}), {}).sentences
    return only


@pytest.mark.parametrize(("law", "sentence"), SAME)
def test_a_whole_clause_in_words_that_mean_the_same_ships(law: str, sentence: str) -> None:
    decision = decide(f"4 {law}", sentence)
    assert (decision.door, decision.reason) == (Door.JUDGED, Reason.EQUIVALENT), decision.detail
    (span,) = decision.spans
    assert composed(f"4 {law}")[span.start : span.end].rstrip(".") == law.rstrip(".")
    assert decision.ships


@pytest.mark.parametrize(("law", "sentence"), OTHER)
def test_what_could_say_another_thing_is_no_equivalent(law: str, sentence: str) -> None:
    decision = decide(f"4 {law}", sentence)
    assert decision.door is Door.UNSUPPORTED
    assert not decision.ships


def test_what_stands_for_what_is_told() -> None:
    decision = decide(
        "4 A pilot shall ring the bell within 30 days.",
        "A pilot must ring the bell within thirty days.",
    )
    assert "'must' for 'shall'" in decision.detail
    assert "'thirty' for '30'" in decision.detail


def test_the_laws_own_words_are_a_quotation_and_no_equivalent() -> None:
    assert (
        decide("4 A pilot shall ring the bell.", "A pilot shall ring the bell.").door is Door.QUOTED
    )


def test_only_own_words_ship_where_the_rules_say_so() -> None:
    decision = decide("4 A pilot shall ring.", "A pilot must ring.", Rules(equivalents=False))
    assert decision.door is Door.UNSUPPORTED


def test_a_limb_is_as_complete_as_a_quotation_of_it_would_be() -> None:
    assert decide(LIST, "The pilot must light a lamp.").reason is Reason.EQUIVALENT
    assert decide(CHOICE, "The owner of a wreck must pay the cost.").door is Door.UNSUPPORTED


def test_a_clause_that_another_limits_is_attributed() -> None:
    bare = decide(LIMITED, "A pilot must ring the bell.")
    assert (bare.door, bare.reason) == (Door.UNSUPPORTED, Reason.LIMITED_ELSEWHERE)
    assert decide(LIMITED, "Section 4(1) provides that a pilot must ring the bell.").ships
    wrong = decide(LIMITED, "Section 4(2) provides that a pilot must ring the bell.")
    assert (wrong.door, wrong.reason) == (Door.UNSUPPORTED, Reason.WRONG_SECTION)


def test_items_left_out_of_a_list_are_called_so() -> None:
    """Not a missing modal or condition, which would send its reader looking for one."""
    for sentence in (
        "The owner of a wreck shall pay the cost.",
        "The owner of a wreck shall (a) remove it.",
    ):
        decision = decide(CHOICE, sentence)
        assert (decision.door, decision.reason) == (Door.UNSUPPORTED, Reason.TRUNCATED)


def test_long_repetitive_text_is_decided_in_time() -> None:
    law = "4 " + "A pilot shall not more than 3 times ring, " * 2_000 + "and rest."
    sentence = "A pilot must not more than three times ring, " * 170 + "and rest."
    assert decide(law, sentence).door is Door.UNSUPPORTED
