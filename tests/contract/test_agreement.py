"""Where two honest readings of docs/reading-elaws.md could part, and must not.

Found by reading random arrangements of known classes with both readers; each expectation is
argued from the page, not from either reader.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.contract.facts import ASK, READERS, ask, law, p, with_role

DATA = Path(__file__).parents[2].parent / "shared" / "data" / "elaws"
REAL = [
    ("statute-06r17.json", "payload"),
    ("06r17_e.docx", "docx"),
    ("06l21_legislation_act.api.excerpt.json", "payload"),
    ("regulation-210242.content.html", "content"),
    ("900668_fault_rules.page.excerpt.html", "page"),
]
CLASSES = (
    "section subsection Ssubsection subection paragraph subpara subsubpara subsubsubpara clause "
    "subclause subsubclause Sclause definition firstdef Sdefinition defclause defsubclause "
    "defparagraph defsubpara defterm deftermsubsection headnote headnoteitalic partnum heading1 "
    "heading2 heading3 headingx table toc TOCid TOCpartCenter TOCheadCenter TOCheadLeft YTOCid "
    "Pnote footnoteLeft footnote equation equationind1 equationind2 equationind3 scanned ruleb "
    "paranoindt parawindt2 act italic note Psection Psubsection Pheading1 Ppart shorttitle "
    "chapter regnumber regtitle ConsolidationPeriod comment version leadText line MsoNormal "
    "Yheadnote Ysection Ysubsection Yparagraph Yclause Ysubpara Ydefinition Ytable neverseen"
).split(" ")


def facts(blocks):
    return [(b.section or "", b.status, b.runs) for b in blocks]


def parted(first, second):
    """Blocks on which two readings differ."""
    pairs = zip(facts(first), facts(second), strict=False)
    said = [f"first {a}, second {b}" for a, b in pairs if a != b]
    if len(first) != len(second):
        said.append(f"first has {len(first)} blocks, second {len(second)}")
    return said


@pytest.mark.parametrize("css", CLASSES)
def test_both_readers_give_a_class_the_same_role(css):
    """A word that is law to one reader and front matter to the other escapes coverage."""
    paragraphs = (p("section", "<b>5 </b>A lamp is lit."), p(css, "Words are printed here."))

    assert parted(ask("first", *paragraphs), ask("second", *paragraphs)) == []


@pytest.mark.real_data
@pytest.mark.parametrize(("name", "rendition"), REAL)
def test_both_readers_read_real_documents_alike(name, rendition):
    """Section, status and every run of every block, over whole documents."""
    if not (DATA / name).exists():
        pytest.skip(f"the official document {name} is not in ../shared/data/elaws")
    data = (DATA / name).read_bytes()

    assert parted(ASK["first"](data, rendition), ASK["second"](data, rendition)) == []


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("css", "text", "marker"),
    [
        ("Ssubsection", "(2) A wick is cut.", "2"),
        ("Sclause", "(a)  a wick;", "a"),
        ("deftermsubsection", "(2) A wick is cut.", "2"),
        ("definition", "(a)  a wick;", "a"),
    ],
)
def test_a_number_is_a_marker_whatever_the_class(reader, css, text, marker):
    """Kinds follow the marker, not the class: flush and definition classes included."""
    blocks = ask(reader, p("section", "<b>5 </b>(1) A lamp,"), p(css, text))

    assert law(blocks)[1] == ("5", marker, text.partition(")")[2].strip())


@pytest.mark.parametrize("reader", READERS)
def test_a_citation_alone_in_a_cell_is_law(reader):
    """A table may list Acts: no sentence of law ends before it, so nothing trails. In doubt, body."""
    blocks = ask(reader, p("section", "<b>5 </b>These apply:"), p("table", "2031, c. 7, s. 5."))

    assert law(blocks)[1:] == [("5", "", "2031, c. 7, s. 5.")]


@pytest.mark.parametrize("reader", READERS)
def test_a_subsection_after_a_titled_table_goes_on_with_its_section(reader):
    """A table interrupts a section; "(2)" after it is no part of the table."""
    blocks = ask(
        reader,
        p("section", "<b>5 </b>(1) Lamps are in Table 1."),
        p("headingx", "Table 1 <br> Lamps"),
        '<table><tr><td><p class="table">Brass</p></td></tr></table>',
        p("subsection", "(2) Wicks are cut."),
    )

    assert [section for section, _, _ in law(blocks)] == ["5", "Table 1", "5"]


@pytest.mark.parametrize("reader", READERS)
def test_a_headnote_that_nothing_takes_stays_where_it_was_printed(reader):
    """It belongs to the section that precedes it, not to one that came later."""
    blocks = ask(
        reader,
        p("section", "<b>5 </b>A lamp is lit."),
        p("headnote", "Waiting"),
        p("Ysection", "<b>7 </b>A spare lamp is kept."),
    )

    assert with_role(blocks, "headnote") == [("5", "Waiting")]


@pytest.mark.parametrize("reader", READERS)
def test_a_future_headnote_waits_for_the_next_future_opener(reader):
    """ "Yheadnote" binds to "Y": an opener in force between them takes nothing and drops nothing."""
    blocks = ask(
        reader,
        p("section", "<b>5 </b>A lamp is lit."),
        p("Yheadnote", "Spare wicks"),
        p("section", "<b>6 </b>(1) A wick is cut."),
        p("Ysubsection", "(2) A spare wick is kept."),
    )

    assert with_role(blocks, "headnote") == [("6", "Spare wicks")]


@pytest.mark.parametrize("reader", READERS)
def test_a_group_heading_has_no_locator_inside_a_schedule_either(reader):
    """Only titles of schedules, forms and tables have one."""
    blocks = ask(
        reader,
        p("schedule", "Schedule 1 <br> Wicks"),
        p("section", "<b>1 </b>A wick is cut."),
        p("headingx", "Other wicks"),
        p("heading1", "More wicks"),
        p("section", "<b>2 </b>A wick is dry."),
    )

    assert with_role(blocks, "heading") == [
        ("Sched. 1", "Schedule 1 Wicks"),
        ("", "Other wicks"),
        ("", "More wicks"),
    ]
    assert [section for section, _, _ in law(blocks)] == ["Sched. 1, 1", "Sched. 1, 2"]
