"""A passage that ends with headings of provisions whose text ingestion lost."""

from __future__ import annotations

import pytest

from corpusguard.layers import Inputs, check_document
from corpusguard.model import (
    Channel,
    Context,
    DocumentSpec,
    Identity,
    Kind,
    Passage,
    Provision,
    Reading,
    Rendition,
    Segment,
    Status,
)

ACT = DocumentSpec("ca-on/statute/99z01@en", "Lamp Rooms Act")
LAW = [
    ("1", Channel.HEADNOTE, "Lamps to be trimmed"),
    ("1", Channel.MARKER, "1"),
    ("1", Channel.BODY, "Every keeper shall trim the lamps before dusk."),
    ("2", Channel.HEADNOTE, "Oil to be stored"),
    ("2", Channel.MARKER, "2"),
    ("2", Channel.BODY, "The oil is stored in a dry room behind an iron door."),
    ("3", Channel.HEADNOTE, "Visitors"),
    ("3", Channel.MARKER, "3"),
    ("3", Channel.BODY, "No visitor may enter the lamp room after dusk."),
    ("4", Channel.HEADNOTE, "Doors"),
    ("4", Channel.MARKER, "4"),
    ("4", Channel.BODY, "The keeper locks it at noon."),
    ("5", Channel.HEADNOTE, "Gates"),
    ("5", Channel.MARKER, "5"),
    ("5", Channel.BODY, "The keeper locks it at noon."),
]


def reading():
    text, segments, nodes = "", [], []
    for block, (section, channel, words) in enumerate(LAW):
        text += "\n" if text else ""
        if channel is Channel.HEADNOTE:
            nodes.append((section, words, len(text)))
        segments.append(
            Segment(
                len(text), len(text) + len(words), channel, len(nodes) - 1, Status.IN_FORCE, block
            )
        )
        text += words
    ends = [start for _, _, start in nodes[1:]] + [len(text)]
    provisions = tuple(
        Provision(
            f"sec_{section}",
            Kind.SECTION,
            section,
            section,
            -1,
            section,
            "",
            heading,
            "",
            Status.IN_FORCE,
            Context.BODY,
            start,
            end,
        )
        for (section, heading, start), end in zip(nodes, ends, strict=True)
    )
    return Reading(
        Rendition.PAYLOAD, Identity("Lamp Rooms Act"), text, tuple(segments), provisions, (), ()
    )


def findings(stored, section="1", layer="L1"):
    passage = Passage(0, "a", ACT.id, stored, section=section)
    result = check_document(
        Inputs(document=ACT, corpus="lamps", reading=reading(), passages=[passage], layers=(layer,))
    )
    return [(f.rule, f.severity.value, f.message) for f in result.findings if f.row == 0]


@pytest.mark.parametrize("heads", ["Visitors", "Oil to be stored Visitors"])
def test_headings_that_do_not_follow_are_no_change_of_words(heads):
    """The law is right; what is wrong is named: headings glued to it."""
    (found,) = findings(f"Every keeper shall trim the lamps before dusk. {heads}")

    assert found[:2] == ("CG102", "warning")
    assert "heading" in found[2]
    assert "Visitors" in found[2]


def test_words_that_are_no_heading_stay_a_change_of_words():
    """Only whole headings that the law prints are taken off."""
    (found,) = findings("Every keeper shall trim the lamps before dusk. Lamps are dear")

    assert found[:2] == ("CG101", "error")


def test_a_misfiled_text_with_headings_is_not_a_change_of_words():
    """Text of s. 2 under s. 1 is misfiled, which L3 says; L1 says nothing of its wording."""
    assert (
        findings("The oil is stored in a dry room behind an iron door. Lamps to be trimmed") == []
    )


def test_a_row_of_headings_alone_is_said_to_hold_no_law():
    """A heading of s. 3 under s. 1 is misfiled, and the message does not speak of words of law."""
    (found,) = findings("Visitors", layer="L3")

    assert found[:2] == ("CG203", "error")
    assert "holds no law: only headings" in found[2]


def test_a_text_that_stands_in_two_other_sections_names_both():
    """Which of the two it was taken from can't be told; a reader is sent to both."""
    (found,) = findings("The keeper locks it at noon.", layer="L3")

    assert found[0] == "CG203"
    assert found[2].endswith("its words are those of s. 4 or 5")
