"""Failures that other legal corpora reported in public, asked of both readers in invented law.

``T01`` and the like are rows of the project's table of real failures, ``issue_14`` and the like
its list of public issues; each docstring says what went wrong there.
"""

from __future__ import annotations

import pytest

from corpusguard.errors import CorpusguardError
from tests.contract.facts import (
    ASK,
    READERS,
    ask,
    ask_page,
    ask_payload,
    holding,
    law,
    p,
    with_role,
)

pytestmark = pytest.mark.parametrize("reader", READERS)


def visible(blocks):
    """Every word that a reading placed, in order."""
    return " ".join(text for b in blocks for _, text in b.runs).split()


def test_t01_nothing_is_lost_after_an_unmatched_opener(reader):
    """A parser flushed at a `section` paragraph without a number and lost the penalties."""
    blocks = ask(
        reader,
        p("section", "<b>66 </b>(1) Every person who breaks a lamp,"),
        p("section", "or who hides a lamp,"),
        p("paragraph", "  (a)  is guilty of an offence; and"),
        p("paragraph", "  (b)  is liable to a fine of 500 candles."),
        p("section", "Penalties are paid at dusk."),
        p("section", "<b>67 </b>A lamp is dusted."),
    )

    assert [section for section, _, _ in law(blocks)] == ["66"] * 5 + ["67"]
    assert " ".join(body for _, _, body in law(blocks)) == (
        "Every person who breaks a lamp, or who hides a lamp, is guilty of an offence; and "
        "is liable to a fine of 500 candles. Penalties are paid at dusk. A lamp is dusted."
    )


def test_t02_every_label_and_marginal_note_is_kept(reader):
    """Labels were skipped: all numbering stripped, a clause and marginal notes missing."""
    blocks = ask(
        reader,
        p("headnote", "Proof of lamps"),
        p("section", "<b>30 </b>(1) A lamp is proved by,"),
        p("headnote", "Copies"),
        p("subsection", "(4) A copy is proved by,"),
        p("paragraph", "  (a)  its keeper; or"),
        p("paragraph", "  (b)  its light,"),
        p("subpara", "  (i)  by day, or"),
        p("subsubpara", "  (A)  at noon."),
        p("paragraph", "  1.  A wick."),
        p("subpara", "  ii.  A second wick."),
        p("subsubpara", "  B.  A third wick."),
    )

    assert [b.marker for b in blocks if b.marker] == [
        "30 1",
        "4",
        "a",
        "b",
        "i",
        "A",
        "1",
        "ii",
        "B",
    ]
    assert with_role(blocks, "headnote") == [("30", "Proof of lamps"), ("30", "Copies")]


def test_t19_tables_are_not_dropped(reader):
    """A reader of law files dropped every table, schedules with them."""
    cells = ("Column 1", "Column 2", "Brass lamps", "20", "Tin lamps", "15")
    rows = "".join(
        f'<tr><td><p class="table">{a}</p></td><td><p class="table">{b}</p></td></tr>'
        for a, b in zip(cells[::2], cells[1::2], strict=True)
    )

    blocks = ask(
        reader,
        p("section", "<b>3 </b>A lamp lasts for the years set out in the Table."),
        p("headingx", "Table 2 <br> Years"),
        f'<table class="MsoNormalTable">{rows}</table>',
    )

    assert [(section, body) for section, _, body in law(blocks)[1:]] == [
        ("Table 2", cell) for cell in cells
    ]


def test_t20_a_stem_comes_before_what_it_governs(reader):
    """Nested sections lost their labels and the stem came after its paragraphs."""
    blocks = ask(
        reader,
        p("section", "<b>4 </b>(1) A keeper shall,"),
        p("paragraph", "  (a)  carry,"),
        p("subclause", "  (i)  a lamp, and"),
        p("subclause", "  (ii)  oil; and"),
        p("paragraph", "  (b)  whistle."),
        p("subsection", "(2) No keeper sleeps."),
    )

    assert [(marker, body) for _, marker, body in law(blocks)] == [
        ("4 1", "A keeper shall,"),
        ("a", "carry,"),
        ("i", "a lamp, and"),
        ("ii", "oil; and"),
        ("b", "whistle."),
        ("2", "No keeper sleeps."),
    ]


