"""The twenty numbered traps of e-Laws markup, asked of both readers in invented law.

Each test is named after its trap. Expectations are the facts that both readers expose: section
locator, printed number, status, and the role under which every word was placed. The file is long
because it is one list: a trap without its test must be seen at once.
"""

from __future__ import annotations

import pytest

from tests.contract.facts import READERS, ask, ask_page, first_reading, holding, law, p, with_role

pytestmark = pytest.mark.parametrize("reader", READERS)

GONE = '<span class="ovsmallcap">'


def statuses(blocks):
    return [b.status for b in blocks if b.marker or b.body]


def test_trap_01_range_of_sections_in_one_opener(reader):
    """An opener of several numbers is one unit, named as printed, and gone."""
    blocks = ask(
        reader,
        p("section-e", f" <strong>12., 13. </strong>{GONE}Revoked : </span>O. Reg. 9/31, s. 4."),
        p("section-e", f" <strong>22.1-25. </strong>{GONE}Revoked : </span>O. Reg. 9/31, s. 5."),
        p("section", f"<b>101-142 </b>{GONE}Omitted</span> ({GONE}amends other Acts</span>)."),
        p("section", "<b>143 </b>Every wick is trimmed."),
    )

    assert law(blocks) == [
        ("12., 13", "12, 13", "Revoked :"),
        ("22.1-25", "22.1-25", "Revoked :"),
        ("101-142", "101-142", "Omitted (amends other Acts)."),
        ("143", "143", "Every wick is trimmed."),
    ]
    assert statuses(blocks) == ["gone", "gone", "gone", "in_force"]


def test_trap_02_range_of_subsections(reader):
    """A range of subsections stays in its section; so does one in the opener itself."""
    blocks = ask(
        reader,
        p("section", "<b>9 </b>(1) A lamp is lit at dusk."),
        p("subsection", f"(2)-(5) {GONE}Repealed</span>: 2034, c. 4, s. 6 (1)."),
        p("subsection", "(6) A lamp is put out at dawn."),
        p("subsection-e", f" (11), (12) {GONE}Revoked </span>: O. Reg. 4/36, s. 2 (5)."),
        p("section", f"<b>98 </b>(1)-(3) {GONE}Omitted</span> ({GONE}amends other Acts</span>)."),
        p("subsection", "(6) Lamps may be consolidated."),
    )

    assert law(blocks) == [
        ("9", "9 1", "A lamp is lit at dusk."),
        ("9", "2-5", "Repealed:"),
        ("9", "6", "A lamp is put out at dawn."),
        ("9", "11, 12", "Revoked :"),
        ("98", "98 1-3", "Omitted (amends other Acts)."),
        ("98", "6", "Lamps may be consolidated."),
    ]
    assert statuses(blocks) == ["in_force", "gone", "in_force", "gone", "gone", "in_force"]


def test_trap_03_repealed_section_without_anchor(reader):
    """A stub without anchor, headnote or contents row is a section of its own, and gone."""
    blocks = ask(
        reader,
        p("headnote", "Notice"),
        p("section", '<a name="BK89"></a><b>74 </b>Notice is taken of every lamp.'),
        '<p class="section"><b>75 </b><span class="ovsmallcap">Repealed</span>: '
        '<span class="citation">2034, c. 2, s. 15.</p></span>',
    )

    assert law(blocks) == [
        ("74", "74", "Notice is taken of every lamp."),
        ("75", "75", "Repealed:"),
    ]
    assert statuses(blocks) == ["in_force", "gone"]
    assert with_role(blocks, "history") == [("75", "2034, c. 2, s. 15.")]


