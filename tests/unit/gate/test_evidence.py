"""Retrieval-minted evidence: what a claim may cite, what is looked at twice, what is said plainly.

The corpus is a real ``look_up``; the end-to-end test on history is in tests/unit/service.
"""

from __future__ import annotations

import time
import unicodedata
from dataclasses import dataclass, replace
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusguard.errors import ConfigError
from corpusguard.gate.evidence import (
    NOT_SUPPORTED,
    SUPPORTED,
    Claim,
    DocumentCache,
    Evidence,
    EvidenceKind,
    Outcome,
    Question,
    Refused,
    Report,
    ReportOutcome,
    SpanStatus,
    Treatment,
    Verification,
    Why,
    canonical,
    ground,
    records,
)
from corpusguard.gate.evidence.anchors import figures, is_anchored, is_named, names
from corpusguard.gate.evidence.canonical import Canonical

QUOTE, REPORTED, INFERENCE = EvidenceKind


@dataclass(frozen=True)
class Row:
    """A passage as the service hands it over."""

    id: str
    text: str
    document: str = "xx/harbour"
    section: str = "4"
    title: str = "Harbour Act"
    refusal: str = ""
    detail: str = ""
    digest: str = "sha256:00"
    run: int = 3


class Corpus:
    def __init__(self, *rows):
        self.rows = {row.id: row for row in rows}

    def look_up(self, wanted):
        assert set(wanted.values()) == {None}
        return {name: self.rows[name] for name in wanted if name in self.rows}


FEE = "A barge pays 5 dollars for each night, unless the Harbour Master cannot be reached."
LAW = Corpus(
    Row("p1", FEE),
    Row("p2", "A boat pays 2 dollars.", section="5"),
    Row("p3", "A barge pays 5 dollars for each night in a lock.", document="xx/locks", section="9"),
    Row("p4", FEE, document="xx/harbour-copy"),
    Row("p5", "The Harbour Master may close the “Lower Basin” for thirty days.", section="6"),
    Row("p6", "A ferry pays between 1 and 5 dollars.", section="7"),
    Row("old", "A barge pays 4 dollars.", refusal="amended", detail="amended: CG106"),
    Row("blank", " \n"),
    Row("huge", "x" * 2_000_001),
)


@pytest.fixture
def cache():
    ticks = count()
    return DocumentCache(LAW, "run-1", lambda: f"2026-01-02T03:04:{next(ticks):02}Z")


def cite(cache, passage, span, kind=QUOTE, worker="w1"):
    document, at = cache.fetch(passage, worker)
    return Evidence(kind, document.doc_id, span, at)


def report(*claims, worker="w1", question="q1"):
    outcome = ReportOutcome.FOUND if claims else ReportOutcome.EMPTY
    return Report(worker, question, outcome, claims)


def fee(cache, name="c_1", text="A barge pays 5 dollars.", **more):
    return Claim(name, text, (cite(cache, "p1", "A barge pays 5 dollars", **more),))


def run(cache, claims, answer, questions=None, **options):
    return ground([report(*claims)], answer, cache, questions or [Question("q1")], **options)


# Minting


def test_an_id_is_minted_by_retrieval_and_by_nothing_else(cache):
    """The same passage has one id; another run, another."""
    first, at = cache.fetch("p1", "w1")
    second, later = cache.fetch("p1", "w2")
    assert first == second
    assert at != later
    assert list(cache.documents) == [first.doc_id]
    other, _ = DocumentCache(LAW, "run-2", lambda: "t").fetch("p1", "w1")
    assert other.doc_id != first.doc_id
    assert cache.check_span(other.doc_id, "A barge").status is SpanStatus.UNKNOWN_DOC
    assert (first.document, first.section, first.run) == ("xx/harbour", "4", 3)


def test_another_text_under_the_same_id_is_another_document(cache):
    """A passage that changed in the midst of a run keeps no old id."""
    first, _ = cache.fetch("p2", "w")
    changed = DocumentCache(Corpus(Row("p2", "A boat pays 9 dollars.")), "run-1", lambda: "t")
    second, _ = changed.fetch("p2", "w")
    assert first.doc_id != second.doc_id


