"""Both sides of a finding by digest: each moves with its own text, whole, and with no other."""

from __future__ import annotations

import dataclasses
import json
import re
from types import SimpleNamespace

import pytest

from corpusguard import first_reader, second_reader
from corpusguard.cli.bundled import sample_folder, snapshots_folder
from corpusguard.layers import Inputs, check_document
from corpusguard.layers.draft import draft
from corpusguard.layers.sides import Sides
from corpusguard.model import DocumentSpec, Passage, Rendition, Status
from corpusguard.snapshots import SnapshotStore

ACT = DocumentSpec("ca-on/statute/19h31@en", "Harbour Markets Act, 2019")


@pytest.fixture(scope="module")
def official():
    """The bytes of the newest capture of the sample's Act."""
    store = SnapshotStore(snapshots_folder())
    captures = [one for one in store.list(ACT.id) if one.rendition is Rendition.PAYLOAD]
    return store.read(max(captures, key=lambda one: one.identity.consolidated_from).digest)


@pytest.fixture(scope="module")
def rows():
    lines = (sample_folder() / "faulty.jsonl").read_text("utf-8").splitlines()
    found = [row for row in map(json.loads, lines) if row["document"] == ACT.id]
    return [
        Passage(
            n,
            row["id"],
            ACT.id,
            row["text"],
            section=row["section"],
            subsection=row["subsection"],
            heading=row["heading"],
        )
        for n, row in enumerate(found)
    ]


def sides(official, rows):
    """(rule, section, passage) -> both digests."""
    result = check_document(
        Inputs(
            document=ACT,
            corpus="c",
            reading=first_reader.read(official, Rendition.PAYLOAD),
            passages=rows,
            second=second_reader.read(official, "payload"),
        )
    )
    return {
        (one.rule, one.section, one.passage): (one.official_digest, one.stored_digest)
        for one in result.findings
    }


def with_row(rows, ident, **changed):
    return [dataclasses.replace(row, **changed) if row.id == ident else row for row in rows]


def moved(before, after):
    """What is in both and differs: key -> (official moved, stored moved)."""
    return {
        key: (before[key][0] != after[key][0], before[key][1] != after[key][1])
        for key in before.keys() & after.keys()
        if before[key] != after[key]
    }


def test_every_finding_of_a_document_has_both(official, rows):
    """And the same inputs give the same digests."""
    found = sides(official, rows)
    assert len(found) > 10
    assert all(len(digest) == 71 for both in found.values() for digest in both)
    assert sides(official, rows) == found


def test_a_stored_word_moves_the_stored_side_of_its_own_findings(official, rows):
    """Of the row alone; and no other finding moves."""
    before = sides(official, rows)
    row = next(one for one in rows if one.id.endswith("sec_26__subsec_2"))
    text = row.text.replace("165", "166")
    assert text != row.text
    after = sides(official, with_row(rows, row.id, text=text))
    assert moved(before, after) == {("CG101", "26", row.id): (False, True)}


def test_a_stored_label_is_part_of_the_stored_side(official, rows):
    """The same words under another heading or status are another claim."""
    before = sides(official, rows)
    row = next(one for one in rows if one.id.endswith("sec_26__subsec_2"))
    for changed in ({"heading": "Another"}, {"status": "repealed"}, {"subsection": ""}):
        after = sides(official, with_row(rows, row.id, **changed))
        assert moved(before, after).get(("CG101", "26", row.id)) == (False, True), changed


def test_an_official_word_moves_the_official_side(official, rows):
    """Findings of other sections stay; one that names no section is about the whole document."""
    before = sides(official, rows)
    assert official.count(b"157") == 0
    assert b"156" in official
    after = sides(official.replace(b"156", b"157"), rows)
    changes = moved(before, after)
    assert changes
    assert ("CG101", "26", f"{ACT.id}#sec_26__subsec_2") in changes
    assert {section for _, section, _ in changes} <= {"26", ""}
    assert set(changes.values()) == {(True, False)}


def test_a_row_before_it_moves_nothing(official, rows):
    """The number of a row is not what it says."""
    before = sides(official, rows)
    first = dataclasses.replace(rows[0], id="extra", section="999")
    later = [first, *(dataclasses.replace(row, row=row.row + 1) for row in rows)]
    first_again = [dataclasses.replace(first, row=0), *later[1:]]
    changes = moved(before, sides(official, first_again))
    assert changes == {}