def test_trap_04_stale_and_stacked_headnotes(reader):
    """Headnotes stack on the next opener and never leak to a stub that takes none."""
    blocks = ask(
        reader,
        p("headnote", "Time of lighting"),
        p("headnote", "Lighting"),
        p("section", "<b>9 </b>(1) A lamp is lit at dusk."),
        p("headnote", "Limitation"),
        p("subsection", "(2) No lamp is lit at noon."),
        p("headnote", "Left waiting"),
        p("section", f"<b>75 </b>{GONE}Repealed</span>: 2034, c. 2, s. 15."),
        p("section", "<b>76 </b>A lamp is dusted."),
    )

    assert with_role(blocks, "headnote") == [
        ("9", "Time of lighting"),
        ("9", "Lighting"),
        ("9", "Limitation"),
        ("9", "Left waiting"),
    ]
    assert [section for section, _, _ in law(blocks)] == ["9", "9", "75", "76"]


def test_trap_05_text_not_yet_in_force(reader):
    """Future siblings keep their section and say that they are not in force, whatever kind."""
    blocks = ask(
        reader,
        p("section", "<b>34 </b>(1) A lamp is lit at dusk."),
        p("definition", "“keeper” means a person who keeps a lamp;"),
        p("Ydefinition", "“night keeper” means a keeper at night;"),
        p("subsection", "(3) A lamp burns oil."),
        p("Pnote", "Note: On a day to be named, subsection 34 (3) is repealed: (See: 2033, c. 1)"),
        p("Yheadnote", "Oil or current"),
        p("Ysubsection", "(3) A lamp burns oil or current. 2033, c. 1, s. 7."),
        p("Yparagraph", "  (a)  oil, or"),
        p("Yheadnote", "Spare lamps"),
        p("Ysection", "<b>34.1 </b>A spare lamp is kept."),
        p("section", "<b>35 </b>A lamp has a wick."),
    )

    assert [
        (*unit, status) for unit, status in zip(law(blocks), statuses(blocks), strict=True)
    ] == [
        ("34", "34 1", "A lamp is lit at dusk.", "in_force"),
        ("34", "", "“keeper” means a person who keeps a lamp;", "in_force"),
        ("34", "", "“night keeper” means a keeper at night;", "not_in_force"),
        ("34", "3", "A lamp burns oil.", "in_force"),
        ("34", "3", "A lamp burns oil or current.", "not_in_force"),
        ("34", "a", "oil, or", "not_in_force"),
        ("34.1", "34.1", "A spare lamp is kept.", "not_in_force"),
        ("35", "35", "A lamp has a wick.", "in_force"),
    ]
    assert with_role(blocks, "headnote") == [("34", "Oil or current"), ("34.1", "Spare lamps")]
    assert holding(blocks, "Note: On a day").words("note") != ""
    assert holding(blocks, "Note: On a day").status == "in_force"


def test_trap_05_headnotes_wait_for_their_own_status(reader):
    """A headnote in force passes over a future section to the next one in force."""
    blocks = ask(
        reader,
        p("section", "<b>34 </b>A lamp is lit."),
        p("headnote", "Wicks"),
        p("Yheadnote", "Spare lamps"),
        p("Ysection", "<b>34.1 </b>A spare lamp is kept."),
        p("section", "<b>35 </b>A lamp has a wick."),
    )

    assert with_role(blocks, "headnote") == [("35", "Wicks"), ("34.1", "Spare lamps")]


def test_trap_06_section_class_that_opens_nothing(reader):
    """A `section` paragraph without a number continues the section before it; empty is nothing."""
    blocks = ask(
        reader,
        p("section", "<b>66 </b>(1) A keeper who fails,"),
        p("paragraph", "  (a)  to light a lamp, or"),
        p("section", "is guilty of an offence and liable to a fine."),
        p("section", " "),
        p("section", "&nbsp;"),
        p("subsection", "(2) A fine is paid in oil."),
    )

    assert law(blocks) == [
        ("66", "66 1", "A keeper who fails,"),
        ("66", "a", "to light a lamp, or"),
        ("66", "", "is guilty of an offence and liable to a fine."),
        ("66", "2", "A fine is paid in oil."),
    ]


