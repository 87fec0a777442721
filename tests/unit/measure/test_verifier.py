"""The benchmark of the verifier: seeded, complete, recomputable, and itself able to fail."""

from dataclasses import replace

import pytest

from corpusguard.measure import tables
from corpusguard.measure.harmless import CHANGES
from corpusguard.measure.mutants import kinds
from corpusguard.measure.verifier import measure, rates
from corpusguard.model import Finding, Layer, Severity
from tests.contract.stored import MODES, law, sound

ACT = "the sample's Act"


@pytest.fixture(scope="module")
def corpus():
    return sound(ACT, MODES[1])


def outcomes(corpus, check, **options):
    return list(measure(corpus[0], check, **{"faults": 2, "seed": "1", **options}))


def about(passage, rule="CG101"):
    return Finding(
        rule, Severity.ERROR, Layer.L1, "d", "m", section=passage.section, passage=passage.id
    )


def test_the_real_verifier_notices_and_is_not_alarmed(corpus):
    """On a law on which the contract suite finds everything, this finds everything too."""
    found = outcomes(corpus, lambda rows: law(ACT).check(rows, corpus[1]).findings)

    faults = [one for one in found if not one.harmless]
    assert {one.kind for one in faults} <= set(kinds())
    assert len({one.kind for one in faults}) > 40
    assert [one for one in faults if not (one.noticed and one.named)] == []
    harmless = [one for one in found if one.harmless]
    assert {one.kind for one in harmless} == set(CHANGES)
    assert [one for one in harmless if one.noticed] == []


def test_a_verifier_that_says_nothing_notices_nothing(corpus):
    """Silence is 0% of the faults, and no false alarm."""
    table = rates(outcomes(corpus, lambda _: []))

    assert sum(one.planted for one in table) > 90
    assert sum(one.noticed + one.named for one in table) == 0


def test_a_verifier_that_always_says_the_same_notices_nothing(corpus):
    """What it said of the sound corpus already is not counted as noticed."""
    table = rates(outcomes(corpus, lambda _: [about(corpus[0].passages[0])]))

    assert sum(one.noticed for one in table) == 0


def test_a_verifier_that_flags_whatever_it_has_not_seen_is_alarmed_by_harmless_changes(corpus):
    """Comparing bytes notices every changed text, and each harmless change as well."""
    known = {(one.id, one.text) for one in corpus[0].passages}
    found = outcomes(
        corpus, lambda rows: [about(one) for one in rows if (one.id, one.text) not in known]
    )
    table = {one.kind: one for one in rates(found)}

    assert table["number"].noticed == table["number"].planted == 2
    assert table["number"].layers == {"L1": 2} == table["number"].alone
    assert table["section_deleted"].noticed == 0
    assert table["no_break_spaces"].noticed == 1


def test_faults_are_planted_in_verified_rows_alone(corpus):
    """A second fault in a row that is reported already could not be told from the first."""
    few = frozenset(range(10, 20))
    names = {corpus[0].passages[row].section for row in few} | {
        corpus[0].passages[row].id for row in few
    }
    found = outcomes(corpus, lambda _: [], verified=few)

    changed = [one for one in found if one.kind in {"number", "negation", "modal", "dropped_tail"}]
    assert changed
    assert all(set(one.places) <= names for one in changed)


def test_a_seed_gives_the_same_faults_again_and_another_gives_others(corpus):
    """So that a figure can be had again, and that it does not hang on one choice."""
    one, same, other = (outcomes(corpus, lambda _: [], seed=seed) for seed in ("1", "1", "2"))

    assert one == same
    assert one != other


@pytest.mark.parametrize("rows", [0, 1, 2, 3])
@pytest.mark.parametrize("text", ["", "One.", "Two words", "A (1) may 5 be, ’or’ not – so\nno\nno"])
@pytest.mark.parametrize("mode", [MODES[1], "anchored windows"])
def test_no_corpus_is_too_small_or_too_strange_to_measure(mode, text, rows):
    """A kind of fault that has no place in a corpus is left out; none fails."""
    whole = sound(ACT, mode)[0]
    few = tuple(replace(one, text=text) for one in whole.passages[:rows])

    for one in measure(replace(whole, passages=few), lambda _: [], faults=1, seed="1"):
        assert not one.noticed


def test_names_cannot_break_the_markdown():
    """Corpus names and ids are the user's own, and hostile all the same."""
    hostile = "x`|\n# <script>\x1b[31m"
    subject = {
        "corpus": hostile,
        "document": hostile,
        "mode": "rebuilt",
        "rows": 1,
        "verified": 1,
        "outcomes": [],
    }
    text = tables.markdown(
        {"tool": "t", "seed": "1", "subjects": [subject], "rates": [], "digest": "d"}
    )

    assert "\x1b" not in text
    assert "\n# <script>" not in text
    assert "`x'/ # <script> [31m`" in text