@pytest.mark.parametrize(
    ("passage", "reason"),
    [
        ("old", "amended"),
        ("none", "unknown_passage"),
        ("blank", "no_text"),
        ("huge", "too_long"),
        ("", "unknown_passage"),
        ("p1\x00", "unknown_passage"),
        ("d_0123456789abcdef", "unknown_passage"),
    ],
)
def test_what_may_not_be_relied_on_is_never_minted(cache, passage, reason):
    """It is kept on record, and the worker has reached nothing."""
    found = cache.fetch(passage, "w1")
    assert isinstance(found, Refused)
    assert (found.passage, found.reason) == (passage, reason)
    assert cache.refused == [found]
    assert not cache.documents
    assert cache.reach == {"w1": 0}


def test_a_source_without_title_or_section_is_named_by_what_it_has():
    """A reader must be told something."""
    corpus = Corpus(
        Row("p", "Boats sail.", title=""), Row("q", "Boats sail.", title="", section="")
    )
    cache = DocumentCache(corpus, "r", lambda: "t")
    assert [cache.fetch(name, "w")[0].name for name in "pq"] == ["xx/harbour, s. 4", "xx/harbour"]


def test_a_run_needs_a_name():
    """Or ids of two runs would be the same."""
    with pytest.raises(ConfigError):
        DocumentCache(LAW, "", lambda: "t")


# Spans


@pytest.mark.parametrize(
    "span",
    [
        "A barge pays 5 dollars",
        "a BARGE pays 5 DOLLARS",
        "  A  barge\n\tpays\u00a05 dollars ",
        "A bar\u00adge pays 5 dollars",
        "A barge\u200b pays 5 dollars",
        "barge",
        FEE,
        "each night, unless",
        "reached.",
    ],
)
def test_print_is_folded(cache, span):
    """White space, case, soft hyphens: the words are there."""
    document, _ = cache.fetch("p1", "w1")
    found = cache.check_span(document.doc_id, span)
    assert found.status is SpanStatus.VERBATIM
    assert canonical(document.text[found.start : found.end]) == canonical(span)


def test_quotation_marks_are_folded_and_offsets_are_those_of_the_text(cache):
    """Straight, curly and angled ones are one."""
    document, _ = cache.fetch("p5", "w1")
    for span in ('"lower basin"', "“LOWER  Basin”", "«Lower Basin»"):
        found = cache.check_span(document.doc_id, span)
        assert document.text[found.start : found.end] == "“Lower Basin”"


@pytest.mark.parametrize(
    "span",
    [
        "", " ", "...", "\u200b", "A barge pays 4 dollars", "A barge may pay 5 dollars",
        "A barge pays dollars", "barge A pays", "Master can", "arge pays", "barge pay",
        "A barge pays ５ dollars", "A barge pays 5\u202e dollars", "А barge pays 5 dollars",
        "A barge pays five dollars", FEE + " Always.", "A barge - pays", "x" * 20_001,
    ],
)  # fmt: skip
def test_wording_is_never_folded(cache, span):
    """Another word, half a word, another digit or letter, or nothing: not found."""
    document, _ = cache.fetch("p1", "w1")
    assert cache.check_span(document.doc_id, span).status is SpanStatus.NOT_FOUND


@pytest.mark.parametrize(
    ("text", "span", "found"),
    [
        ("The fee is 5,000 dollars.", "The fee is 5", False),
        ("The fee is 5,000 dollars.", "000 dollars", False),
        ("The fee is 5,000 dollars.", "5,000", True),
        ("The rate is 3.5 now.", "rate is 3", False),
        ("The rate is 5% now.", "rate is 5", False),
        ("It costs $5 now.", "5 now", False),
        ("It costs $5 now.", "$5 now", True),
        ("From 1-5 boats.", "5 boats", False),
        ("They re-sign it.", "sign it", False),
        ("They can't sail.", "They can", False),
        ("The tenant's boat.", "The tenant", False),
        ("The tenants' boat.", "The tenants", True),
        ("Pays rent, and sails.", "Pays rent", True),
        ("(a) rent is due.", "rent is due", True),
        ("Rent is void.", "Rent is void.", True),
        ("E\u0301tat", "\u00c9tat", True),
        ("\u00c9tat", "E\u0301tat", True),
        ("cafe\u0301 open", "cafe", False),
        ("caf\u00e9 open", "cafe", False),
        ("Straße", "STRASSE", True),
        ("x² is", "x2 is", False),
        ("1–2 boats", "1-2 boats", False),
        ("12:30 today", "12", False),
        ("a" * 50, "a" * 49, False),
    ],
)
def test_spans_begin_and_end_where_words_do(text, span, found):
    """Half a number or half a word is another one."""
    assert (Canonical(text).find(Canonical(span)) is not None) == found


