"""The settled cases of docs/reading-elaws.md, asked of both readers in invented law.

One group of tests for each case, in the page's order; the rules on quoted provisions, which the
page settled at the same time, come last. The file is long because it is one list: a case without
its test must be seen at once.
"""

from __future__ import annotations

import importlib

import pytest

from tests.contract.facts import READERS, ask, ask_page, first_reading, holding, law, p, with_role

pytestmark = pytest.mark.parametrize("reader", READERS)

SECTION_5 = p("section", "<b>5 </b>(1) A lamp is lit.")
TABLE = '<table><tr><td><p class="table">Brass</p></td></tr></table>'
GONE = {"repealed", "revoked", "omitted", "spent"}


def recorded(reader, *paragraphs):
    """How many anomalies a reader puts on the record."""
    data = f"<div>{''.join(paragraphs)}</div>".encode()
    if reader == "first":
        return len(first_reading(data, "content").anomalies)
    return len(
        importlib.import_module("corpusguard.second_reader").read(data, "content")["problems"]
    )


def openers(reader, *paragraphs):
    """(locator, status) of every section that a reader's inventory names."""
    data = f"<div>{''.join(paragraphs)}</div>".encode()
    if reader == "first":
        found = [v for v in first_reading(data, "content").provisions if v.kind == "section"]
        said = [(v.section, str(v.status)) for v in found]
        return [(section, "gone" if status in GONE else status) for section, status in said]
    answer = importlib.import_module("corpusguard.second_reader").read(data, "content")
    return [(entry["number"], entry["status"]) for entry in answer["sections"]]


def statuses(blocks):
    return [b.status for b in blocks]


# A number that is not bold


@pytest.mark.parametrize(
    ("text", "section", "marker"),
    [
        ("6. A wick is cut.", "6", "6"),
        ("6.1. A wick is cut.", "6.1", "6.1"),
        ("6 (1) A wick is cut.", "6", "6 1"),
        ("6(1) A wick is cut.", "6", "6 1"),
        ("6.1 (1) A wick is cut.", "6.1", "6.1 1"),
        ("6., 7. Revoked: O. Reg. 4/36, s. 2.", "6., 7", "6, 7"),
    ],
)
def test_a_plain_number_with_a_period_or_a_subsection_opens(reader, text, section, marker):
    """What bold would say is said by the period, or by the subsection number after it."""
    block = ask(reader, SECTION_5, p("section", text))[-1]

    assert (block.section, block.marker) == (section, marker)


def test_a_plain_number_that_opens_is_recorded(reader):
    """It was read by its form alone: an anomaly, which the same number in bold is not."""
    assert recorded(reader, SECTION_5, p("section", "6. A wick is cut.")) > 0
    assert recorded(reader, SECTION_5, p("section", "<b>6. </b>A wick is cut.")) == 0


@pytest.mark.parametrize("css", ["section", "section-e"])
@pytest.mark.parametrize(
    "text",
    [
        "2 or more persons may light it.",
        "2 Lamplighters may light it.",
        "2.5 litres of oil are burnt.",
        "6 (a) a wick.",
        "24-26 hours may pass.",
        "2031 was a dark year.",
    ],
)
def test_any_other_plain_number_continues_the_section(reader, css, text):
    """The number is a word of the sentence: a capital after it or a decimal makes no section."""
    blocks = ask(reader, SECTION_5, p(css, text), p("section", "<b>6 </b>A wick is cut."))

    assert law(blocks) == [
        ("5", "5 1", "A lamp is lit."),
        ("5", "", text),
        ("6", "6", "A wick is cut."),
    ]


