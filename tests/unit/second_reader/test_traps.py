"""The traps of the publisher's mark-up, in invented law."""

from __future__ import annotations

import json

import pytest

from corpusguard.second_reader import read


def content(*paragraphs):
    html = '<div class="WordSection1">\r \n' + "\r \n".join(paragraphs) + "\r \n</div>"
    return read(html.encode(), "content")


def p(name, inner):
    return f'<p class="{name}">{inner}</p>'


def sections(result):
    return [entry["number"] for entry in result["sections"]]


def block(result, words):
    """The only block that holds these words."""
    (found,) = [b for b in result["blocks"] if any(words in text for _, text in b[2])]
    return found


@pytest.mark.parametrize(
    ("lead", "locator", "covers", "unknown"),
    [
        ("<strong>12., 13. </strong>", "12., 13", ["12", "13"], None),
        ("<strong>22.1-25. </strong>", "22.1-25", ["22.1", "23", "24", "25"], ["22.1", "25"]),
        ("<b>31-34 </b>", "31-34", ["31", "32", "33", "34"], None),
        ('<b>47</b><span class="ovbold">-50</span> ', "47-50", ["47", "48", "49", "50"], None),
        ("<b>8 and 9 </b>", "8 and 9", ["8", "9"], None),
    ],
)
def test_trap_1_one_opener_covers_several_sections(lead, locator, covers, unknown):
    """A range or list of gone sections is one opener that says all it covers."""
    stub = '<span class="ovsmallcap">Revoked : </span>O. Reg. 43/16, s. 4.'
    result = content(p("section-e", f" {lead}{stub}"))
    (entry,) = result["sections"]
    assert (entry["number"], entry["covers"], entry["unknown_between"]) == (
        locator,
        covers,
        unknown,
    )
    assert entry["status"] == "gone"
    assert block(result, "Revoked")[2][-2:] == [
        ("body", "Revoked :"),
        ("history", "O. Reg. 43/16, s. 4."),
    ]


@pytest.mark.parametrize("lead", ["(11), (12) ", "(2)-(5) "])
def test_trap_2_range_of_subsections(lead):
    """A range of gone subsections is one marker, and opens no section."""
    result = content(
        p("section", "<b>3 </b>(1) Every owl shall hoot."),
        p("subsection", f'{lead}<span class="ovsmallcap">Repealed</span>: 2020, c. 3, s. 6 (1).'),
    )
    assert sections(result) == ["3"]
    assert block(result, "Repealed") == (
        "3",
        "gone",
        [("marker", lead.strip()), ("body", "Repealed:"), ("history", "2020, c. 3, s. 6 (1).")],
    )


def test_trap_2_opener_with_a_range_opens_a_living_section():
    """ "98 (1)-(3) Omitted" is section 98, alive where another subsection follows."""
    result = content(
        p("section", "<b>98 </b>(1)-(3) Omitted (amends other Acts)."),
        p("subsection", "(4) Owls hoot on."),
        p("section", "<b>99 </b>(1), (2) Omitted."),
    )
    assert [(s["number"], s["status"]) for s in result["sections"]] == [
        ("98", "in_force"),
        ("99", "gone"),
    ]
    assert block(result, "amends other Acts")[1] == "gone"


def test_trap_3_and_4_a_headnote_never_leaks_to_a_stub():
    """Stacked headnotes bind together; one that waits at a stub stays behind, and is said."""
    result = content(
        p("headnote", "Time"),
        p("headnote", "Start"),
        p("section", "<b>74 </b>Owls start at dusk."),
        p("headnote", "Stale"),
        p("section", '<b>75 </b><span class="ovsmallcap">Repealed</span>'),
    )
    assert [block(result, w)[0] for w in ("Time", "Start", "Stale")] == ["74", "74", "74"]
    assert [m for m in result["problems"] if "'Stale' still waits" in m]
    assert block(result, "Repealed")[:2] == ("75", "gone")


def test_trap_4_headnotes_bind_to_subsections():
    """A headnote before a subsection belongs to that section, not to the next one."""
    result = content(
        p("section", "<b>1 </b>(1) One."),
        p("headnote", "Same"),
        p("subsection", "(2) Two."),
        p("section", "<b>2 </b>Three."),
    )
    assert block(result, "Same")[0] == "1"
    assert not result["problems"]


