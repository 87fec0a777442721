"""A provision that another one of the passage limits is no statement of the law without its number."""

from __future__ import annotations

import pytest

from corpusguard.gate.model import Objection, Reason
from corpusguard.gate.quote import quote
from tests.unit.gate.law import evidence

NIGHT = "20 (1) A ferry may sail at night.\n(2) "
TOLL = "63 (1) Every vessel shall pay a toll of $5.\n(2) "
SAYS = {NIGHT: "A ferry may sail at night.", TOLL: "Every vessel shall pay a toll of $5."}
LIMITING = [
    (NIGHT, "However, a livestock ferry shall not sail at night."),
    (NIGHT, "But no raft may."),
    (NIGHT, "A livestock ferry is excluded."),
    (NIGHT, "This section applies with respect to ferries built before 1950."),
    (NIGHT, "Subsection (1) applies where the harbour master has consented."),
    (NIGHT, "Despite the permission in subsection (1), a raft shall stay moored."),
    (NIGHT, "Notwithstanding the provisions of subsection (1), a raft shall stay moored."),
    (NIGHT, "Despite subsection 20 (1), a raft shall stay moored."),
    (NIGHT, "Nothing in subsection (1) permits a raft to leave the harbour."),
    (NIGHT, "Subsection (1) is repealed on December 31, 2020."),
    (NIGHT, "This section comes into force on a day to be named by proclamation."),
    (NIGHT, "In subsection (1), “ferry” does not include a raft."),
    (NIGHT, "Subsection (1) has no application to a raft."),
    (NIGHT, "Subsection (1) does not extend to a raft."),
    (NIGHT, "Subsection (1) is of no effect during a storm."),
    (NIGHT, "A raft is exempt from the permission in subsection (1)."),
    (NIGHT, "Subsections 20 (1) and 21 (4) do not apply to a raft."),
    (NIGHT, "The permission lapses on a storm warning."),
    (NIGHT, "Subsection (1) of this section does not apply to a raft."),
    (NIGHT, "The permission in subsection 1 does not bind the Board."),
    (NIGHT, "The rule above does not bind rafts."),
    (NIGHT, "In the case of a raft, the foregoing does not hold."),
    (NIGHT, "Subject to subsection (1), and despite it, a raft shall stay moored."),
    (NIGHT, "Despite section 20 of the Ferry Moorings Act, 2024, a raft shall stay moored."),
    (TOLL, "This Part does not apply to canoes."),
    (TOLL, "This Act does not apply to canoes."),
    (TOLL, "Section 63 does not apply to canoes."),
    (TOLL, "Sections 63 to 70 do not apply to canoes."),
    (TOLL, "Sections 60 to 63.1 do not apply to canoes."),
    (TOLL, "Despite section 63, a canoe is free."),
    (TOLL, "Despite anything in this Act, a canoe is free."),
    (TOLL, "Clause 63 (1) (a) does not apply to canoes."),
    (TOLL, "Part II does not apply to canoes."),
    (TOLL, "Paragraph 1 of subsection (1) does not apply to canoes."),
]
HARMLESS = [
    (NIGHT, "A ferry shall carry a lamp."),
    (NIGHT, "An owner may apply to the Board for a lamp."),
    (NIGHT, "Subsection 21 (4) does not apply to a raft."),
    (NIGHT, "Despite section 9 of the Lamp Act, a raft may carry a candle."),
    (NIGHT, "Despite subsection (1) of section 9 of the Lamp Act, a raft may carry a candle."),
    (TOLL, "Sections 64 to 70 do not apply to canoes."),
    (TOLL, "Subject to subsection (1), the toll may be paid in coins."),
]


@pytest.mark.parametrize(("first", "second"), LIMITING, ids=[s for _, s in LIMITING])
def test_a_subsection_that_another_limits_ships_only_with_its_number(first, second):
    """Whatever words the limit has, the reader is told that a single provision is quoted."""
    passage = evidence("plain", text=first + second, section=first.split()[0])
    found = quote(SAYS[first], [passage])
    assert isinstance(found, Objection)
    assert found.reason is Reason.LIMITED_ELSEWHERE
    attributed = f"Section {first.split()[0]}(1) provides that {SAYS[first][0].lower()}"
    assert not isinstance(quote(attributed + SAYS[first][1:], [passage]), Objection)