def test_trap_07_definition_continuation(reader):
    """Continuations, double names, italic terms and broken quotes stay definitions of section 1."""
    paragraphs = (
        p("section", "<strong>1 </strong>In this Act,"),
        p("definition", "“keeper” means a person who,"),
        p("paragraph", "  (a) lights a lamp,"),
        p("definition", "  but does not include,"),
        p("paragraph", "  (b) a passer-by; (<span>“</span>gardien”)"),
        p("definition", "“lamp” or “reciprocal lamp” means a light;"),
        p("definition", "“<em>Lamp Schedule</em>” means the Schedule;"),
    )

    blocks = ask(reader, *paragraphs)

    assert law(blocks) == [
        ("1", "1", "In this Act,"),
        ("1", "", "“keeper” means a person who,"),
        ("1", "a", "lights a lamp,"),
        ("1", "", "but does not include,"),
        ("1", "b", "a passer-by; (“gardien”)"),
        ("1", "", "“lamp” or “reciprocal lamp” means a light;"),
        ("1", "", "“Lamp Schedule” means the Schedule;"),
    ]
    if reader == "first":
        reading = first_reading(f"<div>{''.join(paragraphs)}</div>".encode(), "content")
        assert [p.kind for p in reading.provisions].count("definition") == 3


def test_trap_08_flush_text_after_clauses(reader):
    """Flush text and the legend of a formula are words of the section that they close."""
    blocks = ask(
        reader,
        p("section-e", "<strong>4. </strong>(1) Oil is measured by the formula:"),
        p("equation-e", "A = B − C"),
        p("Ssubsection-e", "where,"),
        p("equationind2-e", " A = the oil burnt,"),
        p("subsection-e", " (2) Where a keeper,"),
        p("clause-e", " (a)  sleeps,"),
        p("Sclause-e", "the keeper is woken."),
        p("footnote-e", "O. Reg. 4/31, s. 4 (2)."),
        p("section-e", "<strong>5. </strong>A lamp is dusted."),
    )

    assert law(blocks) == [
        ("4", "4 1", "Oil is measured by the formula:"),
        ("4", "", "A = B − C"),
        ("4", "", "where,"),
        ("4", "", "A = the oil burnt,"),
        ("4", "2", "Where a keeper,"),
        ("4", "a", "sleeps,"),
        ("4", "", "the keeper is woken."),
        ("5", "5", "A lamp is dusted."),
    ]
    assert with_role(blocks, "history") == [("4", "O. Reg. 4/31, s. 4 (2).")]


@pytest.mark.parametrize(
    ("css", "opener", "section", "marker"),
    [
        ("section", "<b>5</b><b> </b>(1) ", "5", "5 1"),
        ("section", "<b>73</b> (1) ", "73", "73 1"),
        ("section", "<strong>226.1</strong> ", "226.1", "226.1"),
        ("section-e", "<strong> 14. </strong>", "14", "14"),
        ("section-e", " <strong>10.</strong> ", "10", "10"),
        ("section-e", "<strong>4.1 </strong>", "4.1", "4.1"),
        ("section-e", " <strong>4.0.1 </strong>(1) ", "4.0.1", "4.0.1 1"),
        ("section", "<b>  1. </b>", "1", "1"),
        ("section", "<b>12</b><b>1.0.1 </b>", "121.0.1", "121.0.1"),
        ("section", "<b>3.1.5.5A </b>", "3.1.5.5A", "3.1.5.5A"),
        ("section", '<a name="BK3"></a><b>36.1 </b>(1.1) ', "36.1", "36.1 1.1"),
        ("section", "<b>7 </b>(1) (a) ", "7", "7 1 a"),
    ],
)
def test_trap_09_numbers(reader, css, opener, section, marker):
    """Split, spaced and decimal numbers are one marker, and none of their signs is body."""
    blocks = ask(reader, p(css, f"{opener}A lamp is lit."))

    assert law(blocks) == [(section, marker, "A lamp is lit.")]