def test_trap_5_future_text_is_never_law():
    """Y classes are not in force in every context; the lead-in note is in force."""
    result = content(
        p("headnote", "Hooting"),
        p("section", "<b>34 </b>(1) Now."),
        p("subsection", "(3) Present three."),
        p("Pnote", "Note: On a day to be named, the section is amended. (See: 2024, c. 1, s. 1)"),
        p("Yheadnote", "Coming"),
        p("Ysubsection", "(3) Coming three."),
        p("Yparagraph", "  (a)  coming clause;"),
        p("Ydefinition", "“barn” means a coming barn;"),
        p("Ysection", "<b>36.1  </b>(1)  Coming section. 2023, c. 10, s. 1."),
        p("headnote", "Old"),
        p("section", "<b>37 </b>Present section."),
    )
    future = [b for b in result["blocks"] if b[1] == "not_in_force"]
    assert len(future) == 5
    assert all("oming" in b[2][-1][1] or "oming" in b[2][-2][1] for b in future)
    assert block(result, "Note: On a day")[1:] == (
        "in_force",
        [("note", "Note: On a day to be named, the section is amended. (See: 2024, c. 1, s. 1)")],
    )
    assert [(s["number"], s["status"]) for s in result["sections"]] == [
        ("34", "in_force"),
        ("36.1", "not_in_force"),
        ("37", "in_force"),
    ]
    assert block(result, "Old")[0] == "37"


def test_trap_5_waiting_headnote_passes_over_future_text():
    """An in-force headnote waits for in-force text even where future text comes between."""
    result = content(
        p("section", "<b>1 </b>One."),
        p("headnote", "Present"),
        p("Yheadnote", "Future"),
        p("Ysection", "<b>1.1 </b>Later."),
        p("section", "<b>2 </b>Two."),
    )
    assert (block(result, "Present")[0], block(result, "Future")[0]) == ("2", "1.1")


def test_trap_5_future_number_does_not_collide():
    """The same number twice is a duplicate only within one status."""
    result = content(
        p("section", "<b>5 </b>Present."),
        p("Ysection", "<b>5 </b>Future."),
        p("section", "<b>5 </b>Again."),
    )
    assert sections(result) == ["5", "5", "5~2"]
    assert [m for m in result["problems"] if "duplicate number '5'" in m]


def test_trap_6_section_class_without_a_number_continues():
    """Only a number opens a section; an empty paragraph is nothing."""
    result = content(
        p("section", "  <b>1. </b>If an owl hoots, it must hoot"),
        p("section", "2 times or more a night."),
        p("section-e", " "),
        p("section", "Unless it sleeps."),
    )
    assert sections(result) == ["1"]
    assert [b[0] for b in result["blocks"]] == ["1", "1", "1"]
    assert block(result, "2 times")[2] == [("body", "2 times or more a night.")]
    assert [m for m in result["problems"] if "opens no section" in m]


def test_trap_7_definitions_and_their_continuation():
    """Definitions carry no marker; their clauses do."""
    result = content(
        p("section", "<b>1 </b>In this Act,"),
        p("firstdef-e", "“owl” or “night owl” means (<span>“</span>hibou”)"),
        p("definition", "  but does not include,"),
        p("defclause-e", "  (c)  a barn owl,"),
    )
    assert [b[2] for b in result["blocks"][1:]] == [
        [("body", "“owl” or “night owl” means (“hibou”)")],
        [("body", "but does not include,")],
        [("marker", "(c)"), ("body", "a barn owl,")],
    ]


def test_trap_8_flush_text_and_equations():
    """Flush text belongs to the section that precedes; a footnote after it is history."""
    result = content(
        p("section-e", " <strong>4. </strong>(2) By the formula,"),
        p("equation-e", "A = B − C"),
        p("Ssubsection-e", "where,"),
        p("equationind2-e", " A = the hoots,"),
        p("footnote-e", "O. Reg. 461/96, s. 4 (2)."),
    )
    assert {b[0] for b in result["blocks"]} == {"4"}
    assert [b[2][-1][0] for b in result["blocks"]] == ["body"] * 4 + ["history"]


