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
    ("Where a licence is refused, the pilot shall stop.", "If a licence is refused, the pilot must stop."),
    ("If the Warden makes an order, the pilot shall stop.", "Where the Warden makes an order, the pilot must stop."),
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
    ("A pilot shall have a rest of 30 minutes.", "A pilot must have a rest of 30 minutes."),
    ("A pilot shall have regard to the tide.", "A pilot must have regard to the tide."),
    ("A notice shall be in writing.", "A notice has to be in writing."),
    ("The fine shall be 5 crowns.", "The fine must be five crowns."),
    ("A pilot shall, within 10 days, tell the owner.", "A pilot must, within 10 days, tell the owner."),
    ("A person who holds a licence shall show it.", "A person who holds a licence must show it."),
    ("A pilot shall draw oil only from the store and shall pay.", "A pilot must draw oil only from the store and must pay."),
    ("No later than May 3, the Warden shall publish a list.", "Not later than May 3, the Warden must publish a list."),
    ("A pilot may not sail at night.", "A pilot can't sail at night."),
    ("A fine of not more than $500 is due.", "A fine of up to $500 is due."),
    ("Every pilot and every mate shall sign.", "Each pilot and each mate must sign."),
    ("Each pilot shall sign.", "Every pilot must sign."),
    ("A pilot shall sail despite the fog.", "A pilot must sail notwithstanding the fog."),
    ("A pilot shall wait until such time as the bell rings.", "A pilot must wait until the bell rings."),
    ("In the event that a bell cracks, the pilot shall stop.", "If a bell cracks, the pilot must stop."),
    ("For the purposes of this Part, a raft is a ship.", "For the purpose of this Part, a raft is a ship."),
    ("A fee in respect of a ship is due.", "A fee with respect to a ship is due."),
    ("A pilot recognized by the Warden sails among reefs.", "A pilot recognised by the Warden sails amongst reefs."),
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
    # "Shall" of what the law itself brings about or grants, or that is no duty.
    ("Only a pilot shall ring the bell.", "Only a pilot must ring the bell."),
    ("At most 3 pilots shall board the ship.", "At most 3 pilots must board the ship."),
    ("Not more than 3 pilots shall board the ship.", "Not more than 3 pilots must board the ship."),
    ("Not every pilot shall ring the bell.", "Not every pilot must ring the bell."),
    ("A pilot shall be eligible for a licence.", "A pilot must be eligible for a licence."),
    ("A pilot shall be entitled to a lamp.", "A pilot must be entitled to a lamp."),
    ("A pilot shall have the right to rest.", "A pilot must have the right to rest."),
    ("The Guild shall be a corporation.", "The Guild must be a corporation."),
    ("A contract that waives this Act shall be void.", "A contract that waives this Act must be void."),
    ("A pilot who swears falsely shall be guilty of an offence.", "A pilot who swears falsely must be guilty of an offence."),
    ("A pilot shall not be liable for the loss.", "A pilot must not be liable for the loss."),
    ("This Act shall come into force on May 3, 1910.", "This Act must come into force on May 3, 1910."),
    ("A bell shall remain silent until the Warden shall order it rung.", "A bell must remain silent until the Warden must order it rung."),
    ("A pilot may sail unless the Warden shall forbid it.", "A pilot may sail unless the Warden must forbid it."),
    ("If a pilot shall ring the bell, the ship may sail.", "If a pilot must ring the bell, the ship may sail."),
    ("If the pilot, the mate or the cook shall ring the bell, the ship may sail.", "If the pilot, the mate or the cook must ring the bell, the ship may sail."),
    ("A fee is paid as the Warden shall direct.", "A fee is paid as the Warden must direct."),
    ("A pilot who shall have paid the fee may sail.", "A pilot who must have paid the fee may sail."),
    ("Wardens shall hold office for 3 years.", "Wardens must hold office for 3 years."),
    ('The word "shall" is imperative.', 'The word "must" is imperative.'),
    ('In this Act, "berth" shall include a mooring.', 'In this Act, "berth" must include a mooring.'),
    ('"Berth" shall mean a mooring.', '"Berth" must mean a mooring.'),
    ("A defect in form shall not invalidate a licence.", "A defect in form must not invalidate a licence."),
    ("A pilot shall enjoy quiet rest.", "A pilot must enjoy quiet rest."),
    ("A pilot shall receive 5 crowns a day.", "A pilot is required to receive 5 crowns a day."),
    ("A pilot shall ring the bell only at noon.", "A pilot is required to ring the bell only at noon."),
    ("A pilot shall ring the bell only at noon.", "A pilot has to ring the bell only at noon."),
    ("A pilot shall be heard by the Warden.", "A pilot is required to be heard by the Warden."),
    ("Seldom shall a bell be rung.", "Seldom must a bell be rung."),
    ("This Part shall not apply to canoes.", "This Part must not apply to canoes."),
    ("A licence shall expire on May 3.", "A licence must expire on May 3."),
    ("A pilot shall be deemed to be licensed.", "A pilot must be deemed to be licensed."),
    ("A pilot shall be free to sail.", "A pilot must be free to sail."),
    ("A pilot shall be exempt from the fee.", "A pilot must be exempt from the fee."),
    ("A pilot shall not be required to ring the bell.", "A pilot must not be required to ring the bell."),
    # "Must" that asks for what "shall" would grant.
    ("A pilot must have a licence.", "A pilot shall have a licence."),
    ("To be admitted, a pilot must hold a licence.", "To be admitted, a pilot shall hold a licence."),
    ("If a pilot must ring the bell, the mate may leave.", "If a pilot shall ring the bell, the mate may leave."),
    ("A pilot must be licensed.", "A pilot shall be licensed."),
    ("A pilot must be eligible for a licence.", "A pilot shall be eligible for a licence."),
    # What cannot be forbidden, and "no" that is not of the subject.
    ("No notice shall be necessary.", "No notice may be necessary."),
    ("No fee shall be due.", "No fee may be due."),
    ("No pilot shall be liable for the loss.", "No pilot may be liable for the loss."),
    ("No interest shall accrue on a fee.", "No interest may accrue on a fee."),
    ("No matter who rings the mate shall answer.", "No matter who rings the mate may answer."),
    ("No doubt the pilot shall ring the bell.", "No doubt the pilot may ring the bell."),
    ("No 5 buoy shall be lit at night.", "No 5 buoy may be lit at night."),
    ("No bell being rung the mate shall answer.", "No bell being rung the mate may answer."),
    ("No ship may be safe without a pilot.", "No ship shall be safe without a pilot."),
    # A negation before a list reaches every item.
    ("No pilot: (a) shall ring the bell; or (b) shall light a lamp.", "No pilot: (a) must ring the bell; or (b) must light a lamp."),
    ("No pilot, (a) shall ring the bell; or (b) shall light a lamp.", "No pilot, (a) shall ring the bell; or (b) must light a lamp."),
    # "May" that is no leave.
    ("The fee is paid in such coin as may be fixed.", "The fee is paid in such coin as can be fixed."),
    ("The owner or the pilot, as the case may be, shall pay.", "The owner or the pilot, as the case can be, shall pay."),
    ("May 3 is a day of rest.", "Can 3 is a day of rest."),
    ("A bell may have been cracked.", "A bell can have been cracked."),
    ("A pilot may or may not ring the bell.", "A pilot can or may not ring the bell."),
    # "May not" that is no prohibition.
    ("A bell may not have been heard.", "A bell cannot have been heard."),
    ("A pilot may not only ring the bell but also light a lamp.", "A pilot cannot only ring the bell but also light a lamp."),
    ("A pilot may not later than May 3 appeal to the Warden.", "A pilot cannot later than May 3 appeal to the Warden."),
    ("A pilot who may not have heard the bell shall stop.", "A pilot who cannot have heard the bell shall stop."),
    ("The notice may not be true.", "The notice cannot be true."),
    ("If the pilot may not know of the fog, the mate shall tell the pilot.", "If the pilot cannot know of the fog, the mate shall tell the pilot."),
    # A "not" that belongs to what follows.
    ("A pilot must not later than May 3 file a notice.", "A pilot mustn't later than May 3 file a notice."),
    ("A pilot shall not later than May 3 file a notice.", "A pilot mustn't later than May 3 file a notice."),
    # "Where" that could be a place, "in the event that" that could be an event.
    ("A pilot shall drop anchor if a buoy floats.", "A pilot shall drop anchor where a buoy floats."),
    ("A pilot may leave if the bell is cracked.", "A pilot may leave where the bell is cracked."),
    ("If a buoy floats, a pilot shall drop anchor.", "Where a buoy floats, a pilot shall drop anchor."),
    ("Where a buoy floats, a pilot shall drop anchor there.", "If a buoy floats, a pilot shall drop anchor there."),
    ("Where a ship lies shall be entered in the log, and the pilot shall sign it.", "If a ship lies shall be entered in the log, and the pilot shall sign it."),
    ("Where and when a bell rings, a pilot shall stop.", "If and when a bell rings, a pilot shall stop."),
    ("No person shall swim unless a guard stands.", "No person shall swim except where a guard stands."),
    ("A pilot shall wait unless and until the bell rings.", "A pilot shall wait except if and until the bell rings."),
    ("A pilot shall tell the owner in the event that the ship leaks.", "A pilot shall tell the owner if the ship leaks."),
    ("A pilot who took part in the event that the Warden held shall pay.", "A pilot who took part if the Warden held shall pay."),
    # Words before or after which a word is another.
    ("The fog notwithstanding, a pilot shall ring.", "The fog despite, a pilot shall ring."),
    ("A pilot stays until such time as may be fixed.", "A pilot stays until may be fixed."),
    ("The Warden shall pass upon the accounts.", "The Warden shall pass on the accounts."),
    ("A lien prior to a mortgage is paid first.", "A lien before a mortgage is paid first."),
    # "Each" and "every" that are not one.
    ("The pilots shall each ring the bell.", "The pilots shall every ring the bell."),
    ("The pilots pay 5 crowns each.", "The pilots pay 5 crowns every."),
    ("A pilot shall make every effort.", "A pilot shall make each effort."),
    ("A bell is rung every 3 hours.", "A bell is rung each 3 hours."),
    ("A pilot shall not ring every bell.", "A pilot shall not ring each bell."),
    # Limits that are times, names, ranges or under a negation.
    ("A notice is filed not more than 3 days before the hearing.", "A notice is filed up to 3 days before the hearing."),
    ("A notice may be filed up to 3 days before the hearing.", "A notice may be filed not more than 3 days before the hearing."),
    ("No more than 3 pilots shall board the ship.", "Up to 3 pilots shall board the ship."),
    ("The quay is open up to 10 p.m. on Sunday.", "The quay is open at most 10 p.m. on Sunday."),
    ("The channel runs up to 12 Quay Street.", "The channel runs at most 12 Quay Street."),
    ("The load exceeds a maximum of 5 tons.", "The load exceeds at most 5 tons."),
    ("The Warden may set a maximum of 5 crowns.", "The Warden may set at most 5 crowns."),
    ("A pilot is not liable for up to 3 months.", "A pilot is not liable for at most 3 months."),
    ("A pilot need not more than 3 times ring the bell.", "A pilot need at most 3 times ring the bell."),
    ("A pilot does not more than 3 times a day ring the bell.", "A pilot does at most 3 times a day ring the bell."),
    ("A pilot need not later than May 3 ring the bell.", "A pilot need no later than May 3 ring the bell."),
    # Digits that are names or parts of numbers.
    ("The fine is twenty-five crowns.", "The fine is 20-5 crowns."),
    ("Form 20-5 is filed.", "Form twenty-five is filed."),
    ("The fine is 1 500 crowns.", "The fine is one 500 crowns."),
    ("The bell is rung at 1:00.", "The bell is rung at one:00."),
    ("The fine is 1/2 of the fee.", "The fine is one/two of the fee."),
    ("A pilot shall pay with 20 five-crown notes.", "A pilot shall pay with twenty five-crown notes."),
    ("Part 2 applies to ferries.", "Part two applies to ferries."),
    ("The rate is .5 per cent.", "The rate is .five per cent."),
    ("The fine is $5.", "The fine is $five."),
    # Spellings of other words.
    ("A pilot shall read the meter.", "A pilot shall read the metre."),
    ("A quay has 2 meters for water.", "A quay has 2 metres for water."),
    ("A pilot shall program the lock.", "A pilot shall programme the lock."),
    ("A buoy and the gas metre stand apart.", "A buoy and the gas meter stand apart."),
    # What is in quotation marks is not the words used, or promises the very words.
    ("A pilot shall ring the bell.", '"A pilot must ring the bell."'),
    ("A pilot shall ring the bell.", 'Section 4 reads: "A pilot must ring the bell."'),
    ("A pilot shall ring the bell.", "Section 4 reads: A pilot must ring the bell."),
    ('A sign shall say "No person shall enter" in red.', 'A sign shall say "No person may enter" in red.'),
    # "Shall" in a condition, and insertions before its verb.
    ("A fee is such sum as the Warden, on advice, shall fix.", "A fee is such sum as the Warden, on advice, must fix."),
    ("If the pilot, being drunk, shall fail to ring, the mate may ring.", "If the pilot, being drunk, must fail to ring, the mate may ring."),
    ("A fee is paid on the day the Warden shall fix.", "A fee is paid on the day the Warden must fix."),
    ("A pilot sails to the extent the Warden shall allow.", "A pilot sails to the extent the Warden must allow."),
    ("Whoever shall find a wreck may keep it.", "Whoever must find a wreck may keep it."),
    ("A pilot shall, on request, be entitled to a lamp.", "A pilot must, on request, be entitled to a lamp."),
    ("A pilot shall in every such case be liable for the loss.", "A pilot must in every such case be liable for the loss."),
    ("A pilot shall or may ring the bell.", "A pilot must or may ring the bell."),
    ("Without a lamp shall no ship sail.", "Without a lamp must no ship sail."),
    ("No person in St. Mary shall ring the bell.", "No person in St. Mary must ring the bell."),
    ("Two pilots shall sail the ship.", "Two pilots are required to sail the ship."),
    ("It shall be lawful to ring a bell.", "It must be lawful to ring a bell."),
    ("The property shall vest in the Crown.", "The property must vest in the Crown."),
    ("A pilot shall be taken to have read the rules.", "A pilot must be taken to have read the rules."),
    ("A licence shall remain in force for 3 years.", "A licence must remain in force for 3 years."),
    # The same rules, in other places.
    ("Any order that the Warden may think fit is made.", "Any order that the Warden can think fit is made."),
    ("A pilot sails however the wind may blow.", "A pilot sails however the wind can blow."),
    ("A bell that may not ring is replaced.", "A bell that cannot ring is replaced."),
    ("Where a ship is moored, no person shall swim.", "If a ship is moored, no person shall swim."),
    ("Where the notice is posted, no person shall swim.", "If the notice is posted, no person shall swim."),
    ("Where a bell is cracked, the pilot shall stop.", "If a bell is cracked, the pilot must stop."),
    ("A pilot shall ring the bell, unless it is cracked.", "A pilot must ring the bell, except where it is cracked."),
    ("A mate may take upon himself the watch.", "A mate may take on himself the watch."),
    ("A pilot is paid from 3 up to 5 crowns.", "A pilot is paid from 3 not more than 5 crowns."),
    ("Each and every pilot is paid.", "Every and every pilot is paid."),
    ("Each is paid 5 crowns.", "Every is paid 5 crowns."),
    ("Route 66 is closed.", "Route sixty-six is closed."),
    ("They help one another at sea.", "They help 1 another at sea."),
    ("A pilot born on 3 May is paid.", "A pilot born on three May is paid."),
    ("A pilot shall ring the bell.", "> A pilot must ring the bell."),
    ("A ship passes under section 4 of the bridge.", "A ship passes pursuant to section 4 of the bridge."),
]  # fmt: skip

LIST = "4 The pilot shall,\n(a) ring the bell; and\n(b) light a lamp."
CHOICE = "4 The owner of a wreck shall,\n(a) remove it; or\n(b) pay the cost."
LIMITED = "4 (1) A pilot shall ring the bell.\n(2) Subsection (1) does not apply at night."


def decide(law: str, sentence: str, rules: Rules | None = None) -> SentenceDecision:
    plan = read(sentence, [Citation("p")], rules or Rules(equivalents=True))
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


def test_by_default_only_own_words_ship() -> None:
    decision = decide("4 A pilot shall ring.", "A pilot must ring.", Rules())
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


def test_french_is_quoted_only() -> None:
    decision = decide(
        "4 Le pilote peut ramer dans le centre en 3 jours.",
        "Le pilote peut ramer dans le center en three jours.",
    )
    assert decision.door is Door.UNSUPPORTED


def test_a_printed_number_counts_nothing() -> None:
    assert not decide("4 pilots shall ring the bell.", "Four pilots must ring the bell.").ships
