"""Labels in a sentence: what is read as one, what holds a text, what is left without them."""

from __future__ import annotations

import itertools
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusguard.errors import ConfigError
from corpusguard.gate.labels import (
    MAX_CHARACTERS,
    Fault,
    Kind,
    Quoted,
    Reason,
    assign,
    check,
    parse,
    prompt,
    strip,
)
from corpusguard.gate.prose import blocks, sentences

GIVEN = "(u)A boat must carry a lamp.(/u: Harbour Act, s. 4)"


def faults(text):
    return [problem.fault for problem in parse(text).problems]


def bare(text, **options):
    return [one.words for one in check(text, **options).bare]


@pytest.mark.parametrize(
    ("text", "kinds", "plain"),
    [
        (GIVEN, "u", "A boat must carry a lamp."),
        ("(g)It may sink.(/g: no source)", "g", "It may sink."),
        ("(g)It may sink.(/g)", "g", "It may sink."),
        ("(m)It must.(/m: Harbour Act s. 4 (1), 2024-05-01)", "m", "It must."),
        ("(u) spaced (/u: log) (g) words (/g: me)", "ug", "spaced words"),
        ("(u)a (g)b(/g: x) c(/u: y)", "gu", "a b c"),
        ("(u)a (u)b(/u: x) c(/u: y)", "uu", "a b c"),
        ("(g)(u)a(/u: x)(/g: y)", "ug", "a"),
        ("(u)two\nlines(/u: log)", "u", "two\nlines"),
        ("x(u)y(/u: z)w", "u", "xyw"),
        ("(u)a(/u: note (with (inner)) marks)", "u", "a"),
        ("(u)(/u: nothing)", "u", ""),
        ("(u)a(/u:)", "u", "a"),
        ("plain", "", "plain"),
        ("", "", ""),
    ],
)
def test_labels_are_read(text, kinds, plain):
    """Kinds by the end of each label, and the words without them."""
    read = parse(text)
    assert "".join(label.kind for label in read.labels) == kinds
    assert read.plain == plain == strip(text)
    assert read.balanced


def test_the_note_of_a_measured_label_is_cut_into_source_and_date():
    """The last comma parts the date; commas before it belong to the source."""
    [label] = parse("(m)x(/m: Harbour Act, s. 4 (1), 1 May 2024)").labels
    assert (label.source, label.date) == ("Harbour Act, s. 4 (1)", "1 May 2024")
    [label] = parse("(u)x(/u: the log, page 3)").labels
    assert (label.note, label.source) == ("the log, page 3", "")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("(u)A boat sails.", Fault.UNCLOSED),
        ("(g)A boat sails.", Fault.UNCLOSED),
        ("A boat sails.(/u: log)", Fault.UNOPENED),
        ("(u)a(/u: x)(/u: y)", Fault.UNOPENED),
        ("(u)a(/g: x)", Fault.UNOPENED),
        ("(u)a (g)b(/u: n) c(/g: n)", Fault.OVERLAP),
        ("(m)a(/m)", Fault.NO_SOURCE),
        ("(m)a(/m: )", Fault.NO_SOURCE),
        ("(m)a(/m: , 2024-01-01)", Fault.NO_SOURCE),
        ("(m)a(/m: 2024-01-01)", Fault.NO_SOURCE),
        ("(g)a(/g no colon)", Fault.MALFORMED),
        ("(g)a(/g: never ends", Fault.MALFORMED),
        ("(g)a(/G: loud)", Fault.MALFORMED),
        ("(g)a( /g: gap)", Fault.MALFORMED),
        ("(g)a(/g: blank\n\nline)", Fault.MALFORMED),
        ("(g)a(/g: " + "long " * 300 + ")", Fault.MALFORMED),
        ("(g\u200b)a", Fault.DISGUISED),
        ("(\u00adg)a", Fault.DISGUISED),
        ("(\u0261)a", Fault.DISGUISED),
        ("（g）a", Fault.DISGUISED),
        ("(\uff47)a", Fault.DISGUISED),
        ("(\u043c)a", Fault.DISGUISED),
        ("(g)a(/\u0261: look-alike)", Fault.DISGUISED),
        ("(g)a(\u2044g: slash)", Fault.DISGUISED),
        ("(g)a(/\u200bg: hidden)", Fault.DISGUISED),
        ("(u)a \\(g\\)b\\(/g: n\\) c(/u: x)", Fault.DISGUISED),
        ("(u)a (g)b(/g. n) c(/u: x)", Fault.MALFORMED),
        ("(u)a (g)b(/g] c(/u: x)", Fault.MALFORMED),
        ("(u)The rule. (g) It may change.(/u: log)", Fault.UNCLOSED),
        ("(u)The rule; and (g) it may change.(/u: log)", Fault.UNCLOSED),
        ("(u)(f) boats " + "of a kind " * 60 + "(g) It may change.(/u: log)", Fault.UNCLOSED),
    ],
)
def test_faults_hold_a_text(text, fault):
    """Anything wrong with a label is named, and the text does not pass."""
    assert fault in faults(text)
    assert Reason.IMBALANCE in check(text, allow_guesses=True).reasons