def test_what_is_missing_moves_when_someone_claims_to_store_it(official, rows):
    """The stored side of a missing section is whatever claims to be it: nothing, so far."""
    before = sides(official, rows)
    assert ("CG301", "45", "") in before
    claims = dataclasses.replace(rows[0], row=len(rows), id="new", section="45", text="45 No.")
    after = sides(official, [*rows, claims])
    key = ("CG301", "45", "")
    assert key not in after or after[key][1] != before[key][1]


def of(reading, rows=(), **about):
    """The digests of a finding that shows nothing of its texts; rows are (section found, row)."""
    judged = [
        SimpleNamespace(section=found, located=SimpleNamespace(passage=row)) for found, row in rows
    ]
    (known,) = Sides(reading, judged).known([draft("CG306", ACT.id, "a message", **about)])
    return known.official_digest, known.stored_digest


@pytest.fixture(scope="module")
def reading(official):
    return first_reader.read(official, Rendition.PAYLOAD)


def test_the_official_side_is_whole_where_the_finding_shows_nothing(official, reading):
    """Another subsection of the section is part of it; of the subsection, it is not."""
    other = first_reader.read(official.replace(b"156", b"157"), Rendition.PAYLOAD)
    assert of(reading, section="26") != of(other, section="26")
    assert of(reading) != of(other)
    inner = {"section": "26", "provision": "sec_26__subsec_1"}
    assert of(reading, **inner) == of(other, **inner)
    assert of(reading, section="20") == of(other, section="20")


@pytest.mark.parametrize("about", [{"section": "26"}, {}], ids=str)
def test_a_status_is_part_of_the_official_side(reading, about):
    """The same words, no longer in force, are another law."""
    nodes = tuple(
        dataclasses.replace(node, status=Status.REPEALED)
        if node.pid == "sec_26__subsec_2"
        else node
        for node in reading.provisions
    )
    later = dataclasses.replace(reading, provisions=nodes)
    assert of(reading, **about)[0] != of(later, **about)[0]
    assert of(reading, section="20") == of(later, section="20")


def test_rows_that_claim_a_section_and_rows_found_in_it_are_its_stored_side(reading, rows):
    """Whichever of them moves, the side moves; the rows of other sections are not part of it."""
    claims, found, other = (
        dataclasses.replace(row, row=n, section=section)
        for n, (row, section) in enumerate(zip(rows, ("26", "9", "8"), strict=False))
    )
    placed = [("41", claims), ("26", found), ("8", other)]
    before = of(reading, placed, section="26")[1]
    for number, moves in ((0, True), (1, True), (2, False)):
        changed = list(placed)
        section, row = changed[number]
        changed[number] = (section, dataclasses.replace(row, text="other words"))
        assert (of(reading, changed, section="26")[1] != before) is moves, number


@pytest.mark.parametrize("side", ["official", "stored"])
def test_what_is_cut_for_display_is_part_of_the_side(reading, side):
    """A text that is not the document's own, as of another rendition, counts to its last word."""
    start = "and every such change is posted " * 60
    one = of(reading, **{side: start + "within ten days"})
    other = of(reading, **{side: start + "and no stallholder is heard"})
    assert (one[0] != other[0], one[1] != other[1]) == (side == "official", side == "stored")
    assert one == of(reading, **{side: start + "within ten days"})


def test_more_disagreements_than_are_listed_are_both_readings_as_a_whole(official, rows):
    """What stands for the places that are not listed moves when one of those places does."""
    wrong = re.sub(rb" (of|the|a|to|in|and|or|is|by) ", rb" x\1 ", official)
    late = wrong.rindex(b" x", 0, len(wrong) * 7 // 10)
    other = wrong[:late] + b" y" + wrong[late + 2 :]

    def rest(second):
        result = check_document(
            Inputs(
                document=ACT,
                corpus="c",
                reading=first_reader.read(official, Rendition.PAYLOAD),
                passages=rows,
                second=second_reader.read(second, "payload"),
            )
        )
        (one,) = (found for found in result.findings if "only the first" in found.message)
        return one.official_digest

    assert rest(wrong) != rest(other)
    assert rest(wrong) == rest(wrong)
