"""A quotation is a whole clause of the law or none: every way to cut one short is refused."""

from __future__ import annotations

import pytest

from corpusguard.gate.model import Objection, Reason
from corpusguard.gate.quote import quote
from tests.unit.gate.law import TEXTS, evidence

TRUNCATIONS = [
    # A trailing condition or exception is dropped.
    ("rent", "An increase in a mooring fee is void."),
    ("rent", "An increase in a mooring fee is void unless the notice was given."),
    ("rent", "An increase in a mooring fee is void unless the notice was given at least 90 days."),
    ("deposit", "A harbour master shall return the deposit within 21 days."),
    ("deposit", "A harbour master shall return the deposit."),
    ("only", "A pilot may leave the bridge."),
    ("proviso", "A fisher may sell from the boat."),
    ("until", "The lien continues."),
    ("until", "The lien continues until the fee and interest at 2 per cent are paid."),
    ("exempt", "No fee is payable by a vessel."),
    # A leading condition is dropped.
    ("leave", "The tenant may end the tenancy without notice."),
    ("leave", "The tenant may end the tenancy."),
    ("leave", "The owner has not repaired the berth within 14 days."),
    ("tow", "A vessel that blocks a fairway may be towed at once."),
    ("ticket", "A passenger may travel on any ferry of the line."),
    ("flush", "The master shall tell the harbour master within 2 hours."),
    # Limbs are cut such that the meaning changes.
    ("refuse", "The Board may refuse a licence if the applicant has not paid the fine."),
    (
        "refuse",
        "The Board may refuse a licence if the applicant has been convicted of smuggling within 5 years.",
    ),
    ("refuse", "The Board may refuse a licence."),
    ("exempt", "No fee is payable by a vessel unless it discharges cargo."),
    ("exempt", "No fee is payable by a vessel unless it stays for more than 24 hours."),
    ("choice", "The owner of a wreck shall, within 60 days, remove the wreck."),
    ("choice", "The owner of a wreck shall, within 60 days, pay the cost of its removal."),
    ("fees", "An applicant may obtain a permit by giving a plan of the vessel."),
    ("fees", "An applicant may obtain a permit by giving the fee set out in Schedule 2."),
    ("fees", "An applicant may obtain a permit by giving proof of insurance for not less than $200,000."),
    ("deep", "The Board may grant a licence to an applicant who holds a certificate."),
    ("deep", "The Board may grant a licence to an applicant who is 18 years of age or older."),
    # The opening words of a list are missing.
    ("duties", "Keep a log of every mooring."),
    ("duties", "(b) test each lamp once in every 30 days."),
    ("duties", "Report a loss of more than $5,000 to the Minister."),
    ("forbidden", "Light a fire on a pontoon."),
    ("forbidden", "Cast off another's vessel."),
    ("cancel", "The holder lends the licence to another person."),
    ("penalty", "If the person is an individual, to a fine of not more than $2,000."),
    # The negation stands outside the quotation.
    ("forbidden", "Person shall light a fire on a pontoon."),
    ("neither", "The mate shall drink while on duty."),
    ("ticket", "A child under 8 years of age may."),
    ("exempt", "Fee is payable by a vessel."),
    # The scope of a definition is dropped, or its exclusion.
    ("terms", "“Berth” means a marked length of quay, but does not include a slipway."),
    ("terms", "In this Part, “berth” means a marked length of quay."),
    ("terms", "“Line” means a ferry service licensed under section 3."),
    ("terms", "“Vessel” includes a raft."),
    # The flush text after a list is dropped.
    ("flush", "Where a vessel sinks at its berth."),
    # A sentence that another limits, or that refers to another.
    ("pair", "The Minister may inspect a ferry."),
    ("pair", "The master shall give the inspector every help."),
    ("rules", "The holder may not sublet the berth."),
    ("rules", "The berth must be used at least once in 12 months."),
    ("other", "A deckhand shall hold a certificate."),
    ("penalty", "A person who contravenes section 15 is liable."),
    ("plain", "A ticket is valid."),
    ("section", "A raft may moor free of charge."),
    ("range", "A dinghy may land at a quay."),
    ("range", "A dinghy may stay for 2 hours."),
    ("who", "The Board may license a person who must own a boat."),
    ("tail", "A pilot may leave the port, if the harbour master consents."),
    ("tail", "A pilot may leave the port."),
    ("place", "A market is a place where goods are sold."),
    ("contrary", "A skipper may sail on Sundays."),
    ("either", "A holder shall pay the fee."),
    ("either", "A holder shall give up the berth."),
    ("both", "A mate shall not drink."),
    ("use", "Lawful use means use if the vessel is lit."),
    ("waived", "A fee is waived if no vessel sinks."),
]  # fmt: skip

