"""A corpus ingested by a faulty reader agrees with that reader. Another reader must tell.

Each fault is put into the first reader alone: into the markup before it reads, or into the reading
that it gives. The corpus is then ingested from the faulty reading and verified with the same faulty
reading and an honest second one. L1 has nothing to compare but the reader with itself, and finds
nothing; what L2 and L3 find is written beside each fault, so that the table shows what each layer
sees that the other does not.
"""

from __future__ import annotations

import copy
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pytest

from corpusguard import first_reader, second_reader
from corpusguard.corpora import rebuild
from corpusguard.layers import Inputs, check_document
from corpusguard.model import (
    Channel,
    CorpusSpec,
    DocumentSpec,
    Reading,
    Rendition,
    Severity,
    Status,
    Verdict,
)
from tests.contract.facts import p

if TYPE_CHECKING:
    from collections.abc import Callable

LAW = [
    p("partnum", "Part I <br> Lanterns"),
    p("headnote", "Definitions"),
    p("section", "<b>1 </b>(1) In this Act,"),
    p("definition", "“keeper” means a person who tends a lantern and includes,"),
    p("clause", "(a) a deputy keeper, and"),
    p("clause", "(b) a person who holds a spare key,"),
    p("definition", "but does not include a visitor; (“gardien”)"),
    p(
        "definition",
        "“lantern” means a <b>closed</b> lamp of <span>brass or</span> tin. (“lanterne”)",
    ),
    p("headnote", "Same"),
    p("subsection", "(2) A lantern that is broken is not a lantern."),
    p("headnote", "Duty to light"),
    p("section", "<b>2 </b>(1) A keeper shall light each lantern at dusk.  2031, c. 7, s. 2 (1)."),
    p("headnote", "Rain"),
    p("subsection", "(2) Subsection (1) does not apply in heavy rain."),
    p("footnoteLeft", "Section Amendments with date in force (d/m/y)"),
    p("footnoteLeft", "2032, c. 4, s. 9 - 01/07/2032"),
    p("headnote", "Oil"),
    p("section", "<b>3 </b>A keeper shall use the oil that is set out below:"),
    (
        '<table><tr><td><p class="table">Harbour</p></td><td><p class="table">Whale-free oil</p>'
        '<p class="table">at most 3 litres a night</p></td></tr></table>'
    ),
    p("section", "<b>4, 5 </b>Repealed: 2033, c. 1, s. 2."),
    p("headnote", "Fee"),
    p("section", "<b>6 </b>(1) The fee for a lantern is the amount calculated as follows:"),
    p("equationind1", "A × B"),
    p("Ssubsection", "where A is the height of the lantern and B is 4 dollars for each metre."),
    p("headnote", "Payment"),
    p("subsection", "(2) The fee is due on the first day <br> of each month."),
    p("Pnote", "Note: On a day to be named, section 6 is amended by adding the following:"),
    p("Yheadnote", "Late payment"),
    p("Ysubsection", "(3) A keeper who pays late shall pay 2 dollars more."),
    p("section", "<b>6.1-9 </b>Repealed: 2033, c. 1, s. 3."),
    p("section", "<b>9.1, 9.2, 9.4 </b>Repealed: 2033, c. 1, s. 4."),
    p("headnote", "Offence"),
    p("section", "<b>10 </b>A person who puts out a lantern that is not broken is guilty of it."),
    p("headnote", "Another offence"),
    p("section", "<b>10 </b>A person who takes a lantern away from a quay is guilty as well."),
    p("headnote", "Regulations"),
    p("section", "<b>11 </b>The Keeper General may make regulations about wicks."),
    p("schedule", "Schedule 1 <br> Wicks"),
    p("section", "<b>1 </b>A wick is cut to 2 centimetres."),
    p("section", "<b>2 </b>A wick is dry."),
]
DOCUMENT = DocumentSpec("ca-on/statute/31l07@en", "Lantern Keeping Act, 2031")
CORPUS = CorpusSpec("stored", "jsonl", recipe="section")
Markup = list[str]


def wrapped(paragraphs):
    return ('<div class="WordSection1">' + "\r \n".join(paragraphs) + "</div>").encode()


