"""From sentences to a decision: what is kept, what is withheld, and how each is explained."""

from __future__ import annotations

import pytest

from corpusguard.gate.core import conclude, digest, examine, read
from corpusguard.gate.model import Citation, Decision, Door, Evidence, Outcome, Reason, Rules
from tests.unit.gate.law import TEXTS, evidence

PLAIN = "A ticket is valid for one year. [plain]"
LOG = "The harbour master shall keep a log of every mooring. [duties]"
SHOW = "A passenger shall show the ticket when asked. [ticket]"
FALSE = "A ticket is blue. [plain]"


def decide(
    answer: str,
    replies: dict[int, object] | None = None,
    held: dict[str, Evidence] | None = None,
) -> Decision:
    plan = read(answer, [Citation(name) for name in [*TEXTS, "ref"]], Rules())
    held = {one.id: evidence(one.id) for one in plan.wanted if one.id in TEXTS} | (held or {})
    return conclude(plan, examine(plan, held), replies or {}, "scripted" if replies else "")


def test_all_quoted_ships_as_it_was() -> None:
    """Line breaks, bullets and markers are the answer's own."""
    answer = f"- {PLAIN}\n- {LOG}\n\n{SHOW}"
    decision = decide(answer)
    assert decision.outcome is Outcome.SHIPPED
    assert decision.ships
    assert decision.text == answer
    assert decision.keep_ratio == 1.0
    assert [one.door for one in decision.sentences] == [Door.QUOTED] * 3


def test_a_removed_sentence_leaves_the_others_and_is_explained() -> None:
    """Altered: the rest may stand, and every sentence says by which door it left."""
    decision = decide(f"{PLAIN} {FALSE} {LOG}")
    assert decision.outcome is Outcome.ALTERED
    assert not decision.ships
    assert decision.text == f"{PLAIN} {LOG}"
    (removed,) = decision.removed
    assert (removed.door, removed.text) == (Door.UNSUPPORTED, "A ticket is blue.")
    assert removed.detail
    assert decision.sentences[0].spans[0].passage == "plain"
    span = decision.sentences[0].spans[0]
    assert TEXTS["plain"][span.start : span.end] == "A ticket is valid for one year"


def test_bullets_go_with_their_sentences() -> None:
    """No empty bullet is left where one was removed."""
    decision = decide(f"- {PLAIN}\n- {FALSE}\n- {LOG}")
    assert decision.text == f"- {PLAIN}\n- {LOG}"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (f"{PLAIN} {FALSE} Fish swim. [plain]", Reason.KEEP_RATIO),
        (FALSE, Reason.KEEP_RATIO),
        (f"{PLAIN} {LOG} Unless it is torn, a ticket is blue. [plain]", Reason.LOST_CONDITION),
        (f"{PLAIN} {LOG} Only a blue ticket counts. [plain]", Reason.LOST_CONDITION),
        ("", Reason.EMPTY_ANSWER),
        ("A ticket is valid for one year.\n" * 1001, Reason.TOO_LONG),
        ("[plain]", Reason.NO_SENTENCE),
    ],
)  # fmt: skip
def test_what_is_left_must_be_able_to_stand(answer: str, reason: Reason | None) -> None:
    """Too little left, or a condition lost: the whole answer is withheld."""
    decision = decide(answer)
    assert decision.reason is reason
    assert (decision.outcome is Outcome.WITHHELD) is (reason is not None)
    assert (decision.text == "") is (reason is not None)


@pytest.mark.parametrize(
    "reference",
    ["This applies to rafts.", "It is transferable.", "The second rule is strict.", "However, rafts are exempt.", "The latter is lit."],
)  # fmt: skip
def test_what_refers_to_a_removed_sentence_is_withheld(reference: str) -> None:
    """ "This…", "It…", "The second…": without the sentence before they say something else."""
    held = {"ref": evidence("plain", id="ref", text=f"19 {reference}")}
    removed = decide(f"{PLAIN} {FALSE} {reference} [ref] {LOG}", held=held)
    kept = decide(f"{PLAIN} {reference} [ref] {LOG}", held=held)
    assert removed.sentences[2].door is Door.QUOTED
    assert (removed.outcome, removed.reason) == (Outcome.WITHHELD, Reason.DANGLING)
    assert removed.text == ""
    assert kept.outcome is Outcome.SHIPPED