@pytest.mark.parametrize(
    ("text", "section", "marker"),
    [
        ("101-142 Omitted (amends other Acts).", "101-142", "101-142"),
        ("6 Repealed: 2034, c. 2, s. 15.", "6", "6"),
        ("6, 7 Revoked: O. Reg. 4/36, s. 2.", "6, 7", "6, 7"),
        ("22.1-25 Revoked: O. Reg. 4/36, s. 2.", "22.1-25", "22.1-25"),
        ('6 <span class="ovsmallcap">repealed</span>', "6", "6"),
    ],
)
def test_a_plain_number_before_a_stub_opens(reader, text, section, marker):
    """The stub's word says what bold would; it is recorded all the same."""
    block = ask(reader, SECTION_5, p("section", text))[-1]

    assert (block.section, block.marker, block.status) == (section, marker, "gone")
    assert recorded(reader, SECTION_5, p("section", text)) > 0


@pytest.mark.parametrize(
    "text", ["6 Repealed provisions continue to apply.", "6 omitted lamps are counted."]
)
def test_a_plain_number_before_words_like_a_stub_opens_nothing(reader, text):
    """The sentence goes on: these words do not end the provision."""
    assert ask(reader, SECTION_5, p("section", text))[-1].section == "5"


# Text in force after a future section


@pytest.mark.parametrize(
    ("css", "text", "marker"),
    [
        ("subsection", "(2) A wick is cut.", "2"),
        ("paragraph", "(a) a wick,", "a"),
        ("clause-e", "(a) a wick,", "a"),
        ("paragraph", "1. A wick.", "1"),
        ("subpara", "i. a wick,", "i"),
        ("defclause", "(b) a wick,", "b"),
    ],
)
def test_numbered_text_passes_over_a_future_section(reader, css, text, marker):
    """It goes on with the last section in force, and so does what follows it."""
    paragraphs = (
        SECTION_5,
        p("Ysection", "<b>5.1 </b>A spare lamp is kept."),
        p(css, text),
        p("Ssubsection", "and is dried."),
    )
    blocks = ask(reader, *paragraphs)

    assert [(b.section, b.status) for b in blocks] == [
        ("5", "in_force"),
        ("5.1", "not_in_force"),
        ("5", "in_force"),
        ("5", "in_force"),
    ]
    assert blocks[2].marker == marker
    assert recorded(reader, *paragraphs) > 0
    assert recorded(reader, *paragraphs[:2]) == 0


@pytest.mark.parametrize(
    ("css", "text"),
    [
        ("Ssubsection", "and is dried."),
        ("section", "A wick is dried."),
        ("definition", "“wick” means a cord;"),
        ("equation", "A = B"),
    ],
)
def test_text_without_a_number_stays_with_a_future_section(reader, css, text):
    """Nothing says where else it could belong."""
    blocks = ask(reader, SECTION_5, p("Ysection", "<b>5.1 </b>A spare lamp."), p(css, text))

    assert (blocks[-1].section, blocks[-1].status) == ("5.1", "in_force")


def test_future_subsections_stay_with_the_future_section(reader):
    """Only text in force is not of a section that is not there yet."""
    blocks = ask(
        reader,
        SECTION_5,
        p("Ysection", "<b>5.1 </b>(1) A spare lamp is kept."),
        p("Ysubsection", "(2) It is dusted."),
        p("Yclause", "(a) daily."),
    )

    assert [b.section for b in blocks] == ["5", "5.1", "5.1", "5.1"]


def test_a_headnote_binds_where_the_text_goes_on(reader):
    """It waits through the future section, and the subsection that takes it is of section 5."""
    blocks = ask(
        reader,
        SECTION_5,
        p("Ysection", "<b>5.1 </b>A spare lamp is kept."),
        p("headnote", "Wicks"),
        p("subsection", "(2) A wick is cut."),
    )

    assert with_role(blocks, "headnote") == [("5", "Wicks")]


def test_the_last_section_in_force_is_that_of_the_schedule(reader):
    """A future section of a schedule sends text to the schedule, not to the body before it."""
    schedule = (SECTION_5, p("schedule", "Schedule 1"))
    future = p("Ysection", "<b>2 </b>A spare lamp.")
    text = p("subsection", "(2) A wick is cut.")

    within = ask(reader, *schedule, p("section", "<b>1 </b>A lamp."), future, text)
    alone = ask(reader, *schedule, future, text)

    assert within[-1].section == "Sched. 1, 1"
    assert alone[-1].section == "Sched. 1"


