"""The pages that ``corpusguard explain`` prints: one a rule, complete, and true to the rules."""

import re
from importlib import resources

import pytest

from corpusguard.model import Severity
from corpusguard.rules import RULES

PAGES = resources.files("corpusguard").joinpath("rule_pages")
HEADINGS = ["What it means", "Example", "Why it matters", "What to do", "Severity"]
COMMANDS = {
    "fetch",
    "snapshots list",
    "snapshots show",
    "snapshots add",
    "inspect",
    "passages",
    "verify",
    "status",
    "findings list",
    "findings show",
    "findings ignore",
    "ignores list",
    "ignores prune",
    "diff",
    "schedule list",
    "history verify",
    "doctor",
}
"""Commands of the contract that the pages may name."""


def read(rule):
    return PAGES.joinpath(f"{rule}.md").read_text("utf-8")


def sections(page):
    """Heading -> text below it."""
    parts = re.split(r"^## (.+)$", page, flags=re.MULTILINE)
    return dict(zip(parts[1::2], (text.strip() for text in parts[2::2]), strict=True))


def test_every_page_has_a_rule_and_every_rule_a_page():
    """Neither a rule that cannot be explained nor a page that explains nothing."""
    assert {entry.name for entry in PAGES.iterdir()} == {f"{rule}.md" for rule in RULES}


@pytest.mark.parametrize("rule", RULES)
def test_a_page_is_complete_and_short(rule):
    """Title and summary are those of the rule; every heading has text; it fits on a screen."""
    page = read(rule)
    title, summary = page.split("\n\n")[:2]

    assert title == f"# {rule} {RULES[rule].name}"
    assert summary == RULES[rule].summary
    found = sections(page)
    assert list(found) == HEADINGS
    assert all(len(text.split()) >= 2 for text in found.values())
    assert len(page.splitlines()) <= 45
    assert max(map(len, page.splitlines())) <= 100


@pytest.mark.parametrize("rule", RULES)
def test_a_page_says_the_usual_severity(rule):
    """It is named first, or, where most findings are of another, named at all."""
    text = sections(read(rule))["Severity"]

    assert RULES[rule].severity.value.capitalize() in text
    assert text.split()[0].strip(".,:") in {each.value.capitalize() for each in Severity}


@pytest.mark.parametrize("rule", RULES)
def test_a_page_names_only_commands_and_rules_that_exist(rule):
    """Advice that cannot be followed is worse than none; no command breaks over two lines."""
    page = read(rule)
    named = re.findall(r"`corpusguard ([a-z-]+)(?: ([a-z]+))?", page)

    assert page.count("`") % 2 == 0
    assert all(line.count("`") % 2 == 0 for line in page.splitlines())
    assert {
        " ".join(words).strip() if " ".join(words).strip() in COMMANDS else words[0]
        for words in named
    } <= COMMANDS
    assert set(re.findall(r"CG\d+", page)) <= set(RULES)


def test_every_page_says_what_to_do_in_steps():
    """A list of steps, each beginning with a capital letter or a command."""
    for rule in RULES:
        steps = re.findall(r"^- (.)", sections(read(rule))["What to do"], flags=re.MULTILINE)
        assert len(steps) >= 2, rule
        assert all(step.isupper() or step.isdigit() or step == "`" for step in steps), rule
