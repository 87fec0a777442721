"""Where provisions stand: parents, pids, statuses and spans, in invented law."""

from __future__ import annotations

import json

from corpusguard.first_reader import read
from corpusguard.model import Channel, Context, Kind, Rendition, Status
from tests.unit.first_reader.invariants import check


def p(css, inner):
    return f'<p class="{css}">{inner}</p>'


def test_pids_follow_the_tree_and_future_twins_never_rename_the_law(ask):
    """`sec_4.1__subsec_2__cl_a`; a future twin and a true duplicate get ~2, the law does not."""
    reading = ask(
        p("Ysection", "<b>4.1 </b>A spare lamp."),
        p("section", "<b>4.1 </b>(1) A lamp."),
        p("subsection", "(2) A wick,"),
        p("clause-e", "(a) cut;"),
        p("Ysubsection", "(2) A spare wick."),
        p("section", "<b>4.1 </b>Again."),
    )
    check(reading)

    assert [x.pid for x in reading.provisions] == [
        "sec_4.1~3",
        "sec_4.1",
        "sec_4.1__subsec_1",
        "sec_4.1__subsec_2",
        "sec_4.1__subsec_2__cl_a",
        "sec_4.1__subsec_2~2",
        "sec_4.1~2",
    ]
    assert [x.section for x in reading.provisions if x.kind == Kind.SECTION] == [
        "4.1",
        "4.1",
        "4.1~2",
    ]
    assert [(a.kind, a.kept_with) for a in reading.anomalies] == [("duplicate_number", "sec_4.1~2")]


def test_text_in_force_goes_on_below_the_provision_in_force(ask):
    """After a future subsection, clause (b) belongs to the subsection that is law."""
    reading = ask(
        p("section", "<b>5 </b>(1) A keeper shall,"),
        p("paragraph", "(a) light;"),
        p("Ysubsection", "(1) A keeper may,"),
        p("Yparagraph", "(a) rest;"),
        p("paragraph", "(b) watch."),
    )
    check(reading)
    last = reading.provisions[-1]

    assert last.pid == "sec_5__subsec_1__cl_b"
    assert last.status == Status.IN_FORCE
    assert [x.status for x in reading.provisions].count(Status.NOT_IN_FORCE) == 2


def test_contexts_restart_numbering_and_tables_nest_in_schedules(ask):
    """Schedules, forms and titled tables scope locators and pids."""
    reading = ask(
        p("section", "<b>1 </b>A lamp."),
        p("schedule", "Schedule 2<br>Wicks"),
        p("section", "<b>3 </b>A wick."),
        p("headingx", "Table 1<br>Sizes"),
        "<table><tr><td><p class='table'>3</p></td></tr></table>",
        p("form", "Form 1<br>Request"),
        p("MsoNormal", "I ask for a lamp."),
    )
    check(reading)

    assert [(x.pid, x.section, x.context) for x in reading.provisions] == [
        ("sec_1", "1", Context.BODY),
        ("sched_2", "Sched. 2", Context.SCHEDULE),
        ("sched_2__sec_3", "Sched. 2, 3", Context.SCHEDULE),
        ("sched_2__table_1", "Sched. 2, Table 1", Context.TABLE),
        ("sched_2__table_1__row_1", "Sched. 2, Table 1", Context.TABLE),
        ("form_1", "Form 1", Context.FORM),
        ("form_1__flush_1", "Form 1", Context.FORM),
    ]
    assert [x.heading for x in reading.provisions if x.label] == [
        "",
        "Wicks",
        "",
        "Sizes",
        "Request",
    ]