def test_what_stays_with_a_future_section_leaves_the_law_open(reader):
    """A definition and its continuation stay; the clause after them is of section 5 again."""
    blocks = ask(
        reader,
        SECTION_5,
        p("Ysection", "<b>5.1 </b>A spare lamp is kept."),
        p("definition", "“wick” means a cord,"),
        p("definition", "but not a rope;"),
        p("clause", "(a) daily,"),
        p("footnote", "O. Reg. 4/36, s. 2."),
    )

    assert [b.section for b in blocks] == ["5", "5.1", "5.1", "5.1", "5", "5"]


# A range of omitted subsections at a section's head


OMITTED = p("section", "<b>98 </b>(1)-(3) Omitted (amends other Acts).")


@pytest.mark.parametrize(
    ("other", "status"),
    [
        (p("subsection", "(4) Lamps are counted."), "in_force"),
        (p("subsection", "(4) Repealed: 2034, c. 2, s. 15."), "gone"),
        (p("Ysubsection", "(4) Lamps are counted."), "not_in_force"),
        (
            p("Ysubsection", "(4) Lamps are counted.") + p("subsection", "(5) Daily."),
            "in_force",
        ),
    ],
)
def test_a_section_has_the_status_of_its_other_text(reader, other, status):
    """The range at its head is a stub; the section is as alive as what follows."""
    assert openers(reader, OMITTED, other) == [("98", status)]


@pytest.mark.parametrize(
    ("paragraphs", "status"),
    [
        ((OMITTED,), "gone"),
        ((OMITTED, p("footnote", "2034, c. 2, s. 15.")), "gone"),
        ((OMITTED, p("Ssubsection", "Lamps are counted.")), "in_force"),
        ((OMITTED, TABLE), "in_force"),
        (
            (
                p("section", "<b>98 </b>(1) Repealed: 2034, c. 2, s. 15."),
                p("subsection", "(2) Revoked."),
            ),
            "gone",
        ),
        (
            (
                p("section", "<b>98 </b>(1) Repealed: 2034, c. 2, s. 15."),
                p("subsection", "(2) (a) Omitted."),
                p("paragraph", "(b) a wick."),
            ),
            "in_force",
        ),
        (
            (
                p("section", "<b>98 </b>(1) Repealed: 2034, c. 2, s. 15."),
                p("subsection", "(2) Revoked."),
                p("Ysubsection", "(2) Lamps are counted."),
            ),
            "not_in_force",
        ),
        ((p("section", "<b>98 </b>"), p("subsection", "(1) Repealed.")), "gone"),
        ((p("section", "<b>98 </b>"), p("Ysubsection", "(1) Lamps are counted.")), "not_in_force"),
        ((p("section", "<b>98 </b>A keeper:"), p("paragraph", "(a) Repealed.")), "in_force"),
    ],
)
def test_a_section_of_which_only_stubs_are_left_is_gone(reader, paragraphs, status):
    """Any words in force keep it alive; future text alone is not in force."""
    assert openers(reader, *paragraphs) == [("98", status)]


def test_the_range_itself_is_a_stub(reader):
    """The number 98 opens the section; the words beside the range are gone."""
    blocks = ask(reader, OMITTED, p("subsection", "(4) Lamps are counted."))

    assert law(blocks) == [
        ("98", "98 1-3", "Omitted (amends other Acts)."),
        ("98", "4", "Lamps are counted."),
    ]
    assert statuses(blocks) == ["gone", "in_force"]


def test_a_headnote_before_the_range_binds_to_the_section(reader):
    """Only a stub of a whole section takes none."""
    paragraphs = (SECTION_5, p("headnote", "Counting"), OMITTED, p("subsection", "(4) Lamps."))

    assert with_role(ask(reader, *paragraphs), "headnote") == [("98", "Counting")]
    assert recorded(reader, *paragraphs) == 0


# Titles without a word or a number


