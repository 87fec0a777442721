"""Every planted fault of a stored corpus is found, under the right rule and at the right place.

For each kind of fault, each way of storing and each law: at least twenty seeded mutants. What can
not be seen is a list with reasons, and the list is tested as well.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from corpusguard.measure.harmless import CHANGES
from corpusguard.measure.mutants import UNSEEN_IN_WINDOWS, UNSEEN_LABELLED, Shape, kinds
from corpusguard.model import Severity, Verdict
from corpusguard.rules import RULES
from tests.contract.stored import AT_ONCE, MODES, MUTANTS, REAL, law, planted, sound

REAL_ACT, ACT, REGULATION = "the real Act", "the sample's Act", "the sample's regulation"

ABSENT = {
    (REAL_ACT, "dropped_table_row"): "its only table is its contents",
    (REAL_ACT, "dashes_replaced"): "no dash stands in its law",
    (REAL_ACT, "lost_non_breaking_hyphen"): "it has no non-breaking hyphen",
    (REAL_ACT, "repealed_included"): "its repealed numbers have no opener of their own",
    (ACT, "dropped_table_row"): "it has no table",
    (ACT, "number_in_word"): "no number in it is joined to a word",
    (REGULATION, "number_in_word"): "no number in it is joined to a word",
    (REGULATION, "modal_at_edge", "anchored windows"): "no window begins or ends near a modal",
    (REGULATION, "dashes_replaced"): "no dash stands in its law",
    (REGULATION, "lost_non_breaking_hyphen"): "it has no non-breaking hyphen",
    (REGULATION, "not_in_force_included"): "nothing in it waits to come into force",
}
"""Kinds that a law has no place for, in no mode or in one."""

ONLY_BY_SUBSECTION = "subsection_shifted"
"""Seen only where rows claim subsections."""

MILD = {"heading_wrong", "subsection_shifted", "row_twice"}
"""Kinds that are warnings: the finding is there, and the law is still verified."""


def unseen(name, mode, kind):
    """Why a kind can't be planted in a corpus, or None."""
    shape = Shape.WINDOWS if "windows" in mode else Shape.LABELLED
    table = UNSEEN_IN_WINDOWS if shape is Shape.WINDOWS else UNSEEN_LABELLED
    if kind == ONLY_BY_SUBSECTION and "subsection" not in mode:
        return "no row claims a subsection"
    return table.get(kind) or ABSENT.get((name, kind)) or ABSENT.get((name, kind, mode))


def laws():
    real = pytest.param(
        REAL_ACT,
        marks=[
            pytest.mark.real_data,
            pytest.mark.skipif(not REAL.is_file(), reason=f"{REAL.name} is not there"),
        ],
    )
    return [ACT, REGULATION, real]


@pytest.mark.parametrize("name", laws())
@pytest.mark.parametrize("mode", MODES)
def test_sound_corpus_has_no_finding(name, mode):
    """What is found below is the fault: the corpus without it verifies."""
    corpus, expected = sound(name, mode)
    result = law(name).check(corpus.passages, expected)

    assert [(f.rule, f.section, f.message) for f in result.findings] == []
    assert result.verdict is Verdict.VERIFIED


@pytest.mark.parametrize("name", laws())
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", kinds())
def test_every_planted_fault_is_found(name, mode, kind):
    """Twenty mutants of a kind: each under one of its rules, at its place; errors violate."""
    corpus, expected = sound(name, mode)
    reason = unseen(name, mode, kind)
    seen, seed, missed = 0, 0, []
    while seen < MUTANTS and seed < 40 * MUTANTS:
        mutants, passages, seed = planted(kind, corpus, seed, AT_ONCE[name])
        if not mutants:
            if seed > 3 * MUTANTS:
                break
            continue
        result = law(name).check(passages, expected)
        seen += len(mutants)
        for mutant in mutants:
            found = mutant.found_in(result.findings)
            if not found:
                told = [(f.rule, f.section, f.passage, f.message) for f in result.findings]
                missed.append((seed, mutant.what, sorted(mutant.sections), told[:4]))
            elif kind not in MILD and any(RULES[f.rule].severity is Severity.ERROR for f in found):
                assert result.verdict is Verdict.VIOLATED, mutant.what

    assert missed == []
    if reason:
        assert seen == 0, f"listed as unseen ({reason}), but it can be planted"
    else:
        assert seen >= MUTANTS


@pytest.mark.parametrize("name", laws())
@pytest.mark.parametrize("mode", [mode for mode in MODES if "windows" not in mode])
def test_labels_of_the_whole_corpus_shifted_by_one(name, mode):
    """A column read one row late: every row of law whose label is another's is misfiled."""
    corpus, expected = sound(name, mode)
    rows = corpus.passages
    shifted = [
        replace(row, section=before.section, subsection=before.subsection)
        for before, row in zip((rows[-1], *rows), rows, strict=False)
    ]
    result = law(name).check(shifted, expected)
    moved = {
        row.id
        for row, new in zip(rows, shifted, strict=True)
        if row.section != new.section
        and {row.section, new.section} <= corpus.sections_in_force
        and len(row.text.split()) >= 10
    }

    assert len(moved) > len(corpus.sections_in_force) // 2
    assert moved <= {f.passage for f in result.findings if f.rule == "CG203"}
    assert not moved & {state.id for state in result.states if state.verified}


def test_tables_of_the_unseen_name_kinds():
    """A renamed kind can't stay excused, and no kind is excused everywhere."""
    known = set(kinds())
    excused = {kind for _, kind, *_ in ABSENT}

    assert set(UNSEEN_IN_WINDOWS) | set(UNSEEN_LABELLED) | excused | MILD <= known
    assert all(
        any(
            unseen(name, mode, kind) is None
            for name in (REAL_ACT, ACT, REGULATION)
            for mode in MODES
        )
        for kind in known
    )


@pytest.mark.parametrize("name", laws())
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("change", CHANGES)
def test_harmless_change_is_no_fault(name, mode, change):
    """What the canonical form undoes is not reported, in whole corpora, with no finding at all."""
    corpus, expected = sound(name, mode)
    passages = [_changed(passage, CHANGES[change]) for passage in corpus.passages]
    result = law(name).check(passages, expected)

    assert [(f.rule, f.section, f.message) for f in result.findings] == []
    assert result.verdict is Verdict.VERIFIED
    assert sum(a != b for a, b in zip(passages, corpus.passages, strict=True)) > 0 or (
        change == "decomposed"
    )


def _changed(passage, change):
    return replace(passage, text=change(passage.text))