def test_words_before_the_first_section_are_the_preamble(ask):
    """The preamble is one provision, in law; title and history of the document are front."""
    reading = ask(
        p("shorttitle", "Lamp Act"),
        p("footnoteLeft", "Legislative History: 2031, c. 7."),
        p("MsoNormal", "Lamps are old."),
        p("MsoNormal", "Lamps are dear."),
        p("section", "<b>1 </b>A lamp is lit."),
    )
    check(reading)
    preamble = reading.provisions[0]

    assert (preamble.kind, preamble.section, preamble.pid) == (
        Kind.PREAMBLE,
        "Preamble",
        "preamble",
    )
    assert preamble.text == "Lamps are old.\nLamps are dear."
    assert [s.channel for s in reading.segments][:2] == [Channel.FRONT, Channel.FRONT]
    assert reading.identity.title == "Lamp Act"


def test_a_stub_has_the_status_that_it_prints_and_live_law_does_not(ask):
    """ "Repealed provisions" is law; small capitals make a stub even in lower case."""
    reading = ask(
        p("section", "<b>1 </b>Repealed: 2031, c. 7, s. 1."),
        p("section", "<b>2 </b>Repealed provisions continue."),
        p("section", '<b>3 </b><span class="ovsmallcap">spent</span>'),
        p(
            "section",
            "<b>4 </b>(1) <span class='ovsmallcap'>Revo</span><span class='ovsmallcap'>ked</span>: O. Reg. 4/31, s. 2.",
        ),
        p("partnum", "part ix (omitted)"),
    )

    assert [(x.number, x.status.value) for x in reading.provisions] == [
        ("1", "repealed"),
        ("2", "in_force"),
        ("3", "spent"),
        ("4", "revoked"),
        ("1", "revoked"),
        ("ix", "omitted"),
    ]


def test_what_is_unknown_is_loud_and_placed_all_the_same(ask):
    """Unknown class and element, loose text, U+FFFD: an anomaly each, and no word lost."""
    reading = ask(
        p("section", "<b>1 </b>A lamp."),
        p("brandnew", "A wick."),
        p("section", "An <strange>odd</strange> oil\ufffd."),
        "loose words",
    )
    check(reading)

    assert reading.text.endswith("A wick.\nAn odd oil\ufffd.\nloose words")
    assert sorted(a.kind for a in reading.anomalies) == [
        "suspect_character",
        "text_outside_paragraph",
        "unknown_class",
        "unknown_element",
    ]
    assert all(a.kept_with.startswith("sec_1") for a in reading.anomalies)


def test_a_page_is_read_only_where_the_law_is():
    """Trap 17: chrome before and after is not absorbed; every Word section of the page is read."""
    page = (
        "<html><body><nav>Menu</nav><p>Cookies</p><div class='WordSection1'>"
        + p(
            "section",
            "<strong>1 </strong>A lamp <img height='1' <img src='x' alt='of brass'> is lit.",
        )
        + "</div><div class='WordSection2'>"
        + p("section", "<strong>2 </strong>A wick.")
        + "</div><script>var law = '<p>no</p>';</script><footer><p>Contact us</p></footer></body></html>"
    )

    reading = read(page.encode(), Rendition.PAGE)
    check(reading)

    assert reading.text == "1 A lamp [image: of brass] is lit.\n2 A wick."


def test_the_payloads_own_contents_table_is_used_where_the_text_has_none():
    """Number and title share a cell there; a Part row carries no number and is left out."""
    table = (
        '<table class="MsoNormalTable hidden"><tr><td><p class="TOCpartCenter">PART I</p></td></tr>'
        '<tr><td><p class="TOCid"><a><span>8.1</span> Spare lamps</a></p></td></tr>'
        '<tr><td><p class="YTOCid"><a>9-12. Oils</a></p></td></tr></table>'
    )
    payload = {
        "content": p("section", "<b>8.1 </b>A lamp."),
        "contentTable": table,
        "shortTitle": p("shorttitle", "Lamp <i>Act</i>, 2031"),
        "chapter": p("chapter", "S.o. 2031, chapter 7<br>Schedule F"),
        "alias": "statute/31l07",
        "state": "current",
        "dateFrom": "2031-07-01T04:00:00.000Z",
        "volume": 0,
    }

    reading = read(json.dumps(payload).encode(), Rendition.PAYLOAD)

    assert [(e.number, e.title, e.in_force) for e in reading.contents] == [
        ("8.1", "Spare lamps", True),
        ("9-12", "Oils", False),
    ]
    identity = reading.identity
    assert (identity.title, identity.code) == ("Lamp Act, 2031", "S.o. 2031, chapter 7 Schedule F")
    assert (identity.alias, identity.state) == ("statute/31l07", "current")
    assert identity.consolidated_from == "2031-07-01"
    assert reading.text == "8.1 A lamp."


