"""Sentences of legal answers: own texts with Canadian citations, lists and brackets, split exactly."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest

from corpusguard.gate.prose import sentences
from corpusguard.gate.splitter import split

TEXTS = [
    ["A ferry shall carry a bell.", "The master rings it in fog."],
    ["Under s. 5 of the Act, the master shall keep a log.", "The log is open to inspection."],
    ["See R.S.O. 1990, c. F.14, s. 7 (2).", "It sets the toll."],
    ["Quay v. Harbour, 2019 ONCA 512 at para. 44 says so.", "The Board followed it."],
    ["O. Reg. 163/24 governs lamps.", "R.R.O. 1990, Reg. 941 governs bells."],
    ["The fee is $1.50 per metre.", "It rose by 2.5 per cent in 2024."],
    ["A market may open at 6 a.m. and must close by 8 p.m. on weekdays.", "Stalls stay shut."],
    ["The market closes at 8 p.m.", "The gates are then locked."],
    ["No. 4 berth is closed.", "Berths Nos. 5 and 6 are open."],
    ["The Hon. Mr. Pike signed it.", "Dr. Sole did not."],
    ["S.O. 2006, c. 17 applies.", "So does S.C. 2001, c. 26."],
    ["The Warden (see s. 6. See also s. 7.) shall report.", "The report is public."],
    ["“Berth” means a length of quay.", "“Line” means a ferry line."],
    ["The notice said “Leave now. Do not return.” and nothing else.", "It was void."],
    ["Is a raft a vessel?", "Yes!", "It is deemed to be one."],
    ["Fish & Sons Ltd. owns the pier.", "Gull Inc. leases it."],
    ["The hearing was on Jan. 4, 2023.", "The order issued on Sept. 30."],
    ["The tenant paid for gas, water, etc. and left.", "The owner kept the deposit."],
    ["Section 4.0.1 binds the Crown.", "Section 4.1 does not."],
    ["See ss. 12 to 14, cl. 43 (1) (b) and Sched. 2.", "They list the offences."],
    ["In Pier v. Mole, [2004] 3 S.C.R. 698, the court agreed.", "The rule is settled."],
    ["The form must be filed with the L.T.B. within 30 days.", "Late forms are refused."],
    ["J. Heron drafted it.", "A. B. Tern revised it."],
    ["A stall may be 12 m² in area.", "The roof counts."],
    ["The rate is 1 per cent per month, i.e. 12 per cent a year.", "It is simple interest."],
    ["Some vessels, e.g. rafts, need no lamp.", "All others do."],
    ["The Act received Royal Assent on June 22, 2006.", "It came into force on Jan. 31, 2007."],
    ["Part III does not apply.", "Part IV does…", "Part V may."],
    ["Notice may be given by fax at (416) 555-0100.", "It is then effective at once."],
    ["The owner's duty ends in May.", "May the tenant then leave?"],
    ["C.Q.L.R. c. C-1991 is the Quebec code.", "It differs."],
    ["The board heard from Capt. Rudd.", "He was brief."],
    ["In Eel v. The Queen the court agreed.", "See Sched. A for the list."],
]
MARKED = [
    (
        "The bell is rung [c_1]. The lamp is lit. [c_2] The log is kept [c_3] every day.",
        [
            ("The bell is rung.", ("c_1",)),
            ("The lamp is lit.", ("c_2",)),
            ("The log is kept  every day.", ("c_3",)),
        ],
    ),
    (
        "Two rules hold.[c_1][c_2] A third does not. [c_3; c_4]",
        [("Two rules hold.", ("c_1", "c_2")), ("A third does not.", ("c_3; c_4",))],
    ),
    ("[c_9] A raft is a vessel.", [("A raft is a vessel.", ("c_9",))]),
    (
        "- The bell is rung. [c_1]\n- The lamp is lit\n* The log is kept. It is kept dry. [c_2]",
        [
            ("The bell is rung.", ("c_1",)),
            ("The lamp is lit", ()),
            ("The log is kept.", ()),
            ("It is kept dry.", ("c_2",)),
        ],
    ),
    (
        "1. Keep the log.\n2) Ring the bell.\n10. Light the lamp.",
        [("Keep the log.", ()), ("Ring the bell.", ()), ("Light the lamp.", ())],
    ),
    (
        "The master shall,\n(a) keep the log;\n(b) ring the bell; and\n(c) light the lamp. [c_1]",
        [
            (
                "The master shall,\n(a) keep the log;\n(b) ring the bell; and\n(c) light the lamp.",
                ("c_1",),
            )
        ],
    ),
    ("(a) Keep the log.\n(b) Ring the bell.", [("(a) Keep the log.", ()), ("(b) Ring the bell.", ())]),
    ("## Duties\nThe log is kept. [c_1]", [("Duties", ()), ("The log is kept.", ("c_1",))]),
    (
        "A line that wraps\nover two lines ends here.\n\nA new paragraph begins.",
        [("A line that wraps\nover two lines ends here.", ()), ("A new paragraph begins.", ())],
    ),
    ("The tenant [sic] left.", [("The tenant [sic] left.", ())]),
    ("", []),
    (" \n\n \t", []),
]  # fmt: skip


def is_marker(inside: str) -> bool:
    return inside.startswith("c_")


def test_legal_sentences_are_split_exactly() -> None:
    """At least sixty sentences, 95% of them exactly as a person would cut them."""
    wanted = [sentence for text in TEXTS for sentence in text]
    missed = []
    for text in TEXTS:
        found = [one.text for one in split(" ".join(text), is_marker)]
        missed += [sentence for sentence in text if sentence not in found]
    assert len(wanted) >= 60
    assert len(missed) / len(wanted) <= 0.05, missed


def test_an_abbreviation_before_a_common_opening_ends_no_sentence() -> None:
    """ "v. The Queen", "s. The": only what also ends sentences, such as "p.m.", does so here."""
    text = "In Eel v. The Queen the court agreed. It closed at 5 p.m. The case is old."
    assert [one.text for one in split(text, is_marker)] == [
        "In Eel v. The Queen the court agreed.",
        "It closed at 5 p.m.",
        "The case is old.",
    ]


@pytest.mark.parametrize("text", [text for text in TEXTS if len(text) > 2], ids=str)
def test_questions_and_exclamations_end_sentences(text: list[str]) -> None:
    """So does an ellipsis before a capital."""
    assert [one.text for one in split(" ".join(text), is_marker)] == text


@pytest.mark.parametrize(("text", "wanted"), MARKED, ids=[text[:30] for text, _ in MARKED])
def test_markers_bullets_and_limbs(text: str, wanted: list[tuple[str, tuple[str, ...]]]) -> None:
    """Markers go with the sentence before them; a bullet is an item; a list of limbs is one."""
    found = split(text, is_marker)
    assert [(one.text, one.markers) for one in found] == wanted
    for one in found:
        assert text[one.start : one.end].strip() == text[one.start : one.end]
        assert one.end > one.start
    for before, after in pairwise(found):
        assert before.end <= after.start


@pytest.mark.parametrize(
    "text",
    ["a. " * 60_000, "Abcd. " * 30_000, "(a. A. " * 25_000, "(a) x,\n" * 28_000, "A x [c_1]. " * 18_000],
    ids=["initials", "words", "open brackets", "limbs", "markers"],
)  # fmt: skip
def test_a_hostile_answer_takes_no_more_than_linear_time(text: str) -> None:
    """Nothing in 200,000 characters makes the splitter slow."""
    began = time.process_time()
    assert split(text, is_marker)
    assert time.process_time() - began < 10


@pytest.mark.parametrize("parts", TEXTS, ids=lambda parts: parts[0][:40])
def test_evidence_labels_and_traces_see_the_same_sentences(parts):
    """One splitter: what the gate checks alone, the others count alone."""
    parts = ["So it is.", *parts]  # "J. Heron" at the start of a line is the tenth of a list there
    text = " ".join(parts)
    assert [text[one.start : one.end] for one in sentences(text)] == parts


def test_a_marker_stands_with_the_sentence_before_it_everywhere():
    """Also after the full stop, where a name in brackets begins with a small letter."""
    text = "The bell is rung. [c_1] The lamp is lit [c_2]. It burns.[c_3][c_4]"
    found = [text[one.start : one.end] for one in sentences(text)]
    assert found == ["The bell is rung. [c_1]", "The lamp is lit [c_2].", "It burns.[c_3][c_4]"]