@pytest.mark.parametrize(
    ("css", "title", "locator"),
    [
        ("form", "Application for a Lamp", "Form"),
        ("form-e", "APPLICATION", "Form"),
        ("schedule", "Schedule", "Sched."),
        ("schedule", "Schedule <br> Oils", "Sched."),
        ("schedule-e", "SCHEDULE OF OILS", "Sched."),
        ("schedule", "Schedule Oils", "Sched."),
        ("schedule", "Oils", "Sched."),
    ],
)
def test_a_title_without_a_word_or_a_number_has_a_locator(reader, css, title, locator):
    """Its text never falls into the section before it."""
    blocks = ask(reader, SECTION_5, p(css, title), p("Sclause", "Name of keeper"))

    assert [b.section for b in blocks] == ["5", locator, locator]


# Headings


@pytest.mark.parametrize(
    ("css", "inner", "heading", "history"),
    [
        ("partnum", "PART IX <br> Repealed: 2034, c. 2, s. 15.", "PART IX Repealed:", "2034, c."),
        ("partnum", "PART IX (Repealed) 2034, c. 2, s. 15.", "PART IX (Repealed)", "2034, c."),
        ("schedule", "SCHEDULE 2 Revoked: O. Reg. 4/36, s. 2.", "SCHEDULE 2 Revoked:", "O. Reg."),
        ("headingx-e", "Table 1 Revoked: O. Reg. 4/36, s. 2.", "Table 1 Revoked:", "O. Reg."),
        ("heading1", "Lamps. 2034, c. 2, s. 15; 2035, c. 1, s. 1.", "Lamps.", "2034, c."),
        ("heading1", 'Lamps <span class="citation">2034, c. 2, s. 15.</span>', "Lamps", "2034, c."),
        (
            "partnumRevoked-e",
            "PART X Revoked: R.R.O. 1990, Reg. 7, s. 1.",
            "PART X Revoked:",
            "R.R.O.",
        ),
    ],
)
def test_a_trailing_citation_of_a_heading_is_history(reader, css, inner, heading, history):
    """It changes with every amendment even where the title does not."""
    block = ask(reader, SECTION_5, p(css, inner))[-1]

    assert block.words("heading") == heading
    assert block.words("history").startswith(history)


@pytest.mark.parametrize(
    ("inner", "status"),
    [
        ("Repealed", "gone"),
        ("REVOKED", "gone"),
        ("(Omitted)", "gone"),
        ("Repealed: 2034, c. 2, s. 15.", "gone"),
        ('<span class="ovsmallcap">spent</span>', "gone"),
        ("Repealed Acts", "in_force"),
        ("Repealed, revoked and spent Acts", "in_force"),
        ("Spent fuel", "in_force"),
    ],
)
@pytest.mark.parametrize("css", ["heading1", "heading2", "headingx-e"])
def test_a_heading_that_is_only_a_stubs_word_is_gone(reader, css, inner, status):
    """With other words it heads law."""
    assert ask(reader, SECTION_5, p(css, inner))[-1].status == status


def test_a_future_heading_is_not_in_force_whatever_it_says(reader):
    """The class comes first."""
    assert ask(reader, SECTION_5, p("Yheading1", "Repealed"))[-1].status == "not_in_force"


@pytest.mark.parametrize(
    "title",
    ["Transition from O. Reg. 9/31", "Lamps under the Act, 2031, c. 7", "Reports for 2031"],
)
def test_a_law_named_in_a_heading_stays_in_it(reader, title):
    """A title that names a law cites nothing."""
    block = ask(reader, SECTION_5, p("heading1", title))[-1]

    assert block.runs == (("heading", title),)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (("headingx", "SCHEDULE 3"), ("headingx", "Revoked: O. Reg. 4/36, s. 2."), "gone"),
        (("scheduleRevoked", "Schedule 3"), ("scheduleRevoked", "Revoked"), "gone"),
        (("scheduleRevoked", "Schedule 3 Revoked"), ("scheduleRevoked", "Oils"), "in_force"),
        (("Yschedule", "Schedule 3"), ("schedule", "Oils"), "in_force"),
        (("schedule", "Schedule 3"), ("Yschedule", "Oils"), "not_in_force"),
    ],
)
def test_the_second_line_of_a_title_has_its_own_status(reader, first, second, expected):
    """It is no schedule of its own, and says for itself whether it is there."""
    blocks = ask(reader, SECTION_5, p(*first), p(*second))

    assert [b.section for b in blocks] == ["5", "Sched. 3", "Sched. 3"]
    assert blocks[-1].status == expected


