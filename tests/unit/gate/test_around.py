"""Another subsection may take from the one that is cited, also where a corpus stores each alone."""

from __future__ import annotations

import pytest

from corpusguard.gate import Door, Gate, Reason
from corpusguard.gate.limits import excepted
from corpusguard.gate.model import Evidence, Objection
from corpusguard.gate.quote import quote

STALLS = "ca-on/regulation/190902@en#sec_3__subsec_1"
MARKETS = "ca-on/statute/19h31@en#sec_3__subsec_1"
DISTANCE = (
    "here shall be a distance of at least 1.2 metres between two stalls that stand side by side."
)
SAIL = "A ferry may sail at night."

TAKES = [
    "Subsection (1) does not apply to a livestock ferry.",
    "Despite subsection (1), a livestock ferry shall stay in port.",
    "This section does not apply in winter.",
    "Nothing in this section permits a livestock ferry to sail.",
    "Subsections (1) to (3) do not apply to a livestock ferry.",
    "However, a livestock ferry shall stay in port.",
    "A livestock ferry is exempt.",
    "This Act does not apply to a livestock ferry.",
    "Subsection (1) ceases to apply on May 1.",
    "Le paragraphe (1) ne s'applique pas aux bacs.",
]
LEAVES = [
    "A ferry shall carry a lamp.",
    "A notice under subsection (1) shall be in writing.",
    "A person may apply for a licence to sail under subsection (1).",
    "Subsection 7 (1) does not apply to a raft.",
    "Subject to subsection (1), a raft may sail by day.",
]


def around(other, section="4"):
    return ((section, "1", SAIL), (section, "2", other))


@pytest.mark.parametrize("other", TAKES)
def test_what_another_subsection_takes_away_is_told(other):
    assert excepted(around(other), "4", "1")
    passage = Evidence("p", None, text=f"4 (1) {SAIL}", section="4", around=around(other))
    found = quote(SAIL, [passage])
    assert isinstance(found, Objection)
    assert found.reason is Reason.LIMITED_ELSEWHERE
    assert not isinstance(quote(f"Section 4(1) provides that {SAIL.lower()}", [passage]), Objection)
    assert isinstance(quote(f"Section 4 provides that {SAIL.lower()}", [passage]), Objection)


@pytest.mark.parametrize("other", LEAVES)
def test_what_takes_nothing_away_does_not_matter(other):
    assert not excepted(around(other), "4", "1")
    passage = Evidence("p", None, text=f"4 (1) {SAIL}", section="4", around=around(other))
    assert not isinstance(quote(SAIL, [passage]), Objection)


def test_a_subsection_that_cannot_be_found_has_the_limits_of_all():
    """Stored without its number, or numbered in another way."""
    assert excepted(around(TAKES[0]), "4", "")
    assert excepted(around(TAKES[0]), "4", "1.1")
    assert not excepted(around(LEAVES[0]), "4", "")


def test_of_a_verified_corpus_the_official_section_is_looked_at(project):
    """Each subsection is a passage there; the second one takes from the first."""
    with Gate.open(project / "corpusguard.toml", judge=None) as gate:
        bare = gate.check(f"T{DISTANCE}", [STALLS]).sentences[0]
        whole = gate.check(f"Section 3(1) provides that t{DISTANCE}", [STALLS]).sentences[0]
        act = gate.check("This Act applies to every harbour market in Ontario.", [MARKETS])
    assert (bare.door, bare.reason) == (Door.UNSUPPORTED, Reason.LIMITED_ELSEWHERE)
    assert "stalls that share a roof" in bare.detail
    assert whole.door is Door.QUOTED
    assert act.sentences[0].reason is Reason.LIMITED_ELSEWHERE
