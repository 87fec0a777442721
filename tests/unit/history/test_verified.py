"""What last verified: baselines of passages and provisions."""

import pytest

from corpusguard.history import passage_keys
from corpusguard.history.verified import unit
from corpusguard.model import Layer, Passage, Severity, Verdict

from .conftest import CORPUS, DOCUMENT, finding, result, sha, state

A, B = ("a", 0), ("b", 0)


def passages(history):
    return history.verified_passages(DOCUMENT, CORPUS)


def test_a_passage_is_verified_since_the_first_run_of_a_row(history, nights):
    """Since and last are those of the runs; an unverified passage has no baseline."""
    for _ in range(3):
        nights.run(
            result(
                Verdict.VIOLATED,
                states=[state(0, "a", "one"), state(1, "b", "two", verified=False)],
            )
        )

    found = passages(history)

    assert set(found) == {A}
    assert (found[A].digest, found[A].current) == (sha("one"), True)
    assert (found[A].since_run, found[A].since) == (1, "2026-03-01T02:00:00Z")
    assert (found[A].last_run, found[A].last) == (3, "2026-03-03T02:00:00Z")


def test_an_altered_passage_keeps_its_baseline_and_stops_counting(history, nights):
    """CG107 needs the digest that verified for as long as the alteration lasts."""
    nights.run(result(states=[state(0, "a", "one")]))
    for _ in range(2):
        nights.run(result(Verdict.VIOLATED, states=[state(0, "a", "altered", verified=False)]))

    found = passages(history)[A]

    assert (found.digest, found.current, found.last_run) == (sha("one"), False, 1)


@pytest.mark.parametrize("text", ["one", "amended"])
def test_verifying_again_starts_a_new_since(history, nights, text):
    """Verified since means without a break, and of this text."""
    nights.run(result(states=[state(0, "a", "one")]))
    if text == "one":
        nights.run(result(Verdict.VIOLATED, states=[state(0, "a", "one", verified=False)]))
    run = nights.count + 1
    nights.run(result(states=[state(0, "a", text)]))

    found = passages(history)[A]

    assert (found.digest, found.since_run, found.current) == (sha(text), run, True)


def test_a_passage_that_left_the_corpus_stops_counting(history, nights):
    """Gone is not verified; back again is verified anew."""
    nights.run(result(states=[state(0, "a", "one"), state(1, "b", "two")]))
    nights.run(result(states=[state(0, "a", "one")]))
    gone = passages(history)
    nights.run(result(states=[state(0, "a", "one"), state(1, "b", "two")]))

    assert (gone[A].current, gone[B].current) == (True, False)
    assert (passages(history)[B].current, passages(history)[B].since_run) == (True, 3)


def test_duplicates_of_an_id_are_told_apart_by_row_order(history, nights):
    """T32: two rows with one id are two passages."""
    nights.run(result(states=[state(5, "a", "later"), state(2, "a", "earlier")]))

    found = passages(history)

    assert {key: each.digest for key, each in found.items()} == {
        ("a", 0): sha("earlier"),
        ("a", 1): sha("later"),
    }


@pytest.mark.parametrize(
    "outcome",
    [
        result(Verdict.UNVERIFIABLE, layers={}),
        result(Verdict.UNVERIFIABLE, states=[state(0, "a", "one", verified=False)]),
        result(
            Verdict.UNVERIFIABLE,
            states=[state(0, "a", "new"), state(1, "b", "two")],
            layers={"L1": Verdict.VERIFIED, "L2": Verdict.UNVERIFIABLE, "L3": Verdict.VERIFIED},
        ),
    ],
    ids=["no answer", "all passages down", "one layer down"],
)
def test_an_unverifiable_document_marks_and_unmarks_nothing(history, nights, outcome):
    """An outage neither verifies a passage nor takes its verification away."""
    nights.run(result(states=[state(0, "a", "one")]))
    before = passages(history)

    nights.run(outcome)

    assert passages(history) == before
    assert before[A].current