def test_trap_09_stray_bold_before_a_subsection(reader):
    """An empty bold before "(2)" opens no section."""
    blocks = ask(
        reader,
        p("section-e", " <strong>9.1 </strong>(1) In this section, a lamp is a light."),
        p("subsection-e", "<strong> </strong>(2) A lamp is lit."),
        p("subsection-e", " (5.1) A lamp is dusted."),
    )

    assert [(section, marker) for section, marker, _ in law(blocks)] == [
        ("9.1", "9.1 1"),
        ("9.1", "2"),
        ("9.1", "5.1"),
    ]


def test_trap_10_white_space(reader):
    """Every white space is one space; spans glue, breaks part; hyphens and quotes stay."""
    blocks = ask(
        reader,
        p("section", "<b>1\u2002</b>Under s.\xa09\u2002(2), in 2017\r\ncomes  into\tforce."),
        p(
            "section",
            "<b>2 </b>Prote<span>c</span>t the lan\u00adtern\u200b<br>and the co\u2011keeper.",
        ),
        p("section", "<b>3.</b>(1) Glued."),
    )

    assert law(blocks) == [
        ("1", "1", "Under s. 9 (2), in 2017 comes into force."),
        ("2", "2", "Protect the lantern and the co\u2011keeper."),
        ("3", "3 1", "Glued."),
    ]


def test_trap_11_misnested_spans(reader):
    """A span closed after its paragraph, or a link before its span, moves no words."""
    blocks = ask(
        reader,
        '<p class="section"><b>7 </b>(1) A lamp is lit. '
        '<span class="citation">2031, c. 7, s. 7 (1).</p></span>',
        '<p class="subsection">(2) A lamp is <a href="/x"><span>put</a></span> out. '
        '<span class="citation">2031, c. 7, s. 7 (2).</p></span>',
        p("section", "<b>8 </b>A lamp is dusted."),
    )

    assert law(blocks) == [
        ("7", "7 1", "A lamp is lit."),
        ("7", "2", "A lamp is put out."),
        ("8", "8", "A lamp is dusted."),
    ]
    assert with_role(blocks, "history") == [
        ("7", "2031, c. 7, s. 7 (1)."),
        ("7", "2031, c. 7, s. 7 (2)."),
    ]


@pytest.mark.parametrize(
    "citation",
    [
        "2031, c. 7, s. 5.",
        "2031, c. 7, s. 5; 2033, c. 1, Sched. 4, s. 11 (1, 2).",
        "R.S.O. 1990, c. L.8, s. 224 (7); 1993, c. 10, s. 1.",
        "O. Reg. 461/31, s. 4 (1); O. Reg. 290/33, s. 1 (1).",
        "R.R.O. 1990, Reg. 668, s. 6 (1).",
        "2031, c. 7, Sched. F, ss. 101-142.",
    ],
)
@pytest.mark.parametrize("wrap", ["{}", '<span class="citation">{}</span>'])
def test_trap_12_citation_is_not_the_law(reader, citation, wrap):
    """The trailing citation is history, marked or not; a cross-reference is the law."""
    sentence = "Lamps under section 3 of the Wick Act, 1997, c. 24, and Regulation 777/93 are lit."

    blocks = ask(reader, p("section", f"<b>5 </b>{sentence}  {wrap.format(citation)}"))

    assert law(blocks) == [("5", "5", sentence)]
    assert with_role(blocks, "history") == [("5", citation)]


def test_trap_12_sentence_that_ends_in_a_regulation(reader):
    """A sentence may end in what looks like a citation: only the last one is history."""
    law_text = "This applies to condition 3 in the Schedule to Ontario Regulation 777/93."

    blocks = ask(reader, p("section-e", f"<strong>3. </strong>(1) {law_text}  O. Reg. 7/31, s. 3."))

    assert law(blocks) == [("3", "3 1", law_text)]


def test_trap_12_cross_reference_at_the_end_is_law(reader):
    """A sentence whose last words cite an Act stays whole: in doubt, it is the law."""
    law_text = "A lamp is lit under the Wick Act, 1997, c. 24, s. 3."

    blocks = ask(reader, p("section", f"<b>5 </b>{law_text}"))

    assert law(blocks) == [("5", "5", law_text)]


