"""Where the second reader puts text: sections, titled tables, schedules and quotations."""

from __future__ import annotations

import time

import pytest

from corpusguard.second_reader import read


def content(*paragraphs):
    return read(f"<div>{''.join(paragraphs)}</div>".encode(), "content")


def p(name, inner):
    return f'<p class="{name}">{inner}</p>'


def places(result):
    return [block[0] for block in result["blocks"]]


CELL = "<table><tr><td>" + p("table", "Barn") + "</td></tr></table>"
FIVE = p("section", "<b>5 </b>(1) Owls hoot.")


def test_an_inserted_section_after_a_titled_table_is_the_body_s():
    """5.1 goes on after 5; a table between them is no new numbering."""
    result = content(FIVE, p("headingx", "Table 1"), CELL, p("section", "<b>5.1 </b>On."))
    assert places(result)[-1] == "5.1"


def test_a_future_section_after_a_titled_table_is_the_body_s():
    """The future text of section 5 repeats its number, and starts no numbering again."""
    result = content(FIVE, p("headingx", "Table 1"), CELL, p("Ysection", "<b>5 </b>Later."))
    assert result["blocks"][-1][:2] == ("5", "not_in_force")
    assert result["problems"] == []


def test_numbering_starts_again_in_a_titled_table():
    """A number that goes back is the table's own, until the section's numbers go on."""
    result = content(
        FIVE,
        p("headingx", "Table 1"),
        p("section", "<b>1 </b>Row one."),
        p("subsection", "(2) Row one goes on."),
        p("section", "<b>2 </b>Row two."),
        p("section", "<b>6 </b>On."),
    )
    assert places(result) == ["5", "Table 1", "Table 1, 1", "Table 1, 1", "Table 1, 2", "6"]


def test_numbered_text_after_a_table_before_any_section_is_the_preamble_s():
    """There is no section that the table could interrupt."""
    result = content(p("headingx", "Table 1"), CELL, p("paragraph", "1. Owls."))
    assert places(result) == ["Table 1", "Table 1", "Preamble"]


def test_a_table_in_a_future_section_and_text_in_force_after_it():
    """Both are passed over at once, and the record says so."""
    result = content(
        FIVE,
        p("Ysection", "<b>5.1 </b>Later."),
        p("Yheadingx", "Table 1"),
        CELL,
        p("subsection", "(2) Owls sleep."),
    )
    assert places(result) == ["5", "5.1", "Table 1", "Table 1", "5"]
    assert [m for m in result["problems"] if "follows future '5.1'" in m]


def test_numbers_in_cells_open_nothing_whatever_their_class():
    """A cell is body; one that looks like a section is said."""
    cells = "".join(
        f"<td>{p(name, inner)}</td>"
        for name, inner in (
            ("section", "<b>6 </b>Barns."),
            ("subsection", "(2) Barns."),
            ("clause", "(a) barns"),
            ("definition", "(b) barns"),
        )
    )
    result = content(FIVE, f"<table><tr>{cells}</tr></table>")
    assert set(places(result)) == {"5"}
    assert [runs for _, _, runs in result["blocks"][1:]] == [
        [("body", text)] for text in ("6 Barns.", "(2) Barns.", "(a) barns", "(b) barns")
    ]
    assert [m for m in result["problems"] if "'6 Barns.'" in m]


def test_future_text_before_any_section_in_force():
    """Text in force cannot be a future section's: before the first section it is the Preamble's."""
    result = content(p("Ysection", "<b>1 </b>Later."), p("subsection", "(2) Owls hoot."))
    assert places(result) == ["1", "Preamble"]
    assert result["problems"] != []


@pytest.mark.parametrize(
    ("title", "locator"),
    [
        ("Schedule Owls", "Sched."),
        ("Schedule Note", "Sched."),
        ("Schedule A", "Sched. A"),
        ("SCHEDULE AA", "Sched. AA"),
        ("Schedule VIII", "Sched. VIII"),
        ("schedule iv (omitted)", "Sched. iv"),
        ("Schedule 2.1 – Owls", "Sched. 2.1"),
        ("Annexe 3", "Sched. 3"),
    ],
)
def test_what_numbers_a_schedule(title, locator):
    """Letters are a number alone and of one case; a word is a title."""
    assert places(content(p("schedule", title))) == [locator]


def test_a_further_line_of_a_title_stands_right_below_it():
    """Once text, a note or another heading has come, an unnumbered title is one of its own."""
    result = content(
        p("schedule", "Schedule 1"),
        p("headingx", "Owls"),
        p("headingx", "and Barns"),
        p("heading1", "Nests"),
        p("headingx", "Straw"),
        p("schedule", "Twigs"),
    )
    assert places(result) == ["Sched. 1", "Sched. 1", "Sched. 1", "", "", "Sched."]
    assert [m for m in result["problems"] if "without its word" in m]


@pytest.mark.parametrize(
    ("title", "status"),
    [
        ("PART IX Repealed: 2034, c. 2, s. 15.", "gone"),
        ("PART IX.1 – (Repealed)", "gone"),
        ("PARTIE II Abrogée : 2034, chap. 2, art. 15.", "gone"),
        ("Revoked: O. Reg. 4/36, s. 2.", "gone"),
        ("Repealed Owls", "in_force"),
        ("PART IX Spent Owls", "in_force"),
        ("PART IX Owls", "in_force"),
    ],
)
def test_a_title_is_gone_by_its_words(title, status):
    """A stub stands alone after the number; a title may begin with the same word."""
    assert content(p("partnum", title))["blocks"][0][1] == status


def test_a_quotation_is_one_at_any_indent():
    """Deeper indents than any seen are quotations too, in force and future."""
    result = content(FIVE, p("parawindt9-e", "<b>90. </b>Owls."), p("Yparawindt12", "(2) Owls."))
    assert places(result) == ["5", "5", "5"]
    assert [block[2][0][0] for block in result["blocks"][1:]] == ["body", "body"]
    assert result["problems"] == []


def test_future_words_of_a_twin_do_not_make_a_stub_future():
    """Where a future section has the number too, its words are its own."""
    result = content(
        p("section", "<b>98 </b>(1)-(3) Omitted."), p("Ysection", "<b>98 </b>(1) Later.")
    )
    assert [s["status"] for s in result["sections"]] == ["gone", "not_in_force"]


def test_hostile_titles_cost_no_more_than_their_length():
    """Long runs of what titles are made of are read in linear time."""
    titles = ("PART " + "I" * 200_000, "Revoked (" * 30_000, "Lamps. 2034, c. 2, s. 1; " * 20_000)
    started = time.process_time()
    for title in titles:
        content(p("partnum", title))
    assert time.process_time() - started < 10
