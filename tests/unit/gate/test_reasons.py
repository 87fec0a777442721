"""Every reason of the gate is explained once, and the same wherever a person meets it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from corpusguard.errors import ConfigError
from corpusguard.gate.claims.model import Outcome
from corpusguard.gate.claims.outcomes import EXPLAINED as OUTCOMES
from corpusguard.gate.glossary import documented, words
from corpusguard.gate.model import Reason
from corpusguard.gate.reasons import EXPLAINED, legend, look_up
from corpusguard.rules import RULES, rule_page
from tests.unit.cli.conftest import call

PAGE = Path(__file__).parents[3] / "docs" / "gate.md"
CLAIMS = PAGE.with_name("check-claim.md")


def test_every_reason_has_a_meaning_and_a_next_step():
    assert set(EXPLAINED) == set(Reason)
    for reason, (meaning, step) in EXPLAINED.items():
        assert meaning.endswith("."), reason
        assert step.endswith("."), reason
        assert "|" not in meaning + step
    assert len({one.meaning for one in EXPLAINED.values()}) == len(EXPLAINED)


def test_the_page_of_the_gate_has_the_same_table():
    """Neither a reason less nor one more, in the order of the code."""
    rows = [f"| `{code}` | {one.meaning} | {one.next} |" for code, one in EXPLAINED.items()]
    table = "| reason | meaning | next |\n|---|---|---|\n" + "\n".join(rows) + "\n\n"
    assert table in PAGE.read_text("utf-8")


@pytest.mark.parametrize("reason", Reason)
def test_explain_prints_it(reason):
    shown = call("explain", reason.replace("_", "-").upper())
    assert shown.exit_code == 0
    assert EXPLAINED[reason].meaning in shown.stdout
    assert EXPLAINED[reason].next in shown.stdout


def test_a_name_of_a_rule_and_a_reason_gives_both():
    """The reason first: who asks has mostly met the word in a decision."""
    shared = {rule.name for rule in RULES.values()} & set(Reason)
    assert shared == {"text_differs", "too_old", "truncated"}
    for name in shared:
        found = look_up(name)
        assert found.page.startswith(f"# {name}, a reason of the sentence gate")
        assert EXPLAINED[Reason(name)].meaning in found.page
        assert found.page.endswith(rule_page(found.rule))


@pytest.mark.parametrize("outcome", Outcome)
def test_explain_knows_the_outcomes_of_check_claim(outcome):
    shown = call("explain", outcome.replace("_", "-"))
    assert shown.exit_code == 0
    assert OUTCOMES[outcome].meaning in shown.stdout
    assert OUTCOMES[outcome].next in shown.stdout
    page = CLAIMS.read_text("utf-8")
    assert f"| `{outcome}` | {' | '.join(OUTCOMES[outcome])} |" in page


@pytest.mark.parametrize("word", words())
def test_explain_says_where_each_other_word_is_explained(word):
    """And the page that it names has the word."""
    assert call("explain", word).exit_code == 0
    told = documented(word)
    assert told
    for line in told:
        page = (PAGE.parents[1] / re.search(r": (docs/[\w-]+\.md)", line)[1]).read_text("utf-8")
        assert word in page.lower(), line


def test_where_no_judge_is_asked_none_is_recommended():
    for code in Reason:
        assert "let a judge" not in look_up(code, judged=False).page
    assert "let a judge" in look_up("not_quoted").page


def test_what_is_neither_is_refused():
    with pytest.raises(ConfigError, match="no rule, no reason"):
        look_up("../etc/passwd")
    with pytest.raises(ConfigError) as raised:
        look_up("escalate")
    assert "escalated" in raised.value.hint


def test_a_legend_has_each_reason_once_and_none_that_it_does_not_know():
    lines = legend(["actor", "of_a_later_version", "number", "actor"])
    assert [line.split(":")[0] for line in lines] == ["actor", "number"]