@pytest.mark.parametrize(
    ("inner", "printed", "rest"),
    [
        ("<b>5</b><b> </b>(1) Owls.", "5", ["(1)"]),
        ("<b>73</b> (1) Owls.", "73", ["(1)"]),
        ("<strong>226.1</strong> Owls.", "226.1", []),
        ("<strong> 14. </strong>Owls.", "14.", []),
        ("<strong>10.</strong> Owls.", "10.", []),
        ("<b>  1. </b>Owls.", "1.", []),
        ("<strong> </strong><strong>4.0.1 </strong>(1) Owls.", "4.0.1", ["(1)"]),
        ("<b>3.1.5.5A </b>Owls.", "3.1.5.5A", []),
        ("<b>1</b>\u2002Every owl.", "1", []),
        ('<a name="BK9"></a><b>12</b><b>1.0</b><b>.1 </b>(1) (a) owls.', "121.0.1", ["(1)", "(a)"]),
        ("<b>10.</b>Owls.", "10.", []),
    ],
)
def test_trap_9_numbers(inner, printed, rest):
    """A number in bold is one marker however it is split, spaced and pointed."""
    result = content(p("section", inner))
    (entry,) = result["sections"]
    assert entry["printed"] == printed
    assert [t for role, t in result["blocks"][0][2] if role == "marker"] == [printed, *rest]


@pytest.mark.parametrize(
    ("name", "text", "markers"),
    [
        ("subsection-e", "<strong> </strong>(2) Owls.", ["(2)"]),
        ("subsection", "(5.1) Owls.", ["(5.1)"]),
        ("paragraph", "  13.0.1  Owls.", ["13.0.1"]),
        ("paragraph", "  45.3-47  Repealed: 2020, c. 1, s. 1.", ["45.3-47"]),
        ("clause-e", "  (h.1) owls,", ["(h.1)"]),
        ("subpara-e", "  ii.  owls", ["ii."]),
        ("subsubpara-e", "  A.  owls", ["A."]),
        ("subclause", "  (iv)  owls", ["(iv)"]),
        ("paragraph", "  (a) (i) owls", ["(a)", "(i)"]),
        ("paragraph", "26 weeks of hooting", []),
        ("definition", "(the) owl", []),
        ("paragraph", "(the owl)", []),
    ],
)
def test_trap_9_item_markers(name, text, markers):
    """Kinds follow the marker; words that merely look like one stay words."""
    result = content(p("section", "<b>1 </b>Owls."), p(name, text))
    assert [t for role, t in result["blocks"][1][2] if role == "marker"] == markers


def test_trap_10_white_space():
    """No-break, U+2002, CR and double spaces are one space; inline elements make none."""
    result = content(
        p("section", "<b>9</b>\u2002(2) c.\xa0A.2,\r\n two  <i>Prote</i><span>c</span>tion<br>end"),
    )
    assert result["blocks"][0][2] == [
        ("marker", "9"),
        ("marker", "(2)"),
        ("body", "c. A.2, two Protection end"),
    ]


def test_trap_11_misnested_spans():
    """A span that closes after its paragraph neither eats text nor leaks its citation."""
    result = content(
        p(
            "section",
            '<b>1 </b>Owls hoot. <span class="citation">2006, c. 17, s. 5 (2).</p></span>',
        ),
        p("subsection", "(2) Owls sleep."),
    )
    assert result["blocks"][0][2][-1] == ("history", "2006, c. 17, s. 5 (2).")
    assert result["blocks"][1][2] == [("marker", "(2)"), ("body", "Owls sleep.")]


