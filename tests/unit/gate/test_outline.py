"""What the lines of a passage are is never guessed in favour of a shorter provision."""

from __future__ import annotations

import pytest

from corpusguard.gate.model import Objection
from corpusguard.gate.quote import quote
from tests.unit.gate.law import TITLE, evidence

CUT = [
    # Law without numbers is one provision, however many lines it has.
    ("A ferry may sail at night.\nThis is no rule for a livestock ferry.", "A ferry may sail at night."),
    ("A ferry may sail at night.\nRafts shall stay moored.", "A ferry may sail at night."),
    ("Night sailing\nA ferry may sail at night.\nHowever, rafts may not.", "A ferry may sail at night."),
    # A proviso without a full stop is no headnote.
    ("20 (1) A ferry may sail.\nProvided that the Board consents\n(2) A raft may land.", "A ferry may sail."),
    ("20 (1) A ferry may sail.\nNot applicable to rafts\n(2) A raft may land.", "A ferry may sail."),
    ("20 (1) A ferry may sail.\nRafts excepted\n(2) A raft may land.", "A ferry may sail."),
    ("20 (1) A ferry may sail.\nSave during a storm\n(2) A raft may land.", "A ferry may sail."),
    ("20 A ferry may sail.\nDaylight hours", "A ferry may sail."),
    ("20 (1) A ferry may sail.\nDaylight hours\nmentioned in the table.\n(2) A raft may land.", "A ferry may sail."),
    # A wrapped line begins with the number of the provision that it names.
    ("20 (1) A ferry may sail.\n(2) Despite subsection\n(2) a raft may land.", "A raft may land."),
    ("20 (1) No raft may land except as provided in subsections (1),\n(2) A raft may land.", "A raft may land."),
    ("20 (1) No one may be exempted under ss.\n(2) A raft may land.", "A raft may land."),
    ("20 (1) The master shall, as told in clause\n(a) keep a log; and\n(b) sail.", "The master shall, as told in clause sail."),
]  # fmt: skip
WHOLE = [
    ("20 (1) A ferry may sail.\n2006, c. 17, s. 7 (1).\n(2) A raft may land.", "A ferry may sail."),
    ("20 (1) A ferry may sail. \n(2) A raft may land.\n2006, c. 17, s. 7 (1); 2009, c. 3, s. 2.", "A raft may land."),
    ("20 A ferry may sail.\n2017, c. 14, Sched. 4, s. 23.", "A ferry may sail."),
    ("20 (1) A ferry may sail.\nWho must carry a lamp\n(2) A raft may land.", "A ferry may sail."),
    ("20 (1) A ferry may sail.\nPART II\nRafts\n21 A raft may land.", "A ferry may sail."),
    ("Night sailing\nA ferry may sail at night.", "A ferry may sail at night."),
]  # fmt: skip
LEADS = [
    f"Under subsection 5 (1) of the {TITLE}, a ferry may sail.",
    "Under section 5(1) of the Act, a ferry may sail.",
    "Section 5(1) of this Act provides that a ferry may sail.",
    "Section 5(1): “A ferry may sail.”",
    f"Section 5(1) of the {TITLE}: “A ferry may sail.”",
]
FALSE_LEADS = [
    "Under subsection 5 (1) of the Ferry Moorings Act, 1999, a ferry may sail.",
    "Under subsection 5 (1) of the Lamp Act, 2024, a ferry may sail.",
    "Section 5(1) of the Regulation provides that a ferry may sail.",
    "Section 5(2): “A ferry may sail.”",
    "Section 5(1): “A raft may sail.”",
]


@pytest.mark.parametrize(("text", "sentence"), CUT)
def test_lines_that_may_belong_to_a_provision_are_not_cut_off_it(text, sentence):
    """Fail closed: where a line may be law, the words before it are no whole provision."""
    passage = evidence("plain", text=text, section="20")
    assert isinstance(quote(sentence, [passage]), Objection)


@pytest.mark.parametrize(("text", "sentence"), WHOLE)
def test_headings_and_source_lines_are_no_law(text, sentence):
    """A provision ends before them, and is whole without them."""
    found = quote(sentence, [evidence("plain", text=text, section="20")])
    assert not isinstance(found, Objection), found


@pytest.mark.parametrize("sentence", LEADS)
def test_a_true_lead_in_is_no_obstacle(sentence):
    """The comma before a year, "this Act" and a colon are how people cite."""
    passage = evidence("plain", text="5 (1) A ferry may sail.\n(2) A raft may land.", section="5")
    found = quote(sentence, [passage])
    assert not isinstance(found, Objection), found


@pytest.mark.parametrize("sentence", FALSE_LEADS)
def test_a_false_lead_in_is_refused(sentence):
    """Another year, Act, kind of law, subsection or wording."""
    passage = evidence("plain", text="5 (1) A ferry may sail.\n(2) A raft may land.", section="5")
    assert isinstance(quote(sentence, [passage]), Objection)