def test_what_one_layer_proved_wrong_is_wrong_though_another_was_silent(history, nights):
    """Only the passages that an error of a layer names stop counting."""
    texts = ["one", "two", "three"]
    nights.run(result(states=[state(row, ident, texts[row]) for row, ident in enumerate("abc")]))

    layers = {"L1": Verdict.VIOLATED, "L2": Verdict.UNVERIFIABLE, "L3": Verdict.VERIFIED}
    found = [
        finding("f1", passage="a", row=0),
        finding("f2", severity=Severity.WARNING, passage="b", row=1),
        finding("f3", "CG501", None, passage="b"),
        finding("f4", passage="c"),
    ]
    states = [state(row, each, texts[row], verified=False) for row, each in enumerate("abc")]
    nights.run(result(Verdict.VIOLATED, found, states, layers=layers))

    assert {key: each.current for key, each in passages(history).items()} == {
        A: False,
        B: True,
        ("c", 0): False,
    }
    assert passages(history)[B].last_run == 1


def test_a_run_of_fewer_layers_verifies_no_passage(history, nights):
    """A verdict names the layers that gave it, and it takes all three."""
    nights.run(result(states=[state(0, "a", "one")], layers={"L1": Verdict.VERIFIED}))

    assert passages(history) == {}


def test_a_run_of_fewer_layers_takes_no_verification_away(history, nights):
    """Its states say "not verified" of every passage: silence, not proof."""
    nights.run(result(states=[state(0, "a", "one"), state(1, "b", "two")]))
    before = passages(history)
    silent = [state(0, "a", "one", verified=False), state(1, "b", "two", verified=False)]
    nights.run(result(states=silent, layers={"L1": Verdict.VERIFIED}))
    assert passages(history) == before

    wrong = finding("f1", passage="a", row=0)
    nights.run(result(Verdict.VIOLATED, [wrong], silent, layers={"L1": Verdict.VIOLATED}))
    assert (passages(history)[A].current, passages(history)[B].current) == (False, True)


def test_rows_of_today_are_keyed_like_the_baselines(history, nights):
    """The caller pairs passages and baselines by key, duplicates in row order."""
    nights.run(result(states=[state(3, "a", "one"), state(4, "a", "two"), state(9, "b", "three")]))
    today = [
        Passage(7, "b", DOCUMENT, "three"),
        Passage(5, "a", DOCUMENT, "two"),
        Passage(2, "a", DOCUMENT, "one"),
    ]

    keys = passage_keys(today)

    assert keys == {7: ("b", 0), 5: ("a", 1), 2: ("a", 0)}
    assert {row: passages(history)[key].digest for row, key in keys.items()} == {
        each.row: sha(each.text) for each in today
    }


def test_hostile_ids_are_kept_apart(history, nights):
    """NUL, quotes, JSON and lone surrogates in an id neither fail nor collide."""
    ids = ["a", "a\x00b", "a\x00c", "'; DROP TABLE passages; --", '["a",0]', "\ud800"]
    nights.run(result(states=[state(row, ident, ident) for row, ident in enumerate(ids)]))
    nights.run(
        result(
            Verdict.VIOLATED,
            states=[state(row, each, each, verified=row != 2) for row, each in enumerate(ids)],
        )
    )

    found = passages(history)

    assert len(found) == len(ids)
    assert [each.digest for each in found.values() if not each.current] == [sha("a\x00c")]


def provisions(history):
    return history.verified_provisions(DOCUMENT, CORPUS)


OLD = {"sec_1": "old", "sec_1__subsec_2": "old", "sec_2": "old", "sched_1__sec_1": "old"}
NEW = dict.fromkeys(OLD, "new")


def test_verified_provisions_follow_the_source(history, nights):
    """While stored and official text agree, today's text is the verified one."""
    one = [state(0, "a", "one")]
    nights.run(result(states=one, provision_digests=OLD))
    assert provisions(history) == OLD

    nights.run(result(states=one, provision_digests={**NEW, "sec_3": "new"}))
    nights.run(result(states=one, provision_digests=NEW))

    assert provisions(history) == NEW