def test_an_answer_that_announces_what_was_removed_is_withheld() -> None:
    """ "The following…" before a removed sentence promises what is not there."""
    held = {"ref": evidence("plain", id="ref", text="19 The following duties are the master's.")}
    decision = decide(f"The following duties are the master's. [ref] {LOG} {FALSE}", held=held)
    assert (decision.outcome, decision.reason) == (Outcome.WITHHELD, Reason.DANGLING)


def test_a_provision_that_names_its_own_act_refers_to_no_sentence() -> None:
    """ "This section…", "this Act…" point at the law and not at the answer."""
    scope = "This section does not apply to a raft that carries passengers. [section]"
    decision = decide(f"{PLAIN} {FALSE} {scope}")
    assert (decision.outcome, decision.reason) == (Outcome.ALTERED, None)


def test_a_citation_counts_for_its_own_sentence_only() -> None:
    """The words are the law's, but of another passage than the one cited."""
    decision = decide("A ticket is valid for one year. [duties]")
    assert decision.sentences[0].door is Door.UNSUPPORTED


def test_without_any_marker_the_declared_passages_are_cited_by_all() -> None:
    """So an answer without markers can be checked; with one marker, each needs its own."""
    bare = decide(
        "A ticket is valid for one year. The harbour master shall keep a log of every mooring."
    )
    mixed = decide(
        "A ticket is valid for one year. The harbour master shall keep a log of every mooring. [duties]"
    )
    assert bare.outcome is Outcome.SHIPPED
    assert [one.door for one in mixed.sentences] == [Door.UNCITED, Door.QUOTED]


def test_passages_left_aside_are_told_where_a_sentence_is_removed() -> None:
    """Without markers a passage that does not count sinks only what needed it, and is named."""
    stale = Evidence("duties", Reason.AMENDED, "amended: CG106, since consolidation 2026-06-01")
    bare = "A ticket is valid for one year. The harbour master shall keep a log of every mooring."
    decision = decide(bare, held={"duties": stale})
    assert [one.door for one in decision.sentences] == [Door.QUOTED, Door.UNSUPPORTED]
    assert "CG106" in decision.sentences[1].detail


def test_a_judge_is_asked_only_about_what_no_check_decided() -> None:
    """Not about a quotation, a truncation, a veto or an unknown passage."""
    answer = (
        f"{PLAIN} A ticket is valid. [plain] A ticket is valid for two years. [plain] X is so. [x1] "
        "A ticket is valid during one year. [plain]"
    )
    plan = read(answer, [Citation("plain")], Rules())
    examined = examine(plan, {"plain": evidence("plain")})
    assert list(examined.questions) == [4]
    assert examined.questions[4].passages == (("plain", TEXTS["plain"]),)


def test_a_judge_cannot_undo_a_veto() -> None:
    """A reply to a question that was never asked changes nothing."""
    decision = decide("A ticket is valid for two years. [plain]", {0: "SUPPORTED"})
    assert decision.sentences[0].door is Door.UNSUPPORTED
    assert decision.sentences[0].reason is Reason.NUMBER


def test_the_digest_of_an_answer_is_of_its_bytes() -> None:
    """Composed or not, as it was given; lone surrogates are no obstacle."""
    assert digest("é") != digest("e\u0301")
    assert digest("\ud800").startswith("sha256:")
    decomposed = decide("A ticket is valid for one ye\u0301ar. [plain]")
    assert decomposed.answer_digest == digest("A ticket is valid for one ye\u0301ar. [plain]")


def test_a_passage_over_the_limit_is_not_read() -> None:
    """It could not be checked, rather than refused; the rest of the answer is."""
    huge = evidence("plain", text="19 A ticket is valid for one year.\n" + "(a) x;\n" * 40_000)
    decision = decide(f"{PLAIN} {LOG}", held={"plain": huge})
    assert (decision.sentences[0].door, decision.sentences[0].reason) == (
        Door.ERROR,
        Reason.TOO_LONG,
    )
    assert decision.sentences[1].door is Door.QUOTED