WHOLE = [
    ("rent", TEXTS["rent"]),
    ("rent", TEXTS["rent"].removeprefix("5 (1) ")),
    ("leave", TEXTS["leave"].removeprefix("6 ")),
    ("tow", TEXTS["tow"].removeprefix("8 ")),
    ("ticket", "Subject to subsection (3), a passenger may travel on any ferry of the line."),
    ("ticket", "A passenger shall show the ticket when asked."),
    ("ticket", "(2) A passenger shall show the ticket when asked."),
    ("duties", TEXTS["duties"]),
    ("duties", TEXTS["duties"].replace("\n", " ").removeprefix("11 (1) ")),
    ("duties", "The harbour master shall keep a log of every mooring."),
    ("duties", "The harbour master shall, (b) test each lamp once in every 30 days."),
    ("duties", "The harbour master shall report a loss of more than $5,000 to the Minister."),
    ("cancel", "The Board may cancel a licence if the holder moors without a lamp."),
    ("cancel", "The Board may cancel a licence if the holder lends the licence to another person."),
    ("exempt", TEXTS["exempt"].removeprefix("13 ")),
    ("choice", TEXTS["choice"].removeprefix("14 ")),
    ("forbidden", "No person shall light a fire on a pontoon."),
    ("forbidden", "No person shall cast off another’s vessel."),
    (
        "flush",
        "Where a vessel sinks at its berth, the master shall tell the harbour master within 2 hours.",
    ),
    (
        "terms",
        "In this Part, “berth” means a marked length of quay, but does not include a slipway.",
    ),
    ("terms", 'In this Part, "vessel" includes a raft.'),
    ("fees", TEXTS["fees"].removeprefix("17 (1) ")),
    ("plain", "A ticket is valid for one year."),
    ("plain", "a ticket is valid for one year"),
    ("plain", "A\u00a0ticket is va\u00adlid for\n  one year."),
    ("plain", "Under section 19, a ticket is valid for one year."),
    ("plain", "Section 19 provides that a ticket is valid for one year."),
    ("plain", "Section 19 of the Ferry Moorings Act, 2024 states: “A ticket is valid for one year.”"),
    ("plain", "According to s. 19 of the Ferry Moorings Act, a ticket is valid for one year."),
    ("ticket", "Section 9(2) provides that a passenger shall show the ticket when asked."),
    ("ticket", "Subsection (2) provides that a passenger shall show the ticket when asked."),
    ("ticket", "Under subsection 9 (2), a passenger shall show the ticket when asked."),
    ("close", "Section 10(1) provides that a ferry may sail at night."),
    ("close", "Subsection (1) does not apply to a ferry that carries livestock."),
    ("section", "Section 28(1) provides that a raft may moor free of charge."),
    ("range", "Despite subsections (1) to (2), no dinghy may land during a race."),
    ("contrary", TEXTS["contrary"].partition(" ")[2]),
    ("only", TEXTS["only"].removeprefix("20 (1) ")),
    (
        "penalty",
        "A person who contravenes section 15 is liable, if the person is an individual, to a fine of not more than $2,000.",
    ),
    ("deep", "The Board may attach conditions to the licence."),
    (
        "deep",
        "The Board may grant a licence to an applicant who is 18 years of age or older, and holds a certificate.",
    ),
    ("neither", TEXTS["neither"].removeprefix("27 ")),
]  # fmt: skip


@pytest.mark.parametrize(("name", "sentence"), TRUNCATIONS, ids=[s for _, s in TRUNCATIONS])
def test_words_cut_out_of_a_clause_are_refused(name: str, sentence: str) -> None:
    """An exact substring, or a limb without the others, is no statement of the law."""
    found = quote(sentence, [evidence(name)])
    assert isinstance(found, Objection)


def test_the_table_of_truncations_is_large_enough() -> None:
    """At least forty, most of them exact words of the law in one piece."""
    assert len(TRUNCATIONS) >= 40
    named = [quote(sentence, [evidence(name)]) for name, sentence in TRUNCATIONS]
    cut = [one for one in named if isinstance(one, Objection) and one.reason is Reason.TRUNCATED]
    assert len(cut) >= 30