@pytest.mark.parametrize(
    ("tail", "history"),
    [
        ("hoot.  2006, c. 17, s. 5; 2009, c. 33, Sched. 2, s. 43 (1-3).", "2006"),
        ("hoot. R.S.O. 1990, c. I.8, s. 224 (7); 1993, c. 10, s. 1.", "R.S.O."),
        ("hoot.  O. Reg. 180/19, s. 3 (2); O. Reg. 43/16, s 6.", "O. Reg. 180"),
        ("hoot; (“hibou”)  R.R.O. 1990, Reg. 668, s. 1.", "R.R.O."),
        ("hoot. 2020, c. 18, Sched, 11, s. 1.", "2020"),
        ("hoot under section 3 of the Act, 1997, c. 24.", None),
        ("hoot under O. Reg. 34/10.", None),
        ("hoot as in the Owls Act (Canada) 2006, c. 17, s. 5.", None),
        ("hoot. 2006, c. 17 shall apply to owls.", None),
        ("hoot under 1997, c. 24, s. 3; 2006, c. 17, s. 5.", None),
        ('hoot under the Act, <span class="citation">1997, c. 24</span>.', None),
        (
            'hoot. <span class="citation">2017, c. 1, s. 1</span>; <span>2018, c. 2, s. 2.</span>',
            "2017",
        ),
    ],
)
def test_trap_12_trailing_citation(tail, history):
    """Only a whole tail of citations after the last sentence is history; in doubt it is body."""
    result = content(p("section", f"<b>1 </b>Owls {tail}"))
    runs = result["blocks"][0][2]
    if history is None:
        assert [role for role, _ in runs] == ["marker", "body"]
    else:
        assert runs[-1][0] == "history"
        assert runs[-1][1].startswith(history)
        assert runs[-2][1].endswith(("hoot.", "”)"))


def test_trap_13_schedules_restart_numbering():
    """Sections are counted anew in each schedule and form; table cells open nothing."""
    result = content(
        p("section-e", "<b>1. </b>Body."),
        p("section-e", "<b>2. </b>Body."),
        p("schedule-e", "Schedule 1 <br> Owls and their useful life"),
        p("section-e", "<b>1. </b>First."),
        p("headingx-e", "Table 1 <br> Barns"),
        "<table><tr><td>"
        + p("table-e", "1.")
        + "</td><td>"
        + p("table-e", "Barn")
        + "</td></tr></table>",
        p("section-e", "<b>2. </b>Second."),
        p("headingx-e", "SCHEDULE 2"),
        p("section-e", "<b>1. </b>Third."),
        p("scheduleRevoked-e", "Schedule 3 Revoked: O. Reg. 43/16, s 6."),
        p("form-e", "Form 1"),
        p("paragraph-e", "1.  Name"),
    )
    assert sections(result) == ["1", "2", "Sched. 1, 1", "Sched. 1, 2", "Sched. 2, 1"]
    assert [b[0] for b in result["blocks"] if ("body", "1.") in b[2]] == ["Sched. 1, Table 1"]
    assert block(result, "Revoked") == (
        "Sched. 3",
        "gone",
        [("heading", "Schedule 3 Revoked:"), ("history", "O. Reg. 43/16, s 6.")],
    )
    assert block(result, "Name")[0] == "Form 1"
    assert result["gaps"] == []


def test_trap_13_lone_schedules_that_repeat():
    """A schedule without number is "Sched."; a second one is told apart and said."""
    result = content(
        p("schedule", "Schedule <br> A useful list"),
        p("schedule", "Schedule"),
        p("paragraph", "Owl"),
    )
    assert [b[0] for b in result["blocks"]] == ["Sched.", "Sched.~2", "Sched.~2"]
    assert [m for m in result["problems"] if "duplicate" in m]


def test_trap_13_body_goes_on_after_a_titled_table():
    """A section after a table in the body is the body's."""
    result = content(
        p("section", "<b>5 </b>See the Table."),
        p("tableheading", "Table 1"),
        p("section", "<b>6 </b>On."),
    )
    assert sections(result) == ["5", "6"]