def test_law_after_a_future_section_goes_on_below_the_law(ask):
    """Clause (b) is of the subsection that was open; what has no number stays, in force."""
    reading = ask(
        p("section", "<b>5 </b>(1) A keeper shall,"),
        p("paragraph", "(a) light;"),
        p("Ysection", "<b>5.1 </b>A spare keeper may,"),
        p("definition", "“wick” means a cord;"),
        p("Yparagraph", "(a) rest;"),
        p("paragraph", "(b) watch."),
        p("footnote", "2034, c. 2, s. 15."),
    )
    check(reading)

    assert [(x.pid, x.status) for x in reading.provisions][3:] == [
        ("sec_5.1", Status.NOT_IN_FORCE),
        ("sec_5.1__def_wick", Status.IN_FORCE),
        ("sec_5.1__def_wick__cl_a", Status.NOT_IN_FORCE),
        ("sec_5__subsec_1__cl_b", Status.IN_FORCE),
    ]
    assert [(a.kind, a.kept_with) for a in reading.anomalies] == [
        ("after_future", "sec_5__subsec_1__cl_b")
    ]
    assert reading.provisions[reading.segments[-1].provision].pid == "sec_5"


def test_a_plain_number_opens_loudly(ask):
    """Opened by its form alone: an anomaly names the section; a continuation is one too."""
    reading = ask(
        p("section", "<b>5. </b>A lamp."),
        p("section", "6. A wick."),
        p("section", "2 or more wicks."),
    )
    check(reading)

    assert [(a.kind, a.kept_with) for a in reading.anomalies] == [
        ("plain_number", "sec_6"),
        ("unmatched_opener", "sec_6__flush_1"),
    ]


def test_what_is_left_of_a_section_decides_its_status(ask):
    """Stubs alone: the first stub's status; an image is law that keeps a section alive."""
    omitted = "(1)-(3) Omitted (amends other Acts)."
    reading = ask(
        p("section", f"<b>1 </b>{omitted}"),
        p("section", f"<b>2 </b>{omitted}"),
        p("subsection", "(4) Repealed: 2034, c. 2, s. 15."),
        p("section", f"<b>3 </b>{omitted}"),
        p("Ysubsection", "(4) A lamp."),
        p("section", f"<b>4 </b>{omitted}"),
        p("equation", "<img alt='a = b' />"),
        p("Ysection", f"<b>5 </b>{omitted}"),
        p("section", "<b>6 </b>"),
    )
    check(reading)

    assert [x.status for x in reading.provisions if x.kind == Kind.SECTION] == [
        Status.OMITTED,
        Status.OMITTED,
        Status.NOT_IN_FORCE,
        Status.IN_FORCE,
        Status.NOT_IN_FORCE,
        Status.IN_FORCE,
    ]


def test_before_the_first_section_notes_and_history_are_of_no_provision(ask):
    """They make no preamble, and are no front matter."""
    reading = ask(
        p("Pnote", "Note: On a day to be named, this changes."),
        p("footnote", "2034, c. 2, s. 15."),
        p("headnote", "Lamps"),
        p("heading1", "Oils"),
        p("section", "<b>1 </b>A lamp."),
    )
    check(reading)

    assert [(s.channel, s.provision) for s in reading.segments[:3]] == [
        (Channel.NOTE, -1),
        (Channel.HISTORY, -1),
        (Channel.HEADNOTE, -1),
    ]
    assert [x.kind for x in reading.provisions] == [Kind.HEADING, Kind.SECTION]
    assert [a.kind for a in reading.anomalies] == ["pending_headnote"]