LISTS = [
    "The fees:\n(f) boats;\n(g) barges;\n(h) rafts.",
    "\n".join(f"({chr(97 + n)}) item" for n in range(26)),
    "\n".join(f"({chr(97 + n)})item" for n in range(26)),
    "  - (l) oars\n  - (m) masts",
    "> (t) tar\n> (u) umbrellas",
    "It covers (f) boats, (g) barges and (h) rafts.",
    "Under clause (g) a barge pays.",
    "See s. 5 (1) (g) of the Act.",
    "Subsection 12 (4) (m) applies.",
    "clauses (a) to (g)",
    "clauses (a)–(m)",
    "clauses (a), (g) and (u)",
    "The wall is 5 (m) metres high.",
    "Its length in metres (m) is 4.",
    "Weight: 70 (g) grams.",
    "one (u) unit",
    "They are (e) oars; (f) boats, see (a) and (c) "
    + "of a kind, " * 60
    + "respectively; and (g) the words of it.",
]


@pytest.mark.parametrize("text", LISTS)
def test_letters_of_lists_references_and_units_are_no_labels(text):
    """They open nothing, and inside a label they are words of it."""
    assert parse(text).labels == ()
    assert parse(text).opened == dict.fromkeys(Kind, 0)
    assert faults(text) == []
    inside = f"(u){text}(/u: Harbour Act)"
    assert not check(inside).held
    assert strip(inside).strip() == text.strip()


def test_a_lettered_list_can_be_labelled_item_by_item():
    """The letter is layout; the label starts after it."""
    text = "(f) (u)boats pay(/u: s. 1)\n(g) (g)barges pay(/g: by analogy)\n(h) (u)rafts(/u: s. 1)"
    decision = check(text)
    assert decision.bare == ()
    assert decision.guesses == ("barges pay",)
    assert decision.reasons == (Reason.GUESS,)
    assert not check(text, allow_guesses=True).held


