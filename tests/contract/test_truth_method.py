"""The program that hashes a table written by eye refuses a table that does not fit."""

from __future__ import annotations

import hashlib

import pytest

from tests.truth.derive import TableError, derive

DOCUMENT = """<div><p class="headnote">Lighting</p>
<p class="section"><b>1 </b>(1) Every lamp <i>is</i> lit at dusk.  <span>2031, c. 7, s. 1.</span></p>
<p class="table">Brass</p><p class="table">20</p><p class="x"> </p></div>"""
TABLE = """file lamps.html content
h 0 1; | Lighting
= 1;
1 section 1
= 1;1
1 subsection 1 | Every lamp is ~ lit at dusk.
2-3 row - | Brass 20
"""


def write(folder, table):
    (folder / "lamps.html").write_text(DOCUMENT, encoding="utf-8")
    (folder / "lamps.txt").write_text(table, encoding="utf-8")
    return derive(folder / "lamps.txt", folder)


def test_a_fitting_table_is_hashed(tmp_path):
    """Ends are hashed, words between them counted, the citation left out, cells joined."""
    (header, section, subsection, row), headnotes = write(tmp_path, TABLE)

    assert header["sha256"] == hashlib.sha256(DOCUMENT.encode()).hexdigest()
    assert (section["words"], section["first"], section["number"]) == (0, "", "1")
    assert subsection["words"] == 6
    assert subsection["last"] == hashlib.sha256(b"lit at dusk.").hexdigest()[:16]
    assert (row["cells"], row["words"], row["block"]) == (2, 2, 2)
    assert [(h["binds_section"], h["binds_subsection"]) for h in headnotes] == [("1", "")]


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("2-3 row - | Brass 20", "2 row - | Brass", "not explained"),
        ("lit at dusk.", "lit at dawn.", "does not stand"),
        ("Every lamp is", "lamp is lit", "before the words"),
        ("1 subsection 1 |", "1 subsection 2 |", "before the words"),
        ("| Lighting", "| Lightning", "is printed as"),
    ],
)
def test_an_unfit_table_is_refused(tmp_path, old, new, complaint):
    """A word missing or misplaced, a number that is not printed, a paragraph passed over."""
    assert old in TABLE

    with pytest.raises(TableError, match=complaint):
        write(tmp_path, TABLE.replace(old, new))