@pytest.mark.parametrize(
    ("where", "held"),
    [
        ({"provision": "sec_1__subsec_2"}, {"sec_1", "sec_1__subsec_2"}),
        ({"provision": "sched_1__sec_1"}, {"sched_1__sec_1"}),
        ({"section": "2"}, {"sec_2"}),
        ({"section": "Sched. 1, 1"}, {"sec_1", "sec_1__subsec_2", "sched_1__sec_1"}),
        ({}, {"sec_2"}),
    ],
    ids=["provision", "in a schedule", "section", "schedule locator", "only its passage"],
)
def test_the_baseline_of_a_section_in_dispute_stays(history, nights, where, held):
    """CG106 stays true night after night, until the corpus follows the source."""
    nights.run(result(states=[state(0, "a", "one", section="2")], provision_digests=OLD))

    states = [state(0, "a", "one", verified=False, section="2"), state(1, "b", "two", section="9")]
    if where:
        states[0] = state(0, "a", "one", verified=False, section="")
    wrong = finding("f1", "CG106", passage="a", row=0, **where)
    amended = result(Verdict.VIOLATED, [wrong], states, provision_digests=NEW)
    for _ in range(2):
        nights.run(amended)
    assert {pid for pid, digest in provisions(history).items() if digest == "old"} == held

    nights.run(result(states=states[1:], provision_digests=NEW))
    assert provisions(history) == NEW


@pytest.mark.parametrize(
    "harmless",
    [
        finding("f1", severity=Severity.WARNING, section="1", passage="a", row=0),
        finding("f1", "CG508", None, section="1"),
        finding("f1", "CG306", Layer.L3, section="1"),
    ],
    ids=["mild", "no layer", "something is missing"],
)
def test_a_finding_that_disputes_no_stored_text_holds_nothing_back(history, nights, harmless):
    """Every passage still agrees with the law of today, which so becomes the baseline."""
    one = [state(0, "a", "one")]
    nights.run(result(states=one, provision_digests=OLD))
    nights.run(result(Verdict.VIOLATED, [harmless], one, provision_digests=NEW))

    assert provisions(history) == NEW


def test_readers_that_disagree_hold_the_section_back(history, nights):
    """CG204: what was read today may be a misreading, so it is no baseline."""
    one = [state(0, "a", "one", section="2")]
    nights.run(result(states=one, provision_digests=OLD))
    unsure = finding("f1", "CG204", Layer.L2, provision="sec_1")
    nights.run(result(Verdict.VIOLATED, [unsure], one, provision_digests=NEW))

    held = {pid for pid, digest in provisions(history).items() if digest == "old"}
    assert held == {"sec_1", "sec_1__subsec_2"}


def test_a_section_in_dispute_from_the_first_starts_from_the_first_reading(history, nights):
    """Else a provision without baseline would look amended ever after."""
    wrong = finding("f1", section="1", passage="b", row=1)
    states = [state(0, "a", "one"), state(1, "b", "bad", verified=False)]
    nights.run(result(Verdict.VIOLATED, [wrong], states, provision_digests=OLD))
    nights.run(result(Verdict.VIOLATED, [wrong], states, provision_digests=NEW))

    assert provisions(history) == {**NEW, "sec_1": "old", "sec_1__subsec_2": "old"} | {
        "sched_1__sec_1": "old"
    }


def test_a_repealed_provision_in_dispute_keeps_its_baseline(history, nights):
    """Its passage is now wrong because the source changed, and that must stay provable."""
    one = [state(0, "a", "one")]
    nights.run(result(states=one, provision_digests=OLD))
    repealed = finding("f1", "CG302", Layer.L3, section="2", passage="b", row=1)
    nights.run(result(Verdict.VIOLATED, [repealed], one, provision_digests={}))

    assert provisions(history) == {"sec_2": "old"}


@pytest.mark.parametrize(
    "outcome",
    [
        result(Verdict.UNVERIFIABLE, states=[state(0, "a", "x")], provision_digests=NEW),
        result(Verdict.VERIFIED, states=[], provision_digests=NEW),
        result(Verdict.VERIFIED, states=[state(0, "a", "x")], layers={}, provision_digests=NEW),
    ],
    ids=["unverifiable", "nothing verified", "no layer ran"],
)
def test_no_provision_is_verified_by_a_run_that_verified_nothing(history, nights, outcome):
    """T36: an empty check is not a check that passed."""
    nights.run(outcome)

    assert provisions(history) == {}


@pytest.mark.parametrize(
    ("pid", "expected"),
    [
        ("sec_4.1__subsec_2__para_a", "sec_4.1"),
        ("sched_2__sec_3__para_a", "sched_2__sec_3"),
        ("part_1__sec_34~2", "part_1__sec_34~2"),
        ("sched_2__table_1", "sched_2"),
        ("preamble", "preamble"),
        ("", ""),
    ],
)
def test_the_unit_of_a_provision_is_its_section(pid, expected):
    """Numbering restarts in a schedule, so its number alone is not enough."""
    assert unit(pid) == expected