# After a titled table


@pytest.mark.parametrize(
    ("css", "text"),
    [
        ("subsection", "(2) Wicks are cut."),
        ("paragraph", "(b) a wick,"),
        ("clause-e", "(b) a wick,"),
        ("paragraph-e", "2. A wick."),
        ("subclause", "(ii) a wick,"),
        ("definition", "(b) a wick,"),
    ],
)
def test_numbered_text_after_a_titled_table_goes_on_with_its_section(reader, css, text):
    """The table only interrupts the section, whatever the level of what follows."""
    title = p("headingx", "Table 1 <br> Lamps")

    body = ask(reader, SECTION_5, title, TABLE, p(css, text), p("Sclause", "and dried."))
    schedule = ask(reader, p("schedule", "Schedule 2"), SECTION_5, title, TABLE, p(css, text))
    lone = ask(reader, p("schedule", "Schedule 2"), title, TABLE, p(css, text))

    assert [b.section for b in body] == ["5", "Table 1", "Table 1", "5", "5"]
    assert [b.section for b in schedule][-2:] == ["Sched. 2, Table 1", "Sched. 2, 5"]
    assert [b.section for b in lone][-2:] == ["Sched. 2, Table 1", "Sched. 2"]


def test_after_several_titled_tables_the_section_goes_on(reader):
    """A second table stands in the section, not in the first table."""
    blocks = ask(
        reader,
        SECTION_5,
        p("headingx", "Table 1"),
        TABLE,
        p("headingx", "Table 2"),
        TABLE,
        p("subsection", "(2) Wicks are cut."),
    )

    assert [section for section, _, _ in law(blocks)] == ["5", "Table 1", "Table 2", "5"]


def test_text_without_a_number_stays_in_a_titled_table(reader):
    """A note below the cells, and a numbered cell, are the table's."""
    blocks = ask(
        reader,
        SECTION_5,
        p("headingx", "Table 1"),
        TABLE.replace("Brass", "(2) Brass").replace('"table"', '"clause"'),
        p("Ssubsection", "Brass is dear."),
    )

    assert law(blocks)[1:] == [("Table 1", "", "(2) Brass"), ("Table 1", "", "Brass is dear.")]


@pytest.mark.parametrize("number", ["<b>6 </b>", "<b>6 </b>(1) ", "6. "])
def test_a_section_after_a_titled_table_is_one_of_the_body(reader, number):
    """The table does not make a numbering of its own for what follows it."""
    title = p("headingx", "Table 1")
    section = p("section", f"{number}A wick is cut.")

    body = ask(reader, SECTION_5, title, TABLE, section)
    schedule = ask(reader, p("schedule", "Schedule 2"), SECTION_5, title, TABLE, section)

    assert body[-1].section == "6"
    assert schedule[-1].section == "Sched. 2, 6"


@pytest.mark.parametrize("css", ["heading1", "heading2-e", "headingx", "partnum"])
def test_a_group_heading_closes_a_titled_table(reader, css):
    """Text without a number after it goes on with the section around the table."""
    table = (p("headingx", "Table 1"), TABLE, p(css, "PART II Wicks"))
    flush = p("Ssubsection", "Wicks are dear.")

    body = ask(reader, SECTION_5, *table, flush)
    schedule = ask(reader, p("schedule", "Schedule 2"), SECTION_5, *table, flush)
    lone = ask(reader, p("schedule", "Schedule 2"), *table, flush)

    assert [b.section for b in body] == ["5", "Table 1", "Table 1", "", "5"]
    assert schedule[-1].section == "Sched. 2, 5"
    assert lone[-1].section == "Sched. 2"