@given(st.text(max_size=60))
def test_the_canonical_form_is_stable(text):
    """Folding twice is folding once, and composed or not makes no difference."""
    once = canonical(text)
    assert canonical(once) == once
    assert canonical("  " + text.replace(" ", " \u00ad\n") + "\t").split() == once.split()


WORD = st.text(st.sampled_from("abcdé1'ß"), min_size=1, max_size=6).filter(
    lambda w: w[0].isalnum() and w[-1].isalnum()
)


@given(st.lists(WORD, min_size=1, max_size=8), st.data())
def test_any_run_of_words_is_found_however_it_is_printed(words, data):
    """And where it is found, the text says it."""
    first = data.draw(st.integers(0, len(words) - 1))
    last = data.draw(st.integers(first, len(words) - 1))
    text = "  \n".join(words)
    span = data.draw(st.sampled_from([" ", "\u00a0", "\t \n"])).join(words[first : last + 1])
    span = data.draw(st.sampled_from([span, span.upper(), unicodedata.normalize("NFD", span)]))
    found = Canonical(text).find(Canonical(span))
    assert found is not None
    assert canonical(text[slice(*found)]) == canonical(span)


@given(st.lists(WORD, min_size=2, max_size=8, unique_by=canonical), st.data())
def test_a_word_less_is_not_found(words, data):
    """Wording is never folded: without an inner word it is another sentence."""
    if len(words) < 3:
        return
    gone = data.draw(st.integers(1, len(words) - 2))
    span = " ".join(words[:gone] + words[gone + 1 :])
    assert Canonical(" ".join(words)).find(Canonical(span)) is None


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("a" * 1_000_000, "a" * 10_000),
        ("aa " * 300_000, ("aa " * 5_000) + "a"),
        ("\u00ad" * 1_000_000 + "x", "x"),
        ("e" + "\u0301" * 500_000, "e"),
        ("“" * 1_000_000, "“" * 10_000),
        (" " * 1_000_000, " x"),
        ("\u202e\u200b" * 400_000, "\u202e"),
    ],
    ids=lambda text: ascii(text[:8]),
)
def test_hostile_texts_take_bounded_time(text, span):
    """A megabyte made so that everything nearly matches."""
    begun = time.process_time()
    Canonical(text).find(Canonical(span))
    assert time.process_time() - begun < 15


def test_evidence_must_name_its_own_retrieval(cache):
    """Another time is a retrieval that was not."""
    evidence = cite(cache, "p1", "A barge")
    assert cache.check(evidence).status is SpanStatus.VERBATIM
    for at in ("", "2026-01-02T03:04:59Z", "yesterday"):
        assert cache.check(replace(evidence, retrieved_at=at)).status is SpanStatus.UNKNOWN_DOC


# Anchors


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5,000 and 5000", {"5000"}),
        ("thirty days, 30 days", {"30"}),
        ("twenty-one boats", {"21"}),
        ("a thirty-day notice", {"30"}),
        ("5 per cent, 5%, 5 %", {"5%"}),
        ("5 dollars or $5", {"$5"}),
        ("3.5 tons", {"3.5"}),
        ("no one, one of them, each one", set()),
        ("one boat", {"1"}),
        ("half a million", {"half", "million"}),
        ("boats", set()),
        ("٣ boats", {"٣"}),
        ("on 1 May and in March 2024", {"1", "May", "March", "2024"}),
        ("it may be 1, March on", {"1"}),
    ],
)
def test_figures(text, expected):
    """In figures or in words, with their sign."""
    assert figures(text) == expected


