"""Every word of the markup is placed exactly once, whatever the markup."""

from __future__ import annotations

import re
import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st

from corpusguard.errors import Unreadable
from corpusguard.first_reader import read
from corpusguard.first_reader._classes import _TABLE
from corpusguard.model import Rendition
from tests.unit.first_reader.invariants import check

CLASSES = sorted(set(_TABLE) - {"footnote text", "endnote text"})
CSS = st.one_of(
    st.sampled_from(CLASSES),
    st.sampled_from(CLASSES).map(lambda c: c + "-e"),
    st.sampled_from(CLASSES).map(lambda c: "Y" + c),
    st.sampled_from(["brandnew", "footnoteLeft amendments collapsed", "Yunheard", "a b"]),
)
WORD = st.sampled_from(
    [
        *("lamp", "wick", "“oil”", "(a)", "(1)", "(i)", "1.", "i.", "A.", "12.", "13", "22.1-25"),
        *("Repealed:", "Revoked", "Omitted", "(2)-(5)", "Schedule", "2", "PART", "IV", "Table"),
        *("2031, c. 7, s. 5.", "O. Reg. 4/31, s. 2;", "é", "e\u0301", "m²", "(11), (12)", "Form"),
    ]
)
WRAP = st.sampled_from(
    [
        *("{}", "<b>{}</b>", "<i>{}</i>", '<span class="ovsmallcap">{}</span>', "<b> </b>{}"),
        *('<span class="citation">{}</span>', "<a name='x'></a>{}", "<br>{}", "<sub>{}</sub>"),
        *("<strange>{}</strange>", "<u><span>{}</span></u>", "{}<!-- no -->", "\u200b{}\u00ad"),
    ]
)
RUNS = st.lists(st.tuples(WRAP, WORD), max_size=6).map(
    lambda runs: " ".join(wrap.format(word) for wrap, word in runs)
)
PARAGRAPH = st.tuples(CSS, RUNS).map(lambda p: f'<p class="{p[0]}">{p[1]}</p>')
CELLS = st.lists(PARAGRAPH, min_size=1, max_size=3).map(
    lambda cells: "<table><tr>" + "".join(f"<td>{c}</td>" for c in cells) + "</tr></table>"
)
DOCUMENT = st.lists(st.one_of(PARAGRAPH, PARAGRAPH, CELLS, WORD), max_size=14)


def words(markup):
    """Words of the markup by the simplest means there is."""
    text = re.sub(r"<!--.*?-->", "", markup)
    text = re.sub(r"</?(?:p|td|tr|table|br)[^>]*>", " ", text)
    text = re.sub(r"<[^>]+>|[\u200b\u00ad]", "", text)
    return unicodedata.normalize("NFC", text).split()


@settings(max_examples=300)
@given(DOCUMENT)
def test_every_word_is_placed_once_and_in_order(parts):
    """The words of the reading are the words of the markup, and the segments tile its text."""
    markup = " ".join(parts)
    try:
        reading = read(markup.encode(), Rendition.CONTENT)
    except Unreadable:
        return

    assert reading.text.split() == words(markup)
    check(reading)
