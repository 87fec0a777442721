"""What the gate is given of a window of the law: the provisions that lie in it whole."""

from __future__ import annotations

import json

import pytest

from corpusguard import first_reader
from corpusguard.model import Rendition
from corpusguard.service.provisions import held_whole, whole_provisions
from tests.replica.law import lighthouse_act, section

LAW = lighthouse_act(
    paragraphs=(
        *section("1", "(1) A lamp is lit at dusk.", "Lamps"),
        ("subsection", "(2) A lamp is put out at dawn, unless there is fog."),
        ("section", "<b>2 </b>The warden shall,"),
        ("clause", "(a) trim the wick; and"),
        ("clause", "(b) wipe the glass."),
        *section("3", "A bell is rung in fog.", "Bells"),
    )
)


@pytest.fixture(scope="module")
def reading():
    return first_reader.read(json.dumps(LAW.payload()).encode(), Rendition.PAYLOAD)


def window(reading, first, last):
    """The span from the words ``first`` to the words ``last``."""
    return (reading.text.index(first), reading.text.index(last) + len(last))


def test_every_section_and_subsection_is_a_unit_in_the_lines_of_the_law(reading):
    """The section's number goes with its first subsection; limbs keep their lines."""
    assert [one.text for one in whole_provisions(reading)] == [
        "1 (1) A lamp is lit at dusk.",
        "(2) A lamp is put out at dawn, unless there is fog.",
        "2 The warden shall,\n(a) trim the wick; and\n(b) wipe the glass.",
        "3 A bell is rung in fog.",
    ]


@pytest.mark.parametrize(
    ("first", "last", "held"),
    [
        ("A lamp is lit", "dusk.", ["1 (1) A lamp is lit at dusk."]),
        ("lamp is lit", "dusk.", []),
        ("A lamp is put out", "at dawn", []),
        ("A lamp is lit", "The warden shall,", ["1 (1) A lamp is lit at dusk.", "(2) A lamp is put out at dawn, unless there is fog."]),
        ("trim", "rung in fog.", ["3 A bell is rung in fog."]),
    ],
)  # fmt: skip
def test_a_provision_that_is_cut_at_an_edge_is_left_out(reading, first, last, held):
    """Of each window only what lies in it to the last word."""
    spans = [window(reading, first, last)]
    assert held_whole(whole_provisions(reading), spans) == "\n".join(held)
    assert held_whole(whole_provisions(reading), []) == ""
