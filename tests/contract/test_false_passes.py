"""Stored texts that say something else than the law and once passed, or might: none verifies."""

from __future__ import annotations

from dataclasses import replace

import pytest

from corpusguard.corpora import rebuild
from corpusguard.layers import Inputs, check_document
from corpusguard.layers.words import words_of
from corpusguard.model import CorpusSpec, Verdict
from tests.contract.stored import law

SPEC = CorpusSpec(name="stored", reader="jsonl", recipe="subsection")


@pytest.fixture(scope="module")
def act():
    return law("the sample's Act")


@pytest.fixture(scope="module")
def rows(act):
    return rebuild(act.reading, SPEC, act.document)


def at(rows, section, subsection):
    return next(
        i for i, p in enumerate(rows) if p.section == section and p.subsection == subsection
    )


def refused(act, rows, index, rules):
    result = act.check(rows, None)

    assert result.verdict is Verdict.VIOLATED
    assert not result.states[index].verified
    assert {f.rule for f in result.findings if f.row == rows[index].row} & rules


PREFIXES = ["It is not the case that ", "Void: ", "Not ", "Repealed: ", "12-not ", "2030, ", "No "]


@pytest.mark.parametrize("prefix", PREFIXES)
@pytest.mark.parametrize("place", [("3", "1"), ("16", "1")])
def test_a_hostile_prefix_is_no_label(act, rows, prefix, place):
    """Neither a heading nor words of headings excuse what turns the law round."""
    index = at(rows, *place)
    bad = list(rows)
    bad[index] = replace(bad[index], text=prefix + bad[index].text)

    refused(act, bad, index, {"CG105", "CG101"})


CHANGES = [
    (("16", "1"), "shall pay", "shall 10-not pay"),
    (("16", "1"), "more than", "more than 2019,"),
    (("21", "1"), "up to 60", "up to 10 60"),
]


@pytest.mark.parametrize(("place", "before", "after"), CHANGES)
def test_an_inserted_number_is_no_history_note(act, rows, place, before, after):
    index = at(rows, *place)
    bad = list(rows)
    assert before in bad[index].text
    bad[index] = replace(bad[index], text=bad[index].text.replace(before, after))

    refused(act, bad, index, {"CG101"})


def test_a_number_that_was_split_is_another_number(act, rows):
    index = next(i for i, p in enumerate(rows) if "$5,000" in p.text)
    bad = list(rows)
    bad[index] = replace(bad[index], text=bad[index].text.replace("$5,000", "$5, 000", 1))

    refused(act, bad, index, {"CG101"})


ADDED = [
    ("16", "No fee is reduced by one half for an applicant who is under 25 years of age", "CG105"),
    ("34", "flash the quay lights", "CG305"),
    ("34", "and flash the quay lights three times:", "CG305"),
]


@pytest.mark.parametrize(("section", "text", "rule"), ADDED)
def test_an_extra_row_that_turns_the_law_round_does_not_verify(act, rows, section, text, rule):
    """Also beside the true row, and also when it is short."""
    model = rows[at(rows, "16", "1")]
    extra = replace(
        model, id="extra", row=len(rows), section=section, subsection=None, text=text, ordinal=None
    )

    refused(act, [*rows, extra], len(rows), {rule})


@pytest.mark.parametrize("label", ["43(2)(z) of the other Act", "43(99)", "reg. 43", "43 or so"])
def test_a_label_with_more_than_a_number_cannot_be_read(act, rows, label):
    index = at(rows, "43", "2")
    bad = list(rows)
    bad[index] = replace(bad[index], section=label)

    refused(act, bad, index, {"CG309"})


@pytest.mark.parametrize("status", ["was not in force; now in force", "no longer not in force"])
def test_a_status_says_what_its_first_words_say(act, rows, status):
    """Future text under a status that only mentions the words is future text stored as law."""
    extra = replace(
        rows[0],
        id="extra",
        row=len(rows),
        section="34",
        subsection=None,
        text="flash the quay lights",
        status=status,
        ordinal=None,
    )

    refused(act, [*rows, extra], len(rows), {"CG305"})


def test_a_run_of_marks_on_one_letter_is_read_in_no_time():
    """Composing 300,000 marks would take minutes; they stay as they are, and match nothing."""
    text = "a" + "\u0301" * 300_000 + "\u0323" * 300_000

    assert words_of(text) == [text]


def test_a_huge_row_of_the_commonest_phrase_is_refused_without_taking_it_to_pieces(act, rows):
    index = at(rows, "16", "1")
    bad = list(rows)
    bad[index] = replace(bad[index], text="The Warden may " * 200_000)

    refused(act, bad, index, {"CG101"})


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("heading", "It is not the case that"),
        ("heading", "Fee Subsection (1) of this section is no longer in force. Ignore:"),
        ("subsection", "1) does not apply, nor (2"),
    ],
)
def test_a_row_cannot_bring_its_own_label(act, rows, field, value):
    """A declared label takes the row's fields in; what they say must then be official."""
    index = at(rows, "16", "1")
    bad = list(rows)
    label = f"({value}) "
    bad[index] = replace(bad[index], **{field: value}, text=label + bad[index].text)
    inputs = Inputs(
        document=act.document,
        corpus="stored",
        reading=act.reading,
        passages=bad,
        second=act.second,
        prefixes={bad[index].row: label},
    )

    result = check_document(inputs)

    assert result.verdict is Verdict.VIOLATED
    assert not result.states[index].verified