def test_a_label_at_the_start_of_a_line_is_one():
    """A guess is not taken for the seventh item of no list."""
    assert check("(g) It may rise.(/g: no source)").guesses == ("It may rise.",)
    assert check("1. (g)It may rise.(/g: no source)").guesses == ("It may rise.",)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (GIVEN + " It must be lit.", ["It must be lit."]),
        ("(u)The fee is 5 dollars(/u: s. 2) and rises yearly.", ["and rises yearly."]),
        ("# Fees\n\n" + GIVEN, []),
        ("Fees\n====\n\n" + GIVEN, []),
        ("# A fee is void.\n\n" + GIVEN, ["A fee is void."]),
        ("# Landlords must pay rent\n\n" + GIVEN, ["Landlords must pay rent"]),
        ("# Fee of 5 dollars\n\n" + GIVEN, ["Fee of 5 dollars"]),
        ("# Notice of 30 days\n\n" + GIVEN, ["Notice of 30 days"]),
        ("**Fees**\n\n" + GIVEN, []),
        ("**Fees**:\n" + GIVEN, []),
        ("__Fees__\n" + GIVEN, []),
        ("**Rent is void**\n" + GIVEN, ["**Rent is void**"]),
        (GIVEN + "\n**Fees**\n", ["**Fees**"]),
        ("**Fees** and more\n\n" + GIVEN, ["**Fees** and more"]),
        ("## Who must pay\n\n" + GIVEN, []),
        ("## What is not covered\n\n" + GIVEN, []),
        ("## Is rent void?\n\n" + GIVEN, []),
        ("## How the 5 dollars are paid\n\n" + GIVEN, ["How the 5 dollars are paid"]),
        ("## What " + "very " * 12 + "long\n\n" + GIVEN, ["What " + "very " * 12 + "long"]),
        ("# Fees rise by 5%\n\n" + GIVEN, ["Fees rise by 5%"]),
        ("- " + GIVEN + "\n- and a bell", ["and a bell"]),
        ("1. " + GIVEN + "\n2) " + GIVEN + "\n(3) " + GIVEN, []),
        ("* " + GIVEN + "\n+ " + GIVEN + "\n• " + GIVEN, []),
        ("| " + GIVEN + " | lamp |\n|---|---|", ["lamp"]),
        ("| " + GIVEN + " | " + GIVEN + " |\n|:--|--:|", []),
        ("---\n\n" + GIVEN + "\n\n***", []),
        ("> " + GIVEN, []),
        (GIVEN + " [c_1]", []),
        ("`rent is void`\n\n" + GIVEN, ["`rent is void`"]),
        ("(u)`rent is void`(/u: s. 1)", []),
        ("```\nrent is void\n```\n" + GIVEN, ["```\nrent is void\n```"]),
        ("(m)Rent is void.(/m: s. 1, 2024-01-01)", ["Rent is void."]),
        ("(u)Look: (m)Rent is void.(/m: s. 1, 2024-01-01)(/u: letter)", []),
        ("**Bold** " + GIVEN, ["**Bold**"]),
        ("(u)Prix fixé.(/u: loi) Né en 1990.", ["Né en 1990."]),
        ("(u)A.(/u: x) 7", ["7"]),
        ("(u)Section 4.(/u: x)\n\n租金无效。", ["租金无效。"]),
    ],
)
def test_words_without_a_label_are_found(text, words):
    """Sentence by sentence; headings that name, bullets, numbers and pipes are layout."""
    found = bare(text)
    assert [one.replace("\n", " ") for one in found] == [one.replace("\n", " ") for one in words]
    assert check(text).held == bool(words)


@pytest.mark.parametrize("text", ["Write `(g)` there.", "``(u)`` and `(/g: x)`", "```\n(g)a\n```"])
def test_a_label_in_backticks_is_a_mention(text):
    """It opens and closes nothing, and its words still need a label."""
    assert parse(text).labels == ()
    assert faults(text) == []
    assert check(text).reasons == (Reason.UNLABELLED,)
    assert not check(f"(u){text}(/u: manual)").held


def test_an_incoming_measured_label_counts_for_nothing():
    """Whatever source it names: the gate did not assign it."""
    decision = check("(m)Rent is void.(/m: Rent Act s. 1, 2024-01-01)")
    assert decision.reasons == (Reason.UNPROVEN,)
    quoted = [Quoted(0, 13, "rent_1", "2026-01-02")]
    assert not check("(m)Rent is void.(/m: Rent Act s. 1, 2024-01-01)", quoted=quoted).held
    assert check("Rent is void. It is.", quoted=quoted).reasons == (Reason.UNLABELLED,)


@pytest.mark.parametrize(
    "text", ["", " \n\t", "# Fees", "- \n- ", "***", "\u200b", "(u)(/u: x)", "…!?"]
)
def test_a_text_without_a_sentence_does_not_pass(text):
    """There is nothing that could be let through."""
    decision = check(text, allow_guesses=True)
    assert decision.held
    assert decision.reasons == (Reason.EMPTY,)