def test_trap_14_contents_rows_are_contents():
    """The cells of the contents table have the class of any cell, and are no law."""
    result = content(
        p("toc-e", "CONTENTS"),
        "<table><tr><td>"
        + p("TOCid", "1.")
        + "</td><td>"
        + p("table", "Owls")
        + "</td></tr><tr><td>"
        + p("YTOCid", "1.1")
        + "</td><td>"
        + p("Ytable", "Barns")
        + "</td></tr><tr><td>"
        + p("TOCheadLeft-e", "Nests")
        + "</td><td>"
        + p("table-e", "5.2-8.1")
        + "</td></tr></table>",
        p("section", "<b>1 </b>Owls."),
    )
    assert [r for b in result["blocks"][:-1] for r, _ in b[2]] == ["contents"] * 7
    assert {b[0] for b in result["blocks"][:-1]} == {""}
    assert result["contents"] == [
        {"number": "1", "title": "Owls", "in_force": True},
        {"number": "1.1", "title": "Barns", "in_force": False},
        {"number": "5.2-8.1", "title": "Nests", "in_force": True},
    ]


def test_trap_14_contents_without_contents_cells():
    """A table right after the contents heading is contents whatever its cells are called."""
    result = content(
        p("toc", "CONTENTS"),
        "<table><tr><td>"
        + p("table", "1.")
        + "</td><td>"
        + p("table", "Owls")
        + "</td></tr></table>",
        "<table><tr><td>" + p("table", "A law table") + "</td></tr></table>",
    )
    assert [b[2][0][0] for b in result["blocks"]] == ["contents", "contents", "contents", "body"]


def test_trap_15_images_and_loose_text():
    """Images leave a placeholder where they stand; text outside a paragraph is placed and said."""
    result = content(
        p("section-e", "<b>6. </b>See"),
        '<p class="scanned-e"><img height="330" <img src="/x.png" alt="Two  owls"></p>',
        '<p class="equation-e"><img src="/y.png"></p>',
        p("paragraph-e", '1.  before <img alt="mid"> after'),
        "<table><tr><td>loose cell</td></tr></table>",
        "loose words",
    )
    runs = [b[2] for b in result["blocks"]]
    assert runs[1] == [("placeholder", "[image: Two owls]")]
    assert runs[2] == [("placeholder", "[equation]")]
    assert runs[3] == [
        ("marker", "1."),
        ("body", "before"),
        ("placeholder", "[image: mid]"),
        ("body", "after"),
    ]
    assert runs[4:] == [[("body", "loose cell")], [("body", "loose words")]]
    assert len([m for m in result["problems"] if "outside a paragraph" in m]) == 2
    assert {b[0] for b in result["blocks"]} == {"6"}


def test_trap_16_no_headnotes_is_no_problem():
    """A regulation without headnotes and contents reads without complaint."""
    result = content(
        p("section-e", " <strong>1. </strong>Owls."), p("section-e", " <b>2. </b>Hoot.")
    )
    assert (sections(result), result["problems"], result["contents"]) == (["1", "2"], [], [])


def test_trap_17_site_chrome_is_not_read():
    """On a page only the law's own division is read; footers stay out of the last provision."""
    page = (
        "<html><body><nav>Menu</nav><script<img src='/x'>bad</script>"
        '<p class="leadText">Owls Act</p><div class="WordSection1">'
        + p("shorttitle", "Owls Act, 2020")
        + p("chapter", "S.O. 2020, chapter 3")
        + p("section", "<b>1 </b>Owls.")
        + "</div><footer><p>Feedback</p></footer></body></html>"
    )
    result = read(page.encode(), "page")
    assert (result["title"], result["code"]) == ("Owls Act, 2020", "S.O. 2020, chapter 3")
    assert [b[2][-1][1] for b in result["blocks"]] == [
        "Owls Act, 2020",
        "S.O. 2020, chapter 3",
        "Owls.",
    ]


def test_trap_18_superscripts_read_in_line():
    """Superscripts and subscripts make no space."""
    result = content(p("section", "<b>1 </b>10 m<sup>2</sup> of CO<sub>2</sub>"))
    assert result["blocks"][0][2][1] == ("body", "10 m2 of CO2")


def test_trap_19_omitted_parts_and_raw_case():
    """ "part ix (omitted)" is a heading that is gone, its case as it is."""
    result = content(p("partnum", "part ix (omitted)"), p("partnum-e", "PART X <br>  BENEFITs"))
    assert result["blocks"] == [
        ("", "gone", [("heading", "part ix (omitted)")]),
        ("", "in_force", [("heading", "PART X BENEFITs")]),
    ]