def test_a_headnote_after_a_titled_table_goes_with_what_takes_it(reader):
    """A subsection takes it along to section 5; text without a number leaves it in the table."""
    table = (SECTION_5, p("headingx", "Table 1"), TABLE, p("headnote", "Wicks"))

    taken = ask(reader, *table, p("subsection", "(2) A wick is cut."))
    left = ask(reader, *table, p("Ssubsection", "Wicks are dear."))

    assert with_role(taken, "headnote") == [("5", "Wicks")]
    assert with_role(left, "headnote") == [("Table 1", "Wicks")]
    assert left[-1].section == "Table 1"


@pytest.mark.parametrize("css", ["headingx", "headingx-e", "heading1", "heading2", "partnum"])
def test_a_group_heading_inside_a_schedule_has_no_locator(reader, css):
    """The sections around it go on."""
    blocks = ask(
        reader,
        p("schedule", "Schedule 2"),
        p("section", "<b>1 </b>A lamp."),
        p(css, "Wicks"),
        p("section", "<b>2 </b>A wick."),
    )

    assert [b.section for b in blocks] == ["Sched. 2", "Sched. 2, 1", "", "Sched. 2, 2"]


# Definition classes that begin with a marker


@pytest.mark.parametrize(
    "css",
    ["definition", "definition-e", "firstdef", "Sdefinition", "defterm", "deftermsubsection"],
)
@pytest.mark.parametrize("marker", ["(a)", "(2)", "(b.1)", "(iv)"])
def test_a_definition_class_with_a_marker_is_that_item(reader, css, marker):
    """Kinds follow the marker, not the class."""
    blocks = ask(reader, SECTION_5, p("definition", "“lamp” means,"), p(css, f"{marker} a light;"))

    assert blocks[-1].runs == (("marker", marker), ("body", "a light;"))
    assert blocks[-1].section == "5"


@pytest.mark.parametrize(
    "text", ["“lamp” means a light;", "but does not include,", "(the lamp)", "(“lampe”)"]
)
def test_a_definition_without_a_marker_is_words(reader, text):
    """A bracket that holds a word numbers nothing."""
    blocks = ask(reader, SECTION_5, p("definition", text))

    assert blocks[-1].runs == (("body", text),)


def test_a_subsection_in_a_definition_class_takes_its_headnote(reader):
    """It is that subsection in every respect."""
    paragraphs = (
        SECTION_5,
        p("headnote", "Meaning of lamp"),
        p("deftermsubsection", "(2) A lamp is a light."),
        p("section", "<b>6 </b>A wick is cut."),
    )

    assert with_role(ask(reader, *paragraphs), "headnote") == [("5", "Meaning of lamp")]
    assert recorded(reader, *paragraphs) == 0


# Markers in brackets


@pytest.mark.parametrize(
    "css", ["paragraph", "clause-e", "section", "definition", "Sclause", "MsoNormal", "", "lampbox"]
)
@pytest.mark.parametrize(
    "marker",
    ["(b)", "(zz)", "(b.1)", "(ii)", "(xviii)", "(iv.1)", "(B)", "(III)", "(2)", "(12)", "(1.1)"],
)
def test_letters_romans_and_numbers_in_brackets_are_markers(reader, css, marker):
    """In unclassed text and in unknown classes too."""
    block = ask(reader, SECTION_5, p(css, f"{marker} a wick is cut"))[-1]

    assert block.runs == (("marker", marker), ("body", "a wick is cut"))
    assert block.section == "5"


@pytest.mark.parametrize(
    "css", ["paragraph", "clause-e", "section", "definition", "Sclause", "MsoNormal", "", "lampbox"]
)
@pytest.mark.parametrize("word", ["(the)", "(and)", "(ill)", "(all)", "(lamp)", "(THE)"])
def test_a_word_in_brackets_is_no_marker(reader, css, word):
    """Three letters that are no roman numeral are a word."""
    block = ask(reader, SECTION_5, p(css, f"{word} wick is cut"))[-1]

    assert block.runs == (("body", f"{word} wick is cut"),)