@pytest.mark.parametrize(("name", "sentence"), WHOLE, ids=[s for _, s in WHOLE])
def test_a_whole_clause_is_a_quotation(name: str, sentence: str) -> None:
    """With or without its printed number, and with a lead-in that names its own section."""
    found = quote(sentence, [evidence(name)])
    assert not isinstance(found, Objection), found
    (span,) = found
    assert span.passage == name
    words = TEXTS[name][span.start : span.end]
    assert words.split()[-1].strip(".,;") in sentence


@pytest.mark.parametrize(
    ("name", "sentence", "reason"),
    [
        ("plain", "Under section 20, a ticket is valid for one year.", Reason.WRONG_SECTION),
        ("plain", "Section 19(2) provides that a ticket is valid for one year.", Reason.WRONG_SECTION),
        ("ticket", "Section 9(3) provides that a passenger shall show the ticket when asked.", Reason.WRONG_SECTION),
        ("plain", "Section 19 of the Harbour Act provides that a ticket is valid for one year.", Reason.WRONG_SECTION),
        ("close", "A ferry may sail at night.", Reason.LIMITED_ELSEWHERE),
        ("close", "Section 10 provides that a ferry may sail at night.", Reason.LIMITED_ELSEWHERE),
        ("plain", "A TICKET is valid for one year.", Reason.NOT_QUOTED),
        ("plain", "A ticket is valid for one-year.", Reason.NOT_QUOTED),
        ("plain", "A ticket is valid for one year?", Reason.NOT_QUOTED),
        ("plain", "A ticket is valid for two years.", Reason.NOT_QUOTED),
        ("plain", "It is false that a ticket is valid for one year.", Reason.NOT_QUOTED),
        ("plain", "A ticket is valid for one year. It is transferable.", Reason.NOT_QUOTED),
        ("duties", "The harbour master shall, (b) keep a log of every mooring.", Reason.NOT_QUOTED),
    ],
)  # fmt: skip
def test_what_is_no_quotation_says_why(name: str, sentence: str, reason: Reason) -> None:
    """Another section, another case, other words, or a limit elsewhere: each has its own reason."""
    found = quote(sentence, [evidence(name)])
    assert isinstance(found, Objection)
    assert found.reason is reason


def test_a_window_of_the_law_is_quoted_only_where_its_edges_are_the_laws_own() -> None:
    """A passage that begins or ends inside a provision has no whole clause at that edge."""
    text = "30 (1) A raft is a vessel.\n(2) A raft shall carry a lamp."
    first, second = "A raft is a vessel.", "A raft shall carry a lamp."
    for starts, ends, whole in (
        (True, True, [first, second]),
        (True, False, [first]),
        (False, True, [second]),
        (False, False, []),
    ):
        passage = evidence("plain", text=text, section="30", starts=starts, ends=ends)
        quoted = [
            one for one in (first, second) if not isinstance(quote(one, [passage]), Objection)
        ]
        assert quoted == whole


def test_a_passage_that_stops_without_an_end_is_not_quoted() -> None:
    """A window that ends in the middle of a sentence shows it by its missing full stop."""
    cut = evidence("plain", text="19 A ticket is valid for one year", section="19")
    assert isinstance(quote("A ticket is valid for one year.", [cut]), Objection)


def test_law_on_one_line_is_quoted_as_a_whole_or_not_at_all() -> None:
    """Numbers inside a line make no outline: a limb is no clause, the provision is."""
    line = TEXTS["refuse"].replace("\n", " ")
    passage = evidence("refuse", text=line)
    assert isinstance(quote(TRUNCATIONS[17][1], [passage]), Objection)
    assert not isinstance(quote(line.removeprefix("12 (1) "), [passage]), Objection)


def test_french_law_is_quoted_whole_or_not_at_all() -> None:
    """No rule for parts knows its words, so a sentence of two may hide the other's "sauf"."""
    text = "5 (1) Le droit est de 5 $. Sauf avis contraire, il est exigible en mai."
    passage = evidence("plain", text=text, section="5", document="ca-on/statute/26f92@fr")
    assert isinstance(quote("Le droit est de 5 $.", [passage]), Objection)
    assert not isinstance(quote(text.removeprefix("5 (1) "), [passage]), Objection)
    limited = "5 (1) Le droit est de 5 $.\n(2) Le paragraphe (1) ne s'applique pas aux radeaux."
    passage = evidence("plain", text=limited, section="5", document="ca-on/statute/26f92@fr")
    found = quote("Le droit est de 5 $.", [passage])
    assert isinstance(found, Objection)
    assert found.reason is Reason.LIMITED_ELSEWHERE