def test_mixed_dialects():
    """Bare and -e classes mean the same, mixed in one document."""
    result = content(
        p("headnote-e", "Owls"),
        p("section", "  <b>1. </b>(1) In this,"),
        p("subsection-e", "  (2) Owls hoot."),
        p("footnoteLeft  amendments-heading  collapsed", "<b>Section Amendments</b>"),
    )
    assert not result["problems"]
    assert [(b[0], b[2][-1][0]) for b in result["blocks"]] == [
        ("1", "headnote"),
        ("1", "body"),
        ("1", "body"),
        ("1", "history"),
    ]


@pytest.mark.parametrize("name", ["novelty", "section-f", "Ynovelty"])
def test_unknown_class_is_placed_and_said(name):
    """An unknown class is an anomaly, never a loss; Y still means not in force."""
    result = content(p("section", "<b>1 </b>One."), p(name, "Words."))
    assert result["blocks"][1][2] == [("body", "Words.")]
    assert result["blocks"][1][1] == ("not_in_force" if name[0] == "Y" else "in_force")
    assert [m for m in result["problems"] if name in m]


def test_unknown_element_and_hidden_text_are_said():
    """Unknown and hidden mark-up is read, and said."""
    result = content(p("section", '<b>1 </b>One <blink>two</blink> <i style="display: none">x</i>'))
    assert result["blocks"][0][2][1] == ("body", "One two x")
    assert [m for m in result["problems"] if "<blink>" in m]
    assert [m for m in result["problems"] if "hidden text" in m]


def test_preamble_and_front_matter():
    """Words of law before the first section are the Preamble; links and rules are front."""
    result = content(
        p("MsoNormal", '<span class="Hyperlink">Français</span>'),
        p("footnoteLeft", "Legislative History: 2006, c. 1, s. 1."),
        p("preamble", "Whereas owls hoot;"),
        p("section", "<b>1 </b>One."),
        p("line", "______________"),
    )
    assert [(b[0], b[2][0][0]) for b in result["blocks"]] == [
        ("", "front"),
        ("", "front"),
        ("Preamble", "body"),
        ("1", "marker"),
        ("", "front"),
    ]


def test_gaps_name_what_the_numbers_skip():
    """T02, T04: a section that is not there shows in the numbers; ranges and stubs explain."""
    result = content(
        p("section", "<b>2 </b>Two."),
        p("section", "<b>3-5 </b>Repealed: 2020, c. 1, s. 1."),
        p("section", "<b>5.1 </b>Five."),
        p("section", "<b>6 </b>Six."),
        p("section", "<b>9 </b>Nine."),
        p("section", "<b>8 </b>Eight."),
    )
    assert result["gaps"] == [["0", "2"], ["6", "9"]]
    assert [m for m in result["problems"] if "'8' comes after '9'" in m]


def test_payload_names_itself_and_falls_back_to_its_contents_field():
    """Title and code come from their fields; the contents field serves where content has none."""
    payload = {
        "volume": 0,
        "title": "Owls Act, 2020",
        "chapter": '<p class="chapter">S.o. <span>2020</span>, chapter <span>3</span></p>',
        "content": p("section", "<b>1 </b>Owls."),
        "contentTable": '<table><tr><td><p class="TOCid"><a title="Section 8.1">8.1 Barns</a></p></td>'
        "</tr></table>",
    }
    result = read(json.dumps(payload).encode(), "payload")
    assert (result["title"], result["code"]) == ("Owls Act, 2020", "S.o. 2020, chapter 3")
    assert result["contents"] == [{"number": "8.1", "title": "Barns", "in_force": True}]
    assert len(result["blocks"]) == 1


def test_source_law_payload_names_its_regulation_number():
    """T14: regNmber (so spelled) and a string volume are the regulation's number."""
    payload = {
        "volume": "O. Reg. 1/24",
        "title": "Owls",
        "content": p("section", "<b>1. </b>Owls."),
    }
    assert read(json.dumps(payload).encode(), "payload")["code"] == "O. Reg. 1/24"
    payload["regNmber"] = '<p class="regnumber-e">ontario regulation 1/24</p>'
    assert read(json.dumps(payload).encode(), "payload")["code"] == "ontario regulation 1/24"