# Before the first section


@pytest.mark.parametrize(
    ("css", "text", "role"),
    [
        ("Pnote", "Note: On a day to be named, this changes.", "note"),
        ("footnote", "O. Reg. 4/36, s. 2.", "history"),
        ("footnoteLeft", "2034, c. 2, s. 15.", "history"),
    ],
)
def test_what_stands_before_the_first_section_has_no_locator(reader, css, text, role):
    """It is no front matter, and is of no section either."""
    blocks = ask(reader, p(css, text), SECTION_5)
    below_a_part = ask(reader, p("partnum", "PART I"), p(css, text), SECTION_5)

    assert (blocks[0].section, blocks[0].runs) == ("", ((role, text),))
    assert (below_a_part[1].section, below_a_part[1].runs) == ("", ((role, text),))


@pytest.mark.parametrize(
    "after",
    [
        p("heading1", "Oils"),
        p("partnum", "PART I"),
        p("schedule", "Schedule 1"),
        p("section", "<b>1 </b>Repealed: 2034, c. 2, s. 15."),
        p("parawindt2", "90. A lamp shall be lit"),
    ],
)
@pytest.mark.parametrize("css", ["headnote", "Yheadnote"])
def test_a_headnote_before_the_first_section_that_nothing_takes(reader, css, after):
    """It is a headnote of no section; it makes no preamble."""
    block = ask(reader, p(css, "Wicks"), after, SECTION_5)[0]

    assert (block.section, block.runs) == ("", (("headnote", "Wicks"),))


# Quoted provisions


@pytest.mark.parametrize(
    "css", ["parawindt", "parawindt1", "parawindt2-e", "parawindt3", "paranoindt"]
)
@pytest.mark.parametrize("number", ["90. ", "<b>90. </b>", "<b>90 </b>(1) ", "(2) ", "(a) "])
def test_a_quoted_provision_opens_nothing(reader, css, number):
    """Its number is a word of the provision that quotes it."""
    blocks = ask(
        reader,
        SECTION_5,
        p(css, f"{number}A lamp shall be lit"),
        p("subsection", "(2) A wick is cut."),
    )
    printed = number.replace("<b>", "").replace("</b>", "").replace("  ", " ")

    assert law(blocks) == [
        ("5", "5 1", "A lamp is lit."),
        ("5", "", f"{printed}A lamp shall be lit"),
        ("5", "2", "A wick is cut."),
    ]


def test_the_headnote_of_a_quotation_is_its_own(reader):
    """It stays with the section around it, binds to nothing that follows, and is no anomaly."""
    paragraphs = (
        SECTION_5,
        p("headnote", "Lighting"),
        p("parawindt2", "90. A lamp shall be lit"),
        p("section", "<b>6 </b>A wick is cut."),
    )

    assert with_role(ask(reader, *paragraphs), "headnote") == [("5", "Lighting")]
    assert recorded(reader, *paragraphs) == 0


# The same on a page


def test_the_settled_cases_hold_on_a_page_too(reader):
    """Neither dialect nor rendition changes what a document means."""
    blocks = ask_page(
        reader,
        p("section-e", "<strong>5. </strong>(1) Lamps are in Table 1."),
        p("headingx-e", "Table 1"),
        TABLE,
        p("subsection-e", "(2) A wick is cut."),
        p("section-e", "2 or more wicks are kept."),
        p("Ysection-e", "<strong>5.1 </strong>A spare lamp is kept."),
        p("clause-e", "(a) daily."),
    )

    assert [(section, marker) for section, marker, _ in law(blocks)] == [
        ("5", "5 1"),
        ("Table 1", ""),
        ("5", "2"),
        ("5", ""),
        ("5.1", "5.1"),
        ("5", "a"),
    ]
    assert holding(blocks, "2 or more").body == "2 or more wicks are kept."