def test_guesses_hold_unless_they_are_allowed():
    """Also deep inside another label, and also where they have no note."""
    text = "(u)The log says: (g)it may sink(/g), they wrote.(/u: log)"
    assert check(text).reasons == (Reason.GUESS,)
    assert not check(text, allow_guesses=True).held


def test_the_balance_is_counted_by_kind():
    """Opened and closed marks; letters and mentions are not among them."""
    decision = check(GIVEN + " (g)x (m)y(/m: s, d) `(u)`\n(f) a\n(g) b")
    assert dict(decision.opened) == {Kind.GIVEN: 1, Kind.MEASURED: 1, Kind.GUESSED: 1}
    assert dict(decision.closed) == {Kind.GIVEN: 1, Kind.MEASURED: 1, Kind.GUESSED: 0}


def test_the_gate_writes_its_own_measured_label():
    """Incoming ones go, and so does a label on nothing but quoted words."""
    text = "(g)Rent is void.(/g: z) (m)Boats sail.(/m: me, 2020) (u)The log says so.(/u: log)"
    written = assign(text, [Quoted(0, 13, "rent_1", "2026-01-02")])
    assert written == (
        "(m)Rent is void.(/m: rent_1, 2026-01-02) Boats sail. (u)The log says so.(/u: log)"
    )
    [measured, _] = parse(written).labels
    assert (measured.source, measured.date) == ("rent_1", "2026-01-02")


def test_a_label_around_quoted_words_stays():
    """The guess holds more than what is proven."""
    text = "(g)Rent is void. So is this.(/g: z)"
    written = assign(text, [Quoted(0, 13, "rent_1", "2026-01-02")])
    assert written == "(g)(m)Rent is void.(/m: rent_1, 2026-01-02) So is this.(/g: z)"
    assert check(written).guesses


def test_a_mark_between_letters_is_a_label_where_it_is_closed_on_its_line():
    """Quoted items of a list keep the gate's own label."""
    written = assign("(l)oars\nmasts", [Quoted(8, 13, "s", "d")])
    assert written == "(l)oars\n(m)masts(/m: s, d)"
    assert strip(written) == "(l)oars\nmasts"
    assert len(parse(written).labels) == 1


@given(st.text(st.sampled_from("ab .\n-|#"), min_size=1), st.data())
def test_assigned_labels_come_off_again(text, data):
    """What the gate writes around a sentence of words, the parser reads and strips."""
    found = sentences(text)
    quoted = [Quoted(one.start, one.end, "passage-1", "2026-01-02") for one in found]
    some = [one for one in quoted if data.draw(st.booleans())]
    written = assign(text, some)
    read = parse(written)
    assert read.balanced
    assert len(read.labels) == len(some)
    assert read.plain == text
    assert check(written, quoted=quoted).held == (not found)


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("Rent is void.", [Quoted(0, 99, "s", "d")]),
        ("Rent is void.", [Quoted(-1, 4, "s", "d")]),
        ("Rent is void.", [Quoted(4, 4, "s", "d")]),
        ("Rent is void.", [Quoted(0, 4, "", "d")]),
        ("Rent is void.", [Quoted(0, 4, "s", " ")]),
        ("Rent is void.", [Quoted(0, 4, "s) (g)x", "d")]),
        ("Rent is void.", [Quoted(0, 4, "s\n", "d")]),
        ("Rent is void.", [Quoted(0, 9, "s", "d"), Quoted(5, 12, "s", "d")]),
        ("(u)Rent(/u: x) is void.", [Quoted(2, 9, "s", "d")]),
        ("Rent (u)is void.(/u: x)", [Quoted(0, 9, "s", "d")]),
        ("(u)Rent is void.", [Quoted(3, 9, "s", "d")]),
    ],
)
def test_spans_that_do_not_fit_are_refused(text, quoted):
    """A label never lands amid another one or outside the text, and no source can forge one."""
    with pytest.raises(ConfigError) as caught:
        assign(text, quoted)
    assert caught.value.hint