@pytest.mark.parametrize("content", ["", '<div class="WordSection1">\r \n</div>', "<div></div>"])
def test_t22_an_empty_answer_is_no_law(reader, content):
    """Status 200 with nothing in it was shown as an empty law."""
    try:
        blocks = ask_payload(reader, content)
    except (CorpusguardError, ValueError):
        blocks = []

    assert law(blocks) == []


def test_t27_preamble_signatures_and_footnotes_are_placed(reader):
    """Preamble, signatures and footnotes were dropped; two instruments parsed to nothing."""
    blocks = ask(
        reader,
        p("paranoindt", "Whereas lamps burn;"),
        p("section", "<b>1 </b>A lamp is lit."),
        p("footnote", "O. Reg. 9/31, s. 1."),
        p("paranoindt", "Made by the Keeper of Lamps."),
    )

    assert law(blocks) == [
        ("Preamble", "", "Whereas lamps burn;"),
        ("1", "1", "A lamp is lit."),
        ("1", "", "Made by the Keeper of Lamps."),
    ]
    assert with_role(blocks, "history") == [("1", "O. Reg. 9/31, s. 1.")]


def test_t28_navigation_does_not_contaminate_sections(reader):
    """Two states were withdrawn: navigation and footer stood inside section bodies."""
    blocks = ask_page(
        reader,
        p("section-e", " <strong>1. </strong>A lamp is lit."),
        p("MsoNormal", '<a href="#Top">Back to top</a>'),
        around=("<header><p>Ontario.ca</p></header>", "<footer><p>Privacy</p></footer>"),
    )

    assert law(blocks) == [("1", "1", "A lamp is lit.")]


def test_t31_typographic_signs_survive(reader):
    """Section signs, curly quotes and dashes were garbled or lost."""
    words = "The keeper’s “lamp” — § 3 – costs 5 ¢ at the café…"

    assert law(ask(reader, p("section", f"<b>1 </b>{words}"))) == [("1", "1", words)]


def test_t31_bytes_in_another_encoding_are_refused(reader):
    """Text in cp1252 is an error, never a guess and never a replaced letter."""
    data = p("section", "<b>1 </b>The keeper’s lamp.").encode("cp1252")

    with pytest.raises((CorpusguardError, ValueError)):
        ASK[reader](data, "content")


def test_t34_short_sections_are_kept(reader):
    """Short valid sections were thrown away as rubbish."""
    blocks = ask(
        reader,
        p("section", "<b>1 </b>Wicks burn."),
        p("section", "<b>2 </b>No."),
        p("section", "<b>3 </b>Fictions in lighting are abolished."),
    )

    assert law(blocks) == [
        ("1", "1", "Wicks burn."),
        ("2", "2", "No."),
        ("3", "3", "Fictions in lighting are abolished."),
    ]


def test_issue_01_numbered_paragraphs_without_a_sublist(reader):
    """Numbered paragraphs were dropped unless they had a list below them."""
    blocks = ask(
        reader,
        p("section-e", "<strong>5. </strong>Lamps are lit as follows:"),
        p("paragraph-e", " 1.  At dusk."),
        p("paragraph-e", " 2.  At night,"),
        p("subpara-e", " i.  in fog, or"),
        p("paragraph-e", " 3.  In storms."),
    )

    assert [marker for _, marker, _ in law(blocks)] == ["5", "1", "2", "i", "3"]


def test_issue_14_adjacent_paragraphs_are_not_glued(reader):
    """Consecutive paragraphs ran together: "work.Deployers"."""
    blocks = ask(
        reader,
        '<p class="section"><b>1 </b>Lamps do the work.</p><p class="subsection">(2) Keepers rest.</p>'
        '<p class="table">Brass</p><p class="table">Tin<br>Iron</p>',
    )

    words = " ".join(visible(blocks))
    assert words == "1 Lamps do the work. (2) Keepers rest. Brass Tin Iron"


