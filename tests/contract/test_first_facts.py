"""What only the first reader says: covers, ids and kinds, asked in invented law."""

from __future__ import annotations

from tests.contract.facts import first_reading, p


def read(*paragraphs):
    return first_reading("".join(paragraphs).encode(), "content")


def openers(reading):
    return [v for v in reading.provisions if v.kind == "section"]


def test_trap_01_what_a_range_covers():
    """A list covers its numbers, a range its whole numbers, a decimal range only what is sure."""
    reading = read(
        p("section", "<strong>12., 13. </strong>Revoked: O. Reg. 9/31, s. 4."),
        p("section", "<strong>22.1-25. </strong>Revoked: O. Reg. 9/31, s. 5."),
        p("section", "<b>101-142 </b>Omitted."),
    )

    listed, decimal, whole = openers(reading)

    assert (listed.covers, listed.covers_unknown) == (("12", "13"), None)
    assert (decimal.covers, decimal.covers_unknown) == (("22.1", "23", "24", "25"), ("22.1", "25"))
    assert (whole.covers, whole.covers_unknown) == (tuple(map(str, range(101, 143))), None)


def test_trap_02_what_a_range_of_subsections_covers():
    """ "(11), (12)" and "(2)-(5)" cover every number from end to end."""
    reading = read(
        p("section", "<b>9 </b>(1) A lamp is lit."),
        p("subsection", "(2)-(5) Repealed: 2034, c. 4, s. 6 (1)."),
        p("subsection", "(11), (12) Revoked: O. Reg. 4/36, s. 2 (5)."),
    )

    assert [v.covers for v in reading.provisions if v.kind == "subsection"][1:] == [
        ("2", "3", "4", "5"),
        ("11", "12"),
    ]


def test_trap_13_every_pid_is_unique():
    """Repeated numbers in body, schedules and definitions never share an id."""
    reading = read(
        p("section", "<b>1 </b>In this Act,"),
        p("definition", "“lamp” means,"),
        p("paragraph", "  (a)  a light;"),
        p("definition", "“oil” means,"),
        p("paragraph", "  (a)  a fuel;"),
        p("section", "<b>34 </b>A lamp is lit."),
        p("section", "<b>34 </b>A lamp is put out."),
        p("schedule", "SCHEDULE 1"),
        p("section", "<b>34 </b>Brass."),
    )

    pids = [v.pid for v in reading.provisions]

    assert len(set(pids)) == len(pids)
    assert "duplicate_number" in {a.kind for a in reading.anomalies}


def test_trap_05_a_future_number_is_no_duplicate():
    """A future text of a number in force is told by its status, not by an anomaly."""
    reading = read(
        p("section", "<b>34 </b>A lamp burns oil."),
        p("Ysection", "<b>34 </b>A lamp burns current."),
    )

    assert [(v.section, v.status.value) for v in openers(reading)] == [
        ("34", "in_force"),
        ("34", "not_in_force"),
    ]
    assert "duplicate_number" not in {a.kind for a in reading.anomalies}


def test_issue_23_the_letter_i_and_the_number_one():
    """ "(i)" after "(h)" is a clause; under a clause, by its class, it is roman one."""
    reading = read(
        p("section", "<b>1 </b>A keeper carries,"),
        *(p("clause", f"  ({letter})  thing {letter},") for letter in "abcdefgh"),
        p("clause", "  (i)  oil,"),
        p("subclause", "  (i)  clear, or"),
        p("subclause", "  (ii)  dark."),
    )

    kinds = [(v.number, v.kind.value) for v in reading.provisions][-3:]

    assert kinds == [("i", "clause"), ("i", "subclause"), ("ii", "subclause")]


def test_loudness_is_on_the_record():
    """An unknown class, a bare text node and a waiting headnote are each an anomaly."""
    reading = read(
        p("section", "<b>1 </b>A lamp is lit."),
        p("neverseen-e", "Strange words."),
        "Stray words.",
        p("headnote", "Waiting"),
        p("section", "<b>2 </b>Repealed: 2034, c. 2, s. 1."),
    )

    assert {"unknown_class", "text_outside_paragraph", "pending_headnote"} <= {
        a.kind for a in reading.anomalies
    }