def read(paragraphs) -> Reading:
    return first_reader.read(wrapped(paragraphs), Rendition.CONTENT)


def honest() -> dict[str, Any]:
    return second_reader.read(wrapped(LAW), "content")


def verify(reading, second, layers=("L1", "L2", "L3"), recipe="section"):
    """Ingest from a reading, and verify with it: as a product with one parser would."""
    stored = rebuild(reading, replace(CORPUS, recipe=recipe), DOCUMENT)
    return check_document(
        Inputs(
            DOCUMENT,
            "stored",
            reading,
            stored,
            second=second,
            layers=layers,
            expected=(stored, stored),
        )
    )


def rules(result, layer):
    return {f.rule for f in result.findings if f.layer is not None and f.layer.value == layer}


# -- faults in the markup that the reader sees ----------------------------------------------------


def at(phrase):
    """Index of the paragraph that holds a phrase; the fault would be none if it were not there."""
    return next(i for i, paragraph in enumerate(LAW) if phrase in paragraph)


def without(*phrases):
    gone = {at(phrase) for phrase in phrases}
    return [paragraph for i, paragraph in enumerate(LAW) if i not in gone]


def substituted(pattern, replacement):
    changed = [re.sub(pattern, replacement, paragraph) for paragraph in LAW]
    assert changed != LAW
    return changed


def swapped(a, b):
    """Sections a and b with their headnotes change places."""
    one, two = at(a), at(b)
    return [
        *LAW[:one],
        *LAW[two : two + 2],
        *LAW[one + 2 : two],
        *LAW[one : one + 2],
        *LAW[two + 2 :],
    ]


# -- faults in the reading -----------------------------------------------------------------------


def resegmented(choose, **changes):
    """The honest reading with other attributes of the segments that are chosen by their text."""
    reading = read(LAW)
    segments = [
        replace(s, **changes) if choose(s, reading.text[s.start : s.end]) else s
        for s in reading.segments
    ]
    assert segments != list(reading.segments)
    return replace(reading, segments=tuple(segments))


def subsection_in_the_section_before():
    """Subsection 2 (2) hangs from section 1."""
    reading = read(LAW)
    before = next(i for i, n in enumerate(reading.provisions) if n.pid == "sec_1")
    provisions = [
        replace(n, section="1", parent=before) if n.pid == "sec_2__subsec_2" else n
        for n in reading.provisions
    ]
    assert provisions != list(reading.provisions)
    return replace(reading, provisions=tuple(provisions))


def headnotes_one_late():
    """Each marginal note goes to the opener after the one that it stands above."""
    reading = read(LAW)
    owners = [i for i, n in enumerate(reading.provisions) if n.heading and n.section and n.label]
    notes = [n.heading for n in reading.provisions]
    moved = dict(zip(owners, [owners[-1], *owners[:-1]], strict=True))
    late = {here: there for there, here in moved.items()}
    return replace(
        reading,
        provisions=tuple(
            replace(n, heading=notes[moved[i]]) if i in moved else n
            for i, n in enumerate(reading.provisions)
        ),
        segments=tuple(
            replace(s, provision=late.get(s.provision, s.provision))
            if s.channel is Channel.HEADNOTE
            else s
            for s in reading.segments
        ),
    )


@dataclass(frozen=True)
class Fault:
    """What is wrong with the first reader, and what must notice."""

    make: Callable[[], Reading]
    l2: set[str]
    l3: set[str]
    severity: Severity = Severity.ERROR
    """Of the worst finding of L2 and L3: what is no part of the law is a warning."""
    recipe: str = "section"


FAULTS = {}
# What L2 alone can see is wording, order, channel, status and place of every word; what L3 adds is
# the number of a section that is lost, and that is all it can see of a reader's faults: where both
# the text and the reader that it is compared with lack a word, coverage is complete.


@pytest.fixture(scope="module")
def second():
    return honest()