def test_issue_15_list_items_are_not_headings(reader):
    """Short items in capitals were taken for headings and displaced the article's text."""
    blocks = ask(
        reader,
        p("section", "<b>1 </b>A keeper carries,"),
        p("paragraph", "  (a)  LAMP OIL"),
        p("paragraph", "  (b)  <b>Wicks</b>"),
    )

    assert law(blocks)[1:] == [("1", "a", "LAMP OIL"), ("1", "b", "Wicks")]
    assert with_role(blocks, "heading") == []


def test_issue_17_current_and_future_text_are_two_units(reader):
    """Current and future texts of one number were stored as duplicates of each other."""
    blocks = ask(
        reader,
        p("section", "<b>8 </b>A lamp burns oil."),
        p("Ysection", "<b>8 </b>A lamp burns current."),
        p("section", "<b>9 </b>A lamp is dusted."),
    )

    assert [(b.section, b.status) for b in blocks] == [
        ("8", "in_force"),
        ("8", "not_in_force"),
        ("9", "in_force"),
    ]


def test_issue_19_sections_do_not_nest_under_the_one_before(reader):
    """A section stood inside the section before it; here clauses end where a section begins."""
    blocks = ask(
        reader,
        p("section", "<b>1 </b>A keeper,"),
        p("paragraph", "  (a)  lights;"),
        p("subpara", "  (i)  early."),
        p("section", "<b>2 </b>A keeper rests."),
        p("subsection", "(2) A lamp rests."),
    )

    assert [section for section, _, _ in law(blocks)] == ["1", "1", "1", "2", "2"]


def test_issue_22_markers_inside_a_table_do_not_break_the_list(reader):
    """Markers in a table's cells broke the depth of the list around it."""
    blocks = ask(
        reader,
        p("section", "<b>1 </b>A keeper carries,"),
        p("paragraph", "  (a)  what this table lists:"),
        '<table><tr><td><p class="table">(a)</p></td><td><p class="table">(2) lamps</p></td></tr></table>',
        p("paragraph", "  (b)  oil."),
        p("subsection", "(2) A keeper rests."),
    )

    assert [(s, m) for s, m, _ in law(blocks)] == [
        ("1", "1"),
        ("1", "a"),
        ("1", ""),
        ("1", ""),
        ("1", "b"),
        ("1", "2"),
    ]
    assert holding(blocks, "(2) lamps").body == "(2) lamps"


def test_issue_23_collapsed_markers(reader):
    """Markers that follow one another in one paragraph were read as one, or lost."""
    blocks = ask(
        reader,
        p("section", "<b>36.1 </b>(1) (a) A lamp,"),
        p("subclause", "  (i)  of brass."),
        p("subsection", "(2) (a) A wick."),
    )

    assert law(blocks) == [
        ("36.1", "36.1 1 a", "A lamp,"),
        ("36.1", "i", "of brass."),
        ("36.1", "2 a", "A wick."),
    ]


def test_issue_24_clauses_of_schedules_are_not_sections_of_the_body(reader):
    """Schedule clauses mixed with body sections gave "7" eight times."""
    blocks = ask(
        reader,
        p("section", "<b>7 </b>A lamp is lit."),
        p("schedule", "SCHEDULE 1"),
        p("section", "<b>7 </b>Brass."),
        p("schedule", "SCHEDULE 2"),
        p("section", "<b>7 </b>Tin."),
        p("subsection", "(2) Iron."),
    )

    assert [section for section, _, _ in law(blocks)] == [
        "7",
        "Sched. 1, 7",
        "Sched. 2, 7",
        "Sched. 2, 7",
    ]


def test_issue_31_sections_after_a_table_are_not_swallowed(reader):
    """Closing sections were swallowed by the table that came before them."""
    blocks = ask(
        reader,
        p("section", "<b>1 </b>Lamps are:"),
        '<table><tr><td><p class="table">Brass</p></td></tr></table>',
        p("section", "<b>2 </b>The Wick Act is repealed."),
    )

    assert law(blocks) == [
        ("1", "1", "Lamps are:"),
        ("1", "", "Brass"),
        ("2", "2", "The Wick Act is repealed."),
    ]
    assert holding(blocks, "Wick Act").status == "in_force"