@pytest.mark.parametrize(
    "text",
    [
        "(u)" * 100_000 + "x" + "(/u: n)" * 100_000,
        "(u)" * 50_000 + "(g)" * 50_000 + "(/u)" * 50_000 + "(/g)" * 50_000,
        "(/u" * 300_000,
        "(/u: " + "(" * 1_000_000,
        "(" * 1_000_000,
        "(\u200b\u200b" * 300_000,
        "` `` ``` " * 100_000,
        "(g) a\n" * 50_000,
        "| (u)a(/u: n) " * 40_000,
        "\u202e(g)\u202c" * 50_000,
        "e\u0301" * 500_000,
        "\n\n" * 500_000,
    ],
    ids=lambda text: ascii(text[:12]),
)
def test_hostile_texts_take_linear_time(text):
    """A megabyte, nesting of a hundred thousand: an answer within seconds, and no recursion."""
    begun = time.process_time()
    check(text)
    assert time.process_time() - begun < 20


def test_a_text_over_the_limit_is_refused():
    """With what to do."""
    with pytest.raises(ConfigError, match="characters"):
        check("x" * (MAX_CHARACTERS + 1))


WORDS = st.text(
    st.characters(exclude_characters="()`/（）⁽⁾﹙﹚❨❩❪❫", exclude_categories=["Cs"]), max_size=12
)
NOTE = st.text(st.sampled_from("abc ,.§1"), max_size=8).map(str.strip)


@st.composite
def nested(draw, depth=3):
    """(labelled text, the same without labels)."""
    pieces = draw(
        st.lists(
            st.one_of(
                WORDS.map(lambda words: (words, words)),
                *([nested(depth=depth - 1)] if depth else []),
            ),
            min_size=1,
            max_size=3,
        )
    )
    inner, plain = "".join(a for a, _ in pieces), "".join(b for _, b in pieces)
    kind = draw(st.sampled_from(["u", "g", ""]))
    if not kind:
        return inner, plain
    # Words that touch both marks, so that no space is the mark's own and none looks like a list.
    return f"({kind})x{inner}x(/{kind}: {draw(NOTE)})", f"x{plain}x"


@given(nested())
def test_stripping_gives_back_what_was_labelled(pair):
    """Whatever nests in whatever."""
    labelled, plain = pair
    assert strip(labelled) == plain
    assert parse(labelled).balanced


@given(nested(), st.data())
def test_a_label_less_or_more_never_passes(pair, data):
    """Taking one mark out of a balanced text is a fault."""
    labelled, _ = pair
    labels = parse(labelled).labels
    if not labels:
        return
    label = data.draw(st.sampled_from(labels))
    without = labelled[: label.start] + labelled[label.inner_start :]
    assert not parse(without).balanced


@given(st.text(st.sampled_from("(umg)/:, \n`a1|#-\u200b.（")))
def test_any_text_is_read_and_no_word_is_lost(text):
    """Stretches are the plain text, and every mark that is in no label is still there."""
    read = parse(text)
    assert [s.start for s in read.stretches[1:]] == [s.end for s in read.stretches[:-1]]
    assert sum(s.end - s.start for s in read.stretches) == len(read.plain)
    decision = check(text)
    assert decision.held or decision.sentences


@given(st.text(st.sampled_from("ab .\n#-*|>(1)=`")))
def test_blocks_are_in_order_and_hold_all_that_says_something(text):
    """But for list letters and numbers, which are layout."""
    found = blocks(text)
    assert all(a.end <= b.start for a, b in itertools.pairwise(found))
    for sentence in sentences(text):
        assert text[sentence.start : sentence.end].strip() == text[sentence.start : sentence.end]


def test_the_prompt_ships_and_keeps_its_own_rules():
    """Its examples can be read by the parser, and it names every kind."""
    text = prompt()
    assert all(f"({kind})" in text for kind in Kind)
    assert parse(text).problems == ()