def test_the_honest_pair_finds_nothing_but_the_duplicate_number(second):
    """Without a fault the duplicate section is an anomaly, and there is nothing else."""
    result = verify(read(LAW), second)

    assert {(f.rule, f.severity.value) for f in result.findings} == {("CG508", "warning")}
    assert result.verdict is Verdict.VERIFIED
    assert result.coverage.covered == result.coverage.words


FAULTS |= {
    "stops at an opener that it cannot match": Fault(
        lambda: read(LAW[: at("4, 5 ")]), {"CG204"}, {"CG301", "CG308"}
    ),
    "skips tables": Fault(lambda: read(without("<table>")), {"CG204"}, set()),
    "drops the last paragraph": Fault(lambda: read(LAW[:-1]), {"CG204"}, {"CG301", "CG308"}),
    "takes future text for law": Fault(
        lambda: read(substituted('class="Y', 'class="')), {"CG204"}, set()
    ),
    "loses the continuation of a definition": Fault(
        lambda: read(without("but does not include")), {"CG201", "CG204"}, set()
    ),
    "merges a number that comes twice": Fault(
        lambda: read(substituted("<b>10 </b>A person who takes", "A person who takes")),
        {"CG204"},
        {"CG308"},
    ),
    "keeps the last of a number that comes twice": Fault(
        lambda: read(without("puts out a lantern")), {"CG204"}, {"CG308"}
    ),
    "joins words at spans": Fault(
        lambda: read(substituted(" (<span>.*?</span>) ", r"\1")), {"CG201", "CG204"}, set()
    ),
    "drops flush text": Fault(lambda: read(without("where A is")), {"CG201", "CG204"}, set()),
    "drops the amendments of sections": Fault(
        lambda: read(without("Section Amendments", "01/07/2032")),
        {"CG204"},
        set(),
        Severity.WARNING,
    ),
    "gives marginal notes to the next opener": Fault(
        headnotes_one_late, {"CG204"}, set(), Severity.WARNING
    ),
    "takes the first number of a list of sections": Fault(
        lambda: read(substituted("<b>4, 5 </b>", "<b>4 </b>")),
        {"CG201", "CG204"},
        {"CG301", "CG308"},
    ),
    "takes the first number of a range": Fault(
        lambda: read(substituted("6.1-9", "6.1")), {"CG201", "CG204"}, {"CG301", "CG308"}
    ),
    "gives a subsection to the section before": Fault(
        subsection_in_the_section_before, {"CG202", "CG204"}, set(), recipe="subsection"
    ),
    "drops text after a line break": Fault(
        lambda: read(substituted(" <br> of each month.", "")), {"CG204"}, set()
    ),
    "reads the first paragraph of a cell": Fault(
        lambda: read(substituted('<p class="table">at most 3 litres a night</p>', "")),
        {"CG204"},
        set(),
    ),
    "strips all numbers of subsections and clauses": Fault(
        lambda: read(substituted(r'(?<=[">])\(\w\) ', "")), {"CG204"}, set()
    ),
    "swaps two sections": Fault(
        lambda: read(swapped(">Offence<", ">Regulations<")), {"CG204"}, set()
    ),
    "takes law for an amendment note": Fault(
        lambda: resegmented(lambda _, text: "heavy rain" in text, channel=Channel.HISTORY),
        {"CG204"},
        set(),
    ),
    "takes law for future text": Fault(
        lambda: resegmented(lambda _, text: "heavy rain" in text, status=Status.NOT_IN_FORCE),
        {"CG204"},
        set(),
    ),
    "drops a word": Fault(
        lambda: read(substituted("does not apply", "does apply")), {"CG201", "CG204"}, set()
    ),
    "glues a schedule to the body": Fault(
        lambda: read(without("Schedule 1")), {"CG204"}, {"CG301", "CG308"}
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_another_reader_tells(name, second):
    """L1 verifies the faulty reader's corpus; L2 and L3 find the fault."""
    fault = FAULTS[name]
    reading = fault.make()

    alone = verify(reading, None, ("L1",), fault.recipe)
    whole = verify(reading, second, recipe=fault.recipe)
    found = [f for f in whole.findings if f.layer is not None]

    assert alone.verdict is Verdict.VERIFIED
    assert rules(alone, "L1") == set()
    assert (rules(whole, "L1"), rules(whole, "L2"), rules(whole, "L3")) == (
        set(),
        fault.l2,
        fault.l3,
    )
    assert any(f.severity is fault.severity for f in found)
    if fault.severity is Severity.ERROR:
        assert whole.verdict is Verdict.VIOLATED


# -- a list that the publisher prints -------------------------------------------------------------


@pytest.mark.parametrize(
    ("printed", "locator"),
    [("9.1, 9.2, 9.4", "9.1, 9.2, 9.4"), ("<b>10 </b>A person who takes", "10~2")],
)
def test_every_locator_that_a_recipe_emits_can_be_claimed(printed, locator, second):
    """Three numbers in one opener, or a number that comes twice: emitted, and read back."""
    reading = read(LAW)
    stored = rebuild(reading, CORPUS, DOCUMENT)

    assert any(printed in paragraph for paragraph in LAW)
    assert locator in {one.section for one in stored}
    assert not [f for f in verify(reading, second).findings if f.rule in {"CG302", "CG309"}]


# -- faults of the second reader ------------------------------------------------------------------


def lost_block(answer):
    """It drops a paragraph."""
    del answer["blocks"][block(answer, "wicks")]
    for section in answer["sections"]:
        section["block"] -= section["block"] > block(honest(), "wicks")


def other_word(answer):
    """It reads another word."""
    reworded(answer, "heavy rain", "light rain")


def other_section(answer):
    """It files a subsection under the section before."""
    place = block(answer, "heavy rain")
    answer["blocks"][place] = ("1", *answer["blocks"][place][1:])


def other_status(answer):
    """It takes law for future text."""
    place = block(answer, "heavy rain")
    section, _, runs = answer["blocks"][place]
    answer["blocks"][place] = (section, "not_in_force", runs)


def other_role(answer):
    """It takes law for an editorial note."""
    place = block(answer, "heavy rain")
    section, status, runs = answer["blocks"][place]
    answer["blocks"][place] = (section, status, [("note", text) for _, text in runs])


def other_order(answer):
    """It swaps two paragraphs."""
    a, b = block(answer, "a deputy keeper"), block(answer, "a spare key")
    blocks = answer["blocks"]
    blocks[a], blocks[b] = blocks[b], blocks[a]


def lost_number(answer):
    """It has a section's words, but not the section in its inventory."""
    answer["sections"] = [one for one in answer["sections"] if one["number"] != "3"]


def invented_number(answer):
    """Its inventory has a section that is nowhere."""
    answer["sections"].append({**answer["sections"][2], "number": "77", "covers": ["77"]})


def lost_everything(answer):
    """It reads nothing."""
    answer["blocks"], answer["sections"] = [], []


def block(answer, phrase):
    return next(
        i for i, (_, _, runs) in enumerate(answer["blocks"]) if any(phrase in t for _, t in runs)
    )


def reworded(answer, old, new):
    place = block(answer, old)
    section, status, runs = answer["blocks"][place]
    changed = [(role, text.replace(old, new)) for role, text in runs]
    answer["blocks"][place] = (section, status, changed)


@pytest.mark.parametrize(
    ("spoil", "expected"),
    [
        (lost_block, {"CG204"}),
        (other_word, {"CG204"}),
        (other_section, {"CG204"}),
        (other_status, {"CG204"}),
        (other_role, {"CG204"}),
        (other_order, {"CG204"}),
        (lost_number, {"CG308"}),
        (invented_number, {"CG308"}),
        (lost_everything, {"CG204", "CG308"}),
    ],
)
def test_a_faulty_second_reader_is_no_pass(spoil, expected, second):
    """The readers check each other: a sound corpus does not pass when the witness is wrong."""
    answer = copy.deepcopy(second)
    spoil(answer)
    assert answer != second

    result = verify(read(LAW), answer)

    assert result.verdict is Verdict.VIOLATED
    assert expected <= {f.rule for f in result.findings}
    assert expected & {f.rule for f in result.findings if f.severity is Severity.ERROR}
    assert rules(result, "L1") == set()
