"""What a person sees at a terminal."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from corpusguard.model import Coverage, Severity, Suppression, SuppressionKind, Verdict
from corpusguard.report import FORMATS
from corpusguard.report.console import View, render
from tests.unit.report.results import DOC, HOSTILE, clean, document, finding, run

MIXED = run(document(finding()), clean())


@pytest.mark.parametrize("width", [40, 80, 100, 120, 200])
def test_the_facts_are_there_at_any_width(width):
    """Layers in words, amounts, both percentages, dates and the verdict fit every terminal."""
    text = " ".join(render(MIXED, View(width=width)).split())
    for fact in (
        "L1 ✗ violated",
        "L2 ✓ verified",
        "L3 ? unverifiable",
        "307 provisions",
        "540 of 732 passages verified",
        "24.0 % covered",
        "58.0 % under any label",
        "snapshot 3 h old",
        "consolidated from 2026-01-01",
        "current to 2026-11-27",
        "✗ VIOLATED",
        "1 of 2 documents verified",
        "2.5 s",
        "run 12",
    ):
        assert fact in text, fact


@pytest.mark.parametrize("width", [40, 80, 120])
def test_no_line_is_wider_than_the_terminal(width):
    """Nothing wraps on its own: not even a hostile id of many columns."""
    evil = document(finding(message=HOSTILE * 5, passage="p" * 300), id=DOC + "x" * 200)
    lines = render(run(evil), View(width=width)).splitlines()
    assert max(cell_len(line) for line in lines if "corpusguard findings" not in line) <= width


def test_a_command_to_copy_is_on_one_line():
    """The next step is not wrapped, and has the options that it needs."""
    text = render(MIXED, View(width=40, options=" -c a/long/way/to/the/corpusguard.toml"))
    assert "corpusguard findings show f00dfeed0001 -c a/long/way/to/the/corpusguard.toml\n" in text


def test_wide_terminals_put_texts_side_by_side():
    """Official and stored share a line where there is room, and stand under each other if not."""
    wide = render(MIXED, View(width=120))
    assert any("[-30-]" in line and "{+90+}" in line for line in wide.splitlines())
    narrow = render(MIXED, View(width=80)).splitlines()
    assert not any("[-30-]" in line and "{+90+}" in line for line in narrow)
    assert any("{+90+}" in line for line in narrow)


def test_without_colour_brackets_mark_the_difference():
    """No ANSI at all, and the differing words are still marked."""
    text = render(MIXED, View(width=100, color=False))
    assert "\x1b" not in text
    assert "lasts [-30-] days" in text


def test_with_colour_the_difference_is_bold_and_underlined():
    """Colour replaces brackets, with bold and underline for eyes that do not see it."""
    text = render(MIXED, View(width=100, color=True))
    assert "[-30-]" not in text
    assert "\x1b[1;4;32m30\x1b[0m" in text


def test_a_colour_ends_with_its_word():
    """What stands behind a coloured verdict is not coloured too."""
    text = render(MIXED, View(width=100, color=True))
    assert "\x1b[31m✗ violated\x1b[0m" in text
    assert "  \x1b[1mca-on/statute/19h31@en\x1b[0m" in text


def test_foreign_text_is_neither_obeyed_nor_read_as_markup():
    """The only escapes are our own; rich tags and emoji codes come out literally."""
    evil = finding(message=HOSTILE + " :smile:", official="[bold]law[/bold]", stored="", diff="")
    text = render(run(document(evil, id="[red]id[/red]")), View(width=200, color=False))
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "[red]x[/red]" in text
    assert ":smile:" in text
    assert "[bold]law[/bold]" in text
    assert "[red]id[/red]" in text


def test_the_first_of_each_rule_are_shown_and_the_rest_counted():
    """Five of a rule by default, all on request; the head counts them all."""
    many = [finding("CG203", passage=f"row-{number}") for number in range(8)]
    result = run(document(*many))
    some = render(result, View(each=5))
    assert some.count("  • s. 7 · row-") == 5
    assert "CG203 misfiled  8 errors" in some
    assert "row-4" in some
    assert "row-5" not in some
    assert "and 3 more" in some
    assert "row-7" in render(result, View(each=None))


def test_worst_rules_come_first_and_name_the_next_step():
    """An error is shown before warnings; the last lines say how to go on from it."""
    warning = finding("CG104", severity=Severity.WARNING)
    text = render(run(document(warning, finding("CG203"))))
    assert text.index("CG203") < text.index("CG104")
    assert "corpusguard explain CG203" in text
    assert "corpusguard findings show f00dfeed0001" in text


def test_an_empty_run_says_that_nothing_is_verified():
    """An empty run must not read like a good one."""
    text = render(run(verdict=Verdict.UNVERIFIABLE))
    assert "Nothing was in scope, so nothing is verified." in text
    assert "? UNVERIFIABLE" in text


def test_a_nearly_full_bar_is_not_full():
    """One missing word leaves the last box of the bar empty."""
    covered = Coverage(words=100_000, covered=99_999, covered_any_label=100_000)
    text = render(run(document(coverage=covered)))
    assert "█████████░ 99.9 % covered" in text
    assert "100 % under any label" in text


def test_unmeasured_is_said():
    """No coverage, no snapshot, no date: each is said, none is a nought."""
    bare = document(coverage=None, captured="", consolidated_from="", currency_date="")
    text = render(run(bare))
    assert "coverage unmeasured" in text
    assert "no snapshot" in text
    assert "consolidated from unknown" in text


def test_layers_that_did_not_run_are_named():
    """A verdict names the layers that gave it; a layer without an answer is not a pass."""
    text = render(run(document(layers={"L1": Verdict.VERIFIED}), layers=("L1", "L2")))
    assert "L1 ✓ verified" in text
    assert "L2 – not run" in text
    assert "verified by L1, L2" in text


def test_a_result_that_stands_says_since_when():
    """A result taken over from an earlier run says so."""
    assert "nothing changed since run 7" in render(run(document(reused_from=7)))


def test_a_finding_about_no_document_is_never_an_empty_place():
    """As CG309 is for rows whose document no source lists, on the first run over a new store."""
    about = {"document": "", "section": "", "passage": "", "where": ""}
    own = finding("CG309", message="3 rows name nobody, which no source lists", **about)
    result = run(findings=(own,))
    why = Suppression(SuppressionKind.IGNORE, "a slip", "ops", "2026-11-01", "2026-12-31")
    known = run(findings=(own,), suppressions={own.fingerprint: why})

    assert "• the run as a whole\n" in render(result)
    assert "unknown_locator · the run as a whole · fingerprint" in render(known)
    assert "[the run as a whole] 3 rows" in FORMATS["junit"].render(result)
    assert "::the run as a whole: 3 rows" in FORMATS["github"].render(result)