def test_headings_between_provisions_are_no_words_of_the_law() -> None:
    """Passages may keep headnotes; a line that could be a rule is never taken for one."""
    text = "Tickets\n19 (1) A ticket is valid for one year.\nSame, rafts\n(2) A raft needs none."
    passage = evidence("plain", text=text)
    assert not isinstance(quote("A ticket is valid for one year.", [passage]), Objection)
    assert not isinstance(quote("Under section 19(2), a raft needs none.", [passage]), Objection)
    assert isinstance(quote("A raft needs none. Same, rafts.", [passage]), Objection)
    rule = "19 (1) A ticket is valid for one year.\nUnless it is torn\n(2) A raft needs none."
    found = quote("A ticket is valid for one year.", [evidence("plain", text=rule)])
    assert isinstance(found, Objection)


def test_the_law_itself_may_begin_like_a_lead_in() -> None:
    passage = evidence("plain", text="4 Under section 19, a pilot shall ring the bell.")
    assert not isinstance(
        quote("Under section 19, a pilot shall ring the bell.", [passage]), Objection
    )
    assert isinstance(quote("Under section 20, a pilot shall ring the bell.", [passage]), Objection)


def test_a_list_that_is_given_whole_has_no_items_left_out() -> None:
    """At the edge of a window it is no clause, but nothing of it is left out."""
    text = "4 A pilot shall,\n(a) ring the bell; and\n(b) light a lamp."
    passage = evidence("plain", text=text, ends=False)
    found = quote("A pilot shall ring the bell; and light a lamp.", [passage])
    assert isinstance(found, Objection)
    assert found.reason is Reason.NOT_QUOTED
    found = quote("A pilot shall light a lamp.", [passage])
    assert isinstance(found, Objection)
    assert found.reason is Reason.TRUNCATED


def test_leave_not_to_do_something_is_no_prohibition() -> None:
    text = "4 A pilot may,\n(a) not ring the bell; and\n(b) not light a lamp."
    found = quote("A pilot may not ring the bell.", [evidence("plain", text=text)])
    assert isinstance(found, Objection)


COSTS = (
    "42 (1) Each side bears its own costs, unless the Board orders otherwise.\n"
    "(2) A side shall pay within 30 days."
)
FRAMED = [
    "**A side shall pay within 30 days.**",
    "*A side shall pay within 30 days*.",
    "***A side shall pay within 30 days.***",
    "A side shall pay within 30 days (s. 42).",
    "A side shall pay within 30 days (s. 42(2)).",
    "A side shall pay within 30 days. (section 42 (2) of the Harbours Act, 2003)",
]
NOT_FRAMED = [
    ("A side shall pay within 30 days (s. 43).", Reason.WRONG_SECTION),
    ("A side shall pay within 30 days (s. 42(1)).", Reason.WRONG_SECTION),
    ("A side shall pay within 30 days (s. 42 of the Ferries Act).", Reason.WRONG_SECTION),
    ("A side shall pay within **30** days.", Reason.NOT_QUOTED),
    ("A side **shall* pay within 30 days.", Reason.NOT_QUOTED),
    ("**Each side bears its own costs.**", Reason.TRUNCATED),
    ("Each side bears its own costs (s. 42).", Reason.TRUNCATED),
]


@pytest.mark.parametrize("sentence", FRAMED)
def test_emphasis_around_it_and_its_own_source_behind_it_are_no_words(sentence):
    passage = evidence("plain", text=COSTS, section="42", title="Harbours Act, 2003")
    assert not isinstance(quote(sentence, [passage]), Objection)


@pytest.mark.parametrize(("sentence", "reason"), NOT_FRAMED)
def test_another_source_and_emphasis_inside_are_not_overlooked(sentence, reason):
    passage = evidence("plain", text=COSTS, section="42", title="Harbours Act, 2003")
    found = quote(sentence, [passage])
    assert isinstance(found, Objection)
    assert found.reason is reason


def test_a_source_behind_does_not_stand_for_saying_that_this_is_what_it_alone_provides():
    text = "42 (1) A ferry may sail at night.\n(2) Subsection (1) does not apply to a raft ferry."
    passage = evidence("plain", text=text, section="42")
    found = quote("A ferry may sail at night (s. 42(1)).", [passage])
    assert isinstance(found, Objection)
    assert found.reason is Reason.LIMITED_ELSEWHERE


def test_what_is_missing_is_told():
    passage = evidence("plain", text=COSTS, section="42")
    found = quote("Each side bears its own costs.", [passage])
    assert "it goes on ', unless the Board orders otherwise'" in found.detail
    found = quote("bears its own costs, unless the Board orders otherwise", [passage])
    assert "it begins 'Each side'" in found.detail