def test_issue_31_sections_after_a_titled_table_leave_it(reader):
    """Numbers that run on after a titled table are sections of the body, not of the table."""
    blocks = ask(
        reader,
        p("section", "<b>1 </b>Lamps are:"),
        p("headingx", "Table 1 <br> Lamps"),
        '<table><tr><td><p class="table">Brass</p></td></tr></table>',
        p("section", "<b>2 </b>Wicks are cut."),
        p("subsection", "(2) Oil is clear."),
    )

    assert [section for section, _, _ in law(blocks)] == ["1", "Table 1", "2", "2"]


@pytest.mark.parametrize("word", ["Repealed", "Revoked", "Omitted", "Spent"])
@pytest.mark.parametrize("wrap", ["{}", '<span class="ovsmallcap">{}</span>'])
def test_issue_32_a_stub_says_that_it_is_gone(reader, word, wrap):
    """A repealed regulation carried no sign of it; small capitals or plain, a stub is gone."""
    blocks = ask(
        reader,
        p("section", f"<b>2 </b>{wrap.format(word)}: 2034, c. 2, s. 15."),
        p("section", "<b>3 </b>Repealed lamps are returned."),
    )

    assert [(b.section, b.status, b.body) for b in blocks] == [
        ("2", "gone", f"{word}:"),
        ("3", "in_force", "Repealed lamps are returned."),
    ]


def test_issue_34_counters_reset_and_second_paragraphs_stay(reader):
    """A numbered item's second paragraph was lost, and counters ran on into the next section."""
    blocks = ask(
        reader,
        p("section-e", "<strong>1. </strong>A keeper carries:"),
        p("paragraph-e", " 1.  A lamp."),
        p("MsoNormal", "The lamp is of brass."),
        p("paragraph-e", " 2.  Oil."),
        p("section-e", "<strong>2. </strong>A keeper wears:"),
        p("paragraph-e", " 1.  A hat."),
    )

    assert law(blocks) == [
        ("1", "1", "A keeper carries:"),
        ("1", "1", "A lamp."),
        ("1", "", "The lamp is of brass."),
        ("1", "2", "Oil."),
        ("2", "2", "A keeper wears:"),
        ("2", "1", "A hat."),
    ]


def test_issue_33_schedule_and_definition_items_are_scoped(reader):
    """Items of two definitions shared one id, and so did those of two schedules."""
    blocks = ask(
        reader,
        p("section", "<b>1 </b>In this Act,"),
        p("definition", "“lamp” means,"),
        p("paragraph", "  (a)  a light;"),
        p("definition", "“oil” means,"),
        p("paragraph", "  (a)  a fuel;"),
        p("schedule", "SCHEDULE 1"),
        p("paragraph", "  (a)  brass."),
        p("schedule", "SCHEDULE 2"),
        p("paragraph", "  (a)  tin."),
    )

    assert [section for section, marker, _ in law(blocks) if marker == "a"] == [
        "1",
        "1",
        "Sched. 1",
        "Sched. 2",
    ]


def test_every_visible_word_is_placed_once_and_in_order(reader):
    """Whatever a paragraph's class, no word of it is dropped, repeated or moved."""
    classes = [
        "section", "subsection", "paragraph", "clause", "subpara", "definition", "firstdef",
        "headnote", "heading1", "heading3", "partnum", "headingx", "table", "Pnote", "Ysection",
        "footnote", "footnoteLeft", "equation", "paranoindt", "MsoNormal", "act", "line", "version",
        "neverseen-e",
    ]  # fmt: skip
    paragraphs = [p(css, f"word{i} of{i} the{i} law{i}") for i, css in enumerate(classes)]

    blocks = ask(reader, *paragraphs, "<ul><li>listed</li></ul>", "<div>boxed</div>")

    expected = [w for i in range(len(classes)) for w in f"word{i} of{i} the{i} law{i}".split()]
    assert visible(blocks) == [*expected, "listed", "boxed"]