@pytest.mark.parametrize(
    ("text", "spans", "locators", "anchored"),
    [
        ("It is 5 dollars.", ["It is $5."], [], True),
        ("It is 5 dollars.", ["It is 4 dollars."], [], False),
        ("It is 5 dollars.", ["It is 5 per cent."], [], False),
        ("It is 5 dollars.", [], [], False),
        ("Boats pay.", ["Boats do."], [], True),
        ("Under s. 5 (2) boats pay 3.", ["Boats pay 3."], ["5 (2)"], True),
        ("Under section 6 boats pay 3.", ["Boats pay 3."], ["5 (2)"], False),
        ("Boats pay 5.", ["Boats pay."], ["5"], False),
        ("It says “boats pay”.", ["All boats pay."], [], True),
        ("It says “boats may pay”.", ["All boats pay."], [], False),
        ('It says "boat".', ["All boats pay."], [], False),
    ],
)
def test_numbers_and_quotations_must_be_in_the_evidence(text, spans, locators, anchored):
    """A section's number may be in its locator, no other one."""
    assert is_anchored(text, spans, locators) == anchored


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("The Harbour Master may close it.", True),
        ("A barge pays.", False),
        ("Barges pay.", False),
        ("Ontario has harbours.", False),
        ("It is for the HPA to say.", True),
        ("If Section 5 applies, boats pay.", False),
        ("Basins close. Warden Smith knows.", True),
    ],
)
def test_named_entities(text, named):
    """A capital that the beginning of a sentence does not explain."""
    assert is_named(text, frozenset()) == named


def test_documents_tell_which_first_words_are_names():
    """What they print with a capital within a sentence."""
    known = names(["Boats of Ontario pay. Barges do not."])
    assert known == {"Ontario"}
    assert is_named("Ontario has harbours.", known)
    assert not is_named("Barges pay.", known)


# Claims


def test_a_claim_in_the_words_of_what_it_cites_is_grounded(cache):
    """And its sentence passes the same check."""
    found = run(cache, [fee(cache)], "A barge pays 5 dollars [c_1].")
    [claim], [sentence] = found.claims, found.sentences
    assert (claim.why, sentence.why) == (None, None)
    assert claim.spans[0].status is SpanStatus.VERBATIM
    assert found.outcome is Outcome.GROUNDED


def _unknown(cache):
    return (replace(cite(cache, "p1", "A barge"), doc_id="d_0123456789abcdef"),)


@pytest.mark.parametrize(
    ("evidence", "text", "why"),
    [
        (lambda _: (), "A barge pays.", Why.NO_EVIDENCE),
        (_unknown, "A barge pays.", Why.UNKNOWN_DOC),
        (lambda c: (cite(c, "p1", "A barge pays 9 dollars"),), "A barge pays.", Why.NOT_FOUND),
        (lambda c: (cite(c, "p1", ""),), "A barge pays.", Why.NOT_FOUND),
        (lambda c: (cite(c, "p1", "", REPORTED),), "A barge pays.", Why.NOT_FOUND),
        (lambda c: (cite(c, "p1", "A barge"),), "A barge pays 6 dollars.", Why.UNANCHORED),
        (lambda c: (cite(c, "p1", "A barge"), *_unknown(c)), "A barge pays.", Why.UNKNOWN_DOC),
        (lambda c: (cite(c, "p1", "A barge"), cite(c, "p2", "barge")), "A barge.", Why.NOT_FOUND),
        (lambda c: (cite(c, "p1", "", INFERENCE),), "Barges pay.", Why.NO_JUDGE),
    ],
)
def test_a_claim_that_is_not_grounded_is_dropped_with_its_sentence(cache, evidence, text, why):
    """Whatever else it cites that is there."""
    found = run(cache, [Claim("c_1", text, evidence(cache))], "Barges pay [c_1].")
    assert found.claims[0].why is why
    assert found.claims[0].treatment is Treatment.DROPPED
    assert found.sentences[0].why is Why.DROPPED_CLAIM
    assert (found.outcome, found.text) == (Outcome.WITHHELD, "")


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("A barge pays 5 dollars [c_1].", None),
        ("A barge pays 6 dollars [c_1].", Why.UNANCHORED),
        ("A barge pays [c_1] 50 dollars.", Why.UNANCHORED),
        ("The law says “a barge pays nothing” [c_1].", Why.UNANCHORED),
        ("The law says “a barge pays 5 dollars” [c_1].", None),
        ("A barge pays 5 dollars.", Why.UNCITED),
        ("A barge pays 5 dollars [c_2].", Why.UNKNOWN_CLAIM),
        ("A barge pays 5 dollars [c_1][c_2].", Why.UNKNOWN_CLAIM),
        ("A barge pays 5 dollars [c_01].", Why.UNCITED),
    ],
)
def test_sentences_pass_the_same_check_as_claims(cache, answer, why):
    """On the evidence of the claims that they cite."""
    found = run(cache, [fee(cache)], answer)
    assert found.sentences[0].why is why
    assert (found.outcome is Outcome.GROUNDED) == (why is None)