def test_trap_13_schedules_restart_numbering(reader):
    """Each schedule is its own scope; a revoked one does not run on into the one before."""
    blocks = ask(
        reader,
        p("section-e", "<strong>1. </strong>A lamp is lit."),
        p("schedule-e", "Schedule 1 <br>  Wicks"),
        p("section-e", "<strong>1. </strong>A wick is cut."),
        p("scheduleRevoked-e", f"Schedule 2 {GONE}Revoked</span>: O. Reg. 4/36, s. 6."),
        p("headingx-e", "SCHEDULE 3 <br>  Oils"),
        p("section-e", "<strong>1. </strong>An oil is clear."),
    )

    assert law(blocks) == [
        ("1", "1", "A lamp is lit."),
        ("Sched. 1, 1", "1", "A wick is cut."),
        ("Sched. 3, 1", "1", "An oil is clear."),
    ]
    assert with_role(blocks, "heading") == [
        ("Sched. 1", "Schedule 1 Wicks"),
        ("Sched. 2", "Schedule 2 Revoked:"),
        ("Sched. 3", "SCHEDULE 3 Oils"),
    ]
    assert holding(blocks, "Schedule 2").status == "gone"


def test_trap_13_numbers_in_cells_open_nothing(reader):
    """ "1." in a table cell is a word of the table, not a section."""
    blocks = ask(
        reader,
        p("section-e", "<strong>1. </strong>A lamp is lit."),
        p("schedule-e", "Schedule <br>  Useful life"),
        p("headingx-e", "Table 1 <br>  Lamps"),
        "<table><tr><td><p class='table-e'>1.</p></td><td><p class='table-e'>Brass</p></td></tr>"
        "<tr><td><p class='table-e'>2.</p></td><td><p class='table-e'>Tin</p></td></tr></table>",
    )

    assert law(blocks)[1:] == [
        ("Sched., Table 1", "", "1."),
        ("Sched., Table 1", "", "Brass"),
        ("Sched., Table 1", "", "2."),
        ("Sched., Table 1", "", "Tin"),
    ]


def test_trap_13_a_repeated_number_is_not_merged(reader):
    """The second opener of one number is a unit of its own, `34~2`."""
    blocks = ask(
        reader,
        p("section", "<b>34 </b>A lamp is lit."),
        p("section", "<b>34 </b>A lamp is put out."),
        p("subsection", "(2) It is dark."),
        p("section", "<b>35 </b>A lamp is dusted."),
    )

    assert [section for section, _, _ in law(blocks)] == ["34", "34~2", "34~2", "35"]


def test_trap_14_contents_rows_are_not_data(reader):
    """Cells of the contents table are contents in either dialect, future rows included."""
    blocks = ask(
        reader,
        p("toc tocExpandable", "CONTENTS"),
        '<div align="center"><table class="MsoNormalTable"><tbody>'
        '<tr><td><p class="TOCid"><a href="#BK1"><u><span>1.</span></u></a></p></td>'
        '<td><p class="table">Lighting</p></td></tr>'
        '<tr><td><p class="YTOCid">1.1</p></td><td><p class="Ytable">Spare lamps</p></td></tr>'
        '<tr><td><p class="table-e"> </p></td><td><p class="TOCheadLeft-e">Oils</p></td>'
        '<td><p class="table-e">5.2-8.1</p></td></tr></tbody></table></div>',
        p("headnote", "Lighting"),
        p("section", "<b>1 </b>A lamp is lit."),
    )

    assert law(blocks) == [("1", "1", "A lamp is lit.")]
    assert " ".join(text for _, text in with_role(blocks, "contents")) == (
        "CONTENTS 1. Lighting 1.1 Spare lamps Oils 5.2-8.1"
    )