@pytest.mark.parametrize(("first", "second"), HARMLESS, ids=[s for _, s in HARMLESS])
def test_a_subsection_beside_one_that_cannot_limit_it_ships_alone(first, second):
    """Another Act, another section, and what is itself subject to it are no limits."""
    passage = evidence("plain", text=first + second, section=first.split()[0])
    found = quote(SAYS[first], [passage])
    assert not isinstance(found, Objection), found


@pytest.mark.parametrize(
    "second",
    [
        "Section 22 does not apply to a livestock ferry.",
        "Despite section 22, a livestock ferry shall stay moored.",
        "This Act does not apply to a livestock ferry.",
        "Sections 20 to 22 do not apply to a livestock ferry.",
    ],
)
def test_a_section_that_another_one_of_the_passage_limits_is_not_quoted_bare(second):
    """Two sections in one passage are as two subsections."""
    text = f"22 A ferry may sail at night.\n23 {second}"
    passage = evidence("plain", text=text, section="22")
    assert isinstance(quote("A ferry may sail at night.", [passage]), Objection)
    named = "Section 22 provides that a ferry may sail at night."
    assert not isinstance(quote(named, [passage]), Objection)
    other = (
        text.replace("22 do", "21 do").replace("on 22", "on 24").replace("This Act", "Section 9")
    )
    passage = evidence("plain", text=other, section="22")
    assert not isinstance(quote("A ferry may sail at night.", [passage]), Objection)


@pytest.mark.parametrize(
    ("second", "ships"),
    [
        ("A raft is not a vessel.", False),
        ("A raft is deemed to be a vessel.", False),
        ("For the purposes of this Act, vessels do not include rafts.", False),
        ("A raft shall carry a lamp.", True),
    ],
)
def test_a_definition_that_another_provision_narrows_is_not_quoted_bare(second, ships):
    """What is said elsewhere of the defined word is part of what it means."""
    text = (
        "38 (1) In this Act,\n“quay” means a wharf;\n“vessel” means anything that floats.\n"
        f"(2) {second}"
    )
    found = quote(
        "In this Act, “vessel” means anything that floats.",
        [evidence("plain", text=text, section="38")],
    )
    assert isinstance(found, Objection) is not ships


def test_a_range_reaches_the_numbers_put_in_between():
    """Subsections (1) to (3) are (1), (2), (2.1) and (3)."""
    text = (
        "29 (1) A raft may land.\n(2) A raft may stay.\n(2.1) A raft may trade.\n"
        "(3) A raft may leave.\n(4) Subsections (1) to (3) do not apply on a Sunday.\n"
        "(5) A raft may return."
    )
    passage = evidence("plain", text=text, section="29")
    for verb in ("land", "stay", "trade", "leave"):
        assert isinstance(quote(f"A raft may {verb}.", [passage]), Objection)
    assert not isinstance(quote("A raft may return.", [passage]), Objection)


@pytest.mark.parametrize(
    "second",
    [
        "Nonobstant le paragraphe (1), le radeau reste à quai.",
        "Par dérogation au paragraphe (1), le radeau reste à quai.",
        "Le paragraphe (1) ne vise pas le radeau.",
        "Le présent article ne vise pas le radeau.",
        "La présente loi ne s'applique pas au radeau.",
        "Toutefois, le radeau reste à quai.",
    ],
)
def test_french_limits_are_limits(second):
    """The words of another official language except as well."""
    text = f"5 (1) Le traversier navigue la nuit.\n(2) {second}"
    passage = evidence("plain", text=text, section="5", document="ca-on/statute/26f92@fr")
    assert isinstance(quote("Le traversier navigue la nuit.", [passage]), Objection)