def test_a_judge_is_the_second_layer_and_never_the_first(cache):
    """It sees claims that rest on a whole document, after their numbers were found there."""
    asked = []

    def judge(claim, text):
        asked.append((claim, text))
        return SUPPORTED

    whole = Claim("c_1", "Barges pay by the night.", (cite(cache, "p1", "", INFERENCE),))
    wrong = Claim("c_2", "Barges pay 7 dollars.", (cite(cache, "p1", "", INFERENCE),))
    quoted = fee(cache, "c_3")
    found = run(cache, [whole, wrong, quoted], "Barges pay by the night [c_1].", judge=judge)
    assert [claim.why for claim in found.claims] == [None, Why.UNANCHORED, None]
    assert set(asked) == {("Barges pay by the night.", FEE)}
    assert found.outcome is Outcome.GROUNDED


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (SUPPORTED, None),
        (NOT_SUPPORTED, Why.JUDGE_REFUSED),
        ("SUPPORTED", Why.JUDGE_ERROR),
        ("supported ", Why.JUDGE_ERROR),
        ("supported? No.", Why.JUDGE_ERROR),
        ("", Why.JUDGE_ERROR),
        (None, Why.JUDGE_ERROR),
        (True, Why.JUDGE_ERROR),
        ({"verdict": "supported"}, Why.JUDGE_ERROR),
        (TimeoutError(), Why.JUDGE_ERROR),
    ],
)
def test_a_judges_reply_is_an_exact_token_or_an_error(cache, reply, why):
    """Nothing passes by resembling one."""

    def judge(claim, text):
        if isinstance(reply, Exception):
            raise reply
        return reply

    claim = Claim("c_1", "Barges pay by the night.", (cite(cache, "p1", "", INFERENCE),))
    found = run(cache, [claim], "Barges pay by the night [c_1].", judge=judge)
    assert found.claims[0].why is why
    assert (found.outcome is Outcome.GROUNDED) == (why is None)


@pytest.mark.parametrize(
    "text",
    [
        "A barge pays \u202e5\u202c dollars.",
        "A barge\x1b[2J pays.",
        "A \U000e0041barge pays.",
        "A barge\ue000.",
    ],
)
def test_a_claim_or_sentence_that_reads_as_other_than_it_is_is_refused(cache, text):
    """Bidi and other controls, tags, private characters."""
    claim = Claim("c_1", text, (cite(cache, "p1", "A barge pays 5 dollars"),))
    assert run(cache, [claim], "x [c_1].").claims[0].why is Why.CHARACTERS
    found = run(cache, [fee(cache)], text[:-1] + " [c_1].")
    assert found.text == ""
    assert found.outcome is Outcome.WITHHELD


@pytest.mark.parametrize("joint", ["\u200b", "\u00ad", "\u2060", "\ufeff"])
def test_an_invisible_character_does_not_part_a_number(cache, joint):
    """1 and 5 with nothing to see between them are read as 15, which the law does not say."""
    claim = Claim("c_1", "A ferry pays.", (cite(cache, "p6", "between 1 and 5 dollars"),))
    assert run(cache, [claim], "It pays 1 or 5 dollars [c_1].").sentences[0].why is None
    found = run(cache, [claim], f"It pays 1{joint}5 dollars [c_1].")
    assert found.sentences[0].why is Why.UNANCHORED


def test_what_is_too_much_to_check_is_not_grounded(cache):
    """A claim of a book's length; a sentence that cites everything."""
    evidence = cite(cache, "p1", "A barge pays 5 dollars")
    claims = [Claim(f"c_{n}", "A barge pays.", (evidence,)) for n in range(101)]
    everything = "".join(f"[c_{n}]" for n in range(101))
    assert run(cache, claims, f"A barge pays {everything}.").sentences[0].why is Why.TOO_MUCH
    assert run(cache, claims, "A barge pays [c_0][c_1].").sentences[0].why is None
    long = Claim("c_0", "barge " * 4_000, (evidence,))
    assert run(cache, [long], "x").claims[0].why is Why.TOO_MUCH
    many = Claim("c_0", "A barge pays.", (evidence,) * 101)
    assert run(cache, [many], "x").claims[0].why is Why.TOO_MUCH