def test_trap_15_images_and_text_outside_paragraphs(reader):
    """An image leaves a placeholder, a bare text node is placed in the section before it."""
    blocks = ask(
        reader,
        p("section-e", "<strong>6. </strong>A lamp stands as drawn:"),
        '<p class="scanned-e"><img height="330" <img src="/x.png" alt="Diagram of a lamp."></p>',
        '<p class="scanned-e"><img src="/y.png"></p>',
        '<p class="equation-e"><img src="/z.png" alt="A = B over C"></p>',
        "Stray words of law.",
        p("section-e", "<strong>7. </strong>A lamp is dusted."),
    )

    assert with_role(blocks, "placeholder") == [
        ("6", "[image: Diagram of a lamp.]"),
        ("6", "[image]"),
        ("6", "[equation: A = B over C]"),
    ]
    assert holding(blocks, "Stray words").section == "6"
    assert holding(blocks, "Stray words").body == "Stray words of law."


def test_trap_16_regulation_without_headnotes_or_contents(reader):
    """Neither headnotes nor contents are needed to find the sections."""
    blocks = ask(
        reader,
        p("heading1-e", "General"),
        p("section-e", " <strong>1. </strong>A lamp is lit."),
        p("section-e", " <strong>2. </strong>A lamp is put out."),
    )

    assert law(blocks) == [("1", "1", "A lamp is lit."), ("2", "2", "A lamp is put out.")]
    assert with_role(blocks, "heading") == [("", "General")]


def test_trap_17_site_chrome_is_not_the_last_provision(reader):
    """Navigation, scripts and footer of the page never become law or lengthen a section."""
    blocks = ask_page(
        reader,
        p("section-e", " <strong>1. </strong>A lamp is lit."),
        p("section-e", " <strong>2. </strong>A lamp is put out."),
        around=(
            "<nav><ul><li>Find a law</li></ul></nav><script>var __uzdbm_1 = 'x';</script>",
            '<div class="footer"><p>Back to top</p><p>Contact us</p><p>© King</p></div>',
        ),
    )

    assert law(blocks) == [("1", "1", "A lamp is lit."), ("2", "2", "A lamp is put out.")]
    front = " ".join(text for _, text in with_role(blocks, "front"))
    assert "ONTARIO REGULATION 9/31" in front
    assert "__uzdbm_1" not in " ".join(str(b) for b in blocks)


def test_trap_18_units_and_superscripts(reader):
    """ "m²" stays as printed; a superscript element is read in line."""
    blocks = ask(
        reader, p("section", "<b>1 </b>A room of 10 m² or 10 m<sup>2</sup> has H<sub>2</sub>O.")
    )

    assert law(blocks) == [("1", "1", "A room of 10 m² or 10 m2 has H2O.")]


def test_trap_19_omitted_parts_and_mixed_case(reader):
    """Case is kept as printed, and a Part takes no section with it."""
    blocks = ask(
        reader,
        p("partnum", "PART II <br>  Lamps and BENEFITs"),
        p("section", "<b>1 </b>A lamp is lit."),
        p("partnum", "part ix (omitted)"),
        p("section", f"<b>143 </b>{GONE}Omitted (enacts short title of this Act).</span>"),
    )

    assert with_role(blocks, "heading") == [
        ("", "PART II Lamps and BENEFITs"),
        ("", "part ix (omitted)"),
    ]
    assert law(blocks)[1] == ("143", "143", "Omitted (enacts short title of this Act).")
    assert holding(blocks, "enacts short").status == "gone"


@pytest.mark.parametrize("citation", ["O. Reg. 43/36, s 6.", "2033, c. 1, Sched, 11, s. 2."])
def test_trap_20_oddly_written_citations(reader, citation):
    """An odd citation is kept letter for letter, and the words before it stay law."""
    blocks = ask(reader, p("section", f"<b>6 </b>A lamp is lit. {citation}"))

    block = holding(blocks, citation)
    assert block.section == "6"
    assert block.body.startswith("A lamp is lit.")
    assert f"{block.body} {block.words('history')}".strip() == f"A lamp is lit. {citation}"