def test_ten_thousand_claims_and_hostile_sentences_take_bounded_time(cache):
    """Every sentence cites as much as it may."""
    evidence = cite(cache, "p1", "A barge pays 5 dollars")
    claims = [Claim(f"c_{n}", f"Barge {n} pays 5 dollars.", (evidence,)) for n in range(5_000)]
    sentence = "A barge pays 5 dollars " + "".join(f"[c_{n}]" for n in range(100)) + ". "
    begun = time.process_time()
    run(cache, claims, sentence * 300)
    assert time.process_time() - begun < 60


# Records


def record(**changed):
    evidence = {"kind": "primary_quote", "doc_id": "d_1", "span": "x", "retrieved_at": "t"}
    claim = {"id": "c_1", "text": "x", "evidence": [evidence]}
    return {"question": "q1", "outcome": "found", "claims": [claim], **changed}


def test_reports_are_read_from_json():
    """What a worker sends becomes a report in the name that the caller gives it."""
    found = records.report(record(), "w1", "reply 1")
    assert found == Report(
        "w1", "q1", ReportOutcome.FOUND, (Claim("c_1", "x", (Evidence(QUOTE, "d_1", "x", "t"),)),)
    )
    empty = records.report({"question": "q1", "outcome": "empty"}, "w1", "reply 1")
    assert (empty.outcome, empty.claims) == (ReportOutcome.EMPTY, ())


@pytest.mark.parametrize(
    "value",
    [
        None, [], "found", {}, record(outcome="FOUND"), record(outcome="found."), record(worker="w2"),
        record(claims=None), record(claims=["x"]), record(claims=[{"id": "c_1", "text": "x"}]),
        record(claims=[{"id": "c_1", "text": "x", "evidence": "d_1"}]),
        record(claims=[{"id": "c_1", "text": "x", "evidence": [{"kind": "quote"}]}]),
        record(claims=[{"id": "c_1", "text": "x", "evidence": [
            {"kind": "Primary_Quote", "doc_id": "d", "span": "s", "retrieved_at": "t"}]}]),
        record(claims=[{"id": "c_1", "text": "x", "evidence": [
            {"kind": "inference", "doc_id": "d", "span": None, "retrieved_at": "t"}]}]),
    ],
)  # fmt: skip
def test_replies_of_another_shape_are_refused(value):
    """With the place and what there should be; a worker does not name itself."""
    with pytest.raises(ConfigError, match="reply 1") as caught:
        records.report(value, "w1", "reply 1")
    assert caught.value.hint


# Corroboration


def test_corroboration_counts_laws_and_never_workers(cache):
    """Two workers with one document are one; a second law is two; a copy adds nothing."""
    text = "A barge pays 5 dollars for each night."
    span = "A barge pays 5 dollars for each night"

    def documents(*passages):
        claims = [
            report(
                Claim(f"c_{n}", text, (cite(cache, name, span, worker=f"w{n}"),)), worker=f"w{n}"
            )
            for n, name in enumerate(passages)
        ]
        found = ground(claims, "A barge pays 5 dollars [c_0].", cache, [Question("q1")])
        return found.claims[0]

    assert documents("p1", "p1", "p1").documents == ("xx/harbour",)
    assert documents("p1", "p1", "p1").alone
    assert documents("p1", "p3").documents == ("xx/harbour", "xx/locks")
    assert not documents("p1", "p3").alone
    assert documents("p1", "p4").alone


def test_an_inference_corroborates_nothing(cache):
    """It has words of a document, which do not say it."""
    claim = Claim(
        "c_1",
        "A barge pays 5 dollars.",
        (
            cite(cache, "p1", "A barge pays 5 dollars", INFERENCE),
            cite(cache, "p3", "A barge pays 5 dollars"),
        ),
    )
    [found] = run(cache, [claim], "A barge pays 5 dollars [c_1].").claims
    assert found.documents == ("xx/locks",)


# Load-bearing claims


@pytest.mark.parametrize(
    ("text", "answer", "required", "bearing"),
    [
        ("A barge pays 5 dollars.", "A barge pays 5 dollars [c_1].", True, True),
        ("A barge pays 5 dollars.", "A barge pays 5 dollars [c_1].", False, False),
        ("A barge pays 5 dollars.", "Nothing is cited.", True, False),
        ("A barge pays.", "A barge pays [c_1].", True, False),
        ("It falls to the Harbour Master.", "It falls to them [c_1].", True, True),
    ],
)
def test_what_is_load_bearing(cache, text, answer, required, bearing):
    """Cited, and numeric or about a named entity, and of a required question."""
    claim = Claim("c_1", text, (cite(cache, "p1", FEE),))
    found = run(cache, [claim], answer, [Question("q1", required=required)])
    assert found.claims[0].load_bearing == bearing
    expected = Treatment.SINGLE_SOURCED if bearing else Treatment.PLAIN
    assert found.claims[0].treatment is expected


def test_the_most_urgent_are_verified_first_and_the_rest_is_single_sourced(cache):
    """Numbers of the first two paragraphs, then the rest as it is cited; up to the budget."""
    number = cite(cache, "p1", "A barge pays 5 dollars")
    name = cite(cache, "p5", "The Harbour Master may close")
    claims = [
        Claim("c_1", "The Harbour Master may close it.", (name,)),
        Claim("c_2", "In the end it is 5 dollars.", (number,)),
        Claim("c_3", "It is 5 dollars a night.", (number,)),
        Claim("c_4", "Each barge owes 5 dollars.", (number,)),
    ]
    answer = (
        "The Harbour Master may close it [c_1].\n\nIt is 5 dollars [c_3], each 5 dollars [c_4].\n\n"
        "In the end 5 dollars [c_2]."
    )
    asked = []

    def verify(one, documents):
        asked.append((one.claim.id, [document.passage for document in documents]))
        return Verification(Treatment.PLAIN)

    found = run(cache, claims, answer, budget=3, verify=verify)
    assert asked == [("c_3", ["p1"]), ("c_4", ["p1"]), ("c_1", ["p5"])]
    assert (found.flagged, found.over_budget) == (("c_3", "c_4", "c_1"), ("c_2",))
    by_name = {one.claim.id: one for one in found.claims}
    assert by_name["c_2"].treatment is Treatment.SINGLE_SOURCED
    assert not by_name["c_2"].flagged
    assert by_name["c_3"].treatment is Treatment.PLAIN
    assert run(cache, claims, answer, budget=0, verify=verify).flagged == ()


@pytest.mark.parametrize(
    ("treatment", "text"),
    [
        (Treatment.PLAIN, "A barge pays 5 dollars. [c_1]"),
        (
            Treatment.SINGLE_SOURCED,
            "A barge pays 5 dollars. [c_1] (single source: Harbour Act, s. 4)",
        ),
        (Treatment.DROPPED, ""),
    ],
)
def test_the_hook_decides(cache, treatment, text):
    """Stated plainly, with its source named, or not at all."""
    found = run(
        cache,
        [fee(cache)],
        "A barge pays 5 dollars. [c_1]",
        verify=lambda *_: Verification(treatment, note="seen"),
    )
    assert found.claims[0].treatment is treatment
    assert found.claims[0].note == "seen"
    assert found.text == text
    assert (found.outcome is Outcome.WITHHELD) == (text == "")


def test_a_hook_may_fetch_and_cite_a_second_document(cache):
    """Which is checked as any evidence is."""

    def verify(one, documents):
        evidence = cite(cache, "p3", "A barge pays 5 dollars", worker="hook")
        return Verification(Treatment.PLAIN, (evidence,))

    [found] = run(cache, [fee(cache)], "A barge pays 5 dollars [c_1].", verify=verify).claims
    assert found.documents == ("xx/harbour", "xx/locks")
    assert not found.alone


@pytest.mark.parametrize(
    "reply",
    [None, True, "plain", Treatment.PLAIN, Verification("plain"), OSError("gone"), "invents"],
)
def test_a_hook_that_fails_or_invents_drops_the_claim(cache, reply):
    """Nothing is stated on a decision that was none."""

    def verify(one, documents):
        if isinstance(reply, Exception):
            raise reply
        if reply == "invents":
            evidence = replace(one.claim.evidence[0], span="A barge pays nothing")
            return Verification(Treatment.PLAIN, (evidence,))
        return reply

    found = run(cache, [fee(cache)], "A barge pays 5 dollars [c_1].", verify=verify)
    assert found.claims[0].treatment is Treatment.DROPPED
    assert found.claims[0].note
    assert found.text == ""


def test_without_a_hook_the_source_is_named(cache):
    """The safe one of the three."""
    found = run(cache, [fee(cache)], "A barge pays 5 dollars [c_1].")
    assert found.claims[0].source == "Harbour Act, s. 4"
    assert found.text == "A barge pays 5 dollars. [c_1] (single source: Harbour Act, s. 4)"


# Workers


def test_empty_is_a_good_end(cache):
    """Told as such; no prior, no penalty, and not the end of the others."""
    found = ground([report(worker="w9")], "", cache, [Question("q1")])
    assert (found.outcome, found.text, found.unanswered) == (Outcome.EMPTY, "", ("q1",))
    [prior] = found.priors
    assert (prior.thin, prior.empty) == (False, 1)
    both = [report(fee(cache)), report(worker="w9", question="q2")]
    found = ground(
        both,
        "A barge pays 5 dollars [c_1].",
        cache,
        [Question("q1"), Question("q2", required=False)],
    )
    assert (found.outcome, found.unanswered) == (Outcome.GROUNDED, ())


def test_a_worker_of_small_reach_is_a_recorded_prior(cache):
    """Two documents or fewer, however often they were fetched; it decides nothing by itself."""
    for name in ("p1", "p2", "p1", "p2"):
        cache.fetch(name, "narrow")
    for name in ("p1", "p2", "p3"):
        cache.fetch(name, "wide")
    reports = [
        report(fee(cache, worker="narrow"), worker="narrow"),
        report(fee(cache, "c_2", worker="wide"), worker="wide"),
    ]
    found = ground(reports, "A barge pays 5 dollars [c_1][c_2].", cache, [Question("q1")])
    assert {p.worker: (p.reached, p.thin) for p in found.priors} == {
        "narrow": (2, True),
        "wide": (3, False),
    }
    assert [claim.why for claim in found.claims] == [None, None]


@pytest.mark.parametrize(
    ("reports", "answer", "budget"),
    [
        ([Report("w", "q9", ReportOutcome.EMPTY)], "", 5),
        ([Report("w", "q1", ReportOutcome.FOUND)], "", 5),
        ([Report("w", "q1", ReportOutcome.EMPTY, (Claim("c_1", "x", ()),))], "", 5),
        ([Report("w", "q1", ReportOutcome.FOUND, (Claim("c_1", "x", ()),) * 2)], "", 5),
        ([Report("w", "q1", ReportOutcome.FOUND, (Claim("1", "x", ()),))], "", 5),
        ([], "x" * 2_000_001, 5),
        ([], "", -1),
    ],
)
def test_reports_that_contradict_themselves_are_refused(cache, reports, answer, budget):
    """With cause and next step."""
    with pytest.raises(ConfigError) as caught:
        ground(reports, answer, cache, [Question("q1")], budget=budget)
    assert caught.value.hint


def test_no_report_and_no_sentence_is_withheld(cache):
    """An empty run is not an empty finding, and never grounded."""
    assert ground([], "", cache, [Question("q1")]).outcome is Outcome.WITHHELD
    assert run(cache, [fee(cache)], "").outcome is Outcome.WITHHELD
    assert run(cache, [fee(cache)], "# Fees [c_1]").outcome is Outcome.WITHHELD


def test_what_is_shown_keeps_its_form_and_nothing_unchecked(cache):
    """Paragraphs and bullets stay; headings, uncited and refused sentences go."""
    boat = Claim("c_2", "A boat pays.", (cite(cache, "p2", "A boat pays"),))
    answer = (
        "# Rent is abolished\n\nA boat pays. [c_2] So they say.\n\n"
        "- A boat pays [c_2]\n- A raft pays [c_3]\n- [c_2] A boat pays\n"
    )
    found = run(cache, [boat], answer)
    assert found.outcome is Outcome.ALTERED
    assert found.text == "A boat pays. [c_2]\n\n- A boat pays [c_2]\n- A boat pays [c_2]"


@given(st.text(st.sampled_from("ab 5.\n[c_1]{}-*|\u202e")))
def test_any_answer_is_checked_and_only_cited_words_are_shown(answer):
    """Whatever the model writes: a sentence without grounded claims is not in the text."""
    cache = DocumentCache(LAW, "r", lambda: "t")
    found = run(cache, [fee(cache)], answer)
    assert ("[c_1]" in found.text) == any(one.why is None for one in found.sentences)
    assert (found.text != "") == (found.outcome in {Outcome.GROUNDED, Outcome.ALTERED})
